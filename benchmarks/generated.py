"""Headers and runs to measure with: made up, the same on every machine, about 3 KB each.

``distinct`` gives every header components of its own, the worst case for a reader that
remembers what it has seen. ``archive`` repeats itself as archives do: a lab has its machines,
its code and its people, and makes many runs with a few methods.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

Variant = Literal["distinct", "archive"]

LABS: Final = 20
PLATFORMS: Final = 40
METHODS: Final = 500
COLLECTIONS: Final = 12
#: Where reproductions are asked for, every so many runs one reproduces an earlier run.
REPRODUCTION_EVERY: Final = 100

_FILES_IN_A_FOLDER: Final = 1000
_SEED: Final = 20261118

_WORDS: Final = (
    "retrieval of passages with learned sparse weights is compared to lexical ranking under a "
    "fixed budget for judging; we reproduce the pipeline on other collections, vary the depth of "
    "feedback and report where effects hold, shrink or vanish between topics"
).split()
_LIBRARIES: Final = (
    "numpy scipy pandas torch transformers faiss-cpu lightgbm scikit-learn ir-datasets tqdm"
).split()
_CPUS: Final = (
    "Intel(R) Xeon(R) Gold 6144 CPU @ 3.50GHz",
    "AMD EPYC 7742 64-Core Processor",
    "Intel(R) Core(TM) i9-10900K CPU @ 3.70GHz",
)
_GPUS: Final = ("NVIDIA RTX A6000", "NVIDIA A100-SXM4-40GB", "NVIDIA GeForce RTX 3090")
_STEMMERS: Final = ("PorterStemmer", "KrovetzStemmer", "Snowball", "none")
_TOKENIZERS: Final = (
    "org.apache.lucene.analysis.en.StandardTokenizer",
    "pt.tokenise.english",
    "bert-base-uncased",
)
_MEASURES: Final = ("map", "P_10", "ndcg_cut_10", "recip_rank", "bpref", "recall_1000")


@dataclass(frozen=True, slots=True)
class Run:
    """One generated run: its header as bare YAML, and the tag of its ranking."""

    number: int
    tag: str
    yaml: str

    @property
    def name(self) -> Path:
        """The file without its suffix, in folders that stay small enough to list."""
        folder, number = divmod(self.number, _FILES_IN_A_FOLDER)
        return Path(f"part-{folder:04d}", f"run-{number:04d}")

    def annotated(self, rows: int) -> str:
        """The run file, its header written as repro_eval writes it."""
        lines = [f"# {line} \n" for line in self.yaml.splitlines()]
        return "".join(
            ("# ir_metadata.start\n", *lines, "# ir_metadata.end\n", *self.ranking(rows))
        )

    def ranking(self, rows: int) -> Iterator[str]:
        """A ranking that no other run has: up to 100 documents for each topic."""
        for row in range(rows):
            topic, rank = row // 100 + 1, row % 100 + 1
            document = f"doc-{(self.number * 7919 + row * 104_729) % 10_000_019}"
            score = 30 - rank * 0.25 + self.number % 997 / 1e5
            yield f"{topic} Q0 {document} {rank} {score:.6f} {self.tag}\n"


def runs(
    count: int,
    variant: Variant,
    *,
    collections: int = COLLECTIONS,
    reproductions: bool = False,
) -> Iterator[Run]:
    """The runs numbered from 0; a longer sequence begins like a shorter one."""
    for number in range(count):
        lab, platform, method, data = _components(number, variant, collections)
        tag = tag_of(number, variant, collections)
        goal, actor = _research_goal(lab), _actor(lab)
        target = reproduced(number) if reproductions else None
        if target is not None:
            named = tag_of(target, variant, collections)
            goal = goal.replace(f"- bm25-lab{lab}\n", f"- {named}\n")
            actor = actor.replace("role: experimenter\n", "role: reproducer\n")
        parts = (
            f"schema-version: 0.1\nrun-version: 1.0\ntag: {tag}\n",
            _platform(platform),
            goal,
            _implementation(lab, number),
            _method(method),
            actor,
            _data(data),
        )
        yield Run(number, tag, "".join(parts))


def reproduced(number: int) -> int | None:
    """The earlier run that a run reproduces, where reproductions are asked for."""
    if number % REPRODUCTION_EVERY or not number:
        return None
    return _random("reproduced", number).randrange(number)


def _components(number: int, variant: Variant, collections: int) -> tuple[int, int, int, int]:
    """Lab, platform, method and data of a run."""
    if variant == "distinct":
        return number, number, number, number
    # A lab owns two of the machines and a share of the methods.
    lab, turn = number % LABS, number // LABS
    platform = lab + LABS * (turn % (PLATFORMS // LABS))
    method = lab + LABS * (turn % (METHODS // LABS))
    return lab, platform, method, turn // (METHODS // LABS) % collections


def tag_of(number: int, variant: Variant, collections: int = COLLECTIONS) -> str:
    """The tag of a run."""
    lab, _, method, data = _components(number, variant, collections)
    return f"lab{lab}-m{method}-c{data}-{number}"


def write_bare(folder: Path, made: Iterator[Run]) -> list[Path]:
    """The headers as YAML files."""
    return [_write(folder / run.name.with_suffix(".yaml"), run.yaml) for run in made]


def write_annotated(folder: Path, made: Iterator[Run], *, rows: int) -> list[Path]:
    """The runs as files with a header in comments above the ranking."""
    return [_write(folder / run.name.with_suffix(".txt"), run.annotated(rows)) for run in made]


def _write(path: Path, text: str) -> Path:
    if not path.parent.is_dir():
        path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return path


# The components, each a function of its number alone --------------------------------------


def _random(kind: str, number: int) -> random.Random:
    return random.Random(f"{_SEED} {kind} {number}")


def _digits(dice: random.Random, count: int) -> str:
    return f"{dice.getrandbits(4 * count):0{count}x}"


def _sentence(dice: random.Random, words: int) -> str:
    return " ".join(dice.choice(_WORDS) for _ in range(words)).capitalize() + "."


@lru_cache(maxsize=1024)
def _platform(number: int) -> str:
    dice = _random("platform", number)
    pins = "".join(
        f"      - {name}=={dice.randrange(1, 9)}.{dice.randrange(30)}.{dice.randrange(10)}\n"
        for name in _LIBRARIES
    )
    return f"""\
