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
        # another address of the repository, and one with a password
        ("implementation.source.repository", "http://www.example.org/hedge.git"),
        ("implementation.source.repository", "https://ada:secret@example.org/hedge"),
        ("implementation.source.commit", "0123456789abcdef0123456789abcdef01234567"),  # in full
        ("implementation.source.uncommitted changes", "0"),
        ("method.retrieval", [{"name": "bm25", "k1": "0.90", "b": "0.4"}]),
        # a set in another order and spelling
        ("platform.software.libraries", {"python": ["hedge 1.1", "numpy==2.0"]}),
        ("platform.hardware", {"ram": "4 GB"}),  # what no condition is made of
        # libraries distinguish platforms where both headers list them
        ("platform.software.libraries", None),
        # a library without a version, and another patch level
        ("platform.software.libraries", ["numpy", "hedge==1.1.7"]),
        ("data.test collection.ir_datasets", "https://ir-datasets.com/garden.html"),  # its page
    ],
)
def test_what_is_the_same_by_key(shelf: Shelf, path: str, value: object) -> None:
    shelf.put("again", {"map": 0.33}, changed(path, value), reproduces="original")
    (found,) = assess(shelf.table())
    assert {one.key: one.state for one in found.conditions} == dict.fromkeys(
        CONDITIONS, Sameness.same
    )


SOURCE, PLATFORM = "implementation.source", "compile_training_information"
TOOLKIT = "platform.software.retrieval toolkit"
COLLECTION = "data.test collection"


