"""Proposes files that mend what the scan found, from facts of the profile and addresses of the site alone."""

import json
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from measurement.published_items import DRAFT
from readiness import agents
from readiness.agents import Tier
from readiness.report.document import CheckResult, Report
from storage.documents.evidence import StoredEvidence
from storage.repositories.brands import Brand
from storage.repositories.findings import FindingDraft
from storage.repositories.repository_items import ItemDraft
from workflows.agents.agent import Result, Work
from workflows.agents.outputs.site import TechnicalProposals
from workflows.agents.site import failing_checks, report_of
from workflows.errors import AgentFailed

TYPES = {"dealer": "AutoDealer", "repair_shop": "AutoRepair", "service_site": "AutomotiveBusiness"}
LISTED = frozenset(
    (
        "home",
        "inventory",
        "service",
        "schedule",
        "contact",
        "hours",
        "finance",
        "trade_in",
        "vehicle",
        "service_detail",
    )
)
"""Roles of the pages that a sitemap should name."""

Proposal = Callable[[Brand, Report], tuple[str, str]]


async def run(work: Work) -> Result:
    """Propose a file for each failing check that a file can mend; say of the others how to mend them.

    Fails with `no_input` without a report.
    """
    report = await report_of(work)
    if report is None:
        raise AgentFailed("no_input")
    bad = failing_checks(report)
    made: dict[str, tuple[CheckResult, str]] = {}
    for check in bad:
        proposal = PROPOSALS.get(check.id)
        if proposal is not None:
            name, text = proposal(work.brand, report)
            made.setdefault(name, (check, text))
    made_by_hand = tuple(manual_finding(check) for check in bad if check.id not in PROPOSALS)
    llms = llms_txt(work.brand, report)
    # The run's id keeps a proposal apart from an item of that title which a person may have edited.
    drafts = tuple(
        ItemDraft(f"Proposed {name} ({work.run_id[-12:]})", text, DRAFT)
        for name, text in [*((name, text) for name, (_, text) in made.items()), llms]
    )
    findings = tuple(proposed(name, check) for name, (check, _) in made.items())
    optional = FindingDraft(
        "info", "proposal", "Proposed llms.txt (optional)",
        "An emerging convention that weighs nothing in the score. A draft is stored in the repository.",
        effort="small",
    )  # fmt: skip
    output = TechnicalProposals(
        proposed=(*made, llms[0]), by_hand=tuple(check.id for check in bad if check.id not in PROPOSALS)
    )
    summary = f"{len(made)} files are proposed for {len(bad)} failing checks, and an optional llms.txt."
    return Result(output, summary, (*findings, *made_by_hand, optional), drafts)


def proposed(name: str, check: CheckResult) -> FindingDraft:
    """Return the finding that tells of a proposed file."""
    detail = f"It mends: {check.title}. A draft is stored in the repository; nothing was published."
    return FindingDraft(
        "info", "proposal", f"Proposed {name}", detail, fix=check.fix, effort="small", check_id=check.id
    )


def manual_finding(check: CheckResult) -> FindingDraft:
    """Return the finding of a check that no file of ours can mend."""
    detail = f"The rule: {check.rule}. To repeat it: {check.reproduce}"
    evidence = [
        StoredEvidence(type="page", url=item.url, excerpt=item.excerpt or item.header or "")
        for item in check.evidence[:3]
    ]
    return FindingDraft(
        "info", "proposal", f"To mend: {check.title}", detail, evidence, fix=check.fix, effort="medium",
        check_id=check.id,
    )  # fmt: skip


def robots_txt(brand: Brand, report: Report) -> tuple[str, str]:
    """Return lines to add to robots.txt, as a diff: the bots that search and fetch for people are let in."""
    bots = [agent.token for agent in agents.AGENTS if agent.tier in (Tier.SEARCH, Tier.USER)]
    lines = [
        "--- robots.txt",
        "+++ robots.txt",
        *(f"+User-agent: {bot}" for bot in bots),
        "+Allow: /",
        "",
        "Remove the Disallow lines of the groups of these bots, and keep those of the paths nobody should read.",
    ]
    return "robots.txt", "\n".join(lines)


def sitemap_xml(brand: Brand, report: Report) -> tuple[str, str]:
    """Return a sitemap of the pages that the scan saw answering."""
    host = urlsplit(report.finalUrl).netloc
    seen = [
        page.url
        for page in report.pages
        if page.statusCode == 200 and page.role in LISTED and urlsplit(page.url).netloc == host
    ]
    entries = "\n".join(f"  <url><loc>{escape(url)}</loc></url>" for url in dict.fromkeys(seen))
    return "sitemap.xml", (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        f"{entries}\n</urlset>\n"
    )


def json_ld(brand: Brand, report: Report) -> tuple[str, str]:
    """Return markup of the business with what the profile knows; what it does not know is not made up."""
    node: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": TYPES.get(report.siteType.value, "LocalBusiness"),
        "name": brand.name,
        "url": brand.website or report.finalUrl,
    }
    if brand.keywords:
        node["keywords"] = ", ".join(brand.keywords)
    # A script element ends at the first "</", whatever string it stands in.
    markup = json.dumps(node, ensure_ascii=False, indent=2).replace("<", "\\u003c")
    return "JSON-LD", (
        f'<script type="application/ld+json">\n{markup}\n</script>\n\n'
        "Add telephone, address and opening hours: the profile does not hold them."
    )


def llms_txt(brand: Brand, report: Report) -> tuple[str, str]:
    """Return an llms.txt from the profile."""
    about = brand.industry or ""
    lines = [
        f"# {brand.name}",
        *([f"> {about}"] if about else []),
        f"- [Home]({brand.website or report.finalUrl})",
    ]
    return "llms.txt", "\n\n".join(lines) + "\n"


PROPOSALS: Mapping[str, Proposal] = {
    "tech.robots.valid": robots_txt,
    "tech.bots.search_policy": robots_txt,
    "tech.bots.user_policy": robots_txt,
    "tech.sitemap": sitemap_xml,
    "tech.sd.valid": json_ld,
    "tech.sd.business": json_ld,
}
