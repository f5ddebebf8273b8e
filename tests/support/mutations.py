"""Ways to break the good header, each with all that is to be found then."""

from __future__ import annotations

from typing import NamedTuple

from support.judged import GOOD, changed, without

V, W, I = "error", "warning", "hint"  # noqa: E741


class Case(NamedTuple):
    """A change of the good header and what is found: marks of the line, severity, field, code."""

    changes: tuple[tuple[str, str], ...]
    found: tuple[tuple[str | tuple[str, ...], str, str, str], ...]
    #: Parts of the message of the first finding.
    says: tuple[str, ...] = ()
    #: Blocks that are taken out first, by their first lines.
    drops: tuple[str, ...] = ()

    def text(self) -> str:
        """The broken header."""
        text = GOOD
        for block in self.drops:
            text = without(text, block)
        return changed(*self.changes, text=text)


def put(old: str, new: str, *found: tuple[object, ...], says: str = "") -> Case:
    """A case with one change, whose findings stand in the changed line unless they say where."""
    mark = new.splitlines()[0] if new else old
    return Case(((old, new),), _marked(found, mark), (says,) if says else ())


def drop(block: str, *found: tuple[object, ...], at: str = "") -> Case:
    """A case that takes out a block."""
    return Case((), _marked(found, at), (), (block,))


def _marked(
    found: tuple[tuple[object, ...], ...], mark: str
) -> tuple[tuple[str, str, str, str], ...]:
    return tuple(one if len(one) == 4 else (mark, *one) for one in found)  # type: ignore[misc]


PLACEHOLDER = "placeholder-value"
OF_RUN = "placeholder-value-of-run"

PLACEHOLDERS = {
    "tag": put("tag: pond-mix\nplatform", "tag: ENTER_VALUE_HERE\nplatform", (V, "tag", OF_RUN)),
    "team-todo": put("team: frogs", "team: TODO", (V, "actor[1].team", PLACEHOLDER)),
    "team-angle": put("team: newts", "team: <your team>", (V, "actor[2].team", PLACEHOLDER)),
    "name-marks": put("name: Pond\n", "name: ???\n", (V, "data.test collection.name", PLACEHOLDER)),
    "kernel-tbd": put("kernel: 6.1.0-25-amd64", "kernel: tbd", (V, "platform.operating system.kernel", PLACEHOLDER)),
    "orcid-x": put("orcid: 0000-0002-0661-7189", "orcid: XXXX", (V, "actor[1].orcid", PLACEHOLDER)),
    "stemmer-empty": put("stemmer: Porter", "stemmer: ''", (V, "method.indexing.stemmer", PLACEHOLDER)),
    "cmd": put("cmd: python search.py --tag pond-mix", "cmd: TODO", (V, "implementation.executable.cmd", OF_RUN)),
    "measure": put("- ndcg", "- ENTER_VALUE_HERE", (V, "research goal.evaluation.reported measures[2]", PLACEHOLDER)),
    "library": put("- PyYAML==6.0.2", "- TODO", (V, "platform.software.libraries.python[2]", PLACEHOLDER)),
    "baseline": put("- pond-bm25", "- your run here", (V, "research goal.evaluation.baseline[1]", OF_RUN)),
    "role": put("team: newts\n  role: experimenter", "team: newts\n  role: todo", ("role: todo", V, "actor[2].role", OF_RUN)),
    "training": put("name: Alder", "name: ENTER_NAME_HERE", (V, "data.training data[3].name", PLACEHOLDER)),
    "parameter": put("fb docs: 10", "fb docs: ${docs}", (V, "method.retrieval[2].fb docs", PLACEHOLDER)),
    "stage-name": put("- name: all", "- name: TODO", (V, "method.retrieval[4].name", PLACEHOLDER)),
    "automatic": put("automatic: true", "automatic: TODO", (V, "method.automatic", PLACEHOLDER)),
    "ram": put("ram: 128 GB", "ram: '...'", (V, "platform.hardware.ram", PLACEHOLDER)),
    "prompt": put("prompt: Answer from the passages.", "prompt: '{{ prompt }}'", (V, "method.generation.prompt", PLACEHOLDER)),
    "wallclock": put("wallclock: 80 ms", "wallclock: TODO", (V, "resources.runtime.wallclock", OF_RUN)),
    "doi": put("doi: https://doi.org/10.1007/978-3-030-15712-8_26", "doi: https://doi.org/ENTER_VALUE_HERE", (V, "research goal.publication.doi", PLACEHOLDER)),
    "block": put("description: Does feedback help frogs?", "description: |\n    ENTER_VALUE_HERE\n    and more", ("description: |", V, "research goal.description", PLACEHOLDER)),
    "other": put("name: Stop words", "name: Lorem ipsum dolor", (V, "data.other[1].name", PLACEHOLDER)),
    "version": put("schema-version: 0.1", "schema-version: TODO", (V, "schema-version", OF_RUN)),
    "unknown-key": put("ram: 128 GB", "ram: 128 GB\n    colour: ENTER_VALUE_HERE", ("colour:", V, "platform.hardware.colour", PLACEHOLDER)),
}  # fmt: skip

