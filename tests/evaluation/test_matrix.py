"""All pairs of runs: what single evaluations say, in any number of processes."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.ranked import TILED, Lists, assert_says_what_pairs_say, some_runs, write_run

from primad_ld.core.errors import HeaderError, MeasureError
from primad_ld.evaluation import matrix as matrices
from primad_ld.evaluation import matrix_tiles
from primad_ld.evaluation.all_pairs import AllPairs
from primad_ld.evaluation.matrix import compute_matrix
from primad_ld.measures.registry import parse_measure
from primad_ld.trec.judgements import read_judgements
from primad_ld.trec.rankings import read_rankings
from primad_ld.trec.scorer import Scorer, TopicScores

# Rankings ---------------------------------------------------------------------------------

_names = st.lists(st.sampled_from([f"d{one}" for one in range(1, 12)]), unique=True, min_size=1)
_runs = st.lists(
    st.dictionaries(st.sampled_from(["1", "2", "3"]), _names, min_size=1), min_size=1, max_size=5
)


@given(_runs)
def test_a_matrix_says_what_pairs_say(
    tmp_path_factory: pytest.TempPathFactory, runs: list[Lists]
) -> None:
    """Lists of any length, topics that some runs lack, runs without a common topic."""
    folder = tmp_path_factory.mktemp("runs")
    paths = [write_run(folder / f"{number}.txt", run) for number, run in enumerate(runs)]
    assert_says_what_pairs_say(compute_matrix(paths, TILED, processes=1), paths)


def test_measures_without_tiles_are_asked_pair_by_pair(tmp_path: Path) -> None:
    paths = some_runs(tmp_path, 5)
    chosen = [parse_measure("rbo_ext"), parse_measure("ktu"), parse_measure("rbo_w")]
    found = compute_matrix(paths, chosen, processes=1)
    assert [str(layer.measure) for layer in found.layers] == ["rbo_ext", "ktu", "rbo_w"]
    assert_says_what_pairs_say(found, paths)


def test_the_same_bytes_in_any_number_of_processes(tmp_path: Path) -> None:
    paths = some_runs(tmp_path, 34, sizes=(4, 5), pool=8)
    chosen = [*TILED, parse_measure("rbo_ext"), parse_measure("rmse")]
    scores = [table(str(path), [number / 34, 0.5, 0.25]) for number, path in enumerate(paths)]
    one, two = (
        compute_matrix(paths, chosen, scores=scores, processes=processes) for processes in (1, 2)
    )
    assert AllPairs(matrix=one).text("json") == AllPairs(matrix=two).text("json")


def test_a_large_matrix_is_kept_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = some_runs(tmp_path, 4)
    expected = AllPairs(matrix=compute_matrix(paths, TILED, processes=1)).to_dicts()
    monkeypatch.setattr(matrices, "_IN_MEMORY", 0)
    found = compute_matrix(paths, TILED, processes=1)
    assert isinstance(found.layers[0]._values, np.memmap)
    assert AllPairs(matrix=found).to_dicts() == expected


# Scores -----------------------------------------------------------------------------------


def table(
    name: str, values: list[float], topics: tuple[str, ...] = ("1", "2", "10")
) -> TopicScores:
    return TopicScores(name=name, topics=topics, values={"map": values, "P_10": values[::-1]})


def test_only_the_pairs_that_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In tiles, pair by pair, of scores: what the whole matrix says of them, and no other pair."""
    monkeypatch.setattr(matrix_tiles, "COLUMNS", 12)
    paths = some_runs(tmp_path, 40, sizes=(5,), pool=8)
    write_run(paths[7], {"9": ["doc-1"]})  # no topic of the others: no value, and a reason
    scores = [
        TopicScores(name=path.stem, topics=("1", "2"), values={"map": (number / 40, 0.5)})
        for number, path in enumerate(paths)
    ]
    chosen = [*TILED, parse_measure("rbo_ext"), parse_measure("rmse")]
    rng = random.Random(17)
    # Whole bands and tiles without a pair, runs without one, and single pairs in between.
    asked = {(one, other) for one in range(3) for other in range(40) if rng.random() < 0.3}
    asked |= {(7, 7), (7, 8), (30, 31), (39, 39)}
    asked |= {(other, one) for one, other in asked}
    wanted = tuple([bytes((one, other) in asked for other in range(40)) for one in range(40)])
    whole = compute_matrix(paths, chosen, scores=scores, processes=1)
    some = compute_matrix(paths, chosen, scores=scores, wanted=wanted, processes=1)
    for layer, every in zip(some.layers, whole.layers, strict=True):
        expected = [
            [every.value(one, other) if (one, other) in asked else None for other in range(40)]
            for one in range(40)
        ]
        assert [list(layer.row(one)) for one in range(40)] == expected, str(layer.measure)
        assert dict(layer.reasons) == {k: v for k, v in every.reasons.items() if k in asked}
        for pair in asked:
            assert layer.topics(*pair) == every.topics(*pair)
    rows = [
        row
        for row in AllPairs(matrix=whole).to_dicts()
        if (paths.index(Path(row["reference"])), paths.index(Path(row["candidate"]))) in asked
    ]
    found = AllPairs(matrix=some)
    assert found.to_dicts() == rows
    assert len(found.table().rows) == len(rows) == len(asked) * len(chosen)


def test_runs_of_no_pair_that_is_asked_for_are_not_read(tmp_path: Path) -> None:
    """Where each pair is read by itself."""
    paths = some_runs(tmp_path, 3)
    wanted = (bytes((0, 1, 0)), bytes((1, 0, 0)), bytes(3))
    paths[2].write_text("damaged")
    (layer,) = compute_matrix(paths, [parse_measure("rbo_ext")], wanted=wanted, processes=1).layers
    assert layer.value(0, 1) is not None
    with pytest.raises(HeaderError):
        compute_matrix(paths, [parse_measure("rbo_ext")], processes=1)


