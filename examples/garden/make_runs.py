"""Build the runs of the garden example.

Ranks the documents for every topic and writes the rankings as TREC runs with ir_metadata headers.
Needs the standard library only, and every call writes the same files:

    python examples/garden/make_runs.py
"""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import retrieval as rt

HERE = Path(__file__).resolve().parent
DEPTH = 30


@dataclass(frozen=True)
class Method:
    """A retrieval method: a model and the stages as the header describes them."""

    model: Callable[[rt.Index, rt.Scores], rt.Scores]
    stages: str


BM25_STAGE = f"""
  - name: bm25
    method: {{module}}.bm25
    k1: {rt.K1}
    b: {rt.B}
    document length: characters"""
LIKELIHOOD_STAGE = f"""
  - name: query likelihood
    method: {{module}}.dirichlet
    mu: {rt.MU}
    document length: words"""
RERANK_FIELDS = f"""
    rerankCutoff: {rt.CUTOFF}
    reranks: bm25"""
FEEDBACK_STAGES = f"""
  - name: feedback
    method: {{module}}.rocchio
    fb docs: {rt.FB_DOCS}
    fb terms: {rt.FB_TERMS}
    fb weight: {rt.FB_WEIGHT}
    reranks: bm25
  - name: interpolation
    method: {{module}}.interpolate
    normalisation: min-max
    weight: WEIGHT
    interpolates:
    - feedback
    - bm25"""
LONGEVAL_FIELDS = """
    lexical: yes
    deep_neural_model: no
    sparse_neural_model: no
    dense_neural_model: no
    single_stage_retrieval: no"""


def feedback(weight: str) -> Method:
    """Make the method which interpolates feedback, with the given weight, and BM25."""

    def model(index: rt.Index, query: rt.Scores) -> rt.Scores:
        first = rt.bm25(index, query)
        second = rt.bm25(index, rt.expand(index, query, first))
        return rt.interpolate(second, first, float(weight))

    return Method(model, BM25_STAGE + FEEDBACK_STAGES.replace("WEIGHT", weight))


BASELINE = Method(rt.bm25, BM25_STAGE)
LIKELIHOOD = Method(rt.likelihood, LIKELIHOOD_STAGE)
RERANKER = Method(
    rt.rerank, BM25_STAGE + LONGEVAL_FIELDS + LIKELIHOOD_STAGE + RERANK_FIELDS + LONGEVAL_FIELDS
)


@dataclass(frozen=True)
class Team:
    """A team: how it analyses text, and the values it writes into every header."""

    analyzer: rt.Analyzer
    values: Mapping[str, str]


GREENHOUSE = Team(
    rt.LETTERS,
    {
        "team": "greenhouse", "role": "experimenter", "field": "information retrieval",
        "module": "rank", "commit": "7be41d2", "numpy": "2.1.3", "yaml": "6.0.2",
        "toolkit": "1.2.0", "cpu": "Intel(R) Core(TM) i7-10700 CPU @ 2.90GHz",
        "architecture": "x86_64", "cores": "8", "ram": "32 GB", "kernel": "6.8.0-45-generic",
        "distribution": "Ubuntu 24.04.1 LTS",
    },
)  # fmt: skip
SHED = Team(
    rt.HYPHENS,
    {
        "team": "potting-shed", "role": "reproducer", "field": "reproducibility",
        "module": "reproduce", "commit": "c05e9fa", "numpy": "1.26.4", "yaml": "6.0.1",
        "toolkit": "1.3.1", "cpu": "Apple M2", "architecture": "arm64", "cores": "8",
        "ram": "16 GB", "kernel": "Darwin 23.6.0", "distribution": "macOS 14.6.1",
    },
)  # fmt: skip
ORCHARD = Team(
    rt.UNSTEMMED,
    {
        "team": "orchard", "role": "experimenter", "field": "language models",
        "module": "search", "commit": "'0123456'", "numpy": "2.2.1", "yaml": "6.0.2",
        "toolkit": "1.3.1", "cpu": "AMD EPYC 7502P 32-Core Processor", "architecture": "x86_64",
        "cores": "32", "ram": "128 GB", "kernel": "6.1.0-25-amd64",
        "distribution": "Debian GNU/Linux 12 (bookworm)",
    },
)  # fmt: skip


