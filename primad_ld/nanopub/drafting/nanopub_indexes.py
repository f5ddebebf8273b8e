"""Indexes of nanopublications: what one lists, and drafts of indexes of files.

An index has 1,000 elements at most, since other tools refuse larger ones; what is more goes
into sub-indexes, never into a chain of indexes that append each other. `nanopub sign` signs the
drafts together: a sub-index before the one that includes it.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError, OutputError, PrimadError
from primad_ld.core.files import write_together
from primad_ld.core.iris import DCT, RDF_TYPE, is_iri
from primad_ld.nanopub.checking import Checked, CheckState, check_file
from primad_ld.nanopub.drafts import Draft, Triple, draft_uri, nanopub_of_draft, public_line, text
from primad_ld.nanopub.nanopub_folder import (
    Progress,
    each_file,
    find_files,
    notes_on_skipped,
    refuse_files,
)
from primad_ld.nanopub.nanopubs import Nanopub
from primad_ld.nanopub.signatures import digest_of_key
from primad_ld.nanopub.trig import as_trig
from primad_ld.rdf import nanopub_terms as terms
from primad_ld.rdf.nanopub_statements import is_blank
from primad_ld.rdf.subject_index import Object
from primad_ld.tables.answers import Answer, Column, Table

# What an index says beside its list takes less than the rest of a nanopublication.
_MOST_LIST: Final = terms.MOST_CHARACTERS * 8 // 10
#: Brackets, a comma and a blank.
_AROUND: Final = 4
_SUFFIX: Final = ".trig"
_LONGEST_IRI: Final = 2000
_SIGN: Final = "sign first, with primad-ld nanopub sign: an index lists names that hold a digest"


# What an index lists ----------------------------------------------------------------------


def is_index(nanopub: Nanopub) -> bool:
    """Whether a nanopublication says that it is an index."""
    return terms.INDEX in nanopub.values(nanopub.uri, RDF_TYPE)


def problem_of_index(nanopub: Nanopub) -> str:
    """Why a nanopublication is no index by the rules of the reference implementation; or nothing."""
    if not is_index(nanopub):
        return "no index: its publication info does not call it one"
    elements, subindexes, appended = (
        set(nanopub.objects(nanopub.uri, predicate, graph=nanopub.assertion))
        for predicate in (terms.INCLUDES_ELEMENT, terms.INCLUDES_SUBINDEX, terms.APPENDS_INDEX)
    )
    every = elements | subindexes | appended
    if any(one.datatype is not None or is_blank(one.value) for one in every):
        return "an index that lists something without an IRI"
    if len(appended) > 1:
        return f"an index that appends {len(appended)} others, and may append one"
    count = len(elements) + len(subindexes)
    if count > terms.MOST_ELEMENTS:
        return f"an index of {count:,} elements and sub-indexes, and it may have {terms.MOST_ELEMENTS:,}"
    return ""


# Long lists -------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class PlannedIndex:
    """An index that is to be written: what it lists, in order."""

    label: str
    elements: tuple[str, ...] = ()
    subindexes: tuple[str, ...] = ()
    description: str = ""
    #: Whether it is a part of another one, and means nothing by itself.
    is_incomplete: bool = False

    @property
    def kind(self) -> str:
        """How its draft's name begins."""
        return "subindex" if self.is_incomplete else "index"

    @property
    def digest(self) -> str:
        """A digest of what it lists: the same list has the same name."""
        lines = "".join(f"{predicate} {one}\n" for predicate, one in self._members())
        return hashlib.sha256(lines.encode()).hexdigest()

    @property
    def uri(self) -> str:
        """Its URI until it is signed."""
        return draft_uri(self.kind, self.digest)

    @property
    def draft(self) -> Draft:
        """The draft of it."""
        uri = self.uri
        return Draft(
            kind=self.kind,
            about=self.digest,
            label=self.label,
            types=(terms.INDEX,),
            triples="".join(
                f"<{uri}> <{predicate}> <{one}> .\n" for predicate, one in self._members()
            ),
            provenance=(("sub:assertion", RDF_TYPE, Object(terms.INDEX_ASSERTION)),),
            pubinfo=tuple(self._info()),
        )

    def _members(self) -> Iterator[tuple[str, str]]:
        yield from ((terms.INCLUDES_ELEMENT, one) for one in self.elements)
        yield from ((terms.INCLUDES_SUBINDEX, one) for one in self.subindexes)

    def _info(self) -> Iterator[Triple]:
        yield "this:", RDF_TYPE, Object(terms.INDEX)
        if self.is_incomplete:
            yield "this:", RDF_TYPE, Object(terms.INCOMPLETE_INDEX)
        # The reference implementation looks for an index's name and description here only.
        yield "this:", terms.DCE + "title", text(self.label)
        if self.description:
            for space in (terms.DCE, DCT):
                yield "this:", space + "description", text(self.description)


