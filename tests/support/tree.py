"""The rooms of docs/design.md, compiled from what rooms and modules say of themselves.

``python tests/support/tree.py`` writes them into the page.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "primad_ld"
PAGE = ROOT / "docs" / "design.md"
BEGIN, END = "<!-- compiled by tests/support/tree.py -->\n", "<!-- end of what is compiled -->\n"


def rooms() -> list[str]:
    """The rooms from the ground up, as the contract of imports has them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = settings["tool"]["importlinter"]["contracts"]
    return list(reversed(contract["layers"]))


def compiled() -> str:
    """A heading for each room, what it says of itself, and a line for each module."""
    return "\n".join(line for room in rooms() for line in _room(PACKAGE / room))


def _room(room: Path) -> Iterator[str]:
    if not room.is_dir():
        yield f"\n### `{room.name}.py`\n"
        yield _as_markdown(_said(room.with_suffix(".py")))
        return
    yield f"\n### `{room.name}/`\n"
    yield _as_markdown(_said(room / "__init__.py"))
    yield ""
    for path in sorted(room.rglob("*.py")):
        if path != room / "__init__.py":
            place = path.relative_to(room).with_suffix("").as_posix()
            name = place.removesuffix("__init__")
            yield f"- `{name}`: {_as_markdown(_said(path).partition(chr(10))[0])}"


def _said(path: Path) -> str:
    return ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""


def _as_markdown(text: str) -> str:
    return re.sub(r"\*(?=[ ,.:;)]|$)", r"\\*", text.replace("``", "`"))


def with_rooms(page: str) -> str:
    """The page with its rooms as they are now."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{compiled()}\n\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(with_rooms(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
