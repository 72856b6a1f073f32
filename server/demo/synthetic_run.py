"""A reusable agent of the synthetic market, and a run of it that has ended."""

from datetime import datetime, timedelta

from server.demo.synthetic_market import FOUNDED, WRONG_YEAR
from storage.ids import new_id
from storage.repositories.agents import AgentDraft
from storage.repositories.brands import Brand
from storage.repositories.findings import FindingDraft
from storage.repositories.issues import Issue
from storage.repositories.runs.runs import RunDraft
from storage.workspace import Workspace
from workflows.configurations import NO_CONFIGURATION, stored_configuration
from workflows.credits import period_of
from workflows.workflow_definitions import REUSABLE_AGENT

AGENT = "claim_checker"
CREDITS = 1
DURATION = timedelta(seconds=14)
SUMMARY = "Answers contradict one fact of the brand."


def finding_of(issue: Issue) -> FindingDraft:
    """Return what the agent found: the contradiction that the published answers were found to hold."""
    return FindingDraft(
        severity="critical",
        kind="accuracy",
        title=issue.title,
        detail=f"Answers say {WRONG_YEAR}, the brand's own text says {FOUNDED}.",
        evidence=issue.evidence,
        fix="Say the founding year on the pages that engines cite.",
        effort="small",
        issue_id=issue.id,
    )


async def record_run(writing: Workspace, brand: Brand, now: datetime) -> None:
    """Store an agent without a schedule, and a completed run of it with a finding for each contradiction."""
    configuration = stored_configuration(NO_CONFIGURATION)
    draft = AgentDraft("Watch the facts", AGENT, configuration, None, {brand.key: None})
    instance = await writing.agents.find(await writing.agents.create(draft, now))
    assert instance is not None
    run = RunDraft(
        id=new_id(),
        brand_key=brand.key,
        workflow=REUSABLE_AGENT,
        priority="normal",
        context=None,
        configuration=configuration,
        period=period_of(now),
        agents=((AGENT, CREDITS),),
        instance=(instance.key, instance.version),
    )
    await writing.credits.lock()
    await writing.runs.open(run, now)
    await writing.runs.begin(run.id, now)
    opened = await writing.runs.find(run.id)
    assert opened is not None
    await writing.run_agents.begin(opened.key, AGENT, now)
    await writing.run_agents.end(opened.key, AGENT, "completed", now + DURATION, summary=SUMMARY)
    contradictions = [issue for issue in await writing.issues.open_of(brand.key) if issue.kind == "accuracy"]
    await writing.findings.add(opened.key, AGENT, [finding_of(issue) for issue in contradictions])
    await writing.runs.close(run.id, "completed", now + DURATION, charged=True)