def test_measures_of_scores(tmp_path: Path) -> None:
    """By the registry, on each measure of effectiveness."""
    paths = some_runs(tmp_path, 3)
    names = [f"doc-{one}" for one in range(0, 45, 2)]
    rows = [f"{topic} 0 {name} 1\n" for topic in (1, 2, 10) for name in names]
    (tmp_path / "qrels.txt").write_text("".join(rows))
    scorer = Scorer(read_judgements(tmp_path / "qrels.txt"), ["map", "P_10"])
    scores = [scorer.score(read_rankings(path)) for path in paths]
    chosen = [parse_measure(one) for one in ("rmse", "delta_arp", "t_test", "nrmse")]
    found = compute_matrix(paths, chosen, scores=scores, on=["map"], processes=1)
    assert [(layer.measure.id, layer.on) for layer in found.layers] == [
        (one.id, "map") for one in chosen
    ]
    rmse = found.find("rmse", "map")
    assert rmse is not None
    differences = [
        b - a for a, b in zip(scores[0].values["map"], scores[1].values["map"], strict=True)
    ]
    expected = (sum(one**2 for one in differences) / len(differences)) ** 0.5
    assert rmse.value(0, 1) == pytest.approx(expected, abs=1e-15)
    assert rmse.row(2)[2] == 0
    assert found.find("rmse", "P_10") is None


def test_scores_are_joined_by_topics() -> None:
    """In whatever order they stand; runs that have no common topic have no value."""
    scores = [
        table("a", [0.5, 0.25, 0.75]),
        table("b", [0.75, 0.5], ("10", "1")),
        table("c", [0.1], ("99",)),
    ]
    chosen = [parse_measure("rmse")]
    found = compute_matrix(["a", "b", "c"], chosen, scores=scores, on=["map"], processes=1).layers[
        0
    ]
    assert found.row(0) == (0.0, 0.0, None)
    assert [found.topics(0, other) for other in range(3)] == [3, 2, 0]
    assert found.reasons[0, 2] == "the runs have no topic in common"


def test_all_measures_of_effectiveness_that_every_run_has() -> None:
    other = TopicScores(
        name="b", topics=("1", "2", "10"), values={"P_10": [1, 1, 1], "ndcg": [0, 0, 0]}
    )
    scores = [table("a", [0, 0, 0]), other]
    found = compute_matrix(["a", "b"], [parse_measure("rmse")], scores=scores, processes=1)
    assert [layer.on for layer in found.layers] == ["P_10"]
    assert found.layers[0].row(0) == (0.0, 1.0)


# Progress and layers ----------------------------------------------------------------------


def test_progress_goes_from_one_to_all(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    chosen = [parse_measure(one) for one in ("ktu", "ktu_first_seen", "rbo_ext", "rmse")]
    scores = [table(str(number), [0.1 * number, 0, 0]) for number in range(20)]
    compute_matrix(
        some_runs(tmp_path, 20, sizes=(3,), pool=5),
        chosen,
        scores=scores,
        processes=1,
        progress=lambda done, total: steps.append((done, total)),
    )
    # 20 runs are read; two bands each of upper tiles, whole tiles, rankings and scores.
    assert steps == [(done, 28) for done in range(1, 29)]


def test_a_layer_without_pairs_leaves_its_original_as_it_was(tmp_path: Path) -> None:
    (whole,) = compute_matrix(some_runs(tmp_path, 3), [parse_measure("ktu")], processes=1).layers
    before = [whole.row(one) for one in range(3)]
    less = whole.without([0, 1, 2], [(0, 1), (1, 0)], {(0, 1): "other data"})
    assert [whole.row(one) for one in range(3)] == before
    assert [less.row(one) for one in range(3)] == [
        (before[0][0], None, before[0][2]),
        (None, *before[1][1:]),
        before[2],
    ]
    assert (whole.reasons, less.reasons) == ({}, {(0, 1): "other data"})


# What makes no sense ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("runs", "measure", "given", "why"),
    [
        ([], "ktu", {}, "there are no runs"),
        (["a", "a"], "ktu", {}, "two runs are called 'a'"),
        (["a", "b"], "ktu", {"names": ["a"]}, "2 runs have 1 names"),
        (["a", "b"], "er", {}, "er needs baselines"),
        (["a", "b"], "rmse", {}, "rmse needs scores: give judgements"),
        (["a", "b"], "t_test_unpaired", {}, "is for runs on different topics"),
        (["a", "b"], "rmse", {"scores": [table("a", [1, 1, 1])]}, "2 runs have scores of 1"),
        (
            ["a"],
            "rmse",
            {"scores": [table("a", [1, 1, 1])], "on": ["ndcg"]},
            "there are no scores of ndcg for a",
        ),
    ],
)
def test_nonsense_is_refused(runs: list[str], measure: str, given: dict, why: str) -> None:
    with pytest.raises(MeasureError, match=why):
        compute_matrix(runs, [parse_measure(measure)], processes=1, **given)


@pytest.mark.parametrize("processes", [1, 2])
def test_a_file_that_is_no_run_is_told_with_its_line(tmp_path: Path, processes: int) -> None:
    paths = some_runs(tmp_path, 10)
    paths[3].write_text("1 Q0 a 1 1 x\n1 Q0 a\n")
    with pytest.raises(HeaderError, match=r"run003\.txt:2: "):
        compute_matrix(paths, [parse_measure("ktu")], processes=processes)
