"""Check that proposed files fix what they claim: apply each one to its corpus site, then grade the site again.

Every site is served unchanged and again with four faults: robots.txt blocks AI bots, the sitemap is missing, the home
page has no JSON-LD, and its canonical URL points to another site. Third-party style sites are served unchanged.
`robots_rules` decides which URLs a proposal opens.
"""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import product

import anyio

from bench.readiness.corpus import CHANGED, GOOD, sites
from bench.readiness.layouts import layouts
from bench.readiness.measuring import site_host
from bench.readiness.robots_rules import groups_of, may_fetch
from bench.sites import POLICY, Page, Pages, Place, served, typed
from readiness.agents import SEARCH_AGENTS, TOKENS, USER_AGENTS
from readiness.checks.check import CheckStatus
from readiness.fetching.errors import ScanFailed
from readiness.report.grading import ask_site
from readiness.report.line_changes import line_changes
from readiness.survey.site import SurveyedSite
from workflows.agents.technical_fix_generator import MOST_PAGES
from workflows.brand_sites import Sites
from workflows.site_files.site_files import FILE_CHECKS, BusinessFacts, FileProposal, propose_files

CANONICAL = "tech.canonical"
FACTS_OF_OTHERS = ("+1 202-555-0143", "1 Main Street, Springfield, IL 62701")
"""Phone number and address in the brand profile of a third-party style site."""
OUR_AGENT = "SeenbyReadinessBot"
UNREAD = "the site could not be read"
GRADED = (*FILE_CHECKS, CANONICAL)
FAULTS = (CheckStatus.FAIL, CheckStatus.WARN)
AT_ONCE, ATTEMPTS = 2, 2
SITE_SECONDS = 600.0
"""Time limit for one site, generous enough that a loaded machine does not fail the site."""
ASKED_FOR = frozenset(agent.token.lower() for agent in (*SEARCH_AGENTS, *USER_AGENTS))
"""The only bots that the access checks require a site to allow."""
CLOSING = (
    "User-agent: *\nDisallow: /intern/\nDisallow: /cart\n\n"
    "User-agent: OAI-SearchBot\nUser-agent: GPTBot\nDisallow: /\n\nUser-agent: ChatGPT-User\nDisallow: /\n"
)
CLOSED_PATHS = ("intern/wages", "intern/", "cart", "cart?id=1", "no-such-page")
JSON_LD = re.compile(rb'<script type="application/ld\+json">.*?</script>', re.S)
OWN_ADDRESS = b'"canonical" href="https://HOST/'


@dataclass(frozen=True, slots=True)
class ProposalTrial:
    """The result for one site: number of proposals, number of checks they fix on the patched copy, and faults."""

    name: str
    proposed: int
    mended: int
    faults: tuple[str, ...]


def broken(pages: Pages) -> Pages:
    """Return a copy of a site with four faults that proposals are meant to fix."""
    home = JSON_LD.sub(b"", pages["/"].body)
    home = home.replace(OWN_ADDRESS, b'"canonical" href="https://other.example.org/')
    kept = {path: page for path, page in pages.items() if path != "/sitemap.xml"}
    return kept | {"/": replace(pages["/"], body=home), "/robots.txt": typed(CLOSING, "text/plain")}


async def read_sites(place: Place, names: Sequence[str]) -> dict[str, SurveyedSite]:
    """Read every site the way the technical fix agent does. A site that fails twice is left out."""
    surveyed: dict[str, SurveyedSite] = {}
    limiter = anyio.CapacityLimiter(AT_ONCE)
    policy = replace(POLICY, interval=0, seconds=SITE_SECONDS)
    reader = Sites(policy, lambda: datetime(2026, 3, 1, tzinfo=UTC), place.network())

    async def read(name: str) -> None:
        async with limiter:
            for _ in range(ATTEMPTS):
                with suppress(ScanFailed):
                    surveyed[name] = await reader.pages(f"https://{site_host(name)}/", MOST_PAGES)
                    return

    async with anyio.create_task_group() as group:
        for name in names:
            group.start_soon(read, name)
    return surveyed


