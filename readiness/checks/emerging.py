"""Emerging signals: new files and protocols for agents, shown apart and worth nothing in this model."""

import json
from collections.abc import Callable

from readiness.checks.check import (
    CheckOutcome,
    Family,
    Group,
    Rule,
    failed,
    not_applicable,
    nothing_seen,
    passed,
    unknown,
    unless,
    warned,
)
from readiness.fetching import urls
from readiness.fetching.errors import Reason
from readiness.survey.site import SiteVisit, SurveyedSite

emerging = Family(Group.EMERGING)
OPTIONAL = Rule(
    "present and valid",
    fails="present and broken",
    otherwise="absent, or a page in its place: not applicable",
)
FIX = "Nothing to fix: a new proposal, worth a look when your platform offers it."


def _file(site: SurveyedSite, path: str) -> SiteVisit | None:
    return next((visit for visit in site.emerging if urls.resolve(visit.url, path) == visit.url), None)


def _optional(
    site: SurveyedSite, path: str, kinds: tuple[str, ...], sound: Callable[[str], bool]
) -> CheckOutcome:
    """A file that may be absent; one of another media type is some page's soft 404 and does not count."""
    visit = _file(site, path)
    if visit is None or visit.status is None:
        return unknown(visit.blind if visit else site.home.blind)
    if visit.status in (404, 410, 401, 403) or visit.status in range(300, 400):
        return not_applicable("absent")
    if visit.status != 200:
        return unknown(visit.blind)
    if not visit.media_type.endswith(kinds) or visit.start.lstrip()[:1] == "<":
        return not_applicable("other_media_type")
    evidence = visit.show(visit.start.strip().partition("\n")[0], header=f"content-type: {visit.media_type}")
    return passed(evidence) if sound(visit.start) else failed(evidence)


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _is_llms_text(text: str) -> bool:
    lines = text.lstrip("\ufeff \n\r\t").splitlines()
    return bool(lines) and lines[0].startswith("# ") and "](" in text


JSON_TYPES = ("json",)


