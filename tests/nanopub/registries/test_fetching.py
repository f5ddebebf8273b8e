"""Fetching: what is kept, what is not, and what indexes bring along."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.full_disks import files_up_to
from support.registries import StandIn, code_of, signed, signed_index

from primad_ld.core.connections import Patience
from primad_ld.core.errors import OutputError, PrimadError
from primad_ld.nanopub.checking import CheckState, check_nanopub
from primad_ld.nanopub.registries.fetching import (
    FetchOutcome,
    FetchReport,
    code_in,
    fetch,
)
from primad_ld.nanopub.registries.registry_client import Settings, parse_registry
from primad_ld.nanopub.signing import Signed, Signer

QUICK = Settings(patience=Patience(tries=2, first=0.01, longest=0.02))
CODE = "RA" + "A" * 43


def give(registry: StandIn, found: Sequence[Signed]) -> None:
    """Have a registry hold something."""
    for one in found:
        registry.give(one)
    assert set(registry.kept) == set(map(code_of, found))


def fetched(folder: Path, registry: StandIn, *names: str, **options: Any) -> FetchReport:
    return fetch(names, parse_registry(registry.url), folder, **({"settings": QUICK} | options))


def outcomes(got: FetchReport) -> list[str]:
    return [one.outcome.value for one in got.results]


@pytest.fixture(scope="module")
def two(signer: Signer) -> list[Signed]:
    return [signed(word, signer) for word in ("first", "second")]


# Names ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        CODE,
        f"https://w3id.org/np/{CODE}",
        f"https://w3id.org/np/{CODE}/",
        f"http://purl.org/np/{CODE}#",
        f"https://registry.example.org/np/{CODE}.trig",
        f"https://w3id.org/np/{CODE}/assertion",  # a node of it
        f"https://w3id.org/np/{CODE}#run",
        f" <https://w3id.org/np/{CODE}> ",
        f"https://w3id.org/np/{CODE} https://example.org/{CODE}",  # twice the same
    ],
)
def test_a_name_in_any_form(text: str) -> None:
    assert code_in(text) == CODE


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "holds no artifact code"),
        ("https://w3id.org/np/", "holds no artifact code"),
        (CODE[:-1], "holds no artifact code"),
        (CODE + "A", "holds no artifact code"),
        ("RB" + CODE[2:], "holds no artifact code"),
        ("RA" + "\u00e9" * 43, "holds no artifact code"),
        (f"{CODE[:-1]}E {CODE}", "holds more than one artifact code"),
        # the last letter has two bits that are no part of the digest
        (CODE[:-1] + "B", "look for a mistyped letter"),
        (f"../../{CODE[:20]}/{CODE[20:]}", "holds no artifact code"),
        ("\x1b[2J", "holds no artifact code"),
    ],
)
def test_what_is_no_name(tmp_path: Path, registry: StandIn, text: str, why: str) -> None:
    with pytest.raises(PrimadError, match=why) as caught:
        fetched(tmp_path / "np", registry, text)
    assert str(caught.value).isprintable()
    assert not (tmp_path / "np").exists()
    assert registry.gets == []


# As it should be ----------------------------------------------------------------------------------


def test_what_is_kept_is_what_came(tmp_path: Path, registry: StandIn, two: list[Signed]) -> None:
    give(registry, two)
    folder = tmp_path / "a" / "np"
    registry.set(drop_get=1)  # what passes harms nothing
    got = fetched(folder, registry, *(one.nanopub.uri for one in two), code_of(two[0]))
    assert got.exit_code == 0
    assert [one.code for one in got.results] == list(map(code_of, two))
    for one, signed_one in zip(got.results, two, strict=True):
        assert one.path == folder / f"{one.code}.trig"
        found = check_nanopub(one.path)
        assert (found.state, found.uri) == (CheckState.SIGNED, signed_one.nanopub.uri)
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        f"{one.code}.trig" for one in got.results
    )


@pytest.mark.parametrize(
    ("media_type", "suffix"),
    [
        ("application/trig; charset=utf-8", ".trig"),
        ("APPLICATION/TriG", ".trig"),
        ("", ".trig"),
        ("application/n-quads", ".nq"),
        ("application/ld+json", ".jsonld"),
    ],
)
def test_the_suffix_is_that_of_the_answer(
    tmp_path: Path, registry: StandIn, two: list[Signed], media_type: str, suffix: str
) -> None:
    give(registry, two)
    registry.set(media_type=media_type)
    got = fetched(tmp_path, registry, code_of(two[0]))
    (one,) = got.results
    assert one.path == tmp_path / (code_of(two[0]) + suffix)
    assert check_nanopub(one.path).state is CheckState.SIGNED
    told = "" if suffix == ".trig" else f"answered with {media_type}, not with TriG"
    assert one.why == told
    assert got.notes == ((f"1 nanopublication: {told}",) if told else ())
    # What is there is not asked for in another form.
    registry.set(media_type="application/trig")
    (one,) = fetched(tmp_path, registry, code_of(two[0])).results
    assert (one.outcome, one.path) == (FetchOutcome.PRESENT, tmp_path / (code_of(two[0]) + suffix))


def test_what_is_there_is_not_asked_for(
    tmp_path: Path, registry: StandIn, two: list[Signed]
) -> None:
    give(registry, two)
    fetched(tmp_path, registry, code_of(two[0]))
    before = registry.gets
    got = fetched(tmp_path, registry, *map(code_of, two))
    assert outcomes(got) == ["there already", "fetched"]
    assert set(registry.gets[len(before) :]) == {code_of(two[1])}
    nobody = StandIn("http://127.0.0.1:1/")
    assert outcomes(fetched(tmp_path, nobody, *map(code_of, two))) == ["there already"] * 2


def test_a_full_disk_keeps_what_was_fetched(
    tmp_path: Path, registry: StandIn, signer: Signer
) -> None:
    short, long = signed("short", signer), signed("long", signer, says=f'"{"long " * 500}"')
    give(registry, [short, long])
    names, folder = [code_of(short), code_of(long)], tmp_path / "np"
    settings = Settings(jobs=1, patience=QUICK.patience)
    with files_up_to(len(long.text) - 1), pytest.raises(OutputError, match="too large") as caught:
        fetched(folder, registry, *names, settings=settings)
    assert [path.name for path in folder.iterdir()] == [f"{names[0]}.trig"]
    assert caught.value.__notes__[1:] == [
        f"  {names[0]}.trig",
        "rerun the command to write the rest",
    ]
    assert outcomes(fetched(folder, registry, *names)) == ["there already", "fetched"]


# What is not kept -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faults", "outcome", "why"),
    [
        ({"lie": "byte"}, FetchOutcome.WRONG, "it was changed since it got its name"),
        ({"media_type": "text/html"}, FetchOutcome.WRONG, "answers with text/html"),
        ({"elsewhere": "https://a.org/np/"}, FetchOutcome.MISSING, "points to https://a.org/np/RA"),
    ],
)
def test_lies_are_not_kept(
    tmp_path: Path,
    registry: StandIn,
    two: list[Signed],
    faults: dict[str, str],
    outcome: FetchOutcome,
    why: str,
) -> None:
    if outcome is FetchOutcome.WRONG:
        give(registry, two)
    registry.set(**faults)
    got = fetched(tmp_path, registry, code_of(two[0]))
    (one,) = got.results
    assert (one.outcome, one.path, got.exit_code) == (outcome, None, 1)
    assert why in one.why
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"my notes", "not valid RDF"),
        (b"#" * 9_000_000, "longer than 8 MiB"),
        (None, "another nanopublication"),
        ("elsewhere", "no file"),  # a link that leads to nothing
    ],
)
def test_other_files_are_not_replaced(
    tmp_path: Path, registry: StandIn, two: list[Signed], content: bytes | str | None, why: str
) -> None:
    give(registry, two)
    path = tmp_path / f"{code_of(two[0])}.trig"
    if isinstance(content, str):
        path.symlink_to(tmp_path / content)
    else:
        path.write_bytes(two[1].text.encode() if content is None else content)
    before = path.read_bytes() if path.exists() else None
    (one,) = fetched(tmp_path, registry, code_of(two[0])).results
    assert one.outcome is FetchOutcome.WRONG
    assert one.why.startswith(f"{path} is in the way (")
    assert why in one.why
    assert (path.read_bytes() if path.exists() else None) == before


def test_folders_that_cannot_be(tmp_path: Path, registry: StandIn) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="file is a file; name a folder"):
        fetched(tmp_path / "file", registry, CODE)
    with pytest.raises(OutputError, match="not a directory"):
        fetched(tmp_path / "file" / "np", registry, CODE)
    with pytest.raises(OutputError, match="name too long"):
        fetched(tmp_path / ("x" * 300), registry, CODE)


def test_a_registry_that_fails_for_good(tmp_path: Path, registry: StandIn, signer: Signer) -> None:
    many = [signed(f"m{number}", signer) for number in range(20)]
    give(registry, many)

    start = len(registry.gets)
    registry.set(dies_after=start + len(registry.posts) + 5)
    settings = Settings(jobs=1, patience=QUICK.patience)
    got = fetched(tmp_path, registry, *map(code_of, many), settings=settings)
    assert outcomes(got) == ["fetched"] * 5 + ["failed"] * 5 + ["not asked for"] * 10
    registry.set(dies_after=0)
    again = fetched(tmp_path, registry, *map(code_of, many))
    assert outcomes(again) == ["there already"] * 5 + ["fetched"] * 15


def test_an_interrupted_run_keeps_what_it_has(
    tmp_path: Path, registry: StandIn, signer: Signer
) -> None:
    many = [signed(f"m{number}", signer) for number in range(20)]
    give(registry, many)

    def interrupt(done: int, total: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetched(tmp_path, registry, *map(code_of, many), progress=interrupt)
    files = sorted(path.name for path in tmp_path.iterdir())
    assert len(files) >= 5
    assert all(check_nanopub(tmp_path / name).state is CheckState.SIGNED for name in files)
    got = fetched(tmp_path, registry, *map(code_of, many))
    assert got.exit_code == 0
    assert outcomes(got).count("there already") == len(files)


# Indexes --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def archive(signer: Signer) -> dict[str, Signed]:
    """Elements in two sub-indexes, one of them in two parts, and a version before all that."""
    made = {word: signed(word, signer) for word in ("a", "b", "c", "old")}
    uri = {word: one.nanopub.uri for word, one in made.items()}

    def index(word: str, elements: str = "", **more: Any) -> None:
        made[word] = signed_index(word, signer, [uri[one] for one in elements], **more)
        uri[word] = made[word].nanopub.uri

    made["before"] = signed_index("before", signer, [uri["old"]])
    index("low", "a")
    index("part", "b")
    index("more", "ac", appends=uri["part"])
    index(
        "top",
        subindexes=[uri["low"], uri["more"]],
        supersedes=made["before"].nanopub.uri,
    )
    return made


def test_an_index_brings_what_it_lists(
    tmp_path: Path, registry: StandIn, archive: dict[str, Signed]
) -> None:
    give(registry, [*archive.values()])
    alone = fetched(tmp_path / "alone", registry, archive["top"].nanopub.uri)
    assert [one.code for one in alone.results] == [code_of(archive["top"])]
    before = len(registry.gets)
    got = fetched(tmp_path, registry, archive["top"].nanopub.uri, is_following=True)
    assert got.exit_code == 0
    names = {code_of(one): word for word, one in archive.items()}
    levels = [names[one.code] for one in got.results]
    # Level by level, each once; what it supersedes is no part of it.
    assert levels[0] == "top"
    assert set(levels[1:3]) == {"low", "more"}
    assert sorted(levels[3:]) == ["a", "b", "c", "part"]
    assert max(Counter(registry.gets[before:]).values()) == 1


def test_indexes_that_are_there_are_followed_without_asking(
    tmp_path: Path, registry: StandIn, archive: dict[str, Signed]
) -> None:
    give(registry, [*archive.values()])
    fetched(tmp_path, registry, *(code_of(archive[word]) for word in ("top", "low", "more")))
    before = len(registry.gets)
    got = fetched(tmp_path, registry, archive["top"].nanopub.uri, is_following=True)
    assert got.exit_code == 0
    assert Counter(outcomes(got)) == {"there already": 3, "fetched": 4}
    wanted = {code_of(archive[word]) for word in ("a", "b", "c", "part")}
    assert set(registry.gets[before:]) == wanted


def test_elements_without_a_digest_cannot_be_checked(
    tmp_path: Path, registry: StandIn, signer: Signer, two: list[Signed]
) -> None:
    odd = [f"https://w3id.org/np/{CODE[:-1]}B", "https://example.org/plain"]
    index = signed_index("odd", signer, [two[0].nanopub.uri, *odd])
    give(registry, [index, *two])
    got = fetched(tmp_path, registry, code_of(index), is_following=True)
    bad = {
        one.code: (one.outcome, one.why)
        for one in got.results
        if one.outcome is not FetchOutcome.FETCHED
    }
    why = "its name holds no artifact code, so nothing could be checked"
    assert bad == {
        CODE[:-1] + "B": (FetchOutcome.MISSING, "the registry does not have it"),
        odd[1]: (FetchOutcome.MISSING, why),
    }


@pytest.mark.parametrize(("most", "is_cut"), [(1, True), (3, True), (6, True), (7, False)])
def test_there_is_a_bound(
    tmp_path: Path,
    registry: StandIn,
    archive: dict[str, Signed],
    most: int,
    is_cut: bool,
) -> None:
    give(registry, [*archive.values()])
    got = fetched(tmp_path, registry, archive["top"].nanopub.uri, is_following=True, most=most)
    assert len(got.results) == len(list(tmp_path.iterdir())) == most
    assert bool(got.exit_code) is is_cut
    assert bool(got.left) is bool(got.warnings) is is_cut
    with pytest.raises(PrimadError, match=f"more than the {most} to fetch"):
        fetched(tmp_path, registry, *map(code_of, archive.values()), most=most)


# What is said of it -------------------------------------------------------------------------------
