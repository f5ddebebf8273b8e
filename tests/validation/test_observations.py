"""Facts about a run: one line of N-Triples each, whatever they say."""

from __future__ import annotations

import pyoxigraph
import pytest

from primad_ld.core.iris import PRIMAD
from primad_ld.validation.observations import Observation

RUN = "https://example.org/run/a"


@pytest.mark.parametrize(
    "value", ["", "tag", 'say "it"\\', "line\nbreak\r\t", "\u00e9\u2028\U0001f600"], ids=repr
)
def test_a_fact_is_one_statement(value: str) -> None:
    line = Observation("tagInFile", value).triple(RUN)
    (found,) = pyoxigraph.parse(line, format=pyoxigraph.RdfFormat.N_TRIPLES)
    assert line.count("\n") == 1
    assert found.subject == pyoxigraph.NamedNode(RUN)
    assert found.predicate == pyoxigraph.NamedNode(f"{PRIMAD}tagInFile")
    assert found.object == pyoxigraph.Literal(value)
