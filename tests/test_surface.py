"""The public surface: what is there, that it is documented, and that it ships."""

from __future__ import annotations

import ast
import doctest
import inspect
import math
import os
import pickle
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, fields, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support import ROOT

import primad_ld as pl
from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.compare.primad_types import PrimadType
from primad_ld.core import files
from primad_ld.core.errors import SchemaError
from primad_ld.evaluation.evaluations import EvaluationOptions
from primad_ld.measures.registry import parse_measure
from primad_ld.nanopub.drafting.draft_sources import MakeOptions
from primad_ld.qra.precision import Variant
from primad_ld.qra.precision_reports import PrecisionOptions
from primad_ld.qra.reading.table_layouts import Columns
from primad_ld.rdf import bulk
from primad_ld.rdf.lifting import Lifter
from primad_ld.search.comparable_runs import Criteria
from primad_ld.trec.scorer import TopicScores
from primad_ld.validation.folders import ValidationOptions

PUBLIC = {name: getattr(pl, name) for name in pl.__all__}
PUBLIC |= {f"nanopub.{name}": getattr(pl.nanopub, name) for name in pl.nanopub.__all__}
OBJECTS = {name: one for name, one in PUBLIC.items() if not isinstance(one, ModuleType)}


def _members() -> dict[str, Any]:
    """Every public function, class, method and property of the surface, by its name."""
    found = dict(OBJECTS)
    for name, value in OBJECTS.items():
        if inspect.isclass(value):
            for member, inner in vars(value).items():
                if not member.startswith("_") and (
                    inspect.isfunction(inner) or isinstance(inner, property | classmethod)
                ):
                    found[f"{name}.{member}"] = inner
    return found


MEMBERS = _members()
FUNCTIONS = {name: one for name, one in MEMBERS.items() if inspect.isfunction(one)}
ERRORS = [one for one in OBJECTS.values() if inspect.isclass(one) and issubclass(one, Exception)]


def test_names_are_those_of_the_stub_once() -> None:
    stub = ast.parse(Path(f"{pl.__file__}i").read_text(encoding="utf-8"))
    named = [alias.asname for node in stub.body for alias in node.names]  # type: ignore[attr-defined]
    assert sorted({*named} - {"__version__"}) == pl.__all__
    assert len(named) == len(set(named)) < 50
    assert [name for name in dir(pl) if name[0] != "_"] == pl.__all__


def test_rooms_do_not_hide_functions_of_their_names() -> None:
    code = "import primad_ld as pl, primad_ld.qra.reading, primad_ld.compare; print(pl.qra, pl.compare, pl.plot)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert re.fullmatch(r"<function qra .*> <function compare .*> <module .*>\n", done.stdout)


def test_names_that_are_not_there() -> None:
    with pytest.raises(AttributeError, match="'primad_ld' has no attribute 'lifted'"):
        _ = pl.lifted
    with pytest.raises(ImportError, match="cannot import name 'lifted'"):
        exec("from primad_ld import lifted")


# What help() shows ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What examples are about."""
    folder = tmp_path_factory.mktemp("examples")
    shutil.copytree(ROOT / "examples" / "garden" / "runs", folder / "runs")
    for file in ("garden/qrels.txt", "qra/nts.yaml", "replication/clef2016.yaml"):
        shutil.copy(ROOT / "examples" / file, folder)
    return folder


