"""Conditions of measurement of runs: when they are equal, and how they are told in words."""

from __future__ import annotations

from typing import Any

import pytest
from support.reproductions import WHOLE, Shelf, changed, conditions, scoring

from primad_ld.qra.measurements import CONDITIONS
from primad_ld.qra.precision_assessments import PrecisionKind, Sameness, assess

# Equal and different ----------------------------------------------------------------------


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


def test_another_evaluator_is_another_implementation(shelf: Shelf) -> None:
    shelf.put("again", {"map": 0.3}, reproduces="original", how=scoring(evaluator="evaluator 2.0"))
    words = [one["implementation"] for one in conditions(shelf.table())]
    assert words == ["evaluator 1.0", "evaluator 2.0"]


# Texts ------------------------------------------------------------------------------------


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
