"""From a header to RDF: one named graph for each component, one for the run.

Lines of N-Triples are written as text; building terms of a library costs ten times as
much. A component is written with a placeholder for its own IRI, which then is made from
the SHA-256 of those lines: equal IRI, equal triples. `primad_ld.rdf.lowering` is the way back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from primad_ld.compare.identity import IN_IRI, Identity, describes, identity_of, version_of
from primad_ld.core.errors import HeaderError, PrimadError
from primad_ld.core.iris import BASE, FOAF, PRIMAD, content_name, is_iri, name_of
from primad_ld.core.triples import NamedGraph
from primad_ld.core.yamltext import Value
from primad_ld.header.model import Header, parse_header
from primad_ld.header.ranking_digest import Ranking
from primad_ld.rdf.flat_facts import (
    IDENTITY_VERSION,
    completeness,
    identity_predicate,
    summary_token,
    wanted_of_all,
)
from primad_ld.rdf.key_lifting import (
    Component,
    Part,
    PartLifter,
    split_blocks,
)
from primad_ld.rdf.run_graphs import BASE_MARK, RUN, TYPE, LiftedRun, integer, sorted_text, term
from primad_ld.rdf.spellings import pointer
from primad_ld.rdf.value_lifting import handlers_of
from primad_ld.schema.canonical import composed, json_form, mapping_form, text_form
from primad_ld.schema.converters import json_literal, quoted
from primad_ld.schema.fields import Schema, default_schema

if TYPE_CHECKING:
    import rdflib

_ME: Final = f"<{RUN}>"
# Blocks of this size repeat; a longer one is a time series. So many fit into some 100 MB.
_LONGEST_BLOCK: Final = 8192
_MOST_BLOCKS: Final = 4000
# Beside such a block the others cost nothing, and if it is wrong, it is not parsed twice.
_MOST_OF_A_HEADER: Final = 2**20
_MOST_COMPONENTS: Final = 1000
_REMEMBERED: Final = 8192
# A header has ten keys at its margin; one with thousands is parsed under the limit on values.
_MOST_KEYS: Final = 100


def lift(
    header: Header,
    *,
    ranking: Ranking | None = None,
    file_name: str | None = None,
    tag_in_file: str | None = None,
    base: str = BASE,
    schema: Schema | None = None,
) -> rdflib.Dataset:
    """A header as an rdflib dataset of named graphs. For many headers see `Lifter`.

    ``ranking`` and ``tag_in_file`` are as `runfile.read_run` gives them. ``file_name`` is the
    run's file relative to its header, never an absolute path. It becomes part of the run's name
    where no actor has a team; where there is no ``file_name`` either, equal rankings with
    equal tags are one run, whoever made them.

    >>> import primad_ld as pl
    >>> dataset = pl.lift(pl.read_header("runs/shed-bm25.txt"))
    >>> len(dataset) > 100
    True
    """
    from primad_ld.rdf.formats import to_rdflib

    lifted = Lifter(schema=schema, base=base).lift(
        header, ranking=ranking, file_name=file_name, tag_in_file=tag_in_file
    )
    return to_rdflib(lifted.graphs)


class Lifter:
    """Lifts headers; make one and keep it."""

    def __init__(self, *, schema: Schema | None = None, base: str = BASE) -> None:
        if not is_iri(base) or not base.endswith("/") or re.search(r"[?#]|/\.{1,2}/", base):
            raise PrimadError(
                f"base IRI must be absolute and end in '/' (got {base!r}); write one such as {BASE}"
            )
        self.schema = schema or default_schema()
        self.base = base
        self._handlers = handlers_of(self.schema)
        self._components = [entry.key for entry in self.schema.components]
        self._blocks: dict[str, Part | None] = {}
        self._known: dict[tuple[str, str], Component] = {}
        #: What parts are compared by; runs share them.
        self._identified: dict[int, tuple[Part, Identity | None]] = {}

    def lift(
        self,
        header: Header,
        *,
        ranking: Ranking | None = None,
        file_name: str | None = None,
        tag_in_file: str | None = None,
    ) -> LiftedRun:
        """One header; the arguments are those of `lift`."""
        return self.assemble(
            self.parts(header), ranking=ranking, file_name=file_name, tag_in_file=tag_in_file
        )

    def lift_text(
        self,
        text: str,
        *,
        ranking: Ranking | None = None,
        file_name: str | None = None,
        tag_in_file: str | None = None,
    ) -> LiftedRun | None:
        """A header's YAML, remembering the blocks that other headers had, too.

        The same as parsing and lifting it; or None, where only parsing the whole can tell
        what it says or what is wrong with it.
        """
        found = self.parts_of_text(text)
        if found is None:
            return None
        return self.assemble(
            [part for _, part in found],
            ranking=ranking,
            file_name=file_name,
            tag_in_file=tag_in_file,
        )

    def parts(self, header: Header) -> list[Part]:
        """What each top-level key of a header becomes."""
        return [self.part(key, value) for key, value in header.fields.items()]

    def parts_of_text(self, text: str) -> list[tuple[int, Part]] | None:
        """What each top-level key of a header's YAML becomes, with the lines before its block.

        None where only parsing the whole can tell. Places within a part count from the first
        line of its block.
        """
        blocks = split_blocks(text) or []
        if len(blocks) > _MOST_KEYS or any(len(block) > _MOST_OF_A_HEADER for block in blocks):
            return None
        found: list[tuple[int, Part]] = []
        line = text.count("\n") - sum(block.count("\n") for block in blocks)
        for block in blocks:
            part = self._block(block)
            if part is None:
                return None
            found.append((line, part))
            line += block.count("\n")
        parts = [part for _, part in found]
        if len({part.key for part in parts}) != len(parts) or not any(
            part.is_known for part in parts
        ):
            return None
        return found

    def part(self, key: str, value: Value) -> Part:
        """What one top-level key of a header becomes."""
        if len(self._known) >= _MOST_COMPONENTS:
            self._known.clear()
        return PartLifter(self.schema, self.base, self._handlers, self._known).lift(key, value)

    def _block(self, block: str) -> Part | None:
        """What a block became when it was met before; None if it is not one key by itself."""
        blocks = self._blocks
        if block in blocks:
            # What is met again stays: most blocks that nobody shares are met once.
            part = blocks[block] = blocks.pop(block)
            return part
        try:
            header = parse_header(block, schema=self.schema)
        except HeaderError:
            part = None
        else:
            fields = list(header.fields.items())
            part = self.part(*fields[0]) if len(fields) == 1 else None
        if len(block) <= _LONGEST_BLOCK:
            if len(self._blocks) >= _MOST_BLOCKS:
                # The oldest quarter: archives come sorted, and neighbours are alike.
                for old in list(self._blocks)[: _MOST_BLOCKS // 4]:
                    del self._blocks[old]
            self._blocks[block] = part
        return part

    def assemble(
        self,
        parts: Sequence[Part],
        *,
        ranking: Ranking | None = None,
        file_name: str | None = None,
        tag_in_file: str | None = None,
        to_be_judged: bool = False,
    ) -> LiftedRun:
        """The run that some parts make together.

        ``to_be_judged`` gives what shapes judge: values that do not fit stand in their fields.
        """
        # Components come in the order of the schema, whatever the order of the header.
        parts = sorted(parts, key=lambda part: (part.order, part.key))
        own = [part.judged if to_be_judged else part.lines for part in parts]
        lines = [line for some in own for line in some]
        lines.append(f"{_ME}{TYPE}<{PRIMAD}Run>")
        iri = f"{self.base}run/{_run_name(parts, ranking, file_name, tag_in_file)}"
        lines.extend(_described(parts, ranking, file_name, tag_in_file))
        identities = self._identities(parts)
        lines.extend(self._derived(parts, ranking, tag_in_file, identities))
        triples = sorted_text(lines).replace(RUN, iri).replace(BASE_MARK, self.base)
        every = [one for part in parts for one in part.components]
        components = [one.judged if to_be_judged else one.graph for one in every]
        return LiftedRun(
            run=NamedGraph(iri=iri, triples=triples),
            components=tuple(components),
            identities=identities,
        )

    def _identities(self, parts: Sequence[Part]) -> dict[str, Identity]:
        """What the components are compared by; some count fields of others among their own."""
        found = {}
        for part in parts:
            identity = self._identity(part) if part.key in self._components else None
            if identity is not None:
                found[part.key] = identity
        for component, path in _elsewhere(self.schema):
            value: object = {part.key: part.value for part in parts if part.key == path[0]}
            for key in path:
                value = value.get(key) if isinstance(value, dict) else None
            if component in found and value:
                given = {part.key: part.value for part in parts}
                found[component] = identity_of(self.schema, component, given)
        return found

    def _identity(self, part: Part) -> Identity | None:
        """What a component is compared by, as far as its own part of the header tells."""
        known = self._identified.get(id(part))
        if known is None or known[0] is not part:
            if len(self._identified) >= _MOST_BLOCKS:
                self._identified.clear()
            is_there = describes(part.value)
            given = {part.key: part.value}
            identity = identity_of(self.schema, part.key, given) if is_there else None
            known = self._identified[id(part)] = part, identity
        return known[1]

    def _derived(
        self,
        parts: Sequence[Part],
        ranking: Ranking | None,
        tag_in_file: str | None,
        identities: dict[str, Identity],
    ) -> list[str]:
        """Flat facts for fast search: those of the parts, and those about what is not there."""
        lines = [line for part in parts for line in part.derived]
        keys = [
            (entry, identities[entry.key].key)
            for entry in self.schema.components
            if entry.key in identities
        ]
        lines.extend(_identity_line(identity_predicate(entry), key) for entry, key in keys)
        lines.extend(self._absent(parts))
        percent = self.completeness(parts)
        lines.append(f"{_ME}{term('completeness')}{integer(percent)}")
        summary = summary_token(
            [part.share for part in parts],
            tag=_tag(parts, tag_in_file),
            completeness=percent,
            ranking=_ranking_name(ranking) if ranking is not None else "",
            identities=[(entry.key, key) for entry, key in keys],
        )
        lines.append(f"{_ME}{term('summary')}{summary}")
        return lines

    def beside(
        self,
        parts: Sequence[Part],
        *,
        ranking: Ranking | None = None,
        file_name: str | None = None,
        tag_in_file: str | None = None,
    ) -> str:
        """What is said of a run beside what each part says, still without the run's name.

        For those who judge runs: the summary, which only repeats the rest, is left out.
        """
        lines = [f"{_ME}{TYPE}<{PRIMAD}Run>"]
        lines.extend(_described(parts, ranking, file_name, tag_in_file))
        lines.extend(self._absent(parts))
        lines.append(f"{_ME}{term('completeness')}{integer(self.completeness(parts))}")
        return sorted_text(lines).replace(BASE_MARK, self.base)

    def _absent(self, parts: Sequence[Part]) -> list[str]:
        given = {part.key for part in parts}
        return [
            f"{_ME}{term('lacksComponent')}{quoted(key)}"
            for key in self._components
            if key not in given
        ]

    def completeness(self, parts: Sequence[Part]) -> int:
        """How many percent of what matters for repeating the run its header says."""
        given = {part.key for part in parts}
        nothing = [wanted for key, wanted in wanted_of_all(self.schema).items() if key not in given]
        return completeness(
            [part.said for part in parts], [*(part.wanted for part in parts), *nothing]
        )


def identity_graphs(run: str, identities: Iterable[Identity]) -> tuple[NamedGraph, ...]:
    """What components of a run are compared by, as archives keep it beside them."""
    base = run.rpartition("run/")[0]
    fields = default_schema().root.fields
    return tuple([one.graph(base, fields[one.component].predicate) for one in identities])


def with_version(run: NamedGraph) -> NamedGraph:
    """The graph of a run whose identities are kept beside it, with what made them.

    Statements that come into an archive on other ways lack it, and the identities with it.
    """
    version = quoted(version_of(default_schema()))
    line = f"<{run.iri}> <{PRIMAD}{IDENTITY_VERSION}> {version} .\n"
    return NamedGraph(iri=run.iri, triples=run.triples + line)


@lru_cache(maxsize=_REMEMBERED)
def _identity_line(predicate: str, key: str) -> str:
    return f"{_ME}{term(predicate)}<{BASE_MARK}{IN_IRI}{key}>"


@cache
def _elsewhere(schema: Schema) -> list[tuple[str, tuple[str, ...]]]:
    """Fields that are compared in another component than their own, with their path."""
    return [
        (entry.compared_in, entry.path)
        for entry in schema.walk()
        if entry.role and entry.compared_in != entry.path[0]
    ]


def _tag(parts: Sequence[Part], tag_in_file: str | None) -> str:
    """The tag of the header comes first; the last column of the file may differ."""
    return next((part.tag for part in parts if part.tag is not None), tag_in_file or "")


def _ranking_name(ranking: Ranking) -> str:
    return f"ranking/{name_of(ranking.digest)}"


# Packing a file does not make another run of it; these suffixes are frozen as foldings are.
_COMPRESSION: Final = re.compile(r"\.(?:gz|bz2|xz|zst)$", re.IGNORECASE)


def _run_name(
    parts: Sequence[Part],
    ranking: Ranking | None,
    file_name: str | None,
    tag_in_file: str | None,
) -> str:
    """A run is a ranking under a name (D5); without a ranking, its header stands in."""
    if ranking is None:
        said = mapping_form([one for part in parts for one in part.pairs])
        return content_name(f"[{said},{text_form(file_name or '')}]")
    team = next((part.team for part in parts if part.team), "")
    # Two people's equal runs stay two; without a team, only their files tell them apart.
    owner = [team] if team else ["", _COMPRESSION.sub("", composed(file_name or ""))]
    return content_name(json_form([ranking.digest, composed(_tag(parts, tag_in_file)), *owner]))


def _described(
    parts: Sequence[Part],
    ranking: Ranking | None,
    file_name: str | None,
    tag_in_file: str | None,
) -> list[str]:
    """What is said of the run's file and of the header, rather than in the header."""
    record = f"<{RUN}#header>"
    lines = [
        f"{_ME}{term('header')}{record}",
        f"{record}{TYPE}<{PRIMAD}HeaderRecord>",
        f"{record} <{FOAF}primaryTopic> {_ME}",
    ]
    if tag_in_file is not None:
        lines.append(f"{_ME}{term('tagInFile')}{quoted(tag_in_file)}")
    if ranking is not None:
        node = f"<{BASE_MARK}{_ranking_name(ranking)}>"
        lines.append(f"{_ME}{term('ranking')}{node}")
        lines.append(f"{node}{TYPE}<{PRIMAD}Ranking>")
        lines.append(f"{node}{term('rankingDigest')}{quoted(ranking.digest)}")
    if file_name is not None:
        lines.append(f"{record}{term('runFileName')}{quoted(file_name)}")
    written = {pointer(trail): value for part in parts for trail, value in part.written}
    if written:
        lines.append(f"{record}{term('spelling')}{json_literal(written)}")
    return lines
