"""Small nanopublications of no meaning, to be listed, superseded and retracted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from primad_ld.core.iris import RDFS
from primad_ld.nanopub.drafting.nanopub_indexes import problem_of_index
from primad_ld.nanopub.drafts import Draft, nanopub_of_draft
from primad_ld.nanopub.nanopubs import Nanopub, nanopub_of
from primad_ld.nanopub.signing import Signer, sign
from primad_ld.nanopub.trig import as_trig
from primad_ld.nanopub.trusty import code_of, rows_of, text_of
from primad_ld.rdf.nanopub_statements import parse_statements, read_statements
from primad_ld.rdf.nanopub_terms import (
    INCLUDES_ELEMENT,
    INCLUDES_SUBINDEX,
    PUBLISHED,
)

THING = "https://example.org/Thing"
_PLACE = "RA" + "0" * 43


def uri_of(number: int) -> str:
    """A name of a nanopublication that is nowhere."""
    return f"{PUBLISHED}RA{number:043}"


def a_thing(number: int = 1) -> Nanopub:
    """The draft of a nanopublication that can be signed."""
    return nanopub_of_draft(
        Draft(
            kind="thing",
            about=f"{number:016x}",
            label=f"Thing {number}",
            types=(THING,),
            triples=f'<https://example.org/{number}> <https://example.org/is> "{number}" .\n',
        )
    )


def put_draft(path: Path, number: int = 1) -> Path:
    """A draft in a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(as_trig(a_thing(number)), encoding="utf-8")
    return path


def put_signed(path: Path, signer: Signer, number: int = 1) -> str:
    """A signed nanopublication in a file; its name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    signed = sign(a_thing(number), signer)
    path.write_text(signed.text, encoding="utf-8")
    return signed.nanopub.uri


def put_unsigned(folder: Path, numbers: Iterable[int]) -> set[str]:
    """Many nanopublications whose names hold their digests, without signatures, which take time."""
    folder.mkdir(parents=True, exist_ok=True)
    draft = a_thing(0)
    text = as_trig(draft).replace(f"@prefix sub: <{draft.uri}>", f"@prefix sub: <{draft.uri}/>")
    text = text.replace(f"<{draft.uri}", f"<{PUBLISHED}{_PLACE}")
    names = set()
    for number in numbers:
        one = text.replace('"0"', f'"{number}"').replace("Thing 0", f"Thing {number}")
        statements = parse_statements(one.encode(), ".trig", "test")
        code = code_of(text_of(rows_of(statements, _PLACE)))
        (folder / f"thing-{number}.trig").write_text(one.replace(_PLACE, code), encoding="utf-8")
        names.add(PUBLISHED + code)
    return names


@dataclass(frozen=True, kw_only=True)
class ListedIndex:
    """What the index in a file lists, each in order."""

    uri: str
    label: str
    elements: tuple[str, ...]
    subindexes: tuple[str, ...]


def read_index(path: Path) -> ListedIndex:
    """The index in a file, which keeps the rules of indexes."""
    nanopub = nanopub_of(read_statements(path))
    assert not problem_of_index(nanopub)
    elements, subindexes = (
        tuple(sorted(nanopub.values(nanopub.uri, predicate, graph=nanopub.assertion)))
        for predicate in (INCLUDES_ELEMENT, INCLUDES_SUBINDEX)
    )
    return ListedIndex(
        uri=nanopub.uri,
        label=nanopub.values(nanopub.uri, RDFS + "label")[0],
        elements=elements,
        subindexes=subindexes,
    )
