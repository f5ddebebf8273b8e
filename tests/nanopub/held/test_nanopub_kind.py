"""Archives find nanopublications as a kind of files, and ask about them what they ask of any kind."""

from __future__ import annotations

from pathlib import Path

from support.claimed import Shelved, claim, publish, put, run_draft

from primad_ld.archive.file_kinds import file_kinds
from primad_ld.archive.runs import all_runs
from primad_ld.nanopub.held.nanopub_kind import KIND


def test_archives_find_it() -> None:
    assert file_kinds() == [KIND]
    assert KIND.name == "nanopublication"


def test_files_are_split_by_their_names(np: Path) -> None:
    (path,) = put(np, publish(claim("one")))
    (np / "run.txt").write_text("")
    others, found = KIND.split([path, np / "run.txt", np])
    assert others == [np / "run.txt", np]
    # Named, and not found in the folder as another one.
    assert [one.path for one in found] == [str(path)]


def test_what_is_loaded_is_counted_named_and_removed(archive: Shelved, np: Path) -> None:
    one, two = publish(run_draft()), publish(claim("two"))
    archive.load(*put(np, one, two))
    engine = archive.engine
    (run,) = all_runs(engine)
    assert KIND.counts(engine) == {"signed": 2}
    assert KIND.held_graphs(engine) == {run}
    assert KIND.holders(engine, [run]) == {run: {one.nanopub.uri}}
    held = KIND.named(engine, [one.nanopub.uri, "hedge-bm25", run])
    assert set(held) == {one.nanopub.uri}
    KIND.remove(archive.opened, list(held.values()))
    assert KIND.counts(engine) == {"signed": 1}
    assert (all_runs(engine), KIND.held_graphs(engine)) == ([], set())


def test_what_is_whole_is_not_removed_as_unfinished(archive: Shelved, np: Path) -> None:
    archive.load(*put(np, publish(claim("one"))))
    before = archive.quads()
    KIND.remove_unfinished(archive.opened)
    assert archive.quads() == before
    assert KIND.counts(archive.engine) == {"signed": 1}
