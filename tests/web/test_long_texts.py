"""Long texts: what people paste arrives whole, what is too long is said and stays in the form, other forms stay short."""

from html import unescape

import pytest

from tests.web.conftest import Person
from web.security.forms import LONGEST_TEXTS

LETTER = "长"
"""Three bytes, and nine in a sent form."""
MOST = 100_000


async def write(person: Person, body: str, *, title: str = "Long text") -> tuple[int, str]:
    page = f"/brands/{person.brand}/content/new"
    sent = await person.submit(page, {"title": title, "category": "faq", "url": "", "body": body})
    return sent.status_code, unescape(sent.text)


async def test_a_text_of_the_longest_length_in_any_writing_is_stored_whole(measured: Person) -> None:
    assert (await write(measured, LETTER * MOST))[0] == 303
    key = await measured.make_key()
    listed = await measured.http.post(
        "/api/mcp-app/rest/get_repository_items",
        json={"brandId": measured.brand},
        headers={"Authorization": f"Bearer {key}"},
    )
    assert {item["bodyLength"] for item in listed.json()["items"]} == {MOST}


async def test_an_overlong_text_stays_in_its_form_with_an_error(
    measured: Person,
) -> None:
    long = f"{LETTER * MOST}end"
    status, shown = await write(measured, long)
    assert (status, long in shown) == (422, True)
    assert "It has 100,003 characters, and at most 100,000 fit" in shown


async def test_long_questions_are_read_and_kept_when_rejected(measured: Person) -> None:
    lines = [f"Which car number {number} would you buy {'and drive ' * 9}?" for number in range(700)]
    form = {"name": "Many", "prompts": "\n".join(lines), "brand": measured.brand, "repeats": "1"}
    sent = await measured.submit("/automation/sets/new", form, "/automation/sets")
    if sent.status_code != 303:
        assert (sent.status_code, 'role="alert"' in sent.text) == (422, True)
        assert all(line in unescape(sent.text) for line in (lines[0], lines[-1]))


@pytest.mark.parametrize("length", [70_000, LONGEST_TEXTS])
async def test_what_no_form_holds_is_rejected_and_kept_on_the_page(measured: Person, length: int) -> None:
    sent = await measured.submit("/settings/profile", {"name": "x" * length})
    assert (sent.status_code, "what you typed still stands" in sent.text) == (413, True)
    if length == LONGEST_TEXTS:
        assert (await write(measured, "x" * length))[0] == 413
