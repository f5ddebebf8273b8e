"""Options of commands: what a mode declares has an effect, and what has none is refused by name."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support import ROOT
from support.option_cases import (
    ASKED,
    Seen,
    command_of,
    every_command,
    modes_of,
    options_to_prove,
    parameters_of,
    run_in,
)

from primad_ld.cli.modes import BESIDE, MODES, _shown, always

GARDEN = ROOT / "examples" / "garden"
#: They have cases of their own, beside the other tests of these commands.
ELSEWHERE = ("nanopub ", "replication ")
_Option = str | tuple[str, str]


class Proof(NamedTuple):
    """A mode: a command line, and by parameter what is added to it or, after "=", replaces it.

    A pair is another command line to begin with, and what is added to that.
    """

    base: str
    options: dict[str, _Option]
    #: Names of data that a command changes, and so gets copies of.
    copies: tuple[str, ...] = ()
    #: A command that shows what the first has done.
    then: str = ""


# Data -------------------------------------------------------------------------------------


def _header(tag: str, *, stage: str, more: str = "", **names: str) -> str:
    said = {"team": "hedgehogs", "role": "experimenter", "baseline": "", "on": "Garden"} | names
    return (
        f"tag: {tag}\n"
        "platform: {software: {retrieval toolkit: [spade==1.0]}}\n"
        "research goal:\n"
        f"  venue: {{name: exercise, year: {said.get('year', '2024')}}}\n"
        f"  evaluation: {{reported measures: [map, P_10], baseline: [{said['baseline']}]}}\n"
        f"method: {{automatic: {said.get('automatic', 'true')}, retrieval: [{{name: {stage}}}]}}\n"
        f"actor: {{team: {said['team']}, role: {said['role']}}}\n"
        f"data: {{test collection: {{name: {said['on']}, qrels: {said['on'].lower()}.txt}}}}\n{more}"
    )


def _run(tag: str, topics: str, header: str = "") -> str:
    """A run; its first two documents are tied in single precision only."""
    above = "".join(f"# {line}\n" for line in header.splitlines())
    rows = [
        f"{topic} Q0 {name} {rank} {score} {tag}\n"
        for topic, names in enumerate(topics.split(","), 1)
        for rank, (name, score) in enumerate(
            zip(names, ("4.00000001", "4", "3", "2"), strict=False), 1
        )
    ]
    return (f"# ir_metadata.start\n{above}# ir_metadata.end\n" if header else "") + "".join(rows)


#: Tag, documents by topic, and what the header says.
RUNS: dict[str, tuple[str, dict[str, str]]] = {
    "base": ("abcd,cabd,abdc,cdab", {"stage": "bm25"}),
    "adv": ("abcd,acbd,abdc,acdb", {"stage": "rm3", "baseline": "base"}),
    "again": ("acbd,cabd,bacd", {"stage": "bm25", "role": "reproducer", "baseline": "base",
                                "team": "moles", "year": "2026"}),
    "again-adv": ("abcd,acbd,badc", {"stage": "rm3", "role": "reproducer", "baseline": "adv",
                                    "team": "moles", "year": "2026", "automatic": "false"}),
    "twin": ("dcba,dcba,abcd,abcd", {"stage": "rm4", "on": "Meadow", "team": "voles"}),
}  # fmt: skip


_GERMAN = """
@prefix primad: <https://w3id.org/primad-ld/ontology#> .
@prefix profile: <https://w3id.org/primad-ld/profiles/> .
@prefix s: <https://w3id.org/primad-ld/shapes#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix dct: <http://purl.org/dc/terms/> .
<urn:german> a primad:Profile ; dct:title "Deutsch"@de ; owl:imports profile:core .
s:missing-implementation sh:message "fehlt"@de .
"""


_TOOLKIT = "software: {retrieval toolkit: [spade==1.0]}"
_MACHINE = "hardware: {cpu: {model: X}}"


def _measurements(*values: float, where: str = "") -> str:
    rows = [
        f"- {{object: S, measurand: M, value: {value}, study: {study}, "
        f"conditions: {{seed: {study}{place}, script: same{place % 2}}}}}\n"
        for study in "AB"
        for place, value in enumerate(values)
    ]
    rows += [row.replace("object: S", "object: T").replace("value: ", "value: 1") for row in rows]
    return "measurements:\n" + "".join(rows) + where


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the data, in which each command gets a folder of its own."""
    folder = tmp_path_factory.mktemp("options")
    data = folder / "data"
    folders = "runs bare headers clean beside headed spelling mixed baselines advanced"
    for name in folders.split():
        (data / name).mkdir(parents=True)
    for tag, (topics, said) in RUNS.items():
        (data / "runs" / f"{tag}.txt").write_text(_run(tag, topics, _header(tag, **said)))
        (data / "bare" / f"{tag}.txt").write_text(_run(tag, topics))
        (data / "headers" / f"{tag}.yaml").write_text(_header(tag, **said))
    for tag in ("base", "again"):
        shutil.copy(data / "runs" / f"{tag}.txt", data / "clean" / f"{tag}.txt")
    shutil.copy(data / "runs" / "base.txt", data / "beside" / "base.txt")
    shutil.copy(data / "runs" / "base.txt", data / "mixed" / "base.txt")
    reproductions = {
        f"{folder}/{run}.txt": _run(
            run, topics, _header(run, stage=stage, role="reproducer", team="moles", year=year)
        )
        for folder, stage, topics in (
            ("baselines", "bm25", "acbd,cabd,bacd"),
            ("advanced", "rm3", "abcd,acbd,badc"),
        )
        for run, year in ((f"{folder}-1", "2024"), (f"{folder}-2", "2026"))
    }
    texts = reproductions | {
        "mixed/notes.md": "words",
        "beside/base.yaml": "implementation: {executable: {cmd: spade}}\n",
        "headed/third.txt": _run(
            "third",
            "dcba,dcab,cbad",
            _header("third", stage="bm25", role="reproducer", baseline="base", team="newts"),
        ),
        "headed/third-adv.txt": _run(
            "third-adv",
            "dacb,abcd,abcd",
            _header("third-adv", stage="rm3", role="reproducer", baseline="adv", team="newts"),
        ),
        "headed/solo.txt": _run(
            "solo",
            "dcab",
            _header("solo", stage="bm25", baseline="twin", on="Meadow", team="voles"),
        ),
        # The same by what identifies a method, and not the same by all that is said.
        "spelling/adv.yaml": _header("adv", stage="bm25").replace(
            _TOOLKIT, f"{_MACHINE}, {_TOOLKIT}"
        ),
        "spelling/base.yaml": _header("base", stage="bm25").replace(_TOOLKIT, _MACHINE),
        "meadow.txt": "".join(f"{t} 0 d 1\n{t} 0 c 2\n" for t in range(1, 5)),
        "german.ttl": _GERMAN,
        "values.csv": "System,Paper,Criterion,Score,Other\nS,A,M,1,4\nS,B,M,2,5\nS,C,M,4,7\n"
        "T,A,M,1,5\nT,B,M,2,5\nT,C,M,4,7\n",
        "others.csv": "item,rater,label\n"
        + "".join(f"i{n},{r},a\n" for n in range(4) for r in "xy"),
        "three.json": '{"3.1.1": "students", "3.2.1": "volunteers"}',
        "garden.txt": "".join(f"{t} 0 a 2\n{t} 0 b 1\n{t} 0 d 0\n" for t in range(1, 5)),
        "other.txt": "".join(f"{t} 0 c 2\n{t} 0 b 1\n" for t in range(1, 5)),
        "broken.txt": "1 0 a 2\n1 0 a 2\n2 0 a 1\n3 0 b 1\n",
        "twice.txt": "1 Q0 a 1 3 twice\n1 Q0 a 2 2 twice\n1 Q0 b 3 1 twice\n",
        "map.csv": "topic,one,two\n1,0.5,0.25\n2,0.75,0.5\n3,0.25,0.5\n",
        "scores.csv": "topic,one\n1,0.5\n2,0.75\n3,0.25\n",
        "long-scores.csv": "run,measure,topic,value\none,map,1,0.5\none,map,2,0.25\n",
        "better.csv": "topic,two\n1,0.5\n2,0.75\n3,0.5\n",
        "theirs.csv": "topic,two\n1,0.25\n2,0.5\n3,0.5\n",
        "wide.csv": "System,Kind,A,B,note\nS,x,80,82,7\nT,y,70,75,8\n",
        "long.csv": "System,Paper,Criterion,Score,Evaluators,Kind\n"
        + "".join(
            f"{system},{paper},{criterion},{value + len(system)},{paper}-lab,{criterion}k\n"
            for system in ("S", "TT")
            for paper, value in (("A", 4.0), ("B", 5.0))
            for criterion in ("Clarity", "Fluency")
        ),
        "ratings.csv": "item,unit,rater,who,label,what,group,lot,study,lab,object,thing,kind\n"
        + "".join(
            f"i{n},i{(n + m) % 6},{rater},{rater}{n // 3},{'abc'[(n * m) % 3]},{'ab'[n % 2]},"
            f"g{n % 2},g{n // 3},s{n % 2},s{n // 3},S,{'ST'[n // 3]},k{n % 2}\n"
            for n in range(6)
            for m, rater in enumerate("xyz")
        ),
        "lower.csv": "System,Paper,Criterion,Score\nS,A,C,1\nT,A,C,2\nU,A,C,4\n",
        "higher.yaml": "measurements:\n"
        + "".join(
            f"- {{object: {name}, measurand: C, value: {value}, study: B}}\n"
            for name, value in (("S", 3), ("T", 5), ("U", 6))
        ),
        "seeds.csv": "System,Paper,Criterion,Score,Run\n"
        + "".join(
            f"{system},{paper},C,{value},r{value}\n"
            for system in "ST"
            for paper, value in ("A1", "B2", "A3", "B4")
        ),
        "systems.csv": "item,rater,label,thing\n"
        + "".join(f"i{n},{r},{'ab'[n % 2]},{t}\n" for n in range(4) for r in "xyz" for t in "ST"),
        "unnamed.csv": "Model,Criterion,Score,Lab,Kind\nS,C,1,A,x\nS,C,2,B,x\nT,C,3,A,y\nT,C,5,B,y\n",
        "m.yaml": _measurements(80, 82.5),
        "n.yaml": _measurements(70, 71, 73),
        "one.json": '{"3.1.1": "students", "3.2.1": "paid"}',
        "two.json": '{"3.1.1": "crowd", "3.2.1": "paid"}',
        "study.yaml": "pairs:\n- {baseline: base, advanced: adv}\n",
        "study2.yaml": "pairs:\n- {baseline: base, advanced: again}\n",
        "slow.rq": "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }",
    }
    for name, text in texts.items():
        (data / name).write_text(text)
    here = Path.cwd()
    os.chdir(data)
    try:
        for line in (
            "score runs --qrels garden.txt --archive kept -q",
            "score runs/again.txt --qrels other.txt -m map --archive kept -q",
            "load headers/base.yaml headers/twin.yaml --archive small -q",
            "load spelling --archive spelt -q",
            "load runs headed --archive more -q",
            "load headers --archive less -q",
            "remove twin --archive less -q",
            "load headers/base.yaml --archive other --base https://example.org/a/ -q",
            f"score {GARDEN / 'runs'} --qrels {GARDEN / 'qrels.txt'} -m map,P_10 -a garden -q",
            "convert runs -o all.nq -q",
            "convert runs/base.txt -o base.nq -q",
            "evaluate runs/base.txt runs --qrels garden.txt --on map,P_10 -f json --per-topic "
            "-o found.json -q",
            "evaluate runs/adv.txt runs/again.txt --qrels garden.txt --on map -f json --per-topic "
            "-o more.json -q",
            "evaluate runs/base.txt runs/again.txt --qrels garden.txt --on map,P_10 -f json --per-topic "
            "-o pair.json -q",
            "evaluate runs/base.txt runs/adv.txt --qrels garden.txt --on map -f json --per-topic "
            "-o pair2.json -q",
            "evaluate runs --pairs --qrels garden.txt --on map,P_10 -f json -o effects.json -q",
            "evaluate runs headed --pairs --qrels garden.txt --on map -f json -o effects2.json -q",
            "evaluate runs --all-pairs --measure rbo -j 1 -f csv -o matrix2.json -q",
            "evaluate runs --all-pairs --qrels garden.txt --on map,P_10 --measure rbo,rmse -f json "
            "-j 1 -o matrix.json -q",
            "qra m.yaml -f json -o qra.json",
            "qra n.yaml -f json -o qra2.json",
        ):
            done = run_in(data, shlex.split(line))
            assert done.exit_code in (0, 2), done.remarks
        one, more = (
            json.loads((data / f"{name}.json").read_text())["results"] for name in ("pair", "more")
        )
        (data / "both.json").write_text(json.dumps({"results": one + more}))
        named = [{**row, "candidate": f"w{number}"} for number in (1, 9, 5) for row in one]
        (data / "numbered.json").write_text(json.dumps({"results": named}))
    finally:
        os.chdir(here)
    return folder


