"""Attacks on the page of a draft: nothing that no person decided is published, and no decision is lost."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from measurement.planning.published_items import DRAFT
from storage.database import Database
from storage.repositories.repository_items import ItemDraft, RepositoryItem, RepositoryItemRepository
from tests.web.conftest import Meet, Person
from tests.web.test_content import PRICE, SERVICE, draft, fields_of, supported
from workflows.drafts.document import DraftReview, DraftSentence, Fact

JUDGED = DraftSentence(text="Vans never break down.", before="\n\n", facts=(1,), state="unsupported",
                       reason="judged_unsupported")  # fmt: skip
HEADING = DraftSentence(text="Vans", before="\n\n## ", state="no_claim")
UNJUDGED = DraftSentence(text="Vans are there for all.", before=" ", state="not_checked", reason="no_judge")
LASTS = "Vans last 7 years."


async def items_of(person: Person, database: Database, category: str = "article") -> list[RepositoryItem]:
    company = await database.operators.companies.find(person.company)
    assert company is not None
    workspace = database.workspace(company.id)
    brand = await workspace.brands.find(person.brand)
    assert brand is not None
    items, _ = await workspace.repository_items.page(brand.key, category, 10, 0)
    return items


async def store(person: Person, database: Database, review: DraftReview, title: str = "Vans") -> str:
    """Store a run's draft; return the address of its page."""
    company = await database.operators.companies.find(person.company)
    assert company is not None
    item = ItemDraft(title, review.body, DRAFT, key="answer:p", review=review.to_json())
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.find(person.brand)
        assert brand is not None
        await workspace.repository_items.save(brand.key, [item], datetime.now(UTC))
    [stored] = await items_of(person, database, DRAFT)
    return f"/brands/{person.brand}/content/{stored.id}/draft"


async def decide(person: Person, page: str, decision: str, **changed: str) -> tuple[int, str]:
    """Send the form of a draft; return the status, and the page that follows."""
    opened = fields_of((await person.http.get(page)).text)
    sent = await person.submit(page, {**opened, "decision": decision, **changed})
    text = sent.text if sent.status_code == 422 else (await person.http.get(sent.headers["location"])).text
    return sent.status_code, text


@pytest.mark.parametrize(
    "changed",
    [
        {"do-2": "edit", "text-2": JUDGED.text},
        *({"do-2": "edit", "text-2": f"Vans never{sign} break down."} for sign in "\u200b\u00ad\u2060\u180e\u115f "),
        {"do-2": "edit", "text-2": "Vans *never* break down."},
        {"do-2": "edit", "text-2": "\u200b"},
        {"do-2": "edit", "text-2": "Our vans won an award."},
        *({"do-2": "confirm", "reason-2": sign} for sign in "\u200b\u2060\u00ad\u3164\uffa0-"),
        {"body": f"{LASTS}\n\nVans never\u200b break down."},
        {"body": f"{LASTS}\n\nWe have many awards."},
        {"body": f"{JUDGED.text} {LASTS}"},
        {"body": f"{JUDGED.text}\n\n## {LASTS}"},
        {"body": f"{LASTS}\n\n---\n\n- {JUDGED.text}"},
        {"body": f"{LASTS[:-2]}", "do-2": "delete"},
        {"do-0": "delete", "do--1": "delete", "do-3": "delete", "do-02": "delete", "do-2": "approve", "review": "{}",
         "undecided": "0", "state-2": "supported"},
        {"category": " draft "},
    ],
)  # fmt: skip
async def test_nothing_but_a_real_decision_publishes_a_draft(
    measured: Person, database: Database, changed: dict[str, str]
) -> None:
    facts = DraftSentence(text=JUDGED.text, before="\n\n", state="unsupported", reason="needs_citation")
    page = await draft(measured, database, "answer:p", LASTS, facts)
    status, shown = await decide(measured, page, "approve", **changed)
    assert (status, await items_of(measured, database)) == (422, [])
    assert "Decide every marked sentence" in shown


@pytest.mark.parametrize(
    ("sentence", "body"),
    [
        (HEADING, "They last 7 years.\n\nVans never break down."),
        (HEADING, "They last 7 years.\n\nVans"),
        (HEADING, "They last 7 years.\n\n## Vans of 77 years"),
        (supported("7 years is what vans last."), "They last 7 years.\n\n77 years is what vans last."),
    ],
)
async def test_a_sentence_that_only_contains_a_decided_one_is_new(
    measured: Person, database: Database, sentence: DraftSentence, body: str
) -> None:
    page = await draft(measured, database, "answer:p", "They last 7 years.", sentence)
    assert (await decide(measured, page, "approve", body=body))[0] == 422
    assert await items_of(measured, database) == []


