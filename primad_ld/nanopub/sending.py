"""Requests to one registry over a few connections, which end early where it fails for good."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Final, Generic, TypeVar

from primad_ld.archive.transport import Patience
from primad_ld.errors import PrimadError
from primad_ld.nanopub.registry import Client, Registry, RegistryError, StoppedError

Item = TypeVar("Item")
Result = TypeVar("Result")

# So many failures in a row are no accident; each of them has been tried several times.
_MOST_FAILURES: Final = 5


@dataclass(kw_only=True, slots=True)
class Senders(Generic[Item, Result]):
    """Does something about many items, each of which needs a connection."""

    registry: Registry
    timeout: float
    patience: Patience
    jobs: int
    #: Whether the registry has answered before; otherwise the first item is tried alone.
    is_tried: bool = False
    #: Why it ended early; empty if it did not.
    end: str = field(default="", init=False)
    _failures: int = field(default=0, init=False)
    _stop: threading.Event = field(default_factory=threading.Event, init=False)

    def run(
        self, items: Sequence[Item], work: Callable[[Client, Item], Result]
    ) -> Iterator[tuple[Item, Result | RegistryError | None]]:
        """Each item with its result, or its error, or None where it ended before; as they come.

        Raises:
            PrimadError: The first item fails, so the address is wrong or nobody is there.
        """
        waiting = list(items)
        if waiting and not self.is_tried:
            yield waiting[0], self._first(waiting.pop(0), work)
        if waiting:
            yield from self._all(waiting, work)

    def _client(self) -> Client:
        return Client(
            registry=self.registry,
            timeout=self.timeout,
            patience=self.patience,
            stop=self._stop,
        )

    def _first(self, item: Item, work: Callable[[Client, Item], Result]) -> Result:
        client = self._client()
        try:
            return work(client, item)
        except RegistryError as error:
            raise PrimadError(f"{self.registry.url}: {error}") from error
        finally:
            client.close()

    def _all(
        self, items: Sequence[Item], work: Callable[[Client, Item], Result]
    ) -> Iterator[tuple[Item, Result | RegistryError | None]]:
        todo: SimpleQueue[Item] = SimpleQueue()
        done: SimpleQueue[tuple[Item, Result | BaseException | None]] = SimpleQueue()
        for item in items:
            todo.put(item)
        clients = [self._client() for _ in range(min(self.jobs, len(items)))]
        threads = [
            threading.Thread(target=self._work, args=(client, todo, done, work), daemon=True)
            for client in clients
        ]
        for thread in threads:
            thread.start()
        try:
            for _ in items:
                item, result = done.get()
                if isinstance(result, BaseException) and not isinstance(result, RegistryError):
                    raise result
                self._judge(result)
                yield item, result
        finally:
            self._stop.set()
            for client in clients:
                client.abort()
            for thread in threads:
                thread.join(self.timeout)
            self._stop.clear()

    def _work(
        self,
        client: Client,
        todo: SimpleQueue[Item],
        done: SimpleQueue[tuple[Item, Result | BaseException | None]],
        work: Callable[[Client, Item], Result],
    ) -> None:
        from queue import Empty

        while True:
            try:
                item = todo.get_nowait()
            except Empty:
                client.close()
                return
            try:
                # Whoever waits for results gets one for each item, whatever happens.
                done.put((item, None if self._stop.is_set() else work(client, item)))
            except StoppedError:
                done.put((item, None))
            except BaseException as error:  # noqa: BLE001  it is raised where results are waited for
                done.put((item, error))

    def _judge(self, result: Result | BaseException | None) -> None:
        """Note a failure; after several in a row, no more requests are made."""
        if not isinstance(result, RegistryError):
            self._failures = 0 if result is not None else self._failures
            return
        self._failures += 1
        if self._failures >= _MOST_FAILURES and not self.end:
            self.end = str(result)
            self._stop.set()
