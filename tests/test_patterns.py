"""Every regular expression of the product reads hostile text in linear time."""

import ast
import importlib
import importlib.util
import pkgutil
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

import pytest

from analytics.matching.homonyms import homonym_of
from analytics.matching.negation_cues import cue_words

# How a pattern is parsed has no public door; a Python that moves it fails here first.
sre: Any = importlib.import_module("re._constants")
sre_parser: Any = importlib.import_module("re._parser")
HOUSE = (
    "server", "rest_bridge", "web", "tools", "workflows", "measurement", "readiness", "oauth", "engines",
    "analytics", "storage",
)  # fmt: skip
SIZES = (10_000, 20_000, 40_000)
MOST_GROWTH = 2.6
FIRST_SIZES = (1_000, 4_000)
MOST_FIRST_GROWTH = 4.25
"""What grows by 2.6 from 20 to 40 KB, partly with the text and partly with its square, grows by this from 1 to 4 KB. The
time of the larger text is the less of two, that of the smaller the least of three."""
FLOOR_SECONDS = 0.002
"""A search of 40 KB that is quicker than this is dominated by what it costs to begin."""
HOPELESS_SECONDS = 0.1
"""A search of 4 KB that takes this long needs no comparison."""
MOST_REPEATED = 3
"""A pattern that repeats nothing more often than this takes as many steps from each place of any text."""
RUNS, ROUNDS = 5, 6
"""Searches of each text in a round, of which the quickest counts, and rounds, of which the lowest growth does."""
INLINE = frozenset(("match", "search", "fullmatch", "findall", "finditer", "sub", "subn", "split", "compile"))


def modules(package: str) -> Iterator[Any]:
    root = importlib.import_module(package)
    yield root
    for info in pkgutil.walk_packages(root.__path__, f"{package}."):
        if "migrations" not in info.name and not info.name.endswith("__main__"):
            yield importlib.import_module(info.name)


def held(value: object, depth: int = 3) -> Iterator[re.Pattern[Any]]:
    """Yield the patterns in a module's value: itself, what a container holds, what a class has."""
    if isinstance(value, re.Pattern):
        yield cast(re.Pattern[Any], value)
    elif depth and isinstance(value, (tuple, list, set, frozenset)):
        for item in cast(Iterable[Any], value):
            yield from held(item, depth - 1)
    elif depth and isinstance(value, dict):
        for item in (*cast(dict[Any, Any], value), *cast(dict[Any, Any], value).values()):
            yield from held(item, depth - 1)
    elif depth and str(getattr(value, "__module__", "")).partition(".")[0] in HOUSE:
        contents: dict[str, Any] = dict(getattr(value, "__dict__", {}))
        contents |= {name: getattr(value, name, None) for name in getattr(value, "__dataclass_fields__", ())}
        for item in contents.values():
            yield from held(item, depth - 1)


