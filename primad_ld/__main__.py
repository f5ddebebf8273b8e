"""``python -m primad_ld`` is the command line."""

from __future__ import annotations

from primad_ld.cli import app

app(prog_name="primad-ld")
