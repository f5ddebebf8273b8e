"""What a shell completes: tags, queries and their parameters, profiles, measures, fields.

Completing must never disturb: what fails offers nothing, nothing is printed, and no archive is
waited for. bash, zsh and fish take what begins with what was typed.
"""

from __future__ import annotations

import contextlib
import functools
import io
import os
import shlex
from collections.abc import Callable, Iterable, Iterator
from typing import Final

#: More tags than this nobody reads.
_MOST_TAGS: Final = 100
_PATIENCE: Final = 1.0
#: As ir_measures writes what most papers report.
_USUAL: Final = ("AP", "nDCG@10", "P@10", "R@1000", "RR", "RR@10")


def choices(names: Iterable[str]) -> Callable[[], list[str]]:
    """A completion of some names."""
    return lambda: [*names]


def _in_silence(complete: Callable[[str], Iterable[str]]) -> Callable[[str], list[str]]:
    """Nothing is offered where anything fails, and nothing is printed."""

    @functools.wraps(complete)
    def run(incomplete: str) -> list[str]:
        with contextlib.redirect_stderr(io.StringIO()), contextlib.suppress(Exception):
            return [text for text in complete(incomplete) if text.startswith(incomplete)]
        return []

    return run


def typed_words() -> list[str]:
    """The words of the line that a shell completes, after the name of the program."""
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    with contextlib.suppress(ValueError):  # a quote that is still open
        return shlex.split(line)[1:]
    return line.split()[1:]


def _archive() -> str | None:
    """The archive that the line names, in whatever place: half a line cannot be parsed."""
    words = typed_words()
    named = (words[at + 1] for at, word in enumerate(words[:-1]) if word in ("--archive", "-a"))
    return next(map(os.path.expanduser, named), None)


@_in_silence
def runs(incomplete: str) -> Iterator[str]:
    """Tags of the archive in use, with the files that begin alike.

    Without a tag, shells complete names of files by themselves.
    """
    from primad_ld.archive.opening import open_engine
    from primad_ld.core.iris import PRIMAD
    from primad_ld.schema.converters import quoted

    query = (
        "SELECT DISTINCT ?tag WHERE { GRAPH ?run { "
        f"?run <{PRIMAD}tag> ?tag FILTER(STRSTARTS(STR(?tag), {quoted(incomplete)})) "
        f"}} }} LIMIT {_MOST_TAGS}"
    )
    with open_engine(_archive(), timeout=_PATIENCE) as engine:
        # A shell would take a tag with a space for two.
        tags = [tag for tag in engine.column(query) if not set(tag) & set(" \t\n'\"\\$`")]
    yield from sorted(tags)
    if tags and "/" not in incomplete:
        yield from sorted(file.name for file in os.scandir() if file.is_file())


@_in_silence
def queries(incomplete: str) -> Iterable[str]:
    """Names of the named queries."""
    from primad_ld.archive.query_catalogue import named_queries

    return named_queries()


@_in_silence
def parameters(incomplete: str) -> Iterator[str]:
    """The parameters of the query that was named, before their values."""
    from primad_ld.archive.query_catalogue import named_queries

    known = named_queries()
    query = next(known[word] for word in typed_words() if word in known)
    return (f"{one.name}=" for one in query.parameters)


@_in_silence
def profiles(incomplete: str) -> Iterable[str]:
    """Names of the profiles."""
    from primad_ld.validation.profiles import profile_names

    return profile_names()


def _effectiveness() -> Iterator[str]:
    from primad_ld.schema.converters import concept_names

    yield from _USUAL
    yield from concept_names("measure")


def _after_comma(incomplete: str, names: Iterable[str]) -> list[str]:
    """The names for the last of several measures, after those that were typed."""
    before = incomplete[: incomplete.rfind(",") + 1]
    return [before + name for name in names]


@_in_silence
def effectiveness(incomplete: str) -> list[str]:
    """Measures of effectiveness, by their names in trec_eval and ir_measures."""
    return _after_comma(incomplete, _effectiveness())


@_in_silence
def reproducibility(incomplete: str) -> list[str]:
    """Measures of reproducibility."""
    from primad_ld.measures.registry import all_measures

    return _after_comma(incomplete, all_measures())


@_in_silence
def measures(incomplete: str) -> list[str]:
    """Measures of both kinds."""
    from primad_ld.measures.registry import all_measures

    return _after_comma(incomplete, [*all_measures(), *_effectiveness()])


@_in_silence
def fields(incomplete: str) -> Iterator[str]:
    """Fields of a header with the sign before their values; a shell wants no spaces in them."""
    from primad_ld.schema.fields import default_schema

    for entry in default_schema().walk():
        if entry.node is None and entry.key != "*":
            yield f"{entry.dotted.replace(' ', '_')}="
