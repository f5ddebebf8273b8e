from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.plotted import Draw

if TYPE_CHECKING:
    from click.testing import Result


@pytest.fixture
def draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Draw:
    """Runs a command of ``plot`` in the test's folder. No command ends with a traceback."""
    from typer.testing import CliRunner

    from primad_ld.cli.plotting import plot

    monkeypatch.chdir(tmp_path)

    def invoke(*arguments: object, text: bytes | None = None) -> Result:
        result = CliRunner().invoke(plot, [str(one) for one in arguments], input=text)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code in (0, 2)
        return result

    return invoke
