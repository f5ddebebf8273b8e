"""Headers as YAML that every reader understands alike."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import assume, example, given
from hypothesis import strategies as st
from support import GOOD, anything, headers, keys, loaded, texts

from primad_ld import dump_header, header_of, parse_header
from primad_ld.core.yamltext import parse
from primad_ld.header.yamlwrite import dump
from primad_ld.schema.fields import Field, default_schema

# What makes YAML's readers disagree, in any order.
_TRICKY = st.text(
    alphabet="aZ0 .:-#\n\t'\"|>&*!%@{}[],?~=\\\r\x00\x85\xa0\u2028\ufeff\uffff\U0001f600",
    max_size=12,
)
_WORDS = st.lists(
    st.sampled_from("a b: #c - ' \" \n \n\n \t | > 0 1.0 no ~ ir_metadata.end #".split(" ")),
    max_size=8,
).map(" ".join)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        # texts that anybody would take for texts
        *(
            (text, text)
            for text in (
                *("bm25", "two words", "64-bit", "16 GB", "numpy==1.2", "/usr/bin", "it's"),
                "https://example.org/a#b",
            )
        ),
        # texts that YAML would take for something else: octal, 0.1, a date …
        *(
            (text, f"'{text}'")
            for text in (
                *("0123456", "0.10", "12e5", "1_000", "1:30", "0x1f", "0o17", "2026-11-18", ".inf"),
                *("no", "Yes", "ON", "null", "~", "", "a: b", "a:", "a #b", "#b", "- a", "-", "?"),
                *("@home", "*alias", "&anchor", "!tag", "%", "[a]", "{a}", "<<", "=", " a", "a "),
                "---",
            )
        ),
        ("'a'", "\"'a'\""),
        ("a\tb", '"a\\tb"'),
        ("a\rb", '"a\\rb"'),
        ("a\x00b", '"a\\u0000b"'),
        ("a\x85b", '"a\\u0085b"'),
        ("a\u2028b", '"a\\u2028b"'),
        ("\ufeffa", '"\\ufeffa"'),
        # texts of several lines
        ("a\nb", "|-\n  a\n  b"),
        ("a\nb\n", "|\n  a\n  b"),
        ("a\n\n b", "|-\n  a\n\n   b"),
        (" a\nb", '" a\\nb"'),  # a block cannot begin with a blank
        ("\na", '"\\na"'),
        ("a\n\n", '"a\\n\\n"'),
        # truth and numbers in their one spelling are left to whoever reads them
        ("true", "true"),
        ("7", "7"),
        ("-1.5", "-1.5"),
    ],
)
def test_texts(text: str, written: str):
    assert dump({"key": text}, None) == f"key: {written}\n"


@pytest.mark.parametrize(
    ("path", "value", "written"),
    [
        # numbers of fields that are numbers stay bare, however they are written
        (("platform", "hardware", "cpu", "number of cores"), "8", "8"),
        (("resources", "cpu", "used process", "avg"), "0.50", "0.50"),
        (("research goal", "venue", "year"), "2020", "2020"),
        (("method", "automatic"), "yes", "yes"),
        (("method", "automatic"), "True", "'True'"),
        # but only if they are written as every reader reads them
        (("platform", "hardware", "cpu", "number of cores"), "08", "'08'"),
        (("platform", "hardware", "cpu", "number of cores"), "1e3", "'1e3'"),
        # a commit is none
        (("implementation", "source", "commit"), "1234567", "'1234567'"),
        (("implementation", "source", "lang"), "no", "'no'"),
    ],
)
def test_texts_of_fields(path: tuple[str, ...], value: str, written: str):
    fields: Any = value
    for key in reversed(path):
        fields = {key: fields}
    text = dump_header(header_of(fields))
    assert text.splitlines()[-1].strip() == f"{path[-1]}: {written}"


@pytest.mark.parametrize(
    ("fields", "written"),
    [
        ({"a": None, "b": [], "c": {}}, "a: null\nb: []\nc: {}\n"),
        ({"a": {"b": {"c": "x"}}}, "a:\n  b:\n    c: x\n"),
        ({"a": ["x", None, [], {}]}, "a:\n- x\n- null\n- []\n- {}\n"),
        ({"a": [{"b": "x", "c": ["w"]}]}, "a:\n- b: x\n  c:\n  - w\n"),
        ({"a": [["x", "w"], ["z"]]}, "a:\n- - x\n  - w\n- - z\n"),
        ({"a": [{"b": {"c": "x"}}]}, "a:\n- b:\n    c: x\n"),
        ({"a": ["x\ny"]}, "a:\n- |-\n  x\n  y\n"),
        ({"a": [{"b": "x\ny"}]}, "a:\n- b: |-\n    x\n    y\n"),
        ({"a: b": "x"}, "'a: b': x\n"),
        ({"no": "x"}, "'no': x\n"),
        ({"16": "x"}, "16: x\n"),
        ({"a b": "x"}, "a b: x\n"),
        ({}, ""),
    ],
)
def test_structures(fields: dict[str, Any], written: str):
    assert dump(fields, None) == written


@pytest.mark.parametrize("length", [100, 999, 1000, 1001, 1024, 1025, 5000, 100_000])
@pytest.mark.parametrize("letter", ["k", "ü", "'", "\x00"])
def test_long_keys(length: int, letter: str):
    # A key that ends later than 1,024 characters from its beginning needs a question mark.
    fields = {"a": {letter * length: "x", "b": [{letter * length: {"c": "y"}}]}}
    assert parse(dump(fields, None)) == fields
    assert yaml.load(dump(fields, None), yaml.BaseLoader) == fields


def test_a_header_that_is_full_of_everything():
    written = dump_header(parse_header(GOOD))
    assert loaded(written) == loaded(GOOD)
    assert dump_header(parse_header(written)) == written


# Properties --------------------------------------------------------------------------------

values = st.recursive(
    st.one_of(texts, _TRICKY, _WORDS, st.none()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(keys, _TRICKY.filter(bool)), inner, max_size=3),
    ),
    max_leaves=8,
)
mappings = st.dictionaries(
    st.one_of(keys, _TRICKY.filter(bool), _WORDS.filter(bool)), values, max_size=4
)


@given(mappings)
@example({"a": "x\n\uffff"})
@example({"a": "x\n\ufffe"})
@example({"a": "\ufffe\nx"})
@example({"a": "x\n\ud7ff\ue000\ufffd\U0010ffff"})
@example({"a": "x\n  "})
@example({"a": "x\n  \n"})
@example({"a": "x\n\n  y\n \n z"})
@example({"a": "#x\n#y"})
@example({"a": ["x\n- y\n", [["x\ny"]]]})
@example({"a": "---\n...\n"})
@example({"a": {"b": "---\nx"}})
def test_what_is_written_is_read_again(fields: dict[str, Any]):
    assert (parse(dump(fields, None)) or {}) == fields


@given(mappings)
@example({"a": "x\n\uffff"})
@example({"a": "x\n\ufffe"})
@example({"a": "\ufffe\nx"})
def test_another_reader_reads_the_same(fields: dict[str, Any]):
    # It knows texts only, so null comes as its letters.
    assert (yaml.load(dump(fields, None), yaml.BaseLoader) or {}) == _with_null_as_text(fields)


def _with_null_as_text(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _with_null_as_text(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_null_as_text(item) for item in value]
    return "null" if value is None else value


@given(headers)
def test_headers_are_read_again(fields: dict[str, Any]):
    header = header_of(fields)
    assert parse_header(dump_header(header)) == header


@given(anything, st.sampled_from(list(default_schema().walk())))
def test_any_value_in_any_field(value: Any, field: Field):
    fields: Any = value
    for key in reversed([key for key in field.path if key != "*"]):
        fields = {key: fields}
    assume(isinstance(fields, dict) and fields)
    header = header_of(fields)
    assert parse_header(dump_header(header)) == header


@given(st.one_of(texts, _TRICKY, _WORDS))
@example("1.0")
@example("1234567")
@example("1.10")
@example("1e5")
@example("1.e+5")
@example("09")
@example("0b1")
@example("-0")
@example("4.")
@example("12:30:45")
@example("2001-12-14t21:59:43.10-05:00")
@example("1,000")
def test_a_reader_that_guesses_guesses_right(text: str):
    """PyYAML's and other readers of YAML 1.1 see a text, or the number that its letters are."""
    value = yaml.safe_load(dump({"key": text}, None))["key"]
    assert value == text if isinstance(value, str) else _as_written(value) == text


def _as_written(value: object) -> str:
    """A number or truth value in the letters that Python and YAML write it in."""
    assert isinstance(value, bool | int | float)
    return str(value).lower()


@given(st.one_of(texts, _TRICKY, _WORDS))
def test_a_line_is_a_line(text: str):
    """No reader sees more lines than the header has: comment signs go before each."""
    written = dump({"key": text}, None)
    assert written.splitlines() == written.split("\n")[:-1]
    assert all(char.isprintable() or char == "\n" or ord(char) >= 0xA0 for char in written)
