"""A library that is compared with, in an interpreter of its own that is asked over pipes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self


class OtherSide:
    """A process that runs a script beside this one: a line of JSON for each request and answer."""

    def __init__(
        self,
        name: str,
        python: Path,
        script: str,
        options: Sequence[str] = (),
        *,
        quiet: bool = False,
    ) -> None:
        self.called, self.python = name, python
        self.process = subprocess.Popen(
            [python, *options, Path(__file__).with_name(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if quiet else None,
            text=True,
        )
        self.versions: dict[str, str] = self.ask("about")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()

    def ask(self, task: str, **request: object) -> dict[str, Any]:
        """What it answers to one request."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"task": task, **request}) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"{self.called}'s side ended on {task!r}; see above")
        result: dict[str, Any] = json.loads(answer)
        return result
