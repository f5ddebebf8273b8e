"""What is added to what archives say: what people search by, in terms of others."""

from __future__ import annotations

import re

from support import (
    PRIMAD,
    good,
)
from support.made import (
    draft_of,
    graphs_of,
    nanopubs_of,
    read_back,
    run_of,
)

# Of runs ----------------------------------------------------------------------------------


def test_what_people_search_by_stands_flat_on_the_run() -> None:
    (draft,) = draft_of().drafts
    run = run_of().run.iri
    for line in (
        f'<{run}> <{PRIMAD}concernsTag> "hedge-bm25" .',
        f'<{run}> <{PRIMAD}concernsCollection> "garden/2026" .',
        f'<{run}> <{PRIMAD}concernsCollection> "Garden" .',
        f"<{run}> <{PRIMAD}concernsPublication> <https://doi.org/10.1007/978-3-030-15712-8_26> .",
    ):
        assert line in draft.triples


def test_what_an_archive_makes_anew_stays_out() -> None:
    lifted, (draft,) = run_of(), draft_of().drafts
    assert f"<{PRIMAD}summary>" in lifted.run.triples
    assert f"<{PRIMAD}methodIdentity>" in lifted.run.triples
    assert not re.search(rf"<{PRIMAD}(summary|\w+Identity)>", draft.triples)


def test_a_text_that_looks_like_a_statement_is_a_text() -> None:
    fields = good(tag=f"a> <{PRIMAD}summary> <b")
    drafted = draft_of(fields)
    assert f'"a> <{PRIMAD}summary> <b"' in drafted.drafts[0].triples
    assert read_back(nanopubs_of(drafted.drafts)) == graphs_of(run_of(fields))
