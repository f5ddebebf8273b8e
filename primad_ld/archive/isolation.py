"""Queries that can be stopped: in a process of their own, which reads the same store.

Oxigraph evaluates a query to its end. A query that somebody else wrote may never get there,
so it runs where it can be killed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import IO, Final

from primad_ld.archive.engine import Answer, Table, Triples, Truth
from primad_ld.archive.sparql import Prepared
from primad_ld.core.errors import ArchiveError, QueryError, QueryTimeoutError
from primad_ld.rdf.index import oxigraph_object

_CHILD: Final = "from primad_ld.archive.isolation import child; raise SystemExit(child())"
_SYNTAX: Final = 3
_FAILED: Final = 4
# So often the child looks whether its parent is there.
_SECONDS: Final = 0.5
#: A longer answer is none that somebody wants to read.
_MOST_BYTES: Final = 4 * 2**30


def query_in_child(store: Path, query: Prepared, *, name: str, timeout: float) -> Answer:
    """Answer a query in a process that is killed when its time is over."""
    asked = {"query": query.text, "union": query.union}
    task = json.dumps({"store": str(store), "parent": os.getpid(), **asked})
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        try:
            done = subprocess.run(  # noqa: S603 - our own interpreter and code
                [sys.executable, "-P", "-c", _CHILD],
                input=task.encode(),
                stdout=output,
                stderr=errors,
                timeout=timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise QueryTimeoutError(
                f"the query was stopped after {timeout:g} seconds; "
                "narrow it down, or give it more with --timeout"
            ) from None
        output.seek(0)
        if done.returncode:
            errors.seek(0)
            why = errors.read().decode(errors="replace").strip()
            if done.returncode == _SYNTAX:
                raise QueryError(why)
            raise ArchiveError(
                f"{name}: the query failed ({why[-300:] or f'exit code {done.returncode}'})"
            )
        return _read(output.readline().decode().strip(), output)


def _read(kind: str, output: IO[bytes]) -> Answer:
    import pyoxigraph

    if kind == "triples":
        return Triples(tuple(line.decode() for line in output))
    found = pyoxigraph.parse_query_results(output, format=pyoxigraph.QueryResultsFormat.JSON)
    if isinstance(found, pyoxigraph.QueryBoolean):
        return Truth(bool(found))
    assert isinstance(found, pyoxigraph.QuerySolutions)
    variables = tuple(variable.value for variable in found.variables)
    rows = [tuple(None if term is None else oxigraph_object(term) for term in row) for row in found]
    return Table(variables, rows)


def child() -> int:
    """The child: one query from standard input, its answer to standard output."""
    import pyoxigraph

    _limit_output()
    task = json.load(sys.stdin)
    threading.Thread(target=_end_without, args=(task["parent"],), daemon=True).start()
    try:
        store = pyoxigraph.Store.read_only(task["store"])
        found = store.query(task["query"], use_default_graph_as_union=task["union"])
        output = sys.stdout.buffer
        if isinstance(found, pyoxigraph.QueryTriples):
            output.write(b"triples\n")
            output.writelines(sorted({f"{triple} .\n".encode() for triple in found}))
        else:
            output.write(b"results\n")
            output.flush()
            found.serialize(output, format=pyoxigraph.QueryResultsFormat.JSON)
        output.flush()
    except SyntaxError as error:
        print(error, file=sys.stderr)
        return _SYNTAX
    except (OSError, RuntimeError, ValueError) as error:
        print(error, file=sys.stderr)
        return _FAILED
    except MemoryError:
        print("there is not enough memory", file=sys.stderr)
        return _FAILED
    return 0


def _end_without(parent: int) -> None:
    """End this process when the one that asked is gone: nobody else stops the query."""
    while os.getppid() == parent:
        time.sleep(_SECONDS)
    os._exit(_FAILED)


def _limit_output() -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (_MOST_BYTES, _MOST_BYTES))
