"""A stand-in for a registry of nanopublications, a program of its own.

    python registry_server.py [--until-eof] [--tls=CERTIFICATE] [FAULTS]

It prints its port, and holds what it is given until it ends. The contract is that of registries
in use: 201 without a word for what is taken, for what is known, and for what cannot be read; 400
with the reason in the status line for the rest. ``GET /control`` says what happened so far,
``POST /control`` takes faults as JSON (`FAULTS` has them all), ``DELETE /control`` forgets all.
It is a proxy, too: for requests with whole addresses, which it takes for its own, and for tunnels,
all of which lead to this machine.
"""

from __future__ import annotations

import contextlib
import json
import re
import select
import socket
import ssl
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pyoxigraph as ox

from primad_ld.nanopub.checking import CheckState, check_bytes
from primad_ld.nanopub.folder_checks import refusals_of
from primad_ld.rdf.nanopub_terms import HAS_TYPE

CODE = re.compile(r"RA[A-Za-z0-9_\-]{43}")
FORMATS = {
    "application/trig": ox.RdfFormat.TRIG,
    "application/n-quads": ox.RdfFormat.N_QUADS,
    "application/ld+json": ox.RdfFormat.JSON_LD,
}

#: What goes wrong, and how often; nothing at first. Numbers count down to nothing.
FAULTS: dict[str, Any] = {
    # What its paths begin with.
    "prefix": "",
    # Where a GET of what is not there is sent on to, with 307; 404 without it.
    "elsewhere": "",
    # So many requests are answered with `status`, and `retry_after` where it is not empty.
    "failing": 0,
    "failing_method": "",  # only requests of this method, where it is set
    "status": 503,
    "retry_after": "",
    # So many POSTs are not answered, though what came is kept; or neither kept nor answered.
    "drop_after": 0,
    "drop_before": 0,
    # So many GETs are not answered.
    "drop_get": 0,
    # So many requests are taken and never answered.
    "silent": 0,
    # Seconds before a POST is looked at.
    "delay": 0.0,
    # A GET is answered with another nanopublication, or with a byte changed, or cut off.
    "lie": "",
    # What is kept shows up at the GET with this number behind the POST.
    "late": 0,
    # 201, and nothing is kept.
    "sink": False,
    # Only nanopublications with one of these types are taken, where there are any.
    "types": [],
    # How GETs are answered.
    "media_type": "application/trig",
    # The reason phrase of each 400, where it is not the own one; Latin-1.
    "reason": "",
    # Exactly these bytes (Latin-1) answer every GET, or every POST; then the connection is closed.
    "raw": "",
    "raw_post": "",
    # GETs and POSTs are answered with a body that has no end.
    "endless": False,
    # Behind so many requests, nothing is answered any more.
    "dies_after": 0,
    # No tunnel leads through it.
    "closed": False,
}


class RefusedError(Exception):
    """Why a nanopublication is not taken; goes into the status line."""


class UnreadableError(Exception):
    """What registries take without a word, and do not keep."""


class Registry:
    """What a registry holds, what it was asked, and how it misbehaves."""

    def __init__(self, faults: dict[str, Any]) -> None:
        self.lock = threading.Lock()
        self.reset()
        self.faults |= faults

    def reset(self) -> None:
        self.faults = dict(FAULTS)
        self.kept: dict[str, list[ox.Quad]] = {}
        self.posts: list[str] = []
        self.gets: list[str] = []
        self.hidden: dict[str, int] = {}
        self.logins: list[str] = []

    def configure(self, faults: dict[str, Any]) -> None:
        unknown = faults.keys() - FAULTS.keys()
        if unknown:
            raise ValueError(f"no such faults: {sorted(unknown)}")
        self.faults |= faults

    def takes(self, name: str) -> bool:
        """Whether a fault that is counted happens now."""
        with self.lock:
            left = self.faults[name]
            self.faults[name] = max(0, left - 1)
            return bool(left)

    def state(self) -> dict[str, Any]:
        said = {"kept": list(self.kept), "posts": self.posts, "gets": self.gets}
        return said | {"logins": self.logins}

    def add(self, body: bytes) -> None:
        quads, code = read(body, self.faults["types"])
        with self.lock:
            if not self.faults["sink"] and code not in self.kept:
                self.kept[code] = quads
                self.hidden[code] = self.faults["late"]

    def shown(self, code: str) -> list[ox.Quad] | None:
        with self.lock:
            if self.hidden.get(code, 0):
                self.hidden[code] -= 1
                return None
            if self.faults["lie"] == "other":
                return next((one for other, one in self.kept.items() if other != code), None)
            return self.kept.get(code)


def read(body: bytes, types: list[str]) -> tuple[list[ox.Quad], str]:
    """The statements of a nanopublication and its artifact code, by what registries look at."""
    found = check_bytes(body, ".trig", "posted")
    nanopub = found.nanopub
    if nanopub is None:
        raise UnreadableError
    if not nanopub.artifact:
        raise RefusedError("Nanopub is not trusty")
    if found.state is not CheckState.SIGNED:
        raise RefusedError("Nanopub is not a valid trusty nanopub")
    for why in refusals_of(found):
        raise RefusedError(f"Nanopub is refused: {why}")
    if types and set(types).isdisjoint(nanopub.values(nanopub.uri, HAS_TYPE)):
        raise RefusedError("Nanopub has no type that this registry covers")
    return list(ox.parse(body, format=ox.RdfFormat.TRIG)), nanopub.artifact


