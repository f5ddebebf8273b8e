"""Options of the commands about nanopublications: each has an effect in its modes, or is refused."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from support import ROOT
from support.option_cases import Proofs, Seen, accepted, each_of, run_in, unproven, without_effect
from support.registries import StandIn, code_of, put_all, signed, signed_index
from support.things import put_draft, put_signed

from primad_ld.core.connections import Patience
from primad_ld.nanopub.keys import generate_key, private_text
from primad_ld.nanopub.nanopub_folder import JOURNAL
from primad_ld.nanopub.signing import Signed, Signer

RUN = "# ir_metadata.start\n{}# ir_metadata.end\n1 Q0 d1 1 0.5 pond\n"
HEADER = (
    "# tag: pond\n# actor: {{team: {}}}\n# implementation: {{executable: {{cmd: /home/ada/x}}}}\n"
)
TRACK = """\
track: {title: Pond}
data: Pond
measures: {F: {tolerance: 0.01}}
systems:
- {id: S, submitted: {F: 0.8}}
analysts:
- {id: A}
- {id: B}
attempts:
- {analyst: A, system: S, stage: built, reason: ask ada@example.org, human_minutes: 5}
- {analyst: B, system: S, stage: results, scores: {F: 0.4}}
"""
#: Written by hand, so that drafts of it are the same each time.
FILES = {
    "run.txt": RUN.format(HEADER.format("frogs")),
    "other.txt": RUN.format(HEADER.format("newts")),
    "m.csv": "System,Original,Repro 1\nask ada@example.org,5,6\n",
    "n.csv": "System,Original,Repro 1\nT,5,7\n",
    "track.yaml": TRACK,
    "track-2.yaml": TRACK.replace("stage: built", "stage: ran"),
    "claim.yaml": "track: track.yaml\nof: 1\ntag: pond\n",
    "claim-2.yaml": "track: track.yaml\nof: 1\ntag: brook\n",
}
ORCID, OTHER_ORCID = "0000-0002-1825-0097", "0000-0002-1694-233X"

_CLAIM = (
    "nanopub claim --target 10.1145/3477495.3531738 --verdict not-reproduced "
    "--criterion 'AP within 0.01' --attempt 'their code'"
)
_WORDS = {
    "target": "--target https://example.org/p.pdf",
    "text": "--claim 'it works'",
    "tag": "--tag mine",
    "collection": "--collection Brook",
    "verdict": "--verdict inconclusive",
    "criterion": "--criterion other",
    "attempt": "--attempt other",
    "reason": "--reason other",
    "minutes": "--minutes 30",
    "differs": "--differs 'seed=1 | 2'",
    "keep": "--keep mail",
    "format": "-f json",
    "base": "--base https://example.org/id/",
}
_MAKE = "nanopub make -o np"
_MADE = {
    "keep": "--keep mail",
    "format": "-f json",
    "validation": "--validation core",
}
_PUBLISH = "nanopub publish np --registry {registry}"
_PUBLISHED = {
    "paths": "np => np/{first_file}",
    "registry": "--registry {other_registry}",
    "journal": "--journal book",
    "again": "--again",
    "format": "-f json",
}
_FETCH = "nanopub fetch {index} -o got --registry {registry}"
_FETCHED = {
    "names": "{first}",
    "registry": "--registry {other_registry}",
    "timeout": (f"{_FETCH} --timeout 0.1", "--timeout 0.2"),
    "format": "-f json",
}
_SIGN = f"nanopub sign draft.trig --orcid {ORCID} --license cc-by --key {{key}} --created 2026-03-01T12:00:00Z"

#: By command and mode: a command line, and what gives each option.
PROOFS: Proofs = {
    "nanopub make": {
        "files": (
            f"{_MAKE} run.txt",
            {
                **_MADE,
                "paths": "other.txt",
                "keep": "--keep paths",
                "base": "--base https://example.org/id/",
                "headers_only": "--headers-only",
            },
        ),
        "measurements": (
            f"{_MAKE} --qra m.csv",
            {
                "keep": _MADE["keep"],
                "format": _MADE["format"],
                "qra": "--qra m.csv => --qra n.csv",
                "base": "--base https://example.org/id/",
            },
        ),
        "assessments": (
            f"{_MAKE} --assessment {{assessment}}",
            {**_MADE, "assessments": "--assessment {other_assessment}", "archive": "-a {garden}"},
        ),
        "archive": (
            f"{_MAKE} -a {{archive}}",
            {**_MADE, "keep": "--keep paths", "archive": "-a {other_archive}"},
        ),
    },
    "nanopub claim": {
        "words": (
            _CLAIM,
            {**_WORDS, "keep": (f"{_CLAIM} --reason 'ask ada@example.org'", "--keep mail")},
        ),
        "track": (
            "nanopub claim --track track.yaml --of 1",
            {**_WORDS, "track": "--track track-2.yaml", "of": "--of 2"},
        ),
        "file": (
            "nanopub claim claim.yaml",
            {
                **_WORDS,
                "file": "claim.yaml => claim-2.yaml",
                "track": "--track track-2.yaml",
                "of": "--of 2",
            },
        ),
    },
    "nanopub sign": {
        "": (
            _SIGN,
            {
                "paths": "draft.trig => draft-2.trig",
                "orcid": f"--orcid {OTHER_ORCID}",
                "license": "--license cc0",
                "key": "--key {other_key}",
                "name": "--name Ada",
                "created": "--created 2026-03-01T13:00:00Z",
                "format": "-f json",
            },
        )
    },
    "nanopub check": {
        "": (
            "nanopub check old.trig",
            {
                "paths": "draft.trig",
                "strict": ("nanopub check draft.trig", "--strict"),
                "format": "-f json",
            },
        )
    },
    "nanopub keys new": {
        "": (
            "nanopub keys new --key id",
            {"key": "--key mine", "bits": "--bits 3072", "format": "-f json"},
        )
    },
    "nanopub keys show": {
        "": ("nanopub keys show --key {key}", {"key": "--key {other_key}", "format": "-f json"})
    },
    "nanopub keys introduce": {
        "": (
            f"nanopub keys introduce --key {{key}} --orcid {ORCID}",
            {
                "key": "--key {other_key}",
                "format": "-f json",
                "orcid": f"--orcid {OTHER_ORCID}",
                "name": "--name Ada",
                "location": "--location https://example.org/",
            },
        ),
    },
    "nanopub index": {
        "": (
            "nanopub index old.trig -o all.trig",
            {
                "paths": "np",
                "title": "--title Mine",
                "description": "--description 'what I did'",
                "subindex": "--subindex np/{index_file}",
                "format": "-f json",
            },
        )
    },
    "nanopub supersede": {
        "": (
            "nanopub supersede old.trig draft.trig",
            {
                "old": "old.trig => np/{first_file}",
                "new": "draft.trig => draft-2.trig",
                "format": "-f json",
            },
        )
    },
    "nanopub retract": {
        "": (
            f"nanopub retract old.trig --orcid {ORCID}",
            {
                "old": "old.trig => np/{first_file}",
                "orcid": f"--orcid {OTHER_ORCID}",
                "reason": "--reason wrong",
                "format": "-f json",
            },
        )
    },
    "nanopub publish": {
        "publishing": (
            _PUBLISH,
            {**_PUBLISHED, "timeout": (f"{_PUBLISH} --timeout 0.1", "--timeout 0.2")},
        ),
        "dry run": (f"{_PUBLISH} --dry-run", {**_PUBLISHED, "dry_run": "--dry-run =>"}),
        "dry run without a registry": (
            "nanopub publish np --dry-run",
            {
                "paths": _PUBLISHED["paths"],
                "dry_run": (f"{_PUBLISH} --dry-run", "--dry-run =>"),
                "format": "-f json",
            },
        ),
    },
    "nanopub fetch": {
        "names": (_FETCH, _FETCHED),
        "indexes": (
            f"{_FETCH} --follow",
            {**_FETCHED, "names": "{other}", "follow": "--follow =>", "most": "--most 1"},
        ),
    },
}
#: Options that ask for another mode; which of two is meant, nobody can tell.
ASKS = {
    "nanopub make": ("paths", "qra", "assessments", "archive"),
    "nanopub claim": ("track", "file"),
    "nanopub publish": ("dry_run", "registry"),
    "nanopub fetch": ("follow",),
}
#: What differs each time: when something was confirmed, and keys with their digests.
CHANGING = re.compile(r'(?<="confirmed": )"[^"]*"|(?<![A-Za-z0-9+/])[A-Za-z0-9+/=]{64,}')


@pytest.fixture(scope="module")
def published(signer: Signer) -> dict[str, Signed]:
    """Two nanopublications with an index of them, and one more."""
    found = {word: signed(word, signer) for word in ("first", "second", "other")}
    listed = [found[word].nanopub.uri for word in ("first", "second")]
    return {**found, "index": signed_index("all", signer, listed)}


@pytest.fixture(scope="module")
def data(
    tmp_path_factory: pytest.TempPathFactory, signer: Signer, published: dict[str, Signed]
) -> Path:
    """A folder with the files that commands are tried with."""
    folder = tmp_path_factory.mktemp("data")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    put_draft(folder / "draft.trig", 1)
    put_draft(folder / "draft-2.trig", 2)
    put_signed(folder / "old.trig", signer, 3)
    put_all(folder / "np", [published[word] for word in ("first", "second", "index")])
    return folder


@pytest.fixture(scope="module")
def names(
    tmp_path_factory: pytest.TempPathFactory,
    garden: Path,
    key_file: Path,
    data: Path,
    published: dict[str, Signed],
    running: StandIn,
) -> dict[str, str]:
    """What stands in braces in a command line."""
    folder = tmp_path_factory.mktemp("places")
    other_key = folder / "other_rsa"
    other_key.touch(mode=0o600)
    other_key.write_bytes(private_text(generate_key()))
    corrected = folder / "corrected"
    shutil.copytree(garden, corrected)
    # Where it is known which file held a run, no other file replaces its header.
    (corrected / "files.sqlite").unlink()
    run = (ROOT / "examples" / "garden" / "runs" / "greenhouse-bm25.txt").read_text()
    changed = folder / "run.txt"
    changed.write_text(run.replace("# method:", "# method:\n#   by: ada@example.org", 1))
    for path, archive in (
        (changed, corrected),
        (data / "run.txt", folder / "archive"),
        (data / "other.txt", folder / "other_archive"),
    ):
        assert run_in(folder, ["load", str(path), "-a", str(archive), "-q"]).exit_code == 0
    found = run_in(folder, ["query", "assessments", "-a", str(garden), "-f", "csv"])
    assessments = sorted({line.rpartition(",")[2] for line in found.output.splitlines()[1:]})
    return {
        "key": str(key_file),
        "other_key": str(other_key),
        "garden": str(garden),
        "corrected": str(corrected),
        **{name: str(folder / name) for name in ("archive", "other_archive")},
        "assessment": assessments[0],
        "other_assessment": assessments[1],
        "registry": running.url,
        "other_registry": running.url.replace("127.0.0.1", "localhost"),
        **{word: code_of(one) for word, one in published.items()},
        **{f"{word}_file": f"{code_of(one)[2:]}.trig" for word, one in published.items()},
    }


@pytest.fixture
def run(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    data: Path,
    names: dict[str, str],
    registry: StandIn,
    published: dict[str, Signed],
) -> Callable[[str], Seen]:
    """Runs a command line in a folder of its own, with a registry that knows nothing else."""
    monkeypatch.setenv("PRIMAD_LD_ARCHIVE", names["corrected"])
    monkeypatch.setattr(Patience, "pauses", lambda _: iter(()))
    known = {"uri": published["first"].nanopub.uri, "registry": registry.url, "confirmed": "then"}

    def run(line: str) -> Seen:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        shutil.copytree(data, folder)
        (folder / "np" / JOURNAL).write_text(f"{json.dumps(known)}\n")
        registry.reset()
        if line.startswith("nanopub fetch"):
            for one in published.values():
                registry.give(one)
        registry.set(silent=9 * ("--timeout" in line))
        monkeypatch.chdir(folder)
        done = run_in(folder, shlex.split(line.format_map(names)))
        files = {
            name: CHANGING.sub("…", text.decode()).encode() for name, text in done.files.items()
        }
        return done._replace(output=CHANGING.sub("…", done.output), files=files)

    return run


def test_every_option_has_a_case() -> None:
    assert not unproven("nanopub ", PROOFS)


@pytest.mark.parametrize(("command", "mode"), each_of(PROOFS))
def test_options_have_an_effect(command: str, mode: str, run: Callable[[str], Seen]) -> None:
    assert without_effect(*PROOFS[command][mode], run) == []


@pytest.mark.parametrize(("command", "mode"), [one for one in each_of(PROOFS) if one[1]])
def test_the_rest_is_refused_by_name(command: str, mode: str, run: Callable[[str], Seen]) -> None:
    assert accepted(command, PROOFS[command], mode, ASKS[command], run) == []
