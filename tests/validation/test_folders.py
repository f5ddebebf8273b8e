"""Files and folders together: the same tag twice, and the same findings whatever the processes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support import Cli, Put
from support.judged import GOOD, RANKING, as_run, changed, line_of, reports
from support.mutation_cases import CASES

OTHER = RANKING.replace("2.5", "3.5")
SAME = [("b.txt", "tag-of-other-run")]


def told(*paths: Path) -> list[tuple[str, str]]:
    """Files and codes of what is found."""
    return [
        (Path(one.file).name, two.remark.code) for one in reports(paths) for two in one.findings
    ]


def test_the_later_file_is_told(put: Put) -> None:
    first = put("a.txt", as_run(GOOD))
    second = put("b.txt", as_run(GOOD, OTHER))
    assert told(first, second) == SAME
    assert told(second, first) == [("a.txt", "tag-of-other-run")]
    assert told(first) == told(second) == []
    _, report = reports([first, second])
    (finding,) = report.findings
    assert (finding.line, finding.column) == (line_of(GOOD, "tag: pond-mix") + 1, 3)
    assert (finding.remark.severity, finding.remark.field) == ("warning", "tag")
    # The path may be long; the end of it says which file it is.
    assert f'{first.name}" has the same tag, of the same team' in finding.remark.message


@pytest.mark.parametrize("jobs", [1, 2])
def test_in_a_folder(put: Put, jobs: int) -> None:
    for name in ("a.txt", "b.txt", "c/d.txt"):
        put(f"runs/{name}", as_run(GOOD, RANKING.replace("2.5", f"{len(name)}{ord(name[0])}")))
    found = reports([put("runs/README", "Our runs.\n").parent], jobs=jobs)
    assert [one.count("warning") for one in found] == [0, 1, 1]


@pytest.mark.parametrize(
    "change",
    [
        ("team: frogs", "team: toads"),
        ("  team: newts\n", ""),
        ("ir_datasets: pond/2024", "ir_datasets: pond/2025"),
        ("name: Pond\n", "name: Puddle\n"),
        ("qrels: https://example.org/pond/qrels.txt", "qrels: https://example.org/pond/2.txt"),
        ("tag: pond-mix\nplatform", "tag: pond-max\nplatform"),
        ("tag: pond-mix\nplatform", "tag: TODO\nplatform"),
        ("tag: pond-mix\nplatform", "platform"),
        ("data:\n  test", "old:\n  test"),
    ],
)
def test_other_runs(put: Put, change: tuple[str, str]) -> None:
    first = put("a.txt", as_run(GOOD))
    second = put("b.txt", as_run(changed(change), OTHER))
    assert "tag-of-other-run" not in dict(told(first, second)).values()


def test_placeholders_are_no_tags(put: Put) -> None:
    text = changed(("tag: pond-mix\nplatform", "tag: ENTER_VALUE_HERE\nplatform"))
    paths = [put("a.txt", as_run(text)), put("b.txt", as_run(text, OTHER))]
    assert {code for _, code in told(*paths)} == {"placeholder-value-of-run"}


def test_the_same_run_twice_is_one(put: Put) -> None:
    """A copy of a run has the same ranking, whatever its name is."""
    assert told(put("a.txt", as_run(GOOD)), put("copy/b.txt.gz", as_run(GOOD))) == []


def test_the_order_of_teams_does_not_count(put: Put) -> None:
    actors = re.search(r"(?s)(- name: Ada.*?)(- name: Ben.*?)data:", GOOD)
    assert actors is not None
    swapped = GOOD.replace(actors[1] + actors[2], actors[2] + actors[1])
    assert told(put("a.txt", as_run(GOOD)), put("b.txt", as_run(swapped, OTHER))) == SAME


def test_runs_below_one_header_share_its_tag(put: Put) -> None:
    put("ir-metadata.yml", GOOD)
    assert told(put("t1/run.txt", RANKING), put("t2/run.txt", OTHER)) == []


def test_two_folders_with_the_same_header(put: Put) -> None:
    """Two files say it, so one of the two submissions has the wrong tag."""
    for folder in ("a", "b"):
        put(f"{folder}/ir-metadata.yml", GOOD)
    paths = [put("a/run.txt", RANKING), put("b/run.txt", OTHER)]
    assert told(*paths) == [("run.txt", "tag-of-other-run")]
    _, second = reports(paths)
    assert second.findings[0].file == str(paths[1].parent / "ir-metadata.yml")


def test_several_processes_find_the_same(put: Put, cli: Cli) -> None:
    for number, case in enumerate(list(CASES.values())[::6]):
        put(f"runs/{number:03}.txt", as_run(case.text(), RANKING.replace("2.5", f"{number}.5")))
    folder = put("runs/README", "Runs.\n").parent
    assert reports([folder], jobs=2) == reports([folder], jobs=1)
    for format in ("text", "json", "turtle"):
        one, two = (cli("validate", "runs", "-f", format, "--jobs", jobs) for jobs in (1, 2))
        assert one.stdout == two.stdout
