"""Lifting: components that are shared, runs that are somebody's, and graphs that all can read."""

from __future__ import annotations

import copy
import json
import re
import warnings
from collections import Counter
from typing import Any

import pyoxigraph
import pytest
import rdflib
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support import (
    BASE,
    GOOD,
    PRIMAD,
    RDF,
    good,
    headers,
    lowered,
    normalised,
    rdflib_dataset,
    said,
    shuffled,
    triples,
    values,
)

from primad_ld import PrimadError, header_of, lift, parse_header
from primad_ld.core.iris import is_iri
from primad_ld.core.triples import NamedGraph
from primad_ld.header.ranking_digest import Ranking
from primad_ld.rdf.lifting import Lifter
from primad_ld.rdf.run_graphs import LiftedRun
from primad_ld.schema.fields import default_schema

LIFTER = Lifter()
RANKING = Ranking(digest="ab" * 32, rows=3)
OTHER_RANKING = Ranking(digest="cd" * 32, rows=3)


def lifted(fields: dict[str, Any], **more: Any) -> LiftedRun:
    return LIFTER.lift(header_of(fields), **more)


def component(run: LiftedRun, kind: str) -> NamedGraph:
    (found,) = [one for one in run.components if f"/{kind}/" in one.iri]
    return found


def kinds(run: LiftedRun) -> list[str]:
    return [one.iri.removeprefix(BASE).partition("/")[0] for one in run.components]


# What is said -----------------------------------------------------------------------------


def test_inner_nodes_are_fragments_of_their_component() -> None:
    run = lifted(good())
    for graph in run.components:
        subjects = {line.partition(" ")[0] for line in graph.triples.splitlines()}
        assert {one.partition("#")[0].rstrip(">") + ">" for one in subjects} == {f"<{graph.iri}>"}
    method = component(run, "method").triples
    for name in (
        "indexing",
        "stage-1",
        "stage-2",
        "stage-3",
        "stage-1.k1",
        "stage-3-interpolates-2",
    ):
        assert f"#{name}> " in method


def test_what_the_header_does_not_say_is_not_said() -> None:
    run = lifted({"tag": "x"})
    assert run.components == ()
    me = run.run.iri.removeprefix(BASE)
    assert sorted(said(run.run)) == sorted(
        [
            (me, "tag", "x"),
            (me, "header", "#header"),
            (me, RDF + "type", "Run"),
            ("#header", RDF + "type", "HeaderRecord"),
            ("#header", "http://xmlns.com/foaf/0.1/primaryTopic", me),
            # Derived; a tag weighs 5 of the 102 that are asked of every header.
            (me, "completeness", "5"),
            (me, "summary", '{"completeness":5,"tag":"x"}'),
            *((me, "lacksComponent", entry.key) for entry in default_schema().components),
        ]
    )


def test_the_record_and_the_ranking() -> None:
    run = lifted({"tag": "x"}, ranking=RANKING, file_name="sub/run.txt", tag_in_file="y")
    assert values(run.run, "runFileName", "#header") == ["sub/run.txt"]
    assert values(run.run, "tagInFile") == ["y"]
    assert values(run.run, "ranking") == [f"ranking/1-{RANKING.digest[:40]}"]
    assert values(run.run, "rankingDigest") == [RANKING.digest]


# Order has no meaning ----------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_the_order_of_keys_does_not_change_a_byte(seed: int) -> None:
    fields = shuffled(good(), seed)
    assert list(fields) != list(good()) or seed
    assert lifted(fields).nquads() == lifted(good()).nquads()


@given(headers, st.integers(0, 99))
def test_the_order_of_keys_of_any_header_does_not_change_a_byte(
    fields: dict[str, Any], seed: int
) -> None:
    assert lifted(shuffled(fields, seed)).nquads() == lifted(fields).nquads()


@given(headers)
def test_a_lifter_that_has_seen_much_lifts_alike(fields: dict[str, Any]) -> None:
    header = header_of(fields)
    before = copy.deepcopy(header.fields)
    first = Lifter().lift(header)
    assert LIFTER.lift(header) == first  # it remembers texts from other examples
    assert header.fields == before


