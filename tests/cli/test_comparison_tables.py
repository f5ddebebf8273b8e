"""What compare prints: pairs, how many are of each type, pairs of a study, and explanations."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

import pytest
from support import Put
from support.trials import GOOD, header, run_text

from primad_ld import look_up
from primad_ld.cli.comparison_tables import COMPARISONS, GROUPS, PAIRS
from primad_ld.compare.primad_types import PrimadType
from primad_ld.search.pair_selection import PairRows, Selection, compared, study_pairs

COUNTS = {PrimadType.parse("priMad"): 1200, PrimadType.parse("PrIMAd"): 1}


@pytest.fixture
def rows(put: Put) -> Iterator[PairRows]:
    """A run with one of another method and one of which less is said."""
    put("runs/one.txt", run_text(GOOD, "one", header("one")))
    put("runs/two.txt", run_text(GOOD, "two", header("two", method="rerank")))
    text = header("bare").replace("actor:", "remarks:")
    folder = put("runs/bare.txt", run_text(GOOD, "bare", text)).parent
    with look_up(folder / "one.txt", [folder]) as found:
        yield compared(found, Selection()).rows(with_differences=True)


def test_each_format_has_each_pair(rows: PairRows) -> None:
    found = json.loads(COMPARISONS["json"](rows, False))
    expected = [(one["candidate"], one["primad"]) for one in found]
    assert expected == [("two", "priMad"), ("bare", "prim-d")]
    for format, delimiter in (("csv", ","), ("tsv", "\t")):
        lines = csv.DictReader(io.StringIO(COMPARISONS[format](rows, False)), delimiter=delimiter)
        assert [(line["candidate"], line["primad"]) for line in lines] == expected
    table = COMPARISONS["table"](rows, False).splitlines()
    assert [line.split()[0] for line in table[1:3]] == ["priMad", "prim-d"]


def test_explanations_say_what_decided(rows: PairRows) -> None:
    text = COMPARISONS["table"](rows, True)
    assert "method.retrieval[1].name: bm25 → rerank\n" in text
    assert "actor: missing in the candidate\n" in text
    assert "missing" not in COMPARISONS["table"](rows, False)
    first, _ = json.loads(COMPARISONS["json"](rows, True))
    (field,) = [one for one in first["fields"] if one["field"] == "method.retrieval[1].name"]
    assert (field["reference"], field["candidate"]) == ("bm25", "rerank")
    assert field["identifies"] is True


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("csv", "primad,prime,pairs\npriMad,PRIM'AD,1200\nPrIMAd,P'RI'M'A'D,1\n"),
        ("tsv", "primad\tprime\tpairs\npriMad\tPRIM'AD\t1200\nPrIMAd\tP'RI'M'A'D\t1\n"),
        (
            "table",
            "type    written with primes  pairs\n"
            "priMad  PRIM'AD              1,200\n"
            "PrIMAd  P'RI'M'A'D               1\n",
        ),
    ],
)
def test_numbers_by_type(format: str, text: str) -> None:
    assert GROUPS[format](COUNTS) == text


def test_pairs_of_a_study_have_four_runs(put: Put) -> None:
    said = {
        "base": header("base"),
        "adv": header("adv", method="rerank", baseline="base"),
        "again": header("again", team="moles", role="reproducer", baseline="base"),
        "adv-again": header(
            "adv-again", team="moles", method="rerank", role="reproducer", baseline="adv"
        ),
    }
    paths = [put(f"{tag}.txt", run_text(GOOD, tag, text)) for tag, text in said.items()]
    with look_up(None, paths) as found:
        study = study_pairs(found, None, Selection())
    (pair,) = [one for one in json.loads(PAIRS["json"](study)) if one["candidate"]]
    names = ("reference", "reference_advanced", "candidate", "candidate_advanced")
    assert [pair[name] for name in names] == ["base", "adv", "again", "adv-again"]
    lines = csv.DictReader(io.StringIO(PAIRS["csv"](study)))
    (line,) = [one for one in lines if one["candidate"]]
    assert [line[name] for name in names] == list(said)
    assert all(tag in PAIRS["table"](study) for tag in said)
