"""What several test modules share: headers to test with, other readers of RDF, an oracle."""

from __future__ import annotations

import functools
import gzip
import lzma
import random
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pyoxigraph
import pytest
import rdflib
import yaml
from hypothesis import strategies as st

from primad_ld import Header, header_of, lower
from primad_ld.archive.engine import Engine
from primad_ld.archive.scores import Scoring, score_graph
from primad_ld.archive.topic_scores import kept_topic_scores
from primad_ld.core.errors import HeaderError
from primad_ld.core.triples import NamedGraph, read_subjects
from primad_ld.rdf.bulk import Options, Report, lift_paths
from primad_ld.rdf.formats import FORMATS
from primad_ld.rdf.lifting import Lifter
from primad_ld.rdf.run_graphs import LiftedRun
from primad_ld.schema.fields import Field, Node, Schema, default_schema
from primad_ld.trec.scorer import TopicScores

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from click.testing import Result

    from primad_ld.compare.primad_types import PrimadType
    from primad_ld.qra.precision_assessments import PrecisionAssessment

ROOT = Path(__file__).parents[2]
PRIMAD = "https://w3id.org/primad-ld/ontology#"
FIELD = "https://w3id.org/primad-ld/field#"
SCHEME = "https://w3id.org/primad-ld/schemes#"
SHAPES = "https://w3id.org/primad-ld/shapes#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XSD = "http://www.w3.org/2001/XMLSchema#"
BASE = "https://w3id.org/primad-ld/id/"

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "": lambda data: data,
    ".gz": functools.partial(gzip.compress, mtime=0),  # the same bytes whenever tests are collected
    ".xz": lzma.compress,
    ".zst": zstd.compress,
}


def problem_of(call: Callable[[], object]) -> HeaderError | None:
    """The `HeaderError` that a call ends with, if it does; any other error is none to expect."""
    try:
        call()
    except HeaderError as error:
        return error
    return None


ROWS = "1 Q0 d1 1 9.5 t\n1 Q0 d2 2 8.5 t\n"

#: A header of one step of a run, as a tracker writes it.
TRACKED = """\
tag: {name}
platform:
  hardware: {{cpu: {{frequency max: '{name}'}}}}
implementation:
  executable: {{cmd: ./{name}}}
  source: {{commit: '0123456', root: {name}, unchecked files: 0}}
resources:
  runtime: {{wallclock: 1 s}}
  ram: {{used process: '{name}'}}
"""
#: How a submission to LongEval 2026 lies in its folders.
LONGEVAL = {
    "sys/ir-metadata.yml": "tag: sys\nactor: {team: a}\nimplementation: {source: {lang: [C]}}\n",
    "sys/snapshot-1/run.txt": ROWS,
    "sys/snapshot-1/index-ir-metadata.yml": TRACKED.format(name="index"),
    "sys/snapshot-1/retrieval-ir-metadata.yml": TRACKED.format(name="retrieval"),
    "sys/snapshot-2/run.txt": ROWS.replace("d2", "d3"),
    "sys/snapshot-2/retrieval-ir-metadata.yml": TRACKED.format(name="retrieval"),
}

Put = Callable[[str, "str | bytes"], Path]
Cli = Callable[..., "Result"]

