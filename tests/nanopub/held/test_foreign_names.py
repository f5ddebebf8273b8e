"""Nobody's nanopublication touches another's, in whatever order they come and go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle, permutations
from pathlib import Path

import pytest
from support.claimed import (
    Shelved,
    claim,
    foreign,
    plain,
    publish,
    put,
    retraction,
    run_draft,
    shelved,
    superseding,
)
from support.servers import Server

from primad_ld.archive.maintenance import remove_named, vacuum
from primad_ld.archive.remote_engine import RemoteEngine
from primad_ld.nanopub.checking import CheckState, check_nanopub
from primad_ld.nanopub.folder_checks import check_paths
from primad_ld.nanopub.held.nanopub_records import graphs_of
from primad_ld.nanopub.nanopubs import Nanopub
from primad_ld.nanopub.signing import Signed
from primad_ld.rdf.nanopub_statements import Statement, as_nquads
from primad_ld.rdf.nanopub_terms import SUPERSEDES
from primad_ld.rdf.subject_index import Object


@dataclass(frozen=True)
class Victim:
    """Somebody's run, its successor, and a claim that has nothing to do with them."""

    first: Signed
    second: Signed
    claim: Signed

    @property
    def all(self) -> tuple[Signed, Signed, Signed]:
        return self.first, self.second, self.claim


@pytest.fixture(scope="module")
def victim() -> Victim:
    first = publish(run_draft(k1="0.90"))
    second = publish(superseding(run_draft(k1="1.20"), first))
    return Victim(first, second, publish(claim("mine", tag="hedge-bm25")))


def attacker(name: str, graphs: dict[str, str], *said: Statement) -> Nanopub:
    """A nanopublication without a digest, graphs of which have any names."""
    nanopub = foreign(name, *said)
    slash = "" if name.endswith("/") else "/"
    names = {getattr(nanopub, part): f"{name}{slash}{part}" for part in PARTS}
    names |= {getattr(nanopub, part): iri for part, iri in graphs.items()}

    def renamed(one: Statement) -> Statement:
        value = one.value._replace(value=names.get(one.value.value, one.value.value))
        subject = names.get(one.subject, one.subject)
        return Statement(names.get(one.graph, one.graph), subject, one.predicate, value)

    parts = {part: names.get(getattr(nanopub, part), getattr(nanopub, part)) for part in PARTS}
    statements = tuple(map(renamed, nanopub.statements))
    return Nanopub(uri=name, statements=statements, **parts)


PARTS = ("head", "assertion", "provenance", "pubinfo")


def supersedes(victim: Victim) -> Statement:
    """The victim's claim supersedes the victim's run, says the attacker in the claim's own graph."""
    info = victim.claim.nanopub.pubinfo
    uri, run = victim.claim.nanopub.uri, victim.second.nanopub.uri
    return Statement(info, uri, SUPERSEDES, Object(run))


def verdict(victim: Victim) -> Statement:
    """Another word in the assertion of the victim's claim."""
    return Statement(
        victim.claim.nanopub.assertion, "http://e.org/x", "http://e.org/y", Object("http://e.org/z")
    )


def _in_pubinfo(name: Callable[[str], str]) -> Callable[[Victim], Nanopub]:
    """An attacker whose name is made of the victim's, and whose pubinfo is the victim's."""

    def make(victim: Victim) -> Nanopub:
        own = victim.claim.nanopub
        graphs = {"pubinfo": own.pubinfo}
        return attacker(name(own.uri), graphs, supersedes(victim))

    return make


def _in_assertion(victim: Victim) -> Nanopub:
    own = victim.claim.nanopub
    return attacker("https://w3id.org/np/R", {"assertion": own.assertion}, verdict(victim))


def _below(victim: Victim) -> Nanopub:
    """With graphs of its own, but below the victim's name."""
    return attacker(f"{victim.claim.nanopub.uri}/more", {})


#: Those that a check of the file refuses.
ATTACKERS: dict[str, Callable[[Victim], Nanopub]] = {
    "a letter": _in_pubinfo(lambda uri: uri[: uri.rindex("/") + 2]),
    "all but a letter": _in_pubinfo(lambda uri: uri[:-1]),
    "the folder": _in_pubinfo(lambda uri: uri[: uri.rindex("/") + 1]),
    "the whole name": _in_pubinfo(lambda uri: f"{uri}/pub"),
    "assertion": _in_assertion,
    "below": _below,
}


