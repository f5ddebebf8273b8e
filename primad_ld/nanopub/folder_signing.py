"""Drafts signed in their places: those that others rely on first, each file replaced by what it became.

An interrupted run loses nothing: what is signed stays signed, and the next run goes on with the
rest.
"""

from __future__ import annotations

import enum
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from primad_ld.core.errors import HeaderError, PrimadError
from primad_ld.core.files import writing
from primad_ld.core.iris import XSD
from primad_ld.core.library_arguments import AnyPaths, optional, to_whole
from primad_ld.nanopub.drafts import draft_uri
from primad_ld.nanopub.keys import parse_key, private_text
from primad_ld.nanopub.nanopub_folder import (
    FolderEntry,
    Progress,
    each_file,
    find_files,
    glance,
    in_batches,
    notes_on_skipped,
    only_writer,
    remark_on,
)
from primad_ld.nanopub.nanopubs import Nanopub, read_nanopub
from primad_ld.nanopub.signing import Signer, sign
from primad_ld.rdf.nanopub_statements import as_nquads, format_of, literal_token
from primad_ld.rdf.nanopub_terms import DESCRIBES, HAS_PUBLIC_KEY, HAS_SIGNATURE, INTRODUCES
from primad_ld.tables.answers import Answer, Table, columns

#: A draft, and the names of the drafts that it relies on.
_Task = tuple[FolderEntry, dict[str, str]]
#: The kinds of drafts about what has an IRI with this word in it.
_KINDS: Final = {"validation": "verdict"}
_TEXTS: Final = (XSD + "string", XSD + "anyURI")
_WRITTEN: Final = (".trig", ".nq", ".nquads")


class SignState(enum.StrEnum):
    """What became of a file."""

    signed = "signed"
    #: It stays as it is.
    before = "signed before"


@dataclass(frozen=True, kw_only=True, slots=True)
class SignedFile:
    """A file that holds a signed nanopublication."""

    file: Path
    uri: str
    state: SignState = SignState.signed
    #: What it holds that drafts leave out, such as a mail address; of those signed now.
    holds: tuple[str, ...] = ()


_COLUMNS: Final = columns(file="file", uri="nanopublication", state="status", holds="holds")


@dataclass(frozen=True, kw_only=True, repr=False)
class SignReport(Answer):
    """What signing did, and what went wrong."""

    files: list[SignedFile] = field(default_factory=list)
    problems: list[HeaderError] = field(default_factory=list)
    warnings: Sequence[str] = ()
    notes: Sequence[str] = ()

    @property
    def signed(self) -> list[SignedFile]:
        """Those that were signed now, in this order."""
        return [file for file in self.files if file.state is SignState.signed]

    def table(self) -> Table:
        """A row for each signed file, those of before included."""
        rows = list(map(asdict, self.files))
        return Table(name="nanopublications", columns=_COLUMNS, rows=rows)

    def shown(self) -> list[Table]:
        """Those that were signed now."""
        rows = [asdict(file) for file in self.signed]
        return [replace(self.table(), columns=_COLUMNS[:2], rows=rows)] if rows else []

    def verdict(self) -> str:
        """How many were signed, now and before."""
        before = len(self.files) - len(self.signed)
        return f"{len(self.signed):,} signed" + (f", {before:,} signed before" if before else "")


def sign_nanopubs(
    paths: AnyPaths,
    signer: Signer,
    *,
    progress: Progress | None = None,
    jobs: int | None = 1,
) -> SignReport:
    """Sign the drafts among some files and folders, in their places.

    Drafts that cannot be signed are in the report, and stay as they are.

    Raises:
        PrimadError: There are no files, or another command writes into one of their folders.
    """
    files, jobs = find_files(paths), optional(to_whole(1))(jobs, "jobs")
    with only_writer(*(Path(os.path.realpath(file)).parent for file in files)):
        report = _sign_files(files, signer, progress, jobs)
    return replace(report, warnings=[*_warnings(report.signed)], notes=[*notes_on_skipped(paths)])


def _sign_files(
    files: Iterable[Path], signer: Signer, progress: Progress | None, jobs: int | None
) -> SignReport:
    entries = [glance(path) for path in files]
    report = SignReport()
    drafts = _drafts_of(entries, report)
    known = _names_of_signed(entries, {link for one in drafts.values() for link in one.links})
    done = 0

    def advance(more: int, _: int) -> None:
        if progress is not None:
            progress(done + more, len(drafts))

    waiting = dict(drafts)
    for uris in in_batches({uri: entry.links for uri, entry in drafts.items()}):
        batch = [waiting.pop(uri) for uri in uris]
        tasks = [
            (entry, {link: known[link] for link in entry.links if link in known}) for entry in batch
        ]
        outcomes = each_file(tasks, _sign_draft, _Sender(signer), progress=advance, jobs=jobs)
        for entry, outcome in zip(batch, outcomes, strict=True):
            if isinstance(outcome, HeaderError):
                report.problems.append(outcome)
            else:
                known[entry.uri] = outcome.uri
                report.files.append(outcome)
        done += len(batch)
    report.problems.extend(
        HeaderError("relies on itself by way of others, or on some that do", file=entry.path)
        for entry in waiting.values()
    )
    report.files.extend(
        SignedFile(file=entry.path, uri=entry.uri, state=SignState.before)
        for entry in entries
        if entry.uri and not entry.is_draft
    )
    return report


