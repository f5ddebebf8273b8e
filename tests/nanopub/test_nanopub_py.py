"""What nanopub-py says of what we signed, where it can be had: it needs Python 3.12 or later.

Name an interpreter that has it: NANOPUB_PY=/path/to/python pytest tests/nanopub/test_nanopub_py.py.
It runs in a process of its own, since importing it changes how rdflib writes literals.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from base64 import b64encode
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest
from support import ROOT
from support.nanopubs import a_draft, check, draft_text, read, renamed, signed_draft, text
from support.stumbling import VALUES, declared

from primad_ld.nanopub.checking import CheckState
from primad_ld.nanopub.signing import Signer, sign
from primad_ld.nanopub.trig import as_trig
from primad_ld.rdf.nanopub_statements import Statement, as_nquads
from primad_ld.rdf.nanopub_terms import HAS_SIGNATURE
from primad_ld.rdf.subject_index import Object

SIDE = ROOT / "benchmarks" / "nanopub_py_side.py"


def interpreter() -> str:
    """The Python that has it."""
    if named := os.environ.get("NANOPUB_PY"):
        return named
    try:
        if version("nanopub") >= "2.2":
            return sys.executable
    except PackageNotFoundError:
        pass
    return ""


if not interpreter():
    pytest.skip(
        "nanopub-py 2.2 is not installed; NANOPUB_PY may name a Python that has it",
        allow_module_level=True,
    )


def ask(task: str, **request: object) -> dict[str, Any]:
    # Beside the script there is a module that is called as the library is, hence -P.
    done = subprocess.run(
        [interpreter(), "-P", "-W", "ignore", SIDE],
        input=json.dumps({"task": task, **request}) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def written(folder: Path, texts: dict[str, str]) -> list[str]:
    """Texts as files."""
    paths = []
    for name, content in texts.items():
        path = folder / name
        path.write_text(content, encoding="utf-8", newline="")
        paths.append(str(path))
    return paths


def test_it_accepts_what_we_signed(tmp_path: Path, signer: Signer) -> None:
    texts = {}
    for number, value in enumerate(VALUES):
        signed = signed_draft(signer, value)
        texts[f"{number}.trig"] = signed.text
        texts[f"{number}.nq"] = as_nquads(signed.nanopub.statements)
    found = ask("check", paths=written(tmp_path, texts))["found"]
    assert {name: why for name, why in zip(texts, found, strict=True) if why} == {}


def test_it_gives_the_same_names(tmp_path: Path, signer: Signer, key_file: Path) -> None:
    drafts = {f"{number}.trig": a_draft(value) for number, value in enumerate(VALUES)}
    texts = {name: as_trig(declared(draft, signer)) for name, draft in drafts.items()}
    output = tmp_path / "signed"
    output.mkdir()
    paths = written(tmp_path, texts)
    found = ask("sign", paths=paths, key=str(key_file), orcid=signer.orcid, output=str(output))
    assert found["found"] == [sign(draft, signer).nanopub.uri for draft in drafts.values()]
    for number, name in enumerate(found["found"]):
        theirs = check((output / f"{number}.nq").read_bytes(), ".nq")
        assert (theirs.state, theirs.uri) == (CheckState.SIGNED, name)


def test_it_calls_forged_signatures_valid(tmp_path: Path, signer: Signer) -> None:
    """A known failure up to version 2.2.2, and the reason why we check ourselves."""
    signed = signed_draft(signer, text("true")).nanopub
    lie = [
        Statement(*one[:3], text("false"))
        if one.value == text("true")
        else Statement(*one[:3], text(b64encode(b"forged" * 20).decode()))
        if one.predicate == HAS_SIGNATURE
        else one
        for one in signed.statements
    ]
    forged = as_nquads(renamed(lie, signed.artifact))
    assert ask("check", paths=written(tmp_path, {"forged.nq": forged}))["found"] == [""]
    found = check(forged, ".nq")
    assert found.problems == ("the signature is not that of this text by this key",)


def test_it_accepts_what_others_must_not(tmp_path: Path, signer: Signer) -> None:
    """Ill-typed literals, which stores leave out."""
    plain = draft_text(more='ex:p "two"^^xsd:integer')
    assert ask("check", paths=written(tmp_path, {"a.trig": plain}))["found"] == [""]
    assert check(plain).state is CheckState.INVALID


def test_it_finds_what_was_changed(tmp_path: Path, signer: Signer) -> None:
    changed = signed_draft(signer).text.replace("bm25", "bm26")
    (why,) = ask("check", paths=written(tmp_path, {"a.trig": changed}))["found"]
    assert "is not valid" in why
    assert read(changed).artifact
    assert Object("bm26") not in VALUES
