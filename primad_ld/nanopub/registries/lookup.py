"""What a registry has under an artifact code, checked: a registry may be wrong, or lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from primad_ld.nanopub.checking import Checked, check_bytes
from primad_ld.nanopub.registries.registry import Client, RegistryError, Reply, shown_line

#: What answers are written in, by the suffix of their files.
_SUFFIXES: Final = {
    "": ".trig",  # nothing is said, and this is what was asked for
    "application/trig": ".trig",
    "application/x-trig": ".trig",
    "application/n-quads": ".nq",
    "text/x-nquads": ".nq",
    "application/ld+json": ".jsonld",
    "application/trix": ".trix",
}
#: The suffixes that fetched nanopublications may have.
SUFFIXES: Final = (".trig", ".nq", ".jsonld", ".trix")


@dataclass(frozen=True, kw_only=True, slots=True)
class Held:
    """What a registry has under an artifact code: a nanopublication, or ``why`` it has none."""

    why: str = ""
    #: Whether it plainly says that it does not have it.
    is_absent: bool = False
    body: bytes = b""
    suffix: str = ".trig"
    found: Checked | None = None


def look_up(client: Client, code: str) -> Held:
    """What a registry has under an artifact code.

    Raises:
        RegistryError: It does not say.
    """
    reply = client.get(code)
    if reply.is_absent:
        place = f" and points to {reply.location}" if reply.location else ""
        return Held(why=f"the registry does not have it{place}", is_absent=True)
    if reply.status != 200:
        raise RegistryError(f"it answers {reply.status} {reply.words}")
    return _checked(reply, code)


def _checked(reply: Reply, code: str) -> Held:
    suffix = _SUFFIXES.get(reply.media_type)
    if suffix is None:
        return Held(why=f"the registry answers with {reply.media_type}, not with a nanopublication")
    found = check_bytes(reply.body, suffix, code)
    if not found.is_valid:
        why = shown_line(found.problems[0])
        return Held(why=f"the registry answers with what is no valid nanopublication: {why}")
    if found.nanopub is None or found.nanopub.artifact != code:
        return Held(why=f"the registry answers with another one, {shown_line(found.uri)}")
    return Held(body=reply.body, suffix=suffix, found=found)