SETS = [
    ("research goal", "evaluation", "reported measures"),
    ("research goal", "evaluation", "significance test"),
    ("implementation", "source", "lang"),
    ("platform", "software", "libraries", "python"),
    ("data", "training data"),
]


@pytest.mark.parametrize("path", SETS, ids=".".join)
def test_the_order_of_a_set_is_the_runs_and_not_the_components(path: tuple[str, ...]) -> None:
    fields = good()
    inner = fields
    for key in path[:-1]:
        inner = inner[key]
    turned = copy.deepcopy(fields)
    inner[path[-1]].reverse()
    one, other = lifted(fields), lifted(turned)
    assert one.components == other.components
    assert values(one.run, "spelling") != values(other.run, "spelling")
    assert lowered(one) == normalised(fields) != lowered(other)


def test_the_order_of_stages_makes_another_method() -> None:
    fields = {"method": {"retrieval": [{"name": "a"}, {"name": "b"}]}}
    turned = {"method": {"retrieval": [{"name": "b"}, {"name": "a"}]}}
    assert lifted(fields).components != lifted(turned).components
    assert values(lifted(fields).run, "spelling") == []


def test_members_of_a_set_are_numbered_by_what_they_say() -> None:
    run = lifted({"data": {"training data": [{"name": "b"}, {"name": "c"}, {"name": "a"}]}})
    data = component(run, "data")
    assert [values(data, "name", f"#training-data-{number}") for number in (1, 2, 3)] == [
        ["a"],
        ["b"],
        ["c"],
    ]


# Components ----------------------------------------------------------------------------------


def test_one_component_of_each_kind_and_the_run_last() -> None:
    run = lifted(good())
    assert kinds(run) == [
        "platform",
        "research-goal",
        "implementation",
        "method",
        "actor",
        "actor",
        "data",
    ]
    assert run.graphs[-1] is run.run
    for graph in run.components:
        assert re.fullmatch(re.escape(BASE) + r"[a-z-]+/1-[0-9a-f]{40}", graph.iri)
        assert f"> <{graph.iri}> .\n" in run.run.triples


def _body(graph: NamedGraph) -> str:
    return graph.triples.replace(graph.iri, "")


@given(headers, headers)
def test_equal_iri_means_equal_triples(one: dict[str, Any], other: dict[str, Any]) -> None:
    graphs = [*lifted(one).components, *lifted(other).components]
    for first in graphs:
        for second in graphs:
            assert (first.iri == second.iri) == (_body(first) == _body(second))
            assert (first.iri != second.iri) or (first.triples == second.triples)


@given(headers)
def test_a_component_does_not_depend_on_the_rest_of_the_header(fields: dict[str, Any]) -> None:
    whole = {one.iri for one in lifted(fields).components}
    parts = {one.iri for key, value in fields.items() for one in lifted({key: value}).components}
    assert whole == parts


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (("platform", "hardware", "cpu", "model"), "platform"),
        (("research goal", "description"), "research-goal"),
        (("implementation", "source", "commit"), "implementation"),
        (("method", "indexing", "stemmer"), "method"),
        (("data", "test collection", "name"), "data"),
    ],
)
def test_a_change_changes_its_own_component_alone(path: tuple[str, ...], kind: str) -> None:
    fields = copy.deepcopy(good())
    inner = fields
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] += "x"
    before, after = set(lifted(good()).components), set(lifted(fields).components)
    changed = {one.iri.removeprefix(BASE).partition("/")[0] for one in before ^ after}
    assert changed == {kind}


def test_letters_are_the_headers() -> None:
    # 48 GB and 48000 MB are the same size, so one platform, and not the same header.
    one, other = (lifted({"platform": {"hardware": {"ram": ram}}}) for ram in ("48 GB", "48000 MB"))
    assert one.components == other.components
    assert lowered(one) != lowered(other)


@pytest.mark.parametrize(
    "fields",
    [
        {"implementation": {"executable": {"cmd": "./x"}}},
        {"implementation": {"source": {"root": "/srv", "hash": "1"}}},
        {"platform": {"hardware": {"cpu": {"frequency": {"min": "1"}}}}},
        {"actor": {"role": "reproducer"}},
        {"research goal": {"evaluation": {"baseline": ["x", "y"]}}},
    ],
)
def test_a_component_whose_fields_belong_to_the_run_is_missing(fields: dict[str, Any]) -> None:
    assert lifted(fields).components == ()
    assert lowered(lifted(fields)) == fields


