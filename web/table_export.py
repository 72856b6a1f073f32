"""Tables as files, as filtered: CSV (RFC 4180, UTF-8) in cells that no spreadsheet takes for a formula, and JSON."""

import csv
import io
import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from starlette.responses import Response

from web.templates import HEADERS

PAGE_SIZE = 100
MOST_ROWS = 5000
FORMULA = ("=", "+", "-", "@", "\t", "\r")


async def all_rows(
    load: Callable[[int, int], Awaitable[dict[str, Any] | None]], field: str
) -> list[dict[str, Any]]:
    """Return the rows of all pages of a list, at most 5,000; `load` takes limit and offset, `field` holds the rows."""
    rows: list[dict[str, Any]] = []
    offset: int | None = 0
    while offset is not None and len(rows) < MOST_ROWS:
        page = await load(PAGE_SIZE, offset)
        if page is None:
            break
        rows += page[field]
        offset = page["nextOffset"]
    return rows


def table_response(
    path: str, name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]
) -> Response:
    """Return a table in the format that the address ends with: `.json` or `.csv`."""
    if path.endswith(".json"):
        return json_response(name, columns, rows)
    return csv_response(name, columns, rows)


def json_response(name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Response:
    """Return a table as a JSON list with one object a row, values as the tools give them."""
    text = json.dumps([dict(zip(columns, row, strict=True)) for row in rows], ensure_ascii=False)
    headers = {**HEADERS, "Content-Disposition": f'attachment; filename="{name}.json"'}
    return Response(text.encode(), media_type="application/json", headers=headers)


def csv_response(name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Response:
    """Return a table as a file to be stored."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    headers = {**HEADERS, "Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response(text.getvalue().encode(), media_type="text/csv; charset=utf-8", headers=headers)


def _cell(value: object) -> object:
    """Return a cell; text that a spreadsheet would compute begins with an apostrophe."""
    if value is None:
        return ""
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return value