platform:
  hardware:
    cpu:
      model: {dice.choice(_CPUS)}
      architecture: x86_64
      operation mode: 64-bit
      number of cores: {dice.choice((4, 8, 16, 32, 64, 128))}
    gpu:
      model: {dice.choice(_GPUS)}
      memory: {dice.choice((24, 40, 48, 80))} GB
      number of cores: {dice.choice((6912, 10496, 10752))}
    ram: {dice.choice((32, 64, 128, 256, 512))} GB
  operating system:
    kernel: GNU/Linux {dice.randrange(4, 7)}.{dice.randrange(20)}.0-{number}-generic
    distribution: Ubuntu {dice.choice(("18.04.5", "20.04.6", "22.04.3", "24.04"))} LTS
  software:
    libraries:
      python:
{pins}      java:
      - lucene=={dice.randrange(7, 11)}.{dice.randrange(10)}
    retrieval toolkit:
    - anserini==0.{dice.randrange(10, 40)}.{dice.randrange(5)}
"""


@lru_cache(maxsize=1024)
def _research_goal(number: int) -> str:
    dice = _random("goal", number)
    measures = "".join(f"    - {name}\n" for name in dice.sample(_MEASURES, 3))
    return f"""\
research goal:
  venue:
    name: {dice.choice(("SIGIR", "ECIR", "CIKM", "TREC", "CLEF"))}
    year: {dice.randrange(2012, 2027)}
  publication:
    dblp: https://dblp.org/rec/conf/ir/Author{number}
    doi: https://doi.org/10.1145/{3_000_000 + number}.{dice.randrange(10_000, 99_999)}
    arxiv: https://arxiv.org/abs/{dice.randrange(1901, 1913)}.{number % 100_000:05d}
    abstract: {_sentence(dice, 40)}
  evaluation:
    reported measures:
{measures}    baseline:
    - bm25-lab{number}
    significance test:
    - name: t-test
      correction method: bonferroni
