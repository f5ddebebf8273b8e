"""Drafts of runs and results: they say what the archive says, and nothing that others must not see."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import (
    BASE,
    PRIMAD,
    ROOT,
    Cli,
    good,
    headers,
    of_other_kind,
    scores_of_ranking,
    texts,
)
from support.made import (
    RANKING,
    draft_of,
    graphs_in,
    graphs_of,
    nanopubs_of,
    read_back,
    run_of,
    source_of,
    text_of,
    written,
)

from primad_ld import Header, header_of
from primad_ld.archive.opening import open_engine
from primad_ld.core.errors import PrimadError
from primad_ld.core.iris import name_of
from primad_ld.core.triples import NamedGraph
from primad_ld.header.redaction import HOST, KINDS, SECRET
from primad_ld.header.redaction.form_matching import Form
from primad_ld.header.redaction.texts import FORMS
from primad_ld.nanopub.checking import check_bytes
from primad_ld.nanopub.drafting.archive_holdings import ArchiveDrafts
from primad_ld.nanopub.drafting.outbox import put
from primad_ld.nanopub.drafting.run_drafts import (
    LEFT_OUT,
    Drafted,
    RunDrafter,
    RunSource,
    result_draft,
    short_label,
)
from primad_ld.nanopub.drafts import draft_uri, nanopub_of_draft
from primad_ld.nanopub.folder_checks import refusals_of, remarks_on
from primad_ld.nanopub.signing import Signer, sign
from primad_ld.qra.measurements import Measurement, MeasurementTable
from primad_ld.qra.precision_graphs import precision_graphs
from primad_ld.qra.precision_reports import assess_measurements
from primad_ld.qra.reading import read_measurements
from primad_ld.rdf.lowering import index_of, lower
from primad_ld.rdf.nanopub_terms import MOST_CHARACTERS, MOST_TRIPLES
from primad_ld.rdf.subject_index import MemoryIndex

# What a draft says -------------------------------------------------------------------------------


def test_a_run_is_introduced_and_its_components_are_described() -> None:
    lifted = run_of()
    draft = draft_of().draft
    assert draft.introduces == (lifted.run.iri,)
    assert set(draft.describes) == {graph.iri for graph in lifted.components}
    assert draft.types == (f"{PRIMAD}Run",)
    assert draft.label == "Run hedge-bm25 of hedgehogs and moles on garden/2026"
    assert draft.file_name.startswith("run-hedge-bm25-")


def test_two_labs_with_one_ranking_introduce_two_runs() -> None:
    one = draft_of(good(actor={"team": "hedgehogs"})).draft
    other = draft_of(good(actor={"team": "moles"})).draft
    assert set(one.introduces).isdisjoint(other.introduces)
    assert one.file_name != other.file_name
    ranking = f"<{BASE}ranking/{name_of(RANKING.digest)}>"
    assert ranking in one.triples
    assert ranking in other.triples


def test_a_label_is_one_line_and_no_book() -> None:
    assert short_label("a\nb\t c") == "a b c"
    found = short_label("x" * 1000)
    assert len(found) == 300
    assert found.endswith("…")


@pytest.mark.parametrize(
    "iri",
    [
        "https://example.org/my-run",
        f"{BASE}platform/{'0' * 40}",
        f"run/{'0' * 40}",
    ],
)
def test_a_run_with_a_name_of_others_is_a_problem(iri: str) -> None:
    with pytest.raises(PrimadError, match="is not a name of our archives"):
        RunDrafter().draft(RunSource(iri=iri, header=header_of(good())))


# There and back ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "more"),
    [
        (good(), {}),
        (good(), {"base": "https://lab.example.org/runs/id/"}),
        # Without a ranking, header and file name stand in.
        (good(), {"ranking": None, "tag_in_file": None}),
        (good(), {"ranking": None, "file_name": None, "tag_in_file": None}),
        ({"tag": "x"}, {"ranking": None}),
        (good(tag=""), {"tag_in_file": "bm25"}),
        (good(tag='ü "quoted" \\ \n \u2028 \x85 \x0b 🌱 <a> .'), {}),
        ({"tag": "x", "what": {"is": ["this", {"deep": None}], "\u2028": "\x1c"}}, {}),
        (good(actor=[{"team": "b", "name": "B"}, {"team": "a", "role": "reproducer"}]), {}),
    ],
)
def test_a_run_comes_back_as_it_was(fields: dict[str, Any], more: dict[str, Any]) -> None:
    drafted = draft_of(fields, **more)
    assert drafted.left_out == ()
    assert read_back(nanopubs_of([drafted])) == graphs_of(run_of(fields, **more))


@given(headers, st.booleans(), st.one_of(st.none(), texts), st.one_of(st.none(), texts))
def test_any_run_comes_back_as_it_was(
    fields: dict[str, Any], has_ranking: bool, tag: str | None, file: str | None
) -> None:
    """Or without what was left out, under the same name."""
    more: dict[str, Any] = {"ranking": RANKING if has_ranking else None}
    more |= {"tag_in_file": tag, "file_name": file}
    drafted = draft_of(fields, **more)
    graphs, lifted = read_back(nanopubs_of([drafted])), run_of(fields, **more)
    # With whatever texts, nothing in it is a value of another type or no IRI.
    assert check_bytes(text_of(drafted.draft).encode(), ".trig", "test").problems == ()
    if drafted.left_out:
        assert lifted.run.iri in graphs
    else:
        assert graphs == graphs_of(lifted)


def test_everything_of_an_archive_comes_back(garden: Path) -> None:
    with open_engine(str(garden)) as engine:
        made = list(ArchiveDrafts(engine).of_everything())
        before = graphs_in(engine)
    assert {one.draft.kind for one in made} == {
        *("run", "scores", "assessment", "measurements", "precision")
    }
    assert not any(one.problem or one.left_out for one in made)
    hidden = {iri for iri in before if "/topic-scores/" in iri}
    assert len(hidden) == 9
    found = read_back(nanopubs_of(made))
    assert found == {iri: lines for iri, lines in before.items() if iri not in hidden}


@pytest.mark.parametrize("table", ["nts.yaml", "pass.csv"])
def test_tables_come_back(table: str) -> None:
    found = assess_measurements(read_measurements(ROOT / "examples" / "qra" / table))
    graphs = precision_graphs(found.measured, found.assessments)
    made = [result_draft(graph, MemoryIndex(), ()) for graph in graphs]
    drafts = [one.draft for one in made if one.draft]
    assert read_back(nanopubs_of(made)) == {
        graph.iri: {line for line in graph.triples.split("\n") if line} for graph in graphs
    }
    first, *others = drafts
    assert (first.kind, first.sources) == ("measurements", ())
    assert all(one.sources == (first.uri,) for one in others)
    assert all(one.word for one in others)


# Results -----------------------------------------------------------------------------------------


def test_an_assessment_is_derived_from_the_runs_that_it_compares(
    results: dict[str, list[Drafted]],
) -> None:
    runs = {one.about for one in results["run"]}
    sizes = set()
    for one in results["assessment"]:
        draft = one.draft
        assert set(draft.describes) <= runs
        assert draft.sources == tuple(draft_uri("run", run) for run in draft.describes)
        assert f"<{PRIMAD}concernsTag>" in draft.triples
        sizes.add(len(draft.sources))
    assert {2, 4} <= sizes  # pairs, and studies with an advanced run on both sides


def test_labels_say_what_a_result_is_about(results: dict[str, list[Drafted]]) -> None:
    labels = {one.draft.label for some in results.values() for one in some}
    assert "Scores of shed-bm25 of potting-shed on Garden by qrels.txt" in labels
    assert "Precision of greenhouse-bm25, map: CV* 9.431 (n = 2)" in labels
    assert "2 measurements under their conditions" in labels
    begins = {
        one.partition(" of greenhouse on Garden (")[0]
        for one in labels
        if " compared with " in one or " as a reproduction of " in one
    }
    of_house = {
        f"greenhouse-feedback{more} of greenhouse on Garden compared with greenhouse-bm25"
        for more in ("", "-w03", "-w06", "-w09")
    }
    assert begins >= {
        # The header has the role of a reproducer, and names greenhouse-bm25 as its baseline …
        "shed-bm25 of potting-shed on Garden as a reproduction of greenhouse-bm25",
        # … this one names greenhouse-feedback …
        "shed-feedback of potting-shed on Garden compared with greenhouse-bm25",
        # … and these have an experimenter, who names it, too.
        *of_house,
    }
    # Unknown components are part of a type.
    types = {one.rpartition(" ")[2] for one in labels if " compared with " in one}
    assert types == {"(priMad)", "(PrIMAd)", "(P?IMA?)"}


def test_links_are_links_and_texts_are_texts(results: dict[str, list[Drafted]]) -> None:
    """In what drafts say of everything that an archive holds, and so in what it holds."""
    for kind, some in results.items():
        for draft in (one.draft for one in some if one.draft):
            assert of_other_kind(draft.triples) == [], kind


def test_precision_is_derived_from_its_measurements(results: dict[str, list[Drafted]]) -> None:
    (table,), (precision,) = results["measurements"], results["precision"]
    assert table.draft.uri in precision.draft.sources
    runs = {draft_uri("run", one.about) for one in results["run"]}
    assert len(runs.intersection(precision.draft.sources)) == 2
    # The assertion says that it is a dqv:QualityMeasurement too; lists of types need not.
    assert precision.draft.types == (f"{PRIMAD}PrecisionAssessment",)


@pytest.mark.parametrize(
    ("triples", "why"),
    [
        ("", "these are neither scores"),
        (f"<{{0}}> <{PRIMAD}x> <{{0}}> .\n", "these are neither scores"),
        (
            f"<{{0}}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{PRIMAD}ReproducibilityAssessment> .\n",
            "is not a name of our archives",
        ),
        (
            f"<{{0}}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> "
            f'<{PRIMAD}PrecisionAssessment> .\n<{{0}}> <http://www.w3.org/ns/dqv#value> "a" .\n',
            "'a' is not a number",
        ),
    ],
)
def test_what_is_no_result_is_a_problem(triples: str, why: str) -> None:
    iri = f"{BASE}precision/{'0' * 40}"
    graph = NamedGraph(iri=iri, triples=triples.format(iri))
    with pytest.raises(PrimadError, match=why):
        result_draft(graph, MemoryIndex(), ())


# Where it comes from -----------------------------------------------------------------------------


def test_the_digest_is_that_of_the_header_that_the_nanopublication_has(
    cli: Cli, tmp_path: Path
) -> None:
    """Whoever has the file gets it, whether or not something was left out, and signed or not."""
    for number, mail in enumerate((None, "ada@example.org")):
        actor = {"team": "hedgehogs"} | ({"mail": mail} if mail else {})
        drafted = draft_of(good(actor=actor))
        assert bool(drafted.left_out) is bool(mail)
        path = tmp_path / f"{number}.trig"
        path.write_text(text_of(drafted.draft), encoding="utf-8")
        yaml = cli("convert", path, "--to", "yaml", "--quiet").stdout
        assert said_digest(drafted) == hashlib.sha256(yaml.encode()).hexdigest()


def test_a_digest_does_not_let_others_try_what_they_guess() -> None:
    """It is the same whatever the address was that is left out."""
    digests = {
        said_digest(draft_of(good(actor={"team": "a", "mail": mail})))
        for mail in ("ada@example.org", "ben@example.org")
    }
    assert len(digests) == 1


def said_digest(drafted: Drafted) -> str:
    (found,) = {
        value.value
        for _, predicate, value in drafted.draft.provenance
        if predicate == f"{PRIMAD}headerDigest"
    }
    return found


def test_what_was_left_out_is_said_and_not_repeated() -> None:
    drafted = draft_of(good(actor={"team": "a", "mail": "ada@example.org"}))
    said = [value.value for _, name, value in drafted.draft.provenance if name == LEFT_OUT]
    assert said == ["actor.mail: an email address"] == [str(one) for one in drafted.left_out]


def test_of_very_much_that_was_left_out_the_first_is_said() -> None:
    """The provenance must not fill the nanopublication."""
    fields = good(more={f"{'key' * 200} {number}": "~/x" for number in range(500)})
    drafted = draft_of(fields)
    said = [value.value for _, name, value in drafted.draft.provenance if name == LEFT_OUT]
    assert len(drafted.left_out) == 500
    assert len(said) <= 51
    assert max(map(len, said)) < 300


# What is too long ----------------------------------------------------------------------------------


LIBRARIES = "platform.software.libraries"


def with_libraries(**counts: int) -> dict[str, Any]:
    """A header as trackers write them: every package of the machine, each with its version."""
    platform = good()["platform"]
    platform["software"]["libraries"] = {
        language: [f"package-{number}=={number}.1" for number in range(count)]
        for language, count in counts.items()
    }
    return good(platform=platform)


def with_stages(*stages: dict[str, Any]) -> dict[str, Any]:
    return good(method={"retrieval": list(stages)})


@pytest.mark.parametrize(
    ("fields", "left_out"),
    [
        (with_libraries(python=100), []),
        (with_libraries(python=3000), [f"{LIBRARIES}.python"]),
        (good(description="x" * 1_000_001), ["description"]),
        # Of two lists, the longer one is enough.
        (with_libraries(python=50, java=300), [f"{LIBRARIES}.java"]),
        (with_libraries(python=300, java=400), [f"{LIBRARIES}.java", f"{LIBRARIES}.python"]),
        # Of many stages all, and of one long stage its long field.
        (
            with_stages(*({"name": f"stage {n}", "k1": f"{n}"} for n in range(400))),
            ["method.retrieval"],
        ),
        (
            with_stages({"name": "x"}, {"name": "y", "note": "x" * 1_000_000}),
            ["method.retrieval.note"],
        ),
    ],
)
def test_long_fields_are_left_out(fields: dict[str, Any], left_out: list[str]) -> None:
    drafted = draft_of(fields)
    assert [str(one) for one in drafted.left_out] == [
        f"{field}: too long to be published" for field in left_out
    ]
    nanopub = nanopub_of_draft(drafted.draft)
    # Signing adds ten statements and a name.
    assert len(nanopub.statements) <= MOST_TRIPLES - 12
    assert len(text_of(drafted.draft)) < MOST_CHARACTERS
    assert nanopub.values(nanopub.assertion, LEFT_OUT, graph=nanopub.provenance) == [
        str(one) for one in drafted.left_out
    ]
    assert run_of(fields).run.iri in read_back([nanopub])


def test_of_very_many_long_fields_as_many_stay_as_fit() -> None:
    fields = good(**{f"text {number}": "x" * 100_000 for number in range(32)})
    drafted = draft_of(fields)
    assert 23 <= len(drafted.left_out) <= 26
    assert 700_000 < len(text_of(drafted.draft)) < MOST_CHARACTERS


def test_a_result_that_is_too_long_is_refused() -> None:
    found = assess_measurements(read_measurements(ROOT / "examples" / "qra" / "nts.yaml"))
    graph, *_ = precision_graphs(found.measured, found.assessments)
    lines = graph.triples + "".join(
        f'<{graph.iri}> <{PRIMAD}note> "{number}" .\n' for number in range(1100)
    )
    with pytest.raises(PrimadError, match=r"it would have 1,6\d\d statements"):
        result_draft(replace(graph, triples=lines), MemoryIndex(), ())


# What must not leave the machine -------------------------------------------------------------------

Planted = tuple[str, tuple[str, ...]]


def example_of(form: Form) -> Planted:
    """The example of a form, and the pieces of it that nobody must see."""
    caught = form.caught.replace("{", "{{").replace("}", "}}")
    return re.sub("[«»]", "", caught), tuple(re.findall("«(.*?)»", caught, re.DOTALL))


EXAMPLES = [example_of(form) for form in FORMS if form.kind in (SECRET, HOST)]
#: By a name: texts with something in them, and the pieces that nobody must see; {0} is a number.
#: Each place gets the next text.
PLANTED: dict[str, list[Planted]] = {
    "forms": EXAMPLES,
    "forms at once": [
        ("\n".join(text for text, _ in EXAMPLES), tuple(p for _, ps in EXAMPLES for p in ps))
    ],
    "mail": [("ask ada.q{0}@q{0}.example.org or", ("ada.q{0}", "q{0}.example.org"))],
    "home": [("see /home/qada{0}/qdir{0}/x.txt", ("qada{0}", "qdir{0}"))],
    "folder": [("/home/qada{0}", ("qada{0}",))],
    "windows": [(r"C:\Users\qada{0}\qdir{0}\x.txt", ("qada{0}", "qdir{0}"))],
    "share": [(r"\\qhost{0}\qdir{0}\x.txt", ("qhost{0}", "qdir{0}"))],
    "file": [("file:///home/qada{0}/x", ("qada{0}",))],
    "login": [("https://qada{0}:qpw{0}@example.org/x", ("qada{0}", "qpw{0}"))],
    "remote": [("qada{0}@gpu01:x", ("qada{0}",))],
    "option": [("x --token qtoken{0} --k1 1", ("qtoken{0}",))],
    "quoted": [('x --password "qpw{0} qrest{0}"', ("qpw{0}", "qrest{0}"))],
    "variable": [("HF_TOKEN='qtoken{0}' x", ("qtoken{0}",))],
    "json": [('{{"password": "qpw{0} qrest{0}"}}', ("qpw{0}", "qrest{0}"))],
    "line": [("a: 1\npassword: qpw{0} qrest{0}\nb: 2", ("qpw{0}", "qrest{0}"))],
}


class Planter:
    """Puts secrets of some kinds into whatever it is asked to, and knows what nobody must see."""

    def __init__(self, kind: str) -> None:
        self.planted = PLANTED[kind]
        self.count = 1000
        self.hidden: list[str] = []

    def secret(self, _: object = None) -> str:
        self.count += 1
        text, pieces = self.planted[self.count % len(self.planted)]
        self.hidden += [piece.format(self.count) for piece in pieces]
        return text.format(self.count)

    def everywhere(self, value: Any, change: Callable[[str], str]) -> Any:
        """A header with something in the place of each text, and under keys that it did not have."""
        if isinstance(value, dict):
            found = {key: self.everywhere(one, change) for key, one in value.items()}
            return found | {self.secret(): "1", "unknown": {"deep": [{"x": self.secret()}]}}
        if isinstance(value, list):
            return [self.everywhere(one, change) for one in value]
        return change(value)

    def seen_in(self, *shown: str) -> list[str]:
        return [piece for piece in set(self.hidden) for text in shown if piece in text]


@pytest.mark.parametrize("kind", PLANTED)
@pytest.mark.parametrize("is_alone", [True, False], ids=["alone", "behind a text"])
def test_nothing_that_was_left_out_is_written(kind: str, is_alone: bool, tmp_path: Path) -> None:
    planter = Planter(kind)
    fields = planter.everywhere(
        good(), lambda text: planter.secret() if is_alone else f"{text}\n{planter.secret()}"
    )
    fields["implementation"]["executable"] = {"cmd": ["x", planter.secret()]}
    for ranking in (RANKING, None):
        drafted = draft_of(
            fields, ranking=ranking, file_name=planter.secret(), tag_in_file=planter.secret()
        )
        report = put([drafted], tmp_path / str(bool(ranking)))
        names = [path.name for path in report.folder.iterdir()]
        shown = (written(drafted), repr(drafted.left_out), report.text("json"), *names)
        assert planter.seen_in(*shown) == []
        assert len(drafted.left_out) > 100  # they all were there
    assert len(planter.hidden) > 150


@pytest.mark.parametrize("kind", PLANTED)
def test_nor_in_what_is_said_of_runs(kind: str) -> None:
    planter = Planter(kind)
    measurements = tuple(
        Measurement(
            object=f"x {planter.secret()}" if number < 0 else shared,
            measurand=planted,
            value=number / 10,
            study=planter.secret(),
            conditions={"performed_by": planter.secret(), "my own": planter.secret()},
            said={"note": planter.secret(), "deep": {"x": [planter.secret()]}},
        )
        for shared, planted in [(planter.secret(), planter.secret())]
        for number in (1, 2, 3)
    )
    found = assess_measurements(MeasurementTable(measurements=measurements))
    graphs = precision_graphs(found.measured, found.assessments)
    assert len(graphs) == 2
    for graph in graphs:
        drafted = result_draft(graph, MemoryIndex(), ())
        assert planter.seen_in(written(drafted), repr(drafted.left_out)) == []
        assert drafted.left_out


@pytest.mark.parametrize("kind", PLANTED)
def test_nor_in_what_runs_are_called_elsewhere(kind: str) -> None:
    """Labels, facts and names of files of scores come from the archive's own record of the run."""
    planter = Planter(kind)
    collection = {"name": planter.secret(), "ir_datasets": planter.secret()}
    fields = good(
        tag=planter.secret(),
        actor=[{"team": planter.secret()}],
        data={"test collection": collection},
    )
    lifted = run_of(fields, tag_in_file=planter.secret())
    graph = scores_of_ranking(f"{BASE}ranking/1-{'0' * 40}", map="0.5")
    index = index_of(lifted.graphs)
    drafted = result_draft(graph, index, [lifted.run.iri])
    assert planter.seen_in(written(drafted)) == []
    assert "concernsTag" in drafted.draft.triples


