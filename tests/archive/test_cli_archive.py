"""The commands about archives, end to end."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pyoxigraph
import pytest
import yaml
from support import BASE
from support.studies import OTHER, header, score, study

from primad_ld.archive import loaded_files as ledgers
from primad_ld.archive.loaded_files import Ledger
from primad_ld.archive.opening import open_engine
from primad_ld.archive.tag_resolution import resolve_run
from primad_ld.core.errors import ArchiveError
from primad_ld.core.iris import NAME

HEDGE = study("hedge", method={"automatic": "true", "retrieval": [{"name": "bm25", "k1": "0.9"}]})
SWEEP = study(
    "sweep",
    baselines=("hedge",),
    method={"automatic": "true", "retrieval": [{"name": "bm25", "k1": "1.2"}]},
)
MOLE = study(
    "mole",
    team="moles",
    year=2021,
    baselines=("hedge",),
    implementation=OTHER["implementation"],
)
AGAIN = [
    study("again", team="voles", year=2022, baselines=("hedge",), reproduces=True),
    study("again-sweep", team="voles", year=2022, baselines=("sweep",), reproduces=True),
]
FAR = study("far", team="moles", on="meadow")
STUDY = [HEDGE, SWEEP, MOLE, *AGAIN, FAR]


def run_text(fields, rows=1):
    """A run file with this header."""
    block = yaml.safe_dump(fields, allow_unicode=False, sort_keys=False)
    lines = ["ir_metadata.start", *block.splitlines(), "ir_metadata.end"]
    ranking = "".join(f"1 Q0 d{n} {n} {9 - n}.5 t\n" for n in range(rows))
    return "".join(f"# {line}\n" for line in lines) + ranking


@pytest.fixture
def runs(put):
    """A folder of the study's runs."""
    for number, fields in enumerate(STUDY, 1):
        path = put(f"runs/{fields['tag']}.txt", run_text(fields, number))
    return path.parent


@pytest.fixture
def archive(cli, runs, tmp_path):
    """The study in the archive that is looked for if nobody says where."""
    assert cli("load", runs, "--quiet").exit_code == 0
    return tmp_path / "primad-archive"


def answer(result):
    """What a command prints as JSON."""
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def pairs_of(result):
    """The pairs that compare prints as JSON."""
    return answer(result)["pairs"]


def iri_of(tag, archive):
    with open_engine(archive) as engine:
        return resolve_run(engine, tag).iri


# compare -------------------------------------------------------------------------------------------

PAIR_KEYS = {
    "reference",
    "candidate",
    "primad",
    "prime",
    "strict",
    "differs",
    "reference_iri",
    "candidate_iri",
}


def test_compare_as_json(cli, archive):
    rows = pairs_of(cli("compare", "hedge", "--format", "json"))
    assert all(set(row) >= PAIR_KEYS for row in rows)
    found = {row["candidate"]: row for row in rows}
    assert len(rows) == 5
    assert {tag: (row["primad"], row["prime"], row["strict"]) for tag, row in found.items()} == {
        "sweep": ("priMad", "PRIM'AD", "priMad"),
        # One side alone gives b.
        "again": ("pRi?Ad", "PR'I?A'D", "pRiMAd"),
        "again-sweep": ("pRi?Ad", "PR'I?A'D", "pRiMAd"),
        "mole": ("pRI?Ad", "PR'I'?A'D", "pRIMAd"),  # of another year, too
        "far": ("pri?AD", "PRI?A'D'", "priMAD"),
    }
    assert found["sweep"] == {
        **found["sweep"],
        "reference": "hedge",
        "differs": ["method.retrieval[1].k1"],
        "reference_iri": iri_of("hedge", archive),
        "candidate_iri": iri_of("sweep", archive),
        "missing": {},
    }
    components = dict.fromkeys(path.partition(".")[0] for path in found["mole"]["differs"])
    assert list(components) == ["research goal", "implementation", "method", "actor"]


@pytest.mark.parametrize("command", ["compare", "baselines"])
def test_a_run_is_named_by_its_iri(cli, archive, command):
    iri = iri_of("hedge", archive)
    by_tag = cli(command, "hedge", "--format", "json")
    for name in (iri, iri.removeprefix(BASE)):  # in whole, and as tables show it
        found = cli(command, name, "--format", "json")
        assert (found.exit_code, found.stdout) == (0, by_tag.stdout)


