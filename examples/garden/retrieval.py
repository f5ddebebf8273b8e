"""Small retrieval models for the garden example: BM25, query likelihood and Rocchio feedback."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

DIGITS, CUTOFF = 6, 10
K1, B, MU = 0.9, 0.4, 50
FB_DOCS, FB_TERMS, FB_WEIGHT = 3, 20, 0.5
STOPWORD_LIST = """
a and are as at be because by do for from go has have if in into is it its no not of off on or so
that the their them then there they this to too up when which while will with
"""
STOPWORDS = frozenset(STOPWORD_LIST.split())

Scores = dict[str, float]


def s_stem(word: str) -> str:
    """Remove plural endings by the three rules of the S stemmer."""
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if word.endswith("es") and not word.endswith(("aes", "ees", "oes")):
        return word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss")):
        return word[:-1]
    return word


def prefix_stem(word: str) -> str:
    """Keep the first five characters."""
    return word[:5]


@dataclass(frozen=True)
class Analyzer:
    """A way to turn text into index terms, with the names used in the headers."""

    tokenizer: str
    stemmer: str
    stem: Callable[[str], str]

    def words(self, text: str) -> list[str]:
        """Split a text into words."""
        return re.findall(self.tokenizer, text.lower())

    def terms(self, text: str) -> list[str]:
        """Split a text into stemmed terms without stopwords."""
        return [self.stem(word) for word in self.words(text) if word not in STOPWORDS]


class Index:
    """The term statistics of a collection."""

    def __init__(self, documents: Mapping[str, str], analyzer: Analyzer) -> None:
        """Count the terms of all documents; lengths are in words, sizes relative to the mean."""
        self.analyzer = analyzer
        self.docs = {doc: Counter(analyzer.terms(text)) for doc, text in documents.items()}
        self.lengths = {doc: len(analyzer.words(text)) for doc, text in documents.items()}
        self.total = sum(self.lengths.values())
        mean = sum(map(len, documents.values())) / len(documents)
        self.sizes = {doc: len(text) / mean for doc, text in documents.items()}
        self.df = Counter(term for counts in self.docs.values() for term in counts)
        self.cf = Counter(term for counts in self.docs.values() for term in counts.elements())

    def query(self, text: str) -> Scores:
        """Turn the text of a topic into weighted terms."""
        return {term: float(n) for term, n in Counter(self.analyzer.terms(text)).items()}

    def idf(self, term: str) -> float:
        """Give the inverse document frequency of a term, which is never negative."""
        df = self.df[term]
        return math.log(1 + (len(self.docs) - df + 0.5) / (df + 0.5))

    def matches(self, query: Scores) -> list[str]:
        """List the documents with at least one term of the query."""
        return [doc for doc, counts in self.docs.items() if not query.keys().isdisjoint(counts)]


def order(scores: Scores) -> list[str]:
    """Sort documents by score as printed; ties are sorted by document id."""
    return sorted(scores, key=lambda doc: (-round(scores[doc], DIGITS), doc))


def bm25(index: Index, query: Scores) -> Scores:
    """Score the matching documents by BM25 with their length in characters."""
    scores = {}
    for doc in index.matches(query):
        tf = index.docs[doc]
        norm = K1 * (1 - B + B * index.sizes[doc])
        scores[doc] = math.fsum(w * index.idf(t) * tf[t] / (tf[t] + norm) for t, w in query.items())
    return scores


def likelihood(index: Index, query: Scores) -> Scores:
    """Score the matching documents by query likelihood with Dirichlet smoothing."""
    prior = {t: MU * index.cf[t] / index.total for t in query if index.cf[t]}
    scores = {}
    for doc in index.matches(query):
        tf, length = index.docs[doc], index.lengths[doc] + MU
        scores[doc] = math.fsum(query[t] * math.log((tf[t] + p) / length) for t, p in prior.items())
    return scores


def expand(index: Index, query: Scores, first: Scores) -> Scores:
    """Add the best terms of the first documents to a query (Rocchio without a negative part)."""
    centroid: defaultdict[str, float] = defaultdict(float)
    for doc in order(first)[:FB_DOCS]:
        for term, n in index.docs[doc].items():
            centroid[term] += n * index.idf(term) / index.lengths[doc]
    best = sorted(centroid, key=lambda term: (-centroid[term], term))[:FB_TERMS]
    added = {term: FB_WEIGHT * centroid[term] / centroid[best[0]] for term in best}
    return {term: query.get(term, 0) + added.get(term, 0) for term in sorted({*query, *added})}


def interpolate(one: Scores, two: Scores, weight: float) -> Scores:
    """Add two rankings linearly after min-max normalisation; `weight` belongs to the first."""
    mixed: Scores = dict.fromkeys([*one, *two], 0.0)
    for scores, share in ((one, weight), (two, 1 - weight)):
        low, high = min(scores.values()), max(scores.values())
        for doc, score in scores.items():
            mixed[doc] += share * (score - low) / ((high - low) or 1)
    return mixed


def rerank(index: Index, query: Scores) -> Scores:
    """Rerank the first documents of BM25 by query likelihood."""
    second = likelihood(index, query)
    return {doc: second[doc] for doc in order(bm25(index, query))[:CUTOFF]}


LETTERS = Analyzer("[a-z]+", "S stemmer", s_stem)
HYPHENS = Analyzer("[a-z]+(?:-[a-z]+)*", "prefix of 5 characters", prefix_stem)
UNSTEMMED = Analyzer("[a-z]+", "none", str)
