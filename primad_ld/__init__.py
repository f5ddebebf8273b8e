"""primad-ld: the headers of TREC runs as linked data, and what can be asked of the runs then.

>>> import primad_ld as pl
>>> archive = pl.Archive()                  # in memory; or a folder, or an endpoint's address
>>> archive.load("runs").runs
9
>>> archive.compare("shed-bm25", "greenhouse-bm25").to_dicts()[0]["primad"]
'PrIMAd'
>>> header = pl.read_header("runs/shed-bm25.txt")
>>> header["method"]["retrieval"][0]["name"]
'bm25'
>>> pl.lower(pl.lift(header)) == [header]   # RDF and back
True

Answers print as one line and show their tables in notebooks; ``to_pandas()``, ``to_dicts()`` and
``text("latex")`` have all of them. Examples use the folder ``examples/garden`` of the repository.
"""

from primad_ld.core.hooks import offer_names

# The names stand in `__init__.pyi`. Most users need few of the modules behind them.
offer_names(__name__)
