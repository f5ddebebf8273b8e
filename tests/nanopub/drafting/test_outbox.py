"""Drafts in their folder: what is there is left alone unless somebody says so, and parts go together."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support import good
from support.full_disks import files_up_to
from support.made import draft_of, nanopubs_in, read_back, run_of

from primad_ld.core.errors import OutputError, PrimadError
from primad_ld.header.redaction import LeftOut
from primad_ld.nanopub.drafting.outbox import (
    MakeReport,
    put,
)
from primad_ld.nanopub.drafting.run_drafts import Drafted
from primad_ld.nanopub.folder_signing import sign_nanopubs
from primad_ld.nanopub.signing import Signer

RUN = draft_of()
#: The same run with another header under its name, which comes from ranking, tag and actors.
CORRECTED = draft_of(good(platform={"hardware": {"ram": "48 GB"}}))


def fates(report: MakeReport) -> dict[str, int]:
    return Counter(draft.fate.name for draft in report.drafts)


def errors(report: MakeReport) -> list[str]:
    return list(map(str, report.problems))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# One draft -----------------------------------------------------------------------------------------


def test_a_draft_is_written_once(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "np"
    report = put([RUN, RUN], folder)
    assert (fates(report), report.ready, report.problems) == ({"written": 1}, 1, [])
    assert list(contents(folder)) == [RUN.draft.file_name]
    assert read_back(nanopubs_in(folder)).keys() == {graph.iri for graph in run_of().graphs}


def test_writing_it_again_changes_nothing(tmp_path: Path) -> None:
    put([RUN], tmp_path)
    path = next(tmp_path.iterdir())
    before = path.stat()
    report = put([RUN], tmp_path)
    assert (fates(report), report.ready, report.problems) == ({"unchanged": 1}, 1, [])
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_draft_that_is_laid_out_otherwise_is_the_same(tmp_path: Path) -> None:
    put([RUN], tmp_path)
    path = next(tmp_path.iterdir())
    path.write_text(f"# my remark\n{path.read_text()}\n\n", encoding="utf-8")
    assert fates(put([RUN], tmp_path)) == {"unchanged": 1}
    assert path.read_text().startswith("# my remark")


@pytest.mark.parametrize("name", ["edited", "corrected", "garbage", "empty"])
def test_something_else_stays_unless_somebody_says_so(tmp_path: Path, name: str) -> None:
    put([RUN], tmp_path)
    path = next(tmp_path.iterdir())
    text = path.read_text()
    path.write_text(
        {
            "edited": text.replace('"Example GPU"', '"My GPU"'),
            "corrected": text,
            "garbage": "\x00 no TriG",
            "empty": "",
        }[name]
    )
    made = CORRECTED if name == "corrected" else RUN
    before = contents(tmp_path)
    report = put([made], tmp_path)
    assert contents(tmp_path) == before
    assert (fates(report), report.ready) == ({"occupied": 1}, 0)
    assert errors(report) == [
        f"{path}: another draft, or something else, has this name; use --force to replace it, "
        "or name another folder"
    ]
    forced = put([made], tmp_path, force=True)
    assert (fates(forced), forced.problems) == ({"written": 1}, [])
    assert fates(put([made], tmp_path)) == {"unchanged": 1}


def test_what_is_signed_stays_whatever_somebody_says(tmp_path: Path, signer: Signer) -> None:
    put([RUN], tmp_path)
    sign_nanopubs([tmp_path], signer)
    before = contents(tmp_path)
    assert fates(put([RUN], tmp_path)) == {"signed": 1}
    for force in (False, True):
        report = put([CORRECTED], tmp_path, force=force)
        assert (fates(report), report.ready) == ({"outdated": 1}, 0)
        (error,) = errors(report)
        assert "what it was made of has changed" in error
        assert "supersede OLD NEW" in error
    assert contents(tmp_path) == before


def test_errors_of_one_kind_are_one(tmp_path: Path) -> None:
    every = [draft_of(good(tag=tag)) for tag in ("a", "b", "c")]
    put(every, tmp_path)
    for path in tmp_path.iterdir():
        path.write_text("")
    (error,) = errors(put(every, tmp_path))
    assert "has this name (and 2 more); use --force" in error


def test_a_draft_is_found_by_what_it_is_about_and_not_by_its_word(tmp_path: Path) -> None:
    """Without what was left out, a tag may be another word; the draft has one name all the same."""
    fields = good(tag="~/runs/bm25")
    plain = draft_of(fields)
    kept = draft_of(fields, keep=("a local path",))
    assert plain.draft.file_name != kept.draft.file_name
    assert plain.draft.uri == kept.draft.uri
    put([plain], tmp_path)
    assert fates(put([kept], tmp_path)) == {"occupied": 1}
    assert fates(put([kept], tmp_path, force=True)) == {"written": 1}
    assert list(contents(tmp_path)) == [plain.draft.file_name]


def test_two_things_never_share_a_file(tmp_path: Path) -> None:
    """Archives may hold one run under two bases; the digits of their names are the same."""
    here, there = draft_of(), draft_of(base="https://lab.example.org/id/")
    report = put([here, there], tmp_path)
    (error,) = errors(report)
    assert there.about in error
    assert f"would be called as that of {here.about}" in error
    assert fates(report) == {"written": 1}


# Problems ---------------------------------------------------------------------------------------------


def test_problems_and_notes_are_told_and_the_rest_is_written(tmp_path: Path) -> None:
    made = [
        Drafted(about="https://x.org/r", problem="it is too long"),
        Drafted(about="", problem="run.txt:3: no YAML"),
        Drafted(about="", note="two headers disagree"),
        replace(RUN, left_out=(LeftOut(field="actor.mail", what="an email address"),)),
    ]
    report = put(made, tmp_path)
    assert errors(report) == ["https://x.org/r: it is too long", "run.txt:3: no YAML"]
    assert report.notes == ["two headers disagree"]
    record = report.record()
    assert record["drafts"] == [{"kind": "run", "fate": "written", "count": 1}]
    assert record["left_out"] == [
        {"field": "actor.mail", "what": "an email address", "count": 1, "example": "run hedge-bm25"}
    ]
    draft = RUN.draft
    assert record["nanopublications"] == [
        {
            "file": str(tmp_path / draft.file_name),
            "uri": draft.uri,
            "kind": "run",
            "fate": "written",
            "label": draft.label,
            "about": draft.about,
        }
    ]
    assert [line.split() for line in report.text().splitlines()[2:4]] == [
        ["drafts", "of", "count", "status"],
        ["run", "1", "written"],
    ]


def test_what_was_left_out_is_counted_by_things(tmp_path: Path) -> None:
    mail = LeftOut(field="actor.mail", what="an email address")
    every = [replace(draft_of(good(tag=tag)), left_out=(mail, mail)) for tag in ("a", "b")]
    report = put(every, tmp_path)
    assert (report.left_out, report.examples) == ({mail: 2}, {mail: "run a"})


def test_where_there_is_nothing_nothing_is_made(tmp_path: Path) -> None:
    report = put([Drafted(about="", problem="no")], tmp_path / "np")
    assert not (tmp_path / "np").exists()
    assert (report.shown(), report.ready, report.exit_code) == ([], 0, 2)


@pytest.mark.parametrize("name", ["file", "file/np", "link"])
def test_a_folder_that_is_none(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "file")

    def never() -> Iterator[Drafted]:
        raise AssertionError("work was done before anybody looked")
        yield

    with pytest.raises(OutputError, match="is no folder; name one with -o"):
        put(never(), tmp_path / name)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_folder_that_nobody_may_write_into(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(OutputError, match="cannot be written into"):
            put([RUN], tmp_path / "np")
    finally:
        tmp_path.chmod(0o700)


def test_a_folder_where_a_file_belongs(tmp_path: Path) -> None:
    (tmp_path / RUN.draft.file_name).mkdir()
    assert fates(put([RUN], tmp_path)) == {"occupied": 1}
    with pytest.raises(OutputError, match="is a folder"):
        put([RUN], tmp_path, force=True)


def test_a_full_disk_keeps_whole_drafts_and_names_them(tmp_path: Path) -> None:
    things, folder = [RUN, draft_of(good(tag="long", note="x" * 9000))], tmp_path / "np"
    put(things, tmp_path / "all")
    sizes = {path.name: path.stat().st_size for path in (tmp_path / "all").iterdir()}
    limit = max(sizes.values()) - 1
    with files_up_to(limit), pytest.raises(OutputError) as caught:
        put(things, folder)
    name = RUN.draft.file_name
    assert contents(folder).keys() == {name}
    assert caught.value.__notes__ == [
        f"1 file in {folder} was written before that and is complete:",
        f"  {name}",
        "rerun the command to write the rest",
    ]
    with files_up_to(limit), pytest.raises(OutputError) as caught:
        put(things[1:], tmp_path / "none")
    assert contents(tmp_path / "none") == {}
    assert caught.value.__notes__ == [f"nothing was written to {tmp_path / 'none'}"]
    assert fates(put(things, folder)) == {"unchanged": 1, "written": 1}
    assert contents(folder) == contents(tmp_path / "all")


def test_what_ends_work_early_names_what_is_there(tmp_path: Path) -> None:
    """An archive, an endpoint or the disk of temporary files may fail half-way, too."""

    def failing(error: Exception) -> Iterator[Drafted]:
        yield RUN
        raise error

    for error in (PrimadError("the endpoint has gone"), OSError(28, "No space left", "/tmp/x")):
        with pytest.raises(PrimadError, match=r"has gone|/tmp/x: no space left") as caught:
            put(failing(error), tmp_path / type(error).__name__)
        assert caught.value.__notes__[1] == f"  {RUN.draft.file_name}"