@pytest.mark.parametrize("name", ["the package", *OBJECTS])
def test_it_has_an_example_that_holds(
    name: str, workplace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(workplace, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    text = inspect.getdoc(OBJECTS.get(name, pl)) or ""
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize("name", MEMBERS)
def test_it_has_a_docstring(name: str) -> None:
    value = MEMBERS[name]
    text = inspect.getdoc(value.fget if isinstance(value, property) else value) or ""
    # A dataclass without a docstring gets its signature for one, an exception its parent's.
    assert not text.startswith(f"{name}("), text
    assert text.split("\n")[0].rstrip().endswith((".", ":", "?")), text
    if value in ERRORS:
        assert "__doc__" in vars(value)


#: How answers are printed is no concern of who holds one.
_BELOW_ANSWERS = re.compile(r"(Answer|Evaluation|.*Report)\.(?!to_)")
#: What signatures may say besides the public names: plain types, and what other names are about.
_PLAIN = {
    *"str int float bool object None Path Iterable Iterator Mapping Callable Literal Any self".split(),
    *"Schema Ranking Columns NamedGraph rdflib Graph".split(),
}


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if not _BELOW_ANSWERS.match(name)])
def test_its_help_is_short_and_names_types_that_users_know(name: str) -> None:
    function = FUNCTIONS[name]
    assert len((inspect.getdoc(function) or "").splitlines()) <= 55
    signature = inspect.signature(function)
    assert signature.return_annotation is not inspect.Signature.empty
    for parameter in signature.parameters.values():
        words = re.findall(r"(?<![\"'])\b[A-Za-z]\w*\b(?![\"'])", str(parameter.annotation))
        assert {*words} <= {*_PLAIN, *pl.__all__} or parameter.name == "self", parameter
        assert parameter.name == "self" or parameter.annotation is not inspect.Parameter.empty


def test_errors_have_one_base() -> None:
    assert len(ERRORS) == 7
    assert all(issubclass(one, pl.PrimadError) for one in ERRORS)


def test_the_version_is_one() -> None:
    from importlib.metadata import version

    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", pl.__version__)
    assert version("primad-ld") == pl.__version__


# One path or several, as texts or paths ---------------------------------------------------

HEADER = """\
# ir_metadata.start
# tag: {0}
# method: {{automatic: true, retrieval: [{{name: {0}}}]}}
# data: {{test collection: {{name: Garden}}}}
# research goal: {{evaluation: {{reported measures: [map]}}}}
# ir_metadata.end
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs with their judgements, measurements, a track, and an archive."""
    folder = tmp_path_factory.mktemp("surface")
    (folder / "runs").mkdir()
    for number, tag in enumerate(("one", "two")):
        ranking = f"1 Q0 d{number} 1 9 {tag}\n1 Q0 d3 2 8 {tag}\n2 Q0 d4 1 7 {tag}\n"
        (folder / "runs" / f"{tag}.txt").write_text(HEADER.format(tag) + ranking)
    pl.strip(folder / "runs" / "one.txt", folder / "bare.txt")
    (folder / "qrels").write_text("1 0 d1 1\n1 0 d3 1\n2 0 d4 1\n2 0 d5 1\n")
    (folder / "table.csv").write_text("system,measurand,value\na,AP,0.3\na,AP,0.31\n")
    (folder / "track.yaml").write_text("systems: [{id: a}]\n")
    (folder / "h.yaml").write_text("actor: {team: x}\n")
    (folder / "profile.ttl").write_bytes((ROOT / "shapes" / "header.ttl").read_bytes())
    pl.Archive(folder / "archive").load(folder / "runs")
    return folder


_ONE, _TWO = "runs/one.txt", "runs/two.txt"
_STUDY = dict.fromkeys(("baseline", "advanced", "rep_baseline", "rep_advanced"), _ONE)
_NOWHERE = "http://127.0.0.1:9/np/"
_NOBODY: dict[str, Any] = {"orcid": "0000-0002-1825-0097", "license": "CC0-1.0"}


def _written(function: Callable[..., Any], output: Any, *given: Any) -> bytes:
    function(*given, output, force=True)
    return Path(output).read_bytes()


def _converted(paths: Any) -> Any:
    return _written(pl.convert, "x.nq", paths)


