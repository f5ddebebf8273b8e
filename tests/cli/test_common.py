"""What commands share: formats by any name, sizes, lists, errors that steer no terminal."""

from __future__ import annotations

from typing import Any

import pytest
import typer
from support import Cli, Put

from primad_ld.cli import app, common
from primad_ld.core.errors import MeasureError

# What people call formats, and what a format is that several commands have.
FORMAT_NAMES = {
    "nq": "nquads n-quads N-Quads application/n-quads .nq",
    "nt": "ntriples n-triples NT application/n-triples",
    "ttl": "turtle Turtle TTL text/turtle .ttl",
    "turtle": "ttl Turtle text/turtle",
    "trig": "TriG application/trig",
    "jsonld": "json-ld JSON-LD application/ld+json",
    "yaml": "yml YAML",
    "json": "JSON application/json",
    "csv": "CSV text/csv",
    "tsv": "TSV",
    "xml": "XML",
    "markdown": "md MD Markdown",
    "latex": "tex TeX LaTeX",
    "table": "text txt Text",
    "text": "table txt TXT",
    "jsonschema": "json-schema",
    "sarif": "SARIF",
    "github": "GitHub",
}


def _format_options() -> dict[str, Any]:
    """Every option of every command that takes a format, by the command's name."""
    found: dict[str, Any] = {}

    def walk(command: Any, name: str) -> None:
        for option in command.params:
            # Those of answers are the same in every command.
            if option.name in ("format", "to") and option.metavar != "FORMAT":
                found[f"{name} --{option.name}"] = (command, option)
        for inner, one in getattr(command, "commands", {}).items():
            walk(one, f"{name} {inner}".strip())

    walk(typer.main.get_command(app), "")
    return found


FORMAT_OPTIONS = _format_options()


@pytest.mark.parametrize("name", FORMAT_OPTIONS)
def test_formats_go_by_every_usual_name(name: str) -> None:
    command, option = FORMAT_OPTIONS[name]
    shown = option.metavar.strip("<>").split("|")
    assert shown[0] in FORMAT_NAMES  # --help shows the names that we use
    for format in shown:
        for one in (format, *FORMAT_NAMES[format].split()):
            assert str(option.type_cast_value(typer.Context(command), one)) == format
    with pytest.raises(Exception, match=f"unknown format 'pdf'; choose from {', '.join(shown)}"):
        option.type_cast_value(typer.Context(command), "pdf")


def test_every_command_with_a_format_is_asked() -> None:
    assert {"convert --to", "schema --format"} <= FORMAT_OPTIONS.keys()


def test_no_error_steers_the_terminal(cli: Cli, put: Put):
    put("h.yaml", 'tag: x\n"\\e[2Jkey": 1\n"\\e[2Jkey": 2\n')
    result = cli("show", "h.yaml")
    assert result.exit_code == 2
    assert "\x1b" not in result.stderr
    put("h.yaml", 'tag: "\\e[2J"\nother: "\\a"\n')
    for form in ("text", "yaml", "json"):
        assert "\x1b" not in cli("show", "h.yaml", "-f", form).stdout


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1000", 1000),
        ("64MB", 64 * 1000**2),
        ("16MiB", 16 * 1024**2),
        (" 2 kB ", 2000),
        ("1gib", 1024**3),
    ],
)
def test_sizes(text: str, size: int) -> None:
    assert common.parse_bytes(text) == size


@pytest.mark.parametrize("text", ["", "0", "MB", "-1", "1.5MB", "5 TB", "9" * 5000, "٣MB"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(typer.BadParameter, match="is not a size; write one such as 64MB"):
        common.parse_bytes(text)


def test_commas_within_parentheses_part_nothing() -> None:
    assert common.parts(["rbo(p=0.9,depth=5), ktu", ",map,"]) == [
        "rbo(p=0.9,depth=5)",
        "ktu",
        "map",
    ]


def test_measures_of_both_kinds() -> None:
    chosen, on = common.measures(["rmse,AP", "ktu(depth=5)"])
    assert (list(map(str, chosen)), on) == (["rmse", "ktu(depth=5)"], {"map": "AP"})
    assert common.effectiveness(["all,AP"]) == {"all": "all", "map": "AP"}
    with pytest.raises(MeasureError, match=r"For effectiveness: "):
        common.measures(["nonsense"])


@pytest.mark.parametrize("text", ["map,P_10", "all"])
def test_scores_are_of_one_measure(text: str) -> None:
    assert (common.scores_of(""), common.scores_of("AP")) == ("", "map")
    with pytest.raises(MeasureError, match="name a single measure, such as map or P_10"):
        common.scores_of(text)


def test_parameters_of_a_query() -> None:
    assert common.parameters(["a=1", "b=x=y", "c="]) == {"a": "1", "b": "x=y", "c": ""}
    for wrong, why in (
        (["a"], "write it as NAME=VALUE"),
        (["=1"], "NAME"),
        (["a=1", "a=2"], "twice"),
    ):
        with pytest.raises(typer.BadParameter, match=why):
            common.parameters(wrong)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (MeasureError("it is wrong"), 2, "error: it is wrong\n"),
        (KeyboardInterrupt(), 130, "interrupted; it goes on\n"),
        (common.Stopped(15), 143, "terminated; it goes on\n"),
        (
            MemoryError(),
            2,
            "error: not enough memory; use fewer or smaller files at once\n",
        ),
        (OSError(28, "No space left on device", "/x"), 2, "error: /x: no space left on device\n"),
    ],
)
def test_exit_codes_of_errors(
    capsys: pytest.CaptureFixture[str], error: BaseException, code: int, said: str
) -> None:
    with pytest.raises(typer.Exit) as caught, common.exit_codes("it goes on"):
        raise error
    assert caught.value.exit_code == code
    assert capsys.readouterr() == ("", said)


def test_remarks_are_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    common.say("a\nb", "\x1b[2Jc")
    common.say("quiet", quiet=True)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert "\x1b" not in "".join(lines)
