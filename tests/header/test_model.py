"""Headers as records: one spelling of each key, the place of each value, several sources in one."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from support import GOOD, Put, good, loaded, shuffled

from primad_ld import (
    Header,
    HeaderError,
    OutputError,
    header_of,
    parse_header,
    read_header,
    write_header,
)
from primad_ld.core.yamltext import Place
from primad_ld.header.model import keep_by_step, merge_headers
from primad_ld.rdf.lifting import Lifter

# Keys --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key",
    ["test collection", "test_collection", "test-collection", "Test Collection", "TEST_collection"],
)
def test_known_keys_have_one_spelling(key: str):
    header = parse_header(f"data:\n  {key}:\n    name: Robust04\n")
    assert header.fields == {"data": {"test collection": {"name": "Robust04"}}}
    assert header.place("data", "test collection") == Place(2, 3)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        # parameters of a stage: b and B, fb_docs and fb docs differ
        (
            "method: {retrieval: [{Name: x, b: 1, B: 2, fb_docs: 3, fb docs: 4}]}",
            {
                "method": {
                    "retrieval": [{"name": "x", "b": "1", "B": "2", "fb_docs": "3", "fb docs": "4"}]
                }
            },
        ),
        # keys that nobody knows, also where a known key of another place is meant
        ("My_Key: 1\nmy key: 2", {"My_Key": "1", "my key": "2"}),
        ("other: {Test_Collection: 1}", {"other": {"Test_Collection": "1"}}),
        # what is below a key in another spelling
        ("Research_Goal: {Venue: {Year: 2019}}", {"research goal": {"venue": {"year": "2019"}}}),
        ("ACTOR: [{Name: A}, {TEAM: B}]", {"actor": [{"name": "A"}, {"team": "B"}]}),
    ],
)
def test_other_keys_stay_as_they_are(text: str, fields: Any):
    assert parse_header(text).fields == fields


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("tag: a\nTag: b", 2, ["'Tag' and 'tag' are the same field", "first in line 1"]),
        (
            "data:\n  test_collection: {name: a}\n\n  test collection: {name: b}",
            4,
            ["'test collection' and 'test_collection' are the same field", "first in line 2"],
        ),
        ("schema version: 1\nschema-version: 1", 2, ["same field"]),
        ("actor:\n- name: a\n- name: b\n  Name: b", 4, ["same field", "first in line 3"]),
        ("method:\n  retrieval:\n    name: a\n    NAME: b", 4, ["same field"]),
        ("tag: a\ntag: b", 2, ["duplicate key", "first in line 1"]),
    ],
)
def test_a_field_twice_is_an_error(text: str, line: int, words: list[str]):
    with pytest.raises(HeaderError) as caught:
        parse_header(text, file=Path("run.txt"), first_line=11)
    assert caught.value.line == line + 10
    message = str(caught.value)
    assert message.startswith(f"run.txt:{line + 10}: ")
    for word in words:
        number = word.rpartition(" ")[2]
        assert (word if not number.isdigit() else f"first in line {int(number) + 10}") in message


# Values and places -------------------------------------------------------------------------

NESTED = """\
tag: x
method:
  retrieval:
  - name: bm25
    k1: 0.9
  - name: prf
    reranks:
      - bm25