def _warnings(signed: Iterable[SignedFile]) -> Iterator[str]:
    """Which files hold what drafts leave out, a line for each kind. Many were made so on purpose."""
    paths: dict[tuple[str, ...], list[Path]] = {}
    for file in signed:
        if file.holds:
            paths.setdefault(file.holds, []).append(file.file)
    for holds, files in paths.items():
        more = f" and {len(files) - 1:,} more files" if len(files) > 1 else ""
        yield f"{files[0]}{more}: holds {' and '.join(holds)}; others will see it"


def _drafts_of(entries: Iterable[FolderEntry], report: SignReport) -> dict[str, FolderEntry]:
    found: dict[str, FolderEntry] = {}
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


def _names_of_signed(entries: Iterable[FolderEntry], wanted: set[str]) -> dict[str, str]:
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
        nanopub = read_nanopub(path)
    except HeaderError:
        return
    for predicate in (INTRODUCES, DESCRIBES):
        for about in nanopub.values(nanopub.uri, predicate):
            kind = about.rstrip("/").split("/")[-2:-1]
            yield from (draft_uri(_KINDS.get(one, one), about) for one in kind)


class _Sender:
    """A signer that other processes get, too; what is on its way there is shown nowhere."""

    def __init__(self, signer: Signer) -> None:
        self.signer = signer

    def __reduce__(self) -> tuple[object, ...]:
        words = {one.name: getattr(self.signer, one.name) for one in fields(self.signer)}
        return _received, (words | {"key": None}, private_text(words["key"]))


def _received(words: dict[str, Any], text: bytes) -> _Sender:
    return _Sender(Signer(**words | {"key": parse_key(text)}))


def _sign_draft(task: _Task, sender: _Sender) -> SignedFile | HeaderError:
    """Sign one draft in its place, or say why it stays as it is."""
    entry, known = task
    try:
        return _sign_file(entry, sender.signer, known)
    except HeaderError as error:
        return error.in_file(entry.path)
    except PrimadError as error:
        return HeaderError(str(error).removeprefix(f"{entry.path}: "), file=entry.path)


def _sign_file(entry: FolderEntry, signer: Signer, known: Mapping[str, str]) -> SignedFile:
    """Sign one draft in its place; ``known`` are the names of those that it relies on."""
    suffix = format_of(entry.path)
    if suffix not in _WRITTEN:
        raise HeaderError(f"drafts are signed in files that end with {' or '.join(_WRITTEN[:2])}")
    draft = read_nanopub(entry.path)
    if draft.uri != entry.uri:
        raise HeaderError(f"its first lines name {entry.uri}, and it is {draft.uri}")
    signed = sign(draft, signer, known)
    seen = _seen_by_others(draft)  # before the file changes: whatever fails, it is not half done
    text = signed.text if suffix == ".trig" else as_nquads(signed.nanopub.statements)
    with writing(entry.path, force=True) as stream:
        stream.write((remark_on(draft.uri) + text).encode())
    return SignedFile(file=entry.path, uri=signed.nanopub.uri, holds=seen)


def _seen_by_others(draft: Nanopub) -> tuple[str, ...]:
    """What a draft says that drafts leave out; somebody may have added it by hand."""
    from primad_ld.header.redaction import redact_text, redact_triples

    where = (draft.assertion, draft.provenance)
    texts = [
        one
        for one in draft.statements
        if one.graph in where
        # Numbers and times hold nothing else.
        and (datatype := one.value.datatype) is not None
        and (not datatype.startswith(XSD) or datatype in _TEXTS)
        # Introductions are there to state a key, and base64 may look like a path.
        and one.predicate not in (HAS_PUBLIC_KEY, HAS_SIGNATURE)
    ]
    # Most hold nothing; of the others, JSON is read as what it is.
    if not any(redact_text(text)[1] for text in {one.value.value for one in texts}):
        return ()
    lines = (f"<{one.subject}> <{one.predicate}> {literal_token(one.value)} .\n" for one in texts)
    found = redact_triples("".join(lines))[1]
    return tuple(dict.fromkeys(one.what for one in found))
