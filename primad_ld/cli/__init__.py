"""The command line: parse options, call one function, print.

In come arguments, files and standard input; out go results on standard output or in files, remarks
on standard error, and an exit code. Modules of commands are imported for ``--help``; what computes
or prints is in modules of its own, which commands import when they run.
"""

from __future__ import annotations

from primad_ld.cli.main import app

__all__ = ["app"]
