"""The version: one, wherever it is said."""

from __future__ import annotations

import re
import tomllib

from packaging.version import Version
from support import ROOT

import primad_ld
from primad_ld.core.version import __version__


def test_it_is_a_version_in_its_canonical_form() -> None:
    assert str(Version(__version__)) == __version__
    assert primad_ld.__version__ == __version__


def test_the_build_reads_it_here() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    path = ROOT / settings["tool"]["hatch"]["version"]["path"]
    assert f'\n__version__ = "{__version__}"\n' in path.read_text(encoding="utf-8")


def test_citations_name_it() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.*)$", text, re.MULTILINE) == [__version__]
