"""Contents: what a brand publishes is listed, searched, read and written, and its text stays text."""

import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from html import unescape
from typing import Any

import pytest
from playwright.async_api import Page

from measurement.planning.published_items import DRAFT
from storage.database import Database
from storage.repositories.repository_items import ItemDraft
from tests.web.conftest import Meet, Person
from tests.web.test_roles import colleague
from workflows.drafts.document import DraftReview, DraftSentence, Fact

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
    assert "No texts yet" in await measured.text(base)
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
    measured: Person, meet: Meet, token_for: Callable[[Person, str], str]
) -> None:
    page = f"/brands/{measured.brand}/content/new"
    viewer, stranger = await colleague(measured, meet, "viewer"), meet()
    await stranger.sign_up()
    for person, status in ((viewer, 403), (stranger, 404)):
        sent = await person.http.post(page, data={**ITEM, "token": token_for(person, page)})
        assert sent.status_code == status
    assert "Write a text" not in await viewer.text(f"/brands/{measured.brand}/content")
    assert 'data-count="0"' in (await measured.http.get(f"/brands/{measured.brand}/content")).text


PRICE = DraftSentence(text="A service costs 99 euros.", before="\n\n", state="unsupported",
                      reason="value_not_found", missing=("99 euros",))  # fmt: skip
SERVICE = Fact(key="item:some-item#2", title="Warranty", text="Every van has a warranty of 7 years.")


def supported(text: str) -> DraftSentence:
    return DraftSentence(text=text, facts=(1,), state="supported", quote="warranty of 7 years", quoted_fact=1)


async def draft(
    person: Person, database: Database, key: str, body: str, *others: DraftSentence, reviewed: bool = True
) -> str:
    """Let a run have written a draft; return the address of its page."""
    company = await database.operators.companies.find(person.company)
    assert company is not None
    review = DraftReview(facts=(SERVICE,), sentences=(supported(body), *others))
    item = ItemDraft(
        "How long do vans last?",
        review.body if reviewed else body,
        DRAFT,
        key=key,
        review=review.to_json() if reviewed else None,
    )
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.find(person.brand)
        assert brand is not None
        await workspace.repository_items.save(brand.key, [item], datetime.now(UTC))
        [stored], _ = await workspace.repository_items.page(brand.key, DRAFT, 1, 0)
    return f"/brands/{person.brand}/content/{stored.id}/draft"


def fields_of(html: str) -> dict[str, str]:
    """What the form of a draft holds as it is opened."""
    inputs = dict(re.findall(r'name="(seen|title|category|url)"[^>]*value="([^"]*)"', html))
    body = re.findall(r'<textarea id="body"[^>]*>\n(.*?)</textarea>', html, re.DOTALL)[0]
    return {name: unescape(value) for name, value in {**inputs, "body": body}.items()}


async def test_an_approved_draft_takes_the_place_of_the_text_it_was_written_for(
    measured: Person, database: Database
) -> None:
    base = f"/brands/{measured.brand}/content"
    await write(measured, body="Seven years\r\n\r\nAsk us.")
    [item] = re.findall(
        rf'href="{base}/([0-9a-f-]{{36}})"', (await measured.http.get(f"{base}?q=warranty")).text
    )[:1]
    page = await draft(measured, database, f"item:{item}", "Nine years\n\nAsk us.\n<script>alert(1)</script>")
    assert 'data-total="1">1 draft waits' in (await measured.http.get(base)).text
    shown = (await measured.http.get(page)).text
    assert '<del><span class="visually-hidden">Removed: </span>Seven years</del>' in shown
    assert '<ins><span class="visually-hidden">Added: </span>Nine years</ins>' in shown
    assert "<p>Ask us.</p>" in shown
    assert "<script>alert" not in shown
    kept = await measured.submit(
        page, {**fields_of(shown), "body": "Many years, as of today", "decision": "keep"}
    )
    shown = (await measured.http.get(kept.headers["location"])).text
    assert "Text changed after the check" in shown
    confirmed = {**fields_of(shown), "do-1": "confirm", "reason-1": "Our records", "decision": "approve"}
    approved = await measured.submit(page, confirmed)
    assert approved.headers["location"] == f"{base}/{item}?decided=approved"
    assert "Many years, as of today" in await measured.text(f"{base}/{item}")
    assert (await measured.http.get(page)).status_code == 404
    assert 'data-count="1"' in (await measured.http.get(base)).text


