"""Column types and conventions that every table shares, equal on SQLite and PostgreSQL."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from math import isfinite
from typing import Any, ClassVar, cast

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


def instant(microseconds: int) -> datetime:
    """Return the instant so many microseconds after the beginning of 1970 in UTC."""
    return EPOCH + timedelta(microseconds=microseconds)


def microseconds(instants: Sequence[datetime | None]) -> list[int | None]:
    """Return how many microseconds after the beginning of 1970 each instant is; a naive one raises TypeError."""
    return [None if value is None else (value - EPOCH) // MICROSECOND for value in instants]


class UtcTime(TypeDecorator[datetime]):
    """An instant, stored as whole microseconds since 1970 in UTC: it sorts and compares alike everywhere."""

    impl = BigInteger
    cache_ok = True
    read_stored = staticmethod(instant)
    write_stored = staticmethod(microseconds)

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Turn an aware datetime into microseconds; a naive one raises TypeError."""
        return None if value is None else (value - EPOCH) // MICROSECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """Turn microseconds into an aware datetime in UTC."""
        return None if value is None else instant(value)


def parse_json(text: str) -> Any:
    """Parse stored JSON."""
    try:
        return from_json(text)  # four times as fast
    except ValueError:  # it refuses half a surrogate pair, and more than 200 levels
        return json.loads(text)


write_json = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
).encode
"""Compact text with sorted keys; made once, which is twice as fast for small values as asking for it each time."""


def write_each_json(values: Sequence[Any]) -> list[str | None]:
    """Return the stored text of each value, None of None. NaN and infinities raise ValueError."""
    return [None if value is None else write_json(value) for value in values]