# Cases ------------------------------------------------------------------------------------

# "@" is the folder of the data.

_QRELS = "--qrels @garden.txt"
_TIED = "--measure rbo,ktu,rmse,t_test --on map"


def _evaluated(base: str, tables: tuple[str, str], **more: _Option) -> Proof:
    """What every evaluation of pairs declares; a command with tables, and what names theirs."""
    return Proof(
        f"{base} {_QRELS} {_TIED}",
        {
            "qrels": (f"{base} --measure rbo,rmse", _QRELS),
            "rep_qrels": "--rep-qrels @other.txt",
            "relevance_level": "--relevance-level 2",
            "only_retrieved": "--only-retrieved",
            "lenient": (f"{base} --qrels @broken.txt", "--lenient"),
            "measure": (f"{base} {_QRELS} --on map", "--measure rmse"),
            "on": (f"{base} {_QRELS} --measure rmse", "--on P_10"),
            "p": "--rbo-p 0.5",
            "depth": "--depth 2",
            "margin": (f"{base} {_QRELS} --measure rmse", "--margin 0.1"),
            "data": "--data other",
            "single_precision": "--single-precision",
            "format": "--format csv",
            "output": "-o out.txt",
            "correction": "--correction bonferroni",
            "per_topic": (f"{base} {_QRELS} {_TIED} -f json", "--per-topic"),
            "scores_of": tables,
            **more,
        },
    )


_IN_ARCHIVE = "evaluate --archive kept --reference base --runs-in @runs"
_OF_ARCHIVE = _evaluated(
    _IN_ARCHIVE,
    ("", ""),
    archive=(f"evaluate --archive small --reference base --runs-in @runs {_QRELS}", "= evaluate "
             f"--archive kept --reference base --runs-in @runs {_QRELS}"),
    in_archive=(f"{_IN_ARCHIVE} {_QRELS}", "= evaluate --archive kept --reference adv "
                f"--runs-in @runs {_QRELS}"),
    runs_in=(f"evaluate --archive kept --reference base --runs-in @runs/base.txt {_QRELS}",
             "--runs-in @runs/again.txt"),
    types="--type pR-mAd",
)  # fmt: skip
_FOUR = "evaluate --baseline {} --advanced {} --rep-baseline {} --rep-advanced {}"
_MANY = _FOUR.format("@runs/base.txt", "@runs/adv.txt", "@baselines", "@advanced")


