"""The command about this machine: capture."""

from __future__ import annotations

from typing import Annotated

import typer

from primad_ld.cli.common import Force, Output, exit_codes


def capture(
    output: Output = None,
    libraries: Annotated[
        bool,
        typer.Option("--libraries", help="Include all Python packages of this environment."),
    ] = False,
    library: Annotated[
        list[str] | None,
        typer.Option(
            "--library", metavar="NAME", help="Include this Python package. May be repeated."
        ),
    ] = None,
    force: Force = False,
) -> None:
    """Write the platform of this machine as a header: processor, memory, operating system.

    The header contains no name of the user or the machine.
    """
    with exit_codes():
        from primad_ld.capture.machine import capture_header
        from primad_ld.core.files import writing
        from primad_ld.header.model import dump_header

        text = dump_header(capture_header(library or (), all_libraries=libraries))
        with writing(output, force=force) as stream:
            stream.write(text.encode())
