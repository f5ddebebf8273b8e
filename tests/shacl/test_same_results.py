"""Random shapes and data: the same results as pyshacl, whatever is remembered."""

from __future__ import annotations

from hypothesis import HealthCheck, given, reject, settings
from shaping import both, data_turtle, shapes_turtle

from primad_ld.errors import SchemaError


@settings(max_examples=300, suppress_health_check=list(HealthCheck))
@given(shapes_turtle(), data_turtle())
def test_random_shapes_give_the_results_of_pyshacl(shapes: str, data: str) -> None:
    try:
        own, reference = both(shapes, data)
    except SchemaError as error:
        # pyshacl ends with an error where a blank node is compared to something.
        assert "pyshacl" in str(error) and "BlankNode" in str(error), error
        reject()
    assert own == reference
