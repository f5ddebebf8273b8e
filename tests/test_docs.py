"""The documentation tells the truth: its commands run, and say what it says they say."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from support.compared import compare_headers

import primad_ld
from primad_ld.cli import app
from primad_ld.core.files import resource
from primad_ld.schema.fields import default_schema

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
COMMANDS = [command.name or command.callback.__name__ for command in app.registered_commands]

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    return [text for kind, text in _BLOCK.findall(page.read_text()) if kind == language]


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    shutil.copytree(resource("examples/garden/runs"), tmp_path / "runs")
    return tmp_path


def with_examples(page: Path, folder: Path) -> None:
    """The judgements of the example runs, for pages that evaluate them; other files that it names."""
    text = page.read_text()
    if "--qrels qrels.txt" in text:
        shutil.copy(resource("examples/garden/qrels.txt"), folder)
    for file in (ROOT / "examples").glob("*/*"):
        if file.parent.name in ("qra", "replication") and file.name in text:
            shutil.copy(file, folder)


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    # The commands of this environment come first, wherever the tests are started from.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", command],
        cwd=folder,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def sessions(block: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with what it should print."""
    found: list[tuple[list[str], list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append(([line[2:]], []))
        elif line.startswith("> ") and not found[-1][1]:
            found[-1][0].append(line[2:])
        else:
            found[-1][1].append(line)
    return [("\n".join(command), "\n".join(said)) for command, said in found]


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "console")], ids=lambda p: p.name)
def test_console_blocks_print_what_they_show(page: Path, workplace: Path) -> None:
    with_examples(page, workplace)
    for block in blocks(page, "console"):
        for command, expected in sessions(block):
            done = run(command, workplace)
            assert done.returncode == 0, f"{command}\n{done.stderr}"
            if expected != "…":
                assert (done.stdout + done.stderr).strip() == expected.strip(), command


def _steps() -> list[str]:
    """What the snippets for continuous integration run, once primad-ld is installed."""
    jobs = [
        job
        for page in PAGES
        for block in blocks(page, "yaml")
        for job in (yaml.safe_load(block).get("jobs") or {}).values()
    ]
    steps = [step["run"] for job in jobs for step in job["steps"] if "run" in step]
    assert "pip install primad-ld" in steps
    return [step for step in steps if step != "pip install primad-ld"]


@pytest.mark.parametrize("step", _steps())
def test_steps_of_continuous_integration(step: str, workplace: Path) -> None:
    done = run(step, workplace)
    assert (done.returncode, done.stdout[:9]) == (0, "::warning"), done.stderr
    (workplace / "runs" / "bad.txt").write_text(
        "# ir_metadata.start\n# tag: [\n# ir_metadata.end\n"
    )
    assert run(step, workplace).returncode != 0


def test_the_hook_for_pre_commit(workplace: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    (workplace / "runs" / "README.md").write_text("words\n")
    files = [str(path.relative_to(workplace)) for path in workplace.rglob("*") if path.is_file()]
    chosen = [
        name
        for name in sorted(files)
        if re.search(hook["files"], name) and not re.search(hook["exclude"], name)
    ]
    assert len(chosen) == len(files) - 1
    good = run(f"{hook['entry']} {' '.join(chosen)}", workplace)
    assert good.returncode == 0, good.stdout
    (workplace / "runs" / "bad.txt").write_text(
        "# ir_metadata.start\n# tag: [\n# ir_metadata.end\n"
    )
    assert run(f"{hook['entry']} runs/bad.txt", workplace).returncode == 2


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "python")], ids=lambda p: p.name)
def test_python_blocks_run(page: Path, workplace: Path) -> None:
    with_examples(page, workplace)
    assert run(_HEADER_FOR_PYTHON, workplace).returncode == 0
    for block in blocks(page, "python"):
        # `expression  # 'value'` is a claim; it is checked like a doctest.
        checks = re.sub(
            r"^(?!import|assert|\w+ = )(.+?) {2,}# ('.*?'|\[\]|\d+)(, .*)?$",
            r"assert (\1) == (\2), (\1)",
            block,
            flags=re.MULTILINE,
        )
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", checks],
            cwd=workplace,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr


