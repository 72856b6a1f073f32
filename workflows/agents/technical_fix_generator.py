"""Proposes files that fix what the scan found, each verified on a patched copy of the site."""

from typing import Literal

from analytics.accuracy.claims import Facts
from measurement.planning.brand_identity import identify
from measurement.planning.published_items import DRAFT, FOR_FILE
from measurement.publication.accuracy_checks import known_facts
from readiness.reading.isolation import run_in_worker
from readiness.report.document import CheckResult, Report
from storage.documents import StoredEvidence
from storage.repositories.brands import Brand
from storage.repositories.findings import FindingDraft
from storage.repositories.repository_items import ItemDraft
from workflows.agents.agent import Result, Work, numbered
from workflows.agents.outputs.site import TechnicalProposals
from workflows.agents.site import (
    failing_checks,
    own_site_of,
    report_of,
    site_access_of,
    site_failures_as_agent_failures,
)
from workflows.errors import AgentFailed
from workflows.site_files.site_files import FILE_CHECKS, BusinessFacts, FileProposal, propose_files

MOST_PAGES = 12
PROPOSING_SECONDS = 20.0
LONGEST_KEY = 3


async def run(work: Work) -> Result:
    """Propose a file for each failing check that a file can fix, and explain how to fix the others.

    Fails with `no_input` without a report.
    """
    report = await report_of(work)
    if report is None:
        raise AgentFailed("no_input")
    bad = failing_checks(report)
    files = await proposed_files(work, [check.id for check in bad])
    by_file = {check for file in files for check in file.checks}
    by_hand = [check for check in bad if check.id not in by_file]
    llms = llms_txt(work.brand, report)
    drafts = tuple(
        ItemDraft(f"Proposed {name}", text, DRAFT, key=f"{FOR_FILE}{name}")
        for name, text in [*((file.name, file.text) for file in files), llms]
    )
    titles = {check.id: check for check in bad}
    findings = tuple(proposed(file, titles[file.checks[0]]) for file in files)
    optional = FindingDraft(
        "info", "proposal", "Proposed llms.txt (optional)",
        "An emerging convention that weighs nothing in the score. A draft is stored in the repository.",
        effort="small",
    )  # fmt: skip
    output = TechnicalProposals(
        proposed=(*(file.name for file in files), llms[0]), by_hand=tuple(check.id for check in by_hand)
    )
    failing = f"{numbered(len(bad), 'check')} not passed"
    summary = f"{numbered(len(files), 'file')} proposed for {failing}, and an optional llms.txt."
    return Result(output, summary, (*findings, *map(manual_finding, by_hand), optional), drafts)


async def proposed_files(work: Work, failing: list[str]) -> list[FileProposal]:
    """Check the site as it is now and return files for what fails."""
    if not set(failing) & set(FILE_CHECKS):
        return []
    url, _ = await own_site_of(work)
    facts = await business_facts(work, url)
    async with site_failures_as_agent_failures():
        site = await site_access_of(work).sites.pages(url, MOST_PAGES)
        return await run_in_worker(
            PROPOSING_SECONDS, propose_files, site, tuple(failing), facts, processor_seconds=PROPOSING_SECONDS
        )


async def business_facts(work: Work, url: str) -> BusinessFacts:
    """Return the business facts from profile and repository, verbatim."""
    identity = await identify(work.workspace, work.brand)
    facts = await known_facts(work.workspace, identity)
    return BusinessFacts(
        work.brand.name,
        work.brand.website or url,
        stated(facts, "phone"),
        stated(facts, "address"),
        work.brand.industry,
    )


def stated(facts: Facts, kind: Literal["phone", "address"]) -> str | None:
    """Return the first fact of a kind as its line has it; None where only a sentence speaks of it."""
    for fact in facts.of(kind):
        key, colon, value = fact.quote.partition(":")
        if colon and len(key.split()) <= LONGEST_KEY:
            return value.strip()
    return None


def proposed(file: FileProposal, check: CheckResult) -> FindingDraft:
    """Return the finding about a proposed file; it fixes the checks that pass on a patched copy."""
    passing = (
        f"With it these checks pass on a copy of the site: {', '.join(file.mends)}."
        if file.mends
        else (f"It helps, and {check.title} does not pass with it alone.")
    )
    detail = f"{passing} {file.note} A draft is stored in the repository; nothing was published."
    return FindingDraft(
        "info", "proposal", f"Proposed {file.name}", detail, fix=check.fix, effort="small", check_id=check.id
    )


def manual_finding(check: CheckResult) -> FindingDraft:
    """Return the finding of a check that no generated file can fix."""
    detail = f"The rule: {check.rule}. To repeat it: {check.reproduce}"
    evidence = [StoredEvidence(type="page", url=item.url, excerpt=item.seen) for item in check.evidence[:3]]
    return FindingDraft(
        "info", "proposal", f"To fix: {check.title}", detail, evidence, fix=check.fix, effort="medium",
        check_id=check.id,
    )  # fmt: skip


def llms_txt(brand: Brand, report: Report) -> tuple[str, str]:
    """Return an llms.txt from the profile."""
    about = brand.industry or ""
    lines = [
        f"# {brand.name}",
        *([f"> {about}"] if about else []),
        f"- [Home]({brand.website or report.finalUrl})",
    ]
    return "llms.txt", "\n\n".join(lines) + "\n"