#: A header with something in every corner of the schema, all of it as it should be.
GOOD = """\
schema-version: '0.1'
run-version: '1.0'
tag: hedge-bm25
platform:
  hardware:
    cpu:
      model: Example CPU @ 3.50GHz
      architecture: x86_64
      number of cores: 16
      caches: {l1d: 96 KiB, l2: 2048 KiB}
      frequency: {min: 1200, max: 3500, avg: 2800.5, timeseries: {values: [1200, 3500]}}
      frequency min: 1200 MHz
      frequency max: 3.50 GHz
    gpu:
      model: Example GPU
      number of cores: 10752
      memory: 48 GB
    ram: 24.5 GB
  operating system:
    kernel: 6.18.44
    distribution: Debian GNU/Linux 12
  software:
    libraries:
      python: [numpy==1.15.4, 'scipy >= 1.1']
      java: [lucene 7.6]
    retrieval toolkit: [anserini==0.3.0]
research goal:
  description: Does the hedge hold?
  venue: {name: ECIR, year: 2019}
  publication:
    doi: 10.1007/978-3-030-15712-8_26
    arxiv: 'arXiv:2010.13447'
    url: https://example.org/paper.pdf
  evaluation:
    reported measures: [map, P@10, ndcg]
    baseline: [hedge-tf]
    significance test:
    - {name: wilcoxon, correction method: holm-bonferroni}
    - {name: t-test, correction method: bonferroni}
implementation:
  executable: {cmd: ./search --k1 0.9}
  source:
    lang: [Python, C]
    repository: https://example.org/hedge
    commit: '0123456'
    is repo: true
    uncommitted changes: 0
    unchecked files: 3
    hash: 929953091bf758b6
  python: {interactive: false, packages: [PyYAML==6.0.3]}
method:
  name: hedge
  automatic: true
  score ties: reverse alphabetical order
  indexing: {tokenizer: words, stemmer: Porter, stopwords: Smart}
  retrieval:
  - {name: bm25, k1: 0.90, b: '0.40', B: 016, lexical: true}
  - {name: prf, fb docs: 10, fb_docs: 12e5, reranks: bm25}
  - {name: mix, weight: 0.60, interpolates: [prf, bm25]}
  generation: {llm: example-8b, agents: true}
actor:
- {name: Ada, orcid: 0000-0002-0661-7189, team: hedgehogs, role: experimenter, degree: Ph.D.}
- {name: Ben, team: moles, fields: [nlp, ir], role: reproducer}
data:
  test collection:
    name: Garden
    qrels: https://example.org/qrels.txt
    topics: https://example.org/topics.txt
    ir_datasets: garden/2026
  training data:
  - {name: Meadow, folds: [fold2, fold1]}
  - {name: Heath}
  other:
  - {name: Stop words, source: https://example.org/stop}
resources:
  runtime: {start time: 2026-11-18T07:08:24.27+0100, wallclock: 80 ms, user: 1.5 min}
  cpu: {used process: {avg: 50}, energy used system: 12.50 J}
"""


def loaded(text: str) -> dict[str, Any]:
    """A header's YAML by a reader that is not ours: every scalar as text."""
    value = yaml.load(text, yaml.BaseLoader)
    assert isinstance(value, dict)
    return value


def good(**changes: Any) -> dict[str, Any]:
    """The good header as plain dictionaries; top-level keys may be replaced."""
    return loaded(GOOD) | changes


class TextLoader(yaml.SafeLoader):
    """PyYAML without its guesses, but for null: another reader of texts."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {
        first: [(tag, regex) for tag, regex in found if tag == "tag:yaml.org,2002:null"]
        for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


def reference_data() -> Path:
    """The real headers and runs beside the checkout, which are not ours to ship."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"the reference data are absent: {folder}", allow_module_level=True)
    return folder


# Reading RDF -----------------------------------------------------------------------------


def quads(text: str, format: str = "nq") -> set[str]:
    """Statements with their graphs as pyoxigraph reads them."""
    rdf_format = getattr(pyoxigraph.RdfFormat, FORMATS[format].oxigraph)
    return {str(quad) for quad in pyoxigraph.parse(text, format=rdf_format)}


def triples(text: str, format: str = "nq") -> set[str]:
    """Statements without their graphs as pyoxigraph reads them."""
    rdf_format = getattr(pyoxigraph.RdfFormat, FORMATS[format].oxigraph)
    parsed = pyoxigraph.parse(text, format=rdf_format)
    return {f"{one.subject} {one.predicate} {one.object}" for one in parsed}


@functools.cache
def _kinds() -> dict[str, bool]:
    """Whether a property of ours is one of links, by its IRI; annotations are either."""
    about = read_subjects(*sorted((ROOT / "ontology").glob("*.ttl")))
    owl = "http://www.w3.org/2002/07/owl#"
    return {
        name: f"{owl}ObjectProperty" in types
        for name, said in about.items()
        for types in [said.get(f"{RDF}type", [])]
        if {f"{owl}ObjectProperty", f"{owl}DatatypeProperty"}.intersection(types)
    }


