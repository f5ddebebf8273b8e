r"""primad-ld: the headers of TREC runs as linked data, and back.

>>> header = parse_header("tag: my-run\nmethod: {retrieval: [{name: bm25, k1: 0.90}]}")
>>> lower(lift(header)) == [header]
True
"""

from primad_ld.annotation import annotate, strip
from primad_ld.bulk import Report
from primad_ld.conversion import convert
from primad_ld.errors import (
    ConvertError,
    HeaderError,
    OutputError,
    PrimadError,
    SchemaError,
)
from primad_ld.graphs import LiftedRun, NamedGraph
from primad_ld.header import (
    Conflict,
    Header,
    dump_header,
    header_of,
    merge_headers,
    parse_header,
    write_header,
)
from primad_ld.lifting import Lifter, lift
from primad_ld.lowering import lower
from primad_ld.ranking import Ranking
from primad_ld.runfile import read_ranking
from primad_ld.schema import Field, Node, Schema, compile_schema, default_schema
from primad_ld.sources import read_header
from primad_ld.yamltext import Place

__version__ = "0.1.0"

__all__ = [
    "Conflict",
    "ConvertError",
    "Field",
    "Header",
    "HeaderError",
    "LiftedRun",
    "Lifter",
    "NamedGraph",
    "Node",
    "OutputError",
    "Place",
    "PrimadError",
    "Ranking",
    "Report",
    "Schema",
    "SchemaError",
    "annotate",
    "compile_schema",
    "convert",
    "default_schema",
    "dump_header",
    "header_of",
    "lift",
    "lower",
    "merge_headers",
    "parse_header",
    "read_header",
    "read_ranking",
    "strip",
    "write_header",
]