def save(folder: Path, nanopub: Nanopub) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "attacker.nq"
    path.write_text(as_nquads(nanopub.statements))
    return path


def stranger() -> list[Signed]:
    """The victim's run by another key, with another header, and claims to be its successor."""
    forged = publish(run_draft(k1="5"), 2)
    return [forged, publish(claim("theirs", supersedes=forged.nanopub.uri), 2)]


def seen(archive: Shelved, victim: Victim) -> object:
    """What the archive says of what the victim published."""
    own = [one.nanopub for one in victim.all]
    there = [name for one in own for name in (one.head, one.assertion, one.provenance, one.pubinfo)]
    standing = archive.standing()
    return (
        {name: archive.graph(name) for name in there},
        {one.uri: standing.get(one.uri) for one in own},
    )


@pytest.fixture(scope="module")
def alone(victim: Victim, tmp_path_factory: pytest.TempPathFactory) -> tuple[object, set[str]]:
    """What an archive says that knows nobody else, and all that it holds."""
    folder = tmp_path_factory.mktemp("alone")
    with shelved(folder) as archive:
        archive.load(*put(folder / "np", *victim.all))
        return seen(archive, victim), content(archive)


def content(archive: Shelved) -> set[str]:
    vacuum(archive.engine, archive.opened)
    return archive.quads()


@pytest.mark.parametrize("kind", ATTACKERS)
def test_the_file_alone_tells(kind: str, victim: Victim, archive: Shelved, tmp_path: Path) -> None:
    nanopub = ATTACKERS[kind](victim)
    path = save(tmp_path, nanopub)
    found = check_nanopub(path)
    assert found.state is CheckState.INVALID
    (problem,) = archive.load(path).problems
    assert problem.file == str(path)
    graph = next(
        one for one in (nanopub.pubinfo, nanopub.assertion, nanopub.head) if one in problem.why
    )
    assert graph in found.problems[0]
    assert archive.quads() == set()


STEPS = ("first", "second", "claim", "attacker")


@pytest.mark.parametrize("kind", ["a letter", "damaged"])
@pytest.mark.parametrize("order", [*permutations(STEPS)])
def test_an_unproven_name_changes_nothing_of_a_proven_one(
    kind: str,
    order: Sequence[str],
    victim: Victim,
    alone: tuple[object, set[str]],
    archive: Shelved,
    tmp_path: Path,
) -> None:
    uri = victim.claim.nanopub.uri
    # A letter more than the victim's name; that the file alone does not tell.
    damaged = attacker(f"{uri}x", {})
    nanopub = damaged if kind == "damaged" else ATTACKERS[kind](victim)
    path = save(tmp_path / "np", nanopub)
    files = {name: put(tmp_path / "np", getattr(victim, name)) for name in STEPS[:3]}
    for name in order:
        archive.load(*files.get(name, [path]))
    expected, quads = alone
    assert seen(archive, victim) == expected
    assert nanopub.uri not in archive.standing()
    # Loading again, all at once or one by one, removing what is not there, and vacuum.
    archive.load(tmp_path / "np")
    assert seen(archive, victim) == expected
    assert content(archive) == quads


@pytest.mark.parametrize("is_first", [False, True])
def test_a_proven_name_counts_in_one_load_as_well(
    victim: Victim, archive: Shelved, tmp_path: Path, is_first: bool
) -> None:
    path = save(tmp_path, attacker(f"{victim.claim.nanopub.uri}x", {}))
    paths = [path, *put(tmp_path / "np", victim.claim)]
    (problem,) = archive.load(*(paths if is_first else reversed(paths))).problems
    assert problem.file == str(path)
    assert "lies below the name of another" in problem.why
    assert list(archive.standing()) == [victim.claim.nanopub.uri]


COMINGS = [*permutations(("first", "second", "forged", "theirs"))]
GOINGS = [*permutations(("reload", "retract", "remove"))]


