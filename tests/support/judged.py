"""What the tests of validation share: a header without fault, and what is found in changed ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from primad_ld.header.sources import find_sources
from primad_ld.validation.findings_at_lines import FileReport
from primad_ld.validation.folders import ValidationOptions
from primad_ld.validation.profiles import load_profile
from primad_ld.validation.validation_report import validate
from primad_ld.validation.validator import Validator

#: Line, severity, field, code.
Found = tuple["int | None", str, str, str]

#: Nothing is wrong here, nothing doubtful, and nothing missing.
GOOD = """\
schema-version: 0.1
run-version: 1.0
tag: pond-mix
platform:
  hardware:
    cpu:
      model: AMD EPYC 7502P
      architecture: x86_64
      operation mode: 64-bit
      number of cores: 32
      threads per core: 2
      vendor id: AuthenticAMD
      byte order: Little Endian
      caches:
        l1d: 32 KiB
        l2: 512 KiB
      frequency max: 3350 MHz
    gpu:
      model: NVIDIA A40
      number of cores: 10752
      memory: 48 GB
    ram: 128 GB
  operating system:
    platform: Linux
    kernel: 6.1.0-25-amd64
    distribution: Debian GNU/Linux 12 (bookworm)
  software:
    libraries:
      python:
      - numpy==2.2.1
      - PyYAML==6.0.2
      java:
      - lucene==9.9
    retrieval toolkit:
    - anserini==0.3.0
research goal:
  description: Does feedback help frogs?
  venue:
    name: ECIR
    year: 2024
  publication:
    dblp: https://dblp.org/rec/conf/ecir/PondF24
    doi: https://doi.org/10.1007/978-3-030-15712-8_26
    arxiv: https://arxiv.org/abs/2010.13447
    url: https://example.org/pond.pdf
    abstract: We look into the pond.
  evaluation:
    reported measures:
    - map
    - ndcg
    - P_10
    baseline:
    - pond-bm25
    significance test:
    - name: t-test
      correction method: bonferroni
implementation:
  executable:
    cmd: python search.py --tag pond-mix
  source:
    lang:
    - Python
    - Java
    repository: https://example.org/pond/runs
    commit: 9548cd6e
    branch: main
    is repo: true
    uncommitted changes: 0
  python:
    interactive: false
    modules: 3.11.7
    packages:
    - scipy==1.14.1
method:
  name: pond
  description: BM25 with feedback.
  automatic: true
  score ties: alphabetical order
  indexing:
    tokenizer: words
    stemmer: Porter
    stopwords: none
  retrieval:
  - name: bm25
    method: search.bm25
    k1: 0.9
    b: 0.4
    lexical: yes
  - name: feedback
    method: search.rocchio
    fb docs: 10
    reranks: bm25
  - name: mix
    method: search.interpolate
    weight: 0.6
    interpolates:
    - feedback
    - bm25
  - name: all
    method: search.ensemble
    ensembles:
    - mix
    - feedback
  generation:
    llm: example-8b
    prompt: Answer from the passages.
    agents: true
actor:
- name: Ada Pond
  orcid: 0000-0002-0661-7189
  team: frogs
  fields:
  - ir
  mail: ada@example.org
  role: experimenter
  degree: Ph.D.
  github: https://github.com/ada-pond
- name: Ben Reed
  orcid: 0000-0002-1825-0097
  team: newts
  role: experimenter
data:
  test collection:
    name: Pond
    source: https://example.org/pond
    qrels: https://example.org/pond/qrels.txt
    topics: https://example.org/pond/topics.txt
    ir_datasets: pond/2024
  training data:
  - name: Lake
    qrels: https://example.org/lake/qrels.txt
  - name: Brook
    qrels: https://example.org/brook/qrels.txt
    folds:
    - fold1
    - fold2
  - name: Alder
    ir_datasets: alder/2020
  other:
  - name: Stop words
    source: https://example.org/stop
resources:
  runtime:
    start time: 2026-11-18T07:08:24.27+0100
    wallclock: 80 ms
  cpu:
    used process:
      avg: 50
    energy used system: 12.5 J
"""
RANKING = "1 Q0 d1 1 2.5 pond-mix\n1 Q0 d2 2 1.5 pond-mix\n"


def changed(*changes: tuple[str, str], text: str = GOOD) -> str:
    """The good header with some places rewritten, each of which must be there once."""
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    return text


def without(text: str, block: str) -> str:
    """A header without a block: its first line and whatever stands below and deeper."""
    lines = text.splitlines(keepends=True)
    (start,) = [at for at, line in enumerate(lines) if line.rstrip("\n") == block]
    indent = len(block) - len(block.lstrip())
    end = start + 1
    while end < len(lines):
        line = lines[end]
        deep = len(line) - len(line.lstrip())
        if deep < indent or (deep == indent and not line.lstrip().startswith("- ")):
            break
        end += 1
    return "".join(lines[:start] + lines[end:])


def as_run(header: str, ranking: str = RANKING) -> str:
    """A run with the header in its comments."""
    lines = "".join(f"# {line}".rstrip() + "\n" for line in header.splitlines())
    return f"# ir_metadata.start\n{lines}# ir_metadata.end\n{ranking}"


def reports(paths: Sequence[Path | str], **options: Any) -> list[FileReport]:
    """What is found in files that can all be read."""
    report = validate(paths, ValidationOptions(**options))
    assert [str(problem) for problem in report.problems] == []
    return list(report)


@cache
def validator(*profiles: str) -> Validator:
    """One for all tests: what it remembers must not change what it says."""
    return Validator(load_profile(*profiles))


def report(path: Path | str, *profiles: str) -> FileReport:
    """What is found in one file."""
    (source,) = find_sources([path])
    return validator(*profiles).judge_source(source).report


def found_in(report: FileReport, *severities: str) -> list[Found]:
    """The findings of some severities, or of all."""
    return [
        (one.line, one.remark.severity, one.remark.field, one.remark.code)
        for one in report.findings
        if not severities or one.remark.severity in severities
    ]


def line_of(text: str, marks: str | Iterable[str]) -> int:
    """The line in which a text stands; of several texts, the last one after the others.

    A line break in front of a text, or behind it, is where the line begins or ends.
    """
    lines = text.splitlines()
    at = -1
    for mark in [marks] if isinstance(marks, str) else marks:
        at = next(at for at in range(at + 1, len(lines)) if mark in f"\n{lines[at]}\n")
    return at + 1
