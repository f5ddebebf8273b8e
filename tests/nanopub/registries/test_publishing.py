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
from primad_ld.nanopub.registries.publish_checks import in_steps, survey
from primad_ld.nanopub.registries.publishing import (
    PublishOutcome,
    PublishReport,
    Sent,
    publish,
)
from primad_ld.nanopub.registries.registry_client import Settings, parse_registry
from primad_ld.nanopub.signing import Signed, Signer
from primad_ld.rdf.nanopub_statements import as_nquads

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
    return publish(found, parse_registry(registry.url), **given).sent


def is_good(sent: Sequence[Sent]) -> bool:
    return PublishReport(registry="", sent=tuple(sent)).exit_code == 0


def outcomes(sent: Sequence[Sent]) -> list[str]:
    return [one.outcome.value for one in sent]


# As it should be ------------------------------------------------------------------------------


def test_everything_is_there(tmp_path: Path, registry: StandIn, three: list[Signed]) -> None:
    put_all(tmp_path, three)
    sent = published(tmp_path, registry)
    assert is_good(sent)
    assert [(one.item.code, one.outcome) for one in sent] == [
        (code_of(one), PublishOutcome.PUBLISHED) for one in three
    ]
    # What others rely on comes first, the index last.
    assert registry.posts == registry.kept == list(map(code_of, three))


def test_nothing_is_sent_twice(tmp_path: Path, registry: StandIn, three: list[Signed]) -> None:
    put_all(tmp_path, three)
    put_all(tmp_path / "others", three[:1])
    assert outcomes(published(tmp_path / "others", registry)) == ["published"]
    assert outcomes(published(tmp_path, registry)) == ["known", "published", "published"]
    sent = published(tmp_path, registry)
    assert {(one.outcome.value, one.why) for one in sent} == {("known", "the registry had it")}
    assert len(registry.posts) == 3
    # A registry that lost all gets it again, and so does another one.
    registry.reset()
    assert outcomes(published(tmp_path, registry)) == ["published"] * 3
    with running_registry() as other:
        assert outcomes(published(tmp_path, other)) == ["published"] * 3
    files = [path for path in tmp_path.iterdir() if path.name != "others"]
    assert [path.suffix for path in files] == [".trig"] * 3


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


def test_reasons_are_shown_and_what_relies_on_it_stays_here(
    tmp_path: Path, registry: StandIn, three: list[Signed], signer: Signer
) -> None:
    wanted = signed("wanted", signer, types=["https://example.org/Wanted"])
    put_all(tmp_path, [*three, wanted])
    registry.set(types=["https://example.org/Wanted"])
    sent = {one.item.code: one for one in published(tmp_path, registry)}
    run, about, index = (sent[code_of(one)] for one in three)
    assert (run.outcome, run.why) == (
        PublishOutcome.REFUSED,
        "Nanopub has no type that this registry covers",
    )
    assert (about.outcome, index.outcome) == (PublishOutcome.UNSENT, PublishOutcome.UNSENT)
    assert about.why == f"it relies on {run.item.path}, which is not published"
    assert set(registry.posts) == {code_of(three[0]), code_of(wanted)}


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
    assert registry.gets == [code_of(three[0])] * 4


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


@pytest.mark.parametrize(
    ("requests", "tenth", "failed"),
    [
        (3 * 10, PublishOutcome.PUBLISHED, 5),  # three for each
        (3 * 9 + 2, PublishOutcome.UNCONFIRMED, 5),
        (3 * 9 + 1, PublishOutcome.FAILED, 5),
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
    registry.set(dies_after=0)
    assert is_good(published(tmp_path, registry))
    assert len(registry.kept) == 31


@pytest.mark.parametrize(
    ("faults", "why"),
    [
        ({"raw": "HTTP/1.1 403 Go away\r\nContent-Length: 0\r\n\r\n"}, "answers 403 Go away"),
        (
            {"prefix": "/elsewhere"},
            "answers 405 Method Not Allowed to a nanopublication; is it a r",
        ),
        ({"failing": 100, "status": 502}, "answers 502 Bad Gateway, after 3 attempts"),
    ],
)
def test_a_wrong_address_is_one_error(
    tmp_path: Path, registry: StandIn, signer: Signer, faults: dict[str, Any], why: str
) -> None:
    put_all(tmp_path, [signed(f"m{number}", signer) for number in range(12)])
    registry.set(**faults)
    with pytest.raises(PrimadError, match=f"^{registry.url} .*{why}"):
        published(tmp_path, registry)


def test_files_that_change_meanwhile_are_not_sent(
    tmp_path: Path, registry: StandIn, signer: Signer
) -> None:
    paths = put_all(tmp_path, [signed(word, signer) for word in "abc"])
    found, _ = survey([tmp_path])
    paths[0].write_text(paths[1].read_text())
    paths[2].unlink()
    sent = publish(found, parse_registry(registry.url), settings=QUICK).sent
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
    before = set(registry.kept)
    assert len(before) >= 10
    sent = {one.item.code: one for one in published(tmp_path, registry)}
    assert set(registry.kept) == set(sent) == set(map(code_of, many))
    # What the registry has is not sent again, and named as such.
    for code in before:
        assert registry.posts.count(code) == 1
        assert sent[code].outcome is PublishOutcome.KNOWN


# Without sending, and what is said ----------------------------------------------------------------


def test_a_dry_run_needs_no_registry_and_leaves_nothing(
    tmp_path: Path, three: list[Signed], signer: Signer
) -> None:
    late = ahead_of_time("late", signer)
    leaning = signed("leaning", signer, sources=[late.nanopub.uri])
    put_all(tmp_path, [*three, late, leaning])
    files = sorted(path.name for path in tmp_path.iterdir())
    found, _ = survey([tmp_path])
    nowhere = parse_registry("http://127.0.0.1:1/")
    report = publish(found, nowhere, is_dry_run=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == files
    late_file = f"{tmp_path / code_of(late)[2:]}.trig"
    assert {one.item.code: (one.outcome, one.why.partition(",")[0]) for one in report.sent} == {
        **{code_of(one): (PublishOutcome.PLANNED, "") for one in three},
        code_of(late): (PublishOutcome.REFUSED, "its time of creation"),
        code_of(leaning): (PublishOutcome.UNSENT, f"it relies on {late_file}"),
    }
    # In the order of sending.
    codes = [one.item.code for one in report.sent]
    assert [code for code in codes if code in map(code_of, three)] == list(map(code_of, three))
    assert report.verdict() == "3 of 5 nanopublications would be sent to http://127.0.0.1:1/"
    assert report.exit_code == 1
    assert publish(found, None).sent == report.sent