@pytest.mark.parametrize("value", [None, "text", [], {}, ["x"], [{}], [None]])
@pytest.mark.parametrize("key", ["platform", "method", "actor", "data", "resources"])
def test_a_component_that_is_something_else(key: str, value: Any) -> None:
    run = lifted({key: value})
    assert run.components == ()
    assert lowered(run) == {key: value}


def test_two_actors_that_say_the_same_are_one_component() -> None:
    run = lifted({"actor": [{"name": "Ada"}, {"name": "Ada"}]})
    assert kinds(run) == ["actor"]
    assert len(values(run.run, "contribution")) == 2


# The run ---------------------------------------------------------------------------------------


def run_of(fields: dict[str, Any], ranking: Ranking | None = RANKING, **more: Any) -> str:
    return lifted(fields, ranking=ranking, **more).run.iri


MINE: dict[str, Any] = {"tag": "bm25", "actor": {"team": "moles", "name": "Ada"}}


class TestARunIsARankingUnderAName:
    """D5 of the design."""

    def test_a_corrected_header_is_the_same_run(self) -> None:
        corrected = MINE | {"platform": {"hardware": {"ram": "1 GB"}}, "run-version": "2"}
        assert run_of(corrected) == run_of(MINE)

    def test_another_tag_is_another_run_of_the_same_ranking(self) -> None:
        one = lifted(MINE, ranking=RANKING)
        other = lifted(MINE | {"tag": "bm25-again"}, ranking=RANKING)
        assert one.run.iri != other.run.iri
        assert values(one.run, "ranking") == values(other.run, "ranking")

    def test_another_ranking_is_another_run(self) -> None:
        assert run_of(MINE) != run_of(MINE, OTHER_RANKING)

    def test_an_identical_reproduction_of_another_team_is_another_run(self) -> None:
        assert run_of(MINE | {"actor": {"team": "voles", "name": "Ada"}}) != run_of(MINE)

    @pytest.mark.parametrize(
        ("actor", "why"),
        [
            ({"team": "moles", "name": "Ben"}, "another name"),
            ({"team": "moles", "orcid": "0000-0002-0661-7189"}, "an ORCID was added"),
            ({"team": "moles", "mail": "ada@example.org"}, "a mail was added"),
            ({"team": "moles", "role": "reproducer"}, "another role"),
            ({"team": "MOLES"}, "another case"),
            ({"team": " moles\n"}, "spaces around it"),
            ([{"team": "moles"}], "a list of one"),
            ([{"team": "moles"}, {"team": "voles"}], "a second author"),
            ([{"name": "Ben"}, {"team": "moles"}], "an author before who gives no team"),
            ([{"team": "moles"}, {"name": "Ben"}, {"team": "voles"}], "a third one"),
        ],
    )
    def test_a_correction_of_the_actors_is_the_same_run(self, actor: Any, why: str) -> None:
        assert run_of(MINE | {"actor": actor}) == run_of(MINE), why

    @pytest.mark.parametrize(
        ("one", "other", "why"),
        [
            ("h2oloo", "H2oloo", "case"),
            ("red moles", "red-moles", "a hyphen"),
            ("red moles", "Red_Moles", "an underscore"),
            ("red moles", "red \u2013  moles", "a dash and spaces"),
            ("red moles", "red\u00a0moles", "a space that breaks no line"),
            ("Équipe", "E\u0301quipe", "letters that are composed or not"),
            ("Maße", "MASSE", "a letter that has no capital"),
            ("Ϊ\u0301δα", "ΐδα", "a letter that casefold takes apart"),
            ("ｍｏｌｅｓ", "moles", "full width"),
        ],
    )
    def test_a_team_is_the_same_in_any_spelling(self, one: str, other: str, why: str) -> None:
        first, second = (run_of(MINE | {"actor": {"team": team}}) for team in (one, other))
        assert first == second, why

    @pytest.mark.parametrize(
        ("actor", "why"),
        [
            ({"team": "mole"}, "another word"),
            ({"team": "m oles"}, "a space that was not there"),
            ([{"team": "voles"}, {"team": "moles"}], "the first team owns it"),
            ({"name": "moles"}, "a name is not a team"),
        ],
    )
    def test_another_owner_is_another_run(self, actor: Any, why: str) -> None:
        assert run_of(MINE | {"actor": actor}) != run_of(MINE), why

    @given(st.permutations([{"team": "voles"}, {"name": "Ben"}, {"team": "x"}, {"name": "Eve"}]))
    def test_the_order_of_the_other_actors_does_not_count(self, others: list[Any]) -> None:
        assert run_of({"actor": [{"team": "moles"}, *others]}) == run_of(
            {"actor": {"team": "moles"}}
        )

    @pytest.mark.parametrize(
        ("actor", "is_named_by_file"),
        [
            ({"team": "moles"}, False),
            ({"team": "- _"}, True),  # nothing is left of it
            ({"orcid": "0000-0002-0661-7189"}, True),
            ({"name": "Ada"}, True),
            ([{"name": "Ada"}, {"team": "moles"}], False),  # the first that is given
            ("moles", True),  # not an actor
        ],
    )
    def test_the_file_counts_where_there_is_no_team(
        self, actor: Any, is_named_by_file: bool
    ) -> None:
        one, other = (
            run_of({"tag": "bm25", "actor": actor}, file_name=name) for name in ("a.txt", "b/c.gz")
        )
        assert (one != other) == is_named_by_file

    def test_without_team_and_file_the_ranking_and_its_tag_are_the_run(self) -> None:
        assert run_of({"tag": "x", "actor": {"name": "Ada"}}) == run_of({"tag": "x"})

    @pytest.mark.parametrize("file_name", ["é.txt", "e\u0301.txt"])
    def test_file_systems_take_letters_apart(self, file_name: str) -> None:
        assert run_of({}, file_name=file_name) == run_of({}, file_name="é.txt")

    @pytest.mark.parametrize(
        ("tag", "is_same"),
        [
            (" bm25\tgarden ", True),  # spaces
            ("BM25 garden", False),  # case may be all that differs
            ("bm25-garden", False),
        ],
    )
    def test_a_tag_counts_but_for_its_spaces(self, tag: str, is_same: bool) -> None:
        named = MINE | {"tag": "bm25 garden"}
        assert (run_of(MINE | {"tag": tag}) == run_of(named)) is is_same

    def test_the_tag_in_the_file_stands_in_for_one_in_the_header(self) -> None:
        assert run_of({}, tag_in_file="bm25") == run_of({"tag": "bm25"}, tag_in_file="x")
        assert run_of({}, tag_in_file="bm25") != run_of({}, tag_in_file="x")

    def test_the_base_does_not_change_the_name(self) -> None:
        other = Lifter(base="https://example.org/").lift(header_of(MINE), ranking=RANKING)
        assert other.run.iri.rpartition("/")[2] == run_of(MINE).rpartition("/")[2]


