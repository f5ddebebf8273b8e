"""Values as they are compared: what is spelling, and what is something else."""

from __future__ import annotations

import re

import pytest

from primad_ld.compare import folding


def exact_requirements(value):
    return {called: one.exact for called, one in folding.requirements(value).items()}


ACM = "10.1145/1234567.1234568"
HASH = "0123456789abcdef" * 2

#: How a value is folded, spellings of one thing, and things that are other ones.
CASES = [
    # Texts: case, spaces and compatibility characters are spelling.
    (folding.text, ["A  b\n", "a b", "\uff21 b"], ["a-b", "ab"]),
    (folding.name, ["BM-25 x", "bm_25  X"], ["bm25 x"]),
    # Long texts are told apart by their ends, too.
    (folding.text, ["x" * 5000, "X" * 5000 + " "], ["x" * 5000 + "y", "y" + "x" * 5000, "x" * 4999]),
    # Processors: trademarks, frequencies, cores and the order of words are not part of the name.
    (
        folding.processor,
        [
            "Intel(R) Xeon(R) Gold 6144 CPU @ 3.50GHz",  # Linux
            "Intel® Xeon® Gold 6144",
            "Intel Xeon Gold 6144 Processor",
            "Xeon Gold 6144 Intel",  # a tracker
        ],
        ["Intel Xeon Gold 6142", "Intel Xeon Gold 6144 v2"],
    ),
    (folding.processor, ["AMD EPYC™ 7742 64-Core Processor", "AMD EPYC 7742"], ["AMD EPYC 7742P"]),
    (
        folding.processor,
        ["12th Gen Intel(R) Core(TM) i7-12700H", "Intel Core™ i7-12700H"],  # the number says it, too
        ["Intel Core i7-11700H"],
    ),
    (folding.architecture, ["x86_64", "AMD64", "x64"], ["aarch64", "x86", "a machine of our own"]),
    (folding.architecture, ["A machine-of our own"], ["another machine"]),
    # Distributions: name and release by major and minor.
    (
        folding.distribution,
        ["Ubuntu 20.04.3 LTS", "ubuntu-20.04", "Ubuntu20.04", "Ubuntu Linux v20.04.6", "Ubuntu (20.04)"],
        ["Ubuntu 22.04", "Ubuntu", "Debian 20.04"],
    ),
    (
        folding.distribution,
        ["CentOS Linux release 7.9.2009 (Core)", "CentOS 7.9"],
        ["CentOS Stream 9", "CentOS 7.8"],
    ),
    (folding.distribution, ["Red Hat Enterprise Linux release 8.6 (Ootpa)", "RHEL8.6"], ["Rocky 8.6"]),
    (folding.distribution, ["Debian GNU/Linux 12 (bookworm)", "Debian 12"], ["Debian 11"]),
    (folding.distribution, ["20.04", "(?)"], ["x 20.04"]),  # without a name it is nothing
    # Versions.
    (folding.version, ["1.0", "v1", "1.0.0", "1.00"], ["1.0.1", "1.0-rc1", "10"]),
    (folding.version, ["2.1.0+cu118", "2.1"], ["2.1.0.dev1"]),
    (folding.minor_version, ["2.4.6", "v2.4", "2.04.1-rc"], ["2.5", "2"]),
    # Requirements, in the ways of pip, conda, people and trackers.
    (
        exact_requirements,
        [
            ["python-terrier==0.10.0", "NumPy 2.4.6"],
            ["numpy==2.4.6", "PyTerrier v0.10"],
            {"python": ["numpy==2.4.6"], "java": ["pyterrier==0.10.0"]},
        ],
        [["numpy==2.4.6", "pyterrier"], ["numpy==2.4.6"], ["numpy>=2.4.6", "pyterrier==0.10.0"]],
    ),
    (
        exact_requirements,
        [["a==1", "a==2"], ["a==2", "a==1"], ["a"]],  # in which of two versions, nobody can tell
        [["a==2"], []],
    ),
    # Repositories: scheme, user, www, .git, case of the host and pages are spelling.
    (
        folding.repository,
        [
            "https://github.com/heath/search",
            "http://www.GitHub.com/heath/search.git/",
            "git@github.com:heath/search.git",
            "ssh://git@github.com:22/heath/search",
            "https://ada:secret@github.com/heath/search/tree/main/src",
            "github.com/heath/search/-/blob/main/README.md",
        ],
        ["https://gitlab.com/heath/search", "heath/search"],
    ),
    (folding.commit, ["9548CD6", "9548cd6 "], ["9548cd7", "9548cd61"]),
    (folding.commit, ["v0.3.0", "0.3"], ["0.3.1", "release 0.3"]),
    # Publications.
    (
        lambda text: folding.publication("doi", text),
        [ACM, f"doi:{ACM}", f"https://doi.org/{ACM}", f"https://dl.acm.org/doi/abs/{ACM}"],
        ["10.1145/1234567.1234569", "10.48550/arXiv.2010.13447"],
    ),
    (
        lambda text: folding.publication("url", text),
        ["https://arxiv.org/abs/2010.13447v2", "http://arxiv.org/pdf/2010.13447.pdf",
         "https://arxiv.org/html/2010.13447", "https://doi.org/10.48550/arXiv.2010.13447"],
        ["https://arxiv.org/abs/2010.13448", f"https://doi.org/{ACM}", "https://example.org/2010.13447"],
    ),
    (
        lambda text: folding.publication("arxiv", text),
        ["2010.13447", "arXiv:2010.13447v3 [cs.IR]", "https://arxiv.org/abs/2010.13447"],
        ["2010.1344", "cs/0112017"],
    ),
    (
        lambda text: folding.publication("dblp", text),
        ["https://dblp.org/rec/conf/ecir/X", "https://dblp.uni-trier.de/rec/html/conf/ecir/X", "conf/ecir/X"],
        ["conf/ecir/Y"],
    ),
    (lambda text: folding.publication("doi", text), ["to appear", "submitted"], [ACM]),  # says nothing
    (lambda text: folding.publication("url", text), ["see the website"], ["https://example.org/x"]),
    # Data sets.
    (
        folding.dataset,
        ["nyt/trec-core-2017", "NYT/TREC-Core-2017/",
         "https://ir-datasets.com/nyt.html#nyt/trec-core-2017"],
        ["nyt", "nyt/trec-core-2018"],
    ),
    # Places of topics and judgements: by the last segment of the path.
    (
        folding.location,
        ["https://www.b.example/qrels.txt#top", "http://b.example/qrels.txt.gz?raw=1", "b.example/qrels.txt"],
        ["https://b.example/x/qrels.txt", "https://b.example/get?file=qrels.txt", "./qrels.txt"],
    ),
    (folding.location, ["./a/qrels.txt", "C:\\data\\qrels.txt.zst", "qrels.txt"], ["qrels", "Qrels.txt"]),
    (folding.location, [HASH, f"md5:{HASH.upper()}"], [HASH[:-1], HASH + "0"]),
    # People.
    (
        folding.orcid,
        ["0000-0002-1825-0097", "https://orcid.org/0000-0002-1825-0097", " 0000-0002-1825-0097"],
        ["0000-0001-5109-3700", "0000-0002-1825-0098"],
    ),
    (folding.orcid, ["0000-0002-1825-0098", "Ada"], ["0000-0002-1825-0097"]),  # mistyped: nobody
    # Flags.
    (folding.flag, ["yes", "True", "on", "1"], ["no", "perhaps"]),
    (folding.flag, ["perhaps", ""], ["true", "false"]),
    # Names of a table, and others.
    (
        lambda text: folding.named("stemmers", text),
        ["Snowball", "porter2", "English Snowball stemmer"],
        ["Porter", "heathstem"],
    ),
    (lambda text: folding.named("models", text), ["heath-ranker", "Heath Ranker"], ["bm25"]),
]  # fmt: skip


