"""Claims as people give them: on the command line, or in YAML with the same words as its keys.

What people leave open, the attempt of a replication track may say (`attempt_claims`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError, PrimadError
from primad_ld.core.long_texts import closest
from primad_ld.core.yamltext import Mapping as YamlMapping
from primad_ld.core.yamltext import brief, read_yaml
from primad_ld.header.redaction import check_public
from primad_ld.nanopub.drafting.attempt_claims import check_verdict, claim_of_attempt, replaced
from primad_ld.nanopub.drafting.claims import (
    Claim,
    ConditionDifference,
    Verdict,
    check_complete,
    merged,
    remarks_on,
)
from primad_ld.nanopub.drafts import one_line
from primad_ld.replication.field_reading import Fields, decimal_of, listed, shown
from primad_ld.replication.track_reading import is_track, read_track
from primad_ld.schema.converters import BY_NAME

#: The keys of a file, which are the words of the command line.
_KEYS: Final = (
    "target",
    "claim",
    "tag",
    "collection",
    "verdict",
    "criterion",
    "attempt",
    "reason",
    "minutes",
    "differs",
    "track",
    "of",
)
_CLAIM_HINT: Final = (
    "say target, verdict, criterion and attempt, each in a line such as 'verdict: …'"
)
_DIFFERENCE_HINT: Final = "write 'platform=16 GB of memory | 256 GB of memory': ours first"
_DOI_PAGE: Final = re.compile(r"https?://(?:dx\.|www\.)?doi\.org/", re.IGNORECASE)
_DOI: Final = re.compile(r"https://doi\.org/10\.\d{4,9}/\S+")
#: Where nanopublications have their names; a digest follows, and then a part of one may be named.
_NAME: Final = re.compile(r"https?://(?:w3id|(?:www\.)?purl)\.org/np/", re.IGNORECASE)
_DIGEST: Final = re.compile(_NAME.pattern + r"(?-i:RA[A-Za-z0-9_\-]{43})(?:[/#.]|$)", re.IGNORECASE)
_TRACK_HINT: Final = "name it by --track, and which of its attempts by --of"
#: Other words for verdicts, as their concepts have them.
_OTHER_WORDS: Final = {
    "reproduced_in_part": Verdict.partly_reproduced,
    "partially_reproduced": Verdict.partly_reproduced,
    "not_finished": Verdict.stopped,
    "could_not_be_attempted": Verdict.not_attempted,
    "not_attemptable": Verdict.not_attempted,
}
#: Keys that say nothing by themselves.
_OTHER_KEYS: Final = ("track", "of")
_SIDES: Final = ("ours", "theirs")
_MOST_DIFFERENCES: Final = 100
#: In minutes.
_YEAR: Final = 525_600
_LEAST_CLOSE: Final = 0.5


@dataclass(frozen=True, kw_only=True, slots=True)
class Given:
    """What somebody says of a claim, and the attempt of a track that says the rest."""

    claim: Claim
    track: Path | None = None
    #: Which attempt of the track.
    of: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class WholeClaim:
    """A claim that leaves nothing open, and what is worth knowing before it is published."""

    claim: Claim
    remarks: tuple[str, ...] = ()


def whole_claim(given: Given, file: Path | None = None) -> WholeClaim:
    """What somebody says, then what a file says, then what an attempt of a track says.

    Raises:
        PrimadError: One of them cannot be read, they leave something open, or contradict the track.
    """
    if file is not None:
        read = read_claim(file)
        claim = merged(given.claim, read.claim)
        given = Given(claim=claim, track=given.track or read.track, of=given.of or read.of)
    found, doubts = _of_track(given)
    try:
        whole = _whole(given.claim, found)
    except PrimadError as error:
        raise HeaderError(str(error), file=file) from None
    return replace(whole, remarks=(*doubts, *whole.remarks))


def _of_track(given: Given) -> tuple[Claim | None, tuple[str, ...]]:
    """What the track says of the attempt, where one is named, and doubts about the track."""
    if given.track is not None:
        track = read_track(given.track)
        return claim_of_attempt(track, given.of), track.doubts
    if given.of:
        raise PrimadError(f"{shown(given.of)} is an attempt of which track? name its file (track)")
    return None, ()


def _whole(claim: Claim, found: Claim | None) -> WholeClaim:
    remarks: tuple[str, ...] = ()
    if found is not None:
        check_verdict(claim, found)
        remarks = replaced(claim, found)
        claim = merged(claim, found)
    check_complete(claim)
    return WholeClaim(claim=claim, remarks=remarks + remarks_on(claim))


# Words ------------------------------------------------------------------------------------


def parse_target(word: str) -> str:
    """The IRI of what was to be reproduced: a DOI however it is written, or an address."""
    found = BY_NAME["doi"].read(word.strip())
    iri = found.token[1:-1] if found is not None else ""
    if not iri.startswith(("http://", "https://")):
        raise PrimadError(
            f"{brief(word)} is neither a DOI nor an address; "
            "write one such as 10.1145/3477495.3531738 or https://w3id.org/np/RA…"
        )
    if _DOI_PAGE.match(iri) and not _DOI.fullmatch(iri):
        raise PrimadError(f"{brief(word)} is no DOI; a DOI is like 10.1145/3477495.3531738")
    if _NAME.match(iri) and not _DIGEST.match(iri):
        raise PrimadError(
            f"{brief(word)} is no name of a published nanopublication, which holds its digest "
            "(RA and 43 more letters); copy it from the nanopublication"
        )
    check_public(iri, "target")
    return iri


def parse_verdict(word: str) -> Verdict:
    """A verdict by its name, with whatever stands between the words."""
    name = re.sub(r"[\s_-]+", "_", word.strip().lower())
    found = {one.value: one for one in Verdict} | _OTHER_WORDS
    if name not in found:
        names = [one.replace("_", "-") for one in Verdict]
        close = closest(name.replace("_", "-"), names)
        hint = f"do you mean {close[0]}?" if close else f"it is one of {', '.join(names)}"
        raise PrimadError(f"{brief(word)} is no verdict; {hint}")
    return found[name]


def parse_difference(words: str) -> ConditionDifference:
    """A condition that differs, as ``platform=ours | theirs``."""
    name, is_named, values = words.partition("=")
    if not is_named:
        raise PrimadError(f"{brief(words)} names no condition; {_DIFFERENCE_HINT}")
    return _difference(name, *_both(values))


def _both(values: str) -> tuple[str, str]:
    ours, is_both, theirs = values.partition("|")
    if not is_both:
        raise PrimadError(f"{brief(values)} is one side alone; {_DIFFERENCE_HINT}")
    return ours, theirs


def _difference(name: str, ours: str, theirs: str) -> ConditionDifference:
    """A condition that differs; an unknown one differs from nothing."""
    condition = one_line(name, "condition")
    found = ConditionDifference(
        condition=condition,
        ours=one_line(ours, f"value of {shown(condition)}"),
        theirs=one_line(theirs, f"value of {shown(condition)}"),
    )
    if not (found.condition and found.ours and found.theirs):
        raise PrimadError(f"a name or a value of a condition is missing; {_DIFFERENCE_HINT}")
    if found.ours == found.theirs:
        raise PrimadError(f"{shown(condition)} is the same for both, so that it does not differ")
    return found


def _prose(words: str, name: str) -> str:
    """A text of several lines."""
    lines = [one_line(line, name) for line in words.strip().splitlines()]
    return "\n".join(lines).strip()


_WORDS: Final[dict[str, Callable[[str, str], str]]] = {
    "claim": one_line,
    "tag": one_line,
    "collection": one_line,
    "criterion": _prose,
    "attempt": _prose,
    "reason": _prose,
}


def claim_of_words(
    *,
    target: Sequence[str] = (),
    verdict: str = "",
    minutes: str = "",
    differs: Sequence[str] = (),
    **words: str,
) -> Claim:
    """A claim of words as the command line has them; `words` are texts by the names of their keys."""
    return Claim(
        targets=tuple(dict.fromkeys(map(parse_target, target))),
        verdict=parse_verdict(verdict) if verdict else None,
        minutes=parse_minutes(minutes) if minutes else None,
        differs=_bounded(list(map(parse_difference, differs))),
        **{name: _WORDS[name](word, name) for name, word in words.items()},  # type: ignore[arg-type]
    )


def parse_minutes(word: str) -> Decimal:
    """A time in minutes, which is shorter than a year."""
    found = decimal_of(word)
    if not 0 <= found <= _YEAR:
        raise PrimadError(f"{found:f} minutes cannot be; write between 0 and {_YEAR:,}, a year")
    return found


def _bounded(differs: Sequence[ConditionDifference]) -> tuple[ConditionDifference, ...]:
    if len(differs) > _MOST_DIFFERENCES:
        raise PrimadError(f"{len(differs):,} conditions differ; {_MOST_DIFFERENCES} are the most")
    return tuple(differs)


# Files ------------------------------------------------------------------------------------


def read_claim(path: Path) -> Given:
    """What a YAML file says of a claim. Each error names the file, the line and the field.

    Raises:
        HeaderError: It cannot be read, or holds a key that is none.
    """
    said = Fields(read_yaml(path, if_empty=_CLAIM_HINT), str(path), 1)
    if is_track(said.said):
        raise said.error("this is a replication track, and no claim", hint=_TRACK_HINT)
    for key in said.said:
        if key not in _KEYS:
            raise said.error("there is no such key", key, hint=_hint_for(key))
    claim = Claim()
    for key in _KEYS:
        if key not in _OTHER_KEYS:
            claim = merged(claim, _claim_at(said, key))
    track = said.text("track")
    return Given(claim=claim, track=path.parent / track if track else None, of=said.text("of"))


def _hint_for(key: str) -> str:
    close = closest(key.lower(), _KEYS, 1, _LEAST_CLOSE)
    return f"do you mean {close[0]}?" if close else f"a claim has {listed(_KEYS)}"


def _claim_at(said: Fields, key: str) -> Claim:
    """What one key says."""
    try:
        if key == "differs":
            return Claim(differs=_bounded(list(_differences(said))))
        if key == "target":
            return claim_of_words(target=said.texts("target"))
        return claim_of_words(**{key: said.text(key)})
    except HeaderError as error:
        if error.file is not None:
            raise  # it names its place
        raise said.error(error.why, key, hint=error.hint) from None
    except PrimadError as error:
        raise said.error(str(error), key) from None


def _differences(said: Fields) -> Iterator[ConditionDifference]:
    """Conditions as a list of texts, or as a mapping of names to both sides."""
    if not isinstance(said.get("differs"), YamlMapping):
        yield from map(parse_difference, said.texts("differs"))
        return
    inner = said.inner(said.get("differs"), "differs")
    for name, value in inner.said.items():
        if isinstance(value, YamlMapping):
            sides = inner.inner(value, name)
            for key in sides.said:
                if key not in _SIDES:
                    raise sides.error("there is no such key", key, hint="write ours and theirs")
            yield _difference(name, sides.text("ours"), sides.text("theirs"))
        else:
            yield _difference(name, *_both(inner.text(name)))
