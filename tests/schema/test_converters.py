"""Named converters: what fits a type, what it becomes, and what stays the text it was."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import RDF, SCHEME, XSD, anything, store_of, texts

from primad_ld.schema.canonical import Requirement, read_requirement
from primad_ld.schema.converters import (
    BY_DATATYPE,
    BY_NAME,
    CONCEPT_SCHEMES,
    Converter,
    concept_names,
    decimal_lexical,
    json_literal,
    json_value,
    orcid_check_digit,
    quoted,
    read_parameter,
)

ALL = {**BY_NAME, **{name.removeprefix(XSD): one for name, one in BY_DATATYPE.items()}}


def read(name: str, text: str) -> tuple[str, bool] | None:
    """What a converter makes of a text: the literal's lexical form or the IRI, and whether the
    term alone gives the text back."""
    term = ALL[name].read(text)
    if term is None:
        return None
    match = re.fullmatch(r'<(.*)>|("(?:.*)")(?:\^\^<.*>)?', term.token)
    assert match, term.token
    return match[1] if match[2] is None else json.loads(match[2]), term.plain == text


def cases(*rows: tuple[str, str | None] | tuple[str, str | None, bool]) -> pytest.MarkDecorator:
    """Text, what it becomes (None: it stays a text), and whether that alone gives it back."""
    filled = [(row[0], row[1], row[2] if len(row) > 2 else False) for row in rows]
    return pytest.mark.parametrize(("text", "value", "exact"), filled)


def check(name: str, text: str, value: str | None, exact: bool) -> None:
    assert read(name, text) == (None if value is None else (value, exact))


# Numbers -----------------------------------------------------------------------------------


@cases(
    ("16", "16", True),
    ("0", "0", True),
    ("-3", "-3", True),
    ("016", "16"),  # stores drop the zero
    ("+5", "5"),
    ("-0", "0"),
    ("999999999999999999", "999999999999999999", True),
    ("1234567890123456789", None),  # nineteen digits: Virtuoso refuses the whole update
    ("1.0", None),
    ("1e3", None),
    ("1_000", None),  # Python's, not people's
    ("1,000", None),
    (" 16", "16"),
    ("16\n", "16"),
    ("1 6", None),
    ("٣", None),  # a digit of another script
    ("0x10", None),
    ("", None),
    ("sixteen", None),
)
def test_integer(text: str, value: str | None, exact: bool) -> None:
    check("integer", text, value, exact)


@cases(
    ("0.6", "0.6", True),
    ("0.60", "0.6"),
    ("16", "16", True),
    ("016", "16"),
    (".5", "0.5"),
    ("5.", "5"),
    ("-0.0", "0"),
    ("12e5", "1200000"),
    ("1E-3", "0.001"),
    ("-1.5", "-1.5", True),
    ("123456789.987654321", "123456789.987654321", True),
    ("0.1234567890123456789", None),  # too many digits to be kept
    ("1e19", None),
    ("1e-30", None),
    ("1e400", None),
    ("1e9999", None),  # three digits of an exponent are enough for anybody
    ("0e999", "0"),
    ("nan", None),
    ("inf", None),
    (".", None),
    ("1.2.3", None),
    ("1 000", None),
    ("0.6\n", "0.6"),
)
def test_decimal(text: str, value: str | None, exact: bool) -> None:
    check("decimal", text, value, exact)


@cases(
    ("true", "true", True),
    ("false", "false", True),
    # A listed normalisation: these come back as true and false.
    ("TRUE", "true"),
    ("Yes", "true"),
    ("no", "false"),
    # These mean the same but come back as they were written.
    ("on", "true"),
    ("Off", "false"),
    ("1", "true"),
    ("0", "false"),
    ("y", None),
    ("2", None),
    ("", None),
    ("true ", "true"),
    ("ENTER_VALUE_HERE", None),
)
def test_boolean(text: str, value: str | None, exact: bool) -> None:
    check("boolean", text, value, exact)


@pytest.mark.parametrize(("stored", "text"), [("true", "true"), ("1", "true"), ("0", "false")])
def test_a_store_may_write_a_truth_value_as_a_number(stored: str, text: str) -> None:
    assert ALL["boolean"].write(stored) == text


@cases(
    ("2019", "2019", True),
    ("0001", "0001", True),
    ("19", None),
    ("20190", None),
    ("-2019", None),
    ("2019Z", None),
    ("٢٠١٩", None),
    ("201²", None),  # isdigit says yes
    ("2019 ", "2019"),
)
def test_year(text: str, value: str | None, exact: bool) -> None:
    check("gYear", text, value, exact)


# Quantities --------------------------------------------------------------------------------------


@cases(
    ("48 GB", "48000000000", True),
    ("48GB", "48000000000"),
    ("48GiB", str(48 * 2**30)),  # a binary unit
    ("25276 MB", "25276000000", True),  # tirex-tracker writes MB
    ("96 KiB", "98304", True),
    ("1.5 TB", "1500000000000"),
    ("48 gb", "48000000000"),  # typed in a hurry; bytes have no other meaning
    ("48 gIb", str(48 * 2**30)),
    ("512 B", "512", True),
    ("1e3 B", "1000"),
    ("0512 B", "512"),
    (" 48 GB ", "48000000000"),
    ("0 B", "0", True),
    ("48", None),  # of what?
    ("48 GBit", None),
    ("48 G", None),
    ("48  GB", "48000000000"),
    ("GB", None),
    ("48,5 GB", None),
    ("1e99 GB", None),
    ("9999999999 TB", None),  # nineteen digits and more
    ("null J", None),
    ("48 GB of it", None),
)
def test_size(text: str, value: str | None, exact: bool) -> None:
    check("size", text, value, exact)


@pytest.mark.parametrize("text", ["0.1 B", "1.5 B", "0.0004 kB"])
def test_a_size_that_is_no_whole_number_of_bytes_keeps_its_text(text: str) -> None:
    found = read("size", text)
    assert found is None or found[1] is False


@cases(
    ("80 ms", "0.08"),
    ("1.5 min", "90"),
    ("2h", "7200"),
    ("1 d", "86400"),
    ("5 µs", "0.000005"),
    ("5 us", "0.000005"),
    ("7 ns", "0.000000007"),
    ("0.08 s", "0.08", True),
    ("0.080 s", "0.08"),
    ("-1 s", "-1", True),
    ("80 MS", None),  # M is mega elsewhere
    ("80", None),
    ("1:30", None),
    ("1 min 30 s", None),
)
def test_duration(text: str, value: str | None, exact: bool) -> None:
    check("duration", text, value, exact)


@cases(
    ("3500 MHz", "3500", True),
    ("3.50 GHz", "3500"),
    ("3500000000 Hz", "3500"),
    ("0 MHz", "0", True),
    ("3.5 mhz", None),  # milli or mega?
    ("null MHz", None),
)
def test_frequency(text: str, value: str | None, exact: bool) -> None:
    check("frequency", text, value, exact)


@cases(
    ("12.5 J", "12.5", True),
    ("12.50 J", "12.5"),
    ("1 kWh", "3600000"),
    ("2 Wh", "7200"),
    ("3 mJ", "0.003"),
    ("3 MJ", "3000000"),
    ("null J", None),  # what tirex-tracker writes when it could not measure
    ("J", None),
)
def test_energy(text: str, value: str | None, exact: bool) -> None:
    check("energy", text, value, exact)


@cases(
    ("2026-11-18T07:08:24Z", "2026-11-18T07:08:24Z", True),
    ("2026-11-18T07:08:24", "2026-11-18T07:08:24", True),
    ("2026-11-18 07:08:24", "2026-11-18T07:08:24"),
    ("2026-11-18T07:08:24.278616893+0000", "2026-11-18T07:08:24.278616Z"),  # tirex-tracker
    ("2026-11-18T07:08:24.2700Z", "2026-11-18T07:08:24.27Z"),
    ("2026-11-18T07:08:24.000Z", "2026-11-18T07:08:24Z"),
    ("2026-11-18T07:08:24+01:00", "2026-11-18T07:08:24+01:00", True),
    ("2026-11-18T07:08:24+0100", "2026-11-18T07:08:24+01:00"),
    ("2026-11-18T07:08:24 -0530", "2026-11-18T07:08:24-05:30"),
    ("2026-11-18T07:08:24-00:00", "2026-11-18T07:08:24Z"),
    ("2026-02-30T07:08:24Z", None),  # no such day
    ("2026-11-18T25:08:24Z", None),
    ("2026-11-18T07:08:24+25:00", None),
    ("2026-11-18T07:08:24+15:00", None),  # XML Schema ends at 14:00
    ("2026-11-18", None),
    ("18.11.2026 07:08:24", None),
    ("2026-11-18T07:08Z", None),
    ("2026-11-18T07:08:24.1234567891Z", None),
    ("٢٠٢٦-11-18T07:08:24Z", None),
    ("2026-11-18T07:08:24Z\n", "2026-11-18T07:08:24Z"),
)
def test_time(text: str, value: str | None, exact: bool) -> None:
    check("time", text, value, exact)
    check("dateTime", text, value, exact)


# Links ----------------------------------------------------------------------------------------------


@cases(
    ("0000-0002-0661-7189", "https://orcid.org/0000-0002-0661-7189", True),
    ("https://orcid.org/0000-0002-0661-7189", "https://orcid.org/0000-0002-0661-7189"),
    ("http://www.orcid.org/0000-0002-0661-7189/", "https://orcid.org/0000-0002-0661-7189"),
    ("0000-0002-1694-233X", "https://orcid.org/0000-0002-1694-233X", True),
    ("0000-0002-1825-0097", "https://orcid.org/0000-0002-1825-0097", True),
    # A mistyped ORCID must not become a link to somebody else.
    ("0000-0002-0661-7188", None),
    ("0000-0002-0661-7198", None),  # two digits changed places
    ("0000-0002-1694-233x", "https://orcid.org/0000-0002-1694-233X"),
    ("0000000206617189", None),
    ("0000-0002-0661-718", None),
    ("0000-0002-0661-7189 (Jimmy)", None),
    ("orcid: 0000-0002-0661-7189", "https://orcid.org/0000-0002-0661-7189"),
    ("https://example.org/0000-0002-0661-7189", None),
    ("", None),
)
def test_orcid(text: str, value: str | None, exact: bool) -> None:
    check("orcid", text, value, exact)


@given(st.text("0123456789", min_size=15, max_size=15), st.integers(0, 14), st.integers(1, 9))
def test_the_check_digit_finds_every_single_wrong_digit(digits: str, at: int, by: int) -> None:
    changed = digits[:at] + str((int(digits[at]) + by) % 10) + digits[at + 1 :]
    assert orcid_check_digit(changed) != orcid_check_digit(digits)


DOI = "https://doi.org/10.1007/978-3-030-15712-8_26"
SICI = "10.1002/(SICI)1097-4571(199009)41:6<391::AID-ASI1>3.0.CO;2-9"
SICI_IRI = f"https://doi.org/{SICI.lower().replace('<', '%3C').replace('>', '%3E')}"


@cases(
    (DOI, DOI, True),
    ("http://dx.doi.org/10.1007/978-3-030-15712-8_26", DOI),
    ("https://www.doi.org/10.1007/978-3-030-15712-8_26", DOI),
    ("doi:10.1007/978-3-030-15712-8_26", DOI),
    ("DOI: 10.1007/978-3-030-15712-8_26", DOI),
    ("10.1007/978-3-030-15712-8_26", DOI),
    ("10.1145/3397271.3401036", "https://doi.org/10.1145/3397271.3401036"),
    (SICI, SICI_IRI),  # no IRI holds < and >
    (f"doi:{SICI}", SICI_IRI),
    (SICI_IRI, SICI_IRI, True),
    (SICI_IRI.replace("%3C", "%3c").replace("%3E", "%3e"), SICI_IRI),
    ('10.1/a"{}|\\^`[]b', None),  # four digits at least
    ('10.1000/a"{}|\\^`[]b', "https://doi.org/10.1000/a%22%7B%7D%7C%5C%5E%60%5B%5Db"),
    ("10.1000/a%5cb", "https://doi.org/10.1000/a%5Cb"),
    ("10.1000/5%", "https://doi.org/10.1000/5%25"),
    ("10.1000/A%2fb", "https://doi.org/10.1000/a%2Fb"),  # case does not count
    ("10.1000/a\x01", None),
    (
        "https://example.org/10.1000/<a>",
        "https://example.org/10.1000/%3Ca%3E",
    ),  # not a DOI, but an address
    # No DOI, but an address that works.
    ("https://example.org/paper", "https://example.org/paper", True),
    ("10.1/x", None),  # a registrant has four digits at least
    ("10.1145", None),
    ("10.1145/a b", None),
    ("10.1145/<x>", "https://doi.org/10.1145/%3Cx%3E"),
    ("doi.org/10.1145/3", "https://doi.org/10.1145/3"),
    ("ten", None),
)
def test_doi(text: str, value: str | None, exact: bool) -> None:
    check("doi", text, value, exact)


ARXIV = "https://arxiv.org/abs/2010.13447"


@cases(
    (ARXIV, ARXIV, True),
    ("http://www.arxiv.org/abs/2010.13447", ARXIV),
    ("https://arxiv.org/pdf/2010.13447", ARXIV),
    ("https://arxiv.org/pdf/2010.13447.pdf", ARXIV),
    ("2010.13447", ARXIV),
    ("arXiv:2010.13447", ARXIV),
    ("arxiv: 2010.13447", ARXIV),
    ("2010.13447v2", ARXIV + "v2"),
    ("0704.0001", "https://arxiv.org/abs/0704.0001"),
    ("cs/0112017", "https://arxiv.org/abs/cs/0112017"),  # before April 2007
    ("cs.IR/0112017", "https://arxiv.org/abs/cs.IR/0112017"),
    ("https://example.org/preprint", "https://example.org/preprint", True),
    ("2010.134", None),
    ("20.10", None),
    ("arxiv", None),
)
def test_arxiv(text: str, value: str | None, exact: bool) -> None:
    check("arxiv", text, value, exact)


@cases(
    ("https://github.com/castorini/anserini", "https://github.com/castorini/anserini", True),
    ("git@github.com:x", None),
    ("github.com/castorini/anserini", None),  # as the paper's figure has it
    ("/srv/experiment", None),
    ("", None),
)
def test_iri(text: str, value: str | None, exact: bool) -> None:
    check("iri", text, value, exact)


# Concepts ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scheme", "text", "same_as", "exact"),
    [
        ("measure", "map", "map", True),
        ("measure", "P_10", "P_10", True),
        ("measure", "P@10", "P_10", False),  # ir_measures
        ("measure", "AP", "map", False),
        ("measure", "Map", "map", False),
        ("measure", "nDCG", "ndcg", False),
        ("test", "t-test", "t-test", True),
        ("test", "T-Test", "t-test", False),
        ("correction", "Bonferroni", "bonferroni", False),
        ("role", "Reproducer", "reproducer", False),
        ("degree", "Ph.D.", "Ph.D.", True),
        ("degree", "PhD", "Ph.D.", False),
        ("ties", "Reverse Alphabetical Order", "reverse alphabetical order", False),
    ],
)
def test_concept(scheme: str, text: str, same_as: str, exact: bool) -> None:
    found = read(scheme, text)
    known = read(scheme, same_as)
    assert found is not None
    assert known is not None
    assert found == (known[0], exact)
    assert found[0].startswith(SCHEME)
    assert BY_NAME[scheme].write(found[0]) == same_as


@pytest.mark.parametrize(
    ("scheme", "text"),
    [
        ("measure", "P_"),
        ("measure", "satisfaction"),
        ("measure", "t-test"),  # of another scheme
        ("role", "boss"),
        ("ties", ""),
        ("test", "ENTER_VALUE_HERE"),
    ],
)
def test_no_concept(scheme: str, text: str) -> None:
    assert read(scheme, text) is None


@pytest.mark.parametrize("scheme", CONCEPT_SCHEMES)
def test_every_notation_is_read_and_written(scheme: str) -> None:
    names = concept_names(scheme)
    assert names
    for name in names:
        found = read(scheme, name)
        assert found is not None
        assert found[1]
        assert BY_NAME[scheme].write(found[0]) == name


def test_a_concept_of_somebody_else_is_written_as_its_iri() -> None:
    assert BY_NAME["measure"].write("https://example.org/measure") == "https://example.org/measure"


# Requirements ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "requirement"),
    [
        ("numpy==1.15.4", ("numpy", "1.15.4", "")),
        ("numpy == 1.15.4", ("numpy", "1.15.4", "")),
        ("numpy==1!2.0", ("numpy", "1!2.0", "")),  # an epoch
        ("PyTerrier 0.10.0", ("PyTerrier", "0.10.0", "")),  # LongEval
        ("PyTerrier v0.10.0-rc1+cu118", ("PyTerrier", "v0.10.0-rc1+cu118", "")),
        ("lucene==7.6-SNAPSHOT", ("lucene", "7.6-SNAPSHOT", "")),  # Maven
        ("anserini==master", ("anserini", "master", "")),
        ("numpy===1.2", ("numpy", "1.2", "")),
        ("numpy>=1.2", ("numpy", "", ">=1.2")),
        ("numpy~=1.2", ("numpy", "", "~=1.2")),
        ("numpy!=1.2", ("numpy", "", "!=1.2")),
        ("numpy=1.2", ("numpy", "", "=1.2")),  # conda: 1.2 and all that begins with it
        ("numpy==1.2.*", ("numpy", "", "==1.2.*")),
        ("numpy>=1.2,<2", ("numpy", "", ">=1.2,<2")),
        ("numpy (<2 , >= 1.2)", ("numpy", "", "<2,>=1.2")),
        ("numpy==1.2,==1.2", ("numpy", "1.2", "")),
        ("numpy==1.2,!=1.3", ("numpy", "", "==1.2,!=1.3")),
        # What else pip reads is in the text only.
        ("pkg[extra]==1.0", ("pkg", "1.0", "")),
        ("pkg[a, b]>=1", ("pkg", "", ">=1")),
        ("pkg[extra]", ("pkg", "", "")),
        ("numpy==1.2; python_version<'3'", ("numpy", "1.2", "")),
        ("numpy; python_version<'3'", ("numpy", "", "")),
        ("torch @ https://example.org/torch.whl?v==1", ("torch", "", "")),
        ("numpy", ("numpy", "", "")),
        ("GNU Octave", ("GNU Octave", "", "")),
        ("GNU Octave 8.4", ("GNU Octave", "8.4", "")),
        ("Terrier version 5", ("Terrier version", "5", "")),
        ("python 3", ("python", "3", "")),
        # Nothing before or behind the sign: all of it is a name.
        ("==1.2", ("==1.2", "", "")),
        ("numpy==", ("numpy==", "", "")),
        ("==", ("==", "", "")),
        ("numpy====1.2", ("numpy====1.2", "", "")),
        ("1.2", ("1.2", "", "")),
        ("", ("", "", "")),
        (" ", (" ", "", "")),
        ("  numpy  ", ("numpy", "", "")),
        # What pip refuses is a name, whole.
        ("BM25 (k1=0.9)", ("BM25 (k1=0.9)", "", "")),
        ("numpy (>=1.2", ("numpy (>=1.2", "", "")),
        ("pkg[a b]==1", ("pkg[a b]==1", "", "")),
        ("numpy>=1.2 or <1", ("numpy>=1.2 or <1", "", "")),
        ("ENTER_VALUE_HERE", ("ENTER_VALUE_HERE", "", "")),
    ],
)
def test_requirement(text: str, requirement: tuple[str, str, str]) -> None:
    assert read_requirement(text) == Requirement(*requirement)


@pytest.mark.parametrize("text", ["numpy==1.2", "numpy>=1.2", "numpy", "numpy>=1.2,<2", "x==1.*"])
def test_requirement_is_written_as_it_was_read(text: str) -> None:
    assert str(read_requirement(text)) == text


# Open parameters ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lexical", "datatype", "exact"),
    [
        ("16", "16", "integer", True),
        ("016", "016", None, True),  # such as a topic
        ("0.9", "0.9", "decimal", True),
        ("0.90", "0.9", "decimal", False),
        ("12e5", "1200000", "integer", False),
        ("true", "true", "boolean", True),
        ("False", "false", "boolean", False),
        ("no", "no", None, True),  # may be a language
        ("1_000", "1_000", None, True),
        ("bm25s en", "bm25s en", None, True),
        ("", "", None, True),
        ("12345678901234567890", "12345678901234567890", None, True),  # no store would keep it
    ],
)
def test_parameter(text: str, lexical: str, datatype: str | None, exact: bool) -> None:
    term = read_parameter(text)
    token = f'"{lexical}"' + (f"^^<{XSD}{datatype}>" if datatype else "")
    assert (term.token, term.plain == text) == (token, exact)


# JSON literals ------------------------------------------------------------------------------------------------


def test_a_json_literal_has_texts_and_no_numbers() -> None:
    # 2204.05961 would be another preprint as a number.
    literal = json_literal({"arxiv": "2204.05960", "is": "true", "none": None})
    assert _lexical(literal) == '{"arxiv":"2204.05960","is":"true","none":null}'


@given(anything)
def test_json_literal_gives_every_text_back(value: object) -> None:
    token = json_literal(value)
    assert json_value(_lexical(token)) == value


@given(anything)
def test_json_literal_is_what_other_readers_call_json(value: object) -> None:
    (quad,) = store_of(f"<x:s> <x:p> {json_literal(value)} .").quads_for_pattern(None, None, None)
    literal = quad.object
    assert isinstance(literal, pyoxigraph.Literal)
    assert literal.datatype.value == RDF + "JSON"
    assert json_value(literal.value) == value
    json.loads(literal.value, parse_constant=pytest.fail)  # no NaN, which is not JSON


def test_json_literal_does_not_depend_on_the_order_of_keys() -> None:
    one = {"b": "1", "a": {"d": None, "c": []}}
    other = {"a": {"c": [], "d": None}, "b": "1"}
    assert json_literal(one) == json_literal(other)
    assert json_literal([one]) != json_literal([one, one])


def _lexical(token: str) -> str:
    return str(json.loads(token.removesuffix(f"^^<{RDF}JSON>")))


# Keys: the value as it is compared ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("string", "x", "x"),
        ("integer", "16", "016"),
        ("decimal", "0.9", "9e-1"),
        ("decimal", "1", "1.0"),
        ("boolean", "yes", "true"),
        ("boolean", "1", "on"),
        ("size", "48 GB", "48000 MB"),
        ("duration", "90 s", "1.5 min"),
        ("time", "2026-11-18T07:08:24Z", "2026-11-18 07:08:24+0000"),
        ("orcid", "0000-0002-0661-7189", "https://orcid.org/0000-0002-0661-7189"),
        ("doi", "10.1145/3397271.3401036", "doi:10.1145/3397271.3401036"),
        ("doi", "10.1002/a<b>", "https://doi.org/10.1002/a%3cb%3E"),
        ("arxiv", "2010.13447", "https://arxiv.org/pdf/2010.13447.pdf"),
        ("iri", "https://trec.nist.gov/a", "HTTPS://TREC.nist.gov/a"),
        ("repository", "https://github.com/a/b", "http://www.GitHub.com/a/b.git"),
        ("commit", "9548cd6", "9548CD6"),
        ("dataset", "nyt/x", "https://ir-datasets.com/nyt/x"),
        ("measure", "P_10", "P@10"),
        ("test", "t-test", "T-Test"),
        ("role", "reproducer", "Reproducer"),
    ],
)
def test_equal_keys(name: str, one: str, other: str) -> None:
    assert ALL[name].key(one) == ALL[name].key(other)
    assert ALL[name].cached().key(one) == ALL[name].key(one)
    assert ALL[name].cached().key(other) == ALL[name].key(one)


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("string", "x", "X"),
        ("string", "9548cd6", "9548cd6b"),  # not every text is a commit
        ("string", "1.20", "1.2"),
        ("boolean", "true", "ENTER_VALUE_HERE"),
        ("integer", "16", "sixteen"),
        ("size", "48 GB", "48 GiB"),
        ("orcid", "0000-0002-0661-7189", "0000-0002-0661-7188"),  # mistyped
        ("doi", "10.1145/1", "10.1145/2"),
        ("arxiv", "2010.13447", "2010.13447v2"),
        ("iri", "https://github.com/a/b", "github.com/a/b"),  # no address
        ("commit", "9548cd6", "9548cd6b"),  # perhaps an abbreviation, which D9 decides
        ("iri", "http://trec.nist.gov/a", "https://trec.nist.gov/a"),
        ("dataset", "nyt/x", "nyt"),
        ("measure", "P_10", "P_5"),
        ("measure", "joy", "fun"),
    ],
)
def test_different_keys(name: str, one: str, other: str) -> None:
    assert ALL[name].key(one) != ALL[name].key(other)


def test_a_text_that_does_not_fit_is_its_own_key() -> None:
    assert BY_NAME["orcid"].key(" Ada") == '"Ada"'
    # A number is not what a text is by chance.
    assert BY_DATATYPE[XSD + "integer"].key("16") == "16"
    assert BY_NAME["commit"].key("16") == '"16"'


# What holds for all ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(ALL))
@given(text=texts)
def test_a_store_keeps_what_a_converter_writes(name: str, text: str) -> None:
    # The canonical forms of XML Schema are not enough: stores have their own.
    for term in (ALL[name].read(text), read_parameter(text)):
        if term is not None:
            line = f"<x:s> <x:p> {term.token} ."
            (quad,) = store_of(line).quads_for_pattern(None, None, None)
            (parsed,) = pyoxigraph.parse(line, format=pyoxigraph.RdfFormat.N_TRIPLES)
            assert quad.object == parsed.object


@pytest.mark.parametrize("name", sorted(ALL))
@given(text=texts)
def test_exact_means_that_the_term_alone_gives_the_text_back(name: str, text: str) -> None:
    found = read(name, text)
    if found is not None and found[1]:
        assert ALL[name].write(found[0]) == text


@pytest.mark.parametrize("name", sorted(ALL))
@given(text=texts)
def test_what_is_written_is_read_as_the_same_term(name: str, text: str) -> None:
    term = ALL[name].read(text)
    found = read(name, text)
    if term is not None and found is not None:
        again = ALL[name].read(ALL[name].write(found[0]))
        assert again is not None
        assert again.token == term.token


@pytest.mark.parametrize("name", sorted(ALL))
@given(text=texts)
def test_what_is_written_has_the_same_key(name: str, text: str) -> None:
    found = read(name, text)
    if found is not None:
        assert ALL[name].key(ALL[name].write(found[0])) == ALL[name].key(text)


@given(texts)
def test_quoted_is_what_other_readers_read(text: str) -> None:
    line = f"<x:s> <x:p> {quoted(text)} ."
    (triple,) = pyoxigraph.parse(line, format=pyoxigraph.RdfFormat.N_TRIPLES)
    assert triple.object == pyoxigraph.Literal(text)
    assert "\n" not in quoted(text)
    assert "\r" not in quoted(text)


@given(st.decimals(allow_nan=True, allow_infinity=True))
def test_decimal_forms_have_no_exponent_and_at_most_eighteen_digits(number: object) -> None:
    lexical = decimal_lexical(number)  # type: ignore[arg-type]
    assert lexical is None or re.fullmatch(r"(?!-0$)-?[0-9]{1,18}(\.[0-9]*[1-9])?", lexical)
    assert lexical is None or len(re.sub(r"[-.]", "", lexical)) <= 18


LONG = 8_000


@pytest.mark.parametrize(
    "text",
    [
        "1" * LONG,
        "1" * LONG + "x",  # [0-9]+[0-9]* would try every place to cut
        "1" * LONG + " parsecs",
        "0." + "0" * LONG + "1",
        "1." + "0" * LONG,
        "1e" + "9" * LONG,
        "=" * LONG,
        "=<" * LONG,
        " " * LONG,
        "a " * LONG,
        "1" + " " * LONG + "GB",
        "http://" + "a" * LONG + "[",
        "http://" + "a:" * LONG,
        "http://" + "a@" * LONG,
        "http://a/" + "%20" * LONG + "%",
        "http://a/" + "/" * LONG + " ",
        "a:" + "/a" * LONG + " ",
        "10.1145/" + "x" * LONG + " ",
        "a-" * LONG + "/",
        "0000-" * LONG,
        "2026-11-18T07:08:24." + "1" * LONG,
    ],
    ids=lambda text: f"{text[:6]}…{text[-4:]}",
)
def test_long_texts_are_read_quickly(text: str) -> None:
    readers: list[Callable[[str], object]] = [
        *(one.read for one in ALL.values()),
        read_requirement,
        read_parameter,
    ]
    start = time.perf_counter()
    for reader in readers:
        reader(text)
    assert time.perf_counter() - start < 1


def test_a_remembered_answer_is_the_same_answer() -> None:
    calls: list[str] = []

    def slow(text: str) -> None:
        calls.append(text)

    remembering = Converter(slow).cached()
    long = "x" * 1000
    for text in ("a", "b", "a", long, long):
        assert remembering.read(text) is None
    assert calls == ["a", "b", long, long]  # long texts are not worth the memory