def of_other_kind(triples: str) -> list[str]:
    """Statements with a literal where the ontology has a link, or the other way round."""
    kinds = _kinds()
    found = pyoxigraph.parse(triples, format=pyoxigraph.RdfFormat.TURTLE)
    return [
        str(one)
        for one in found
        if kinds.get(one.predicate.value) is isinstance(one.object, pyoxigraph.Literal)
    ]


_RDFLIB = {"nq": "nquads", "nt": "nt", "ttl": "turtle", "trig": "trig", "jsonld": "json-ld"}


def rdflib_dataset(text: str, format: str = "nq") -> rdflib.Dataset:
    """A document as rdflib reads it."""
    dataset = rdflib.Dataset()
    with warnings.catch_warnings():
        # rdflib 7 warns of its own use of ConjunctiveGraph inside its parsers.
        warnings.simplefilter("ignore", DeprecationWarning)
        dataset.parse(data=text, format=_RDFLIB[format])
    return dataset


def rdflib_graph(lifted: LiftedRun) -> rdflib.Graph:
    """A lifted run as one flat rdflib graph."""
    graph = rdflib.Graph()
    graph.parse(data="".join(one.triples for one in lifted.graphs), format="nt")
    return graph


def store_of(text: str) -> pyoxigraph.Store:
    """N-Quads in a store, which respells what it does not keep."""
    store = pyoxigraph.Store()
    store.bulk_load(input=text.encode(), format=pyoxigraph.RdfFormat.N_QUADS)
    return store


def said(graph: NamedGraph | str) -> list[tuple[str, str, str]]:
    """The statements of a graph with short names: ``("cpu", "numberOfCores", "16")``."""
    text = graph.triples if isinstance(graph, NamedGraph) else graph
    found = pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.N_TRIPLES)
    return [(_short(one.subject), _short(one.predicate), _short(one.object)) for one in found]


def values(graph: NamedGraph | str, predicate: str, subject: str | None = None) -> list[str]:
    """What a graph says with one predicate, sorted."""
    return sorted(
        value
        for about, name, value in said(graph)
        if name == predicate and subject in (None, about)
    )


def _short(term: Any) -> str:
    if isinstance(term, pyoxigraph.Literal):
        return term.value
    name = term.value
    for start, prefix in ((PRIMAD, ""), (SCHEME, "scheme:"), (BASE, "")):
        if name.startswith(start):
            rest = name.removeprefix(start)
            # Inner nodes by their fragments: #cpu, #stage-2.
            return "#" + rest.partition("#")[2] if "#" in rest else prefix + rest
    return name


def to_be_judged(lifter: Lifter, header: Header) -> LiftedRun:
    """A run as shapes judge it: values that do not fit stand in their fields."""
    return lifter.assemble(lifter.parts(header), to_be_judged=True)


def only(headers: Iterable[Header]) -> Header:
    """The one header of a list."""
    (header,) = headers
    return header


def lowered(lifted: LiftedRun, schema: Schema | None = None) -> dict[str, Any]:
    """The header that a lifted run comes back as."""
    return only(lower(lifted.graphs, schema=schema)).fields


def lift_folder(folder: Path, report: Report, **options: Any) -> Iterator[NamedGraph]:
    """The graphs of all runs in a folder, one after the other."""
    return lift_paths([folder], report, Options(**options))


def shuffled(value: Any, seed: int) -> Any:
    """The same header with the keys of every mapping in another order."""
    if isinstance(value, dict):
        keys = list(value)
        random.Random(seed).shuffle(keys)
        return {key: shuffled(value[key], seed + 1) for key in keys}
    if isinstance(value, list):
        return [shuffled(item, seed + 1) for item in value]
    return value


# The oracle: docs/normalisation.md, stated without the code that does it ------------------


def normalised(fields: dict[str, Any], schema: Schema | None = None) -> dict[str, Any]:
    """What a header with canonical keys comes back as; the order of keys does not count."""
    return _mapping(fields, (schema or default_schema()).root)


