"""The commands about figures: plot sweep, er-dri, topics, matrix, qra."""

from __future__ import annotations

import functools
import inspect
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, cast, get_type_hints

import typer
from typer.core import TyperGroup

from primad_ld.cli import completion
from primad_ld.cli.common import Force, Quiet, exit_codes, say
from primad_ld.cli.options import is_given, not_used
from primad_ld.core.errors import MeasureError

if TYPE_CHECKING:
    from primad_ld.plot import Drawing

#: What evaluates runs for a figure: a command, the options that it needs, and others in whose
#: place they stand.
_EVALUATIONS: Final[dict[str, tuple[str, tuple[str, ...], set[str]]]] = {
    "sweep": ("evaluate", (), set()),
    "er-dri": ("evaluate", ("--pairs",), {"--pairs", "--baseline", "--archive", "-a"}),
    "topics": ("evaluate", ("--per-topic",), {"--per-topic"}),
    "matrix": ("evaluate", ("--all-pairs",), {"--all-pairs"}),
    "qra": ("qra", (), set()),
}


class _FigureGroup(TyperGroup):
    """The commands of figures; who gives runs to one is shown the pipe that draws them."""

    def invoke(self, ctx: Any) -> Any:
        from primad_ld.plot.plotted_rows import UnfitResultsError

        name, *words = cast("list[str]", [*ctx._protected_args, *ctx.args])
        if name not in self.commands:
            return super().invoke(ctx)
        with exit_codes():
            runs, pipe = self._pipe(ctx, name, words)
            tables = () if name == "qra" else (".csv", ".tsv")
            is_results = [word == "-" or word.endswith((".json", *tables)) for word in runs]
            if len(runs) > 1 and not any(is_results):
                command = _EVALUATIONS[name][0]
                raise MeasureError(f"figures are drawn from the results of {command}; run: {pipe}")
            try:
                return super().invoke(ctx)
            except UnfitResultsError as error:
                if runs[0] != "-" and not runs[0].endswith(".json"):
                    error.hint = f"run: {pipe}"
                raise

    def _pipe(self, ctx: Any, name: str, words: list[str]) -> tuple[list[str], str]:
        """What a figure is asked to be drawn of, and the commands that evaluate and draw it."""
        command = self.commands[name]
        context = command.context_class(command, parent=ctx, ignore_unknown_options=True)
        given, rest, _ = command.make_parser(context).parse_args(args=list(words))
        runs = [*filter(None, [given.pop("results", None)]), *rest]
        own = list(words)
        for word in runs:
            own.remove(word)
        evaluate, needed, others = _EVALUATIONS[name]
        more = [*needed] if not others & {*runs} else []
        if name in ("sweep", "er-dri", "topics"):
            given.setdefault("on", "map")
        for option in ("measure", "on"):
            more += [f"--{option}", given[option]] if option in given else []
        evaluation = shlex.join(["primad-ld", evaluate, *runs, *more, "-f", "json"])
        return runs, f"{evaluation} | {shlex.join(['primad-ld', 'plot', name, '-', *own])}"


plot = typer.Typer(
    cls=_FigureGroup,
    help="Draw what an evaluation found: SVG, PDF or PNG.\n\nFigures are drawn from results: "
    "primad-ld evaluate REFERENCE RUNS --qrels QRELS -f json | primad-ld plot sweep - -o sweep.svg",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _shared(
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", help="The figure; its suffix is the format: .svg, .pdf or .png."
        ),
    ],
    title: Annotated[str, typer.Option("--title", help="A title above the figure.")] = "",
    width: Annotated[
        float | None, typer.Option("--width", metavar="INCHES", help="How wide it is.")
    ] = None,
    height: Annotated[
        float | None, typer.Option("--height", metavar="INCHES", help="How high it is.")
    ] = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """The options that all figures have."""


