"""The embedded engine: a pyoxigraph store in a folder, or in memory.

A folder has one writer or many readers. RocksDB's own lock keeps a second writer out but lets
readers in beside a writer, which it documents as undefined behaviour; so folders have a lock of
ours. The operating system lets go of it when a process dies, however it dies.

Oxigraph evaluates a query to its end, and a query of a user may never get there. Where a query
has a time limit, a process of its own reads the same store and answers it, and can be killed.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from primad_ld.archive.engine import (
    MOST_BYTES,
    MOST_TRIPLES,
    NOT_SELECT,
    GraphsRefusedError,
    Reader,
    at_most,
    most_rows,
    too_much,
)
from primad_ld.archive.query_results import Bindings, QueryResult, Triples, Truth
from primad_ld.archive.sparql import PreparedQuery
from primad_ld.core.errors import ArchiveError, HeaderError, QueryError, QueryTimeoutError
from primad_ld.core.files import open_file, try_lock, writing
from primad_ld.core.iris import RDF_TYPE, is_iri
from primad_ld.core.library_arguments import Texts, to_texts
from primad_ld.core.processes import limit_memory
from primad_ld.core.triples import NamedGraph
from primad_ld.rdf.subject_index import Object, oxigraph_object

if TYPE_CHECKING:
    import pyoxigraph


#: How graphs are laid out; a store of a newer layout is refused, one of an older is loaded again.
LAYOUT: Final = 3
_ABOUT: Final = "archive.json"
_MOST_ABOUT: Final = 1 << 16
#: The graph in which an endpoint says how its graphs are laid out.
ABOUT: Final = "https://w3id.org/primad-ld/archive"
_STORE: Final = "store"
_LOCK: Final = "lock"
# What the store says of files that are not as it wrote them.
_DAMAGED: Final = ("Corruption", "CURRENT", "MANIFEST", "checksum", "No such file")
_REBUILD: Final = "reload the runs to rebuild it"
_INTERRUPTED: Final = f"the first load into {{}} was interrupted; {_REBUILD}"
#: There from the beginning of an archive to the end of what first wrote into it.
_BEGUN: Final = "begun"
#: Which files were loaded; made after the store.
LEDGER: Final = "files.sqlite"


class EmbeddedEngine(Reader):
    """A store that lives in this process."""

    def __init__(
        self,
        store: pyoxigraph.Store,
        name: str,
        folder: Path | None = None,
        lock: _Lock | None = None,
        *,
        is_shared: bool = False,
    ) -> None:
        self.store = store
        self.name = name
        self.folder = folder
        #: Whether other processes may read the folder at the same time.
        self.is_shared = is_shared
        #: Whether what is written has come to its end; else the first load stays interrupted.
        self.is_whole = True
        self._lock = lock

    @classmethod
    def memory(cls, name: str = "memory") -> EmbeddedEngine:
        """An empty store in memory."""
        import pyoxigraph

        return cls(pyoxigraph.Store(), name)

    @classmethod
    def open(cls, folder: Path, *, writable: bool = False, create: bool = False) -> EmbeddedEngine:
        """The store of an archive folder; one writer, or several readers."""
        import pyoxigraph

        _check_folder(folder, create=create and writable)
        lock = _Lock.acquire(folder / _LOCK, exclusive=writable)
        try:
            _check_layout(folder, create=create and writable)
            path = folder / _STORE
            if not writable and not path.exists():
                raise ArchiveError(f"the store in {folder} is missing; {_REBUILD}")
            try:
                with _store_errors(str(folder)):
                    store = (
                        pyoxigraph.Store(str(path))
                        if writable
                        else pyoxigraph.Store.read_only(str(path))
                    )
            except ArchiveError as error:
                if writable or (folder / LEDGER).exists():
                    raise
                # Killed while the store was made, which comes first.
                raise ArchiveError(_INTERRUPTED.format(folder)) from error
            is_empty = next(iter(store), None) is None
            if is_empty and not writable and (folder / _BEGUN).exists():
                raise ArchiveError(_INTERRUPTED.format(folder))
            return cls(store, str(folder), folder, lock, is_shared=not writable)
        except BaseException:
            lock.release()
            raise

    def _answer(self, query: PreparedQuery, timeout: float | None) -> QueryResult:
        if timeout is not None and self.folder is not None:
            # Nothing stops a query inside this process.
            return _query_in_child(self.folder / _STORE, query, name=self.name, timeout=timeout)
        import pyoxigraph

        with _store_errors(self.name):
            found = self.store.query(query.text, use_default_graph_as_union=query.union)
            if isinstance(found, pyoxigraph.QueryBoolean):
                return Truth(bool(found))
            if isinstance(found, pyoxigraph.QueryTriples):
                return Triples(tuple(sorted({f"{triple} .\n" for triple in found})))
            return _bindings(found)

    def column(self, text: str, *, timeout: float | None = None) -> list[str]:
        return (
            self._asked(text, self._first_column)
            if timeout is None
            else super().column(text, timeout=timeout)
        )

    def _first_column(self, query: PreparedQuery) -> list[str]:
        """The first column without a term of ours for each row: this may be every run there is."""
        import pyoxigraph

        with _store_errors(self.name):
            solutions = self.store.query(query.text, use_default_graph_as_union=query.union)
            if not isinstance(solutions, pyoxigraph.QuerySolutions):
                raise QueryError(NOT_SELECT)
            found = [solution[0] for solution in solutions]
            return [str(term.value) for term in found if term is not None]

    def add(self, graphs: Sequence[NamedGraph]) -> None:
        if not graphs:
            return
        try:
            # In one step since Oxigraph 0.5: a batch is there or it is not.
            self._load("".join([graph.nquads() for graph in graphs]))
        except QueryError:
            self._add_what_fits(graphs)

    def _load(self, text: str) -> None:
        import pyoxigraph

        with _store_errors(self.name):
            self.store.bulk_load(text.encode(), format=pyoxigraph.RdfFormat.N_QUADS)

    def _add_what_fits(self, graphs: Sequence[NamedGraph]) -> None:
        """One by one: something in one of them is refused, and with it the whole batch."""
        refused = {}
        for graph in graphs:
            try:
                self._load(graph.nquads())
            except QueryError as error:
                refused[graph.iri] = error.why
        raise GraphsRefusedError(self.name, refused)

    def replace(self, graph: NamedGraph) -> None:
        with _store_errors(self.name):
            # One update is one transaction.
            self.store.update(
                f"DROP SILENT GRAPH <{_checked(graph.iri)}> ;\n"
                f"INSERT DATA {{ GRAPH <{graph.iri}> {{\n{graph.triples}}} }}"
            )

    def remove(self, iris: Texts, *, unless_used: bool = False) -> None:
        # Nobody else is writing: the lock is ours.
        iris = to_texts(iris, "iris")
        if not iris:
            return
        with _store_errors(self.name):
            self.store.update(" ;\n".join(f"DROP SILENT GRAPH <{_checked(iri)}>" for iri in iris))

    def existing(self, iris: Texts) -> set[str]:
        import pyoxigraph

        kind = pyoxigraph.NamedNode(RDF_TYPE)
        found = set()
        with _store_errors(self.name):
            for iri in to_texts(iris, "iris"):
                node = pyoxigraph.NamedNode(_checked(iri))
                # Most are not there, which the list of graphs tells without looking into files.
                if self.store.contains_named_graph(node) and next(
                    self.store.quads_for_pattern(node, kind, None, node), None
                ):
                    found.add(iri)
        return found

    def compact(self) -> None:
        """Put the files of the store in order, which saves space and makes reading faster."""
        with _store_errors(self.name):
            self.store.optimize()

    def close(self) -> None:
        if self.folder is not None and self._lock is not None:
            del self.store  # closes its files
            if self.is_whole and not self.is_shared:
                (self.folder / _BEGUN).unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def _bindings(solutions: pyoxigraph.QuerySolutions, name: str = "") -> Bindings:
    """The rows of an answer; not too many where it is one of the archive of this name."""
    variables = tuple(variable.value for variable in solutions.variables)
    rows = _rows(solutions)
    return Bindings(
        variables, list(at_most(most_rows(len(variables)), rows, name) if name else rows)
    )


def _rows(solutions: pyoxigraph.QuerySolutions) -> Iterator[tuple[Object | None, ...]]:
    # Terms come back as new Python objects each time; few of them differ.
    for solution in solutions:
        yield tuple([None if term is None else oxigraph_object(term) for term in solution])


def _checked(iri: str) -> str:
    if not is_iri(iri):
        raise ArchiveError(f"{iri!r} is not the IRI of a graph")
    return iri


@contextmanager
def _store_errors(name: str) -> Iterator[None]:
    """Errors of the store as ours."""
    try:
        yield
    except SyntaxError as error:
        raise QueryError(str(error)) from error
    except (OSError, RuntimeError, ValueError) as error:
        why = str(error)
        if any(sign in why for sign in _DAMAGED):
            raise ArchiveError(
                f"the store in {name} is damaged ({_shortened(why)}); "
                "load the runs into a new archive"
            ) from error
        raise ArchiveError(f"{name}: {_shortened(why)}") from error


def _shortened(why: str) -> str:
    line = " ".join(why.split())
    return line if len(line) <= 300 else f"{line[:299]}…"


# The folder -------------------------------------------------------------------------------


def _check_folder(folder: Path, *, create: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise ArchiveError(f"{folder} is a file; an archive is a folder")
    if not folder.exists():
        if not create:
            raise ArchiveError(
                f"archive {folder} does not exist; create it with: primad-ld load RUNS "
                f"--archive {folder}"
            )
        try:
            folder.mkdir(parents=True)
        except OSError as error:
            raise ArchiveError(f"{folder}: {(error.strerror or str(error)).lower()}") from error
    if not (folder / _ABOUT).exists():
        # The lock alone: somebody makes it at this moment, or was killed while doing so.
        others = [name for name in os.listdir(folder) if name != _LOCK and not _is_temporary(name)]
        if others or not create:
            raise ArchiveError(f"{folder} is a folder but not an archive; name another one")


def _is_temporary(name: str) -> bool:
    return name.startswith(f".{_ABOUT}.")


def _check_layout(folder: Path, *, create: bool) -> None:
    about = folder / _ABOUT
    if not about.exists() and create:
        from primad_ld.core.version import __version__

        with writing(about) as stream:
            stream.write(json.dumps({"layout": LAYOUT, "primad-ld": __version__}).encode())
        (folder / _BEGUN).touch()
        return
    try:
        with open_file(about) as stream:
            text = stream.read(_MOST_ABOUT).decode(errors="replace")
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise ArchiveError(
            f"cannot read {about}: {why}; correct its permissions, or name another archive"
        ) from error
    except HeaderError as error:
        raise ArchiveError(f"{about} is damaged; load the runs into a new archive") from error
    try:
        said = json.loads(text)
        layout, version = int(said["layout"]), str(said.get("primad-ld", "?"))
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ) as error:
        raise ArchiveError(f"{about} is damaged; load the runs into a new archive") from error
    check_layout(layout, f"{folder} (by primad-ld {version:.30})")


def check_layout(layout: int, where: str) -> None:
    """Refuse what another primad-ld wrote in a way that this one does not know."""
    if layout < LAYOUT:
        raise ArchiveError(
            f"{where} has layout {layout}, but this primad-ld needs {LAYOUT}; load the runs "
            "into a new archive"
        )
    if layout > LAYOUT:
        raise ArchiveError(
            f"{where} has layout {layout}, but this primad-ld supports {LAYOUT}; run: pip "
            "install --upgrade primad-ld"
        )


# One writer or many readers ---------------------------------------------------------------


class _Lock:
    """A lock that is held until it is released."""

    def __init__(self, file: IO[str] | None) -> None:
        self._file = file

    @classmethod
    def acquire(cls, path: Path, *, exclusive: bool) -> _Lock:
        """Take the lock; `ArchiveError` if somebody else holds it."""
        if path.exists() and not path.is_file():
            # Opening a pipe would wait for somebody who writes into it.
            raise ArchiveError(f"{path}: not a file; load the runs into a new archive")
        try:
            file = open(path, "a+" if exclusive or not path.exists() else "r", encoding="utf-8")  # noqa: SIM115
        except OSError as error:
            if not exclusive and not path.exists():
                return cls(None)  # a folder that cannot be written to has no writer either
            raise ArchiveError(f"{path}: {(error.strerror or str(error)).lower()}") from error
        if not try_lock(file, exclusive=exclusive):
            # Readers let other readers in; whoever writes lets nobody in, and has signed.
            holder = "" if exclusive and try_lock(file, exclusive=False) else _writer(file)
            file.close()
            doing = f"being written{holder}" if holder else "being read by a query"
            raise ArchiveError(
                f"archive {path.parent} is in use ({doing}); try again when that has finished"
            )
        try:
            if exclusive:
                file.seek(0)
                file.truncate()
                json.dump({"process": os.getpid(), "host": socket.gethostname()}, file)
                file.flush()
        except OSError as error:
            with suppress(OSError):  # what could not be written cannot be now, either
                file.close()
            raise ArchiveError(f"{path}: {(error.strerror or str(error)).lower()}") from error
        return cls(file)

    def release(self) -> None:
        """Let others in."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _writer(file: IO[str]) -> str:
    """Who has the lock for writing."""
    try:
        file.seek(0)
        said = json.loads(file.read(_MOST_ABOUT))
        return f" by process {int(said['process'])} on {said['host']!s:.60}"
    except (ValueError, KeyError, TypeError, OSError, ArithmeticError, RecursionError):
        return " by another process"