class TestAHeaderStandsInForARanking:
    def test_the_same_header_is_the_same_run(self) -> None:
        assert run_of(shuffled(good(), 1), None) == run_of(good(), None)

    @pytest.mark.parametrize(
        "changed",
        [
            {"tag": "bm26"},
            {"platform": {"hardware": {"ram": "1 GB"}}},
            {"actor": {"team": "moles", "name": "Ada", "role": "reproducer"}},
            {"implementation": {"executable": {"cmd": "./x"}}},
            {"note": "unknown"},
            {"platform": {"log": ["line"] * 2000}},  # kept with the run, as it is long
        ],
        ids=lambda changed: next(iter(changed)),
    )
    def test_another_header_is_another_run(self, changed: dict[str, Any]) -> None:
        assert run_of(MINE | changed, None) != run_of(MINE, None)

    def test_headers_that_differ_in_a_long_unknown_part_alone(self) -> None:
        one, other = ({"platform": {"log": [word] * 2000}} for word in ("one", "two"))
        assert run_of(one, None) != run_of(other, None)

    def test_the_base_in_a_text_is_a_text(self) -> None:
        assert run_of({"tag": BASE + "x"}, None) != run_of({"tag": "x"}, None)

    def test_the_file_name_counts(self) -> None:
        assert run_of(MINE, None, file_name="a.txt") != run_of(MINE, None, file_name="b.txt")

    def test_a_ranking_makes_another_run(self) -> None:
        assert run_of(MINE, None) != run_of(MINE)

    @given(headers, headers)
    def test_no_two_headers_are_one_run(self, one: dict[str, Any], other: dict[str, Any]) -> None:
        assume(lowered(lifted(one)) != lowered(lifted(other)))
        # The order of a set is the one thing that a run's name does not see.
        assume(_sorted_lists(one) != _sorted_lists(other))
        assert run_of(one, None) != run_of(other, None)

    def test_the_base_does_not_change_the_name(self) -> None:
        other = Lifter(base="https://example.org/").lift(header_of(good()))
        assert other.run.iri.rpartition("/")[2] == run_of(good(), None).rpartition("/")[2]


