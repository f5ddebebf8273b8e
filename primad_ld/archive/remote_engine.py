"""The remote engine: any endpoint of SPARQL 1.1, through SPARQLWrapper."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

from primad_ld.archive.endpoint import (
    HOW,
    Endpoint,
    Server,
    find_credentials,
    parse_address,
    resolve,
    server_of,
)
from primad_ld.archive.endpoint_replies import ACCEPT, EndpointReply, ReplyKind, read_answer
from primad_ld.archive.engine import CutOffError, GraphsRefusedError, Reader
from primad_ld.archive.graph_updates import GraphWriter, Refusal, UnfitGraphError, insertion, whole
from primad_ld.archive.query_results import Bindings, QueryResult, Triples
from primad_ld.archive.sparql import PreparedQuery
from primad_ld.core.errors import ArchiveError, QueryError, QueryTimeoutError
from primad_ld.core.iris import RDF_TYPE, is_iri
from primad_ld.core.library_arguments import Texts, to_texts
from primad_ld.core.triples import NamedGraph

if TYPE_CHECKING:
    from primad_ld.archive.endpoint_requests import Transport
    from primad_ld.core.connections import Patience

_TIMEOUT: Final = 60.0
# A header of Virtuoso's answers that may go on; over HTTP they end here whatever is set.
_CUT: Final = "X-SPARQL-MaxRows"
_MOST_ROWS: Final = 2**20
# No server is set to give fewer rows than this.
_FEW: Final = 1_000

_PAIRS: Final = "GRAPH ?g { ?s ?p ?o } GRAPH ?h { ?x ?y ?z }"
_PLACE = re.compile(r"\bat ([1-9]\d*):(\d+)|\bline ([1-9]\d*)(?:, column (\d+))?", re.IGNORECASE)


class RemoteEngine(Reader):
    """A store behind a SPARQL endpoint."""

    def __init__(self, endpoint: Endpoint, transport: Transport) -> None:
        self.endpoint = endpoint
        self.name = endpoint.name
        self._transport = transport
        self._takes_updates = False

    @classmethod
    def connect(
        cls, address: str, *, timeout: float = _TIMEOUT, patience: Patience | None = None
    ) -> RemoteEngine:
        """Find out what answers at an address; ``timeout`` is for each request.

        Credentials come from the environment or a netrc file: ``PRIMAD_LD_TOKEN``, or
        ``PRIMAD_LD_USER`` and ``PRIMAD_LD_PASSWORD``. ``PRIMAD_LD_UPDATE_URL`` says where
        updates go, if that cannot be told from the address.
        """
        from primad_ld.archive.endpoint_requests import Transport
        from primad_ld.core import connections

        place = parse_address(address)
        credentials = find_credentials(place.host)
        transport = Transport(place, credentials, patience or connections.Patience(), timeout)

        def ask(url: str) -> Server | None:
            reply = transport.send(url, "ASK {}", accept=ACCEPT["ASK"], is_short=True)
            if reply.kind in (ReplyKind.LOGIN, ReplyKind.PASSING):
                raise _failure(reply, place.shown, transport, "query")
            if reply.kind is not ReplyKind.FINE:
                return None
            try:
                read_answer(reply, "ASK", place.shown)
            except ArchiveError:
                return None
            return server_of(reply.headers)

        return cls(resolve(place, credentials, ask), transport)

    # Asking -------------------------------------------------------------------------------

    def _answer(self, query: PreparedQuery, timeout: float | None) -> QueryResult:
        reply = self._transport.send(
            self.endpoint.query,
            query.text,
            accept=ACCEPT[query.form],
            timeout=timeout,
            union=query.union,
        )
        if reply.kind is not ReplyKind.FINE:
            raise _failure(reply, self.name, self._transport, "query")
        answer = read_answer(reply, query.form, self.name)
        self._check_complete(answer, reply, timeout)
        return answer

    def _check_complete(
        self, answer: QueryResult, reply: EndpointReply, timeout: float | None
    ) -> None:
        """Refuse what a server cut off without an error."""
        is_mute = self.endpoint.server.cuts_triples
        if is_mute and isinstance(answer, Triples) and len(answer.lines) >= _FEW:
            # As many rows tell. The server's own triples suffice for millions of pairs.
            probe = f"SELECT ?s WHERE {{ {_PAIRS} }} LIMIT {len(answer.lines)}"
            reply = self._transport.send(
                self.endpoint.query, probe, accept=ACCEPT["SELECT"], timeout=timeout
            )
        is_full = isinstance(answer, Bindings) and len(answer.rows) >= _MOST_ROWS
        if _CUT in reply.headers or is_full:
            raise CutOffError(
                f"{self.name} limits answers to {reply.headers.get(_CUT, str(_MOST_ROWS)):.20} "
                "rows; use LIMIT and OFFSET, or raise ResultSetMaxRows in section SPARQL of "
                "virtuoso.ini"
            )

    # Writing ------------------------------------------------------------------------------

    def add(self, graphs: Sequence[NamedGraph]) -> None:
        """Add graphs in their order; `GraphsRefusedError` names those that the server refuses."""
        if graphs:
            self._write(graphs)

    def replace(self, graph: NamedGraph) -> None:
        """Put a graph in the place of the one that has its name.

        That is one step, unless the graph is larger than a request may be; then the old one
        goes first, and the new one is no run before it is complete.
        """
        if not graph.triples.strip():
            self.remove([graph.iri])
            return
        server = self.endpoint.server
        try:
            piece = whole(graph, server)
        except UnfitGraphError as error:
            raise GraphsRefusedError(self.name, {graph.iri: str(error)}) from error
        drop = f"DROP SILENT GRAPH <{graph.iri}>"
        if len(piece.triples) <= server.triples and piece.characters <= server.characters:
            refusal = self._update(f"{drop} ;\n{insertion([piece])}")
            if refusal is None:
                return
            if not refusal.is_size:
                raise GraphsRefusedError(self.name, {graph.iri: refusal.why})
        # First what makes it a run: an update of several steps is no transaction everywhere.
        self._must(f"DELETE WHERE {{ GRAPH <{graph.iri}> {{ <{graph.iri}> <{RDF_TYPE}> ?type }} }}")
        self._must(drop)
        self._write([graph])

    def remove(self, iris: Texts, *, unless_used: bool = False) -> None:
        """Remove the graphs of these names; ``unless_used`` those that no run refers to."""
        for some in self._batched(iris):
            self._must(
                _UNUSED.format(" ".join(f"<{iri}>" for iri in some))
                if unless_used
                else " ;\n".join(f"DROP SILENT GRAPH <{iri}>" for iri in some)
            )

    def existing(self, iris: Texts) -> set[str]:
        """Those of these names whose graphs are there: whose own node has a type."""
        found: set[str] = set()
        for some in self._batched(iris):
            names = " ".join(f"<{iri}>" for iri in some)
            found.update(
                self.column(
                    f"SELECT DISTINCT ?g WHERE {{ VALUES ?g {{ {names} }} "
                    f"GRAPH ?g {{ ?g <{RDF_TYPE}> ?type }} }}"
                )
            )
        return found

    def compact(self) -> None:
        """Nothing: the files are the server's."""

    def close(self) -> None:
        """Nothing: each request closes its connection."""

    def _batched(self, iris: Texts) -> Iterator[list[str]]:
        rest = iter(to_texts(iris, "iris"))
        while some := list(islice(rest, self.endpoint.server.graphs)):
            for iri in some:
                if not is_iri(iri):
                    raise ArchiveError(f"{iri!r} is not the IRI of a graph")
            yield some

    def _write(self, graphs: Sequence[NamedGraph]) -> None:
        writer = GraphWriter(self.endpoint.server, self._update)
        writer.write(graphs)
        if writer.refused:
            raise GraphsRefusedError(self.name, writer.refused)

    def _must(self, text: str) -> None:
        refusal = self._update(text)
        if refusal is not None:
            raise ArchiveError(f"{self.name} refused an update: {refusal.why}")

    def _update(self, text: str) -> Refusal | None:
        self._check_updates()
        reply = self._send_update(text)
        if reply.kind in (ReplyKind.REFUSED, ReplyKind.SIZE):
            return Refusal(why=reply.words, is_size=reply.kind is ReplyKind.SIZE)
        if reply.kind is not ReplyKind.FINE:
            raise _failure(reply, self.name, self._transport, "update")
        return None

    def _send_update(self, text: str) -> EndpointReply:
        return self._transport.send(self.endpoint.update, text, form="INSERT", is_short=True)

    def _check_updates(self) -> None:
        """Whether updates are taken here, by one that does nothing.

        A server that asks for a password closes the connection, which may break a large
        request off before its answer is read; after a small one it need not ask again.
        """
        if self._takes_updates:
            return
        reply = self._send_update("INSERT DATA {}")
        if reply.kind in (ReplyKind.REFUSED, ReplyKind.OTHER):
            raise ArchiveError(
                f"{self.name} does not accept updates at "
                f"{parse_address(self.endpoint.update).shown} ({reply.status}: "
                f"{reply.words[:100] or 'no message'}); set PRIMAD_LD_UPDATE_URL to its update "
                "address"
            )
        if reply.kind is not ReplyKind.FINE:
            raise _failure(reply, self.name, self._transport, "update")
        self._takes_updates = True


