"""Every pattern of the project, with the ways in which the code uses it, and texts that are hard for it."""

from __future__ import annotations

import ast
import importlib
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any, NamedTuple

import pyoxigraph

import primad_ld
from primad_ld.archive.endpoint import _LAYOUTS
from primad_ld.core.iris import SH
from primad_ld.header.redaction.texts import FORMS
from primad_ld.nanopub.checking import _FORMS
from primad_ld.schema import canonical
from primad_ld.schema.fields import default_schema
from primad_ld.shacl.shapes import compiled_pattern

ROOT = Path(primad_ld.__file__).parent.parent
#: The ways in which a pattern goes over a text; what finds one match after the other is one way.
_WAYS = {"match": "match", "search": "search", "fullmatch": "fullmatch"} | dict.fromkeys(
    ("sub", "subn", "split", "findall", "finditer"), "finditer"
)


class PatternUse(NamedTuple):
    """A pattern and a way in which it goes over texts."""

    name: str
    pattern: re.Pattern[Any]
    way: str

    def __call__(self, text: str) -> None:
        """Go over a text as the code does."""
        given: Any = text
        if isinstance(self.pattern.pattern, bytes):
            given = text.encode("utf-8", "surrogatepass")
        if self.way == "finditer":
            for _ in self.pattern.finditer(given):
                pass
        else:
            getattr(self.pattern, self.way)(given)


# Patterns of modules ----------------------------------------------------------------------


@cache
def modules(room: str = "") -> list[str]:
    """The names of the modules of a room or of all, but for the one that runs the command line."""
    paths = sorted((ROOT / "primad_ld" / room).rglob("*.py"))
    names = (path.relative_to(ROOT).with_suffix("").parts for path in paths)
    found = (".".join(name).removesuffix(".__init__") for name in names)
    return [name for name in found if not name.endswith("__main__")]


def uses_in(name: str) -> Iterator[PatternUse]:
    """The patterns that a module has in its namespace, or makes where it needs them."""
    module = importlib.import_module(name)
    seen: set[int] = set()
    for variable, value in [*vars(module).items()]:
        # What stands in a table is used by the name of a variable of some function.
        ways = _ways_of(name, variable) or _ways_in_functions(module)
        for pattern in _patterns_in(value, name, seen):
            for way in sorted(ways or {"fullmatch", "search"}):
                yield PatternUse(f"{name}.{variable}", pattern, way)
    for call in _calls_of_re(name):
        pattern = _made_by(call, module)
        if pattern is not None and _method(call) != "compile":
            yield PatternUse(f"{name}:{call.lineno}", pattern, _WAYS[_method(call)])


def unknown_calls(name: str) -> Iterator[str]:
    """The functions of a module that make patterns of what is known only when they run."""
    if not _calls_of_re(name):
        return
    module = importlib.import_module(name)
    unknown = {call for call in _calls_of_re(name) if _made_by(call, module) is None}
    for function in ast.walk(_tree(name)) if unknown else ():
        if isinstance(function, ast.FunctionDef) and not unknown.isdisjoint(ast.walk(function)):
            yield f"{name}.{function.name}"


@cache
def _tree(name: str) -> ast.Module:
    path = ROOT / name.replace(".", "/")
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(file.read_text("utf-8"))


@cache
def _names_with_ways(name: str) -> dict[str, set[str]]:
    """The ways in which a module uses what may be a pattern, by its name."""
    ways: dict[str, set[str]] = {}
    for node in ast.walk(_tree(name)):
        if (
            isinstance(node, ast.Attribute)
            and node.attr in _WAYS
            and isinstance(node.value, ast.Name)
        ):
            ways.setdefault(node.value.id, set()).add(_WAYS[node.attr])
    return ways


def _ways_of(name: str, variable: str) -> set[str]:
    """The ways in which a pattern is used; a public one may be used anywhere."""
    users = [name] if variable.startswith("_") else modules()
    return {way for user in users for way in _names_with_ways(user).get(variable, ())}


def _ways_in_functions(module: ModuleType) -> set[str]:
    """The ways in which a module uses what is not one of its own patterns."""
    found = _names_with_ways(module.__name__).items()
    own = {name for name, value in vars(module).items() if isinstance(value, re.Pattern)}
    return {way for name, ways in found if name not in {*own, "re"} for way in ways}


