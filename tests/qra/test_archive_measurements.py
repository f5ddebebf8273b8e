"""Runs of an archive as measurements: who reproduces whom, and under which conditions."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import pytest
from support import scores_of_ranking

from primad_ld import Lifter, NamedGraph, Ranking, header_of
from primad_ld.archive.embedded import EmbeddedEngine
from primad_ld.archive.precisions import precisions
from primad_ld.archive.resolution import runs_tagged
from primad_ld.archive.runs import fetch_records, record_of_lifted
from primad_ld.archive.scores import Scoring, keep_scores
from primad_ld.core.errors import ArchiveError, MeasureError, QueryTimeoutError
from primad_ld.qra.archive_measurements import measurements_of_archive
from primad_ld.qra.kept_precision import keep_precision
from primad_ld.qra.measurements import CONDITIONS, MeasurementTable
from primad_ld.qra.precision_assessments import PrecisionKind, Sameness, assess
from primad_ld.search.run_lookup import resolve_named
from primad_ld.trec.scorer import TopicScores

WHOLE: Mapping[str, Any] = {
    "platform": {
        "software": {
            "libraries": {"python": ["numpy==2.0", "hedge==1.1"]},
            "retrieval toolkit": ["anserini==0.3.0"],
        },
    },
    "research goal": {"evaluation": {"reported measures": ["map"]}},
    "implementation": {
        "source": {"repository": "https://example.org/hedge", "commit": "0123456"},
    },
    "method": {
        "score ties": "alphabetical order",
        "indexing": {"stemmer": "Porter"},
        "retrieval": [{"name": "bm25", "k1": "0.9", "b": "0.4"}],
    },
    "actor": {"team": "hedgehogs", "role": "experimenter"},
    "data": {"test collection": {"name": "Garden", "ir_datasets": "garden"}},
}
DIGEST, OTHER_DIGEST = "a" * 64, "b" * 64


def changed(path: str, value: object = None, whole: Mapping[str, Any] = WHOLE) -> dict[str, Any]:
    """A whole header with another value at a place; without one if it is None."""
    fields = copy.deepcopy(dict(whole))
    *above, last = path.split(".")
    inner: Any = fields
    for key in above:
        inner = inner.setdefault(key, {})
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    return fields


def scoring(**changes: Any) -> Scoring:
    said: dict[str, Any] = {
        "evaluator": "evaluator 1.0",
        "judgements": DIGEST,
        "parameters": {"relevance level": 1, "complete": True},
    }
    return Scoring(**said | changes)


class Shelf:
    """An archive in memory that is filled run by run."""

    def __init__(self) -> None:
        self.engine = EmbeddedEngine.memory("my-archive")
        self.count = 0

    def put(
        self,
        tag: str,
        scores: Mapping[str, float] | None = None,
        fields: Mapping[str, Any] = WHOLE,
        *,
        reproduces: str = "",
        ranking: int | None = None,
        how: Scoring | tuple[Scoring, ...] | None = None,
    ) -> str:
        """Put a run there, with its scores; its IRI."""
        self.count += 1
        said = copy.deepcopy(dict(fields)) | {"tag": tag}
        if reproduces:
            said["actor"] = [{**said.get("actor", {}), "role": "reproducer"}]
            said.setdefault("research goal", {}).setdefault("evaluation", {})["baseline"] = [
                reproduces
            ]
        number = self.count if ranking is None else ranking
        lifted = Lifter().lift(
            header_of(said),
            ranking=Ranking(digest=f"{number:040x}{0:024x}", rows=1),
            tag_in_file=tag,
        )
        self.engine.add(lifted.graphs)
        if scores is not None:
            made = TopicScores(
                name=tag,
                topics=("1",),
                values={name: (value,) for name, value in scores.items()},
                missing=(),
                extra=(),
            )
            record = record_of_lifted(lifted)
            for one in how if isinstance(how, tuple) else (how or scoring(),):
                keep_scores(self.engine, record.ranking, made, one)
        return lifted.run.iri

    def table(self, reference: str = "original", *measures: str) -> MeasurementTable:
        return measurements_of_archive(self.engine, reference, measures or ["map"])

    def refusal(self, reference: str = "original", *measures: str) -> str:
        with pytest.raises(MeasureError) as caught:
            self.table(reference, *measures)
        return str(caught.value)


@pytest.fixture
def shelf() -> Shelf:
    """An archive that has a run with scores."""
    found = Shelf()
    found.put("original", {"map": 0.3, "P_10": 0.5})
    return found


def conditions(table: MeasurementTable) -> list[dict[str, str]]:
    return [dict(one.conditions) for one in table.measurements]


# What is measured -----------------------------------------------------------------------------


def test_a_run_and_its_reproduction(shelf: Shelf) -> None:
    iri = shelf.put("again", {"map": 0.33}, changed("actor.team", "moles"), reproduces="original")
    table = shelf.table()
    first, second = table.measurements
    assert (first.id, first.object, first.measurand) == ("original", "original", "map")
    assert (first.value, first.text, first.study, first.is_original) == (
        0.3,
        "0.3",
        "hedgehogs",
        True,
    )
    assert (second.value, second.study, second.is_original) == (0.33, "moles", False)
    assert second.said["run"] == iri
    assert first.scale.minimum == 0
    assert first.scale.is_stated
    assert list(table.conditions) == list(CONDITIONS)
    assert first.conditions == {
        "system_code": "example.org/hedge @ 0123456: bm25 (b=0.4, k1=0.9)",
        "compile_training_information": "anserini==0.3.0, hedge==1.1, numpy==2.0",
        "method_specification": "map of trec_eval, relevant from level 1",
        "implementation": "evaluator 1.0",
        "procedure": "outputs against judgements; ties: alphabetical order; "
        "topics without documents count as 0",
        "test_set": "garden; judgements aaaaaaa",
        "performed_by": "hedgehogs",
    }
    assert dict(second.conditions) == dict(first.conditions) | {"performed_by": "moles"}
    assert table.notes == ()


def test_each_measure_is_a_measurement(shelf: Shelf) -> None:
    shelf.put("again", {"map": 0.33, "P_10": 0.4}, reproduces="original")
    table = shelf.table("original", "P@10,".strip(","), "AP")
    assert [(one.measurand, one.id, one.value) for one in table.measurements] == [
        ("P_10", "original", 0.5),
        ("P_10", "again", 0.4),
        ("map", "original", 0.3),
        ("map", "again", 0.33),
    ]
    assert table.measurements[0].conditions["method_specification"].startswith("P_10 of trec_eval")
    # A family of measures is all of it that there is; nothing asked is what the header reports.
    assert {one.measurand for one in shelf.table("original", "P").measurements} == {"P_10"}
    assert {
        one.measurand for one in measurements_of_archive(shelf.engine, "original").measurements
    } == {"map"}


def test_the_same_ranking_by_another_team_is_a_second_measurement(shelf: Shelf) -> None:
    shelf.put(
        "original", {"map": 0.3}, changed("actor.team", "moles"), reproduces="original", ranking=1
    )
    (found,) = assess(shelf.table(shelf_reference(shelf)))
    assert found.precision is not None
    assert (found.n, found.precision.cv_star, found.kind) == (2, 0, PrecisionKind.reproducibility)


def shelf_reference(shelf: Shelf) -> str:
    """The IRI of the run that is no reproduction: its tag alone is that of both."""
    (iri,) = shelf.engine.column(
        "SELECT ?run WHERE { GRAPH ?run { ?run <https://w3id.org/primad-ld/ontology#byTeam> "
        '"hedgehogs" } }'
    )
    return iri


def test_repeated_under_equal_conditions(shelf: Shelf) -> None:
    shelf.put("again", {"map": 0.33}, reproduces="original")
    (found,) = assess(shelf.table())
    assert found.kind is PrecisionKind.repeatability


def test_order_and_bytes_do_not_depend_on_the_order_of_loading() -> None:
    tables = []
    for names in (["a", "b", "c"], ["c", "b", "a"]):
        shelf = Shelf()
        shelf.put("original", {"map": 0.3}, ranking=100)
        for name in names:
            fields = changed("actor.team", f"team {name}")
            shelf.put(name, {"map": 0.2}, fields, reproduces="original", ranking=ord(name))
        tables.append(shelf.table())
    assert tables[0] == tables[1]
    assert [one.id for one in tables[0].measurements] == ["original", "a", "b", "c"]


# When conditions are equal --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "value", "condition", "texts"),
    [
        # Section 3.3 of the QRA paper, 3a: source code including any parameters.
        (
            "implementation.source.repository", "https://example.org/mole", "system_code",
            ["repository: example.org/hedge", "repository: example.org/mole"],
        ),
        (
            "implementation.source.repository", "https://ada:secret@mole/hedge", "system_code",
            ["repository: example.org/hedge", "repository: mole/hedge"],
        ),
        (
            "implementation.source.commit", "89abcde", "system_code",
            ["commit: 0123456", "commit: 89abcde"],
        ),
        (
            "method.retrieval", [{"name": "bm25", "k1": "1.2", "b": "0.4"}], "system_code",
            ["k1: 0.9", "k1: 1.2"],
        ),
        (
            "method.retrieval", [{"name": "bm25", "k1": "0.9", "b": "0.4"}, {"name": "rm3"}],
            "system_code", ["retrieval: bm25", "retrieval: bm25 » rm3"],
        ),
        (
            "method.indexing.stemmer", "Krovetz", "system_code",
            ["stemmer: porter", "stemmer: krovetz"],
        ),
        # 3b: dependencies and environment; the platform of ir_metadata's section 3.1.
        (
            "platform.software.libraries", {"python": ["numpy==2.1", "hedge==1.1"]},
            "compile_training_information", ["libraries: numpy 2.0", "libraries: numpy 2.1"],
        ),
        (
            "platform.software.retrieval toolkit", ["anserini==0.4.0"],
            "compile_training_information",
            ["retrieval toolkit: anserini 0.3", "retrieval toolkit: anserini 0.4"],
        ),
        (
            "platform.hardware.cpu", {"model": "Apple M1"}, "compile_training_information",
            ["processor model: AMD EPYC 7742", "processor model: Apple M1"],
        ),
        (
            "platform.operating system", {"distribution": "Ubuntu 22.04 LTS"},
            "compile_training_information",
            ["distribution: Debian GNU/Linux 12 (bookworm)", "distribution: Ubuntu 22.04 LTS"],
        ),
        (
            "data.training data", [{"name": "Meadow"}], "compile_training_information",
            ["training data: nothing", "training data: meadow"],
        ),
        (
            "method.score ties", "reverse alphabetical order", "procedure",
            [
                f"outputs against judgements; ties: {ties}; topics without documents count as 0"
                for ties in ("alphabetical order", "reverse alphabetical order")
            ],
        ),
        ("actor.team", "moles", "performed_by", ["hedgehogs", "moles"]),
    ],
)  # fmt: skip
def test_what_differs(path: str, value: object, condition: str, texts: list[str]) -> None:
    shelf = Shelf()
    whole = changed("data.training data", [{"name": "Nothing"}])
    whole["platform"]["hardware"] = {"cpu": {"model": "AMD EPYC 7742"}}
    whole["platform"]["operating system"] = {"distribution": "Debian GNU/Linux 12 (bookworm)"}
    shelf.put("original", {"map": 0.3}, whole)
    shelf.put("again", {"map": 0.33}, changed(path, value, whole), reproduces="original")
    shelf.put("once more", {"map": 0.31}, whole, reproduces="original")
    table = shelf.table()
    (found,) = assess(table)
    assert [one.key for one in found.conditions_that_are(Sameness.different)] == [condition]
    assert found.conditions_that_are(Sameness.unknown) == ()
    assert {one.id: one.conditions[condition] for one in table.measurements} == {
        "original": texts[0],
        "again": texts[1],
        "once more": texts[0],
    }


@pytest.mark.parametrize(
    ("path", "value"),
    [
        pytest.param(
            "implementation.source.repository", "http://www.example.org/hedge.git",
            id="another address of the repository",
        ),
        pytest.param(
            "implementation.source.repository", "https://ada:secret@example.org/hedge",
            id="with a password",
        ),
        pytest.param(
            "implementation.source.commit", "0123456789abcdef0123456789abcdef01234567",
            id="the commit in full",
        ),
        pytest.param("implementation.source.uncommitted changes", "0", id="nothing was changed"),
        pytest.param(
            "method.retrieval", [{"name": "bm25", "k1": "0.90", "b": "0.4"}], id="0.90 is 0.9"
        ),
        pytest.param(
            "platform.software.libraries", {"python": ["hedge 1.1", "numpy==2.0"]},
            id="a set in another order and spelling",
        ),
        pytest.param("platform.hardware", {"ram": "4 GB"}, id="what no condition is made of"),
        pytest.param(
            "platform.software.libraries", None,
            id="libraries distinguish platforms where both headers list them",
        ),
        pytest.param(
            "platform.software.libraries", ["numpy", "hedge==1.1.7"],
            id="a library without a version, and another patch level",
        ),
        pytest.param(
            "data.test collection.ir_datasets", "https://ir-datasets.com/garden.html",
            id="the page of the collection",
        ),
    ],
)  # fmt: skip
def test_what_is_the_same_by_key(shelf: Shelf, path: str, value: object) -> None:
    shelf.put("again", {"map": 0.33}, changed(path, value), reproduces="original")
    (found,) = assess(shelf.table())
    assert {one.key: one.state for one in found.conditions} == dict.fromkeys(
        CONDITIONS, Sameness.same
    )


@pytest.mark.parametrize(
    ("path", "value", "condition", "lacks"),
    [
        ("implementation", None, "system_code", "implementation.source.repository"),
        (
            "implementation.source.repository",
            None,
            "system_code",
            "implementation.source.repository",
        ),
        ("implementation.source.commit", None, "system_code", "implementation.source.commit"),
        # What a template left behind is no commit.
        (
            "implementation.source.commit",
            "ENTER_VALUE_HERE",
            "system_code",
            "implementation.source.commit",
        ),
        # The commit says what the code was before it was changed.
        (
            "implementation.source.uncommitted changes",
            "2",
            "system_code",
            "implementation.source.hash, as there are uncommitted changes",
        ),
        (
            "platform.software.retrieval toolkit",
            None,
            "compile_training_information",
            "platform.software.retrieval toolkit",
        ),
        # A range may hold any version.
        (
            "platform.software.retrieval toolkit",
            ["anserini>=0.3.0"],
            "compile_training_information",
            "platform.software.retrieval toolkit",
        ),
        # A model may have been trained, and the original does not say so.
        (
            "data.training data",
            [{"name": "Meadow"}],
            "compile_training_information",
            "data.training data of original",
        ),
        (
            "method.retrieval",
            [{"name": "bm25", "k1": "0.9"}],
            "system_code",
            "method.retrieval[1].b",
        ),
        # No table knows it: it may be another name of Porter's.
        (
            "method.indexing.stemmer",
            "hedgestem",
            "system_code",
            "whether method.indexing.stemmer is the same (porter, hedgestem)",
        ),
        (
            "data.test collection.ir_datasets",
            "garden/roses",
            "test_set",
            "whether data.test collection.ir_datasets is the same (garden, garden/roses)",
        ),
        ("method.score ties", None, "procedure", "method.score ties"),
        ("actor.team", None, "performed_by", "actor.team"),
        ("actor", {"orcid": "0000-0002-0661-7189"}, "performed_by", "actor.team"),
        ("platform", None, "compile_training_information", "platform.software.retrieval toolkit"),
        (
            "data.test collection",
            {"topics": "topics.tsv"},
            "test_set",
            "data.test collection.name or data.test collection.ir_datasets",
        ),
    ],
)
def test_what_is_not_said_is_unknown(
    shelf: Shelf, path: str, value: object, condition: str, lacks: str
) -> None:
    fields = changed(path, value)
    shelf.put("again", {"map": 0.33}, fields, reproduces="original")
    shelf.put("once more", {"map": 0.31}, fields, reproduces="original")
    table = shelf.table()
    (found,) = assess(table)
    states = {one.key: (one.state, one.unknown) for one in found.conditions}
    assert states == dict.fromkeys(CONDITIONS, (Sameness.same, 0)) | {
        condition: (Sameness.unknown, 2)
    }
    assert found.kind is PrecisionKind.reproducibility
    assert table.notes == (
        f"{CONDITIONS[condition].label} is unknown of again, once more: nothing says {lacks}",
    )


@pytest.mark.parametrize(
    ("component", "lacks"),
    [
        ("method", {"system_code": "method.retrieval", "procedure": "method.score ties"}),
        (
            "data",
            {
                "compile_training_information": "data.training data",
                "test_set": "data.test collection.name or data.test collection.ir_datasets",
            },
        ),
    ],
)
def test_a_component_may_be_part_of_two_conditions(
    shelf: Shelf, component: str, lacks: dict[str, str]
) -> None:
    shelf.put("again", {"map": 0.33}, changed(component), reproduces="original")
    table = shelf.table()
    assert set(CONDITIONS) - table.measurements[1].conditions.keys() == set(lacks)
    assert table.notes == tuple(
        f"{CONDITIONS[key].label} is unknown of again: nothing says {one}"
        for key, one in lacks.items()
    )


def test_what_the_reference_does_not_say_is_unknown_of_all() -> None:
    shelf = Shelf()
    shelf.put("original", {"map": 0.3}, changed("implementation.source.repository"))
    shelf.put("again", {"map": 0.33}, reproduces="original")
    table = shelf.table()
    (found,) = assess(table)
    assert [one.key for one in found.conditions_that_are(Sameness.unknown)] == ["system_code"]
    assert table.notes == (
        "System code is unknown of original: nothing says implementation.source.repository",
        "System code is unknown of again: nothing says implementation.source.repository of original",
    )


def test_changed_code_is_known_by_its_hash(shelf: Shelf) -> None:
    for tag, tree in (("one", "1" * 40), ("two", "1" * 40), ("three", "2" * 40)):
        fields = changed("implementation.source.uncommitted changes", "1")
        fields["implementation"]["source"]["hash"] = tree
        shelf.put(tag, {"map": 0.3}, fields, reproduces="original")
    codes = {one.id: one.conditions["system_code"] for one in shelf.table().measurements}
    assert codes == {
        "original": "commit: 0123456",
        "one": "commit: 0123456 with changes 1111111",
        "two": "commit: 0123456 with changes 1111111",
        "three": "commit: 0123456 with changes 2222222",
    }


@pytest.mark.parametrize(
    ("actor", "study", "expected"),
    [
        ({"team": "moles", "orcid": "0000-0002-0661-7189", "name": "Ada"}, "moles", "moles"),
        # Teams and ORCIDs name an actor (section 3.5); an ORCID may be one of a team's.
        ({"orcid": "0000-0002-0661-7189", "name": "Ada"}, "0000-0002-0661-7189", ""),
        ({"name": "Ada"}, "Ada", ""),
        ({"degree": "Ph.D."}, "", ""),
        ({"team": "unknown"}, "", ""),  # two of these need not be one
    ],
)
def test_who_performed_it(shelf: Shelf, actor: dict[str, str], study: str, expected: str) -> None:
    shelf.put("again", {"map": 0.3}, changed("actor", actor), reproduces="original")
    again = shelf.table().measurements[1]
    assert (again.study, again.conditions.get("performed_by", "")) == (study, expected)


@pytest.mark.parametrize(
    "address", ["https://ada:secret@example.org/mole", "https://ada:secret@mole/x"]
)
def test_passwords_are_not_told(address: str) -> None:
    shelf = Shelf()
    fields = changed("implementation.source.repository", address)
    shelf.put("original", {"map": 0.3}, fields)
    shelf.put("again", {"map": 0.3}, fields, reproduces="original")
    shelf.put(
        "other",
        {"map": 0.3},
        changed("method.indexing.stemmer", "Krovetz", fields),
        reproduces="original",
    )
    shelf.put("clear", {"map": 0.3}, reproduces="original")
    table = shelf.table()
    assert "secret" not in str(table)
    assert len({one["system_code"] for one in conditions(table)}) == 3


def test_another_evaluator_is_another_implementation(shelf: Shelf) -> None:
    shelf.put("again", {"map": 0.3}, reproduces="original", how=scoring(evaluator="evaluator 2.0"))
    words = [one["implementation"] for one in conditions(shelf.table())]
    assert words == ["evaluator 1.0", "evaluator 2.0"]


def libraries(*requirements: str) -> dict[str, Any]:
    return changed("platform.software.libraries", {"python": list(requirements)})


MANY = [f"library{number}=={number}.0" for number in range(50)]


@pytest.mark.parametrize(
    ("condition", "headers", "texts"),
    [
        pytest.param(
            "compile_training_information",
            [libraries(*MANY), libraries(*MANY)],
            [f"{', '.join(['anserini==0.3.0', *sorted(MANY)])[:100]}…"] * 2,
            id="what is the same is cut without a mark of its own",
        ),
        pytest.param(
            "compile_training_information",
            [libraries(*MANY, "zoo==1.0"), libraries(*MANY, "zoo==1.1"), libraries("zoo==1.2")],
            ["libraries: zoo 1.0", "libraries: zoo 1.1", "libraries: zoo 1.2"],
            id="only what differs is named",
        ),
        pytest.param(
            "compile_training_information",
            [
                libraries(*(f"library{number}==1.{minor}" for number in [*range(50), 50 + minor]))
                for minor in range(2)
            ],
            [
                f"libraries: {', '.join(f'library{number} 1.{minor}' for number in sorted(range(50), key=str))[:100]}…"
                for minor in range(2)
            ],
            id="a long list of differences is cut",
        ),
        pytest.param(
            "compile_training_information",
            [
                libraries(*(f"{'l' * 120}{number}==1.{minor}" for number in range(2)))
                for minor in range(3)
            ],
            [f"libraries: {'l' * 100}…{more}" for more in ("", " (2)", " (3)")],
            id="texts that are cut to one are numbered",
        ),
        pytest.param(
            "system_code",
            [
                WHOLE,
                changed("method.indexing.stemmer", "none"),
                changed("implementation.source.repository", "https://example.org/mole"),
                changed("method.indexing.stemmer", "Porter stemmer"),
            ],
            [
                "repository: example.org/hedge; stemmer: porter",
                "repository: example.org/hedge; stemmer: none",
                "repository: example.org/mole; stemmer: porter",
                "repository: example.org/hedge; stemmer: porter",
            ],
            id="each is named by all fields that tell it from any other",
        ),
        pytest.param(
            "system_code",
            [
                WHOLE,
                changed("implementation.source.commit", "89abcde"),
                changed("implementation.source.commit"),
                changed("implementation.source.commit", "89abcdef01"),
            ],
            ["commit: 0123456", "commit: 89abcde", None, "commit: 89abcde"],
            id="what cannot be compared with the reference has none",
        ),
        pytest.param(
            "system_code",
            [
                WHOLE,
                changed(
                    "implementation.source",
                    {"repository": "https://example.org/mole", "commit": "89abcde"},
                ),
                changed("implementation.source", {"repository": "https://example.org/mole"}),
            ],
            [
                "repository: example.org/hedge; commit: 0123456",
                "repository: example.org/mole; commit: 89abcde",
                None,
            ],
            id="nor has what may be another of those that differ",
        ),
        pytest.param(
            "system_code",
            [
                WHOLE,
                changed("implementation.source.commit", "0123456aaaaaaa"),
                changed("implementation.source.commit", "0123456bbbbbbb"),
            ],
            ["commit: 0123456", "commit: 0123456", "commit: 0123456bbbbbbb"],
            id="each kind has the words of its first run",
        ),
        pytest.param(
            "system_code",
            [
                changed("method.indexing.stemmer"),
                WHOLE,
                changed("method.indexing.stemmer", "none", changed("implementation.source.commit")),
            ],
            ["example.org/hedge @ 0123456: bm25 (b=0.4, k1=0.9)"] * 2 + [None],
            id="even if it differs from one that is the same as the reference",
        ),
        pytest.param(
            "system_code",
            [
                changed("implementation.source", {"commit": "0123456"}),
                changed("implementation.source", {"commit": "89abcde"}),
            ],
            ["commit: 0123456", "commit: 89abcde"],
            id="different beats unknown",
        ),
        pytest.param(
            "performed_by",
            [
                changed("actor", [{"team": "hedgehogs"}, {"team": "moles"}]),
                changed("actor", {"team": "hedgehogs"}),
                changed("actor", {"team": "moles"}),
            ],
            ["hedgehogs and moles", "hedgehogs and moles", "moles"],
            id="two that differ are not the same as a third",
        ),
        pytest.param(
            "performed_by",
            [changed("actor.team", "Team Hedge"), changed("actor.team", "team_hedge")],
            ["Team Hedge", "Team Hedge"],
            id="one in two spellings",
        ),
    ],
)
def test_texts_are_equal_where_runs_are_the_same(
    condition: str, headers: list[dict[str, Any]], texts: list[str | None]
) -> None:
    tables = []
    for backwards in (False, True):
        shelf = Shelf()
        shelf.put("original", {"map": 0.3}, headers[0], ranking=100)
        others = list(enumerate(headers))[1:]
        for number, fields in others[::-1] if backwards else others:
            tag = f"again {number}"
            shelf.put(tag, {"map": 0.3}, fields, reproduces="original", ranking=number)
        tables.append(shelf.table())
    assert tables[0] == tables[1]
    found = {one.id: one.conditions.get(condition) for one in tables[0].measurements}
    assert found == dict(
        zip(["original", *(f"again {one}" for one in range(1, len(texts)))], texts, strict=True)
    )
    (assessed,) = assess(tables[0])
    assert (assessed.kind is PrecisionKind.repeatability) is (len(set(texts)) == 1)


# What is left out -----------------------------------------------------------------------------


def test_runs_that_cannot_be_compared_are_left_out_and_counted(shelf: Shelf) -> None:
    shelf.put("again", {"map": 0.33}, reproduces="original")
    elsewhere = changed("data", {"test collection": {"ir_datasets": "meadow"}})
    for tag in ("m-2", "m-1"):
        shelf.put(tag, {"map": 0.1}, elsewhere, reproduces="original")
    shelf.put("unscored", None, reproduces="original")
    shelf.put("only P", {"P_10": 0.1}, reproduces="original")
    shelf.put("others", {"map": 0.1}, reproduces="original", how=scoring(judgements=OTHER_DIGEST))
    strict = scoring(parameters={"relevance level": 2, "complete": True})
    shelf.put("strict", {"map": 0.1}, reproduces="original", how=strict)
    # These are none of its reproductions, and nobody asks about them.
    shelf.put("advanced", {"map": 0.4}, changed("research goal.evaluation.baseline", ["original"]))
    shelf.put("stranger", {"map": 0.4}, reproduces="something else")
    table = shelf.table()
    assert [one.id for one in table.measurements] == ["original", "again"]
    # In the order of the first run that each is about, which names of runs decide.
    assert set(table.notes) == {
        "left out: 2 runs on other data (m-1, m-2)",
        "left out: 2 runs without scores of map (only P, unscored)",
        "left out: 1 run scored by other judgements (others)",
        "left out: 1 run scored with other parameters (strict)",
    }


def test_many_are_named_in_part(shelf: Shelf) -> None:
    shelf.put("again", {"map": 0.33}, reproduces="original")
    for number in range(8):
        shelf.put(f"unscored {number}", None, reproduces="original")
    (note,) = shelf.table().notes
    assert note == (
        "left out: 8 runs without scores of map (unscored 0, unscored 1, unscored 2, unscored 3, "
        "unscored 4 and 3 more)"
    )


def test_a_measure_that_some_have_no_score_of(shelf: Shelf) -> None:
    shelf.put("again", {"map": 0.33, "P_10": 0.4}, reproduces="original")
    shelf.put("half", {"map": 0.33}, reproduces="original")
    table = shelf.table("original", "map", "P_10")
    assert [(one.measurand, one.id) for one in table.measurements] == [
        ("map", "original"),
        ("map", "again"),
        ("map", "half"),
        ("P_10", "original"),
        ("P_10", "again"),
    ]
    assert table.notes == ("left out: 1 run without scores of P_10 (half)",)


def test_a_tag_that_may_mean_two_runs_is_not_guessed(shelf: Shelf) -> None:
    iri = shelf_reference(shelf)
    shelf.put("original", {"map": 0.2}, changed("actor.team", "badgers"))
    shelf.put("again", {"map": 0.33}, changed("actor.team", "moles"), reproduces="original")
    assert shelf.refusal(iri) == (
        "my-archive: nothing reproduces original; a reproduction is a run whose actor has the role "
        "reproducer and whose research goal names that tag as its baseline; left out: 1 run that "
        "may mean another 'original' (again)"
    )
    # Within a team it is clear which one is meant.
    shelf.put("own", {"map": 0.31}, reproduces="original")
    assert [one.id for one in shelf.table(iri).measurements] == ["original", "own"]


def test_the_reference_may_be_a_reproduction_itself(shelf: Shelf) -> None:
    shelf.put("again", {"map": 0.33}, reproduces="original")
    shelf.put("once more", {"map": 0.32}, reproduces="again")
    table = shelf.table("again")
    assert table.notes == ("again is itself a reproduction, of 'original'",)
    assert [(one.id, one.is_original) for one in table.measurements] == [
        ("again", True),
        ("once more", False),
    ]


# Errors ---------------------------------------------------------------------------------------

SCORE_IT = "score it and its reproductions: primad-ld score RUNS --qrels QRELS --archive my-archive"


def test_a_reference_without_scores(shelf: Shelf) -> None:
    shelf.put("bare")
    shelf.put("again", {"map": 0.33}, reproduces="bare")
    assert shelf.refusal("bare") == f"my-archive: bare has no scores; {SCORE_IT}"


def test_a_reference_without_scores_of_the_measure(shelf: Shelf) -> None:
    assert shelf.refusal("original", "ndcg") == (
        "my-archive: original has no score of ndcg, only of P_10, map; score it and its "
        "reproductions: primad-ld score RUNS --qrels QRELS --measure ndcg --archive my-archive"
    )


def test_no_reproductions(shelf: Shelf) -> None:
    shelf.put("advanced", {"map": 0.4}, changed("research goal.evaluation.baseline", ["original"]))
    assert shelf.refusal() == (
        "my-archive: nothing reproduces original; a reproduction is a run whose actor has the role "
        "reproducer and whose research goal names that tag as its baseline"
    )


def test_no_reproduction_that_can_be_compared(shelf: Shelf) -> None:
    shelf.put("unscored", None, reproduces="original")
    assert shelf.refusal() == (
        "my-archive: no reproduction of original can be compared with it; left out: 1 run without "
        f"scores of map (unscored); {SCORE_IT}"
    )


def test_reproductions_on_other_data_only(shelf: Shelf) -> None:
    elsewhere = changed("data", {"test collection": {"ir_datasets": "meadow"}})
    shelf.put("again", {"map": 0.33}, elsewhere, reproduces="original")
    # Scoring them would not help.
    assert shelf.refusal() == (
        "my-archive: no reproduction of original can be compared with it; "
        "left out: 1 run on other data (again)"
    )


def test_what_is_no_measure_and_what_is_no_run(shelf: Shelf) -> None:
    assert "unknown measure 'nonsense'" in shelf.refusal("original", "nonsense")
    with pytest.raises(ArchiveError, match="my-archive: no run is called 'nobody'"):
        shelf.table("nobody")


@pytest.mark.parametrize(
    ("tags", "name", "hint"),
    [
        ((), "x", ""),
        (("bm25", "tfidf", "dirichlet"), "BM-25", "; did you mean 'bm25'?"),
        (("bm25-a", "bm25-b", "other"), "bm25", "; did you mean 'bm25-b', 'bm25-a'?"),
        (("bm25",), "xx", "; there is 'bm25'"),
        (("bm25", "other"), "xx", "; there are 'bm25', 'other'"),
        (tuple("abcdef"), "xx", "; primad-ld query runs lists the runs of an archive"),
    ],
)
def test_a_tag_that_no_run_has(tags: tuple[str, ...], name: str, hint: str) -> None:
    shelf = Shelf()
    for tag in tags:
        shelf.put(tag)
    with pytest.raises(ArchiveError) as caught:
        shelf.table(name)
    assert str(caught.value) == f"my-archive: no run is called {name!r}{hint}"
    with pytest.raises(ArchiveError) as caught:
        resolve_named(shelf.engine, name)
    assert str(caught.value) == f"{name!r} is neither a file nor a run of my-archive{hint}"


def test_a_hint_that_takes_too_long_hides_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = Shelf()
    shelf.put("bm25")
    column = shelf.engine.column

    def late(text: str, *, timeout: float | None = None) -> list[str]:
        if "DISTINCT" in text:
            raise QueryTimeoutError("it took too long")
        return column(text, timeout=timeout)

    monkeypatch.setattr(shelf.engine, "column", late)
    with pytest.raises(ArchiveError, match=r"^my-archive: no run is called 'BM-25'$"):
        shelf.table("BM-25")


def test_scores_that_somebody_put_there_without_saying_how(shelf: Shelf) -> None:
    iri = shelf.put("bare")
    (record,) = fetch_records(shelf.engine, [iri])
    made = scores_of_ranking(record.ranking, map="0.2")
    lines = [line for line in made.triples.split("\n") if "judgementsDigest" not in line]
    shelf.engine.add([NamedGraph(iri=made.iri, triples="\n".join(lines))])
    shelf.put("again", {"map": 0.33}, reproduces="bare")
    assert shelf.refusal("bare") == (
        f"my-archive: nothing says by which judgements bare was scored; {SCORE_IT}"
    )


def test_a_reference_without_its_ranking(shelf: Shelf) -> None:
    lifted = Lifter().lift(header_of({**WHOLE, "tag": "alone"}))
    shelf.engine.add(lifted.graphs)
    assert shelf.refusal("alone") == (
        "my-archive: alone is there without its ranking, which scores are of; load its file "
        "without --headers-only"
    )


# Several judgements ---------------------------------------------------------------------------

OTHERS = scoring(judgements=OTHER_DIGEST, qrels="new.txt")


def test_scores_by_two_judgements_are_two_groups() -> None:
    """They are never pooled: CV* of both together would say nothing."""
    shelf = Shelf()
    both = (scoring(), OTHERS)
    shelf.put("original", {"map": 0.3}, how=both)
    shelf.put("again", {"map": 0.33}, reproduces="original", how=both)
    shelf.put("old", {"map": 0.36}, reproduces="original")
    table = shelf.table()
    old, new = f"judgements {DIGEST[:12]}", f"judgements {OTHER_DIGEST[:12]}"
    assert [(one.group, one.id) for one in table.measurements] == [
        *((old, tag) for tag in ("original", "again", "old")),
        *((new, tag) for tag in ("original", "again")),
    ]
    assert [(one.group, one.n) for one in assess(table)] == [(old, 3), (new, 2)]
    assert table.notes == (
        f"left out: 1 run without scores by new.txt ({OTHER_DIGEST[:12]}) (old)",
        "original has scores by several judgements or parameters, a group for each: "
        f"{DIGEST[:12]}; new.txt ({OTHER_DIGEST[:12]})",
    )
    assert {one.said["judgements"] for one in table.measurements if one.group == new} == {
        OTHER_DIGEST
    }
    sets = {one.conditions["test_set"] for one in table.measurements}
    assert len(sets) == 2


def test_precisions_by_two_judgements_are_kept_beside_each_other() -> None:
    shelf = Shelf()
    runs = {"original": 0.3, "again": 0.33}
    strict = scoring(parameters={"relevance level": 2, "complete": True})
    for ways in ((scoring(),), (OTHERS,), (scoring(), OTHERS, strict)):
        for number, (tag, value) in enumerate(runs.items()):
            made = TopicScores(name=tag, topics=("1",), values={"map": (value,)})
            shelf.put(tag, None, reproduces="original" if number else "", ranking=number)
            (record,) = fetch_records(shelf.engine, runs_tagged(shelf.engine, tag))
            for how in ways:
                keep_scores(shelf.engine, record.ranking, made, how)
        table = shelf.table()
        keep_precision(shelf.engine, table, assess(table))
    # None takes the place of another, and no answer of before is left over.
    assert sorted(one.group for one in precisions(shelf.engine)) == [
        f"judgements {DIGEST[:12]}",
        f"judgements {DIGEST[:12]}, relevance level 2",
        f"judgements {OTHER_DIGEST[:12]}",
    ]


def test_judgements_that_no_reproduction_was_scored_by_change_nothing() -> None:
    tables = []
    for how in ((scoring(),), (OTHERS, scoring())):
        shelf = Shelf()
        shelf.put("original", {"map": 0.3}, how=how)
        shelf.put("again", {"map": 0.33}, reproduces="original")
        tables.append(shelf.table())
    assert tables[0] == tables[1]


def test_a_run_with_the_same_ranking_has_the_same_scores() -> None:
    shelf = Shelf()
    shelf.put("original", {"map": 0.3}, ranking=7)
    shelf.put("again", None, changed("actor.team", "moles"), reproduces="original", ranking=7)
    (assessed,) = assess(shelf.table())
    assert assessed.n == 2
    assert assessed.precision is not None
    assert assessed.precision.cv_star == 0


# Headers of any kind --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "implementation",
        "implementation.source",
        "implementation.source.commit",
        "implementation.source.uncommitted changes",
        "platform",
        "platform.software",
        "platform.software.libraries",
        "method",
        "method.indexing",
        "method.retrieval",
        "method.score ties",
        "actor",
        "data",
        "data.test collection",
        "data.training data",
    ],
)
@pytest.mark.parametrize(
    "value",
    ["a text", "", ["a", ["b"]], [{"name": ["x"]}, "y"], {"name": {"a": "b"}}, {}, "\x1b[31m\u202e"],
    ids=["text", "empty", "lists", "mixed", "mapping", "nothing", "signs that steer"],
)  # fmt: skip
def test_whatever_a_header_says_it_is_measured(shelf: Shelf, path: str, value: object) -> None:
    fields = changed(path, value)
    if path == "actor":
        fields["actor"] = {"team": value}
    for tag in ("again", "once more"):
        shelf.put(tag, {"map": 0.33}, fields, reproduces="original")
    _, again, once_more = conditions(shelf.table())
    assert again == once_more
    assert all(text.strip() for text in again.values())
