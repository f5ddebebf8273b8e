"""Measurements from files: YAML, tables of any layout, RDF, replication tracks.

A file comes in, and a table of measurements goes out, with notes on how the file was understood.
Ratings and datasheets, which are not measurements themselves, are read here as well.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import RDF_SUFFIXES, plain_suffix
from primad_ld.core.library_arguments import to_path
from primad_ld.qra.measurements import MeasurementTable

if TYPE_CHECKING:
    from primad_ld.qra.reading.measurement_tables import Columns


def read_measurements(path: str | Path, columns: Columns | None = None) -> MeasurementTable:
    """The measurements of a file. Its suffix tells the form; compressed files are read, too.

    ``columns`` say where a table has what, if the heads of its columns do not.

    >>> import primad_ld as pl
    >>> pl.read_measurements("nts.yaml").measurements[0].value
    84.51
    """
    path = to_path(path)
    if str(path) == "-":
        raise HeaderError(
            "measurements are not read from standard input",
            file=path,
            hint="save them to a file first, such as scores.csv",
        )
    suffix = _suffix(path)
    read = _READERS.get(suffix)
    if read is None and os.path.isdir(path):
        raise HeaderError("this is a folder", file=path, hint="name its files")
    if read is None:
        raise HeaderError(
            f"measurements are not read from {suffix or 'files without a suffix'}",
            file=path,
            hint=f"give one of {' '.join(_READERS)}",
        )
    return read(path, columns)


def is_table(path: Path) -> bool:
    """Whether a file is a table by its name."""
    return _READERS.get(_suffix(path)) is _table


def _suffix(path: Path) -> str:
    # The sheet of a workbook may stand behind its name.
    name = Path(str(path).partition("#")[0])
    return Path(plain_suffix(name)[0]).suffix.lower()


def _yaml(path: Path, _: Columns | None) -> MeasurementTable:
    from primad_ld.core.yamltext import read_yaml
    from primad_ld.qra.reading.measurements_yaml import A_MEASUREMENT, table_of

    top = read_yaml(path, if_empty=A_MEASUREMENT)
    if "measurements" not in top and "systems" in top:
        from primad_ld.qra.track_measurements import measurements_of_track
        from primad_ld.replication.track_reading import track_of

        return measurements_of_track(track_of(top, path))
    return table_of(top, path)


def _table(path: Path, columns: Columns | None) -> MeasurementTable:
    from primad_ld.qra.reading.measurement_tables import Columns, read_table

    return read_table(path, columns or Columns())


def _graph(path: Path, _: Columns | None) -> MeasurementTable:
    from primad_ld.qra.measurement_graphs import read_measurements_graph

    return read_measurements_graph(path)


_READERS: Final[dict[str, Callable[[Path, Columns | None], MeasurementTable]]] = {
    **dict.fromkeys((".yaml", ".yml"), _yaml),
    **dict.fromkeys((".csv", ".tsv", ".xlsx", ".xlsm"), _table),
    **dict.fromkeys(itertools.chain.from_iterable(RDF_SUFFIXES.values()), _graph),
}