def _four(*names: str) -> str:
    return _FOUR.format(*(f"@runs/{name}.txt" for name in names))


_COLUMNS = "--study Paper --conditions Evaluators"
_LONG = f"qra @long.csv {_COLUMNS}"


def _columns(more: str) -> dict[str, _Option]:
    """Options about the columns of a table, of measurements or of types of results."""
    return {
        "object": (f"qra @unnamed.csv --study Lab {more}", "--object Kind"),
        "measurand": (f"{_LONG} {more}", "--measurand Kind"),
        "value": (f"qra @values.csv --study Paper {more}", "--value Other"),
        "study": (f"qra @unnamed.csv --object Model {more}", "--study Lab"),
        "studies": (f"qra @wide.csv --measurand F1 --studies A,note {more}",
                    f"= qra @wide.csv --measurand F1 --studies A,B {more}"),
        "group": (f"{_LONG} {more}", "--group Kind"),
        "conditions": (f"qra @seeds.csv {more}", "--conditions Run"),
        "scale_min": (f"{_LONG} {more}", "--scale-min 1"),
        "scale_max": (f"{_LONG} -f json {more}", "--scale-max 7"),
        "lower_is_better": (f"{_LONG} -f json {more}", "--lower-is-better"),
        "original": (f"{_LONG} -f json {more}", "--original A"),
    }  # fmt: skip


def _assessed(base: str) -> dict[str, _Option]:
    return {
        "where": (base, "--where object=S"),
        "variant": (base, "--variant 2026"),
        "heds": (f"{base} -f json", "--heds @one.json @two.json"),
        "format": (base, "-f csv"),
    }


_COMPARED: dict[str, _Option] = {
    "archive": ("compare base --archive @kept", "= compare base --archive @small"),
    "reference": ("compare base -a @kept", "= compare adv -a @kept"),
    "others": ("compare base @runs/adv.txt @runs/base.txt", "@runs/again.txt"),
    "types": ("compare base -a @kept", "--type p?-Mad"),
    "collection": ("compare base -a @kept", "--collection Garden"),
    "baseline": ("compare base -a @kept", "--baseline adv"),
    "format": ("compare base -a @kept", "-f json"),
}


def _changed(one: _Option, change: Callable[[str], str]) -> _Option:
    """The same with both command lines changed."""
    return change(one) if isinstance(one, str) else (change(one[0]), change(one[1]))


def _plotted(one: _Option) -> _Option:
    """A figure of what a command about precision finds."""
    return _changed(
        one, lambda text: re.sub(r"\bqra\b", "plot qra -o f.svg", text).replace(" -f json", "")
    )


def _grouped(one: _Option) -> _Option:
    """The same with --group."""
    return _changed(one, lambda text: text.replace("compare", "compare --group"))


def _among(one: _Option) -> _Option:
    """A comparison of all pairs instead of one run's."""
    return _changed(one, lambda text: re.sub(r"compare (base|adv)\b", "compare --all-pairs", text))


_OF_RUN = "--archive @kept"
_CRITERIA: dict[str, str] = {
    "measure": "--measure P_10",
    "judgements": "--judgements other.txt",
    "toolkit": "--toolkit anserini",
    "automatic": "--automatic",
    "year": "--year 2025",
    "limit": "--limit 1",
    "format": "-f json",
}


def _drawn(command: str, runs: str, **more: _Option) -> Proof:
    """The options of evaluate that a figure of runs uses."""
    base = f"{command} -o f.svg {runs}"
    return Proof(
        f"{base} {_QRELS}",
        {
            "qrels": (f"{base} {_QRELS}", f"= {base} --qrels @other.txt"),
            "relevance_level": "--relevance-level 2",
            "only_retrieved": "--only-retrieved",
            "lenient": (f"{base} --qrels @broken.txt", "--lenient"),
            "rep_qrels": "--rep-qrels @other.txt",
            "data": "--data other",
            **more,
        },
    )


def _with(proof: Proof, *without: str, **more: _Option) -> Proof:
    """A proof of a mode that has some options less, and some more."""
    kept = {name: one for name, one in proof.options.items() if name not in without}
    return proof._replace(options={**kept, **more})


_FOUR_RUNS = _four("base", "adv", "again", "again-adv").removeprefix("evaluate ")
_MATRIX = "plot matrix -o f.svg @runs/base.txt @runs/again.txt -j 1"
_TABLE = (
    "plot er-dri -o f.svg --baseline @scores.csv --advanced @theirs.csv --rep-baseline @scores.csv "
    "--rep-advanced @better.csv",
    "--scores-of map",
)


def _another_four(*names: str) -> str:
    return f"= plot er-dri -o f.svg {_four(*names).removeprefix('evaluate ')} {_QRELS}"


