"""Values as they are compared: by what they mean and not by how a header spells them (D9).

A folded value is plain JSON. What cannot be read as what its field holds, and what a template
left behind, folds to nothing: it neither equals nor differs from anything.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from primad_ld.compare.names import known_name
from primad_ld.converters import BY_NAME
from primad_ld.iris import fold_dataset
from primad_ld.requirements import read_requirement

# Archives repeat their values.
_remembered: Final = lru_cache(maxsize=8192)
# Longer texts are compared by their beginnings: a component stays a few kilobytes.
_LONGEST: Final = 2000


@_remembered
def text(value: str) -> str:
    """A text without case, and with one blank where it has several."""
    return " ".join(unicodedata.normalize("NFKC", value[:_LONGEST]).casefold().split())


@_remembered
def name(value: str) -> str:
    """A name that people write with hyphens, underscores or blanks."""
    return " ".join(re.sub(r"[-_]+", " ", text(value)).split())


def is_given(value: str) -> bool:
    """Whether a text says anything: some write that they do not know."""
    return text(value) not in ("", "?", "-", "\N{EN DASH}", "unknown", "n/a", "null")


# Versions ---------------------------------------------------------------------------------------

_VERSION: Final = re.compile(r"v?(\d{1,9}(?:\.\d{1,9}){0,9})(.*)", re.DOTALL)


@_remembered
def version(value: str) -> str:
    """A version without a leading v, zeros at its end and what was built locally: 1.0 is 1."""
    folded = text(value).partition("+")[0]
    match = _VERSION.fullmatch(folded)
    if match is None:
        return folded
    numbers = [str(int(number)) for number in match[1].split(".")]
    while len(numbers) > 1 and numbers[-1] == "0" and not match[2]:
        numbers.pop()
    return ".".join(numbers) + match[2]


def minor_version(value: str) -> str:
    """The first two numbers of a version, or the one that it has."""
    match = _VERSION.fullmatch(text(value))
    return ".".join(str(int(one)) for one in match[1].split(".")[:2]) if match else text(value)


def is_same_minor(one: str, other: str) -> bool:
    """Whether two versions agree as far as both go: 12 and 12.5 do."""
    return all(map(str.__eq__, one.split("."), other.split(".")))


# Platforms --------------------------------------------------------------------------------------

# What makers, virtual machines and kernels add to the name of a processor.
_OF_PROCESSORS: Final = re.compile(
    r"\((?:r|tm|c)\)|[®™©]|@\s*[\d.,]+\s*[gm]hz|\b\d+-core\b|\b(?:cpu|processor|apu)\b"
)


@_remembered
def processor(value: str) -> str:
    """The model of a processor; trackers and kernels write its words in another order."""
    bare = _OF_PROCESSORS.sub(" ", unicodedata.normalize("NFKC", value[:_LONGEST]).casefold())
    # NFKC writes the sign of a trademark as two letters.
    words = {re.sub(r"tm$", "", word) if word == "coretm" else word for word in bare.split()}
    return " ".join(sorted(words))


def architecture(value: str) -> str:
    """The architecture of a processor under one of its names."""
    return known_name("architectures", value) or name(value)


class Distribution(NamedTuple):
    """An operating system: its name, and its version by major and minor number."""

    name: str
    version: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.version}".rstrip()


_RELEASE: Final = re.compile(r"(?<![\w.])v?(\d{1,6}(?:\.\d{1,6}){0,5})(?![\w])")


@_remembered
def distribution(value: str) -> Distribution:
    """The name and the release of an operating system; its kernel is not asked for."""
    folded = text(value)
    match = _RELEASE.search(folded)
    bare = folded[: match.start()] if match else folded.partition("(")[0]
    called = known_name("distributions", bare) or name(bare)
    return Distribution(called, minor_version(match[1]) if match else "")


def requirements(value: object) -> dict[str, str]:
    """Libraries or toolkits with their exact version, empty where none is given."""
    found: dict[str, str] = {}
    for one in texts(value):
        called, exact = _requirement(one)
        found[called] = exact or found.get(called, "")
    return found


@_remembered
def _requirement(value: str) -> tuple[str, str]:
    read = read_requirement(value)
    called = known_name("toolkits", read.name) or re.sub(r"[-_.\s]+", "-", text(read.name))
    return called, version(read.version) if read.version else ""


@_remembered
def is_toolkit(called: str) -> bool:
    """Whether a library is known to be a retrieval toolkit."""
    return known_name("toolkits", called) is not None


# Implementations --------------------------------------------------------------------------------

_ADDRESS: Final = re.compile(
    r"(?:[a-z][a-z0-9+.\-]*://)?(?:[^@/\s]*@)?(?:www\.)?"
    r"([a-z0-9\-]+(?:\.[a-z0-9\-]+)+)(?::\d+)?[/:](\S*)",
    re.IGNORECASE,
)
# What browsers show of a repository besides its first page.
_PAGE: Final = re.compile(r"/(?:-/)?(?:tree|blob|commits?|releases)(?:/.*)?$")
_HEX: Final = re.compile(r"[0-9a-f]{4,64}")


@_remembered
def repository(value: str) -> str:
    """Host and path: without scheme, user, ``www``, ``.git`` and the case of the host."""
    stripped = value.strip()
    match = _ADDRESS.fullmatch(stripped)
    if match is None:
        return text(stripped)
    path = _PAGE.sub("", match[2].strip("/"))
    return f"{match[1].casefold()}/{path.removesuffix('.git').strip('/')}"


def commit(value: str) -> str:
    """A commit or a release."""
    folded = text(value)
    return folded if _HEX.fullmatch(folded) else version(folded)


def is_same_commit(one: str, other: str) -> bool | None:
    """Whether one commit is the beginning of the other; None where it is too short to tell."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    if not (_HEX.fullmatch(short) and _HEX.fullmatch(long) and long.startswith(short)):
        return False
    return True if len(short) >= 7 else None