# Queries that can be stopped --------------------------------------------------------------

_CHILD: Final = "from primad_ld.archive.embedded_engine import _child; raise SystemExit(_child())"
_SYNTAX: Final = 3
_FAILED: Final = 4
# So often the child looks whether its parent is there.
_SECONDS: Final = 0.5
_TOO_LONG: Final = 5
#: Data that a query may hold: more is a text that doubles, or all pairs of everything.
_MOST_MEMORY: Final = 4 * 2**30
# How the store says that there is no more.
_NO_MEMORY: Final = ("memory allocation", "bad_alloc", "not enough memory")


def _query_in_child(store: Path, query: PreparedQuery, *, name: str, timeout: float) -> QueryResult:
    """Answer a query in a process that is killed when its time is over."""
    asked = {"query": query.text, "union": query.union}
    limits = {"memory": _MOST_MEMORY, "bytes": MOST_BYTES}
    task = json.dumps({"store": str(store), "parent": os.getpid(), **asked, **limits})
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
                f"the query was stopped after {timeout:g} seconds; narrow it down, or allow "
                "more time (--timeout)"
            ) from None
        output.seek(0)
        if done.returncode:
            errors.seek(0)
            why = errors.read().decode(errors="replace").strip()
            if done.returncode == _SYNTAX:
                raise QueryError(why)
            if done.returncode == _TOO_LONG:
                raise too_much(name, f"{MOST_BYTES:,} bytes")
            if any(words in why for words in _NO_MEMORY):
                raise ArchiveError(
                    f"{name}: the query needs more than {_MOST_MEMORY / 2**30:g} GiB of memory; "
                    "narrow it down, for example with LIMIT"
                )
            last = why.rpartition("\n")[2] or f"exit code {done.returncode}"
            raise ArchiveError(f"{name}: the query failed ({_shortened(last)})")
        return _read(output.readline().decode().strip(), output, name)


