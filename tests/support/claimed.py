"""Nanopublications for tests of archives: signed by keys that are as new as the tests are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.engine import Engine
from primad_ld.archive.loaded_files import Ledger
from primad_ld.archive.loading import LoadReport, load, load_loose
from primad_ld.archive.published_files import Shelf
from primad_ld.archive.query_catalogue import named_query
from primad_ld.archive.query_results import Bindings, Triples
from primad_ld.archive.user_queries import ask
from primad_ld.archive.write_access import OpenArchive
from primad_ld.core.iris import PRIMAD, RDF_TYPE, XSD
from primad_ld.nanopub.drafting.archive_holdings import ArchiveDrafts
from primad_ld.nanopub.drafts import CONCERNS, Draft, Triple, nanopub_of_draft, text
from primad_ld.nanopub.keys import generate_key, public_text
from primad_ld.nanopub.nanopubs import Nanopub
from primad_ld.nanopub.signing import Signed, Signer, sign
from primad_ld.nanopub.trig import as_trig
from primad_ld.rdf.bulk import Options
from primad_ld.rdf.nanopub_statements import Statement, as_nquads, literal_token
from primad_ld.rdf.nanopub_terms import CREATED, RETRACTS, SUPERSEDES
from primad_ld.rdf.subject_index import Object
from support import GOOD

#: ORCID's own example.
ORCID = "https://orcid.org/0000-0002-1825-0097"
DOI = "https://doi.org/10.1145/3477495.3531738"
CLAIM = PRIMAD + "ReproducibilityClaim"

_CONCERNS = {**CONCERNS, "target": PRIMAD + "targetNanopublication"}
_LINKS = ("publication", "target")


def signer(number: int = 1) -> Signer:
    """Somebody who signs, always at the same time; another number is another key."""
    return _signer(number)


@cache
def _signer(number: int) -> Signer:
    key = generate_key()
    return Signer(
        orcid=ORCID,
        license="https://creativecommons.org/licenses/by/4.0/",
        created="2026-03-01T12:00:00.000Z",
        public_key=public_text(key),
        key=key,
    )


def claim(
    name: str,
    *,
    says: str = "",
    supersedes: str = "",
    retracts: str = "",
    created: str = "",
    types: Sequence[str] = (CLAIM,),
    **concerns: str,
) -> Draft:
    """A claim about what ``concerns`` name; ``says`` are more lines of it.

    One that retracts something is no claim, and says only that.
    """
    about = f"http://example.org/claim/{hashlib.sha256(name.encode()).hexdigest()[:16]}"
    lines = [] if retracts else [f"<{about}> <{RDF_TYPE}> <{CLAIM}> .\n"]
    for kind, value in concerns.items():
        found = f"<{value}>" if kind in _LINKS else literal_token(text(value))
        lines.append(f"<{about}> <{_CONCERNS[kind]}> {found} .\n")
    if retracts:
        lines.append(f"<{ORCID}> <{RETRACTS}> <{retracts}> .\n")
    info: list[Triple] = []
    if supersedes:
        info.append(("this:", SUPERSEDES, Object(supersedes)))
    if created:
        info.append(("this:", CREATED, Object(created, XSD + "dateTime")))
    return Draft(
        kind="claim",
        about=about,
        label=name,
        types=tuple(types),
        triples="".join(lines) + says,
        pubinfo=tuple(info),
    )


def publish(draft: Draft, number: int = 1) -> Signed:
    """A draft, signed."""
    return sign(nanopub_of_draft(draft), signer(number))


def put(folder: Path, *published: Signed) -> list[Path]:
    """A file for each of some nanopublications, in their order."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for one in published:
        path = folder / f"{one.nanopub.artifact}.trig"
        path.write_text(one.text)
        paths.append(path)
    return paths


def publish_all(engine: Engine, number: int = 1) -> dict[str, Signed]:
    """All that an archive holds, signed: those that others rely on first; by the draft's URI."""
    drafts = {
        made.draft.uri: made.draft
        for made in ArchiveDrafts(engine).of_everything()
        if made.draft is not None
    }
    links: dict[str, str] = {}
    found: dict[str, Signed] = {}
    while waiting := [one for uri, one in drafts.items() if uri not in found]:
        ready = [one for one in waiting if _relies_on(one, drafts) <= links.keys()]
        assert ready
        for one in ready:
            found[one.uri] = sign(nanopub_of_draft(one), signer(number), links)
            links[one.uri] = found[one.uri].nanopub.uri
    return found


def _relies_on(draft: Draft, drafts: Iterable[str]) -> set[str]:
    return {one for one in draft.sources if one in set(drafts)}


def run_file(
    folder: Path, tag: str = "hedge-bm25", *, ranking: str = "d1", k1: str = "0.90"
) -> Path:
    """A run with a header; the name of its run does not depend on k1."""
    header = GOOD.replace("tag: hedge-bm25", f"tag: {tag}").replace("k1: 0.90", f"k1: {k1}")
    lines = ["# ir_metadata.start", *(f"# {line}" for line in header.splitlines())]
    path = folder / f"{tag}.txt"
    path.write_text("\n".join([*lines, "# ir_metadata.end", f"1 Q0 {ranking} 1 2.5 {tag}", ""]))
    return path


