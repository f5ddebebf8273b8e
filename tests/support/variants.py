"""A header, and texts in it that mean the same."""

PLAIN = """\
tag: x
platform:
  hardware:
    cpu: {model: Intel Xeon, number of cores: 16}
    ram: 64 GB
  software:
    libraries: [numpy==1.15.4, scipy==1.1]
    retrieval toolkit: [anserini==0.3.0]
research goal:
  venue: {name: SIGIR, year: 2019}
  publication: {doi: https://doi.org/10.1145/3397271.ab, arxiv: https://arxiv.org/abs/2010.13447}
  evaluation:
    reported measures: [map, P_10, ndcg_cut_10]
    significance test: [{name: paired t-test, correction method: bonferroni}]
implementation:
  source: {repository: https://github.com/ada/engine, lang: [Python], commit: abcdef1}
method:
  automatic: true
  retrieval:
  - {name: bm25, b: 0.9, k1: 1}
  - {name: rm3, reranks: bm25}
actor: {name: José, orcid: 0000-0002-0661-7189, team: garden}
data:
  test collection: {name: Vaswani, ir_datasets: vaswani}
  training data: [{name: A}, {name: B}]
"""

#: What is written otherwise, how, and why that means the same.
VARIANTS = {
    "quotes": ("year: 2019", "year: '2019'"),
    "order of keys": ("{name: SIGIR, year: 2019}", "{year: 2019, name: SIGIR}"),
    "underscores": ("test collection:", "test_collection:"),
    "order of lists": ("[map, P_10, ndcg_cut_10]", "[ndcg_cut_10, map, P_10]"),
    "order of mappings": ("[{name: A}, {name: B}]", "[{name: B}, {name: A}]"),
    "yes": ("automatic: true", "automatic: yes"),
    "True": ("automatic: true", "automatic: True"),
    "scalar for list": ("lang: [Python]", "lang: Python"),
    "empty key": ("automatic: true", "automatic: true\n  description:"),
    "null": ("automatic: true", "automatic: true\n  description: null"),
    "CRLF": ("\n", "\r\n"),
    "size without space": ("64 GB", "64GB"),
    "size in lower case": ("64 GB", "64 gb"),
    "size in another unit": ("64 GB", "64000 MB"),
    "trailing zero": ("b: 0.9", "b: 0.90"),
    "exponent": ("b: 0.9", "b: 9e-1"),
    "leading zero": ("cores: 16", "cores: 016"),
    "bare DOI": ("https://doi.org/10.1145/3397271.ab", "10.1145/3397271.ab"),
    "doi:": ("https://doi.org/10.1145/3397271.ab", "doi:10.1145/3397271.AB"),
    "ORCID as a page": ("0000-0002-0661-7189", "https://orcid.org/0000-0002-0661-7189"),
    "arXiv number": ("https://arxiv.org/abs/2010.13447", "'2010.13447'"),
    "arXiv:": ("https://arxiv.org/abs/2010.13447", "arXiv:2010.13447"),
    "P@10": ("P_10", "P@10"),
    "nDCG@10": ("ndcg_cut_10", "nDCG@10"),
    "MAP": ("[map,", "[MAP,"),
    "spelling of a test": ("paired t-test", "Student's paired t test"),
    "requirement with a space": ("numpy==1.15.4", "numpy 1.15.4"),
    "requirement with spaces": ("numpy==1.15.4", "numpy == 1.15.4"),
    "repeated member": ("[numpy==1.15.4,", "[numpy 1.15.4, numpy==1.15.4,"),
    "http": ("https://github.com", "http://github.com"),
    "trailing slash": ("ada/engine", "ada/engine/"),
    ".git": ("ada/engine", "ada/engine.git"),
    "ssh": ("https://github.com/ada/engine", "'git@github.com:ada/engine.git'"),
    "commit in upper case": ("abcdef1", "ABCDEF1"),
    "NFD": ("José", "Jose\u0301"),
    "spaces around a text": ("model: Intel Xeon", "model: '  Intel Xeon '"),
    "spaces within a text": ("model: Intel Xeon", "model: 'Intel \u00a0 Xeon'"),
    "line breaks": ("model: Intel Xeon", 'model: "Intel\\nXeon\\n"'),
    "page of ir_datasets": (
        "ir_datasets: vaswani",
        "ir_datasets: https://ir-datasets.com/vaswani.html",
    ),
}
