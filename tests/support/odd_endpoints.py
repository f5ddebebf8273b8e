"""Engines of servers that do not answer as they should."""

from __future__ import annotations

from collections.abc import Iterator

from primad_ld.archive.remote_engine import RemoteEngine
from primad_ld.core.connections import Patience
from support.servers import ASK, OddServer, Seen, answer

QUICK = Patience(tries=4, first=0.001, longest=0.05)
ROWS = b'{"head":{"vars":["s"]},"results":{"bindings":[{"s":{"type":"uri","value":"u:1"}}]}}'
QUERY = "SELECT ?s WHERE { GRAPH ?g { ?s ?p ?o } }"


def connect(server: OddServer, path: str = "/sparql", timeout: float = 5) -> RemoteEngine:
    return RemoteEngine.connect(server.address + path, timeout=timeout, patience=QUICK)


def after(first: Seen, later: bytes | Iterator[bytes]) -> bytes | Iterator[bytes]:
    """The first question is answered, and later ones are answered as told."""
    return answer(200, ASK) if first.number == 1 else later
