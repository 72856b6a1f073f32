"""Column types and conventions shared by all tables, equal on SQLite and PostgreSQL."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from math import isfinite
from typing import Any, cast

from pydantic_core import from_json
from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    Text,
    type_coerce,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

from storage.encoding import compress_text, decompress_text

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

OF_NOBODY = {"owner": "nobody"}
"""Marks a table of names that are the same for every company."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class UtcTime(TypeDecorator[datetime]):
    """An instant, stored as whole microseconds since 1970 in UTC: it sorts and compares alike everywhere."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Convert an aware datetime to microseconds; a naive one raises TypeError."""
        return None if value is None else (value - EPOCH) // MICROSECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """Convert microseconds to an aware datetime in UTC."""
        return None if value is None else EPOCH + timedelta(microseconds=value)


def parse_json(text: str) -> Any:
    """Parse stored JSON."""
    try:
        return from_json(text)  # four times as fast as `json`
    except ValueError:  # it rejects lone surrogates, and more than 200 levels
        return json.loads(text)


write_json = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
).encode
"""Compact text with sorted keys. A shared encoder is twice as fast for small values as creating one each time."""


class JsonText(TypeDecorator[Any]):
    """A JSON value, stored as compact text with sorted keys: equal values have equal bytes.

    A verification reads it unproven, since anyone may have altered the row: a value that is not JSON, or that
    has no digest, is returned as text.
    """

    impl = Text
    cache_ok = True

    def __init__(self, *, proven: bool = True) -> None:
        super().__init__()
        self.proven = proven

    def encode(self, value: Any) -> str | bytes:
        """Return the stored form of a value. NaN and infinities raise ValueError."""
        return write_json(value)

    def decode(self, stored: Any) -> Any:
        """Return the value of a stored form."""
        return parse_json(stored) if self.proven else parse_if_json(stored)

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | bytes | None:
        """Return the stored form, or None for None."""
        return None if value is None else self.encode(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Return the value, or None for NULL."""
        return None if value is None else self.decode(value)


def finite(literal: str) -> float:
    """Return a number of JSON. Raises ValueError for NaN and infinities, which JSON cannot represent."""
    number = float(literal)
    if not isfinite(number):
        raise ValueError(literal)
    return number


parse_finite = json.JSONDecoder(parse_constant=finite, parse_float=finite).decode
"""Shared, which is faster than creating it each time."""


def parse_if_json(text: str) -> Any:
    """Parse stored JSON; return text that is not JSON, or that has no digest, unchanged."""
    try:
        document = parse_finite(text)
        if "\\ud" in text.lower():
            json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return text
    return document


USUAL_SPAN = {"kind": "exact", "status": "counted", "reason": None}
SPAN_FIELDS = ("start", "end", *USUAL_SPAN)
"""The usual span is an exact match that counts; its position is then the only information."""


def shortened(span: Any) -> Any:
    """Return a span as a list, shortened to its position if the rest is usual; other values are unchanged."""
    if not isinstance(span, Mapping):
        return span
    fields = cast(Mapping[str, Any], span)
    if set(fields) != set(SPAN_FIELDS):
        return fields
    usual = all(fields[name] == value for name, value in USUAL_SPAN.items())
    return [fields["start"], fields["end"]] if usual else [fields[name] for name in SPAN_FIELDS]


def spelled_out(spans: Any) -> Any:
    """Return stored spans with named fields, the form that earlier releases also stored."""
    return [_with_names(span) for span in cast(list[Any], spans)] if isinstance(spans, list) else spans


def _with_names(span: Any) -> Any:
    if type(span) is not list:
        return span
    values = cast(list[Any], span)
    if len(values) == 2:  # by far the most common case: a page of answers has thousands
        return {**USUAL_SPAN, "start": values[0], "end": values[1]}
    if len(values) != len(SPAN_FIELDS):
        return values
    return {**USUAL_SPAN, **dict(zip(SPAN_FIELDS, values, strict=True))}


def stored_spans(value: Any) -> Any:
    """Return spans in their stored form; a JSON value that is not a list of spans is unchanged."""
    return list(map(shortened, cast(Sequence[Any], value))) if isinstance(value, list | tuple) else value


class SpansText(JsonText):
    """The spans of one mention: set and returned as mappings, stored as lists."""

    cache_ok = True

    def encode(self, value: Any) -> str | bytes:
        """Return the stored form of spans."""
        return super().encode(stored_spans(value))

    def decode(self, stored: Any) -> Any:
        """Return stored spans with named fields."""
        return spelled_out(super().decode(stored))


DOMAIN_OWNERS = ("third_party", "competitor", "owned")
"""The owner classes of a cited domain. The index in this list is stored, since a result has dozens of domains."""


def domain_owner(place: int) -> str:
    """Return the owner class of a stored number, or an unused word for an invalid number."""
    known = type(place) is int and 0 <= place < len(DOMAIN_OWNERS)
    return DOMAIN_OWNERS[place] if known else f"not {place!r}"


def _with_owners(document: Any) -> Any:
    if not isinstance(document, dict):
        return document
    places = cast(dict[str, Any], document)
    return dict(zip(places, map(domain_owner, places.values()), strict=True))


def stored_domains(owners: Mapping[str, str]) -> Mapping[str, int]:
    """Return domains in their stored form. Raises ValueError for an unknown owner class."""
    return {domain: DOMAIN_OWNERS.index(owner) for domain, owner in owners.items()}


class DomainsText(JsonText):
    """The owner class of each cited domain: set and returned by name, stored as numbers."""

    cache_ok = True

    def encode(self, value: Any) -> str | bytes:
        """Return the stored form of domains. Raises ValueError for an unknown owner class."""
        return super().encode(stored_domains(value))

    def decode(self, stored: Any) -> Any:
        """Return stored domains with the names of their owner classes."""
        return _with_owners(super().decode(stored))


def parse_packed(stored: bytes) -> Any:
    """Parse JSON that is stored compressed. Raises ValueError if it is not."""
    return parse_json(decompress_text(stored))


class PackedJson(JsonText):
    """A JSON value of some kilobytes, stored compressed: for documents that are read whole, one at a time."""

    impl = LargeBinary
    cache_ok = True

    def encode(self, value: Any) -> str | bytes:
        """Return a value as compressed JSON."""
        return compress_text(write_json(value))

    def decode(self, stored: Any) -> Any:
        """Return the value of compressed JSON."""
        if self.proven:
            return parse_packed(stored)
        try:
            return parse_if_json(decompress_text(stored))
        except (TypeError, ValueError):  # SQLite keeps a value of any type
            return f"not packed: {stored!r}"


def unproven(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """Return a column with values that never stop a reader; only document columns are affected."""
    return (
        type_coerce(column, type(column.type)(proven=False)) if isinstance(column.type, JsonText) else column
    )


Key = BigInteger().with_variant(Integer, "sqlite")
"""Type of internal row keys; only INTEGER is the row id of SQLite."""


def key_column() -> Column[int]:
    """Return the internal integer key that other rows reference; never exposed."""
    return Column("key", Key, primary_key=True, autoincrement=True)


def id_column() -> Column[str]:
    """Return the public identifier of a row that also has an internal key."""
    return Column("id", Text, nullable=False, unique=True)


def company_column() -> Column[str]:
    """Return the owner of the row; every repository filters by it."""
    return Column("company_id", Text, ForeignKey("companies.id", ondelete="CASCADE"), nullable=False)


def created_column() -> Column[datetime]:
    """Return the instant when the row was created."""
    return Column("created_at", UtcTime, nullable=False)


def reference(
    name: str, target: str, *, nullable: bool = False, primary_key: bool = False, cascade: bool = True
) -> Column[int]:
    """Return a column that holds another row's key; by default the row is deleted together with it."""
    rule = ForeignKey(target, ondelete="CASCADE" if cascade else None)
    if primary_key:
        return Column(name, Key, rule, primary_key=True, autoincrement=False)
    return Column(name, Key, rule, nullable=nullable)