def plan_indexes(
    elements: Iterable[str],
    subindexes: Iterable[str] = (),
    *,
    title: str = "",
    description: str = "",
) -> list[PlannedIndex]:
    """The indexes that list some nanopublications: those that others include first, the whole last.

    ``subindexes`` are indexes that are there already, and become parts of the whole.
    """
    members, named = sorted(set(elements)), sorted(set(subindexes))
    if not members and not named:
        raise PrimadError("there is nothing to index")
    label = title or _label(len(members), len(named))
    parts: list[PlannedIndex] = []
    whole = members
    if not _fits([*members, *named]):
        parts, whole = _numbered(label, "part", _pieces(members), "elements"), []
    level = [*(one.uri for one in parts), *named]
    while not _fits([*whole, *level]):
        groups = _numbered(label, "group", _pieces(level), "subindexes")
        parts += groups
        level = [one.uri for one in groups]
    top = PlannedIndex(
        label=label, elements=tuple(whole), subindexes=tuple(level), description=description
    )
    return [*parts, top]


def _label(elements: int, subindexes: int) -> str:
    said = [
        f"{count:,} {word if count == 1 else words}"
        for count, word, words in (
            (elements, "nanopublication", "nanopublications"),
            (subindexes, "index", "indexes"),
        )
        if count
    ]
    return f"Index of {' and '.join(said)}"


def _numbered(
    label: str, word: str, pieces: Sequence[tuple[str, ...]], kind: str
) -> list[PlannedIndex]:
    """A sub-index for each of some lists, which are ``elements`` or ``subindexes``."""
    return [
        PlannedIndex(
            label=f"{label}, {word} {number:,} of {len(pieces):,}",
            is_incomplete=True,
            **{kind: piece},  # type: ignore[arg-type]
        )
        for number, piece in enumerate(pieces, 1)
    ]


def _fits(members: Iterable[str]) -> bool:
    return len(_pieces(members)) <= 1


def _pieces(members: Iterable[str]) -> list[tuple[str, ...]]:
    """Members cut into lists that fit into an index each."""
    pieces: list[tuple[str, ...]] = []
    piece: list[str] = []
    characters = 0
    for one in members:
        size = len(one) + _AROUND
        if piece and (len(piece) == terms.MOST_ELEMENTS or characters + size > _MOST_LIST):
            pieces.append(tuple(piece))
            piece, characters = [], 0
        piece.append(one)
        characters += size
    return [*pieces, tuple(piece)] if piece else pieces


# What is listed ---------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexSource:
    """A file that may be indexed, without what it says."""

    path: Path
    uri: str = ""
    is_draft: bool = False
    is_index: bool = False
    #: Why it cannot be indexed.
    problem: str = ""
    #: Why it cannot be a sub-index, where it says that it is an index.
    flaw: str = ""
    #: A digest of the key that it is signed with; empty without a signature.
    key: str = ""
    #: What it supersedes or retracts, if its key signed that as well.
    ends: tuple[str, ...] = ()


def survey(
    paths: Sequence[Path | str], *, progress: Progress | None = None, jobs: int | None = 1
) -> list[IndexSource]:
    """The nanopublications in files and folders, checked.

    Raises:
        PrimadError: One of them is invalid, or its name holds no digest. Only indexes may be
            drafts, since they are no elements.
    """
    found = each_file(find_files(paths), _source, progress=progress, jobs=jobs)
    bad = [(one.path, one.problem) for one in found if one.problem]
    if len(bad) == 1:
        ((path, problem),) = bad
        raise HeaderError(problem, file=path)
    refuse_files(bad, f"{len(bad):,} files cannot be indexed")
    _check_signed([one for one in found if not one.is_index])
    return found


