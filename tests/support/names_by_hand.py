"""The names of components by docs/iris.md and the shapes, without primad-ld.

`from_yaml` takes them from the YAML of a header, `from_rdf` from what was published.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from decimal import Context, Decimal
from pathlib import Path
from typing import Any

import rdflib
import yaml
from rdflib.collection import Collection
from rdflib.namespace import RDF, SH, XSD

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/iris.md").read_text(encoding="utf-8")
TABLE = json.loads(PAGE.partition("```json\n")[2].partition("```")[0])
SHAPES = rdflib.Graph().parse(ROOT / "shapes/header.ttl")
PRIMAD, FIELD, SHAPE = (
    f"https://w3id.org/primad-ld/{name}#" for name in ("ontology", "field", "shapes")
)
NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?"
Field = rdflib.term.Node


# The schema: which keys there are below a key, and what is known of each ------------------------


def one(field: Field, term: str) -> Any:
    return SHAPES.value(field, rdflib.URIRef(term))


def kinds(field: Field) -> set[str]:
    named = {str(name) for name in SHAPES.objects(field, rdflib.URIRef(FIELD + "converter"))}
    return named or {str(one(field, SH.datatype)).rpartition("#")[2]}


def is_node(field: Field) -> bool:
    is_text = kinds(field) & {"libraries", "requirement", "parameter"}
    return not is_text and one(field, SH["class"]) is not None


def below(field: Field) -> dict[str, Field]:
    keys = ((one(inner, FIELD + "key"), inner) for inner in SHAPES.objects(field, SH.property))
    return {str(key): inner for key, inner in keys if isinstance(key, rdflib.Literal)}


RUN = rdflib.URIRef(SHAPE + "run")
COMPONENTS = {key: field for key, field in below(RUN).items() if is_node(field)}
OF_RUN = {
    tuple(map(str, Collection(SHAPES, key)))
    for key in (one(field, FIELD + "key") for field in SHAPES.objects(RUN, SH.property))
    if not isinstance(key, rdflib.Literal)
}


def known(key: str, fields: Iterable[str]) -> str:
    def plain(text: str) -> str:
        return re.sub(r"[\s_-]+", " ", text.strip()).casefold()

    return next((name for name in fields if plain(name) == plain(key)), key)


# Canonical forms --------------------------------------------------------------------------------


def dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def joined(pairs: Iterable[tuple[str, str]]) -> str:
    return f"[{','.join(sorted({f'[{dump(key)},{form}]' for key, form in pairs}))}]"


def digits(text: str, factor: int = 0) -> str | None:
    number = Context(prec=200).multiply(Decimal(text), Decimal(factor or 1))
    number = number.to_integral_value() if factor else number
    form = format(number, "f")
    form = form.rstrip("0").rstrip(".") if "." in form else form
    fits = abs(number.adjusted()) <= 18 and len(form.strip("-").replace(".", "")) <= 18
    return "0" if number.is_zero() else form if fits else None


def folded(kind: str, text: str) -> str:
    written = text
    for pattern, instead, *case in TABLE["foldings"].get(kind, ()):
        text = re.sub(pattern, lambda it: getattr(it.expand(instead), *case or ["strip"])(), text)  # noqa: B023
    known = TABLE["known"].get(kind)
    return text if known is None or re.fullmatch(known, text) else written


def text_form(kind: str, text: str, key: str = "") -> str:
    if kind == "parameter":
        if text.lower() in ("true", "false"):
            return text.lower()
        is_text = (
            re.match("[+-]?0[0-9]", text) or re.split(r"[\s_-]", key.lower())[-1] in TABLE["names"]
        )
        is_text = is_text or len(text) > 60
        return (not is_text and re.fullmatch(NUMBER, text) and digits(text)) or dump(text)
    if kind in ("letters", "json"):
        return dump(text)
    text = re.sub("[ \t\r\n\u00a0]+", " ", unicodedata.normalize("NFC", text)).strip(" ")
    if kind == "boolean" and text.lower() in TABLE["truth"]:
        return str(TABLE["truth"][text.lower()])
    found: str | None = None
    if kind == "integer" and re.fullmatch("[+-]?[0-9]+", text) and len(text) <= 18:
        found = str(int(text))
    if len(text) > 60:
        return dump(folded(kind, text))
    if kind == "decimal" and re.fullmatch(NUMBER, text):
        found = digits(text)
    size = re.fullmatch(f"({NUMBER}) ?([A-Za-z]{{1,3}})", text) if kind == "size" else None
    if size and size[4].lower() in TABLE["sizes"]:
        found = digits(size[1], TABLE["sizes"][size[4].lower()])
    return found or dump(folded(kind, text))


def filled(value: Any) -> Any:
    if isinstance(value, dict):
        inner = ((key, filled(item)) for key, item in value.items())
        return {key: item for key, item in inner if item not in (None, [], {})}
    return [filled(item) for item in value] if isinstance(value, list) else value


# From YAML --------------------------------------------------------------------------------------


class Texts(yaml.BaseLoader):
    """All scalars are texts, and those that stand for nothing are None."""


Texts.add_implicit_resolver(
    "tag:yaml.org,2002:null", re.compile("(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""]
)
Texts.add_constructor("tag:yaml.org,2002:null", lambda loader, node: None)


def pairs(
    mapping: dict[str, Any], field: Field, path: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    fields = below(field)
    for written, value in mapping.items():
        key = known(written, fields)
        inner = fields.get(key, fields.get("*"))
        if filled(value) in (None, [], {}) or (*path, key) in OF_RUN:
            continue
        if inner is None or "json" in kinds(inner):
            if len(dump(filled(value))) <= 4096:
                yield key, dump(filled(value))
        else:
            yield from ((key, form) for form in forms(value, inner, (*path, key)))


def forms(value: Any, field: Field, path: tuple[str, ...]) -> list[str]:
    values = value if isinstance(value, list) else [value]
    kind = kinds(field)
    if kind & {"libraries", "requirement"}:
        if isinstance(value, dict):
            lists = {
                key: names if isinstance(names, list) else [names] for key, names in value.items()
            }
            return [
                joined(
                    (key, text_form("requirement", name)) for key in lists for name in lists[key]
                )
            ]
        kind = {"requirement"}
    if is_node(field):
        made = [
            joined(pairs(each, field, path)) for each in values if each and isinstance(each, dict)
        ]
        if len(made) < len(values) or (
            isinstance(value, list) and str(one(field, SH.maxCount)) == "1"
        ):
            return [dump(filled(value))]
        is_run = len(values) == 1 and made == ["[]"] and str(one(field, SH.maxCount)) == "1"
        return [] if is_run else [f"[{','.join(made)}]"] if "sequence" in kind else made
    if not all(isinstance(each, str) for each in values):
        return [dump(filled(value))]
    if isinstance(value, list) and str(one(field, SH.maxCount)) == "1":
        return [dump(filled(value))]
    made = [text_form(next(iter(kind - {"sequence"})), each, path[-1]) for each in values]
    return [f"[{','.join(made)}]"] if "sequence" in kind and len(made) > 1 else made


# From RDF ---------------------------------------------------------------------------------------


def said(graph: rdflib.Graph, node: Field, field: Field) -> Iterator[tuple[str, str]]:
    for key, inner in below(field).items():
        objects = list(graph.objects(node, one(inner, SH.path)))
        kind = kinds(inner)
        if kind & {"libraries", "requirement"}:
            needed = [
                (text(graph, each, "programmingLanguage"), requirement(graph, each))
                for each in objects
            ]
            yield from ((key, form) for language, form in needed if not language)
            if any(language for language, _ in needed):
                yield key, joined(needed)
        elif "parameter" in kind:
            for each in objects:
                yield text(graph, each, "name"), literal(graph.value(each, term("value")))
        elif "stage" in kind:
            items = [
                each
                for each in graph.objects(node, term("listItem"))
                if graph.value(each, term("ofProperty")) == one(inner, SH.path)
            ]
            names = [
                stage(graph, graph.value(each, term("value"))) for each in in_order(graph, items)
            ]
            yield from (
                [(key, f"[{','.join(names)}]")]
                if names
                else [(key, stage(graph, each)) for each in objects]
            )
        elif is_node(inner):
            made = [joined(said(graph, each, inner)) for each in in_order(graph, objects)]
            yield from (
                [(key, f"[{','.join(made)}]")]
                if "sequence" in kind and made
                else [(key, form) for form in made]
            )
        else:
            for each in objects:
                scheme = str(each).rpartition("#")[2].partition("-")
                is_concept = scheme[0] in kind and isinstance(each, rdflib.URIRef)
                yield key, dump(folded(scheme[0], scheme[2])) if is_concept else literal(each)
    for name in ("extra", "unread"):
        for each in graph.objects(node, term(name)):
            yield from ((key, dump(value)) for key, value in json.loads(str(each)).items())


def term(name: str) -> rdflib.URIRef:
    return rdflib.URIRef(PRIMAD + name)


def text(graph: rdflib.Graph, node: Field, name: str) -> str:
    return str(graph.value(node, term(name)) or "")


def literal(value: Any) -> str:
    datatype = value.datatype if isinstance(value, rdflib.Literal) else None
    if datatype in (XSD.integer, XSD.decimal):
        return digits(str(value)) or ""
    return str(value) if datatype in (XSD.boolean, RDF.JSON) else dump(str(value))


def stage(graph: rdflib.Graph, value: Any) -> str:
    return dump(text(graph, value, "name") if isinstance(value, rdflib.URIRef) else str(value))


def requirement(graph: rdflib.Graph, node: Field) -> str:
    version = text(graph, node, "version")
    whole = text(graph, node, "name") + (
        f"=={version}" if version else text(graph, node, "versionRange")
    )
    return dump(text(graph, node, "requirementText") or whole)


def in_order(graph: rdflib.Graph, nodes: Iterable[Field]) -> list[Field]:
    return sorted(nodes, key=lambda node: int(text(graph, node, "position") or 0))


# Names ------------------------------------------------------------------------------------------


def name(key: str, form: str) -> str:
    return f"{key.replace(' ', '-')}/1-{hashlib.sha256(form.encode()).hexdigest()[:40]}"


def from_yaml(header: str) -> set[str]:
    found = set()
    for written, value in yaml.load(header, Texts).items():
        key = known(written, COMPONENTS)
        is_set = key in COMPONENTS and one(COMPONENTS[key], SH.maxCount) is None
        for each in value if is_set and isinstance(value, list) else [value]:
            if key in COMPONENTS and isinstance(each, dict):
                form = joined(pairs(each, COMPONENTS[key], (key,)))
                found.add(name(key, form))
    return found - {name(key, "[]") for key in COMPONENTS}


def from_rdf(dataset: rdflib.Dataset) -> set[str]:
    return {
        name(key, joined(said(graph, graph.identifier, field)))
        for key, field in COMPONENTS.items()
        for graph in dataset.graphs()
        if (graph.identifier, RDF.type, one(field, SH["class"])) in graph
    }