_HEADER_FOR_PYTHON = """
primad-ld strip runs/greenhouse-bm25.txt -o run.txt
cat > mine.yaml <<'YAML'
tag: my-bm25
actor:
  team: my-lab
method:
  retrieval:
  - name: bm25
    k1: 0.90
YAML
primad-ld annotate run.txt --header mine.yaml -o annotated.txt
"""


def test_everyday_use_of_the_readme_runs(workplace: Path) -> None:
    with_examples(ROOT / "README.md", workplace)
    prepared = run("primad-ld strip runs/greenhouse-bm25.txt -o run.txt", workplace)
    assert prepared.returncode == 0, prepared.stderr
    everyday = next(text for text in blocks(ROOT / "README.md", "sh") if "primad-ld init" in text)
    for line in everyday.splitlines():
        done = run(line, workplace)
        assert done.returncode == 0, f"{line}\n{done.stderr}"
    assert (workplace / "stripped.txt").read_bytes() == (workplace / "run.txt").read_bytes()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented(command: str) -> None:
    guide = (ROOT / "docs" / "guide.md").read_text()
    assert f"primad-ld {command}" in guide


# What each letter of a PRIMAD type means -------------------------------------------------------


def tables(component: str) -> tuple[list[list[str]], list[list[str]]]:
    """The fields of a component and the examples, as the rows that docs/primad.md has for them."""
    page = (ROOT / "docs" / "primad.md").read_text()
    section = page.partition(f"\n## {component}\n")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line[:1] == "|"]
    starts = [number for number, row in enumerate(rows) if row[0] in ("field", "one header")]
    fields, examples = rows[: starts[1]], rows[starts[1] :]
    return fields[2:], examples[2:]


COMPONENTS = [entry.key for entry in default_schema().components]


@pytest.mark.parametrize("component", COMPONENTS)
def test_fields_that_decide_a_letter_are_those_of_the_shapes(component: str) -> None:
    shown = [
        (name, role, section)
        for names, role, _, section in tables(component.capitalize())[0]
        for name in re.findall(r"`([^`]+)`", names)
    ]
    declared = [
        (
            " / ".join(entry.path[1:] if entry.path[0] == component else entry.path),
            entry.role,
            entry.section,
        )
        for entry in default_schema().walk()
        if entry.role and entry.compared_in == component
    ]
    assert sorted(shown) == sorted(declared)


EXAMPLES = [
    pytest.param(component, *(cell.strip("`") for cell in row[:3]), id=f"{component}: {row[3]}")
    for component in COMPONENTS
    for row in tables(component.capitalize())[1]
]


@pytest.mark.parametrize(("component", "one", "other", "letter"), EXAMPLES)
def test_pairs_have_the_letter_that_the_page_shows(
    component: str, one: str, other: str, letter: str
) -> None:
    headers = [
        primad_ld.parse_header(yaml.safe_dump({component: yaml.load(text, yaml.BaseLoader)}))
        for text in (one, other)
    ]
    for first, second in (headers, headers[::-1]):
        found = compare_headers(first, second).by_key.letters
        assert found[COMPONENTS.index(component)] == letter


def test_every_letter_is_shown_as_same_different_and_unknown() -> None:
    found = {(component, letter) for component, _, _, letter in (one.values for one in EXAMPLES)}
    letters = {component: component[0] for component in COMPONENTS}
    assert found == {
        (component, sign)
        for component, letter in letters.items()
        for sign in (letter, letter.upper(), "?")
    }


def test_links_between_pages_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "examples" / "README.md"]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_changelog_and_citation_name_the_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text()
    assert re.findall(r"^## (\S+)", changelog, flags=re.MULTILINE)[0] == primad_ld.__version__
    assert f"version: {primad_ld.__version__}\n" in (ROOT / "CITATION.cff").read_text()
