"""The commands about figures: plot sweep, er-dri, topics, matrix, qra."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from primad_ld.cli import completion
from primad_ld.cli.common import UNREADABLE, Force, Quiet, check_finite, exit_codes, say
from primad_ld.cli.modes import check_effect, check_options
from primad_ld.core.errors import MeasureError

if TYPE_CHECKING:
    from primad_ld.plot.plotted_results import ComparedRuns
    from primad_ld.plot.style import Drawing, FigureLayout

plot = typer.Typer(
    help="Draw what an evaluation found: SVG, PDF or PNG.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
# What is no option of ours may be one of `evaluate`.
_RUNS_TOO: Final = {"ignore_unknown_options": True, "help_option_names": ["-h", "--help"]}


class Order(enum.StrEnum):
    """In which order a matrix has its runs."""

    clustered = "clustered"
    given = "given"


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """What a figure needs of an evaluation."""

    measures: tuple[str, ...]
    #: The measure of effectiveness; None if the measures compare orders.
    on: str | None
    quiet: bool = False


#: Evaluates runs for a figure: gets its kind, the arguments and options of the command line that
#: are not the figure's own, and what the figure needs; says also whether everything could be read.
EvaluateForPlot = Callable[[str, Sequence[str], Wanted], "tuple[Sequence[ComparedRuns], bool]"]

_evaluate_for_plot: EvaluateForPlot | None = None


def evaluate_with(function: EvaluateForPlot | None) -> None:
    """Let figures be drawn of runs, too: what is no file of results is evaluated first."""
    global _evaluate_for_plot
    _evaluate_for_plot = function


Results = Annotated[
    list[str],
    typer.Argument(
        help="A file that `primad-ld evaluate` wrote (JSON or CSV), or - for standard input. "
        "Or in place of it all that `evaluate` takes: runs, --qrels and so on.",
        metavar="RESULTS",
        show_default=False,
    ),
]
Figure = Annotated[
    Path,
    typer.Option("--output", "-o", help="The figure; its end says the format: .svg, .pdf or .png."),
]
On = Annotated[
    str,
    typer.Option(
        "--on",
        metavar="MEASURE",
        help="The measure of effectiveness: map or AP …",
        autocompletion=completion.effectiveness,
    ),
]
# Not called --reference, which is an option of `evaluate` and means what to evaluate.
Against = Annotated[
    str, typer.Option("--against", metavar="RUN", help="Only pairs with this reference.")
]
Title = Annotated[str, typer.Option("--title", help="A title above the figure.")]
Width = Annotated[
    float | None,
    typer.Option(
        "--width",
        min=1,
        max=100,
        callback=check_finite,
        metavar="INCHES",
        help="How wide it is.",
    ),
]
Height = Annotated[
    float | None,
    typer.Option(
        "--height",
        min=1,
        max=100,
        callback=check_finite,
        metavar="INCHES",
        help="How high it is.",
    ),
]


@plot.command(context_settings=_RUNS_TOO)
def sweep(
    results: Results,
    output: Figure,
    on: On = "map",
    by: Annotated[
        str,
        typer.Option(
            "--by",
            metavar="REGEX",
            help="Place candidates at the number that this finds in their names, such as "
            "'w([0-9.]+)'; in their order if left out.",
        ),
    ] = "",
    axis: Annotated[str, typer.Option("--axis", help="What the horizontal axis is called.")] = "",
    against: Against = "",
    title: Title = "",
    width: Width = None,
    height: Height = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """One run against many: mean score and RMSE by candidate, such as a parameter sweep."""
    with exit_codes():
        from primad_ld.plot.sweep_figure import MEASURES, draw_sweep, sweep_of
        from primad_ld.trec.measure_names import canonical

        wanted = Wanted(measures=MEASURES, on=canonical(on), quiet=quiet)

        def make(records: Sequence[ComparedRuns], layout: FigureLayout) -> Drawing:
            found = sweep_of(records, on=canonical(on), reference=against, by=by, axis=axis)
            return draw_sweep(found, layout)

        _draw("sweep", results, output, wanted, make, (title, width, height), force=force)


@plot.command("er-dri", context_settings=_RUNS_TOO)
def er_dri(
    results: Results,
    output: Figure,
    on: On = "map",
    intervals: Annotated[
        bool, typer.Option("--intervals", help="Draw the intervals of both values.")
    ] = False,
    title: Title = "",
    width: Width = None,
    height: Height = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Effect ratio against delta relative improvement, a point for each reproduced pair."""
    with exit_codes():
        from primad_ld.plot.effects_figure import MEASURES, draw_effects, effects_of
        from primad_ld.trec.measure_names import canonical

        wanted = Wanted(measures=MEASURES, on=canonical(on), quiet=quiet)

        def make(records: Sequence[ComparedRuns], layout: FigureLayout) -> Drawing:
            return draw_effects(effects_of(records, on=canonical(on)), layout, intervals=intervals)

        _draw("er-dri", results, output, wanted, make, (title, width, height), force=force)


