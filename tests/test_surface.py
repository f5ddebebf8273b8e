"""The public surface: what is there, that it is documented, and that it ships."""

from __future__ import annotations

import ast
import doctest
import inspect
import os
import pickle
import re
import subprocess
import sys
import tomllib
from dataclasses import FrozenInstanceError, fields, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support import ROOT

import primad_ld
from primad_ld import SchemaError
from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.core import files
from primad_ld.nanopub.drafting.draft_sources import MakeOptions
from primad_ld.qra.reading.table_layouts import Columns
from primad_ld.rdf import bulk

PUBLIC = {name: getattr(primad_ld, name) for name in primad_ld.__all__}


def _members() -> dict[str, Any]:
    """Every public function, class, method and property of the surface, by its name."""
    found: dict[str, Any] = {}
    for name, value in PUBLIC.items():
        found[name] = value
        if inspect.isclass(value):
            for member, inner in vars(value).items():
                if not member.startswith("_") and (
                    inspect.isfunction(inner) or isinstance(inner, property | classmethod)
                ):
                    found[f"{name}.{member}"] = inner
    return found


MEMBERS = _members()


def test_all_is_all_there_is() -> None:
    names = {
        name
        for name in dir(primad_ld)
        if not name.startswith("_") and not isinstance(getattr(primad_ld, name), ModuleType)
    }
    assert sorted(names) == primad_ld.__all__ == sorted(set(primad_ld.__all__))


