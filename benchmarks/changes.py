"""What can be changed in the functions of a module: one change is a mutant."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

KINDS: Final = (
    "comparison", "constant", "boolean", "return", "sign", "not", "arguments", "statement",
)  # fmt: skip

_OTHER: Final[Mapping[type[ast.AST], type[ast.AST]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult,
}  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Mutant:
    """One change of one file, and what became of it when the tests ran."""

    room: str
    file: str
    line: int
    function: str
    kind: str
    before: str
    after: str
    #: Bytes of the file that are replaced.
    start: int
    end: int
    #: Counts equal changes in one function.
    number: int = 0
    #: found, not found, time-out or crash; and the test that found it.
    outcome: str = ""
    test: str = ""

    @property
    def found(self) -> bool:
        """Whether the tests noticed."""
        return self.outcome != "not found"

    def rank(self, seed: int) -> str:
        """Its place in a random order that does not depend on other code."""
        words = (seed, self.room, self.function, self.before, self.after, self.number)
        return hashlib.sha256(repr(words).encode()).hexdigest()

    def applied(self, source: bytes) -> bytes:
        """The file with this change."""
        return source[: self.start] + self.after.encode() + source[self.end :]


def changed(node: ast.AST) -> tuple[str, ast.AST] | None:
    """The kind of change that a node allows, and what it becomes."""
    match node:
        case ast.Compare(ops=[operator]):
            return "comparison", ast.Compare(
                node.left, [_OTHER[type(operator)]()], node.comparators
            )
        case ast.Constant(value=bool(value)):
            return "boolean", ast.Constant(not value)
        case ast.BoolOp():
            return "boolean", ast.BoolOp(_OTHER[type(node.op)](), node.values)
        case ast.Constant(value=int(value) | float(value)):
            return "constant", ast.Constant(value + 1)
        case ast.Constant(value=str(value)) if not any(map(str.isspace, value)):  # no prose
            return "constant", ast.Constant(f"{value}x")
        case ast.Return(value=ast.expr()) if not _is_none(node.value):
            return "return", ast.Return(ast.Constant(None))
        case ast.BinOp() if type(node.op) in _OTHER and not _has_text(node):
            return "sign", ast.BinOp(node.left, _OTHER[type(node.op)](), node.right)
        case ast.UnaryOp(op=ast.USub()):
            return "sign", node.operand
        case ast.UnaryOp(op=ast.Not()):
            return "not", node.operand
        case ast.Call(args=[first, second, *rest]) if _can_be_swapped(node):
            return "arguments", ast.Call(node.func, [second, first, *rest], node.keywords)
        case (
            ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom())
            | ast.AugAssign()
            | ast.Raise()
            | ast.Continue()
            | ast.Break()
            | ast.Delete()
            | ast.Assign(targets=[ast.Attribute() | ast.Subscript()])
        ):
            return "statement", ast.Pass()
    return None


def mutants_of(source: bytes, file: str, room: str) -> Iterator[Mutant]:
    """Every mutant of a module."""
    lengths = [0]
    for line in source.splitlines(keepends=True):
        lengths.append(lengths[-1] + len(line))
    numbers: defaultdict[tuple[str, str, str], Iterator[int]] = defaultdict(count)
    for function, node in _nodes(ast.parse(source)):
        if (change := changed(node)) is None:
            continue
        kind, other = change
        after = ast.unparse(ast.fix_missing_locations(other))
        start = lengths[node.lineno - 1] + node.col_offset
        end = lengths[node.end_lineno - 1] + node.end_col_offset
        before = source[start:end].decode()
        yield Mutant(
            room=room,
            file=file,
            line=node.lineno,
            function=function,
            kind=kind,
            before=before,
            # What stands in an expression keeps its place in it.
            after=f"({after})" if isinstance(other, ast.expr) else after,
            start=start,
            end=end,
            number=next(numbers[function, before, after]),
        )


def _nodes(
    node: ast.AST, name: str = "", *, is_inside: bool = False
) -> Iterator[tuple[str, ast.AST]]:
    """What runs when functions are called, with their names."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            body = child.body[1:] if ast.get_docstring(child) else child.body
            inner = f"{name}.{child.name}".lstrip(".")
            yield from _nodes(ast.Module(body, []), inner, is_inside=True)
        elif isinstance(child, ast.ClassDef):
            inner = f"{name}.{child.name}".lstrip(".")
            yield from _nodes(child, inner, is_inside=is_inside)
        elif isinstance(child, ast.AnnAssign):
            value = ast.Expr(child.value) if child.value else child
            yield from _nodes(value, name, is_inside=is_inside and child.value is not None)
        # Python 3.11 does not know the places of what stands in f-strings.
        elif not isinstance(child, ast.JoinedStr) and not _is_cast(child):
            if is_inside:
                yield name, child
            yield from _nodes(child, name, is_inside=is_inside)


# What would fail at once, whatever the tests ask, says nothing about them.


def _has_text(node: ast.BinOp) -> bool:
    return any(
        isinstance(side, ast.JoinedStr | ast.List | ast.Tuple)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in (node.left, node.right)
    )


def _can_be_swapped(node: ast.Call) -> bool:
    first, second, *_ = node.args
    return (
        ast.dump(first) != ast.dump(second)
        and not any(isinstance(argument, ast.Starred) for argument in node.args)
        and ast.unparse(node.func) not in ("isinstance", "issubclass")
    )


def _is_none(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_cast(node: ast.AST) -> bool:
    # Its first argument is a type that nobody reads at run time.
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "cast"


def chosen(candidates: Sequence[Mutant], number: int, seed: int) -> list[Mutant]:
    """As many mutants of each kind, where there are; then others."""
    kinds = Counter[str]()
    first, rest = [], []
    for mutant in sorted(candidates, key=lambda mutant: mutant.rank(seed)):
        kinds[mutant.kind] += 1
        (first if kinds[mutant.kind] <= number // len(KINDS) else rest).append(mutant)
    return sorted((first + rest)[:number], key=lambda mutant: (mutant.file, mutant.start))
