"""Notes about files: the same about many is one line."""

from __future__ import annotations

import pickle

from primad_ld.tables.file_notes import FileNote, told_together


def notes(count: int) -> list[str]:
    return [FileNote(f"runs/{n}.txt: is like a", f"runs/{n}.txt", "like a") for n in range(count)]


def test_of_few_files_each_has_its_line() -> None:
    assert list(told_together(["one", *notes(3), "one"])) == ["one", *notes(3)]


def test_many_files_are_one_line_unless_each_is_asked_for() -> None:
    assert list(told_together([*notes(7), "two"])) == [
        "like a: 7 files (0.txt, 1.txt, 2.txt, 3.txt, 4.txt and 2 more)",
        "two",
    ]
    assert list(told_together(notes(7), each=True)) == notes(7)


def test_notes_go_from_process_to_process() -> None:
    (note,) = notes(1)
    again = pickle.loads(pickle.dumps(note))
    assert (again, again.file, again.together) == (note, note.file, note.together)