def run_draft(tag: str = "hedge-bm25", *, ranking: str = "d1", k1: str = "0.90") -> Draft:
    """The run of such a file as a draft."""
    with TemporaryDirectory() as folder:
        loose = load_loose([run_file(Path(folder), tag, ranking=ranking, k1=k1)])
    (draft,) = (made.draft for made in ArchiveDrafts(loose.engine).of_everything())
    return draft


def superseding(draft: Draft, old: Signed) -> Draft:
    """A draft that takes the place of what was published."""
    added = ("this:", SUPERSEDES, Object(old.nanopub.uri))
    return replace(draft, pubinfo=(*draft.pubinfo, added))


def retraction(old: Signed, number: int = 1) -> Signed:
    """What takes back what was published."""
    name = f"no-{old.nanopub.artifact}-{number}"
    return publish(claim(name, retracts=old.nanopub.uri), number)


def as_quads(nanopub: Nanopub) -> bytes:
    """The same nanopublication in another syntax."""
    return as_nquads(nanopub.statements).encode()


def some_claims() -> list[Signed]:
    """Claims of each standing, by two keys, with times in all zones."""
    first = publish(claim("first", tag="npl-bm25", collection="vaswani", publication=DOI))
    second = publish(
        claim("second", tag="npl-bm25", supersedes=first.nanopub.uri, collection="vaswani")
    )
    wrong = publish(claim("wrong", tag="npl-bm25", created="2026-03-01T13:30:00.5+01:00"))
    gone = publish(claim("gone", retracts=wrong.nanopub.uri, created="2026-03-02T00:00:00Z"))
    other = publish(claim("other", tag="npl-prf", supersedes=second.nanopub.uri), 2)
    odd = publish(
        claim(
            'odd \u00e9 "q"',
            collection="vaswani",
            publication="https://doi.org/10.1145/ABC.1",
            types=("http://example.org/B", "http://example.org/A"),
            created="2025-12-31T23:59:59.999-05:00",
        )
    )
    return [first, second, wrong, gone, other, odd]


@dataclass
class Shelved:
    """An archive with what is beside its store."""

    engine: Engine
    ledger: Ledger
    shelf: Shelf

    @property
    def opened(self) -> OpenArchive:
        return OpenArchive(engine=self.engine, shelf=self.shelf)

    def load(self, *paths: Path | str, jobs: int = 1) -> LoadReport:
        options = Options(jobs=jobs)
        return load(self.engine, self.ledger, paths, options, shelf=self.shelf)

    def rows(self, query: str, columns: str, **values: str) -> list[tuple[str | None, ...]]:
        """Some columns of the answer of a named query."""
        table = ask(self.engine, named_query(query), values)
        assert isinstance(table, Bindings)
        places = [table.variables.index(name) for name in columns.split()]
        return [tuple(row[it].value if row[it] else None for it in places) for row in table.rows]

    def standing(self) -> dict[str | None, str | None]:
        """Which nanopublications still hold, by URI."""
        return dict(self.rows("nanopubs", "nanopub standing"))  # type: ignore[arg-type]

    def quads(self) -> set[str]:
        """All that the store holds."""
        names = self.engine.column("SELECT ?g { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g")
        return {f"{name} {line}" for name in names for line in self.graph(name)}

    def graph(self, name: str) -> set[str]:
        """What one graph holds."""
        found = self.engine.query(f"CONSTRUCT {{ ?s ?p ?o }} {{ GRAPH <{name}> {{ ?s ?p ?o }} }}")
        assert isinstance(found, Triples)
        return set(found.lines)


@contextmanager
def shelved(folder: Path, engine: Engine | None = None) -> Iterator[Shelved]:
    """An empty archive that keeps nanopublications in a folder."""
    with closing(Ledger(None)) as ledger:
        yield Shelved(engine or EmbeddedEngine.memory(), ledger, Shelf(folder / "nanopubs"))


def foreign(own: str, *statements: Statement) -> Nanopub:
    """A nanopublication that has a name of its maker's choice from the beginning."""
    draft = nanopub_of_draft(claim("x"))

    def renamed(name: str) -> str:
        return name.replace(draft.uri, own)

    return Nanopub(
        uri=own,
        head=renamed(draft.head),
        assertion=renamed(draft.assertion),
        provenance=renamed(draft.provenance),
        pubinfo=renamed(draft.pubinfo),
        statements=(
            *(
                Statement(
                    renamed(one.graph),
                    renamed(one.subject),
                    one.predicate,
                    one.value if one.value.datatype else Object(renamed(one.value.value)),
                )
                for one in draft.statements
            ),
            *statements,
        ),
    )


def plain(own: str, **graphs: str) -> str:
    """An unsigned nanopublication with graphs of any name."""
    nanopub = foreign(own)
    text = as_trig(nanopub)
    for name, iri in graphs.items():
        text = text.replace(f"sub:{name} ", f"<{iri}> ").replace(f"sub:{name} {{", f"<{iri}> {{")
    return text
