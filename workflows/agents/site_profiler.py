"""Reads a brand's site: what kind of business it is, which pages it has, which facts it states."""

from storage.documents import StoredEvidence
from storage.repositories.findings import FindingDraft
from workflows.agents.agent import Result, Work
from workflows.agents.outputs.site import ProfiledPage, SiteProfile
from workflows.agents.site import own_site_of, site_access_of, site_failures_as_agent_failures
from workflows.errors import AgentFailed

MOST_PAGES = 12


async def run(work: Work) -> Result:
    """Read up to twelve pages. Fails with `no_input` without a site, or with why it could not be read."""
    url, _ = await own_site_of(work)
    async with site_failures_as_agent_failures():
        site = await site_access_of(work).sites.pages(url, MOST_PAGES)
        read = await site_access_of(work).sites.facts(site)
    if not site.home.packed:
        raise AgentFailed("site_unreachable")
    kind, facts = read.site_type, read.facts
    pages = tuple(
        ProfiledPage(url=visit.url, role=visit.role.value, status=visit.status)
        for visit in (site.home, *site.pages)
    )
    output = SiteProfile(
        url=site.home.final_url,
        site_type=kind.value,
        evidence=tuple(kind.evidence),
        pages=pages,
        facts={name: tuple(values) for name, values in facts.items()},
        page_texts=read.page_texts,
    )
    words = kind.value.value.replace("_", " ")
    finding = FindingDraft(
        "info",
        "readiness",
        f"The site was taken for: {words}",
        f"Pages that were read: {len(pages)}. Kinds of facts that were seen: {sum(map(bool, facts.values()))} of "
        f"{len(facts)}.",
        [
            StoredEvidence(type="page", url=site.home.final_url, excerpt=f"{name}: {', '.join(values)[:250]}")
            for name, values in facts.items()
            if values
        ],
    )
    return Result(output, f"{len(pages)} pages of the site were read; it is taken for: {words}.", (finding,))
