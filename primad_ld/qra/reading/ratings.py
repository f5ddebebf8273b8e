"""Ratings from tables: which label each rater gave each item (QRA++, results of Type III)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Rating:
    """The label that a rater gave an item."""

    item: str
    rater: str
    #: As it is written: it may be a category, a rank or a number.
    label: str
    #: What was rated, the measurand of an agreement.
    criterion: str = ""
    #: In whose experiment it was rated.
    study: str = ""
    #: What belongs together, where a table holds several sets of an original and reproductions.
    group: str = ""
    #: The system that the item comes from.
    object: str = ""
    #: Where it stands.
    file: str = ""
    line: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Ratings:
    """The ratings of a table, in its order."""

    ratings: tuple[Rating, ...]
    notes: tuple[str, ...] = ()
