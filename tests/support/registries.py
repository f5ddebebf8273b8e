"""Registries on loopback, each a process of its own that ends with the tests, and what they get."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest import mock

from primad_ld.nanopub.drafts import Draft, Triple, draft_uri, nanopub_of_draft
from primad_ld.nanopub.signing import Signed, Signer, sign
from primad_ld.rdf.nanopub_terms import (
    APPENDS_INDEX,
    INCLUDES_ELEMENT,
    INCLUDES_SUBINDEX,
    INDEX,
    PROV,
)
from primad_ld.rdf.subject_index import Object

SERVER = Path(__file__).parent / "registry_server.py"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


@dataclass(frozen=True)
class StandIn:
    """A registry that is running."""

    url: str

    def set(self, **faults: Any) -> None:
        """Make it misbehave; `registry_server.FAULTS` says how."""
        self._control("POST", json.dumps(faults).encode())

    def give(self, one: Signed) -> None:
        """Have it hold a nanopublication."""
        self._request("POST", "", one.text.encode())

    def reset(self) -> None:
        """Make it forget everything."""
        self._control("DELETE")

    @property
    def kept(self) -> list[str]:
        """The artifact codes of what it has, in the order in which they came."""
        return self._state()["kept"]

    @property
    def posts(self) -> list[str]:
        """The artifact codes of what was sent, as often as it was sent."""
        return self._state()["posts"]

    @property
    def gets(self) -> list[str]:
        """The artifact codes that were asked for, as often as they were."""
        return self._state()["gets"]

    @property
    def logins(self) -> list[str]:
        """What was asked for through it as a proxy, and by whom."""
        return self._state()["logins"]

    def _state(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = json.loads(self._control("GET"))
        return found

    def _control(self, method: str, body: bytes | None = None) -> bytes:
        return self._request(method, "control", body)

    def _request(self, method: str, place: str, body: bytes | None) -> bytes:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        kind = {"Content-Type": "application/trig"}
        request = urllib.request.Request(f"{self.url}{place}", body, kind, method=method)
        with opener.open(request, timeout=60) as response:
            said: bytes = response.read()
        return said


@contextmanager
def running_registry(certificate: Path | None = None, **faults: Any) -> Iterator[StandIn]:
    """A registry that ends with the block, or with this process; over TLS with a certificate."""
    command = [sys.executable, str(SERVER), "--until-eof", json.dumps(faults)]
    scheme = "http"
    if certificate is not None:
        command.append(f"--tls={certificate}")
        scheme = "https"
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            yield StandIn(f"{scheme}://127.0.0.1:{int(process.stdout.readline())}/")
        finally:
            process.kill()


# What is published -----------------------------------------------------------------------------

Make = Callable[..., Signed]


def signed(
    word: str,
    signer: Signer,
    *,
    says: str = '"BM25"',
    sources: Sequence[str] = (),
    types: Sequence[str] = (),
    pubinfo: Sequence[Triple] = (),
) -> Signed:
    """A small nanopublication about something that a word names."""
    about = f"https://example.org/method/{word}"
    draft = Draft(
        kind="method",
        about=about,
        label=f"The method {word}",
        types=("https://example.org/Method", *types),
        triples=f"<{about}> <https://example.org/calls> {says} .\n",
        provenance=(("sub:assertion", PROV + "hadPrimarySource", Object(about)),),
        sources=tuple(sources),
        describes=(about,),
        pubinfo=tuple(pubinfo),
    )
    return sign(nanopub_of_draft(draft), signer)


def ahead_of_time(word: str, signer: Signer) -> Signed:
    """One whose time of creation is yet to come: whoever signs it has a clock of their own."""
    with mock.patch("primad_ld.nanopub.signing.refusals_of", return_value=()):
        return signed(word, replace(signer, created="2199-01-01T00:00:00Z"))


def signed_index(
    word: str,
    signer: Signer,
    elements: Sequence[str] = (),
    *,
    subindexes: Sequence[str] = (),
    appends: str = "",
    supersedes: str = "",
) -> Signed:
    """An index of nanopublications, by their URIs."""
    about = f"https://example.org/index/{word}"
    this = draft_uri("index", about)
    listed = {
        INCLUDES_ELEMENT: elements,
        INCLUDES_SUBINDEX: subindexes,
        APPENDS_INDEX: [appends] if appends else [],
    }
    pubinfo: list[Triple] = [("this:", RDF_TYPE, Object(INDEX))]
    if supersedes:
        pubinfo.append(("this:", "http://purl.org/nanopub/x/supersedes", Object(supersedes)))
    draft = Draft(
        kind="index",
        about=about,
        label=f"The index {word}",
        types=(),
        triples="".join(
            f"<{this}> <{predicate}> <{uri}> .\n"
            for predicate, uris in listed.items()
            for uri in uris
        )
        or f'<{this}> <http://www.w3.org/2000/01/rdf-schema#label> "empty" .\n',
        pubinfo=tuple(pubinfo),
    )
    return sign(nanopub_of_draft(draft), signer)


def code_of(one: Signed) -> str:
    """The artifact code of a nanopublication."""
    return one.nanopub.artifact


def put_all(folder: Path, found: Sequence[Signed]) -> list[Path]:
    """Files of nanopublications, named so that their order is none that registries need."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{code_of(one)[2:]}.trig" for one in found]
    for path, one in zip(paths, found, strict=True):
        path.write_text(one.text, encoding="utf-8")
    return sorted(paths)
