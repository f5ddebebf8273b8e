"""Where an archive is."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import PRIMAD
from support.servers import Server

from primad_ld.archive.embedded_engine import ABOUT, LAYOUT
from primad_ld.archive.opening import archive_name, open_engine
from primad_ld.core.errors import ArchiveError


@pytest.mark.parametrize("layout", [1, 2])
def test_an_endpoint_of_an_older_layout_is_refused(empty_oxigraph: Server, layout: int) -> None:
    empty_oxigraph.do(
        f"INSERT DATA {{ GRAPH <{ABOUT}> {{ <{ABOUT}> <{PRIMAD}layoutVersion> {layout} }} }}"
    )
    why = f"was written in layout {layout}, and this primad-ld knows {LAYOUT}; load the runs into"
    for options in ({}, {"writable": True, "create": True}):
        with pytest.raises(ArchiveError, match=why), open_engine(empty_oxigraph.address, **options):
            pass


def test_an_archive_is_the_named_one_or_that_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PRIMAD_LD_ARCHIVE", raising=False)
    assert archive_name(None) == "primad-archive"
    monkeypatch.setenv("PRIMAD_LD_ARCHIVE", "http://127.0.0.1:7878")
    assert archive_name(None) == "http://127.0.0.1:7878"
    assert archive_name("mine") == archive_name(Path("mine")) == "mine"


@pytest.mark.parametrize("layout", ["one", "-1", "3.0"])
def test_a_layout_that_is_no_number_is_refused(empty_oxigraph: Server, layout: str) -> None:
    empty_oxigraph.do(
        f'INSERT DATA {{ GRAPH <{ABOUT}> {{ <{ABOUT}> <{PRIMAD}layoutVersion> "{layout}" }} }}'
    )
    with (
        pytest.raises(ArchiveError, match=r"its layout is '.*', which is no number"),
        open_engine(empty_oxigraph.address),
    ):
        pass
