"""Measures of effectiveness are those of ir_measures, topic by topic and to the last bit.

It runs in a process of its own; IR_MEASURES_PY may name a Python that has it beside nothing else.
Each measure is asked for by itself: of several in one call some are taken for one another, by the
order of hashes. `nDCG@10` beside `nDCG(gains={1:1,2:3})@10` is .2197 or .2538 for the first run here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import reference_data

from primad_ld.trec.judgements import read_judgements
from primad_ld.trec.measure_names import canonical
from primad_ld.trec.rankings import read_rankings
from primad_ld.trec.scorer import Scorer

DATA = reference_data()
#: Under the names that people use for them, most of which are trec_eval's by another name.
BINARY = (
    "RR@10 RR@3 RR AP AP@10 P@5 nDCG@10 nDCG@7 nDCG nDCG(judged_only=True)@10 AP(judged_only=True) "
    "P(judged_only=True)@10 Judged@10 Judged@100 Judged Compat Compat(p=0.8) R@100 Rprec Bpref "
    "Compat(p=0.8,normalize=False) infAP SetP SetF SetF(beta=2.0) IPrec@0.1 IPrec@0.35 Success@5 "
    "SetP(relative=True) SetR SetAP NumQ NumRel NumRelRet RBP(rel=1) RBP(rel=1,p=0.5)"
).split()
GRADED = (
    "AP(rel=2) AP(rel=2)@20 P(rel=2)@5 RR(rel=2) RR(rel=2)@10 R(rel=2)@10 Rprec(rel=2) Bpref(rel=2) "
    "infAP(rel=2) SetP(rel=2) SetF(rel=2,beta=0.5) Success(rel=2)@5 IPrec(rel=2)@0.1 "
    "nDCG(gains={1:1,2:3})@10 BPM(max_rel=2)@10 SDCG(max_rel=2)@10 INST(max_rel=2) "
    "INSQ(max_rel=2) NERR8(max_rel=2)@10 NERR9(max_rel=2)@10 NERR10(max_rel=2) NERR11(max_rel=2)"
).split()


ONE_BY_ONE = """
import json, sys
import ir_measures
qrels, run, *names = sys.argv[1:]
qrels = list(ir_measures.read_trec_qrels(qrels))
run = list(ir_measures.read_trec_run(run))
found = {}
for name in names:
    scores = ir_measures.iter_calc([ir_measures.parse_measure(name)], qrels, run)
    found[name] = {one.query_id: one.value for one in scores}
json.dump(found, sys.stdout)
"""


def theirs(qrels: Path, run: Path, measures: list[str]) -> dict[str, dict[str, float]]:
    """What ir_measures computes, by measure and topic."""
    python = os.environ.get("IR_MEASURES_PY", sys.executable)
    command = [python, "-c", ONE_BY_ONE, str(qrels), str(run), *measures]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, dict[str, float]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        ("trec-covid/qrels-rnd1.txt", "trec-covid/irc_pubmed.txt.gz"),
        ("trec-covid/qrels-rnd1.txt", "trec-covid/irc_pmc.txt.gz"),
        ("vaswani/qrels.all.txt", "vaswani/runs/npl-bm25.txt.gz"),  # with 1,164 ties
        ("vaswani/qrels.all.txt", "vaswani/runs/repro-dph.txt.gz"),
        ("vaswani/qrels.a.txt", "vaswani/runs/second-prf-a.txt.gz"),
    ],
)
def test_every_measure_is_that_of_ir_measures(qrels: str, run: str, tmp_path: Path) -> None:
    judgements = read_judgements(DATA / qrels)
    ranking = read_rankings(DATA / run, in_single_precision=False)
    # Of equal scores RBP and its like take the first line, and we what trec_eval has first.
    lines = [
        f"{topic} Q0 {name} 0 {score!r} tag\n"
        for topic, names in ranking.documents.items()
        for name, score in zip(names, ranking.scores[topic], strict=True)
    ]
    (tmp_path / "run.txt").write_text("".join(lines), encoding="utf-8")
    is_graded = max(max(judged.values()) for judged in judgements.topics.values()) > 1
    wanted = [*BINARY, *(GRADED if is_graded else ())]
    names = {name: canonical(name) for name in wanted}
    assert len(set(names.values())) == len(names)
    ours = Scorer(judgements, list(names.values())).score(ranking)
    expected = theirs(DATA / qrels, tmp_path / "run.txt", wanted)
    for name, mine in names.items():
        by_topic = dict(zip(ours.topics, ours.values[mine], strict=True))
        assert by_topic == expected[name], name


@pytest.mark.parametrize("run", ["irc_pubmed", "irc_pmc"])
def test_shares_of_judged_documents_are_those_of_ir_measures(run: str) -> None:
    judgements = read_judgements(DATA / "trec-covid/qrels-rnd1.txt")
    ranking = read_rankings(DATA / f"trec-covid/{run}.txt.gz")
    scorer = Scorer(judgements, ["P_10", "ndcg_cut_100", "Judged@10", "Judged@100"])
    scores = scorer.score(ranking)
    assert set(scores.judged) == {10, 100}
    for cutoff, shares in scores.judged.items():
        assert shares == scores.values[f"Judged@{cutoff}"]
    mean = scores.judged_at(10, scores.topics)
    assert mean == pytest.approx({"irc_pubmed": 0.81, "irc_pmc": 0.68}[run])
