"""Many nanopublications checked: what is wrong with each file, and what registries would miss.

Remarks are about valid ones: what registries refuse, or the people who search them would miss.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import shown
from primad_ld.core.iris import RDF_TYPE, RDFS, XSD
from primad_ld.nanopub.checking import Checked, CheckState, check_file, is_to_come
from primad_ld.nanopub.nanopub_folder import (
    Progress,
    each_file,
    find_what_is_there,
    notes_on_skipped,
)
from primad_ld.nanopub.nanopubs import Nanopub
from primad_ld.nanopub.trusty import looks_damaged
from primad_ld.rdf import nanopub_terms as terms
from primad_ld.rdf.nanopub_statements import is_blank
from primad_ld.tables.answers import Answer, Column, Table, columns


@dataclass(frozen=True, kw_only=True, slots=True)
class FileCheck:
    """What was found about one file."""

    file: str
    state: CheckState
    uri: str = ""
    #: Why it is invalid, or cannot be read.
    problems: tuple[str, ...] = ()
    #: What registries or their users would miss; only where somebody asked.
    remarks: tuple[str, ...] = ()
    #: What to know of it though nothing is wrong with it.
    notes: tuple[str, ...] = ()


_COLUMNS: Final = columns(
    file="file",
    state="state",
    uri="nanopublication",
    problems="problems",
    remarks="remarks",
    notes="notes",
)


@dataclass(frozen=True, kw_only=True, repr=False)
class CheckReport(Answer):
    """What was found about some files; those that cannot be read are problems."""

    files: tuple[FileCheck, ...]
    notes: tuple[str, ...] = ()
    problems: tuple[HeaderError, ...] = ()

    @property
    def exit_code(self) -> int:
        """1 if something is wrong or missed, 2 if something cannot be read."""
        has_findings = any(file.problems or file.remarks for file in self.files)
        return 2 if self.problems else int(has_findings)

    def table(self) -> Table:
        """A row for each file."""
        rows = [asdict(file) for file in self.files]
        return Table(name="nanopublications", columns=_COLUMNS, rows=rows)

    def shown(self) -> list[Table]:
        """What was found, in one column, comes before the long names."""
        file, state, uri, *_ = _COLUMNS
        rows = [
            {**asdict(check), "findings": "; ".join(check.problems + check.notes + check.remarks)}
            for check in self.files
        ]
        shown = [file, state, Column("findings", "findings"), uri]
        return [Table(name="nanopublications", columns=shown, rows=rows)]

    def verdict(self) -> str:
        """How many there are of each state, the best first."""
        counts = Counter(file.state for file in self.files)
        states = [state for state in reversed(CheckState) if counts[state]]
        return ", ".join(f"{counts[state]:,} {state.value}" for state in states)


def check_paths(
    paths: Sequence[Path | str],
    *,
    is_strict: bool = False,
    progress: Progress | None = None,
    jobs: int | None = 1,
) -> CheckReport:
    """Check files and folders of nanopublications, in the order of their names.

    What is named and holds none comes last, as a file that cannot be read.
    """
    files, missing = find_what_is_there(paths)
    checks = each_file(files, _checked, is_strict, progress=progress, jobs=jobs)
    checks.extend(
        FileCheck(
            file=shown(str(problem.file)), state=CheckState.UNREADABLE, problems=(problem.why,)
        )
        for problem in missing
    )
    return CheckReport(
        files=tuple(checks),
        notes=tuple(notes_on_skipped(paths)),
        problems=tuple(
            HeaderError("; ".join(check.problems), file=check.file)
            for check in checks
            if check.state is CheckState.UNREADABLE
        ),
    )


def _checked(file: Path, is_strict: bool) -> FileCheck:
    checked = check_file(file)
    return FileCheck(
        file=shown(str(file)),
        state=checked.state,
        uri=checked.uri,
        problems=checked.problems,
        remarks=remarks_on(checked) if is_strict else (),
        notes=tuple(_notes_on(checked, is_strict)),
    )


def _notes_on(checked: Checked, is_strict: bool) -> Iterator[str]:
    """That anybody may have changed it, where no digest in its name tells."""
    if checked.nanopub is None:
        return
    if looks_damaged(checked.uri):
        # Checked strictly, this is a remark.
        yield from () if is_strict else [_damaged(checked.uri)]
    elif checked.state is CheckState.PLAIN:
        why = "it is a draft" if checked.nanopub.is_draft else "its name holds no digest"
        yield f"{why}, so no name proves what it says"


def _damaged(uri: str) -> str:
    return f"no name proves it, and {uri} looks like a damaged trusty name"


# Remarks ----------------------------------------------------------------------------------

_ORCID: Final = re.compile(r"https://orcid\.org/\d{4}-\d{4}-\d{4}-\d{3}[\dX]", re.ASCII)
_FULL_TIME: Final = re.compile(
    r"-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?", re.ASCII
)
#: Beginnings of IRIs that have another spelling, and which.
_SPELLINGS: Final = {
    "http://orcid.org/": "ORCIDs begin with https://orcid.org/",
    "http://dx.doi.org/": "DOIs begin with https://doi.org/",
    "https://schema.org/": "terms of schema.org begin with http://schema.org/",
}


def remarks_on(checked: Checked) -> tuple[str, ...]:
    """What is missed in a nanopublication that is valid; nothing of one that is not."""
    nanopub = checked.nanopub
    if nanopub is None or not checked.is_valid:
        return ()
    return (
        *_on_signature(checked, nanopub),
        *_on_itself(nanopub),
        *_on_size(checked, nanopub),
        *_on_names(nanopub),
        *_on_times(nanopub),
    )


def refusals_of(checked: Checked) -> tuple[str, ...]:
    """Those remarks for which a registry takes none: its size, or a time that is yet to come."""
    nanopub = checked.nanopub
    if nanopub is None or not checked.is_valid:
        return ()
    future = (
        f"its time of creation, {time}, is yet to come"
        for time in nanopub.values(nanopub.uri, terms.CREATED)
        if is_to_come(time)
    )
    return (*future, *_on_size(checked, nanopub))


def _on_signature(checked: Checked, nanopub: Nanopub) -> Iterator[str]:
    if checked.state is not CheckState.SIGNED or checked.signature is None:
        yield "it is not signed, and registries take signed ones only"
        return
    signers = checked.signature.signers
    if not signers:
        yield "it does not say whose key signed it (npx:signedBy)"
    elif len(signers) > 1:
        yield f"it says that {len(signers)} people signed it, by one key"
    elif signers[0] not in _creators(nanopub):
        yield f"its signer {signers[0]} is none of its creators"


def _creators(nanopub: Nanopub) -> list[str]:
    uri = nanopub.uri
    return nanopub.values(uri, terms.CREATOR) + nanopub.values(uri, terms.PAV + "createdBy")


def _on_itself(nanopub: Nanopub) -> Iterator[str]:
    """What is missed in what it says of itself: its name, creators, time and description."""
    uri, creators = nanopub.uri, _creators(nanopub)
    if looks_damaged(uri):
        yield _damaged(uri)
    if not creators:
        yield "it has no creator (dct:creator)"
    for creator in creators:
        if "orcid.org" in creator and _ORCID.fullmatch(creator) is None:
            yield (
                f"{creator[:80]} is no ORCID; it has the form https://orcid.org/0000-0000-0000-000X"
            )
    times = nanopub.objects(uri, terms.CREATED)
    if len(times) != 1:
        count = f"{len(times)} times" if times else "no time"
        yield f"it has {count} of creation (dct:created), where one belongs"
    elif times[0].datatype != XSD + "dateTime" or _FULL_TIME.fullmatch(times[0].value) is None:
        yield f"its time of creation is {times[0].value[:40]!r}, which is no xsd:dateTime"
    elif is_to_come(times[0].value):
        yield f"its time of creation, {times[0].value}, is yet to come"
    if not nanopub.values(uri, terms.LICENSE):
        yield "it has no licence (dct:license)"
    if not nanopub.values(uri, RDFS + "label"):
        yield "it has no label (rdfs:label)"
    if not nanopub.values(uri, terms.HAS_TYPE) and not nanopub.values(uri, RDF_TYPE):
        yield "it has no type that people look for it by (npx:hasNanopubType)"


def _on_size(checked: Checked, nanopub: Nanopub) -> Iterator[str]:
    from primad_ld.nanopub.drafting.nanopub_indexes import is_index, problem_of_index

    triples, characters = len(nanopub.statements), checked.characters
    if triples > terms.MOST_TRIPLES:
        yield f"it has {triples:,} triples, and registries take {terms.MOST_TRIPLES:,} at most"
    if characters > terms.MOST_CHARACTERS:
        most = f"{terms.MOST_CHARACTERS:,}"
        yield f"it has {characters:,} characters, and registries take {most} at most"
    if is_index(nanopub) and (problem := problem_of_index(nanopub)):
        yield problem


def _on_names(nanopub: Nanopub) -> Iterator[str]:
    names = {
        name: None
        for graph, subject, predicate, value in nanopub.statements
        for name in (subject, predicate, *(() if value.datatype else (value.value,)))
    }
    if any(map(is_blank, names)):
        yield "it has blank nodes, which nobody can refer to"
    for name in names:
        if not name.startswith(("http://", "https://")) and not is_blank(name):
            yield f"{name[:80]} does not begin with http, so registries' clients cannot follow it"
            break
    for beginning, words in _SPELLINGS.items():
        if any(name.startswith(beginning) for name in names):
            yield words


def _on_times(nanopub: Nanopub) -> Iterator[str]:
    for _, _, predicate, (text, datatype, _) in nanopub.statements:
        is_time = datatype == XSD + "dateTime" and predicate != terms.CREATED
        if is_time and _FULL_TIME.fullmatch(text) is None:
            yield f"{text[:40]!r} is a date and no xsd:dateTime, which stores leave out"
            return
