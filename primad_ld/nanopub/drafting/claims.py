"""Claims of reproducibility: what somebody tried to obtain again, and what came of it.

A claim needs no run of ours: most results that cannot be reproduced leave none. It says what was
to be reproduced, by which criterion, what was done and how that ended.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from typing import Any, Final

from primad_ld.archive.result_terms import (
    ME,
    graph_of,
    integer_token,
    predicate,
    text_token,
    type_of,
)
from primad_ld.core.errors import PrimadError
from primad_ld.core.iris import BASE, PRIMAD, SCHEME, XSD
from primad_ld.header.redaction import LeftOut, redact_text
from primad_ld.nanopub.drafting.added_facts import in_terms_of_others, label_line
from primad_ld.nanopub.drafting.run_drafts import LEFT_OUT, Drafted, check_base
from primad_ld.nanopub.drafts import Draft, shortened, text
from primad_ld.nanopub.trusty import is_trusty
from primad_ld.qra.measurement_graphs import CONDITION
from primad_ld.qra.measurements import CONDITIONS, condition_key, condition_label, folded
from primad_ld.rdf.nanopub_terms import DRAFTS, SCHEMA
from primad_ld.replication.tracks import AttemptOutcome, Stage
from primad_ld.schema.converters import decimal_lexical, typed

_ME: Final = f"<{ME}>"
_CLASS: Final = PRIMAD + "ReproducibilityClaim"
_ABOUT: Final = SCHEMA + "about"
_DOIS: Final = "https://doi.org/"
_LONGEST_LABEL: Final = 120


class Verdict(enum.StrEnum):
    """What came of an attempt, by the criterion of its claim."""

    reproduced = "reproduced"
    partly_reproduced = "partly_reproduced"
    not_reproduced = "not_reproduced"
    #: It came to an end, and the criterion cannot be decided.
    inconclusive = "inconclusive"
    #: It began, and ended before there was a result.
    stopped = "stopped"
    #: It could not begin.
    not_attempted = "not_attempted"

    @property
    def word(self) -> str:
        """As people write it."""
        return self.value.replace("_", "-")


#: Verdicts in words, for people.
IN_WORDS: Final = {
    Verdict.reproduced: "Reproduced",
    Verdict.partly_reproduced: "Reproduced in part",
    Verdict.not_reproduced: "Not reproduced",
    Verdict.inconclusive: "Inconclusive",
    Verdict.stopped: "Stopped",
    Verdict.not_attempted: "Could not be attempted",
}
#: Components of PRIMAD, which conditions may be: their classes.
COMPONENTS: Final = {
    "platform": "Platform",
    "research goal": "ResearchGoal",
    "implementation": "Implementation",
    "method": "Method",
    "actor": "Actor",
    "data": "Data",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ConditionDifference:
    """A condition that was not the same in the attempt and in what was to be reproduced."""

    #: A component of PRIMAD, one of the seven conditions of measurement, or any other name.
    condition: str
    ours: str
    theirs: str

    @property
    def token(self) -> str:
        """The condition as a class, as a concept, or as the name that it has."""
        component = COMPONENTS.get(folded(self.condition))
        if component is not None:
            return f"<{PRIMAD}{component}>"
        key = condition_key(self.condition)
        return f"<{CONDITION}{key}>" if key in CONDITIONS else text_token(self.condition)

    @property
    def label(self) -> str:
        """What people call it."""
        name = folded(self.condition)
        return name if name in COMPONENTS else condition_label(condition_key(self.condition))


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """A claim of reproducibility; what is empty is not said."""

    #: What was to be reproduced: DOIs, nanopublications and pages by their IRIs …
    targets: tuple[str, ...] = ()
    #: … what it says, in a sentence …
    claim: str = ""
    #: … the tag of a run, and the test collection …
    tag: str = ""
    collection: str = ""
    #: … or a system of a replication track.
    track: str = ""
    system: str = ""
    configuration: str = ""
    verdict: Verdict | None = None
    #: What would have counted as reproduced.
    criterion: str = ""
    #: What was done.
    attempt: str = ""
    #: Why it went no further.
    reason: str = ""
    #: What became of submitted scores, and how far the attempt got.
    outcome: AttemptOutcome | None = None
    stage: Stage | None = None
    #: Time of a person, the part of it until the system was built, and time of the machine.
    minutes: Decimal | None = None
    build_minutes: Decimal | None = None
    run_minutes: Decimal | None = None
    differs: tuple[ConditionDifference, ...] = ()
    #: The replication track as a graph.
    track_iri: str = ""


def merged(first: Claim, second: Claim) -> Claim:
    """What the first one says, and of the second one what the first is silent about."""
    said = {one.name: getattr(first, one.name) for one in fields(first)}
    return replace(second, **{name: value for name, value in said.items() if value or value == 0})


# What a claim must say --------------------------------------------------------------------

#: What others need to judge a claim: in words, and the fields of which one says it.
_NEEDED: Final = {
    "what was to be reproduced (target: a DOI or the URI of a nanopublication, or claim, or tag)": (
        *("targets", "claim", "tag", "system"),
    ),
    f"what came of it (verdict: {', '.join(one.word for one in Verdict)})": ("verdict",),
    "what would have counted as reproduced (criterion)": ("criterion",),
    "what was done (attempt)": ("attempt",),
}


def check_complete(claim: Claim) -> None:
    """Refuse a claim that leaves open what others need to judge it.

    Raises:
        PrimadError: Everything that is missing, in words.
    """
    missing = [
        words for words, names in _NEEDED.items() if not any(getattr(claim, name) for name in names)
    ]
    if missing:
        raise PrimadError(f"the claim does not say {'; '.join(missing)}")


def remarks_on(claim: Claim) -> tuple[str, ...]:
    """What somebody who makes this claim may want to know, and no error."""
    is_found = claim.tag or claim.collection or any(one.startswith(_DOIS) for one in claim.targets)
    found = []
    if claim.verdict is Verdict.reproduced and claim.reason:
        found.append("it is reproduced, and a reason tells why it went no further; is that so?")
    if not is_found:
        found.append(
            "others will not find it by publication, tag or collection; "
            "add a DOI (target), a tag or a collection"
        )
    return tuple(found)


# The draft --------------------------------------------------------------------------------


def claim_draft(claim: Claim, *, base: str = BASE, keep: Collection[str] = ()) -> Drafted:
    """The draft of a claim, and what was left out of its texts.

    ``keep`` are kinds of things that are not left out.

    Raises:
        PrimadError: The claim is not complete.
    """
    check_complete(claim)
    check_base(base, keep)
    claim, left_out = without_private(claim, keep=keep)
    label = _label(claim)
    graph = graph_of(_lines(claim), "claim", base)
    draft = Draft(
        kind="claim",
        about=graph.iri,
        label=label,
        types=(_CLASS,),
        triples=graph.triples + in_terms_of_others(graph.triples) + label_line(graph.iri, label),
        provenance=tuple(("sub:assertion", LEFT_OUT, text(str(one))) for one in left_out),
        sources=(claim.track_iri,) if claim.track_iri else (),
        introduces=(graph.iri,),
        describes=claim.targets,
        word=f"{claim.verdict} {claim.tag or claim.system or _name_of_target(claim)}",
    )
    return Drafted(about=graph.iri, draft=draft, left_out=left_out)


def without_private(
    claim: Claim, *, keep: Collection[str] = ()
) -> tuple[Claim, tuple[LeftOut, ...]]:
    """A claim without what must not leave the machine, and what was taken out."""
    found: list[LeftOut] = []

    def clean(name: str, value: str) -> str:
        result, kinds = redact_text(value, keep=keep)
        found.extend(LeftOut(field=name, what=kind) for kind in kinds)
        return result

    texts: dict[str, Any] = {
        one.name: clean(one.name, value)
        for one in fields(claim)
        if type(value := getattr(claim, one.name)) is str
    }
    differs = []
    for one in claim.differs:
        name = clean("differs", one.condition)  # what was left out may not be named by it
        ours, theirs = (
            clean(f"differs.{name}.ours", one.ours),
            clean(f"differs.{name}.theirs", one.theirs),
        )
        differs.append(ConditionDifference(condition=name, ours=ours, theirs=theirs))
    return replace(claim, **texts, differs=tuple(differs)), tuple(dict.fromkeys(found))


def _label(claim: Claim) -> str:
    assert claim.verdict is not None  # a claim without one is not complete
    system = f"{claim.system} in {claim.track}" if claim.system and claim.track else claim.system
    tag = claim.tag if claim.tag != claim.system else ""  # with its track, a system says more
    about = claim.claim or tag or system or _name_of_target(claim)
    label = " ".join(f"{IN_WORDS[claim.verdict]}: {about}".split())
    return shortened(label, _LONGEST_LABEL)


def _name_of_target(claim: Claim) -> str:
    return claim.targets[0].removeprefix(_DOIS) if claim.targets else ""


def _decimal(value: Decimal) -> str:
    lexical = decimal_lexical(value)
    return "" if lexical is None else typed(lexical, XSD + "decimal")


def _concept(scheme: str) -> Callable[[str], str]:
    return lambda value: f"<{SCHEME}{scheme}-{value}>"


#: The predicate of each field, and what makes a token of its value.
_PREDICATES: Final[Mapping[str, tuple[str, Callable[[Any], str]]]] = {
    "claim": ("claimText", text_token),
    "tag": ("concernsTag", text_token),
    "collection": ("concernsCollection", text_token),
    "track": ("inTrack", text_token),
    "configuration": ("systemConfiguration", text_token),
    "criterion": ("reproductionCriterion", text_token),
    "attempt": ("attemptMade", text_token),
    "reason": ("stopReason", text_token),
    "minutes": ("humanMinutes", _decimal),
    "build_minutes": ("buildMinutes", _decimal),
    "run_minutes": ("runMinutes", _decimal),
    "verdict": ("verdict", _concept("verdict")),
    "outcome": ("attemptOutcome", _concept("outcome")),
    "stage": ("progressReached", _concept("progress")),
}


def _lines(claim: Claim) -> Iterator[str]:
    yield f"{_ME}{type_of('ReproducibilityClaim')}"
    for target in claim.targets:
        yield f"{_ME} <{_link_to(target)}> <{target}>"
    for field, (name, token) in _PREDICATES.items():
        value = getattr(claim, field)
        if (value or value == 0) and (written := token(value)):
            yield f"{_ME}{predicate(name)}{written}"
    if claim.system:
        yield f"{_ME}{predicate('ofSystem')}<{ME}#system>"
        yield f"<{ME}#system>{type_of('SubmittedSystem')}"
        yield f"<{ME}#system>{predicate('localIdentifier')}{text_token(claim.system)}"
    for number, one in enumerate(dict.fromkeys(claim.differs), 1):
        yield from _difference(one, number)


def _link_to(target: str) -> str:
    """What leads to a target: the terms that people search by, or that of any page."""
    if target.startswith(_DOIS):
        return PRIMAD + "concernsPublication"
    if is_trusty(target) or target.startswith(DRAFTS):
        return PRIMAD + "targetNanopublication"
    return _ABOUT


def _difference(one: ConditionDifference, number: int) -> Iterator[str]:
    node = f"<{ME}#condition-{number}>"
    yield f"{_ME}{predicate('differsIn')}{one.token}"
    yield f"{_ME}{predicate('differingCondition')}{node}"
    yield f"{node}{type_of('DifferingCondition')}"
    yield f"{node}{predicate('position')}{integer_token(number)}"
    yield f"{node}{predicate('ofCondition')}{one.token}"
    yield f"{node}{predicate('name')}{text_token(one.label)}"
    yield f"{node}{predicate('conditionInAttempt')}{text_token(one.ours)}"
    yield f"{node}{predicate('conditionInOriginal')}{text_token(one.theirs)}"
