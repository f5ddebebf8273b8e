"""The pairs of a study, from headers and from a study file."""

from __future__ import annotations

import json

import pytest
from support.studies import archive_of, lifted, study

from primad_ld.archive.runs import record_of_lifted
from primad_ld.archive.tag_resolution import resolve_run
from primad_ld.core.errors import ArchiveError, HeaderError
from primad_ld.search.pair_selection import Selection, study_pairs
from primad_ld.search.run_lookup import LookedUp
from primad_ld.search.studies import find_pairs, read_study


def record(fields):
    return record_of_lifted(lifted(fields))


def found(*headers):
    return find_pairs([record(fields) for fields in headers])


def shown(pairs):
    """The tags of the runs of each pair."""
    return [
        tuple(
            run.tag if run is not None else None
            for run in (
                one.baseline,
                one.advanced,
                one.reproduced_baseline,
                one.reproduced_advanced,
            )
        )
        for one in pairs.pairs
    ]


def stages(*names):
    return {"retrieval": [{"name": name} for name in names]}


B = study("b")
A = study("a", baselines=("b",))
PAIR = ("b", "a", None, None)


def again(tag, target, *, team="moles", on="garden", **more):
    """A run that reproduces another one."""
    return study(tag, team=team, on=on, baselines=(target,), reproduces=True, **more)


RB, RA = again("rb", "b"), again("ra", "a")
WHOLE = ("b", "a", "rb", "ra")

CASES = [
    # An experimenter names the baseline.
    ([B, A], [PAIR]),
    ([B], []),
    ([B, study("c")], []),  # nobody names anybody
    # A reproducer names the run that is reproduced, which is no baseline.
    ([B, RB], []),
    ([B, A, RB], [PAIR]),
    ([B, A, RA], [PAIR]),
    ([B, A, RB, RA], [PAIR, WHOLE]),
    ([RA, RB, A, B], [PAIR, WHOLE]),  # in any order
    # On other data, both of them.
    ([B, A, again("rb", "b", on="heath"), again("ra", "a", on="heath")], [PAIR, WHOLE]),
    # Not on the same topics, or not by one team: these do not belong together.
    ([B, A, again("rb", "b", on="heath"), RA], [PAIR]),
    ([B, A, again("rb", "b", team="voles"), RA], [PAIR]),
    ([B, A, again("rb", "b", on={}), again("ra", "a", on={})], [PAIR]),
    # Twice: by two teams, or on two collections.
    ([B, A, RB, RA, again("sb", "b", team="voles"), again("sa", "a", team="voles")],
     [PAIR, WHOLE, ("b", "a", "sb", "sa")]),
    ([B, A, RB, RA, again("rb-h", "b", on="heath"), again("ra-h", "a", on="heath")],
     [PAIR, WHOLE, ("b", "a", "rb-h", "ra-h")]),
    # The pipelines need not contain each other.
    ([study("b", method=stages("dense")), study("a", baselines=("b"), method=stages("qld")),
     again("rb", "b", method=stages("x", "y")), again("ra", "a", method=stages("z"))],
     [PAIR, WHOLE]),
    # Two advanced runs of one baseline, and two baselines of one run.
    ([B, A, study("c", baselines=("b",))], [PAIR, ("b", "c", None, None)]),
    ([B, study("c"), study("a", baselines=("b", "c"))], [PAIR, ("c", "a", None, None)]),
    # A chain: what is a baseline here may be advanced there.
    ([B, A, study("c", baselines=("a",))], [PAIR, ("a", "c", None, None)]),
    # Two labs with the same tags.
    ([B, A, study("b", team="voles"), study("a", team="voles", baselines=("b"))], [PAIR, PAIR]),
]  # fmt: skip


@pytest.mark.parametrize(("headers", "wanted"), CASES)
def test_what_headers_say(headers, wanted):
    pairs = found(*headers)
    assert sorted(shown(pairs), key=str) == sorted(wanted, key=str)
    assert pairs.notes == ()
    # The order in which runs come makes no difference.
    assert found(*reversed(headers)) == pairs


