"""What a comparison shows: pairs, how many are of each type, pairs of a study, and explanations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support import Put
from support.trials import GOOD, header, run_text

from primad_ld.compare.primad_types import PrimadType
from primad_ld.search.pair_selection import (
    ComparedPairs,
    Selection,
    TypeCounts,
    compared,
    study_pairs,
)
from primad_ld.search.run_lookup import look_up


@pytest.fixture
def folder(put: Put) -> Path:
    """A run, one of another method, and one of which less is said."""
    put("runs/one.txt", run_text(GOOD, "one", header("one")))
    put("runs/two.txt", run_text(GOOD, "two", header("two", method="rerank")))
    text = header("bare").replace("actor:", "remarks:")
    return put("runs/bare.txt", run_text(GOOD, "bare", text)).parent


@pytest.fixture
def pairs(folder: Path) -> Iterator[ComparedPairs]:
    with look_up(folder / "one.txt", [folder]) as found:
        yield compared(found, Selection())


def test_a_row_for_each_pair(pairs: ComparedPairs) -> None:
    rows = pairs.rows()
    assert [(row["candidate"], row["primad"], row["prime"]) for row in rows.to_dicts()] == [
        ("two", "priMad", "PRIM'AD"),
        ("bare", "prim-d", "PRIM-D"),
    ]
    assert repr(rows) == "<PairRows: 2 pairs>"
    lines = rows.text().splitlines()
    assert lines[0] == "compared with one"
    assert [line.split()[0] for line in lines[2:4]] == ["priMad", "prim-d"]
    assert lines[-3:] == [
        "2 pairs",
        "1 priMad: method differs; everything else is the same",
        "1 prim-d: actor is not in both headers; everything else is the same",
    ]


def test_json_says_what_differs_and_how_many_pairs_there_are(pairs: ComparedPairs) -> None:
    record = pairs.rows(1, with_differences=True).record()
    assert (record["total"], len(record["types"]), len(record["pairs"])) == (2, 2, 1)
    assert record["pairs"][0]["differs"] == ["method.retrieval[1].name"]
    assert pairs.rows().record()["pairs"][1]["missing"] == {"actor": "candidate"}


def test_the_type_of_the_only_pair_is_a_sentence(folder: Path) -> None:
    with look_up(folder / "one.txt", [folder / "two.txt"]) as found:
        text = compared(found, Selection()).rows().text()
    assert text.startswith("priMad: method differs; everything else is the same\n")
    assert "pairs" not in text


def test_explanations_say_what_decided(pairs: ComparedPairs) -> None:
    rows = pairs.rows(explained=True)
    lines = [line.split() for line in rows.text().splitlines()]
    assert ["method.retrieval[1].name", "bm25", "rerank"] in lines
    assert ["actor", "missing", "in", "the", "candidate"] in lines
    assert "missing" not in pairs.rows().text()
    (field,) = rows.record()["pairs"][0]["fields"]
    assert (field["reference"], field["candidate"], field["identifies"]) == ("bm25", "rerank", True)


def test_numbers_by_type() -> None:
    counts = {PrimadType.parse("priMad"): 1200, PrimadType.parse("PrIMAd"): 1}
    found = TypeCounts(counts=counts)
    assert found.text() == (
        "type    pairs  meaning\n"
        "priMad  1,200  method differs; everything else is the same\n"
        "PrIMAd      1  platform, implementation, method and actor differ; everything else is "
        "the same\n"
    )
    assert [(row["primad"], row["prime"], row["pairs"]) for row in found.to_dicts()] == [
        ("priMad", "PRIM'AD", 1200),
        ("PrIMAd", "P'RI'M'A'D", 1),
    ]


def test_pairs_of_a_study_have_four_runs(put: Put) -> None:
    texts = {
        "base": header("base"),
        "adv": header("adv", method="rerank", baseline="base"),
        "again": header("again", team="moles", role="reproducer", baseline="base"),
        "adv-again": header(
            "adv-again", team="moles", method="rerank", role="reproducer", baseline="adv"
        ),
    }
    paths = [put(f"{tag}.txt", run_text(GOOD, tag, text)) for tag, text in texts.items()]
    with look_up(None, paths) as found:
        study = study_pairs(found, None, Selection())
    (pair,) = [row for row in study.to_dicts() if row["candidate"]]
    names = ("reference", "reference_advanced", "candidate", "candidate_advanced")
    assert [pair[name] for name in names] == list(texts)
    assert all(pair[f"{name}_iri"] for name in names)
    assert (pair["team"], pair["collection"]) == ("moles", "Garden")
    assert all(tag in study.text() for tag in texts)