def test_compare_explains_each_field(cli, archive):
    result = cli("compare", "hedge", "--type", "priMad", "--explain")
    assert re.search(r"^method\.retrieval\[1\]\.k1 +0.9 +1.2$", result.stdout, re.MULTILINE)
    (row,) = pairs_of(cli("compare", "hedge", "-t", "priMad", "--explain", "--format", "json"))
    assert row["fields"] == [
        {
            "field": "method.retrieval[1].k1",
            "reference": "0.9",
            "candidate": "1.2",
            "identifies": True,
        }
    ]


@pytest.mark.parametrize("type", ["priMad", "PRIM'AD", "PRIM’AD"])
def test_the_type_in_both_notations(cli, archive, type):
    rows = pairs_of(cli("compare", "hedge", "--type", type, "--format", "json"))
    assert [row["candidate"] for row in rows] == ["sweep"]


def test_several_types_and_strict_ones(cli, put):
    platform = {"hardware": {"cpu": {"model": "X"}}}
    more = platform | {"software": {"libraries": {"python": ["numpy==2.0"]}}}
    put("runs/a.yaml", yaml.safe_dump(header("a", platform=platform)))
    put("runs/b.yaml", yaml.safe_dump(header("b", platform=more)))
    put("runs/c.yaml", yaml.safe_dump(header("c", platform=platform, data=OTHER["data"])))

    def tags(*options):
        rows = pairs_of(cli("compare", "a", "runs", "--format", "json", *options))
        return sorted(row["candidate"] for row in rows)

    assert tags("-t", "primad") == ["b"]
    assert tags("-t", "primad", "--strict") == []
    assert tags("-t", "Primad", "--strict") == ["b"]
    assert tags("-t", "primad", "-t", "primaD") == ["b", "c"]
    groups = answer(cli("compare", "a", "runs", "--group", "--strict", "-f", "json"))["types"]
    assert [group["primad"] for group in groups] == ["Primad", "primaD"]
    groups = answer(cli("compare", "a", "runs", "--group", "--format", "json"))["types"]
    assert [(group["primad"], group["prime"], group["pairs"]) for group in groups] == [
        ("primad", "PRIMAD", 1),
        ("primaD", "PRIMAD'", 1),
    ]


def test_compare_a_missing_component(cli, put):
    put("a.yaml", yaml.safe_dump(header("a")))
    put("b.yaml", yaml.safe_dump(header("b", "method", "data")))
    (row,) = pairs_of(cli("compare", "a.yaml", "b.yaml", "--format", "json"))
    assert (row["primad"], row["prime"]) == ("pri-a-", "PRI-A-")
    assert row["missing"] == {"method": "candidate", "data": "candidate"}
    text = cli("compare", "b.yaml", "a.yaml", "--explain").stdout
    assert re.search("^method +missing in the reference$", text, re.MULTILINE)


def test_the_pairs_of_a_study(cli, archive, put):
    found = pairs_of(cli("compare", "--pairs", "--format", "json"))
    members = ("reference", "reference_advanced", "candidate", "candidate_advanced")
    assert [tuple(pair[name] for name in members) for pair in found] == [
        ("hedge", "mole", None, None),
        ("hedge", "sweep", None, None),
        ("hedge", "sweep", "again", "again-sweep"),
    ]
    assert found[2]["candidate_iri"] == iri_of("again", archive)
    put("study.yaml", "pairs:\n- {baseline: far, advanced: runs/mole.txt}\n")
    (pair,) = pairs_of(cli("compare", "--study", "study.yaml", "--format", "json"))
    assert (pair["reference"], pair["reference_advanced"]) == ("far", "mole")
    rows = list(csv.reader(io.StringIO(cli("compare", "--pairs", "-f", "csv").stdout)))
    assert rows[3][:4] == ["hedge", "sweep", "again", "again-sweep"]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["a.yaml"], "a names 'gone', which is not among these runs"),
        (["b.yaml"], "b: research goal.evaluation.baseline is not given"),
        (["c.yaml"], "c: actor.role is reproducer, so there is no original"),
        (["runs", "--baseline", "far"], "none has the baseline 'far'"),
        (["runs", "--collection", "Pond"], "there are no runs"),
    ],
)
def test_why_there_are_no_pairs_of_a_study(cli, runs, put, options, why):
    put("a.yaml", yaml.safe_dump(study("a", baselines=("gone",))))
    put("b.yaml", yaml.safe_dump(study("b")))
    put("c.yaml", yaml.safe_dump(study("c", baselines=("b",), reproduces=True)))
    result = cli("compare", *options, "--pairs")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "error: found no baseline and advanced run of a study: " in result.stderr
    assert why in result.stderr


# baselines -----------------------------------------------------------------------------------------


@pytest.fixture
def scored(archive):
    with open_engine(archive, writable=True) as engine:
        for tag, value in {"hedge": "0.2", "sweep": "0.31", "again": "0.5"}.items():
            score(engine, resolve_run(engine, tag), map=value)
    return archive