NOTHING_SAID = {
    "tag-none": put("tag: pond-mix\nplatform", "tag: none\nplatform", (V, "tag", "tag-is-none")),
    "baseline-na": put("- pond-bm25", "- N/A", (V, "research goal.evaluation.baseline[1]", "baseline-is-none")),
    "baseline-none": put("baseline:\n    - pond-bm25", "baseline: none", ("baseline: none", V, "research goal.evaluation.baseline", "baseline-is-none")),
    "cmd-dash": put("cmd: python search.py --tag pond-mix", "cmd: '-'", (V, "implementation.executable.cmd", "command-is-none")),
    "team-none": put("team: frogs", "team: none", (V, "actor[1].team", "name-is-none")),
    "cpu-unknown": put("model: AMD EPYC 7502P", "model: unknown", (V, "platform.hardware.cpu.model", "name-is-none")),
    "commit-none": put("commit: 9548cd6e", "commit: none", (V, "implementation.source.commit", "name-is-none")),
    "qrels-none": put("qrels: https://example.org/pond/qrels.txt", "qrels: n/a", (V, "data.test collection.qrels", "name-is-none")),
    "orcid-none": put("orcid: 0000-0002-1825-0097", "orcid: none", (V, "actor[2].orcid", "name-is-none")),
    "year-unknown": put("year: 2024", "year: unknown", (V, "research goal.venue.year", "name-is-none")),
}  # fmt: skip

