"""Tables as files, as filtered: CSV (RFC 4180, UTF-8) in cells that no spreadsheet takes for a formula, and JSON."""

import csv
import io
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from typing import Any, Protocol

import anyio
from starlette.responses import Response, StreamingResponse

from web.errors import PageNotFound, Throttled
from web.templates import HEADERS

PAGE_SIZE = 100
FORMULA = ("=", "+", "-", "@", "\t", "\r")

Row = Sequence[object]
Load = Callable[[int, int], Awaitable[dict[str, Any] | None]]
"""Gives one page of a list by limit and offset; None where there is none."""


class BrokenFile(Exception):
    """A page of a list could not be read while its file was being sent: who loads it sees that it did not end."""


class Writing(Protocol):
    """A format, written row by row."""

    ending: str
    media_type: str

    def begin(self) -> str:
        """Return what stands before the first row."""
        ...

    def rows(self, rows: Iterable[Row]) -> str:
        """Return the next rows."""
        ...

    def end(self) -> str:
        """Return what stands behind the last row."""
        ...


class CsvWriting:
    """Rows as CSV, under a row with the columns' names."""

    ending = "csv"
    media_type = "text/csv; charset=utf-8"

    def __init__(self, columns: Row) -> None:
        self._columns = columns

    def begin(self) -> str:
        """Return the row of names."""
        return self.rows([self._columns])

    def rows(self, rows: Iterable[Row]) -> str:
        """Return rows of cells that no spreadsheet computes."""
        text = io.StringIO()
        csv.writer(text).writerows([_cell(value) for value in row] for row in rows)
        return text.getvalue()

    def end(self) -> str:
        """Return nothing: a table ends with its last row."""
        return ""


class JsonWriting:
    """Rows as a JSON list with one object a row, values as the tools give them."""

    ending = "json"
    media_type = "application/json"

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns
        self._before = ""

    def begin(self) -> str:
        """Open the list."""
        return "["

    def rows(self, rows: Iterable[Row]) -> str:
        """Return rows with the commas before them."""
        written = ""
        for row in rows:
            written += self._before + json.dumps(
                dict(zip(self._columns, row, strict=True)), ensure_ascii=False
            )
            self._before = ", "
        return written

    def end(self) -> str:
        """Close the list."""
        return "]"


async def list_response(
    path: str,
    name: str,
    columns: Sequence[str],
    load: Load,
    field: str,
    row_of: Callable[[dict[str, Any]], Row],
) -> Response:
    """Send every row of a list in the format that the address ends with, page by page: never more than one is held.

    `field` holds the rows of a page. Raises PageNotFound where there is no list.
    """
    first = await load(PAGE_SIZE, 0)
    if first is None:
        raise PageNotFound
    writing = _writing_for(path, columns)

    async def written() -> AsyncIterator[bytes]:
        page = first
        yield (writing.begin() + writing.rows(map(row_of, page[field]))).encode()
        while page["nextOffset"] is not None:
            page = await _load_patiently(load, page["nextOffset"])
            yield writing.rows(map(row_of, page[field])).encode()
        yield writing.end().encode()

    return StreamingResponse(written(), headers=_headers(name, writing), media_type=writing.media_type)


async def _load_patiently(load: Load, offset: int) -> dict[str, Any]:
    """Return the page that begins at an offset, after a pause where too much was asked for in a minute.

    Raises BrokenFile when there is none any more.
    """
    while True:
        try:
            page = await load(PAGE_SIZE, offset)
        except Throttled as throttled:
            await anyio.sleep(throttled.retry_after)
        else:
            if page is None:
                raise BrokenFile(f"the page from {offset} on could not be read")
            return page


def table_response(path: str, name: str, columns: Sequence[str], rows: Iterable[Row]) -> Response:
    """Return a short table in the format that the address ends with: `.json` or `.csv`."""
    writing = _writing_for(path, columns)
    text = writing.begin() + writing.rows(rows) + writing.end()
    return Response(text.encode(), media_type=writing.media_type, headers=_headers(name, writing))


def _writing_for(path: str, columns: Sequence[str]) -> Writing:
    return JsonWriting(columns) if path.endswith(".json") else CsvWriting(columns)


def _headers(name: str, writing: Writing) -> dict[str, str]:
    return {**HEADERS, "Content-Disposition": f'attachment; filename="{name}.{writing.ending}"'}


def _cell(value: object) -> object:
    """Return a cell; text that a spreadsheet would compute begins with an apostrophe."""
    if value is None:
        return ""
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return value