def test_baselines_as_json(cli, scored):
    found = answer(cli("baselines", "mole", "--format", "json"))
    assert found["run"] == "mole"
    (declared,) = found["declared"]
    # A reproduction of the next year is better, but not held against it.
    assert declared == {
        "tag": "hedge",
        "role": "baseline",
        "found": True,
        "comparable": True,
        "rank": 2,
        "of": 2,
        "score": 0.2,
        "iri": iri_of("hedge", scored),
        "percentile": 50.0,
        "teams": {"above": 1, "of": 1},
        "ambiguous": [],
        "why": None,
    }
    assert [(one["tag"], one["team"], one["score"]) for one in found["candidates"]] == [
        ("again", "voles", 0.5),
        ("sweep", "hedgehogs", 0.31),
        ("hedge", "hedgehogs", 0.2),
        ("again-sweep", "voles", None),
    ]
    assert all(
        re.fullmatch("[pP?-][rR?-][iI?-][mM?-][aA?-][dD?-]", one["primad"])
        for one in found["candidates"]
    )
    assert all(one["iri"].startswith("https://w3id.org/") for one in found["candidates"])
    assert [(one["ranked"], one["why"]) for one in found["candidates"]] == [
        *[(True, None)] * 3,
        (False, "no score of map"),
    ]
    assert found["stronger"] == [
        {
            "team": "hedgehogs",
            "run": "sweep",
            "iri": iri_of("sweep", scored),
            "score": 0.31,
            "of_runs": 2,
            **dict.fromkeys(("difference", "low", "high", "p", "corrected")),
            "topics": 0,
            "zeros": 0,
            "significant": False,
            "why": "no per-topic scores of hedge",
        }
    ]
    assert found["warnings"] == []
    assert (found["measure"], found["as_of"], found["comparable"]) == ("map", 2020, 4)


def test_baselines_for_people(cli, scored):
    result = cli("baselines", "mole", "--limit", "1")
    assert result.exit_code == 0
    assert "4 comparable runs, 3 not shown (--limit 0 shows all)" in result.stdout
    assert "hedge" in result.stdout  # the declared one
    assert "note: 1 team (1 of 2 runs) up to 2020 has a higher mean map" in result.stderr
    result = cli("baselines", "mole", "--as-of", "2022")
    assert "note: 2 teams (2 of 3 runs) up to 2022 have a higher mean map" in result.stderr


def test_what_is_not_ranked_stands_below(cli, scored):
    with open_engine(scored, writable=True) as engine:
        score(engine, resolve_run(engine, "again-sweep"), "b" * 64, map="0.9")
    result = cli("baselines", "mole")
    above, below = result.stdout.split("Comparable, but not ranked:")
    assert "again-sweep" not in above
    assert re.search(r"^again-sweep .* scored by b.qrels \(b{12}\) only", below, re.MULTILINE)
    rows = cli("baselines", "mole", "--format", "csv").stdout.splitlines()
    assert rows[0].endswith(",why,iri")
    assert ",scored by b.qrels (bbbbbbbbbbbb) only," in rows[-1]
    result = cli("baselines", "mole", "--judgements", "b.qrels")
    assert "4 comparable runs; map by b.qrels (bbbbbbbbbbbb)" in result.stdout
    result = cli("baselines", "mole", "--judgements", "c.qrels")
    assert (result.exit_code, result.stdout) == (2, "")
    assert (
        "judgements 'c.qrels': no scores for these judgements; use the file name" in result.stderr
    )


def test_the_target_of_a_reproduction(cli, scored):
    result = cli("baselines", "again")
    assert re.search(
        r"^target +status +map\nhedge +comparable +0.2000$", result.stdout, re.MULTILINE
    )
    assert "warning" not in result.stderr
    (target,) = answer(cli("baselines", "again", "--format", "json"))["declared"]
    assert (target["role"], target["rank"], target["why"]) == ("target", None, "target")


#: Options, and the tags of the runs that are found.
FOUND = [
    (["mole", "--own-team"], {"hedge", "sweep", "again", "again-sweep"}),
    (["mole", "--year", "2020"], {"hedge", "sweep"}),
    (["mole", "--automatic"], {"hedge", "sweep", "again", "again-sweep"}),
    (["mole", "--toolkit", "Anserini"], {"hedge", "sweep", "again", "again-sweep"}),
    (["mole", "--toolkit", "terrier"], set()),
    (["mole", "--measure", "ndcg"], set()),
    (["--collection", "meadow"], {"far"}),
    (["--measure", "AP"], {one["tag"] for one in STUDY}),
    (["runs/mole.txt"], {"hedge", "sweep", "again", "again-sweep"}),
    (["runs/mole.txt", "runs"], {"hedge", "sweep", "again", "again-sweep"}),  # no archive
    (["runs/mole.txt", "runs/sweep.txt", "runs/far.txt"], {"sweep"}),
]


