"""Which names mean the same thing: the table that ships, and tables that are refused."""

from __future__ import annotations

import pytest
import yaml
from support import ROOT, Put

from primad_ld.compare.folding import known_name, read_tables
from primad_ld.core.errors import SchemaError

FILE = ROOT / "primad_ld" / "compare" / "names.yaml"
KINDS = read_tables(FILE)


@pytest.mark.parametrize(
    ("kind", "text", "name"),
    [
        # Spelling
        ("toolkits", "PyTerrier", "pyterrier"),
        ("toolkits", "Python_Terrier", "pyterrier"),  # the package and the project
        ("toolkits", "  Rank BM25\n", "rank_bm25"),
        ("models", "Okapi BM-25", "bm25"),
        ("models", "ＢＭ２５", "bm25"),  # wide letters
        ("models", "BM\u201125", "bm25"),  # a hyphen that does not break
        ("models", "TF/IDF", "tf-idf"),
        ("models", "BM25+", "bm25+"),  # a plus sign is part of the name
        ("stopwords", "Indri’s stopword list", "indri"),
        # Classes
        ("models", "lucene.BM25Similarity", "bm25"),
        ("models", "org.apache.lucene.search.similarities.Similarity.BM25Similarity", "bm25"),
        ("models", "bm25s.BM25(lucene)", "bm25"),
        ("models", "bm25s.BM25(method=lucene, k1=1.2)", "bm25"),  # what has spaces is an argument
        ("models", "search.dirichlet", "qld"),
        ("models", "sklearn.svm.SVC", "svm"),
        ("stemmers", "org.apache.lucene.analysis.en.PorterStemFilter", "porter"),
        ("stopwords", "lucene.StandardAnalyzer", "lucene"),
        ("stopwords", "lucene.StandardAnalyzer.STOP_WORDS_SET", "lucene"),
        ("tokenizers", "lucene.StandardTokenizer", "lucene standard"),
        # Parentheses
        ("models", "Reciprocal Rank Fusion (RRF)", "rrf"),
        ("models", "BM25 (tuned)", "bm25"),
        ("tokenizers", "Byte-level Byte Pair Encoding (BPE)", "byte-level bpe"),
        ("models", "query likelihood (Jelinek-Mercer)", "qljm"),
        ("stemmers", "Snowball (German)", "snowball german"),  # the whole text comes first
        ("stemmers", "nltk.stem.SnowballStemmer('english')", "porter2"),
        ("stopwords", 'nltk.corpus.stopwords.words("english")', "nltk"),
        # The longest suffix
        ("models", "tf.idf", "tf-idf"),
        ("models", "models.tf.idf", "tf-idf"),
        ("stemmers", "snowball.ext.GermanStemmer", "snowball german"),
        # What docs/fields.md suggests
        *(("stemmers", one, one.casefold()) for one in ("Porter", "Krovetz", "Lovins")),
        *(("stopwords", one, one.casefold()) for one in ("Indri", "Lucene", "Smart", "Terrier")),
        # None, and defaults
        ("stemmers", "no stemming", "none"),
        ("stemmers", "TerrierStemmer.none", "none"),
        ("stopwords", "no stopwords removal", "none"),
        ("nothing", "Nothing", "nothing"),
        ("nothing", "none", "nothing"),
        ("stemmers", "Default from PyTerrier", "porter"),
        ("stopwords", "Default from PyTerrier", "terrier"),
        ("tokenizers", "Default from PyTerrier", "terrier english"),
        # One list of 33 words
        ("stopwords", "bm25s en", "lucene"),
        # Platforms
        ("architectures", "AMD64", "x86_64"),
        ("architectures", "x86-64", "x86_64"),
        ("architectures", "arm64", "aarch64"),
        ("distributions", "Debian GNU/Linux", "debian"),
        ("distributions", "Red Hat Enterprise Linux", "rhel"),
        ("distributions", "Mac OS X", "macos"),
    ],
)
def test_a_known_name(kind: str, text: str, name: str) -> None:
    assert known_name(kind, text) == name


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        # Nobody's
        ("models", "heath ranker"),
        ("stemmers", "heathstem"),
        ("tokenizers", "heath.tokenize"),  # a suffix that several tokenizers have
        ("models", "first stage"),
        # Families
        ("models", "prf"),
        ("models", "dense"),
        ("models", "reranker"),
        ("models", "cross-encoder"),
        ("models", "query likelihood"),
        ("models", "DFR"),
        ("models", "e5"),
        ("stemmers", "n-grams"),
        ("stopwords", "english"),
        ("stemmers", "default"),
        ("tokenizers", "BPE"),
        # Not of this kind
        ("stemmers", "bm25"),
        ("toolkits", "lucene"),  # a library
        ("toolkits", "pyterrier-dr"),  # a plugin
        ("toolkits", "ir_measures"),  # measures, does not retrieve
        ("distributions", "Linux"),  # a kernel
        ("nothing", "n/a"),  # may be unknown
        ("nothing", "-"),
        # What stands in parentheses counts where the table has the name with others
        ("stemmers", "Snowball (Klingon)"),
        ("stemmers", "nltk.stem.SnowballStemmer('klingon')"),
        ("stopwords", "NLTK (German)"),
        ("models", "monoT5 (small)"),
        # Sentences have no suffixes
        ("models", "Something like lucene.BM25"),
        ("stopwords", "Those of the track. None"),
        # Next to nothing
        ("models", ""),
        ("models", "BM25."),
        ("models", "(BM25)"),
        ("models", ")"),
        ("models", "-"),
    ],
)
def test_an_unknown_name(kind: str, text: str) -> None:
    assert known_name(kind, text) is None


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        ("toolkits", ["terrier", "pyterrier", "pisa", "pyterrier_pisa", "anserini", "pyserini"]),
        ("models", ["bm25", "bm25+", "bm25f", "bm25l", "bm25prf", "dfr bm25"]),
        ("models", ["qld", "qljm", "hiemstra_lm"]),
        ("models", ["monot5", "monoT5 (base)", "castorini/monot5-3b-msmarco", "duot5"]),
        ("models", ["colbert", "ColBERT (v2)", "tct-colbert", "tct_colbert-v2-hnp"]),
        ("models", ["splade", "splade-v2", "splade-pp-ed", "splade-pp-sd", "splade-v3"]),
        ("models", ["e5-base-v2", "e5-large-v2", "multilingual-e5-base"]),
        ("stemmers", ["porter", "porter2", "WeakPorterStemmer", "krovetz", "lovins", "none"]),
        ("stopwords", ["lucene", "terrier", "indri", "smart", "nltk", "none"]),
        ("architectures", ["x86", "x86_64", "arm64", "armv7l"]),
        ("distributions", ["CentOS", "CentOS Stream", "RHEL", "Windows", "Windows Server"]),
    ],
)
def test_names_that_an_expert_tells_apart(kind: str, texts: list[str]) -> None:
    names = [known_name(kind, text) for text in texts]
    assert None not in names
    assert len(set(names)) == len(texts)


