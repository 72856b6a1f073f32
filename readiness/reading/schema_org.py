"""schema.org's own list of types and properties, and what in a page's markup does not agree with it.

`schema_org.json` holds every name of one release, the pending ones too; `bench/schema_org.py` writes it.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from readiness.reading.page import MarkupFault

FILE = Path(__file__).with_name("schema_org.json")
SCHEMA = re.compile(r"^(?:https?://(?:www\.)?schema\.org/|schema:)", re.I)
ZONE = r"(Z|[+-]\d\d:?\d\d)?"
DATE, TIME = r"\d{4}(-\d\d(-\d\d)?)?", rf"\d\d:\d\d(:\d\d(\.\d+)?)?{ZONE}"
FORMS = {
    "Date": DATE,
    "DateTime": rf"{DATE}([T ]{TIME})?",
    "Time": TIME,
    "Number": r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?",
    "Boolean": r"true|false",
    "Text": r"(?s:.*)",
    "Quantity": r"(?s:.*)",
}
"""How values of schema.org's data types are written (https://schema.org/DataType)."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """One release; the `lines` of a type are itself and all its ancestors."""

    version: str
    date: str
    lines: Mapping[str, frozenset[str]]
    domains: Mapping[str, frozenset[str]]
    ranges: Mapping[str, frozenset[str]]
    members: Mapping[str, frozenset[str]]

    def faults(self, node: Mapping[str, Any], pointer: str) -> Iterator[MarkupFault]:
        """Yield unknown types, unknown or misplaced properties, and values of a kind that a property does not take.

        Names of other vocabularies are passed over. Text in the place of an object is allowed, as schema.org does.
        """
        types = [SCHEMA.sub("", str(name)) for name in _items(node.get("@type"))]
        for name in types:
            if _is_ours(name) and name not in self.lines:
                yield MarkupFault(
                    f"{pointer}/@type", f'"@type": {json.dumps(name)}', f"schema.org has no type {name}"
                )
        line = self._line(types)
        for key, value in node.items():
            name = SCHEMA.sub("", key)
            base = name.removesuffix("-input").removesuffix("-output")  # parameters of actions
            if line is None or name.startswith("@") or not _is_ours(name):
                continue
            if base not in self.domains:
                detail = f"schema.org has no property {name}"
            elif (
                not self.domains[base] & line and "Role" not in line
            ):  # a role repeats the property that it is of
                detail = f"{name} is no property of {', '.join(types)}"
            elif name == base and not all(self._fits(self.ranges[base], item) for item in _items(value)):
                detail = f"{name} takes {' or '.join(sorted(self.ranges[base]))}"
            else:
                continue
            place = key.replace("~", "~0").replace("/", "~1")
            written = f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)[:200]}"
            yield MarkupFault(f"{pointer}/{place}", written, detail)

    def _line(self, types: list[str]) -> frozenset[str] | None:
        """All types that these are; None where one of them is not known."""
        lines = [self.lines.get(name) for name in types]
        return None if None in lines else frozenset[str]().union(*(line for line in lines if line))

    def _fits(self, ranges: frozenset[str], value: Any) -> bool:
        if value is None or isinstance(value, list):
            return True
        if isinstance(value, dict):
            item = cast(dict[str, Any], value)
            line = self._line([SCHEMA.sub("", str(name)) for name in _items(item.get("@type"))])
            return not line or "@value" in item or bool(line & (ranges | {"Role"}))
        kinds = frozenset[str]().union(*(self.lines[name] for name in ranges))
        text = SCHEMA.sub("", str(value).strip())
        if any(re.fullmatch(FORMS[kind], text, re.I) for kind in kinds & FORMS.keys()) or "//" in text:
            return True
        if "Enumeration" in kinds:
            return text in self.lines or bool(self.members.get(text, frozenset()) & ranges)
        return "Thing" in kinds


def _is_ours(name: str) -> bool:
    return ":" not in name and "/" not in name


def _items(value: Any) -> list[Any]:
    return cast(list[Any], value) if isinstance(value, list) else [] if value is None else [value]


@cache
def vocabulary() -> Vocabulary:
    """The shipped release."""
    stored = json.loads(FILE.read_text(encoding="utf-8"))

    @cache
    def line(name: str) -> frozenset[str]:
        parents: str = stored["types"].get(name, "")
        return frozenset((name,)).union(*map(line, parents.split()))

    def named(table: str, column: int) -> dict[str, frozenset[str]]:
        return {name: frozenset(row[column].split()) for name, row in stored[table].items()}

    return Vocabulary(
        version=stored["version"],
        date=stored["date"],
        lines={name: line(name) for name in stored["types"]},
        domains=named("properties", 0),
        ranges=named("properties", 1),
        members={
            name: frozenset[str]().union(*map(line, kinds.split()))
            for name, kinds in stored["members"].items()
        },
    )
