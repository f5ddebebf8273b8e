"""Options of commands: each has an effect, or a warning says that it had none."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from support import ROOT
from support.option_cases import (
    LAYOUT,
    Case,
    Seen,
    read_cases,
    run_in,
    untested_options,
    what_is_wrong,
    with_option,
)

from primad_ld.cli.answers import FORMS

FILE = Path(__file__).with_name("option_cases.yaml")
CASES = read_cases(FILE)
GARDEN = ROOT / "examples" / "garden"


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the data, in which each command gets a folder of its own."""
    folder = tmp_path_factory.mktemp("options")
    data = folder / "data"
    shutil.copytree(GARDEN / "runs", data / "runs")
    shutil.copy(GARDEN / "qrels.txt", data)
    shutil.copy(ROOT / "examples" / "replication" / "garden.yaml", data / "track.yaml")
    prepared = yaml.safe_load(FILE.read_text())
    for name, text in prepared["files"].items():
        (data / name).parent.mkdir(exist_ok=True)
        (data / name).write_text(text)
    for line in prepared["prepare"]:
        done = run_in(
            folder, [str(data / word[1:]) if word[0] == "@" else word for word in line.split()]
        )
        assert done.exit_code == 0, done.remarks
    return folder


@pytest.fixture(scope="module")
def see(work: Path) -> Callable[[str], Seen]:
    """Runs a command line in a folder of its own; what was seen of the same one before, at once."""
    known: dict[str, Seen] = {}
    start = Path.cwd()

    def run(line: str) -> Seen:
        if line not in known:
            folder = work / "here"
            folder.mkdir()
            os.chdir(folder)
            try:
                if "kept" in line.split():
                    shutil.copytree(work / "data" / "archive", folder / "kept")
                known[line] = run_in(
                    folder, [re.sub("(^|=)@", r"\1../data/", word) for word in shlex.split(line)]
                )
            finally:
                os.chdir(start)
                shutil.rmtree(folder)
        return known[line]

    return run


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case.command} {case.mode} {case.option}"
)
def test_an_option_is_used_or_reported(case: Case, see: Callable[[str], Seen]) -> None:
    assert what_is_wrong(case, see) == ""


def test_every_option_has_cases() -> None:
    assert untested_options(FILE) == {}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("option", LAYOUT)
def test_an_option_about_the_layout_is_used_or_reported(
    form: str, option: str, see: Callable[[str], Seen]
) -> None:
    score = "score @runs --qrels @qrels.txt -m map,P_10"
    base = f"{'compare shed-bm25 -a @archive' if option == '--wide' else score} --format {form}"
    line = with_option(base, option, LAYOUT[option])
    case = Case("", form, option, base, line, fails=False, is_usual=True)
    assert what_is_wrong(case, see) == ""