# Research goals ---------------------------------------------------------------------------------

_ARXIV_DOI: Final = re.compile(r"10\.48550/arxiv\.", re.IGNORECASE)
_OF_DBLP: Final = re.compile(r"(?:https?://)?(?:www\.)?dblp\.(?:org|uni-trier\.de)/(?:rec/)?(?:html/|bibtex/)?", re.IGNORECASE)  # fmt: skip


@_remembered
def publication(kind: str, value: str) -> tuple[str, str]:
    """An identifier of a publication with its kind: the DOI that arXiv gives is an arXiv number."""
    read = value.strip()
    if kind in ("doi", "url") and _ARXIV_DOI.search(read):
        kind, read = "arxiv", "arXiv:" + _ARXIV_DOI.split(read)[1]
    for known, host in (("doi", "doi.org/"), ("arxiv", "arxiv.org/"), ("dblp", "dblp.")):
        if kind == "url" and host in read.casefold():
            kind = known
    if kind == "dblp":
        return kind, re.sub(r"\.(?:html|bib|xml|rdf)$", "", _OF_DBLP.sub("", read))
    if kind == "url":
        return kind, repository(read)
    term = BY_NAME[kind].read(read)
    found = term.token.strip("<>").casefold() if term is not None else text(read)
    for page in ("https://doi.org/", "https://arxiv.org/abs/"):
        found = found.removeprefix(page)
    return kind, re.sub(r"v\d+$", "", found) if kind == "arxiv" else found


# Data -------------------------------------------------------------------------------------------

_DIGEST: Final = re.compile(r"(?:[a-z0-9\-]+:)?([0-9a-f]{32,128})", re.IGNORECASE)
_PACKED: Final = re.compile(r"\.(?:gz|zst|bz2|xz|zip)$", re.IGNORECASE)


def dataset(value: str) -> str:
    """An identifier of ir_datasets, also where its page is given."""
    return fold_dataset(f'"{value.strip()}"').strip('"/').casefold()


def is_part(one: str, other: str) -> bool:
    """Whether one identifier of ir_datasets is that of a corpus and the other of its subset."""
    return one.startswith(f"{other}/") or other.startswith(f"{one}/")


class Location(NamedTuple):
    """Where topics or judgements lie: an address, a path of some machine, or a digest."""

    kind: str
    #: The last segment of the path, or the digest.
    last: str


def location(value: str) -> Location:
    """The last segment of an address or a path, without how the file is compressed."""
    stripped = value.strip()
    digest = _DIGEST.fullmatch(stripped)
    if digest:
        return Location("digest", digest[1].casefold())
    bare = re.split(r"[?#]", stripped)[0] if "://" in stripped else stripped
    last = re.split(r"[/\\]", bare.rstrip("/\\"))[-1]
    kind = "address" if _ADDRESS.fullmatch(stripped) else "path"
    return Location(kind, _PACKED.sub("", last))


# Methods ----------------------------------------------------------------------------------------


class Name(NamedTuple):
    """A name of a stemmer, a model …, and whether a table knows it."""

    name: str
    is_known: bool


@_remembered
def named(kind: str, *values: str) -> Name:
    """The first of some names that the table knows, else the first of them as it is written."""
    for value in values:
        known = known_name(kind, value)
        if known is not None:
            return Name(known, True)
    return Name(name(values[0]), False)


# Walking ----------------------------------------------------------------------------------------


def texts(value: object) -> Iterator[str]:
    """The texts of a list, a mapping of lists or a single value that say something."""
    inner: Iterable[object]
    if isinstance(value, dict):
        inner = value.values()
    elif isinstance(value, list):
        inner = value
    else:
        inner = ()
        if isinstance(value, str) and is_given(value):
            yield value
    for one in inner:
        yield from texts(one)


def orcid(value: str) -> str:
    """An ORCID without its page; what is not one identifies nobody."""
    term = BY_NAME["orcid"].read(value.strip())
    return BY_NAME["orcid"].write(term.token.strip("<>")) if term is not None else ""
