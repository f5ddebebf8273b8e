"""How the fields of two components are compared (D9): what is folded together, and what differs.

A rule folds the fields that a shape puts under it (``field:comparedBy``) and says of two folded
values where they agree and where they do not. What that means for the component depends on the
role of the field (``field:identifies``), which rules do not know.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from primad_ld.compare import folding
from primad_ld.compare.folding import (
    FieldOutcome,
    Fields,
    FieldVerdict,
    FoldingRule,
    Json,
    Values,
    judged,
    known_name,
    one_sided,
)
from primad_ld.compare.pipelines import PIPELINES

# Single fields ----------------------------------------------------------------------------


def _single(
    fold: Callable[[str], Json],
    is_same: Callable[[Json, Json], bool | None] = lambda one, other: bool(one == other),
    shown: Callable[[Json], str] = str,
) -> FoldingRule:
    """A rule for a field with one text."""

    def folded(values: Values, _: Fields) -> Json:
        (value,) = values.values()
        return fold(value) if isinstance(value, str) else None

    def compare(one: Json, other: Json, paths: Sequence[str]) -> Iterator[FieldVerdict]:
        (path,) = paths
        ours, theirs = (shown(side) if side is not None else "" for side in (one, other))
        if one is None or other is None:
            yield one_sided(path, ours, theirs)
        else:
            yield judged(path, is_same(one, other), ours, theirs)

    return FoldingRule(folded, compare)


def _of_table(kind: str) -> FoldingRule:
    """A name of a table; two that differ are different things only if the table knows both."""

    def is_same(one: Json, other: Json) -> bool | None:
        return True if one == other else False if one[1] and other[1] else None

    return _single(lambda value: [*folding.named(kind, value)], is_same, lambda side: str(side[0]))


# Platforms --------------------------------------------------------------------------------


def _is_same_processor(one: str, other: str) -> bool | None:
    """Where one name says less than the other, it may be the same."""
    ours, theirs = set(one.split()), set(other.split())
    return True if ours == theirs else None if ours < theirs or theirs < ours else False


def _fold_system(values: Values, _: Fields) -> Json:
    (value,) = values.values()
    if not isinstance(value, str):
        return None
    # A text without a name, such as a kernel, names nothing.
    return [*(folding.distribution(value) or ())]


def _compare_systems(one: Json, other: Json, paths: Sequence[str]) -> Iterator[FieldVerdict]:
    """A distribution names a system with its version only; two distributions are two systems."""
    (path,) = paths
    ours, theirs = (" ".join(filter(None, side)) if side else "" for side in (one, other))
    if one and other and (one[0] != other[0] or (one[1] and other[1])):
        yield judged(path, _is_same_system(one, other), ours, theirs)
    else:
        yield one_sided(path, ours if one and one[1] else "", theirs if other and other[1] else "")


def _is_same_system(one: Json, other: Json) -> bool | None:
    return bool(one[0] == other[0]) and folding.is_same_minor(one[1], other[1])


def _fold_software(values: Values, _: Fields) -> Json:
    """Toolkits with exact versions; libraries by major and minor; the toolkits among these."""
    given: tuple[list[Json], list[Json]] = [], []
    for path, value in values.items():
        given[path.endswith("toolkit")].append(value)
    libraries, toolkits = map(folding.requirements, given)
    found = {
        "toolkits": {called: one.exact for called, one in toolkits.items()},
        "libraries": {
            called: one.minor
            for called, one in libraries.items()
            # What installs and tracks is none of what the implementation builds on.
            if one.minor and not known_name("tools", called)
        },
        "standing": {
            called: one.exact for called, one in libraries.items() if folding.is_toolkit(called)
        },
    }
    return {kind: dict(sorted(inner.items())) for kind, inner in found.items() if inner} or None


def _compare_software(one: Json, other: Json, paths: Sequence[str]) -> Iterator[FieldVerdict]:
    toolkit, *others = sorted(paths, key=lambda path: not path.endswith("toolkit"))
    one, other = one or {}, other or {}
    yield _compare_toolkits(one, other, toolkit)
    ours, theirs = one.get("libraries", {}), other.get("libraries", {})
    libraries = others[0] if others else toolkit
    shared = [called for called in ours if called in theirs]
    differ = [
        called for called in shared if not folding.is_same_minor(ours[called], theirs[called])
    ]
    for called in differ:
        yield FieldVerdict(
            libraries,
            FieldOutcome.different,
            f"{called} {ours[called]}",
            f"{called} {theirs[called]}",
        )
    if shared and not differ:
        yield FieldVerdict(
            libraries, FieldOutcome.same, _versions(ours, shared), _versions(theirs, shared)
        )


def _compare_toolkits(one: Json, other: Json, path: str) -> FieldVerdict:
    """As sets; a known toolkit among the libraries stands in where a side gives no toolkit."""
    ours = one.get("toolkits") or one.get("standing", {})
    theirs = other.get("toolkits") or other.get("standing", {})
    shown = _versions(ours), _versions(theirs)
    if not ours or not theirs:
        return one_sided(path, *shown)
    shared = [called for called in ours if called in theirs]
    if any(ours[one] and theirs[one] and ours[one] != theirs[one] for one in shared):
        return FieldVerdict(path, FieldOutcome.different, *shown)
    rest, more = (set(a) - set(b) for a, b in ((ours, theirs), (theirs, ours)))
    named = "toolkits" in one, "toolkits" in other
    if not shared or (all(named) and (rest or more)):
        return FieldVerdict(path, FieldOutcome.different, *shown)
    # What is installed may be more than what was used.
    if (rest and (named[0] or not named[1])) or (more and (named[1] or not named[0])):
        return FieldVerdict(path, FieldOutcome.open, *shown)
    if all(ours[one] and theirs[one] for one in shared):
        return FieldVerdict(path, FieldOutcome.same, *shown)
    # Without a version a toolkit names nothing.
    exact = [
        text if all(side[one] for one in shared) else ""
        for text, side in zip(shown, (ours, theirs), strict=True)
    ]
    return one_sided(path, *exact)


def _versions(found: Mapping[str, str], only: Sequence[str] | None = None) -> str:
    return ", ".join(f"{one} {found[one]}".rstrip() for one in (found if only is None else only))


# Implementations --------------------------------------------------------------------------

_CLEAN: Final = ("", "0", "false", "no")


def _fold_source(values: Values, _: Fields) -> Json:
    """The repository; the commit and, where changes were not committed, the hash of what ran."""
    said = {path.rpartition(".")[2]: value for path, value in values.items()}
    repository = said.get("repository")
    found = {}
    if isinstance(repository, str) and not folding.is_unnamed(repository):
        found["repository"] = [folding.repository(repository), folding.is_address(repository)]
        said.setdefault("commit", folding.commit_of_page(repository))
    commit = said.get("commit")
    if isinstance(commit, str) and commit:
        folded = folding.commit(commit)
        is_dirty = folded.endswith("-dirty")
        changes = said.get("uncommitted changes", "")
        if isinstance(changes, str) and folding.text(changes) not in _CLEAN:
            is_dirty = True
        tree = said.get("hash")
        changed = "" if not is_dirty else tree if isinstance(tree, str) else "?"
        found["commit"] = [folded.removesuffix("-dirty"), changed]
    return found or None


def _compare_sources(one: Json, other: Json, paths: Sequence[str]) -> Iterator[FieldVerdict]:
    by_name = {path.rpartition(".")[2]: path for path in paths}
    one, other = one or {}, other or {}
    ours, theirs = one.get("repository"), other.get("repository")
    path, shown = by_name["repository"], [side[0] if side else "" for side in (ours, theirs)]
    if ours and theirs:
        # A name or a folder may be that of an address.
        is_same = True if ours == theirs else False if ours[1] == theirs[1] else None
        yield judged(path, is_same, *shown)
    else:
        yield one_sided(path, *shown)
    yield _compare_commits(one.get("commit"), other.get("commit"), by_name["commit"])


def _compare_commits(one: Json, other: Json, path: str) -> FieldVerdict:
    ours, theirs = (_commit(side) for side in (one, other))
    if one is None or other is None:
        return one_sided(path, ours, theirs)
    is_same = folding.is_same_commit(one[0], other[0])
    if is_same is not False and one[1] != other[1]:
        is_same = None if "?" in (one[1], other[1]) else False
    elif one[1] == "?":
        is_same = None if is_same else is_same
    return judged(path, is_same, ours, theirs)


def _commit(folded: Json) -> str:
    if folded is None:
        return ""
    commit, tree = folded
    changes = "" if not tree else " with changes" if tree == "?" else f" with changes {tree[:7]}"
    return f"{commit[:7] if len(commit) >= 40 else commit}{changes}"


# Research goals ---------------------------------------------------------------------------


def _fold_goal(values: Values, _: Fields) -> Json:
    ids = {
        path: value
        for path, value in values.items()
        if path.startswith("publication.") and not path.endswith("abstract")
    }
    rest = {path: value for path, value in values.items() if path not in ids}
    found = {"ids": _fold_publication(ids), "study": _fold_study(rest)}
    return {key: value for key, value in found.items() if value} or None


def _fold_publication(values: Values) -> Json:
    """The identifiers of a publication by their kind."""
    read = [
        folding.publication(path.rpartition(".")[2], value)
        for path, value in values.items()
        if isinstance(value, str)
    ]
    found: dict[str, list[str]] = {}
    for kind, identifier in sorted(filter(None, read)):
        found.setdefault(kind, []).append(identifier)
    return found or None


def _fold_study(values: Values) -> Json:
    """Venue and year, and what is said of the study in words."""
    said = {
        path: folding.text(value)
        for path, value in values.items()
        if isinstance(value, str) and not folding.is_unnamed(value)
    }
    return dict(sorted(said.items())) or None


def _compare_goals(one: Json, other: Json, paths: Sequence[str]) -> Iterator[FieldVerdict]:
    """An identifier that is shared decides; else the venue, the year and the description."""
    one, other = one or {}, other or {}
    ids, others = one.get("ids", {}), other.get("ids", {})
    by_kind = {path.rpartition(".")[2]: path for path in paths if path.startswith("publication.")}
    for kind in ids:
        shared = next((one for one in ids[kind] if one in others.get(kind, ())), None)
        if shared is not None:
            yield FieldVerdict(by_kind[kind], FieldOutcome.same, shared, shared)
            return
    ids, others = ({kind: ", ".join(of) for kind, of in side.items()} for side in (ids, others))
    apart = [kind for kind in ids if kind in others and kind != "url"]
    if apart:
        for kind in apart:
            yield FieldVerdict(by_kind[kind], FieldOutcome.different, ids[kind], others[kind])
        return
    for kind in sorted(ids.keys() ^ others.keys()):
        yield one_sided(by_kind[kind], ids.get(kind, ""), others.get(kind, ""))
    yield from _compare_studies(one.get("study", {}), other.get("study", {}), paths)


def _compare_studies(one: Json, other: Json, paths: Sequence[str]) -> Iterator[FieldVerdict]:
    places = [path for path in paths if path.startswith("venue.")]
    words = [path for path in paths if path in ("description", "publication.abstract")]
    for path in places:
        if path in one and path in other and one[path] != other[path]:
            ours, theirs = set(one[path].split()), set(other[path].split())
            # "SIGIR 2020" may be SIGIR.
            is_part = ours < theirs or theirs < ours
            yield judged(path, None if is_part else False, one[path], other[path])
            return
    is_placed = all(path in one and path in other for path in places)
    for path in [*places, *words]:
        if path not in one or path not in other:
            yield one_sided(path, one.get(path, ""), other.get(path, ""))
    both = [path for path in words if path in one and path in other]
    equal = [path for path in both if one[path] == other[path]]
    for path in equal if is_placed and equal else both:
        outcome = FieldOutcome.same if is_placed and equal else FieldOutcome.open
        yield FieldVerdict(path, outcome, one[path], other[path])


# Actors -----------------------------------------------------------------------------------


def _fold_people(values: Values, _: Fields) -> Json:
    """ORCIDs and teams of all actors together."""
    found: dict[str, list[str]] = {}
    for path, value in values.items():
        fold = folding.orcid if path == "orcid" else folding.name
        named = (one for one in folding.texts(value) if not folding.is_unnamed(one))
        members = set(map(fold, named)) - {""}
        if members:
            found[path] = sorted(members)
    return dict(sorted(found.items())) or None


def _compare_people(one: Json, other: Json, paths: Sequence[str]) -> Iterator[FieldVerdict]:
    """Any that is shared is enough."""
    one, other = one or {}, other or {}
    verdicts = []
    for path in paths:
        ours, theirs = one.get(path, []), other.get(path, [])
        shown = ", ".join(ours), ", ".join(theirs)
        if ours and theirs:
            verdicts.append(judged(path, not set(ours).isdisjoint(theirs), *shown))
        else:
            verdicts.append(one_sided(path, *shown))
    shared = [one for one in verdicts if one.outcome is FieldOutcome.same]
    yield from shared or verdicts


# Data -------------------------------------------------------------------------------------


def _fold_collection(values: Values, _: Fields) -> Json:
    found = {}
    for path, value in values.items():
        if isinstance(value, str) and not folding.is_unnamed(value):
            is_id = path.endswith("ir_datasets")
            fold = folding.dataset if is_id else folding.name
            found["id" if is_id else "name"] = fold(value)
    return found or None


def _compare_collections(one: Json, other: Json, paths: Sequence[str]) -> Iterator[FieldVerdict]:
    """Identifiers of ir_datasets if both have one, else names."""
    of_ids, of_names = sorted(paths, key=lambda path: not path.endswith("ir_datasets"))
    one, other = one or {}, other or {}
    path, key = (of_ids, "id") if "id" in one and "id" in other else (of_names, "name")
    ours, theirs = one.get(key, ""), other.get(key, "")
    if ours and theirs:
        is_part = key == "id" and folding.is_part(ours, theirs)
        is_same = folding.without_spaces(ours) == folding.without_spaces(theirs)
        yield judged(path, None if is_part else is_same, ours, theirs)
        return
    yield one_sided(of_names, one.get("name", ""), other.get("name", ""))
    yield one_sided(of_ids, one.get("id", ""), other.get("id", ""))


def _is_same_place(one: Json, other: Json) -> bool | None:
    """By the last segment; in two folders of one host it may be of two collections."""
    (kind, last, host, folder), (other_kind, other_last, other_host, other_folder) = one, other
    if last == other_last:
        return None if host and host == other_host and folder != other_folder else True
    return False if kind == other_kind else None


def _fold_training(values: Values, _: Fields) -> Json:
    """Each data set by its identifier and name, with its folds; an empty list says: none."""
    (value,) = values.values()
    found = []
    for item in value if isinstance(value, list) else [value]:
        said = {} if not isinstance(item, dict) else item
        called = said.get("name", "") if isinstance(said.get("name"), str) else ""
        identifier = said.get("ir_datasets")
        if known_name("nothing", called):
            continue
        one: dict[str, Json] = {
            "name": folding.name(called),
            "id": folding.dataset(identifier) if isinstance(identifier, str) else "",
            "folds": sorted({folding.dataset(one) for one in folding.texts(said.get("folds"))}),
        }
        found.append({key: inner for key, inner in one.items() if inner})
    return sorted(found, key=str)


def _compare_training(one: Json, other: Json, paths: Sequence[str]) -> Iterator[FieldVerdict]:
    (path,) = paths
    ours, theirs = (_training(side) for side in (one, other))
    if one is None or other is None:
        yield one_sided(path, ours, theirs)
    else:
        yield judged(path, _is_same_training(one, other), ours, theirs)


def _is_same_training(one: Json, other: Json) -> bool | None:
    key = "id" if all("id" in item for item in [*one, *other]) else "name"
    if not all(key in item for item in [*one, *other]):
        return None
    ours, theirs = (
        {folding.without_spaces(item[key]): item.get("folds") for item in side}
        for side in (one, other)
    )
    if ours.keys() != theirs.keys():
        rest = itertools.product(ours.keys() - theirs.keys(), theirs.keys() - ours.keys())
        is_open = key == "id" and any(itertools.starmap(folding.is_part, rest))
        return None if is_open else False
    pairs = [(ours[name], theirs[name]) for name in ours]
    if any(one and other and one != other for one, other in pairs):
        return False
    return None if any(bool(one) != bool(other) for one, other in pairs) else True


def _training(folded: Json) -> str:
    if folded is None:
        return ""
    return ", ".join(one.get("name") or one.get("id", "?") for one in folded) or "nothing"


# All rules --------------------------------------------------------------------------------

#: By the name that a shape gives in ``field:comparedBy``.
RULES: Final[Mapping[str, FoldingRule]] = {
    "text": _single(folding.text),
    "name": _single(folding.name),
    "flag": _single(folding.flag),
    "processor": _single(folding.processor, _is_same_processor),
    "architecture": _single(folding.architecture),
    "distribution": FoldingRule(_fold_system, _compare_systems),
    "software": FoldingRule(_fold_software, _compare_software, is_joint=True),
    "goal": FoldingRule(_fold_goal, _compare_goals, is_joint=True),
    "source": FoldingRule(_fold_source, _compare_sources, is_joint=True),
    "pipeline": PIPELINES,
    "tokenizers": _of_table("tokenizers"),
    "stemmers": _of_table("stemmers"),
    "stopwords": _of_table("stopwords"),
    "people": FoldingRule(_fold_people, _compare_people, is_joint=True),
    "collection": FoldingRule(_fold_collection, _compare_collections, is_joint=True),
    "location": _single(
        lambda value: [*folding.location(value)], _is_same_place, lambda side: str(side[1])
    ),
    "training": FoldingRule(_fold_training, _compare_training),
}
