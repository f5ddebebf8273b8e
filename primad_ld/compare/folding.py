"""Values as they are compared: by what they mean and not by how a header spells them (D9).

A folded value is plain JSON. What cannot be read as what its field holds, and what a template
left behind, folds to nothing: it neither equals nor differs from anything. Names that mean the
same thing are those of the table ``names.yaml``, which may be extended. A `FoldingRule` folds
and compares the fields of two components, and says of each what it found, a `FieldVerdict`.
"""

from __future__ import annotations

import enum
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, wraps
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar, cast

from primad_ld.core import yamltext
from primad_ld.core.errors import HeaderError, SchemaError
from primad_ld.core.files import resource
from primad_ld.core.iris import XSD
from primad_ld.core.long_texts import normalized
from primad_ld.schema.canonical import folded, read_requirement
from primad_ld.schema.converters import BY_DATATYPE, BY_NAME
from primad_ld.schema.fields import Field

# Longer texts are compared by a digest: a component stays a few kilobytes.
_LONGEST: Final = 2000
_SHOWN: Final = 100
_Fold = TypeVar("_Fold", bound=Callable[..., object])


def _remembered(fold: _Fold) -> _Fold:
    """A fold that remembers texts that archives repeat; long ones are not repeated."""
    cached = lru_cache(maxsize=8192)(fold)

    @wraps(fold)
    def folded(*values: str) -> object:
        return cached(*values) if len(max(values, key=len)) < _LONGEST else fold(*values)

    return cast("_Fold", folded)