# A graph of its own refers to it by itself; that does not count.
_UNUSED: Final = """\
DELETE {{ GRAPH ?it {{ ?s ?p ?o }} }}
WHERE {{
  VALUES ?it {{ {} }}
  GRAPH ?it {{ ?s ?p ?o }}
  FILTER NOT EXISTS {{ GRAPH ?run {{ ?run ?refers ?it }} FILTER(?run != ?it) }}
}}"""


def _failure(reply: EndpointReply, name: str, transport: Transport, what: str) -> ArchiveError:
    """Why a request failed, and what to do about it."""
    said = f": {reply.words}" if reply.words else ""
    if reply.kind is ReplyKind.LOGIN:
        credentials = transport.credentials
        if not credentials:
            return ArchiveError(f"{name} requires a login to {what} it{said}; {HOW}")
        if reply.status == 401:
            return ArchiveError(
                f"{name} rejected the credentials from {credentials.source}; correct them"
            )
        return ArchiveError(
            f"the user of {credentials.source} may not {what} {name}{said}; ask its operator "
            "for permission"
        )
    if reply.kind is ReplyKind.TIMEOUT:
        return QueryTimeoutError(
            f"{name} reached its time limit{said}; narrow the {what} down, or raise that limit"
        )
    if reply.kind in (ReplyKind.REFUSED, ReplyKind.SIZE):
        return _query_error(reply, name)
    if reply.kind is ReplyKind.PASSING:
        return ArchiveError(
            f"{name} failed with {reply.status} after {transport.patience.tries} "
            f"attempts{said}; try again later"
        )
    return ArchiveError(
        f"{name} answered with {reply.status}{said}; is it the address of a SPARQL endpoint?"
    )


def _query_error(reply: EndpointReply, name: str) -> QueryError:
    """What is wrong with a query, and where, as far as the server tells."""
    found = _PLACE.search(reply.words)
    line, column = (found[1] or found[3], found[2] or found[4]) if found else (None, None)
    return QueryError(
        f"{name} rejected this query: {reply.words}",
        line=int(line) if line else None,
        column=int(column) if column else None,
    )
