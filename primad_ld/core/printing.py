"""Text of others in lines of ours: one line stays one line, and is only read by people."""

from __future__ import annotations

import re
from typing import Final

# GitHub Actions takes a line that begins like this for a command, wherever it comes from.
_COMMAND: Final = re.compile(r"^(\s*)(?=::)", re.MULTILINE)


def printable(text: str) -> str:
    """Text as part of a line: without line breaks, and without what could steer a terminal."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else " " if char in "\n\r\t" else "\N{REPLACEMENT CHARACTER}"
        for char in text
    )


def without_commands(text: str) -> str:
    """Printable lines for people, none of which is a command of GitHub Actions."""
    return _COMMAND.sub(r"\1\\", text) if "::" in text else text