@plot.command(context_settings=_RUNS_TOO)
def topics(
    results: Results,
    output: Figure,
    on: On = "map",
    against: Against = "",
    candidate: Annotated[
        str, typer.Option("--candidate", metavar="RUN", help="The pair with this candidate.")
    ] = "",
    title: Title = "",
    width: Width = None,
    height: Height = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """The difference between two runs for each topic, sorted."""
    with exit_codes():
        from primad_ld.plot.topics_figure import MEASURES, draw_topics, topic_differences
        from primad_ld.trec.measure_names import canonical

        wanted = Wanted(measures=MEASURES, on=canonical(on), quiet=quiet)

        def make(records: Sequence[ComparedRuns], layout: FigureLayout) -> Drawing:
            found = topic_differences(
                records, on=canonical(on), reference=against, candidate=candidate
            )
            return draw_topics(found, layout)

        _draw("topics", results, output, wanted, make, (title, width, height), force=force)


@plot.command(context_settings=_RUNS_TOO)
def matrix(
    context: typer.Context,
    results: Results,
    output: Figure,
    measure: Annotated[
        str,
        typer.Option(
            "--measure",
            metavar="NAME",
            help="The measure: ktu, rbo, rbo(p=0.8), rmse …",
            autocompletion=completion.reproducibility,
        ),
    ] = "rbo",
    on: On = "map",
    order: Annotated[
        Order, typer.Option("--order", help="Similar runs together, or as in the file.")
    ] = Order.clustered,
    title: Title = "",
    width: Width = None,
    height: Height = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """All pairs of many runs under one measure, as a heat map."""
    with exit_codes():
        from primad_ld.plot.matrix_figure import compares_orders, draw_matrix, matrix_of
        from primad_ld.trec.measure_names import canonical

        about = None if compares_orders(measure) else canonical(on)
        if about is None:
            check_effect(context, {"on": f"on {measure}, which compares orders"})
        wanted = Wanted(measures=(measure,), on=about, quiet=quiet)

        def make(records: Sequence[ComparedRuns], layout: FigureLayout) -> Drawing:
            is_clustered = order is Order.clustered
            found = matrix_of(records, measure=measure, on=about, is_clustered=is_clustered)
            return draw_matrix(found, layout)

        _draw("matrix", results, output, wanted, make, (title, width, height), force=force)


@plot.command(context_settings=_RUNS_TOO)
def qra(
    measurements: Annotated[
        list[str],
        typer.Argument(
            help="A file with measurements, or what `primad-ld qra --format json` wrote, or - for "
            "that on standard input. Or in place of it all that `qra` takes: --archive and so on.",
            metavar="MEASUREMENTS",
            show_default=False,
        ),
    ],
    output: Figure,
    title: Title = "",
    width: Width = None,
    height: Height = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Repeated measurements: each value, mean and deviations, and CV* of each object."""
    with exit_codes():
        from primad_ld.plot.precision_figure import (
            draw_precision,
            precision_of_text,
            read_precision,
        )
        from primad_ld.plot.style import FigureLayout, check_output, write_figure

        check_output(output, force=force)
        first, *others = measurements
        if not others and _is_json(first):
            found = read_precision(Path(first))
        else:
            found = precision_of_text(_assessed(measurements, quiet=quiet), "primad-ld qra")
        drawing = draw_precision(found, FigureLayout(title=title, width=width, height=height))
        for note in write_figure(drawing, output, force=force):
            say(f"note: {note}", quiet=quiet)


def _is_json(name: str) -> bool:
    """Whether results are read as they are: standard input, or a file that is called so."""
    from primad_ld.core.files import plain_suffix

    return name == "-" or Path(plain_suffix(Path(name))[0]).suffix.lower() == ".json"


def _assessed(arguments: Sequence[str], *, quiet: bool) -> str:
    """The JSON of ``qra`` for these arguments."""
    from primad_ld.cli.main import app
    from primad_ld.cli.qra_answers import answer

    context = app.one_command("qra").make_context("primad-ld plot qra", list(arguments))
    options = context.params
    mode = "archive" if options["reference"] else "files"
    check_options(context, mode, command="plot qra FILES")
    # Typer makes paths only where it calls the command itself.
    paths = [Path(path) for path in options["paths"] or ()]
    report = answer({**options, "context": context, "paths": paths, "format": "json"})
    say(*(f"note: {note}" for note in report.notes), quiet=quiet or options["quiet"])
    return report.text("json")


def _draw(
    kind: str,
    results: list[str],
    output: Path,
    wanted: Wanted,
    make: Callable[[Sequence[ComparedRuns], FigureLayout], Drawing],
    layout: tuple[str, float | None, float | None],
    *,
    force: bool,
) -> None:
    """Read or evaluate, draw, write, and say what could not be drawn."""
    from primad_ld.plot.style import FigureLayout, check_output, write_figure

    check_output(output, force=force)  # before anything is evaluated
    title, width, height = layout
    records, is_whole = _records(kind, results, wanted)
    drawing = make(records, FigureLayout(title=title, width=width, height=height))
    for note in write_figure(drawing, output, force=force):
        say(f"note: {note}", quiet=wanted.quiet)
    if not is_whole:
        raise typer.Exit(UNREADABLE)


def _records(kind: str, results: list[str], wanted: Wanted) -> tuple[Sequence[ComparedRuns], bool]:
    """What was found before, or what an evaluation of runs finds now, and whether that is all."""
    from primad_ld.plot.result_files import read_compared

    first, *others = results
    if not others and (first == "-" or not (first.startswith("-") or Path(first).is_dir())):
        return read_compared(Path(first)), True
    if _evaluate_for_plot is None:
        raise MeasureError(
            f"{' '.join(others or [first])}: give one file of results, which "
            "primad-ld evaluate --format json writes"
        )
    return _evaluate_for_plot(kind, results, wanted)
