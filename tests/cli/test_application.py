"""The command line as a whole: faults of ours, commands made one at a time, options given once."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from support import Cli, Put

from primad_ld.cli import app


@pytest.mark.parametrize("error", [ZeroDivisionError("a\n::error ::b"), EOFError()])
def test_a_fault_of_ours_is_neither_a_finding_nor_bad_input(
    put: Put, monkeypatch: pytest.MonkeyPatch, error: Exception
):
    from typer.testing import CliRunner

    from primad_ld.header.header_outline import HeaderOutline

    def fail(*_: object) -> str:
        raise error

    monkeypatch.setattr(HeaderOutline, "verdict", fail)
    result = CliRunner().invoke(app, ["show", str(put("h.yaml", "tag: t\n"))])
    assert result.exit_code == 70
    first, *_, last = result.stderr.splitlines()
    assert first.startswith("Traceback")
    assert "internal error" in last
    assert "please report it" in last
    assert not [line for line in result.stderr.splitlines() if line.strip().startswith("::")]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["score", "runs", "--mesure", "AP", "-f", "json"], "No such option: --mesure"),
        (["score", "", "--format=json"], "the path is empty"),
        (["nanopub", "make", "-fjson", "--foo"], "No such option: --foo"),
        (["evaluate", "a", "b", "-f", "json", "--on", "rmse"], "no such file"),
    ],
)
def test_what_is_wrong_with_options_is_json_where_that_was_asked_for(
    cli: Cli, words: list[str], message: str
) -> None:
    done = cli(*words)
    assert done.exit_code == 2
    (problem,) = json.loads(done.stdout)["problems"]
    assert message in problem["message"]
    assert done.stderr
    others = [word for word in words if "json" not in word and word != "-f"]
    assert cli(*others).stdout == ""


def every_command() -> Iterator[tuple[str, Any]]:
    """All commands by what is typed, those of groups too."""
    from typer.main import get_command

    def walk(group: Any, name: str) -> Iterator[tuple[str, Any]]:
        yield name, group
        for key, command in getattr(group, "commands", {}).items():
            yield from walk(command, f"{name} {key}".strip())

    return walk(get_command(app), "")


def test_an_option_with_one_value_is_given_once():
    asked = 0
    for name, command in every_command():
        context = command.context_class(command, info_name=name)
        for option in command.params:
            if option.param_type_name != "option" or (option.is_flag and not option.secondary_opts):
                continue
            asked += 1
            # Each spelling of the option beside each other one.
            spellings = [*option.opts, *option.secondary_opts]
            for one, other in itertools.product(spellings, spellings):
                given = [one, other] if option.is_flag else [one, "1", other, "2"]
                values, _, _ = command.make_parser(context).parse_args(given[: len(given) // 2])
                assert option.name in values
                if option.multiple:
                    values, _, _ = command.make_parser(context).parse_args(given)
                    assert values[option.name] == ["1", "2"]
                else:
                    said = f"^{max(option.opts, key=len)} was given 2 times; use it once$"
                    with pytest.raises(Exception, match=said):
                        command.make_parser(context).parse_args(given)
    assert asked > 200


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "h.yaml", "-f", "yaml", "--format=json"], "--format was given 2 times"),
        (["show", "h.yaml", "-fyaml", "-ftext", "-fjson"], "--format was given 3 times"),
        (["nanopub", "keys", "show", "--key", "a", "--key", "b"], "--key was given 2 times"),
        (["score", "h.yaml", "--topics", "--no-topics"], "--topics was given 2 times"),
    ],
)
def test_options_given_twice(cli: Cli, put: Put, arguments: list[str], message: str):
    put("h.yaml", "tag: x\n")
    result = cli(*arguments)
    assert (result.exit_code, message in result.stderr) == (2, True)


def test_a_flag_may_be_given_twice(cli: Cli, put: Put):
    put("h.yaml", "tag: x\n")
    assert cli("validate", "h.yaml", "--hints", "--hints").exit_code == 0


def test_one_command_is_made_without_the_others() -> None:
    made = typer.main.get_group(app._narrowed(["qra"])).commands
    assert [*made] == ["qra"]
    assert "reference" in [one.name for one in made["qra"].params]
    # What is called for next is there all the same.
    assert "init" in typer.main.get_group(app._narrowed(["init"])).commands


_LONG = {
    "digits": "9" * 5000,
    "letters": "a" * 5000,
    "words": "a " * 3000,
    "options": "--" + "a" * 5000,
}


@pytest.mark.parametrize("value", _LONG)
@pytest.mark.parametrize(
    "arguments",
    [
        "LONG",
        "--LONG",
        "query LONG",
        "query teams -a LONG",
        "query teams -p LONG",
        "query teams -f LONG",
        "query teams --timeout LONG",
        "query run -p tag=LONG -a .",
        "validate . --profile LONG",
        "validate . --check LONG",
        "validate . --fail-on LONG",
        "validate . -j LONG",
        "validate . --max-header LONG",
        "convert . -o x.nq --base LONG",
        "convert . --to LONG",
        "evaluate . -m LONG",
        "score . --qrels LONG",
        "compare LONG LONG",
        "qra m.csv --variant LONG",
        "qra m.csv --column LONG",
        "measures LONG",
        "nanopub check LONG",
        "nanopub fetch LONG",
        "plot LONG",
        "replication LONG",
    ],
)
def test_no_error_repeats_a_long_argument(cli: Cli, put: Put, arguments: str, value: str):
    put("run.txt", "1 Q0 d 1 1 t\n")
    put("m.csv", "object,a,b\nx,1,2\n")
    done = cli(*(word.replace("LONG", _LONG[value]) for word in arguments.split()))
    assert done.exit_code == 2
    assert "Traceback" not in done.stderr
    assert 0 < len(done.stderr) < 3000  # with the frame of a usage error
