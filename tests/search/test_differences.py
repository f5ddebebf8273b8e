"""Field by field, how two runs differ."""

from __future__ import annotations

import pytest
from support.studies import OTHER, archive_of, header, lifted

from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.engine_index import EngineIndex
from primad_ld.archive.runs import record_of_lifted
from primad_ld.search.comparison import Difference, DifferenceFinder


def differences(one, other):
    """Of two headers, by component."""
    engine, (first, second) = archive_of(one | {"tag": "a"}, other | {"tag": "b"})
    return DifferenceFinder(EngineIndex(engine)).differences(first, second)


def told(found):
    """Paths with both values and what is known of the difference, in short."""
    return [
        (
            one.path,
            one.reference,
            one.candidate,
            "spelling" if one.is_spelling else "key" if one.identifies else "",
        )
        for one in found
    ]


def method(*stages, **more):
    return {"retrieval": list(stages), **more}


BM25 = {"name": "bm25", "k1": "0.9", "b": "0.4"}
PRF = {"name": "prf", "fb docs": "10", "reranks": "bm25"}
CPU = {"model": "X", "architecture": "x86_64"}

CASES = [
    # A parameter of the first stage.
    ("method", method(BM25), method(BM25 | {"k1": "1.2"}),
     [("retrieval[1].k1", "0.9", "1.2", "key")]),
    # The second one; the first is the same.
    ("method", method(BM25, PRF), method(BM25, PRF | {"fb docs": "20"}),
     [("retrieval[2].fb docs", "10", "20", "key")]),
    # A parameter on one side only.
    ("method", method(BM25), method(BM25 | {"x": "1"}), [("retrieval[1].x", None, "1", "key")]),
    # A stage on one side only, whole.
    ("method", method(BM25), method(BM25, PRF), [("retrieval[2]", None, PRF, "key")]),
    ("method", method(BM25, PRF), method(BM25), [("retrieval[2]", PRF, None, "key")]),
    # No pipeline at all.
    ("method", {"score ties": "x"}, method(BM25) | {"score ties": "x"},
     [("retrieval[1]", None, BM25, "key")]),
    # Two spellings of a number, and one that is another number, in the same stage.
    ("method", method(BM25), method(BM25 | {"k1": "0.90", "b": "0.5"}),
     [("retrieval[1].b", "0.4", "0.5", "key")]),
    # Names that say nothing of a path.
    ("method", method({"name": "x", "a.b": "1", "c[2]": "1", "ä ö": "1", "<>": "1", "'": "1"}),
     method({"name": "x", "a.b": "2", "c[2]": "2", "ä ö": "2", "<>": "2", "'": "2"}), [
     ("retrieval[1].'", "1", "2", "key"), ("retrieval[1].<>", "1", "2", "key"),
     ("retrieval[1].a.b", "1", "2", "key"), ("retrieval[1].c[2]", "1", "2", "key"),
     ("retrieval[1].ä ö", "1", "2", "key")]),
    # Parameters inside one.
    ("method", method({"name": "x", "of": {"p": "1", "q": "2"}}),
     method({"name": "x", "of": {"p": "1", "q": "3"}}), [("retrieval[1].of.q", "2", "3", "key")]),
    # A list has an order.
    ("method", method({"name": "x", "w": ["1", "2"]}), method({"name": "x", "w": ["2", "1"]}),
     [("retrieval[1].w", ["1", "2"], ["2", "1"], "key")]),
    # A name may stand in for a pipeline; a description does not.
    ("method", method(BM25) | {"name": "x", "description": "x"},
     method(BM25) | {"name": "y", "description": "y"},
     [("name", "x", "y", "key"), ("description", "x", "y", "")]),
    ("method", method(BM25) | {"indexing": {"stemmer": "Porter"}},
     method(BM25) | {"indexing": {"stemmer": "none"}},
     [("indexing.stemmer", "Porter", "none", "key")]),
    (
        "platform",
        {"hardware": {"cpu": CPU}, "software": {"libraries": {"python": ["a==1", "b==1"]}}},
        {"hardware": {"cpu": CPU}, "software": {"libraries": {"python": ["a==1", "c==1"]}}},
        [
            (
                "software.libraries.python",
                ["a==1", "b==1"],
                ["a==1", "c==1"],
                "key",  # libraries distinguish
            )
        ],
    ),
    ("platform", {"hardware": {"cpu": CPU}, "software": {"libraries": {"python": ["a==1"]}}},
     {"hardware": {"cpu": CPU | {"model": "Y"}}}, [("hardware.cpu.model", "X", "Y", "key"),
     ("software", {"libraries": {"python": ["a==1"]}}, None, "")]),
    # The order of a set is no difference, also beside one that is.
    ("platform",
     {"hardware": {"ram": "1 GB"}, "software": {"libraries": {"python": ["a==1", "b==1"]}}},
     {"hardware": {"ram": "2 GB"}, "software": {"libraries": {"python": ["b==1", "a==1"]}}},
     [("hardware.ram", "1 GB", "2 GB", "")]),
    ("research goal",
     {"venue": {"name": "x"}, "evaluation": {"reported measures": ["map", "ndcg"]}},
     {"venue": {"name": "y"}, "evaluation": {"reported measures": ["ndcg", "map"]}},
     [("venue.name", "x", "y", "key")]),
    # Sets of mappings.
    ("data", {"test collection": {"name": "x"}, "other": [{"name": "a"}, {"name": "b"}]},
     {"test collection": {"name": "y"}, "other": [{"name": "b"}, {"name": "a"}]},
     [("test collection.name", "x", "y", "key")]),
    ("implementation", {"source": {"repository": "https://a.org/x", "commit": "0123456"}},
     {"source": {"repository": "https://a.org/x.git", "commit": "0123456789"}}, [
     ("source.commit", "0123456", "0123456789", "spelling")]),
    # The venue is compared, if not where an identifier is shared.
    ("research goal", {"publication": {"doi": "10.1145/3"}, "venue": {"name": "x"}},
     {"publication": {"doi": "10.1145/3"}, "venue": {"name": "y"}},
     [("venue.name", "x", "y", "key")]),
    ("actor", {"team": "x", "name": "Ada"}, {"team": "x", "name": "Ben"},
     [("name", "Ada", "Ben", "")]),
    ("actor", {"team": "x"}, {"team": "y"}, [("team", "x", "y", "key")]),
    # Keys that the schema does not know come last.
    ("data", {"a key": "1", "test collection": {"name": "x"}},
     {"a key": "2", "test collection": {"name": "y"}},
     [("test collection.name", "x", "y", "key"), ("a key", "1", "2", "")]),
]  # fmt: skip


