"""Ways to break the good header in its structure and across its fields."""

from __future__ import annotations

from support.mutations import Case, I, V, W, drop, put

MIX = "- name: mix\n    method: search.interpolate\n    weight: 0.6\n    interpolates:\n    - feedback\n    - bm25\n"
MIX_AT = ("name: mix",)

STAGES = {
    "unknown": put("reranks: bm25", "reranks: bm52", (W, "method.retrieval[2].reranks", "reranks"), says='no other stage is called "bm52"; did you mean "bm25"?'),
    "itself": put("reranks: bm25", "reranks: feedback", (W, "method.retrieval[2].reranks", "reranks-later"), ("name: feedback", V, "method.retrieval[2]", "circular")),
    "interpolates-unknown": put("interpolates:\n    - feedback\n", "interpolates:\n    - feedbak\n", ("- feedbak", W, "method.retrieval[3].interpolates[1]", "interpolates"), says='did you mean "feedback"?'),
    "ensembles-unknown": put("- mix\n", "- mux\n", (W, "method.retrieval[4].ensembles[1]", "ensembles"), says='did you mean "mix"?'),
    "later": put("reranks: bm25\n  - name: mix\n    method: search.interpolate\n    weight: 0.6\n    interpolates:\n    - feedback\n", "reranks: all\n  - name: mix\n    method: search.interpolate\n    weight: 0.6\n    interpolates:\n    - all\n",
        ("reranks: all", W, "method.retrieval[2].reranks", "reranks-later"),
        (("interpolates:",), W, "method.retrieval[3].interpolates", "interpolates-later"),
        ("name: feedback", V, "method.retrieval[2]", "circular"), (MIX_AT, V, "method.retrieval[3]", "circular"), ("name: all", V, "method.retrieval[4]", "circular")),
    "later-only": put("lexical: yes", "lexical: yes\n    ensembles: pad\n  - name: pad\n    method: x\n    k: 1", ("ensembles: pad", W, "method.retrieval[1].ensembles", "ensembles-later")),
    "cycle-of-two": put("lexical: yes", "lexical: yes\n    reranks: feedback", ("reranks: feedback", W, "method.retrieval[1].reranks", "reranks-later"),
        ("name: bm25", V, "method.retrieval[1]", "circular"), ("name: feedback", V, "method.retrieval[2]", "circular")),
    "weight-missing": put("    weight: 0.6\n", "", ("interpolates:", W, "method.retrieval[3].interpolates", "weight-missing")),
    "weight-of-nothing": put("fb docs: 10", "fb docs: 10\n    weight: 0.5", ("weight: 0.5", I, "method.retrieval[2].weight", "weight-of-nothing")),
    "weight-of-three": put("interpolates:\n    - feedback\n    - bm25", "interpolates:\n    - feedback\n    - bm25\n    - pad\n  - name: pad\n    method: x\n    k: 1",
        ("interpolates:", W, "method.retrieval[3].interpolates", "interpolates-later"), ("weight: 0.6", I, "method.retrieval[3].weight", "weight-ambiguous")),
    "of-one": put("interpolates:\n    - feedback\n    - bm25", "interpolates: bm25", ("interpolates: bm25", W, "method.retrieval[3].interpolates", "interpolates-one")),
    "no-parameters": put("    fb docs: 10\n    reranks: bm25\n", "", ("name: feedback", I, "method.retrieval[2]", "missing-parameters")),
    "no-name": put("- name: all\n    method: search.ensemble", "- method: search.ensemble", ("method: search.ensemble", W, "method.retrieval[4].name", "missing-stage-name")),
    "no-method": put("    method: search.ensemble\n", "", ("name: all", I, "method.retrieval[4].method", "missing-stage-method")),
}  # fmt: skip

