"""Line changes that a fix makes in the site's own files: the current line and the proposed line.

An existing line is quoted. Where the site has none, a new line is proposed, made only from content of the site.
"""

import html
import re
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

from analytics.text.phones import e164
from readiness import agents
from readiness.checks.check import CheckOutcome, CheckStatus
from readiness.checks.indexing import BINDING, DETAIL_ROLES
from readiness.fetching import urls
from readiness.reading.documents import Sitemap
from readiness.reading.isolation import TookTooLong, limit_processor_time
from readiness.reading.page import SourceLine
from readiness.report.document import LineChange
from readiness.report.markup_proposals import propose_markup
from readiness.report.robots_patch import patch_robots
from readiness.survey.evidence import source_excerpt
from readiness.survey.facts import region_of
from readiness.survey.site import SiteVisit, SurveyedSite

MOST_CHANGES = 3
CHANGE_SECONDS = 2.0
"""Processor time for the lines of one check."""
CONTENT = re.compile(
    r"content\s{0,5}=\s{0,5}(?:\"(?P<double>[^\"<>]{0,300})\"|'(?P<single>[^'<>]{0,300})')", re.I
)
KEEPS_OUT = frozenset(("noindex", "none", "nosnippet", "max-snippet:0"))
GRADED = (CheckStatus.WARN, CheckStatus.FAIL)
Proposer = Callable[[SurveyedSite, CheckOutcome], Iterator[LineChange]]


def line_changes(check_id: str, answer: CheckOutcome, site: SurveyedSite) -> list[LineChange]:
    """Return at most three line changes that fix a check; none when no line of the site relates to it."""
    propose = PROPOSERS.get(check_id)
    if propose is None or answer.status not in GRADED:
        return []
    changes: list[LineChange] = []
    try:
        with limit_processor_time(CHANGE_SECONDS):
            for change in propose(site, answer):
                changes.append(change)
                if len(changes) == MOST_CHANGES:
                    break
    except TookTooLong:
        return changes
    return changes


def _change(url: str, place: str, before: str | None, after: str, line: int | None = None) -> LineChange:
    return LineChange(
        url=url,
        place=place,
        line=line or None,
        excerpt=source_excerpt(before, 600) if before is not None else None,
        changedExcerpt=source_excerpt(after),
    )


def _bots(site: SurveyedSite, bots: tuple[agents.Agent, ...], answer: CheckOutcome) -> Iterator[LineChange]:
    """Quote the line that denies, with the smallest edit that opens what the check asks for and nothing else."""
    lines = [item.line for item in answer.evidence if item.line]
    url = site.robots_visit.url
    patch = None
    if site.robots_visit.status == 200:
        patch = patch_robots(site, [bot.token for bot in bots])
    for line in dict.fromkeys(lines[:1] if patch else lines):
        text = site.robots.lines[line - 1].strip()
        yield _change(url, "robots.txt", text, patch.diff if patch else "", line)


def _search_bots(site: SurveyedSite, answer: CheckOutcome) -> Iterator[LineChange]:
    return _bots(site, agents.SEARCH_AGENTS, answer)


def _user_bots(site: SurveyedSite, answer: CheckOutcome) -> Iterator[LineChange]:
    return _bots(site, agents.USER_AGENTS, answer)


def _unknown_rules(site: SurveyedSite, answer: CheckOutcome) -> Iterator[LineChange]:
    """A line that is no rule can stay as a comment."""
    if answer.status is CheckStatus.WARN:
        for line in site.robots.unknown_lines:
            text = site.robots.lines[line - 1].strip()
            yield _change(site.robots_visit.url, "robots.txt", text, f"# {text}", line)


