"""Every supplier is asked for what it sees, over HTTP and to the end: submitted once, waited for, read."""

import logging
from collections.abc import AsyncGenerator, Generator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from engines.engine import EngineAnswer, Mode, Question, SupplierCost
from engines.errors import EngineError
from engines.registry import Registry
from engines.settings import EngineSettings
from engines.suppliers.supplier_engine import SupplierEngine
from engines.suppliers.supplier_task import SupplierTask
from engines.transport.retries import Timing
from tests.measurement import loopback_supplier as loopback
from tests.measurement.loopback_supplier import Supplier, running_supplier

TEXT = "Welche Laufschuhe sind gut?"
QUESTION = Question(TEXT, Mode.READINESS, "ab" * 32, country="DE", language="de")
KEY = "key-of-supplier-0123456789"
TASKED = (
    "google_ai_overview@dataforseo",
    "bing_copilot@dataforseo",
    "google_ai_overview@cloro",
    "google_ai_mode@brightdata",
)
AT_ONCE = ("google_ai_overview@serpapi", "google_ai_overview@brightdata")


class Clock:
    """Time that passes when somebody waits for it."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, tzinfo=UTC)
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += timedelta(seconds=seconds)

    @property
    def timing(self) -> Timing:
        return Timing(
            now=lambda: self.now,
            monotonic=lambda: self.now.timestamp(),
            sleep=self.sleep,
            uniform=lambda _low, high: high,
        )


@pytest.fixture
def supplier() -> Generator[Supplier]:
    with running_supplier() as supplier:
        yield supplier


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def registry(supplier: Supplier, clock: Clock) -> AsyncGenerator[Registry]:
    names = ("dataforseo", "cloro", "brightdata", "serpapi")
    seen = [f"google_ai_overview={name}" for name in names]
    environ = {
        "SEENBY_SURFACES": ",".join([*seen, "google_ai_mode=brightdata", "bing_copilot=dataforseo"]),
        "SEENBY_SUPPLIER_DATAFORSEO_LOGIN": "owner@shop.example",
        "SEENBY_SUPPLIER_DATAFORSEO_PASSWORD": "0123456789abcdef",
        **{f"SEENBY_SUPPLIER_{name.upper()}_BASE_URL": supplier.base_url for name in names},
        **{f"SEENBY_SUPPLIER_{name.upper()}_API_KEY": KEY for name in names[1:]},
    }
    async with Registry(EngineSettings.from_environ(environ), clock.timing) as registry:
        yield registry


async def asked(registry: Registry, platform: str, question: Question = QUESTION) -> EngineAnswer:
    return await registry.get(platform).ask(question, registry.credential(platform))


async def outcome(registry: Registry, platform: str) -> str:
    """How looking ended: what was shown, why nothing was, or the code of the error."""
    try:
        answer = await asked(registry, platform)
    except EngineError as error:
        return error.code.value
    assert answer.seen is not None
    return answer.seen.absent_reason or answer.text


@pytest.mark.parametrize("platform", TASKED)
async def test_a_task_is_submitted_once_and_polled_over_failures(
    supplier: Supplier, registry: Registry, platform: str
) -> None:
    supplier.busy, supplier.pending = 2, 3
    answer = await asked(registry, platform)
    assert (answer.text, answer.status, answer.requested_model) == ("Nimm Acme.", "answered", platform)
    assert (len(supplier.submissions), supplier.looks) == (1, 6)


@pytest.mark.parametrize("platform", TASKED)
async def test_a_supplier_is_told_whom_to_call_and_nothing_that_is_kept_says_it(
    supplier: Supplier, registry: Registry, clock: Clock, platform: str
) -> None:
    engine, credential = registry.get(platform), registry.credential(platform)
    assert isinstance(engine, SupplierEngine)
    address = "https://seenby.example/supplier-callbacks?task=who.which.a-token"
    task = await engine.submit(QUESTION, credential, callback=address)
    assert supplier.tasks[task.id].callback == address
    assert not any("a-token" in f"{exchange.url}{exchange.request_body}" for exchange in task.exchanges)
    polled = await engine.submit(replace(QUESTION, text="Welche?", ask_key="cd" * 32), credential)
    assert (supplier.tasks[polled.id].callback, task.pause > 2 * polled.pause) == ("", True)
    looked = await engine.look(QUESTION, task, credential)
    assert isinstance(looked, EngineAnswer)
    assert looked.text == "Nimm Acme."


async def test_lost_tasks_are_looked_for_no_more_often_than_the_list_may_be_asked_for(
    supplier: Supplier, registry: Registry, clock: Clock
) -> None:
    engine = registry.get("google_ai_overview@dataforseo")
    credential = registry.credential(engine.platform)
    assert isinstance(engine, SupplierEngine)
    lost = {number: await engine.submit(QUESTION, credential, again=True) for number in range(30)}
    for _second in range(60):
        for number, task in lost.items():
            looked = await engine.look(replace(QUESTION, ask_key=f"lost-{number}"), task, credential)
            assert isinstance(looked, SupplierTask)
        clock.now += timedelta(seconds=1)
    lists = [address for address, _ in supplier.requests if address.endswith("tasks_ready")]
    assert 1 < len(lists) <= 20  # a minute


@pytest.mark.parametrize("platform", AT_ONCE)
async def test_what_is_answered_at_once_is_asked_for_once(
    supplier: Supplier, registry: Registry, platform: str
) -> None:
    answer = await asked(registry, platform)
    assert (answer.text, len(supplier.requests)) == ("Nimm Acme.", 1)


SHOWN, NOT_LOADED = "Nimm Acme.", "not_loaded"


@pytest.mark.parametrize(
    ("platform", "expected"),
    [
        (
            "google_ai_overview@dataforseo",
            {
                "x": SHOWN,
                loopback.ABSENT: "none",
                loopback.BLOCKED: "blocked",
                loopback.NOT_LOADED: NOT_LOADED,
                loopback.NO_RESULTS: "no_results",
                loopback.REGION_REFUSED: "unsupported_locale",
                loopback.FAILED: "provider_error",
            },
        ),
        (
            "bing_copilot@dataforseo",
            {
                "x": SHOWN,
                loopback.ABSENT: "none",
                loopback.NO_RESULTS: "no_results",
                loopback.REGION_REFUSED: "unsupported_locale",
                loopback.FAILED: "provider_error",
            },
        ),
        (
            "google_ai_overview@cloro",
            {
                "x": SHOWN,
                loopback.ABSENT: "none",
                loopback.BLOCKED: "blocked",
                loopback.NOT_LOADED: NOT_LOADED,
                loopback.REGION_REFUSED: "unsupported_locale",
                loopback.FAILED: "provider_error",
            },
        ),
        (
            "google_ai_mode@brightdata",
            {"x": SHOWN, loopback.BLOCKED: "blocked", loopback.FAILED: "provider_error"},
        ),
        (
            "google_ai_overview@brightdata",
            {
                "x": SHOWN,
                loopback.ABSENT: "none",
                loopback.BLOCKED: "blocked",
                loopback.NOT_LOADED: NOT_LOADED,
            },
        ),
        (
            "google_ai_overview@serpapi",
            {
                "x": SHOWN,
                loopback.ABSENT: "none",
                loopback.BLOCKED: "blocked",
                loopback.NOT_LOADED: NOT_LOADED,
                loopback.NO_RESULTS: "no_results",
                loopback.FAILED: "provider_error",
            },
        ),
    ],
)
async def test_what_a_supplier_sees_and_cannot_see_ends_differently_each_time(
    supplier: Supplier, registry: Registry, platform: str, expected: dict[str, str]
) -> None:
    outcomes: dict[str, str] = {}
    for said in expected:
        supplier.answers[TEXT] = "Nimm Acme." if said == "x" else said
        outcomes[said] = await outcome(registry, platform)
    assert outcomes == expected


async def test_a_deferred_overview_costs_a_second_search_and_is_one_answer(
    supplier: Supplier, registry: Registry
) -> None:
    supplier.answers[TEXT] = loopback.DEFERRED
    answer = await asked(registry, "google_ai_overview@serpapi")
    assert answer.text == "Nimm Acme, later."
    assert answer.seen is not None
    assert answer.seen.cost == SupplierCost(Decimal(2), "credits")
    assert [address.partition("engine=")[2].partition("&")[0] for address, _ in supplier.requests] == [
        "google",
        "google_ai_overview",
    ]


async def test_a_key_in_an_address_is_neither_kept_nor_logged(
    supplier: Supplier, registry: Registry, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    answer = await asked(registry, "google_ai_overview@serpapi")
    [(address, authorization)] = supplier.requests
    assert f"api_key={KEY}" in address
    assert authorization == ""
    assert not any(KEY in exchange.url or KEY.encode() in exchange.body for exchange in answer.exchanges)
    ours = [record for record in caplog.records if not record.name.startswith("uvicorn")]
    assert not any(KEY in record.getMessage() for record in ours)


async def test_a_failure_that_passes_is_submitted_once_more_and_both_are_paid(
    supplier: Supplier, registry: Registry
) -> None:
    supplier.answers[TEXT] = loopback.PASSING_FAILURE
    answer = await asked(registry, "google_ai_overview@dataforseo")
    assert (answer.text, len(supplier.submissions)) == ("Nimm Acme.", 2)
    assert answer.seen is not None
    assert answer.seen.cost == SupplierCost(Decimal("0.004"), "usd")


async def test_a_lasting_failure_ends_after_the_second_task_with_both_costs(
    supplier: Supplier, registry: Registry
) -> None:
    supplier.answers[TEXT] = loopback.LASTING_FAILURE
    engine = registry.get("google_ai_overview@dataforseo")
    assert isinstance(engine, SupplierEngine)
    with pytest.raises(EngineError) as failed:
        await asked(registry, engine.platform)
    assert (failed.value.code, failed.value.possibly_billed) == ("provider_unavailable", True)
    assert len(supplier.submissions) == 2
    assert engine.charge(failed.value.exchanges) == SupplierCost(Decimal("0.004"), "usd")


async def test_a_task_that_nobody_waits_for_any_longer_is_ended_at_its_supplier(
    supplier: Supplier, registry: Registry, clock: Clock
) -> None:
    supplier.finishing.clear()
    with pytest.raises(EngineError) as given_up:
        await asked(registry, "google_ai_mode@brightdata")
    assert (given_up.value.code, given_up.value.possibly_billed) == ("timeout", True)
    assert supplier.cancelled == ["task-1"]
    assert sum(clock.waits) < 12 * 60


async def test_after_a_refusal_nothing_is_sent_before_the_supplier_has_rested(
    supplier: Supplier, registry: Registry, clock: Clock
) -> None:
    supplier.busy = 30
    await asked(registry, "google_ai_mode@brightdata")
    refused = [seconds for seconds in clock.waits if seconds > 40]
    assert len(refused) == 30  # 5 in five minutes; 25 would have the address blocked


@pytest.mark.parametrize(("stated", "least"), [("25", 25), ("86400", 60), ("soon", 0), ("", 0)])
async def test_a_refusal_that_says_how_long_to_wait_is_obeyed_for_a_minute_at_most(
    supplier: Supplier, registry: Registry, clock: Clock, stated: str, least: float
) -> None:
    platform = "google_ai_overview@cloro"
    engine = registry.get(platform)
    assert isinstance(engine, SupplierEngine)
    task = await engine.submit(QUESTION, registry.credential(platform))
    supplier.busy, supplier.retry_after = 1, stated
    await engine.look(QUESTION, task, registry.credential(platform))
    at = clock.now
    await engine.look(QUESTION, task, registry.credential(platform))
    assert least <= (clock.now - at).total_seconds() < least + 5


async def test_surfaces_of_one_account_share_its_pace(
    supplier: Supplier, registry: Registry, clock: Clock
) -> None:
    began = clock.now
    for number in range(10):
        for platform in ("google_ai_mode@brightdata", "google_ai_overview@brightdata"):
            engine = registry.get(platform)
            assert isinstance(engine, SupplierEngine)
            await engine.submit(replace(QUESTION, text=f"{TEXT} {number}"), registry.credential(platform))
    assert (clock.now - began).total_seconds() == pytest.approx(19 * 60 / 120)


async def test_a_lost_immediate_answer_is_reported_and_not_requested_twice(
    supplier: Supplier, registry: Registry
) -> None:
    engine = registry.get("google_ai_overview@serpapi")
    assert isinstance(engine, SupplierEngine)
    with pytest.raises(EngineError) as lost:
        await engine.submit(QUESTION, registry.credential(engine.platform), again=True)
    assert (lost.value.code, lost.value.possibly_billed) == ("timeout", True)
    assert supplier.requests == []
