"""The modes of each command, and the options that each of them uses; the rest is refused by name.

An option that would be ignored is a mistake that nobody sees, so a command says which mode was
asked for, and `check_options` refuses what the tables do not list for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import typer

if TYPE_CHECKING:
    # typer has a click of its own.
    from typer._click.core import Command, Context, Parameter

#: They permit or limit and ask for nothing, so every mode accepts them.
ALWAYS: Final = frozenset({"force", "jobs", "max_header", "quiet"})


@dataclass(frozen=True, slots=True)
class Mode:
    """One way to use a command."""

    #: As it ends the sentence "--correction has no effect …".
    name: str
    #: The parameters of the command that change what this mode does, or what it prints.
    uses: frozenset[str]
    #: How it is asked for by who wants an effect of its own options; its name if left out.
    advice: str = ""


def _mode(name: str, uses: str, advice: str = "") -> Mode:
    return Mode(name, frozenset(uses.split()), advice)


_SCORED = "qrels relevance_level only_retrieved lenient"
_EVALUATED = (
    f"{_SCORED} rep_qrels measure on p depth margin types data single_precision format output"
)
_PAIRED = f"{_EVALUATED} correction per_topic scores_of"
_COMPARED = "reference others archive types strict collection baseline format"
_CRITERIA = "archive collection measure judgements toolkit automatic year limit format"
_JUDGED = "profile format hints fail_on min_completeness language engine verbose"
_COLUMNS = (
    "object measurand value study studies group conditions scale_min scale_max lower_is_better "
    "original"
)
_ASSESSED = "where variant heds format output"
# What a figure needs of an evaluation is chosen by the figure.
_DRAWN = f"{_SCORED} rep_qrels types data scores_of"
_STUDY = "baseline advanced rep_baseline rep_advanced"
_IN_ARCHIVE = "archive in_archive runs_in"

_CLAIM = (
    "target text tag collection verdict criterion attempt reason minutes differs keep base format"
)

#: By the words of the command, then by the key of the mode. A command without an entry has one
#: mode, which uses every parameter. Entries with RUNS and FILES behind the name of a figure are
#: about the options of ``evaluate`` and ``qra``, which find what the figure shows.
MODES: Final[dict[str, dict[str, Mode]]] = {
    "capture": {
        "some": _mode("without --libraries", "output library"),
        "all": _mode("with --libraries", "output libraries"),
    },
    "convert": {
        "lift": _mode("on runs and headers", "paths output to base headers_only format verbose"),
        "lower": _mode("from RDF to YAML", "paths output to format"),
        "rewrite": _mode("from RDF to RDF", "paths output to base format"),
    },
    "validate": {
        "files": _mode("on files", f"paths check {_JUDGED}"),
        "archive": _mode("with --archive", f"archive {_JUDGED}"),
    },
    "load": {
        "runs": _mode("on loading", "paths archive base headers_only format verbose"),
    },
    "score": {
        "files": _mode(
            "without --archive", f"runs measure topics scores_of {_SCORED} format output"
        ),
        "archive": _mode("with --archive", f"runs measure topics archive {_SCORED} format output"),
    },
    "evaluate": {
        "against": _mode("on a reference and its candidates", f"reference candidates {_PAIRED}"),
        "study": _mode("with --baseline and the other runs of a study", f"{_STUDY} {_PAIRED}"),
        "pairs": _mode("with --pairs", f"pairs reference candidates {_PAIRED}"),
        "archive": _mode("with --archive", f"{_IN_ARCHIVE} {_EVALUATED} correction"),
        "all-pairs": _mode(
            "with --all-pairs",
            f"all_pairs reference candidates {_SCORED} measure on p depth margin types data scores_of "
            "single_precision cluster format output",
        ),
    },
    "qra": {
        "files": _mode(
            "on measurements of files",
            f"paths archive hold measurements {_COLUMNS} {_ASSESSED}",
        ),
        "archive": _mode(
            "with --reference", f"paths archive reference measure hold measurements {_ASSESSED}"
        ),
        "types": _mode(
            "with --type",
            f"paths type with_original_only {_COLUMNS} {_ASSESSED}",
            advice="with --type IV or all",
        ),
        "types of an archive": _mode(
            "with --type and --reference",
            f"paths archive reference measure type with_original_only {_ASSESSED}",
        ),
        "ratings": _mode(
            "with --type III",
            "paths type item rater rating study group object measurand levels format output",
        ),
        "datasheets": _mode("on datasheets alone", "paths heds format output"),
    },
    "baselines": {
        "run": _mode("with a run", f"run others as_of own_team any_kind {_CRITERIA}"),
        "criteria": _mode("without a run", _CRITERIA),
    },
    "compare": {
        "one": _mode("without --group", f"{_COMPARED} explain limit"),
        "one grouped": _mode("with --group", f"{_COMPARED} group"),
        "all-pairs": _mode("with --all-pairs", f"{_COMPARED} all_pairs explain limit"),
        "all-pairs grouped": _mode("with --all-pairs and --group", f"{_COMPARED} all_pairs group"),
        "pairs": _mode("with --pairs", "reference others archive pairs collection baseline format"),
        "study": _mode("with --study", "reference others archive study format"),
    },
    "query": {
        "list": _mode("on the list of queries", "list_all format"),
        "text": _mode("with --sparql", "name parameters archive sparql format"),
        "answer": _mode("on the answer to a query", "name parameters archive timeout format"),
    },
    "plot sweep RUNS": {
        "against": _mode("on this figure", f"reference candidates {_DRAWN}"),
        "archive": _mode("on this figure", f"{_IN_ARCHIVE} {_SCORED} rep_qrels types data"),
    },
    "plot er-dri RUNS": {
        "against": _mode("on this figure", f"reference candidates {_DRAWN}"),
        "study": _mode("on this figure", f"{_STUDY} {_DRAWN}"),
        "pairs": _mode("on this figure", f"pairs reference candidates {_DRAWN}"),
        "archive": _mode("on this figure", f"{_IN_ARCHIVE} {_SCORED} rep_qrels types data"),
    },
    "plot topics RUNS": {
        "against": _mode("on this figure", f"reference candidates {_DRAWN}"),
    },
    "plot matrix RUNS": {
        "all-pairs": _mode(
            "on this figure",
            f"reference candidates {_SCORED} p depth types data scores_of single_precision cluster",
        ),
    },
    "plot qra FILES": {
        "files": _mode("on this figure", f"paths archive {_COLUMNS} where variant"),
        "archive": _mode("on this figure", "archive reference measure where variant"),
    },
    # Nanopublications and replication tracks.
    "nanopub make": {
        "files": _mode(
            "with files of runs", "output paths validation keep base headers_only format"
        ),
        "measurements": _mode("with --qra", "output qra keep base format"),
        "assessments": _mode(
            "with --assessment", "output archive assessments validation keep format"
        ),
        "archive": _mode("with --archive", "output archive validation keep format"),
    },
    "nanopub claim": {
        "words": _mode("without --track or a file", _CLAIM),
        "track": _mode("with --track", f"{_CLAIM} track of"),
        "file": _mode("with a file", f"{_CLAIM} track of file"),
    },
    "nanopub publish": {
        "publishing": _mode("on publishing", "paths registry journal again timeout format"),
        "dry run": _mode("with --dry-run", "paths registry journal dry_run again format"),
        "dry run without a registry": _mode("without --registry", "paths dry_run format"),
    },
    "nanopub fetch": {
        "names": _mode("without --follow", "names registry output timeout format"),
        "indexes": _mode("with --follow", "names registry output follow most timeout format"),
    },
    "replication tables": {
        "track": _mode("with --format yaml or ttl", "track format output"),
        "scores": _mode("on scores", "track format table normalise group_by missing output"),
        "scores of systems": _mode("without --table 5", "track format table normalise output"),
        "other tables": _mode("on tables without scores", "track format table output"),
    },
}

#: Options that have an effect beside others only: one of these has to be given, or to have this
#: value.
BESIDE: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "qra": {"with_original_only": ("type=IV", "type=all")},
    "compare": {"strict": ("types", "group")},
}


def check_options(context: Context, mode: str, *, command: str = "") -> None:
    """Refuse, by their names, the given options that the mode does not use."""
    words = command or words_of(context)
    modes = MODES[words]
    unused = [
        str(parameter.name)
        for parameter in context.command.params
        if parameter.name not in modes[mode].uses | always(context.command)
    ]
    check_effect(context, dict.fromkeys(unused, modes[mode].name), modes)
    for name, others in BESIDE.get(words, {}).items():
        if not any(_is_there(context, other) for other in others):
            check_effect(context, {name: f"without {_listed(context, others)}"})


def always(command: Command) -> frozenset[str]:
    """The parameters that every mode of a command accepts: also those for what it prints."""
    return ALWAYS | getattr(command.callback, "printing", frozenset())


def check_effect(
    context: Context, why: Mapping[str, str], modes: Mapping[str, Mode] = MappingProxyType({})
) -> None:
    """Refuse given options for a reason that ends the sentence "--on has no effect …".

    The modes of the command say where they have one.
    """
    given = [
        parameter
        for parameter in context.command.params
        if parameter.name in why and _is_given(context, str(parameter.name))
    ]
    for reason in dict.fromkeys(why[str(one.name)] for one in given):
        lost = [one for one in given if why[str(one.name)] == reason]
        has, them = ("has", "it") if len(lost) == 1 else ("have", "them")
        names, shown = {str(one.name) for one in lost}, dict.fromkeys(map(_shown, lost))
        others = [mode.advice or mode.name for mode in modes.values() if names <= mode.uses]
        if not all(name.startswith("with ") for name in others):
            others = []
        # To give what is given already is not an advice.
        others = [name for name in others if shown.keys().isdisjoint(name.split())]
        raise typer.BadParameter(
            f"{', '.join(shown)} {has} no effect {reason}; remove {them}"
            + (f", or use {them} {others[0]}" if others else "")
        )


def _is_given(context: Context, name: str) -> bool:
    """Whether an option is on the command line, be it with its default value."""
    # By name: its values are those of typer's click, or of click itself in older versions.
    return getattr(context.get_parameter_source(name), "name", "") == "COMMANDLINE"


def _is_there(context: Context, other: str) -> bool:
    name, _, value = other.partition("=")
    given = context.params.get(name)
    if not value:
        return bool(given)
    listed = given if isinstance(given, list | tuple) else [given]
    return any(getattr(one, "value", one) == value for one in listed)


def _listed(context: Context, others: tuple[str, ...]) -> str:
    """``--format csv or json``, ``--type or --group``."""
    options = {str(one.name): _shown(one) for one in context.command.params}
    values: dict[str, list[str]] = {}
    for other in others:
        name, _, value = other.partition("=")
        values.setdefault(options[name], []).extend([value] * bool(value))
    return " or ".join(f"{name} {' or '.join(some)}".strip() for name, some in values.items())


def words_of(context: Context) -> str:
    """The command without the name of the program: ``nanopub make``."""
    names: list[str] = []
    at = context
    while at.parent is not None:
        names.insert(0, str(at.info_name))
        at = at.parent
    return " ".join(names)


def _shown(parameter: Parameter) -> str:
    """A parameter as users know it: its long option, or the name of the argument."""
    if parameter.param_type_name == "argument":
        return parameter.human_readable_name.strip("[]{}…").upper()
    long = [one for one in parameter.opts if one.startswith("--")]
    return "/".join([*(long or parameter.opts)[:1], *parameter.secondary_opts])
