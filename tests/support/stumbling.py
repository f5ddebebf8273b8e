"""Values that writers and readers of RDF stumble over, and drafts of them."""

from __future__ import annotations

from dataclasses import replace

from primad_ld.core.iris import RDF
from primad_ld.nanopub.nanopubs import Nanopub
from primad_ld.nanopub.signing import Signer
from primad_ld.rdf.nanopub_statements import Statement
from primad_ld.rdf.nanopub_terms import ATTRIBUTED_TO, CREATED, CREATOR, LICENSE, SIGNED_BY
from primad_ld.rdf.subject_index import Object
from support.nanopubs import spoken, text, typed

_TEXTS = ["", " ", "  padded  ", 'a "quoted" word', '"""', "it's", "\\", "\\n", "\\\\n", "\n", "\r"]
_TEXTS += [
    "\r\n",
    "\t",
    "\x00",
    "\x01\x08\x0b\x0c\x1f\x7f\x85",
    "é",
    "\N{GRINNING FACE}",
    "\U0010ffff",
]
_TEXTS += ["e\u0301"]  # the same to the eye; no other spelling may come back
_TEXTS += ["\ufeff", "\ufffe\uffff", "\ud7ff\ue000", "\u2028\u2029", "x" * 5000]
_TEXTS += ["^^<http://example.org/>", "@en", "<a> <b> <c> .", "# no comment"]
_NUMBERS = {
    "integer": ["1", "01", "+1", "-0", " 1 ", "9" * 400],
    "decimal": ["0.10", ".5", "5.", "1", "0." + "1" * 300],
    "double": ["0.25", "1E5", "1e400", "-INF", "NaN"],
    "boolean": ["1", "true"],
    "dateTime": ["2026-03-01T10:00:00+01:00", "2026-03-01T10:00:00.100Z", "2026-03-01T24:00:00"],
    "date": ["2026-02-28"],
    "gYear": ["-0044"],
    "duration": ["P1DT2H"],
    "base64Binary": ["AQ=="],
    "anyURI": [""],
}
_IRIS = """
http://example.org http://example.org/é http://example.org/%C3%A9 http://example.org/%20
http://example.org/a?b=c&d#e http://example.org/a/../b.. http://example.org/(x)'
HTTP://Example.org:80/ http://例え.jp/ urn:x:y mailto:a@example.org
http://www.w3.org/2001/XMLSchema#1.0
https://w3id.org/np/RAfqiCiiOR-RGkQbT0v3kdT-zIeEi1Oig4vnzg1quCiME
http://purl.org/nanopub/x/ http://purl.org/nanopub/x/a/b http://purl.org/nanopub/x/a.
http://purl.org/nanopub/x/-a http://purl.org/nanopub/x/a%2Fb
http://purl.org/nanopub/temp/run-1/ http://purl.org/nanopub/temp/run-1/a/b
""".split()  # where prefixes end is a question of writing; the last are the draft itself
#: What writers and readers of RDF stumble over.
VALUES = [
    *map(text, _TEXTS),
    *(spoken("word", tag) for tag in ("en", "en-gb", "zh-hans-cn", "de-latn-at", "x-klingon")),
    spoken("\r\n\\", "fr"),
    *(typed(value, name) for name, values in _NUMBERS.items() for value in values),
    Object("<a>é\n</a>", RDF + "XMLLiteral"),
    Object('{"a": 1}', RDF + "JSON"),
    Object("é", "http://example.org/dé"),
    *map(Object, _IRIS),
]


def declared(draft: Nanopub, signer: Signer) -> Nanopub:
    """A draft that leaves nothing to its signer, made without the code that is tested."""
    info, uri = draft.pubinfo, draft.uri
    added = [
        Statement(info, uri, CREATED, typed(signer.created, "dateTime")),
        Statement(info, uri, CREATOR, Object(signer.orcid)),
        Statement(info, uri, LICENSE, Object(signer.license)),
        Statement(draft.provenance, draft.assertion, ATTRIBUTED_TO, Object(signer.orcid)),
        Statement(info, f"{uri}sig", SIGNED_BY, Object(signer.orcid)),
    ]
    return replace(draft, statements=(*draft.statements, *added))
