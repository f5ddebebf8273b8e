"""Requests over several connections: a result for each, and what ends them all."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from support.registries import StandIn

from primad_ld.core.connections import Patience
from primad_ld.core.errors import PrimadError
from primad_ld.nanopub.registries.registry_client import (
    Client,
    RegistryError,
    parse_registry,
)
from primad_ld.nanopub.registries.senders import Senders, Settings

CODE = "RA" + "A" * 43


QUICK = Patience(tries=3, first=0.01, longest=0.02)


def _senders(registry: StandIn, **settings: Any) -> Senders:
    given = {"patience": QUICK, "timeout": 20.0} | settings
    return Senders(parse_registry(registry.url), Settings(**given))


def test_each_item_gets_a_result(registry: StandIn) -> None:
    got: dict[int, object] = {}
    with _senders(registry, jobs=4) as senders:
        senders.each(
            range(50), str, lambda client, item: client.get(f"c{item}").status, got.__setitem__
        )
        senders.each(range(50, 53), str, lambda client, item: item, got.__setitem__)
        senders.each([], str, lambda client, item: item, got.__setitem__)
    assert got == {**dict.fromkeys(range(50), 404), 50: 50, 51: 51, 52: 52}
    assert sorted(registry.gets) == sorted(["0", *(f"c{item}" for item in range(50))])


def test_a_registry_that_fails_for_good_is_left_alone(registry: StandIn) -> None:
    got: list[object] = []

    def work(client: Client, item: int) -> int:
        if item > 10:
            raise RegistryError("it is out of order")
        return item

    with _senders(registry, jobs=1) as senders:
        senders.each(range(30), str, work, lambda item, result: got.append(result))
        assert senders.end == "it is out of order"
        assert got[:11] == list(range(11))
        assert [str(one) for one in got[11:16]] == ["it is out of order"] * 5
        assert got[16:] == [None] * 14
        more: list[object] = []
        senders.each(range(3), str, work, lambda item, result: more.append(result))
        assert more == [None] * 3


def test_what_never_worked_is_one_error(registry: StandIn) -> None:
    def work(client: Client, item: int) -> int:
        raise RegistryError("it is a teapot")

    with (
        _senders(registry) as senders,
        pytest.raises(PrimadError, match=f"{registry.url}: it is a teapot"),
    ):
        senders.each(range(30), str, work, lambda item, result: None)


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError, PrimadError])
def test_whatever_ends_it_no_result_is_lost(registry: StandIn, error: type[BaseException]) -> None:
    done: set[int] = set()
    taken: set[int] = set()
    together = threading.Barrier(4)

    def work(client: Client, item: int) -> int:
        together.wait()
        done.add(item)
        return item

    def take(item: int, result: object) -> None:
        taken.add(item)
        if len(taken) == 1:
            raise error("over")

    with _senders(registry, jobs=4) as senders, pytest.raises(error):
        senders.each(range(4), str, work, take)
    assert taken == done == set(range(4))


def test_an_error_in_a_thread_is_raised_where_results_are_awaited(registry: StandIn) -> None:
    def work(client: Client, item: int) -> int:
        raise ZeroDivisionError

    with _senders(registry) as senders, pytest.raises(ZeroDivisionError):
        senders.each(range(4), str, work, lambda item, result: None)


def test_requests_that_hang_are_broken_off(registry: StandIn, tmp_path: Path) -> None:
    def work(client: Client, item: int) -> int:
        return client.get(CODE).status if item else 0

    def take(item: int, result: object) -> None:
        raise KeyboardInterrupt

    before = threading.active_count()
    with _senders(registry, jobs=2, timeout=3600.0) as senders:
        senders.each([0], str, work, lambda item, result: None)
        registry.set(silent=100)
        with pytest.raises(KeyboardInterrupt):
            senders.each([0, 1], str, work, take)
    assert threading.active_count() == before
