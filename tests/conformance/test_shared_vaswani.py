"""An archive of 31 real runs by three labs: what they share, and that they come back."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from support import (
    BASE,
    PRIMAD,
    lift_folder,
    normalised,
    only,
    quads,
    rdflib_dataset,
    reference_data,
    store_of,
    values,
)

from primad_ld import convert, lower, parse_header, read_header
from primad_ld.core.triples import NamedGraph
from primad_ld.header.runfile import read_ranking
from primad_ld.rdf.bulk import Report
from primad_ld.rdf.lowering import lower_runs
from primad_ld.rdf.subject_index import StoreIndex

SHARED = reference_data()
RUNS = 31
KINDS = ("platform", "research-goal", "implementation", "method", "actor", "data")


class Archive(NamedTuple):
    """The lifted archive."""

    folder: Path
    report: Report
    graphs: list[NamedGraph]
    #: The run of each tag.
    runs: dict[str, NamedGraph]

    def nquads(self) -> str:
        """All of it."""
        return "".join(graph.nquads() for graph in self.graphs)

    def components(self, tag: str) -> dict[str, str]:
        """The components of a run, by their kind."""
        names = set(
            re.findall(rf"<{re.escape(BASE)}([a-z-]+/1-[0-9a-f]+)>", self.runs[tag].triples)
        )
        return {name.partition("/")[0]: name for name in names if name.partition("/")[0] in KINDS}


@pytest.fixture(scope="session")
def archive() -> Archive:
    report = Report()
    folder = SHARED / "vaswani" / "runs"
    graphs = list(lift_folder(folder, report))
    runs = {values(one, "tag")[0]: one for one in graphs if "/run/" in one.iri}
    return Archive(folder, report, graphs, runs)


def independent(file: Path) -> dict[str, Any]:
    """The header of a run by PyYAML alone, every scalar as text."""
    text = gzip.decompress(file.read_bytes()).decode()
    block = text.partition("# ir_metadata.start\n")[2].partition("# ir_metadata.end\n")[0]
    value = yaml.load(re.sub(r"^# ", "", block, flags=re.MULTILINE), yaml.BaseLoader)
    assert isinstance(value, dict)
    return value


def test_31_runs_and_30_rankings(archive: Archive) -> None:
    assert (archive.report.problems, archive.report.notes) == ([], [])
    assert archive.report.runs == len(archive.runs) == RUNS
    assert len({values(run, "ranking")[0] for run in archive.runs.values()}) == RUNS - 1
    assert len(archive.graphs) == RUNS + archive.report.components


def test_one_ranking_under_two_tags(archive: Archive) -> None:
    one, other = archive.runs["npl-prf"], archive.runs["npl-prf-w05"]
    assert values(one, "ranking") == values(other, "ranking")
    assert one.iri != other.iri
    assert archive.components("npl-prf") == archive.components("npl-prf-w05")


def test_all_runs_of_one_lab_share_one_platform(archive: Archive) -> None:
    platforms, actors = defaultdict(set), defaultdict(set)
    for tag, run in archive.runs.items():
        (team,) = values(run, "byTeam")
        platforms[team].add(archive.components(tag)["platform"])
        actors[team].add(archive.components(tag)["actor"])
    assert len(platforms) == 3
    assert [len(found) for found in platforms.values()] == [1, 1, 1]
    assert len(set().union(*actors.values())) == 3


def test_a_parameter_sweep_differs_in_the_method_alone(archive: Archive) -> None:
    base = archive.components("npl-bm25")
    assert sorted(base) == sorted(KINDS)
    sweep = [tag for tag in archive.runs if tag.startswith("npl-bm25-k")]
    assert len(sweep) == 6
    for tag in sweep:
        found = archive.components(tag)
        assert {kind for kind in KINDS if found[kind] != base[kind]} == {"method"}
    assert len({archive.components(tag)["method"] for tag in sweep}) == 6


def test_the_interpolation_sweep_differs_in_the_method_alone(archive: Archive) -> None:
    base = archive.components("npl-prf")
    for tag in (f"npl-prf-w0{number}" for number in range(1, 10)):
        differing = {kind for kind in KINDS if archive.components(tag)[kind] != base[kind]}
        assert differing == (set() if tag == "npl-prf-w05" else {"method"})


def test_half_a_collection_differs_in_the_data_alone(archive: Archive) -> None:
    base = archive.components("npl-bm25")
    for tag in ("npl-bm25-a", "npl-bm25-b"):
        found = archive.components(tag)
        assert {kind for kind in KINDS if found[kind] != base[kind]} == {"data"}


#: What each run has in common with npl-bm25 by key, and its pipeline: from reading the headers.
#: All say one machine, one exercise and one set of measures. P R I M A D as in the acronym.
INTERPOLATED = "bm25 » prf » {}·prf+{}·bm25"
BY_KEY = {
    "npl-bm25": ("PRIMAD", "vaswani", "bm25"),
    "npl-bm25-a": ("PRIMA", "vaswani/a", "bm25"),  # half of the topics
    "npl-bm25-b": ("PRIMA", "vaswani/b", "bm25"),
    "npl-bm25-k05-b02": ("PRIAD", "vaswani", "bm25"),  # other parameters
    "npl-bm25-k05-b075": ("PRIAD", "vaswani", "bm25"),
    "npl-bm25-k12-b02": ("PRIAD", "vaswani", "bm25"),
    "npl-bm25-k12-b075": ("PRIAD", "vaswani", "bm25"),
    "npl-bm25-k20-b04": ("PRIAD", "vaswani", "bm25"),
    "npl-bm25-k20-b09": ("PRIAD", "vaswani", "bm25"),
    "npl-prf": ("PRIAD", "vaswani", INTERPOLATED.format("0.5", "0.5")),
    "npl-prf-a": ("PRIA", "vaswani/a", INTERPOLATED.format("0.5", "0.5")),
    "npl-prf-b": ("PRIA", "vaswani/b", INTERPOLATED.format("0.5", "0.5")),
    "npl-prf-w01": ("PRIAD", "vaswani", INTERPOLATED.format("0.1", "0.9")),
    "npl-prf-w02": ("PRIAD", "vaswani", INTERPOLATED.format("0.2", "0.8")),
    "npl-prf-w03": ("PRIAD", "vaswani", INTERPOLATED.format("0.3", "0.7")),
    "npl-prf-w04": ("PRIAD", "vaswani", INTERPOLATED.format("0.4", "0.6")),
    "npl-prf-w05": ("PRIAD", "vaswani", INTERPOLATED.format("0.5", "0.5")),
    "npl-prf-w06": ("PRIAD", "vaswani", INTERPOLATED.format("0.6", "0.4")),
    "npl-prf-w07": ("PRIAD", "vaswani", INTERPOLATED.format("0.7", "0.3")),
    "npl-prf-w08": ("PRIAD", "vaswani", INTERPOLATED.format("0.8", "0.2")),
    "npl-prf-w09": ("PRIAD", "vaswani", INTERPOLATED.format("0.9", "0.1")),
    # Another team with a repository and a retrieval toolkit of its own: bm25 has the same parameters,
    # but another stemmer and other stop words.
    "repro-bm25": ("RD", "vaswani", "bm25"),
    "repro-dph": ("RD", "vaswani", "dph"),
    "repro-pl2": ("RD", "vaswani", "pl2"),
    "repro-qld": ("RD", "vaswani", "qld"),
    # Another team with the same engine: no stemmer, and the other formula of bm25.
    "second-bm25": ("PRD", "vaswani", "bm25"),
    "second-bm25-a": ("PR", "vaswani/a", "bm25"),
    "second-bm25-b": ("PR", "vaswani/b", "bm25"),
    "second-prf": ("PRD", "vaswani", INTERPOLATED.format("0.5", "0.5")),
    "second-prf-a": ("PR", "vaswani/a", INTERPOLATED.format("0.5", "0.5")),
    "second-prf-b": ("PR", "vaswani/b", INTERPOLATED.format("0.5", "0.5")),
}
LETTERS = {
    "P": "platformIdentity",
    "R": "researchGoalIdentity",
    "I": "implementationIdentity",
    "M": "methodIdentity",
    "A": "actorIdentity",
    "D": "dataIdentity",
}


def keys_of(archive: Archive, tag: str) -> dict[str, str]:
    """The keys of a run's components, by letter."""
    found = {letter: values(archive.runs[tag], name) for letter, name in LETTERS.items()}
    assert all(len(keys) == 1 for keys in found.values())
    return {letter: keys[0] for letter, keys in found.items()}


