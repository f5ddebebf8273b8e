"""What columns of tables are called, and what their names say, however people spell them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

#: Usual names of columns of measurements; of several, the first one counts.
OF_MEASUREMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "object": ("object", "system", "model", "systems"),
    "measurand": (
        *("measurand", "criterion", "quality criterion", "qualitycriterion", "criteria"),
        *("measure", "metric", "kriterium", "qualitätskriterium", "metrik"),
    ),
    "value": (
        *("value", "measured value", "result", "score", "mean score", "rating", "mean rating"),
        *("wert", "messwert", "ergebnis"),
    ),
    "study": ("study", "experiment", "paper", "studie"),
    "group": ("group", "key", "gruppe"),
    "id": ("id",),
}
#: Usual names of columns of ratings.
OF_RATINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "item": ("item", "item id", "output", "text", "unit"),
    "rater": ("rater", "annotator", "evaluator", "judge", "coder", "participant", "assessor"),
    "label": ("label", "rating", "answer", "response", "category", "score", "value"),
    "criterion": ("criterion", "quality criterion", "measurand", "question"),
    "study": ("study", "experiment", "paper"),
    "group": ("group", "key"),
    "object": ("object", "system", "model"),
}

_BRACKETS: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
#: Brackets in brackets of a name; no name has more.
_MOST_NESTED: Final = 20
# They come from web pages and from files put together, and nobody sees them.
_INVISIBLE: Final = dict.fromkeys((0x200B, 0x2060, 0xFEFF))
_MARKS: Final = re.compile(r"[\W_]+")

# Columns about the others, or about their rows.
_STATISTIC: Final = re.compile(
    r"mean( of .+)?|average|avg|median|mode|mittelwert|durchschnitt"
    r"|sd|std|(st|std) ?dev|stdev|std deviation|standard deviation|standardabweichung|se|sem|standard error"
    r"|var|variance|varianz|cv|p( ?values?)?|sig|significance|ci|\d\d ci|ci \d\d"
    r"|n|no|nr|num|number|count|rank|rang|id|ids|index|year|jahr|date|datum"
    r"|delta|δ|diff|difference|differenz|change|min|minimum|max|maximum|range|total|sum|summe"
    r"|(number of |num |no of )?(params?|parameters?)|size|(random )?seeds?|(run ?)?time|epochs?"
    r"|(krippendorff|cohen|fleiss|pearson|spearman|kendall)( s)? (alpha|kappa|r|rho|tau|w|[ακρτ])"
    r"|((pearson|spearman|kendall)( s)? )?correlation|kappa|icc|iaa|agreement"
    r"|notes?|comments?|remarks?|notiz|kommentar|bemerkung|source|url|unnamed \d+"
)
_STUDY: Final = re.compile(
    r"(?:(?:our|this|first|second|third) )?"
    r"(?:o|r|s|e|orig|originals?|repro[^\W\d]*|repl[^\W\d]*|repeat[^\W\d]*|rep|rerun|run|ours?"
    r"|study|studies|studie|experiment|exp|paper|lab|team|group|site)"
    r"(?: (?:study|run|experiment|paper|lab|team|group|site))?(?: ?\d+| [a-z])?"
    # Whose it is, and when it was published: Huber et al. 2020.
    r"|(?:[^\W\d]+ ){1,8}(?:et al(?: (?:19|20)\d\d[a-z]?)?|(?:19|20)\d\d[a-z]?)|(?:19|20)\d\d"
)
_SUMMARIES: Final = frozenset(
    (
        *("average", "avg", "mean", "median", "total", "sum", "sd", "std", "stdev", "std dev"),
        *("standard deviation", "mittelwert", "durchschnitt", "summe", "gesamt"),
    )
)
# What they say differs between values that belong together.
_REMARKS: Final = frozenset(
    (
        *("note", "notes", "comment", "comments", "remark", "remarks", "notiz", "kommentar"),
        *("bemerkung", "url", "link", "doi", "date", "datum", "time", "timestamp", "file"),
    )
)
# Values of such units are no repetitions of each other, also where numbers tell them apart.
_UNITS: Final = frozenset(
    (
        *("item", "topic", "query", "question", "document", "doc", "output", "sample", "instance"),
        *("example", "text", "sentence", "segment", "rater", "annotator", "evaluator", "judge"),
        *("participant", "assessor", "language", "lang", "dataset", "domain"),
    )
)
# Whole numbers in such columns number repetitions; in others they may stand for anything.
_NUMBERINGS: Final = frozenset(
    ("seed", "run", "trial", "repetition", "repeat", "replicate", "attempt", "try", "lauf")
)
_NUMBERS: Final = frozenset(("no", "nr", "num", "number", "id", "index", "of", "random"))
# These may be studies as well: "Repeat" is one, "Run" is not.
_MAY_BE_STUDIES: Final = frozenset(("repeat", "repeats", "replicate"))


def tidy(text: str) -> str:
    """A name without blanks around it, and with one between its words, whatever blank it was."""
    return " ".join((text if text.isascii() else text.translate(_INVISIBLE)).split())


def plain(head: str) -> str:
    """The words of a name, without its case, its marks and what stands in brackets."""
    # The sign of an increment is no letter, and the letter is one.
    head = bare = head.replace("∆", "δ")
    for _ in range(_MOST_NESTED):
        if (less := _BRACKETS.sub(" ", bare)) == bare:
            break
        bare = less
    # A name that is in brackets altogether is a name.
    return _MARKS.sub(" ", bare if bare.strip() else head).strip().casefold()


def is_statistic(head: str) -> bool:
    """Whether a column is about the others or about their rows, such as ``Mean (SD)`` or ``#``."""
    return head.strip() == "#" or bool(_STATISTIC.fullmatch(plain(head)))


def is_beside(head: str) -> bool:
    """Whether a column is about the others or numbers the rows, such as ``SD`` or ``Run``."""
    return is_statistic(head) or (is_numbering(head) and plain(head) not in _MAY_BE_STUDIES)


def is_study(head: str) -> bool:
    """Whether all of a name is one of studies, such as ``Original`` or ``Huber et al. 2020``."""
    return bool(_STUDY.fullmatch(_MARKS.sub(" ", head).strip().casefold()))


def is_summary(name: str) -> bool:
    """Whether a row is about other rows, such as ``Average``."""
    return plain(name) in _SUMMARIES


def is_unit(head: str) -> bool:
    """Whether a column names what single values are of, such as ``Item`` or ``Rater``."""
    return plain(head) in _UNITS


def is_about_units(head: str) -> bool:
    """Whether a column names what single values are of, or counts them, such as ``Raters``."""
    return plain(head).removesuffix("s") in _UNITS or is_unit(head)


def is_remark(head: str) -> bool:
    """Whether a column holds remarks, which may differ between values that belong together."""
    return plain(head) in _REMARKS


def is_numbering(head: str) -> bool:
    """Whether a column numbers repetitions, such as ``Seed`` or ``Run no.``."""
    words = {word.removesuffix("s") for word in plain(head).split()}
    return not words.isdisjoint(_NUMBERINGS) and words <= _NUMBERINGS | _NUMBERS


def has_numbering(head: str) -> bool:
    """Whether a word of a name is one of numbers of repetitions, as in ``Seed of training``."""
    return not _NUMBERINGS.isdisjoint(plain(head).split())
