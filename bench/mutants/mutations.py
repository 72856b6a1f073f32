"""Finds the places of a module where one small change can be made, and makes it."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}
ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
}
JUNCTIONS: dict[type[ast.boolop], tuple[str, str]] = {ast.And: ("and", "or"), ast.Or: ("or", "and")}


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change of one module: the bytes from `start` to `end` become `after`."""

    path: Path
    line: int
    start: int
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}  {self.before} -> {self.after}"

    def apply(self, source: bytes) -> bytes:
        """Return the module's source with the change made."""
        return source[: self.start] + self.after.encode() + source[self.end :]


def find_mutations(path: Path, source: bytes) -> list[Mutation]:
    """Find every mutation of a module, in the order of its text.

    Comparisons move by one, arithmetic and junctions change their operator, a `not` goes, a number grows by one, a
    truth value turns over, `break` and `continue` change places. Annotations, decorators and what is logged are left
    out: no behavior of ours depends on them.
    """
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def offset(line: int | None, column: int | None) -> int:
        assert line is not None
        assert column is not None
        return starts[line - 1] + column

    def between(left: ast.expr, right: ast.expr, change: tuple[str, str]) -> Iterator[Mutation]:
        """The operator that stands between two expressions."""
        before, after = change
        first = offset(left.end_lineno, left.end_col_offset)
        at = source.find(before.encode(), first, offset(right.lineno, right.col_offset))
        if at >= 0:  # not where an operator is spread over lines
            line = source.count(b"\n", 0, at) + 1
            yield Mutation(path, line, at, at + len(before.encode()), before, after)

    def whole(node: ast.expr | ast.stmt, after: str) -> Iterator[Mutation]:
        """A whole expression or statement."""
        start = offset(node.lineno, node.col_offset)
        end = offset(node.end_lineno, node.end_col_offset)
        yield Mutation(path, node.lineno, start, end, source[start:end].decode(), after)

    def at_node(node: ast.AST) -> Iterator[Mutation]:
        match node:
            case ast.Compare(ops=[operator], comparators=[right]):
                yield from between(node.left, right, COMPARISONS[type(operator)])
            case ast.BinOp(op=operator) if type(operator) in ARITHMETIC:
                yield from between(node.left, node.right, ARITHMETIC[type(operator)])
            case ast.BoolOp(values=[left, right, *_]):
                yield from between(left, right, JUNCTIONS[type(node.op)])
            case ast.UnaryOp(op=ast.Not()):
                yield from whole(node, f"({ast.unparse(node.operand)})")
            case ast.Constant(value=bool(value)):
                yield from whole(node, str(not value))
            case ast.Constant(value=int(value) | float(value)):
                yield from whole(node, str(value + 1))
            case ast.Break():
                yield from whole(node, "continue")
            case ast.Continue():
                yield from whole(node, "break")
            case _:
                pass

    mutations = [mutation for node in relevant(ast.parse(source)) for mutation in at_node(node)]
    return sorted(mutations, key=lambda mutation: (mutation.start, mutation.end))


def relevant(node: ast.AST) -> Iterator[ast.AST]:
    """Walk the nodes whose change a test could notice."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "bases"):
            continue
        children = cast(list[object], value) if isinstance(value, list) else [value]
        for child in children:
            if isinstance(child, ast.AST) and not is_log_call(child):
                yield from relevant(child)


def is_log_call(node: ast.AST) -> bool:
    """Whether a statement only writes to the log."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="log")))):
            return True
        case _:
            return False