def test_these_are_all_the_runs(archive: Archive) -> None:
    assert len(BY_KEY) == RUNS
    assert set(archive.runs) == set(BY_KEY)


@pytest.mark.parametrize("tag", BY_KEY)
def test_what_a_run_has_in_common_by_key(archive: Archive, tag: str) -> None:
    base, keys = keys_of(archive, "npl-bm25"), keys_of(archive, tag)
    same = "".join(letter for letter in LETTERS if keys[letter] == base[letter])
    assert same == BY_KEY[tag][0]


@pytest.mark.parametrize("tag", BY_KEY)
def test_flat_facts_of_a_run(archive: Archive, tag: str) -> None:
    _, collection, pipeline = BY_KEY[tag]
    run = archive.runs[tag]
    assert values(run, "onCollection") == [collection]
    assert values(run, "pipeline") == [pipeline]
    assert values(run, "byTeam") == [f"{tag.partition('-')[0]}-lab"]
    assert values(run, "inYear") == ["2026"]
    assert values(run, "reportsMeasure") == [
        "scheme:measure-P_10",
        "scheme:measure-map",
        "scheme:measure-ndcg",
    ]
    assert values(run, "lacks") == []


#: Runs that have a key in common with others but not with npl-bm25.
GROUPS = {
    "M": [
        {"npl-prf", "npl-prf-a", "npl-prf-b", "npl-prf-w05"},
        {"second-bm25", "second-bm25-a", "second-bm25-b"},
        {"second-prf", "second-prf-a", "second-prf-b"},
    ],
    "I": [{tag for tag in BY_KEY if tag.startswith(lab)} for lab in ("repro", "second")],
    "A": [{tag for tag in BY_KEY if tag.startswith(lab)} for lab in ("repro", "second")],
    "D": [{tag for tag in BY_KEY if tag.endswith(half)} for half in ("-a", "-b")],
    "P": [{tag for tag in BY_KEY if tag.startswith("repro")}],
    "R": [],
}