@_remembered
def text(value: str) -> str:
    """A text without case, and with one space where it has several."""
    folded = " ".join(normalized("NFKC", value).casefold().split())
    if len(folded) <= _LONGEST:
        return folded
    digest = hashlib.sha256(folded.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{folded[:_SHOWN]}… {digest}"


@_remembered
def name(value: str) -> str:
    """A name that people write with hyphens, underscores or spaces."""
    return " ".join(re.sub(r"[-_]+", " ", text(value)).split())


def without_spaces(value: str) -> str:
    """A name that people write with and without hyphens, underscores or spaces."""
    return name(value).replace(" ", "")


_SAYING_NOTHING: Final = frozenset(("", "?", "-", "\N{EN DASH}", "unknown", "n/a", "null"))
_SHORT: Final = 20


def is_given(value: str) -> bool:
    """Whether a text says anything: some write that they do not know."""
    return len(value) > _SHORT or value.strip().casefold() not in _SAYING_NOTHING


def is_unnamed(value: str) -> bool:
    """Whether a text stands where a name belongs and names nothing: ``none``, ``private``."""
    return known_name("unnamed", value) is not None


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


def flag(value: str) -> str | None:
    """Yes or no, as ``true`` or ``false``."""
    term = BY_DATATYPE[XSD + "boolean"].read(value)
    return term.token.split('"')[1] if term is not None else None


# Versions ---------------------------------------------------------------------------------

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


# Platforms --------------------------------------------------------------------------------

# What makers, virtual machines and kernels add to the name of a processor.
_OF_PROCESSORS: Final = re.compile(
    r"\((?:r|tm|c)\)|[®™©]|@?\s?\b\d+(?:[.,]\d+)?\s?[gm]hz\b|\b\d+(?:-core|(?:st|nd|rd|th) gen)\b"
    r"|\(?\b\d+\s?cores?\b\)?|^\d+\s?x\s|\b(?:cpu|processor|apu)\b"
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
    if not called or called in ("linux", "gnu linux", "unix"):
        return None
    called = known_name("distributions", called) or called
    return Distribution(called, ".".join(match[1].split(".")[:2]) if match else "")


# Libraries --------------------------------------------------------------------------------


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


# As files of releases are named.
_WITH_VERSION: Final = re.compile(r"(.+?)-v?(\d+(?:\.\d+)+)")


@_remembered
def _requirement(value: str) -> tuple[str, Versions]:
    read = read_requirement(value)
    match = _WITH_VERSION.fullmatch(read.name) if not (read.version or read.specifier) else None
    bare, exact = match.groups() if match else (read.name, read.version)
    called = known_name("toolkits", bare) or re.sub(r"[-_.\s]+", "-", text(bare))
    return called, Versions(version(exact), minor_version(exact)) if exact else Versions()


@_remembered
def is_toolkit(called: str) -> bool:
    """Whether a library is known to be a retrieval toolkit."""
    return known_name("toolkits", called) is not None


# Repositories and commits -----------------------------------------------------------------

# With a scheme or a user any host will do; without them it must have a dot.
_ADDRESS: Final = re.compile(
    r"(?:[a-z][a-z0-9+.\-]*://(?:[^@/\s]*@)?(?:www\.)?([a-z0-9.\-]+)|[^@/\s]+@([a-z0-9.\-]+)"
    r"|(?:www\.)?([a-z0-9\-]+(?:\.[a-z0-9\-]+)+))(?::\d+)?(?:[/:](\S*))?",
    re.IGNORECASE,
)
# What browsers show of a repository besides its first page.
_PAGE: Final = re.compile(r"/(?:-/)?(?:tree|blob|commits?|releases)(?:/.*)?\Z", re.DOTALL)
_COMMIT_OF_PAGE: Final = re.compile(r"/(?:tree|blob|commits?)/([0-9a-f]{7,64})(?:/|$)")
_HEX: Final = re.compile(r"[0-9a-f]{4,64}")
# As git describes a state of the code, and as addresses and references hold it.
_DESCRIBED: Final = re.compile(r"(?:.*/|.*-g)?([0-9a-f]{7,64})(-dirty)?")
# On these hosts case does not count in a path.
_WITHOUT_CASE: Final = ("github.com",)
#: Names of what moves from commit to commit.
_MOVING: Final = frozenset(
    ("main", "master", "head", "trunk", "dev", "develop", "latest", "nightly", "snapshot")
)


@_remembered
def repository(value: str) -> str:
    """Host and path: without scheme, user, ``www``, ``.git`` and the case of the host."""
    address = _address(re.split(r"[?#]", value)[0])
    if address is None:
        return text(value)
    host, path = address[0], _PAGE.sub("", address[1].strip("/"))
    path = path.removesuffix(".git").strip("/")
    return f"{host}/{path.casefold() if host in _WITHOUT_CASE else path}"


def commit_of_page(value: str) -> str:
    """The commit that stands in the address of a repository's page; empty without one."""
    match = _COMMIT_OF_PAGE.search(value)
    return match[1] if match else ""


def is_address(value: str) -> bool:
    """Whether a text is an address, with a host that is more than one word."""
    return _address(value) is not None


def commit(value: str) -> str:
    """A commit or a release; one that was changed keeps ``-dirty`` at its end."""
    folded = text(value)
    described = _DESCRIBED.fullmatch(folded)
    if described:
        return described[1] + (described[2] or "")
    return folded if _HEX.fullmatch(folded) else version(folded.removeprefix("refs/tags/"))


def is_same_commit(one: str, other: str) -> bool | None:
    """Whether one commit is the beginning of the other; None where that cannot be told.

    A commit may be that of a release, and what moves may have been anything.
    """
    if one in _MOVING or other in _MOVING:
        return None
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    are_commits = [_HEX.fullmatch(side) is not None for side in (short, long)]
    if not all(are_commits):
        return None if any(are_commits) else False
    return (True if len(short) >= 7 else None) if long.startswith(short) else False


def _address(value: str) -> tuple[str, str] | None:
    """Host and path of an address, without scheme, user and port; None if it is not one."""
    match = _ADDRESS.fullmatch(value.strip())
    if match is None or (match[4] is None and match[1] is None):
        return None
    return (match[1] or match[2] or match[3]).casefold(), match[4] or ""


# Publications and people ------------------------------------------------------------------

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
    if is_unnamed(read) or (kind == "dblp" and "/pid/" in read):
        return None
    if kind == "url" and "/doi/" in read and _NUMBERS["doi"].search(read):
        kind = "doi"
    if kind == "dblp":
        return kind, re.sub(r"\.(?:html|bib|xml|rdf)$", "", _OF_DBLP.sub("", read))
    if kind in _NUMBERS:
        match = _NUMBERS[kind].search(read)
        if match:
            number = match[0].casefold()
            return kind, re.sub(r"^([a-z\-]+)\.[a-z]{2}/", r"\1/", number)
        kind = "url"
    if kind == "url":
        return (kind, repository(read)) if is_address(read) else None
    return kind, text(read)


def orcid(value: str) -> str:
    """An ORCID without its page; what is not one identifies nobody."""
    term = BY_NAME["orcid"].read(value.strip())
    return BY_NAME["orcid"].write(term.token.strip("<>")) if term is not None else ""


# Data -------------------------------------------------------------------------------------

_DIGEST: Final = re.compile(r"(?:[a-z0-9\-]+:)?([0-9a-f]{32,128})", re.IGNORECASE)
_PACKED: Final = re.compile(r"\.(?:gz|zst|bz2|xz|zip)$", re.IGNORECASE)


def dataset(value: str) -> str:
    """An identifier of ir_datasets, also where its page is given."""
    return folded("dataset", value).strip("/").casefold()


def is_part(one: str, other: str) -> bool:
    """Whether one identifier of ir_datasets is that of a corpus and the other of its subset."""
    return one.startswith(f"{other}/") or other.startswith(f"{one}/")


class Location(NamedTuple):
    """Where topics or judgements lie: an address, a path of some machine, or a digest."""

    kind: str
    #: The last segment of the path with what an address asks for, or the digest.
    last: str
    #: The host of an address, and the path before its last segment.
    host: str = ""
    folder: str = ""


def location(value: str) -> Location:
    """The last segment of an address or a path, without how the file is compressed."""
    stripped = value.strip()
    digest = _DIGEST.fullmatch(stripped)
    if digest:
        return Location("digest", digest[1].casefold())
    host, path = _address(stripped) or ("", stripped)
    bare, *asked = re.split(r"[?#]", path) if host else [path]
    bare = bare.rstrip("/\\")
    start = max(bare.rfind("/"), bare.rfind("\\")) + 1
    folder, last = bare[:start], bare[start:]
    if asked and "." not in last:
        last = path.removeprefix(folder)  # what is asked for tells the file
    return Location(
        "address" if host else "path", _PACKED.sub("", last), host, folder if host else ""
    )


# Known names ------------------------------------------------------------------------------


class Name(NamedTuple):
    """A name of a stemmer, a model …, and whether a table knows it."""

    name: str
    is_known: bool


_VARIANT: Final = re.compile(r"\S+\(([^()\s]+)\)")


@_remembered
def named(kind: str, *values: str) -> Name:
    """The first of some names that the table knows, else the last of them as it is written."""
    for value in values:
        # A variant that is another thing of its own: bm25s.BM25(bm25+).
        variant = _VARIANT.fullmatch(value)
        known = (known_name(kind, variant[1]) if variant else None) or known_name(kind, value)
        if known is not None:
            return Name(known, True)
    return Name(name(values[-1]), False)


def known_name(kind: str, text: str) -> str | None:
    """The canonical name of what a header calls ``text``, or None if the table does not know it.

    The kinds (``models``, ``stemmers`` …) and the rules of matching are those of ``names.yaml``.
    """
    table = _tables()[kind]
    names = table.canonical
    return next((names[name] for name in _names_in(text, table) if name in names), None)


#: What does not count in a name.
_IGNORED: Final = re.compile(r"""[\s\-\u2010-\u2015_/'"\u2018\u2019\u201c\u201d]+""")


class NameTable(NamedTuple):
    """The names of one kind of things."""

    #: The canonical name of each name.
    canonical: dict[str, str]
    #: Names that are listed with something in parentheses at their end.
    with_arguments: frozenset[str]
    #: The length of the longest name.
    longest: int


def read_tables(file: Path) -> dict[str, NameTable]:
    """The table of each kind. Two things of a kind that share a name are an error."""
    try:
        kinds = yamltext.parse(file.read_text(encoding="utf-8"))
    except HeaderError as error:
        raise SchemaError(str(error.in_file(file))) from error
    if not isinstance(kinds, dict):
        raise SchemaError(f"{file}: must be a mapping of kinds")
    return {kind: _read_table(things, f"{file}: {kind}") for kind, things in kinds.items()}


def _read_table(things: yamltext.Value, where: str) -> NameTable:
    if not isinstance(things, dict) or not things:
        raise SchemaError(f"{where}: must be a mapping of canonical names")
    names: dict[str, str] = {}
    for canonical, others in things.items():
        if not isinstance(others, list):
            raise SchemaError(f"{where}: {canonical}: must be a list of other names")
        for name in (canonical, *others):
            folded = "".join(_parts_of_name(name)[:2]) if isinstance(name, str) else ""
            if not folded:
                raise SchemaError(f"{where}: {canonical}: {name!r} is not a name")
            if (first := names.setdefault(folded, canonical)) != canonical:
                raise SchemaError(
                    f"{where}: {first} and {canonical} share the name {name!r}; "
                    "remove it from one of them"
                )
    heads = frozenset(name.rpartition("(")[0] for name in names if name.endswith(")"))
    return NameTable(names, heads, max(map(len, names)))


@cache
def _tables() -> dict[str, NameTable]:
    return read_tables(resource("compare/names.yaml"))


def _names_in(text: str, table: NameTable) -> Iterator[str]:
    """The names to look up, the longest first."""
    path, arguments, has_spaces = _parts_of_name(text)
    first = max(0, len(path) - table.longest - 1)
    dots = [] if has_spaces else [at for at in range(first, len(path)) if path[at] == "."]
    for start in (0, *(at + 1 for at in dots)):
        name = path[start:]
        if len(name) + len(arguments) <= table.longest:
            yield name + arguments
        if arguments and name not in table.with_arguments:
            yield name


def _parts_of_name(text: str) -> tuple[str, str, bool]:
    """A name without what does not count, what is in parentheses at its end, and if it has spaces."""
    text = normalized("NFKC", text).casefold().strip()
    head, mark, rest = text.rpartition("(") if text.endswith(")") else (text, "", "")
    has_spaces = len(head.split(maxsplit=1)) > 1
    return _IGNORED.sub("", head), _IGNORED.sub("", mark + rest), has_spaces


# Rules and verdicts -----------------------------------------------------------------------

#: Plain JSON, as folding makes it.
Json = Any
#: Values of a component by the path of their field, those that say something.
Values = Mapping[str, Any]
#: The fields that a rule folds together, by their path.
Fields = Mapping[str, Field]


class FieldOutcome(enum.Enum):
    """How one field of two components compares."""

    same = "same"
    different = "different"
    #: Both say something, and it cannot be decided.
    open = "open"
    #: Only one side says something, or neither does.
    only_reference = "only reference"
    only_candidate = "only candidate"
    neither = "neither"


ONE_SIDED: Final = (FieldOutcome.only_reference, FieldOutcome.only_candidate)


class FieldVerdict(NamedTuple):
    """One field of two components, with what it says in either as it was compared."""

    #: The field within its component: ``retrieval[1].k1``; stages count from 1.
    path: str
    outcome: FieldOutcome
    reference: str = ""
    candidate: str = ""
    #: What the field says of its component: ``naming``, ``distinguishing`` or ``needed``.
    role: str = ""


@dataclass(frozen=True, slots=True)
class FoldingRule:
    """One way to fold and to compare."""

    fold: Callable[[Values, Fields], Json]
    #: Of two folded values, None for one that is not there, and the paths of the rule's fields.
    compare: Callable[[Json, Json, Sequence[str]], Iterator[FieldVerdict]]
    #: Whether the fields of a component that have this rule are one thing together.
    is_joint: bool = False


def one_sided(path: str, reference: str, candidate: str) -> FieldVerdict:
    """The verdict where at most one side says something."""
    if reference:
        return FieldVerdict(path, FieldOutcome.only_reference, reference, "")
    if candidate:
        return FieldVerdict(path, FieldOutcome.only_candidate, "", candidate)
    return FieldVerdict(path, FieldOutcome.neither)


def judged(path: str, is_same: bool | None, one: str, other: str) -> FieldVerdict:
    """The verdict where both sides say something; None where it cannot be decided."""
    outcome = (
        FieldOutcome.open
        if is_same is None
        else FieldOutcome.same
        if is_same
        else FieldOutcome.different
    )
    return FieldVerdict(path, outcome, one, other)