@pytest.mark.parametrize(
    ("body", "undecided"),
    [
        ("# New\n\nThey last 7 years. Ask us.\n\n---\n\n## Vans\n\n1. One\n- Two\n\n> Three\n\n***", 5),
        ("## Vans\n\n* We have 12. We sell vans.\n  They last 7 years.", 0),
        ("They last 7 years.\n## Vans\nWe have 12. We sell vans. We have 12.", 1),
        ("They last 7 years. **We sell vans.**", 1),
    ],
)
async def test_the_whole_text_is_kept_as_it_was_typed(
    measured: Person, database: Database, body: str, undecided: int
) -> None:
    twelve = DraftSentence(text="We have 12.", before="\n\n", state="confirmed", note="Count")
    vans = DraftSentence(text="We sell vans.", before=" ", state="no_claim")
    page = await draft(measured, database, "answer:p", "They last 7 years.", HEADING, twelve, vans)
    status, shown = await decide(measured, page, "keep", body=body)
    assert (status, fields_of(shown)["body"]) == (303, body)
    assert [item.body for item in await items_of(measured, database, DRAFT)] == [body]
    assert shown.count("<fieldset>") == undecided


async def test_decisions_hold_for_sentences_that_moved(measured: Person, database: Database) -> None:
    page = await draft(measured, database, "answer:p", LASTS, UNJUDGED, PRICE, JUDGED)
    decided = {
        "do-2": "confirm",
        "reason-2": "Our promise",
        "do-3": "delete",
        "do-4": "edit",
        "text-4": "Ask us.",
    }
    body = f"{PRICE.text} {JUDGED.text}\n\nNew words. {UNJUDGED.text}\n\n{LASTS}"
    status, shown = await decide(measured, page, "keep", body=body, **decided)
    assert (status, fields_of(shown)["body"]) == (303, f"Ask us.\n\nNew words. {UNJUDGED.text}\n\n{LASTS}")
    assert ("1 of 4 sentences needs a decision." in shown, "Our promise" in shown) == (True, True)


async def test_a_sentence_that_was_changed_in_two_ways_is_not_lost(
    measured: Person, database: Database
) -> None:
    page = await draft(measured, database, "answer:p", LASTS, PRICE)
    status, shown = await decide(
        measured, page, "keep", body=f"{LASTS} Ask us.", **{"do-2": "edit", "text-2": "Ask for prices."}
    )
    assert (status, "You confirmed or edited a sentence" in shown) == (422, True)
    assert ("Ask us." in shown, 'value="edit" checked' in shown, ">Ask for prices.</textarea>" in shown) == (
        True,
    ) * 3


async def test_a_draft_without_any_sentence_is_not_published(measured: Person, database: Database) -> None:
    page = await draft(measured, database, "answer:p", LASTS)
    status, shown = await decide(measured, page, "approve", **{"do-1": "delete"})
    assert (status, "The draft has no text left to publish." in shown) == (422, True)
    assert await items_of(measured, database) == []


@pytest.mark.parametrize(
    ("decided", "body"),
    [
        ({"do-3": "delete"}, f"They last 7 years.\n\n## Vans\n\n{UNJUDGED.text}\n- A.\n- B."),
        ({"do-3": "delete", "do-4": "delete"}, "They last 7 years.\n\n## Vans\n- A.\n- B."),
        ({"do-5": "delete"}, f"They last 7 years.\n\n## Vans\n\n{JUDGED.text} {UNJUDGED.text}\n- B."),
        ({"do-1": "delete", "do-2": "delete"}, f"{JUDGED.text} {UNJUDGED.text}\n- A.\n- B."),
    ],
)
async def test_a_block_keeps_its_mark_when_its_first_sentence_is_deleted(
    measured: Person, database: Database, decided: dict[str, str], body: str
) -> None:
    listed = [DraftSentence(text=text, before="\n- ", state="no_claim") for text in ("A.", "B.")]
    page = await draft(
        measured, database, "answer:p", "They last 7 years.", HEADING, JUDGED, UNJUDGED, *listed
    )
    confirmed = {f"{name}-{n}": "confirm" for n in (3, 4) for name in ("do", "reason")}
    assert (await decide(measured, page, "approve", **{**confirmed, **decided}))[0] == 303
    [item] = await items_of(measured, database)
    assert item.body == body


async def test_a_stale_or_missing_digest_changes_nothing(measured: Person, database: Database) -> None:
    page = await draft(measured, database, "answer:p", LASTS, PRICE)
    for seen in ("", "0" * 64):
        assert (await decide(measured, page, "approve", seen=seen, **{"do-2": "delete"}))[0] == 422
    assert await items_of(measured, database) == []


