"""Requests to one registry over a few connections, which end where it fails for good."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Final, TypeVar

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
        if not items:
            return
        if not self._clients:
            self._knock(code(items[0]))
        idle: SimpleQueue[Client] = SimpleQueue()
        for client in self._clients[: len(items)]:
            idle.put(client)
        futures: dict[Future[_Result | RegistryError | None], _Item] = {}
        with ThreadPoolExecutor(idle.qsize()) as pool:
            try:
                for item in items:
                    futures[pool.submit(self._result, idle, work, item)] = item
                for future in as_completed(list(futures)):
                    take(futures.pop(future), future.result())
            except BaseException:
                self._stop.set()
                for client in self._clients:
                    client.abort()
                pool.shutdown(cancel_futures=True)
                # What was done by now shall not be lost.
                with contextlib.suppress(PrimadError):
                    for future, item in futures.items():
                        if future.cancelled() or future.exception() is not None:
                            continue
                        result = future.result()
                        if result is not None and not isinstance(result, RegistryError):
                            take(item, result)
                raise
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

    def _result(
        self,
        idle: SimpleQueue[Client],
        work: Callable[[Client, _Item], _Result],
        item: _Item,
    ) -> _Result | RegistryError | None:
        """What comes of one item; no more requests are made after several failures in a row."""
        client = idle.get()
        try:
            if self._stop.is_set():
                return None
            result = work(client, item)
        except StoppedError:
            return None
        except RegistryError as error:
            with self._judging:
                self._failures += 1
                if self._failures >= _MOST_FAILURES and not self.end:
                    self.end = str(error)
                    self._stop.set()
            return error
        finally:
            idle.put(client)
        with self._judging:
            self._failures, self._has_worked = 0, True
        return result
