"""Headers as people and tools write them, against a reader that is not ours."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pyshacl
import pytest
import rdflib
import yaml
from rdflib.namespace import RDF, SH
from support import (
    ROOT,
    SHAPES,
    TextLoader,
    lift_folder,
    normalised,
    only,
    quads,
    rdflib_dataset,
    rdflib_graph,
    reference_data,
    store_of,
    to_be_judged,
    triples,
)

from primad_ld import Header, dump_header, lower, parse_header, read_header
from primad_ld.header.redaction import LOCAL_PATH, MAIL, redact_header, redact_text
from primad_ld.header.schema_documents import json_schema
from primad_ld.rdf.bulk import Report
from primad_ld.rdf.formats import FORMATS, write_graphs
from primad_ld.rdf.lifting import Lifter
from primad_ld.rdf.lowering import lower_runs
from primad_ld.rdf.subject_index import StoreIndex
from primad_ld.schema.fields import default_schema

SHARED = reference_data()
REAL = SHARED / "real"
#: Written by tirex-tracker 0.2.14, with YAML's core tags.
TAGGED = sorted((REAL / "longeval-code").glob("*topic-extraction*"))
NAMES = [
    "ir-metadata-docs-example.yml",
    "longeval25-ows-pl2.yml",
    "longeval25-pyterrier-baseline.yml",
    "longeval25-skeleton-unfilled.yml",
    "paper-figures.yml",
    "tirex-tracker-0.2.24.yml",
]
#: Known keys of these files that are not in their one spelling.
RESPELT = {
    "test_collection": "test collection",
    "training_data": "training data",
    "schema version": "schema-version",
}


@pytest.fixture(
    params=[*(SHARED / "headers" / name for name in NAMES), *TAGGED], ids=lambda path: path.name
)
def file(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def yaml_text(file: Path) -> str:
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("ir_metadata."))


class TaggedLoader(TextLoader):
    """Another reader of YAML's core tags, which keeps the letters of numbers."""


for _tag in ("int", "float", "bool"):
    TaggedLoader.add_constructor(f"tag:yaml.org,2002:{_tag}", TaggedLoader.construct_scalar)


def independent(file: Path) -> dict[str, Any]:
    """A header by PyYAML alone, with its keys in their one spelling."""
    return _respelt(yaml.load(yaml_text(file), TaggedLoader))


def _respelt(value: Any) -> Any:
    if isinstance(value, dict):
        return {RESPELT.get(key, key): _respelt(one) for key, one in value.items()}
    return [_respelt(one) for one in value] if isinstance(value, list) else value


def test_these_are_all_the_headers() -> None:
    assert sorted(path.name for path in (SHARED / "headers").iterdir()) == NAMES


def test_the_tags_are_there() -> None:
    (path,) = TAGGED
    found = set(re.findall(r" (!!\w+) ", yaml_text(path)))
    assert found == {"!!bool", "!!float", "!!int", "!!null"}
    header = read_header(path, sidecars=False)
    assert header.get("implementation", "executable") is None
    assert header.get("implementation", "source", "is repo") == "1"


def test_it_is_read_text_for_text(file: Path) -> None:
    assert read_header(file, sidecars=False).fields == independent(file)


def test_it_comes_back_text_for_text(file: Path) -> None:
    run = Lifter().lift(read_header(file, sidecars=False), file_name=file.name)
    wanted = normalised(independent(file))
    assert only(lower(run.graphs)).fields == wanted
    assert only(lower(rdflib_dataset(run.nquads()))).fields == wanted
    by_store = only(one.header for one in lower_runs(StoreIndex(store_of(run.nquads()))))
    assert by_store.fields == wanted
    # As a file, for everybody's reader.
    assert yaml.load(dump_header(by_store), TextLoader) == wanted


def test_both_readers_read_every_format(file: Path) -> None:
    run = Lifter().lift(read_header(file, sidecars=False), file_name=file.name)
    for format in FORMATS:
        text = "".join(write_graphs(run.graphs, format))
        assert triples(text, format) == triples(run.nquads())
        if format in ("nq", "trig", "jsonld"):
            assert quads(text, format) == quads(run.nquads())
        dataset = rdflib_dataset(text, format)
        assert len(dataset) == len(triples(run.nquads()))
        assert lower(dataset) == lower(run.graphs)