_FIGURE = {"title": "--title Garden", "width": "--width 5", "height": "--height 5"}
PROOFS: dict[tuple[str, str], Proof] = {
    ("init", ""): Proof("init", {"path": "= init new.yaml", "all_fields": "--all"}),
    ("annotate", ""): Proof(
        "annotate bare/base.txt -H @headers/base.yaml",
        {
            "runs": "= annotate bare/adv.txt -H @headers/base.yaml",
            "header": "= annotate bare/base.txt -H @headers/adv.yaml",
            "set_": "--set run-version=9",
            "output": "-o out.txt",
            "in_place": "--in-place",
            "sidecar": "--sidecar",
            "replace": ("annotate runs/base.txt -i --set tag=new", "--replace"),
            "digest": "--digest",
            "verbose": ("annotate mixed -i --set run-version=9", "--verbose"),
            "format": ("annotate bare/base.txt -H @headers/base.yaml -i", "-f json"),
        },
        copies=("bare", "runs", "mixed"),
    ),
    ("strip", ""): Proof(
        "strip runs/base.txt",
        {
            "runs": "= strip runs/adv.txt",
            "output": "-o out.txt",
            "in_place": "--in-place",
            "verbose": ("strip mixed -i", "--verbose"),
            "format": ("strip runs/base.txt -i", "-f json"),
        },
        copies=("runs", "mixed"),
    ),
    ("show", ""): Proof(
        "show @beside/base.txt",
        {
            "path": "= show @runs/base.txt",
            "archive": ("show @runs/base.txt", "= show base --archive @kept"),
            "format": "-f yaml",
            "alone": "--alone",
        },
    ),
    ("convert", "lift"): Proof(
        "convert @runs/base.txt",
        {
            "paths": "@runs/adv.txt",
            "output": "-o out.nq",
            "to": "--to nq",
            "base": "--base https://example.org/a/",
            "headers_only": "--headers-only",
            "format": ("convert @runs -o out.nq", "-f json"),
            "verbose": ("convert @mixed -o out.nq", "--verbose"),
        },
    ),
    ("convert", "lower"): Proof(
        "convert @base.nq",
        {
            "paths": ("convert @base.nq -o out", "= convert @all.nq -o out"),
            "output": "-o out.yaml",
            "to": ("convert @all.nq -o out", "--to trig"),
            "format": ("convert @base.nq -o out", "-f json"),
        },
    ),
    ("convert", "rewrite"): Proof(
        "convert @base.nq --to trig",
        {
            "paths": "= convert @all.nq --to trig",
            "output": "-o out.trig",
            "to": "= convert @base.nq --to nt",
            "base": "--base https://w3id.org/",
            "format": ("convert @base.nq -o out.trig", "-f json"),
        },
    ),
    ("schema", ""): Proof("schema", {"format": "-f markdown", "output": "-o out.json"}),
    ("demo", ""): Proof("demo --into made", {"into": "= demo --into more"}),
    ("capture", "some"): Proof("capture", {"output": "-o out.yaml", "library": "--library typer"}),
    ("capture", "all"): Proof(
        "capture --libraries",
        {"output": "-o out.yaml", "libraries": ("capture", "--libraries")},
    ),
    ("profiles", ""): Proof("profiles", {"name": "= profiles core", "format": "-f json"}),
    ("measures", ""): Proof("measures", {"format": "-f json", "output": "-o out.txt"}),
    ("validate", "files"): Proof(
        "validate @runs/base.txt",
        {
            "paths": "@runs/adv.txt",
            "profile": "--profile strict",
            "format": "-f json",
            "hints": "--hints",
            "fail_on": "--fail-on warning",
            "min_completeness": "--min-completeness 99",
            "check": "--check files",
            "verbose": ("validate @mixed", "--verbose"),
            "language": ("validate @runs/base.txt -p @german.ttl", "--language de"),
        },
    ),
    ("validate", "archive"): Proof(
        "validate --archive @kept",
        {
            "archive": "= validate --archive @small",
            "profile": "--profile strict",
            "format": "-f json",
            "hints": "--hints",
            "fail_on": "--fail-on warning",
            "min_completeness": "--min-completeness 99",
            "verbose": ("validate -a @kept", "--verbose"),
            "language": ("validate -a @kept -p @german.ttl", "--language de"),
        },
    ),
    ("score", "files"): Proof(
        f"score @runs {_QRELS} --measure map,P_10",
        {
            "runs": ("score @runs/base.txt --qrels @garden.txt", "@runs/adv.txt"),
            "qrels": ("score @runs --qrels @garden.txt", "--qrels @meadow.txt"),
            "measure": (f"score @runs {_QRELS}", "--measure map"),
            "topics": (f"score @runs {_QRELS} -m map -f csv", "--no-topics"),
            "scores_of": ("score @map.csv", "--scores-of P@10"),
            "relevance_level": "--relevance-level 2",
            "only_retrieved": "--only-retrieved",
            "lenient": ("score @runs --qrels @broken.txt", "--lenient"),
            "format": "-f csv",
            "output": "-o out.txt",
        },
    ),
    ("score", "archive"): Proof(
        f"score @runs {_QRELS} --measure map,P_10 --archive kept",
        {
            "runs": (
                "score @runs/base.txt --qrels @garden.txt --archive kept",
                "@runs/adv.txt",
            ),
            "qrels": ("score @runs -a kept --qrels @garden.txt", "--qrels @meadow.txt"),
            "archive": (f"score @runs {_QRELS}", "--archive kept"),
            "measure": (f"score @runs {_QRELS} -a kept", "--measure map"),
            "topics": "--no-topics",
            "relevance_level": "--relevance-level 2",
            "only_retrieved": "--only-retrieved",
            "lenient": ("score @runs -a kept --qrels @broken.txt", "--lenient"),
            "format": "-f csv",
            "output": "-o out.txt",
        },
        copies=("kept",),
    ),
    ("evaluate", "against"): _evaluated(
        "evaluate @runs/base.txt @runs/again.txt",
        ("evaluate @scores.csv @theirs.csv --measure rmse", "--scores-of map"),
        reference="= evaluate @runs/adv.txt @runs/again.txt",
        candidates="@runs/adv.txt",
        types=("evaluate @runs/base.txt @runs -m rbo", "--type pR-mAd"),
    ),
    ("evaluate", "study"): _evaluated(
        _four("base", "adv", "again", "again-adv"),
        (
            "evaluate --baseline @scores.csv --advanced @theirs.csv --rep-baseline @scores.csv "
            "--rep-advanced @theirs.csv --measure er",
            "--scores-of map",
        ),
        baseline="= " + _four("twin", "adv", "again", "again-adv"),
        advanced="= " + _four("base", "again", "again", "again-adv"),
        rep_baseline="= " + _four("base", "adv", "base", "again-adv"),
        rep_advanced="= " + _four("base", "adv", "again", "adv"),
        types=(f"{_MANY} -m rbo", "--type pR-mAd"),
    ),
    ("evaluate", "pairs"): _evaluated(
        "evaluate @runs --pairs",
        (
            "evaluate @runs @scores.csv --pairs --qrels @garden.txt --measure rmse",
            "--scores-of map",
        ),
        pairs=("evaluate @runs/base.txt @runs " + _QRELS, "--pairs"),
        reference=(
            f"evaluate @runs/base.txt @runs --pairs {_QRELS}",
            "= evaluate @runs/base.txt @headed @runs --pairs --qrels @garden.txt",
        ),
        candidates=(f"evaluate @runs --pairs {_QRELS}", "@headed"),
        types=("evaluate @runs @headed --pairs -m rbo", "--type pR-mAd"),
    ),
    ("evaluate", "archive"): _with(_OF_ARCHIVE, "per_topic", "scores_of")._replace(
        copies=("kept", "small", "runs")
    ),
    ("evaluate", "all-pairs"): Proof(
        f"evaluate @clean --all-pairs -j 1 {_QRELS} --measure rbo,ktu,rmse --on map",
        {
            "reference": (
                "evaluate @clean --all-pairs -j 1 -m rbo",
                "= evaluate @runs --all-pairs -j 1 -m rbo",
            ),
            "candidates": "@runs/adv.txt",
            "all_pairs": ("evaluate @clean/base.txt @clean -j 1 -m rbo", "--all-pairs"),
            "qrels": "= evaluate @clean --all-pairs -j 1 --qrels @other.txt --measure rmse",
            "measure": ("evaluate @clean --all-pairs -j 1", "--measure rbo"),
            "on": (f"evaluate @clean --all-pairs -j 1 {_QRELS} -m rmse", "--on map"),
            "p": "--rbo-p 0.5",
            "depth": "--depth 2",
            "margin": (
                f"evaluate @clean --all-pairs -j 1 {_QRELS} -m rmse --on map",
                "--margin 0.1",
            ),
            "types": ("evaluate @runs --all-pairs -j 1 -m rbo", "--type pR-mAd"),
            "data": ("evaluate @runs --all-pairs -j 1 -m rbo", "--data same"),
            "scores_of": ("evaluate @map.csv --all-pairs -m rmse -j 1", "--scores-of map"),
            "relevance_level": "--relevance-level 2",
            "only_retrieved": "--only-retrieved",
            "lenient": ("evaluate @clean @twice.txt --all-pairs -j 1", "--lenient"),
            "single_precision": "--single-precision",
            "cluster": "--cluster nowhere",
            "format": "-f csv",
            "output": "-o out.csv",
        },
    ),
    ("qra", "files"): Proof(
        "qra @m.yaml",
        {
            **_assessed("qra @m.yaml"),
            **_columns(""),
            "paths": "@n.yaml",
            "archive": "--archive new",
            "hold": "--hold script",
            "measurements": "--measurements",
        },
    ),
    ("qra", "archive"): Proof(
        "qra --archive kept --reference base",
        {
            **_assessed("qra --archive kept --reference base"),
            "where": "--where measurand=map",
            "paths": ("qra -a kept --reference base -f json --heds @one.json", "@two.json"),
            "archive": (
                "qra --reference base --archive kept",
                "= qra --archive garden --reference greenhouse-bm25",
            ),
            "reference": "= qra --archive kept --reference adv",
            "measure": "--measure map",
            "hold": "--hold all",
            "measurements": "--measurements",
        },
        copies=("kept", "garden"),
    ),
    ("qra", "types"): Proof(
        "qra @m.yaml --type all",
        {
            **_assessed("qra @m.yaml --type all"),
            **_columns("--type all"),
            "lower_is_better": ("qra @lower.csv @higher.yaml --type II", "--lower-is-better"),
            "original": (f"{_LONG} --type IV --with-original-only", "--original A"),
            "paths": "@n.yaml",
            "type": ("qra @m.yaml", "--type I"),
            "with_original_only": (f"{_LONG} --original A --type IV", "--with-original-only"),
        },
    ),
    ("qra", "types of an archive"): Proof(
        "qra --archive kept --reference base --type all",
        {
            **_assessed("qra --archive kept --reference base --type all"),
            "where": "--where measurand=map",
            "paths": (
                "qra -a kept --reference base --type I -f json --heds @one.json",
                "@two.json",
            ),
            "archive": (
                "qra --reference base --type all --archive kept",
                "= qra --archive garden --reference greenhouse-bm25 --type all",
            ),
            "reference": "= qra --archive kept --reference adv --type all",
            "measure": "--measure map",
            "type": ("qra --archive kept --reference base --type I", "--type II"),
            "with_original_only": "--with-original-only",
        },
        copies=("kept", "garden"),
    ),
    ("qra", "ratings"): Proof(
        "qra @ratings.csv --type III",
        {
            "paths": "= qra @others.csv --type III",
            "type": ("qra @ratings.csv", "--type III"),
            "item": "--item unit",
            "rater": "--rater who",
            "rating": "--rating what",
            "study": "--study lab",
            "group": "--group lot",
            "object": ("qra @systems.csv --type III", "--object thing"),
            "measurand": "--measurand kind",
            "levels": "--levels a,b,c",
            "format": "-f csv",
        },
    ),
    ("qra", "datasheets"): Proof(
        "qra --heds @one.json @two.json",
        {
            "paths": "@three.json",
            "heds": "--heds @three.json",
            "format": "-f csv",
        },
    ),
    ("load", "runs"): Proof(
        "load @runs/base.txt",
        {
            "paths": "@runs/adv.txt",
            "archive": "--archive mine",
            "base": "--base https://example.org/a/",
            "headers_only": "--headers-only",
            "format": "-f json",
            "verbose": ("load @mixed", "--verbose"),
        },
        then="query runs -f csv {}",
    ),
    ("info", ""): Proof(
        "info --archive @kept", {"archive": "= info --archive @small", "format": "-f json"}
    ),
    ("baselines", "run"): Proof(
        f"baselines adv {_OF_RUN}",
        {
            **_CRITERIA,
            "run": f"= baselines base {_OF_RUN}",
            "others": ("baselines @runs/adv.txt @runs/base.txt", "@runs/again.txt"),
            "archive": ("baselines @runs/adv.txt -a @kept", "= baselines @runs/adv.txt -a @small"),
            "collection": "--collection Meadow",
            "as_of": "--as-of 2026",
            "own_team": "--own-team",
            "any_kind": "--any-kind",
        },
    ),
    ("baselines", "criteria"): Proof(
        f"baselines --collection Garden {_OF_RUN}",
        {
            **_CRITERIA,
            "archive": "= baselines --collection Garden -a @small",
            "collection": (f"baselines -m map {_OF_RUN}", "--collection Garden"),
        },
    ),
    ("compare", "one"): Proof(
        "compare base -a @kept",
        {
            **_COMPARED,
            "strict": ("compare base -a @spelt --type p?-mad", "--strict"),
            "explain": "--explain",
            "limit": "--limit 1",
        },
    ),
    ("compare", "one grouped"): Proof(
        "compare base -a @kept --group",
        {
            **{name: _grouped(one) for name, one in _COMPARED.items()},
            "reference": "= compare twin -a @kept --group",
            "strict": ("compare base -a @spelt --group", "--strict"),
            "group": ("compare base -a @kept", "--group"),
        },
    ),
    ("compare", "all-pairs"): Proof(
        "compare --all-pairs -a @kept",
        {
            **{name: _among(one) for name, one in _COMPARED.items()},
            "reference": ("compare @runs/adv.txt --all-pairs", "= compare @runs --all-pairs"),
            "all_pairs": ("compare @runs/base.txt @runs", "--all-pairs"),
            "strict": ("compare --all-pairs -a @spelt --type p?-mad", "--strict"),
            "explain": "--explain",
            "limit": "--limit 1",
        },
    ),
    ("compare", "all-pairs grouped"): Proof(
        "compare --all-pairs --group -a @kept",
        {
            **{name: _grouped(_among(one)) for name, one in _COMPARED.items()},
            "reference": (
                "compare @runs/adv.txt @runs/base.txt --all-pairs --group",
                "= compare @runs @runs/base.txt --all-pairs --group",
            ),
            "all_pairs": ("compare @runs/base.txt @runs --group", "--all-pairs"),
            "strict": ("compare --all-pairs -a @spelt --group", "--strict"),
            "group": ("compare --all-pairs -a @kept", "--group"),
        },
    ),
    ("compare", "pairs"): Proof(
        "compare --pairs -a @kept",
        {
            "reference": (
                "compare @runs/base.txt @runs/adv.txt --pairs",
                "= compare @runs --pairs",
            ),
            "others": ("compare @runs/base.txt @runs/adv.txt --pairs", "@runs"),
            "archive": ("compare --pairs -a @kept", "= compare --pairs -a @more"),
            "pairs": ("compare @runs/base.txt @runs", "--pairs"),
            "collection": ("compare --pairs -a @more", "--collection Garden"),
            "baseline": ("compare --pairs -a @more", "--baseline base"),
            "format": "-f json",
        },
    ),
    ("compare", "study"): Proof(
        "compare --study @study.yaml -a @kept",
        {
            "reference": (
                "compare @runs/adv.txt --study @study.yaml",
                "= compare @runs --study @study.yaml",
            ),
            "others": ("compare @runs/base.txt --study @study.yaml", "@runs/adv.txt"),
            "archive": (
                "compare --study @study.yaml -a @small",
                "= compare --study @study.yaml -a @kept",
            ),
            "study": "= compare --study @study2.yaml -a @kept",
            "format": "-f json",
        },
    ),
    ("query", "list"): Proof(
        "query", {"list_all": ("query runs", "= query --list"), "format": "-f csv"}
    ),
    ("query", "text"): Proof(
        "query runs --sparql",
        {
            "name": "= query teams --sparql",
            "parameters": "-p tag=base",
            "archive": (
                "query about -p run=base --sparql -a @kept",
                "= query about -p run=base --sparql -a @other",
            ),
            "sparql": ("query about -p run=base -a @kept", "--sparql"),
            "format": "-f csv",
        },
    ),
    ("query", "answer"): Proof(
        "query runs -a @kept",
        {
            "name": "= query teams -a @kept",
            "parameters": "-p tag=base",
            "archive": "= query runs -a @small",
            "timeout": (
                "query @slow.rq -a @kept --timeout 0.1",
                "= query @slow.rq -a @kept --timeout 0.2",
            ),
            "format": "-f csv",
        },
    ),
    ("remove", ""): Proof(
        "remove base -a kept",
        {"names": "adv", "archive": "= remove base -a small"},
        copies=("kept", "small"),
    ),
    ("vacuum", ""): Proof(
        "vacuum -a kept", {"archive": "= vacuum -a less"}, copies=("kept", "less")
    ),
    ("plot sweep", ""): Proof(
        "plot sweep @found.json -o f.svg",
        {
            **_FIGURE,
            "results": "= plot sweep @pair.json -o f.svg",
            "output": "= plot sweep @found.json -o f.pdf",
            "on": "--on P@10",
            "by": ("plot sweep @numbered.json -o f.svg", "--by 'w([0-9]+)'"),
            "axis": "--axis weight",
            "against": ("plot sweep @both.json -o f.svg", "--against base"),
        },
    ),
    ("plot er-dri", ""): Proof(
        "plot er-dri @effects.json -o f.svg",
        {
            **_FIGURE,
            "results": "= plot er-dri @effects2.json -o f.svg",
            "output": "= plot er-dri @effects.json -o f.pdf",
            "on": "--on P@10",
            "intervals": "--intervals",
        },
    ),
    ("plot topics", ""): Proof(
        "plot topics @pair.json -o f.svg",
        {
            **_FIGURE,
            "results": "= plot topics @pair2.json -o f.svg",
            "output": "= plot topics @pair.json -o f.pdf",
            "on": "--on P@10",
            "against": ("plot topics @both.json --candidate again -o f.svg", "--against base"),
            "candidate": ("plot topics @found.json -o f.svg", "--candidate adv"),
        },
    ),
    ("plot matrix", ""): Proof(
        "plot matrix @matrix.json -o f.svg",
        {
            **_FIGURE,
            "results": "= plot matrix @matrix2.json -o f.svg",
            "output": "= plot matrix @matrix.json -o f.pdf",
            "measure": "--measure rmse",
            "on": ("plot matrix @matrix.json --measure rmse -o f.svg", "--on P@10"),
            "order": ("plot matrix @matrix.json --measure rmse -o f.svg", "--order given"),
        },
    ),
    ("plot qra", ""): Proof(
        "plot qra @qra.json -o f.svg",
        {
            **_FIGURE,
            "measurements": "= plot qra @qra2.json -o f.svg",
            "output": "= plot qra @qra.json -o f.pdf",
        },
    ),
    ("plot sweep RUNS", "against"): _drawn(
        "plot sweep",
        "@runs/base.txt @runs/again.txt",
        reference=f"= plot sweep -o f.svg @runs/adv.txt @runs/again.txt {_QRELS}",
        candidates="@runs/adv.txt",
        types=(f"plot sweep -o f.svg @runs/base.txt @runs {_QRELS}", "--type pR-mAd"),
        scores_of=("plot sweep -o f.svg @scores.csv @theirs.csv", "--scores-of map"),
    ),
    ("plot sweep RUNS", "archive"): _drawn(
        "plot sweep",
        "--archive kept --reference base --runs-in @runs",
        archive=(
            f"plot sweep -o f.svg -a small --reference base --runs-in @runs {_QRELS}",
            f"= plot sweep -o f.svg -a kept --reference base --runs-in @runs {_QRELS}",
        ),
        in_archive=f"= plot sweep -o f.svg -a kept --reference adv --runs-in @runs {_QRELS}",
        runs_in=(
            f"plot sweep -o f.svg -a kept --reference base --runs-in @runs/base.txt {_QRELS}",
            "--runs-in @runs/again.txt",
        ),
        types="--type pR-mAd",
    )._replace(copies=("kept", "small")),
    ("plot er-dri RUNS", "against"): _drawn(
        "plot er-dri",
        "@runs/base.txt @runs",
        data=("plot er-dri --intervals -o f.svg @runs/base.txt @runs " + _QRELS, "--data other"),
        reference=f"= plot er-dri -o f.svg @runs/base.txt @headed @runs {_QRELS}",
        candidates="@headed",
        types=(f"plot er-dri -o f.svg @runs/base.txt @runs @headed {_QRELS}", "--type pR-mAd"),
        scores_of=_TABLE,
    ),
    ("plot er-dri RUNS", "study"): _drawn(
        "plot er-dri",
        _four("base", "adv", "again", "again-adv").removeprefix("evaluate "),
        data=(f"plot er-dri --intervals -o f.svg {_FOUR_RUNS} {_QRELS}", "--data other"),
        baseline=_another_four("again", "adv", "again", "again-adv"),
        advanced=_another_four("base", "again-adv", "again", "again-adv"),
        rep_baseline=_another_four("base", "adv", "base", "again-adv"),
        rep_advanced=_another_four("base", "adv", "again", "adv"),
        types=(f"plot er-dri -o f.svg {_MANY[9:]} {_QRELS}", "--type pR-mAd"),
        scores_of=_TABLE,
    ),
    ("plot er-dri RUNS", "pairs"): _drawn(
        "plot er-dri",
        "@runs --pairs",
        data=(f"plot er-dri --intervals -o f.svg @runs --pairs {_QRELS}", "--data other"),
        reference=f"= plot er-dri -o f.svg @headed @runs --pairs {_QRELS}",
        candidates="@headed",
        pairs=(f"plot er-dri -o f.svg @runs/base.txt @headed @runs {_QRELS}", "--pairs"),
        types=(f"plot er-dri -o f.svg @runs @headed --pairs {_QRELS}", "--type pR-mAd"),
        scores_of=_TABLE,
    ),
    ("plot er-dri RUNS", "archive"): _drawn(
        "plot er-dri",
        "--archive kept --reference base --runs-in @runs",
        data=(
            f"plot er-dri --intervals -o f.svg {_IN_ARCHIVE[9:]} {_QRELS}",
            "--data other",
        ),
        archive=(
            f"plot er-dri -o f.svg -a small --reference base --runs-in @runs {_QRELS}",
            f"= plot er-dri -o f.svg -a kept --reference base --runs-in @runs {_QRELS}",
        ),
        in_archive=(
            f"plot er-dri -o f.svg -a kept --reference again --runs-in @runs {_QRELS}",
            f"= plot er-dri -o f.svg -a kept --reference base --runs-in @runs {_QRELS}",
        ),
        runs_in=(
            f"plot er-dri -o f.svg -a more --reference base --runs-in @runs {_QRELS}",
            "--runs-in @headed",
        ),
        types=(
            "plot er-dri -o f.svg -a more --reference base --runs-in @runs --runs-in @headed "
            + _QRELS,
            "--type pR-mAd",
        ),
    )._replace(copies=("kept", "small", "more")),
    ("plot topics RUNS", "against"): _drawn(
        "plot topics",
        "@runs/base.txt @runs/again.txt",
        rep_qrels=(
            f"plot topics -o f.svg @runs/base.txt @runs/again.txt --data same {_QRELS}",
            "--rep-qrels @other.txt",
        ),
        data=(
            f"plot topics -o f.svg @runs/base.txt @runs/again.txt --rep-qrels @other.txt {_QRELS}",
            "--data same",
        ),
        reference=f"= plot topics -o f.svg @runs/adv.txt @runs/again.txt {_QRELS}",
        candidates=(
            f"plot topics -o f.svg --candidate adv @runs/base.txt @runs/again.txt {_QRELS}",
            "@runs/adv.txt",
        ),
        types=(
            f"plot topics -o f.svg @runs/base.txt @runs/again.txt @runs/adv.txt {_QRELS}",
            "--type pR-mAd",
        ),
        scores_of=("plot topics -o f.svg @scores.csv @theirs.csv", "--scores-of map"),
    ),
    ("plot matrix RUNS", "all-pairs"): _with(
        _drawn("plot matrix --measure rmse", "@runs/base.txt @runs/again.txt -j 1"),
        "rep_qrels",
        reference=f"= plot matrix --measure rmse -o f.svg @runs/adv.txt @runs/again.txt {_QRELS}",
        candidates="@runs/adv.txt",
        p=(_MATRIX, "--rbo-p 0.5"),
        depth=(_MATRIX, "--depth 1"),
        types=("plot matrix -o f.svg @runs -j 1", "--type pR-mAd"),
        data=("plot matrix -o f.svg @runs/base.txt @runs/twin.txt -j 1", "--data same"),
        single_precision=("plot matrix --measure ktu -o f.svg @runs -j 1", "--single-precision"),
        cluster=(_MATRIX, "--cluster nowhere"),
        scores_of=(
            "plot matrix --measure rmse -o f.svg @scores.csv @theirs.csv -j 1",
            "--scores-of map",
        ),
    ),
    ("plot qra FILES", "files"): Proof(
        "plot qra -o f.svg @m.yaml",
        {
            **{name: _plotted(one) for name, one in _columns("").items()},
            "paths": "@n.yaml",
            "archive": "--archive new",
            "where": "--where object=S",
            "variant": "--variant 2026",
        },
    ),
    ("plot qra FILES", "archive"): Proof(
        "plot qra -o f.svg --archive kept --reference base",
        {
            "archive": "= plot qra -o f.svg --archive garden --reference greenhouse-bm25",
            "reference": "= plot qra -o f.svg --archive kept --reference adv",
            "measure": "--measure map",
            "where": "--where measurand=map",
            "variant": "--variant 2026",
        },
        copies=("kept", "garden"),
    ),
}


