"""Indexes of nanopublications: what one lists, and drafts of indexes of files.

An index has 1,000 elements at most, since other tools refuse larger ones; of more, it has parts.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError, OutputError, PrimadError
from primad_ld.core.files import check_free, writing
from primad_ld.core.iris import DCT, RDF_TYPE, is_iri
from primad_ld.nanopub.checking import Checked, CheckState, check_file
from primad_ld.nanopub.drafts import Draft, draft_uri, nanopub_of_draft, public_line, text
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


# The draft --------------------------------------------------------------------------------


def index_draft(
    elements: Iterable[str],
    subindexes: Iterable[str] = (),
    *,
    title: str = "",
    description: str = "",
) -> Draft:
    """The draft of an index of some nanopublications, and of indexes that are parts of it.

    Raises:
        PrimadError: There are none, or more parts than other tools accept.
    """
    members = {
        terms.INCLUDES_ELEMENT: sorted(set(elements)),
        terms.INCLUDES_SUBINDEX: sorted(set(subindexes)),
    }
    counts = list(map(len, members.values()))
    if not any(counts):
        raise PrimadError("there is nothing to index")
    if sum(counts) > terms.MOST_ELEMENTS:
        raise PrimadError(
            f"there are {sum(counts):,} indexes, and an index may list {terms.MOST_ELEMENTS:,}; make "
            "several, and one that includes these with --subindex (subindexes in Python)"
        )
    listed = [(predicate, uri) for predicate, uris in members.items() for uri in uris]
    digest = hashlib.sha256("".join(f"{predicate} {uri}\n" for predicate, uri in listed).encode())
    about = digest.hexdigest()
    me, label = draft_uri("index", about), title or _label(*counts)
    descriptions = [text(description)] if description else []
    return Draft(
        kind="index",
        about=about,
        label=label,
        types=(terms.INDEX,),
        triples="".join(f"<{me}> <{predicate}> <{uri}> .\n" for predicate, uri in listed),
        provenance=(("sub:assertion", RDF_TYPE, Object(terms.INDEX_ASSERTION)),),
        pubinfo=(
            ("this:", RDF_TYPE, Object(terms.INDEX)),
            # The reference implementation looks for an index's name and description here only.
            ("this:", terms.DCE + "title", text(label)),
            *(("this:", terms.DCE + "description", one) for one in descriptions),
            *(("this:", DCT + "description", one) for one in descriptions),
        ),
    )


def index_drafts(
    elements: Iterable[str],
    subindexes: Iterable[str] = (),
    *,
    title: str = "",
    description: str = "",
) -> list[Draft]:
    """The draft of an index, after those of its parts where one cannot list everything."""
    listed, named, most = sorted(set(elements)), sorted(set(subindexes)), terms.MOST_ELEMENTS
    label = title or _label(len(listed), len(named))
    pieces = [listed[start : start + most] for start in range(0, len(listed), most)]
    parts: list[Draft] = []
    if len(listed) + len(named) > most:
        parts = [
            index_draft(piece, title=f"{label}, part {number:,} of {len(pieces):,}")
            for number, piece in enumerate(pieces, 1)
        ]
        listed, named = [], [*named, *(part.uri for part in parts)]
    return [*parts, index_draft(listed, named, title=label, description=description)]


def _label(elements: int, subindexes: int) -> str:
    counts = [
        f"{count:,} {word if count == 1 else words}"
        for count, word, words in (
            (elements, "nanopublication", "nanopublications"),
            (subindexes, "index", "indexes"),
        )
        if count
    ]
    return f"Index of {' and '.join(counts)}"


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
    paths: Sequence[Path | str],
    *,
    as_subindexes: bool = False,
    progress: Progress | None = None,
    jobs: int | None = 1,
) -> list[IndexSource]:
    """The nanopublications in files and folders, checked; ``as_subindexes``, all must be indexes.

    Raises:
        PrimadError: One of them is invalid, or its name holds no digest. Only indexes among the files
            may be drafts, since they are no elements.
    """
    found = each_file(find_files(paths), _source, progress=progress, jobs=jobs) if paths else []
    bad = [(one.path, one.problem) for one in found if one.problem]
    if len(bad) == 1:
        ((path, problem),) = bad
        raise HeaderError(problem, file=path)
    refuse_files(bad, f"{len(bad):,} files cannot be indexed")
    for one in found if as_subindexes else ():
        if one.flaw:
            raise HeaderError(one.flaw, file=one.path, hint="only indexes can be sub-indexes")
    drafts = [one for one in found if one.is_draft and (as_subindexes or not one.is_index)]
    if drafts:
        more = f", and so are {len(drafts) - 1:,} more" if len(drafts) > 1 else ""
        raise HeaderError(f"this is a draft{more}", file=drafts[0].path, hint=_SIGN)
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


# Writing the indexes ----------------------------------------------------------------------


_COLUMNS: Final = (
    Column(key="file", title="file"),
    Column(key="draft", title="draft"),
    Column(key="elements", title="elements", digits=0),
    Column(key="subindexes", title="sub-indexes", digits=0),
)


@dataclass(frozen=True, kw_only=True, repr=False)
class IndexReport(Answer):
    """The drafts of an index and its parts, and what they list."""

    #: Each file with its draft; the whole comes last.
    drafts: tuple[tuple[Path, Draft], ...]
    elements: int
    #: Indexes that were there already and became parts of the whole.
    subindexes: int
    #: Indexes among the files, which are no elements.
    left_out: int
    #: Files that repeat what another one holds.
    repeats: int
    #: Nanopublications that others among the files supersede or retract.
    ended: int
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        """A row for each file, and how many it lists."""
        rows = [
            {
                "file": path,
                "draft": draft.uri,
                "elements": draft.triples.count(f"<{terms.INCLUDES_ELEMENT}>"),
                "subindexes": draft.triples.count(f"<{terms.INCLUDES_SUBINDEX}>"),
            }
            for path, draft in self.drafts
        ]
        return Table(name="files", columns=_COLUMNS, rows=rows)

    def verdict(self) -> str:
        """How many there are, and what comes next."""
        files = "this file" if len(self.drafts) == 1 else f"these {len(self.drafts):,} files"
        return f"{self.elements:,} listed; sign {files} next"

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

    Raises:
        PrimadError: One of them is invalid or a draft, a file is in the way, or there are none.
    """
    label, about = public_line(title, "title"), public_line(description, "description")
    _check_target(output, force)
    named = survey(subindexes, as_subindexes=True)
    found = survey(paths, progress=progress, jobs=jobs)
    over = _ended(found)
    every = [one for one in found if not one.is_index]
    members = [one for one in every if one.uri not in over]
    if found and not every and not named:
        raise PrimadError("there are only indexes here; --subindex makes them parts of another")
    elements, parts = {one.uri for one in members}, {one.uri for one in named}
    drafts = index_drafts(elements, parts, title=label, description=about)
    files = [output.with_stem(f"{output.stem}-part-{part}") for part in range(1, len(drafts))]
    files.append(output)
    listed = {os.path.realpath(source.path) for source in (*members, *named)}
    for file in files:
        check_free(file, force=force)
        if os.path.realpath(file) in listed:
            raise OutputError(f"{file} is to be listed, not to be replaced; name another file")
    # The whole comes last: where it is, its parts are.
    for file, draft in zip(files, drafts, strict=True):
        with writing(file, force=force) as stream:
            stream.write(as_trig(nanopub_of_draft(draft)).encode())
    counts = {
        "left_out": len({one.uri for one in found if one.is_index} - parts),
        "ended": len({one.uri for one in every} & over),
        "repeats": len(members) - len(elements),
    }
    not_listed = (f"{counts[name]:,} {why}" for name, why in _NOT_LISTED.items() if counts[name])
    return IndexReport(
        drafts=tuple(zip(files, drafts, strict=True)),
        elements=len(elements),
        subindexes=len(parts),
        left_out=counts["left_out"],
        repeats=counts["repeats"],
        ended=counts["ended"],
        notes=(*notes_on_skipped(paths), *not_listed),
    )


#: Why some of the files are not listed, by the counts of these.
_NOT_LISTED: Final = {
    "left_out": "left out: an index is listed only by --subindex",
    "ended": "left out: superseded or retracted",
    "repeats": "more than once among the files",
}


def _check_target(output: Path, force: bool) -> None:
    """Before hours of work: whether the index can be written there."""
    if output.suffix != _SUFFIX:
        raise OutputError(f"{output}: name a file that ends with {_SUFFIX}")
    if not output.parent.is_dir():
        raise OutputError(f"{output}: the folder {output.parent} does not exist; create it first")
    if output.exists() and not output.is_file():
        raise OutputError(f"{output} is not a file; name another one")
    check_free(output, force=force)
