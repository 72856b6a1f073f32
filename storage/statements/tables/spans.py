"""Spans of mentions as they are stored: most of them are an exact hit that counts, and say no more than where it is."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from sqlalchemy.engine import Dialect

from storage.statements.tables.columns import JsonText, parse_if_json, parse_json, write_json

USUAL = {"kind": "exact", "status": "counted", "reason": None}
FIELDS = ("start", "end", *USUAL)


def shortened(span: Any) -> Any:
    """Return a span as a list, of its place alone where the rest is as usual; what is none stays as it is."""
    if not isinstance(span, Mapping):
        return span
    fields = cast(Mapping[str, Any], span)
    if set(fields) != set(FIELDS):
        return fields
    usual = all(fields[name] == value for name, value in USUAL.items())
    return [fields["start"], fields["end"]] if usual else [fields[name] for name in FIELDS]


def spelled_out(spans: Any) -> Any:
    """Return stored spans with their fields named, as earlier releases stored them too."""
    return [_with_names(span) for span in cast(list[Any], spans)] if isinstance(spans, list) else spans


def _with_names(span: Any) -> Any:
    if not isinstance(span, list):
        return span
    values = cast(list[Any], span)
    if len(values) not in (2, len(FIELDS)):
        return values
    return {**USUAL, **dict(zip(FIELDS, values, strict=False))}


def parse_spans(text: str) -> Any:
    """Parse stored spans."""
    return spelled_out(parse_json(text))


def parse_if_spans(text: str) -> Any:
    """Parse stored spans; return a text that is no JSON as it is."""
    return spelled_out(parse_if_json(text))


class SpansText(JsonText):
    """The spans of one mention: given and read as mappings, stored as lists."""

    cache_ok = True
    read_stored = staticmethod(parse_spans)

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """Serialise spans; a JSON value that is no list of them is stored as it is."""
        if not isinstance(value, list | tuple):
            return super().process_bind_param(value, dialect)
        return write_json([shortened(span) for span in cast(Sequence[Any], value)])

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Parse the stored text."""
        return None if value is None else parse_spans(value)


class UnprovenSpans(SpansText):
    """The same as a verification reads it: of a text that is no JSON, the text."""

    cache_ok = True
    read_stored = staticmethod(parse_if_spans)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Parse the stored text if that can be done."""
        return None if value is None else parse_if_spans(value)


SpansText.unproven = UnprovenSpans