@pytest.mark.parametrize(("fold", "spellings", "others"), CASES, ids=range(len(CASES)))
def test_one_thing_in_its_spellings(fold, spellings, others) -> None:
    first, *rest = map(fold, spellings)
    assert all(one == first for one in rest), rest
    assert first not in list(map(fold, others))


@pytest.mark.parametrize(
    ("compare", "one", "other", "is_same"),
    [
        (folding.is_same_commit, "9548cd6", "9548cd6f0c", True),
        (folding.is_same_commit, "9548", "9548cd6", None),  # too short to tell
        (folding.is_same_commit, "9548cd6", "9548cd7f0c", False),
        (folding.is_same_commit, "0.3", "0.3.1", False),  # releases have no beginnings
        (folding.is_same_minor, "12", "12.5", True),
        (folding.is_same_minor, "12.4", "12.5", False),
        (folding.is_same_minor, "1", "12", False),
        (folding.is_part, "vaswani", "vaswani/a", True),
        (folding.is_part, "vaswani", "vaswani2/a", False),
        (folding.is_part, "vaswani/a", "vaswani/b", False),
    ],
)
def test_two_folded_values(compare, one: str, other: str, is_same: bool | None) -> None:
    assert compare(one, other) is compare(other, one) is is_same


#: What patterns might go back over, again and again.
LONG = 50_000
HOSTILE = [
    unit * (LONG // len(unit))
    for unit in ("a", "1", ".", "/", "a.", "1.", "@", "@1", "v1", "(", " ", "-", "a@", ":", "//", "=", "/tree", "10.1145/", "1-core ", "1st gen ")
]  # fmt: skip
KINDS = ("doi", "arxiv", "dblp", "url")
FOLDS = [fold for fold, _, _ in CASES if fold.__name__ != "<lambda>"] + [
    *(lambda text, kind=kind: folding.publication(kind, text) for kind in KINDS),
    *(lambda text, kind=kind: folding.named(kind, text) for kind in ("models", "stemmers")),
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: re.escape(text[:8]))
def test_long_texts_are_folded_in_one_go(text: str) -> None:
    # Going back and forth over these would take hours.
    for fold in dict.fromkeys(FOLDS):
        assert fold(text) == fold(text + " ")
