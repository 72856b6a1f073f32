"""What repositories keep and give back."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Update, insert, select

from storage.database import Database, Transaction
from storage.documents import StoredEvidence, evidence_json
from storage.errors import DuplicateRow
from storage.ids import new_id
from storage.operators import Operators
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.answers.answers import AnswerDraft, AnswerPlace
from storage.repositories.answers.readings import ExtractedAnswerRow, ExtractedMentionRow
from storage.repositories.batches import BatchRow, PlannedAsk, PlannedSimulation
from storage.repositories.brands import AliasRow, Brand, BrandDraft
from storage.repositories.prompt_sets import PromptSetDraft
from storage.repositories.prompts import PromptDraft
from storage.repositories.repository_items import ItemDraft, RepositoryItemRepository
from storage.repository import Repository
from storage.tables.answers import answer_exchanges, answers
from storage.tables.issues import issues
from storage.workspace import Workspace

NOON = datetime(2026, 3, 31, 12, tzinfo=UTC)
PROFILE: dict[str, Any] = {
    "industry": "shoes",
    "website": None,
    "voice": None,
    "keywords": ["shoe", "靴"],
    "target_audience": None,
}


@pytest.fixture
async def company(database: Database) -> str:
    async with database.operation() as operators:
        return (await operators.companies.create("Shop", "owner@shop.example", "growth", NOON)).id


@pytest.fixture
async def brand(database: Database, company: str) -> Brand:
    async with database.transaction(company) as workspace:
        return await workspace.brands.save(BrandDraft("Acme"), [], PROFILE, NOON)


async def test_a_company_and_an_address_exist_once(database: Database, company: str) -> None:
    for name, email in (("SHOP ", "other@shop.example"), ("Mill", "OWNER@shop.example")):
        async with database.operation() as operators:
            with pytest.raises(DuplicateRow):
                await operators.companies.create(name, email, "growth", NOON)
    assert len(await database.operators.companies.all()) == 1


async def test_saving_a_brand_again_keeps_the_ids_of_its_competitors(
    database: Database, company: str
) -> None:
    async def save(name: str, *rivals: str) -> Brand:
        drafts = [BrandDraft(rival, (AliasRow(rival),), (f"{rival}.example",)) for rival in rivals]
        async with database.transaction(company) as workspace:
            own = BrandDraft(name, (AliasRow("ACME", exact_case=True), AliasRow("Acme Hotel", negative=True)))
            return await workspace.brands.save(own, drafts, PROFILE, NOON)

    first = await save("Acme", "Globex", "Initech")
    before = await database.workspace(company).brands.entities(first)
    second = await save("aCME", "Initech", "Umbrella")
    after = await database.workspace(company).brands.entities(second)
    assert (second.id, second.name, second.keywords) == (first.id, "aCME", ["shoe", "靴"])
    assert [one.name for one in after] == ["aCME", "Initech", "Umbrella"]
    assert {one.id for one in before if one.name == "Initech"} == {
        one.id for one in after if one.name == "Initech"
    }
    assert after[0].aliases == (AliasRow("ACME", exact_case=True), AliasRow("Acme Hotel", negative=True))
    assert after[1].sites == ("Initech.example",)
    brands = database.workspace(company).brands
    assert (await brands.find(first.id.upper()), await brands.find("acme")) == (second, second)
    assert await brands.find("acm") is None
    back = await brands.entities(await save("Acme", "GLOBEX"))
    assert [(one.name, one.aliases) for one in back[1:]] == [("GLOBEX", (AliasRow("GLOBEX"),))]
    assert (back[1].id, back[1].key) == (before[1].id, before[1].key)


async def test_a_transaction_that_fails_leaves_nothing(database: Database, company: str) -> None:
    async def fail() -> None:
        async with database.transaction(company) as workspace:
            await workspace.brands.save(BrandDraft("Acme"), [], PROFILE, NOON)
            raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        await fail()
    assert await database.workspace(company).brands.all() == []


async def test_writing_outside_of_a_transaction_is_a_defect(database: Database, company: str) -> None:
    with pytest.raises(RuntimeError, match="transaction"):
        await database.workspace(company).brands.save(BrandDraft("Acme"), [], PROFILE, NOON)


ITEMS = (
    ItemDraft("Warranty of electric cars", "We repair every battery for eight years.", "faq"),
    ItemDraft("Café Zürich", "Crème brûlée and Straße", "blog"),
    ItemDraft("電気自動車の保証", "八年間の保証があります。", "faq"),
    ItemDraft("C++ and O'Reilly", 'He said "AND OR NOT (near)" * to us: 100%.', "blog"),
    ItemDraft("The Who", "A band", "blog"),
)


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("battery", ["Warranty of electric cars"]),
        ("REPAIRING batteries", ["Warranty of electric cars"]),
        ("electric battery", ["Warranty of electric cars"]),
        ("electric banana", []),
        ("cafe zurich", ["Café Zürich"]),
        ("creme BRÛLÉE strasse", ["Café Zürich"]),
        ("自動車", ["電気自動車の保証"]),
        ("車自", []),
        ("保証", ["電気自動車の保証"]),
        ("o'reilly", ["C++ and O'Reilly"]),
        ('said "and or"', ["C++ and O'Reilly"]),
        ("NOT near*", ["C++ and O'Reilly"]),
        ("who", ["The Who"]),
        ("title_words:who", []),
        ('"', []),
        ("* - ( ) : ^", []),
        ("", []),
    ],
)
async def test_a_search_finds_items_with_every_word_of_any_query(
    database: Database, company: str, brand: Brand, query: str, titles: list[str]
) -> None:
    async with database.transaction(company) as workspace:
        await workspace.repository_items.save(brand.key, ITEMS, NOON)
    match, total = await database.workspace(company).repository_items.search(brand.key, query, 10, 0)
    assert ([match.title for match in match], total) == (titles, len(titles))


async def test_a_title_outweighs_a_body_and_pages_of_a_search_partition_it(
    database: Database, company: str, brand: Brand
) -> None:
    many = [ItemDraft(f"Number {number}", "battery", "blog") for number in range(7)]
    async with database.transaction(company) as workspace:
        await workspace.repository_items.save(
            brand.key, [*many, ItemDraft("Battery", "of a car", "faq")], NOON
        )
    items = database.workspace(company).repository_items
    whole, total = await items.search(brand.key, "battery", 100, 0)
    assert (whole[0].title, total, len(whole)) == ("Battery", 8, 8)
    paged = [
        match
        for offset in range(0, 9, 3)
        for match in (await items.search(brand.key, "battery", 3, offset))[0]
    ]
    assert paged == whole


async def test_an_item_saved_again_is_found_by_its_new_words_only(
    database: Database, company: str, brand: Brand
) -> None:
    later = NOON + timedelta(days=1)
    async with database.transaction(company) as workspace:
        await workspace.repository_items.save(brand.key, ITEMS, NOON)
        twins = [ItemDraft("The Who", "A band", "blog"), ItemDraft("The Who", "Musicians", "blog")]
        await workspace.repository_items.save(brand.key, twins, later)
    items = database.workspace(company).repository_items
    page, total = await items.page(brand.key, None, 2, 0)
    assert (page[0].title, page[0].updated_at, total) == ("The Who", later, len(ITEMS))
    assert [page.title for page in (await items.page(brand.key, "faq", 10, 1))[0]] == [ITEMS[0].title]
    assert (
        (await items.search(brand.key, "band", 9, 0))[1],
        (await items.search(brand.key, "musician", 9, 0))[1],
    ) == (0, 1)


@pytest.mark.parametrize("category", ["article", "draft"])
async def test_a_run_changes_no_draft_that_is_decided_meanwhile(
    database: Database, company: str, brand: Brand, monkeypatch: pytest.MonkeyPatch, category: str
) -> None:
    def written(body: str) -> ItemDraft:
        return ItemDraft("Warranty", body, "draft", key="answer:p", review={"sentences": [body]})

    async with database.transaction(company) as workspace:
        await workspace.repository_items.save(brand.key, [written("First")], NOON)
        await workspace.repository_items.save(brand.key, [written("Second")], NOON)
        [item], _ = await workspace.repository_items.page(brand.key, "draft", 10, 0)
    assert item.body == "Second"
    write = vars(Repository)["_write"]

    async def decided_first(items: RepositoryItemRepository, statement: Any, *values: Any) -> Any:
        if isinstance(statement, Update):  # the run has read the draft and is about to change it
            monkeypatch.setattr(Repository, "_write", write)
            decided = ItemDraft("Warranty", "Second", category, review={"sentences": []})
            assert await items.change(brand.key, item.id, decided, NOON)
        return await write(items, statement, *values)

    async with database.transaction(company) as workspace:
        monkeypatch.setattr(Repository, "_write", decided_first)
        await workspace.repository_items.save(brand.key, [written("Third")], NOON)
    items = database.workspace(company).repository_items
    assert [(one.category, one.body) for one in (await items.page(brand.key, None, 10, 0))[0]] == [
        (category, "Second")
    ]
    assert await items.review(brand.key, item.id) == {"sentences": []}


async def test_an_item_that_is_gone_is_not_changed(database: Database, company: str, brand: Brand) -> None:
    async with database.transaction(company) as workspace:
        assert not await workspace.repository_items.change(brand.key, new_id(), ITEMS[0], NOON)


async def test_a_prompt_set_gets_a_version_only_when_its_prompts_change(
    database: Database, company: str, brand: Brand
) -> None:
    async def save(*texts: str, repeats: int = 3) -> tuple[int, dict[str, str]]:
        draft = PromptSetDraft("Buyers", tuple(PromptDraft(text) for text in texts), repeats=repeats)
        async with database.transaction(company) as workspace:
            saved = await workspace.prompt_sets.save(brand.key, draft, NOON)
            return saved.version, {
                prompt.text: prompt.id for prompt in await workspace.prompts.of_set(saved.key)
            }

    version, first = await save("a?", "b?")
    assert (version, list(first)) == (1, ["a?", "b?"])
    assert await save("a?", "b?", repeats=5) == (1, first)
    version, changed = await save("b?", "c?")
    assert (version, list(changed), changed["b?"]) == (2, ["b?", "c?"], first["b?"])


async def test_a_prompt_set_of_one_brand_is_not_taken_by_another(
    database: Database, company: str, brand: Brand
) -> None:
    draft = PromptSetDraft("Buyers", (PromptDraft("a?"),))
    async with database.transaction(company) as workspace:
        await workspace.prompt_sets.save(brand.key, draft, NOON)
        other = await workspace.brands.save(BrandDraft("Globex"), [], PROFILE, NOON)
        with pytest.raises(DuplicateRow):
            await workspace.prompt_sets.save(other.key, draft, NOON)


async def planned(workspace: Workspace, brand: Brand, *names: str, now: datetime = NOON) -> BatchRow:
    prompt = await workspace.prompts.standalone("Which?", None, now)
    asks = tuple(PlannedAsk(prompt.key, name, number) for number, name in enumerate(names))
    simulation = PlannedSimulation("one", "visibility", None, asks)
    return await workspace.batches.open(
        f"batch-{names[0]}",
        brand.key,
        [simulation],
        source="probe",
        plan_sha256=names[0],
        prompt_set=None,
        now=now,
    )


async def test_an_ask_is_claimed_once_and_freed_when_its_holder_is_gone(
    database: Database, company: str, brand: Brand
) -> None:
    async with database.transaction(company) as workspace:
        batch = await planned(workspace, brand, "a", "b", "c")
        batches, asks = workspace.batches, workspace.asks
        first, second, third = await asks.waiting(batch.key)
        assert await asks.claim([first], "alive", NOON)
        assert not await asks.claim([first], "dead", NOON)
        assert await asks.claim([second], "dead", NOON)
        assert await asks.claim([third], "dead", NOON)
        assert not await asks.settle([second], "alive", NOON)
        assert await asks.settle([first], "alive", NOON)
        assert await asks.claimants(batch.key) == ["dead"]
        await asks.fail(third, "dead", "timeout", "It took too long.", possibly_billed=True, now=NOON)
        await asks.release(batch.key, ["dead"], NOON)
        assert [one.ask_key for one in await asks.waiting(batch.key)] == [second.ask_key]
        assert not await asks.settle([second], "dead", NOON)
        assert await asks.claim([second], "alive", NOON)
        (progress,) = await asks.progress(batch.key)
        assert (progress.planned, progress.sent, progress.stored, progress.failed) == (0, 1, 1, 1)
        assert await asks.errors(batch.key) == [("one", "timeout", "It took too long.", 1)]
        assert await batches.close(batch.key, "success", [(progress, "degraded")], NOON)
        assert not await batches.close(batch.key, "failed", [(progress, "failed")], NOON)
        (shown,), total = await workspace.simulations.page(brand.key, 10, 0)
        assert (shown.status, shown.answered, shown.failed, total) == ("degraded", 1, 1, 1)


async def test_each_platform_and_country_of_sessions_is_listed_once(
    database: Database, company: str, brand: Brand
) -> None:
    asked_from = [("two", ""), ("one", "DE"), ("one", "AT"), ("three", "DE"), ("one", "DE")]
    async with database.transaction(company) as workspace:
        assert await workspace.simulations.platforms() == await workspace.simulations.countries() == []
        prompt = await workspace.prompts.standalone("Which?", None, NOON)
        sessions = [
            PlannedSimulation(
                platform, "visibility", None, (PlannedAsk(prompt.key, f"ask {number}", 0),), country=country
            )
            for number, (platform, country) in enumerate(asked_from)
        ]
        await workspace.batches.open(
            "batch", brand.key, sessions, source="probe", plan_sha256="plan", prompt_set=None, now=NOON
        )
        assert await workspace.simulations.platforms() == ["one", "three", "two"]
        assert await workspace.simulations.countries() == ["AT", "DE"]
    async with database.operation() as operators:
        other = await operators.companies.create("Mill", "owner@mill.example", "growth", NOON)
    assert await database.workspace(other.id).simulations.platforms() == []


async def published(
    database: Database, company: str, brand: Brand, revision: int, number: int, *, status: str = "success"
) -> None:
    """Store a batch of seven answers over two days as it stands after a probe, its day counts included."""
    names = [f"{number}-{one}" for one in range(7)]
    async with database.transaction(company) as workspace:
        batch = await planned(workspace, brand, *names)
        readings: list[ExtractedAnswerRow] = []
        for place, ask in enumerate(await workspace.asks.waiting(batch.key)):
            await workspace.asks.claim([ask], "me", NOON)
            await workspace.asks.settle([ask], "me", NOON)
            channel = await workspace.channels.key(f"engine{place % 2}", "visibility", "probe")
            captured = NOON + timedelta(days=number % 4, hours=5 * place)
            key = await workspace.answers.add(
                answer(captured), brand_key=brand.key, batch_key=batch.key, ask_key=ask.key,
                prompt_key=ask.prompt_key, channel_key=channel,
            )  # fmt: skip
            named = (place + number) % 3 > 0
            mention = ExtractedMentionRow(0, named, 1 if named else None, named, False, 1, 0, 0, (), "Acme")
            readings.append(ExtractedAnswerRow(key, channel, captured, False, False, (), {}, (mention,)))
        await workspace.readings.add(revision, readings)
        progress = await workspace.asks.progress(batch.key)
        if status != "running":
            await workspace.batches.close(
                batch.key, status, [(progress, "completed") for progress in progress], NOON
            )
        days = sorted({reading.captured_at.date() for reading in readings})
        await workspace.daily_counts.recount(brand.key, revision, days)


def answer(captured_at: datetime) -> AnswerDraft:
    return AnswerDraft(
        status="answered", valid=True, text="Acme", retrieval="not_requested", citations_known=False,
        citations=(), truncated=False, requested_model="m", served_model="m", latency_ms=1, attempts=1,
        usage={}, parser="p/1", raw_sha256="", exchanges=[], captured_at=captured_at,
    )  # fmt: skip


async def test_json_of_many_answers_comes_back_as_each_was_given(
    database: Database, company: str, brand: Brand
) -> None:
    documents: list[dict[str, Any] | None] = [
        {"a": ["x", "\0", "y"]}, None, {}, {"\0": "\0"}, {"b": [[], {"c": '","'}], "a": 'é "\\u0000" ,'},
    ]  # fmt: skip
    for chosen in (documents, documents[1:3], documents[:1]):
        async with database.transaction(company) as workspace:
            batch = await planned(
                workspace, brand, *(f"{len(chosen)}-{place}" for place in range(len(chosen)))
            )
            channel = await workspace.channels.key("one", "visibility", "probe")
            asks = await workspace.asks.waiting(batch.key)
            placed = [
                (
                    AnswerPlace(brand.key, batch.key, ask.key, ask.prompt_key, channel),
                    replace(answer(NOON), seen=document, exchanges=[document]),
                )
                for ask, document in zip(asks, chosen, strict=True)
            ]
            keys = await workspace.answers.add_all(placed)
        first = min(keys.values()) - 1
        stored = await database.workspace(company).answers.records(brand.key, 0, first, 100)
        assert [record.seen for record in stored] == chosen


async def test_answers_of_unpublished_batches_are_on_no_page_and_shift_none(
    database: Database, company: str, brand: Brand
) -> None:
    async with database.transaction(company) as workspace:
        revision = (await workspace.revisions.begin(brand.key, {}, "f", 0, NOON)).key
    for number in (3, 0, 2):
        await published(database, company, brand, revision, number)
    listed = database.workspace(company).listed_mentions

    async def pages() -> list[object]:
        platforms = (None, "engine0", "engine1")
        return [
            await listed.page(revision, 2, offset, AnswerFilter(platform=platform))
            for platform in platforms
            for offset in range(16)
        ]

    before = await pages()
    for number, status in ((1, "running"), (5, "cancelled"), (6, "failed")):
        await published(database, company, brand, revision, number, status=status)
    assert await pages() == before


async def test_the_current_revision_has_unread_answers_only_if_unpublished(
    database: Database, company: str, brand: Brand
) -> None:
    async with database.transaction(company) as workspace:
        revision = (await workspace.revisions.begin(brand.key, {}, "f", 0, NOON)).key
        other = (await workspace.revisions.begin(brand.key, {}, "g", 0, NOON)).key
    for number, status in ((0, "success"), (1, "running"), (2, "cancelled"), (3, "success")):
        await published(database, company, brand, revision, number, status=status)
    answers = database.workspace(company).answers

    async def unread(of: int, after: int = 0, limit: int = 100, *, in_force: bool = False) -> list[int]:
        found = await answers.unread(brand.key, of, 0, after, limit, in_force=in_force)
        return [one.key for one in found]

    whole = await unread(other)
    assert len(whole) == 28
    assert await unread(other, in_force=True) == whole[7:21]
    assert await unread(other, whole[9], 3, in_force=True) == whole[10:13]
    assert await unread(revision) == await unread(revision, in_force=True) == []


async def test_mention_pages_of_any_size_make_one_list_and_counts_agree(
    database: Database, company: str, brand: Brand
) -> None:
    async with database.transaction(company) as workspace:
        revision = (await workspace.revisions.begin(brand.key, {}, "f", 0, NOON)).key
    for number in (3, 0, 2, 1, 4):
        await published(database, company, brand, revision, number)
    listed = database.workspace(company).listed_mentions
    for platform, total in ((None, 23), ("engine0", 13), ("engine1", 10), ("nobody", 0)):
        chosen = AnswerFilter(platform=platform)
        whole, counted = await listed.page(revision, 100, 0, chosen)
        assert (len(whole), counted) == (total, total)
        assert [one.captured_at for one in whole] == sorted((one.captured_at for one in whole), reverse=True)
        for size in range(1, 12):
            pages = [
                (await listed.page(revision, size, offset, chosen))[0]
                for offset in range(0, total + size, size)
            ]
            assert [one for page in pages for one in page] == whole
    async with database.transaction(company) as workspace:
        before = await workspace.listed_mentions.days(revision)
        await workspace.daily_counts.recount(brand.key, revision, sorted({one.day for one in before}))
        assert await workspace.listed_mentions.days(revision) == before
    assert sum(one.named for one in before) == 23


async def test_old_raw_exchanges_go_in_chunks_but_not_those_of_open_issues(
    database: Database, company: str, brand: Brand
) -> None:
    async with database.transaction(company) as workspace:
        revision = (await workspace.revisions.begin(brand.key, {}, "f", 0, NOON)).key
    await published(database, company, brand, revision, 0)  # seven answers, five hours apart

    async def left() -> list[int]:
        async with database.writing() as connection:
            rows = await connection.execute(
                select(answer_exchanges.c.answer_key).order_by(answer_exchanges.c.answer_key)
            )
            return list(rows.scalars())

    async def go(before: datetime, limit: int) -> int:
        gone = after = 0
        raw_answers = database.operators.raw_answers
        while keys := await raw_answers.page(after, limit):
            assert len(keys) <= limit
            after = keys[-1]
            async with database.operation() as operators:
                gone += await operators.raw_answers.delete(await raw_answers.captured_before(keys, before))
        return gone

    first, *others = await left()
    await issue(database, company, brand, await id_of(database, first), "open")
    await issue(database, company, brand, await id_of(database, others[0]), "resolved")
    assert await go(NOON + timedelta(hours=7), 1) == 1
    assert await left() == [first, *others[1:]]
    assert (await go(NOON + timedelta(hours=12), 2), await go(NOON + timedelta(hours=12), 9)) == (1, 0)
    assert await left() == [first, *others[2:]]
    assert (await go(NOON + timedelta(days=9), 9), await left()) == (4, [first])
    assert (await database.workspace(company).listed_mentions.page(revision, 9, 0))[1] > 0


async def test_deleting_raw_exchanges_costs_the_sum_of_answers_and_issues(
    database: Database, url: str, company: str, brand: Brand
) -> None:
    async with database.transaction(company) as workspace:
        revision = (await workspace.revisions.begin(brand.key, {}, "f", 0, NOON)).key
    for number in range(12):
        await published(database, company, brand, revision, number)
    for _ in range(200):
        await issue(database, company, brand, new_id(), "open")
    raw_answers = database.operators.raw_answers
    old = await raw_answers.captured_before(await raw_answers.page(0, 100), NOON + timedelta(days=9))
    assert len(old) == 7 * 12
    if not url.startswith("sqlite"):
        pytest.skip("only SQLite counts the steps of its statements")
    steps = 0

    def count() -> None:
        nonlocal steps
        steps += 10

    async with database.writing() as connection:
        driver: Any = (await connection.get_raw_connection()).driver_connection
        await driver.set_progress_handler(count, 10)
        assert await Operators(Transaction(connection)).raw_answers.delete(old) == len(old)
        await driver.set_progress_handler(None, 10)
    assert 0 < steps < 60 * (len(old) + 200)


async def id_of(database: Database, key: int) -> str:
    async with database.writing() as connection:
        return (await connection.execute(select(answers.c.id).where(answers.c.key == key))).scalar_one()


async def issue(database: Database, company: str, brand: Brand, answer_id: str, state: str) -> None:
    """Store an issue that rests on an answer."""
    async with database.writing() as connection:
        await connection.execute(
            insert(issues).values(
                id=new_id(), company_id=company, brand_key=brand.key, fingerprint=new_id(), kind="content_gap",
                check_id="c", subject="s", severity="info", title="t",
                evidence=evidence_json([StoredEvidence(type="answer", id=answer_id)]),
                state=state, occurrences=1, clean=0, reopened=0, first_seen=NOON, last_seen=NOON,
            )
        )  # fmt: skip
