"""What is to be published: all of it checked before anything is sent, and in which order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final

from primad_ld.core.errors import PrimadError
from primad_ld.core.iris import RDF_TYPE
from primad_ld.core.library_arguments import AnyPaths
from primad_ld.nanopub.checking import Checked, CheckState, check_file
from primad_ld.nanopub.nanopub_folder import Progress, each_file, find_files, refuse_files
from primad_ld.rdf.nanopub_terms import INDEX

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
    is_index: bool = False
    characters: int = 0
    triples: int = 0
    #: Why nothing at all is published with it among the files.
    problem: str = ""
    #: Why no registry would take it.
    refusal: str = ""
    #: What registries' users would miss.
    remarks: tuple[str, ...] = ()

    def row(self) -> dict[str, object]:
        """What tables say of it, each those that they have columns for."""
        sizes = {"triples": self.triples, "characters": self.characters}
        return {"file": self.path, "uri": self.uri, **sizes}


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
    found = each_file(find_files(paths), _surveyed, progress=progress, jobs=None)
    bad = [(one.path, one.problem) for one in found if one.problem]
    refuse_files(
        bad,
        f"nothing was sent: {len(bad):,} of {len(found):,} files cannot be published",
        "primad-ld nanopub sign signs drafts"
        if any("draft" in problem for _, problem in bad)
        else "primad-ld nanopub check says the same without publishing",
    )
    first = {one.code: one for one in reversed(found)}
    once = [one for one in found if first[one.code] is one]
    more = len(found) - len(once)
    repeats = f"{more:,} {'files repeat' if more > 1 else 'file repeats'} what another one holds"
    return once, [*([repeats] if more else []), *_remarks(once)]


def _surveyed(path: Path) -> Outgoing:
    from primad_ld.nanopub.folder_checks import refusals_of, remarks_on

    found = check_file(path)
    nanopub, problem = found.nanopub, _problem(found)
    if problem or nanopub is None:
        return Outgoing(path=path, uri=found.uri, problem=problem)
    refusals = refusals_of(found)
    mentioned = {
        code
        for one in nanopub.statements
        for name in (one.subject, *([] if one.value.datatype else [one.value.value]))
        for code in CODE.findall(name)
    }
    return Outgoing(
        path=path,
        uri=nanopub.uri,
        code=nanopub.artifact,
        links=tuple(sorted(mentioned - {nanopub.artifact})),
        is_index=INDEX in nanopub.values(nanopub.uri, RDF_TYPE),
        characters=found.characters,
        triples=len(nanopub.statements),
        refusal="; ".join(refusals),
        remarks=tuple(one for one in remarks_on(found) if one not in refusals),
    )


def _problem(found: Checked) -> str:
    """Why something cannot be published; empty if it can."""
    if found.problems:
        return "; ".join(found.problems)
    if found.state is CheckState.SIGNED:
        return ""
    is_draft = found.nanopub is not None and found.nanopub.is_draft
    return "it is a draft; sign it first" if is_draft else "it is not signed"


def _remarks(found: Iterable[Outgoing]) -> Iterator[str]:
    """What would be missed, each once: an archive's nanopublications are all made alike."""
    counts = Counter(remark for one in found for remark in one.remarks)
    for remark, count in sorted(counts.items())[:_SHOWN]:
        yield remark + (f" ({count:,} of them)" if count > 1 else "")
    if len(counts) > _SHOWN:
        yield f"{len(counts) - _SHOWN:,} more remarks; primad-ld nanopub check --strict says all"


# In which order ---------------------------------------------------------------------------


def in_steps(found: Sequence[Outgoing]) -> list[list[Outgoing]]:
    """Nanopublications in the order in which they are sent: what others rely on comes before them.

    Those of one step do not mention each other. Indexes come last, since people who follow them
    want to find what they list.
    """
    there = {one.code: one for one in found}
    links = {code: [link for link in one.links if link in there] for code, one in there.items()}
    depths = _depths(links)
    needed = _reachable(links, [code for code, one in there.items() if not one.is_index])
    last = max((depths[code] for code in needed), default=-1) + 1
    steps: dict[int, list[Outgoing]] = {}
    for code, one in there.items():
        steps.setdefault(depths[code] + (0 if code in needed else last), []).append(one)
    return [steps[number] for number in sorted(steps)]


def _depths(links: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """How many others must come before each, one after the other. Chains may be thousands long."""
    sorter, depths = TopologicalSorter(links), dict[str, int]()
    try:
        sorter.prepare()
    except CycleError:
        # Each name holds the digest of what it says, other names included.
        raise PrimadError("the nanopublications mention each other in a circle") from None
    depth = 0
    while ready := sorter.get_ready():
        depths |= dict.fromkeys(ready, depth)
        depth += 1
        sorter.done(*ready)
    return depths


def _reachable(links: Mapping[str, Sequence[str]], start: Iterable[str]) -> set[str]:
    """What some nanopublications rely on, themselves included."""
    seen: set[str] = set()
    waiting = list(start)
    while waiting:
        code = waiting.pop()
        if code not in seen:
            seen.add(code)
            waiting.extend(links[code])
    return seen