# What fails, and is to do so --------------------------------------------------------------

#: Options whose job it is to end a command in another way.
FAILING = {
    ("query", "timeout"): "it ends the query",
    ("evaluate", "cluster"): "there is none; the error has its address",
    ("plot matrix RUNS", "cluster"): "as above",
}
#: Options that choose another mode where this one has no use for them.
CHOOSING = {
    "capture": {"libraries"},
    "score": {"archive"},
    "validate": {"archive"},
    "evaluate": {"all_pairs", "pairs", "archive", "baseline", "advanced", "rep_baseline",
                 "rep_advanced"},
    "qra": {"reference", "type", "heds"},
    "baselines": {"run", "others"},
    "compare": {"all_pairs", "pairs", "study", "group"},
    "query": {"name", "list_all", "sparql"},
}  # fmt: skip
MODES_HERE = [
    *(
        (name, "")
        for name in every_command()
        if name not in MODES and not name.startswith(ELSEWHERE)
    ),
    *modes_of(lambda name: not name.startswith(ELSEWHERE)),
]


@pytest.fixture(scope="module")
def see(work: Path) -> Callable[..., Seen]:
    """Runs a command line in a folder of its own; what was seen of the same one before, at once."""
    known: dict[tuple[str, tuple[str, ...], str], Seen] = {}
    here = Path.cwd()

    def run(
        line: str, copies: tuple[str, ...] = (), then: str = "", *, again: bool = False
    ) -> Seen:
        key = line, copies, then
        if key not in known or again:
            folder = work / "here"
            folder.mkdir()
            os.chdir(folder)
            try:
                for name in copies:
                    shutil.copytree(work / "data" / name, folder / name)
                seen = run_in(folder, _split(line))
                if then:
                    archive = "mine" if "mine" in line else "primad-archive"
                    after = run_in(folder, _split(then.format(f"-a {archive}")))
                    seen = seen._replace(output=f"{seen.output}\n{after.output}{after.remarks}")
            finally:
                os.chdir(here)
                shutil.rmtree(folder)
            if again:
                return seen
            known[key] = seen
        return known[key]

    return run


