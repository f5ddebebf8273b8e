"""Drafts signed: they get the name that holds their digest, and the signature of a key.

What would make two signers disagree on the name is declared here and not left to them: who
signs, when, and under which licence. `nanopub-sign` gives the same name to what this signs,
and tests hold both to that.

Of many drafts, those that others rely on are signed first, and each file is replaced by what it
became. An interrupted run loses nothing: what is signed stays signed, and the next run goes on
with the rest.
"""

from __future__ import annotations

import enum
import os
import re
from base64 import b64encode
from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from primad_ld.core.errors import HeaderError, PrimadError
from primad_ld.core.files import writing
from primad_ld.core.iris import FOAF, XSD, is_iri
from primad_ld.core.library_arguments import AnyPaths
from primad_ld.nanopub.checking import ill_typed
from primad_ld.nanopub.drafts import draft_uri
from primad_ld.nanopub.nanopub_folder import (
    FolderEntry,
    find_files,
    glance,
    notes_on_skipped,
    only_writer,
    remark_on,
)
from primad_ld.nanopub.nanopubs import MalformedError, Nanopub, nanopub_of
from primad_ld.nanopub.signatures import sign_text, states_signature
from primad_ld.nanopub.trig import as_trig
from primad_ld.nanopub.trusty import HOLE, code_of, is_trusty, renamed_rows, rows_of, text_of
from primad_ld.rdf.nanopub_statements import (
    Statement,
    as_nquads,
    format_of,
    is_blank,
    literal_token,
    read_statements,
)
from primad_ld.rdf.nanopub_terms import (
    ATTRIBUTED_TO,
    CREATED,
    CREATOR,
    DECLARED_BY,
    DESCRIBES,
    DRAFTS,
    HAS_ALGORITHM,
    HAS_PUBLIC_KEY,
    HAS_SIGNATURE,
    HAS_TARGET,
    INTRODUCES,
    LICENSE,
    MOST_CHARACTERS,
    MOST_TRIPLES,
    PUBLISHED,
    SIGNED_BY,
)
from primad_ld.rdf.subject_index import Object
from primad_ld.tables.answers import Answer, Column, Table

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey


_DRAFT: Final = re.compile(re.escape(DRAFTS) + r"[^/>\s]+/")
_STRING: Final = XSD + "string"
#: Clocks differ by this much.
_FUTURE: Final = timedelta(seconds=60)
#: What the reference implementation fills with the artifact code, in whatever namespace.
_CODE: Final = "~~~ARTIFACTCODE~~~"
#: Called with how many files are done, and how many there are.
Progress = Callable[[int, int], None]
# Starting processes takes about as long as signing so many.
_WORTH_PROCESSES: Final = 300
#: The kinds of drafts about what has an IRI with this word in it.
_KINDS: Final = {"validation": "verdict"}
_TEXTS: Final = (XSD + "string", XSD + "anyURI")
_WRITTEN: Final = (".trig", ".nq", ".nquads")


# One draft --------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Signer:
    """Who signs, with what, and when. The key is shown nowhere."""

    #: The ORCID as an IRI.
    orcid: str
    license: str
    #: The moment, as an xsd:dateTime.
    created: str
    public_key: str
    key: RSAPrivateKey
    #: The name of the person; empty to leave it out.
    name: str = ""

    def __repr__(self) -> str:
        return f"Signer({self.orcid})"


@dataclass(frozen=True, kw_only=True, slots=True)
class Signed:
    """A signed nanopublication, and its text in TriG."""

    nanopub: Nanopub
    text: str


def sign(draft: Nanopub, signer: Signer, links: Mapping[str, str] | None = None) -> Signed:
    """Sign a draft. ``links`` are the names that other drafts got, by their URIs.

    Raises:
        PrimadError: It is signed already, refers to drafts without a name, or no registry
            would take it.
    """
    if not draft.is_draft:
        raise PrimadError(f"{draft.uri} is no draft; only drafts can be signed")
    _check_introduction(draft, signer)
    _check_created(draft)
    nanopub = seal(_with(draft, _declared(draft, signer)), signer, links)
    text = as_trig(nanopub)
    _check_size(nanopub, text)
    return Signed(nanopub=nanopub, text=text)


def seal(nanopub: Nanopub, signer: Signer, links: Mapping[str, str] | None = None) -> Nanopub:
    """Sign what is said as it stands: nothing is added but the signature.

    A draft gets the name of a published nanopublication; another keeps its own and gets its
    artifact code behind it.
    """
    _check_unsigned(nanopub)
    _check_name(nanopub.uri)
    _check_values(nanopub.statements)
    whole = _with(nanopub, _stated(nanopub, signer))
    return _signed(whole, _new_names(whole, links or {}), signer)