class JsonText(TypeDecorator[Any]):
    """A JSON value, stored as compact text with sorted keys: equal values are equal bytes."""

    impl = Text
    cache_ok = True
    read_stored = staticmethod(parse_json)
    write_stored = staticmethod(write_each_json)
    unproven: "ClassVar[type[JsonText]]"
    """The type that reads the same column of a row that somebody may have altered."""

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | bytes | None:
        """Serialise any JSON value; NaN and infinities raise ValueError."""
        if value is None:
            return None
        return write_json(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Parse the stored text."""
        return None if value is None else parse_json(value)


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


class UnprovenJson(JsonText):
    """The same as a verification reads it: of a text that is no JSON, or that no digest can be made of, the text."""

    cache_ok = True
    read_stored = staticmethod(parse_if_json)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Parse the stored text if that can be done."""
        return None if value is None else parse_if_json(value)


JsonText.unproven = UnprovenJson


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


def parse_spans(text: str) -> Any:
    """Parse stored spans."""
    return spelled_out(parse_json(text))


def parse_if_spans(text: str) -> Any:
    """Parse stored spans; return a text that is no JSON as it is."""
    return spelled_out(parse_if_json(text))


def stored_spans(value: Any) -> Any:
    """Return spans as they are stored; a JSON value that is no list of them stays as it is."""
    return list(map(shortened, cast(Sequence[Any], value))) if isinstance(value, list | tuple) else value


def write_each_spans(values: Sequence[Any]) -> list[str | None]:
    """Return the stored text of the spans of each mention."""
    return write_each_json(list(map(stored_spans, values)))


class SpansText(JsonText):
    """The spans of one mention: given and read as mappings, stored as lists."""

    cache_ok = True
    read_stored = staticmethod(parse_spans)
    write_stored = staticmethod(write_each_spans)

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | bytes | None:
        """Serialise spans; a JSON value that is no list of them is stored as it is."""
        return super().process_bind_param(stored_spans(value), dialect)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Parse the stored text."""
        return None if value is None else parse_spans(value)


class UnprovenSpans(SpansText):
    """The same as a verification reads it: of a text that is no JSON, the text."""

    cache_ok = True
    read_stored = staticmethod(parse_if_spans)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Parse the stored text if that can be done."""
        return None if value is None else parse_if_spans(value)


SpansText.unproven = UnprovenSpans


DOMAIN_OWNERS = ("third_party", "competitor", "owned")
"""Whose a cited domain can be; stored is the place in this list, since a reading has dozens of them."""


def domain_owner(place: int) -> str:
    """Return whose a domain is by the stored number; of what is no such number, a word that nothing is called."""
    known = type(place) is int and 0 <= place < len(DOMAIN_OWNERS)
    return DOMAIN_OWNERS[place] if known else f"not {place!r}"


def parse_domains(text: str) -> Any:
    """Parse stored domains."""
    return _with_owners(parse_json(text))


def parse_if_domains(text: str) -> Any:
    """Parse stored domains; return a text that is no JSON as it is."""
    return _with_owners(parse_if_json(text))


def _with_owners(document: Any) -> Any:
    if not isinstance(document, dict):
        return document
    places = cast(dict[str, Any], document)
    return dict(zip(places, map(domain_owner, places.values()), strict=True))


def stored_domains(owners: Mapping[str, str]) -> Mapping[str, int]:
    """Return domains as they are stored. Raises ValueError for an owner that there is not."""
    return {domain: DOMAIN_OWNERS.index(owner) for domain, owner in owners.items()}


def write_each_domains(values: Sequence[Any]) -> list[str | None]:
    """Return the stored text of the domains of each reading."""
    return write_each_json(list(map(stored_domains, values)))


class DomainsText(JsonText):
    """Whose each cited domain is: given and read by name, stored as numbers."""

    cache_ok = True
    read_stored = staticmethod(parse_domains)
    write_stored = staticmethod(write_each_domains)

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | bytes | None:
        """Serialise domains."""
        return None if value is None else super().process_bind_param(stored_domains(value), dialect)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Parse the stored text."""
        return None if value is None else parse_domains(value)


class UnprovenDomains(DomainsText):
    """The same as a verification reads it: of a text that is no JSON, the text."""

    cache_ok = True
    read_stored = staticmethod(parse_if_domains)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Parse the stored text if that can be done."""
        return None if value is None else parse_if_domains(value)


DomainsText.unproven = UnprovenDomains


def parse_packed(stored: bytes) -> Any:
    """Parse JSON that is stored compressed. Raises ValueError for what is none."""
    return parse_json(decompress_text(stored))


def parse_if_packed(stored: Any) -> Any:
    """Parse JSON that is stored compressed; return what is none as a text that no document is."""
    try:
        return parse_if_json(decompress_text(stored))
    except (TypeError, ValueError):  # SQLite keeps a value of any type
        return f"not packed: {stored!r}"


def pack_each_json(values: Sequence[Any]) -> list[bytes | None]:
    """Return the stored form of each value, None of None. NaN and infinities raise ValueError."""
    return [None if text is None else compress_text(text) for text in write_each_json(values)]


class PackedJson(JsonText):
    """A JSON value of some kilobytes, stored compressed: for documents that are read whole, one at a time."""

    impl = LargeBinary
    cache_ok = True
    read_stored = staticmethod(parse_packed)
    write_stored = staticmethod(pack_each_json)

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | bytes | None:
        """Serialise and compress any JSON value; NaN and infinities raise ValueError."""
        return None if value is None else compress_text(write_json(value))

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Open and parse what is stored."""
        return None if value is None else parse_packed(value)


class UnprovenPacked(PackedJson):
    """The same as a verification reads it: of what is no JSON, or not compressed, a text that says so."""

    cache_ok = True
    read_stored = staticmethod(parse_if_packed)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Open and parse what is stored if that can be done."""
        return None if value is None else parse_if_packed(value)


PackedJson.unproven = UnprovenPacked


def unproven(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """Return a column so that no value of it stops a reader; other than documents they are as they are."""
    return type_coerce(column, column.type.unproven) if isinstance(column.type, JsonText) else column


Key = BigInteger().with_variant(Integer, "sqlite")
"""Type of internal row keys; only INTEGER is the row id of SQLite."""


def key_column() -> Column[int]:
    """Return the internal integer key that other rows refer to; never shown outside."""
    return Column("key", Key, primary_key=True, autoincrement=True)


def id_column() -> Column[str]:
    """Return the public identifier of a row that also has an internal key."""
    return Column("id", Text, nullable=False, unique=True)


def company_column() -> Column[str]:
    """Return the owner of the row; the workspace door filters by it."""
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
