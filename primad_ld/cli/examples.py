"""Examples at the end of each command's help, as typed."""

from __future__ import annotations

from typing import Final

#: By the words of the command, its arguments.
EXAMPLES: Final[dict[str, tuple[str, ...]]] = {
    "init": ("header.yaml", "header.yaml --all"),
    "annotate": (
        "run.txt --header header.yaml -o annotated.txt",
        "run.txt --header header.yaml --sidecar",
        "runs --set method.description=sweep --in-place",
    ),
    "strip": ("annotated.txt -o run.txt", "runs --in-place"),
    "capture": (
        "-o machine.yaml",
        "--library numpy -o machine.yaml",
        "-o runs/machine-ir-metadata.yml",
    ),
    "show": ("annotated.txt", "annotated.txt --format json", "shed-bm25 --archive primad-archive"),
    "validate": (
        "runs",
        "annotated.txt --check ranking,files --hints",
        "runs --profile trec -o report.sarif",
    ),
    "profiles": ("", "trec"),
    "schema": ("-o header.schema.json", "--format markdown -o fields.md"),
    "baselines": (
        "shed-bm25",
        "annotated.txt runs",
        "--collection Garden --measure map --format csv",
    ),
    "compare": (
        "greenhouse-bm25 shed-bm25 --explain",
        "annotated.txt runs",
        "--all-pairs --group",
    ),
    "query": (
        "--list",
        "by-stage -p stage=bm25",
        "'SELECT ?tag { GRAPH ?run { ?run primad:tag ?tag } }' -o tags.csv",
    ),
    "score": (
        "runs --qrels qrels.txt -m AP,nDCG@10",
        "runs --qrels qrels.txt -m AP -o scores.tex --caption 'All runs'",
        "runs --qrels qrels.txt -m AP --archive primad-archive",
    ),
    "evaluate": (
        "run.txt runs/shed-bm25.txt --qrels qrels.txt",
        "run.txt runs --qrels qrels.txt --on AP,nDCG@10 -o pairs.csv",
        "--pairs runs --qrels qrels.txt --on AP",
    ),
    "measures": ("", "--format json"),
    "qra": (
        "scores.csv",
        "scores.csv --object System --measurand Criterion --value Result -o cv.tex",
        "--archive primad-archive --reference greenhouse-bm25 --measure map",
    ),
    "plot sweep": (
        "pairs.json -o sweep.svg",
        "pairs.json --by 'w0([0-9]+)' --axis weight -o weights.pdf",
    ),
    "plot er-dri": ("study.json --intervals -o effects.svg",),
    "plot topics": ("pairs.json --candidate greenhouse-feedback-w06 -o topics.svg",),
    "plot matrix": ("matrix.json --measure rbo -o matrix.svg",),
    "plot qra": ("precision.json -o precision.svg",),
    "convert": (
        "runs -o archive.nq",
        "annotated.txt --to ttl",
        "archive.nq -o headers",
    ),
    "load": ("runs", "runs --archive primad-archive --verbose"),
    "info": ("", "--archive primad-archive --format json"),
    "remove": ("shed-bm25 --archive primad-archive",),
    "vacuum": ("--archive primad-archive",),
}


def epilog_of(command: str) -> str | None:
    """What stands below the options of a command."""
    lines = [f"primad-ld {command} {arguments}".rstrip() for arguments in EXAMPLES.get(command, ())]
    return "\n\n".join(["Examples:", *lines]) if lines else None
