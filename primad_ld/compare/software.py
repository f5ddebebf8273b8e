"""How the software of two platforms and two implementations is folded and compared (D9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from primad_ld.compare import folding
from primad_ld.compare.names import known_name
from primad_ld.compare.verdicts import (
    Fields,
    Json,
    Outcome,
    Rule,
    Values,
    Verdict,
    judged,
    one_sided,
)

# Platforms --------------------------------------------------------------------------------------


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


def _compare_software(one: Json, other: Json, paths: Sequence[str]) -> Iterator[Verdict]:
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
        yield Verdict(
            libraries,
            Outcome.different,
            f"{called} {ours[called]}",
            f"{called} {theirs[called]}",
        )
    if shared and not differ:
        yield Verdict(libraries, Outcome.same, _versions(ours, shared), _versions(theirs, shared))


def _compare_toolkits(one: Json, other: Json, path: str) -> Verdict:
    """As sets; a known toolkit among the libraries stands in where a side gives no toolkit."""
    ours = one.get("toolkits") or one.get("standing", {})
    theirs = other.get("toolkits") or other.get("standing", {})
    shown = _versions(ours), _versions(theirs)
    if not ours or not theirs:
        return one_sided(path, *shown)
    shared = [called for called in ours if called in theirs]
    if any(ours[one] and theirs[one] and ours[one] != theirs[one] for one in shared):
        return Verdict(path, Outcome.different, *shown)
    rest, more = (set(a) - set(b) for a, b in ((ours, theirs), (theirs, ours)))
    named = "toolkits" in one, "toolkits" in other
    if not shared or (all(named) and (rest or more)):
        return Verdict(path, Outcome.different, *shown)
    # What is installed may be more than what was used.
    if (rest and (named[0] or not named[1])) or (more and (named[1] or not named[0])):
        return Verdict(path, Outcome.open, *shown)
    if all(ours[one] and theirs[one] for one in shared):
        return Verdict(path, Outcome.same, *shown)
    # Without a version a toolkit names nothing.
    exact = [
        text if all(side[one] for one in shared) else ""
        for text, side in zip(shown, (ours, theirs), strict=True)
    ]
    return one_sided(path, *exact)


def _versions(found: Mapping[str, str], only: Sequence[str] | None = None) -> str:
    return ", ".join(f"{one} {found[one]}".rstrip() for one in (found if only is None else only))


# Implementations --------------------------------------------------------------------------------

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


def _compare_sources(one: Json, other: Json, paths: Sequence[str]) -> Iterator[Verdict]:
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


def _compare_commits(one: Json, other: Json, path: str) -> Verdict:
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


SOFTWARE: Final = Rule(_fold_software, _compare_software, is_joint=True)
SOURCES: Final = Rule(_fold_source, _compare_sources, is_joint=True)
