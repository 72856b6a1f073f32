"""Table exports as filtered: CSV (RFC 4180, UTF-8) with cells that are safe from formulas, and JSON."""

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
BYTE_ORDER_MARK = "\ufeff"

Row = Sequence[object]
Load = Callable[[int, int], Awaitable[dict[str, Any] | None]]
"""Loads one page of a list by limit and offset. Returns None when there is no such page."""


class BrokenFile(Exception):
    """A page of a list could not be read during an export. The client sees an incomplete download."""


class Writing(Protocol):
    """An export format, written row by row."""

    ending: str
    media_type: str

    def begin(self) -> str:
        """Return the text before the first row."""
        ...

    def rows(self, rows: Iterable[Row]) -> str:
        """Return the text of the next rows."""
        ...

    def end(self) -> str:
        """Return the text after the last row."""
        ...


class CsvWriting:
    """Rows as CSV below a header row."""

    ending = "csv"
    media_type = "text/csv; charset=utf-8"

    def __init__(self, columns: Row) -> None:
        self._columns = columns

    def begin(self) -> str:
        """Return the header row after a byte-order mark, without which Excel does not read UTF-8."""
        return BYTE_ORDER_MARK + self.rows([self._columns])

    def rows(self, rows: Iterable[Row]) -> str:
        """Return rows whose cells no spreadsheet evaluates."""
        text = io.StringIO()
        csv.writer(text).writerows([_cell(value) for value in row] for row in rows)
        return text.getvalue()

    def end(self) -> str:
        """Return nothing: CSV has no closing text."""
        return ""


class JsonWriting:
    """Rows as a JSON array with one object per row, with values as the tools return them."""

    ending = "json"
    media_type = "application/json"

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns
        self._before = ""

    def begin(self) -> str:
        """Open the list."""
        return "["

    def rows(self, rows: Iterable[Row]) -> str:
        """Return rows with separating commas."""
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
    """Stream every row of a list in the format of the URL's extension. Only one page is in memory at a time.

    `field` holds the rows of a page. Raises PageNotFound when there is no list.
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
    """Return the page at an offset, and wait when the rate limit was reached.

    Raises BrokenFile when the page no longer exists.
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
    """Return a short table in the format of the URL's extension: `.json` or `.csv`."""
    writing = _writing_for(path, columns)
    text = writing.begin() + writing.rows(rows) + writing.end()
    return Response(text.encode(), media_type=writing.media_type, headers=_headers(name, writing))


def _writing_for(path: str, columns: Sequence[str]) -> Writing:
    return JsonWriting(columns) if path.endswith(".json") else CsvWriting(columns)


def _headers(name: str, writing: Writing) -> dict[str, str]:
    return {**HEADERS, "Content-Disposition": f'attachment; filename="{name}.{writing.ending}"'}


def _cell(value: object) -> object:
    """Return a cell. Text that a spreadsheet would evaluate is prefixed with an apostrophe."""
    if value is None:
        return ""
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return value


def unguarded(cell: str) -> str:
    """Return a cell of an export as it was before it was prefixed with an apostrophe."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA) else cell
