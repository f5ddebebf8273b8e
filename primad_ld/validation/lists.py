"""What is wrong with items of lists, where the list as a whole is no value of its field."""

from __future__ import annotations

from collections.abc import Sequence

from primad_ld.schema.fields import Field
from primad_ld.validation.places import Keys


def is_odd(field: Field, item: str, before: Sequence[object]) -> bool:
    """Whether an item is none of its kind, or means what one before it means."""
    if field.link and field.converter.read(item) is None and not field.structures:
        return True
    return _means_the_same(field, item, before)


def _means_the_same(field: Field | None, item: str, others: Sequence[object]) -> bool:
    read = field.converter.key if field is not None else str
    return any(isinstance(other, str) and read(other) == read(item) for other in others)


def is_repeated(item: str, field: Field | None, keys: Keys, above: object) -> bool:
    """Whether an item at some place of a list means what one before it means."""
    position = keys[-1] if keys else None
    if not isinstance(above, list) or not isinstance(position, int):
        return False
    return _means_the_same(field, item, above[:position])