def _figure(name: str) -> Callable[[Callable[..., Drawing]], Callable[..., None]]:
    """Make a command of what draws a figure: with the options of all figures, and its notes told."""

    def decorate(draw: Callable[..., Drawing]) -> Callable[..., None]:
        shared = _parameters(_shared)
        own = {key: one for key, one in _parameters(draw).items() if key != "shared"}

        @functools.wraps(draw)
        def run(context: typer.Context, quiet: bool, **given: Any) -> None:
            drawing = draw(**given)
            for option, why in drawing.unused.items():
                if is_given(context, option):
                    say(f"warning: {not_used([f'--{option}'], why)}", quiet=quiet)
            say(*(f"note: {note}" for note in drawing.notes), quiet=quiet)

        context = inspect.Parameter(
            "context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context
        )
        parameters = {"context": context} | own | shared
        run.__signature__ = inspect.Signature([*parameters.values()])  # type: ignore[attr-defined]
        run.__annotations__ = {key: one.annotation for key, one in parameters.items()}
        return plot.command(name)(run)

    return decorate


def _parameters(function: Callable[..., object]) -> dict[str, inspect.Parameter]:
    hints = get_type_hints(function, localns={"Drawing": object}, include_extras=True)
    return {
        name: one.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
        for name, one in inspect.signature(function).parameters.items()
    }


Results = Annotated[
    str,
    typer.Argument(
        help="A file that `primad-ld evaluate` wrote (JSON or CSV), or - for standard input.",
        metavar="RESULTS",
        show_default=False,
    ),
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
Against = Annotated[
    str, typer.Option("--against", metavar="RUN", help="Only pairs with this reference.")
]


@_figure("sweep")
def sweep(
    results: Results,
    on: On = "map",
    by: Annotated[
        str,
        typer.Option(
            "--by",
            metavar="REGEX",
            help="Place candidates at the number that this finds in their names, such as "
            "'w([0-9.]+)', and draw a line between them; in their order if left out.",
        ),
    ] = "",
    axis: Annotated[str, typer.Option("--axis", help="What the horizontal axis is called.")] = "",
    against: Against = "",
    **shared: Any,
) -> Drawing:
    """One run against many: mean score and RMSE by candidate, such as a parameter sweep."""
    from primad_ld.plot import sweep as draw

    return draw(results, on=on, by=by, axis=axis, against=against, **shared)


@_figure("er-dri")
def er_dri(
    results: Results,
    on: On = "map",
    intervals: Annotated[
        bool, typer.Option("--intervals", help="Draw the intervals of both values.")
    ] = False,
    **shared: Any,
) -> Drawing:
    """Effect ratio against delta relative improvement, a point for each reproduced pair."""
    from primad_ld.plot import er_dri as draw

    return draw(results, on=on, intervals=intervals, **shared)


@_figure("topics")
def topics(
    results: Results,
    on: On = "map",
    against: Against = "",
    candidate: Annotated[
        str, typer.Option("--candidate", metavar="RUN", help="The pair with this candidate.")
    ] = "",
    **shared: Any,
) -> Drawing:
    """The difference between two runs for each topic, sorted; evaluate with --per-topic."""
    from primad_ld.plot import topics as draw

    return draw(results, on=on, against=against, candidate=candidate, **shared)


@_figure("matrix")
def matrix(
    results: Results,
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
        str,
        typer.Option(
            "--order", metavar="ORDER", help="clustered: similar runs together; or given."
        ),
    ] = "clustered",
    **shared: Any,
) -> Drawing:
    """All pairs of many runs under one measure, as a heat map; evaluate with --all-pairs."""
    from primad_ld.plot import matrix as draw

    return draw(results, measure=measure, on=on, order=order, **shared)


@_figure("qra")
def qra(
    results: Annotated[
        str,
        typer.Argument(
            help="A file that `primad-ld qra --format json` wrote, or - for standard input.",
            metavar="RESULTS",
            show_default=False,
        ),
    ],
    **shared: Any,
) -> Drawing:
    """Repeated measurements: each value, mean and deviations, and CV* of each object."""
    from primad_ld.plot import qra as draw

    return draw(results, **shared)
