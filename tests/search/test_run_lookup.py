"""The run that somebody names, and where others are looked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import Put
from support.loads import run_text

from primad_ld.archive.loading import load_runs
from primad_ld.archive.runs import all_runs
from primad_ld.core.errors import ArchiveError
from primad_ld.search.run_lookup import is_file, look_up, record_of_file


@pytest.fixture
def archive(put: Put, tmp_path: Path) -> Path:
    put("runs/a.txt", run_text("a"))
    put("runs/b.txt", run_text("b", n=2))
    load_runs([tmp_path / "runs"], tmp_path / "archive")
    return tmp_path / "archive"


def test_a_run_of_an_archive(archive: Path) -> None:
    with look_up("a", archive=archive) as found:
        assert found.run is not None
        assert (found.run.tag, found.graphs, found.problems) == ("a", (), ())
        iri = found.run.iri
    with look_up(iri, archive=archive) as found:
        assert found.run is not None
        assert found.run.tag == "a"


def test_a_file_stays_outside_the_archive(archive: Path, put: Put) -> None:
    mine = put("mine.txt", run_text("mine", n=7))
    with look_up(mine, archive=archive) as found:
        assert found.run == record_of_file(mine)
        assert found.run.iri not in all_runs(found.engine)
        # What it says is known all the same.
        assert found.index().about(found.run.iri)


def test_files_stand_in_for_an_archive(put: Put, tmp_path: Path) -> None:
    put("runs/a.txt", run_text("a"))
    put("runs/broken.txt", "# ir_metadata.start\n# tag: [\n# ir_metadata.end\n1 Q0 d 1 1 t\n")
    with look_up("a", [tmp_path / "runs"]) as found:
        assert found.run is not None
        assert found.run.tag == "a"
        assert [problem.file for problem in found.problems] == [tmp_path / "runs" / "broken.txt"]
    with (
        pytest.raises(ArchiveError, match=r"'b' is neither a file nor a run of the files.*broken"),
        look_up("b", [tmp_path / "runs"]),
    ):
        pass


def test_no_run_at_all(archive: Path) -> None:
    with look_up(None, archive=archive) as found:
        assert found.run is None
        assert len(all_runs(found.engine)) == 2


def test_an_unknown_name_is_neither_file_nor_run(archive: Path) -> None:
    error = r"'c' is neither a file nor a run of .*archive; there are 'a', 'b'"
    with pytest.raises(ArchiveError, match=error), look_up("c", archive=archive):
        pass


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b", "nothing here", "."])
def test_a_tag_need_not_be_a_file_name(name: str) -> None:
    assert not is_file(name)
