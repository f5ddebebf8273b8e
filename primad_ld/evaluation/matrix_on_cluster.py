"""Bands of a matrix on the workers of a dask scheduler that runs somewhere.

There is one task for each band, since the scheduler takes longer for a task than a tile takes.
The numbers of the runs are sent to every worker once, so that a worker that ends takes nothing
along; a band that is done is fetched at once and never computed again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from primad_ld.core.errors import MeasureError
from primad_ld.evaluation.matrix_tiles import (
    Band,
    CodedRuns,
    Strip,
    compute_band,
)
from primad_ld.measures.registry import Chosen

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ADDRESS: Final = re.compile(r"[a-z]+://[^\s/]+:\d+")
_INSTALL: Final = "pip install 'primad-ld[cluster]'"

# How long to wait for a scheduler that does not answer, and for its first worker.
_PATIENCE: Final = "30s"
# So often the numbers are sent again after every worker that had them is gone.
_ATTEMPTS: Final = 5


def compute_bands(
    address: str,
    coded: CodedRuns,
    chosen: Sequence[Chosen],
    bands: Sequence[Band],
    *,
    log: Path | None = None,
) -> Iterator[tuple[int, list[Strip]]]:
    """What measures say of bands, as they are done, with their numbers.

    ``log`` is a folder in which workers leave a file for each band that they begin.
    """
    distributed = _import()
    with _connected(distributed, address) as client:
        left = dict(enumerate(bands))
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                for number, strips in _submitted(distributed, client, coded, chosen, left, log):
                    del left[number]
                    yield number, strips
            except _lost(distributed) as error:
                if attempt == _ATTEMPTS:
                    raise MeasureError(
                        f"the workers of {address} failed {attempt} times ({error}); do they "
                        "have enough memory?"
                    ) from None
            except ImportError as error:
                raise MeasureError(
                    f"a worker of {address} cannot import primad-ld: {error}; install the same "
                    "version there"
                ) from None
            except (OSError, TimeoutError) as error:
                raise MeasureError(f"{address} stopped answering: {error}") from None
            if not left:
                return


def _import() -> Any:
    try:
        import distributed
    except ImportError:
        raise MeasureError(f"a cluster needs dask.distributed: {_INSTALL}") from None
    return distributed


def _connected(distributed: Any, address: str) -> Any:
    """A client of the scheduler, which has at least one worker."""
    if not _ADDRESS.fullmatch(address):
        raise MeasureError(
            f"{address!r} is not the address of a dask scheduler; use one such as tcp://host:8786"
        )
    try:
        client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise MeasureError(f"cannot connect to a dask scheduler at {address}: {error}") from None
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
    except TimeoutError:
        client.close()
        raise MeasureError(f"the dask scheduler at {address} has no workers") from None
    return client


def _lost(distributed: Any) -> tuple[type[BaseException], ...]:
    """What says that something was lost with the worker that had it."""
    from concurrent.futures import CancelledError

    return (
        CancelledError,
        distributed.scheduler.KilledWorker,
        distributed.client.FutureCancelledError,
    )


def _submitted(
    distributed: Any,
    client: Any,
    coded: CodedRuns,
    chosen: Sequence[Chosen],
    left: dict[int, Band],
    log: Path | None,
) -> Iterator[tuple[int, list[Strip]]]:
    """Send the numbers, submit what is left, and fetch each band when it is done."""
    import numpy as np

    client.wait_for_workers(1, timeout=_PATIENCE)
    # What is mapped from a file must be in memory to be sent.
    pieces = [coded.sizes, coded.documents, *map(np.array, coded.codes)]
    sent = client.scatter(pieces, broadcast=True, hash=False)
    attempt = uuid4().hex
    futures = {
        client.submit(
            _band,
            sent,
            tuple(chosen),
            band,
            str(log or ""),
            key=f"primad-ld-band-{attempt}-{number}",
            pure=False,
            # The first bands of a symmetric matrix have the most columns.
            priority=-number,
        ): number
        for number, band in left.items()
    }
    for future in distributed.as_completed(list(futures), loop=client.loop):
        strips = future.result()
        number = futures.pop(future)
        future.release()
        yield number, strips


def _band(
    sent: Sequence[NDArray[Any]], chosen: Sequence[Chosen], band: Band, log: str
) -> list[Strip]:
    """A band on a worker."""
    if log:
        Path(log, f"{band.start}-{os.getpid()}-{uuid4().hex}").touch()
    sizes, documents, *codes = sent
    coded = CodedRuns(sizes=sizes, documents=documents, codes=codes)
    return compute_band(coded, chosen, band)
