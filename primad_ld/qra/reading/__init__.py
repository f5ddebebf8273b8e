"""Measurements from files: YAML, tables of any layout, RDF."""

from __future__ import annotations

from pathlib import Path

from primad_ld.files import plain_suffix
from primad_ld.qra.measurements import MeasurementTable

_YAML = (".yaml", ".yml")


def is_yaml(path: Path) -> bool:
    """Whether a file is YAML by its name, compressed or not."""
    return Path(plain_suffix(path)[0]).suffix.lower() in _YAML


def read_measurements(path: Path) -> MeasurementTable:
    """The measurements of a file, by its suffix: YAML, which may be a replication track."""
    from primad_ld.qra.reading.yamlfile import read_measurements_yaml

    return read_measurements_yaml(path)