async def test_draft_edits_are_kept_and_concurrent_changes_not_overwritten(
    measured: Person, database: Database
) -> None:
    page = await draft(measured, database, "answer:some-prompt", "Seven years")
    opened = fields_of((await measured.http.get(page)).text)
    kept = await measured.submit(page, {**opened, "body": "Eight years", "decision": "keep"})
    assert "Later runs will not change this draft" in await measured.text(kept.headers["location"])
    assert await draft(measured, database, "answer:some-prompt", "Ten years") == page
    assert "Eight years" in await measured.text(page)
    late = await measured.submit(page, {**opened, "body": "Twelve years", "decision": "approve"})
    assert (late.status_code, "changed since you opened it" in late.text) == (422, True)
    assert "Twelve years" in late.text
    discarded = await measured.submit(page, {**fields_of(late.text), "decision": "discard"})
    assert "The draft was discarded" in await measured.text(discarded.headers["location"])
    assert (await measured.http.get(page)).status_code == 404


async def test_a_draft_shows_sources_and_marks_what_needs_a_decision(
    measured: Person, database: Database
) -> None:
    page = await draft(measured, database, "answer:some-prompt", "Seven years", PRICE)
    shown = (await measured.http.get(page)).text
    assert "<q>warranty of 7 years</q>" in shown
    assert "Not found in the cited facts: 99 euros" in shown
    assert "1 of 2 sentences needs a decision." in shown
    assert re.search(r'value="approve" disabled', shown)
    page = await draft(measured, database, "file:robots.txt", "User-agent: *")
    proposed = (await measured.http.get(page)).text
    assert "Review it before you use it" in proposed
    assert not re.search(r'value="approve" disabled', proposed)


@pytest.mark.parametrize(
    ("decision", "body"),
    [
        ({"do-2": "delete"}, "Seven years"),
        ({"do-2": "confirm", "reason-2": "The new price list"}, "Seven years\n\nA service costs 99 euros."),
        ({"do-2": "edit", "text-2": "Ask for our prices."}, "Seven years\n\nAsk for our prices."),
    ],
)
async def test_a_draft_is_approved_once_every_sentence_is_decided(
    measured: Person, database: Database, decision: dict[str, str], body: str
) -> None:
    page = await draft(measured, database, "answer:some-prompt", "Seven years", PRICE)
    opened = fields_of((await measured.http.get(page)).text)
    saved = await measured.submit(page, {**opened, **decision, "decision": "keep"})
    shown = (await measured.http.get(saved.headers["location"])).text
    assert "Every sentence has a source or a decision." in shown
    if "reason-2" in decision:
        assert "The new price list" in shown
    approved = await measured.submit(page, {**fields_of(shown), "decision": "approve"})
    assert approved.headers["location"].endswith("?decided=approved")
    company = await database.operators.companies.find(measured.company)
    assert company is not None
    workspace = database.workspace(company.id)
    brand = await workspace.brands.find(measured.brand)
    assert brand is not None
    [item], _ = await workspace.repository_items.page(brand.key, "article", 1, 0)
    assert item.body == body


@pytest.mark.parametrize(
    "decision",
    [
        {},
        {"do-2": "confirm", "reason-2": "  "},
        {"do-2": "edit", "text-2": "A service costs 89 euros."},
        {"body": "Seven years\n\nA service costs 99 euros. Really."},
    ],
)
async def test_an_undecided_sentence_cannot_be_approved(
    measured: Person, database: Database, decision: dict[str, str]
) -> None:
    page = await draft(measured, database, "answer:some-prompt", "Seven years", PRICE)
    opened = fields_of((await measured.http.get(page)).text)
    rejected = await measured.submit(page, {**opened, **decision, "decision": "approve"})
    assert (rejected.status_code, "Decide every marked sentence" in rejected.text) == (422, True)
    assert (await measured.http.get(page)).status_code == 200


async def test_a_draft_without_a_stored_review_is_undecided(measured: Person, database: Database) -> None:
    page = await draft(measured, database, "answer:some-prompt", "One. Two.", reviewed=False)
    assert "2 of 2 sentences need a decision." in await measured.text(page)
    opened = fields_of((await measured.http.get(page)).text)
    rejected = await measured.submit(page, {**opened, "decision": "approve"})
    assert rejected.status_code == 422


async def test_the_edit_form_does_not_publish_a_draft_that_a_run_wrote(
    measured: Person, database: Database
) -> None:
    page = await draft(measured, database, "answer:some-prompt", "Seven years", PRICE)
    item = page.split("/")[-2]
    base = f"/brands/{measured.brand}/content"
    opened = await measured.http.get(f"{base}/new?item={item}")
    assert opened.headers["location"] == page
    sent = await measured.submit(f"{base}/new", {**ITEM, "item": item, "body": "Nine", "category": "faq"})
    assert sent.headers["location"] == page
    assert "A service costs 99 euros." in await measured.text(page)


