"""Names the competitors of the profile with every way they are written and every site they own."""

from measurement.brand_identity import BRAND_KEY
from storage.documents.evidence import StoredEvidence
from storage.repositories.brands import EntityNames
from storage.repositories.findings import FindingDraft
from workflows.agents.agent import Result, Work
from workflows.agents.outputs.measurement import CompetitorNames, ResolvedCompetitor
from workflows.agents.summaries import numbered
from workflows.errors import AgentFailed


async def run(work: Work) -> Result:
    """Return the recorded competitors. Fails with `no_input` when there is none."""
    rivals = [
        entity for entity in await work.workspace.brands.entities(work.brand) if entity.key != BRAND_KEY
    ]
    if not rivals:
        raise AgentFailed("no_input")
    competitors = tuple(
        ResolvedCompetitor(
            id=rival.id,
            name=rival.name,
            aliases=tuple(alias.text for alias in rival.aliases if not alias.negative),
            sites=tuple(rival.sites),
        )
        for rival in rivals
    )
    siteless = [rival for rival in rivals if not rival.sites]
    summary = f"{numbered(len(rivals), 'competitor')}, {len(rivals) - len(siteless)} with a site."
    findings = tuple(without_site(rival) for rival in siteless)
    return Result(CompetitorNames(competitors=competitors), summary, findings)


def without_site(rival: EntityNames) -> FindingDraft:
    """Say that citations of a competitor cannot be told."""
    return FindingDraft(
        "info",
        "visibility",
        f"No site is recorded for {rival.name}",
        "Without it nobody can tell which citations lead there, and citations drop out of the ranking.",
        [StoredEvidence(type="competitor", id=rival.id, excerpt=rival.name)],
        "Add the site to the competitor's entry.",
        "small",
    )
