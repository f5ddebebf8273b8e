"""The table of modes: it names parameters of commands, and what has no effect is refused."""

from __future__ import annotations

import re
from pathlib import Path

from support import Cli
from support.option_cases import command_of, every_command, parameters_of

from primad_ld.cli.modes import BESIDE, MODES, always


def test_the_table_names_parameters_and_uses_every_one() -> None:
    commands = every_command()
    for key, modes in MODES.items():
        assert " ".join(key.split()[:2]) in commands or key in commands
        known = set(parameters_of(key))
        used = frozenset[str]().union(*(mode.uses for mode in modes.values()))
        assert used <= known
        if command_of(key) == key:
            assert known - used <= always(commands[key])
    for key, options in BESIDE.items():
        names = {*options, *(one.partition("=")[0] for some in options.values() for one in some)}
        assert names <= set(parameters_of(key))


def test_modes_say_where_an_option_has_an_effect(cli: Cli, garden: Path) -> None:
    done = cli("evaluate", "runs/shed-bm25.txt", "runs", "--cluster", "tcp://h:1")
    assert done.exit_code == 2
    said = " ".join(re.sub("[│╭╮╰╯─]", "", done.stderr).split())
    assert "--cluster has no effect" in said
    assert "remove it, or use it with --all-pairs" in said


def test_a_default_value_that_is_given_is_given(cli: Cli) -> None:
    for options, code in (([], 0), (["--format", "table"], 0), (["--strict"], 2)):
        assert cli("profiles", *options).exit_code == code


def test_modes_have_names_that_end_a_sentence() -> None:
    for modes in MODES.values():
        assert modes
        for mode in modes.values():
            assert len(modes) == 1 or re.match(
                r"(with|without|on|of|for|to|from|as|in|where)\b", mode.name
            ), mode