def test_the_folder_converts() -> None:
    report = Report()
    graphs = list(lift_folder(SHARED / "headers", report))
    assert (report.problems, report.notes, report.left_alone) == ([], [], [])
    assert report.runs == len(NAMES) == len(lower(graphs))


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("ir-metadata-docs-example.yml", ("implementation", "source", "commit"), "9548cd6"),
        ("ir-metadata-docs-example.yml", ("schema-version",), "0.1"),
        ("ir-metadata-docs-example.yml", ("method", "retrieval", 1, "axiom.deterministic"), "true"),
        ("longeval25-ows-pl2.yml", ("method", "retrieval", 0, "deep_neural_model"), "no"),
        ("longeval25-ows-pl2.yml", ("platform", "software", "libraries"), ["PyTerrier 0.10.0"]),
        ("paper-figures.yml", ("research goal", "venue", "year"), "2020"),
        ("paper-figures.yml", ("data", "test collection", "ir_datasets"), "nyt/trec-core-2017"),
        ("tirex-tracker-0.2.24.yml", ("implementation", "source", "is repo"), "1"),
        ("tirex-tracker-0.2.24.yml", ("resources", "gpu", "energy used system"), "null J"),
        ("tirex-tracker-0.2.24.yml", ("implementation", "source", "tags"), []),
        ("tirex-tracker-0.2.24.yml", ("platform", "hardware", "gpu"), None),
        ("tirex-tracker-0.2.24.yml", ("schema-version",), "0.2"),
    ],
)  # fmt: skip
def test_telling_values_come_back(name: str, path: tuple[str | int, ...], value: Any) -> None:
    run = Lifter().lift(read_header(SHARED / "headers" / name, sidecars=False))
    assert only(lower(run.graphs)).get(*path) == value


def test_two_spellings_of_one_header_are_one_graph() -> None:
    """As the figures print it, and as the documentation of ir_metadata spells it."""
    file = SHARED / "headers" / "paper-figures.yml"
    text = file.read_text(encoding="utf-8")
    other = text.replace("test_collection", "Test Collection").replace(
        "training_data", "training-data"
    )
    other = other.replace("year: '2020'", "year: 2020")
    assert other.count("2020") == text.count("2020")
    assert _lift(other) == _lift(text)


def _lift(text: str) -> str:
    return Lifter().lift(parse_header(text)).nquads()


def test_every_statement_has_a_meaning_in_the_ontology(file: Path) -> None:
    defined = set(rdflib.Graph().parse(ROOT / "ontology" / "primad.ttl").subjects())
    graph = rdflib_graph(Lifter().lift(read_header(file, sidecars=False)))
    used = {one for triple in graph for one in triple[1:] if isinstance(one, rdflib.URIRef)}
    ours = {one for one in used if str(one).startswith("https://w3id.org/primad-ld/ontology#")}
    assert len(ours) > 20
    assert ours <= defined


def test_a_submission_to_longeval_2026_is_as_many_runs_as_rankings(tmp_path: Path) -> None:
    (tracked,) = TAGGED
    system = tmp_path / "system"
    for number in (1, 2):
        folder = system / f"snapshot-{number}"
        folder.mkdir(parents=True)
        rows = f"1 Q0 d{number} 1 9.5 t\n1 Q0 d7 2 8.5 t\n"
        (folder / "run.txt.gz").write_bytes(gzip.compress(rows.encode()))
        shutil.copy(tracked, folder / "retrieval-ir-metadata.yml")
    text = tracked.read_text(encoding="utf-8")
    for old, new in (
        ('"wallclock": "22872 ms"', '"wallclock": "7 s"'),
        ("baseline.py", "index.py"),
    ):
        assert old in text
        text = text.replace(old, new)
    (system / "snapshot-1" / "index-ir-metadata.yml").write_text(text, encoding="utf-8")
    above = (
        REAL
        / "longeval-code"
        / "clef26__scientific-retrieval__baseline-pyterrier-dense__ir-metadata.yml"
    )
    shutil.copy(above, system / "ir-metadata.yml")

    report = Report()
    graphs = list(lift_folder(system, report))
    assert (report.runs, report.problems, report.left_alone) == (2, [], [])
    headers = {
        name: read_header(system / name / "run.txt.gz") for name in ("snapshot-1", "snapshot-2")
    }
    by_name = {
        str(run.file_name): run.header
        for run in lower_runs(StoreIndex(store_of("".join(write_graphs(graphs, "nq")))))
    }
    assert {name: one.fields for name, one in by_name.items()} == {
        f"{name}/run.txt.gz": normalised(dict(header.fields)) for name, header in headers.items()
    }
    one, two = headers.values()
    assert {
        name: one.get("steps", name, "resources", "runtime", "wallclock")
        for name in ("retrieval", "index")
    } == {
        "retrieval": "22872 ms",
        "index": "7 s",
    }
    assert one.get("resources") is two.get("resources") is None
    assert two.get("steps", "retrieval", "resources", "runtime", "wallclock") == "22872 ms"
    assert two.get("implementation", "executable") == read_header(tracked).get(
        "implementation", "executable"
    )
    assert one.tag == two.tag == read_header(above, sidecars=False).tag


