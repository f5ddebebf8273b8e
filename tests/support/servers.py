"""Real SPARQL servers on loopback: each in a folder of its own, gone when the tests are."""

from __future__ import annotations

import ctypes
import json
import secrets
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

#: Starting Virtuoso is five seconds of work, on a busy machine more.
_PATIENCE = 90.0

_VIRTUOSO = """\
[Database]
DatabaseFile = {folder}/virtuoso.db
ErrorLogFile = {folder}/virtuoso.log
LockFile = {folder}/virtuoso.lck
TransactionFile = {folder}/virtuoso.trx
xa_persistent_file = {folder}/virtuoso.pxa
FileExtend = 200
MaxCheckpointRemap = 2000
TempStorage = TempDatabase

[TempDatabase]
DatabaseFile = {folder}/virtuoso-temp.db
TransactionFile = {folder}/virtuoso-temp.trx
MaxCheckpointRemap = 2000

[Parameters]
ServerPort = 127.0.0.1:{sql}
DisableUnixSocket = 1
; without this, set password fails
CaseMode = 2
DirsAllowed = {folder}
NumberOfBuffers = 10000
MaxDirtyBuffers = 6000
MaxClientConnections = 20
CheckpointInterval = 0

[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerRoot = {folder}
ServerThreads = 10
MaxKeepAlives = 10
KeepAliveTimeout = 10

[SPARQL]
ResultSetMaxRows = {rows}
MaxQueryExecutionTime = 30
MaxQueryCostEstimationTime = 400
"""


def free_port() -> int:
    """A port on loopback that nobody listens to."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    assert isinstance(port, int)
    return port


@dataclass(frozen=True, kw_only=True)
class Server:
    """A server that is running."""

    address: str
    query: str
    update: str
    user: str = ""
    password: str = field(default="", repr=False)

    def ask(self, text: str) -> list[list[str]]:
        """The values of a SELECT query, by a client that is not ours."""
        found = json.loads(self._post(self.query, {"query": text}))
        names = found["head"]["vars"]
        return [[one[name]["value"] for name in names] for one in found["results"]["bindings"]]

    def do(self, text: str) -> None:
        """An update, by a client that is not ours."""
        self._post(self.update, {"update": text})

    def _post(self, url: str, form: dict[str, str]) -> bytes:
        handlers: list[urllib.request.BaseHandler] = [urllib.request.ProxyHandler({})]
        if self.user:
            known = urllib.request.HTTPPasswordMgrWithDefaultRealm()
            known.add_password(None, self.address, self.user, self.password)
            handlers.append(urllib.request.HTTPDigestAuthHandler(known))
        request = urllib.request.Request(
            url,
            urllib.parse.urlencode(form).encode(),
            {"Accept": "application/sparql-results+json"},
        )
        with urllib.request.build_opener(*handlers).open(request, timeout=60) as response:
            body = response.read()
        assert isinstance(body, bytes)
        return body

    def graphs(self) -> set[str]:
        """The names of all graphs."""
        # With DISTINCT instead, Virtuoso takes half a minute for three hundred.
        return {name for (name,) in self.ask("SELECT ?g { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g")}


def _die_with_parent() -> None:
    # Killed with the tests even where these cannot clean up: PR_SET_PDEATHSIG.
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


@contextmanager
def _running(command: list[str], folder: Path, is_up: Callable[[], bool]) -> Iterator[None]:
    log = folder / "server.log"
    with open(log, "wb") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            preexec_fn=_die_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509
        )
    try:
        give_up = time.monotonic() + _PATIENCE
        while not is_up():
            if process.poll() is not None or time.monotonic() > give_up:
                raise RuntimeError(f"{command[0]} does not start: {log.read_text()[-2000:]}")
            time.sleep(0.05)
        yield
    finally:
        process.kill()
        process.wait()


def _answers(server: Server) -> Callable[[], bool]:
    def is_up() -> bool:
        try:
            server.ask("SELECT * { }")
        except (OSError, ValueError):
            return False
        return True

    return is_up


@contextmanager
def oxigraph(binary: str, folder: Path, *options: str, port: int | None = None) -> Iterator[Server]:
    """Oxigraph's server with a store in memory, unless the options say otherwise."""
    place = f"127.0.0.1:{port or free_port()}"
    address = f"http://{place}"
    server = Server(address=address, query=f"{address}/query", update=f"{address}/update")
    with _running([binary, "serve", "--bind", place, *options], folder, _answers(server)):
        yield server


