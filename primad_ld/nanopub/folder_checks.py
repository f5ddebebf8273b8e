"""Many nanopublications checked: what is wrong with each file, and what registries would miss.

Remarks are about valid ones: what registries refuse, or the people who search them would miss.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import shown
from primad_ld.core.iris import RDF_TYPE, RDFS, XSD
from primad_ld.nanopub.checking import Checked, CheckState, check_bytes, is_to_come
from primad_ld.nanopub.nanopub_folder import (
    Progress,
    each_file,
    find_what_is_there,
    is_nanopub_file,
    notes_on_skipped,
)
from primad_ld.nanopub.nanopubs import Nanopub
from primad_ld.nanopub.trusty import looks_damaged
from primad_ld.rdf import nanopub_terms as terms
from primad_ld.rdf.nanopub_statements import TooLargeError, format_of, is_blank, read_bytes
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
    try:
        suffix = format_of(file)
        data = read_bytes(file)
    except HeaderError as error:
        is_read = isinstance(error, TooLargeError) or not is_nanopub_file(file)
        return FileCheck(
            file=shown(str(file)),
            state=CheckState.INVALID if is_read else CheckState.UNREADABLE,
            problems=(error.why if is_read or not error.hint else f"{error.why}; {error.hint}",),
        )
    found = check_bytes(data, suffix, str(file))
    return FileCheck(
        file=shown(str(file)),
        state=found.state,
        uri=found.uri,
        problems=found.problems,
        remarks=remarks_on(found) if is_strict else (),
        notes=tuple(_notes_on(found, is_strict)),
    )


def _notes_on(found: Checked, is_strict: bool) -> Iterator[str]:
    """That anybody may have changed it, where no digest in its name tells."""
    if found.nanopub is None:
        return
    if looks_damaged(found.nanopub.uri):
        # Checked strictly, this is a remark.
        yield from () if is_strict else _has_whole_name(found, found.nanopub)
    elif found.state is CheckState.PLAIN:
        why = "it is a draft" if found.nanopub.is_draft else "its name holds no digest"
        yield f"{why}, so no name proves what it says"


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


def remarks_on(found: Checked) -> tuple[str, ...]:
    """What is missed in a nanopublication that is valid; nothing of one that is not."""
    if found.nanopub is None or not found.is_valid:
        return ()
    return tuple(remark for rule in _RULES for remark in rule(found, found.nanopub))


def refusals_of(found: Checked) -> tuple[str, ...]:
    """Those remarks for which a registry takes none: its size, or a time that is yet to come."""
    if found.nanopub is None or not found.is_valid:
        return ()
    future = (
        f"its time of creation, {time}, is yet to come"
        for time in found.nanopub.values(found.nanopub.uri, terms.CREATED)
        if is_to_come(time)
    )
    return (*future, *_is_small(found, found.nanopub), *_is_good_index(found, found.nanopub))


def _is_signed(found: Checked, nanopub: Nanopub) -> Iterator[str]:
    if found.state is not CheckState.SIGNED or found.signature is None:
        yield "it is not signed, and registries take signed ones only"
        return
    signers, creators = found.signature.signers, _creators(nanopub)
    if not signers:
        yield "it does not say whose key signed it (npx:signedBy)"
    elif len(signers) > 1:
        yield f"it says that {len(signers)} people signed it, by one key"
    elif signers[0] not in creators:
        yield f"its signer {signers[0]} is none of its creators"


def _creators(nanopub: Nanopub) -> list[str]:
    return [
        *nanopub.values(nanopub.uri, terms.CREATOR),
        *nanopub.values(nanopub.uri, terms.PAV + "createdBy"),
    ]


def _has_whole_name(found: Checked, nanopub: Nanopub) -> Iterator[str]:
    if looks_damaged(nanopub.uri):
        yield f"no name proves it, and {nanopub.uri} looks like a damaged trusty name"


def _has_creators(found: Checked, nanopub: Nanopub) -> Iterator[str]:
    creators = _creators(nanopub)
    if not creators:
        yield "it has no creator (dct:creator)"
    for one in creators:
        if "orcid.org" in one and _ORCID.fullmatch(one) is None:
            yield f"{one[:80]} is no ORCID; it has the form https://orcid.org/0000-0000-0000-000X"


def _has_time(found: Checked, nanopub: Nanopub) -> Iterator[str]:
    times = nanopub.objects(nanopub.uri, terms.CREATED)
    if len(times) != 1:
        count = f"{len(times)} times" if times else "no time"
        yield f"it has {count} of creation (dct:created), where one belongs"
        return
    (time,) = times
    if time.datatype != XSD + "dateTime" or _FULL_TIME.fullmatch(time.value) is None:
        yield f"its time of creation is {time.value[:40]!r}, which is no xsd:dateTime"
    elif is_to_come(time.value):
        yield f"its time of creation, {time.value}, is yet to come"


def _has_description(found: Checked, nanopub: Nanopub) -> Iterator[str]:
    wanted = {terms.LICENSE: "licence (dct:license)", RDFS + "label": "label (rdfs:label)"}
    for predicate, name in wanted.items():
        if not nanopub.values(nanopub.uri, predicate):
            yield f"it has no {name}"
    if not nanopub.values(nanopub.uri, terms.HAS_TYPE) and not nanopub.values(
        nanopub.uri, RDF_TYPE
    ):
        yield "it has no type that people look for it by (npx:hasNanopubType)"


def _is_small(found: Checked, nanopub: Nanopub) -> Iterator[str]:
    triples = len(nanopub.statements)
    if triples > terms.MOST_TRIPLES:
        yield f"it has {triples:,} triples, and registries take {terms.MOST_TRIPLES:,} at most"
    if found.characters > terms.MOST_CHARACTERS:
        yield (
            f"it has {found.characters:,} characters, and registries take "
            f"{terms.MOST_CHARACTERS:,} at most"
        )


def _is_good_index(found: Checked, nanopub: Nanopub) -> Iterator[str]:
    from primad_ld.nanopub.drafting.nanopub_indexes import is_index, problem_of_index

    if is_index(nanopub) and (problem := problem_of_index(nanopub)):
        yield problem


def _has_names(found: Checked, nanopub: Nanopub) -> Iterator[str]:
    names = dict.fromkeys(_names(nanopub))
    if any(map(is_blank, names)):
        yield "it has blank nodes, which nobody can refer to"
    odd = [
        one for one in names if not is_blank(one) and not one.startswith(("http://", "https://"))
    ]
    for one in odd[:1]:
        yield f"{one[:80]} does not begin with http, so registries' clients cannot follow it"
    for beginning, words in _SPELLINGS.items():
        if any(one.startswith(beginning) for one in names):
            yield words


def _names(nanopub: Nanopub) -> Iterator[str]:
    for one in nanopub.statements:
        yield one.subject
        yield one.predicate
        if one.value.datatype is None:
            yield one.value.value


def _has_full_times(found: Checked, nanopub: Nanopub) -> Iterator[str]:
    for one in nanopub.statements:
        if (
            one.value.datatype == XSD + "dateTime"
            and one.predicate != terms.CREATED
            and _FULL_TIME.fullmatch(one.value.value) is None
        ):
            yield f"{one.value.value[:40]!r} is a date and no xsd:dateTime, which stores leave out"
            return


_RULES: Final[tuple[Callable[[Checked, Nanopub], Iterable[str]], ...]] = (
    _is_signed,
    _has_whole_name,
    _has_creators,
    _has_time,
    _has_description,
    _is_small,
    _is_good_index,
    _has_names,
    _has_full_times,
)
