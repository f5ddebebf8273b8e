"""Signing many drafts: those that others rely on first, each file replaced by what it became.

An interrupted run loses nothing: what is signed stays signed, and the next run goes on with
the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from primad_ld.core.arguments import AnyPaths
from primad_ld.core.errors import HeaderError, PrimadError
from primad_ld.core.files import writing
from primad_ld.core.iris import XSD
from primad_ld.nanopub.drafts import draft_uri
from primad_ld.nanopub.folder import Entry, find_files, glance, remark_on
from primad_ld.nanopub.nanopubs import MalformedError, Nanopub, nanopub_of
from primad_ld.nanopub.signing import Signer, sign
from primad_ld.rdf.nanopub_terms import DESCRIBES, HAS_PUBLIC_KEY, HAS_SIGNATURE, INTRODUCES
from primad_ld.rdf.statements import (
    as_nquads,
    format_of,
    literal_token,
    read_statements,
)

#: Called with how many files are done, and how many there are.
Progress = Callable[[int, int], None]

# Starting processes takes about as long as signing so many.
_WORTH_PROCESSES: Final = 300
#: The kinds of drafts about what has an IRI with this word in it.
_KINDS: Final = {"validation": "verdict"}
_TEXTS: Final = (XSD + "string", XSD + "anyURI")
_WRITTEN: Final = (".trig", ".nq", ".nquads")


class _Task(NamedTuple):
    """A draft to be signed, and the names of the drafts that it relies on."""

    path: Path
    draft: str
    links: dict[str, str]


class _Outcome(NamedTuple):
    task: _Task
    uri: str
    problem: HeaderError | None = None
    #: What it holds that others might better not see.
    seen: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class SignReport:
    """What signing did: file and URI of each signed nanopublication, and what went wrong."""

    signed: list[tuple[Path, str]] = field(default_factory=list)
    #: Files that were signed before.
    already: int = 0
    problems: list[HeaderError] = field(default_factory=list)
    #: Signed files that hold what drafts leave out, and what that is.
    seen: list[tuple[Path, tuple[str, ...]]] = field(default_factory=list)


def sign_nanopubs(
    paths: AnyPaths,
    signer: Signer,
    *,
    progress: Progress | None = None,
    jobs: int | None = 1,
) -> SignReport:
    """Sign the drafts among some files and folders, in their places.

    Drafts that cannot be signed are in the report, and stay as they are.
    """
    entries = [glance(path) for path in find_files(paths)]
    report = SignReport(already=sum(bool(one.uri) and not one.is_draft for one in entries))
    drafts = _drafts_of(entries, report)
    known = _names_of_signed(entries, {link for one in drafts.values() for link in one.links})
    total = len(drafts)
    for level in _levels(drafts, known, report):
        tasks = [_task(drafts[uri], known) for uri in level]
        for outcome in _sign_all(tasks, signer, jobs):
            if outcome.problem is None:
                known[outcome.task.draft] = outcome.uri
                report.signed.append((outcome.task.path, outcome.uri))
                if outcome.seen:
                    report.seen.append((outcome.task.path, outcome.seen))
            else:
                report.problems.append(outcome.problem)
            if progress is not None:
                progress(len(report.signed) + len(report.problems), total)
    return report


def _drafts_of(entries: Iterable[Entry], report: SignReport) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for entry in entries:
        if entry.problem is not None:
            report.problems.append(entry.problem)
        elif entry.uri in found:
            report.problems.append(
                HeaderError(f"the same draft as {found[entry.uri].path}", file=entry.path)
            )
        elif entry.is_draft:
            found[entry.uri] = entry
    return found


def _names_of_signed(entries: Iterable[Entry], wanted: set[str]) -> dict[str, str]:
    """What drafts that are signed already are called, those at least that others rely on."""
    signed = [one for one in entries if one.uri and not one.is_draft]
    gone = {uri for one in signed for uri in one.supersedes}
    # A new version has the name of its draft in common with the old one, and comes behind it here.
    signed.sort(key=lambda one: one.uri not in gone)
    known = {one.former: one.uri for one in signed if one.former}
    if wanted <= known.keys():
        return known
    for one in signed:
        if not one.former:
            known |= dict.fromkeys(_former_names(one.path), one.uri)
    return known


def _former_names(path: Path) -> Iterator[str]:
    """What the draft was called, as far as the nanopublication tells; it came from elsewhere."""
    try:
        nanopub = nanopub_of(read_statements(path))
    except (MalformedError, HeaderError):
        return
    for predicate in (INTRODUCES, DESCRIBES):
        for about in nanopub.values(nanopub.uri, predicate):
            kind = about.rstrip("/").split("/")[-2:-1]
            yield from (draft_uri(_KINDS.get(one, one), about) for one in kind)


def _levels(
    drafts: Mapping[str, Entry], known: Mapping[str, str], report: SignReport
) -> Iterator[list[str]]:
    """Drafts in the order in which they can be signed; those of one level do not wait for each other."""
    waiting = dict(drafts)
    while waiting:
        ready = [
            uri
            for uri, entry in waiting.items()
            if not any(link in waiting and link != uri for link in entry.links)
        ]
        if not ready:
            report.problems.extend(
                HeaderError(
                    "relies on itself by way of others, or on some that do", file=entry.path
                )
                for entry in waiting.values()
            )
            return
        for uri in ready:
            del waiting[uri]
        yield ready


def _task(entry: Entry, known: Mapping[str, str]) -> _Task:
    links = {link: known[link] for link in entry.links if link in known}
    return _Task(entry.path, entry.uri, links)


def _sign_all(tasks: Sequence[_Task], signer: Signer, jobs: int | None) -> Iterator[_Outcome]:
    from primad_ld.core.processes import cores, in_processes

    processes = (jobs or cores()) if len(tasks) >= _WORTH_PROCESSES else 1
    if processes == 1:
        return map(_signing(signer), tasks)
    return in_processes(tasks, _worker, _portable(signer), processes)


class _Hidden(NamedTuple):
    """A key on its way to another process, which no error or traceback shows."""

    key: bytes

    def __repr__(self) -> str:
        return "a key"


def _portable(signer: Signer) -> tuple[object, ...]:
    """A signer as another process gets it; the key goes through a pipe between the two."""
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
    )

    key = _Hidden(signer.key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption()))
    return signer.orcid, signer.license, signer.created, signer.public_key, signer.name, key


def _worker(
    orcid: str, license: str, created: str, public_key: str, name: str, hidden: _Hidden
) -> Callable[[Iterable[_Task]], Iterable[_Outcome]]:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
    from cryptography.hazmat.primitives.serialization import load_der_private_key

    loaded = load_der_private_key(hidden.key, None)
    assert isinstance(loaded, RSAPrivateKey)
    signing = _signing(
        Signer(
            orcid=orcid,
            license=license,
            created=created,
            public_key=public_key,
            name=name,
            key=loaded,
        )
    )
    return lambda tasks: map(signing, tasks)


def _signing(signer: Signer) -> Callable[[_Task], _Outcome]:
    def sign_one(task: _Task) -> _Outcome:
        try:
            return _sign_file(task, signer)
        except HeaderError as error:
            return _Outcome(task, "", error.in_file(task.path))
        except PrimadError as error:
            why = str(error).removeprefix(f"{task.path}: ")
            return _Outcome(task, "", HeaderError(why, file=task.path))

    return sign_one


def _sign_file(task: _Task, signer: Signer) -> _Outcome:
    suffix = format_of(task.path)
    if suffix not in _WRITTEN:
        raise HeaderError(f"drafts are signed in files that end with {' or '.join(_WRITTEN[:2])}")
    draft: Nanopub = nanopub_of(read_statements(task.path))
    if draft.uri != task.draft:
        raise HeaderError(f"its first lines name {task.draft}, and it is {draft.uri}")
    signed = sign(draft, signer, task.links)
    text = signed.text if suffix == ".trig" else as_nquads(signed.nanopub.statements)
    with writing(task.path, force=True) as stream:
        stream.write((remark_on(draft.uri) + text).encode())
    return _Outcome(task, signed.nanopub.uri, seen=_seen_by_others(draft))


def _is_text(datatype: str | None) -> bool:
    """Whether literals of a datatype may hold anything: no numbers, no times."""
    return datatype is not None and (not datatype.startswith(XSD) or datatype in _TEXTS)


def _seen_by_others(draft: Nanopub) -> tuple[str, ...]:
    """What a draft says that drafts leave out; somebody may have added it by hand."""
    from primad_ld.header.redaction import redact_text, redact_triples

    where = (draft.assertion, draft.provenance)
    texts = [
        one
        for one in draft.statements
        if one.graph in where
        and _is_text(one.value.datatype)
        # Introductions are there to state a key, and base64 may look like a path.
        and one.predicate not in (HAS_PUBLIC_KEY, HAS_SIGNATURE)
    ]
    # Most hold nothing; of the others, JSON is read as what it is.
    if not any(redact_text(text)[1] for text in {one.value.value for one in texts}):
        return ()
    lines = (f"<{one.subject}> <{one.predicate}> {literal_token(one.value)} .\n" for one in texts)
    found = redact_triples("".join(lines))[1]
    return tuple(dict.fromkeys(one.what for one in found))