@pytest.mark.parametrize(("options", "tags"), FOUND)
def test_what_baselines_finds(cli, archive, options, tags):
    found = answer(cli("baselines", *options, "--format", "json"))
    assert {one["tag"] for one in found["candidates"]} == tags


def test_a_tag_that_two_runs_have(cli, archive, put):
    put("more/hedge.txt", run_text(study("hedge", team="toads"), 9))
    assert cli("load", "more").exit_code == 0
    found = answer(cli("baselines", "mole", "--format", "json"))
    (declared,) = found["declared"]
    assert (declared["found"], len(declared["ambiguous"])) == (False, 2)
    for command in (["compare", "hedge"], ["baselines", "hedge"], ["remove", "hedge"]):
        result = cli(*command)
        assert result.exit_code == 2
        assert "2 runs are called 'hedge'; name one by its IRI: <https://" in result.stderr
    assert answer(cli("info", "--format", "json"))["runs"] == 7
    iri = declared["ambiguous"][0]
    assert cli("remove", iri).exit_code == 0
    assert answer(cli("info", "--format", "json"))["runs"] == 6


# load, info, remove, vacuum, query ----------------------------------------------------------------

COMPONENTS = {
    "platform": 1,
    "research goal": 3,  # of three years
    "implementation": 2,
    "method": 3,
    "actor": 3,
    "data": 2,
}


def test_load_counts(cli, runs, put):
    report = answer(cli("load", runs, "--format", "json"))
    assert report == {
        "new": 6,
        "replaced": 0,
        "renamed": 0,
        "unchanged": 0,
        "kept": {"scores": 0, "assessments": 0, "precisions": 0},
        "nanopublications": {"new": 0, "known": 0, "drafts": 0, "dropped": 0},
        "warnings": [],
        "problems": [],
        "notes": [],
        "left_alone": [],
        "skipped": [],
    }
    assert answer(cli("load", runs, "--format", "json"))["unchanged"] == 6
    put("runs/far.txt", run_text(FAR | {"platform": OTHER["platform"]}, 6))
    again = answer(cli("load", runs, "--format", "json"))
    assert (again["new"], again["replaced"], again["unchanged"]) == (0, 1, 5)
    result = cli("load", runs)
    assert (result.stdout, result.stderr) == ("0 new runs, 6 unchanged → primad-archive\n", "")


def test_what_cannot_be_read_is_said_and_the_rest_is_loaded(cli, runs, put):
    put("runs/broken.txt", "# ir_metadata.start\n# a: [\n# ir_metadata.end\n1 Q0 d 1 1 t\n")
    result = cli("load", runs, "--format", "json")
    assert result.exit_code == 2
    (problem,) = json.loads(result.stdout)["problems"]
    assert problem["file"].endswith("broken.txt")
    assert result.stderr.count("error: ") == 1
    assert answer(cli("info", "--format", "json"))["runs"] == 6


def test_info_as_json(cli, archive):
    found = answer(cli("info", "--format", "json"))
    assert found["runs"] == 6
    assert found["components"] == COMPONENTS
    with open_engine(archive) as engine:
        assert found["triples"] == len(engine.store)
    assert found["teams"] == {"hedgehogs": 2, "moles": 2, "voles": 2}
    assert found["collections"] == {"garden": 5, "meadow": 1}
    assert found["measures"] == {"P_10": 6, "map": 6}
    assert list(found["years"].items()) == [("2020", 3), ("2022", 2), ("2021", 1)]
    assert "garden (5), meadow (1)" in cli("info").stdout


def test_remove_and_vacuum(cli, archive):
    before = answer(cli("info", "--format", "json"))
    result = cli("remove", "far", iri_of("mole", archive))
    assert result.exit_code == 0
    assert result.stdout.startswith("removed 2 runs\n")
    assert re.search(rf"^run +far +https://.*/run/{NAME}$", result.stdout, re.MULTILINE)
    after = answer(cli("info", "--format", "json"))
    # Components stay for now.
    assert (after["runs"], after["components"]) == (4, before["components"])
    assert cli("vacuum").stdout == "removed 4 components\n"
    wanted = COMPONENTS | {"research goal": 2, "implementation": 1, "actor": 2, "data": 1}
    assert answer(cli("info", "--format", "json"))["components"] == wanted
    assert cli("vacuum").stdout == "removed 0 components\n"
    rows = pairs_of(cli("compare", "hedge", "--format", "json"))
    assert sorted(row["candidate"] for row in rows) == ["again", "again-sweep", "sweep"]


