"""What tests of named queries and their parameters share."""

from __future__ import annotations

from support import BASE


class KnownRuns:
    """Runs by the number of letters in their names, and identities that say what was asked."""

    def named(self, name: str) -> str:
        return f"{BASE}run/{len(name)}"

    def same_as(self, component: str, run: str) -> list[str]:
        return [f"{BASE}identity/{component}", f"{BASE}identity/{run}"]


# One value that fits, by type.
FITTING = {
    "string": "bm25",
    "number": "0.9",
    "integer": "10",
    "year": "2019",
    "boolean": "yes",
    "iri": "https://example.org/x",
    "class": "Run",
    "doi": "10.1145/3477495.3531738",
    "run": f"{BASE}run/0123",
    "measure": "map",
    "role": "reproducer",
    "collection": "garden/2026",
    "component": "method",
    "field": "implementation.source.commit",
    "value": "0123456",
}


def declared(parameter: str, body: str = "SELECT * { ?s ?p $x }") -> str:
    return f"# A title\n#\n# param {parameter}\n{body}"