def look_at(built: Mapping[str, Pages]) -> dict[str, SurveyedSite]:
    """Serve sites on loopback and look at them."""
    with served({site_host(name): pages for name, pages in built.items()}) as place:
        return anyio.run(read_sites, place, list(built))


def try_proposals(built: Mapping[str, Pages]) -> list[ProposalTrial]:
    """Propose files for every site, apply them to its pages, look again, and judge what came of each."""
    before = look_at(built)
    proposals = {name: propose_for(name, site) for name, site in before.items()}
    changed = [name for name, site in before.items() if failing(site)]
    patched = {name: apply_all(built[name], before[name], proposals[name]) for name in changed}
    after = look_at(patched)
    trials = [
        judge_site(name, proposals[name], before[name], after[name], (built[name], patched[name]))
        for name in after
    ]
    unread = [
        ProposalTrial(name, 0, 0, (UNREAD,))
        for name, pages in built.items()
        if name not in before and not is_closed(pages)
    ]
    unread += [
        ProposalTrial(name, len(proposals[name]), 0, (UNREAD,)) for name in patched if name not in after
    ]
    sound = [ProposalTrial(name, 0, 0, ()) for name in before if name not in patched]
    return [*trials, *unread, *sound]


def propose_for(name: str, site: SurveyedSite) -> list[FileProposal]:
    """Return the files for what fails, as technical_fix_generator proposes them."""
    sound = name.removesuffix(BROKEN)
    shop = GOOD.get(CHANGED[sound][0] if sound in CHANGED else sound)
    facts = (
        BusinessFacts(shop.name, str(site.url), shop.telephone[0], shop.written_address)
        if shop
        else BusinessFacts("Springfield Garage", str(site.url), *FACTS_OF_OTHERS)
    )
    return propose_files(site, failing(site), facts)


def is_closed(pages: Pages) -> bool:
    """Tell whether a site asks us to read nothing of it; then nothing is proposed."""
    return not may_fetch(_robots_text(pages), OUR_AGENT, "https://site.example/")


def failing(site: SurveyedSite) -> tuple[str, ...]:
    """Return the checks that proposals are for and that do not hold."""
    return tuple(check for check, answer in ask_site(site, GRADED).checks.items() if answer.status in FAULTS)


def apply_all(pages: Pages, site: SurveyedSite, files: Sequence[FileProposal]) -> Pages:
    """Return the site's pages with every file in its place, and the line changed that names home's address."""
    host = site.host.encode()
    patched = {path: replace(page, body=page.body.replace(b"HOST", host)) for path, page in pages.items()}
    for file in files:
        if file.name == "robots.txt":
            text = apply_diff(patched["/robots.txt"].body.decode(), file.text)
            patched["/robots.txt"] = typed(text, "text/plain")
        elif file.name == "sitemap.xml":
            patched["/sitemap.xml"] = typed(file.text, "application/xml")
        else:
            patched["/"] = _replaced(patched["/"], "</title>", f"</title>{file.text}")
    answer = ask_site(site, (CANONICAL,)).checks[CANONICAL]
    for change in line_changes(CANONICAL, answer, site)[:1]:
        if change.excerpt:
            patched["/"] = _replaced(patched["/"], change.excerpt, change.changedExcerpt)
        else:
            patched["/"] = _replaced(patched["/"], "</title>", f"</title>{change.changedExcerpt}")
    return patched


def _replaced(page: Page, old: str, new: str) -> Page:
    return replace(page, body=page.body.replace(old.encode(), new.encode(), 1))