actor: {name: A, team: B}
"""


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (("tag",), "x", (1, 1)),
        (("method", "retrieval", 0, "k1"), "0.9", (5, 5)),
        (("method", "retrieval", 1), {"name": "prf", "reranks": ["bm25"]}, (6, 5)),
        (("method", "retrieval", 1, "reranks", 0), "bm25", (8, 9)),
        (("actor", "team"), "B", (9, 18)),
        # the nearest thing that is there
        (("method", "retrieval", 1, "k1"), None, (6, 5)),
        (("method", "retrieval", 2), None, (3, 3)),
        (("method", "indexing", "stemmer"), None, (2, 1)),
        (("tag", "x"), None, (1, 1)),
        (("tag", 0), None, (1, 1)),
        (("method", "retrieval", "name"), None, (3, 3)),
        (("data",), None, None),
        ((), ..., None),
        # positions count from 0, and not from the end
        (("method", "retrieval", -1), None, (3, 3)),
        (("method", "retrieval", -9), None, (3, 3)),
    ],
)
def test_values_and_their_places(path: Any, value: Any, place: tuple[int, int] | None):
    header = parse_header(NESTED)
    assert header.get(*path) == (header.fields if value is ... else value)
    assert header.place(*path) == (Place(*place) if place else None)


def test_the_tag():
    assert parse_header("tag: x").tag == "x"
    assert parse_header("tag: [x]").tag is None
    assert parse_header("actor: {name: A}").tag is None


def test_equality_is_what_is_said_and_not_where():
    first, second = (
        parse_header("tag: x\nrun-version: 1.0"),
        parse_header("run_version: '1.0'\n\ntag: x"),
    )
    assert first == second
    assert first != parse_header("tag: x\nrun-version: 1")
    assert Header(fields=first.fields, file=Path("a")) == Header(
        fields=first.fields, file=Path("b")
    )


def test_a_header_of_plain_values():
    header = header_of(
        {
            "Tag": "x",
            "method": {"automatic": True, "retrieval": ({"name": "a", "k1": 0.9, "x": None},)},
        }
    )
    assert header.fields == {
        "tag": "x",
        "method": {"automatic": "true", "retrieval": [{"name": "a", "k1": "0.9", "x": None}]},
    }
    assert header.place("tag") is None


def test_a_header_of_plain_values_leaves_them_alone():
    fields = {"Test": {"Tag": 1}, "DATA": {"Test_Collection": {"Name": "x"}}}
    before = repr(fields)
    header_of(fields)
    assert repr(fields) == before


@pytest.mark.parametrize("value", [[], "x", None, 1, [{"tag": "x"}]])
def test_a_header_is_made_from_a_mapping(value: object):
    with pytest.raises(HeaderError):
        header_of(value)


def test_errors_travel_between_processes():
    error = HeaderError("why", file=Path("f"), line=3, column=4, field="tag", hint="do")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.column) == ("f:3: tag: why; do", 4)


# Several sources -----------------------------------------------------------------------------


def merged(first: str, second: str) -> tuple[Header, list[str]]:
    header, conflicts = merge_headers(
        parse_header(first, file=Path("run.txt"), first_line=2),
        parse_header(second, file=Path("run.yaml")),
    )
    return header, [f"{one.file}:{one.line}: {one.field}" for one in conflicts]


@pytest.mark.parametrize(
    ("first", "second", "fields", "conflicts"),
    [
        ("tag: a", "actor: {name: b}", {"tag": "a", "actor": {"name": "b"}}, []),
        ("tag: a", "tag: a", {"tag": "a"}, []),
        ("tag: a", "run-version: 1\ntag: b", {"tag": "a", "run-version": "1"}, ["run.yaml:2: tag"]),
        (
            "data:\n  test collection: {name: a}",
            "data:\n  test_collection:\n    name: b\n    source: c",
            {"data": {"test collection": {"name": "a", "source": "c"}}},
            ["run.yaml:3: data.test collection.name"],
        ),
        # lists are whole
        (
            "actor: [{name: a}]",
            "actor: [{name: a}, {name: b}]",
            {"actor": [{"name": "a"}]},
            ["run.yaml:1: actor"],
        ),
        ("tag: null", "tag: b", {"tag": None}, ["run.yaml:1: tag"]),  # null says something
        ("data: x", "data: {other: y}", {"data": "x"}, ["run.yaml:1: data"]),
        ("x: {a: 1}", "x: {a: 1, b: 2}", {"x": {"a": "1", "b": "2"}}, []),
    ],
)
def test_merging(first: str, second: str, fields: Any, conflicts: list[str]):
    header, found = merged(first, second)
    assert header.fields == fields
    assert found == conflicts


CMD = "implementation: {{executable: {{cmd: {}}}}}"


@pytest.mark.parametrize(
    ("headers", "found"),
    [
        # the resources of a step are never those of the run, nor is its command where they differ
        (["", "resources: {a: 1}", "tag: x"], [{}, {"steps": {"one": {"resources": {"a": "1"}}}}, {"tag": "x"}]),
        (["", CMD.format(1), CMD.format(1)], [{}, {"implementation": {"executable": {"cmd": "1"}}}, {"implementation": {"executable": {"cmd": "1"}}}]),
        (["", CMD.format(1), "tag: x"], [{}, {"implementation": {"executable": {"cmd": "1"}}}, {"tag": "x"}]),
        (
            ["", "resources: {a: 1}", "resources: {a: 2}"],
            [{}, {"steps": {"one": {"resources": {"a": "1"}}}}, {"steps": {"two": {"resources": {"a": "2"}}}}],
        ),
        # a nearer header is not of a step
        (
            ["resources: {a: 0}", "resources: {a: 1}", ""],
            [{"resources": {"a": "0"}}, {"steps": {"one": {"resources": {"a": "1"}}}}, {}],
        ),
        # what is said rather than measured is no matter of steps
        (
            ["", "tag: a\nrun-version: 1\nactor: {role: x}", "tag: b\nrun-version: 2\nactor: {role: y}"],
            [{}, {"tag": "a", "run-version": "1", "actor": {"role": "x"}}, {"tag": "b", "run-version": "2", "actor": {"role": "y"}}],
        ),
        # steps of its own
        (
            ["", "resources: {a: 1}\nsteps: x", "resources: {a: 2}"],
            [{}, {"resources": {"a": "1"}, "steps": "x"}, {"steps": {"two": {"resources": {"a": "2"}}}}],
        ),
    ],
)  # fmt: skip
def test_what_steps_measured_is_kept_by_step(headers: list[str], found: list[Any]):
    read = [parse_header(text or "x: y", file=Path("f")) for text in headers]
    before = [str(one.fields) for one in read]
    kept = keep_by_step(read, {1: "one", 2: "two"})
    assert [one.fields for one in kept] == [one or {"x": "y"} for one in found]
    assert [str(one.fields) for one in read] == before


def test_merging_changes_neither():
    first, second = parse_header("data: {a: 1}"), parse_header("data: {b: 2}\ntag: x")
    merge_headers(first, second)
    assert (first.fields, second.fields) == ({"data": {"a": "1"}}, {"data": {"b": "2"}, "tag": "x"})


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("tag",), Place(2, 1)),
        (("data",), Place(3, 1)),
        (("data", "other"), Place(2, 3, "run.yaml")),
        (("platform",), Place(3, 1, "run.yaml")),
        # below what came from the other file as a whole
        (("platform", "hardware", "ram"), Place(4, 14, "run.yaml")),
        (("method", "retrieval", 1), Place(8, 5, "run.yaml")),
        (("method", "retrieval", 0, "k1"), Place(7, 5, "run.yaml")),
    ],
)
def test_places_name_the_other_file(path: Any, place: Place):
    header, _ = merged(
        "tag: a\ndata: {test collection: {name: x}}",
        "data:\n  other: y\nplatform:\n  hardware: {ram: 1 GB}\n"
        "method:\n  retrieval:\n  - k1: 0.9\n  - k1: 0.8\n",
    )
    assert header.place(*path) == place


def test_places_of_three_sources():
    beside, _ = merge_headers(
        parse_header("tag: a", file=Path("run.txt")),
        parse_header("data: {other: y}", file=Path("run.yaml")),
    )
    header, _ = merge_headers(
        beside, parse_header("data: {test collection: {name: x}}", file=Path("ir-metadata.yml"))
    )
    assert header.place("tag") == Place(1, 1)
    assert header.place("data", "other") == Place(1, 8, "run.yaml")
    assert header.place("data", "test collection", "name") == Place(1, 26, "ir-metadata.yml")


# Real variants that mean the same (issue 2, part 4) -----------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("method: {retrieval: [{name: a, k1: 1}]}", "method: {retrieval: {name: a, k1: 1}}"),
        ("data: {test_collection: {name: x}}", "data: {test collection: {name: x}}"),
        ("data: {training_data: [{name: x}]}", "data: {training data: {name: x}}"),
        ("schema version: 0.1", "schema-version: '0.1'"),
        ("research goal: {venue: {year: 2020}}", "research_goal: {venue: {year: '2020'}}"),
        ("implementation: {source: {lang: Python}}", "implementation: {source: {lang: [Python]}}"),
        (
            "research goal: {evaluation: {reported measures: map}}",
            "research goal: {evaluation: {reported_measures: [map]}}",
        ),
        (
            "research goal: {evaluation: {baseline: a}}",
            "research goal: {evaluation: {baseline: [a]}}",
        ),
        (
            "research goal: {evaluation: {significance test: {name: t-test}}}",
            "research goal: {evaluation: {significance test: [{name: t-test}]}}",
        ),
        ("actor: {name: a}", "actor: [{name: a}]"),
        ("actor: {name: a, fields: ir}", "actor: {name: a, fields: [ir]}"),
        (
            "platform: {software: {retrieval toolkit: a==1}}",
            "platform: {software: {retrieval_toolkit: [a==1]}}",
        ),
        ("platform: {software: {libraries: a==1}}", "platform: {software: {libraries: [a==1]}}"),
        (
            "method: {retrieval: [{name: a}, {name: b, reranks: a}]}",
            "method: {retrieval: [{name: a}, {name: b, reranks: [a]}]}",
        ),
        (
            "platform: {software: {libraries: {python: a==1}}}",
            "platform: {software: {libraries: {python: [a==1]}}}",
        ),
    ],
)
def test_variants_lift_to_the_same_graph(one: str, other: str):
    lifter = Lifter()
    graphs = [lifter.lift(parse_header(f"tag: x\n{text}")).graphs for text in (one, other)]
    assert list(graphs[0]) == list(graphs[1])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("implementation: {source: {lang: no}}", "implementation: {source: {lang: false}}"),
        (
            "implementation: {source: {commit: 0123456}}",
            "implementation: {source: {commit: 42798}}",
        ),
        ("implementation: {source: {commit: 12e5}}", "implementation: {source: {commit: 1200000}}"),
        ("run-version: 0.10", "run-version: 0.1"),
        ("method: {retrieval: [{b: 1}]}", "method: {retrieval: [{B: 1}]}"),
        (
            "method: {retrieval: [{name: a}, {name: b}]}",
            "method: {retrieval: [{name: b}, {name: a}]}",
        ),
        ("tag: x\nactor: {name: null}", "tag: x\nactor: {}"),
    ],
)
def test_what_does_not_mean_the_same_lifts_to_another_graph(one: str, other: str):
    lifter = Lifter()
    first, second = (lifter.lift(parse_header(text)) for text in (one, other))
    assert list(first.graphs) != list(second.graphs)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_keys_does_not_count(seed: int):
    lifter = Lifter()
    assert list(lifter.lift(header_of(shuffled(good(), seed))).graphs) == list(
        lifter.lift(header_of(good())).graphs
    )


# Files --------------------------------------------------------------------------------------


def test_a_header_is_written_and_read_again(tmp_path: Path):
    header = parse_header(GOOD)
    write_header(header, tmp_path / "h.yaml")
    assert read_header(tmp_path / "h.yaml") == header
    assert loaded((tmp_path / "h.yaml").read_text(encoding="utf-8")) == loaded(GOOD)
    write_header(header, str(tmp_path / "h.yaml.gz"))  # compressed as its suffix says
    assert (tmp_path / "h.yaml.gz").read_bytes()[:2] == b"\x1f\x8b"
    assert read_header(tmp_path / "h.yaml.gz") == header


def test_a_header_file_is_not_replaced_unless_told(put: Put):
    path = put("h.yaml", "tag: before\n")
    with pytest.raises(OutputError, match="exists"):
        write_header(header_of({"tag": "x"}), path)
    assert path.read_text() == "tag: before\n"
    write_header(header_of({"tag": "x"}), path, force=True)
    assert path.read_text() == "tag: x\n"


def test_half_a_character_cannot_be_written(tmp_path: Path):
    # Names of files that are not UTF-8 have such letters in Python.
    with pytest.raises((HeaderError, OutputError)):
        write_header(header_of({"tag": "\udcff"}), tmp_path / "h.yaml")
    assert list(tmp_path.iterdir()) == []
