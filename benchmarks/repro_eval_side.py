"""The other side of the comparison: repro_eval's reader and rdflib, timed in their interpreter.

Takes one JSON request in each line of standard input and answers with the seconds that each
part took. Only the standard library, repro_eval and rdflib are imported; imports and the
loading of prepared triples are not timed.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import ruamel.yaml
from rdflib import Dataset, Graph, Literal, URIRef
from repro_eval.metadata import MetadataHandler

_XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"

#: Graph, subject, predicate, object and the object's datatype, which a link has not.
Quad = tuple[str, str, str, str, str | None]


def about() -> dict[str, str]:
    """What this side runs on."""
    packages = ("repro_eval", "ruamel.yaml", "rdflib")
    return {
        "YAML parser": "C" if ruamel.yaml.__with_libyaml__ else "Python",
        **{name: version(name) for name in packages},
    }


def read_runs(paths: list[str]) -> dict[str, float]:
    """repro_eval reads the headers of annotated runs."""
    return _read_all(MetadataHandler.read_metadata, paths)


def read_bare(paths: list[str]) -> dict[str, float]:
    """repro_eval reads headers that are YAML files."""
    return _read_all(MetadataHandler.read_metadata_template, paths)


def _read_all(read: Callable[[str], object], paths: list[str]) -> dict[str, float]:
    start = time.perf_counter()
    for path in paths:
        if not read(path):
            raise ValueError(f"{path}: repro_eval finds no header")
    return {"read": time.perf_counter() - start}


def triples(paths: list[str], quads: str, output: str) -> dict[str, float]:
    """Read runs, add their triples to a graph for each header, write N-Triples."""
    terms = _Terms()
    watch = _Watch()
    with open(output, "wb") as stream:
        for path, prepared in zip(paths, _prepared(quads), strict=True):
            watch.start()
            MetadataHandler.read_metadata(path)
            watch.lap("read")
            graph = Graph()
            for _, subject, predicate, value, datatype in prepared:
                graph.add((URIRef(subject), terms.link(predicate), terms.value(value, datatype)))
            watch.lap("add")
            stream.write(graph.serialize(format="nt", encoding="utf-8"))
            watch.lap("serialize")
    return watch.seconds


def quads(paths: list[str], quads: str, output: str) -> dict[str, float]:
    """Read runs, add their triples to the named graphs of one dataset, write N-Quads."""
    terms = _Terms()
    watch = _Watch()
    dataset = Dataset()
    for path, prepared in zip(paths, _prepared(quads), strict=True):
        watch.start()
        MetadataHandler.read_metadata(path)
        watch.lap("read")
        name, graph = "", dataset.default_graph
        for iri, subject, predicate, value, datatype in prepared:
            if iri != name:
                name, graph = iri, dataset.graph(URIRef(iri))
            graph.add((URIRef(subject), terms.link(predicate), terms.value(value, datatype)))
        watch.lap("add")
    watch.start()
    dataset.serialize(output, format="nquads", encoding="utf-8")
    watch.lap("serialize")
    return watch.seconds


class _Terms:
    """Terms of rdflib. Predicates and datatypes are made once, as a program names them once."""

    def __init__(self) -> None:
        self.links: dict[str, URIRef] = {}

    def link(self, iri: str) -> URIRef:
        found = self.links.get(iri)
        if found is None:
            found = self.links[iri] = URIRef(iri)
        return found

    def value(self, value: str, datatype: str | None) -> URIRef | Literal:
        if datatype is None:
            return URIRef(value)
        if datatype == _XSD_STRING:
            return Literal(value)
        return Literal(value, datatype=self.link(datatype), normalize=False)


class _Watch:
    """Adds up the seconds of each part."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.last = 0.0

    def start(self) -> None:
        self.last = time.perf_counter()

    def lap(self, part: str) -> None:
        now = time.perf_counter()
        self.seconds[part] = self.seconds.get(part, 0.0) + now - self.last
        self.last = now


_loaded: dict[str, list[list[Quad]]] = {}


def _prepared(path: str) -> list[list[Quad]]:
    """The triples of each header, which this side is given for nothing."""
    if path not in _loaded:
        _loaded.clear()
        _loaded[path] = [json.loads(line) for line in Path(path).read_text().splitlines()]
        # What was prepared must not cost the collector's time in what is measured.
        gc.collect()
        gc.freeze()
    return _loaded[path]


_TASKS: dict[str, Callable[..., dict[str, Any]]] = {
    task.__name__: task for task in (about, read_runs, read_bare, triples, quads)
}


def main() -> None:
    for line in sys.stdin:
        request: dict[str, Any] = json.loads(line)
        task = _TASKS[request.pop("task")]
        if "quads" in request:
            _prepared(request["quads"])
        gc.collect()
        print(json.dumps(task(**request)), flush=True)


if __name__ == "__main__":
    main()