def _source(path: Path) -> IndexSource:
    found = check_file(path)
    nanopub = found.nanopub
    if nanopub is None or not found.is_valid:
        return IndexSource(path=path, problem="; ".join(found.problems))
    return IndexSource(
        path=path,
        uri=found.uri,
        is_draft=nanopub.is_draft,
        is_index=is_index(nanopub),
        problem=_problem(found, nanopub),
        flaw=problem_of_index(nanopub),
        # There may be very many keys.
        key=digest_of_key(found.signature.public_key) if found.signature is not None else "",
        ends=(*nanopub.values(nanopub.uri, terms.SUPERSEDES), *nanopub.asserted(terms.RETRACTS)),
    )


def _ended(found: Iterable[IndexSource]) -> set[str]:
    """The nanopublications that others here supersede or retract, if one key signed both."""
    sources = [one for one in found if one.key]
    ended = {(uri, one.key) for one in sources for uri in one.ends if uri != one.uri}
    return {one.uri for one in sources if (one.uri, one.key) in ended}


def _problem(found: Checked, nanopub: Nanopub) -> str:
    """Why a valid nanopublication can be no element; empty if it can, or could once it is signed."""
    if nanopub.is_draft:
        return ""
    if found.state is CheckState.PLAIN:
        return "its name holds no digest, so an index of it could come to mean something else"
    if not found.uri.startswith(("http://", "https://")) or not is_iri(found.uri):
        return f"{found.uri[:80]!r} is no address that others read"
    if len(found.uri) > _LONGEST_IRI:
        return f"its name has {len(found.uri):,} characters, and {_LONGEST_IRI:,} is the most here"
    return ""


def _check_signed(found: Sequence[IndexSource]) -> None:
    drafts = [one for one in found if one.is_draft]
    if drafts:
        more = f", and so are {len(drafts) - 1:,} more" if len(drafts) > 1 else ""
        raise HeaderError(f"this is a draft{more}", file=drafts[0].path, hint=_SIGN)


def _subindexes(paths: Sequence[Path | str]) -> list[IndexSource]:
    """The indexes that are named to be parts of the new one."""
    found = survey(paths) if paths else []
    for one in found:
        if one.flaw:
            raise HeaderError(one.flaw, file=one.path, hint="only indexes can be sub-indexes")
    _check_signed(found)
    return found


# Writing the indexes ----------------------------------------------------------------------


_COLUMNS: Final = (
    Column(key="file", title="file"),
    Column(key="draft", title="draft"),
    Column(key="elements", title="elements", digits=0),
    Column(key="subindexes", title="sub-indexes", digits=0),
)


@dataclass(frozen=True, kw_only=True, repr=False)
class IndexReport(Answer):
    """What was indexed, and the drafts in the order in which they rely on each other, the whole last."""

    #: The file of each.
    written: tuple[tuple[Path, PlannedIndex], ...]
    elements: int
    #: Indexes that were there already and became parts of the whole.
    subindexes: int
    #: Indexes among the files, which are no elements.
    left_out: int
    #: Files that repeat what another one holds.
    repeats: int
    #: Nanopublications that others among the files supersede or retract.
    ended: int
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        """A row for each file that was written."""
        rows = [
            {
                "file": file,
                "draft": index.uri,
                "elements": len(index.elements),
                "subindexes": len(index.subindexes),
            }
            for file, index in self.written
        ]
        return Table(name="files", columns=_COLUMNS, rows=rows)

    def verdict(self) -> str:
        """How many there are, and what comes next."""
        these = "these files together" if len(self.written) > 1 else "this file"
        return f"{self.elements:,} listed; sign {these} next"

    def record(self) -> dict[str, object]:
        """The counts above the files."""
        return {
            "elements": self.elements,
            "subindexes": self.subindexes,
            "left_out": self.left_out,
            "repeats": self.repeats,
            "superseded_or_retracted": self.ended,
            **Answer.record(self),
        }


