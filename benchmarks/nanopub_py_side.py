"""The other side of the comparison: nanopub-py signs and checks, timed in its interpreter.

Takes one JSON request in each line of standard input and answers with the seconds that each
nanopublication took, and with what became of it. Only the standard library and nanopub are
imported; imports are not timed.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from nanopub import Nanopub, NanopubConf
from nanopub.profile import Profile


def about() -> dict[str, Any]:
    """What this side runs on."""
    names = ("nanopub", "rdflib", "pycryptodome")
    return {"python": sys.version.split()[0], **{name: version(name) for name in names}}


def sign(paths: list[str], key: str, orcid: str, output: str) -> dict[str, Any]:
    """Sign drafts in files; writing what became of them is not timed."""
    profile = Profile(orcid_id=orcid, name="", private_key=Path(key))
    conf = NanopubConf(profile=profile)
    seconds, found = [], []
    for number, path in enumerate(paths):
        start = time.perf_counter()
        signed = Nanopub(rdf=Path(path), conf=conf)
        signed.sign()
        seconds.append(time.perf_counter() - start)
        found.append(str(signed.source_uri))
        # Its TriG changes some literals.
        signed.rdf.serialize(Path(output, f"{number}.nq"), format="nquads", encoding="utf-8")
    return {"seconds": seconds, "found": found}


def check(paths: list[str]) -> dict[str, Any]:
    """Check nanopublications in files: the constructor does, where they have trusty URIs."""
    seconds, found = [], []
    for path in paths:
        start = time.perf_counter()
        found.append(_problem(path))
        seconds.append(time.perf_counter() - start)
    return {"seconds": seconds, "found": found}


def _problem(path: str) -> str:
    try:
        one = Nanopub(rdf=Path(path))
        is_valid = one.metadata.trusty or one.is_valid
    except Exception as error:  # noqa: BLE001  whatever it is, it goes into the answer
        return f"{type(error).__name__}: {error}"
    return "" if is_valid else "not valid"


_TASKS: dict[str, Callable[..., dict[str, Any]]] = {
    task.__name__: task for task in (about, sign, check)
}


def main() -> None:
    for line in sys.stdin:
        request: dict[str, Any] = json.loads(line)
        print(json.dumps(_TASKS[request.pop("task")](**request)), flush=True)


if __name__ == "__main__":
    main()