def _patterns_in(value: Any, name: str, seen: set[int]) -> Iterator[re.Pattern[Any]]:
    """The patterns that a value of a module is or holds."""
    if id(value) in seen:
        return
    seen.add(id(value))
    inner: Iterable[Any] = ()
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        inner = [*value, *value.values()]
    elif isinstance(value, list | tuple | set | frozenset):
        inner = value
    elif isinstance(value, type) and value.__module__ == name:
        inner = vars(value).values()
    elif type(value).__module__.startswith("primad_ld."):
        names = getattr(type(value), "__slots__", None) or getattr(value, "__dict__", ())
        inner = [getattr(value, slot, None) for slot in names]
    for item in inner:
        yield from _patterns_in(item, name, seen)


@cache
def _calls_of_re(name: str) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(_tree(name))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr in (*_WAYS, "compile")
    ]


def _method(call: ast.Call) -> str:
    assert isinstance(call.func, ast.Attribute)
    return call.func.attr


def _made_by(call: ast.Call, module: ModuleType) -> re.Pattern[Any] | None:
    """The pattern of a call, if it is known without running the function around it."""
    takes = {"compile": 1, "sub": 4, "subn": 4, "split": 3}
    flags = [one.value for one in call.keywords if one.arg == "flags"]
    flags += call.args[takes.get(_method(call), 2) :]
    try:
        given = [eval(ast.unparse(one), dict(vars(module))) for one in (call.args[0], *flags)]
    except NameError:
        return None
    return re.compile(*given) if isinstance(given[0], str | bytes) else given[0]


# Patterns of tables -----------------------------------------------------------------------


def uses_of_tables() -> Iterator[PatternUse]:
    """The patterns that stand as texts in tables of modules."""
    for kind in canonical.FOLDINGS:
        for pattern, *_ in canonical._compiled(kind):
            yield PatternUse(f"folding of {kind}", pattern, "finditer")
    for kind, known in canonical.KNOWN.items():
        yield PatternUse(f"names of {kind}", re.compile(known), "fullmatch")
    for name, form in _FORMS.items():
        yield PatternUse(f"form of {name}", re.compile(form, re.ASCII), "fullmatch")
    for layout in _LAYOUTS:
        yield PatternUse(f"endpoint {layout.path}", re.compile(layout.path), "fullmatch")


def uses_in_redaction() -> Iterator[PatternUse]:
    """The patterns of what must not leave the machine."""
    for form in FORMS:
        yield PatternUse(form.name, form.pattern, "finditer")
        if form.within is not None:
            yield PatternUse(f"{form.name}, within", form.within, "finditer")


def uses_in_shapes() -> Iterator[PatternUse]:
    """Each ``sh:pattern`` of a shape, as both judges compile it, and what a template leaves behind."""
    for path in sorted((ROOT / "shapes").rglob("*.ttl")):
        quads = [*pyoxigraph.parse(path=str(path), format=pyoxigraph.RdfFormat.TURTLE)]
        flags = {
            one.subject: one.object.value for one in quads if one.predicate.value == SH + "flags"
        }
        for one in quads:
            if one.predicate.value == SH + "pattern":
                pattern = compiled_pattern(one.object.value, flags.get(one.subject, ""))
                yield PatternUse(f"{path.name}: {one.object.value}", pattern, "search")
    for pattern in default_schema().root.placeholders:
        yield PatternUse(f"placeholder {pattern.pattern}", pattern, "search")


# Hard texts -------------------------------------------------------------------------------

#: What patterns of this project begin with or look for, and pairs of signs that readers split at.
PIECES = (
    *" \t\n\r\0a0A_-./\\@%+#?&=:;,|!*^$~<>()[]{}'\"",
    *(
        "\u00a0",
        "\u00e9",
        "\x1f",
        "\u2026",
        "x",
        "//",
        "/a",
        "a/",
        "://",
        "http://",
        "file:/",
        "a@",
    ),
    *("@a", "a.", "0.", "1,", "a-", "a ", "0 ", ", ", "--", "-p ", "-a ", "a=", "==", "a=='", "%2"),
    *(
        "<<",
        "<a",
        "<>",
        "{{",
        "}}",
        "[a]",
        "(a)",
        "()",
        "((",
        '\\"',
        "\\a",
        '"a"',
        "''",
        "# ",
        "#\n",
    ),
    *(
        "\n ",
        "\na",
        "\r\n",
        "a\n",
        ": ",
        "::",
        "a:",
        "_:a",
        "docker login ",
        "login ",
        "git@",
        "ssh a ",
    ),
    *("10.1/", "password ", "token=", "key: ", "et al ", "1 ghz ", "tree/", "todo ", "echo a|"),
)
#: What stands at the end, so that a match fails there: on the same line, or on the next.
ENDS = ("\x02", "!\n\x02")
#: Which member of a class stands for it in a text made of a pattern.
_PREFERRED = ("a0 /.-_:@", " \t\n/.-\"'a0", "0a.-+", "/.@-:+a", "A-0a\n")
_MANY = 50