def inline(module: Any) -> Iterator[re.Pattern[Any]]:
    """Yield the patterns written as literals into calls of the re module."""
    source = importlib.util.find_spec(module.__name__)
    if source is None or not source.origin or not source.origin.endswith(".py"):
        return
    with open(source.origin, encoding="utf-8") as file:
        written = file.read()
    if "re." not in written:  # most modules
        return
    for node in ast.walk(ast.parse(written)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        of_re = isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
        first = node.args[0]
        if (
            of_re
            and node.func.attr in INLINE
            and isinstance(first, ast.Constant)
            and isinstance(first.value, (str, bytes))
        ):
            yield re.compile(first.value)


def patterns(package: str) -> dict[str, re.Pattern[Any]]:
    """Return every pattern of a package under the first place where it stands."""
    collected: dict[tuple[Any, int], str] = {}
    searched: set[int] = set()
    for module in modules(package):
        names = cast(dict[str, object], vars(module))
        for name, value in names.items():
            if (
                id(value) in searched
            ):  # what another module has imported too; its patterns are under their first place
                continue
            searched.add(id(value))
            for pattern in held(value):
                collected.setdefault((pattern.pattern, pattern.flags), f"{module.__name__}.{name}")
        if module.__name__ == "analytics":
            for pattern in held((cue_words(), homonym_of("apple"))):
                collected.setdefault((pattern.pattern, pattern.flags), "analytics, made on first use")
        for pattern in inline(module):
            collected.setdefault((pattern.pattern, pattern.flags), f"{module.__name__} inline")
    result: dict[str, re.Pattern[Any]] = {}
    for (text, flags), place in collected.items():
        key, number = place, 1
        while key in result:
            number += 1
            key = f"{place}#{number}"
        result[key] = re.compile(text, flags)
    return result


def sample(items: Iterable[Any], most: int = 1) -> str:
    """Return a short text that the parsed items match, look-arounds aside."""
    return "".join(piece(op, argument, most) for op, argument in items)


def piece(op: Any, argument: Any, most: int) -> str:
    if op is sre.LITERAL:
        return chr(argument)
    if op is sre.NOT_LITERAL:
        return "a" if argument != ord("a") else "b"
    if op is sre.ANY:
        return "a"
    if op is sre.IN:
        return member(argument)
    if op is sre.BRANCH:
        return sample(argument[1][0], most)
    if op is sre.SUBPATTERN:
        return sample(argument[3], most)
    if op is sre.ATOMIC_GROUP:
        return sample(argument, most)
    if op in REPEATS:
        low, high, body = argument
        return sample(body, most) * max(low, min(high, most))
    return ""


REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
CATEGORIES = {
    sre.CATEGORY_DIGIT: "1", sre.CATEGORY_SPACE: " ", sre.CATEGORY_WORD: "a",
    sre.CATEGORY_NOT_DIGIT: "a", sre.CATEGORY_NOT_SPACE: "a", sre.CATEGORY_NOT_WORD: ".",
}  # fmt: skip


def member(charset: Any) -> str:
    """Return one character of a set; of a negated one the first that it does not exclude."""
    inside = [character for item in charset for character in members(item)]
    if charset[0][0] is not sre.NEGATE:
        return inside[0] if inside else "a"
    return next(
        (c for c in 'a1 .-"<x' if not re.match(re.escape(c), "".join(inside)) and c not in inside), "~"
    )


def members(item: tuple[Any, Any]) -> list[str]:
    op, argument = item
    if op is sre.LITERAL:
        return [chr(argument)]
    if op is sre.RANGE:
        return [chr(argument[0])]
    if op is sre.CATEGORY:
        return [CATEGORIES.get(argument, "a")]
    return []


def repeats(items: Iterable[Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each repetition of a parsed pattern with a text that leads up to it."""
    for op, argument in items:
        if op in REPEATS:
            _, high, body = argument
            if high > 3:
                yield before, body
            yield from repeats(body, before)
        elif op is sre.BRANCH:
            for branch in argument[1]:
                yield from repeats(branch, before)
        elif op is sre.SUBPATTERN:
            yield from repeats(argument[3], before)
        elif op is sre.ATOMIC_GROUP:
            yield from repeats(argument, before)
        before += piece(op, argument, 1)


def characters(items: Iterable[Any]) -> Iterator[str]:
    """Yield a character of every set and literal of a parsed pattern."""
    for op, argument in items:
        if op is sre.IN:
            yield from (character for item in argument for character in members(item))
        elif op in (sre.LITERAL,):
            yield chr(argument)
        elif op in REPEATS:
            yield from characters(argument[2])
        elif op is sre.BRANCH:
            for branch in argument[1]:
                yield from characters(branch)
        elif op is sre.SUBPATTERN:
            yield from characters(argument[3])
        elif op is sre.ATOMIC_GROUP:
            yield from characters(argument)


def pumps(pattern: re.Pattern[Any]) -> set[tuple[str, str, str]]:
    """Return (beginning, pumped unit, end) triples made from a pattern's own parts."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    parsed = sre_parser.parse(text, pattern.flags & ~re.UNICODE)
    made: set[tuple[str, str, str]] = set()
    for before, body in repeats(parsed):
        unit = sample(body) or "a"
        made |= {("", unit, "\x00"), (before, unit, "\x00"), (before, unit, "")}
        if before:
            made |= {("", before + unit, "\x00"), ("", before, "\x00")}
        made |= {("", f"{unit} ", "\x00"), ("", f"{unit}.", "\x00")}
    whole = sample(parsed)
    if whole:
        made |= {("", whole, ""), ("", f"{whole} ", "\x00"), ("", whole[:-1] or "a", "\x00")}
    singles = list(dict.fromkeys(characters(parsed)))[:4]
    made |= {("", single, "\x00") for single in singles}
    made |= {("", "a.", "\x00"), ("", "1 ", "\x00"), ("", "A ", "\x00"), ("", "1", "\x00"), ("", " ", "x")}
    return made


def seconds(pattern: Any, text: Any) -> float:
    """Return the processor time of one search for all matches."""
    began = time.thread_time()
    for _ in pattern.finditer(text):
        pass
    return time.thread_time() - began


def fed(pattern: re.Pattern[Any], pump: tuple[str, str, str], size: int) -> Any:
    before, unit, end = pump
    text = before + unit * (size // len(unit)) + end
    return text if isinstance(pattern.pattern, str) else text.encode("utf-8", "replace")


def growth(pattern: re.Pattern[Any], pump: tuple[str, str, str]) -> float:
    """Return the larger growth of two doublings, 0 for searches too quick to compare or linear from the beginning."""
    first, second = (fed(pattern, pump, size) for size in FIRST_SIZES)
    quickest = seconds(pattern, first)
    if quickest > HOPELESS_SECONDS or (fourfold := seconds(pattern, second)) > HOPELESS_SECONDS:
        return float("inf")
    quickest = min(quickest, *(seconds(pattern, first) for _ in range(2)))
    if fourfold > MOST_FIRST_GROWTH * quickest:
        fourfold = min(fourfold, seconds(pattern, second))
    if fourfold <= MOST_FIRST_GROWTH * quickest:
        return 0.0
    texts = [fed(pattern, pump, size) for size in SIZES]
    longest = seconds(pattern, texts[-1])
    if longest < FLOOR_SECONDS:
        return 0.0
    times = [*(seconds(pattern, text) for text in texts[:-1]), longest]
    if growth_of(times) <= MOST_GROWTH:
        return 0.0
    lowest = float("inf")
    for _ in range(ROUNDS if times[-1] < 1 else 1):
        lowest = min(lowest, growth_of([min(seconds(pattern, text) for _ in range(RUNS)) for text in texts]))
        if lowest <= MOST_GROWTH:  # no further round can raise it
            break
    return lowest


def growth_of(times: Sequence[float]) -> float:
    """Return the larger growth of two doublings."""
    return max(times[1] / (times[0] or 1e-9), times[2] / (times[1] or 1e-9))


def is_bounded(pattern: re.Pattern[Any]) -> bool:
    """Tell whether no part may be repeated without end: each place is then left after so many steps at most."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    parsed = sre_parser.parse(text, pattern.flags & ~re.UNICODE)
    return all(high <= MOST_REPEATED for high in limits(parsed))


def limits(items: Iterable[Any]) -> Iterator[int]:
    """Yield how often at most each repetition of a parsed pattern is taken."""
    for op, argument in items:
        if op in REPEATS:
            yield int(argument[1])
            yield from limits(argument[2])
        elif op is sre.BRANCH:
            for branch in argument[1]:
                yield from limits(branch)
        elif op is sre.SUBPATTERN:
            yield from limits(argument[3])
        elif op is sre.ATOMIC_GROUP:
            yield from limits(argument)
        elif op in (sre.ASSERT, sre.ASSERT_NOT):
            yield from limits(argument[1])
        elif op is sre.GROUPREF_EXISTS:
            yield from limits(argument[1])
            yield from limits(argument[2] or ())


def slowest(pattern: re.Pattern[Any]) -> tuple[tuple[str, str, str], float] | None:
    """Return a text whose reading grows faster than the text, and how fast; None where none was found."""
    if is_bounded(pattern):
        return None
    measured = ((pump, growth(pattern, pump)) for pump in sorted(pumps(pattern)))
    return next(((pump, grown) for pump, grown in measured if grown > MOST_GROWTH), None)


@pytest.mark.parametrize("package", HOUSE)
def test_patterns_of_a_package_read_pumped_text_in_linear_time(package: str) -> None:
    found = {place: slowest(pattern) for place, pattern in patterns(package).items()}
    assert {place: slow for place, slow in found.items() if slow} == {}


def test_the_measure_finds_a_quadratic_pattern() -> None:
    assert slowest(re.compile(r"(?:a long word )+x")) is not None
