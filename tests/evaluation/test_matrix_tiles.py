"""Tiles: lists of any length and any names, in bands that are parts of a whole matrix."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from support.ranked import TILED, assert_says_what_pairs_say, some_runs, write_run

from primad_ld.evaluation import matrix_tiles
from primad_ld.evaluation.matrix import compute_matrix
from primad_ld.evaluation.matrix_tiles import bands, code_runs, compute_band, is_symmetric
from primad_ld.measures.measure_values import ranked_pair
from primad_ld.measures.numpy_kernels import WIDEST
from primad_ld.measures.registry import Chosen, parse_measure
from primad_ld.trec.rankings import read_rankings


@pytest.mark.parametrize(
    "size", [1, 32, 33, 1000, 1024, 1025]
)  # around a block, and the usual ones
def test_lists_of_many_lengths(tmp_path: Path, size: int) -> None:
    paths = some_runs(tmp_path, 3, sizes=(size,), pool=size + size // 2)
    paths += [tmp_path / "shorter.txt"]
    write_run(paths[-1], {"1": [f"doc-{one}" for one in range(max(1, size // 2))]})
    chosen = [parse_measure(one) for one in ("ktu", "ktu_first_seen", "tau_common", "rbo")]
    chosen.append(parse_measure("ktu(depth=5000)"))
    assert_says_what_pairs_say(compute_matrix(paths, chosen, processes=1), paths)


def test_lists_that_are_too_long_for_blocks(tmp_path: Path) -> None:
    paths = some_runs(tmp_path, 2, sizes=(WIDEST + 10,), pool=WIDEST + 500)
    chosen = [parse_measure(f"{one}(depth=10000)") for one in ("ktu", "ktu_first_seen", "rbo")]
    assert_says_what_pairs_say(compute_matrix(paths, chosen, processes=1), paths)


def test_more_runs_than_a_tile_has_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several tiles, and bands that end in the middle of one."""
    monkeypatch.setattr(matrix_tiles, "COLUMNS", 12)
    paths = some_runs(tmp_path, 40, sizes=(5,), pool=8)
    chosen = [parse_measure(one) for one in ("ktu", "ktu_first_seen", "rbo")]
    assert_says_what_pairs_say(compute_matrix(paths, chosen, processes=1), paths)


@pytest.mark.parametrize("chosen", TILED, ids=str)
def test_an_upper_band_is_part_of_a_whole_one(tmp_path: Path, chosen: Chosen) -> None:
    paths = list(map(str, some_runs(tmp_path, 20)))
    coded = code_runs(paths, tmp_path, depth=1000)
    (all_rows,) = compute_band(coded, [chosen], bands(20, is_upper=False, rows=20)[0])
    for upper, whole in zip(
        bands(20, is_upper=True, rows=7), bands(20, is_upper=False, rows=7), strict=True
    ):
        (some,), (every,) = (
            compute_band(coded, [chosen], upper),
            compute_band(coded, [chosen], whole),
        )
        for row in range(upper.start, upper.end):
            ours = some.values[row - upper.start, row - upper.start :]
            np.testing.assert_array_equal(ours, every.values[row - upper.start, row:])
            if is_symmetric(chosen):
                np.testing.assert_array_equal(ours, all_rows.values[row:, row])


def test_names_are_compared_as_python_does(tmp_path: Path) -> None:
    """Not by the order in which they came, nor by case or language."""
    names = ["b", "a", "B", "é", "z", "\U0001f600", "\uffff", "10", "9", "a-", "a"[:1] + "0"]
    rng = random.Random(1)
    paths = [
        write_run(tmp_path / f"{number}.txt", {"1": rng.sample(names, len(names))})
        for number in range(6)
    ]
    assert_says_what_pairs_say(compute_matrix(paths, TILED, processes=1), paths)


def test_more_documents_than_two_bytes_can_tell(tmp_path: Path) -> None:
    rng = random.Random(4)
    every = [f"{one:06d}" for one in range(70_000)]
    rng.shuffle(every)
    paths = [
        write_run(tmp_path / f"{number}.txt", {"1": every[number * 900 : number * 900 + 1000]})
        for number in range(77)
    ]
    folder = tmp_path / "coded"
    folder.mkdir()
    coded = code_runs(list(map(str, paths)), folder, depth=1000)
    assert coded.codes[0].dtype == np.int32
    assert coded.documents.tolist() == [900 * 76 + 1000]
    chosen = [parse_measure("ktu"), parse_measure("rbo")]
    found = compute_band(coded, chosen, bands(77, is_upper=True, rows=1)[0])
    first = read_rankings(paths[0])
    for other in (0, 1, 2, 76):
        pair = ranked_pair(first, read_rankings(paths[other]))
        assert [strip.values[0, other] for strip in found] == [
            one.ask(pair).value for one in chosen
        ]