@pytest.mark.parametrize(
    ("path", "value", "condition", "lacks"),
    [
        ("implementation", None, "system_code", f"{SOURCE}.repository"),
        (f"{SOURCE}.repository", None, "system_code", f"{SOURCE}.repository"),
        (f"{SOURCE}.commit", None, "system_code", f"{SOURCE}.commit"),
        # What a template left behind is no commit.
        (f"{SOURCE}.commit", "ENTER_VALUE_HERE", "system_code", f"{SOURCE}.commit"),
        # The commit says what the code was before it was changed.
        (
            *(f"{SOURCE}.uncommitted changes", "2", "system_code"),
            f"{SOURCE}.hash, as there are uncommitted changes",
        ),
        (TOOLKIT, None, PLATFORM, TOOLKIT),
        (TOOLKIT, ["anserini>=0.3.0"], PLATFORM, TOOLKIT),  # a range may hold any version
        # A model may have been trained, and the original does not say so.
        ("data.training data", [{"name": "Meadow"}], PLATFORM, "data.training data of original"),
        ("platform", None, PLATFORM, TOOLKIT),
        (
            "method.retrieval",
            [{"name": "bm25", "k1": "0.9"}],
            "system_code",
            "method.retrieval[1].b",
        ),
        # No table knows it: it may be another name of Porter's.
        (
            *("method.indexing.stemmer", "hedgestem", "system_code"),
            "whether method.indexing.stemmer is the same (porter, hedgestem)",
        ),
        (
            *(f"{COLLECTION}.ir_datasets", "garden/roses", "test_set"),
            f"whether {COLLECTION}.ir_datasets is the same (garden, garden/roses)",
        ),
        (
            *(COLLECTION, {"topics": "topics.tsv"}, "test_set"),
            f"{COLLECTION}.name or {COLLECTION}.ir_datasets",
        ),
        ("method.score ties", None, "procedure", "method.score ties"),
        ("actor.team", None, "performed_by", "actor.team"),
        ("actor", {"orcid": "0000-0002-0661-7189"}, "performed_by", "actor.team"),
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


def stemmed(stemmer: str | None, whole: dict[str, Any] = WHOLE) -> dict[str, Any]:
    return changed("method.indexing.stemmer", stemmer, whole)


def committed(commit: str | None) -> dict[str, Any]:
    return changed("implementation.source.commit", commit)


def code(**source: str) -> dict[str, Any]:
    return changed("implementation.source", source)


def teams(*names: str) -> dict[str, Any]:
    actors = [{"team": name} for name in names]
    return changed("actor", actors if len(actors) > 1 else actors[0])


HEDGE, MOLE = "repository: example.org/hedge", "repository: example.org/mole"

#: By what they show: the condition, the headers of the reference and others, and their texts.
TEXTS: dict[str, tuple[str, list[dict[str, Any]], list[str | None]]] = {
    "what is the same is cut without a mark of its own": (
        *("compile_training_information", [libraries(*MANY), libraries(*MANY)]),
        [f"{', '.join(['anserini==0.3.0', *sorted(MANY)])[:100]}…"] * 2,
    ),
    "only what differs is named": (
        "compile_training_information",
        [libraries(*MANY, "zoo==1.0"), libraries(*MANY, "zoo==1.1"), libraries("zoo==1.2")],
        ["libraries: zoo 1.0", "libraries: zoo 1.1", "libraries: zoo 1.2"],
    ),
    "a long list of differences is cut": (
        "compile_training_information",
        [
            libraries(*(f"library{number}==1.{minor}" for number in [*range(50), 50 + minor]))
            for minor in range(2)
        ],
        [
            f"libraries: {', '.join(f'library{n} 1.{minor}' for n in sorted(range(50), key=str))[:100]}…"
            for minor in range(2)
        ],
    ),
    "texts that are cut to one are numbered": (
        "compile_training_information",
        [
            libraries(*(f"{'l' * 120}{number}==1.{minor}" for number in range(2)))
            for minor in range(3)
        ],
        [f"libraries: {'l' * 100}…{more}" for more in ("", " (2)", " (3)")],
    ),
    "each is named by all fields that tell it from any other": (
        "system_code",
        [
            *(WHOLE, stemmed("none")),
            changed("implementation.source.repository", "https://example.org/mole"),
            stemmed("Porter stemmer"),
        ],
        [
            *(f"{HEDGE}; stemmer: porter", f"{HEDGE}; stemmer: none"),
            *(f"{MOLE}; stemmer: porter", f"{HEDGE}; stemmer: porter"),
        ],
    ),
    "what cannot be compared with the reference has none": (
        *("system_code", [WHOLE, committed("89abcde"), committed(None), committed("89abcdef01")]),
        ["commit: 0123456", "commit: 89abcde", None, "commit: 89abcde"],
    ),
    "nor has what may be another of those that differ": (
        "system_code",
        [
            *(WHOLE, code(repository="https://example.org/mole", commit="89abcde")),
            code(repository="https://example.org/mole"),
        ],
        [f"{HEDGE}; commit: 0123456", f"{MOLE}; commit: 89abcde", None],
    ),
    "each kind has the words of its first run": (
        *("system_code", [WHOLE, committed("0123456aaaaaaa"), committed("0123456bbbbbbb")]),
        ["commit: 0123456", "commit: 0123456", "commit: 0123456bbbbbbb"],
    ),
    "even if it differs from one that is the same as the reference": (
        *("system_code", [stemmed(None), WHOLE, stemmed("none", committed(None))]),
        ["example.org/hedge @ 0123456: bm25 (b=0.4, k1=0.9)"] * 2 + [None],
    ),
    "different beats unknown": (
        *("system_code", [code(commit="0123456"), code(commit="89abcde")]),
        ["commit: 0123456", "commit: 89abcde"],
    ),
    "two that differ are not the same as a third": (
        *("performed_by", [teams("hedgehogs", "moles"), teams("hedgehogs"), teams("moles")]),
        ["hedgehogs and moles", "hedgehogs and moles", "moles"],
    ),
    "one in two spellings": (
        "performed_by",
        [changed("actor.team", "Team Hedge"), changed("actor.team", "team_hedge")],
        ["Team Hedge", "Team Hedge"],
    ),
}


@pytest.mark.parametrize(("condition", "headers", "texts"), TEXTS.values(), ids=TEXTS)
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