class Handler(BaseHTTPRequestHandler):
    """One connection; it is kept open, as servers do."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # headers and body are two small packets
    registry: Registry

    def parse_request(self) -> bool:
        is_good = super().parse_request()
        login = self.headers.get("Proxy-Authorization") if is_good else None
        if login:
            self.registry.logins.append(f"{self.path} {login}")
        if is_good and self.path.startswith("http://"):
            self.path = "/" + self.path.split("/", 3)[3]
        return is_good

    def do_CONNECT(self) -> None:
        self.close_connection = True
        if self.registry.faults["closed"]:
            self.answer(403, reason="No tunnels here")
            return
        port = int(self.path.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as there:
            self.send_response(200)
            self.end_headers()
            others = {self.connection: there, there: self.connection}
            while all(self.passed_on(one, others[one]) for one in select.select(others, (), ())[0]):
                pass

    @staticmethod
    def passed_on(source: socket.socket, target: socket.socket) -> bool:
        data = source.recv(1 << 16)
        target.sendall(data)
        return bool(data)

    def do_GET(self) -> None:
        if self.path == "/control":
            self.answer(200, json.dumps(self.registry.state()).encode(), "application/json")
            return
        code = self.path.rpartition("/")[2]
        self.registry.gets.append(code)
        if self.is_disturbed("raw"):
            return
        if self.path == f"{self.registry.faults['prefix']}/np/{code}":
            self.show(code)
        else:
            self.answer(404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/control":
            self.registry.configure(json.loads(body))
            self.answer(204)
            return
        found = CODE.search(body.decode(errors="replace"))
        self.registry.posts.append(found[0] if found else "")
        if self.is_disturbed("raw_post"):
            return
        prefix = self.registry.faults["prefix"]
        if self.path not in (f"{prefix}/", f"{prefix}/np/") or "trig" not in self.headers.get(
            "Content-Type", ""
        ):
            self.answer(405)
            return
        time.sleep(self.registry.faults["delay"])
        if not self.registry.takes("drop_before"):
            self.take(body)
        else:
            self.close_connection = True

    def do_DELETE(self) -> None:
        self.registry.reset()
        self.answer(204)

    def take(self, body: bytes) -> None:
        try:
            self.registry.add(body)
        except UnreadableError:
            pass
        except RefusedError as error:
            reason = self.registry.faults["reason"] or str(error)
            self.answer(400, reason=reason)
            return
        if self.registry.takes("drop_after"):
            self.close_connection = True
        else:
            self.answer(201)

    def show(self, code: str) -> None:
        faults = self.registry.faults
        quads = self.registry.shown(code)
        if self.registry.takes("drop_get"):
            self.close_connection = True
        elif quads is None and faults["elsewhere"]:
            self.answer(307, headers={"Location": faults["elsewhere"] + code})
        elif quads is None:
            self.answer(404)
        else:
            kind = faults["media_type"]
            body = bytes(ox.serialize(quads, format=FORMATS.get(kind, ox.RdfFormat.TRIG)))
            if faults["lie"] == "byte":
                body = body.replace(b"BM25", b"BM26")
            elif faults["lie"] == "half":
                body = body[: len(body) // 2]
            self.answer(200, body, kind)

    def is_disturbed(self, raw: str) -> bool:
        """Whether a fault took the place of the answer."""
        faults = self.registry.faults
        if faults["failing_method"] in ("", self.command) and self.registry.takes("failing"):
            after = faults["retry_after"]
            self.answer(faults["status"], headers={"Retry-After": after} if after else {})
        elif self.registry.takes("silent"):
            self.close_connection = True
            self.rfile.read(1)  # until whoever waits has gone
        elif faults[raw]:
            self.close_connection = True
            self.wfile.write(faults[raw].encode("latin-1"))
        elif 0 < faults["dies_after"] < len(self.registry.gets) + len(self.registry.posts):
            self.close_connection = True
        elif faults["endless"]:
            self.close_connection = True
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/trig\r\n\r\n")
            while True:
                self.wfile.write(b"# more\n" * 10_000)
        else:
            return False
        return True

    def answer(
        self,
        status: int,
        body: bytes = b"",
        kind: str = "",
        *,
        reason: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        self.send_response(status, reason)
        if kind:
            self.send_header("Content-Type", kind)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle(self) -> None:
        with contextlib.suppress(OSError):  # whoever asked has gone
            super().handle()

    def log_message(self, *arguments: object) -> None:
        pass


def main() -> None:
    arguments = sys.argv[1:]
    is_child = "--until-eof" in arguments
    certificates = [one.removeprefix("--tls=") for one in arguments if one.startswith("--tls=")]
    faults = [json.loads(one) for one in arguments if not one.startswith("--")]
    Handler.registry = Registry({})
    for one in faults:
        Handler.registry.configure(one)
    ThreadingHTTPServer.request_queue_size = 128
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        for certificate in certificates:
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(
                server.socket, server_side=True, do_handshake_on_connect=False
            )
        print(server.server_address[1], flush=True)
        if is_child:
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
            sys.stdin.read()  # whoever started it has gone
        else:
            server.serve_forever()


if __name__ == "__main__":
    main()
