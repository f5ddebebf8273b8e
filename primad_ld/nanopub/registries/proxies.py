"""The proxy of the environment, for those whose machine reaches nobody without one."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote, urlsplit

from primad_ld.core.connections import is_loopback
from primad_ld.core.errors import PrimadError

_PORT: Final = 80


@dataclass(frozen=True, kw_only=True, slots=True)
class Proxy:
    """Whom requests go through."""

    host: str
    port: int
    #: What it wants to know of us; may hold a password.
    headers: dict[str, str] = field(default_factory=dict, repr=False)

    @property
    def shown(self) -> str:
        """Its address without the password."""
        return f"{self.host}:{self.port}"


def proxy_for(scheme: str, host: str) -> Proxy | None:
    """What HTTPS_PROXY, HTTP_PROXY and NO_PROXY say of a host; nobody else reaches this machine.

    Raises:
        PrimadError: The address in there is none of an HTTP proxy.
    """
    from urllib.request import getproxies, proxy_bypass

    text = getproxies().get(scheme, "")
    if not text or is_loopback(host) or proxy_bypass(host):
        return None
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        port = parts.port or _PORT
    except ValueError:
        raise _odd(scheme) from None
    if parts.scheme != "http" or not parts.hostname:
        raise _odd(scheme)
    headers = {}
    if parts.username:
        login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers["Proxy-Authorization"] = f"Basic {b64encode(login.encode()).decode()}"
    return Proxy(host=parts.hostname, port=port, headers=headers)


def _odd(scheme: str) -> PrimadError:
    # It may hold a password, so it is not repeated.
    name = f"{scheme}_proxy"
    return PrimadError(
        f"{name} in the environment is no address of an HTTP proxy; "
        "write one such as http://proxy.example.org:3128"
    )
