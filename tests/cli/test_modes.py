"""The table of modes: it names parameters of commands, and what has no effect is refused."""

from __future__ import annotations

from support.option_cases import command_of, every_command, parameters_of

from primad_ld.cli.modes import ALWAYS, BESIDE, MODES


def test_the_table_names_parameters_and_uses_every_one() -> None:
    commands = every_command()
    for key, modes in MODES.items():
        assert " ".join(key.split()[:2]) in commands or key in commands
        known = set(parameters_of(key))
        used = frozenset[str]().union(*(mode.uses for mode in modes.values()))
        assert used <= known
        if command_of(key) == key:
            assert known - used <= ALWAYS
    for key, options in BESIDE.items():
        names = {*options, *(one.partition("=")[0] for some in options.values() for one in some)}
        assert names <= set(parameters_of(key))