ACROSS = {
    "reproducer-of-two": put("    - pond-bm25\n", "    - pond-bm25\n    - pond-tf\n", ("baseline:", V, "research goal.evaluation.baseline", "reproducer-names-one")),
    "baseline-itself": put("- pond-bm25", "- pond-mix", (V, "research goal.evaluation.baseline[1]", "baseline-is-itself")),
    "test-without-measures": drop("    reported measures:", ("significance test:", W, "research goal.evaluation.significance test", "test-needs-measures"),
        ("evaluation:", I, "research goal.evaluation.reported measures", "missing-measures")),
    "measures-without-qrels": Case((), (
        ("test collection:", W, "data.test collection.qrels", "measures-need-judgements"),), (), ("    ir_datasets: pond/2024", "    qrels: https://example.org/pond/qrels.txt")),
    "tag": put("tag: pond-mix\nplatform", "tag: pond-max\nplatform"),
    "unknown-key": put("vendor id: AuthenticAMD", "vender id: AuthenticAMD", (W, "platform.hardware.cpu.vender id", "unknown"), says='did you mean "vendor id"?'),
    "unknown-top": put("run-version: 1.0", "run-verison: 1.0", (W, "run-verison", "unknown"), says='did you mean "run-version"?'),
    "unknown-in-second": put("team: newts", "team: newts\n  taem: toads", ("taem:", W, "actor[2].taem", "unknown"), says='did you mean "team"?'),
    "unknown-deep": put("folds:\n", "foldes:\n", (W, "data.training data[2].foldes", "unknown"), says='did you mean "folds"?'),
}  # fmt: skip
ACROSS["reproducer-of-two"] = ACROSS["reproducer-of-two"]._replace(
    changes=(*ACROSS["reproducer-of-two"].changes, ("team: newts\n  role: experimenter", "team: newts\n  role: reproducer"))
)  # fmt: skip
ACROSS["reproducer-of-none"] = Case(
    (("team: newts\n  role: experimenter", "team: newts\n  role: reproducer"),),
    (("evaluation:", V, "research goal.evaluation.baseline", "reproducer-names-one"),),
    (), ("    baseline:",),
)  # fmt: skip

KINDS = {
    "text-for-mapping": put("  venue:\n    name: ECIR\n    year: 2024\n", "  venue: ECIR 2024\n", ("venue: ECIR", V, "research goal.venue", "venue"),
        (I, "research goal.venue.name", "missing-venue"), (I, "research goal.venue.year", "missing-year")),
    "text-for-component": put("data:\n  test collection:", "data: Pond\nold:\n  test collection:", (V, "data", "data"),
        (W, "data.test collection.qrels", "measures-need-judgements"), ("\nold:", I, "old", "unknown")),
    "mapping-for-text": put("kernel: 6.1.0-25-amd64", "kernel: {name: Linux}", (V, "platform.operating system.kernel", "kernel")),
    "list-for-text": put("tokenizer: words", "tokenizer: [words, grams]", (V, "method.indexing.tokenizer", "tokenizer")),
    "list-for-mapping": put("  venue:\n    name: ECIR\n    year: 2024\n", "  venue: [ECIR, 2024]\n", ("venue: [", V, "research goal.venue", "venue"), ("venue: [", I, "research goal.venue.name", "missing-venue"), ("venue: [", I, "research goal.venue.year", "missing-year")),
    "two-qrels": put("qrels: https://example.org/pond/qrels.txt", "qrels: ['https://a.example/q', 'https://b.example/q']", (W, "data.test collection.qrels", "collection-qrels")),
    "actor-text": put("- name: Ben Reed\n  orcid: 0000-0002-1825-0097\n  team: newts\n  role: experimenter\n", "- Ben Reed\n", (V, "actor[2]", "actor"), ("\nactor:", I, "actor.role", "missing-role")),
    "stage-text": put("reranks: bm25\n", "reranks: bm25\n  - monobert\n", ("- monobert", V, "method.retrieval[3]", "stage")),
    "library-twice": put("- PyYAML==6.0.2", "- numpy==2.2.1 ", (("numpy", "numpy"), W, "platform.software.libraries.python[2]", "repeated-item"), says='"numpy==2.2.1" stands in this list already'),
    "measure-twice": put("- P_10", "- map\n    - P_10", (("- map", "- map"), W, "research goal.evaluation.reported measures[3]", "repeated-item"), says='"map" stands in this list already'),
    "field-twice": put("- fold2", "- fold1", (("- fold1", "- fold1"), W, "data.training data[2].folds[2]", "repeated-item")),
    "command-mapping": put("cmd: python search.py --tag pond-mix", "cmd: {run: it}", (V, "implementation.executable.cmd", "command")),
}  # fmt: skip

COMPONENTS = {
    "platform": drop("platform:", (W, "platform", "missing-platform"), at="schema-version"),
    "research-goal": drop("research goal:", (I, "research goal", "missing-research-goal"), at="schema-version"),
    "implementation": drop("implementation:", (W, "implementation", "missing-implementation"), at="schema-version"),
    "method": drop("method:", (W, "method", "missing-method"), at="schema-version"),
    "actor": drop("actor:", (W, "actor", "missing-actor"), at="schema-version"),
    "data": drop("data:", (W, "data", "missing-data"), at="schema-version"),
    "resources": drop("resources:"),
}  # fmt: skip

