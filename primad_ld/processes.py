"""Work on many items in several processes, its results in the order of the items."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar

from primad_ld.errors import PrimadError

Item = TypeVar("Item")
Made = TypeVar("Made")

#: Makes the function that works on a batch; called once in each process.
Maker = Callable[..., Callable[[Iterable[Any]], Iterable[Any]]]

_BATCH: Final = 50
# So many batches a process may be ahead of whoever takes the results.
_AHEAD: Final = 4


def cores() -> int:
    """How many processes make sense."""
    return os.cpu_count() or 1


def in_processes(
    items: Sequence[Item], make: Maker, arguments: tuple[object, ...], processes: int
) -> Iterator[Any]:
    """What the function that ``make(*arguments)`` makes gives for all items, in their order."""
    if not items:
        return
    size = max(1, min(_BATCH, len(items) // (processes * _AHEAD)))
    batches = [items[start : start + size] for start in range(0, len(items), size)]
    processes = min(processes, len(batches))
    if processes <= 1:
        work = make(*arguments)
        for batch in batches:
            yield from work(batch)
        return
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    with ProcessPoolExecutor(
        processes,
        mp_context=get_context("spawn"),
        initializer=_start,
        initargs=(make, arguments),
    ) as pool:
        waiting: deque[Future[list[Any]]] = deque()
        is_done = False
        try:
            for batch in batches:
                waiting.append(pool.submit(_work, batch))
                if len(waiting) > processes * _AHEAD:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
            is_done = True
        except BrokenProcessPool as error:
            raise PrimadError("a worker process was killed; is there enough memory?") from error
        finally:
            with _uninterrupted(not is_done):
                pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def _uninterrupted(is_stopping: bool) -> Iterator[None]:
    """Whoever stops us twice must not leave processes behind that wait for each other."""
    if not is_stopping or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


_worker: Callable[[Iterable[Any]], Iterable[Any]] | None = None


def _start(make: Maker, arguments: tuple[object, ...]) -> None:
    global _worker  # one worker in each process, made once
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent tells when to stop
    # What is remembered from item to item is no garbage, and looking for some there takes long.
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)
    _worker = make(*arguments)


def _work(batch: Sequence[Any]) -> list[Any]:
    assert _worker is not None
    return list(_worker(batch))