#: Parameters of several paths: what to call with them, and the file or folder.
SEVERAL: dict[str, tuple[Callable[[Any], Any], str]] = {
    "annotate.paths": (lambda it: len(pl.annotate(it, pl.parse_header("actor: {team: x}"), sidecar=True).runs), "runs"),
    "annotate.header": (lambda it: len(pl.annotate("bare.txt", it, sidecar=True).runs), "h.yaml"),
    "strip.paths": (lambda it: len(pl.strip(it, in_place=True).runs), "bare.txt"),
    "Archive.load.paths": (lambda it: pl.Archive().load(it).runs, "runs"),
    "Archive.score.runs": (lambda it: pl.Archive("archive").score(it, qrels="qrels", measure="map"), "runs"),
    "Archive.score.qrels": (lambda it: pl.Archive("archive").score("runs", qrels=it, measure="map"), "qrels"),
    "baselines.paths": (lambda it: pl.baselines(_ONE, it), "runs"),
    "convert.paths": (_converted, "runs"),
    "evaluate.runs": (lambda it: pl.evaluate(_ONE, it, measure="ktu"), "runs"),
    "evaluate.qrels": (lambda it: pl.evaluate(_ONE, _TWO, qrels=it, measure="rmse", on="map"), "qrels"),
    "evaluate.rep_qrels": (lambda it: pl.evaluate(_ONE, _TWO, qrels="qrels", rep_qrels=it, measure="rmse", on="map"), "qrels"),
    "evaluate.runs_in": (lambda it: pl.evaluate("one", archive="archive", runs_in=it, measure="ktu"), "runs"),
    "evaluate_all_pairs.runs": (lambda it: pl.evaluate_all_pairs(it, measure="ktu"), "runs"),
    "evaluate_all_pairs.qrels": (lambda it: pl.evaluate_all_pairs("runs", qrels=it, measure="rmse", on="map"), "qrels"),
    "nanopub.check.paths": (pl.nanopub.check, "runs"),
    "nanopub.make.runs": (lambda it: pl.nanopub.make(it, "drafts", force=True).ready, "runs"),
    "nanopub.make.qra": (lambda it: pl.nanopub.make(qra=it, output="drafts", force=True).ready, "table.csv"),
    "nanopub.publish.paths": (lambda it: pl.nanopub.publish(it, _NOWHERE), "runs"),
    "nanopub.sign.paths": (lambda it: pl.nanopub.sign(it, **_NOBODY, key="qrels"), "runs"),
    "qra.paths": (pl.qra, "table.csv"),
    "score.runs": (lambda it: pl.score(it, qrels="qrels", measure="map"), "runs"),
    "score.qrels": (lambda it: pl.score("runs", qrels=it, measure="map"), "qrels"),
    "validate.paths": (pl.validate, "runs"),
    "validate.profile": (lambda it: pl.validate("runs", profile=it), "profile.ttl"),
}  # fmt: skip
#: Parameters of one path.
ONE: dict[str, tuple[Callable[[Any], Any], str]] = {
    "annotate.output": (lambda it: _written(pl.annotate, it, "bare.txt", pl.parse_header("tag: x")), "x.txt"),
    "Archive.baselines.run": (lambda it: pl.Archive("archive").baselines(it), _ONE),
    "Archive.compare.reference": (lambda it: pl.Archive("archive").compare(it), _ONE),
    "baselines.archive": (lambda it: pl.baselines("one", archive=it), "archive"),
    "baselines.run": (lambda it: pl.baselines(it, "runs"), _ONE),
    "compare.archive": (lambda it: pl.compare("one", archive=it), "archive"),
    "compare.reference": (lambda it: pl.compare(it, "runs"), _ONE),
    "compare.runs": (lambda it: pl.compare(_ONE, it), "runs"),
    "convert.output": (lambda it: _written(pl.convert, it, "runs"), "x.nq"),
    "evaluate.archive": (lambda it: pl.evaluate("one", archive=it, runs_in="runs", measure="ktu"), "archive"),
    "evaluate.reference": (lambda it: pl.evaluate(it, "runs", measure="ktu"), _ONE),
    **{
        f"evaluate.{name}": (lambda it, name=name: pl.evaluate(**_STUDY | {name: it}, qrels="qrels", measure="er", on="map"), _TWO)
        for name in _STUDY
    },
    "nanopub.make.archive": (lambda it: pl.nanopub.make(archive=it, output="drafts", force=True).ready, "archive"),
    "nanopub.make.output": (lambda it: pl.nanopub.make("runs", it, force=True).ready, "drafts"),
    "nanopub.sign.key": (lambda it: pl.nanopub.sign("runs", **_NOBODY, key=it), "qrels"),
    "parse_header.file": (lambda it: pl.parse_header("tag: x", file=it).file, "x"),
    "qra.archive": (lambda it: pl.qra("table.csv", archive=it), "archive"),
    "read_header.path": (lambda it: pl.read_header(it).tag, _ONE),
    "read_judgements.path": (lambda it: pl.read_judgements(it).topics, "qrels"),
    "read_measurements.path": (lambda it: [one.value for one in pl.read_measurements(it).measurements], "table.csv"),
    "read_rankings.path": (lambda it: pl.read_rankings(it).documents, _ONE),
    "read_track.path": (lambda it: len(pl.read_track(it).systems), "track.yaml"),
    "strip.output": (lambda it: _written(pl.strip, it, _ONE), "x.txt"),
    "validate.archive": (lambda it: pl.validate(archive=it), "archive"),
    "write_header.path": (lambda it: _written(pl.write_header, it, pl.parse_header("tag: x")), "x.yaml"),
}  # fmt: skip
_LIKE_ONE: dict[str, Callable[[Path], Any]] = {"a path": Path, "a text": str}
_LIKE_SEVERAL: dict[str, Callable[[Path], Any]] = {
    **_LIKE_ONE,
    "a tuple": lambda one: (str(one),),
    "a generator": lambda one: (each for each in (one,)),
    "a set": lambda one: {str(one)},
}