def test_what_may_be_kept_is_kept() -> None:
    fields = good(actor={"team": "a", "mail": "ada@example.org"}, note="~/x", key="--token abc")
    drafted = draft_of(fields, keep=KINDS.values())
    assert "ada@example.org" in written(drafted)
    assert "~/x" in written(drafted)
    assert "--token abc" not in written(drafted)
    assert [one.field for one in drafted.left_out] == ["key"]


# Signing -----------------------------------------------------------------------------------------


def test_each_draft_passes_every_check_when_it_is_signed(
    results: dict[str, list[Drafted]], signer: Signer
) -> None:
    nanopub_sign = pytest.importorskip("nanopub_sign", reason="nanopub-sign is missing")
    drafts = [one.draft for some in results.values() for one in some]
    names: dict[str, str] = {}
    # Whatever is relied on comes first.
    for draft in sorted(drafts, key=lambda one: ("run", "measurements").count(one.kind) == 0):
        links = {one: names[one] for one in draft.sources}
        signed = sign(nanopub_of_draft(draft), signer, links)
        names[draft.uri] = signed.nanopub.uri
        found = check_bytes(signed.text.encode(), ".trig", draft.file_name)
        assert (found.problems, remarks_on(found), refusals_of(found)) == ((), (), ())
        nanopub_sign.Nanopub(signed.text).check()  # it raises an error where something is wrong
    assert len(names) == len(drafts) > 20


# Archives ----------------------------------------------------------------------------------------


def test_sources_are_not_changed() -> None:
    source = source_of(run_of(good(actor={"team": "a", "mail": "ada@example.org"})))
    before = Header(
        fields=lower(run_of(good(actor={"team": "a", "mail": "ada@example.org"})).graphs)[0].fields
    )
    RunDrafter().draft(source)
    assert source == replace(source, header=before)
