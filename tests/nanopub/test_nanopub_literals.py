"""Which literals are values of their datatype: XML Schema 1.1, part 2, and what registries take."""

from __future__ import annotations

import pytest
from support.nanopubs import spoken, text, typed

from primad_ld.nanopub.checking import ill_typed
from primad_ld.rdf.subject_index import Object

#: Values, and what is none although it looks like one.
CASES = {
    "boolean": ("true false 1 0", "True TRUE yes 2 tru"),
    "decimal": ("1 -1 +1 01 1. .5 -0.50", "1,5 1e5 . + NaN ١"),
    "integer": ("0 -0 +1 007 123456789012345678901234567890", "1.0 1e3 0x1 - 1_000 ١"),
    "long": ("9223372036854775807 -9223372036854775808", "9223372036854775808 1.0"),
    "int": ("2147483647 -2147483648", "2147483648 -2147483649"),
    "short": ("32767 -32768", "32768"),
    "byte": ("127 -128", "128 -129"),
    "nonNegativeInteger": ("0 -0 1", "-1"),
    "positiveInteger": ("1 +1", "0 -1"),
    "nonPositiveInteger": ("0 -1", "1"),
    "negativeInteger": ("-1", "0 -0 1"),
    "unsignedLong": ("18446744073709551615", "18446744073709551616 -1"),
    "unsignedInt": ("4294967295", "4294967296"),
    "unsignedShort": ("65535", "65536"),
    "unsignedByte": ("255 +0", "256 -1"),
    "double": ("1 1.5 -1.5E-10 1e5 INF -INF +INF NaN .5", "inf nan 1e 1e1.5 Infinity -NaN 3,5"),
    "float": ("1.5 INF", "1.5f"),
    "dateTime": (
        "2026-03-01T10:00:00 2026-03-01T10:00:00Z 2026-03-01T10:00:00.123456789+14:00 "
        "-0044-03-15T00:00:00 12026-03-01T00:00:00Z 2024-02-29T24:00:00 0000-01-01T00:00:00 "
        # A date alone: registries take it, and the remarks of --strict name it.
        "2026-03-01 2026-03-01Z",
        "2026-3-1T10:00:00 2026-03-01T25:00:00 2026-03-01T10:00 2026-02-29T00:00:00 "
        "2026-13-01T00:00:00 2026-03-01T24:00:01 2026-03-01T10:00:60 02026-03-01T00:00:00 "
        "2026-03-01T10:00:00+15:00 2026-03-01T10:00:00+0100 26-03-01T10:00:00 1900-02-29",
    ),
    "dateTimeStamp": (
        "2026-03-01T10:00:00Z 2026-03-01T10:00:00-05:00",
        "2026-03-01T10:00:00 2026-03-01Z 2026-03-01T10:00:00+99:99",
    ),
    "date": ("2026-03-01 2000-02-29Z -0400-02-29", "2026-02-30 2026-04-31 20260301 2100-02-29"),
    "time": ("10:00:00 24:00:00 23:59:59.9Z", "10:00 24:00:01 25:00:00"),
    "gYear": ("2026 -0044 12026Z", "26 02026 2026-"),
    "gYearMonth": ("2026-03", "2026-13 2026-3"),
    "gMonth": ("--03", "03 --13"),
    "gDay": ("---31", "---32 31"),
    "gMonthDay": ("--02-29", "02-29 --13-01"),
    "duration": ("P1D PT1H P1Y2M3DT4H5M6.7S -P1D", "P PT 1D P1H PT1D P1DT P-1D PT1.5H"),
    "dayTimeDuration": ("P1DT2H PT0S", "P1Y P1M P"),
    "yearMonthDuration": ("P1Y2M -P1M", "P1D PT1M P"),
    "hexBinary": ("00fF", "0 0g"),
    "base64Binary": ("AQ== AAAA AAE=", "AQ= A=== AR== é"),
    "language": ("en en-GB x-klingon", "en_GB -en abcdefghi"),
    # Of these, every text is a value.
    "string": ("a", ""),
    "anyURI": ("a http://[", ""),
    "unknownType": ("a", ""),
}


@pytest.mark.parametrize(
    ("name", "value", "is_value"),
    [
        (name, value, is_value)
        for name, values in CASES.items()
        for is_value, words in zip((True, False), values, strict=True)
        for value in words.split()
    ],
)
def test_values(name: str, value: str, is_value: bool) -> None:
    assert ill_typed(typed(value, name)) is not is_value
    # XML Schema takes white space around them away; a space inside is another matter.
    assert ill_typed(typed(f" \t\n{value}\r", name)) is not is_value
    assert not ill_typed(typed(f"{value[:1]} {value[1:]}", "string"))


@pytest.mark.parametrize("name", sorted(set(CASES) - {"string", "anyURI", "unknownType"}))
def test_nothing_is_no_value(name: str) -> None:
    is_empty_a_value = name in ("hexBinary", "base64Binary")
    assert ill_typed(typed("", name)) is not is_empty_a_value
    assert ill_typed(typed("\N{NO-BREAK SPACE}", name))


@pytest.mark.parametrize(
    "value",
    [text(""), text("\x00"), spoken("a", "en"), Object("http://example.org/"), Object("1", "x:y")],
)
def test_of_other_values_nothing_is_known(value: Object) -> None:
    assert not ill_typed(value)
