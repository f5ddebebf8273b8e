"""What the headers of evaluated runs say: of data, judgements and corrections."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from primad_ld.archive.runs import record_of_lifted
from primad_ld.core.errors import HeaderError
from primad_ld.core.files import shown
from primad_ld.core.yamltext import texts_of
from primad_ld.evaluation.evaluated_runs import Entrant, Entrants
from primad_ld.header.model import Header
from primad_ld.header.skipped_files import NEITHER, NO_RANKING, Skipped, empty_folders
from primad_ld.header.sources import (
    NotARunError,
    Source,
    find_sources,
    meant_to_be_runs,
    open_source,
    parse_source,
)
from primad_ld.rdf.lifting import Lifter


def entrants_with_headers(path: Path) -> Entrants:
    """The runs of a file or a folder, with what is said of them inside, beside and above."""
    found: list[Entrant] = []
    problems: list[HeaderError] = []
    skipped: list[Skipped] = []
    left_alone: list[Source] = []
    sources = find_sources([path], skipped)
    for source in sources:
        if source.is_yaml and not source.is_named:
            skipped.append(Skipped(source.path, NO_RANKING))
            continue
        try:
            found.append(_read_entrant(source))
        except NotARunError:
            left_alone.append(source)
        except HeaderError as error:
            problems.append(error.in_file(Path(source.path)))
    meant = meant_to_be_runs(left_alone, sources)
    problems.extend(meant.values())
    skipped.extend(Skipped(one.path, NEITHER) for one in left_alone if one.path not in meant)
    if not (found or problems):
        problems.extend(empty_folders([path], [], skipped, kinds="runs"))
    return Entrants(runs=tuple(found), problems=tuple(problems), skipped=tuple(skipped))


def _read_entrant(source: Source) -> Entrant:
    """A run by its file, with what its header says."""
    path = Path(source.path)
    opened = open_source(source, with_ranking=False)
    if opened.tag_in_file is None:
        raise HeaderError(
            "there is no ranking in this file",
            file=path,
            hint="use runs, or tables of per-topic scores",
        )
    name = opened.tag_in_file or shown(path.name)
    if opened.block is None and not source.sidecars:
        return Entrant(name=name, path=str(path))
    run = parse_source(source, opened)
    lifted = Lifter().lift(run.header, file_name=run.file_name, tag_in_file=run.tag_in_file)
    record = record_of_lifted(lifted)
    said = run.header.get("data", "test collection", "qrels")
    return Entrant(
        name=record.tag or name,
        path=str(path),
        record=record,
        data=record.at_hand.get("data"),
        qrels=said.strip() if isinstance(said, str) else "",
        correction=declared_corrections(run.header),
    )


def declared_corrections(header: Header) -> str:
    """The corrections of p-values that a header names, with commas between."""
    tests = header.get("research goal", "evaluation", "significance test")
    found = {
        said.strip()
        for one in (tests if isinstance(tests, list) else ())
        if isinstance(one, Mapping)
        for said in texts_of(one.get("correction method"))
    }
    return ", ".join(sorted(filter(None, found)))