def write_index(
    paths: Sequence[Path | str],
    output: Path,
    *,
    title: str = "",
    description: str = "",
    subindexes: Sequence[Path | str] = (),
    force: bool = False,
    progress: Progress | None = None,
    jobs: int | None = 1,
) -> IndexReport:
    """Write the draft of an index of the nanopublications in files and folders.

    What others among these supersede or retract is left out; the retractions are listed.
    More than 1,000 of them become sub-indexes in files beside it: ``index-1.trig`` and so on.
    All files appear, or none.

    Raises:
        PrimadError: One of them is invalid or a draft, a file is in the way, or there are none.
    """
    label, about = public_line(title, "title"), public_line(description, "description")
    target = _target(output)
    _check_free([target], force)
    named = _subindexes(subindexes)
    found = survey(paths, progress=progress, jobs=jobs) if paths else []
    over = _ended(found)
    every = [one for one in found if not one.is_index]
    members = [one for one in every if one.uri not in over]
    if found and not every and not named:
        raise PrimadError("there are only indexes here; --subindex makes them parts of another")
    elements, parts = {one.uri for one in members}, {one.uri for one in named}
    planned = plan_indexes(elements, parts, title=label, description=about)
    places = _places(target, len(planned))
    _check_free(places, force)
    _check_apart(places, [*members, *named])
    texts = (as_trig(nanopub_of_draft(one.draft)).encode() for one in planned)
    write_together(zip(places, texts, strict=True), target.parent)
    counts = {
        "left_out": len({one.uri for one in found if one.is_index} - parts),
        "ended": len({one.uri for one in every} & over),
        "repeats": len(members) - len(elements),
    }
    not_listed = (f"{counts[name]:,} {why}" for name, why in _NOT_LISTED.items() if counts[name])
    warnings = []
    if stale := list(_stale(target, places)):
        more = f" and {len(stale) - 1:,} more" if len(stale) > 1 else ""
        warnings.append(f"{stale[0]}{more} may be left from an earlier index; not part of this one")
    return IndexReport(
        written=tuple(zip(places, planned, strict=True)),
        elements=len(elements),
        subindexes=len(parts),
        **counts,
        warnings=tuple(warnings),
        notes=(*notes_on_skipped(paths), *not_listed),
    )


#: Why some of the files are not listed, by the counts of these.
_NOT_LISTED: Final = {
    "left_out": "left out: an index is listed only by --subindex",
    "ended": "left out: superseded or retracted",
    "repeats": "more than once among the files",
}


def _target(output: Path) -> Path:
    """The file of the index itself; what a link leads to."""
    if output.suffix != _SUFFIX:
        raise OutputError(f"{output}: name a file that ends with {_SUFFIX}; its parts lie beside")
    target = Path(os.path.realpath(output)) if output.is_symlink() else output
    if not target.parent.is_dir():
        raise OutputError(f"{target.parent}: there is no such folder")
    return target


def _places(target: Path, count: int) -> list[Path]:
    """The files of so many indexes, that of the whole last."""
    return [*(target.with_name(f"{target.stem}-{n}{_SUFFIX}") for n in range(1, count)), target]


def _check_free(places: Iterable[Path], force: bool) -> None:
    for place in places:
        if place.exists() and not place.is_file():
            raise OutputError(f"{place} is no file; name another one")
        if place.exists() and not force:
            raise OutputError(
                f"{place} already exists; use --force (force=True in Python) to overwrite it"
            )


def _check_apart(places: Iterable[Path], sources: Iterable[IndexSource]) -> None:
    """Whether no file is both listed and replaced."""
    real = {os.path.realpath(one) for one in places}
    for one in sources:
        if os.path.realpath(one.path) in real:
            raise OutputError(f"{one.path} is to be listed, not to be replaced; name another file")


def _stale(target: Path, places: Iterable[Path]) -> Iterator[Path]:
    form = re.compile(re.escape(target.stem) + r"-[1-9]\d*" + re.escape(_SUFFIX))
    new = {place.name for place in places}
    for name in sorted(os.listdir(target.parent)):
        if form.fullmatch(name) and name not in new:
            yield target.with_name(name)
