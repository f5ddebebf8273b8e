"""Work on many items in several processes, its results in the order of the items.

Workers end when there is nobody left to work for: their parent died, however that happened, or
it wants no more results. They never outlive it, so that whoever reads its output sees the end.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from primad_ld.core.errors import PrimadError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Item = TypeVar("Item")
Made = TypeVar("Made")

#: Makes the function that works on a batch; called once in each process.
Maker = Callable[..., Callable[[Iterable[Any]], Iterable[Any]]]

_BATCH: Final = 50
# So many batches a process may be ahead of whoever takes the results.
_AHEAD: Final = 4
# So many bytes a process that is being started takes at once.
_IN_PIPE: Final = 1 << 14
# How a worker ends that found the call that started it while it imported the main script.
_UNGUARDED: Final = 86
#: Signals that ask a process to stop.
STOPPING: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


def cores() -> int:
    """How many processes make sense."""
    return os.cpu_count() or 1


def in_processes(
    items: Sequence[Item], make: Maker, arguments: tuple[object, ...], processes: int
) -> Iterator[Any]:
    """The results of the function that ``make(*arguments)`` makes for all items, in their order."""
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
    from multiprocessing import current_process, get_context

    if getattr(current_process(), "_inheriting", False):
        # A worker that imports a script without `if __name__ == "__main__":` gets here.
        os._exit(_UNGUARDED)
    context = get_context("spawn")
    _start_tracker()
    until, stop = context.Pipe(duplex=False)
    sent = _sent(arguments)
    pool = ProcessPoolExecutor(
        processes, mp_context=context, initializer=_start, initargs=(make, sent, until)
    )
    waiting: deque[Future[list[Any]]] = deque()
    try:
        for batch in batches:
            with _starting():
                waiting.append(pool.submit(_work, batch))
            if len(waiting) > processes * _AHEAD:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BrokenProcessPool as error:
        workers = list(pool._processes.values())
        pool.shutdown()  # their exit codes are known then
        raise PrimadError(_why(one.exitcode for one in workers)) from error
    finally:
        # Stopping twice must not leave processes that wait for each other.
        with _undisturbed():
            stop.close()
            pool.shutdown(cancel_futures=True)
            until.close()
            if isinstance(sent, _Shared):
                sent.file.close()


def _sent(arguments: tuple[object, ...]) -> Any:
    """Arguments as a process gets them: many of them in memory that it shares with us.

    A pipe holds few bytes: we would wait until the process is up, and whoever killed us
    meanwhile would see it complain about the rest.
    """
    data = pickle.dumps(arguments)
    if len(data) <= _IN_PIPE or not hasattr(os, "memfd_create"):
        return arguments
    return _Shared(data)


class _Shared:
    """Pickled arguments that are sent as the number of an open file."""

    def __init__(self, data: bytes) -> None:
        self.file = os.fdopen(os.memfd_create("primad-ld"), "wb")
        self.file.write(data)
        self.file.flush()

    def __reduce__(self) -> tuple[object, ...]:
        from multiprocessing.reduction import DupFd

        return _received, (DupFd(self.file.fileno()),)


def _received(sent: Any) -> object:
    with os.fdopen(sent.detach(), "rb") as file:
        # Others read the same file, from the place where one of them is.
        return pickle.loads(os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0))  # noqa: S301


def _why(codes: Iterable[int | None]) -> str:
    """Why workers ended before their work was done, by their exit codes."""
    ended = [code for code in codes if code and code > 0]
    if _UNGUARDED in ended:
        return (
            "each worker process imports the main script, which asks for processes again; put the "
            'call under `if __name__ == "__main__":`, or use jobs=1'
        )
    if ended:
        return (
            f"a worker process ended with exit code {ended[0]} before its work was done; see its "
            "message above, or use jobs=1. Workers import the main script, which must be a file"
        )
    return "a worker process was killed; is there enough memory?"


def _start_tracker() -> None:
    """Start what takes away the locks that processes share, so that no signal ends it before us.

    Python protects it from Ctrl-C and SIGTERM. A closed terminal ended it, another one took its
    place, knew of no lock, and said so with a traceback for each.
    """
    if hasattr(signal, "pthread_sigmask"):
        from multiprocessing import resource_tracker

        before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)  # children inherit it
        try:
            resource_tracker.ensure_running()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _starting() -> Iterator[None]:
    """Start processes without an interruption, neither here nor while they import modules."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    with _undisturbed():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))  # children inherit it
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Handle a signal that asks us to stop only after this."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    handlers = {one: signal.getsignal(one) for one in STOPPING}
    handled = {one: handler for one, handler in handlers.items() if callable(handler)}
    for one in handled:
        signal.signal(one, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for one, handler in handled.items():
            signal.signal(one, handler)
        if came:
            signal.raise_signal(came[0])


# In a worker ------------------------------------------------------------------------------

_worker: Callable[[Iterable[Any]], Iterable[Any]] | None = None
# Held where `_state` changes: a worker must not end while it hands over its results.
_gate: Final = threading.Lock()
_state: Final = {"works": True, "is over": False}


def _start(make: Maker, arguments: tuple[object, ...], until: Connection) -> None:
    global _worker  # one worker in each process, made once
    threading.Thread(target=_watch, args=(until,), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))
    # What is remembered from item to item is no garbage, and looking for some there takes long.
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)
    _worker = make(*arguments)
    with _gate:
        _state["works"] = False


def _watch(until: Connection) -> None:
    """End this process with its parent, and in the middle of its work where that is over."""
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    assert parent is not None
    if parent.sentinel not in wait([parent.sentinel, until]):
        with _gate:
            _state["is over"] = True
            if _state["works"]:
                os._exit(0)
        wait([parent.sentinel])
    os._exit(0)


def _work(batch: Sequence[Any]) -> list[Any]:
    assert _worker is not None
    with _gate:
        if _state["is over"]:
            return []
        _state["works"] = True
    try:
        return list(_worker(batch))
    finally:
        with _gate:
            _state["works"] = False
