"""YAML read as text: nothing guessed, every key placed, and only `HeaderError` for what is bad."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import assume, example, given
from hypothesis import strategies as st
from support import problem_of

from primad_ld.core.errors import HeaderError
from primad_ld.core.yamltext import DEEPEST, Mapping, Sequence, parse


@pytest.mark.parametrize(
    "text",
    [
        "0123456",  # an octal number to YAML 1.1: a commit
        "12e5",  # a float: a commit, too
        "0.10",  # 0.1: a version
        "2020",
        "no",  # false: Norway's language
        "Yes",
        "true",
        "1:30",  # 90, in base 60
        "0x1f",
        "2026-11-18",  # a date
        "1_000",
        ".inf",
        "=",  # a default value
        "<<",  # a merge
        "a:b",
        "C:\\x",
        "a#b",
        "https://example.org/#x",
    ],
)
def test_a_scalar_is_the_text_that_stands_there(text: str):
    assert parse(f"key: {text}") == {"key": text}
    assert parse(f"{text}: value") == {text: "value"}
    assert parse(f"- {text}") == [text]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("key:", None),
        ("key: ~", None),
        ("key: null", None),
        ("key: NULL", None),
        ("key: Null", None),
        ("key: nULL", "nULL"),  # YAML knows three spellings
        ("key: 'null'", "null"),  # in quotes it is a text
        ('key: "~"', "~"),
        ("key: ''", ""),
        ("key: nullable", "nullable"),
        ("key: []", []),
        ("key: {}", {}),
        ("key: '0.10'", "0.10"),
        ('key: "a\\tb\\u263a"', "a\tb☺"),
        ("key: a\n  b\n\n  c", "a b\nc"),  # plain texts are folded
        ("key: |\n  a\n  b\n", "a\nb\n"),
        ("key: |-\n  a\n   b\n", "a\n b"),
        ("key: >\n  a\n  b\n", "a b\n"),
        ("key: &anchor value", "value"),  # an anchor without an alias harms nobody
        ("key: value # remark", "value"),
        ("key: {a: 1, b: [2, 3]}", {"a": "1", "b": ["2", "3"]}),
        ("key:\n- a\n-\n- [b]", ["a", None, ["b"]]),
        ("? key\n: value", "value"),
        ("'key': value", "value"),
        ("---\nkey: value\n...\n", "value"),
        ("%YAML 1.1\n---\nkey: value", "value"),
        ("# remark\n\nkey: value", "value"),
        ("key: a\r\n", "a"),
        ("\ufeffkey: a", "a"),
    ],
)
def test_values(text: str, value: Any):
    assert parse(text) == {"key": value}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('!!null "null"', None),  # as tirex-tracker 0.2.14 writes them
        ('!!bool "false"', "false"),
        ('!!int "1"', "1"),
        ('!!float "0.50"', "0.50"),
        ("!!null ''", None),
        ("!!null", None),
        ("!!null ~", None),
        ("!!bool TRUE", "true"),
        ("!!bool No", "false"),  # YAML 1.1, as PyYAML reads it
        ("!!bool on", "true"),
        ("!!int -12", "-12"),
        ("!!int 0x1F", "31"),
        ("!!int 0o17", "15"),
        ("!!int 007", "007"),  # 7 to YAML 1.2; the letters stay, as without a tag
        ("!!float 1", "1"),
        ("!!float 12e5", "12e5"),
        ("!!float -.inf", "-.inf"),
        ("!!float .NaN", ".NaN"),
        ("!!str 5", "5"),
        ("!!str null", "null"),
        ("!!str", ""),
        ("!!str |\n  a\n  b\n", "a\nb\n"),
        ("!<tag:yaml.org,2002:int> 1", "1"),
        ("!!seq [!!int 1, !!null ~]", ["1", None]),
        ("!!seq\n- a", ["a"]),
        ("!!map {!!str a: !!bool yes}", {"a": "true"}),
        ("!!map\n  a: b", {"a": "b"}),
        ("&x !!int 1", "1"),
    ],
)
@pytest.mark.parametrize("drop_empty", [False, True])
def test_core_tags_say_what_a_value_is(text: str, value: Any, drop_empty: bool):
    # A tag is more than nothing: a template's empty places have none.
    assert parse(f"key: {text}", drop_empty=drop_empty) == {"key": value}


@pytest.mark.parametrize("text", ["", "\n\n", "# a remark", "---", "--- ~", "null", "---\n...\n"])
def test_nothing(text: str):
    assert parse(text) is None


# Places ----------------------------------------------------------------------------------


def test_places():
    tree = parse("a: 1\n\n# remark\nb:\n  c: {d: 2,\n   'e': 3}\n  f:\n  - 4\n  -   g: 5\n")
    assert isinstance(tree, Mapping)
    assert tree.places == {"a": (1, 1), "b": (4, 1)}
    b: Any = tree["b"]
    assert b.places == {"c": (5, 3), "f": (7, 3)}
    assert b["c"].places == {"d": (5, 7), "e": (6, 4)}
    assert b["f"].places == [(8, 5), (9, 7)]
    assert b["f"][1].places == {"g": (9, 7)}


def test_places_begin_at_the_line_of_the_file():
    tree = parse("a: 1\nb: [2]\n", first_line=11)
    assert isinstance(tree, Mapping)
    assert (tree.places["a"][0], tree.places["b"][0]) == (11, 12)
    assert isinstance(tree["b"], Sequence)
    assert tree["b"].places[0][0] == 12


@pytest.mark.parametrize(
    "text",
    [
        "a: |\n  1\n  2\nb: x\n",
        'a: "1\n  2"\nb: x\n',
        "a: 1\r\n\r\n\r\nb: x\r\n",
        'a: "1\u2028"\n\n\nb: x\n',  # YAML counts this as a line break, editors do not
        "a: '\x85'\n\n\nb: x\n",
        "a: |\n  \u2029\n\nb: x\n",
    ],
)
def test_lines_are_those_of_an_editor(text: str):
    tree = parse(text)
    assert isinstance(tree, Mapping)
    above = text[: text.index("b: x")]
    assert tree.places["b"][0] == above.count("\n") + 1


# Errors ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("a: 1\na: 2", 2, "duplicate key 'a' \\(first in line {}\\)"),
        ("b:\n  a: 1\n  'a': 2", 3, "duplicate key 'a' \\(first in line {}\\)"),
        ("b: {a: 1, a: 2}", 1, "duplicate key"),
        ("a:\na: 2", 2, "duplicate key"),
        ("a: &x 1\nb: *x", 2, "aliases such as \\*x are not allowed"),
        ("a: &x 1\n*x : 2", 2, "aliases such as \\*x are not allowed"),
        ("a: *x", 1, "aliases such as \\*x are not allowed"),
        ("a: 1\nb: !!int abc", 2, "'abc' is not a valid !!int"),
        ("a: !!int ''", 1, "!!int"),
        ("a: !!int 1.0", 1, "!!int"),
        ("a: !!int 1_000", 1, "!!int"),  # not in YAML 1.2
        ("a: !!int 1:30", 1, "!!int"),
        ("a:\n- !!float 1,5", 2, "!!float"),
        ("a: !!bool 1", 1, "!!bool"),
        ("a: !!bool", 1, "!!bool"),
        ("a: !!null none", 1, "!!null"),
        ("a: !!map x", 1, "the tag !!map does not fit its value"),
        ("a: !!seq {b: 1}", 1, "the tag !!seq does not fit its value"),
        ("a: !!str [b]", 1, "the tag !!str does not fit its value"),
        ("!!int 1: 2", 1, "the tag !!int does not fit its value"),  # a key is a text
        ("a: !", 1, "the YAML tag '!' is not allowed"),
        ("a: !!python/object/apply:os.system [x]", 1, "'!!python/object/apply:os.system'"),
        ("a: !own {b: 1}", 1, "the YAML tag '!own' is not allowed"),
        ("a: !int 1", 1, "the YAML tag '!int' is not allowed"),
        ("a: !!timestamp 2026-11-18", 1, "!!timestamp"),
        ("a:\n- !!set {b}", 2, "!!set"),
        ("!!omap {a: 1}", 1, "!!omap"),
        ("b:\n  !!binary YQ==: 1", 2, "!!binary"),
        ("a: 1\n---\nb: 2", 2, "second YAML document"),
        ("a: 1\n...\n---\n", 3, "second YAML document"),
        ("? [a]\n: 1", 1, "a key must be a string"),
        ("? {a: b}\n: 1", 1, "a key must be a string"),
        ("a: 1\n: 2", 2, "key"),
        ("a:\n\tb: 1", 2, "this line is indented with a tab"),
        ("a: 'x\u2028y\x85z'\nb: @c", 2, "cannot start any token"),  # breaks to YAML alone
        ("a: 'x\u2028y'\nc:\n\tb: 1", 3, "this line is indented with a tab"),
        ("a: 1\n\tb: 1", 2, "tab"),
        ("a: b: c", 1, "unexpected colon"),
        ("a: 1\n  b: 2", 2, "unexpected colon"),
        ("a: 1\nb", 2, "expected ':'"),
        ("b: 1\na: 'x\nc: d", 2, "quoted text has no end"),
        ("a: [1, 2\nb: 1", 1, "list has no end"),
        ("a: {b: 1\nc: 2", 1, "mapping in braces has no end"),
        ("a: @home", 1, "cannot start"),
        ("a: `cmd`", 1, "cannot start"),
        ("a: %x", 1, "cannot start"),
        ('a: "\\q"', 1, "escape"),
        ('a: 1\nb: "\\ud800"', 2, None),
        ("a: 1\nb: \x07", 2, "not allowed in YAML"),
        ("a: 1\nb: \x00", 2, "not allowed in YAML"),
        ("a: ü\n\nb: \x1b[31m", 3, "not allowed in YAML"),
        ("a: 1\nb: \uffff", 2, "not allowed in YAML"),
        ("%TAG ! tag:x,2000:\n---\na: !b c", 1, "directives"),
        ("# x\n%FOO\n---\na: b", 2, "directive"),
    ],
)
@pytest.mark.parametrize("first_line", [1, 41])
def test_errors_name_the_line(text: str, line: int, why: str | None, first_line: int):
    match = why and why.replace("{}", str(first_line + line - 2))
    with pytest.raises(HeaderError, match=match) as caught:
        parse(text, first_line=first_line)
    error = caught.value
    assert error.line is not None
    last = text.count("\n") + 2 if why is None else line
    assert line <= error.line - first_line + 1 <= last


def test_a_half_character_is_an_error():
    # Such a text cannot come from a file, but from a caller of the library.
    with pytest.raises(HeaderError):
        parse("a: \ud800")


@pytest.mark.parametrize(
    "open_and_close",
    [("[", "]"), ("{a: ", "}"), ("- ", ""), ("? ", "")],
)
def test_depth(open_and_close: tuple[str, str]):
    open_, close = open_and_close
    with pytest.raises(HeaderError, match=r"nested deeper than 32 levels|a key must be a string"):
        parse(open_ * (DEEPEST + 1) + "x" + close * (DEEPEST + 1))
    if open_ != "? ":
        parse(open_ * DEEPEST + "x" + close * DEEPEST)


# Templates -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("a:\nb: 1", {"b": "1"}),
        ("a: null\nb: ~\nc:", {"a": None, "b": None}),  # null says something
        ("a: ''\nb: \"\"", {"a": "", "b": ""}),  # so do quotes
        ("a: []\nb: {}", {"a": [], "b": {}}),
        ("a:\n  b:\n  c:\n    d:", {}),  # a branch of nothing
        ("a:\n  b:\n  c: 1", {"a": {"c": "1"}}),
        ("a:\n-\n- 1\n-", {"a": ["1"]}),
        ("a:\n- b:\n  c:\n- b: 1\n  c:", {"a": [{"b": "1"}]}),
        ("a:\n  -", {}),
        ("a: # nothing yet\nb: 1", {"b": "1"}),
        ("a:\n- null", {"a": [None]}),
    ],
)
def test_what_a_template_left_empty_is_dropped(text: str, filled: Any):
    assert parse(text, drop_empty=True) == filled


def test_places_of_what_is_left():
    tree = parse("a:\n-\n- 1\n-\n- b:\n  c: 2\n", drop_empty=True)
    assert isinstance(tree, Mapping)
    assert isinstance(tree["a"], Sequence)
    assert [place[0] for place in tree["a"].places] == [3, 5]


# Any text --------------------------------------------------------------------------------

# Texts of the characters that mean something to YAML reach more of the parser than any letters.
_YAMLISH = st.text(alphabet="abc: -#\n\t[]{},'\"|>&*!%@`?~<=\\\r0\x85\u2028é\x00", max_size=60)


@given(st.one_of(_YAMLISH, st.text(max_size=40)))
@example("- a\n-\tb: c")
@example('"\\x')
@example("\x00")
@example("?\t:\n\t")
@example("a: |\n\t")
@example("%")
@example("\ud800".encode("utf-8", "replace").decode())
def test_any_text_is_a_tree_or_a_header_error(text: str):
    for drop_empty in (False, True):
        problem = problem_of(lambda drop=drop_empty: parse(text, drop_empty=drop))
        if problem is not None:
            assert problem.why
            assert problem.line is not None
            assert 1 <= problem.line <= len(text) + 2


@given(_YAMLISH)
def test_what_is_read_is_what_another_reader_reads(text: str):
    assume(problem_of(lambda: parse(text)) is None)
    mine = parse(text)
    theirs = yaml.load(text, yaml.CBaseLoader)
    assert _without_nulls(mine) == _as_read(theirs)


def _without_nulls(value: Any) -> Any:
    """The tree as a reader that knows no null: both spell it as some text."""
    if isinstance(value, Mapping):
        return {key: _without_nulls(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [_without_nulls(item) for item in value]
    return "" if value is None else value


def _as_read(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _as_read(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_read(item) for item in value]
    return "" if value in (None, "~", "null", "Null", "NULL") else value
