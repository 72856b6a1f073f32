"""Contents: what a brand publishes is listed, searched, read and written, and its text stays text."""

import re
from collections.abc import Callable
from typing import Any

from tests.web.conftest import Person
from tests.web.test_roles import colleague

BODY = "# How long does it last?\r\n\r\n- **Seven** years\r\n- <script>alert(1)</script>\r\n\r\n[x](javascript:alert(1))"
ITEM = {
    "title": "Warranty of our vans",
    "category": "faq",
    "url": "https://www.acme.example/faq",
    "body": BODY,
}


async def write(person: Person, **changed: str) -> Any:
    page = f"/brands/{person.brand}/content/new"
    return await person.submit(page, {**ITEM, **changed})


async def test_a_text_is_written_found_read_and_changed(measured: Person) -> None:
    base = f"/brands/{measured.brand}/content"
    assert "No text is stored yet" in await measured.text(base)
    assert (await write(measured)).status_code == 303
    listed = (await measured.http.get(f"{base}?q=warranty")).text
    assert 'data-count="1"' in listed
    assert 'data-count="0"' in (await measured.http.get(f"{base}?q=nothing")).text
    assert 'data-count="1"' in (await measured.http.get(f"{base}?category=faq")).text
    [address] = set(re.findall(rf'href="({base}/[0-9a-f-]{{36}})"', listed))
    shown = (await measured.http.get(address)).text
    assert "<strong>Seven</strong>" in shown
    assert (await write(measured, body="Nine years")).status_code == 303
    assert "Nine years" in await measured.text(address)
    assert 'data-count="1"' in (await measured.http.get(base)).text


async def test_a_text_keeps_its_place_under_a_new_title(measured: Person) -> None:
    base = f"/brands/{measured.brand}/content"
    await write(measured)
    await write(measured, title="Another text")
    pattern = rf'href="{base}/([0-9a-f-]{{36}})">Warranty'
    [item] = re.findall(pattern, (await measured.http.get(base)).text)
    form = f"{base}/new?item={item}"
    token = await measured.token(form, f"{base}/new")
    fields = {**ITEM, "token": token, "item": item}
    renamed = await measured.http.post(f"{base}/new", data={**fields, "title": "How long our vans last"})
    assert renamed.status_code == 303
    listed = (await measured.http.get(base)).text
    assert ('data-count="2"' in listed, "Warranty of our vans" in listed) == (True, False)
    assert "How long our vans last" in await measured.text(f"{base}/{item}")
    fields["token"] = await measured.token(form, f"{base}/new")
    refused = await measured.http.post(f"{base}/new", data={**fields, "title": "Another text"})
    assert (refused.status_code, "Another text of this category has this title" in refused.text) == (
        422,
        True,
    )


async def test_a_preview_lays_the_text_out_and_stores_nothing(measured: Person) -> None:
    shown = await write(measured, preview="1")
    assert (shown.status_code, "Preview, not stored yet" in shown.text) == (200, True)
    assert 'data-count="0"' in (await measured.http.get(f"/brands/{measured.brand}/content")).text
    token = re.findall(
        r'action="[^"]+/content/new">\s*<input type="hidden" name="token" value="([^"]+)"', shown.text
    )[0]
    stored = await measured.http.post(f"/brands/{measured.brand}/content/new", data={**ITEM, "token": token})
    assert stored.status_code == 303


async def test_hostile_markdown_is_inert(measured: Person) -> None:
    shown = (await write(measured, preview="1", title='"><img src=x onerror=alert(1)>')).text
    for hostile in ("<script>alert", "<img src=x", 'href="javascript:'):
        assert hostile not in shown


async def test_what_is_wrong_is_said_at_its_field_and_nothing_is_lost(measured: Person) -> None:
    refused = await write(measured, title=" ", url="javascript:alert(1)")
    assert (refused.status_code, "How long does it last?" in refused.text) == (422, True)
    assert refused.text.count('aria-invalid="true"') == 2


async def test_viewers_and_other_companies_write_nothing(
    measured: Person, meet: Any, token_for: Callable[[Person, str], str]
) -> None:
    page = f"/brands/{measured.brand}/content/new"
    viewer, stranger = await colleague(measured, meet, "viewer"), meet()
    await stranger.sign_up()
    for person, status in ((viewer, 403), (stranger, 404)):
        sent = await person.http.post(page, data={**ITEM, "token": token_for(person, page)})
        assert sent.status_code == status
    assert "Write a text" not in await viewer.text(f"/brands/{measured.brand}/content")
    assert 'data-count="0"' in (await measured.http.get(f"/brands/{measured.brand}/content")).text
