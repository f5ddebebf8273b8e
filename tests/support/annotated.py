"""What the tests of commands share: runs with headers, and a folder of good and bad ones."""

from __future__ import annotations

from support import ROWS, Put

START, END = "# ir_metadata.start\n", "# ir_metadata.end\n"


def header(tag: str, more: str = "") -> str:
    return f"{START}# tag: {tag}\n{more}{END}"


def run(tag: str, number: int = 1) -> str:
    return header(tag) + ROWS.replace("d1", f"d{number + 10}")


def fill(put: Put) -> None:
    """A folder with three runs that can be read, three that cannot, and other things."""
    put("runs/a.txt", run("a", 1))
    put("runs/b.txt.gz", run("b", 2))
    put("runs/c.txt", ROWS)
    put("runs/c.yaml", "tag: c\n")
    put("runs/bad-header.txt", header("x", "# tag: y\n") + ROWS)
    put("runs/bad-ranking.txt", header("x") + ROWS + "word\n")
    put("runs/bad-archive.txt.gz", "x" * 1000)
    path = put("runs/bad-archive.txt.gz", ROWS * 100)
    path.write_bytes(path.read_bytes()[:-20])
    put("runs/qrels.txt", "1 0 d1 1\n")
    put("runs/README.md", "# Runs\n")
