"""Taking back what is published: a newer version supersedes it, or a retraction says it is void.

Nothing that is published can be changed or removed. Registries heed both only if they are
signed with the key that signed what they take back.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError, PrimadError
from primad_ld.core.files import writing
from primad_ld.core.iris import RDFS, is_iri
from primad_ld.header.redaction import check_public
from primad_ld.nanopub.checking import CheckState, check_nanopub
from primad_ld.nanopub.drafting.draft_reports import DraftReport, draft_text, form_of_draft
from primad_ld.nanopub.drafts import Draft, draft_uri, nanopub_of_draft, public_line, text
from primad_ld.nanopub.keys import orcid_iri
from primad_ld.nanopub.nanopub_folder import only_writer
from primad_ld.nanopub.nanopubs import Nanopub, read_nanopub
from primad_ld.nanopub.trusty import artifact_of
from primad_ld.rdf.nanopub_statements import Statement, literal_token
from primad_ld.rdf.nanopub_terms import ATTRIBUTED_TO, DRAFTS, PUBLISHED, RETRACTS, SUPERSEDES
from primad_ld.rdf.subject_index import Object

#: The kind of drafts of retractions.
_KIND: Final = "retraction"
_WEB: Final = ("http://", "https://")
#: Where names of nanopublications begin that resolve at every registry.
_USUAL: Final = (PUBLISHED, "http://purl.org/np/")
#: So many letters of a digest are shown to people.
_DIGITS: Final = 10
_LONGEST_LABEL: Final = 200
_EXAMPLE: Final = f"{PUBLISHED}RA and 43 letters"


# What is taken back -----------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class PublishedNanopub:
    """A nanopublication that is to be taken back, as far as it is known."""

    uri: str
    label: str = ""
    #: The file that it was read from; None if only its name is known.
    path: Path | None = None
    #: Who signed it.
    signers: tuple[str, ...] = ()
    is_signed: bool = True


def find_published(given: Path | str) -> PublishedNanopub:
    """The nanopublication of a file, or that of a name, which nobody looks up.

    Raises:
        PrimadError: It is invalid, a draft, or its name holds no digest.
    """
    name = str(given)
    # A path object has lost a slash of what was an address.
    if name.startswith(_WEB):
        return _of_name(name)
    if not Path(name).exists():
        raise HeaderError(
            "there is no such file, and this is no name of a nanopublication",
            file=name,
            hint=f"name a file, or write {_EXAMPLE}",
        )
    return _of_file(Path(name))


def _of_name(name: str) -> PublishedNanopub:
    uri = name.rstrip("/#.")
    if uri.startswith(DRAFTS):
        raise PrimadError(f"{uri} is the name of a draft, which nobody else has")
    if not artifact_of(uri) or "?" in uri or not is_iri(uri):
        raise PrimadError(
            f"{name[:200]!r} is no name of a published nanopublication, "
            f"which ends with its digest; write {_EXAMPLE}"
        )
    check_public(uri, "name of the nanopublication")
    return PublishedNanopub(uri=uri)


def _of_file(path: Path) -> PublishedNanopub:
    found = check_nanopub(path)
    nanopub = found.nanopub
    if nanopub is None or not found.is_valid:
        raise HeaderError("; ".join(found.problems), file=path)
    if nanopub.is_draft:
        raise HeaderError(
            "this is a draft, which nobody else has", file=path, hint="change or remove the file"
        )
    if found.state is CheckState.PLAIN:
        raise HeaderError("its name holds no digest, so nobody can tell what is meant", file=path)
    return PublishedNanopub(
        uri=nanopub.uri,
        label=next(iter(sorted(nanopub.values(nanopub.uri, RDFS + "label"))), ""),
        path=path,
        signers=tuple(sorted(found.signature.signers)) if found.signature else (),
        is_signed=found.signature is not None,
    )


def _notes(old: PublishedNanopub, done: str) -> Iterator[str]:
    """What its author should know; ``done`` is what registries mark it as."""
    who = f" ({', '.join(old.signers)})" if old.signers else ""
    if old.is_signed:
        yield f"registries mark {old.uri} as {done} only if the key that signed it{who} signs this"
    else:
        yield f"{old.uri} is not signed, so no registry has it"
    if old.path is None and not old.uri.startswith(_USUAL):
        yield f"is {old.uri} its own name, and not the address of a copy? nobody looked it up"


# Superseding ------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, repr=False)
class Superseding(DraftReport):
    """A draft that supersedes something published."""

    old: str
    #: False if it superseded this already.
    is_new: bool

    def verdict(self) -> str:
        """What supersedes what."""
        word = "supersedes" if self.is_new else "already supersedes"
        return f"{self.path or self.nanopub.uri} {word} {self.old}; sign it next"

    def record(self) -> dict[str, object]:
        """Whether anything changed, above the draft."""
        return {"old": self.old, "is_new": self.is_new, **DraftReport.record(self)}


def supersede(
    old: Path | str,
    new: Path,
    output: Path | None = None,
    *,
    force: bool = False,
    write: bool = True,
) -> Superseding:
    """Make a draft the newer version of something published, in its place or in another file.

    Without ``write``, no file is changed.

    Raises:
        PrimadError: The old one is not published, or the new one is not a draft.
    """
    if not str(old).startswith(_WEB) and os.path.realpath(old) == os.path.realpath(new):
        raise HeaderError("the old and the new one are the same file", file=new)
    published = find_published(old)
    place = output or new
    form = form_of_draft(place)
    with only_writer(*([place.parent] if write else [])):
        draft = _draft(new)
        is_new = published.uri not in draft.values(draft.uri, SUPERSEDES)
        link = Statement(draft.pubinfo, draft.uri, SUPERSEDES, Object(published.uri))
        changed = replace(draft, statements=tuple(dict.fromkeys([*draft.statements, link])))
        if write and (is_new or output is not None):
            with writing(place, force=force or output is None) as stream:
                stream.write(draft_text(changed, form).encode())
    return Superseding(
        nanopub=changed,
        path=place if write else None,
        old=published.uri,
        is_new=is_new,
        notes=tuple(_notes(published, "superseded")),
    )


def _draft(path: Path) -> Nanopub:
    found = read_nanopub(path)
    if found.artifact:
        raise HeaderError(
            "what has its digest in its name cannot be changed",
            file=path,
            hint="make its draft again, say what it supersedes, and then sign it",
        )
    if not found.is_draft:
        raise HeaderError(f"no draft; the names of drafts begin with {DRAFTS}", file=path)
    return found


# Retracting -------------------------------------------------------------------------------


def retract(old: Path | str, orcid: str, *, reason: str = "") -> DraftReport:
    """Draft a retraction of something published.

    Raises:
        PrimadError: It is not published, or the ORCID is invalid.
    """
    who, why = orcid_iri(orcid), public_line(reason, "reason")
    published = find_published(old)
    notes = [*_notes(published, "retracted")]
    if published.signers and who not in published.signers:
        notes.append(f"{who} is not among those who signed it")
    draft = nanopub_of_draft(_retraction(published, who, why))
    return DraftReport(nanopub=draft, notes=tuple(notes))


def _retraction(old: PublishedNanopub, who: str, why: str) -> Draft:
    """As the retractions that people make with Nanodash: its subject is a person, not itself."""
    code = artifact_of(old.uri)
    assertion = f"{draft_uri(_KIND, code)}assertion"
    lines = [f"<{who}> <{RETRACTS}> <{old.uri}> .\n"]
    if why:
        lines.append(f"<{assertion}> <{RDFS}comment> {literal_token(text(why))} .\n")
    label = " ".join(old.label.split())[:_LONGEST_LABEL]
    return Draft(
        kind=_KIND,
        about=code,
        label=f"Retraction of {code[:_DIGITS]}" + (f" ({label})" if label else ""),
        types=(RETRACTS,),
        triples="".join(lines),
        provenance=(("sub:assertion", ATTRIBUTED_TO, Object(who)),),
        describes=(old.uri,),
    )
