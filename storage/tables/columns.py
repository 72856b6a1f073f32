"""Column types and conventions that every table shares, equal on SQLite and PostgreSQL."""

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
IN_NO_RESULT = {"results": "none"}
"""Marks a table whose rows no result of a tool follows from: a change of them alone is no change of a company's."""
OF_CREDENTIALS = {"credentials": "told"}
"""Marks a table whose rows tell what a credential stands for, or that takes such rows with its own."""
TELLS_NOTHING = {"seenby_tells_nothing": True}
"""Marks a statement that notes when a credential was used: nothing that is kept follows from it."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class UtcTime(TypeDecorator[datetime]):
    """An instant, stored as whole microseconds since 1970 in UTC: it sorts and compares alike everywhere."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Turn an aware datetime into microseconds; a naive one raises TypeError."""
        return None if value is None else (value - EPOCH) // MICROSECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """Turn microseconds into an aware datetime in UTC."""
        return None if value is None else EPOCH + timedelta(microseconds=value)


def parse_json(text: str) -> Any:
    """Parse stored JSON."""
    try:
        return from_json(text)  # four times as fast
    except ValueError:  # it rejects half a surrogate pair, and more than 200 levels
        return json.loads(text)


write_json = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
).encode
"""Compact text with sorted keys; made once, which is twice as fast for small values as asking for it each time."""


class JsonText(TypeDecorator[Any]):
    """A JSON value, stored as compact text with sorted keys: equal values are equal bytes.

    A verification reads it unproven, since anyone may have altered the row: of what is no JSON, or that no digest can
    be made of, it gets a text.
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
        """Return the stored form, None of None."""
        return None if value is None else self.encode(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Return the value, None of NULL."""
        return None if value is None else self.decode(value)


def finite(literal: str) -> float:
    """Return a number of JSON. Raises ValueError for NaN and infinities, which JSON cannot say."""
    number = float(literal)
    if not isfinite(number):
        raise ValueError(literal)
    return number


parse_finite = json.JSONDecoder(parse_constant=finite, parse_float=finite).decode
"""Made once, which is faster than asking for it each time."""


def parse_if_json(text: str) -> Any:
    """Parse stored JSON; return a text that is none, or that no digest can be made of, as it is."""
    try:
        document = parse_finite(text)
        if "\\ud" in text.lower():
            json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return text
    return document


USUAL_SPAN = {"kind": "exact", "status": "counted", "reason": None}
SPAN_FIELDS = ("start", "end", *USUAL_SPAN)
"""Most spans are an exact hit that counts: they say no more than where it is."""


def shortened(span: Any) -> Any:
    """Return a span as a list, of its place alone where the rest is as usual; what is none stays as it is."""
    if not isinstance(span, Mapping):
        return span
    fields = cast(Mapping[str, Any], span)
    if set(fields) != set(SPAN_FIELDS):
        return fields
    usual = all(fields[name] == value for name, value in USUAL_SPAN.items())
    return [fields["start"], fields["end"]] if usual else [fields[name] for name in SPAN_FIELDS]


def spelled_out(spans: Any) -> Any:
    """Return stored spans with their fields named, as earlier releases stored them too."""
    return [_with_names(span) for span in cast(list[Any], spans)] if isinstance(spans, list) else spans


def _with_names(span: Any) -> Any:
    if type(span) is not list:
        return span
    values = cast(list[Any], span)
    if len(values) == 2:  # nearly all: a page of answers has thousands
        return {**USUAL_SPAN, "start": values[0], "end": values[1]}
    if len(values) != len(SPAN_FIELDS):
        return values
    return {**USUAL_SPAN, **dict(zip(SPAN_FIELDS, values, strict=True))}


def stored_spans(value: Any) -> Any:
    """Return spans as they are stored; a JSON value that is no list of them stays as it is."""
    return list(map(shortened, cast(Sequence[Any], value))) if isinstance(value, list | tuple) else value


class SpansText(JsonText):
    """The spans of one mention: given and read as mappings, stored as lists."""

    cache_ok = True

    def encode(self, value: Any) -> str | bytes:
        """Return the stored form of spans."""
        return super().encode(stored_spans(value))

    def decode(self, stored: Any) -> Any:
        """Return stored spans with their fields named."""
        return spelled_out(super().decode(stored))


DOMAIN_OWNERS = ("third_party", "competitor", "owned")
"""Whose a cited domain can be; stored is the place in this list, since a reading has dozens of them."""


def domain_owner(place: int) -> str:
    """Return whose a domain is by the stored number; of what is no such number, a word that nothing is called."""
    known = type(place) is int and 0 <= place < len(DOMAIN_OWNERS)
    return DOMAIN_OWNERS[place] if known else f"not {place!r}"


def _with_owners(document: Any) -> Any:
    if not isinstance(document, dict):
        return document
    places = cast(dict[str, Any], document)
    return dict(zip(places, map(domain_owner, places.values()), strict=True))


def stored_domains(owners: Mapping[str, str]) -> Mapping[str, int]:
    """Return domains as they are stored. Raises ValueError for an owner that there is not."""
    return {domain: DOMAIN_OWNERS.index(owner) for domain, owner in owners.items()}


class DomainsText(JsonText):
    """The owner of each cited domain: given and read by name, stored as numbers."""

    cache_ok = True

    def encode(self, value: Any) -> str | bytes:
        """Return the stored form of domains. Raises ValueError for an owner that there is not."""
        return super().encode(stored_domains(value))

    def decode(self, stored: Any) -> Any:
        """Return stored domains with their owners named."""
        return _with_owners(super().decode(stored))


def parse_packed(stored: bytes) -> Any:
    """Parse JSON that is stored compressed. Raises ValueError for what is none."""
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
    """Return a column so that no value of it stops a reader; other than documents they are as they are."""
    return (
        type_coerce(column, type(column.type)(proven=False)) if isinstance(column.type, JsonText) else column
    )


Key = BigInteger().with_variant(Integer, "sqlite")
"""Type of internal row keys; only INTEGER is the row id of SQLite."""


def key_column() -> Column[int]:
    """Return the internal integer key that other rows refer to; never shown outside."""
    return Column("key", Key, primary_key=True, autoincrement=True)


def id_column() -> Column[str]:
    """Return the public identifier of a row that also has an internal key."""
    return Column("id", Text, nullable=False, unique=True)


def company_column() -> Column[str]:
    """Return the owner of the row; every repository filters by it."""
    return Column("company_id", Text, ForeignKey("companies.id", ondelete="CASCADE"), nullable=False)


def created_column() -> Column[datetime]:
    """Return the instant the row was made."""
    return Column("created_at", UtcTime, nullable=False)


def reference(
    name: str, target: str, *, nullable: bool = False, primary_key: bool = False, cascade: bool = True
) -> Column[int]:
    """Return a column that holds another row's key; by default the row goes when that one does."""
    rule = ForeignKey(target, ondelete="CASCADE" if cascade else None)
    if primary_key:
        return Column(name, Key, rule, primary_key=True, autoincrement=False)
    return Column(name, Key, rule, nullable=nullable)
