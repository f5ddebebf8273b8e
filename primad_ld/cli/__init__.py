"""The command line: parse options, call one function, print."""

from __future__ import annotations

from primad_ld.cli.main import app

__all__ = ["app"]