async def test_a_draft_that_is_gone_is_said_to_be_gone(
    measured: Person, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await draft(measured, database, "answer:p", LASTS)
    change = RepositoryItemRepository.change

    async def late(
        items: RepositoryItemRepository, brand_key: int, item_id: str, *others: ItemDraft | datetime
    ) -> bool:
        await items.remove(brand_key, item_id)
        return await change(items, brand_key, item_id, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(RepositoryItemRepository, "change", late)
    status, shown = await decide(measured, page, "approve")
    assert (status, "approved or discarded in the meantime" in shown) == (422, True)


async def test_an_import_over_a_draft_leaves_its_sentences_undecided(
    measured: Person, database: Database
) -> None:
    page = await draft(measured, database, "answer:p", LASTS, JUDGED)
    body = f"{LASTS}\r\n\r\n{JUDGED.text[:-1]}!"
    fields = {"title": "How long do vans last?", "category": "draft", "url": "", "body": body}
    assert (await measured.submit(f"/brands/{measured.brand}/content/new", fields)).status_code == 303
    shown = (await measured.http.get(page)).text
    assert ("Edited by" in shown, "1 of 2 sentences needs a decision." in shown) == (False, True)
    assert (await decide(measured, page, "approve"))[0] == 422


async def test_the_page_of_a_draft_is_its_only_page(measured: Person, database: Database) -> None:
    page = await draft(measured, database, "answer:p", LASTS, PRICE)
    shown = await measured.http.get(page.removesuffix("/draft"))
    assert (shown.status_code, shown.headers["location"]) == (303, page)


@pytest.mark.parametrize(("years", "changed"), [(3, True), (7, False)])
async def test_a_source_that_changed_since_says_so(
    measured: Person, database: Database, years: int, changed: bool
) -> None:
    body = f"Ask us.\r\n\r\nEvery  van has a warranty of {years} years."
    fields = {"title": "Warranty", "category": "faq", "url": "", "body": body}
    await measured.submit(f"/brands/{measured.brand}/content/new", fields)
    [item] = await items_of(measured, database, "faq")
    fact = SERVICE.model_copy(update={"key": f"item:{item.id}#2"})
    page = await store(measured, database, DraftReview(facts=(fact,), sentences=(supported(LASTS),)))
    assert ("This source has changed since." in (await measured.http.get(page)).text) == changed


async def test_strangers_reach_a_draft_by_no_address(
    measured: Person, meet: Meet, database: Database, token_for: Callable[[Person, str], str]
) -> None:
    page = await draft(measured, database, "answer:p", LASTS, PRICE)
    stranger = meet()
    await stranger.sign_up()
    for base in (page.removesuffix("/draft"), f"/brands/{stranger.brand}/content/{page.split('/')[-2]}"):
        for ending in ("", ".md", ".html", "/draft"):
            assert (await stranger.http.get(base + ending)).status_code == 404, base + ending
        for ending in ("/draft", "/wordpress"):
            fields = {"token": token_for(stranger, base + ending), "decision": "approve", "seen": "0" * 64}
            assert (await stranger.http.post(base + ending, data=fields)).status_code == 404, base + ending
    assert "needs a decision" in await measured.text(page)


@pytest.mark.parametrize(
    ("body", "seconds"),
    [
        ("\n\n".join(f"Vans of line {number % 400} are good." for number in range(500)), 4),
        ("Ab cd " * 16_000, 4),
        ("A.\n" * 33_000, 20),
    ],
    ids=["sentences", "one line", "equal sentences"],
)
async def test_a_long_text_is_checked_in_seconds(
    measured: Person, database: Database, body: str, seconds: int
) -> None:
    text = "Every van of line {0} has a good warranty of {0} years and costs {0} euros."
    facts = tuple(Fact(key=f"item:1#{number}", title="F", text=text.format(number)) for number in range(400))
    vans = DraftSentence(text="Vans are good.", state="no_claim")
    page = await store(measured, database, DraftReview(facts=facts, sentences=(vans,)))
    opened = fields_of((await measured.http.get(page)).text)
    began = time.process_time()
    assert (await measured.submit(page, {**opened, "body": body, "decision": "keep"})).status_code == 303
    assert time.process_time() - began < seconds


@pytest.mark.parametrize(
    "hostile", ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))"]
)
async def test_hostile_text_is_inert_everywhere(measured: Person, database: Database, hostile: str) -> None:
    facts = tuple(
        Fact(key=key, title=f"T {hostile}", text=f"F {hostile}")
        for key in (f"page:javascript:alert(1)//{hostile}#1", f'item:"{hostile}#1')
    )
    quoted = supported(f"A {hostile}").model_copy(update={"quote": f"F {hostile}"})
    decided = DraftSentence(text=f"B {hostile}", before=" ", state="confirmed", note=hostile, decided_by=hostile,
                            decided_at=datetime.now(UTC))  # fmt: skip
    sentences = (
        quoted,
        quoted.model_copy(update={"before": " ", "quoted_fact": 2}),
        decided,
        decided.model_copy(update={"state": "edited", "text": f"</textarea>{hostile}"}),
        PRICE.model_copy(update={"text": f"</textarea>{hostile}", "missing": (hostile,)}),
    )
    page = await store(measured, database, DraftReview(facts=facts, sentences=sentences), f"Title {hostile}")
    base = page.removesuffix("/draft")
    for address in (page, f"{base}.html", f"/brands/{measured.brand}/content?category=draft"):
        shown = await measured.http.get(address)
        assert shown.status_code == 200, address
        for live in (
            "<script>alert",
            "<img src=x",
            'href="javascript:',
            "</textarea><script",
            "</textarea><img",
        ):
            assert live not in shown.text