def _sorted_lists(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted_lists(one) for key, one in value.items()}
    if isinstance(value, list):
        return sorted((_sorted_lists(one) for one in value), key=repr)
    return value


# Actors -----------------------------------------------------------------------------------------


def test_each_actor_has_a_part_in_the_run() -> None:
    run = lifted(good())
    parts = values(run.run, "contribution")
    assert parts == ["#actor-1", "#actor-2"]
    assert [values(run.run, "position", part) for part in parts] == [["1"], ["2"]]
    assert [values(run.run, "actorRole", part) for part in parts] == [
        ["scheme:role-experimenter"],
        ["scheme:role-reproducer"],
    ]
    names = {
        values(graph, "name")[0]: graph.iri.removeprefix(BASE)
        for graph in run.components
        if "/actor/" in graph.iri
    }
    assert [values(run.run, "contributor", part) for part in parts] == [
        [names["Ada"]],
        [names["Ben"]],
    ]


def test_the_role_is_not_the_persons() -> None:
    one, other = (
        lifted({"actor": {"name": "Ada", "role": role}}) for role in ("experimenter", "reproducer")
    )
    assert one.components == other.components


def test_an_actor_who_is_nothing_but_a_role() -> None:
    fields = {"actor": [{"role": "reproducer"}, {"name": "Ada"}, {"role": "boss", "mood": "good"}]}
    run = lifted(fields)
    assert kinds(run) == ["actor", "actor"]
    assert values(run.run, "actorRole") == ["scheme:role-reproducer"]
    assert values(run.run, "unread") == ['{"role":"boss"}']
    assert lowered(run) == fields


# What the schema does not know -------------------------------------------------------------------


EVERYWHERE = [
    (),
    ("platform",),
    ("platform", "hardware", "cpu"),
    ("platform", "hardware", "cpu", "frequency"),  # below a value of the run
    ("research goal", "venue"),
    ("implementation", "executable"),
    ("method",),
    ("method", "indexing"),
    ("method", "retrieval", 0),
    ("actor",),
    ("actor", 0),
    ("actor", 1),
    ("data", "test collection"),
    ("data", "training data", 0),
    ("data", "training data", 1),
    ("resources",),
    ("resources", "cpu", "used process"),
]
UNKNOWN = {
    "mood": "good",
    "Zahl": "0.60",
    'k1 "#<>': None,
    "empty": {},
    "none": [],
    "deep": {"list": ["1", {"tag": "x", "b": "no"}, [[]]], "Name": "y"},
}


def _with(path: tuple[Any, ...], unknown: dict[str, Any]) -> dict[str, Any]:
    known: dict[str, Any] = {
        "actor": [{"name": "Ada"}, {"name": "Ben"}] if len(path) > 1 else {"name": "Ada"},
        "data": {"training data": [{"name": "b"}, {"name": "a"}], "test collection": {"name": "c"}},
        "method": {"retrieval": [{"name": "bm25"}], "indexing": {"stemmer": "x"}},
    }
    inner: Any = known
    for step in path:
        inner = inner[step] if isinstance(step, int) else inner.setdefault(step, {})
    inner.update(unknown)
    return known


@pytest.mark.parametrize("path", EVERYWHERE, ids=str)
def test_unknown_keys_stay_where_they_are(path: tuple[Any, ...]) -> None:
    fields = _with(path, UNKNOWN)
    assert lowered(lifted(fields)) == fields