def test_type_checkers_see_what_is_imported_on_request() -> None:
    tree = ast.parse(Path(primad_ld.__file__).read_text(encoding="utf-8"))
    text = Path(primad_ld.__file__).read_text(encoding="utf-8")
    (exports,) = re.findall(r'door\(\s*__name__,\s*"""(.*?)"""', text, re.DOTALL)
    seen = {
        (f"primad_ld.{module}", name)
        for module, _, names in (line.strip().partition(":") for line in exports.split("\n"))
        for name in names.split()
    } - {("primad_ld.core.version", "__version__")}
    said = {
        (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    } - {("primad_ld.core.hooks", "door")}
    assert seen == said
    assert sorted(name for _, name in seen) == primad_ld.__all__


def test_names_that_are_not_there() -> None:
    with pytest.raises(AttributeError, match="'primad_ld' has no attribute 'lifted'"):
        _ = primad_ld.lifted
    with pytest.raises(ImportError, match="cannot import name 'lifted'"):
        exec("from primad_ld import lifted")


@pytest.mark.parametrize("name", MEMBERS)
def test_it_has_a_docstring(name: str) -> None:
    value = MEMBERS[name]
    text = inspect.getdoc(value.fget if isinstance(value, property) else value) or ""
    # A dataclass without a docstring gets its signature for one, an exception its parent's.
    assert not text.startswith(f"{name}("), text
    assert text
    assert text.split("\n")[0].rstrip().endswith((".", ":", "?")), text
    if inspect.isclass(value) and issubclass(value, Exception):
        assert "__doc__" in vars(value)
        assert value.__doc__


@pytest.mark.parametrize("name", [name for name, one in MEMBERS.items() if inspect.isfunction(one)])
def test_it_is_typed(name: str) -> None:
    signature = inspect.signature(MEMBERS[name])
    assert signature.return_annotation is not inspect.Signature.empty
    for parameter in signature.parameters.values():
        assert parameter.name == "self" or parameter.annotation is not inspect.Parameter.empty


def test_errors_have_one_base() -> None:
    errors = [one for one in PUBLIC.values() if inspect.isclass(one) and issubclass(one, Exception)]
    assert len(errors) == 9
    assert all(issubclass(one, primad_ld.PrimadError) for one in errors)


def test_the_way_and_back_in_three_calls(tmp_path: Path) -> None:
    run = tmp_path / "run.txt"
    run.write_text("# ir_metadata.start\n# tag: x\n# ir_metadata.end\n1 Q0 d 1 2.5 x\n")
    header = primad_ld.read_header(run)
    assert primad_ld.lower(primad_ld.lift(header)) == [header]


def test_the_example_of_the_package_holds() -> None:
    done = doctest.testmod(primad_ld)
    assert done.attempted > 0
    assert done.failed == 0


def test_the_version_is_one() -> None:
    from importlib.metadata import version

    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", primad_ld.__version__)
    assert version("primad-ld") == primad_ld.__version__


# One path or several, as texts or paths ---------------------------------------------------------

HEADER = """\
# ir_metadata.start
# tag: {0}
# method: {{automatic: true, retrieval: [{{name: {0}}}]}}
# research goal: {{evaluation: {{reported measures: [map]}}}}
# ir_metadata.end
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs with their judgements, measurements, and a track."""
    folder = tmp_path_factory.mktemp("surface")
    (folder / "runs").mkdir()
    for number, tag in enumerate(("one", "two")):
        ranking = f"1 Q0 d{number} 1 9 {tag}\n1 Q0 d3 2 8 {tag}\n2 Q0 d4 1 7 {tag}\n"
        (folder / "runs" / f"{tag}.txt").write_text(HEADER.format(tag) + ranking)
    primad_ld.strip(folder / "runs" / "one.txt", folder / "bare.txt")
    (folder / "qrels").write_text("1 0 d1 1\n1 0 d3 1\n2 0 d4 1\n2 0 d5 1\n")
    (folder / "table.csv").write_text("system,measurand,value\na,AP,0.3\na,AP,0.31\n")
    (folder / "track.yaml").write_text("systems: [{id: a}]\n")
    (folder / "profile.ttl").write_bytes((ROOT / "shapes" / "header.ttl").read_bytes())
    return folder


_OPTIONS = primad_ld.EvaluationOptions
_NOWHERE = "http://127.0.0.1:9/np/"


def _evaluated(found: Any) -> Any:
    return [(str(pair.reference.name), str(pair.candidate.name)) for pair in found.pairs]


def _load(paths: Any, archive: Any) -> Any:
    return primad_ld.load_runs(paths, archive).runs


def _look_up(new: Path, **given: Any) -> Any:
    with primad_ld.look_up(**given) as found:
        return (
            found.run.name if found.run else len(found.engine.column("SELECT ?r {?r a primad:Run}"))
        )


def _open(name: Any) -> Any:
    with primad_ld.open_engine(name) as engine:
        return engine.name


def _converted(paths: Any, output: Any) -> Any:
    primad_ld.convert(paths, output, force=True)
    return Path(output).read_bytes()


def _written(function: Any, output: Any, *given: Any) -> Any:
    function(*given, output, force=True)
    return Path(output).read_bytes()


def _header() -> Any:
    return primad_ld.parse_header("tag: x")


def _make(folder: Any, paths: Any = (), **more: Any) -> Any:
    return primad_ld.make_nanopubs(folder, paths, **more).ready


#: Functions of several paths: what to call with them and a new path, and the file or folder.
SEVERAL: dict[str, tuple[Any, str]] = {
    "Archive.load.paths": (lambda it, new: primad_ld.Archive().load(it).runs, "runs"),
    "compile_schema.shapes": (lambda it, new: len(list(primad_ld.compile_schema(it).walk())), "profile.ttl"),
    "convert.paths": (lambda it, new: _converted(it, new.with_suffix(".nq")), "runs"),
    "evaluate_against.candidates": (lambda it, new: _evaluated(primad_ld.evaluate_against(new.parent / "runs" / "one.txt", it, _OPTIONS(measures="ktu"))), "runs"),
    "evaluate_pairs.paths": (lambda it, new: primad_ld.evaluate_pairs(it, _OPTIONS()).notes, "runs"),
    "load_profile.names": (lambda it, new: primad_ld.load_profile(it).names, "profile.ttl"),
    "load_runs.paths": (_load, "runs"),
    "look_up.paths": (lambda it, new: _look_up(new, run=None, paths=it), "runs"),
    "make_nanopubs.paths": (lambda it, new: _make(new, it), "runs"),
    "make_nanopubs.tables": (lambda it, new: _make(new, tables=it), "table.csv"),
    "publish_nanopubs.paths": (lambda it, new: primad_ld.publish_nanopubs(it, _NOWHERE), "runs"),
    "score_runs.paths": (lambda it, new: [one.scores.mean("map") for one in primad_ld.score_runs(it, _OPTIONS(qrels=new.parent / "qrels", on="map")).runs], "runs"),
    "sign_nanopubs.paths": (lambda it, new: primad_ld.sign_nanopubs(it, None), "runs"),  # type: ignore[arg-type]
    "validate.paths": (lambda it, new: [one.file for one in primad_ld.validate(it)], "runs"),
}  # fmt: skip
#: Functions of one path.
ONE: dict[str, tuple[Any, str]] = {
    "annotate.output": (lambda it, new: _written(primad_ld.annotate, it, new.parent / "bare.txt", _header()), "x.txt"),
    "annotate.run": (lambda it, new: primad_ld.annotate(it, _header(), new, replace=True), "runs/one.txt"),
    "check_nanopub.path": (lambda it, new: primad_ld.check_nanopub(it).problems, "profile.ttl"),
    "convert.output": (lambda it, new: _converted(new.parent / "runs", it), "x.nq"),
    "evaluate_against.reference": (lambda it, new: _evaluated(primad_ld.evaluate_against(it, new.parent / "runs", _OPTIONS(measures="ktu"))), "runs/one.txt"),
    **{
        f"evaluate_study.{name}": (lambda it, new, name=name: _evaluated(primad_ld.evaluate_study(**dict.fromkeys(("baseline", "advanced", "rep_baseline", "rep_advanced"), new.parent / "runs" / "one.txt") | {name: it}, options=_OPTIONS(qrels=new.parent / "qrels", measures="er", on="map"))), "runs/two.txt")
        for name in ("baseline", "advanced", "rep_baseline", "rep_advanced")
    },
    "load_runs.archive": (lambda it, new: (primad_ld.load_runs(new.parent / "runs", it), _look_up(new, run=None, archive=it))[1], "archive"),
    "load_signer.key": (lambda it, new: primad_ld.load_signer(key=it, orcid="0000-0002-1825-0097", license="CC0-1.0"), "qrels"),
    "look_up.archive": (lambda it, new: _look_up(new, run=None, archive=it), "archive"),
    "look_up.run": (lambda it, new: _look_up(new, run=it, paths=new.parent / "runs"), "runs/one.txt"),
    "make_nanopubs.archive": (lambda it, new: _make(new, archive=it), "archive"),
    "make_nanopubs.folder": (lambda it, new: _make(it, new.parent / "runs"), "drafts"),
    "open_engine.name": (lambda it, new: _open(it), "archive"),
    "parse_header.file": (lambda it, new: primad_ld.parse_header("tag: x", file=it).file, "x"),
    "publish_nanopubs.journal": (lambda it, new: primad_ld.publish_nanopubs(new.parent / "runs", _NOWHERE, journal=it), "journal"),
    "read_header.path": (lambda it, new: primad_ld.read_header(it).tag, "runs/one.txt"),
    "read_judgements.path": (lambda it, new: primad_ld.read_judgements(it).topics, "qrels"),
    "read_measurements.path": (lambda it, new: [one.value for one in primad_ld.read_measurements(it).measurements], "table.csv"),
    "read_ranking.path": (lambda it, new: primad_ld.read_ranking(it), "runs/one.txt"),
    "read_rankings.path": (lambda it, new: primad_ld.read_rankings(it).documents, "runs/one.txt"),
    "read_track.path": (lambda it, new: len(primad_ld.read_track(it).systems), "track.yaml"),
    "strip.output": (lambda it, new: _written(primad_ld.strip, it, new.parent / "runs" / "one.txt"), "x.txt"),
    "strip.run": (primad_ld.strip, "runs/one.txt"),
    "write_header.path": (lambda it, new: _written(lambda path, **more: primad_ld.write_header(_header(), path, **more), it), "x.yaml"),
}  # fmt: skip
_LIKE_ONE = {"a text": str, "a path": Path}
_LIKE_SEVERAL: dict[str, Any] = {
    **_LIKE_ONE,
    "texts": lambda one: [str(one)],
    "paths": lambda one: [one],
    "a tuple": lambda one: (str(one),),
    "a generator": lambda one: (each for each in (one,)),
    "a set": lambda one: {str(one)},
}
_WRONG = (5, b"runs", [None], [b"runs"], [["runs"]], object())


def _link(folder: Path, to: Path) -> None:
    for name in ("runs", "qrels", "bare.txt"):
        (to / name).symlink_to(folder / name)


def _outcome(function: Any, given: Any, new: Path) -> Any:
    try:
        return function(given, new)
    except primad_ld.PrimadError as error:
        return type(error), str(error).replace(new.name, "NEW")


def test_every_function_of_paths_is_asked() -> None:
    takes: dict[str, set[str]] = {"AnyPath": set(), "AnyPaths": set()}
    for name, function in MEMBERS.items():
        if "Error." in name:
            continue
        parameters = inspect.signature(function).parameters if inspect.isfunction(function) else {}
        for parameter in parameters.values():
            kind = str(parameter.annotation)
            # These take a text for its letters, or only one of the two.
            assert not re.search(
                r"\bPath\b|(Sequence|Iterable|Collection|list)\[(str|Path)", kind
            ), name
            if (found := kind.removesuffix(" | None")) in takes:
                takes[found].add(f"{name}.{parameter.name}")
    assert takes == {"AnyPath": set(ONE), "AnyPaths": set(SEVERAL)}


@pytest.mark.parametrize("name", [*ONE, *SEVERAL])
def test_a_path_is_a_path_however_it_is_given(name: str, folder: Path, tmp_path: Path) -> None:
    function, file = (ONE | SEVERAL)[name]
    _link(folder, tmp_path)
    path = (tmp_path if file not in os.listdir(folder) and "/" not in file else folder) / file
    if "archive" in file:
        primad_ld.load_runs(folder / "runs" / "one.txt", path)
    found = {
        how: _outcome(function, give(path), tmp_path / f"new {how}")
        for how, give in (_LIKE_SEVERAL if name in SEVERAL else _LIKE_ONE).items()
    }
    first = found["a path"]
    assert set(map(repr, found.values())) == {repr(first)}, found
    # Where nothing is done: a letter would be no such file.
    assert "no such file" not in str(first)


@pytest.mark.parametrize("name", [*ONE, *SEVERAL])
def test_what_is_no_path_is_a_clear_error(name: str, folder: Path, tmp_path: Path) -> None:
    function, _ = (ONE | SEVERAL)[name]
    _link(folder, tmp_path)
    there = os.listdir(tmp_path)
    for wrong in (*_WRONG, *(() if name in SEVERAL else (["runs"],))):
        with pytest.raises(TypeError, match="expected str or Path"):
            function(wrong, tmp_path / "new")
    with pytest.raises(primad_ld.PrimadError, match="the path is empty"):
        function("", tmp_path / "new")
    assert os.listdir(tmp_path) == there


# One value or several, in options ---------------------------------------------------------------

_KTU = primad_ld.parse_measure("ktu")
_TYPE = primad_ld.PrimadType.parse("priMad")
FIELDS: list[tuple[Any, str, Any, Any]] = [
    (_OPTIONS, "qrels", "qrels", ("qrels",)),
    (_OPTIONS, "qrels", Path("a/qrels"), ("a/qrels",)),
    (_OPTIONS, "rep_qrels", "qrels", ("qrels",)),
    (_OPTIONS, "measures", "ktu", (_KTU,)),
    (_OPTIONS, "measures", _KTU, (_KTU,)),
    (_OPTIONS, "on", "map", ("map",)),
    (_OPTIONS, "on", "nDCG@10", ("ndcg_cut_10",)),
    (_OPTIONS, "types", "PRIM'AD", (_TYPE,)),
    (_OPTIONS, "types", _TYPE, (_TYPE,)),
    (primad_ld.ValidationOptions, "profiles", "core", ("core",)),
    (primad_ld.ValidationOptions, "profiles", Path("mine.ttl"), ("mine.ttl",)),
    (primad_ld.ValidationOptions, "checks", "files", ("files",)),
    (primad_ld.PrecisionOptions, "held", "team", (("team",),)),
    (primad_ld.Criteria, "measures", "map", ("map",)),
    (primad_ld.Criteria, "data", "0123456789abcde", ("0123456789abcde",)),
    (primad_ld.Criteria, "without_teams", "moles", ("moles",)),
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
    asked = {(options, field) for options, field, _, _ in FIELDS}
    for options in {one for one, _ in asked}:
        for field in fields(options):
            is_several = str(field.type).startswith(("Several", "tuple", "list", "Sequence"))
            assert is_several == ((options, field.name) in asked), field.name


_VARIANT, _DATA = primad_ld.PrecisionOptions().variant, type(_KTU.measure.data)
_WHOLE = [("2", TypeError), (1.5, TypeError), (True, TypeError), (0, primad_ld.PrimadError)]
#: By the kind of a field: what is read, and as what; what is refused, and by which error.
KINDS: dict[str, tuple[list[tuple[Any, Any]], list[tuple[Any, Any]]]] = {
    "Text": ([("x", "x")], [(5, TypeError), (None, TypeError), (["x"], TypeError)]),
    "Flag": ([(True, True), (False, False)], [("no", TypeError), (1, TypeError)]),
    "Whole": ([(2, 2)], [*_WHOLE, (-1, primad_ld.PrimadError), (None, TypeError)]),
    "Processes": ([(2, 2), (None, None)], [*_WHOLE, (-1, primad_ld.PrimadError)]),
    "data": (
        [("same", _DATA.same), (" Other", _DATA.other), ("auto", None), (None, None)],
        [("xx", primad_ld.PrimadError), ("any", primad_ld.PrimadError), (5, TypeError)],
    ),
    "correction": (
        [("holm", "holm-bonferroni"), ("bonferroni", "bonferroni"), ("", "")],
        [("nonsense", primad_ld.PrimadError), (None, TypeError), (5, TypeError)],
    ),
    "variant": (
        [("2022", _VARIANT), (_VARIANT, _VARIANT), ("2026", "2026")],
        [("nonsense", primad_ld.PrimadError), (2022, TypeError), (None, TypeError)],
    ),
    "fail_on": (
        [("error", "error"), ("hint", "hint"), ("violation", "error"), ("Info", "hint")],
        [("nonsense", primad_ld.PrimadError), ("", primad_ld.PrimadError), (5, TypeError)],
    ),
    "min_completeness": ([(0, 0), (80, 80)], [(-1, primad_ld.PrimadError), ("80", TypeError)]),
    "until": ([(2019, 2019), (None, None)], [("2019", TypeError), (2019.5, TypeError)]),
    **dict.fromkeys(
        ("scale_min", "scale_max"),
        (
            [(0, 0.0), (0.5, 0.5), (None, None)],
            [("0", TypeError), (True, TypeError)],
        ),
    ),
}
#: Keys and values of one's own.
MAPPINGS = {"where", "conditions"}


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (options, field.name)
        for options in dict.fromkeys((*(one for one, *_ in FIELDS), bulk.Options))
        for field in fields(options)
        if not str(field.type).startswith("Several") and field.name not in MAPPINGS
    ],
)
def test_an_option_of_one_value_is_read_or_refused(options: Any, field: str) -> None:
    kind = next(str(one.type) for one in fields(options) if one.name == field)
    read, refused = KINDS[field if kind.startswith("One") else kind]
    for given, held in read:
        made = options(**{field: given})
        found = getattr(made, field)
        assert (found, type(found)) == (held, type(held if field != "variant" else _VARIANT))
        assert made == replace(made) == pickle.loads(pickle.dumps(made))
    for given, error in refused:
        with pytest.raises(error, match=f"{field}: |'nonsense' is not a"):
            options(**{field: given})


def test_conditions_are_held_alone_or_together() -> None:
    held = primad_ld.PrecisionOptions(held=["team", ("code", "team")]).held
    assert held == (("team",), ("code", "team"))


@pytest.mark.parametrize("topics", ["1", ["1"], ("1",), iter(["1"]), {"1"}])
def test_a_topic_is_no_list_of_letters(topics: Any) -> None:
    scores = primad_ld.TopicScores(name="x", topics=("1", "12"), values={"map": [0.5, 0.25]})
    assert scores.at("map", topics) == (0.5,)
    assert scores.at("map", "12") == (0.25,)


def test_graphs_of_an_engine_are_named_one_or_several() -> None:
    engine = EmbeddedEngine.memory()
    lifted = primad_ld.Lifter().lift(_header())
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
    assert {getattr(primad_ld, name).__module__ for name in primad_ld.__all__} <= every
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
    assert "primad_ld.archive.engine" in _imported_by("from primad_ld import Engine")


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
    assert (Path(primad_ld.__file__).parent / "py.typed").is_file()


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
