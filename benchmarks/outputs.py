"""Record what commands and library calls print, and compare two recordings.

    python benchmarks/outputs.py record before.json.gz [--only NAME ...] [--data ../shared/data]
    python benchmarks/outputs.py compare before.json.gz after.json.gz [--all]

Layouts of JSON and CSV, keys and predicates may change; figures may not. So a figure is recorded
with the set of words around it and without its place, and RDF as a set of statements. The jobs are
in `outputs.yaml`; they are matched by name, so that their command lines may change, too.
"""

from __future__ import annotations

import argparse
import csv
import enum
import fnmatch
import gzip
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

import primad_ld

ROOT: Final = Path(__file__).resolve().parents[1]
TABLE: Final = Path(__file__).resolve().with_suffix(".yaml")
#: Changed when recordings made before can no longer be compared.
_VERSION: Final = 1
#: Settings of the machine that would change the output.
_ENVIRONMENT: Final = {
    "COLUMNS": "160",
    "LC_ALL": "C.UTF-8",
    "NO_COLOR": "1",
    "PYTHONUTF8": "1",
    "SOURCE_DATE_EPOCH": "1767225600",
    "TERM": "dumb",
}
_INSTALLED: Final = re.compile(
    r"""((?:primad-ld|pytrec_eval-terrier|ir_measures)[ /@]v?|primad-ld/software/|softwareVersion ")"""
    r"\d+(\.\d+)+"
)

#: Lines about progress, which slow machines print.
_PROGRESS: Final = re.compile(r"^\w+: [\d,]+( of [\d,]+)?$", re.MULTILINE)


class UsageError(Exception):
    """The command line asks for something that cannot be done."""


# Jobs


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """A command or a library call, and the files that it leaves to be read."""

    name: str
    #: A command of primad-ld, or the name of a function in `CALLS`.
    command: str = ""
    call: str = ""
    #: Globs of files that it writes into the folder of the recording.
    reads: Sequence[str] = ()
    #: The form of standard output; the value of --format or --to if left out.
    form: str = ""
    #: Files that are written first, by name.
    files: Mapping[str, str] = field(default_factory=dict)
    #: Jobs whose files or archives it uses.
    needs: Sequence[str] = ()

    def arguments(self, places: Mapping[str, Path]) -> list[str]:
        """The command line."""
        if self.call:
            return [sys.executable, __file__, "call", self.call, *map(str, places.values())]
        command = self.command
        # Not str.format: measures such as nDCG(gains={1:1}) have braces of their own.
        for name, place in places.items():
            command = command.replace(f"{{{name}}}", shlex.quote(str(place)))
        return [sys.executable, "-m", "primad_ld", *shlex.split(command)]

    @property
    def stdout_form(self) -> str:
        """The form of standard output."""
        options = dict(pairwise(shlex.split(self.command)))
        named = [options[name] for name in ("--format", "--to") if name in options]
        return self.form or ("json" if self.call else "".join(named[:1]))


def read_jobs() -> list[Job]:
    """The table of jobs, in order."""
    return [Job(**entry) for entry in yaml.safe_load(TABLE.read_text(encoding="utf-8"))]


def choose_jobs(jobs: Sequence[Job], patterns: Sequence[str]) -> list[Job]:
    """The jobs that patterns name and those that they need; all jobs without patterns."""
    unknown = [one for one in patterns if not fnmatch.filter([job.name for job in jobs], one)]
    if unknown:
        raise UsageError(f"no job is named {unknown[0]}; {TABLE.name} lists the jobs")
    names = {job.name for job in jobs if any(fnmatch.fnmatch(job.name, one) for one in patterns)}
    # A job stands after those that it needs.
    for job in reversed(jobs):
        names.update(job.needs if job.name in names else ())
    return [job for job in jobs if job.name in names or not patterns]


# Facts


class Fact(NamedTuple):
    """A value and the words around it: keys on the way to it, and short texts beside it."""

    value: str
    words: frozenset[str]


#: Keys and columns whose numbers are names.
_IDENTIFIERS: Final = frozenset({"topic", "query", "query_id", "qid"})
#: A dictionary with more short texts than this is a list of values, which identify nothing.
_MOST_NAMES: Final = 20
#: Without leading zeros: 0123456 is a commit.
_NUMBER: Final = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
_CONSTANTS: Final = {"": None, "true": True, "false": False}


