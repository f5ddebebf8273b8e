"""What is said of each field of two components: where they agree, where not, and in which words."""

from __future__ import annotations

import pytest
from support.compared import (
    DIFFERENT,
    ONLY_ONE,
    ONLY_OTHER,
    OPEN,
    SAME,
    Said,
    check_said,
    decided,
)

TOOLKIT, LIBRARIES = "software.retrieval toolkit", "software.libraries"
COMMIT = "source.commit"
ECIR = "venue: {name: ECIR, year: 2020}"
TREE = "uncommitted changes: 2, hash: 929953091bf758b6a28b8ec2014017e99cbcc495"

#: A component, two ways to write it, and what is said of a field: outcome and folded values.
CASES = [
    # Toolkits, exactly; libraries by major and minor version; toolkits among libraries.
    (
        "platform",
        "{software: {retrieval toolkit: [anserini==0.38.0, pyserini==0.22]}}",
        "{software: {retrieval toolkit: [Pyserini 0.22, Anserini v0.38.1]}}",
        (TOOLKIT, DIFFERENT, "anserini 0.38, pyserini 0.22", "anserini 0.38.1, pyserini 0.22"),
    ),
    (
        "platform",
        "{software: {libraries: [python-terrier==0.10.0, anserini==0.38]}}",  # may not be used
        "{software: {retrieval toolkit: [PyTerrier==0.10]}}",
        (TOOLKIT, SAME, "anserini 0.38, pyterrier 0.10", "pyterrier 0.10"),
    ),
    (
        "platform",
        "{software: {libraries: [python-terrier==0.10.0]}}",
        "{software: {retrieval toolkit: [PyTerrier==0.10, anserini==0.38]}}",
        (TOOLKIT, OPEN, "pyterrier 0.10", "anserini 0.38, pyterrier 0.10"),
    ),
    (
        "platform",
        "{software: {retrieval toolkit: [anserini]}}",
        "{software: {retrieval toolkit: [anserini==0.38]}}",
        (TOOLKIT, ONLY_OTHER, "", "anserini 0.38"),
    ),
    (
        "platform",
        "{software: {libraries: [numpy==2.4.6, scipy==1.1, torch==2.0]}}",
        "{software: {libraries: [numpy==2.3.0, scipy==1.2, tqdm==1.0]}}",
        (LIBRARIES, DIFFERENT, "numpy 2.4", "numpy 2.3"),  # one verdict for each that differs
    ),
    (
        "platform",
        "{operating system: {distribution: Debian}}",
        "{operating system: {distribution: Ubuntu 20.04.3 LTS}}",
        ("operating system.distribution", DIFFERENT, "debian", "ubuntu 20.04"),
    ),
    # A commit with changes is what its tree's hash says.
    (
        "implementation",
        f"{{source: {{commit: 9548cd6, {TREE}}}}}",
        "{source: {commit: 9548cd6}}",
        (COMMIT, DIFFERENT, "9548cd6 with changes 9299530", "9548cd6"),
    ),
    (
        "implementation",
        f"{{source: {{commit: 9548cd6, {TREE}}}}}",
        f"{{source: {{commit: 9548cd6f, {TREE.replace('2', '3', 1)}}}}}",
        (COMMIT, SAME, "9548cd6 with changes 9299530", "9548cd6f with changes 9299530"),
    ),
    (
        "implementation",
        "{source: {commit: 9548cd6, uncommitted changes: 2}}",
        "{source: {commit: 9548cd6, uncommitted changes: 2}}",
        (COMMIT, OPEN, "9548cd6 with changes", "9548cd6 with changes"),
    ),
    # Publications: any shared identifier; addresses only ever make them the same.
    (
        "research goal",
        "{publication: {doi: 10.1145/1.1234567, url: 'https://doi.org/10.1145/1234567.1'}}",
        "{publication: {doi: 10.1145/1234567.1}}",
        ("publication.doi", SAME, "10.1145/1234567.1", "10.1145/1234567.1"),
    ),
    (
        "research goal",
        f"{{publication: {{url: https://a.org/x}}, {ECIR}, description: x}}",
        f"{{publication: {{url: https://a.org/y}}, {ECIR}, description: y}}",
        ("description", OPEN, "x", "y"),
    ),
    (
        "research goal",
        f"{{publication: {{doi: 10.1145/1234567.1}}, {ECIR}}}",
        f"{{publication: {{arxiv: '2010.13447'}}, {ECIR}}}",
        ("publication.arxiv", ONLY_OTHER, "", "2010.13447"),
    ),
    # People: whoever is shared is enough, and then nothing else is said.
    (
        "actor",
        "{orcid: 0000-0002-1825-0097, team: heath}",
        "[{orcid: 0000-0001-5109-3700}, {team: Heath}]",
        ("team", SAME, "heath", "heath"),
    ),
    # Data.
    (
        "data",
        "{test collection: {name: Botany, ir_datasets: botany}}",
        "{test collection: {name: Botany, ir_datasets: Botany/Trial}}",
        ("test collection.ir_datasets", OPEN, "botany", "botany/trial"),
    ),
    (
        "data",
        "{training data: [{name: Heath, folds: [f/1]}]}",
        "{training data: [{name: heath}]}",
        ("training data", OPEN, "heath", "heath"),  # perhaps on that fold
    ),
    (
        "data",
        "{training data: [{name: Heath, ir_datasets: heath/a}]}",
        "{training data: [{name: The letters of Heath, ir_datasets: heath/a}]}",
        ("training data", SAME, "heath", "the letters of heath"),
    ),
    ("data", "{training data: [{name: No}]}", "{}", ("training data", ONLY_ONE, "nothing", "")),
    # The rest of a method.
    (
        "method",
        "{indexing: {stemmer: org.apache.lucene.analysis.en.PorterStemFilter}}",
        "{indexing: {stemmer: heathstem}}",
        ("indexing.stemmer", OPEN, "porter", "heathstem"),
    ),
    (
        "method",
        "{generation: {prompt: 'Say  it.', llm: GPT-4}}",
        "{generation: {prompt: say it., llm: gpt 4o}}",
        ("generation.llm", DIFFERENT, "gpt 4", "gpt 4o"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("component", "one", "other", "said"), CASES, ids=range(len(CASES)))
def test_what_is_said_of_a_field(component: str, one: str, other: str, said: Said) -> None:
    check_said(component, one, other, said)


def test_addresses_that_differ_are_not_lacking_on_either_side() -> None:
    found = decided(
        "research goal",
        "{publication: {url: https://a.org/x}}",
        "{publication: {url: https://a.org/y}}",
    )
    assert "publication.url" not in {one.path for one in found.lacking}