@pytest.mark.parametrize("path", EVERYWHERE, ids=str)
def test_a_long_unknown_part_belongs_to_the_run_and_comes_back(path: tuple[Any, ...]) -> None:
    long = {"log": [{"line": str(number)} for number in range(500)], "short": "x"}
    fields = _with(path, long)
    run = lifted(fields)
    if path != ("method", "retrieval", 0):  # there it is a parameter, which is the method's
        assert '\\"line\\"' not in "".join(one.triples for one in run.components)
        assert run.components == lifted(_with(path, {"short": "x"})).components
    assert lowered(run) == fields


def test_a_long_part_of_two_members_that_else_say_the_same() -> None:
    long = [{"name": "x", "log": [word] * 2000} for word in ("b", "a", "c")]
    fields = {"data": {"training data": [long[0], {"name": "a"}, *long[1:]]}}
    assert lowered(lifted(fields)) == fields


# What belongs to the run --------------------------------------------------------------------------


def tracked(number: int) -> dict[str, Any]:
    """A header as a tracker writes it, of the same experiment measured once more."""
    series = {
        "min": "0",
        "max": str(number),
        "avg": f"{number / 3:.2f}",
        "timeseries": {"values": [str(number)] * (number % 7 + 1)},
    }
    return {
        "platform": {
            "hardware": {
                "cpu": {
                    "model": "Example CPU",
                    "number of cores": "8",
                    "frequency": series,
                    "frequency min": f"{number} MHz",
                    "frequency max": f"{number + 3000} MHz",
                },
                "gpu": {"supported": "false", "frequency min": f"{number} MHz", "frequency max": "2 GHz"},
                "ram": "25276 MB",
            },
            "software": {"tirex-tracker": "0.2.24"},
        },
        "research goal": {"evaluation": {"baseline": f"run-{number}", "reported measures": ["map"]}},
        "implementation": {
            "executable": {"cmd": ["python", "ex.py", "--seed", str(number)]},
            "source": {
                "repository": "https://example.org/x",
                "commit": "6f91230",
                "unchecked files": str(number),
                "uncommitted changes": str(number % 5),
                "unpushed changes": "0",
                "hash": f"{number:040x}",
                "root": f"/home/user/{number}",
                "archive path": f".tracker/{number}.zip",
                "archive": {"notebook path": f"{number}.ipynb"},
            },
            "python": {"packages": ["a==1", "b==2"]},
        },
        "method": {"name": "bm25"},
        "actor": {"team": "moles", "role": ["experimenter", "reproducer"][number % 2]},
        "resources": {
            "runtime": {"start time": f"2026-11-18T07:{number % 60:02}:24.5+0000", "wallclock": f"{number} ms"},
            "cpu": {"used process": series, "energy used system": "null J"},
        },
    }  # fmt: skip


def test_tracked_headers_share_their_components() -> None:
    runs = [lifted(tracked(number)) for number in range(200)]
    assert len({run.run.iri for run in runs}) == 200
    assert Counter(kinds(runs[0])) == {
        "platform": 1,
        "research-goal": 1,
        "implementation": 1,
        "method": 1,
        "actor": 1,
    }
    assert {run.components for run in runs} == {runs[0].components}
    for number, run in enumerate(runs):
        assert lowered(run) == normalised(tracked(number))


@pytest.mark.parametrize(
    ("predicate", "found"),
    [
        ("cpuFrequencyMin", ["7"]),
        ("gpuFrequencyMin", ["7"]),
        ("baseline", ["run-7"]),
        ("command", ["python ex.py --seed 7"]),
        ("uncheckedFiles", ["7"]),
        ("uncommittedChanges", ["2"]),
        ("workingTreeHash", [f"{7:040x}"]),
        ("sourceRoot", ["/home/user/7"]),
        ("archivePath", [".tracker/7.zip"]),
        ("resourceUse", ["#resources"]),
        ("cpuFrequency", ["#cpu-frequency"]),
    ],
)
def test_values_of_the_run_stand_one_hop_from_it(predicate: str, found: list[str]) -> None:
    run = lifted(tracked(7))
    assert values(run.run, predicate, run.run.iri.removeprefix(BASE)) == found


