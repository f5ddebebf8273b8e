"""Checks of a header against the world, on request: files, rankings, repositories, packages.

What is found is stated as a fact about the run, and a shape says what is wrong with it. Nothing
is fetched from addresses in headers but repositories, and these only by git over HTTP(S), or
from this machine.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import weakref
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from primad_ld.core.errors import PrimadError
from primad_ld.header.sources import Opened, Source
from primad_ld.schema.canonical import read_requirement
from primad_ld.trec.judgements import read_judgements
from primad_ld.validation.observations import Observation
from primad_ld.validation.places import Finder, Located
from primad_ld.validation.rankings import observe_ranking

#: The checks by name, with what they look at.
CHECKS: Final = {
    "files": "the digest of the ranking, and whether qrels and topics that are files exist",
    "ranking": "every line: columns, scores, ranks, documents, tags; topics without documents",
    "git": "whether the repository can be reached and has the commit",
    "libraries": "whether Python libraries are installed here in the same versions",
}
_SECONDS: Final = 120.0
_DIGEST: Final = re.compile(r"(?:sha-?256:)?([0-9a-f]{64})", re.IGNORECASE)
# What git may use to follow an address in a header: no helpers, no commands.
_NO_ANSWER: Final = re.compile(
    r"no answer in|could not resolve|failed to connect|couldn't connect|timed out|connection (was )?re"
    r"|network is unreachable|proxy|ssl|tls|returned error: 5",
    re.IGNORECASE,
)
_PROTOCOLS: Final = "http:https:file"


class World:
    """Looks at the world for one header after the other, and remembers what it saw."""

    def __init__(self, checks: Sequence[str]) -> None:
        self.checks = checks
        #: The topics of judgements, by their files.
        self._topics: dict[str, list[str]] = {}
        self.repositories = Repositories() if "git" in checks else None

    def observe(
        self, source: Source, located: Sequence[Located], opened: Opened
    ) -> list[Observation]:
        """What is to be known of a source besides its header."""
        fields = {one.part.key: one.part.value for one in located}
        found: list[Observation] = []
        if "files" in self.checks:
            found.extend(_files(source, located, opened))
        if "ranking" in self.checks and (
            opened.tag_in_file is not None or _is_marked(source, opened)
        ):
            end = opened.block.end if opened.block is not None else 0
            judged = self._judged_topics(source, located)
            found.extend(observe_ranking(Path(source.path), header_end=end, judged=judged))
        if self.repositories is not None:
            code = _below(fields.get("implementation"), "source")
            repository, commit = _below(code, "repository"), _below(code, "commit")
            if isinstance(repository, str):
                found.extend(
                    self.repositories.observe(repository, commit if type(commit) is str else "")
                )
        if "libraries" in self.checks:
            software = _below(fields.get("platform"), "software")
            found.extend(_libraries(_below(software, "libraries")))
        return found

    def _judged_topics(self, source: Source, located: Sequence[Located]) -> Collection[str]:
        """The topics of the judgements that the header names, if they are a file that is there."""
        for key, text, folder in _data_files(source, located):
            path = _local(text)
            if key == "qrels" and path is not None and (folder / path).is_file():
                file = str(folder / path)
                if file not in self._topics:
                    self._topics[file] = list(read_judgements(file).topics)
                return self._topics[file]
        return ()


def _is_marked(source: Source, opened: Opened) -> bool:
    """Whether a header stands at the top of a run; YAML alone is not a run."""
    return not source.is_yaml and opened.block is not None and opened.block.begin > 0


def _data_files(source: Source, located: Sequence[Located]) -> Iterator[tuple[str, str, Path]]:
    """What the header says of qrels and topics, with the folder of the file that says it."""
    finder = Finder(source.path, located)
    for one in located:
        collection = _below(one.part.value, "test collection") if one.part.key == "data" else None
        for key in ("qrels", "topics"):
            text = _below(collection, key)
            if isinstance(text, str):
                said_in = finder.place((one.part.key, "test collection", key)).file
                yield key, text, Path(said_in).parent


def _below(value: object, key: str) -> object:
    return value.get(key) if isinstance(value, dict) else None


# Files ----------------------------------------------------------------------------------


def _files(source: Source, located: Sequence[Located], opened: Opened) -> Iterator[Observation]:
    for one in located:
        value = one.part.value
        if one.part.key == "ranking digest" and isinstance(value, str):
            stated = _DIGEST.fullmatch(value.strip())
            ranking = opened.ranking
            if stated and ranking is not None and stated[1].lower() != ranking.digest:
                yield Observation("digestFound", ranking.digest)
    for key, text, folder in _data_files(source, located):
        path = _local(text)
        if path is not None and not os.path.exists(folder / path):
            yield Observation(f"{key}NotFound", text)


def _split(text: str) -> SplitResult | None:
    """The parts of an address; None for what only looks like one."""
    try:
        return urlsplit(text)
    except ValueError:  # brackets around no IPv6 address
        return None


def _local(text: str) -> str | None:
    """The path that a text names, if it names one of this machine."""
    parts = _split(text)
    if parts is None or "\0" in text:
        return None
    if parts.scheme == "file":
        return unquote(parts.path)
    if parts.scheme or not re.fullmatch(r"[^\s:]+", text):
        return None
    # A host without http:// in front, as the figures of the ir_metadata paper have them.
    if re.match(r"[\w-]+(\.[\w-]+)*\.(org|com|net|gov|edu|io|eu|de|nl|uk|fr|it|at|ch)/", text):
        return None
    return text


# Repositories -----------------------------------------------------------------------------


class Repositories:
    """Repositories of headers, each fetched once and without its files."""

    def __init__(self, seconds: float = _SECONDS) -> None:
        program = shutil.which("git")
        if program is None:
            raise PrimadError("the check of commits needs git, which is not installed")
        self._program = program
        self.seconds = seconds
        self._folder = Path(tempfile.mkdtemp(prefix="primad-ld-git-"))
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._clones: dict[str, Path | str] = {}
        self._commits: dict[tuple[str, str], bool] = {}

    def observe(self, repository: str, commit: str) -> Iterator[Observation]:
        """Whether a repository can be reached, and has a commit, tag or release."""
        address = _address(repository)
        if address is None:
            return  # its form is judged elsewhere
        clone = self._clone(address)
        if isinstance(clone, str):
            # That nothing answers is not the fault of the header.
            is_away = _NO_ANSWER.search(clone) is not None
            yield Observation("repositoryNotReached" if is_away else "repositoryNotFound", clone)
        elif commit and not self._has(clone, commit):
            yield Observation("commitNotFound", commit)

    def _clone(self, address: str) -> Path | str:
        """A copy of the history, or why there is none."""
        if address not in self._clones:
            path = self._folder / str(len(self._clones))
            self._clones[address] = self._fetch(address, path)
        return self._clones[address]

    def _fetch(self, address: str, path: Path) -> Path | str:
        try:
            self._git("clone", "--quiet", "--bare", "--filter=tree:0", "--", address, str(path))
        except subprocess.TimeoutExpired:
            return f"no answer in {self.seconds:g} seconds"
        except subprocess.CalledProcessError as error:
            lines = [line for line in error.stderr.splitlines() if line.strip()]
            # Below what went wrong, git may give advice.
            wrong = [line for line in lines if line.startswith(("fatal: ", "error: "))]
            said = [*wrong, *lines[-1:], "it failed without a word"][0]
            return re.sub(r"^(fatal|error): ", "", said).replace(str(path), "…")
        return path

    def _has(self, clone: Path, commit: str) -> bool:
        known = (str(clone), commit)
        if known not in self._commits:
            self._commits[known] = any(
                self._resolves(clone, name) for name in (commit, f"v{commit}")
            )
        return self._commits[known]

    def _resolves(self, clone: Path, name: str) -> bool:
        if name.startswith("-") or any(char.isspace() for char in name):
            return False
        try:
            self._git(
                *("-C", str(clone), "rev-parse", "--quiet", "--verify"),
                *("--end-of-options", f"{name}^{{commit}}"),
            )
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            return False
        return True

    def _git(self, *arguments: str) -> None:
        environment = {
            **os.environ,
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ASKPASS": "",
            "GIT_ALLOW_PROTOCOL": _PROTOCOLS,
            "LC_ALL": "C",
        }
        subprocess.run(  # noqa: S603  no shell; addresses stand behind "--"
            [self._program, "-c", "credential.helper=", *arguments],
            check=True,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=self.seconds,
            env=environment,
            stdin=subprocess.DEVNULL,
        )


def _address(repository: str) -> str | None:
    """The address that git may follow; None for what is none, or none that we let it follow."""
    parts = _split(repository)
    if parts is None:
        return None
    if parts.scheme in ("http", "https") and parts.hostname:
        return repository
    if parts.scheme == "file" and parts.path.startswith("/"):
        return repository
    return None


# Libraries --------------------------------------------------------------------------------


def _libraries(value: object) -> Iterator[Observation]:
    """Python libraries that are installed in other versions than the header says."""
    from importlib.metadata import PackageNotFoundError, version

    if isinstance(value, dict):
        value = value.get("python")
    for text in value if isinstance(value, list) else [value]:
        if not isinstance(text, str):
            continue
        stated = read_requirement(text)
        if not stated.version:
            continue
        try:
            installed = version(stated.name)
        except (PackageNotFoundError, ValueError):
            continue
        if installed.removeprefix("v") != stated.version.removeprefix("v"):
            yield Observation(
                "versionInstalled", f"{stated.name} {installed}, and not {stated.version}"
            )
