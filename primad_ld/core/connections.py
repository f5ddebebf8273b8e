"""Requests to servers: how patiently they are made, and answers that have to come in time."""

from __future__ import annotations

import http.client
import io
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True, slots=True)
class Patience:
    """How often a request is made that fails in passing, and how long is waited in between."""

    tries: int = 4
    first: float = 0.5
    longest: float = 30.0

    def pauses(self) -> Iterator[float]:
        """Seconds to wait after each try but the last."""
        for number in range(self.tries - 1):
            yield min(self.first * 4**number, self.longest)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    import ipaddress

    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


class _Timed(io.RawIOBase):
    """What comes from a socket up to a point in time, however slowly it comes."""

    def __init__(self, connection: socket.socket, until: float) -> None:
        self._connection, self._until = connection, until
        # Opened here, for the connection stays open until its last file is closed.
        self._raw = connection.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._connection.settimeout(left)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class TimedResponse(http.client.HTTPResponse):
    """An answer that must have come by a point in time, whole."""

    def __init__(
        self, connection: socket.socket, *arguments: Any, until: float, **more: Any
    ) -> None:
        super().__init__(connection, *arguments, **more)
        self.fp.close()
        self.fp = io.BufferedReader(_Timed(connection, until))