def _with(nanopub: Nanopub, added: Iterable[Statement]) -> Nanopub:
    return replace(nanopub, statements=tuple(dict.fromkeys([*nanopub.statements, *added])))


def _declared(draft: Nanopub, signer: Signer) -> list[Statement]:
    """What a draft leaves to its signer: who, when, under which licence."""
    info, uri = draft.pubinfo, draft.uri
    added = [
        Statement(info, uri, CREATOR, Object(signer.orcid)),
        Statement(info, uri, LICENSE, Object(signer.license)),
    ]
    if not draft.values(uri, CREATED):
        added.append(Statement(info, uri, CREATED, Object(signer.created, XSD + "dateTime")))
    if signer.name:
        added.append(Statement(info, signer.orcid, FOAF + "name", Object(signer.name, _STRING)))
    if not any(one.predicate == ATTRIBUTED_TO for one in draft.graph(draft.provenance)):
        added.append(
            Statement(draft.provenance, draft.assertion, ATTRIBUTED_TO, Object(signer.orcid))
        )
    other = {*draft.values(uri, LICENSE)} - {signer.license}
    if other:
        raise PrimadError(
            f"it states the licence {min(other)}, and is to be signed under {signer.license}; "
            "name the same licence"
        )
    return added


def _stated(nanopub: Nanopub, signer: Signer) -> list[Statement]:
    """What a signature states besides its value."""
    info, node = nanopub.pubinfo, _node(nanopub)
    return [
        Statement(info, node, HAS_ALGORITHM, Object("RSA", _STRING)),
        Statement(info, node, HAS_PUBLIC_KEY, Object(signer.public_key, _STRING)),
        Statement(info, node, HAS_TARGET, Object(nanopub.uri)),
        Statement(info, node, SIGNED_BY, Object(signer.orcid)),
    ]


def _node(nanopub: Nanopub) -> str:
    """The node of the signature."""
    inside = nanopub.uri if nanopub.uri.endswith(("/", "#")) else f"{nanopub.uri}/"
    return inside + "sig"


def _new_names(nanopub: Nanopub, links: Mapping[str, str]) -> dict[str, str]:
    """What the nodes are called once they are signed: a hole is where the digest comes."""
    own = nanopub.uri
    known = {own: (PUBLISHED if nanopub.is_draft else own) + HOLE, **links}
    return {name: _new_name(name, own, known) for name in sorted(_names(nanopub.statements))}


def _names(statements: Iterable[Statement]) -> set[str]:
    return {
        name
        for graph, subject, predicate, value in statements
        for name in (graph, subject, predicate, *(() if value.datatype else (value.value,)))
    }


#: Most names come again in the next nanopublication.
_is_iri = lru_cache(maxsize=4096)(is_iri)


def _new_name(name: str, own: str, known: Mapping[str, str]) -> str:
    if is_blank(name):
        raise PrimadError("it has a blank node, which no digest covers; name it, as in sub:node")
    if not _is_iri(name):
        raise PrimadError(f"{name[:120]!r} is no IRI that others read")
    place = _place(name, own)
    if not place:
        return name.replace(_CODE, HOLE)
    if place not in known:
        raise PrimadError(f"it relies on {place}, which is not signed; sign both in one folder")
    rest = name[len(place) :]
    return known[place] + (f"/{rest}" if rest else "")


def _place(name: str, own: str) -> str:
    """The nanopublication that a node is part of, if its name changes; or nothing."""
    # Where names of others begin as its own, they have a digest.
    if name.startswith(own) and not is_trusty(name):
        return own
    match = _DRAFT.match(name) if name.startswith(DRAFTS) else None
    return match[0] if match else ""


def _renamed(statements: Iterable[Statement], names: Mapping[str, str]) -> list[Statement]:
    return [
        Statement(
            names[graph],
            names[subject],
            names[predicate],
            value if value.datatype else Object(names[value.value]),
        )
        for graph, subject, predicate, value in statements
    ]


def _signed(whole: Nanopub, names: Mapping[str, str], signer: Signer) -> Nanopub:
    """It under the names that hold a hole, signed; its artifact code fills the hole."""
    rows = renamed_rows(whole.statements, names.__getitem__)
    value = b64encode(sign_text(text_of(rows), signer.key)).decode()
    signature = Statement(
        names[whole.pubinfo], names[_node(whole)], HAS_SIGNATURE, Object(value, _STRING)
    )
    insort(rows, rows_of([signature], HOLE)[0])
    code = code_of(text_of(rows))
    final = {name: new.replace(HOLE, code) for name, new in names.items()}
    final |= {new: new.replace(HOLE, code) for new in (signature.graph, signature.subject)}
    final[HAS_SIGNATURE] = HAS_SIGNATURE
    return Nanopub(
        uri=final[whole.uri],
        head=final[whole.head],
        assertion=final[whole.assertion],
        provenance=final[whole.provenance],
        pubinfo=final[whole.pubinfo],
        statements=tuple(_renamed([*whole.statements, signature], final)),
    )


