"""The commands: figures of files of results, the same bytes each time, errors with places."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from support import Cli, Put
from support.plotted import Row, as_json, assessment, cell, effect, row, swept, texts

_OPTIONS = {
    "sweep": ("--against", "ref"),
    "er-dri": (),
    "topics": ("--candidate", "topics"),
    "matrix": ("--measure", "rbo"),
    "qra": (),
}
KINDS = pytest.mark.parametrize("kind", _OPTIONS)


def every_kind(names: tuple[str, ...] = ("one", "two", "three"), value: float | None = 0.3) -> str:
    """Results of which each kind of figure can be drawn."""
    rows: list[Row] = [
        *(swept(name, value, value) for name in names),
        *(one for name in names for one in effect(name, value, value, low=0.1, high=1.0)),
        *(cell(name, names[0], value if name == names[0] else None) for name in names),
        row("rmse", value, candidate="topics", by_topic=dict.fromkeys(names, value)),
    ]
    values = [0.1 if value is None else value] * (1 if value is None else 3)
    assessments = [assessment(name, values) for name in names]
    return json.dumps(json.loads(as_json(rows)) | {"assessments": assessments})


@KINDS
def test_a_figure_of_each_kind(cli: Cli, put: Put, kind: str) -> None:
    put("r.json", every_kind())
    command = ("plot", kind, "r.json", "-o", "f.svg", "--title", "A & B", *_OPTIONS[kind])
    result = cli(*command)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == ""
    image = Path("f.svg").read_bytes()
    assert "A & B" in texts(image)
    assert "one" in texts(image)
    again = cli(*command)
    assert (again.exit_code, again.stderr) == (
        2,
        "error: f.svg already exists; use --force (force=True in Python) to overwrite it\n",
    )
    assert cli(*command, "--force").exit_code == 0
    assert Path("f.svg").read_bytes() == image


def test_notes_are_told_unless_the_command_is_to_be_quiet(cli: Cli, put: Put) -> None:
    put(
        "r.csv", "reference,candidate,measure,on,value,reason\na,b,ktu,,0.25,\na,c,ktu,,,no topic\n"
    )
    command = ("plot", "matrix", "r.csv", "--measure", "KTU", "-o")
    assert cli(*command, "f.svg").stderr == "note: undefined: a and c: no topic\n"
    assert cli(*command, "g.svg", "-q", "--on", "map").stderr == ""
    assert Path("f.svg").read_bytes() == Path("g.svg").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "warning"),
    [
        (("matrix", "--on", "map"), "--on was not used: rbo compares orders"),
        (("matrix", "--on", "P_10"), "--on was not used: rbo compares orders"),
        (("matrix", "--measure", "rmse", "--on", "map"), ""),
        (("er-dri", "--intervals"), ""),
        (("er-dri", "--intervals", "--on", "P_10"), "--intervals was not used: the results have"),
    ],
)
def test_an_option_without_effect_is_a_warning(
    cli: Cli, put: Put, arguments: tuple[str, ...], warning: str
) -> None:
    bare = [one | {"on": "P_10"} for one in effect("bare", 0.5, 0.1)]
    put("r.json", as_json(json.loads(every_kind())["results"], bare))
    kind, *options = arguments
    done = cli("plot", kind, "r.json", *options, "-o", "f.svg")
    assert done.exit_code == 0
    assert ("warning: " in done.stderr) == bool(warning)
    assert f"warning: {warning}" * bool(warning) in done.stderr


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("sweep r.json -o no/f.svg", "no/f.svg: "),
        ("sweep r.json -o folder.svg", "folder.svg is a folder"),
        ("sweep none.json -o f.svg", "none.json: no such file or directory"),
        ("sweep r.json -o f.svg --on MAPP", "unknown measure 'MAPP'"),
        ("er-dri r.json -o f.svg --width 1 --height 1", "too small"),
    ],
)
def test_errors_are_one_line_and_leave_nothing_behind(
    cli: Cli, put: Put, tmp_path: Path, arguments: str, why: str
) -> None:
    put("r.json", every_kind())
    (tmp_path / "folder.svg").mkdir()
    before = sorted(tmp_path.iterdir())
    result = cli("plot", *arguments.split())
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert why in result.stderr
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "pipe"),
    [
        (
            "sweep run.txt runs --qrels q.txt -o f.svg --on AP",
            "evaluate run.txt runs --qrels q.txt --on AP -f json | primad-ld plot sweep - -o f.svg --on AP",
        ),
        (
            "topics run.txt -o f.svg",
            "evaluate run.txt --per-topic --on map -f json | primad-ld plot topics - -o f.svg",
        ),
        (
            "matrix runs -o f.svg --measure ktu",
            "evaluate runs --all-pairs --measure ktu -f json | primad-ld plot matrix - -o f.svg",
        ),
        ("er-dri runs -o f.svg", "evaluate runs --pairs --on map -f json | primad-ld plot er-dri"),
        ("er-dri -a kept -o f.svg", "evaluate -a kept --on map -f json | primad-ld plot er-dri -"),
        ("qra m.csv --study S -o f.svg", "qra m.csv --study S -f json | primad-ld plot qra - -o"),
        ("qra m.csv -o f.svg", "qra m.csv -f json | primad-ld plot qra - -o f.svg"),
    ],
)
def test_runs_are_refused_with_the_pipe_that_works(
    cli: Cli, put: Put, arguments: str, pipe: str
) -> None:
    put("run.txt", "1 Q0 d 1 1 t\n")
    put("runs/one.txt", "1 Q0 d 1 1 t\n")
    put("m.csv", "system,metric,score\na,m,1\n")
    done = cli("plot", *arguments.split())
    assert (done.exit_code, Path("f.svg").exists()) == (2, False)
    assert f"run: primad-ld {pipe}" in done.stderr


def test_a_slip_in_an_option_is_told_as_in_other_commands(cli: Cli, put: Put) -> None:
    put("r.json", every_kind())
    done = cli("plot", "sweep", "r.json", "--titel", "x", "-o", "f.svg")
    assert done.exit_code == 2
    assert "No such option: --titel" in done.stderr
    assert "primad-ld evaluate" not in done.stderr
    assert cli("plot", "matrix", "-h").exit_code == 0


_HOSTILE = (
    *("<script>alert(1)</script>", "a]]>&amp;--><!--", "$\\frac{1}{0}$", "nul\x00esc\x1b[31m"),
    *("line\nbreak", "\u202egnp.exe", "{0} %s {{}}", "x" * 5000),
    "_hidden",  # matplotlib leaves such labels out of legends
)


@KINDS
def test_hostile_names_are_texts(cli: Cli, put: Put, kind: str) -> None:
    put("r.json", every_kind(_HOSTILE))
    done = cli("plot", kind, "r.json", "-o", "f.svg", *_OPTIONS[kind], "--title", "<b>\x1b$x$")
    assert done.exit_code == 0, done.stderr
    assert "\x1b" not in done.stderr
    image = Path("f.svg").read_bytes()
    kinds = {element.tag.rpartition("}")[2] for element in ET.fromstring(image).iter()}
    assert not kinds & {"script", "b", "a", "foreignObject"}
    assert "<b>\ufffd$x$" in texts(image)
    if kind in ("sweep", "qra"):
        assert "<script>alert(1)</script>" in texts(image)
        assert "$\\frac{1}{0}$" in texts(image)


@pytest.mark.parametrize("value", [0.0, 1e99, None])
@KINDS
def test_extreme_values_are_drawn_and_undefined_ones_told(
    cli: Cli, put: Put, kind: str, value: float | None
) -> None:
    put("r.json", every_kind(value=value))
    done = cli("plot", kind, "r.json", "-o", "f.svg", *_OPTIONS[kind])
    assert done.exit_code == 0, done.stderr
    is_undefined = value is None or kind == "matrix"
    assert ("note: undefined" in done.stderr or "note: no CV*" in done.stderr) == is_undefined


_SCRIPT = """
import json, sys
from primad_ld.cli import app
for arguments in json.loads(sys.argv[1]):
    app(arguments, standalone_mode=False)
