"""What the tests of commands share: runs with headers, and a folder of good and bad ones."""

from __future__ import annotations

from primad_ld.core.files import BOM
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


# Headers and runs as they are found ---------------------------------------------------------

LINES = ("tag: x", "method:", "  retrieval:", "  - name: bm25", "    k1: 0.9")
_PLAIN = ("ir_metadata.start", *LINES, "ir_metadata.end")


def block(before: str = "# ", after: str = "", newline: str = "\n") -> str:
    return "".join(f"{before}{line}{after}{newline}" for line in _PLAIN)


HEADERS = {
    "as repro_eval and we write it": block(),
    "no blank behind the sign": block("#"),
    "a tab behind the sign": block("#\t"),
    "blanks before the sign": block("  # "),
    "three blanks behind the sign": block("#   "),
    "trailing blanks, as older repro_eval writes them": block(after=" "),
    "without signs": block(""),
    "two signs around": "## ir_metadata.start\n"
    + "".join(f"# {line}\n" for line in LINES)
    + "### ir_metadata.end ###\n".replace(" ###", ""),
    "CRLF": block(newline="\r\n"),
    "CRLF and trailing blanks": block(after=" ", newline="\r\n"),
    "blank comment lines": block().replace("# method", "#\n#  \n# method"),
    "blank lines": block().replace("# method", "\n  \n# method"),
    "blank lines without signs": block("").replace("method", "\n  \nmethod"),
    "remarks inside": block().replace("# method", "# # the method:\n# method"),
    "a remark first": block().replace("# tag", "#      # whose run it is\n# tag"),
    "remarks before it": "# made by hand\n#\n\n" + block(),
    "remarks behind it": block() + "# the ranking:\n\n",
    "no blanks in the marks": block().replace("# ir_", "#ir_"),
    "document start": block().replace("# tag", "# ---\n# tag"),
    "blanks behind the marks": block().replace(".start", ".start  \t").replace(".end", ".end   "),
}

_ROWS = ROWS.encode()
#: Runs as people and programs write them.
RUNS = {
    "LF": _ROWS,
    "CRLF": _ROWS.replace(b"\n", b"\r\n"),
    "BOM": BOM + _ROWS,
    "BOM and CRLF": BOM + _ROWS.replace(b"\n", b"\r\n"),
    "no last newline": _ROWS.removesuffix(b"\n"),
    "one line, no newline": _ROWS.split(b"\n")[0],
    "remarks": b"# remark\n\n  # another\n" + _ROWS + b"# the end\n",
    "CRLF remarks": b"# remark\r\n\r\n" + _ROWS,
    "mixed": _ROWS.replace(b"\n", b"\r\n", 1),
    "tabs": _ROWS.replace(b" ", b"\t"),
    "Latin-1": _ROWS.replace(b"d1", b"d\xe9"),
    "blank lines": b"\n\n" + _ROWS + b"\n\n",
    "oddities": b"#\n#\n" + _ROWS + b"1 Q0 ir_metadata.start 3 1 t\n\x00\x01\xff",
}