# What an editor and a SHACL engine say of them ------------------------------------------------------


UNFILLED = [
    "method.automatic",
    "method.retrieval",
]


def test_the_json_schema_accepts_it(file: Path) -> None:
    validator = jsonschema.Draft202012Validator(json_schema(default_schema()))
    data = yaml.safe_load(yaml_text(file))
    found = {".".join(map(str, one.absolute_path)) for one in validator.iter_errors(data)}
    # ENTER_VALUE_HERE must be true or false.
    assert sorted(found) == (UNFILLED if "unfilled" in file.name else [])


def test_the_json_schema_refuses_a_wrong_value(file: Path) -> None:
    validator = jsonschema.Draft202012Validator(json_schema(default_schema()))
    data = json.loads(json.dumps(yaml.safe_load(yaml_text(file)), default=str))
    before = len(list(validator.iter_errors(data)))
    data.setdefault("platform", {})["hardware"] = {"cpu": {"number of cores": "many"}}
    assert len(list(validator.iter_errors(data))) == before + 1


#: The shapes that a standard engine reports, and why it should.
FINDINGS = {
    "ir-metadata-docs-example.yml": set(),
    "longeval25-ows-pl2.yml": set(),
    "longeval25-pyterrier-baseline.yml": {"repository"},  # not filled in
    "longeval25-skeleton-unfilled.yml": {
        "automatic",
        "deep-neural",
        "dense-neural",
        "lexical",
        "repository",
        "single-stage",
        "sparse-neural",
    },
    # Addresses without https://
    "paper-figures.yml": {"collection-source", "collection-qrels", "collection-topics"},
    # "null J" where nothing could be measured; null alone says nothing.
    "tirex-tracker-0.2.24.yml": {"cpu-energy", "gpu-energy", "ram-energy"},
} | {
    path.name: set[str]() for path in TAGGED
}  # fmt: skip


def test_a_shacl_engine_judges_it(file: Path) -> None:
    graph = rdflib_graph(to_be_judged(Lifter(), read_header(file, sidecars=False)))
    shapes = rdflib.Graph().parse(ROOT / "shapes" / "header.ttl")
    _, report, _ = pyshacl.validate(graph, shacl_graph=shapes)
    assert isinstance(report, rdflib.Graph)
    found = {
        str(report.value(result, SH.sourceShape)).removeprefix(SHAPES)
        for result in report.subjects(RDF.type, SH.ValidationResult)
    }
    assert found == FINDINGS[file.name]


def test_no_path_of_the_machine_gets_into_the_graph(file: Path) -> None:
    header = read_header(file, sidecars=False)
    assert isinstance(header, Header)
    text = Lifter().lift(header, file_name=file.name).nquads()
    assert not re.search(re.escape(str(file.parent)), text)


# What must not leave the machine ----------------------------------------------------------------

#: Everything that is private in these files, by file and line.
PRIVATE = {
    ("headers/ir-metadata-docs-example.yml", "mail:"): MAIL,
    ("headers/paper-figures.yml", "mail:"): MAIL,
    ("headers/tirex-tracker-0.2.24.yml", "root:"): LOCAL_PATH,
    ("real/tira-headers/ir-metadata-with-script__metadata.yml", "path:"): LOCAL_PATH,
    ("real/trec-browser/trec28-deep-participants.md", "**Name:**"): MAIL,
}


def test_real_files_lose_what_is_private_and_nothing_else() -> None:
    found = {}
    for folder in ("headers", "real"):
        for file in sorted((SHARED / folder).rglob("*.*")):
            if file.suffix not in (".yml", ".yaml", ".md", ".json", ".jsonl", ".csv", ".txt"):
                continue
            for line in file.read_text("utf-8").splitlines():
                for what in redact_text(line)[1]:
                    words = [word for word in line.split() if word.endswith((":", ":**"))]
                    found[str(file.relative_to(SHARED)), words[-1]] = what
    assert found == PRIVATE


def test_headers_of_runs_have_nothing_private() -> None:
    for file in sorted((SHARED / "vaswani" / "runs").iterdir()):
        header = read_header(file)
        assert redact_header(header) == (header, ())