def facts_of(node: Any, words: frozenset[str] = frozenset()) -> Iterator[Fact | str]:
    """The leaves of a value of JSON; a sentence is not a fact and stays a text."""
    if isinstance(node, Mapping):
        names = {key: str(item) for key, item in node.items() if _is_name(key, item)}
        names = names if len(names) <= _MOST_NAMES else {}
        for key, item in node.items():
            beside = {name for other, name in names.items() if other != key}
            yield from facts_of(item, words | beside | {str(key)})
    elif isinstance(node, list):
        for item in node:
            yield from facts_of(item, words)
    elif isinstance(node, str) and re.search(r"\s", node):
        yield node
    elif isinstance(node, float):
        yield Fact(f"{node:.10g}", words)
    else:
        yield Fact(json.dumps(node, ensure_ascii=False), words)


def _is_name(key: str, item: object) -> bool:
    if isinstance(item, str):
        return 0 < len(item) <= 100 and not re.search(r"\s", item)
    return key in _IDENTIFIERS and type(item) is int


def rows_of(text: str, delimiter: str) -> list[dict[str, Any]]:
    """The rows of a table with a head."""
    head, *rows = csv.reader(io.StringIO(text), delimiter=delimiter)
    if len(set(head)) < len(head):
        raise ValueError("two columns have one name")
    return [dict(zip(head, map(_cell, row), strict=True)) for row in rows]


def _cell(text: str) -> Any:
    if _NUMBER.fullmatch(text):
        return float(text) if re.search(r"[.eE]", text) else int(text)
    return _CONSTANTS.get(text, text)


@dataclass(kw_only=True, slots=True)
class Output:
    """Exit code, facts, statements of RDF and lines for people of one job."""

    exit_code: int = 0
    facts: Counter[Fact] = field(default_factory=Counter)
    statements: set[str] = field(default_factory=set)
    messages: Counter[str] = field(default_factory=Counter)

    def add(self, text: str, form: str) -> None:
        """Add a file; one that is not in its form is read as lines."""
        try:
            FORMS.get(form, Output.add_lines)(self, text)
        except (ValueError, SyntaxError, yaml.YAMLError) as error:
            self.add_lines(f"{_UNREAD} {form}: {error}\n{text}" if text.strip() else "")

    def add_lines(self, text: str) -> None:
        """Add lines without the box that some errors stand in."""
        lines = (" ".join(line.strip("╭╮╰╯│─ ").split()) for line in text.splitlines())
        self.messages.update(line for line in lines if line)

    def add_json(self, node: Any) -> None:
        """Add a value of JSON."""
        for fact in facts_of(node):
            if isinstance(fact, str):
                self.add_lines(fact)
            else:
                self.facts[fact] += 1

    def add_rdf(self, text: str, form: str) -> None:
        """Add statements, with names of blank nodes that depend on what they say only."""
        import pyoxigraph

        parsed = pyoxigraph.parse(text, pyoxigraph.RdfFormat.from_extension(form))
        quads = pyoxigraph.Dataset(parsed)
        quads.canonicalize(pyoxigraph.CanonicalizationAlgorithm.RDFC_1_0)
        self.statements.update(map(str, quads))


#: The first line of a file that is not in its form.
_UNREAD: Final = "recorded as lines, not as"

FORMS: Final[Mapping[str, Callable[[Output, str], None]]] = {
    "json": lambda output, text: output.add_json(json.loads(text)),
    "sarif": lambda output, text: output.add_json(json.loads(text)),
    # Scalars as they are written: `no` stays `no`.
    "yaml": lambda output, text: output.add_json(yaml.load(text, yaml.BaseLoader)),
    "csv": lambda output, text: output.add_json(rows_of(text, ",")),
    "tsv": lambda output, text: output.add_json(rows_of(text, "\t")),
    "nq": lambda output, text: output.add_rdf(text, "nq"),
    "nt": lambda output, text: output.add_rdf(text, "nt"),
    "ttl": lambda output, text: output.add_rdf(text, "ttl"),
    "turtle": lambda output, text: output.add_rdf(text, "ttl"),
    "trig": lambda output, text: output.add_rdf(text, "trig"),
    "jsonld": lambda output, text: output.add_rdf(text, "jsonld"),
    "svg": lambda output, text: output.add_lines(
        "\n".join(re.findall(r"<text\b[^>]*>([^<]*)</text>", text))
    ),
}