def test_arguments_are_quoted_in_the_command_line() -> None:
    run = lifted({"implementation": {"executable": {"cmd": ["sh", "-c", "a b; c"]}}})
    assert values(run.run, "command") == ["sh -c 'a b; c'"]
    assert json.loads(values(run.run, "arguments")[0]) == ["sh", "-c", "a b; c"]


# Graphs that all can read ----------------------------------------------------------------------------


@given(headers)
def test_every_reader_reads_it_and_there_are_no_blank_nodes(fields: dict[str, Any]) -> None:
    run = lifted(fields, file_name='odd "name"\n.txt', tag_in_file="\\x", ranking=RANKING)
    text = run.nquads()
    found = list(pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.N_QUADS))
    assert len(found) == text.count("\n") == len(set(text.split("\n"))) - 1
    for quad in found:
        for one in (quad.subject, quad.predicate, quad.graph_name):
            assert isinstance(one, pyoxigraph.NamedNode)
            assert is_iri(one.value)
        assert not isinstance(quad.object, pyoxigraph.BlankNode)
    assert {quad.graph_name.value for quad in found} == {graph.iri for graph in run.graphs}


@settings(max_examples=50)
@given(headers)
def test_rdflib_reads_as_many_statements(fields: dict[str, Any]) -> None:
    text = lifted(fields).nquads()
    assert len(rdflib_dataset(text)) == text.count("\n")


@given(headers)
def test_lines_are_sorted_and_nothing_is_left_of_the_placeholders(fields: dict[str, Any]) -> None:
    run = lifted(fields)
    for graph in run.graphs:
        lines = graph.triples.split("\n")[:-1]
        assert len(set(lines)) == len(lines)
        assert not set("\0\1\2") & set(graph.triples)


def test_lift_makes_a_dataset() -> None:
    header = parse_header(GOOD)
    dataset = lift(header, ranking=RANKING, file_name="x.txt")
    run = LIFTER.lift(header, ranking=RANKING, file_name="x.txt")
    names = {str(graph.identifier) for graph in dataset.graphs() if len(graph)}
    assert names == {graph.iri for graph in run.graphs}
    assert len(dataset) == run.nquads().count("\n")
    found = {f"{s.n3()} {p.n3()} {o.n3()}" for s, p, o, _ in dataset.quads()}  # type: ignore[union-attr]
    assert any(f"<{PRIMAD}interpolationWeight>" in line and '"0.6"' in line for line in found)
    assert dict(dataset.namespaces())["primad"] == rdflib.URIRef(PRIMAD)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # rdflib's, of its own serializer
        assert triples(dataset.serialize(format="nquads")) == triples(run.nquads())


# The base -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "base",
    [
        "https://example.net/",
        "https://example.net/runs/2026/",
        "http://localhost:8080/id/",
        "urn:x-runs:/",
    ],
)
def test_another_base(base: str) -> None:
    header = parse_header(GOOD)
    run = Lifter(base=base).lift(header, ranking=RANKING)
    assert all(graph.iri.startswith(base) for graph in run.graphs)
    assert BASE not in run.nquads()
    default = LIFTER.lift(header, ranking=RANKING)
    assert run.nquads().replace(base, BASE) == default.nquads()
    assert lowered(run) == lowered(default)


@pytest.mark.parametrize(
    "base",
    [
        "",
        "/",
        "runs/",
        "//example.org/",
        "example.org/",
        "https://example.org",  # would run into the next word
        "https://example.org/runs",
        "https://example.org/a b/",
        "https://example.org/{x}/",
        "https://example.org/<x>/",
        "C:/",
        # A fragment below a fragment is not an IRI: …#platform/1234#cpu.
        "https://example.org/runs#",
        "https://example.org/runs#/",
        # A relative IRI would lose the query, or walk up.
        "https://example.org/?runs=/",
        "https://example.org/a/../b/",
        "https://example.org/a/./b/",
    ],
)
def test_no_base(base: str) -> None:
    with pytest.raises(PrimadError, match="base"):
        Lifter(base=base)
    with pytest.raises(PrimadError, match="base"):
        lift(header_of({"tag": "x"}), base=base)
