"""The effect of an action, on the synthetic market whose real and apparent change are known."""

import asyncio
import json
import shutil
from datetime import UTC, date, datetime, time, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

import pytest

from analytics.intervention import expected_gain
from measurement.alerts.issues import IssueObservation, record
from measurement.imports.captured_answers import Importer
from measurement.planning.brand_files import BrandFile, PromptFile, parse_brands, save_brands
from measurement.publication.publish import Publisher
from measurement.statistics.expected_gains import WORK, IssueKind, headline_values
from measurement.statistics.interventions import measure_effect, stage_of
from oauth.principal import Caller, Principal, Scope
from server.demo.synthetic_market import APPARENT_CHANGE, ENGINES, REAL_CHANGE, WEEKS, answers_of_week
from storage.database import Database
from storage.repositories.actions import ActionChoice, ActionDecision
from storage.repositories.brands import Brand
from storage.workspace import Workspace
from tools.calls.call import WorkspaceOpener
from tools.calls.dispatch import Dispatcher, Success
from tools.calls.rate_limits import MemoryWindows, RateLimits
from tools.catalog import tool_table
from workflows.intervention_checks import InterventionChecks

TODAY = datetime.combine(date(2026, 11, 20), time(6), UTC)
MARKET = "synthetic_brand.json"
COMPANY = "Market"


def day_of(week: int) -> datetime:
    return TODAY - timedelta(days=7 * (WEEKS - week))


def read_market() -> list[BrandFile]:
    return parse_brands((files("server") / "demo" / MARKET).read_bytes(), MARKET)


async def load(database: Database, company: str, folder: Path) -> None:
    """Import the eight weeks of the synthetic market, each on its day."""
    market = read_market()
    await save_brands(database, company, market, MARKET, TODAY)
    workspace = database.workspace(company)
    for week in range(1, WEEKS + 1):
        published = day_of(week) + timedelta(hours=3)
        publisher = Publisher(database, [engine.platform for engine in ENGINES], lambda at=published: at)
        path = folder / f"week-{week}.jsonl"
        lines = answers_of_week(market[0], week, day_of(week))
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
        brand = await workspace.brands.find(market[0].name)
        assert brand is not None
        await Importer(database, publisher, lambda at=published: at).import_file(company, brand, path)


async def prompts_by_tag(workspace: Workspace, market: BrandFile) -> dict[str, set[str]]:
    tags = {
        prompt.text: prompt.tags[0]
        for prompt_set in market.prompt_sets
        for prompt in prompt_set.prompts
        if isinstance(prompt, PromptFile)
    }
    by_tag: dict[str, set[str]] = {}
    for prompt_set in await workspace.prompt_sets.active():
        for prompt in await workspace.prompts.of_set(prompt_set.key):
            by_tag.setdefault(tags[prompt.text], set()).add(prompt.id)
    return by_tag