def test_no_name_is_listed_twice() -> None:
    listed = yaml.load(FILE.read_text(encoding="utf-8"), yaml.BaseLoader)
    sizes = {kind: sum(1 + len(one) for one in things.values()) for kind, things in listed.items()}
    assert sizes == {kind: len(table.canonical) for kind, table in KINDS.items()}


def test_each_canonical_name_is_its_own() -> None:
    for kind, table in KINDS.items():
        for name in table.canonical.values():
            assert known_name(kind, name) == name


@pytest.mark.parametrize(
    "text",
    ["a." * 10**6, "." * 10**6, "(" * 10**6 + ")" * 10**6, "x." * 10**6 + "(" + "y." * 10**6 + ")"],
    ids=["path", "dots", "parentheses", "arguments"],
)
def test_a_text_that_never_ends(text: str) -> None:
    """Each of a million suffixes, looked up in full, would take hours."""
    assert known_name("models", text) is None
    assert known_name("models", f"{text}.bm25") == "bm25"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        # Two things that share a name: found by its folded spelling
        (
            "models: {bm25: [Okapi], okapi-tf: [oka_pi]}",
            "models: bm25 and okapi-tf share the name 'oka_pi'; remove it from one of them",
        ),
        ("models: {bm25: [], BM-25: []}", "models: bm25 and BM-25 share the name 'BM-25'"),
        ("models: {bm25: [], bm25: [Okapi]}", "duplicate key"),
        # An empty name would be found at the end of every sentence
        ('nothing: {none: ["-"]}', "nothing: none: '-' is not a name"),
        ("models: {bm25: [null]}", "models: bm25: None is not a name"),
        ("models: {bm25: Okapi}", "models: bm25: must be a list of other names"),
        ("models: [bm25]", "models: must be a mapping of canonical names"),
        ("models: {}", "models: must be a mapping of canonical names"),
        ("bm25", "must be a mapping of kinds"),
        ("models: {", "names.yaml:1"),
    ],
)
def test_a_table_that_is_refused(put: Put, text: str, why: str) -> None:
    file = put("names.yaml", text)
    with pytest.raises(SchemaError) as error:
        read_tables(file)
    assert str(error.value).startswith(f"{file}:")
    assert why in str(error.value)
