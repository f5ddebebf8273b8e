"""Runs of an archive are judged as their files were, but for lines."""

from __future__ import annotations

import json

import pytest
from support import Cli, Put
from support.judged import GOOD, RANKING, as_run, changed
from support.servers import Seen, Server, answer, forwarded, odd

BAD = changed(("number of cores: 32", "number of cores: many"))


def test_an_archive_says_what_its_files_said(put: Put, cli: Cli) -> None:
    other = changed(("team: frogs", "team: TODO"), ("- ndcg", "- ndgc"), ("reranks: bm25", "reranks: bm52"),
                    ("tag: pond-mix\nplatform", "tag: pond-two\nplatform"))  # fmt: skip
    put("runs/a.txt", as_run(BAD))
    put("runs/b.txt", as_run(other, RANKING.replace("pond-mix", "pond-two")))
    put("runs/c.txt", as_run(changed(("tag: pond-mix\nplatform", "tag: pond-three\nplatform"))))
    assert cli("load", "runs", "--archive", "garden").exit_code == 0
    files = cli("validate", "runs", "-f", "json")
    archive = cli("validate", "--archive", "garden", "-f", "json")
    assert files.exit_code == archive.exit_code == 1
    assert _told(archive.stdout) == _told(files.stdout)
    assert len(_told(files.stdout)) == 5
    assert all(one["line"] is None for one in json.loads(archive.stdout)["findings"])
    checked = cli("validate", "--archive", "garden", "--check", "files")
    assert "--check was not used: an archive has no files to check" in checked.stderr
    assert checked.stdout == cli("validate", "--archive", "garden").stdout
    assert cli("validate", "--archive", "nowhere").exit_code == 2


def _told(text: str) -> list[tuple[str, ...]]:
    names = ("severity", "field", "code", "message")
    return sorted(tuple(one[name] for name in names) for one in json.loads(text)["findings"])


@pytest.mark.parametrize("format", ["json", "sarif", "github"])
def test_an_endpoint_that_gives_up_leaves_a_whole_report(
    empty_oxigraph: Server, cli: Cli, put: Put, format: str
) -> None:
    put("run.txt", as_run(GOOD))
    assert cli("load", "run.txt", "--archive", empty_oxigraph.address).exit_code == 0

    def behave(seen: Seen) -> bytes:
        return forwarded(seen, empty_oxigraph) if seen.number < 4 else answer(400, b"no more")

    with odd(behave) as server:
        result = cli("validate", "--archive", server.address, "-f", format)
    assert result.exit_code == 2
    assert f"{server.address} rejected this query: no more" in result.stderr
    assert "no more" in result.stdout
    if format == "github":
        assert result.stdout.startswith("::error title=unreadable::")
    else:
        json.loads(result.stdout)