async def test_a_viewer_reads_a_draft_and_decides_nothing(
    measured: Person, meet: Meet, database: Database, token_for: Callable[[Person, str], str]
) -> None:
    page = await draft(measured, database, "answer:some-prompt", "Seven years")
    viewer = await colleague(measured, meet, "viewer")
    assert "Approve" not in await viewer.text(page)
    refused = await viewer.http.post(page, data={"token": token_for(viewer, page), "decision": "discard"})
    assert refused.status_code == 403
    assert "Seven years" in await measured.text(page)


async def test_the_brief_of_a_draft_is_shown_and_nothing_in_it_runs(
    measured: Person, database: Database
) -> None:
    hostile = "<script>alert(1)</script>\u202e"
    brief = {
        "schemaVersion": 1,
        "question": "How long do vans last?",
        "rivals": ["Rival"],
        "quotes": [f"Rival lasts {hostile}"],
        "pages": [
            {
                "url": "https://guide.example/vans",
                "title": hostile,
                "answers": 3,
                "unread": "it did not answer in time",
            },
            {
                "url": "https://list.example/vans",
                "title": "List",
                "answers": 2,
                "outline": {
                    "words": 400,
                    "headings": [f"Vans {hostile}"],
                    "lists": 1,
                    "tables": 0,
                    "prices": [],
                    "types": [],
                    "updated": None,
                    "answer": None,
                },
                "lacking": ["1 list; ours has none."],
            },
        ],
        "facts": [{"itemId": "some-item", "title": "Warranty"}],
        "mostWords": 400,
    }
    company = await database.operators.companies.find(measured.company)
    assert company is not None
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.find(measured.brand)
        assert brand is not None
        written = ItemDraft("How long?", "Seven years", DRAFT, key="answer:some-prompt", brief=brief)
        await workspace.repository_items.save(brand.key, [written], datetime.now(UTC))
        [item], _ = await workspace.repository_items.page(brand.key, DRAFT, 1, 0)
    shown = (await measured.http.get(f"/brands/{measured.brand}/content/{item.id}/draft")).text
    assert "Named instead: Rival." in shown
    assert "https://guide.example/vans, cited in 3 answers" in shown
    assert "Not read: it did not answer in time." in shown
    assert "1 list; ours has none." in shown
    assert "Its headings: Vans" in shown
    assert f'href="/brands/{measured.brand}/content/some-item">Warranty</a>' in shown
    assert ("<script>alert" in shown, "\u202e" in shown) == (False, False)


LABEL_OF_FOCUS = (
    "() => { const e = document.activeElement; return e.labels?.[0]?.innerText ?? e.innerText ?? ''; }"
)


async def tab_to(page: Page, label: str) -> None:
    """Press Tab until the control of this label has the focus."""
    for _ in range(200):
        await page.keyboard.press("Tab")
        if (await page.evaluate(LABEL_OF_FOCUS)).strip() == label:
            return
    raise AssertionError(f"Tab never reaches {label}")


@pytest.mark.browser
async def test_a_draft_of_twenty_sentences_is_decided_with_the_keyboard(
    measured: Person, database: Database, browse: Callable[..., Awaitable[Page]]
) -> None:
    fine = [supported(f"Vans last long, part {letter}.") for letter in "abcdefghijklmnop"]
    marked = [PRICE.model_copy(update={"text": f"It costs {n} euros."}) for n in (97, 98, 99)]
    address = await draft(measured, database, "answer:some-prompt", "Seven years.", *fine, *marked)
    page = await browse(measured)
    await page.goto(address)
    assert await page.get_by_role("button", name="Approve").is_disabled()
    await tab_to(page, "Delete")
    await page.keyboard.press("Space")
    await tab_to(page, "Delete")
    await page.keyboard.press("ArrowRight")
    await tab_to(page, "New text")
    await page.keyboard.press("Control+a")
    await page.keyboard.type("Ask for our prices.")
    await tab_to(page, "Delete")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await tab_to(page, "Reason")
    await page.keyboard.type("The new price list")
    await tab_to(page, "Save decisions")
    await page.keyboard.press("Enter")
    await page.get_by_text("Every sentence has a source or a decision.").wait_for()
    await tab_to(page, "Approve")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**decided=approved**")
    text = await page.locator("main").inner_text()
    assert ("It costs 97" in text, "Ask for our prices." in text, "It costs 99" in text) == (
        False,
        True,
        True,
    )
