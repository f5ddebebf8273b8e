"""A command line for each command, and a folder with what they need."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support import ROOT
from support.option_cases import run_in

ORCID = "0000-0002-1825-0097"
REGISTRY = "--registry http://127.0.0.1:9"  # nobody answers there
#: By command, a command line that prints something.
PRINTING = {
    "init": "",
    "annotate": "bare.txt -H h.yaml",
    "strip": "run.txt",
    "show": "run.txt",
    "convert": "run.txt --to nq -j 1",
    "schema": "",
    "demo": "",
    "capture": "",
    "validate": "run.txt -j 1",
    "profiles": "",
    "score": "run.txt --qrels qrels.txt",
    "evaluate": "run.txt other.txt --qrels qrels.txt -m ktu",
    "measures": "",
    "qra": "measured.csv",
    "load": "run.txt -a archive -f json -j 1",
    "info": "-a archive",
    "baselines": "run.txt -a archive",
    "compare": "run.txt advanced.txt",
    "remove": "greenhouse-bm25 -a archive",
    "vacuum": "-a archive",
    "query": "runs -a archive",
    "replication tables": "track.yaml",
    "replication init": "",
    "replication merge": "track.yaml sheets",
    "replication sheet": "track.yaml -o made",
    "nanopub make": "run.txt -o made",
    "nanopub claim": "--target 10.1145/1 --verdict reproduced --criterion x --attempt y",
    "nanopub sign": f"draft.trig --key key --orcid {ORCID} --license cc-by",
    "nanopub check": "signed.trig -j 1",
    "nanopub index": "signed.trig -o index.trig --title x -j 1",
    "nanopub retract": f"signed.trig --orcid {ORCID}",
    "nanopub publish": f"signed.trig --dry-run {REGISTRY}",
    "nanopub keys new": "--key other",
    "nanopub keys show": "--key key",
    "nanopub keys introduce": f"--key key --orcid {ORCID}",
    "nanopub supersede": "signed.trig draft.trig",
}
#: Those that write files and remarks only.
SILENT = {
    "plot sweep": "sweep.json -o figure.svg --by 'w([0-9]+)'",
    "plot er-dri": "four.json -o figure.svg",
    "plot topics": "sweep.json -o figure.svg --candidate greenhouse-feedback-w03",
    "plot matrix": "sweep.json -o figure.svg --measure rmse --on map",
    "plot qra": "measured.json -o figure.svg",
    # It has nothing to report here: nobody answers.
    "nanopub fetch": f"RAgRRFA75QCJlfEGhWCKoGTNgrQBFAtJIWfp05JVpm3aw -o made {REGISTRY}",
}


def put_data(folder: Path) -> None:
    """Put what the command lines need into a folder."""
    runs = ROOT / "examples" / "garden" / "runs"
    shutil.copy(runs.parent / "qrels.txt", folder)
    for name, source in {
        "run": "greenhouse-bm25",
        "other": "shed-bm25",
        "advanced": "greenhouse-feedback",
        "rep": "shed-feedback",
        "w03": "greenhouse-feedback-w03",
        "w06": "greenhouse-feedback-w06",
    }.items():
        shutil.copy(runs / f"{source}.txt", folder / f"{name}.txt")
    shutil.copy(ROOT / "examples" / "replication" / "garden.yaml", folder / "track.yaml")
    (folder / "bare.txt").write_text("1 Q0 d 1 1 t\n")
    (folder / "h.yaml").write_text("tag: t\n")
    (folder / "measured.csv").write_text("object,measurand,value\na,m,1\na,m,2\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        four = "--baseline run.txt --advanced advanced.txt --rep-baseline other.txt"
        shown = "--qrels qrels.txt --per-topic -f json"
        for line in (
            "load run.txt -a archive -j 1 -q",
            "replication sheet track.yaml -o sheets -q",
            "nanopub make run.txt -o drafts -q",
            "nanopub keys new --key key -q",
            "qra measured.csv -o measured.json",
            f"evaluate {four} --rep-advanced rep.txt {shown} -m er,dri,rmse -o four.json",
            f"evaluate run.txt w03.txt w06.txt {shown} -m rmse,delta_arp --on map -o sweep.json",
        ):
            seen = run_in(folder, line.split())
            assert seen.exit_code == 0, seen.remarks
        (draft,) = (folder / "drafts").iterdir()
        for name in ("draft.trig", "signed.trig"):
            shutil.copy(draft, folder / name)
        line = f"nanopub sign signed.trig --key key --orcid {ORCID} --license cc-by"
        assert run_in(folder, line.split()).exit_code == 0
