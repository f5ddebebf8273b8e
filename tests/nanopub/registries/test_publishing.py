"""Publishing: what becomes of nanopublications at registries that keep the contract, or do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support import Put
from support.registries import (
    StandIn,
    ahead_of_time,
    code_of,
    put_all,
    running_registry,
    signed,
    signed_index,
)

from primad_ld.core.connections import Patience
from primad_ld.core.errors import PrimadError
from primad_ld.nanopub.drafts import Draft, nanopub_of_draft
from primad_ld.nanopub.registries.publish_checks import Outgoing, in_steps, survey
from primad_ld.nanopub.registries.publishing import (
    PublishOutcome,
    PublishReport,
    Sent,
    journal_of,
    plan,
    publish,
    read_journal,
)
from primad_ld.nanopub.registries.registry_client import parse_registry
from primad_ld.nanopub.registries.senders import Settings
from primad_ld.nanopub.signing import Signed, Signer
from primad_ld.nanopub.trig import as_trig
from primad_ld.rdf.nanopub_statements import as_nquads
from primad_ld.rdf.subject_index import Object

QUICK = Settings(
    patience=Patience(tries=3, first=0.01, longest=0.02),
    confirming=Patience(tries=3, first=0.01, longest=0.02),
)


@pytest.fixture(scope="module")
def three(signer: Signer) -> list[Signed]:
    """A run, something that relies on it, and an index of both."""
    run = signed("run", signer)
    about = signed("about", signer, sources=[run.nanopub.uri])
    return [run, about, signed_index("all", signer, [run.nanopub.uri, about.nanopub.uri])]


def published(folder: Path, registry: StandIn, **options: Any) -> Sequence[Sent]:
    found, _ = survey([folder])
    given = {"settings": QUICK} | options
    return publish(found, parse_registry(registry.url), journal_of([folder]), **given).sent


def is_good(sent: Sequence[Sent]) -> bool:
    return PublishReport(registry="", sent=tuple(sent)).is_good


def journal(folder: Path, registry: StandIn) -> set[str]:
    return read_journal(journal_of([folder]), registry.url)


def outcomes(sent: Sequence[Sent]) -> list[str]:
    return [one.outcome.value for one in sent]


# As it should be ------------------------------------------------------------------------------


def test_everything_is_there_and_in_the_journal(
    tmp_path: Path, registry: StandIn, three: list[Signed]
) -> None:
    put_all(tmp_path, three)
    sent = published(tmp_path, registry)
    assert is_good(sent)
    assert [(one.item.code, one.outcome) for one in sent] == [
        (code_of(one), PublishOutcome.PUBLISHED) for one in three
    ]
    # What others rely on comes first, the index last.
    assert registry.posts == registry.kept == list(map(code_of, three))
    assert journal(tmp_path, registry) == {one.nanopub.uri for one in three}


def test_another_run_asks_for_nothing(
    tmp_path: Path, registry: StandIn, three: list[Signed]
) -> None:
    put_all(tmp_path, three)
    published(tmp_path, registry)
    before = registry.gets
    sent = published(tmp_path, registry)
    assert {(one.outcome, one.why) for one in sent} == {
        (PublishOutcome.KNOWN, "it is in the journal")
    }
    assert registry.gets == before
    assert len(registry.posts) == 3


def test_asked_again_it_is_not_sent_again(
    tmp_path: Path, registry: StandIn, three: list[Signed]
) -> None:
    put_all(tmp_path, three)
    published(tmp_path, registry)
    sent = published(tmp_path, registry, is_again=True)
    assert {(one.outcome, one.why) for one in sent} == {
        (PublishOutcome.KNOWN, "the registry had it")
    }
    assert len(registry.posts) == 3


def test_a_registry_that_lost_all_gets_it_again_where_somebody_asks(
    tmp_path: Path, registry: StandIn, three: list[Signed]
) -> None:
    put_all(tmp_path, three)
    published(tmp_path, registry)
    registry.reset()
    assert outcomes(published(tmp_path, registry)) == ["known"] * 3
    assert registry.kept == []
    assert outcomes(published(tmp_path, registry, is_again=True)) == ["published"] * 3
    assert len(registry.kept) == 3
    assert journal_of([tmp_path]).read_bytes().count(b"\n") == 3


def test_what_others_published_is_known(
    tmp_path: Path, registry: StandIn, three: list[Signed]
) -> None:
    put_all(tmp_path / "a", three[:1])
    put_all(tmp_path / "b", three)
    published(tmp_path / "a", registry)
    assert outcomes(published(tmp_path / "b", registry)) == ["known", "published", "published"]
    assert len(registry.posts) == 3
    assert len(journal(tmp_path / "b", registry)) == 3


def test_registries_are_told_apart(tmp_path: Path, registry: StandIn, three: list[Signed]) -> None:
    put_all(tmp_path, three)
    published(tmp_path, registry)
    with running_registry() as other:
        assert outcomes(published(tmp_path, other)) == ["published"] * 3
        assert len(other.kept) == 3


def test_every_form_is_sent_as_what_registries_read(
    put: Put, registry: StandIn, three: list[Signed]
) -> None:
    run, about, index = three
    put("np/run.nq.gz", as_nquads(run.nanopub.statements))
    put("np/about.trig.xz", about.text)
    folder = put("np/index.trig", b"\xef\xbb\xbf" + index.text.encode()).parent
    assert is_good(published(folder, registry))
    assert len(registry.kept) == 3


def test_many_at_once(tmp_path: Path, registry: StandIn, signer: Signer) -> None:
    many = [signed(f"m{number}", signer) for number in range(40)]
    top = signed_index("all", signer, [one.nanopub.uri for one in many])
    put_all(tmp_path, [top, *many])
    seen: list[tuple[int, int]] = []
    sent = published(tmp_path, registry, progress=lambda *counts: seen.append(counts))
    assert is_good(sent)
    assert sorted(registry.posts) == sorted(map(code_of, [top, *many]))
    assert registry.posts[-1] == code_of(top)
    assert seen == [(number, 41) for number in range(1, 42)]
    # Whoever was faster, the result has the same order.
    found, _ = survey([tmp_path])
    assert [one.item for one in sent] == [item for step in in_steps(found) for item in step]


# What registries say ----------------------------------------------------------------------------


def _posted(registry: StandIn, body: str) -> tuple[int, str]:
    from primad_ld.nanopub.registries.registry_client import Client

    client = Client(registry=parse_registry(registry.url))
    reply = client.post(body.encode())
    client.close()
    return reply.status, reply.words


def test_the_stand_in_keeps_the_contract(registry: StandIn, signer: Signer) -> None:
    """It judges by itself, and as registries do: what it cannot read gets the same 201."""
    one, other = signed("one", signer), signed("two", signer)
    draft = Draft(
        kind="method",
        about="https://example.org/method/draft",
        label="A draft",
        types=(),
        triples="<https://a.org/> <https://b.org/> <https://c.org/> .\n",
    )
    theirs, ours = (
        next(
            row.value.value
            for row in each.nanopub.statements
            if "hasSignature" in row.predicate and row.value.datatype
        )
        for each in (other, one)
    )
    protected = signed(
        "secret",
        signer,
        pubinfo=[
            (
                "this:",
                "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
                Object("http://purl.org/nanopub/x/ProtectedNanopub"),
            )
        ],
    )
    many = one.text.replace(
        "sub:assertion {",
        "sub:assertion {" + "".join(f"<a:{n}> <a:b> <a:c> ." for n in range(1201)),
    )
    cases = [
        (one.text, 201, "Created"),
        (one.text, 201, "Created"),  # known
        ("@prefix this: <", 201, "Created"),
        ("", 201, "Created"),
        ("<a:b> <a:c> <a:d> .", 201, "Created"),
        (as_trig(nanopub_of_draft(draft)), 400, "Nanopub is not trusty"),
        (one.text.replace("BM25", "BM26"), 400, "Nanopub is not a valid trusty nanopub"),
        (one.text.replace(ours, theirs), 400, "Nanopub is not a valid trusty nanopub"),
        (many, 400, f"Nanopub has too many triples: {len(one.nanopub.statements) + 1201} (limit: 1200)"),
        (one.text + "#" * 1_000_000, 400, f"Nanopub has too many characters: {len(one.text) + 1_000_000} (limit: 1000000)"),
        (ahead_of_time("late", signer).text, 400, "Nanopub has a creation date in the future"),
        (protected.text, 400, "Nanopub is protected and cannot be published here"),
    ]  # fmt: skip
    for body, status, words in cases:
        assert _posted(registry, body) == (status, words)
    assert registry.kept == [code_of(one)]
    registry.set(types=["https://example.org/Other"])
    assert _posted(registry, other.text) == (400, "Nanopub has no type that this registry covers")


def test_reasons_are_shown_and_what_relies_on_it_stays_here(
    tmp_path: Path, registry: StandIn, three: list[Signed]
) -> None:
    put_all(tmp_path, three)
    registry.set(types=["https://example.org/Other"])
    run, about, index = published(tmp_path, registry)
    assert (run.outcome, run.why) == (
        PublishOutcome.REFUSED,
        "Nanopub has no type that this registry covers",
    )
    assert (about.outcome, index.outcome) == (PublishOutcome.UNSENT, PublishOutcome.UNSENT)
    assert about.why == f"it relies on {run.item.path}, which is not published"
    assert registry.posts == [code_of(three[0])]
    assert journal(tmp_path, registry) == set()


def test_some_are_refused_and_the_rest_goes_on(
    tmp_path: Path, registry: StandIn, signer: Signer
) -> None:
    wanted = "https://example.org/Wanted"
    found = [signed(f"m{n}", signer, types=[wanted] * (n % 2)) for n in range(20)]
    put_all(tmp_path, found)
    registry.set(types=[wanted])
    counts = Counter(outcomes(published(tmp_path, registry)))
    assert counts == {"refused": 10, "published": 10}
    assert len(journal(tmp_path, registry)) == 10


def test_what_no_registry_takes_is_not_sent(
    tmp_path: Path, registry: StandIn, signer: Signer
) -> None:
    put_all(tmp_path, [ahead_of_time("late", signer)])
    (one,) = published(tmp_path, registry)
    assert one.outcome is PublishOutcome.REFUSED
    assert "yet to come" in one.why
    assert registry.gets == []


def test_a_yes_without_the_thing_is_no_yes(
    tmp_path: Path, registry: StandIn, three: list[Signed]
) -> None:
    put_all(tmp_path, three)
    registry.set(sink=True, elsewhere="https://another.example.org/np/")
    run, about, _ = published(tmp_path, registry)
    assert (run.outcome, about.outcome) == (PublishOutcome.UNCONFIRMED, PublishOutcome.UNSENT)
    assert run.why.startswith(
        "the registry said that it took it; the registry does not have it and points to https://an"
    )
    # Before it was sent, at once behind it, and twice more.
    assert registry.gets == [code_of(three[0])] * 5  # the first is the one that knocks
    assert journal(tmp_path, registry) == set()


@pytest.mark.parametrize(
    ("faults", "why"),
    [
        ({"lie": "half"}, "no valid nanopublication"),
        ({"lie": "byte"}, "no valid nanopublication: it was changed"),
        ({"media_type": "text/html"}, "answers with text/html"),
    ],
)
def test_what_comes_back_changed_is_not_confirmed(
    tmp_path: Path, registry: StandIn, three: list[Signed], faults: dict[str, str], why: str
) -> None:
    put_all(tmp_path, three[:1])
    registry.set(**faults)
    (one,) = published(tmp_path, registry)
    assert one.outcome is PublishOutcome.UNCONFIRMED
    assert why in one.why


def test_a_registry_may_need_a_moment(
    tmp_path: Path, registry: StandIn, three: list[Signed]
) -> None:
    put_all(tmp_path, three)
    registry.set(late=2)
    assert outcomes(published(tmp_path, registry)) == ["published"] * 3
    assert registry.kept == list(map(code_of, three))
    assert len(registry.posts) == 3


# What goes wrong on the way ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "faults",
    [
        {"drop_before": 2},
        {"drop_after": 2},
        {"drop_get": 2},
        {"failing": 2, "status": 503},
        {"failing": 2, "status": 429, "retry_after": "0"},
        {"failing": 2, "status": 500, "failing_method": "POST"},
    ],
    ids=lambda faults: next(iter(faults)),
)
def test_what_passes_harms_nothing(
    tmp_path: Path, registry: StandIn, three: list[Signed], faults: dict[str, Any]
) -> None:
    put_all(tmp_path, three)
    registry.set(**faults)
    assert is_good(published(tmp_path, registry))
    assert registry.kept == list(map(code_of, three))


def test_time_outs_harm_nothing(tmp_path: Path, registry: StandIn, three: list[Signed]) -> None:
    put_all(tmp_path, three)
    registry.set(silent=2)
    settings = Settings(timeout=0.5, patience=QUICK.patience, confirming=QUICK.confirming)
    assert is_good(published(tmp_path, registry, settings=settings))


def test_one_that_a_registry_fails_at_is_told(
    tmp_path: Path, registry: StandIn, signer: Signer
) -> None:
    put_all(tmp_path, [signed(word, signer) for word in "ab"])
    registry.set(failing=3, status=500, failing_method="POST")
    settings = Settings(jobs=1, patience=QUICK.patience, confirming=QUICK.confirming)
    first, second = published(tmp_path, registry, settings=settings)
    assert (first.outcome, second.outcome) == (PublishOutcome.FAILED, PublishOutcome.PUBLISHED)
    assert first.why == "it answers 500 Internal Server Error, also at try 3"
    assert not is_good([first, second])


@pytest.mark.parametrize(
    ("requests", "tenth", "failed"),
    [
        (1 + 3 * 10, PublishOutcome.PUBLISHED, 5),  # one that knocks, and three for each
        (1 + 3 * 9 + 2, PublishOutcome.UNCONFIRMED, 5),
        (1 + 3 * 9 + 1, PublishOutcome.FAILED, 5),
    ],
)
def test_a_registry_that_goes_away_is_left_alone(
    tmp_path: Path,
    registry: StandIn,
    signer: Signer,
    requests: int,
    tenth: PublishOutcome,
    failed: int,
) -> None:
    many = [signed(f"m{number}", signer) for number in range(30)]
    index = signed_index("all", signer, [one.nanopub.uri for one in many])
    put_all(tmp_path, [*many, index])
    registry.set(dies_after=requests)
    settings = Settings(jobs=1, patience=QUICK.patience, confirming=QUICK.confirming)
    sent = published(tmp_path, registry, settings=settings)
    assert [one.outcome for one in sent[:10]] == [PublishOutcome.PUBLISHED] * 9 + [tenth]
    counts = Counter(one.outcome for one in sent)
    assert counts[PublishOutcome.FAILED] == failed  # in a row
    unsent = [one for one in sent if one.outcome is PublishOutcome.UNSENT]
    assert {one.why for one in unsent[:-1]} == {"the registry failed before"}
    assert sent[-1] == unsent[-1]  # the index, which would list what is missing
    assert "it relies on" in sent[-1].why
    assert len(journal(tmp_path, registry)) == counts[PublishOutcome.PUBLISHED]
    registry.set(dies_after=0)
    assert is_good(published(tmp_path, registry))
    assert len(registry.kept) == 31


@pytest.mark.parametrize(
    ("faults", "why"),
    [
        ({"raw": "SSH-2.0-OpenSSH_9.2\r\n"}, "does not speak HTTP as it should"),
        ({"raw": "HTTP/1.1 403 Go away\r\nContent-Length: 0\r\n\r\n"}, "it answers 403 Go away"),
        (
            {"prefix": "/elsewhere"},
            "answers 405 Method Not Allowed to a nanopublication; is it a r",
        ),
        ({"failing": 100, "status": 502}, "it answers 502 Bad Gateway, also at try 3"),
    ],
)
def test_a_wrong_address_is_one_error(
    tmp_path: Path, registry: StandIn, signer: Signer, faults: dict[str, Any], why: str
) -> None:
    put_all(tmp_path, [signed(f"m{number}", signer) for number in range(12)])
    registry.set(**faults)
    with pytest.raises(PrimadError, match=f"^{registry.url}: .*{why}"):
        published(tmp_path, registry)
    assert journal(tmp_path, registry) == set()


def test_nobody_is_there(tmp_path: Path, three: list[Signed]) -> None:
    put_all(tmp_path, three)
    with pytest.raises(PrimadError, match=r"^http://127\.0\.0\.1:1/: nothing answers there$"):
        published(tmp_path, StandIn("http://127.0.0.1:1/"))


def test_files_that_change_meanwhile_are_not_sent(
    tmp_path: Path, registry: StandIn, signer: Signer
) -> None:
    paths = put_all(tmp_path, [signed(word, signer) for word in "abc"])
    found, _ = survey([tmp_path])
    paths[0].write_text(paths[1].read_text())
    paths[2].unlink()
    sent = publish(found, parse_registry(registry.url), tmp_path / "journal", settings=QUICK).sent
    assert [(one.outcome, one.why) for one in sent] == [
        (PublishOutcome.UNSENT, "its file has changed since it was checked"),
        (PublishOutcome.PUBLISHED, ""),
        (PublishOutcome.UNSENT, "no such file or directory"),
    ]


def test_an_interrupted_run_is_taken_up_again(
    tmp_path: Path, registry: StandIn, signer: Signer
) -> None:
    many = [signed(f"m{number}", signer) for number in range(30)]
    put_all(tmp_path, many)

    def interrupt(done: int, total: int) -> None:
        if done == 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        published(tmp_path, registry, progress=interrupt)
    confirmed = journal(tmp_path, registry)
    assert len(confirmed) >= 10
    asked = Counter(registry.gets)
    assert is_good(published(tmp_path, registry))
    assert len(registry.kept) == 30
    # Nothing is sent twice, and what was confirmed is not even asked for.
    assert max(Counter(registry.posts).values()) <= 2
    for one in many:
        if one.nanopub.uri in confirmed:
            assert registry.posts.count(code_of(one)) == 1
            assert registry.gets.count(code_of(one)) == asked[code_of(one)]


# Without sending, and what is said ----------------------------------------------------------------


def test_a_plan_needs_no_registry_and_leaves_no_journal(
    tmp_path: Path, three: list[Signed], signer: Signer
) -> None:
    late = ahead_of_time("late", signer)
    leaning = signed("leaning", signer, sources=[late.nanopub.uri])
    put_all(tmp_path, [*three, late, leaning])
    files = sorted(path.name for path in tmp_path.iterdir())
    found, _ = survey([tmp_path])
    nowhere = parse_registry("http://127.0.0.1:1/")
    report = plan(found, nowhere, journal_of([tmp_path]))
    assert sorted(path.name for path in tmp_path.iterdir()) == files
    by_code = {one.item.code: (one.step, one.why.partition(",")[0]) for one in report.planned}
    late_file = f"{tmp_path / code_of(late)[2:]}.trig"
    assert by_code == {
        code_of(three[0]): (1, ""),
        code_of(three[1]): (2, ""),
        code_of(three[2]): (3, ""),
        code_of(late): (1, "its time of creation"),
        code_of(leaning): (2, f"it relies on {late_file}"),
    }
    assert report.verdict() == "3 of 5 nanopublications would be sent to http://127.0.0.1:1/"
    assert [row["is_sent"] for row in report.to_dicts()].count(True) == 3
    assert report.exit_code == 1
    assert plan(found, None, journal_of([tmp_path])).planned == report.planned


def test_a_plan_knows_the_journal(tmp_path: Path, registry: StandIn, three: list[Signed]) -> None:
    put_all(tmp_path, three[:2])
    published(tmp_path, registry)
    put_all(tmp_path, three)
    found, _ = survey([tmp_path])
    here, book = parse_registry(registry.url), journal_of([tmp_path])
    assert [one.why for one in plan(found, here, book).planned] == ["it is in the journal"] * 2 + [
        ""
    ]
    again = plan(found, here, book, is_again=True)
    assert [one.why for one in again.planned] == [""] * 3


def test_the_counts_are_of_all_outcomes() -> None:
    item = Outgoing(path=Path("a.trig"), uri="u")
    sent = tuple([Sent(item=item, outcome=PublishOutcome.UNSENT, why="so")] * 150)
    report = PublishReport(registry="https://r.org/", sent=sent)
    assert report.verdict() == "0 of 150 nanopublications published in https://r.org/"
    assert report.record()["counts"] == {
        one.value: 150 * (one is PublishOutcome.UNSENT) for one in PublishOutcome
    }
    assert report.to_dicts()[0] == {
        "file": "a.trig",
        "uri": "u",
        "outcome": "not sent",
        "why": "so",
    }


def test_where_the_journal_is(tmp_path: Path) -> None:
    assert journal_of([tmp_path, Path("b.trig")]) == tmp_path / ".published.jsonl"
    assert journal_of([tmp_path / "a.trig"]) == tmp_path / ".published.jsonl"
    assert journal_of([Path("a.trig")]) == Path(".published.jsonl")
