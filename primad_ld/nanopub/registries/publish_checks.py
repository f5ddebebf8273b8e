"""What is to be published: all of it checked before anything is sent, and in which order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from primad_ld.core.errors import PrimadError
from primad_ld.core.library_arguments import AnyPaths
from primad_ld.nanopub.checking import Checked, CheckState, check_file
from primad_ld.nanopub.nanopub_folder import (
    Progress,
    each_file,
    find_files,
    in_batches,
    refuse_files,
)

#: An artifact code, wherever it stands in a text.
CODE: Final = re.compile(r"(?<![A-Za-z0-9_\-])RA[A-Za-z0-9_\-]{43}(?![A-Za-z0-9_\-])")
_SHOWN: Final = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Outgoing:
    """A file that is to be published, without its text."""

    path: Path
    uri: str = ""
    #: The digest in its name.
    code: str = ""
    #: The digests in the names that it mentions, itself left out.
    links: tuple[str, ...] = ()
    #: Why nothing at all is published with it among the files.
    problem: str = ""
    #: Why no registry would take it.
    refusal: str = ""
    #: What registries' users would miss.
    remarks: tuple[str, ...] = ()


def count_of(number: int) -> str:
    """So many nanopublications, in words."""
    return f"{number:,} nanopublication{'' if number == 1 else 's'}"


def survey(
    paths: AnyPaths, *, progress: Progress | None = None
) -> tuple[list[Outgoing], list[str]]:
    """All nanopublications that are to be published, and remarks on them.

    Raises:
        PrimadError: One of them is not what a registry takes: signed, and unchanged since.
    """
    items = each_file(find_files(paths), _survey_file, progress=progress, jobs=None)
    bad = [(item.path, item.problem) for item in items if item.problem]
    refuse_files(
        bad,
        f"nothing was sent: {len(bad):,} of {len(items):,} files cannot be published",
        "primad-ld nanopub sign signs drafts"
        if any("draft" in problem for _, problem in bad)
        else "primad-ld nanopub check says the same without publishing",
    )
    by_code: dict[str, Outgoing] = {}
    for item in items:
        by_code.setdefault(item.code, item)
    more = len(items) - len(by_code)
    repeats = f"{more:,} {'files repeat' if more > 1 else 'file repeats'} what another one holds"
    return [*by_code.values()], [*([repeats] if more else []), *_remarks(by_code.values())]


def _survey_file(path: Path) -> Outgoing:
    from primad_ld.nanopub.folder_checks import refusals_of, remarks_on

    checked = check_file(path)
    nanopub, problem = checked.nanopub, _problem(checked)
    if problem or nanopub is None:
        return Outgoing(path=path, uri=checked.uri, problem=problem)
    refusals = refusals_of(checked)
    mentioned = {
        code
        for statement in nanopub.statements
        for name in (
            statement.subject,
            *([] if statement.value.datatype else [statement.value.value]),
        )
        for code in CODE.findall(name)
    }
    return Outgoing(
        path=path,
        uri=nanopub.uri,
        code=nanopub.artifact,
        links=tuple(sorted(mentioned - {nanopub.artifact})),
        refusal="; ".join(refusals),
        remarks=tuple(remark for remark in remarks_on(checked) if remark not in refusals),
    )


def _problem(checked: Checked) -> str:
    """Why something cannot be published; empty if it can."""
    if checked.problems:
        return "; ".join(checked.problems)
    if checked.state is CheckState.SIGNED:
        return ""
    is_draft = checked.nanopub is not None and checked.nanopub.is_draft
    return "it is a draft; sign it first" if is_draft else "it is not signed"


def _remarks(items: Iterable[Outgoing]) -> Iterator[str]:
    """What would be missed, each once: an archive's nanopublications are all made alike."""
    counts = Counter(remark for item in items for remark in item.remarks)
    for remark, count in sorted(counts.items())[:_SHOWN]:
        yield remark + (f" ({count:,} of them)" if count > 1 else "")
    if len(counts) > _SHOWN:
        yield f"{len(counts) - _SHOWN:,} more remarks; primad-ld nanopub check --strict says all"


def in_steps(items: Sequence[Outgoing]) -> list[list[Outgoing]]:
    """Nanopublications in the order in which they are sent: what others rely on comes before them.

    Those of one step do not mention each other. People who follow an index find what it lists.
    """
    by_code = {item.code: item for item in items}
    steps = list(in_batches({code: item.links for code, item in by_code.items()}))
    if sum(map(len, steps)) < len(by_code):
        # Each name holds the digest of what it says, other names included.
        raise PrimadError("the nanopublications mention each other in a circle")
    return [[by_code[code] for code in step] for step in steps]