@pytest.mark.parametrize(
    ("coming", "going"),
    [*zip(COMINGS, cycle(GOINGS), strict=False)],
    ids="-".join,
)
def test_strangers_come_and_go(
    coming: Sequence[str],
    going: Sequence[str],
    victim: Victim,
    alone: tuple[object, set[str]],
    archive: Shelved,
    tmp_path: Path,
) -> None:
    """What the victim says is there all the time; when strangers are gone, nothing is left of them."""
    forged, theirs = stranger()
    back = retraction(forged, 2)
    published = {"first": victim.first, "second": victim.second, "forged": forged, "theirs": theirs}
    np = tmp_path / "np"
    steps: dict[str, Callable[[], object]] = {
        "reload": lambda: archive.load(np),
        "retract": lambda: archive.load(*put(np, back)),
        "remove": lambda: remove_strangers(archive, forged, theirs, back),
    }
    steps |= {name: partial(archive.load, *put(np, one)) for name, one in published.items()}
    archive.load(*put(np, victim.claim))
    expected, quads = alone
    for step in coming:
        steps[step]()
    for step in going:
        assert seen(archive, victim) == expected
        steps[step]()
    assert seen(archive, victim) == expected
    remove_strangers(archive, forged, theirs, back)
    assert content(archive) == quads


def remove_strangers(archive: Shelved, *published: Signed) -> None:
    there = archive.standing()
    uris = [one.nanopub.uri for one in published if one.nanopub.uri in there]
    remove_named(archive.engine, uris, archive.opened)


# Unproven names -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("http://example.org/np/", "http://example.org/np/1/"),
        ("http://example.org/np/", "http://example.org/np/#"),
    ],
)
@pytest.mark.parametrize("is_turned", [False, True])
@pytest.mark.parametrize("at_once", [False, True])
def test_of_two_unproven_names_the_one_that_is_there_stays(
    archive: Shelved, np: Path, first: str, second: str, is_turned: bool, at_once: bool
) -> None:
    names = [second, first] if is_turned else [first, second]
    paths = [np / "a.trig", np / "b.trig"]
    for path, name in zip(paths, names, strict=True):
        path.write_text(plain(name))
    reports = [archive.load(*paths)] if at_once else [archive.load(path) for path in paths]
    (problem,) = reports[-1].problems
    kept, refused = names
    assert str(problem.file) == str(paths[1])
    assert kept in problem.why
    assert refused in problem.why
    assert list(archive.standing()) == [kept]
    # When that one is gone, the other may come.
    remove_named(archive.engine, [kept], archive.opened)
    assert archive.load(paths[1]).problems == []
    assert list(archive.standing()) == [refused]


def test_names_side_by_side_are_no_problem(archive: Shelved, np: Path) -> None:
    for number, name in enumerate(["http://e.org/1/", "http://e.org/12/", "http://e.org/1a/"]):
        (np / f"{number}.trig").write_text(plain(name))
    report = archive.load(np)
    assert (report.nanopubs, report.problems) == (3, [])


# Damaged names --------------------------------------------------------------------------------


def test_a_damaged_name_is_told(archive: Shelved, np: Path, victim: Victim) -> None:
    uri = victim.claim.nanopub.uri
    damaged = f"{uri[:-9]}{uri[-8:]}"
    path = np / "x.trig"
    path.write_text(victim.claim.text.replace(uri, damaged))
    # The signature goes with the digest.
    assert check_nanopub(path).state is CheckState.INVALID
    path = save(np, attacker(damaged, {}))
    words = f"no name proves it, and {damaged} looks like a damaged trusty name"
    report = check_paths([path])
    (found,) = report.files
    assert (found.state, found.notes, found.remarks) == (CheckState.PLAIN, (words,), ())
    assert report.exit_code == 0
    report = check_paths([path], is_strict=True)
    assert words in report.files[0].remarks
    assert report.exit_code == 1
    loaded = archive.load(path)
    assert (loaded.nanopubs, loaded.notes) == (1, [f"{path}: {words}"])
    # The one that it looks like comes, and is what it is.
    assert archive.load(*put(np, victim.claim)).problems == []
    graphs = graphs_of(archive.engine, [uri])[uri]
    assert len(graphs) == 4


# Elsewhere --------------------------------------------------------------------------------------


def test_on_a_server_as_well(
    empty_oxigraph: Server, victim: Victim, alone: tuple[object, set[str]], tmp_path: Path
) -> None:
    forged, theirs = stranger()
    engine = RemoteEngine.connect(empty_oxigraph.address)
    damaged = save(tmp_path / "attacker", attacker(f"{victim.claim.nanopub.uri}x", {}))
    with shelved(tmp_path / "kept", engine) as archive:
        archive.load(damaged)
        archive.load(*put(tmp_path / "np", forged, theirs, *victim.all))
        expected, quads = alone
        assert seen(archive, victim) == expected
        uris = [forged.nanopub.uri, theirs.nanopub.uri]
        remove_named(engine, uris, archive.opened)
        assert seen(archive, victim) == expected
        assert content(archive) == quads