class HardText(NamedTuple):
    """A beginning, a piece that is repeated, and an end at which a match fails."""

    start: str
    piece: str
    end: str

    def of_length(self, size: int) -> str:
        """So many characters of pieces, the last of which may be cut off, between the others."""
        pieces = self.piece * (size // len(self.piece) + 1)
        return f"{self.start}{pieces[:size]}{self.end}"


def hard_texts(pattern: re.Pattern[Any]) -> Iterator[HardText]:
    """Every piece, and whatever the pattern itself begins with or repeats, after what leads there."""
    for piece in PIECES:
        yield HardText("", piece, ENDS[0])
    made: dict[tuple[str, str], None] = {}
    # What a pattern of bytes or of ASCII means by a letter makes no difference here.
    written = pattern.pattern
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of brackets that may mean more one day
        tree = parser.parse(
            written if isinstance(written, str) else written.decode("latin-1"),
            pattern.flags & ~re.UNICODE,
        )
    for preferred in _PREFERRED:
        _follow(tree, "", preferred, made)
    for start, piece in made:
        for end in ENDS:
            yield HardText(start, piece, end)


def _follow(
    tree: Iterable[tuple[Any, Any]], start: str, preferred: str, made: dict[tuple[str, str], None]
) -> str:
    """A text that a part of a pattern matches, after ``start``; notes what it repeats on the way."""
    text = start
    for code, argument in tree:
        if code is codes.LITERAL:
            text += chr(argument)
        elif code is codes.NOT_LITERAL:
            text += next(one for one in preferred if ord(one) != argument)
        elif code is codes.ANY:
            text += preferred[0] if preferred[0] != "\n" else "a"
        elif code is codes.IN:
            text += _member(argument, preferred)
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            least, most, inner = argument
            piece = _follow(inner, text, preferred, made)[len(text) :]
            if most >= _MANY and piece:
                made[text, piece] = None
            text += piece * least
        elif code is codes.SUBPATTERN:
            text = _follow(argument[3], text, preferred, made)
        elif code is codes.ATOMIC_GROUP:
            text = _follow(argument, text, preferred, made)
        elif code is codes.BRANCH:
            ways = [_follow(branch, text, preferred, made) for branch in argument[1]]
            text = ways[0]
        elif code is codes.ASSERT and argument[0] > 0:
            _follow(argument[1], text, preferred, made)
    if text:
        made["", text[-60:]] = None
    return text


def _member(members: Iterable[tuple[Any, Any]], preferred: str) -> str:
    """One character of a class."""
    listed = [*members]
    is_negated = any(code is codes.NEGATE for code, _ in listed)
    for letter in preferred + "".join(map(chr, range(9, 127))):
        if any(_is_one(letter, code, argument) for code, argument in listed) != is_negated:
            return letter
    code, argument = listed[0]
    return chr(argument if code is codes.LITERAL else argument[0])


def _is_one(letter: str, code: Any, argument: Any) -> bool:
    if code is codes.LITERAL:
        return ord(letter) == argument
    if code is codes.RANGE:
        return bool(argument[0] <= ord(letter) <= argument[1])
    if code is codes.CATEGORY:
        return _CATEGORIES[argument](letter)
    return False


_CATEGORIES: dict[Any, Callable[[str], bool]] = {
    codes.CATEGORY_DIGIT: str.isdigit,
    codes.CATEGORY_NOT_DIGIT: lambda letter: not letter.isdigit(),
    codes.CATEGORY_SPACE: str.isspace,
    codes.CATEGORY_NOT_SPACE: lambda letter: not letter.isspace(),
    codes.CATEGORY_WORD: lambda letter: letter.isalnum() or letter == "_",
    codes.CATEGORY_NOT_WORD: lambda letter: not (letter.isalnum() or letter == "_"),
}