@contextmanager
def virtuoso(binary: str, isql: str, folder: Path, *, rows: int = 5_000) -> Iterator[Server]:
    """Virtuoso with a database of its own and a password that nobody knows."""
    sql, http = free_port(), free_port()
    settings = folder / "virtuoso.ini"
    settings.write_text(_VIRTUOSO.format(folder=folder, sql=sql, http=http, rows=rows))
    address = f"http://127.0.0.1:{http}"
    server = Server(
        address=address,
        query=f"{address}/sparql",
        update=f"{address}/sparql-auth",
        user="dba",
        password=f"p{secrets.token_hex(8)}",  # a word of SQL begins with a letter
    )
    command = [binary, "+foreground", "+configfile", str(settings)]
    with _running(command, folder, _answers(server)):
        subprocess.run(
            [isql, f"127.0.0.1:{sql}", "dba", "dba", "ERRORS=STDOUT"],
            input=f"set password dba {server.password};\n".encode(),
            check=True,
            capture_output=True,
            timeout=60,
        )
        server.do("INSERT DATA {}")  # the password holds
        yield server
    for file in folder.glob("*.db"):
        file.unlink()  # of fifty megabytes


# Servers that misbehave -----------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A request as it came in."""

    number: int
    method: str
    path: str
    headers: Message
    body: bytes

    @property
    def form(self) -> dict[str, str]:
        """The parameters of the body."""
        return dict(urllib.parse.parse_qsl(self.body.decode(), keep_blank_values=True))

    @property
    def is_update(self) -> bool:
        """Whether it is an update that does something."""
        return self.form.get("update", "INSERT DATA {}") != "INSERT DATA {}"


Behaviour = Callable[["Seen"], "bytes | Iterable[bytes]"]

ASK = b'{"head":{},"boolean":true}'


def answer(status: int, body: bytes = b"", **headers: str) -> bytes:
    """An answer as it goes over the wire; names of headers with underscores for hyphens."""
    lines = {"Content-Length": str(len(body)), "Content-Type": "application/sparql-results+json"}
    lines |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value)
    return f"HTTP/1.1 {status} Said\r\n{head}\r\n".encode() + body


def forwarded(seen: Seen, server: Server) -> bytes:
    """What a real server answers to a request, at the same path."""
    request = urllib.request.Request(
        server.address + seen.path,
        seen.body,
        {
            name: seen.headers[name]
            for name in ("Accept", "Content-Type", "Authorization")
            if name in seen.headers
        },
    )
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=60) as response:
            status, headers, body = response.status, response.headers, response.read()
    except urllib.error.HTTPError as error:
        with error:
            status, headers, body = error.code, error.headers, error.read()
    kept = ("Content-Type", "Server", "WWW-Authenticate")
    said = {name.replace("-", "_"): headers[name] for name in kept if name in headers}
    return answer(status, body, **said)


@dataclass
class OddServer:
    """A server that does what a test tells it."""

    address: str
    seen: list[Seen] = field(default_factory=list)
    #: Set when the test is over, for answers that have no end.
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def updates(self) -> list[str]:
        """The updates that came in, without those that do nothing."""
        return [one.form["update"] for one in self.seen if one.is_update]


@contextmanager
def odd(behave: Behaviour, tls: ssl.SSLContext | None = None) -> Iterator[OddServer]:
    """A server on loopback whose answers a function makes, byte by byte."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            seen = Seen(
                number=len(found.seen) + 1,
                method=self.command,
                path=self.path,
                headers=self.headers,
                body=body,
            )
            found.seen.append(seen)
            said = behave(seen)
            self.close_connection = True
            with suppress(OSError):
                for piece in [said] if isinstance(said, bytes) else said:
                    if found.over.is_set():
                        break
                    self.wfile.write(piece)

        do_GET = do_POST  # noqa: N815

        def log_message(self, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
        listener.daemon_threads = False
        if tls is not None:
            listener.socket = tls.wrap_socket(
                listener.socket, server_side=True, do_handshake_on_connect=False
            )
        scheme = "http" if tls is None else "https"
        found = OddServer(f"{scheme}://127.0.0.1:{listener.server_address[1]}")
        thread = threading.Thread(target=listener.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield found
        finally:
            found.over.set()
            listener.shutdown()
            thread.join()