@pytest.mark.parametrize("letter", GROUPS)
def test_runs_that_are_alike_among_each_other(archive: Archive, letter: str) -> None:
    groups = defaultdict(set)
    for tag in BY_KEY:
        if letter not in BY_KEY[tag][0]:
            groups[keys_of(archive, tag)[letter]].add(tag)
    several = sorted((group for group in groups.values() if len(group) > 1), key=sorted)
    assert several == sorted(GROUPS[letter], key=sorted)


def test_completeness_of_the_runs(archive: Archive) -> None:
    # By hand from docs/fields.md: 102 are asked of every header, and 2 of the significance test.
    # Not given are schema-version, description and the actor's name (1 each), ORCID (2), DOI (3).
    wanted = dict.fromkeys(BY_KEY, "92")  # 96 of 104
    # These name no baseline (4).
    wanted |= dict.fromkeys(("npl-bm25", "npl-bm25-a", "npl-bm25-b"), "88")
    # Feedback is interpolated: reranks, interpolates and weight are 2 each, of 110.
    wanted |= {tag: "93" for tag in BY_KEY if "-prf" in tag}
    # These stages have no parameters (4).
    wanted |= dict.fromkeys(("repro-dph", "repro-pl2", "repro-qld"), "88")
    found = {tag: values(run, "completeness") for tag, run in archive.runs.items()}
    assert found == {tag: [percent] for tag, percent in wanted.items()}


