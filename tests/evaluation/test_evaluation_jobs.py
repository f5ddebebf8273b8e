"""Which pairs are evaluated: those of some types, compared by what is fetched at once."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from support import Put
from support.compared import all_types
from support.evaluated import study
from support.trials import FAIR, GOOD, header, run_text

from primad_ld import parse_header
from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.identities import Identities
from primad_ld.archive.query_results import Bindings
from primad_ld.archive.runs import select_records
from primad_ld.core.errors import HeaderError, MeasureError
from primad_ld.core.iris import BASE, PRIMAD
from primad_ld.evaluation.evaluated_runs import Entrant
from primad_ld.evaluation.evaluation_jobs import jobs_against
from primad_ld.evaluation.evaluations import (
    EvaluationOptions,
    evaluate_against,
)
from primad_ld.evaluation.runs_and_judgements import Judges
from primad_ld.rdf.lifting import Lifter
from primad_ld.schema.fields import default_schema


@pytest.mark.parametrize(
    ("change", "type"),
    [
        ((", commit: 0123456", ""), "pr?mad"),  # the commit is needed, and one side gives it
        (("team: hedgehogs, ", ""), "prim?d"),  # nothing names the actor on both sides
        (("actor:", "remarks:"), "prim-d"),  # no actor
    ],
)
def test_unknown_and_missing_pass_for_no_letter(put: Put, change: tuple[str, str], type: str):
    first = put("one.txt", run_text(GOOD, "one", header("one")))
    second = put("two.txt", run_text(FAIR, "two", header("two").replace(*change)))
    (pair,) = evaluate_against(first, second, EvaluationOptions(types=type)).pairs
    assert str(pair.by_key) == type
    every = [str(chosen) for chosen in all_types()]
    with pytest.raises(MeasureError, match=re.escape(f"; types of these pairs: 1 {type}")):
        evaluate_against(first, second, EvaluationOptions(types=every))
    swapped = type.translate(str.maketrans("?-", "-?"))
    with pytest.raises(
        MeasureError, match=re.escape(f"no pair has type {swapped}; types of these pairs: 1 ")
    ):
        evaluate_against(first, second, EvaluationOptions(types=swapped))


def test_pairs_of_other_types_are_not_read(put: Put):
    """Neither their rankings nor their judgements."""
    folder, qrels = study(put)
    damaged = put("damaged.txt", "1 0 a yes\n")
    for name in ("broken", "other"):
        said = header(name, team="voles", qrels="damaged.txt" if name == "other" else "qrels.txt")
        put(f"runs/{name}.txt", run_text(GOOD, name, said) + "1 Q0 z\n" * (name == "broken"))
    options = EvaluationOptions(qrels=(qrels, str(damaged)), on=("map",), types="priMad")
    found = evaluate_against(folder / "bm25.txt", [folder], options)
    assert (len(found.pairs), found.problems) == (1, ())
    with pytest.raises(HeaderError, match=r"damaged.txt:1"):
        evaluate_against(folder / "bm25.txt", [folder], replace(options, types=()))


@pytest.mark.parametrize("form", ["runs", "tables", "one header", "a file that cannot be read"])
def test_why_no_pair_has_a_type(put: Put, form: str):
    put("one.txt", run_text(GOOD, "one", header("one") if form == "one header" else ""))
    put("two.txt", run_text(FAIR, "two"))
    rows = "".join(f"{topic},0.{topic},0.{topic}\n" for topic in range(1, 5))
    put("ours_ap.csv", f"topic,one,two\n{rows}")
    one = put("one_ap.csv", "topic,one\n" + "".join(f"{n},0.{n}\n" for n in range(1, 5)))
    reference, others = one.parent / "one.txt", [one.parent / "two.txt"]
    if form == "tables":
        reference, others = one, [one.parent / "ours_ap.csv"]
    if form == "a file that cannot be read":
        put("runs/two.txt", run_text(FAIR, "two"))
        put("runs/bad.txt", run_text(GOOD, "bad", header("bad").replace("bad", "[")))
        others = [one.parent / "runs"]
    with pytest.raises(MeasureError) as caught:
        evaluate_against(reference, others, EvaluationOptions(types="priMad"))
    number = 2 if form == "tables" else 1
    told = str(caught.value)
    why = (
        f"no pair has type priMad; types of these pairs: {number} without a type, as a run "
        "has no header"
    )
    assert told.startswith(why)
    # It might have been of the type.
    assert ("bad.txt:" in told) == (form == "a file that cannot be read")


class CountingEngine(EmbeddedEngine):
    """An engine that counts what it is asked."""

    asked = 0

    def select(self, text: str, *, timeout: float | None = None) -> Bindings:
        self.asked += 1
        return super().select(text, timeout=timeout)


def test_what_runs_of_an_archive_are_compared_by_is_fetched_at_once():
    asked = []
    for count in (2, 30):
        engine = CountingEngine.memory()
        for number in range(count):
            text = header(f"r{number}", method=f"heath {number}", team=f"t{number}")
            lifted = Lifter().lift(parse_header(text))
            of = default_schema().root.fields
            identities = [
                identity.graph(BASE, of[component].predicate)
                for component, identity in lifted.identities.items()
            ]
            engine.add([*identities, *lifted.graphs])
        entrants = [
            Entrant(name=run.tag, path=run.tag, record=run)
            for run in select_records(engine, f"?run a <{PRIMAD}Run>")
        ]
        engine.asked = 0
        jobs = jobs_against(entrants[0], entrants, Judges(), Identities(engine))
        assert len(jobs) == count
        assert [str(job.type) for job in jobs] == ["primad", *["priMAd"] * (count - 1)]
        asked.append(engine.asked)
    assert asked[0] == asked[1] <= 2