def test_a_reproduction_comes_after_the_pair_that_it_reproduces():
    assert shown(found(RB, RA, A, B)) == [PAIR, WHOLE]


def test_two_labs_with_the_same_tags_are_kept_apart():
    pairs = found(B, A, study("b", team="voles"), study("a", team="voles", baselines=("b",)))
    assert [(one.baseline.teams, one.advanced.teams) for one in pairs.pairs] in (
        [(("hedgehogs",),) * 2, (("voles",),) * 2],
        [(("voles",),) * 2, (("hedgehogs",),) * 2],
    )


# What cannot be told is said and not guessed ------------------------------------------------------


NAMESAKES = [study("b", team="voles"), study("b", team="toads")]
NOT_AMONG = "which is not among these runs"
#: Headers, the pairs that are clear, and what a note says of the others.
UNCLEAR = [
    ([A], [], [f"a names 'b', {NOT_AMONG}"]),
    ([B, A, RB, again("ra", "gone")], [PAIR], [f"ra names 'gone', {NOT_AMONG}"]),
    (
        [study("b", year=2001), study("b", year=2002), A],
        [],
        [
            "a names 'b', but 2 runs have this tag: <",
            "2001",
            "2002",
            "name the right one in a study file",
        ],
    ),
    # The baseline is that of the own team, the target anybody's.
    ([B, A, *NAMESAKES, RB, RA], [PAIR], ["rb names 'b', but 3 runs have this tag"]),
    ([B, A, RB, RA, again("rb2", "b")], [PAIR], ["moles reproduced 'b' 2 times on garden: <"]),
    (
        [B, A, RB, RA, again("ra2", "a")],
        [PAIR],
        ["'a' 2 times", "name the runs that belong together"],
    ),
]


@pytest.mark.parametrize(("headers", "wanted", "words"), UNCLEAR)
def test_what_is_not_clear_is_a_note(headers, wanted, words):
    pairs = found(*headers)
    assert shown(pairs) == wanted
    (note,) = pairs.notes
    assert all(word in note for word in words)


def test_hostile_tags():
    for tag in ('"} DROP ALL', "a\nb", "\\", ">"):
        pairs = found(study(tag), study("a", baselines=(tag,)))
        assert shown(pairs) == [(tag, "a", None, None)]


# Study files ---------------------------------------------------------------------------------------

RUNS = [study("b", year=2001), study("b", year=2002), A, RB, RA]


@pytest.fixture
def archive():
    return archive_of(*RUNS)


def in_archive(engine, study_file):
    return study_pairs(LookedUp(engine=engine, run=None), study_file, Selection())


def test_a_study_file_settles_what_headers_do_not(archive, put):
    engine, (_, second, *_) = archive
    assert find_pairs(archive[1]).notes
    path = put(
        "study.yaml",
        f"pairs:\n- baseline: {second.iri}\n  advanced: a\n"
        "  reproduced baseline: rb\n  reproduced advanced: ra\n"
        f"- {{advanced: ra, baseline: rb}}\n",
    )
    pairs = in_archive(engine, path)
    assert shown(pairs) == [WHOLE, ("rb", "ra", None, None)]
    assert pairs.pairs[0].baseline == second
    assert pairs.notes == ()


def test_runs_by_the_names_of_their_files(archive, put):
    put("runs/mine.yaml", "tag: from a file\nactor: {team: moles}\n")
    put("runs/a run.txt", "# ir_metadata.start\n# tag: a run\n# ir_metadata.end\n1 Q0 d 1 1 t\n")
    path = put("study.yaml", "pairs:\n- baseline: runs/mine.yaml\n  advanced: runs/a run.txt\n")
    pairs = in_archive(archive[0], path)
    assert shown(pairs) == [("from a file", "a run", None, None)]
    assert pairs.pairs[0].baseline.teams == ("moles",)


def test_without_a_study_file_headers_are_asked(archive):
    engine, _ = archive
    with pytest.raises(ArchiveError, match=r"rb names 'b', but .*; a names 'b', but "):
        study_pairs(LookedUp(engine=engine, run=None), None, Selection())