MISSING = {
    "schema-version": drop("schema-version: 0.1", (I, "schema-version", "missing-schema-version"), at="run-version"),
    "tag": drop("tag: pond-mix", (W, "tag", "missing-tag"), at="schema-version"),
    "command": drop("  executable:", (W, "implementation.executable.cmd", "missing-command"), at="implementation:"),
    "baseline": drop("    baseline:", (I, "research goal.evaluation.baseline", "missing-baseline"), at="evaluation:"),
    "cpu-model": drop("      model: AMD EPYC 7502P", (I, "platform.hardware.cpu.model", "missing-cpu-model"), at="cpu:"),
    "architecture": drop("      architecture: x86_64", (I, "platform.hardware.cpu.architecture", "missing-architecture"), at="cpu:"),
    "cores": drop("      number of cores: 32", (I, "platform.hardware.cpu.number of cores", "missing-cores"), at="cpu:"),
    "ram": drop("    ram: 128 GB", (I, "platform.hardware.ram", "missing-ram"), at="hardware:"),
    "kernel": drop("    kernel: 6.1.0-25-amd64", (I, "platform.operating system.kernel", "missing-kernel"), at="operating system:"),
    "distribution": drop("    distribution: Debian GNU/Linux 12 (bookworm)", (I, "platform.operating system.distribution", "missing-distribution"), at="operating system:"),
    "libraries": Case((), (("software:", W, "platform.software.libraries", "missing-libraries"),), (), ("    libraries:", "    packages:")),
    "toolkit": Case((), (("software:", I, "platform.software.retrieval toolkit", "missing-toolkit"),), (), ("    libraries:", "    retrieval toolkit:")),
    "publication": Case((("    abstract: We look into the pond.", "    abstract: We look."),), (("publication:", I, "research goal.publication.doi", "missing-publication"),), (), (
        "    dblp: https://dblp.org/rec/conf/ecir/PondF24", "    doi: https://doi.org/10.1007/978-3-030-15712-8_26", "    arxiv: https://arxiv.org/abs/2010.13447", "    url: https://example.org/pond.pdf")),
    "description": Case((), (("research goal:", I, "research goal.description", "missing-description"), ("research goal:", I, "research goal.publication.doi", "missing-publication")), (), ("  description: Does feedback help frogs?", "  publication:")),
    "venue": drop("    name: ECIR", (I, "research goal.venue.name", "missing-venue"), at="venue:"),
    "year": drop("    year: 2024", (I, "research goal.venue.year", "missing-year"), at="venue:"),
    "correction": drop("      correction method: bonferroni", (I, "research goal.evaluation.significance test[1].correction method", "missing-correction"), at="- name: t-test"),
    "test-name": put("- name: t-test\n      correction", "- correction", ("- correction", I, "research goal.evaluation.significance test[1].name", "missing-test-name")),
    "repository": drop("    repository: https://example.org/pond/runs", (W, "implementation.source.repository", "missing-repository"), at="source:"),
    "commit": drop("    commit: 9548cd6e", (W, "implementation.source.commit", "missing-commit"), at="source:"),
    "lang": drop("    lang:", (I, "implementation.source.lang", "missing-lang"), at="source:"),
    "automatic": drop("  automatic: true", (I, "method.automatic", "missing-automatic"), at="\nmethod:"),
    "ties": drop("  score ties: alphabetical order", (I, "method.score ties", "missing-ties"), at="\nmethod:"),
    "tokenizer": drop("    tokenizer: words", (I, "method.indexing.tokenizer", "missing-tokenizer"), at="indexing:"),
    "stemmer": drop("    stemmer: Porter", (I, "method.indexing.stemmer", "missing-stemmer"), at="indexing:"),
    "stopwords": drop("    stopwords: none", (I, "method.indexing.stopwords", "missing-stopwords"), at="indexing:"),
    "stages": Case((), (("\nmethod:", W, "method.retrieval", "missing-stages"),), (), ("  name: pond", "  retrieval:")),
    "llm": drop("    llm: example-8b", (W, "method.generation.llm", "missing-llm"), at="generation:"),
    "prompt": drop("    prompt: Answer from the passages.", (I, "method.generation.prompt", "missing-prompt"), at="generation:"),
    "team-of-second": drop("  team: newts", (W, "actor[2].team", "missing-team"), at="name: Ben"),
    "person": Case((("- name: Ben Reed\n  team", "- team"),), (("team: newts", I, "actor[2].orcid", "missing-person"),), (), ("  orcid: 0000-0002-1825-0097",)),
    "collection": Case((), (("test collection:", W, "data.test collection.ir_datasets", "missing-collection"),), (), ("    name: Pond", "    ir_datasets: pond/2024")),
    "topics": Case((), (("test collection:", I, "data.test collection.topics", "missing-topics"),), (), ("    topics: https://example.org/pond/topics.txt", "    ir_datasets: pond/2024")),
    "source": Case((), (("test collection:", I, "data.test collection.source", "missing-source"),), (), ("    source: https://example.org/pond", "    ir_datasets: pond/2024")),
    "training-name": put("- name: Brook\n    qrels", "- qrels", ("qrels: https://example.org/brook", W, "data.training data[2].name", "missing-training-name")),
    "training-qrels": drop("    qrels: https://example.org/brook/qrels.txt", (I, "data.training data[2].qrels", "missing-training-qrels"), at="name: Brook"),
}  # fmt: skip