@pytest.fixture(scope="module")
def migrated(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file that holds the synthetic market, for every database of this file to be a copy of."""
    folder = tmp_path_factory.mktemp("market")
    path = folder / "seenby.db"
    shutil.copy(migrated, path)

    async def fill() -> None:
        database = await Database.open(f"sqlite+aiosqlite:///{path}")
        async with database.operation() as operators:
            company = await operators.companies.create(COMPANY, "o@example.com", "scale", TODAY)
        await load(database, company.id, folder)
        await database.close()

    asyncio.run(fill())
    return path


@pytest.fixture
async def market(database: Database) -> tuple[Workspace, Brand, dict[str, set[str]]]:
    """The synthetic market of eight weeks, with its prompts by tag."""
    company = await database.operators.companies.find(COMPANY)
    assert company is not None
    workspace, (file, *_) = database.workspace(company.id), read_market()
    brand = await workspace.brands.find(file.name)
    assert brand is not None
    return workspace, brand, await prompts_by_tag(workspace, file)


async def test_the_real_intervention_is_found_and_the_apparent_one_is_not(
    market: tuple[Workspace, Brand, dict[str, set[str]]],
) -> None:
    workspace, brand, tags = market
    real = await measure_effect(workspace, brand, day_of(REAL_CHANGE).date(), 28, tags["cost"])
    assert real.verdict == "rose"
    assert real.effect is not None
    assert real.interval is not None
    assert 0 < real.interval[0] < real.effect < real.interval[1]
    apparent = await measure_effect(
        workspace, brand, day_of(APPARENT_CHANGE).date(), 7, tags["service"], tags["cost"]
    )
    assert apparent.verdict == "no_effect_found"
    first, *others = sorted(tags["cost"])
    alone = await measure_effect(workspace, brand, day_of(REAL_CHANGE).date(), 28, [first], others)
    assert alone.treated is not None
    assert (alone.treated.prompts, alone.treated.standard_error) == (1, None)
    assert alone.interval is not None
    assert alone.interval[1] - alone.interval[0] > real.interval[1] - real.interval[0]


async def test_an_action_may_gain_what_the_best_comparable_prompts_have(
    market: tuple[Workspace, Brand, dict[str, set[str]]],
) -> None:
    workspace, brand, tags = market
    values = await headline_values(workspace, brand, TODAY + timedelta(days=1))
    everything = frozenset[str]().union(*tags.values())
    gain = expected_gain(values, tags["ease"], everything)
    assert gain is not None
    assert 0 <= gain.interval[0] <= gain.points <= gain.interval[1]
    assert gain.points > 0
    best = expected_gain(values, tags["reliability"], everything)
    assert best is not None
    assert best.points < gain.points


async def test_listed_actions_show_expected_gains_by_tag(
    database: Database, market: tuple[Workspace, Brand, dict[str, set[str]]]
) -> None:
    workspace, brand, tags = market
    values = await headline_values(workspace, brand, TODAY + timedelta(days=1))

    def mean(prompt: str) -> float:
        own = [value for (of, _), value in values.items() if of == prompt]
        return sum(own) / len(own)

    ranked = sorted(tags["cost"], key=mean)
    async with database.transaction(workspace.company_id) as writing:
        seen = [
            IssueObservation("content_gap", "gap.answer", prompt, "Likely gap", "warning")
            for prompt in (ranked[0], ranked[-1])
        ]
        await record(writing, brand, seen, TODAY)
    caller = Caller(Principal(workspace.company_id, "key:1", frozenset({Scope.READ})), "192.0.2.1")
    dispatcher = Dispatcher(
        tool_table(), RateLimits(MemoryWindows()), WorkspaceOpener(database), now=lambda: TODAY
    )

    async def gains(**arguments: str) -> dict[str, Any]:
        outcome = await dispatcher.call("list_actions", arguments, caller)
        assert isinstance(outcome, Success)
        return {action["promptId"]: action for action in json.loads(outcome.body)["actions"]}

    listed = await gains(brandId=brand.id, kind="content_gap")
    worst, best = listed[ranked[0]], listed[ranked[-1]]
    assert worst["expectedGain"] > best["expectedGain"] >= 0
    interval = worst["expectedGainInterval"]
    assert interval["low"] <= worst["expectedGain"] <= interval["high"]
    assert {action["expectedGain"] for action in (await gains(kind="content_gap")).values()} == {None}


async def test_a_listed_done_action_shows_what_it_changed(
    database: Database, market: tuple[Workspace, Brand, dict[str, set[str]]]
) -> None:
    workspace, brand, tags = market
    prompt, *others = sorted(tags["cost"])
    done_on = day_of(REAL_CHANGE).date()
    clock = [TODAY]
    async with database.transaction(workspace.company_id) as writing:
        seen = [
            IssueObservation("content_gap", "gap.answer", prompt, "Likely gap", "warning"),
            IssueObservation("content_gap", "gap.answer", others[0], "Another gap", "warning"),
            IssueObservation("bot_access", "bots.search", "search", "Bots are kept out", "critical"),
            IssueObservation("accuracy", "accuracy.hours", "chatgpt", "Wrong hours", "warning"),
        ]
        await record(writing, brand, seen, TODAY)
        actions, _ = await writing.actions.page(brand.key, ActionChoice(), 10, 0)
        for action in actions:
            if action.kind != "accuracy":
                await writing.actions.decide(action, ActionDecision("done", done_on), TODAY)
    caller = Caller(Principal(workspace.company_id, "key:1", frozenset({Scope.READ})), "192.0.2.1")
    dispatcher = Dispatcher(
        tool_table(), RateLimits(MemoryWindows()), WorkspaceOpener(database), now=lambda: clock[0]
    )

    async def effects(days: int, **arguments: str) -> dict[str, Any]:
        clock[0] = day_of(REAL_CHANGE) + timedelta(days=days)
        outcome = await dispatcher.call("list_actions", arguments, caller)
        assert isinstance(outcome, Success)
        return {action["title"]: action["effect"] for action in json.loads(outcome.body)["actions"]}

    waiting = (await effects(5, brandId=brand.id, state="done"))["Likely gap"]
    assert (waiting["stage"], waiting["verdict"], waiting["difference"]) == ("waiting", None, None)
    assert waiting["nextCheck"] == (done_on + timedelta(days=7)).isoformat()
    assert (await effects(10, brandId=brand.id))["Likely gap"]["stage"] == "early"
    shown = await effects(30, brandId=brand.id)
    direct = await measure_effect(workspace, brand, done_on, 28, [prompt], [others[0]])
    assert direct.effect is not None
    assert direct.interval is not None
    assert direct.untreated is not None
    effect = shown["Likely gap"]
    assert (effect["stage"], effect["verdict"], effect["reason"]) == ("verdict", direct.verdict, None)
    assert effect["difference"] == round(direct.effect, 2)
    assert effect["interval"]["low"] == pytest.approx(direct.interval[0], abs=0.005)
    assert (effect["prompts"], effect["otherPrompts"]) == (1, direct.untreated.prompts)
    assert effect["statement"].startswith("Verdict: ")
    assert f"{direct.effect:+.1f} (95% CI" in effect["statement"]
    whole_site = shown["Bots are kept out"]
    assert (whole_site["verdict"], whole_site["reason"]) == ("not_comparable", "no_treated_prompts")
    assert shown["Wrong hours"] is None, "it is not done"
    assert set((await effects(30, state="done")).values()) == {None}


async def test_a_done_action_is_told_of_once_when_its_verdict_is_due(
    database: Database, market: tuple[Workspace, Brand, dict[str, set[str]]]
) -> None:
    workspace, brand, tags = market
    prompt = min(tags["cost"])
    done_on = day_of(REAL_CHANGE).date()
    async with database.transaction(workspace.company_id) as writing:
        seen = IssueObservation("content_gap", "gap.answer", prompt, "Likely gap", "warning")
        await record(writing, brand, [seen], TODAY)
        [action], _ = await writing.actions.page(brand.key, ActionChoice(kind="content_gap"), 10, 0)
        await writing.actions.decide(action, ActionDecision("done", done_on), TODAY)
    checks = [
        InterventionChecks(database, lambda at=days: day_of(REAL_CHANGE) + timedelta(days=at))
        for days in (5, 28, 28, 40)
    ]
    assert [await check.check_all() for check in checks] == [0, 1, 1, 0]
    told, _ = await workspace.notifications.page(False, 20, 0)
    verdicts = [
        notification for notification in told if notification.title.startswith("Verdict on an action")
    ]
    assert len(verdicts) == 1
    assert "untreated" in verdicts[0].message


@pytest.mark.parametrize(
    ("days", "stage", "next_look"), [(0, "waiting", 7), (6, "waiting", 7), (7, "early", 28), (28, "verdict", None)]
)  # fmt: skip
def test_a_done_action_is_checked_after_seven_and_after_28_days(
    days: int, stage: str, next_look: int | None
) -> None:
    done_on = date(2026, 10, 1)
    expected = None if next_look is None else done_on + timedelta(days=next_look)
    assert stage_of(done_on, done_on + timedelta(days=days)) == (stage, expected)


def test_every_kind_of_action_has_an_effort_and_an_owner() -> None:
    assert set(WORK) == set(get_args(IssueKind))
