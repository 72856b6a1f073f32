"""A reusable agent of the synthetic market, and a run of it that has ended."""

from datetime import datetime, timedelta

from storage.documents.evidence import StoredEvidence
from storage.ids import new_id
from storage.repositories.agents import AgentDraft
from storage.repositories.brands import Brand
from storage.repositories.findings import FindingDraft
from storage.repositories.runs.runs import RunDraft
from storage.workspace import Workspace
from workflows.configurations import NO_CONFIGURATION, stored_configuration
from workflows.credits import period_of
from workflows.definitions import REUSABLE_AGENT

AGENT = "claim_checker"
CREDITS = 1
DURATION = timedelta(seconds=14)
FINDING = FindingDraft(
    severity="critical",
    kind="accuracy",
    title="An answer contradicts the profile: the warranty",
    detail="An engine says two years, the profile says five.",
    evidence=[
        StoredEvidence(type="answer", id="", excerpt="Zentrix gives a warranty of two years."),
        StoredEvidence(type="profile", id="", excerpt="Our warranty lasts five years."),
    ],
    fix="Say how long the warranty lasts on the page that engines cite.",
    effort="small",
)


async def record_run(writing: Workspace, brand: Brand, now: datetime) -> None:
    """Store an agent without a schedule, and a completed run of it with one finding."""
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
    await writing.run_agents.end(
        opened.key, AGENT, "completed", now + DURATION, summary="One answer contradicts the profile."
    )
    await writing.findings.add(opened.key, AGENT, [FINDING])
    await writing.runs.close(run.id, "completed", now + DURATION, charged=True)
