"""Profiles: what a header is asked. Shapes beside those of the header, and weights of their own.

A profile is a Turtle file. ``owl:imports`` says what it builds on, down to the shapes of the
header themselves; it may deactivate shapes of those and weigh fields anew. One that names what
is not there is refused: a misspelt name would ask for nothing, in silence.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from typing import Final

from primad_ld.core.errors import LimitError, SchemaError
from primad_ld.core.files import real_path, resource
from primad_ld.core.iris import FIELD, PRIMAD, RDF_TYPE, SH, SHAPES
from primad_ld.core.library_arguments import AnyPaths, to_names
from primad_ld.core.long_texts import closest
from primad_ld.core.processes import Limits, is_limited, within
from primad_ld.core.triples import read_subjects
from primad_ld.schema.fields import MOST_WEIGHT, Schema, as_weight, compile_schema
from primad_ld.shacl.shapes import Shape, Shapes, compile_shapes
from primad_ld.shacl.shapes_graph import Terms, read_terms

DEFAULT: Final = "core"
#: Other names of profiles.
_ALIASES: Final = {"longeval": "longeval-lags"}
# So the names of shapes begin that ask for a field.
_MISSING: Final = "missing-"
_FOLDER: Final = "shapes/profiles"
_SHAPES: Final = SHAPES.removesuffix("#")
_PROFILES: Final = "https://w3id.org/primad-ld/profiles/"
_IMPORTS: Final = "http://www.w3.org/2002/07/owl#imports"
_TITLE: Final = "http://purl.org/dc/terms/title"
_DESCRIPTION: Final = "http://purl.org/dc/terms/description"
_CLASS: Final = PRIMAD + "Profile"
#: For reading what a user wrote. The longest file that is read takes some seconds.
_READING: Final = Limits(seconds=10, memory=2**30)


@dataclass(frozen=True)
class Profile:
    """One profile or several together, ready to judge by."""

    #: As the user named them.
    names: tuple[str, ...]
    #: All files of shapes, those that others build on first.
    files: tuple[Path, ...]
    terms: Terms

    @cached_property
    def shapes(self) -> Shapes:
        """What headers are judged by."""
        return compile_shapes(self.terms)

    @cached_property
    def schema(self) -> Schema:
        """The schema of a header with the weights of the profile."""
        return compile_schema(*self.files)

    @cached_property
    def of_users(self) -> Mapping[str, Path]:
        """The shapes of which a file says something that does not ship, each with that file."""
        files = set(filter(_is_of_user, self.files))
        said_in = ((subject, self.terms.file_of(subject)) for subject in self.terms.statements)
        return {subject: file for subject, file in said_in if file in files}

    def text(self, shape: str, name: str, language: str = "en") -> str:
        """A text about a shape in a language, else in English, else in any; "" without one."""
        found = {value.language or "": value.value for value in self.terms.values(shape, name)}
        for wanted in (language, language.partition("-")[0], "en", ""):
            if wanted in found:
                return found[wanted]
        return next(iter(found.values()), "")

    def speaks(self, language: str) -> bool:
        """Whether some message or hint is another one in this language than in English."""
        return any(
            self.text(shape.iri, name, language) != self.text(shape.iri, name)
            for shape in self.shapes
            for name in (SH + "message", FIELD + "hint")
        )

    def place(self, shape: str) -> tuple[str, ...] | None:
        """Where a shape wants its findings, as keys below the node that it judges."""
        values = self.terms.values(shape, FIELD + "place")
        if not values:
            return None
        return tuple(member.value for member in self.terms.members(values[0], shape))

    def has(self, shape: str, name: str) -> bool:
        """Whether a shape has a mark of ours."""
        return any(value.value in ("true", "1") for value in self.terms.values(shape, name))


@dataclass(frozen=True, kw_only=True, slots=True)
class Description:
    """What a profile is called, and what it is for."""

    name: str
    title: str
    description: str
    file: Path


def profile_names() -> list[str]:
    """The profiles that ship with primad-ld; the default comes first."""
    names = {path.stem for path in resource(_FOLDER).glob("*.ttl")}
    return [DEFAULT, *sorted(names - {DEFAULT})]


def load_profile(*names: AnyPaths) -> Profile:
    """The profiles of these names or files together; the default if none is named."""
    given = [name for one in names for name in to_names(one, "names")]
    wanted = tuple(dict.fromkeys(given or (DEFAULT,)))
    return _load(wanted, tuple(map(_state, wanted)))


def _state(name: str) -> tuple[str, int, int]:
    """What changes with a file: the same name may be another one elsewhere, or later."""
    path = _file(name)
    found = path.stat()
    return str(real_path(path)), found.st_mtime_ns, found.st_size


@lru_cache(maxsize=8)
def _load(wanted: tuple[str, ...], _: tuple[tuple[str, int, int], ...]) -> Profile:
    if not is_limited():
        _try_reading(wanted)
    files = tuple(dict.fromkeys(file for name in wanted for file in _with_imports(_file(name), [])))
    header = resource("shapes/header.ttl")
    files = (header, *(file for file in files if file != header))
    return Profile(wanted, files, read_terms(files))


def _try_reading(wanted: tuple[str, ...]) -> None:
    """Read profiles in a process that ends, before this one does, if users wrote some of them.

    Lists that many shapes share, and paths that double at each step, take a time and a memory
    that grow faster than their file.
    """
    of_users = [name for name in wanted if _is_of_user(_file(name))]
    if not of_users:
        return
    try:
        with within(_READING, _make_reader, ()) as read:
            list(read([wanted]))
    except LimitError as error:
        raise SchemaError(
            f"{', '.join(of_users)}: reading this profile {error.why}; "
            "simplify its lists and paths, or use another profile"
        ) from None


def _make_reader() -> Callable[[Iterable[tuple[str, ...]]], Iterator[None]]:
    from primad_ld.validation.explaining import Explainer

    def read(profiles: Iterable[tuple[str, ...]]) -> Iterator[None]:
        for names in profiles:
            profile = load_profile(*names)
            # All that is made of a profile outside the process that judges by it.
            Explainer(profile)
            demands(profile)
            yield None

    return read


def describe(name: str) -> Description:
    """What a profile says about itself."""
    file = _file(name)
    terms = read_terms([file])
    found = terms.instances(_CLASS)
    if len(found) != 1:
        raise SchemaError(
            f"{file}: this is no profile: it needs one node of the class primad:Profile, "
            f"not {len(found)}"
        )
    profile = Profile((name,), (file,), terms)
    return Description(
        name=name,
        title=profile.text(found[0], _TITLE) or name,
        description=profile.text(found[0], _DESCRIPTION),
        file=file,
    )


def _file(name: str) -> Path:
    path, is_file = Path(name), os.path.isfile(name)  # False for names that no file can have
    if path.suffix.lower() in (".ttl", ".turtle") or is_file:
        if not is_file:
            raise SchemaError(f"{name}: there is no such file")
        return path
    shipped = _shipped(name)
    if shipped is None:
        raise SchemaError(
            f"unknown profile {name!r}; choose from {', '.join(profile_names())}, "
            "or name a file of your own that ends in .ttl"
        )
    return shipped


def _shipped(name: str) -> Path | None:
    """The file of a profile that ships with primad-ld."""
    name = _ALIASES.get(name, name)
    return resource(f"{_FOLDER}/{name}.ttl") if name in profile_names() else None


def _is_of_user(file: Path) -> bool:
    """Whether a file is not one of those that ship with primad-ld."""
    return not file.is_relative_to(resource("shapes"))


def _with_imports(file: Path, above: Sequence[Path]) -> Iterator[Path]:
    """A profile's file after those that it builds on."""
    if file in above:
        raise SchemaError(f"{file}: this profile builds on itself")
    terms = read_terms([file])
    if not above:
        describe(str(file))
        if _is_of_user(file):
            _check_spelling(file, terms)
    for _, imported in terms.pairs(_IMPORTS):
        yield from _imported(imported.value, file, [*above, file])
    yield file