def _directives(site: SurveyedSite, answer: CheckOutcome) -> Iterator[LineChange]:
    """Take the words that keep a page out of an element or a header, and leave the others."""
    wanted = {item.url for item in answer.evidence}
    for visit, page in site.seen():
        if visit.url not in wanted:
            continue
        for element in page.head_lines:
            text = element.text.lower()
            content = CONTENT.search(element.text)
            if content is None or "<meta" not in text or not any(f"{name}" in text for name in BINDING):
                continue
            written = content["double"] if content["double"] is not None else content["single"]
            kept = _kept(written)
            if kept != written:
                after = element.text.replace(written, kept, 1) if kept else ""
                yield _change(visit.url, "HTML", element.text, after, element.line)
        for name, value in visit.headers:
            if name == "x-robots-tag" and _kept(value) != value:
                kept = _kept(value)
                yield _change(
                    visit.url, "response header", f"{name}: {value}", f"{name}: {kept}" if kept else ""
                )


def _kept(directives: str) -> str:
    """Return the directives that block no one. If none blocks, return the text unchanged, including whitespace."""
    parts = [part.strip() for part in directives.split(",")]
    kept = [part for part in parts if part.lower().replace(" ", "").rpartition(":")[2] not in KEEPS_OUT
            and part.lower().replace(" ", "") not in KEEPS_OUT]  # fmt: skip
    return directives if len(kept) == len(parts) else ", ".join(kept)


def _canonical(site: SurveyedSite, answer: CheckOutcome) -> Iterator[LineChange]:
    """Propose the home page's absolute URL as canonical. A correct relative URL is only made absolute."""
    page, home = site.home.page, site.home.final_url
    if page is None:
        return
    written = page.canonicals[0] if page.canonicals else ""
    target = urls.resolve(home, written) if written else None
    sound = answer.status is CheckStatus.WARN and target is not None
    address = html.escape(target if sound and target else home)
    element = next((line for line in page.head_lines if written and written in line.text), None)
    if element is not None:
        after = element.text.replace(written, address, 1)
        yield _change(site.home.url, "HTML", element.text, after, element.line)
    elif not written:
        yield _change(site.home.url, "HTML, in head", None, f'<link rel="canonical" href="{address}">')


def _telephone(site: SurveyedSite, answer: CheckOutcome) -> Iterator[LineChange]:
    region = region_of(site)
    for item in answer.evidence[:1]:
        written = item.excerpt or ""
        number = e164(written, region)
        lines = [
            line
            for visit, page in site.seen()
            if visit.url == item.url
            for line in page.number_lines
            if written in line.text
        ]
        if number and lines:
            yield _linked(item.url, lines[0], written, number)


def _linked(url: str, line: SourceLine, number: str, e164: str) -> LineChange:
    after = line.text.replace(number, f'<a href="tel:{e164}">{number}</a>', 1)
    return _change(url, "HTML", line.text, after, line.line)


def _json_ld(site: SurveyedSite, answer: CheckOutcome) -> Iterator[LineChange]:
    """Propose the repaired form of an invalid JSON line; nothing when the repair is uncertain.

    Without a repair no change is proposed, because an empty proposal would mean deleting the line.
    """
    for visit, page in site.seen():
        for block in page.blocks:
            if block.state != "strict" and block.mended and block.faulty != block.mended:
                yield _change(visit.url, f"JSON-LD block {block.number}", block.faulty, block.mended)


def _sitemap(site: SurveyedSite, answer: CheckOutcome) -> Iterator[LineChange]:
    """Propose a fix for an invalid XML line, a lastmod for the first undated entry, or the start of a new file."""
    files = site.sitemap.files
    if not files:
        return
    visit, read = files[0]
    if visit.status != 200:
        yield from _new_sitemap(site, visit)
        return
    for file, content in files:
        if content.mended:
            yield _change(file.url, "sitemap", content.faulty, content.mended, content.line)
    if read.state == "padded":
        start = visit.start[: len(visit.start) - len(visit.start.lstrip())]
        first = visit.start.lstrip().partition("\n")[0][:200]
        yield _change(visit.url, "sitemap", start + first, first, 1)
    yield from _dated(site, visit, read)
    yield from _gone(site)