"""


def _implementation(number: int, run: int) -> str:
    dice = _random("implementation", number)
    name = f"lab{number}/{dice.choice(('ranking', 'pipelines', 'trec-runs'))}"
    return f"""\
implementation:
  executable:
    cmd: python src/rank.py --config configs/run-{run}.json --threads 8 --output runs/run-{run}.txt
  source:
    lang:
    - Java
    - Python
    repository: https://github.com/{name}
    commit: {_digits(dice, 7)}
"""


@lru_cache(maxsize=1024)
def _method(number: int) -> str:
    dice = _random("method", number)
    # Two numbers that no other method has together, as in the sweep of a parameter.
    b, k1 = number % 100 / 100, 0.5 + number // 100 / 100
    return f"""\
method:
  automatic: true
  score ties: reverse alphabetical order
  indexing:
    tokenizer: {dice.choice(_TOKENIZERS)}
    stemmer: {dice.choice(_STEMMERS)}
    stopwords: org.apache.lucene.analysis.standard.StandardAnalyzer.STOP_WORDS_SET
  retrieval:
  - name: bm25
    method: org.apache.lucene.search.similarities.BM25Similarity
    b: {b:g}
    k1: {k1:g}
  - name: feedback
    method: org.apache.lucene.search.similarities.RM3
    fbDocs: {dice.randrange(5, 25)}
    fbTerms: {dice.randrange(10, 60)}
    originalQueryWeight: {dice.randrange(1, 10) / 10}
    reranks: bm25
  - name: cross-encoder
    method: castorini/monot5-{dice.choice(("small", "base", "large"))}-msmarco
    rerankCutoff: {dice.choice((20, 50, 100, 1000))}
    reranks: feedback
  - name: interpolation
    weight: {dice.randrange(1, 10) / 10}
    interpolates:
    - feedback
    - cross-encoder
"""


@lru_cache(maxsize=1024)
def _actor(number: int) -> str:
    dice = _random("actor", number)
    return f"""\
actor:
  name: {dice.choice(("Ada", "Grace", "Karen", "Cyril", "Gerard"))} Searcher {number}
  orcid: {_orcid(number)}
  team: lab{number}
  fields:
  - information retrieval
  - {dice.choice(("nlp", "databases", "data analytics", "digital libraries"))}
  mail: searcher{number}@lab{number}.example.org
  role: {dice.choice(("experimenter", "reproducer"))}
  degree: Ph.D.
"""


def _orcid(number: int) -> str:
    """An ORCID with a correct check digit (ISO 7064 MOD 11-2)."""
    digits = f"{100_000_000 + number:015d}"
    total = 0
    for digit in digits:
        total = (total + int(digit)) * 2
    check = (12 - total % 11) % 11
    text = digits + ("X" if check == 10 else str(check))
    return "-".join(text[start : start + 4] for start in range(0, 16, 4))


@lru_cache(maxsize=1024)
def _data(number: int) -> str:
    return f"""\
data:
  test collection:
    name: Collection {number}
    source: https://collections.example.org/{number}/
    qrels: https://collections.example.org/{number}/qrels.txt
    topics: https://collections.example.org/{number}/topics.xml
    ir_datasets: https://ir-datasets.com/collection-{number}
  training data:
  - name: TREC disks 4 and 5
    source: https://trec.nist.gov/data/cd45/index.html
    qrels: https://trec.nist.gov/data/robust/qrels.robust2004.txt
    topics: https://trec.nist.gov/data/robust/04.testset.gz
    ir_datasets: https://ir-datasets.com/trec-robust04
"""
