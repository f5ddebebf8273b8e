"""Where an archive is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import PRIMAD
from support.changed_answers import ChangedAnswers
from support.odd_endpoints import after
from support.option_cases import run_in
from support.same_rows import filled
from support.servers import Server, answer, odd

from primad_ld.archive.embedded_engine import ABOUT, LAYOUT
from primad_ld.archive.opening import archive_name, open_checked, open_engine
from primad_ld.archive.remote_engine import RemoteEngine
from primad_ld.core.errors import ArchiveError, QueryError
from primad_ld.core.files import resource

GARDEN = resource("examples/garden")


@pytest.mark.parametrize("layout", [1, 2])
def test_an_endpoint_of_an_older_layout_is_refused(empty_oxigraph: Server, layout: int) -> None:
    empty_oxigraph.do(
        f"INSERT DATA {{ GRAPH <{ABOUT}> {{ <{ABOUT}> <{PRIMAD}layoutVersion> {layout} }} }}"
    )
    why = f"has layout {layout}, but this primad-ld needs {LAYOUT}; load the runs into"
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


@pytest.mark.parametrize("layout", ["one", "-1", "3.0", "3" * 5000])
def test_a_layout_that_is_no_number_is_refused(empty_oxigraph: Server, layout: str) -> None:
    empty_oxigraph.do(
        f'INSERT DATA {{ GRAPH <{ABOUT}> {{ <{ABOUT}> <{PRIMAD}layoutVersion> "{layout}" }} }}'
    )
    with (
        pytest.raises(ArchiveError, match=r"its layout is not a number: '.*'"),
        open_engine(empty_oxigraph.address),
    ):
        pass


# Answers that do not answer -----------------------------------------------------------------

#: Commands that ask, with how many changed answers each is given: less where it takes longer.
ASKING = {
    "info": 40,
    "baselines shed-feedback": 30,
    "compare shed-feedback --explain": 30,
    "compare --all-pairs": 20,
    "compare --pairs": 20,
    "query runs": 10,
    "query assessments -f json": 10,
    "qra --reference greenhouse-bm25": 30,
    f"evaluate shed-feedback --runs-in {GARDEN}/runs --qrels {GARDEN}/qrels.txt": 2,
    f"load {GARDEN}/runs": 20,
    "remove shed-bm25": 30,
    "vacuum": 30,
    "validate": 3,
    "nanopub make -o drafts --force": 2,
}


@pytest.fixture(scope="module")
def changed(oxigraph_server: Server, tmp_path_factory: pytest.TempPathFactory) -> ChangedAnswers:
    """An archive with all that one can hold."""
    oxigraph_server.do("DROP ALL")
    filled(RemoteEngine.connect(oxigraph_server.address), tmp_path_factory.mktemp("more"))
    return ChangedAnswers(oxigraph_server)


@pytest.mark.parametrize("command", ASKING, ids=lambda command: " ".join(command.split()[:2]))
def test_one_changed_answer_is_an_error_of_the_endpoint(
    changed: ChangedAnswers,
    command: str,
    tmp_path: Path,
    nobody: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with changed.serving() as server:
        arguments = [*command.split(), "--archive", server.address]
        changed.start(0, 0)
        assert run_in(tmp_path, arguments).exit_code == 0
        asked, codes = changed.asked, []
        for seed in range(ASKING[command]):
            # The first question is whether there is an endpoint at all.
            changed.start(2 + seed % (asked - 1), seed)
            seen = run_in(tmp_path, arguments)
            codes.append(seen.exit_code)
            assert seen.exit_code in (0, 2), (seed, seen.remarks)
            assert seen.exit_code == 0 or server.address in seen.remarks, (seed, seen.remarks)
    assert 2 in codes or len(codes) < 10  # some changes do no harm, others must be noticed


BINDINGS = {
    "nothing": [],
    "two rows": ["3", "4"],
    "no number": ["many"],
    "no count": ["-1"],
    "digits without end": ["9" * 5000],
}


@pytest.mark.parametrize("values", BINDINGS.values(), ids=BINDINGS)
def test_a_count_is_one_row_with_a_number(values: list[str]) -> None:
    rows = [{"n": {"type": "literal", "value": value}} for value in values]
    body = json.dumps({"head": {"vars": ["n"]}, "results": {"bindings": rows}}).encode()
    with odd(lambda seen: after(seen, answer(200, body))) as server:
        engine = RemoteEngine.connect(server.address)
        with pytest.raises(ArchiveError, match="instead of a count") as caught:
            engine.count("SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }")
        assert server.address in str(caught.value)
        assert len(str(caught.value)) < 200


def misread(error: Exception) -> None:
    raise error


MISREAD = [
    KeyError("a"),
    IndexError(),
    ValueError("x"),
    TypeError(),
    AttributeError(),
    AssertionError(),
]


@pytest.mark.parametrize("error", MISREAD, ids=repr)
def test_what_goes_wrong_with_rows_is_of_the_endpoint_and_never_of_a_folder(
    empty_oxigraph: Server, tmp_path: Path, error: Exception
) -> None:
    with pytest.raises(type(error)), open_checked(tmp_path / "a", writable=True, create=True):
        misread(error)  # a fault of ours
    with (
        pytest.raises(ArchiveError, match="does not look like an archive") as caught,
        open_checked(empty_oxigraph.address),
    ):
        misread(error)
    assert str(caught.value).startswith(f"{empty_oxigraph.address} ")
    assert f"test_opening.py:{misread.__code__.co_firstlineno + 1}: {type(error).__name__}" in str(
        caught.value
    )
    assert caught.value.__cause__ is error
    with pytest.raises(type(error)), open_engine(empty_oxigraph.address):
        misread(error)  # a fault of whoever uses the library


def test_an_error_about_a_value_says_who_gave_it(empty_oxigraph: Server) -> None:
    with pytest.raises(ArchiveError) as caught, open_checked(empty_oxigraph.address):
        raise ArchiveError("'x' is not a count")
    assert str(caught.value) == f"{empty_oxigraph.address}: 'x' is not a count"
    with pytest.raises(QueryError, match=r"^no query$"), open_checked(empty_oxigraph.address):
        raise QueryError("no query")  # of the user