"""


def test_the_same_bytes_in_another_process(cli: Cli, put: Put, tmp_path: Path) -> None:
    """With other hashes, in another time zone, another backend and settings of its own."""
    put("r.json", every_kind())
    put("matplotlibrc", "font.size: 17\nsvg.fonttype: path\nxtick.direction: in\n")
    suffixes = dict(zip(_OPTIONS, ("svg", "pdf", "png", "svg", "pdf"), strict=True))
    commands = [["plot", kind, "r.json", *_OPTIONS[kind], "-o"] for kind in _OPTIONS]
    for command in commands:
        assert cli(*command, f"{command[1]}.{suffixes[command[1]]}").exit_code == 0
        command.append(f"there-{command[1]}.{suffixes[command[1]]}")
    theirs = {"PYTHONHASHSEED": "4711", "MPLBACKEND": "svg", "TZ": "UTC-5"}
    subprocess.run(
        [sys.executable, "-W", "error", "-c", _SCRIPT, json.dumps(commands)],
        env=os.environ | theirs | {"MATPLOTLIBRC": str(tmp_path)},
        check=True,
        timeout=120,
    )
    for figure in tmp_path.glob("there-*"):
        ours = figure.with_name(figure.name.removeprefix("there-"))
        assert figure.read_bytes() == ours.read_bytes()


_WITHOUT_MATPLOTLIB = """
import sys
sys.modules["matplotlib"] = None
from primad_ld.cli import app
app(sys.argv[1:])
"""


def test_without_matplotlib_the_command_to_install_it_is_told(put: Put, tmp_path: Path) -> None:
    put("r.json", every_kind())
    command = [sys.executable, "-c", _WITHOUT_MATPLOTLIB, *"plot er-dri r.json -o f.svg".split()]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: figures need matplotlib")
    assert done.stderr.endswith("install it: pip install 'primad-ld[plot]'\n")
    assert not (tmp_path / "f.svg").exists()


def test_help_imports_no_heavy_libraries() -> None:
    code = (
        "import sys, primad_ld.cli.plotting, primad_ld.plot\n"
        "print([name for name in ('matplotlib', 'numpy', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
