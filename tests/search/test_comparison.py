"""The type of pairs of runs: by key and strictly, one pair and an archive at once."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import headers, shuffled
from support.studies import KEYS, OTHER, archive_of, fill, header, lifted

from primad_ld.archive.runs import fetch_record, record_of_lifted
from primad_ld.compare.primad_types import PrimadType
from primad_ld.search import comparison
from primad_ld.search.comparison import (
    compare_pairs,
    compare_records,
    compare_to_all,
    missing_components,
)


def record(fields):
    return record_of_lifted(lifted(fields))


def types(one, other):
    """Of a pair of headers, by key and strictly."""
    found = compare_records(record(one), record(other))
    return found.by_key.letters, found.strict.letters


def with_component(key, value, tag="b"):
    return header(tag) | {key: value}


def letters_of(keys):
    """What the type is if these components differ."""
    return "".join(
        letter.upper() if key in keys else letter
        for letter, key in zip("primad", KEYS, strict=True)
    )


SUBSETS = [
    subset for size in range(7) for subset in itertools.combinations(KEYS, size)
]  # 64 of them


# One pair ----------------------------------------------------------------------------------


@pytest.mark.parametrize("changed", SUBSETS, ids=letters_of)
def test_all_64_types(changed):
    other = header("b") | {key: OTHER[key] for key in changed}
    # By key nothing else differs, and what differs by key is not the same strictly.
    assert types(header("a"), other) == (letters_of(changed), letters_of(changed))
    assert types(other, header("a")) == (letters_of(changed), letters_of(changed))


#: A component, how two headers write it, and its letter by key and strictly.
PLATFORM = {"hardware": {"cpu": {"model": "Example CPU"}}}
STAGE = {"name": "bm25", "k1": "0.90", "fb docs": "10"}
WAYS = [
    ("platform", PLATFORM, PLATFORM | {"software": {"libraries": {"python": ["x"]}}}, "p", "P"),
    ("platform", PLATFORM, PLATFORM | {"hardware": {"cpu": {"model": "Other"}}}, "P", "P"),
    # Without what names it, nobody can tell, however alike two components are.
    ("platform", {"hardware": {"ram": "24 GB"}}, {"hardware": {"ram": "48 GB"}}, "?", "P"),
    ("platform", {"hardware": {"ram": "24 GB"}}, {"hardware": {"ram": "24 GB"}}, "?", "p"),
    # The publication counts before the venue.
    ("research goal", {"publication": {"doi": "10.1145/3"}, "venue": {"name": "ECIR"}},
     {"publication": {"doi": "https://doi.org/10.1145/3"}, "venue": {"name": "SIGIR"}}, "r", "R"),
    ("research goal", {"publication": {"doi": "10.1145/3"}},
     {"publication": {"doi": "10.1145/4"}}, "R", "R"),
    (
        "research goal",
        {"evaluation": {"reported measures": ["map", "P@10"]}},
        {"evaluation": {"reported measures": ["P_10", "AP"]}},  # spellings of the same
        "?",
        "r",
    ),
    (
        "research goal",
        {"evaluation": {"reported measures": ["map", "P@10"]}},
        {"evaluation": {"reported measures": ["P_10"]}},  # measures decide nothing
        "?",
        "R",
    ),
    # What belongs to the run does not tell components apart.
    ("research goal", {"publication": {"doi": "10.1145/3"}, "evaluation": {"baseline": ["x"]}},
     {"publication": {"doi": "10.1145/3"}, "evaluation": {"baseline": ["y"]}}, "r", "r"),
    ("implementation", {"source": {"repository": "https://a.org/x", "commit": "0123456"}},
     {"source": {"repository": "http://www.a.org/x.git", "commit": "0123456789abcdef"}}, "i", "I"),
    ("implementation", {"source": {"repository": "https://a.org/x", "lang": ["C"]}},
     {"source": {"repository": "https://a.org/x", "lang": ["D"]}}, "i", "I"),
    ("method", {"retrieval": [STAGE]}, {"retrieval": [STAGE | {"k1": "0.9"}]}, "m", "m"),
    ("method", {"retrieval": [STAGE]}, {"retrieval": [STAGE | {"k1": "0.91"}]}, "M", "M"),
    ("method", {"retrieval": [STAGE]}, {"retrieval": [STAGE, STAGE]}, "M", "M"),
    (
        "method",
        {"retrieval": [{"name": "a"}, {"name": "b"}]},
        {"retrieval": [{"name": "b"}, {"name": "a"}]},  # stages have an order
        "M",
        "M",
    ),
    ("method", {"retrieval": [STAGE], "score ties": "x"},
     {"retrieval": [STAGE], "score ties": "y"}, "m", "M"),
    # An actor by ORCID or team; a name identifies nobody.
    ("actor", {"orcid": "0000-0002-0661-7189", "team": "moles"},
     {"orcid": "https://orcid.org/0000-0002-0661-7189", "team": "hedgehogs"}, "a", "A"),
    ("actor", {"name": "Ada", "team": "moles"}, {"name": "Ben", "team": "moles"}, "a", "A"),
    ("actor", {"name": "Ada"}, {"name": "Ben"}, "?", "A"),
    (
        "actor",
        {"team": "moles", "role": "experimenter"},
        {"team": "moles", "role": "reproducer"},  # the role is this run's
        "a",
        "a",
    ),
    # Several actors: one in common is enough, whatever their order.
    ("actor", [{"team": "x"}, {"team": "y"}], [{"team": "y"}, {"team": "x"}], "a", "a"),
    ("actor", [{"team": "x"}, {"team": "y"}], {"team": "x"}, "a", "A"),
    ("actor", [{"team": "x"}, {"team": "y"}], {"team": "z"}, "A", "A"),
    (
        "actor",
        [{"team": "x", "name": "Ada"}, {"team": "x", "name": "Ben"}],
        {"team": "x", "name": "Ada"},  # one team, but two people
        "a",
        "A",
    ),
    ("data", {"test collection": {"ir_datasets": "garden", "name": "Garden"}},
     {"test collection": {"ir_datasets": "https://ir-datasets.com/garden", "name": "G."}}, "d",
     "D"),
    ("data", {"test collection": {"name": "Garden", "qrels": "https://a.org/q"}},
     {"test collection": {"name": "Garden", "qrels": "https://a.org/r"}}, "D", "D"),
    ("data", {"test collection": {"name": "Garden", "topics": "https://a.org/t"}},
     {"test collection": {"name": "Garden", "topics": "https://a.org/u"}}, "D", "D"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "one", "other", "by_key", "strict"), WAYS)
def test_by_key_and_strictly(key, one, other, by_key, strict):
    place = KEYS.index(key)
    found = types(with_component(key, one, "a"), with_component(key, other))
    assert (found[0][place], found[1][place]) == (by_key, strict)
    # The other five are the same.
    assert [letters[:place] + letters[place + 1 :] for letters in found] == [
        "primad"[:place] + "primad"[place + 1 :]
    ] * 2
    assert types(with_component(key, other, "a"), with_component(key, one)) == found


def test_the_order_in_which_a_header_is_written_does_not_count():
    fields = header("a")
    assert types(fields, shuffled(fields, 3) | {"tag": "b"}) == ("primad", "primad")


# Missing components --------------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("without_reference", "without_candidate", "where"),
    [(True, False, "reference"), (False, True, "candidate"), (True, True, "both")],
)
def test_a_missing_component_is_a_state_of_its_own(
    key, without_reference, without_candidate, where
):
    one = header("a", *([key] if without_reference else []))
    other = header("b", *([key] if without_candidate else []))
    wanted = "primad".replace(letters_of([key]).strip("primad").lower(), "-")
    assert types(one, other) == (wanted, wanted)
    assert missing_components(record(one), record(other)) == {key: where}


def test_nothing_is_missing_from_two_whole_headers():
    assert missing_components(record(header("a")), record(header("b"))) == {}


def test_each_header_may_lack_something_else():
    one, other = header("a", "platform", "data"), header("b", "data", "actor")
    assert types(one, other) == ("-rim--", "-rim--")
    found = missing_components(record(one), record(other))
    assert found == {"platform": "reference", "actor": "candidate", "data": "both"}
    assert list(found) == ["platform", "actor", "data"]


def test_two_tags_and_nothing_else():
    assert types({"tag": "a"}, {"tag": "b"}) == ("------", "------")


@pytest.mark.parametrize(
    "nothing",
    [
        {},
        None,
        "a platform",  # a text where a mapping belongs
        ["x"],
        {"hardware": {}},
    ],
)
def test_a_component_that_is_empty_or_of_a_wrong_kind_is_missing(nothing):
    found = types(header("a"), with_component("platform", nothing))
    # A mapping with an empty one inside is there, and names nothing.
    assert found[0][0] == ("?" if nothing == {"hardware": {}} else "-")
    assert found[0][1:] == "rimad"
    assert_both_ways_agree([header("a"), with_component("platform", nothing), header("c")])


def test_a_command_alone_names_no_implementation():
    one = with_component("implementation", {"executable": {"cmd": "./a"}}, "a")
    assert types(one, with_component("implementation", {"executable": {"cmd": "./b"}})) == (
        "pr?mad",
        "pr?mad",
    )


# All runs of an archive -----------------------------------------------------------------------


def assert_both_ways_agree(all_headers, engine=None):
    """The types by asking the archive, and by comparing records one by one."""
    if engine is None:
        engine, records = archive_of(*all_headers)
    else:
        records = fill(engine, *all_headers)
    runs = {one.iri: one for one in records}
    records = list(runs.values())
    for reference in records:
        assert fetch_record(engine, reference.iri) == reference
        wanted = {
            other.iri: compare_records(reference, other)
            for other in records
            if other.iri != reference.iri
        }
        found = compare_to_all(engine, reference)
        nearest = found.nearest()
        assert {one.candidate: one for one in nearest} == wanted
        assert [one.candidate for one in nearest] == sorted(
            wanted, key=lambda iri: (wanted[iri].order, iri)
        )
        assert found.counts() == Counter(one.by_key for one in wanted.values())
        assert sum(found.counts().values()) == found.total == len(records) - 1
        for most in (0, 1, 2, len(records)):
            assert found.nearest(most) == nearest[:most]


def many():
    """All 64 types, some with missing components, some with several actors."""
    found = [
        header(f"t{number}") | {key: OTHER[key] for key in changed}
        for number, changed in enumerate(SUBSETS)
    ]
    found += [header(f"without-{key}", key) for key in KEYS]
    found += [{"tag": "nothing"}, {"tag": "nothing-else", "platform": "x"}]
    found += [
        header("two", actor=[{"team": "hedgehogs"}, {"team": "moles"}]),
        header("two-more", actor=[{"team": "moles"}, {"team": "hedgehogs"}]),
        header("one-of-a-team", actor=[{"team": "hedgehogs", "name": "Ada"}]),
        header(
            "two-of-a-team",
            actor=[{"team": "hedgehogs", "name": "Ada"}, {"team": "hedgehogs", "name": "Ben"}],
        ),
    ]
    return found


@pytest.mark.parametrize(
    ("at_once", "asked"),
    [
        (comparison._AT_ONCE, comparison._MOST_ASKED),
        (2, comparison._MOST_ASKED),  # in many small lists
        (comparison._AT_ONCE, 0),  # too many to be asked for
    ],
)
def test_one_against_all_is_as_one_by_one(monkeypatch, at_once, asked):
    monkeypatch.setattr(comparison, "_AT_ONCE", at_once)
    monkeypatch.setattr(comparison, "_MOST_ASKED", asked)
    assert_both_ways_agree(many())


def test_on_every_engine(engine):
    chosen = random.Random(1).sample(many(), 18)
    assert_both_ways_agree(chosen, engine)


@settings(max_examples=40)
@given(st.data())
def test_headers_that_differ_in_all_ways(data):
    ways = [st.none(), st.just("keep"), st.just("other")]
    found = []
    for number in range(data.draw(st.integers(2, 5))):
        fields = header(f"t{number}")
        for key in KEYS:
            way = data.draw(st.one_of(*ways))
            if way is None:
                del fields[key]
            elif way == "other":
                fields[key] = data.draw(st.sampled_from(VALUES[key]))
        found.append(fields)
    assert_both_ways_agree(found)


VALUES = {
    key: [
        OTHER[key],
        *(way[1] for way in WAYS if way[0] == key),
        *(w[2] for w in WAYS if w[0] == key),
    ]
    for key in KEYS
}


@settings(max_examples=40)
@given(st.lists(headers, min_size=2, max_size=4))
def test_headers_as_nobody_would_write_them(found):
    assert_both_ways_agree(found)


def test_the_archive_may_hold_nothing_that_is_alike():
    engine, (reference, *_) = archive_of(
        header("a"), *[{"tag": tag} | dict(OTHER) for tag in ("x", "y", "z")]
    )
    found = compare_to_all(engine, reference)
    assert found.counts() == {PrimadType.of_letters("PRIMAD"): 3}
    assert [one.by_key.letters for one in found.nearest()] == ["PRIMAD"] * 3
    assert len(found.nearest(2)) == 2


def test_an_archive_with_the_reference_alone():
    engine, (reference,) = archive_of(header("a"))
    found = compare_to_all(engine, reference)
    assert (found.total, found.counts(), found.nearest()) == (0, {}, [])


def test_a_reference_that_is_not_in_the_archive():
    engine, records = archive_of(
        header("x"), header("y", method=OTHER["method"]), header("z", "data")
    )
    reference = record(header("from a file"))
    found = compare_to_all(engine, reference)
    assert found.total == 3
    assert {one.candidate: one.by_key.letters for one in found.nearest()} == dict(
        zip([one.iri for one in records], ["primad", "priMad", "prima-"], strict=True)
    )
    assert [one.by_key.letters for one in found.nearest()] == ["primad", "priMad", "prima-"]
    assert sum(found.counts().values()) == 3


def test_a_reference_that_lacks_components():
    engine, _ = archive_of(header("x"), header("y", method=OTHER["method"]))
    found = compare_to_all(engine, record(header("a", "method", "data")))
    assert found.counts() == {PrimadType.of_letters("pri-a-"): 2}


def test_every_pair_once():
    records = [record(fields) for fields in many()[:7]]
    pairs = [{one.reference, one.candidate} for one in compare_pairs(records)]
    assert len(pairs) == 21
    assert all(len(pair) == 2 for pair in pairs)
    assert len({frozenset(pair) for pair in pairs}) == 21