def _imported(iri: str, by: Path, above: Sequence[Path]) -> Iterable[Path]:
    if iri == _SHAPES:
        return [resource("shapes/header.ttl")]
    shipped = _shipped(iri.removeprefix(_PROFILES)) if iri.startswith(_PROFILES) else None
    if shipped is None:
        raise SchemaError(
            f"{by}: imports {iri}, which is not a profile of primad-ld; name a file of your own "
            "with another --profile instead"
        )
    return _with_imports(shipped, above)


def demands(profile: Profile) -> list[Shape]:
    """The shapes in force that ask for a field, and all those of the profile's own files."""
    own = {
        iri
        for name in profile.names
        for iri, said in read_terms([_file(name)]).statements.items()
        if name != DEFAULT and {RDF_TYPE, SH + "path"} & said.keys() and not iri.startswith("_:")
    }
    return [
        shape
        for shape in profile.shapes
        if shape.messages
        and not shape.deactivated
        and (shape.iri in own or code_of(shape.iri).startswith(_MISSING))
    ]


def code_of(shape: str) -> str:
    """The name by which findings of a shape are known: the last part of its IRI."""
    return shape.replace("/", "#").rpartition("#")[2]


# Spelling ---------------------------------------------------------------------------------

_IMPORTANCE: Final = FIELD + "importance"
#: Terms of SHACL that are words of Python, and that rdflib leaves out for this or overlooks.
_KEYWORDS: Final = frozenset({"and", "class", "in", "not", "or", "values"})


