"""Canonical values: the one form in which values that mean the same enter a hash (D4).

What stands here is frozen. Names are made of it, so a change of one folding is another version
of the algorithm (`primad_ld.core.iris.VERSION`); docs/iris.md is its specification. Tables that may
grow, of concepts or of names in use, never enter a hash.

How a requirement is read, a library in its version, is not part of any hash.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from decimal import Context, Decimal, InvalidOperation
from functools import cache, lru_cache
from typing import Final, NamedTuple

from primad_ld.core.long_texts import LONGEST_VALUE, normalized

#: Spaces, tabs, line breaks and no-break spaces, one or more.
SPACES: Final = re.compile("[ \\t\\r\\n\u00a0]+")
_BETWEEN_WORDS: Final = re.compile(r"[\s_\-\u2010-\u2015]+")

#: A pattern, what stands instead of what it finds, and whether that is in lower or upper case.
_Folding = tuple[str, str] | tuple[str, str, str]

_LOWER: Final[_Folding] = ("^(.*)$", r"\1", "lower")
_ADDRESS: Final[list[_Folding]] = [
    # Scheme and host in lower case.
    (r"^([A-Za-z][A-Za-z0-9+.-]*://[^/?#@]*)(?=[/?#]|$)", r"\1", "lower"),
]
# What an IRI cannot hold stands there in percent codes, in upper case.
_ENCODED: Final[list[_Folding]] = [
    ("%(?![0-9A-Fa-f]{2})", "%25"),
    ("(%[0-9A-Fa-f]{2})", r"\1", "upper"),
    ("<", "%3C"),
    (">", "%3E"),
    ('"', "%22"),
    (r"\{", "%7B"),
    (r"\}", "%7D"),
    (r"\|", "%7C"),
    (r"\\", "%5C"),
    (r"\^", "%5E"),
    ("`", "%60"),
    (r"\[", "%5B"),
    (r"\]", "%5D"),
]
_WORDS: Final[list[_Folding]] = [
    _LOWER,
    ("['\u2019]", ""),
    ("[ _\u2010-\u2015-]+", "-"),
]
#: By kind of value, what is folded, in this order. Numbers and sizes come before.
FOLDINGS: Final[dict[str, list[_Folding]]] = {
    "iri": _ADDRESS,
    "repository": [
        (r"^(?:git\+)?(?:https?|ssh|git)://(?:git@)?(?:www\.)?([^/@:]+)/(.*)$", r"https://\1/\2"),
        (r"^git@([^/:@]+):(.+)$", r"https://\1/\2"),
        (
            r"(?i)^(?:www\.)?((?:github|gitlab)\.com|bitbucket\.org|codeberg\.org)/(.+)$",
            r"https://\1/\2",
        ),
        ("/+$", ""),
        (r"\.git$", ""),
        *_ADDRESS,
    ],
    "commit": [("^([0-9A-Fa-f]{7,64})$", r"\1", "lower")],
    "dataset": [
        # The place on a page of ir_datasets, else the page.
        (r"(?i)^(?:https?://)?(?:www\.)?ir-datasets\.com/([^#]+?)(?:\.html)?/?#(\1/.+)$", r"\2"),
        (r"(?i)^(?:https?://)?(?:www\.)?ir-datasets\.com/([^#]+?)(?:\.html)?/?(?:#.*)?$", r"\1"),
    ],
    "doi": [
        (
            r"(?i)^(?:(?:https?://)?(?:dx\.|www\.)?doi\.org/|doi: ?)?(10\.[0-9]{4,9}/[^ ]+)$",
            r"https://doi.org/\1",
            "lower",
        ),
        *_ADDRESS,
        *_ENCODED,
    ],
    "arxiv": [
        (
            r"(?i)^(?:(?:https?://)?(?:www\.)?arxiv\.org/(?:abs|pdf)/|arxiv: ?)?"
            r"([0-9]{4}\.[0-9]{4,5}(?:v[0-9]+)?|[a-z-]+(?:\.[a-z]{2})?/[0-9]{7}(?:v[0-9]+)?)"
            r"(?:\.pdf)?$",
            r"https://arxiv.org/abs/\1",
        ),
        *_ADDRESS,
    ],
    "orcid": [
        (
            r"(?i)^(?:(?:https?://)?(?:www\.)?orcid\.org/|orcid: ?)?"
            r"([0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9x])/?$",
            r"https://orcid.org/\1",
        ),
        (r"^(https://orcid\.org/[0-9-]{18})x$", r"\1X"),
    ],
    "requirement": [
        (" *(===|==|~=|!=|<=|>=|[<>=,]) *", r"\1"),
        ("===", "=="),
        (r"^([^=<>~!,;@()\[\]]*[^ =<>~!,;@()\[\]]) (v?[0-9][A-Za-z0-9_.+-]*)$", r"\1==\2"),
    ],
    "measure": [
        _LOWER,
        (" ?@ ?", "@"),
        ("^inferred (?:ap|average precision)$", "infap"),
        ("^(?:11|eleven)[ -]?(?:point|pt) (?:average|avg)(?: precision)?$", "11pt_avg"),
        ("^(?:mean )?average precision(?= at [0-9]|$)", "map"),
        ("^geometric mean (?:average precision|map)$|^geometric map$|^gmap$", "gm_map"),
        ("^geometric mean (?:binary preference|bpref)$", "gm_bpref"),
        ("^(?:mean )?reciprocal rank$|^m?rr$", "recip_rank"),
        ("^normali[sz]ed discounted cumulative gain(?= at [0-9]|$)", "ndcg"),
        ("^r-ndcg$", "rndcg"),
        ("^binary g$", "bing"),
        ("^r[ _-]?prec(?:ision)?$", "rprec"),
        ("^binary preference$", "bpref"),
        ("^interpolated precision(?: at recall)?$", "iprec_at_recall"),
        ("^(?:interpolated precision(?= at recall [0-9])|iprec(?=@|$))", "iprec_at_recall"),
        ("^set ?p$|^set precision$", "set_p"),
        ("^set ?relp$|^set relative precision$", "set_relative_p"),
        ("^set ?r$|^set recall$", "set_recall"),
        ("^set ?f$|^set f-measure$", "set_f"),
        ("^set ?ap$|^set average precision$", "set_map"),
        ("^num(q|ret|rel)$", r"num_\1"),
        ("^numrelret$", "num_rel_ret"),
        ("^relative precision(?= at [0-9]|$)", "relative_p"),
        ("^ap(?=@|$)", "map"),
        ("^prec(?:ision)?(?=[@._ ]|$)", "p"),
        ("^r(?=@)", "recall"),
        ("^s(?=@)", "success"),
        ("^(.*[a-z])(?:@| at (?:recall )?|[._])(?=[0-9])", r"\1_"),
        ("^p(?=[0-9]+$)", "p_"),
        ("^m?rr_(?=[0-9]+$)", "recip_rank_"),
        ("^map_(?=[0-9]+$)", "map_cut_"),
        ("^ndcg_(?=[0-9]+$)", "ndcg_cut_"),
        ("^(iprec_at_recall|rprec_mult)_([0-9]+)$", r"\1_\2.00"),
        (r"^((?:iprec_at_recall|rprec_mult)_[0-9]+\.[0-9])$", r"\g<1>0"),
    ],
    "test": [
        *_WORDS,
        ("^(.*)ttest$", r"\1t-test"),
        ("^students?-", ""),
        ("^paired-students?-", "paired-"),
        ("^(wilcoxon|anova|bootstrap|tukey)(?:-signed-rank)?(?:-test)?$", r"\1"),
        ("^signed-rank(?:-test)?$", "wilcoxon"),
        ("^(sign|permutation)-test$", r"\1"),
        ("^(?:fishers?-)?(?:randomi[sz]ation|permutation)(?:-test)?$", "permutation"),
        ("^analysis-of-variance$", "anova"),
        (
            "^(?:tukeys?-)?(?:hsd|honestly-significant-difference)(?:-test)?$|^tukeys?(?:-test)?$",
            "tukey-hsd",
        ),
    ],
    "correction": [
        *_WORDS,
        ("-(?:correct(?:ion|ed)|adjustment|procedure|method|fdr)$", ""),
        ("^(?:holms?|bonferroni-holm)$", "holm-bonferroni"),
        ("^bh$", "benjamini-hochberg"),
        ("^harmonic-mean-p(?:-value)?$", "hmp"),
        ("^(?:duncans-(?:new-)?)?multiple-range-test$|^duncan$", "mrt"),
        ("^(?:tukeys?-)?hsd$|^tukeys?$", "tukey-hsd"),
    ],
    "ties": [
        *_WORDS,
        ("^(?:reversed?|descending)-(.*)$", r"reverse-\1"),
        ("^ascending-", ""),
        ("^(reverse-)?(?:alphabetic|lexicographic)(?:al)?(?:-order)?$", r"\1alphabetical-order"),
    ],
    "degree": [
        _LOWER,
        (r"[ .]", ""),
        ("^(?:bs|bachelorofscience)$", "bsc"),
        ("^(?:ms|masterofscience)$", "msc"),
        ("^(?:dphil|doctorofphilosophy)$", "phd"),
    ],
    "role": [*_WORDS, ("^original-experimenter$", "experimenter"), ("^replicator$", "reproducer")],
}
#: Foldings that take the square of a text's length as they are written, in words that take no longer
#: than it and do the same to a composed text. What is written above is frozen.
_LINEAR: Final = {
    "/+$": "(?<!/)/+$",
    " *(===|==|~=|!=|<=|>=|[<>=,]) *": " ?(===|==|~=|!=|<=|>=|[<>=,]) ?",
}
#: By kind, the forms that its foldings lead to. Any other text is taken as it is written: what a name
#: means that nobody knows today must not depend on what is learned of it tomorrow.
KNOWN: Final = {
    "measure": (
        "(?:map|map_cut|gm_map|infap|p|relative_p|rprec|rprec_mult|recall|success|recip_rank|ndcg"
        "|ndcg_cut|ndcg_rel|rndcg|g|bing|bpref|gm_bpref|iprec_at_recall|11pt_avg|utility|set_p"
        "|set_relative_p|set_recall|set_f|set_map|num_q|num_ret|num_rel|num_rel_ret"
        "|num_nonrel_judged_ret|runid|relstring)(?:_[0-9.]+)?"
    ),
    "test": "t-test|paired-t-test|wilcoxon|sign|permutation|bootstrap|anova|tukey-hsd",
    "correction": "bonferroni|holm-bonferroni|benjamini-hochberg|hmp|mrt|tukey-hsd",
    "ties": "(?:reverse-)?alphabetical-order|external-collection",
    "degree": "bsc|msc|phd",
    "role": "experimenter|reproducer",
}
#: How many bytes a unit has, whatever the case of its letters.
SIZES: Final = {
    "b": 1,
    **{f"{letter}b": 1000**power for power, letter in enumerate("kmgt", 1)},
    **{f"{letter}ib": 1024**power for power, letter in enumerate("kmgt", 1)},
}
#: Stores agree on numbers of up to so many digits.
_MOST_DIGITS: Final = 18


def composed(text: str) -> str:
    """A text in composed characters (NFC), with runs of spaces and line breaks as one space."""
    if text.isascii() and " ".join(text.split()) == text:
        return text
    return SPACES.sub(" ", normalized("NFC", text)).strip(" ")


def folded(kind: str, text: str) -> str:
    """The canonical form of a text of some kind; it need not be a valid value of that kind."""
    said = text = composed(text)
    for pattern, replacement, case in _compiled(kind):
        if case:
            text = pattern.sub(lambda it: getattr(it.expand(replacement), case)(), text)  # noqa: B023 - called at once
        else:
            text = pattern.sub(replacement, text)
    return text if kind not in KNOWN or re.fullmatch(KNOWN[kind], text) else said


@cache
def _compiled(kind: str) -> list[tuple[re.Pattern[str], str, str]]:
    return [
        (re.compile(_LINEAR.get(pattern, pattern)), replacement, *(case or [""]))  # type: ignore[misc]
        for pattern, replacement, *case in FOLDINGS[kind]
    ]


def fold_team(name: str) -> str:
    """The name of a team without case, and with spaces, hyphens and underscores as one space."""
    # Twice: what casefold makes of some Greek letters is not composed.
    name = normalized("NFKC", normalized("NFKC", name).casefold())
    return _BETWEEN_WORDS.sub(" ", name).strip()


# Numbers ----------------------------------------------------------------------------------

_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_SIZE: Final = re.compile(rf"({_NUMBER.pattern}) ?([A-Za-z]{{1,3}})")
_LEADING_ZERO: Final = re.compile(r"[+-]?0[0-9]")
# Nobody writes a longer number, and arithmetic with one takes long.
_LONGEST: Final = 60
_EXACT: Final = Context(prec=200)
#: Last words of keys under which names stand that look like numbers.
NAMES: Final = frozenset(
    ("version", "release", "revision", "commit", "build", "hash", "digest", "id", "tag")
)


def decimal_form(number: Decimal) -> str | None:
    """The shortest decimal form; None if it has too many digits."""
    if number.is_zero():
        return "0"
    if not number.is_finite() or abs(number.adjusted()) > _MOST_DIGITS:
        return None
    form = format(number, "f")
    if "." in form:
        form = form.rstrip("0").rstrip(".")
    return form if len(form.strip("-").replace(".", "")) <= _MOST_DIGITS else None


def integer(text: str) -> str | None:
    """The canonical form of a whole number; None if a text is not one."""
    if not _INTEGER.fullmatch(text) or len(text) > _MOST_DIGITS:
        return None
    return str(int(text))


def decimal(text: str) -> str | None:
    """The canonical form of a number; None if a text is not one."""
    return _times(text, 1) if len(text) <= _LONGEST and _NUMBER.fullmatch(text) else None


def size(text: str) -> str | None:
    """The bytes of a size such as ``48 GB``; None if a text is not one."""
    match = _SIZE.fullmatch(text) if len(text) <= _LONGEST else None
    unit = SIZES.get(match[2].lower()) if match else None
    return _times(match[1], unit, whole=True) if match and unit else None


def _times(number: str, factor: int, *, whole: bool = False) -> str | None:
    try:
        product = _EXACT.multiply(Decimal(number), Decimal(factor))
        return decimal_form(product.to_integral_value() if whole else product)
    except InvalidOperation:
        return None


def parameter(key: str, text: str) -> str | None:
    """The number or truth value of an open parameter, as JSON; None where it is a text.

    A leading zero is not a number's, and a version or a commit is not a number at all.
    """
    if text.lower() in ("true", "false"):
        return text.lower()
    if _LEADING_ZERO.match(text) or _BETWEEN_WORDS.split(key.lower())[-1] in NAMES:
        return None
    return integer(text) or decimal(text)


# The hash ---------------------------------------------------------------------------------

text_form: Final = json.encoder.encode_basestring
"""A text as JSON; only quotes, backslashes and control characters are escaped."""


json_form: Final = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":")
).encode
"""A value that no field describes, as JSON: texts letter by letter, keys in order."""


def pair(key: str, form: str) -> str:
    """A key with one of its values."""
    return f"[{_key_form(key)},{form}]"


_key_form: Final = lru_cache(maxsize=4096)(text_form)


def mapping_form(pairs: Iterable[str]) -> str:
    """What a mapping says: its pairs, each once, in order."""
    return f"[{','.join(sorted(set(pairs)))}]"


# Requirements -----------------------------------------------------------------------------


class Requirement(NamedTuple):
    """A library or toolkit, in one exact version or in those that a specifier allows."""

    name: str
    #: The one version that it was; empty where a specifier allows several.
    version: str = ""
    #: Anything but one exact version: ``>=1.2``, ``>=1.2,<2``, ``==1.2.*``.
    specifier: str = ""

    def __str__(self) -> str:
        return f"{self.name}=={self.version}" if self.version else self.name + self.specifier


_RELATION = re.compile(r"===|==|>=|<=|~=|!=|[<>=]")
_EQUALITY = ("==", "===")
# What conda, Maven and people write after a relation, beside the versions of Python packages.
_ANY_VERSION = re.compile(r"[^\W_][\w.+\-!]*")
_VERSION = re.compile(r"v?[0-9][\w.+\-]*")
# Only Python's requirements have extras, markers, addresses and several versions.
_OF_PYTHON = re.compile(r"[\[\](){}@;,*]")
_SPECIFIER = re.compile(r"[=<>~!][^;)]*")


def read_requirement(text: str) -> Requirement:
    """``name==1.2``, ``name>=1.2,<2``, ``name[extra]==1.2``, ``name 1.2`` or a bare name."""
    if len(text) > LONGEST_VALUE:
        return Requirement(text.strip() or text)
    if _OF_PYTHON.search(text):
        return _read_python(text) or Requirement(text.strip() or text)
    relation = _RELATION.search(text)
    if relation:
        name, version = text[: relation.start()].strip(), text[relation.end() :].strip()
        if name and _ANY_VERSION.fullmatch(version):
            is_exact = relation[0] in _EQUALITY
            return (
                Requirement(name, version)
                if is_exact
                else Requirement(name, specifier=relation[0] + version)
            )
    name, _, version = text.strip().rpartition(" ")
    if name and _VERSION.fullmatch(version):
        return Requirement(name.strip(), version)
    return Requirement(text.strip() or text)


def _read_python(text: str) -> Requirement | None:
    """The name and the versions of a requirement as pip reads it; None if it is not one."""
    from packaging import requirements

    try:
        read = requirements.Requirement(text)
    except requirements.InvalidRequirement:
        return None
    if not read.specifier:
        return Requirement(read.name)
    versions = {(one.operator, one.version) for one in read.specifier}
    relation, version = versions.pop()
    if not versions and relation in _EQUALITY and not version.endswith(".*"):
        return Requirement(read.name, version)
    written = _SPECIFIER.search(text)  # in the order of the text: packaging has a set of them
    assert written is not None
    clauses = ["".join(clause.split()) for clause in written[0].split(",")]
    return Requirement(read.name, specifier=",".join(filter(None, clauses)))