def _check_name(uri: str) -> None:
    if uri == DRAFTS or not uri.endswith(("/", "#")):
        raise PrimadError(f"{uri} has no place for a digest; write {DRAFTS}, a name and a slash")


def _check_unsigned(nanopub: Nanopub) -> None:
    if nanopub.artifact or states_signature(nanopub):
        raise PrimadError("it is signed already, or says so; take the signature out to sign it")


def _check_introduction(draft: Nanopub, signer: Signer) -> None:
    """Whether it introduces another key or person, if it introduces any; nobody would believe it."""
    said = {
        predicate: [
            one.value.value
            for one in draft.statements
            if one.predicate == predicate and one.graph == draft.assertion
        ]
        for predicate in (HAS_PUBLIC_KEY, DECLARED_BY)
    }
    if not said[DECLARED_BY]:
        return
    if signer.public_key not in said[HAS_PUBLIC_KEY]:
        raise PrimadError("it introduces another key than this one; name that one with --key")
    if signer.orcid not in said[DECLARED_BY]:
        raise PrimadError(f"it introduces the key of {said[DECLARED_BY][0]}, not of {signer.orcid}")


def _check_created(draft: Nanopub) -> None:
    for time in sorted(draft.values(draft.uri, CREATED)):
        if _is_to_come(time):
            raise PrimadError(
                f"it states {time[:80]} as the time when it was created, which is yet to come; "
                "registries refuse such nanopublications: correct it, or leave it out"
            )


def _is_to_come(time: str) -> bool:
    try:
        found = datetime.fromisoformat(time.strip())
    except ValueError:
        # Years may have more digits than the library reads; what is no time is refused as such.
        return re.match(r"\s*[1-9]\d{4,}-", time, re.ASCII) is not None
    found = found if found.tzinfo else found.replace(tzinfo=UTC)
    return found > datetime.now(UTC) + _FUTURE


def _check_values(statements: Iterable[Statement]) -> None:
    for one in statements:
        if ill_typed(one.value):
            raise PrimadError(f"{literal_token(one.value)[:120]} is no value of its datatype")


def _check_size(nanopub: Nanopub, text: str) -> None:
    triples = len(set(nanopub.statements))
    if triples > MOST_TRIPLES:
        raise PrimadError(f"{triples:,} triples, and registries take {MOST_TRIPLES:,} at most")
    if len(text) > MOST_CHARACTERS:
        raise PrimadError(
            f"{len(text):,} characters, and registries take {MOST_CHARACTERS:,} at most"
        )


# Many drafts ------------------------------------------------------------------------------


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


_COLUMNS: Final = (
    Column(key="file", title="file"),
    Column(key="uri", title="nanopublication"),
    Column(key="state", title="status"),
    Column(key="holds", title="holds"),
)


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
        rows = [asdict(file) for file in self.files]
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
    files = find_files(paths)
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
    for level in _levels(drafts, known, report):
        tasks = [_task(drafts[uri], known) for uri in level]
        for outcome in _sign_all(tasks, signer, jobs):
            if outcome.problem is None:
                known[outcome.task.draft] = outcome.uri
                report.files.append(
                    SignedFile(file=outcome.task.path, uri=outcome.uri, holds=outcome.seen)
                )
            else:
                report.problems.append(outcome.problem)
            done += 1
            if progress is not None:
                progress(done, len(drafts))
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
        nanopub = nanopub_of(read_statements(path))
    except (MalformedError, HeaderError):
        return
    for predicate in (INTRODUCES, DESCRIBES):
        for about in nanopub.values(nanopub.uri, predicate):
            kind = about.rstrip("/").split("/")[-2:-1]
            yield from (draft_uri(_KINDS.get(one, one), about) for one in kind)


def _levels(
    drafts: Mapping[str, FolderEntry], known: Mapping[str, str], report: SignReport
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


def _task(entry: FolderEntry, known: Mapping[str, str]) -> _Task:
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
    seen = _seen_by_others(draft)  # before the file changes: whatever fails, it is not half done
    text = signed.text if suffix == ".trig" else as_nquads(signed.nanopub.statements)
    with writing(task.path, force=True) as stream:
        stream.write((remark_on(draft.uri) + text).encode())
    return _Outcome(task, signed.nanopub.uri, seen=seen)


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