#: Codes of access by what they are hidden in; none of them may be shown.
TOKEN = "ghp_" + "a1B2" * 9
SECRETS = {
    "token-in-address": (put("repository: https://example.org/pond/runs", "repository: https://example.org/pond/runs?access_token=s3cr3ts3cr3t", (V, "implementation.source.repository", "secret")), "s3cr3ts3cr3t"),
    "password-in-address": (put("repository: https://example.org/pond/runs", "repository: https://ada:hunter22@example.org/pond/runs", (V, "implementation.source.repository", "secret")), "hunter22"),
    "option": (put("cmd: python search.py --tag pond-mix", "cmd: python search.py --token s3cr3ts3cr3t", (V, "implementation.executable.cmd", "secret-of-run")), "s3cr3ts3cr3t"),
    "option-in-list": (put("cmd: python search.py --tag pond-mix", "cmd: [python, search.py, --api-key, s3cr3ts3cr3t]", (V, "implementation.executable.cmd", "secret-of-run")), "s3cr3ts3cr3t"),
    "github": (put("fb docs: 10", f"fb docs: {TOKEN}", (V, "method.retrieval[2].fb docs", "secret")), TOKEN),
    "in-text": (put("description: BM25 with feedback.", f"description: BM25, fetched with {TOKEN}.", (V, "method.description", "secret")), TOKEN),
    "in-unknown": (put("ram: 128 GB", f"ram: 128 GB\n    login: {TOKEN}", ("login:", V, "platform.hardware.login", "secret")), TOKEN),
    "in-list": (put("- ndcg", f"- {TOKEN}", (V, "research goal.evaluation.reported measures[2]", "secret")), TOKEN),
    "in-library": (put("- PyYAML==6.0.2", f"- 'git+https://ada:{TOKEN}@example.org/x'", (V, "platform.software.libraries.python[2]", "secret")), TOKEN),
    "environment": (put("cmd: python search.py --tag pond-mix", "cmd: HF_TOKEN=s3cr3ts3cr3t python search.py", (V, "implementation.executable.cmd", "secret-of-run")), "s3cr3ts3cr3t"),
    "option-of-a-service": (put("cmd: python search.py --tag pond-mix", "cmd: python search.py --hf-token s3cr3ts3cr3t", (V, "implementation.executable.cmd", "secret-of-run")), "s3cr3ts3cr3t"),
    "key-of-that-name": (put("ram: 128 GB", "ram: 128 GB\n    login: {name: ada, password: s3cr3ts3cr3t}", ("login:", V, "platform.hardware.login", "secret")), "s3cr3ts3cr3t"),
}  # fmt: skip

PRIVATE = {
    "mail-in-command": put("cmd: python search.py --tag pond-mix", "cmd: python search.py --notify ada@example.org", (W, "implementation.executable.cmd", "mail-address-of-run")),
    "mail-in-description": put("description: BM25 with feedback.", "description: Ask ada@example.org.", (W, "method.description", "mail-address")),
    "path-in-command": put("cmd: python search.py --tag pond-mix", "cmd: python search.py --index /home/ada/index", (W, "implementation.executable.cmd", "local-path")),
    "path-of-windows": put("cmd: python search.py --tag pond-mix", "cmd: 'python C:\\Users\\ada\\search.py'", (W, "implementation.executable.cmd", "local-path")),
    "root": put("branch: main", "branch: main\n    root: /home/ada/runs", ("root:", I, "implementation.source.root", "local-root")),
    "parameter": put("fb docs: 10", "fb docs: /home/ada/docs.txt", (W, "method.retrieval[2].fb docs", "personal")),
    "qrels": put("qrels: https://example.org/pond/qrels.txt", "qrels: file:///home/ada/qrels.txt", (W, "data.test collection.qrels", "personal")),
}  # fmt: skip
