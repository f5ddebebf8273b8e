"""Names that headers, runs and reproduction files of the field mention, against the table of names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import yaml
from support import ROOT, reference_data

from primad_ld import read_header
from primad_ld.compare.folding import known_name
from primad_ld.schema.canonical import read_requirement

SHARED = reference_data()
REAL = SHARED / "real"
HEADERS = [
    *sorted(SHARED.glob("headers/*.y*ml")),
    *sorted(REAL.glob("longeval-code/*.yml")),
    # One has a key twice, and is refused.
    *sorted(set(REAL.glob("tira-headers/*.yml")) - {*REAL.glob("tira-headers/*script*")}),
    *sorted(SHARED.glob("vaswani/runs/*.txt.gz")),
    *sorted(ROOT.glob("examples/garden/runs/*.*")),
    *sorted(ROOT.glob("examples/garden/runs/submission/*.yml")),
]
#: Names that say what only their authors know, and names of families.
NOBODYS = {
    "models": {
        "Key Queries",  # an approach of one team
        "NumpyRetriever",  # how vectors are searched, not which
        "my-retrieval",
        "some-name",
    },
    "stopwords": {"own list of 43 words"},
    "tokenizers": {"[a-z]+", "[a-z]+(?:-[a-z]+)*"},
    "toolkits": {"garden-tools"},
}
#: The same in the files that say how results are reproduced.
LABELS = {
    "ql",  # without its smoothing; the parameters name it
    "bge",  # families; the encoder names the model
    "sbert",
    "bm25d2q",  # two in one
    "prf",  # a family; the parameters name the method
}
#: What names of conditions add to the model: tuning, fields, index and runtime.
_ADDED = re.compile(
    r"[.-](?:default|tuned|slim|flat|multifield|parquet|pytorch|onnx|faiss|lucene|hnsw|int8)\b"
)
_JOINED = re.compile(r"\+|-(?=(?:rm3|rocchio|avg-prf|d2q-t5|hyde|bm25)\b|bm25d2q)")
_ENCODER = re.compile(r"-encoder (\S+)")


def _named(fields: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Each kind of thing that a header names, with the texts of which one should be known."""
    platform, method = fields.get("platform") or {}, fields.get("method") or {}
    for toolkit in platform.get("software", {}).get("retrieval toolkit", []):
        yield "toolkits", [read_requirement(toolkit).name]
    yield "architectures", [platform.get("hardware", {}).get("cpu", {}).get("architecture")]
    release = platform.get("operating system", {}).get("distribution", "")
    yield "distributions", [re.split(r"[0-9(]", release)[0].strip()]
    indexing = method.get("indexing", {})
    yield "tokenizers", [indexing.get("tokenizer")]
    yield "stemmers", [indexing.get("stemmer")]
    yield "stopwords", [indexing.get("stopwords")]
    stages = method.get("retrieval", [])
    for stage in [stages] if isinstance(stages, dict) else stages:
        yield "models", [stage.get("name"), stage.get("method")]
    yield "models", [method.get("name")]


def _said(texts: Iterable[str | None]) -> list[str]:
    return [text for text in texts if text and text != "ENTER_VALUE_HERE"]


def test_names_in_headers() -> None:
    unknown: dict[str, set[str]] = {}
    for file in HEADERS:
        for kind, texts in _named(read_header(file).fields):
            said = _said(texts)
            if said and not any(known_name(kind, text) for text in said):
                unknown.setdefault(kind, set()).add(said[0])
    assert unknown == NOBODYS


def _conditions() -> Iterator[tuple[str, str]]:
    """The name of each condition that can be reproduced, and how."""
    for file in sorted([*REAL.glob("anserini/*.yaml"), *REAL.glob("pyserini/*.yaml")]):
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
        for one in content.get("models") or content["conditions"]:
            yield one["name"], one.get("params") or one["command"]


def test_names_in_files_of_reproductions() -> None:
    texts = {
        part
        for name, how in _conditions()
        for part in (*_JOINED.split(_ADDED.sub("", name)), *_ENCODER.findall(how))
    }
    card = yaml.safe_load((REAL / "ranxhub/ance.trec-dl-2019.runcard.yaml").read_text("utf-8"))
    texts.add(card["model"]["name"])
    assert {text for text in texts if known_name("models", text) is None} == LABELS


def _libraries() -> Iterator[str]:
    for line in (REAL / "longeval25-ir-metadata-overview.jsonl").read_text("utf-8").splitlines():
        yield from json.loads(line)["libs"]
    for file in HEADERS:
        fields = read_header(file).fields
        libraries = fields.get("platform", {}).get("software", {}).get("libraries", [])
        for several in libraries.values() if isinstance(libraries, dict) else [libraries]:
            yield from several
        yield from fields.get("implementation", {}).get("python", {}).get("packages", [])


def test_toolkits_among_libraries() -> None:
    names = {read_requirement(text).name for text in _libraries()}
    found = {name: known_name("toolkits", name) for name in names}
    # Among 170 names of libraries, plugins and tools for evaluation or tracking.
    assert {name: known for name, known in found.items() if known} == {
        "PyTerrier": "pyterrier",
        "Pyserini": "pyserini",
        "bm25_pt": "bm25_pt",
        "bm25s": "bm25s",
        "pyseismic-lsr": "seismic",
        "pyserini": "pyserini",
        "pyterrier": "pyterrier",
        "pyterrier_pisa": "pyterrier_pisa",
        "python-terrier": "pyterrier",
        "ragatouille": "ragatouille",
        "rank_bm25": "rank_bm25",
    }
