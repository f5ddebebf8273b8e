"""Values as they are compared: by what they mean and not by how a header spells them (D9).

A folded value is plain JSON. What cannot be read as what its field holds, and what a template
left behind, folds to nothing: it neither equals nor differs from anything.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, wraps
from typing import Final, NamedTuple, TypeVar, cast

from primad_ld.compare.names import known_name
from primad_ld.converters import BY_DATATYPE, BY_NAME
from primad_ld.iris import fold_dataset
from primad_ld.namespaces import XSD
from primad_ld.requirements import read_requirement

# Longer texts are compared by a digest: a component stays a few kilobytes.
_LONGEST: Final = 2000
_SHOWN: Final = 100

Fold = TypeVar("Fold", bound=Callable[..., object])


def _remembered(fold: Fold) -> Fold:
    """A fold that remembers texts that archives repeat; long ones are not repeated."""
    cached = lru_cache(maxsize=8192)(fold)

    @wraps(fold)
    def folded(*values: str) -> object:
        return cached(*values) if len(max(values, key=len)) < _LONGEST else fold(*values)

    return cast("Fold", folded)


@_remembered
def text(value: str) -> str:
    """A text without case, and with one space where it has several."""
    folded = " ".join(unicodedata.normalize("NFKC", value).casefold().split())
    if len(folded) <= _LONGEST:
        return folded
    digest = hashlib.sha256(folded.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{folded[:_SHOWN]}… {digest}"


@_remembered
def name(value: str) -> str:
    """A name that people write with hyphens, underscores or spaces."""
    return " ".join(re.sub(r"[-_]+", " ", text(value)).split())


_SAYING_NOTHING: Final = frozenset(("", "?", "-", "\N{EN DASH}", "unknown", "n/a", "null"))
_SHORT: Final = 20


def is_given(value: str) -> bool:
    """Whether a text says anything: some write that they do not know."""
    return len(value) > _SHORT or value.strip().casefold() not in _SAYING_NOTHING


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
    r"\((?:r|tm|c)\)|[®™©]|@\s*[\d.,]+\s*[gm]hz|\b\d+(?:-core|(?:st|nd|rd|th) gen)\b"
    r"|\b(?:cpu|processor|apu)\b"
)


@_remembered
def processor(value: str) -> str:
    """The model of a processor; trackers and kernels write its words in another order."""
    # The normal form writes the sign of a trademark as two letters.
    bare = _OF_PROCESSORS.sub(" ", text(value.replace("™", " ")))
    return " ".join(sorted(set(bare.split())))


def architecture(value: str) -> str:
    """The architecture of a processor under one of its names."""
    return known_name("architectures", value) or name(value)


class Distribution(NamedTuple):
    """An operating system: its name, and its version by major and minor number."""

    name: str
    version: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.version}".rstrip()


_RELEASE: Final = re.compile(r"(?<![\d._])v?(\d{1,6}(?:\.\d{1,6}){0,5})(?!\w)")


@_remembered
def distribution(value: str) -> Distribution | None:
    """The name and the release of an operating system; its kernel is not asked for."""
    folded = text(value)
    match = _RELEASE.search(folded)
    bare = folded[: match.start()] if match else folded.partition("(")[0]
    called = name(bare.rstrip("( ").removesuffix(" release").removesuffix(" version"))
    if not called:
        return None
    called = known_name("distributions", called) or called
    return Distribution(called, ".".join(match[1].split(".")[:2]) if match else "")


class Versions(NamedTuple):
    """The version of a library: the whole, and its first two numbers."""

    exact: str = ""
    minor: str = ""


def requirements(value: object) -> dict[str, Versions]:
    """Libraries or toolkits with their exact version, empty where none or several are given."""
    found: dict[str, set[Versions]] = {}
    for one in texts(value):
        called, versions = _requirement(one)
        found.setdefault(called, set()).update({versions} if versions.exact else ())
    return {
        called: several.pop() if len(several) == 1 else Versions()
        for called, several in found.items()
    }


@_remembered
def _requirement(value: str) -> tuple[str, Versions]:
    read = read_requirement(value)
    called = known_name("toolkits", read.name) or re.sub(r"[-_.\s]+", "-", text(read.name))
    if not read.version:
        return called, Versions()
    return called, Versions(version(read.version), minor_version(read.version))


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
# As they stand in addresses, also those of publishers.
_NUMBERS: Final = {
    "doi": re.compile(r"10\.\d{4,9}/\S+"),
    "arxiv": re.compile(
        r"(?<!\d)(?<!\d\.)\d{4}\.\d{4,5}(?!\d)|[a-z\-]{2,20}(?:\.[a-z]{2})?/\d{7}(?!\d)",
        re.IGNORECASE,
    ),
}
_OF_DBLP: Final = re.compile(r"(?:https?://)?(?:www\.)?dblp\.(?:org|uni-trier\.de)/(?:rec/)?(?:html/|bibtex/)?", re.IGNORECASE)  # fmt: skip


@_remembered
def publication(kind: str, value: str) -> tuple[str, str] | None:
    """An identifier of a publication with its kind: the DOI that arXiv gives is an arXiv number.

    What should be a DOI or an arXiv number and is not is an address, or nothing.
    """
    read = value.strip()
    if kind in ("doi", "url") and _ARXIV_DOI.search(read):
        kind = "arxiv"
    for known, host in (("doi", "doi.org/"), ("arxiv", "arxiv.org/"), ("dblp", "dblp.")):
        if kind == "url" and host in read.casefold():
            kind = known
    if kind == "dblp":
        return kind, re.sub(r"\.(?:html|bib|xml|rdf)$", "", _OF_DBLP.sub("", read))
    if kind in _NUMBERS:
        match = _NUMBERS[kind].search(read)
        if match:
            return kind, match[0].casefold()
        kind = "url"
    if kind == "url":
        return (kind, repository(read)) if _ADDRESS.fullmatch(read) else None
    return kind, text(read)


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


def flag(value: str) -> str | None:
    """Yes or no, as ``true`` or ``false``."""
    term = BY_DATATYPE[XSD + "boolean"].read(value)
    return term.token.split('"')[1] if term is not None else None


# Walking ----------------------------------------------------------------------------------------


def texts(value: object) -> Iterator[str]:
    """The texts of a list, a mapping of lists or a single value."""
    inner: Iterable[object]
    if isinstance(value, dict):
        inner = value.values()
    elif isinstance(value, list):
        inner = value
    else:
        inner = ()
        if isinstance(value, str):
            yield value
    for one in inner:
        yield from texts(one)


def orcid(value: str) -> str:
    """An ORCID without its page; what is not one identifies nobody."""
    term = BY_NAME["orcid"].read(value.strip())
    return BY_NAME["orcid"].write(term.token.strip("<>")) if term is not None else ""
