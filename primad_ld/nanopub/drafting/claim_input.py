"""Claims as people give them: on the command line, or in YAML with the same words as its keys.

Both are texts by key, read by the same functions. What people leave open, the attempt of a
replication track may say (`attempt_claims`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

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

_CLAIM_HINT: Final = (
    "write target, verdict, criterion and attempt, each in a line such as 'verdict: …'"
)
_TRACK_HINT: Final = "name it by --track, and which of its attempts by --of"
_DIFFERENCE_HINT: Final = "write 'platform=16 GB of memory | 256 GB of memory': ours first"
_DOI_PAGE: Final = re.compile(r"https?://(?:dx\.|www\.)?doi\.org/", re.IGNORECASE)
_DOI: Final = re.compile(r"https://doi\.org/10\.\d{4,9}/\S+")
#: Where nanopublications have their names; a digest follows, and then a part of one may be named.
_NAME: Final = re.compile(r"https?://(?:w3id|(?:www\.)?purl)\.org/np/", re.IGNORECASE)
_DIGEST: Final = re.compile(_NAME.pattern + r"(?-i:RA[A-Za-z0-9_\-]{43})(?:[/#.]|$)", re.IGNORECASE)
#: Other words for verdicts, as their concepts have them.
_OTHER_WORDS: Final = {
    "reproduced_in_part": Verdict.partly_reproduced,
    "partially_reproduced": Verdict.partly_reproduced,
    "not_finished": Verdict.stopped,
    "could_not_be_attempted": Verdict.not_attempted,
    "not_attemptable": Verdict.not_attempted,
}
_MOST_DIFFERENCES: Final = 100
#: In minutes.
_YEAR: Final = 525_600
_LEAST_CLOSE: Final = 0.5


def whole_claim(
    claim: Claim, file: Path | None = None, *, track: Path | None = None, of: str = ""
) -> tuple[Claim, tuple[str, ...]]:
    """A claim, completed by what a file says, then by what an attempt of a track says, and remarks.

    Raises:
        PrimadError: One of them cannot be read, they leave something open, or contradict the track.
    """
    if file is not None:
        written, track_of_file, attempt_of_file = read_claim(file)
        claim, track, of = merged(claim, written), track or track_of_file, of or attempt_of_file
    remarks: tuple[str, ...] = ()
    attempt = Claim()
    if track is not None:
        read = read_track(track)
        attempt, remarks = claim_of_attempt(read, of), read.doubts
    elif of:
        raise PrimadError(f"{shown(of)} is an attempt of which track? name its file (track)")
    try:
        check_verdict(claim, attempt)
        whole = merged(claim, attempt)
        check_complete(whole)
    except PrimadError as error:
        raise HeaderError(str(error), file=file) from None
    return whole, (*remarks, *replaced(claim, attempt), *remarks_on(whole))


# Words ------------------------------------------------------------------------------------


def claim_of_words(words: Mapping[str, Any]) -> Claim:
    """The claim that texts make, by their keys; of targets and differences there may be several."""
    parts: dict[str, Any] = {}
    for key, value in words.items():
        if value:
            name, read = _READERS[key]
            parts[name] = read(value, key)
    return Claim(**parts)


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
        raise PrimadError(f"{brief(word)} is not a DOI; a DOI is like 10.1145/3477495.3531738")
    if _NAME.match(iri) and not _DIGEST.match(iri):
        raise PrimadError(
            f"{brief(word)} is not the name of a published nanopublication, which holds its digest "
            "(RA and 43 more letters); copy it from the nanopublication"
        )
    check_public(iri, "target")
    return iri


def parse_verdict(word: str) -> Verdict:
    """A verdict by its name, with whatever stands between the words."""
    name = re.sub(r"[\s_-]+", "_", word.strip().lower())
    verdicts = {one.value: one for one in Verdict} | _OTHER_WORDS
    if name not in verdicts:
        names = [one.word for one in Verdict]
        close = closest(name.replace("_", "-"), names)
        hint = f"did you mean {close[0]}?" if close else f"choose from {', '.join(names)}"
        raise PrimadError(f"unknown verdict {brief(word)}; {hint}")
    return verdicts[name]


def parse_minutes(word: str) -> Decimal:
    """A time in minutes, which is shorter than a year."""
    minutes = decimal_of(word)
    if not 0 <= minutes <= _YEAR:
        raise PrimadError(f"{minutes:f} minutes cannot be; write between 0 and {_YEAR:,}, a year")
    return minutes


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
    side = f"value of {shown(condition)}"
    difference = ConditionDifference(
        condition=condition, ours=one_line(ours, side), theirs=one_line(theirs, side)
    )
    if not (condition and difference.ours and difference.theirs):
        raise PrimadError(f"a name or a value of a condition is missing; {_DIFFERENCE_HINT}")
    if difference.ours == difference.theirs:
        raise PrimadError(f"{shown(condition)} is the same for both, so that it does not differ")
    return difference


def _differences(words: Sequence[str | ConditionDifference], key: str) -> Sequence[object]:
    if len(words) > _MOST_DIFFERENCES:
        raise PrimadError(f"{len(words):,} conditions differ; {_MOST_DIFFERENCES} are the most")
    return tuple(parse_difference(one) if isinstance(one, str) else one for one in words)


def _prose(words: str, name: str) -> str:
    """A text of several lines."""
    return "\n".join(one_line(line, name) for line in words.strip().splitlines()).strip()


#: Where the texts of each key go, and what reads them; the keys are the words of the command line.
_READERS: Final[dict[str, tuple[str, Callable[[Any, str], object]]]] = {
    "target": ("targets", lambda words, key: tuple(dict.fromkeys(map(parse_target, words)))),
    "claim": ("claim", one_line),
    "tag": ("tag", one_line),
    "collection": ("collection", one_line),
    "verdict": ("verdict", lambda word, key: parse_verdict(word)),
    "criterion": ("criterion", _prose),
    "attempt": ("attempt", _prose),
    "reason": ("reason", _prose),
    "minutes": ("minutes", lambda word, key: parse_minutes(word)),
    "differs": ("differs", _differences),
}
_KEYS: Final = (*_READERS, "track", "of")


# Files ------------------------------------------------------------------------------------


def read_claim(path: Path) -> tuple[Claim, Path | None, str]:
    """What a YAML file says of a claim, and the track and the attempt that it names.

    Each error names the file, the line and the field.

    Raises:
        HeaderError: It cannot be read, or holds a key that is none.
    """
    fields = Fields(read_yaml(path, if_empty=_CLAIM_HINT), str(path), 1)
    if is_track(fields.said):
        raise fields.error("this is a replication track, not a claim", hint=_TRACK_HINT)
    for key in fields.said:
        if key not in _KEYS:
            close = closest(key.lower(), _KEYS, 1, _LEAST_CLOSE)
            hint = f"did you mean {close[0]}?" if close else f"a claim has {listed(_KEYS)}"
            raise fields.error("unknown key", key, hint=hint)
    claim = Claim()
    for key in _READERS:
        try:
            claim = merged(claim, claim_of_words({key: _words_at(fields, key)}))
        except PrimadError as error:
            if isinstance(error, HeaderError) and error.file is not None:
                raise  # it names its place
            why, hint = (
                (error.why, error.hint) if isinstance(error, HeaderError) else (str(error), "")
            )
            raise fields.error(why, key, hint=hint) from None
    track = fields.text("track")
    return claim, path.parent / track if track else None, fields.text("of")


def _words_at(fields: Fields, key: str) -> object:
    """What stands at a key of a file."""
    if key == "differs" and isinstance(fields.get(key), YamlMapping):
        return list(_named_differences(fields.inner(fields.get(key), key)))
    return fields.texts(key) if key in ("target", "differs") else fields.text(key)


def _named_differences(fields: Fields) -> Iterator[ConditionDifference]:
    """Conditions by their names, each with both sides as a text or a mapping."""
    for name, value in fields.said.items():
        if not isinstance(value, YamlMapping):
            yield _difference(name, *_both(fields.text(name)))
            continue
        sides = fields.inner(value, name)
        for key in sides.said:
            if key not in ("ours", "theirs"):
                raise sides.error("unknown key", key, hint="write ours and theirs")
        yield _difference(name, sides.text("ours"), sides.text("theirs"))