def _split(line: str) -> list[str]:
    return [re.sub("^@", "../data/", part) for part in shlex.split(line)]


# Tests ------------------------------------------------------------------------------------


def test_every_option_of_every_mode_has_a_proof() -> None:
    wanted = {(*key, option) for key in MODES_HERE for option in options_to_prove(*key)}
    proved = {
        (*key, option)
        for key, proof in PROOFS.items()
        for option in proof.options
        if option not in always(every_command()[command_of(key[0])])
    }
    assert proved | {(*one, "engine") for one in PROOFS if one[0] == "validate"} == wanted


@pytest.mark.parametrize("mode", ["@runs/base.txt", "--archive @kept"])
def test_the_engine_that_judges(
    see: Callable[..., Seen], monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    """Both find the same, so it is seen by what is asked."""
    import pyshacl

    asked: list[object] = []

    def validate(*arguments: Any, **options: Any) -> Any:
        asked.append(arguments)
        return ask(*arguments, **options)

    ask = pyshacl.validate
    monkeypatch.setattr(pyshacl, "validate", validate)
    see(f"validate {mode}", again=True)
    assert not asked
    see(f"validate {mode} --engine pyshacl", again=True)
    assert asked


@pytest.mark.parametrize(("command", "mode"), PROOFS)
def test_a_mode_has_the_same_result_each_time(
    see: Callable[..., Seen], command: str, mode: str
) -> None:
    proof = PROOFS[command, mode]
    first = see(proof.base, proof.copies, proof.then)
    assert first.exit_code in (0, 1), first.remarks
    assert see(proof.base, proof.copies, proof.then, again=True) == first


def _to_prove() -> list[tuple[str, str, str]]:
    """Each option of each mode; of the options that figures hand on, each with one figure."""
    found: dict[tuple[str, ...], tuple[str, str, str]] = {}
    for (command, mode), proof in PROOFS.items():
        asked = ASKED.get(command.rpartition(" ")[2])
        for option in proof.options:
            key = (asked, option) if asked else (command, mode, option)
            found.setdefault(key, (command, mode, option))
    return list(found.values())


@pytest.mark.parametrize(("command", "mode", "option"), _to_prove())
def test_an_option_has_an_effect(
    see: Callable[..., Seen], command: str, mode: str, option: str
) -> None:
    proof = PROOFS[command, mode]
    said = proof.options[option]
    base, more = (proof.base, said) if isinstance(said, str) else said
    parameter = parameters_of(command)[option]
    if more.startswith("= "):
        line = more[2:]
    else:
        line = f"{base} {more}"
        # This option alone makes the difference.
        names = {*parameter.opts, *parameter.secondary_opts}
        given = [part for part in _split(more) if part.startswith("-")]
        assert parameter.param_type_name == "argument" or (given and set(given) <= names)
    without, with_it = (see(one, proof.copies, proof.then) for one in (base, line))
    assert without != with_it
    assert with_it.exit_code != 2 or (command, option) in FAILING, with_it.remarks


def _own(key: str) -> set[str]:
    """The options that a figure takes itself, so that they are not those of what it asks."""
    figure = key.rpartition(" ")[0] if command_of(key) != key else ""
    if not figure:
        return set()
    mine = {name for one in every_command()[figure].params for name in one.opts}
    return {name for name, one in parameters_of(key).items() if mine.intersection(one.opts)}


UNUSED = [
    (command, mode, name)
    for command, mode in MODES_HERE
    if mode
    for name in parameters_of(command)
    if name
    not in MODES[command][mode].uses | always(every_command()[command_of(command)]) | _own(command)
]


@pytest.mark.parametrize(("command", "mode", "option"), UNUSED)
def test_an_option_without_effect_is_refused_by_name(
    see: Callable[..., Seen], command: str, mode: str, option: str
) -> None:
    proof = PROOFS[command, mode]
    parameter = parameters_of(command)[option]
    found = see(f"{proof.base} {_value(command, mode, parameter)}", proof.copies)
    said = "".join(re.sub("[│╭╮╰╯─]", "", found.remarks).split())
    if option in CHOOSING.get(command_of(command), ()):
        # It chooses another mode, or is refused; ignored it is not.
        assert found != see(proof.base, proof.copies)
        return
    assert found.exit_code == 2
    assert "".join(_shown(parameter).split()) in said
    assert "".join(f"no effect {MODES[command][mode].name}".split()) in said


def _value(command: str, mode: str, parameter: Any) -> str:
    """An option with some value."""
    if parameter.param_type_name == "argument":
        places = [
            one.name for one in parameters_of(command).values() if one.param_type_name == "argument"
        ]
        return " ".join(["x"] * (places.index(parameter.name) + 1))
    if parameter.is_flag:
        return str(parameter.opts[0])
    if parameter.name == "format":
        first = parameter.metavar.strip("<>").partition("|")[0].replace("FORMAT", "table")
        return f"{parameter.opts[0]} {first}"
    choices = getattr(parameter.type, "choices", None)
    first = next(iter(choices)) if choices else "1"  # a number, and a name
    return f"{parameter.opts[0]} {getattr(first, 'value', first)}"


_PAIR = "evaluate @runs/base.txt @runs/again.txt"
_TABLES = "evaluate @scores.csv @theirs.csv --scores-of map"
#: Options that a mode uses, and that change nothing here: command line, option, and why.
WITHOUT_EFFECT = [
    ("validate @runs/base.txt -f json", "--hints", "with --format json, which has all findings"),
    ("validate @runs/base.txt", "--language de", "on these profiles, whose messages are in"),
    ("score @scores.csv --scores-of map", "--relevance-level 1", "on tables of scores; remove it"),
    ("score @scores.csv --scores-of map", "--only-retrieved", "on tables of scores; remove it"),
    ("score @scores.csv @runs --scores-of map", "--relevance-level 2", "without --qrels"),
    ("score @scores.csv --scores-of map", "--qrels @garden.txt", "on tables of scores"),
    (f"score @runs {_QRELS}", "--scores-of map", "without a table of scores that does not name"),
    ("score @long-scores.csv", "--scores-of map", "without a table of scores that does not name"),
    ("show @headers/base.yaml", "--alone", "on a header file, which no other file completes"),
    ("convert @base.nq --to nt", "--base https://example.org/", "from RDF to nt, which has IRIs"),
    (f"{_PAIR} {_QRELS}", "--scores-of map", "without a table of scores that does not name"),
    (
        f"{_PAIR} {_QRELS} -m 'delta_arp,t_test,tost(margin=0.1)' -f json",
        "--per-topic",
        "without a measure that",
    ),
    (f"{_PAIR} -m 'rbo(p=0.9),rbo(p=0.5)'", "--rbo-p 0.7", "on rbo(p=0.9), rbo(p=0.5), where p is"),
    (f"{_PAIR} -m 'ktu(depth=7)'", "--depth 5", "on ktu(depth=7), where depth is given"),
    (
        f"{_PAIR} {_QRELS} -m 'tost(margin=0.1)'",
        "--margin 5%",
        "on tost(margin=0.1), where margin is given",
    ),
    (f"{_PAIR} {_QRELS} -m rmse", "--rbo-p 0.5", "without a measure that has the parameter p"),
    (f"{_PAIR} {_QRELS} -m rmse", "--depth 5", "without a measure that has the parameter depth"),
    (f"{_PAIR} {_QRELS} -m rmse", "--single-precision", "without a measure of order"),
    (f"{_PAIR} {_QRELS} -m rmse", "--correction holm", "without a measure that is a p-value"),
    (f"{_PAIR} {_QRELS} -m rbo", "--on map", "without a measure of scores"),
    (f"{_PAIR} {_QRELS} -m rbo", "--measure map", "as to map without a measure of scores"),
    (f"{_PAIR} {_QRELS} -m rbo", "--relevance-level 2", "without a measure of scores"),
    (f"{_PAIR} {_QRELS} -m rbo", "--only-retrieved", "without a measure of scores"),
    (_PAIR, "--on map", "without --qrels, as no run is scored"),
    (_PAIR, "--correction holm", "without --qrels, as no run is scored"),
    (_PAIR, "--relevance-level 2", "without --qrels, as no run is scored"),
    (_TABLES, "--relevance-level 2", "on tables of scores"),
    (_TABLES, "--qrels @garden.txt", "on tables of scores"),
    (_TABLES, "--rep-qrels @garden.txt", "on tables of scores"),
    (_TABLES, "--rbo-p 0.5", "on tables of scores"),
    (_TABLES, "--single-precision", "on tables of scores"),
    ("evaluate @clean --all-pairs", _QRELS, "without a measure of scores"),
    ("evaluate @clean --all-pairs", "--data other", "as other, because a matrix is of the same"),
    (f"evaluate @clean --all-pairs {_QRELS} -m rmse", "--cluster tcp://h:1", "without a measure"),
    ("qra @m.yaml -f ttl", "--hold script", "with --format ttl"),
    ("qra @m.yaml -f csv", "--measurements", "with --format csv"),
    ("qra @m.yaml --type II", "--with-original-only", "without --type IV or all"),
    ("qra @m.yaml --type II", "--hold all", "with --type; remove it"),
    ("qra @m.yaml --type II", "--variant 2026", "without --type I or all"),
    ("qra @m.yaml -f yaml", "--variant 2026", "with --format yaml"),
    ("qra @m.yaml", "--value Result", "on files that are not tables"),
    ("qra @m.yaml", "--scale-min 0", "on files that are not tables"),
    ("compare base -a @kept", "--strict", "without --type or --group"),
    ("plot matrix @matrix.json -o f.svg", "--on map", "on rbo, which compares orders"),
    ("plot matrix @matrix.json -o f.svg", "--depth 5", "on a file of results; remove it"),
    ("plot matrix @matrix.json -o f.svg", "--qrels @garden.txt", "on a file of results; remove it"),
    ("query teams --sparql", "--archive nosuch", "with --sparql where no run is named; remove it"),
]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f"{_PAIR} --cluster x", "remove it, or use it with --all-pairs"),
        # An option that is given is not an advice.
        ("evaluate @runs --all-pairs --pairs", "--pairs has no effect with --all-pairs; remove it"),
        ("evaluate @runs --all-pairs -a x", "--archive has no effect with --all-pairs; remove it"),
        ("compare base -a @kept --pairs --group", "--group has no effect with --pairs; remove it"),
        (
            "qra @m.yaml --with-original-only",
            "on measurements of files; remove it, or use it with --type IV or all",
        ),
        (
            "qra @others.csv --type III --with-original-only",
            "with --type III; remove it, or use it with --type IV or all",
        ),
        (f"{_PAIR} --reference x --runs-in y", "remove them, or use them with --archive"),
        ("evaluate @clean --all-pairs --correction holm", "with --all-pairs; remove it"),
        (
            "evaluate @clean --all-pairs --correction holm --pairs --baseline x --archive y "
            "--reference z --runs-in v --rep-qrels q --per-topic",
            "--rep-qrels, --baseline, --pairs, --archive, --reference, --runs-in, --correction, "
            "--per-topic have no effect with --all-pairs; remove them",
        ),
        # Its default value is given all the same.
        (
            "score @runs --qrels @garden.txt -a kept --scores-of ''",
            "--scores-of has no effect with",
        ),
    ],
)
def test_what_to_do_about_options_without_effect(
    see: Callable[..., Seen], line: str, said: str
) -> None:
    found = see(line)
    words = " ".join(re.sub("[│╭╮╰╯─]", "", found.remarks).split())
    assert (found.exit_code, found.output, found.files) == (2, "", {})
    assert said in words
    # Advice never names the option itself.
    refused, _, advice = words.partition("no effect")
    for option in re.findall(r"--[a-z-]+", refused.rpartition("Invalid value")[2]):
        assert f"or use it with {option}" not in advice


@pytest.mark.parametrize(("base", "option", "why"), WITHOUT_EFFECT)
def test_an_option_that_changes_nothing_here_is_refused(
    see: Callable[..., Seen], base: str, option: str, why: str
) -> None:
    found = see(f"{base} {option}")
    said = " ".join(re.sub("[│╭╮╰╯─]", "", found.remarks).split())
    assert (found.exit_code, found.output) == (2, "")
    assert option.partition(" ")[0] in said
    assert f"has no effect {why}" in said


def test_each_companion_is_among_them() -> None:
    """Options that need others: each is refused without these."""
    told = {(base.split()[0], option.split()[0]) for base, option, _ in WITHOUT_EFFECT}
    for command, options in BESIDE.items():
        if not command.startswith(ELSEWHERE):
            parameters = parameters_of(command)
            assert {(command, parameters[one].opts[0]) for one in options} <= told
