"""Requests to one registry over a few connections, which end where it fails for good."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Final, Generic, TypeVar

from primad_ld.core.connections import Patience
from primad_ld.core.errors import PrimadError
from primad_ld.core.library_arguments import to_seconds, to_whole
from primad_ld.nanopub.registries.registry_client import (
    TIMEOUT,
    Client,
    Registry,
    RegistryError,
    StoppedError,
    look_up,
)

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

# So many failures in a row are no accident; each of them has been tried several times.
_MOST_FAILURES: Final = 5
# Seconds for requests that are broken off to end; a thread that looks up a name cannot be stopped.
_LAST: Final = 2.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """How patiently a registry is talked to, and over how many connections."""

    jobs: int = 4
    timeout: float = TIMEOUT
    patience: Patience = field(default_factory=Patience)
    #: For what a registry took, until it answers with it.
    confirming: Patience = field(default_factory=lambda: Patience(tries=4, first=0.25))

    def __post_init__(self) -> None:
        to_whole(1)(self.jobs, "jobs")
        to_seconds(self.timeout, "timeout")


class Senders:
    """A few connections to one registry. Their threads do the work; results come to the caller's."""

    def __init__(self, registry: Registry, settings: Settings) -> None:
        self._registry, self._settings = registry, settings
        self._stop, self._judging = threading.Event(), threading.Lock()
        self._clients: list[Client] = []
        self._failures = 0
        self._has_worked = False
        #: Why no more requests are made; empty as long as they are.
        self.end = ""

    def __enter__(self) -> Senders:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for client in self._clients:
            client.close()

    def each(
        self,
        items: Sequence[_Item],
        code: Callable[[_Item], str],
        work: Callable[[Client, _Item], _Result],
        take: Callable[[_Item, _Result | RegistryError | None], None],
    ) -> None:
        """Hand each item over with its result, its error, or None where no request was made.

        Raises:
            PrimadError: The registry has not answered anything as a registry does.
        """
        if items and not self._clients:
            self._knock(code(items[0]))
        round_ = _Round(items, self._judged(work), self._stop)
        clients = self._clients[: len(items)]
        threads = [
            threading.Thread(target=round_.work_off, args=(client,), daemon=True)
            for client in clients
        ]
        try:
            for thread in threads:
                thread.start()
            for _ in items:
                take(*round_.next_result())
        except BaseException:
            self._break_off(threads)
            # What was done by now shall not be lost.
            with contextlib.suppress(PrimadError):
                round_.hand_over(take)
            raise
        for thread in threads:
            thread.join()
        if self.end and not self._has_worked:
            raise PrimadError(f"{self._registry.url}: {self.end}")

    def _knock(self, code: str) -> None:
        """Ask one thing alone: a wrong address is one error, and not one for each item."""
        first = self._client()
        self._clients.append(first)
        try:
            look_up(first, code)
        except RegistryError as error:
            raise PrimadError(f"{self._registry.url}: {error}") from error
        for _ in range(self._settings.jobs - 1):
            self._clients.append(self._client(is_there=True))

    def _client(self, *, is_there: bool = False) -> Client:
        return Client(
            registry=self._registry,
            timeout=self._settings.timeout,
            patience=self._settings.patience,
            stop=self._stop,
            is_there=is_there,
        )

    def _judged(
        self, work: Callable[[Client, _Item], _Result]
    ) -> Callable[[Client, _Item], _Result]:
        """The same work, which ends after several failures in a row."""

        def judged(client: Client, item: _Item) -> _Result:
            try:
                result = work(client, item)
            except RegistryError as error:
                with self._judging:
                    self._failures += 1
                    if self._failures >= _MOST_FAILURES and not self.end:
                        self.end = str(error)
                        self._stop.set()
                raise
            with self._judging:
                self._failures, self._has_worked = 0, True
            return result

        return judged

    def _break_off(self, threads: Sequence[threading.Thread]) -> None:
        self._stop.set()
        for client in self._clients:
            client.abort()
        until = time.monotonic() + _LAST
        for thread in threads:
            if thread.ident is not None:
                thread.join(max(0.0, until - time.monotonic()))


class _Round(Generic[_Item, _Result]):
    """Items that threads take, and what became of them."""

    def __init__(
        self,
        items: Sequence[_Item],
        work: Callable[[Client, _Item], _Result],
        stop: threading.Event,
    ) -> None:
        self._todo = deque(items)
        self._done: SimpleQueue[tuple[_Item, _Result | BaseException | None]] = SimpleQueue()
        self._work, self._stop = work, stop

    def work_off(self, client: Client) -> None:
        """Take items until there are none. Whoever waits gets a result for each, whatever happens."""
        with contextlib.suppress(IndexError):
            while True:
                item = self._todo.popleft()
                self._done.put((item, self._result(client, item)))

    def _result(self, client: Client, item: _Item) -> _Result | BaseException | None:
        if self._stop.is_set():
            return None
        try:
            return self._work(client, item)
        except StoppedError:
            return None
        except BaseException as error:  # noqa: BLE001  it is raised where results are waited for
            return error

    def next_result(self) -> tuple[_Item, _Result | RegistryError | None]:
        """The next result, as soon as there is one."""
        item, result = self._done.get()
        if isinstance(result, BaseException) and not isinstance(result, RegistryError):
            raise result
        return item, result

    def hand_over(self, take: Callable[[_Item, _Result | RegistryError | None], None]) -> None:
        """What is done and nobody has waited for."""
        while not self._done.empty():
            item, result = self._done.get()
            if result is not None and not isinstance(result, BaseException):
                take(item, result)