@pytest.fixture
def here(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


def _outcome(function: Callable[[Any], Any], given: Any) -> object:
    try:
        found = function(given)
    except pl.PrimadError as error:
        return type(error), str(error)
    return [*found.to_dicts()] if isinstance(found, pl.Answer) else found


def test_every_parameter_of_paths_is_asked() -> None:
    one, several = set(), set()
    for name, function in FUNCTIONS.items():
        for parameter in inspect.signature(function).parameters.values():
            if "Path" in str(parameter.annotation) and "Error" not in name:
                kind = several if "Iterable" in str(parameter.annotation) else one
                kind.add(f"{name}.{parameter.name}")
    assert (one, several) == ({*ONE}, {*SEVERAL})


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", [*ONE, *SEVERAL])
def test_a_path_is_a_path_however_it_is_given(name: str) -> None:
    function, file = (ONE | SEVERAL)[name]
    ways = _LIKE_SEVERAL if name in SEVERAL else _LIKE_ONE
    found = [_outcome(function, give(Path(file))) for give in ways.values()]
    assert all(one == found[0] for one in found), found
    assert "no such file" not in str(found[0])  # as a letter would be


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", [*ONE, *SEVERAL])
def test_what_is_not_a_path_is_a_clear_error(name: str) -> None:
    function, _ = (ONE | SEVERAL)[name]
    before = os.listdir()
    for wrong in (5, b"runs", [None], [b"runs"], [["runs"]], *([["runs"]] if name in ONE else [])):
        with pytest.raises(TypeError, match="expected str or Path"):
            function(wrong)
    with pytest.raises(pl.PrimadError, match="the path is empty"):
        function("")
    assert os.listdir() == before


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", [*ONE, *SEVERAL])
def test_a_path_that_is_not_there_is_an_error_that_names_it(name: str) -> None:
    function, _ = (ONE | SEVERAL)[name]
    is_written = name.endswith((".output", ".file", "write_header.path"))
    if not is_written and name != "qra.archive":
        with pytest.raises(pl.PrimadError, match="nosuch"):
            function("nosuch.nq" if name.startswith("convert") else "nosuch")


# One value or several, in options ---------------------------------------------------------------

_KTU = parse_measure("ktu")
_TYPE = PrimadType.parse("priMad")
FIELDS: list[tuple[Any, str, Any, Any]] = [
    (EvaluationOptions, "qrels", "qrels", ("qrels",)),
    (EvaluationOptions, "qrels", Path("a/qrels"), ("a/qrels",)),
    (EvaluationOptions, "rep_qrels", "qrels", ("qrels",)),
    (EvaluationOptions, "measures", "ktu", (_KTU,)),
    (EvaluationOptions, "measures", _KTU, (_KTU,)),
    (EvaluationOptions, "on", "map", ("map",)),
    (EvaluationOptions, "on", "nDCG@10", ("ndcg_cut_10",)),
    (EvaluationOptions, "types", "PRIM'AD", (_TYPE,)),
    (EvaluationOptions, "types", _TYPE, (_TYPE,)),
    (ValidationOptions, "profiles", "core", ("core",)),
    (ValidationOptions, "profiles", Path("mine.ttl"), ("mine.ttl",)),
    (ValidationOptions, "checks", "files", ("files",)),
    (PrecisionOptions, "held", "team", (("team",),)),
    (Criteria, "measures", "map", ("map",)),
    (Criteria, "data", "0123456789abcde", ("0123456789abcde",)),
    (Criteria, "without_teams", "moles", ("moles",)),
    (MakeOptions, "keep", "mail", ("mail",)),
    (Columns, "studies", "one", ("one",)),
]


@pytest.mark.parametrize(("options", "field", "one", "held"), FIELDS)
def test_one_value_of_an_option_is_a_list_of_it(
    options: Any, field: str, one: Any, held: Any
) -> None:
    for given in (one, [one], (one,), iter([one]), *([{one}] if one is not _KTU else [])):
        made = options(**{field: given})
        assert getattr(made, field) == held
        assert made == options(**{field: [one]})
        assert (
            getattr(replace(made), field)
            == getattr(pickle.loads(pickle.dumps(made)), field)
            == held
        )
    # A set of types is asked for, and a list of anything else.
    assert getattr(options(**{field: [one, one]}), field) == held * (1 + (field != "types"))
    assert getattr(options(**{field: []}), field) == ()
    with pytest.raises(FrozenInstanceError):
        setattr(options(), field, one)
    for wrong in (None, 5, b"x", [None], [5], [b"x"]):
        with pytest.raises(TypeError, match=f"{field}: expected str"):
            options(**{field: wrong})


def test_every_option_of_several_values_is_asked() -> None:
    for options in {one for one, *_ in FIELDS}:
        for field in fields(options):
            is_several = str(field.type).startswith(("tuple", "Collection"))
            assert is_several == ((options, field.name) in SEVERAL_VALUES), field.name


SEVERAL_VALUES = {(options, field) for options, field, _, _ in FIELDS}
#: By type: what is refused, be it given as a keyword or as a field of options.
WRONG: dict[str, tuple[object, ...]] = {
    "str": (5, None, ["x"]),
    "bool": ("no", 1, None),
    "int": ("2", 1.5, math.nan, math.inf, True, None, -1),
    "float": ("1", True, [1.0], None),
    "Literal": ("nonsense", 5, None),
}
#: Texts and numbers that have readers of their own: what is refused.
CHOICES: dict[tuple[Any, str], tuple[object, ...]] = {
    (EvaluationOptions, "data"): ("xx", "any", 5),
    (EvaluationOptions, "correction"): ("nonsense", None, 5),
    (PrecisionOptions, "variant"): ("nonsense", 2022, None),
    (ValidationOptions, "fail_on"): ("nonsense", "", 5),
}


def _wrong(annotation: str) -> tuple[object, ...]:
    kind = annotation.removesuffix(" | None").partition("[")[0]
    return tuple(
        one for one in WRONG.get(kind, ()) if one is not None or " | None" not in annotation
    )


def _refused() -> Iterator[Any]:
    for options in dict.fromkeys((*(one for one, *_ in FIELDS), bulk.Options)):
        for field in fields(options):
            values = CHOICES.get((options, field.name)) or _wrong(str(field.type))
            yield from (pytest.param(options, field.name, {field.name: one}) for one in values)
    for function in FUNCTIONS.values():
        parameters = inspect.signature(function).parameters.values()
        needed = {
            one.name: "x"
            for one in parameters
            if one.default is one.empty and one.kind is not one.VAR_POSITIONAL
        }
        if hasattr(function, "__wrapped__"):
            for one in parameters:
                for value in _wrong(str(one.annotation)):
                    yield pytest.param(function, one.name, {**needed, one.name: value})


@pytest.mark.parametrize(("function", "name", "given"), [*_refused()])
def test_a_value_of_another_kind_is_refused_by_its_name(
    function: Callable[..., Any], name: str, given: dict[str, Any]
) -> None:
    with pytest.raises((TypeError, pl.PrimadError), match=f"^{name}: |^unknown {name} 'nonsense'"):
        function(**given)


def test_values_that_are_fine() -> None:
    assert EvaluationOptions(data="auto", correction="holm", jobs=None).correction == (  # type: ignore[arg-type]
        "holm-bonferroni"
    )
    assert PrecisionOptions(variant="2026").variant is Variant.uncorrected  # type: ignore[arg-type]
    assert ValidationOptions(fail_on="Info", min_completeness=0).fail_on == "hint"
    assert Columns(scale_min=0, scale_max=None).scale_min == 0.0


def test_conditions_are_held_alone_or_together() -> None:
    held = PrecisionOptions(held=["team", ("code", "team")]).held
    assert held == (("team",), ("code", "team"))


@pytest.mark.parametrize("topics", ["1", ["1"], ("1",), iter(["1"]), {"1"}])
def test_a_topic_is_no_list_of_letters(topics: Any) -> None:
    scores = TopicScores(name="x", topics=("1", "12"), values={"map": [0.5, 0.25]})
    assert scores.at("map", topics) == (0.5,)
    assert scores.at("map", "12") == (0.25,)


def test_graphs_of_an_engine_are_named_one_or_several() -> None:
    engine = EmbeddedEngine.memory()
    lifted = Lifter().lift(pl.parse_header("tag: x"))
    for give in (str, lambda iri: [iri], lambda iri: (one for one in (iri,))):
        engine.add(lifted.graphs)
        assert engine.existing(give(lifted.run.iri)) == {lifted.run.iri}
        engine.remove(give(lifted.run.iri))
        assert engine.existing(lifted.run.iri) == set()


# What is imported when -------------------------------------------------------------------------


def _imported_by(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {code}; print(' '.join(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return set(done.stdout.split())


_HEAVY = "rdflib pyoxigraph rich typer scipy numpy packaging pyshacl zstandard multiprocessing SPARQLWrapper"
_OF_ARCHIVES = "sqlite3 concurrent.futures ssl http.client primad_ld.archive"


def test_importing_is_light() -> None:
    every = _imported_by("from primad_ld import *")
    assert {one.__module__ for one in OBJECTS.values()} <= every
    assert set(_HEAVY.split()) & every == set()


def test_a_name_is_imported_when_it_is_asked_for() -> None:
    assert {name for name in _imported_by("import primad_ld") if name.startswith("primad_ld.")} == {
        "primad_ld.core",
        "primad_ld.core.hooks",
    }
    reading = _imported_by(
        "import primad_ld; primad_ld.read_header, primad_ld.lift, primad_ld.lower"
    )
    assert set(_OF_ARCHIVES.split()) & reading == set()
    assert "primad_ld.archive.runs" in _imported_by("from primad_ld import RunRecord")


MODULES = sorted(
    path
    for path in (ROOT / "primad_ld").rglob("*.py")
    if path != ROOT / "primad_ld" / "__init__.py"
)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_module_says_what_it_is_for_and_stays_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text))
    assert text.count("\n") <= 600


# What ships ---------------------------------------------------------------------------------------

SHIPPED = [
    "shapes/header.ttl",
    "ontology/primad.ttl",
    "ontology/alignments.ttl",
    "ontology/schemes.ttl",
    "ontology/field.ttl",
    "ontology/score.ttl",
    "examples/garden",
]


def test_types_ship() -> None:
    assert (Path(pl.__file__).parent / "py.typed").is_file()


@pytest.mark.parametrize("name", SHIPPED)
def test_resources_are_found(name: str) -> None:
    assert files.resource(name).exists()


def test_a_missing_resource_is_an_error_of_ours() -> None:
    with pytest.raises(SchemaError, match=r"shapes/nothing\.ttl is missing.*install"):
        files.resource("shapes/nothing.ttl")


def test_an_installed_package_uses_its_own_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site-packages" / "primad_ld"
    inside = package / "shapes" / "header.ttl"
    beside = tmp_path / "site-packages" / "shapes" / "header.ttl"
    for file in (beside, inside):
        file.parent.mkdir(parents=True)
        file.touch()
    monkeypatch.setattr(files, "_PACKAGE", package)
    assert files.resource("shapes/header.ttl") == inside
    inside.unlink()
    assert files.resource("shapes/header.ttl") == beside  # a checkout


def test_the_wheel_takes_along_what_is_looked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    for name in SHIPPED:
        folder = name.partition("/")[0]
        assert included[folder] == f"primad_ld/{folder}"
        assert (ROOT / folder).is_dir()
