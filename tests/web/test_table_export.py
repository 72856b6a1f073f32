"""Tables as files: as filtered as their page, complete, and with cells that no spreadsheet computes."""

import csv
import io
from typing import Any

import pytest

from tests.web.conftest import Person
from web.table_export import csv_response


async def rows_of(person: Person, address: str) -> list[dict[str, str]]:
    """The rows of a file by their columns."""
    response = await person.http.get(address)
    assert (response.status_code, response.headers["content-type"]) == (200, "text/csv; charset=utf-8")
    return list(csv.DictReader(io.StringIO(response.text)))


async def test_a_table_is_given_as_filtered_and_whole(measured: Person) -> None:
    base = f"/brands/{measured.brand}"
    prompts = await rows_of(measured, f"{base}/prompts.csv")
    assert len(prompts) == 8
    assert {row["outcome"] for row in await rows_of(measured, f"{base}/prompts.csv?outcome=win")} == {"win"}
    named = await rows_of(measured, f"{base}/answers.csv?outcome=names_us")
    text = " ".join((await measured.text(f"{base}/answers?outcome=names_us")).split())
    assert f"{len(named)} about Acme" in text
    assert all("Acme" in row["names"] for row in named)
    await rows_of(measured, f"{base}/sources.csv?when=all")


@pytest.mark.parametrize("table", ["prompts", "sources", "answers"])
@pytest.mark.parametrize("view", ["", "?platform=chatgpt&period=7"])
async def test_both_formats_have_the_same_rows(measured: Person, table: str, view: str) -> None:
    address = f"/brands/{measured.brand}/{table}"
    as_csv = await rows_of(measured, f"{address}.csv{view}")
    as_json = await measured.http.get(f"{address}.json{view}")
    assert as_json.headers["content-type"] == "application/json"
    assert [list(row) for row in as_json.json()] == [list(row) for row in as_csv]
    assert [["" if value is None else str(value) for value in row.values()] for row in as_json.json()] == [
        list(row.values()) for row in as_csv
    ]


async def test_another_companys_tables_are_not_found(measured: Person, meet: Any) -> None:
    stranger = meet()
    await stranger.sign_up()
    for name in ("prompts", "sources", "answers"):
        for ending in ("csv", "json"):
            table = f"/brands/{measured.brand}/{name}.{ending}"
            assert (await stranger.http.get(table)).status_code == 404


def test_a_cell_that_would_be_computed_stays_text() -> None:
    response = csv_response("x", ("a", "b"), [('=HYPERLINK("http://x.example")', -1.5), ("@now", None)])
    assert bytes(response.body).decode().splitlines() == [
        "a,b",
        '"\'=HYPERLINK(""http://x.example"")",-1.5',
        "'@now,",
    ]