def _dated(site: SurveyedSite, visit: SiteVisit, read: Sitemap) -> Iterator[LineChange]:
    """Give the first entry the day that its page's server states, in place of what is no date."""
    if read.state == "invalid" or read.dated:
        return
    written = visit.start
    misdate = f"<lastmod>{html.escape(read.misdate, quote=False)}</lastmod>"
    wrong = written.find(misdate) if read.misdate else -1
    entry = written.rfind("<loc>", 0, wrong) if wrong >= 0 else written.find("<loc>")
    end = written.find("</loc>", entry)
    if not 0 <= entry < end:
        return
    location = written[entry : end + len("</loc>")]
    url = html.unescape(location[len("<loc>") : -len("</loc>")]).strip()
    pages = (page for page in (site.home, *site.pages) if url in (page.url, page.final_url))
    dated = next((page.lastmod for page in pages if page.lastmod), "<lastmod>YYYY-MM-DD</lastmod>")
    if wrong >= 0:
        yield _change(visit.url, "sitemap", misdate, dated, written.count("\n", 0, wrong) + 1)
    else:
        line = written.count("\n", 0, entry) + 1
        yield _change(visit.url, "sitemap", location, f"{location}{dated}", line)


def _gone(site: SurveyedSite) -> Iterator[LineChange]:
    listed = set(site.sitemap.locations)
    for page in site.pages:
        if page.status in (404, 410) and page.url in listed:
            visit = next((file for file, read in site.sitemap.files if page.url in read.locations), None)
            if visit is not None:
                yield _change(
                    visit.url, "sitemap", _entry(visit.start, f"<loc>{html.escape(page.url)}</loc>"), ""
                )


def _entry(written: str, location: str) -> str:
    """The whole entry of a location, or the location where its entry was not seen."""
    at = written.find(location)
    start, end = written.rfind("<url>", 0, max(at, 0)), written.find("</url>", at)
    return written[start : end + len("</url>")] if at >= 0 and start >= 0 and end >= 0 else location


def _new_sitemap(site: SurveyedSite, visit: SiteVisit) -> Iterator[LineChange]:
    """A file with the pages that answered, and the line that names it."""
    first = [page for page in site.pages if page.role in DETAIL_ROLES]
    answered = {page.final_url: page for page in (site.home, *first, *site.pages) if page.ok}
    own = {url: page for url, page in answered.items() if url and site.robots.allows(url, "Googlebot")}
    entries = "".join(
        f"  <url><loc>{html.escape(url)}</loc>{page.lastmod}</url>\n" for url, page in list(own.items())[:5]
    )
    if not own:
        return
    parts = urlsplit(site.home.final_url or str(site.url))
    address = f"{parts.scheme}://{parts.netloc}/sitemap.xml"
    yield _change(site.robots_visit.url, "robots.txt", None, f"Sitemap: {address}")
    yield _change(
        address,
        "sitemap",
        None,
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        f"{entries}</urlset>",
    )


def _markup(check_id: str) -> Proposer:
    def propose(site: SurveyedSite, answer: CheckOutcome) -> Iterator[LineChange]:
        for proposal in propose_markup(check_id, site):
            change = _change(proposal.url, "JSON-LD to add", None, proposal.script)
            yield change.model_copy(update={"leftOut": list(proposal.left_out)})

    return propose


PROPOSERS: dict[str, Proposer] = {
    "tech.bots.search_policy": _search_bots,
    "tech.bots.user_policy": _user_bots,
    "tech.robots.valid": _unknown_rules,
    "tech.meta.indexable": _directives,
    "tech.canonical": _canonical,
    "tech.sitemap": _sitemap,
    "tech.sd.valid": _json_ld,
    "ho.phone": _telephone,
    **{check: _markup(check) for check in ("tech.sd.business", "veh.vdp.structured", "svc.structured")},
}
