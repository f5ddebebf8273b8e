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
from support.plotted import Draw, as_json, cell, effect, measured, swept, texts

from primad_ld.cli import plotting
from primad_ld.core.files import resource
from primad_ld.plot.plotted_results import ComparedRuns

KINDS = ("sweep", "er-dri", "topics", "matrix")


def every_kind(
    names: tuple[str, ...] = ("one", "two", "three"), value: float = 0.3
) -> list[ComparedRuns]:
    """Results of which each kind of figure can be drawn."""
    topics = dict.fromkeys(names, value) | {"none": None}
    found = [
        *(swept(name, value, value) for name in names),
        *(effect(name, value, -value) for name in names),
        *(cell(name, names[0], value if name == names[0] else None) for name in names),
    ]
    rmse = measured("rmse", value, by_topic=topics)
    return [*found, ComparedRuns(reference=names[0], candidate="topics", results=(rmse,))]


OPTIONS = {
    "sweep": ["--against", "ref"],
    "er-dri": [],
    "topics": ["--candidate", "topics"],
    "matrix": ["--measure", "rbo"],
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_figure_of_each_kind(draw: Draw, tmp_path: Path, kind: str) -> None:
    (tmp_path / "results.json").write_text(as_json(every_kind()))
    result = draw(kind, "results.json", "-o", "f.svg", "--title", "A & B", *OPTIONS[kind])
    assert result.exit_code == 0, result.stderr
    assert result.stdout == ""
    said = texts((tmp_path / "f.svg").read_bytes())
    assert "A & B" in said
    assert "one" in said
    again = draw(kind, "results.json", "-o", "f.svg", *OPTIONS[kind])
    assert again.exit_code == 2
    assert again.stderr == (
        "error: f.svg already exists; use --force (force=True in Python) to overwrite it\n"
    )


def test_a_matrix_from_csv_on_standard_input(draw: Draw, tmp_path: Path) -> None:
    rows = b"reference,candidate,measure,on,value,reason\na,b,ktu,,0.25,\na,c,ktu,,,no topic\n"
    result = draw("matrix", "-", "-o", "f.svg", "--measure", "KTU", "--order", "given", text=rows)
    assert (result.exit_code, result.stderr) == (0, "note: undefined: a and c: no topic\n")
    said = texts((tmp_path / "f.svg").read_bytes())
    assert "0.25" in said
    assert "hatched, undefined: a and c: no topic" in said


def test_quiet_says_nothing(draw: Draw, tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text(as_json([swept("a", None, 0.1), swept("b", 0.3, 0.1)]))
    assert draw("sweep", "r.json", "-o", "f.svg", "-q").stderr == ""
    assert "a: mean AP: no topic in common" in texts((tmp_path / "f.svg").read_bytes())


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["sweep", "r.json", "-o", "f.gif"], "f.gif: a figure is written as svg, pdf, png"),
        (["sweep", "r.json", "-o", "no/f.svg"], "no/f.svg: there is no folder no"),
        (["sweep", "r.json", "-o", "folder.svg"], "folder.svg is a folder; name a file"),
        (["sweep", "none.json", "-o", "f.svg"], "none.json: no such file or directory"),
        (["sweep", "bad.json", "-o", "f.svg"], "bad.json:2: this is not JSON"),
        (["sweep", "r.json", "-o", "f.svg", "--on", "MAPP"], "unknown measure 'MAPP'"),
        (["sweep", "r.json", "-o", "f.svg", "--on", "P@10"], "no delta_arp on P_10; it was"),
        (["topics", "r.json", "-o", "f.svg"], "and the figure is about one"),
        (["matrix", "r.json", "-o", "f.svg", "--measure", "rbo(p=2)"], "rbo(p) lies between"),
        (["er-dri", "r.json", "-o", "f.svg", "--intervals"], "the results have no intervals"),
        (["er-dri", "r.json", "-o", "f.svg", "--width", "1", "--height", "1"], "too small"),
    ],
)
def test_errors_are_one_line_and_leave_nothing_behind(
    draw: Draw, tmp_path: Path, arguments: list[str], why: str
) -> None:
    (tmp_path / "r.json").write_text(as_json(every_kind()))
    (tmp_path / "bad.json").write_text("[\nNothing]")
    (tmp_path / "folder.svg").mkdir()
    before = sorted(tmp_path.iterdir())
    result = draw(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert why in result.stderr
    assert sorted(tmp_path.iterdir()) == before


HOSTILE = (
    "<script>alert(1)</script>",
    "a]]>&amp;--><!--",
    "$\\frac{1}{0}$",
    "nul\x00esc\x1b[31m",
    "line\nbreak",
    "\u202egnp.exe",
    "{0} %s {{}}",
    "_hidden",  # matplotlib leaves such labels out of legends
    "",
    "x" * 5000,
)


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_names_are_texts(draw: Draw, tmp_path: Path, kind: str) -> None:
    names = tuple(name or "empty" for name in HOSTILE)
    (tmp_path / "r.json").write_text(as_json(every_kind(names)))
    result = draw(kind, "r.json", "-o", "f.svg", *OPTIONS[kind], "--title", "<b>\x1b$x$")
    assert result.exit_code == 0, result.stderr
    assert "\x1b" not in result.stderr
    root = ET.fromstring((tmp_path / "f.svg").read_bytes())
    kinds = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert not kinds & {"script", "b", "a", "foreignObject"}
    said = texts((tmp_path / "f.svg").read_bytes())
    assert "<b>\ufffd$x$" in said
    if kind == "sweep":
        assert "<script>alert(1)</script>" in said
        assert "$\\frac{1}{0}$" in said


@pytest.mark.parametrize(
    ("kind", "value"),
    [*((kind, 1e100) for kind in KINDS), ("matrix", 0.0), ("topics", 0.0)],
)
def test_extreme_values_are_drawn(draw: Draw, tmp_path: Path, kind: str, value: float) -> None:
    (tmp_path / "r.json").write_text(as_json(every_kind(value=value)))
    result = draw(kind, "r.json", "-o", "f.svg", *OPTIONS[kind])
    assert result.exit_code == 0, result.stderr


FIGURES = {"topics": "f.svg", "er-dri": "g.pdf", "sweep": "h.png", "matrix": "i.svg"}
_SCRIPT = """
import json, sys
from primad_ld.cli.plotting import plot
for arguments in json.loads(sys.argv[1]):
    plot(arguments, standalone_mode=False)
"""


def test_the_same_bytes_in_another_process(draw: Draw, tmp_path: Path) -> None:
    """With other hashes, in another time zone, another backend and settings of its own."""
    (tmp_path / "r.json").write_text(as_json(every_kind()))
    (tmp_path / "matplotlibrc").write_text(
        "font.size: 17\nsvg.fonttype: path\nxtick.direction: in\n"
    )
    commands = []
    for kind, figure in FIGURES.items():
        command = [kind, "r.json", *OPTIONS[kind], "-o", figure]
        assert draw(*command).exit_code == 0
        commands.append([*command[:-1], f"there-{figure}"])
    theirs = {"PYTHONHASHSEED": "4711", "MPLBACKEND": "svg", "TZ": "UTC-5"}
    subprocess.run(
        [sys.executable, "-W", "error", "-c", _SCRIPT, json.dumps(commands)],
        env=os.environ | theirs | {"MATPLOTLIBRC": str(tmp_path)},
        cwd=tmp_path,
        check=True,
        timeout=120,
    )
    for figure in FIGURES.values():
        assert (tmp_path / figure).read_bytes() == (tmp_path / f"there-{figure}").read_bytes()


_WITHOUT_MATPLOTLIB = """
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "matplotlib":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Blocker())
from primad_ld.cli.plotting import plot
plot(sys.argv[1:])
"""


def test_without_matplotlib_the_command_to_install_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text(as_json(every_kind()))
    done = subprocess.run(
        [
            sys.executable,
            "-W",
            "error",
            "-c",
            _WITHOUT_MATPLOTLIB,
            "er-dri",
            "r.json",
            "-o",
            "f.svg",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 2
    assert done.stderr == (
        "error: figures need matplotlib, which cannot be imported (No module named "
        "'matplotlib'); install it: pip install 'primad-ld[plot]'\n"
    )
    assert not (tmp_path / "f.svg").exists()


def test_help_imports_no_heavy_libraries() -> None:
    code = (
        "import sys, primad_ld.cli.plotting, primad_ld.plot.result_files, primad_ld.plot.matrix_figure, "
        "primad_ld.plot.sweep_figure, primad_ld.plot.effects_figure, primad_ld.plot.topics_figure\n"
        "print([name for name in ('matplotlib', 'numpy', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.fixture
def evaluated(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Notes what `evaluate` is asked, which finds the same each time."""
    asked: list[object] = []

    def evaluate(
        kind: str, arguments: object, wanted: plotting.Wanted
    ) -> tuple[list[ComparedRuns], bool]:
        asked.extend((kind, arguments, wanted))
        return [swept("a", 0.3, 0.1)], True

    monkeypatch.setattr(plotting, "_evaluate_for_plot", None)
    plotting.evaluate_with(evaluate)
    return asked


def test_without_something_that_evaluates_one_file_is_asked_for(
    draw: Draw, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plotting, "_evaluate_for_plot", None)
    result = draw("er-dri", "r.json", "-o", "f.svg", "--titel", "x")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: --titel x: give one file of results")


def test_runs_are_evaluated_and_drawn(cli: Cli, tmp_path: Path) -> None:
    garden = resource("examples/garden")
    run = garden / "runs" / "greenhouse-feedback-w0{}.txt"
    runs = [str(run).format(weight) for weight in (3, 6)]
    result = cli("plot", "sweep", *runs, "--qrels", garden / "qrels.txt", "-o", "f.svg", "-q")
    assert result.exit_code == 0, result.stderr
    # As examples/README.md has it.
    assert "reference greenhouse-feedback-w03: 0.7180" in texts((tmp_path / "f.svg").read_bytes())


def test_a_run_that_cannot_be_read_reaches_the_exit_code(cli: Cli, put: Put) -> None:
    """As it does where the same runs are evaluated; the figure shows the others."""
    runs = ("a.txt", "b.txt", "bad.txt")
    for name in runs:
        put(name, f"1 Q0 d1 1 2 {name}\n1 Q0 d2 {'2 1' if name != 'bad.txt' else ''} {name}\n")
    put("qrels.txt", "1 0 d1 1\n1 0 d2 0\n")
    for command in (("evaluate", "--measure", "rmse"), ("plot", "sweep", "-o", "f.svg")):
        done = cli(*command, *runs, "--qrels", "qrels.txt", "-q")
        assert done.exit_code == 2
        assert done.stderr.startswith("error: bad.txt:2: ")
    assert Path("f.svg").is_file()


def test_what_is_no_file_of_results_is_evaluated(
    draw: Draw, tmp_path: Path, evaluated: list[object]
) -> None:
    runs = ["ref.txt", "runs", "--qrels", "q.txt", "--rep-qrels=q2.txt", "-j", "2", "--lenient"]
    result = draw("sweep", *runs, "-o", "f.svg", "--on", "AP", "-q")
    assert result.exit_code == 0, result.stderr
    wanted = plotting.Wanted(measures=("delta_arp", "rmse"), on="map", quiet=True)
    assert evaluated == ["sweep", runs, wanted]
    assert "best" not in texts((tmp_path / "f.svg").read_bytes())  # of one candidate


def test_nothing_is_evaluated_for_a_figure_that_cannot_be_written(
    draw: Draw, evaluated: list[object]
) -> None:
    assert draw("sweep", "a", "b", "--qrels", "q", "-o", "f.gif").exit_code == 2
    assert evaluated == []