def swapped(rows):
    return [(path, candidate, reference, kind) for path, reference, candidate, kind in rows]


@pytest.mark.parametrize(("key", "one", "other", "wanted"), CASES)
def test_differences(key, one, other, wanted):
    found = differences(header("") | {key: one}, header("") | {key: other})
    assert list(found) == [key]
    assert told(found[key]) == wanted
    back = differences(header("") | {key: other}, header("") | {key: one})
    assert told(back[key]) == swapped(wanted)


def test_two_actors_or_one_are_shown_whole():
    ada, ben = {"name": "Ada", "team": "x"}, {"name": "Ben", "team": "y"}
    found = differences(header("", actor=[ada, ben]), header("", actor=ada))
    (one,) = found["actor"]
    assert (one.path, one.candidate, one.identifies) == ("", ada, True)
    assert sorted(one.reference, key=str) == [ada, ben]


def test_components_come_in_the_order_of_the_acronym():
    found = differences(header(""), header("") | dict(reversed(OTHER.items())))
    assert list(found) == [
        "platform",
        "research goal",
        "implementation",
        "method",
        "actor",
        "data",
    ]
    assert all(any(one.identifies for one in listed) for listed in found.values())


@pytest.mark.parametrize("other", [header("b"), header("b", "method")])
def test_what_is_the_same_or_missing_is_left_out(other):
    assert differences(header("a"), other) == {}


def test_the_role_is_no_difference_between_actors():
    one, other = {"team": "x", "role": "experimenter"}, {"team": "x", "role": "reproducer"}
    assert differences(header("", actor=one), header("", actor=other)) == {}


def test_a_run_from_a_file_against_an_archive():
    engine, (archived,) = archive_of(header("b"))
    mine = lifted(header("a", method=OTHER["method"]))
    finder = DifferenceFinder(EngineIndex(engine, mine.graphs))
    reference = record_of_lifted(mine)
    finder.prepare([reference, archived])
    found = finder.differences(reference, archived)["method"]
    assert told(found) == [
        # What one header does not say at all.
        ("automatic", None, "true", "key"),
        ("indexing", None, {"stemmer": "Porter"}, ""),
        ("retrieval[1].k1", "1.2", "0.9", "key"),
    ]
    assert isinstance(found[0], Difference)


def test_what_many_runs_share_is_fetched_once():
    class Counting(EmbeddedEngine):
        asked = 0

        def select(self, text, *, timeout=None):
            type(self).asked += 1
            return super().select(text, timeout=timeout)

    engine, records = archive_of(
        *[header(f"t{n}", method={"retrieval": [{"name": "x", "k": str(n)}]}) for n in range(20)]
    )
    counting = Counting(engine.store, engine.name)
    finder = DifferenceFinder(EngineIndex(counting))
    finder.prepare(records)
    asked = Counting.asked
    found = [finder.differences(records[0], other) for other in records[1:]]
    assert [told(one["method"])[0][0] for one in found] == ["retrieval[1].k"] * 19
    assert asked <= 2
    assert Counting.asked == asked
