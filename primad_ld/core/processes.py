"""Work on many items in several processes, its results in the order of the items.

Workers end when there is nobody left to work for: their parent died, however that happened, or
it wants no more results. They never outlive it, so that whoever reads its output sees the end.

What strangers wrote may run for ever or fill the memory. Work on that has `Limits`: it is done in
a process of its own, which ends when an item takes longer or more than that.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from primad_ld.core.errors import LimitError, PrimadError

if TYPE_CHECKING:
    from concurrent.futures import Future
    from multiprocessing.connection import Connection

Item = TypeVar("Item")

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


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What a worker process may take before it is ended."""

    #: Of the processor, for each item; of the clock ten times as many, for what only waits.
    seconds: float
    #: Bytes of data that the process holds, where the system can limit that.
    memory: int


def cores() -> int:
    """How many processes make sense."""
    return os.cpu_count() or 1


def in_processes(
    items: Sequence[Item],
    make: Maker,
    arguments: tuple[object, ...],
    processes: int,
    *,
    limits: Limits | None = None,
) -> Iterator[Any]:
    """The results of the function that ``make(*arguments)`` makes for all items, in their order.

    With limits there always is another process; `LimitError` if it had to end.
    """
    if not items:
        return
    size = max(1, min(_BATCH, len(items) // (processes * _AHEAD)))
    batches = [items[start : start + size] for start in range(0, len(items), size)]
    processes = min(processes, len(batches))
    if processes <= 1 and limits is None:
        work = make(*arguments)
        for batch in batches:
            yield from work(batch)
        return
    waiting: deque[Future[list[Any]]] = deque()
    with _workers(make, arguments, processes, limits) as submit:
        for batch in batches:
            waiting.append(submit(batch))
            if len(waiting) > processes * _AHEAD:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


@contextlib.contextmanager
def within(
    limits: Limits | None, make: Maker, arguments: tuple[object, ...]
) -> Iterator[Callable[[Iterable[Any]], Iterable[Any]]]:
    """The function that ``make(*arguments)`` makes, working within limits if there are some."""
    if limits is None:
        yield make(*arguments)
        return
    with _workers(make, arguments, 1, limits) as submit:
        yield lambda items: submit(list(items)).result()


@contextlib.contextmanager
def _workers(
    make: Maker, arguments: tuple[object, ...], processes: int, limits: Limits | None
) -> Iterator[Callable[[Sequence[Any]], Future[list[Any]]]]:
    """What gives a batch to one of several processes, which end with this."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import current_process, get_context

    if getattr(current_process(), "_inheriting", False):
        # A worker that imports a script without `if __name__ == "__main__":` gets here.
        os._exit(_UNGUARDED)
    context = get_context("spawn")
    _start_tracker()
    until, stop = context.Pipe(duplex=False)
    sent = _sent(arguments)
    notes = _Notes(context, processes) if limits is not None else None
    pool = ProcessPoolExecutor(
        processes,
        mp_context=context,
        initializer=_start,
        initargs=(make, sent, until, limits, notes),
    )

    def submit(batch: Sequence[Any]) -> Future[list[Any]]:
        with _starting(), contextlib.nullcontext() if limits is None else _without_script():
            return pool.submit(_work, batch)

    try:
        yield submit
    except BrokenProcessPool as error:
        workers = dict(pool._processes)
        pool.shutdown()  # their exit codes are known then
        if limits is not None and notes is not None:
            for process, worker in workers.items():
                if worker.exitcode in _ENDED_BY_LIMIT:
                    why = _ENDED_BY_LIMIT[worker.exitcode](limits)
                    raise LimitError(why, at=notes.of(process)) from None
        raise PrimadError(_why(worker.exitcode for worker in workers.values())) from error
    finally:
        # Stopping twice must not leave processes that wait for each other.
        with _undisturbed():
            stop.close()
            if limits is not None:
                # A pattern lets no other thread run, nor the one that waits for our end.
                for worker in dict(pool._processes or {}).values():
                    worker.kill()
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
            "each worker process imports the main script, which starts workers again; put the "
            'call under `if __name__ == "__main__":`, or use jobs=1'
        )
    if ended:
        return (
            f"a worker process ended with exit code {ended[0]} before its work was done; see its "
            "message above, or use jobs=1. Workers import the main script, which must be a file"
        )
    return "a worker process was killed, perhaps for lack of memory; use fewer processes (--jobs)"


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
def _without_script() -> Iterator[None]:
    """Start processes that do not import the script that runs: only code of ours works in them."""
    script = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script


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


# Limits -----------------------------------------------------------------------------------

_LONGEST_NOTE: Final = 2000
_WAITING: Final = 10
#: What the system sends when the time of the processor, or of the clock, is over.
_ALARMS: Final = [
    getattr(signal, name) for name in ("SIGPROF", "SIGALRM") if hasattr(signal, "setitimer")
]


def _too_long(limits: Limits) -> str:
    return f"took longer than {limits.seconds:g} seconds"


def _too_much(limits: Limits) -> str:
    return f"needed more than {limits.memory / 2**30:g} GiB of memory"


#: Exit codes of a worker that a limit ended: by an alarm, by `faulthandler` where the system has
#: none, or by a library that ends its process when there is no memory.
_ENDED_BY_LIMIT: Final[dict[int, Callable[[Limits], str]]] = {
    **{-number: _too_long for number in _ALARMS},
    **({} if _ALARMS else {1: _too_long}),
    -signal.SIGABRT: _too_much,
}


class _Notes:
    """What workers are at, in memory that they share with their parent: a place for each."""

    def __init__(self, context: Any, processes: int) -> None:
        self.taken = context.Value("i", 0)
        self.places = [
            (context.Value("i", 0, lock=False), context.RawArray("c", _LONGEST_NOTE + 1))
            for _ in range(processes)
        ]

    def take(self) -> Any:
        """A place for the notes of this process."""
        with self.taken.get_lock():
            process, place = self.places[self.taken.value]
            self.taken.value += 1
        process.value = os.getpid()
        return place

    def of(self, process: int) -> str:
        """What a process was at."""
        found = [place.value for owner, place in self.places if owner.value == process]
        return found[0].decode("utf-8", "replace") if found else ""


def limit_memory(size: int) -> None:
    """Let this process hold so many bytes of data at most, where the system can limit that."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        allowed = size if most == resource.RLIM_INFINITY else min(size, most)
        with contextlib.suppress(OSError, ValueError):  # a system without this limit
            resource.setrlimit(resource.RLIMIT_DATA, (allowed, most))


def _set_alarm(seconds: float) -> None:
    """End this process after so many seconds, whatever it does then; 0 for never."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, seconds * _WAITING)
    elif seconds:
        faulthandler.dump_traceback_later(seconds, exit=True, file=_nowhere())
    else:
        faulthandler.cancel_dump_traceback_later()


@cache
def _nowhere() -> Any:
    return open(os.devnull, "w")


def note(text: str) -> None:
    """Note what this process is at, for the message if a limit ends it."""
    if _place is not None:
        _place.value = text.encode("utf-8", "surrogateescape")[:_LONGEST_NOTE]


def is_limited() -> bool:
    """Whether this process works within limits."""
    return _place is not None


def _limited(
    make: Maker, arguments: tuple[object, ...], limits: Limits
) -> Callable[[Iterable[Any]], Iterable[Any]]:
    """The function that ``make(*arguments)`` makes, within limits, as is making it."""
    made: list[Callable[[Iterable[Any]], Iterable[Any]]] = []

    def timed(batch: Iterable[Any]) -> Iterator[Any]:
        for item in batch:
            _set_alarm(limits.seconds)
            yield item

    def work(batch: Iterable[Any]) -> Iterable[Any]:
        try:
            _set_alarm(limits.seconds)
            if not made:
                made.append(make(*arguments))
            return list(made[0](timed(batch)))
        except MemoryError as error:
            error.__traceback__ = None  # which holds what filled the memory
            at = "" if _place is None else _place.value.decode("utf-8", "replace")
            raise LimitError(_too_much(limits), at=at) from None
        finally:
            _set_alarm(0)

    return work


# In a worker ------------------------------------------------------------------------------

_worker: Callable[[Iterable[Any]], Iterable[Any]] | None = None
#: Where this process notes what it is at.
_place: Any = None
# Held where `_state` changes: a worker must not end while it hands over its results.
_gate: Final = threading.Lock()
_state: Final = {"works": True, "is over": False}


def _start(
    make: Maker,
    arguments: tuple[object, ...],
    until: Connection,
    limits: Limits | None,
    notes: _Notes | None,
) -> None:
    global _worker, _place  # one worker in each process, made once
    threading.Thread(target=_watch, args=(until,), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))
    # What is remembered from item to item is no garbage, and looking for some there takes long.
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)
    if limits is None or notes is None:
        _worker = make(*arguments)
    else:
        for alarm in _ALARMS:
            signal.signal(alarm, signal.SIG_DFL)
        limit_memory(limits.memory)
        _worker, _place = _limited(make, arguments, limits), notes.take()
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