# Recording


def record(jobs: Sequence[Job], data: Path) -> dict[str, Output]:
    """Run the jobs in a temporary folder, and read their outputs."""
    places = {"data": data.resolve(), "examples": ROOT / "examples"}
    outputs = {}
    with tempfile.TemporaryDirectory() as scratch:
        for number, job in enumerate(jobs, 1):
            begin = time.perf_counter()
            outputs[job.name] = run_job(job, Path(scratch).resolve(), places)
            seconds = time.perf_counter() - begin
            print(f"{number}/{len(jobs)} {job.name} {seconds:.1f} s", file=sys.stderr, flush=True)
    return outputs


def run_job(job: Job, folder: Path, places: Mapping[str, Path]) -> Output:
    """Run one job."""
    for name, content in job.files.items():
        (folder / name).write_text(content, encoding="utf-8")
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("PRIMAD_LD")}
    done = subprocess.run(
        job.arguments(places),
        cwd=folder,
        env=inherited | _ENVIRONMENT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    output = Output(exit_code=done.returncode)
    output.add(_portable(done.stdout, folder, places), job.stdout_form)
    output.add_lines(_PROGRESS.sub("", _portable(done.stderr, folder, places)))
    for pattern in job.reads:
        paths = sorted(folder.glob(pattern))
        output.add_lines("" if paths else f"no file {pattern}")
        for path in paths:
            text = _portable(path.read_text(encoding="utf-8"), folder, places)
            output.add(text, path.suffix.removeprefix("."))
    return output


def _portable(text: str, folder: Path, places: Mapping[str, Path]) -> str:
    """Without paths of the machine and versions of installed packages."""
    for name, place in places.items():
        text = text.replace(str(place), name.upper())
    text = text.replace(f"{folder}/", "").replace(str(folder), "FOLDER")
    # No <…>: it may stand within an IRI.
    return _INSTALLED.sub(r"\1VERSION", text)


def write_recording(path: Path, outputs: Mapping[str, Output], only: Sequence[str] = ()) -> None:
    """Write one file, with the same bytes for the same outputs."""
    jobs = {
        name: {
            "exit": one.exit_code,
            "facts": sorted([fact.value, sorted(fact.words), n] for fact, n in one.facts.items()),
            "statements": sorted(one.statements),
            "messages": sorted(one.messages.items()),
        }
        for name, one in outputs.items()
    }
    document = {"version": _VERSION, "only": list(only), "jobs": jobs}
    # With neither a time nor the name of the file.
    path.write_bytes(gzip.compress(json.dumps(document, ensure_ascii=False).encode(), mtime=0))


def read_recording(path: Path) -> tuple[dict[str, Output], bool]:
    """The outputs in a file, and whether they are those of some jobs only."""
    try:
        document = json.loads(gzip.decompress(path.read_bytes()))
        if document["version"] != _VERSION:
            raise UsageError(f"{path}: recorded in an old form; record it again")
        outputs = {
            name: Output(
                exit_code=job["exit"],
                facts=Counter(
                    {Fact(value, frozenset(words)): n for value, words, n in job["facts"]}
                ),
                statements=set(job["statements"]),
                messages=Counter(dict(job["messages"])),
            )
            for name, job in document["jobs"].items()
        }
    except (OSError, EOFError, ValueError, KeyError, TypeError, zlib.error) as error:
        raise UsageError(f"{path}: not a recording ({error}); use `record` to make one") from error
    return outputs, bool(document["only"])


# Library calls


def plain(value: Any) -> Any:
    """Records as dictionaries, and anything that has a text of its own as that text."""
    if isinstance(value, enum.Enum):
        return plain(value.value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if hasattr(value, "_asdict"):
        return plain(value._asdict())
    if is_dataclass(value) and type(value).__str__ is object.__str__:
        return {part.name: plain(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, Iterable):
        return [plain(item) for item in value]
    return type(value).__name__ if callable(value) else str(value)


def _runs(data: Path, *names: str) -> list[Path]:
    folder = data / "vaswani" / "runs"
    return [folder / f"{name}.txt.gz" for name in names] or sorted(folder.iterdir())


def _headers(data: Path) -> dict[str, Any]:
    paths = [*(data / "headers").iterdir(), *(data / "real" / "longeval-code").glob("*.yml")]
    every = sorted(paths) + _runs(data)
    return {path.name: primad_ld.read_header(path, sidecars=False) for path in every}


def _evaluation(data: Path, **options: Any) -> Any:
    qrels = data / "vaswani" / "qrels.all.txt"
    return primad_ld.EvaluationOptions(qrels=qrels, on=("map", "P_10"), **options)


def _comparisons(data: Path, _: Path) -> Any:
    headers = _headers(data)
    compare_with = headers["npl-bm25.txt.gz"]
    pairs = {name: primad_ld.compare_headers(compare_with, headers[name]) for name in headers}
    return {
        name: {"type": pair.by_key, "strict": pair.strict, "decisions": pair.decisions}
        for name, pair in pairs.items()
    }


def _scores(data: Path, _: Path) -> Any:
    judgements = primad_ld.read_judgements(data / "trec-covid" / "qrels-rnd1.txt")
    scorer = primad_ld.Scorer(judgements, ["map", "P_5", "ndcg_cut_10"])
    runs = map(primad_ld.read_rankings, sorted((data / "trec-covid").glob("*.gz")))
    return {
        scores.name: {key: dict(zip(scores.topics, row, strict=True)) | {"mean": scores.mean(key)}}
        for scores in map(scorer.score, runs)
        for key, row in scores.values.items()
    }


def _search(data: Path, _: Path) -> Any:
    with primad_ld.look_up(_runs(data, "npl-prf")[0], _runs(data)) as lookup:
        types = primad_ld.compare_to_all(lookup.engine, lookup.run)
        return [primad_ld.find_baselines(lookup.engine, lookup.run), types.counts()]


def _kernels(data: Path, _: Path) -> Any:
    measures = [name for name, one in primad_ld.all_measures().items() if one.needs == "rankings"]
    options = primad_ld.EvaluationOptions(measures=measures, by_topic=True)
    return primad_ld.evaluate_against(*_runs(data, "npl-bm25", "second-bm25"), options)


def _precisions(data: Path, examples: Path) -> Any:
    paths = [*sorted((data / "qra").glob("qra_*.yaml")), examples / "qra" / "nts.yaml"]
    tables = [primad_ld.read_measurements(path) for path in paths]
    options = [primad_ld.PrecisionOptions(variant=variant) for variant in ("2022", "2026")]
    return [primad_ld.assess_measurements(table, one) for table in tables for one in options]


def _validation(data: Path, _: Path) -> Any:
    folders = [data / "headers", data / "real" / "tira-headers"]
    options = {
        profile: primad_ld.ValidationOptions(profiles=profile) for profile in ("core", "strict")
    }
    return {profile: primad_ld.validate(folders, one) for profile, one in options.items()}


#: Each gets the folders of data and of examples, and returns something that `plain` takes.
CALLS: Final[Mapping[str, Callable[[Path, Path], Any]]] = {
    "headers": lambda data, _: {
        name: yaml.load(primad_ld.dump_header(header), yaml.BaseLoader)
        for name, header in _headers(data).items()
    },
    "lift-and-lower": lambda data, _: {
        name: primad_ld.lower(primad_ld.lift(header)) == [header]
        for name, header in _headers(data).items()
    },
    "compare-headers": _comparisons,
    "rankings": lambda data, _: {
        run.tag: {"digest": run.digest} | {key: len(row) for key, row in run.documents.items()}
        for run in (primad_ld.read_rankings(path, with_digest=True) for path in _runs(data))
    },
    "scorer": _scores,
    "search": _search,
    "kernels": _kernels,
    "evaluate-against": lambda data, _: primad_ld.evaluate_against(
        _runs(data, "npl-bm25")[0], _runs(data, "npl-prf", "repro-dph"), _evaluation(data)
    ),
    "evaluate-study": lambda data, _: primad_ld.evaluate_study(
        *_runs(data, "npl-bm25", "npl-prf", "second-bm25", "second-prf"), _evaluation(data)
    ),
    "precision": lambda data, _: [
        primad_ld.precision_of(values, minimum=minimum, variant=variant)
        for values in ([91, 96.75], [5.64, 6.3], [84.5, 85.6, 86.2, 82.78], [1, 1, 1])
        for minimum in (0, 1)
        for variant in ("2022", "2026")
    ],
    "assess-measurements": _precisions,
    "validate": _validation,
    "measures": lambda data, _: primad_ld.all_measures(),
    "track": lambda _, examples: primad_ld.read_track(examples / "replication" / "garden.yaml"),
    "check-nanopubs": lambda data, _: {
        f"{path.parent.name}/{path.name}": primad_ld.check_nanopub(path).state
        for path in sorted((data / "nanopub-testsuite").glob("*valid/*/*.trig"))
    },
}


# Comparing facts


class Renaming(NamedTuple):
    """Words that a value lost, and words that it got."""

    dropped: frozenset[str]
    added: frozenset[str]

    def __str__(self) -> str:
        return f"{_listed(self.dropped)} -> {_listed(self.added)}"

    def of(self, fact: Fact) -> Fact | None:
        """The fact with other words, if it has those that are dropped."""
        words = (fact.words - self.dropped) | self.added
        return Fact(fact.value, words) if self.dropped <= fact.words else None


@dataclass(kw_only=True, slots=True)
class Difference:
    """Old facts matched with new ones."""

    same: int = 0
    renamed: Counter[Renaming] = field(default_factory=Counter)
    #: The old and the new fact.
    changed: list[tuple[Fact, Fact]] = field(default_factory=list)
    lost: list[Fact] = field(default_factory=list)
    new: int = 0


#: Bounds that keep the comparison of 100,000 facts a matter of seconds.
_MOST_CANDIDATES: Final = 200
_MOST_SAMPLES: Final = 2000
_MOST_RENAMINGS: Final = 50


class Unmatched:
    """New facts without a partner, with an index by value and word and one by words."""

    def __init__(self, facts: Counter[Fact]) -> None:
        self.left = Counter(facts)
        # Dictionaries without values are sets that keep their order.
        self.by_word: dict[tuple[str, str], dict[Fact, None]] = defaultdict(dict)
        self.by_words: dict[frozenset[str], dict[Fact, None]] = defaultdict(dict)
        for fact in sorted(facts, key=_in_order):
            self.by_words[fact.words][fact] = None
            for word in fact.words:
                self.by_word[fact.value, word][fact] = None

    def take(self, fact: Fact) -> None:
        """Remove a fact that has a partner."""
        self.left[fact] -= 1
        if not self.left[fact]:
            del self.left[fact], self.by_words[fact.words][fact]
            for word in fact.words:
                del self.by_word[fact.value, word][fact]

    def same(self, fact: Fact | None) -> Fact | None:
        """The same fact."""
        return fact if fact and self.left[fact] else None

    def with_words_of(self, fact: Fact | None) -> Fact | None:
        """One with the same words and any value."""
        return next(iter(self.by_words.get(fact.words, ())), None) if fact else None

    def nearest(self, fact: Fact) -> Fact | None:
        """One with the same value that has most words in common, of those with a rare one."""
        sets = [self.by_word.get((fact.value, word), {}) for word in sorted(fact.words)]
        candidates: dict[Fact, None] = {}
        for facts in sorted(sets, key=len):
            if len(candidates) < _MOST_CANDIDATES:
                candidates.update(islice(facts.items(), _MOST_CANDIDATES))
        return max(candidates, key=lambda one: -len(one.words ^ fact.words), default=None)


def _in_order(fact: Fact) -> tuple[str, list[str]]:
    return fact.value, sorted(fact.words)


def compare_facts(
    before: Counter[Fact], after: Counter[Fact], *, values_change: bool = True
) -> Difference:
    """Match old and new facts one to one.

    Other values of the same words come first: two values that changed places are two changes and
    not two renamings. For the same reason, they come first for each renaming of several facts.
    """
    difference = Difference(same=(before & after).total())
    new = Unmatched(after - before)
    old = sorted((before - after).elements(), key=_in_order)

    def match(partner: Callable[[Fact], Fact | None]) -> list[Fact]:
        return [fact for fact in old if not _pair(fact, partner(fact), new, difference)]

    if values_change:
        old = match(new.with_words_of)
    for renaming in _frequent_renamings(old, new):
        old = match(lambda fact, by=renaming: new.same(by.of(fact)))
        if values_change:
            old = match(lambda fact, by=renaming: new.with_words_of(by.of(fact)))
    old = match(new.nearest)
    difference.lost = match(_only_one(old, new)) if values_change else old
    difference.new = new.left.total()
    return difference


def _pair(old: Fact, partner: Fact | None, new: Unmatched, difference: Difference) -> bool:
    if partner is None:
        return False
    new.take(partner)
    if partner.value == old.value:
        difference.renamed[_renaming(old, partner)] += 1
    else:
        difference.changed.append((old, partner))
    return True


def _renaming(old: Fact, new: Fact) -> Renaming:
    return Renaming(old.words - new.words, new.words - old.words)


def _frequent_renamings(old: Sequence[Fact], new: Unmatched) -> list[Renaming]:
    samples = old[:: len(old) // _MOST_SAMPLES + 1]
    pairs = [(fact, new.nearest(fact)) for fact in samples]
    counts = Counter(_renaming(fact, partner) for fact, partner in pairs if partner)
    frequent = sorted((one for one in counts if counts[one] > 1), key=str)
    return sorted(frequent, key=counts.__getitem__, reverse=True)[:_MOST_RENAMINGS]


def _only_one(old: Sequence[Fact], new: Unmatched) -> Callable[[Fact], Fact | None]:
    """Without a common word, only a value that both sides have once is the same figure."""
    olds = Counter(fact.value for fact in old)
    news = Counter(fact.value for fact in new.left.elements())
    facts = {fact.value: fact for fact in new.left}
    unique = {value for value in olds if olds[value] == news[value] == 1}
    unique -= {"null", "true", "false"}
    return lambda fact: facts[fact.value] if fact.value in unique else None


def statement_facts(statements: Iterable[str]) -> Counter[Fact]:
    """Statements as facts: a predicate is renamed where subject, object and graph stay."""
    terms = (statement.split(" ", 2) for statement in statements)
    return Counter(Fact(f"{one} {rest}", frozenset({"statement", by})) for one, by, rest in terms)


# Comparing recordings

#: Any of these makes the exit code 1.
_BAD: Final = (
    "exit codes changed",
    "jobs lost",
    "figures changed",
    "figures lost",
    "statements lost",
)
_MOST_LINES: Final = 12
_MOST_EXAMPLES: Final = 3


def _listed(words: Iterable[str]) -> str:
    return ", ".join(sorted(words)) or "(nothing)"


def _shown(fact: Fact, without: frozenset[str] = frozenset()) -> str:
    words = fact.words - without
    return f"{fact.value} ({_listed(words)})" if words else fact.value


def groups(facts: Sequence[Fact]) -> Iterator[list[Fact]]:
    """Facts with a common word, that of most facts first."""
    while facts:
        counts = Counter(word for fact in facts for word in fact.words)
        # A renaming of predicates concerns all statements; their predicate groups them.
        del counts["statement"]
        most = min(counts, key=lambda word: (-counts[word], word), default=None)
        yield [fact for fact in facts if most is None or most in fact.words]
        facts = [fact for fact in facts if most is not None and most not in fact.words]


@dataclass(kw_only=True, slots=True)
class Report:
    """Lines and counts of a comparison."""

    show_all: bool = False
    lines: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def exit_code(self) -> int:
        """1 where something changed or is lost."""
        return int(any(self.counts[name] for name in _BAD))

    def add(self, lines: Sequence[str], most: int = _MOST_LINES) -> None:
        """Add the first of the lines, and how many more there are."""
        shown = len(lines) if self.show_all else most
        self.lines += lines[:shown]
        if len(lines) > shown:
            self.lines.append(f"    … {len(lines) - shown:,} more; --all shows them")

    def add_job(self, name: str, old: Output, new: Output) -> None:
        """Add the differences of one job, below its name if there are any."""
        before = len(self.lines)
        self.lines.append(name)
        if old.exit_code != new.exit_code:
            self.counts["exit codes changed"] += 1
            self.add([f"  exit code: {old.exit_code} -> {new.exit_code}"])
        self.add_difference("figures", compare_facts(old.facts, new.facts))
        statements = [statement_facts(one.statements) for one in (old, new)]
        self.add_difference("statements", compare_facts(*statements, values_change=False))
        self.add_messages(old.messages, new.messages)
        if len(self.lines) == before + 1:
            self.lines.pop()
            self.counts["jobs with nothing to report"] += 1

    def add_difference(self, noun: str, difference: Difference) -> None:
        """Add the differences of figures or of statements."""
        self.counts[f"{noun} the same"] += difference.same
        self.counts[f"{noun} with changed keys"] += difference.renamed.total()
        self.counts[f"{noun} changed"] += len(difference.changed)
        self.counts[f"{noun} lost"] += len(difference.lost)
        self.counts[f"new {noun}"] += difference.new
        renamed = sorted(difference.renamed.items(), key=lambda item: (-item[1], str(item[0])))
        self.add([f"  changed keys: {count:,} {noun}: {renaming}" for renaming, count in renamed])
        pairs = [(_shown(new), old.value) for old, new in difference.changed]
        self.add([f"  other figure: {old} -> {new}" for new, old in pairs])
        for group in groups(difference.lost):
            common = frozenset.intersection(*(fact.words for fact in group))
            self.add([f"  lost: {len(group):,} {noun} with {_listed(common)}"])
            examples = [f"    {_shown(fact, without=common)}" for fact in group]
            self.add(examples, _MOST_EXAMPLES)

    def add_messages(self, old: Counter[str], new: Counter[str]) -> None:
        """Count lines for people, and list them where all is to be shown."""
        self.counts["messages lost"] += (old - new).total()
        self.counts["new messages"] += (new - old).total()
        if self.show_all:
            self.add([f"  - {line}" for line in sorted(old - new)])
            self.add([f"  + {line}" for line in sorted(new - old)])


def compare(
    before: Mapping[str, Output],
    after: Mapping[str, Output],
    *,
    show_all: bool = False,
    partly: bool = False,
) -> Report:
    """Compare job by job; ``partly`` where a recording is known to lack jobs."""
    report = Report(show_all=show_all)
    for name in before:
        if name in after:
            report.counts["jobs compared"] += 1
            report.add_job(name, before[name], after[name])
        elif not partly:
            report.counts["jobs lost"] += 1
            report.add([name, "  lost: the job"])
    report.counts["new jobs"] = 0 if partly else len(after.keys() - before.keys())
    summary = [f"{count:,} {name}" for name, count in report.counts.items() if count]
    report.add([", ".join(summary) or "nothing to compare"])
    return report


# The command line


def main(arguments: Sequence[str] | None = None) -> int:
    """Record or compare, and return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except UsageError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    commands = parser.add_subparsers(required=True, metavar="record|compare")
    command = commands.add_parser("record")
    command.add_argument("output", type=Path)
    command.add_argument("--only", nargs="+", default=[], metavar="NAME", help="* is any text")
    command.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    command.set_defaults(run=_record)
    command = commands.add_parser("compare")
    command.add_argument("before", type=Path)
    command.add_argument("after", type=Path)
    command.add_argument("--all", action="store_true", help="every line, and messages")
    command.set_defaults(run=_compare)
    command = commands.add_parser("call")
    command.add_argument("name", choices=CALLS)
    command.add_argument("places", type=Path, nargs=2)
    command.set_defaults(run=_call)
    return parser


def _record(options: argparse.Namespace) -> int:
    if not options.data.is_dir():
        raise UsageError(f"{options.data}: no such folder; use --data to name the reference data")
    if not options.output.absolute().parent.is_dir():
        raise UsageError(f"{options.output}: its folder does not exist; create it")
    outputs = record(choose_jobs(read_jobs(), options.only), options.data)
    write_recording(options.output, outputs, options.only)
    figures = sum(one.facts.total() for one in outputs.values())
    statements = sum(len(one.statements) for one in outputs.values())
    print(f"{len(outputs)} jobs, {figures:,} figures, {statements:,} statements", file=sys.stderr)
    for name, one in outputs.items():
        for line in one.messages:
            if line.startswith(_UNREAD):
                print(f"note: {name}: {line}", file=sys.stderr)
    return 0


def _compare(options: argparse.Namespace) -> int:
    (before, is_part), (after, is_other_part) = map(read_recording, (options.before, options.after))
    report = compare(before, after, show_all=options.all, partly=is_part or is_other_part)
    print(*report.lines, sep="\n")
    return report.exit_code


def _call(options: argparse.Namespace) -> int:
    print(json.dumps(plain(CALLS[options.name](*options.places))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
