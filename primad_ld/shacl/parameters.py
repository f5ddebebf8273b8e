"""Constraints as records: the parameters of a shape, checked.

Where pyshacl takes several values of a parameter (two files may each set a bound), each of
them is a constraint of its own.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from primad_ld.core.iris import SH, XSD
from primad_ld.rdf.index import Object
from primad_ld.shacl.literals import BOOLEAN, INTEGER, is_text, number
from primad_ld.shacl.paths import read_path
from primad_ld.shacl.terms import Terms, is_iri

_WHOLE: Final = frozenset(
    XSD + name
    for name in (
        "integer int long nonNegativeInteger positiveInteger short unsignedByte unsignedInt "
        "unsignedLong unsignedShort"
    ).split()
)

NODE_KINDS: Final = frozenset(
    SH + name
    for name in ("IRI BlankNode Literal BlankNodeOrIRI BlankNodeOrLiteral IRIOrLiteral").split()
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Constraint:
    """One constraint: its component, and its parameters as far as it has them.

    ``values`` are terms to compare with: a class, a bound, the members of sh:in, the
    predicates that a closed shape allows. ``shapes`` are IRIs of shapes, ``siblings`` those
    that a qualified value may not conform to as well.
    """

    component: str
    values: tuple[Object, ...] = ()
    shapes: tuple[str, ...] = ()
    siblings: tuple[str, ...] = ()
    flags: str = ""
    minimum: int | None = None
    maximum: int | None = None


#: From statements, a shape and the values of a parameter to constraints.
_Read = Callable[[Terms, str, str, list[Object]], Iterator[Constraint]]


def read_constraints(terms: Terms, iri: str, *, is_property: bool) -> Iterator[Constraint]:
    """The constraints of a shape, without sh:property; a `SchemaError` if one is ill-formed."""
    said = terms.statements.get(iri, {})
    for name, read in _PARAMETERS.items():
        if SH + name not in said:
            continue
        if name in _OF_PROPERTIES and not is_property:
            raise terms.error(iri, f"sh:{name} needs a property shape, with a sh:path")
        yield from read(terms, iri, name, list(said[SH + name]))
    if SH + "ignoredProperties" in said and SH + "closed" not in said:
        raise terms.error(iri, "sh:ignoredProperties needs sh:closed")
    if any(SH + name in said for name in _QUALIFIED):
        # pyshacl leaves it out on node shapes, too.
        yield from _qualified(terms, iri) if is_property else ()


def _component(name: str) -> str:
    return f"{SH}{name[0].upper()}{name[1:]}ConstraintComponent"


def _one(terms: Terms, iri: str, name: str, values: list[Object]) -> Object:
    if len(values) != 1:
        raise terms.error(iri, f"has more than one sh:{name}")
    return values[0]


def _iris(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    for value in values:
        if not is_iri(value):
            raise terms.error(iri, f"sh:{name} needs an IRI and not {value.token}")
        yield Constraint(component=_component(name), values=(value,))


def _one_iri(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    _one(terms, iri, name, values)
    yield from _iris(terms, iri, name, values)


def _node_kind(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    value = _one(terms, iri, name, values)
    if value.datatype is not None or value.value not in NODE_KINDS:
        raise terms.error(iri, f"sh:nodeKind is none of SHACL's: {value.token}")
    yield Constraint(component=_component(name), values=(value,))


def _whole(terms: Terms, iri: str, name: str, values: list[Object], kinds: frozenset[str]) -> int:
    value = _one(terms, iri, name, values)
    found = number(value)
    if value.datatype not in kinds or found is None or found < 0:
        raise terms.error(iri, f"sh:{name} needs an integer from 0 and not {value.token}")
    return int(found)


def _count(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    found = _whole(terms, iri, name, values, frozenset({INTEGER}))
    yield _limited(name, found)


def _length(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    yield _limited(name, _whole(terms, iri, name, values, _WHOLE))


def _limited(name: str, limit: int) -> Constraint:
    if name.startswith("min"):
        return Constraint(component=_component(name), minimum=limit)
    return Constraint(component=_component(name), maximum=limit)


def _bound(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    for value in values:
        if value.datatype is None:
            raise terms.error(iri, f"sh:{name} needs a literal and not {value.token}")
        yield Constraint(component=_component(name), values=(value,))


def _has_value(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    for value in values:
        yield Constraint(component=_component(name), values=(value,))


def _pattern(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    found = terms.values(iri, SH + "flags")
    flags = _one(terms, iri, "flags", found).value if found else ""
    for value in values:
        if value.datatype is None:
            raise terms.error(iri, f"sh:pattern needs a text and not {value.token}")
        try:
            compiled_pattern(value.value, flags)
        except (re.error, OverflowError, RecursionError) as error:
            raise terms.error(iri, f"sh:pattern cannot be read: {error}") from error
        yield Constraint(component=_component(name), values=(value,), flags=flags)


def compiled_pattern(pattern: str, flags: str) -> re.Pattern[str]:
    """A pattern as Python reads it; as in pyshacl, ``i`` and ``m`` are the flags that count."""
    found = re.IGNORECASE if "i" in flags.lower() else re.NOFLAG
    if "m" in flags.lower():
        found |= re.MULTILINE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of brackets that may mean more one day
        return re.compile(pattern, found)


def _language_in(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    members = terms.members(_one(terms, iri, name, values), iri)
    for member in members:
        if not is_text(member):
            raise terms.error(iri, f"sh:languageIn needs language tags and not {member.token}")
    yield Constraint(component=_component(name), values=tuple(members))


def _in(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    members = terms.members(_one(terms, iri, name, values), iri)
    yield Constraint(component=_component(name), values=tuple(members))


def _is_true(terms: Terms, iri: str, name: str, values: list[Object]) -> bool:
    """Like pyshacl: 1 is a boolean, but not true."""
    value = _one(terms, iri, name, values)
    if value.datatype != BOOLEAN or value.value not in ("true", "false", "1", "0"):
        raise terms.error(iri, f"sh:{name} needs true or false and not {value.token}")
    return value.value == "true"


def _unique_lang(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    if _is_true(terms, iri, name, values):
        yield Constraint(component=_component(name))


def _closed(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    is_closed = _is_true(terms, iri, name, values)
    allowed: dict[Object, None] = {}
    for head in terms.values(iri, SH + "ignoredProperties"):
        allowed.update(dict.fromkeys(terms.members(head, iri)))
    for child in terms.values(iri, SH + "property"):
        for path in terms.values(child.value, SH + "path"):
            read_path(terms, path, iri)
            if is_iri(path):
                allowed[path] = None
    if is_closed:
        yield Constraint(component=_component(name), values=tuple(allowed))


def _shape(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    for value in values:
        yield Constraint(component=_component(name), shapes=(value.value,))


def _shape_list(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    for value in values:
        members = tuple(member.value for member in terms.members(value, iri))
        if not members:
            raise terms.error(iri, f"sh:{name} needs a list with at least one shape")
        yield Constraint(component=_component(name), shapes=members)


_QUALIFIED: Final = (
    "qualifiedValueShape",
    "qualifiedMinCount",
    "qualifiedMaxCount",
    "qualifiedValueShapesDisjoint",
)


def _qualified(terms: Terms, iri: str) -> Iterator[Constraint]:
    wanted, lowest, highest, disjoint = (terms.values(iri, SH + name) for name in _QUALIFIED)
    if not wanted or not (lowest or highest):
        raise terms.error(
            iri, "needs sh:qualifiedValueShape with sh:qualifiedMinCount or sh:qualifiedMaxCount"
        )
    minimum = _whole(terms, iri, _QUALIFIED[1], lowest, _WHOLE) if lowest else None
    maximum = _whole(terms, iri, _QUALIFIED[2], highest, _WHOLE) if highest else None
    is_disjoint = bool(disjoint) and _is_true(terms, iri, _QUALIFIED[3], disjoint)
    for value in wanted:
        siblings = _siblings(terms, iri, value) if is_disjoint else ()
        for kind, least, most in (("Min", minimum, None), ("Max", None, maximum)):
            if least is not None or most is not None:
                yield Constraint(
                    component=f"{SH}Qualified{kind}CountConstraintComponent",
                    shapes=(value.value,),
                    siblings=siblings,
                    minimum=least,
                    maximum=most,
                )


def _siblings(terms: Terms, iri: str, own: Object) -> tuple[str, ...]:
    """The value shapes of all property shapes beside this one, without its own."""
    found: dict[str, None] = {}
    for parent, child in terms.pairs(SH + "property"):
        if child.value != iri:
            continue
        for sibling in terms.values(parent, SH + "property"):
            for value in terms.values(sibling.value, SH + "qualifiedValueShape"):
                if value != own:
                    found[value.value] = None
    return tuple(found)


_OF_PROPERTIES: Final = frozenset(
    {"minCount", "maxCount", "uniqueLang", "lessThan", "lessThanOrEquals"}
)

_PARAMETERS: Final[dict[str, _Read]] = {
    "class": _iris,
    "datatype": _one_iri,
    "nodeKind": _node_kind,
    "minCount": _count,
    "maxCount": _count,
    "minExclusive": _bound,
    "minInclusive": _bound,
    "maxExclusive": _bound,
    "maxInclusive": _bound,
    "minLength": _length,
    "maxLength": _length,
    "pattern": _pattern,
    "languageIn": _language_in,
    "uniqueLang": _unique_lang,
    "equals": _iris,
    "disjoint": _iris,
    "lessThan": _iris,
    "lessThanOrEquals": _iris,
    "not": _shape,
    "and": _shape_list,
    "or": _shape_list,
    "xone": _shape_list,
    "node": _shape,
    "closed": _closed,
    "hasValue": _has_value,
    "in": _in,
}
