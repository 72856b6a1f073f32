"""What a run found, as one page of Markdown."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import update

from analytics.intervention import ExpectedGain
from storage.documents import StoredEvidence, evidence_json
from storage.repositories.findings import FindingDraft, FindingRow
from storage.repositories.prompt_sets import PromptSetDraft
from storage.repositories.prompts import PromptDraft
from storage.repositories.repository_items import ItemDraft
from storage.tables.runs import findings
from tests.workflows.conftest import House, OpenHouse
from workflows.agents.agent import Result, Work
from workflows.agents.catalog import AGENTS
from workflows.errors import AgentFailed
from workflows.run_reports import MOST_ACTIONS, first_actions, gain_text, shown_evidence

NOW = datetime.now(UTC)
HOSTILE = "# Buy [now](https://evil.example) <script>"


async def furnish(house: House) -> int:
    async with house.database.transaction(house.company_id) as workspace:
        brand = (await workspace.brands.all())[0]
        old = [ItemDraft(HOSTILE, "We began small. " * 60, "blog")]
        await workspace.repository_items.save(brand.key, old, NOW - timedelta(days=400))
        prompts = [PromptDraft(f"Who repairs the {letter} engine best?") for letter in "abcdefgh"]
        await workspace.prompt_sets.save(brand.key, PromptSetDraft("base", tuple(prompts)), NOW)
    return brand.key


async def refreshed(house: House) -> str:
    async with house.working(AGENTS):
        started = await house.call("run_workflow", workflowId="content_refresh")
        await house.ended(started["runId"])
    status = await house.call("get_run_status", runId=started["runId"])
    return str(status["report"])


async def test_a_report_puts_few_actions_first_and_reads_no_markup_of_others(
    tmp_path: Path, open_house: OpenHouse
) -> None:
    house = await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}")
    await furnish(house)
    report = await refreshed(house)
    first, _, rest = report.partition("## What was done")
    assert "## Do this first" in first
    numbered = [line for line in first.splitlines() if line[:1].isdigit()]
    assert 1 <= len(numbered) <= MOST_ACTIONS
    assert "findings" in rest
    assert "[now](" not in report
    assert "<script>" not in report
    assert not any(line.startswith("# Buy") for line in report.splitlines())


async def test_a_second_report_says_what_is_new_still_there_and_gone(
    tmp_path: Path, open_house: OpenHouse
) -> None:
    house = await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}")
    brand_key = await furnish(house)
    assert "Since the run before" not in await refreshed(house)
    async with house.database.transaction(house.company_id) as workspace:
        fresh = [ItemDraft(HOSTILE, "We began small. " * 60, "blog"), ItemDraft("Short", "Too short.", "faq")]
        await workspace.repository_items.save(brand_key, fresh, NOW)
    report = await refreshed(house)
    assert "1 new, 8 still there, 1 gone." in report
    assert "- Gone: Old text" in report


async def test_reasons_are_whole_in_a_report(tmp_path: Path, open_house: OpenHouse) -> None:
    house = await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}")
    quoted = "Price: Answers say “Expected gain: 12 euros”."
    evidence = [StoredEvidence(type="page", url="https://acme.example/", excerpt="Words")]
    finding = FindingDraft(
        "warning", "content_gap", "Lost", "", evidence, fix="Answer it.", reasons=(quoted, "Tone: Praise.")
    )

    async def found(work: Work) -> Result:
        return Result(None, "Lost.", (finding,))

    async with house.working({"repository_auditor": found}):
        started = await house.call("run_workflow", workflowId="content_refresh")
        await house.ended(started["runId"])
    report = (await house.call("get_run_status", runId=started["runId"]))["report"]
    assert f"   - Why: {quoted} Tone: Praise.\n" in report
    first_version = evidence_json(evidence)
    assert first_version["schemaVersion"] == 1
    async with house.database.writing() as connection:
        await connection.execute(update(findings).values(evidence=first_version))
    status = await house.call("get_run_status", runId=started["runId"])
    assert [item["excerpt"] for item in status["findings"][0]["evidence"]] == ["Words"]
    assert "Why:" not in status["report"]


async def test_a_run_that_read_nothing_does_not_say_all_is_well(
    tmp_path: Path, open_house: OpenHouse
) -> None:
    house = await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}")

    async def quiet(work: Work) -> Result:
        return Result(None, "Nothing is old.")

    async def refused(work: Work) -> Result:
        raise AgentFailed("unsupported_mode")

    async with house.working({"repository_auditor": quiet, "coverage_mapper": refused}):
        started = await house.call("run_workflow", workflowId="content_refresh")
        await house.ended(started["runId"])
    report = (await house.call("get_run_status", runId=started["runId"]))["report"]
    first, _, done = report.partition("## What was done")
    assert "Nothing that could be looked at asks for an action, but 4 of 5 steps were not done" in first
    assert (
        "Configure an engine with web search, or give the question set a mode that your engine has." in done
    )
    assert done.count("Not done, since a step that it builds on was not.") == 3


def asking(number: int, prompt: str | None, answers: int = 1) -> FindingRow:
    """A finding that asks for something: about a prompt, or about a page."""
    evidence = [
        StoredEvidence(type="prompt", id=prompt) if prompt else StoredEvidence(type="page", url=f"https://a.example/{number}"),
        *(StoredEvidence(type="answer", id=f"a{answer}", excerpt="Globex is best.") for answer in range(answers)),
    ]  # fmt: skip
    return FindingRow(
        f"f{number}", "gap_finder", "warning", "content_gap", "Gap", "", evidence, f"Do {number}.", "small", None, None
    )  # fmt: skip


def test_what_gains_nothing_comes_after_all_that_can_be_done() -> None:
    nothing, something = ExpectedGain(0.0, (0.0, 0.0), 4), ExpectedGain(3.0, (1.0, 5.0), 4)
    findings = [asking(1, "best"), asking(2, "lost"), asking(3, None)]
    chosen = first_actions(findings, {"best": nothing, "lost": something})
    assert [finding.id for finding in chosen] == ["f2", "f3", "f1"]
    assert "none" in gain_text(nothing)
    assert "3.0 points" in gain_text(something)


def test_a_gain_of_which_little_is_known_says_so() -> None:
    assert "far less or more" in gain_text(ExpectedGain(16.7, (0.0, 100.0), 2))
    assert "far less or more" not in gain_text(ExpectedGain(16.7, (10.0, 22.0), 9))


def test_answers_that_say_the_same_stand_once_beside_an_action() -> None:
    shown = shown_evidence(asking(1, "lost", answers=3))
    assert [item.type for item in shown] == ["prompt", "answer"]
