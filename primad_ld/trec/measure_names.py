"""Measures of effectiveness by name: trec_eval's where it has the measure, else ir_measures'.

``AP``, ``P@10`` and ``nDCG@10`` are read as ``map``, ``P_10`` and ``ndcg_cut_10``; ``RR@10`` and
``AP(rel=2)`` stay (`measure_providers`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from primad_ld.core.errors import MeasureError
from primad_ld.core.library_arguments import Texts, to_parts
from primad_ld.schema.canonical import folded

#: trec_eval's measures without those that are no numbers.
FAMILIES: Final = (
    "map gm_map Rprec bpref recip_rank iprec_at_recall P relative_P recall infAP gm_bpref "
    "Rprec_mult utility 11pt_avg binG G ndcg ndcg_rel Rndcg ndcg_cut map_cut success set_P "
    "set_relative_P set_recall set_map set_F num_q num_ret num_rel num_rel_ret "
    "num_nonrel_judged_ret"
).split()
#: What people look at first, where only a few are shown.
COMMON: Final = ("map", "ndcg", "P_10", "ndcg_cut_10", "recip_rank")
#: Measures behind whose names a cutoff, a level of recall or a factor stands.
_WITH_CUTOFF: Final = frozenset(
    "P relative_P recall ndcg_cut map_cut success iprec_at_recall Rprec_mult".split()
)
_DEPTHS: Final = "5 10 15 20 30 100 200 500 1000"
#: trec_eval's own cutoffs of each family.
_USUAL: Final = {
    "success": "1 5 10",
    "iprec_at_recall": "0.00 0.10 0.20 0.30 0.40 0.50 0.60 0.70 0.80 0.90 1.00",
    "Rprec_mult": "0.20 0.40 0.60 0.80 1.00 1.20 1.40 1.60 1.80 2.00",
}
#: Families whose cutoffs are no whole numbers, and the largest that trec_eval has a name for.
_DECIMALS: Final = {"iprec_at_recall": 1.0, "Rprec_mult": 1000.0}
_DEEPEST: Final = 1_000_000
_NAME: Final = re.compile(r"(?P<family>\w+?)[_.](?P<cutoff>\d+(?:\.\d+)?)", re.ASCII)
#: How trec_eval writes the families, by their names in lower case.
_WRITTEN: Final = {family.lower(): family for family in FAMILIES}
#: Families whose cutoffs are numbers of documents.
_AT_RANK: Final = frozenset("P relative_P recall ndcg_cut map_cut success".split())
_RR_AT: Final = re.compile(r"recip_rank_([0-9]+)")
_FORM: Final = re.compile(r"[^\W\d]\w*(\(.*\))?(@[0-9.]+)?")
# Counts, under their names in trec_eval and in ir_measures.
_COUNTS: Final = ("num_", "Num")
# Of the others, those that are logarithms whose mean is taken are not what runs are compared by.
_NOT_COMPARED: Final = (*_COUNTS, "gm_")


def is_compared(name: str) -> bool:
    """Whether scores of two runs under a measure are compared unless somebody asks for others."""
    return not name.startswith(_NOT_COMPARED)


def is_count(name: str) -> bool:
    """Whether a measure counts, so that its sum over topics means something."""
    return name.startswith(_COUNTS)


def is_of_trec_eval(name: str) -> bool:
    """Whether a measure under its canonical name is one of trec_eval."""
    return name in FAMILIES or bool(family_of(name))


def cutoff_of(name: str) -> int | None:
    """How many documents a measure looks at, if it is one at a cutoff."""
    match = _NAME.fullmatch(name)
    if match is not None and match["family"] in _AT_RANK:
        return int(match["cutoff"])
    family, at, cutoff = name.rpartition("@")
    return int(cutoff) if at and cutoff.isdecimal() and not family.startswith("IPrec") else None


def has_scale(name: str) -> bool:
    """Whether scores lie between 0 and 1, so that a difference can be called small."""
    return is_compared(name) and name != "utility"


def is_family(name: str) -> bool:
    """Whether a name stands for a measure at several cutoffs."""
    return name in _WITH_CUTOFF


def family_of(name: str) -> str:
    """The measure of which one with a cutoff is, by their names in trec_eval; "" without one."""
    match = _NAME.fullmatch(name)
    return match["family"] if match is not None and is_family(match["family"]) else ""


def canonical(text: str) -> str:
    """A measure by its one name; `MeasureError` if nothing computes it."""
    name = text.strip()
    if found := in_trec_eval(name):
        return found
    if match := _RR_AT.fullmatch(folded("measure", name)):
        name = f"RR@{match[1]}"
    # R is recall at several cutoffs, as P is precision.
    if name.isalpha() and (family := family_of(in_trec_eval(f"{name}@10"))):
        return family
    from primad_ld.trec.measure_providers import provided_name

    return provided_name(name)


def in_trec_eval(text: str) -> str:
    """A measure by its name in trec_eval; "" if that is not one of its measures."""
    name = text.strip()
    return _trec_eval_name(name) or _trec_eval_name(_in_case(folded("measure", name))) or ""


def looks_like_a_measure(text: str) -> bool:
    """Whether a word may be a measure; ir_measures is asked where only it can tell."""
    name = text.strip()
    if in_trec_eval(name):
        return True
    match = _FORM.fullmatch(name)
    if match is None or not (match[1] or match[2]):
        return False
    try:
        canonical(name)
    except MeasureError:
        return False
    return True


def canonical_names(given: Texts, what: str = "measures") -> tuple[str, ...]:
    """One measure or several, such as ``"AP,nDCG@10"``, each by its one name."""
    return tuple(map(canonical, to_parts(given, what)))


def request(names: Iterable[str]) -> set[str]:
    """Measures by their names in trec_eval as it takes them: ``P.5,10``, each family once.

    It ends the process where a cutoff comes up twice, as 5 and 05 would.
    """
    cutoffs: dict[str, set[str]] = defaultdict(set)
    for name in names:
        match = _NAME.fullmatch(name) if name not in FAMILIES else None
        if match is not None:
            cutoffs[match["family"]].add(match["cutoff"])
        elif name in _WITH_CUTOFF:
            cutoffs[name].update(_USUAL.get(name, _DEPTHS).split())
        else:
            cutoffs.setdefault(name, set())
    return {
        f"{family}.{','.join(sorted(some))}" if some else family for family, some in cutoffs.items()
    }


def expand(names: Sequence[str], known: Iterable[str]) -> list[str]:
    """The names of scores that a list of measures and families asks for, in their order."""
    members: dict[str, list[str]] = defaultdict(list)
    for name in known:
        members[name].append(name)
        if match := _NAME.fullmatch(name):
            members[match["family"]].append(name)
    return list(dict.fromkeys(each for name in names for each in members.get(name, ())))


# How trec_eval writes them ----------------------------------------------------------------


def _trec_eval_name(name: str) -> str | None:
    if name in FAMILIES:
        return name
    match = _NAME.fullmatch(name)
    if match is None or match["family"] not in _WITH_CUTOFF:
        return None
    family, cutoff = match["family"], match["cutoff"]
    if family in _DECIMALS:
        return f"{family}_{float(cutoff):.2f}" if float(cutoff) <= _DECIMALS[family] else None
    if "." in cutoff or len(cutoff) > len(str(_DEEPEST)) or not 1 <= int(cutoff) <= _DEEPEST:
        return None
    return f"{family}_{int(cutoff)}"


def _in_case(form: str) -> str:
    """A name that was folded to lower case, as trec_eval writes it."""
    match = _NAME.fullmatch(form)
    if match is None or match["family"] not in _WRITTEN:
        return _WRITTEN.get(form, form)
    return f"{_WRITTEN[match['family']]}_{match['cutoff']}"