def _check_spelling(file: Path, terms: Terms) -> None:
    """Refuse a profile that names what is not there; `SchemaError`."""
    for iri in _named(terms):
        for space, (prefix, known) in _VOCABULARIES.items():
            name = iri.removeprefix(space)
            if name != iri and name not in known():
                close = closest(name, known())
                meant = f"; did you mean {prefix}{close[0]}?" if close else ""
                raise SchemaError(f"{file}: there is no {prefix}{name}{meant}")
    weighed: dict[str, str] = {}
    for subject, weight in terms.pairs(_IMPORTANCE):
        found = as_weight(weight.value)
        if found is None or found < 0:
            raise SchemaError(
                f"{file}: <{subject}>: field:importance is {weight.value[:40]!r} and should be a "
                f"number from 0 to {MOST_WEIGHT:,}"
            )
        former = weighed.setdefault(subject, weight.value)
        if former != weight.value:
            raise SchemaError(
                f"{file}: <{subject}>: field:importance is {former} and {weight.value}; a field "
                "has one weight"
            )


def _named(terms: Terms) -> Iterator[str]:
    """Everything that some statements name."""
    for subject, predicate, value in terms.triples():
        yield subject
        yield predicate
        if value.datatype is None:
            yield value.value


@cache
def _shacl() -> frozenset[str]:
    """The terms of SHACL and SHACL-SPARQL (https://www.w3.org/TR/shacl/)."""
    from rdflib import namespace

    # Nothing here judges constraints in JavaScript.
    terms = namespace.SH.__annotations__
    return _KEYWORDS.union(name for name in terms if not name.lower().startswith("js"))


@cache
def _terms(space: str, name: str) -> frozenset[str]:
    return _local_names(space, resource(f"ontology/{name}.ttl"))


@cache
def _shapes() -> frozenset[str]:
    folder = resource("shapes")
    return _local_names(SHAPES, folder / "header.ttl", *sorted(folder.glob("profiles/*.ttl")))


def _local_names(space: str, *files: Path) -> frozenset[str]:
    return frozenset(
        iri.removeprefix(space) for iri in read_subjects(*files) if iri.startswith(space)
    )


#: What profiles may name: of each vocabulary its prefix, and its terms.
_VOCABULARIES: Final[Mapping[str, tuple[str, Callable[[], frozenset[str]]]]] = {
    SH: ("sh:", _shacl),
    PRIMAD: ("primad:", partial(_terms, PRIMAD, "primad")),
    FIELD: ("field:", partial(_terms, FIELD, "field")),
    SHAPES: ("s:", _shapes),
}
