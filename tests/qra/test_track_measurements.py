"""The scores of a track as measurements for QRA."""

from __future__ import annotations

import pytest
from support import ROOT, tracks
from support.tracks import SMALL

from primad_ld.qra.precision_assessments import PrecisionKind, Sameness, assess
from primad_ld.qra.reading import read_measurements
from primad_ld.qra.track_measurements import measurements_of_track

GARDEN = ROOT / "examples" / "replication" / "garden.yaml"


def test_submitted_and_obtained_scores_are_measurements() -> None:
    table = read_measurements(GARDEN)
    first = [
        one
        for one in table.measurements
        if (one.object, one.measurand) == ("greenhouse (bm25)", "map")
    ]
    assert [(one.study, one.text, one.is_original) for one in first] == [
        ("submitted", "0.6958", True),
        ("analyst A", "0.6958", False),
        ("analyst B", "0.6951", False),
        ("analyst C", "0.6958", False),
    ]
    assert first[0].conditions == {
        "system_code": "greenhouse (bm25)",
        "test_set": "garden test collection",
        "implementation": "trec_eval 9.0.8",
        "performed_by": "greenhouse",
    }
    assert first[1].conditions["performed_by"] == "analyst A (User)"
    assert first[1].conditions["compile_training_information"] == "Debian 12; 8 cores; 16 GB"
    assert (first[0].scale.minimum, first[0].scale.maximum) == (0, 1)
    assert first[2].line == 67


def test_precision_of_a_track() -> None:
    found = {(one.object, one.measurand): one for one in assess(read_measurements(GARDEN))}
    assert list(found) == [
        ("greenhouse (bm25)", "map"),
        ("greenhouse (bm25)", "P_10"),
        ("greenhouse (feedback)", "map"),
        ("greenhouse (feedback)", "P_10"),
        ("orchard", "map"),
        ("orchard", "P_10"),
    ]
    one = found["greenhouse (bm25)", "map"]
    assert one.kind is PrecisionKind.reproducibility
    # s = 0.00035, c4(4) = 0.921318, mean = 0.695625, factor 1 + 1/16.
    assert one.precision is not None
    assert one.precision.cv_star == pytest.approx(106.25 * 0.00035 / 0.9213177 / 0.695625, rel=1e-6)
    states = {each.key: each.state for each in one.conditions}
    assert states["system_code"] is Sameness.same
    # Nobody knows the machine of the team; those of the analysts differ.
    assert states["compile_training_information"] is Sameness.different
    assert found["orchard", "map"].n == 2


def test_what_is_not_known_is_no_condition() -> None:
    track = tracks.track(
        "analyst: A, system: S, scores: {F: 0.8}", text=SMALL.replace("A, role: user", "A")
    )
    table = measurements_of_track(track)
    assert [one.conditions for one in table.measurements[:2]] == [
        {"system_code": "S", "performed_by": "the system's authors"},
        {"system_code": "S", "performed_by": "analyst A"},
    ]
    assert not table.measurements[0].scale.is_stated


def test_systems_that_never_submitted_scores() -> None:
    text = "measures: {F: {}}\nsystems:\n- id: S\nanalysts:\n- id: A\n- id: B\n"
    track = tracks.track(
        "analyst: A, system: S, scores: {F: 0.8}",
        "analyst: B, system: S, scores: {F: 0.7}",
        text=text,
    )
    assert [one.study for one in measurements_of_track(track).measurements] == [
        "analyst A",
        "analyst B",
    ]


def test_a_track_without_numbers_is_one_error() -> None:
    with pytest.raises(
        Exception, match=r"track\.yaml: attempts: the track has no scores as numbers; "
    ):
        measurements_of_track(
            tracks.track("analyst: A, system: S", text="systems:\n- id: S\nanalysts:\n- id: A\n")
        )


@pytest.mark.parametrize("end", ["[1]", "low", "nan"])
def test_ends_of_scales_are_numbers(end: str) -> None:
    text = SMALL.replace("F: {tolerance: 0.01}", f"F: {{min: {end}}}")
    with pytest.raises(Exception, match=r"track\.yaml:3: measures\.F\.min: .* is not a number"):
        measurements_of_track(tracks.track(text=text))