FORMS = {
    "orcid-check-digit": put("orcid: 0000-0002-0661-7189", "orcid: 0000-0002-0661-7188", (V, "actor[1].orcid", "orcid")),
    "orcid-second": put("orcid: 0000-0002-1825-0097", "orcid: 0000-0002-1825", (V, "actor[2].orcid", "orcid"), says='"0000-0002-1825" is not an ORCID'),
    "commit-branch": put("commit: 9548cd6e", "commit: develop", (W, "implementation.source.commit", "commit-is-one")),
    "commit-head": put("commit: 9548cd6e", "commit: HEAD", (W, "implementation.source.commit", "commit-is-one")),
    "commit-latest": put("commit: 9548cd6e", "commit: latest", (W, "implementation.source.commit", "commit-is-one")),
    "commit-list": put("commit: 9548cd6e", "commit: [9548cd6e, 9548cd6f]", (V, "implementation.source.commit", "commit")),
    "repository-bare": put("repository: https://example.org/pond/runs", "repository: example.org/pond/runs", (W, "implementation.source.repository", "repository"), says='did you mean "https://example.org/pond/runs"?'),
    "repository-ssh": put("repository: https://example.org/pond/runs", "repository: git@example.org:pond/runs.git"),
    "repository-local": put("repository: https://example.org/pond/runs", "repository: /home/ada/runs", (W, "implementation.source.repository", "personal")),
    "dblp-other": put("dblp: https://dblp.org/rec/conf/ecir/PondF24", "dblp: https://example.org/PondF24", (W, "research goal.publication.dblp", "dblp-is-one")),
    "dblp-key": put("dblp: https://dblp.org/rec/conf/ecir/PondF24", "dblp: conf/ecir/PondF24", (W, "research goal.publication.dblp", "dblp")),
    "doi-text": put("doi: https://doi.org/10.1007/978-3-030-15712-8_26", "doi: in press", (V, "research goal.publication.doi", "doi")),
    "doi-elsewhere": put("doi: https://doi.org/10.1007/978-3-030-15712-8_26", "doi: https://example.org/10.1007", (V, "research goal.publication.doi", "doi-is-one")),
    "arxiv-text": put("arxiv: https://arxiv.org/abs/2010.13447", "arxiv: soon", (W, "research goal.publication.arxiv", "arxiv")),
    "year-two-digits": put("year: 2024", "year: '24'", (W, "research goal.venue.year", "venue-year")),
    "year-unlikely": put("year: 2024", "year: 1204", (W, "research goal.venue.year", "year-is-plausible")),
    "year-range": put("year: 2024", "year: 2023/2024", (W, "research goal.venue.year", "venue-year")),
    "mail": put("mail: ada@example.org", "mail: ada", (W, "actor[1].mail", "mail-is-one")),
    "schema-version": put("schema-version: 0.1", "schema-version: 7", (W, "schema-version", "schema-version-is-known")),
    "measure": put("- map\n", "- mapp\n", (W, "research goal.evaluation.reported measures[1]", "reported-measures"), says='did you mean "map"?'),
    "role": put("team: frogs\n  fields:\n  - ir\n  mail: ada@example.org\n  role: experimenter", "team: frogs\n  fields:\n  - ir\n  mail: ada@example.org\n  role: experimentor", ("role: experimentor", V, "actor[1].role", "role"), says='did you mean "experimenter"?'),
    "degree": put("degree: Ph.D.", "degree: Dipl.-Inf.", (I, "actor[1].degree", "degree")),
    "test": put("name: t-test", "name: tea-test", (W, "research goal.evaluation.significance test[1].name", "test-name"), says='did you mean "t-test"?'),
    "correction": put("correction method: bonferroni", "correction method: bonferoni", (W, "research goal.evaluation.significance test[1].correction method", "test-correction"), says='did you mean "bonferroni"?'),
    "ties": put("score ties: alphabetical order", "score ties: by chance", (W, "method.score ties", "score-ties")),
    "url": put("url: https://example.org/pond.pdf", "url: pond.pdf", (W, "research goal.publication.url", "publication-url")),
    "github": put("github: https://github.com/ada-pond", "github: ada-pond", (I, "actor[1].github", "github")),
    "qrels-file": put("qrels: https://example.org/pond/qrels.txt", "qrels: qrels.txt", (W, "data.test collection.qrels", "collection-qrels")),
    "topics-file": put("topics: https://example.org/pond/topics.txt", "topics: topics.txt", (W, "data.test collection.topics", "collection-topics")),
    "source-text": put("source: https://example.org/pond\n", "source: from Ada\n", (W, "data.test collection.source", "collection-source")),
    "training-qrels": put("qrels: https://example.org/brook/qrels.txt", "qrels: brook.txt", (W, "data.training data[2].qrels", "training-qrels")),
    "other-source": put("source: https://example.org/stop", "source: stop.txt", (W, "data.other[1].source", "other-source")),
    "digest": put("run-version: 1.0", "run-version: 1.0\nranking digest: abc", ("ranking digest:", W, "ranking digest", "digest-is-one")),
}  # fmt: skip