@emerging.check("exp.llms_txt", 0, "llms.txt", OPTIONAL, sources=("https://llmstxt.org/",), fix=FIX)
def llms_txt(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """A heading in the first line and a link."""
    return _optional(site, "/llms.txt", ("plain", "markdown"), _is_llms_text)


@emerging.check(
    "exp.content_signals",
    0,
    "Content signals in robots.txt",
    Rule(
        "a Content-Signal line with known names",
        fails="a line that cannot be read",
        otherwise="absent: not applicable",
    ),
    sources=("https://contentsignals.org/",),
    fix=FIX,
)
def content_signals(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Known names: search, ai-input, ai-train."""
    visit = site.robots_visit
    if visit.status is None or visit.reason is Reason.CHALLENGED:
        return unknown(visit.blind)
    lines = [
        (number, line)
        for number, line in enumerate(site.robots.lines, 1)
        if line.lower().startswith("content-signal:")
    ]
    if not lines or visit.status != 200:
        return not_applicable("absent")
    number, line = lines[0]
    pairs = [pair.partition("=") for pair in line.partition(":")[2].lower().split(",")]
    sound = all(
        name.strip().split(" ")[-1] in ("search", "ai-input", "ai-train") and value.strip() in ("yes", "no")
        for name, _, value in pairs
    )
    return (passed if sound else failed)(visit.show(line, line=number))


@emerging.check(
    "exp.markdown",
    0,
    "Home as Markdown",
    Rule("text/markdown is served to who asks for it", otherwise="anything else: not applicable"),
    sources=("https://www.rfc-editor.org/rfc/rfc7763",),
    fix=FIX,
)
def markdown(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Asked with an Accept header."""
    visit = site.emerging[-1] if site.emerging and _same(site.emerging[-1].url, site.home.final_url) else None
    if visit is None or visit.status is None:
        return unknown(visit.blind if visit else site.home.blind)
    if visit.status == 200 and visit.media_type == "text/markdown":
        return passed(
            visit.show(visit.start.strip().partition("\n")[0], header="content-type: text/markdown")
        )
    return not_applicable("absent")


def _same(url: str, other: str) -> bool:
    return url.rstrip("/") == other.rstrip("/")


@emerging.check(
    "exp.webmcp",
    0,
    "WebMCP tools",
    Rule(
        "a form with a tool name",
        "only a script that mentions the interface",
        otherwise="absent: not applicable",
    ),
    sources=("https://webmachinelearning.github.io/webmcp/",),
    fix=FIX,
)
@unless(nothing_seen)
def webmcp(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """No tool found on a site is called."""
    seen = site.seen()
    forms = [(visit, form) for visit, page in seen for form in page.forms if form.tool_name]
    if forms:
        return passed(*(visit.show(form.tool_name, selector=form.place) for visit, form in forms))
    scripts = [visit for visit, page in seen if page.webmcp_script]
    return warned(*(visit.show("script") for visit in scripts)) if scripts else not_applicable("absent")


@emerging.check(
    "exp.ai_catalog",
    0,
    "AI catalog",
    OPTIONAL,
    sources=("https://github.com/Agent-Card/ai-catalog",),
    fix=FIX,
)
def ai_catalog(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """A JSON object at its well-known path."""
    return _optional(site, "/.well-known/ai-catalog.json", JSON_TYPES, _is_object)


@emerging.check(
    "exp.mcp_card", 0, "MCP server card", OPTIONAL, sources=("https://modelcontextprotocol.io/",), fix=FIX
)
def mcp_card(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """The newer path first, then the older."""
    newer = _optional(site, "/.well-known/mcp/server-card.json", JSON_TYPES, _is_object)
    return newer if newer.evidence else _optional(site, "/.well-known/mcp.json", JSON_TYPES, _is_object)


@emerging.check("exp.a2a", 0, "Agent card", OPTIONAL, sources=("https://a2a-protocol.org/",), fix=FIX)
def a2a(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """A JSON object at its well-known path."""
    return _optional(site, "/.well-known/agent-card.json", JSON_TYPES, _is_object)


@emerging.check("exp.ucp", 0, "Universal commerce profile", OPTIONAL, sources=("https://ucp.dev/",), fix=FIX)
def ucp(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """A JSON object at its well-known path."""
    return _optional(site, "/.well-known/ucp", JSON_TYPES, _is_object)


@emerging.check(
    "exp.api_catalog",
    0,
    "API catalog",
    OPTIONAL,
    sources=("https://www.rfc-editor.org/rfc/rfc9727",),
    fix=FIX,
)
def api_catalog(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """A JSON object (linkset) at its well-known path."""
    return _optional(site, "/.well-known/api-catalog", JSON_TYPES, _is_object)


@emerging.check(
    "exp.agent_skills", 0, "Agent skills", OPTIONAL, sources=("https://agentskills.io/",), fix=FIX
)
def agent_skills(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """A JSON object at its well-known path."""
    return _optional(site, "/.well-known/agent-skills/index.json", JSON_TYPES, _is_object)


@emerging.check(
    "exp.nlweb",
    0,
    "NLWeb",
    Rule("a link to /ask, which is not called", otherwise="absent: not applicable"),
    sources=("https://github.com/nlweb-ai/NLWeb",),
    fix=FIX,
)
@unless(nothing_seen)
def nlweb(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Only a link counts."""
    seen = site.seen()
    asks = [
        (visit, link)
        for visit, page in seen
        for link in page.links
        if link.href.startswith("http") and urls.resolve(link.href, "/ask") == link.href
    ]
    return passed(asks[0][0].show(asks[0][1].href, selector="a")) if asks else not_applicable("absent")


@emerging.check(
    "exp.stale_plugin",
    0,
    "Retired plugin manifest",
    Rule("", "ai-plugin.json is still there", otherwise="absent: not applicable"),
    sources=("https://platform.openai.com/docs/plugins/introduction",),
    fix="Remove ai-plugin.json: nothing reads it any more.",
)
def stale_plugin(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Present is a warning, sound or not."""
    outcome = _optional(site, "/.well-known/ai-plugin.json", JSON_TYPES, _is_object)
    return warned(*outcome.evidence) if outcome.evidence else outcome


EMERGING = emerging.checks