def _mapping(mapping: dict[str, Any], node: Node) -> dict[str, Any]:
    return {key: _value(value, node.fields.get(key)) for key, value in mapping.items()}


def _value(value: Any, field: Field | None) -> Any:
    if field is None or field.structures & {"json", "command", "parameter"}:
        return value
    if field.node is not None:
        return _mappings(value, field, field.node)
    if "stage" in field.structures:
        # A list of one reference becomes a text.
        is_one = isinstance(value, list) and len(value) == 1 and isinstance(value[0], str)
        return value[0] if is_one else value
    if "libraries" in field.structures and isinstance(value, dict):
        lists = {key: [one] if isinstance(one, str) else one for key, one in value.items()}
        return lists if lists and all(map(_is_set, lists.values())) else value
    if field.many:
        return [value] if isinstance(value, str) else value
    return value


def _mappings(value: Any, field: Field, node: Node) -> Any:
    items = value if isinstance(value, list) else [value]
    fits = items and all(isinstance(item, dict) and item for item in items)
    if not fits or (isinstance(value, list) and not field.many):
        return value  # another kind of value stays what it is
    items = [_mapping(item, node) for item in items]
    if not field.many or (field.path == ("actor",) and len(items) == 1):
        return items[0]
    return items


def _is_set(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(one, str) for one in value)
        and len(set(value)) == len(value)
    )


# Headers as nobody would write them --------------------------------------------------------

_TELLING = (
    "0.60 016 12e5 1 0 -0 1.0 +5 .5 5. 1e400 1_000 0x10 true True TRUE yes No on null ~ NaN .inf "
    "AP map P@10 P_10 ndcg t-test T-Test bonferroni experimenter PhD Ph.D. bm25 prf x 2019 0000 "
    "numpy==1.2 numpy===1.2 numpy== ==1 a=b 10.1145/3 doi:10.1145/3 https://doi.org/10.1/x "
    "2010.13447 arXiv:2010.13447v2 0000-0002-0661-7189 https://orcid.org/0000-0002-0661-7189 "
    "https://a.b/c https://a.b/c?d=e#f git@github.com:x http://[x urn:a:b foaf:Person C:/x "
    "2026-11-18T07:08:24.27+0100 2026-11-18T07:08:24.2700+0000 2026-02-30T00:00:00Z"
).split()
_SPELT = (
    "48 GB",
    "48GB",
    "1.5 GiB",
    "0.1 B",
    "80 ms",
    "null J",
    "3.50 GHz",
    "numpy 1.2",
    "numpy >= 1.2",
    " padded ",
    "reverse alphabetical order",
    'a\\b"c\n',
    "two\nlines\n",
    "tab\tand\r\n",
    "\x00\x01\x02",
    "\x7f\x85\u2028\ufeff",
    "weight: 0.60",
    "",
    "null",
    "{}",
    "[]",
    '"quoted"',
    "<a> <b> <c> .",
)

texts = st.one_of(
    st.sampled_from([*_TELLING, *_SPELT]),
    st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=12),
)
keys = texts.filter(bool)
#: Any value where the schema expects another one.
anything = st.recursive(
    st.one_of(texts, st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=2)),
    max_leaves=4,
)


def _some_value(draw: st.DrawFn, field: Field) -> Any:
    kind = draw(st.integers(0, 9))
    if kind == 0:
        return draw(anything)
    if field.node is not None:
        if kind == 1:
            return draw(texts)
        if field.many and kind > 4:
            return [_some_mapping(draw, field.node) for _ in range(draw(st.integers(1, 3)))]
        return _some_mapping(draw, field.node)
    if "libraries" in field.structures and kind > 6:
        return draw(st.dictionaries(keys, st.lists(texts, max_size=3), max_size=3))
    if (field.many or field.structures & {"stage", "command"}) and kind > 3:
        return draw(st.lists(texts, max_size=4))
    return draw(texts)