NUMBERS = {
    "cores-many": put("number of cores: 32", "number of cores: many", (V, "platform.hardware.cpu.number of cores", "cpu-cores"), says='"many" is not a whole number'),
    "cores-negative": put("number of cores: 32", "number of cores: -1", (V, "platform.hardware.cpu.number of cores", "cpu-cores")),
    "cores-zero": put("number of cores: 32", "number of cores: 0", (V, "platform.hardware.cpu.number of cores", "cpu-cores")),
    "cores-half": put("number of cores: 32", "number of cores: 1.5", (V, "platform.hardware.cpu.number of cores", "cpu-cores")),
    "gpu-cores": put("number of cores: 10752", "number of cores: lots", (V, "platform.hardware.gpu.number of cores", "gpu-cores")),
    "threads": put("threads per core: 2", "threads per core: two", (V, "platform.hardware.cpu.threads per core", "threads-per-core")),
    "ram-bare": put("ram: 128 GB", "ram: 128", (V, "platform.hardware.ram", "ram"), says="write a number and a unit"),
    "cache": put("l2: 512 KiB", "l2: small", (V, "platform.hardware.cpu.caches.l2", "cache-l2")),
    "gpu-memory": put("memory: 48 GB", "memory: 48", (V, "platform.hardware.gpu.memory", "gpu-memory")),
    "frequency": put("frequency max: 3350 MHz", "frequency max: fast", (I, "platform.hardware.cpu.frequency max", "cpu-frequency-max")),
    "frequency-in-khz": put("frequency max: 3350 MHz", "frequency max: 3350000 MHz", (W, "platform.hardware.cpu.frequency max", "frequency-range"), says='"3350000 MHz" is faster than any processor'),
    "frequency-in-other-words": put("frequency max: 3350 MHz", "frequency max: 25 GHz", (W, "platform.hardware.cpu.frequency max", "frequency-range")),
    "frequency-of-series": put("frequency max: 3350 MHz", "frequency max: 3350 MHz\n      frequency:\n        max: 3350000", ("max: 3350000", W, "platform.hardware.cpu.frequency.max", "frequency-range")),
    "automatic": put("automatic: true", "automatic: maybe", (V, "method.automatic", "automatic"), says='"maybe" must be true or false'),
    "lexical": put("lexical: yes", "lexical: sometimes", (V, "method.retrieval[1].lexical", "lexical")),
    "is-repo": put("is repo: true", "is repo: git", (V, "implementation.source.is repo", "is-repo")),
    "interactive": put("interactive: false", "interactive: a bit", (V, "implementation.python.interactive", "interactive")),
    "uncommitted": put("uncommitted changes: 0", "uncommitted changes: -1", (W, "implementation.source.uncommitted changes", "uncommitted")),
    "start-time": put("start time: 2026-11-18T07:08:24.27+0100", "start time: yesterday", (I, "resources.runtime.start time", "start-time")),
    "start-no-day": put("start time: 2026-11-18T07:08:24.27+0100", "start time: 2026-02-30T07:08:24Z", (I, "resources.runtime.start time", "start-time")),
    "wallclock": put("wallclock: 80 ms", "wallclock: long", (I, "resources.runtime.wallclock", "wallclock")),
    "energy": put("energy used system: 12.5 J", "energy used system: 12.5", (I, "resources.cpu.energy used system", "cpu-energy")),
    "average": put("avg: 50", "avg: half", (I, "resources.cpu.used process.avg", "series-avg")),
    "weight-text": put("weight: 0.6", "weight: heavy", (V, "method.retrieval[3].weight", "weight")),
    "weight-above": put("weight: 0.6", "weight: 1.5", (W, "method.retrieval[3].weight", "weight-range")),
    "scheme": put("repository: https://example.org/pond/runs", "repository: htp:/example.org/pond/runs", (W, "implementation.source.repository", "unknown-scheme"), says='cannot be opened: its scheme is unknown or incomplete; did you mean "http://example.org/pond/runs"?'),
    "scheme-one-slash": put("url: https://example.org/pond.pdf", "url: https:/example.org/pond.pdf", (W, "research goal.publication.url", "unknown-scheme"), says='did you mean "https://example.org/pond.pdf"?'),
    "scheme-of-nobody": put("topics: https://example.org/pond/topics.txt", "topics: pond:topics", (W, "data.test collection.topics", "unknown-scheme")),
    "two-schemes": put("repository: https://example.org/pond/runs", "repository: https://https://example.org/pond/runs", (W, "implementation.source.repository", "two-schemes"), says='begins with two schemes; did you mean "https://example.org/pond/runs"?'),
    "local-host": put("repository: https://example.org/pond/runs", "repository: https://localhost/pond/runs", (W, "implementation.source.repository", "local-host"), says="cannot be opened by others: its host is a single machine"),
    "measures-in-one-text": put("reported measures:\n    - map\n    - ndcg\n    - P_10", "reported measures: AP, nDCG@10", (W, "research goal.evaluation.reported measures", "reported-measures"), says='"AP, nDCG@10" is not the name of a measure of trec_eval; write a list: [AP, nDCG@10]'),
    "weight-below": put("weight: 0.6", "weight: -0.5", (W, "method.retrieval[3].weight", "weight-range")),
}  # fmt: skip