@pytest.mark.parametrize("name", ["x" * 300, "a\tb", "with: colon", "/"])
def test_a_tag_that_no_file_could_have(name, put):
    engine, _ = archive_of(study(name), A)
    path = put("study.yaml", f"pairs:\n- {{baseline: a, advanced: {json.dumps(name)}}}\n")
    assert shown(in_archive(engine, path)) == [("a", name, None, None)]


#: A study file, and what its error says after the name of the file.
BAD = [
    ("", "1: a study file must be a list of pairs"),
    ("just a text", "1: "),
    ("- baseline: a", "1: "),
    ("pears: []", "1: a study file must be a list of pairs; give each pair the keys baseline, "
                  "advanced, "),
    ("pairs: []", "1: a study file must be a list of pairs"),
    ("pairs: {baseline: a}", "1: a study file must be a list of pairs"),
    ("pairs:\n- a", "2: pairs[1]: not a mapping of baseline, advanced"),
    ("pairs:\n- {}", "2: pairs[1].baseline: no run is named"),
    ("pairs:\n- baseline: a", "2: pairs[1].advanced: no run is named"),
    ("pairs:\n- {baseline: a, advanced: ra}\n- baseline: a\n  advanced: [ra]",
     "4: pairs[2].advanced: no run is named"),
    ("pairs:\n- baseline: a\n  advanced: ra\n  reproduced baseline: ''",
     "4: pairs[1].reproduced baseline: no run is named"),
    ("pairs:\n- baseline: a\n  advanced: ra\n  reproduced baseline: rb",
     "2: pairs[1]: a reproduced pair needs two runs"),
    ("pairs:\n- baseline: a\n  advance: ra",
     "3: pairs[1]: unknown key 'advance'; choose from baseline, advanced"),
    ("pairs:\n- baseline: a\n  advanced: gone",
     "3: pairs[1].advanced: the archive: no run is called"),
    ("pairs:\n- baseline: b\n  advanced: a",
     "2: pairs[1].baseline: the archive: 2 runs are called 'b'"),
    ("pairs:\n- baseline: a\n  baseline: b", "3: "),  # a key twice
    ("pairs:\n- baseline: &x a\n  advanced: *x", "3: "),  # aliases are refused
    ("pairs: [", "2: "),
    ("pairs:\n\t- a", "2: "),
]  # fmt: skip


@pytest.mark.parametrize(("text", "error"), BAD)
def test_bad_study_files_are_one_clear_error(archive, put, text, error):
    path = put("study.yaml", text)
    with pytest.raises(HeaderError) as caught:
        in_archive(archive[0], path)
    assert str(caught.value).startswith(f"{path}:{error}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"\x00\x01", b"\xff\xfep", b"pairs: \xff", None])
def test_what_is_no_study_file_at_all(archive, put, tmp_path, content):
    path = put("study.yaml", content) if content is not None else tmp_path / "study.yaml"
    with pytest.raises(HeaderError) as caught:
        in_archive(archive[0], path)
    assert str(caught.value).startswith(str(path))


def test_a_file_of_the_study_that_is_no_run(archive, put):
    broken = put("broken.yaml", "tag: x\ntag: y\n")
    path = put("study.yaml", "pairs:\n- {baseline: a, advanced: broken.yaml}\n")
    with pytest.raises(HeaderError, match="duplicate key") as caught:
        in_archive(archive[0], path)
    assert str(caught.value).startswith(f"{broken}:2: ")


def test_whatever_finds_the_runs(put):
    path = put("study.yaml", "pairs:\n- {baseline: one, advanced: other}\n")
    asked = []

    def resolve(name):
        asked.append(name)
        return record(study(name))

    assert shown(read_study(path, resolve)) == [("one", "other", None, None)]
    assert asked == ["one", "other"]


def test_an_ambiguous_tag_is_an_error_of_its_own(archive):
    with pytest.raises(ArchiveError, match="2 runs are called 'b'; name one by its IRI: <"):
        resolve_run(archive[0], "b")
