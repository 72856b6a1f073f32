"""Reads a brand's site: what kind of business it is, which pages it has, which facts it states."""

from typing import Any

from readiness import business
from readiness.site import Site
from readiness.site_type import detect
from readiness.structured_data import texts
from readiness.telephones import phones, region_of
from storage.repositories.findings import FindingDraft
from workflows.agents.agent import Result, Work
from workflows.agents.site import eyes_of, looking, own_site_of, text_of
from workflows.errors import AgentFailed

MOST_PAGES = 12


async def run(work: Work) -> Result:
    """Read up to twelve pages. Fails with `no_input` without a site, or with why it could not be read."""
    url, _ = await own_site_of(work)
    async with looking():
        site = await eyes_of(work).sites.pages(url, MOST_PAGES)
    if site.home.page is None:
        raise AgentFailed("site_unreachable")
    kind = detect(site)
    pages = [
        {"url": visit.url, "role": visit.role.value, "status": visit.status}
        for visit in (site.home, *site.pages)
    ]
    facts = facts_of(site)
    output = {
        "url": site.home.final_url,
        "siteType": kind.value.value,
        "evidence": list(kind.evidence),
        "pages": pages,
        "facts": facts,
        "text": text_of(site),
    }
    words = kind.value.value.replace("_", " ")
    found = FindingDraft(
        "info",
        "readiness",
        f"The site was taken for: {words}",
        f"{len(pages)} pages were read; {sum(map(bool, facts.values()))} of {len(facts)} kinds of facts were seen.",
        [
            {"type": "page", "url": site.home.final_url, "excerpt": f"{name}: {', '.join(values)[:250]}"}
            for name, values in facts.items()
            if values
        ],
    )
    return Result(output, f"{len(pages)} pages of the site were read; it is taken for: {words}.", (found,))


def facts_of(site: Site) -> dict[str, list[str]]:
    """Return what the pages state of the business: names, telephones in E.164, addresses, days with hours."""
    region = region_of(site)
    nodes = site.nodes(business.BUSINESS_TYPES | business.GENERAL_TYPES)
    numbers = [e164 for _, page in site.seen() for _, e164 in phones(page, region)]
    days = [business.visible_hours(page.text).days for _, page in site.seen()]
    hours = sorted(
        {business.SCHEMA_DAYS[day] for found in days for day in found}, key=business.SCHEMA_DAYS.index
    )
    return {
        "names": unique(text for _, node in nodes for text in texts(node.properties, "name")),
        "telephones": unique(numbers),
        "addresses": unique(
            " ".join(
                text
                for part in ("streetAddress", "postalCode", "addressLocality", "addressCountry")
                for text in texts(node.properties, "address", part)[:1]
            )
            for _, node in nodes
        ),
        "hoursOn": hours,
    }


def unique(found: Any) -> list[str]:
    """Return each text once, in the order of appearance, empty ones left out."""
    return [one for one in dict.fromkeys(found) if one][:10]