def test_removing_is_all_or_nothing(cli, archive):
    assert cli("remove", "far", "gone").exit_code == 2
    assert answer(cli("info", "--format", "json"))["runs"] == 6


def test_a_query_is_printed_for_other_endpoints(cli, archive, put):
    text = cli("query", "runs", "-p", "tag=x", "--sparql").stdout
    assert '?run primad:tag "x"' in text
    assert "onCollection $" not in text
    assert "\n\n\n" not in text
    # What it asks is what is asked here, and a tag of a run becomes its IRI.
    asked = cli("query", "about", "-p", "run=hedge", "--sparql", "-a", archive)
    own = put("own.rq", asked.stdout)
    lines = cli("query", "about", "-p", "run=hedge", "-a", archive, "-f", "nt").stdout
    assert "hedge" in lines
    assert cli("query", own, "-a", archive, "-f", "nt").stdout == lines
    assert cli("query", "about", "-p", "run=nobody", "--sparql", "-a", archive).exit_code == 2


def test_query(cli, archive, put):
    assert "about" in cli("query", "--list").stdout
    result = cli("query", "by-collection", "-p", "collection=meadow", "--format", "csv")
    assert result.exit_code == 0, result.stderr
    assert iri_of("far", archive) in result.stdout
    put("count.rq", "SELECT (COUNT(DISTINCT ?g) AS ?n) WHERE { GRAPH ?g { ?s ?p ?o } }")
    result = cli("query", "count.rq", "--format", "tsv", "-o", "count.tsv")
    assert result.exit_code == 0, result.stderr
    # Each component has its identity.
    assert str(6 + 2 * sum(COMPONENTS.values())) in Path("count.tsv").read_text(encoding="utf-8")
    assert cli("query", "count.rq", "--format", "tsv", "-o", "count.tsv").exit_code == 2
    put("drop.rq", "DROP ALL")
    assert cli("query", "drop.rq").exit_code == 2
    # SPARQL is a query, too; its graphs are Turtle unless columns or another form are asked for.
    tags = "CONSTRUCT { ?run primad:tag ?tag } WHERE { GRAPH ?run { ?run primad:tag ?tag } }"
    assert "primad:tag" in cli("query", tags).stdout
    assert cli("query", tags, "--columns", "object").stdout.splitlines()[0] == "object"
    assert cli("query", tags, "-o", "tags.csv").exit_code == 0
    assert Path("tags.csv").read_text(encoding="utf-8").startswith("subject,predicate,object\n")
    assert answer(cli("info", "--format", "json"))["runs"] == 6


# Where the archive is -----------------------------------------------------------------------------


def test_the_archive_is_named_or_of_the_environment_or_beside_us(cli, runs, put, monkeypatch):
    put("one/a.yaml", yaml.safe_dump(header("a")))
    put("two/b.yaml", yaml.safe_dump(header("b")))
    put("two/c.yaml", yaml.safe_dump(header("c")))
    cli("load", runs)
    cli("load", "one", "--archive", "first")
    monkeypatch.setenv("PRIMAD_LD_ARCHIVE", "second")
    cli("load", "two")
    found = [
        answer(cli("info", *options, "--format", "json"))
        for options in ([], ["--archive", "first"], ["-a", "primad-archive"])
    ]
    assert [(one["archive"], one["runs"]) for one in found] == [
        ("second", 2),
        ("first", 1),
        ("primad-archive", 6),
    ]
    monkeypatch.delenv("PRIMAD_LD_ARCHIVE")
    assert answer(cli("info", "--format", "json"))["runs"] == 6


def test_files_and_folders_instead_of_an_archive(cli, runs, tmp_path):
    rows = pairs_of(cli("compare", "runs/hedge.txt", "runs", "--format", "json"))
    assert len(rows) == 5
    assert rows == pairs_of(cli("compare", "hedge", "runs", "--format", "json"))
    rows = pairs_of(
        cli("compare", "runs/hedge.txt", "runs/sweep.txt", "runs/far.txt", "-f", "json")
    )
    assert [row["candidate"] for row in rows] == ["sweep", "far"]
    rows = pairs_of(cli("compare", "runs", "--all-pairs", "--format", "json"))
    assert len(rows) == 15
    # Nothing is left behind.
    assert os.listdir(tmp_path) == ["runs"]


# What goes wrong ------------------------------------------------------------------------------------