@dataclass(frozen=True)
class Run:
    """One run: who made it, how, and the files below runs/ (without a sidecar, a header inside)."""

    tag: str
    team: Team
    method: Method
    baseline: str = ""
    path: str = "{tag}.txt"
    sidecar: str = ""
    template: str = "header"

    def header(self) -> str:
        """Fill the template of the header."""
        analyzer, values = self.team.analyzer, dict(self.team.values, tag=self.tag)
        values["tokenizer"], values["stemmer"] = analyzer.tokenizer, analyzer.stemmer
        values["stopwords"] = str(len(rt.STOPWORDS))
        values["stages"] = self.method.stages.format(**values)
        values["evaluation"] = EVALUATION.format(self.baseline) if self.baseline else ""
        template = HERE / "templates" / f"{self.template}.template"
        return template.read_text(encoding="utf-8").format(**values)

    def ranking(self, index: rt.Index, topics: Mapping[str, str]) -> str:
        """Rank the documents for all topics in the format of TREC."""
        lines = []
        for topic, text in topics.items():
            scores = self.method.model(index, index.query(text))
            for rank, doc in enumerate(rt.order(scores)[:DEPTH], start=1):
                lines.append(f"{topic} Q0 {doc} {rank} {scores[doc]:.{rt.DIGITS}f} {self.tag}\n")
        return "".join(lines)


EVALUATION = """
    baseline:
    - {}
    significance test:
    - name: t-test
      correction method: bonferroni"""

RUNS = [
    Run("greenhouse-bm25", GREENHOUSE, BASELINE),
    Run("greenhouse-feedback", GREENHOUSE, feedback("0.5"), "greenhouse-bm25"),
    Run("greenhouse-feedback-w03", GREENHOUSE, feedback("0.3"), "greenhouse-bm25"),
    Run("greenhouse-feedback-w06", GREENHOUSE, feedback("0.60"), "greenhouse-bm25"),
    Run("greenhouse-feedback-w09", GREENHOUSE, feedback("0.9"), "greenhouse-bm25", "{tag}.txt.gz"),
    Run("shed-bm25", SHED, BASELINE, "greenhouse-bm25", sidecar="shed-bm25.yaml"),
    Run("shed-feedback", SHED, feedback("0.5"), "greenhouse-feedback"),
    Run("orchard-likelihood", ORCHARD, LIKELIHOOD, "greenhouse-bm25"),
    Run(
        "orchard-rerank",
        ORCHARD,
        RERANKER,
        path="submission/test-2026/run.txt",
        sidecar="submission/ir-metadata.yml",
        template="submission",
    ),
]


def read_table(name: str) -> dict[str, str]:
    """Read a file of two columns."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    table = {}
    for line in lines:
        key, text = line.split("\t")
        table[key] = text
    return table


def as_comment(header: str) -> str:
    """Turn a header into the comment lines at the beginning of a run file."""
    lines = ["ir_metadata.start", *header.splitlines(), "ir_metadata.end"]
    return "".join(f"# {line}\n" for line in lines)


def write(path: Path, text: str) -> None:
    """Write a file, compressed without a time stamp if its name ends in .gz."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode("utf-8")
    if path.suffix == ".gz":
        buffer = io.BytesIO()
        with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0) as stream:
            stream.write(data)
        data = buffer.getvalue()
    path.write_bytes(data)


def main() -> None:
    """Write all runs."""
    documents, topics = read_table("documents.tsv"), read_table("topics.tsv")
    for run in RUNS:
        text = run.ranking(rt.Index(documents, run.team.analyzer), topics)
        if run.sidecar:
            write(HERE / "runs" / run.sidecar, run.header())
        else:
            text = as_comment(run.header()) + text
        write(HERE / "runs" / run.path.format(tag=run.tag), text)


if __name__ == "__main__":
    main()