def _some_mapping(draw: st.DrawFn, node: Node) -> dict[str, Any]:
    known = st.lists(st.sampled_from(sorted(node.fields)), max_size=4, unique=True)
    result = {key: _some_value(draw, node.fields[key]) for key in draw(known)}
    if draw(st.integers(0, 3)) == 0:
        unknown = keys.filter(lambda key: node.canonical(key) == key and key not in node.fields)
        result.update(draw(st.dictionaries(unknown, anything, max_size=2)))
    return result


@st.composite
def _some_header(draw: st.DrawFn) -> dict[str, Any]:
    return _some_mapping(draw, default_schema().root)


#: Headers as plain dictionaries: mostly fields of the schema, often filled with something else.
headers = _some_header().filter(bool)


def header_with(path: Iterable[str], value: Any) -> Header:
    """A header that says one thing, at a path of keys."""
    for key in reversed(list(path)):
        value = {key: value}
    return header_of(value)


def assess_conditions(
    headers: Sequence[Header], judgements: Sequence[str] = ()
) -> PrecisionAssessment:
    """What `qra` says of runs with these headers, the reference first."""
    from primad_ld.compare.identity import identities
    from primad_ld.qra.measurements import Measurement
    from primad_ld.qra.precision_assessments import assess_set
    from primad_ld.qra.run_conditions import Run, conditions_of

    runs = [
        Run(
            name=str(number),
            header=header,
            identities=identities(default_schema(), header.fields),
            judgements=judgements[number] if judgements else "all",
            evaluator="1.0",
            parameters={"complete": "true"},
        )
        for number, header in enumerate(headers)
    ]
    read = conditions_of(runs)
    measurements = [
        Measurement(
            object="object",
            measurand="map",
            value=0.5,
            conditions={key: one for key, one in said.items() if isinstance(one, str)},
        )
        for said in read
    ]
    return assess_set(measurements, dict.fromkeys(read[0], ""))


def check_conditions(
    one: Header, other: Header, type_: PrimadType, judgements: Sequence[str] = ()
) -> None:
    """Check that what `qra` says of two runs does not contradict what `compare` says."""
    from primad_ld.qra.precision_assessments import PrecisionKind, Sameness

    found = assess_conditions([one, other], judgements)
    states = {each.key: each.state for each in found.conditions}
    p, _, i, m, a, d = (
        Sameness(each.value if each.value in list(Sameness) else "unknown") for each in type_.states
    )

    def together(*several: Sameness) -> Sameness:
        if Sameness.different in several:
            return Sameness.different
        return Sameness.same if set(several) == {Sameness.same} else Sameness.unknown

    platform, tests = states["compile_training_information"], states["test_set"]
    assert (states["system_code"], states["performed_by"]) == (together(i, m), a), states
    if len(set(judgements)) == 2:
        assert tests is Sameness.different
    else:
        # Training data are in one condition, the rest of the data is in the other.
        assert together(platform, tests) == together(p, d), states
        assert tests is Sameness.same or d is not Sameness.same, states
    assert platform is Sameness.different or p is not Sameness.different, states
    assert p is Sameness.same or platform is not Sameness.same, states
    assert platform is p or d is not Sameness.same, states
    is_alike = {p, i, m, a, d, states["procedure"], tests} == {Sameness.same}
    assert (found.kind is PrecisionKind.repeatability) is is_alike


def scores_of_ranking(ranking: str, judgements: str = "a" * 64, **scores: str) -> NamedGraph:
    """Scores of a ranking as scoring keeps them; decimals as texts, by measure."""
    how = Scoring(evaluator="trec_eval 9", judgements=judgements, qrels=f"{judgements[0]}.qrels")
    tokens = {name: f'"{value}"^^<{XSD}decimal>' for name, value in scores.items()}
    return score_graph(ranking, tokens, TopicScores(name="", topics=("1",), values={}), how)


def topic_scores_of(
    engine: Engine, sets: Iterable[str], measure: str
) -> dict[str, dict[str, float]]:
    """The scores by topic of sets of scores that an archive has, by set and topic."""
    kept = kept_topic_scores(engine, {one: one for one in sets}, [measure])
    return {
        one: dict(zip(scores.topics, scores.values[measure], strict=True))
        for one, scores in kept.items()
    }