def test_runs_come_back_text_for_text(archive: Archive) -> None:
    store = StoreIndex(store_of(archive.nquads()))
    by_store = {run.file_name: run.header for run in lower_runs(store)}
    by_graphs = {str(header.tag): header for header in lower(archive.graphs)}
    files = sorted(archive.folder.iterdir())
    assert len(files) == len(by_store) == RUNS
    for file in files:
        wanted = independent(file)
        assert read_header(file, sidecars=False).fields == wanted
        assert by_store[file.name].fields == normalised(wanted)
        assert by_graphs[wanted["tag"]] == by_store[file.name]


def test_both_readers_read_it(archive: Archive) -> None:
    text = archive.nquads()
    lines = set(text.split("\n")) - {""}
    assert len(lines) == text.count("\n")
    assert len(quads(text)) == len(lines)
    dataset = rdflib_dataset(text)
    assert len(list(dataset.quads((None, None, None, None)))) == len(lines)
    assert len(lower(dataset)) == RUNS


def test_the_digest_is_of_topic_document_and_score(archive: Archive) -> None:
    for tag in ("npl-prf", "second-bm25-a", "repro-dph"):
        data = gzip.decompress((archive.folder / f"{tag}.txt.gz").read_bytes()).decode()
        rows = [line.split() for line in data.splitlines() if not line.startswith("#")]
        text = "".join(f"{topic}\t{name}\t{score}\n" for topic, _, name, _, score, _ in rows)
        wanted = hashlib.sha256(text.encode()).hexdigest()
        ranking = read_ranking(archive.folder / f"{tag}.txt.gz")
        assert (ranking.digest, ranking.rows) == (wanted, len(rows))
        assert values(archive.runs[tag], "rankingDigest") == [wanted]


def test_the_same_bytes_on_two_processes(archive: Archive, tmp_path: Path) -> None:
    report = convert([archive.folder], tmp_path / "x.nq", jobs=2)
    assert report.runs == RUNS
    assert (tmp_path / "x.nq").read_text(encoding="utf-8") == archive.nquads()


def test_without_rankings_it_is_as_many_runs(archive: Archive) -> None:
    report = Report()
    graphs = list(lift_folder(archive.folder, report, headers_only=True))
    assert report.runs == RUNS
    components = {graph.iri for graph in archive.graphs if "/run/" not in graph.iri}
    assert {graph.iri for graph in graphs if "/run/" not in graph.iri} == components


def test_there_and_back_and_there_again(archive: Archive, tmp_path: Path) -> None:
    (tmp_path / "x.nq").write_text(archive.nquads(), encoding="utf-8")
    report = convert([tmp_path / "x.nq"], tmp_path / "headers")
    assert report.runs == RUNS
    names = {path.name for path in (tmp_path / "headers").iterdir()}
    assert names == {f"{tag}.yaml" for tag in archive.runs}
    for tag in archive.runs:
        text = (tmp_path / "headers" / f"{tag}.yaml").read_text(encoding="utf-8")
        wanted = independent(archive.folder / f"{tag}.txt.gz")
        assert parse_header(text).fields == normalised(wanted)


def test_the_baseline_is_one_hop_away(archive: Archive) -> None:
    run = archive.runs["npl-prf"]
    me = run.iri.removeprefix(BASE)
    assert values(run, "baseline", me) == ["npl-bm25"]
    assert values(run, "onCollection", me) == ["vaswani"]
    assert f"<{PRIMAD}reportsMeasure>" in run.triples


def test_runs_without_a_header() -> None:
    for name in ("irc_pmc", "irc_pubmed"):
        ranking = read_ranking(SHARED / "trec-covid" / f"{name}.txt.gz")
        assert ranking.rows == 30_000
    report = Report()
    assert list(lift_folder(SHARED / "trec-covid", report)) == []
    assert [only([problem]).why.split(",")[0] for problem in report.problems][:2] == [
        "this run has no header",
        "this run has no header",
    ]