def _read(kind: str, output: IO[bytes], name: str) -> QueryResult:
    """The answer of the child, as far as it may be long."""
    import pyoxigraph

    if kind == "triples":
        lines = at_most(MOST_TRIPLES, output, name, "triples")
        return Triples(tuple(line.decode() for line in lines))
    found = pyoxigraph.parse_query_results(output, format=pyoxigraph.QueryResultsFormat.JSON)
    if isinstance(found, pyoxigraph.QueryBoolean):
        return Truth(bool(found))
    assert isinstance(found, pyoxigraph.QuerySolutions)
    return _bindings(found, name)


def _child() -> int:
    """The child: one query from standard input, its answer to standard output."""
    import pyoxigraph

    task = json.load(sys.stdin)
    limit_memory(task["memory"])
    limit = _limit_output(task["bytes"])
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
        # What is left of the answer would fail once more when the process ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        is_too_long = getattr(error, "errno", None) == errno.EFBIG and limit == task["bytes"]
        return _TOO_LONG if is_too_long else _FAILED
    except MemoryError:
        print("not enough memory", file=sys.stderr)
        return _FAILED
    return 0


def _end_without(parent: int) -> None:
    """End this process when the one that asked is gone: nobody else stops the query."""
    while os.getppid() == parent:
        time.sleep(_SECONDS)
    os._exit(_FAILED)


def _limit_output(most: int) -> int:
    """Limit the answer, which is a file, unless the user has a lower limit; which one holds."""
    if sys.platform == "win32":
        return most
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_FSIZE, (allowed, hard))
    return allowed
