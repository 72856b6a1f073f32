"""Names the competitors of the profile with every way they are written and every site they own."""

from measurement.brand_identity import BRAND_KEY
from storage.repositories.brands import EntityNames
from storage.repositories.findings import FindingDraft
from workflows.agents.agent import Result, Work
from workflows.errors import AgentFailed


async def run(work: Work) -> Result:
    """Return the recorded competitors. Fails with `no_input` when there is none."""
    rivals = [one for one in await work.workspace.brands.entities(work.brand) if one.key != BRAND_KEY]
    if not rivals:
        raise AgentFailed("no_input")
    found = [
        {
            "id": one.id,
            "name": one.name,
            "aliases": [alias.text for alias in one.aliases if not alias.negative],
            "sites": list(one.sites),
        }
        for one in rivals
    ]
    siteless = [one for one in rivals if not one.sites]
    summary = f"{len(rivals)} competitors, {len(rivals) - len(siteless)} of them with a site."
    return Result({"competitors": found}, summary, tuple(without_site(one) for one in siteless))


def without_site(rival: EntityNames) -> FindingDraft:
    """Say that citations of a competitor cannot be told."""
    return FindingDraft(
        "info",
        "visibility",
        f"No site is recorded for {rival.name}",
        "Without it nobody can tell which citations lead there, and citations drop out of the ranking.",
        [{"type": "competitor", "id": rival.id, "excerpt": rival.name}],
        "Add the site to the competitor's entry.",
        "small",
    )