def apply_diff(text: str, diff: str) -> str:
    """Apply a unified diff as `patch` does. Raises ValueError where a line does not stand as the diff says."""
    lines, out, at = text.splitlines(), list[str](), 0
    for line in diff.splitlines():
        if line.startswith(("---", "+++")):
            continue
        if line.startswith("@@"):
            start = int(line.split()[1].lstrip("-").partition(",")[0])
            out += lines[at : max(start - 1, 0)]
            at = max(start - 1, 0)
        elif line.startswith("+"):
            out.append(line[1:])
        else:
            if lines[at] != line[1:]:
                raise ValueError(f"line {at + 1} is not {line[1:]!r}")
            out += [line[1:]] if line.startswith(" ") else []
            at += 1
    return "\n".join([*out, *lines[at:]]) + "\n"


def judge_site(
    name: str,
    files: Sequence[FileProposal],
    before: SurveyedSite,
    after: SurveyedSite,
    pages: tuple[Pages, Pages],
) -> ProposalTrial:
    """Compare what proposals claim with the grades of the patched copy, and check which URLs they open."""
    wanted = failing(before)
    grades = {check: answer.status for check, answer in ask_site(after, GRADED).checks.items()}
    faults = [
        f"{file.name} does not fix {check}"
        for file in files
        for check in file.mends
        if grades[check] is not CheckStatus.PASS
    ]
    faults += [f"{check} got worse" for check in GRADED if check not in wanted and grades[check] in FAULTS]
    faults += [f"no file fixes {check}" for check in wanted if check in MENDABLE and grades[check] in FAULTS]
    texts = [_robots_text(site_pages) for site_pages in pages]
    faults += opened_unasked(texts[0], texts[1], before)
    changes = CANONICAL in wanted
    mended = sum(check in wanted and grades[check] is CheckStatus.PASS for check in GRADED)
    return ProposalTrial(name, len(files) + changes, mended, tuple(faults))


MENDABLE = (*FILE_CHECKS[:2], FILE_CHECKS[-1], CANONICAL)
"""Checks that a single proposal must fix. A sitemap passes only in part when servers report no modification dates."""


def _robots_text(pages: Pages) -> str:
    page = pages.get("/robots.txt")
    return page.body.decode() if page else ""


def opened_unasked(old: str, new: str, site: SurveyedSite) -> Iterator[str]:
    """Yield what an edit opens besides known home, vehicle and service pages, and everything that it closes."""
    home = site.home.final_url
    asked = {home, *site.vehicle_urls, *site.service_urls, *(visit.url for visit in site.pages)}
    addresses = [*asked, *(f"{home}{path}" for path in CLOSED_PATHS)]
    named = {agent for group in groups_of(old) for agent in group.agents if agent != "*"}
    for agent, url in product(sorted({*TOKENS, *named, "an-agent-that-no-file-names"}), addresses):
        could, can = may_fetch(old, agent, url), may_fetch(new, agent, url)
        if could and not can:
            yield f"closes {url} to {agent}"
        elif can and not could and (url not in asked or agent.lower() not in ASKED_FOR):
            yield f"opens {url} to {agent}"


BROKEN = ", broken"


def with_broken(built: Mapping[str, Pages]) -> dict[str, Pages]:
    """Return the sites, plus a broken copy of each."""
    return {**built, **{f"{name}{BROKEN}": broken(pages) for name, pages in built.items()}}


def main() -> None:
    """Print how many sites' proposals pass on the patched copy. Exits with 1 if any fails."""
    built = with_broken(sites()) | layouts()
    trials = try_proposals(built)
    for trial in trials:
        for fault in trial.faults:
            print(f"{trial.name}: {fault}")
    names = {trial.name.removesuffix(BROKEN) for trial in trials}
    bad = {trial.name.removesuffix(BROKEN) for trial in trials if trial.faults}
    print(
        f"{sum(trial.proposed for trial in trials)} proposals, {sum(trial.mended for trial in trials)} checks fixed"
    )
    print(f"every proposal passes and opens nothing unasked on {len(names) - len(bad)} of {len(names)} sites")
    closed = [name for name in built if name.removesuffix(BROKEN) not in names]
    print(f"{len(closed)} more ask us to read nothing, and nothing is proposed for them: {', '.join(closed)}")
    if bad:
        sys.exit(1)


if __name__ == "__main__":
    main()