NEEDING = [
    ["info"],
    ["baselines", "hedge"],
    ["compare", "hedge"],
    ["compare", "--pairs"],
    ["remove", "hedge"],
    ["vacuum"],
    ["query", "teams"],
]


def of_layout(layout):
    text = f'{{"layout": {layout}, "primad-ld": "0.{layout}"}}'
    return lambda folder: (folder / "archive.json").write_text(text, encoding="utf-8")


def damaged_json(text):
    return lambda folder: (folder / "archive.json").write_text(text, encoding="utf-8")


def damaged_store(folder):
    (folder / "store" / "CURRENT").write_bytes(b"nonsense\n")


def damaged_tables(folder):
    for path in (folder / "store").iterdir():
        if path.suffix in (".sst", ".log") or path.name.startswith("MANIFEST"):
            path.write_bytes(b"\x00" * 50)


def replaced_by_file(folder):
    shutil.rmtree(folder)
    folder.write_text("x", encoding="utf-8")


def no_archive(folder):
    (folder / "archive.json").unlink()


#: What happened to an archive, and what the error says.
DAMAGED = [
    (
        shutil.rmtree,
        "archive primad-archive does not exist; create it with: primad-ld load RUNS --archive",
    ),
    (replaced_by_file, "primad-archive is a file; an archive is a folder"),
    (no_archive, "primad-archive is a folder but not an archive"),
    (of_layout(99), "has layout 99, but this primad-ld supports 3; run: pip install --upgrade"),
    (of_layout(2), "has layout 2, but this primad-ld needs 3; load the runs into a new"),
    (of_layout(1), "has layout 1, but this primad-ld needs 3; load the runs into a new"),
    (damaged_json(""), "archive.json is damaged"),
    (damaged_json("{"), "archive.json is damaged"),
    (damaged_json("[]"), "archive.json is damaged"),
    (damaged_json('{"layout": null}'), "archive.json is damaged"),
    (damaged_json('{"layout": "x"}'), "archive.json is damaged"),
    (damaged_json('{"layout": 1e400}'), "archive.json is damaged"),
    (damaged_json("[" * 100_000), "archive.json is damaged"),
    (damaged_store, "damaged"),
    (damaged_tables, "damaged"),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """An archive to copy, since making one takes a while."""
    from primad_ld.archive.loading import load_runs

    folder = tmp_path_factory.mktemp("made")
    for number, fields in enumerate(STUDY, 1):
        (folder / f"{number}.txt").write_text(run_text(fields, number), encoding="utf-8")
    load_runs([folder], folder / "archive")
    return folder / "archive"


def interrupted(folder):
    """As the first load leaves it if it is killed: the store is made before the list of files."""
    (folder / "store" / "CURRENT").unlink()
    for path in [folder / "files.sqlite", *(folder / "store").glob("*.log")]:
        path.unlink()


def without_store(folder):
    shutil.rmtree(folder / "store")


def empty(folder):
    """As the first load leaves it if it is killed before the first batch."""
    shutil.rmtree(folder / "store")
    pyoxigraph.Store(str(folder / "store")).flush()
    (folder / "begun").touch()


@pytest.mark.parametrize(
    ("harm", "error"),
    [
        (interrupted, "the first load into primad-archive was interrupted; reload the runs"),
        (empty, "the first load into primad-archive was interrupted; reload the runs"),
        (without_store, "the store in primad-archive is missing; reload the runs to rebuild it"),
    ],
)
def test_what_an_interrupted_load_left_is_loaded_again(cli, made, tmp_path, harm, error):
    shutil.copytree(made, tmp_path / "primad-archive")
    harm(tmp_path / "primad-archive")
    for command in (["query", "teams"], ["info"], ["baselines", "hedge"]):
        result = cli(*command)
        assert result.exit_code == 2
        assert error in result.stderr
    assert cli("load", made.parent).exit_code == 0
    assert cli("query", "teams").exit_code == 0


@pytest.mark.parametrize(
    "harm",
    [
        lambda data: data[:4096] + bytes(150) + data[4246:],
        lambda data: data[:4096] + b"\xff" * 150 + data[4246:],
        lambda data: data[:9000],
        lambda data: data[:4096],
        lambda data: b"x" * 100 + data[100:],
        lambda data: b"nonsense" * 1000,
        lambda data: b"",
    ],
    ids=["zeros", "ones", "cut", "cut early", "no head", "nonsense", "empty"],
)
def test_a_damaged_list_of_files_is_rebuilt_with_a_note(cli, made, tmp_path, harm):
    folder = tmp_path / "primad-archive"
    shutil.copytree(made, folder)
    ledger = folder / "files.sqlite"
    ledger.write_bytes(harm(ledger.read_bytes()))
    (tmp_path / "new.txt").write_text(run_text({"tag": "new"}, 9), encoding="utf-8")
    first = cli("load", made.parent, "new.txt")  # every page is used: runs are looked up and added
    assert first.exit_code == 0
    assert "files.sqlite was damaged and has been rebuilt" in first.stderr
    second = cli("load", made.parent, "new.txt")
    assert second.exit_code == 0
    assert "damaged" not in second.stderr
    assert "0 new runs" in second.stdout
    with closing(sqlite3.connect(ledger)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_folder_in_the_place_of_the_list_of_files(cli, made, tmp_path):
    folder = tmp_path / "primad-archive"
    shutil.copytree(made, folder)
    (folder / "files.sqlite").unlink()
    (folder / "files.sqlite").mkdir()
    done = cli("load", made.parent)
    assert done.exit_code == 2
    assert "files.sqlite is a folder, but the ledger file belongs there; move it" in done.stderr


def test_a_list_of_files_in_use_is_not_taken_for_damaged(made, tmp_path, monkeypatch):
    path = shutil.copy(made / "files.sqlite", tmp_path)
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN EXCLUSIVE")
        monkeypatch.setattr(ledgers, "_PATIENCE", 0)
        with pytest.raises(ArchiveError, match="locked"):
            Ledger(Path(path))
    with closing(sqlite3.connect(path)) as again:
        assert again.execute("SELECT COUNT(*) FROM files").fetchone()[0]


def test_a_replaced_list_of_files_is_told_once(tmp_path):
    path = tmp_path / "files.sqlite"
    path.write_bytes(b"nonsense" * 100)
    ledger = Ledger(path)
    assert len(ledger.finish()) == 1
    assert ledger.finish() == []
    ledger.close()


@pytest.mark.parametrize(("harm", "error"), DAMAGED)
@pytest.mark.parametrize("command", NEEDING, ids=" ".join)
def test_an_archive_that_cannot_be_opened(cli, made, tmp_path, command, harm, error):
    folder = tmp_path / "primad-archive"
    shutil.copytree(made, folder)
    harm(folder)
    result = cli(*command)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert error in result.stderr
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(("harm", "error"), DAMAGED[1:])
def test_nothing_is_loaded_into_such_an_archive(cli, made, tmp_path, put, harm, error):
    put("x.yaml", "tag: x\n")
    folder = tmp_path / "primad-archive"
    shutil.copytree(made, folder)
    harm(folder)
    result = cli("load", "x.yaml")
    assert result.exit_code == 2
    assert error in result.stderr


#: Arguments, and what the error says.
WRONG = [
    (["compare"], "name a run to compare with, or use --all-pairs"),
    (["compare", "gone"], "'gone' is neither a file nor a run of primad-archive"),
    (["compare", "https://example.org/gone"], "neither a file nor a run"),
    (["compare", "hedge", "--type", "prima"], "'prima' is not a PRIMAD type"),
    (["compare", "hedge", "--type", "priM'ad"], "is not a PRIMAD type"),
    (["compare", "hedge", "--format", "pdf"], "pdf"),
    (["compare", "hedge", "--limit", "-1"], "limit"),
    (["compare", "--study", "gone.yaml"], "gone.yaml: no such file or directory"),
    (["compare", "hedge", "gone.txt"], "'gone.txt' is neither a file nor a run"),
    (["compare", "hedge", "runs", "-a", "primad-archive"], "'runs' is not a run of primad-archive"),
    (["compare", "runs"], "runs is a folder"),
    (["baselines"], "name a run, or a collection, a measure or a toolkit"),
    (["baselines", "--format", "xml", "hedge"], "xml"),
    (["baselines", "gone"], "'gone' is neither a file nor a run"),
    (["baselines", "hedge", "--year", "x"], "--year"),
    (["baselines", "empty.yaml"], "has no test collection"),
    (["baselines", "qrels.txt"], "qrels.txt"),
    (["info", "--format", "pdf"], "pdf"),
    (["info", "--archive", "gone"], "archive gone does not exist"),
    (["load"], "PATH"),
    (["load", "gone"], "gone"),
    (["load", "runs", "--base", "x"], "base IRI must be absolute"),
    (["remove"], "TAG"),
    (["remove", "gone"], "no run is called 'gone'"),
    (["query", "no-such-query"], "no-such-query"),
    (["query", "by-collection", "-p", "collection"], "write it as NAME=VALUE"),
    (["query", "by-collection", "-p", "=x"], "write it as NAME=VALUE"),
    (["query", "by-collection", "-p", "collection=a", "-p", "collection=b"], "given twice"),
    (["query", "teams", "--format", "pdf"], "pdf"),
]


@pytest.mark.parametrize(("arguments", "error"), WRONG, ids=lambda value: str(value)[:50])
def test_wrong_usage(cli, made, runs, tmp_path, put, arguments, error):
    shutil.copytree(made, tmp_path / "primad-archive")
    put("empty.yaml", "tag: empty\n")
    put("qrels.txt", "1 0 d 1\n")
    result = cli(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    # The line may be in a box that is narrower than the message.
    assert " ".join(error.split()) in " ".join(re.sub("[│╭╮╰╯─]", " ", result.stderr).split())


def test_a_file_that_is_missing_stops_no_other(cli, made, runs, tmp_path):
    shutil.copytree(made, tmp_path / "primad-archive")
    result = cli("compare", "hedge", "gone.txt", "runs")
    assert result.exit_code == 2
    assert "gone.txt: no such file or directory" in result.stderr
    assert "again" in result.stdout


# What is printed ------------------------------------------------------------------------------------

#: Tags, teams and pipelines that want to do something to a terminal or a parser.
HOSTILE = [
    "\x1b[31mred\x1b[0m",
    "a\rb",
    "a\nb",
    "a\tb",
    "\x07\x08\x7f\x9b2J",
    "\u202eevil\u2066",
    ":smile: [bold]x[/bold] [/]",
    "a,\"b\";'c'",
    '"',
    "=1+1",
    "a\u2028b",
]


@pytest.fixture
def hostile(cli, put):
    """An archive of runs with hostile tags."""
    for number, text in enumerate(HOSTILE):
        fields = study(
            text,
            team=f"team {text}",
            baselines=(text, HOSTILE[0]),
            method={"retrieval": [{"name": text, text: str(number)}]},
        )
        put(f"hostile/{number}.txt", run_text(fields, number))
    put("hostile/mine.txt", run_text(study("mine", team="moles", baselines=tuple(HOSTILE)), 20))
    result = cli("load", "hostile")
    assert (result.exit_code, result.stderr) == (0, "")
    return HOSTILE


TABLES = [
    ["info"],
    ["baselines", "mine"],
    ["compare", "mine"],
    ["compare", "mine", "--explain", "--limit", "0"],
    ["compare", "--all-pairs"],
    ["compare", "--pairs"],
]


@pytest.mark.parametrize("command", TABLES, ids=" ".join)
def test_tables_steer_no_terminal(cli, hostile, command):
    result = cli(*command)
    assert result.exit_code == 0
    for text in (result.stdout, result.stderr):
        # A tab in a remark is harmless; in a table it is not.
        assert all(char.isprintable() or char == "\n" for char in text.replace("\t", ""))
    assert "\t" not in result.stdout
    assert "\N{SMILING FACE WITH OPEN MOUTH AND SMILING EYES}" not in result.stdout
    assert result.stdout.isascii() or "\N{REPLACEMENT CHARACTER}" in result.stdout


def test_markup_is_shown_as_it_is_written(cli, hostile):
    for command in (["compare", "mine"], ["compare", "mine", "--explain"], ["baselines", "mine"]):
        assert ":smile: [bold]x[/bold] [/]" in cli(*command).stdout


@pytest.mark.parametrize(("format", "delimiter"), [("csv", ","), ("tsv", "\t")])
@pytest.mark.parametrize(
    ("command", "column"), [(["baselines"], "tag"), (["compare"], "candidate")]
)
def test_separated_values_come_back(cli, hostile, format, delimiter, command, column):
    result = cli(*command, "mine", "--format", format)
    data = result.stdout_bytes.decode()
    rows = list(csv.DictReader(io.StringIO(data, newline=""), delimiter=delimiter, strict=True))
    # A program for spreadsheets would run this one.
    assert {row[column].removeprefix("'") for row in rows} == set(HOSTILE)
    assert None not in {key for row in rows for key in row}


def test_a_table_shows_30_unless_told_otherwise(cli, put):
    for number in range(33):
        put(f"runs/{number}.yaml", yaml.safe_dump(header(f"t{number:02}")))
    short = cli("compare", "t00", "runs").stdout
    assert "32 pairs, 2 not shown (--limit 0 shows all)\n32 primad: everything is the same" in short
    assert "not shown" not in cli("compare", "t00", "runs", "--limit", "0").stdout
    for format in ("csv", "json"):
        text = cli("compare", "t00", "runs", "--format", format).stdout
        assert text.count("primad-ld/id/run/") == 64
    rows = pairs_of(cli("compare", "t00", "runs", "--format", "json", "--limit", "3"))
    assert [row["candidate"] for row in rows] == sorted(row["candidate"] for row in rows)
    assert len(rows) == 3
