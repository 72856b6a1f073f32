"""AI bots and crawlers: what robots.txt allows them, and whether the server treats them like other clients."""

from readiness import agents
from readiness.checks.check import (
    CheckOutcome,
    Command,
    Family,
    Group,
    Rule,
    failed,
    passed,
    unknown,
    unless,
    warned,
)
from readiness.fetching.errors import Reason
from readiness.reading.page import HtmlPage
from readiness.reading.robots import Verdict
from readiness.survey.evidence import Evidence
from readiness.survey.site import Role, SiteVisit, SurveyedSite

family = Family(Group.TECHNICAL)
RFC9309 = "https://www.rfc-editor.org/rfc/rfc9309"
SHINGLE = 5
CORE = ("Googlebot", "Bingbot", "OAI-SearchBot")


@family.check(
    "tech.robots.valid",
    5,
    "robots.txt can be read",
    Rule(
        "200 with text that parses, or 4xx (allows all)",
        "over {kib} KiB, a byte order mark, or unknown lines",
        "HTML is served, or 5xx (denies all)",
        limits={"kib": 500},
    ),
    sources=(RFC9309,),
    fix="Serve robots.txt as plain UTF-8 text that holds nothing but rules.",
)
def robots_valid(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Shows the media type and the first line that is unknown."""
    visit = site.robots_visit
    if visit.reason is not None or visit.status is None:
        return unknown(visit.blind)
    kind = f"content-type: {visit.header('content-type')}"
    if visit.status >= 500:
        return failed(visit.show(header=kind))
    if visit.status < 400 and visit.status != 200:
        return unknown(visit.stopped or visit.blind)
    if visit.status != 200:
        return passed(visit.show(header=kind))
    head = visit.start.lstrip()[:200]
    if "html" in visit.media_type or head.lower().startswith(("<!doctype", "<html", "<head", "<body")):
        return failed(visit.show(head, header=kind, line=1))
    strange = site.robots.unknown_lines
    if site.robots.oversized or visit.truncated or site.robots.has_bom or strange:
        line = strange[0] if strange else 1
        text = site.robots.lines[line - 1] if site.robots.lines else ""
        return warned(visit.show(text, header=kind, line=line))
    return passed(visit.show(head, header=kind))


def _policy_urls(site: SurveyedSite) -> list[str]:
    first_of = [
        next((v.url for v in site.samples(role)), None) for role in (Role.VEHICLE, Role.SERVICE_DETAIL)
    ]
    listed = [site.vehicle_urls[:1], site.service_urls[:1]]
    chosen = [url or next(iter(urls_), None) for url, urls_ in zip(first_of, listed, strict=True)]
    return [site.home.final_url or site.home.url, *(url for url in chosen if url)]


def _denials(site: SurveyedSite, bots: tuple[agents.Agent, ...]) -> dict[str, Verdict]:
    verdicts = [site.robots.verdict(url, bot.token) for bot in bots for url in _policy_urls(site)]
    denied: dict[str, Verdict] = {}
    for verdict in verdicts:
        if not verdict.allowed:
            denied.setdefault(verdict.bot, verdict)
    return denied


def _policy_evidence(site: SurveyedSite, denied: dict[str, Verdict]) -> list[Evidence]:
    robots = site.robots_visit
    return [
        robots.show(
            verdict.text, detail=f"{verdict.bot} is bound by group {verdict.group}", line=verdict.line or None
        )
        for verdict in denied.values()
    ]


def _policy_blind(site: SurveyedSite) -> CheckOutcome | None:
    if site.robots.is_unread:
        return unknown(Reason.TOO_SLOW)
    robots = site.robots_visit
    return (
        unknown(robots.blind)
        if robots.reason not in (None, Reason.MEDIA_TYPE) or robots.status is None
        else None
    )


@family.check(
    "tech.bots.search_policy",
    12,
    "AI search bots are allowed",
    Rule(
        "robots.txt allows every search bot on home, one vehicle and one service page",
        "{one} bot is denied",
        "{two} or more are denied, or any of " + ", ".join(CORE),
        limits={"one": 1, "two": 2},
    ),
    sources=(RFC9309, agents.OPENAI, agents.GOOGLE),
    fix="Remove the Disallow lines that keep search bots out of your pages.",
    gate=True,
)
@unless(_policy_blind)
def search_policy(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Evidence: bot, group and line."""
    denied = _denials(site, agents.SEARCH_AGENTS)
    if not denied:
        return passed(
            site.robots_visit.show(detail=f"all {len(agents.SEARCH_AGENTS)} search bots are allowed")
        )
    evidence = _policy_evidence(site, denied)
    return failed(*evidence) if len(denied) >= rule["two"] or set(denied) & set(CORE) else warned(*evidence)


@family.check(
    "tech.bots.user_policy",
    6,
    "Agents that fetch for a person are allowed",
    Rule("robots.txt allows every user-triggered agent", "any of them is denied"),
    sources=(RFC9309, agents.OPENAI, agents.ANTHROPIC),
    fix="Allow the agents that fetch a page because a person asked for it.",
)
@unless(_policy_blind)
def user_policy(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Some vendors say that robots.txt may not apply to these, so denying them warns."""
    denied = _denials(site, agents.USER_AGENTS)
    if denied:
        return warned(*_policy_evidence(site, denied))
    return passed(
        site.robots_visit.show(detail=f"all {len(agents.USER_AGENTS)} agents of people are allowed")
    )


@family.check(
    "tech.bots.training_policy",
    0,
    "Choice about training bots",
    Rule("always: denying training is a legitimate choice, shown as information"),
    sources=(RFC9309,),
    fix="Nothing to fix: decide whether models may be trained on your pages.",
)
@unless(_policy_blind)
def training_policy(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Shows which training bots are denied."""
    denied = _denials(site, agents.TRAINING_AGENTS)
    return passed(
        *(_policy_evidence(site, denied) or [site.robots_visit.show(detail="no training bot is denied")])
    )


@family.check(
    "tech.bots.live_access",
    8,
    "Server treats AI headers like others",
    Rule(
        "same status class as the controls and at least {same} % of their text",
        "403, 429, 503, a challenge page, or under {little} % of the text",
        otherwise="unknown when not authorised by who runs the site, or the control is refused "
        "too; never a failure: a header is not the bot",
        limits={"same": 70, "little": 30},
    ),
    command=Command.BOT,
    sources=(agents.OPENAI, agents.PERPLEXITY),
    fix="Check for a firewall or CDN rule that blocks AI user agents.",
)
def live_access(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Compares each header with the visits before and after it."""
    if not site.probed:
        return unknown(Reason.PROBE_NOT_AUTHORISED)
    probes = [probe for probe in site.probes if probe.agent]
    controls = {probe.url: probe for probe in site.probes if not probe.agent}
    before = {visit.url: visit for visit in (site.home, *site.pages)}
    if not probes:
        return unknown(Reason.BUDGET)
    reacting: list[Evidence] = []
    calm: list[Evidence] = []
    for probe in probes:
        control, earlier = controls.get(probe.url), before.get(probe.url)
        if (
            control is None
            or earlier is None
            or control.reason
            or control.status != earlier.status
            or _challenged(control)
        ):
            return unknown(Reason.CONTROL_REFUSED)
        if probe.reason in (Reason.BUDGET, Reason.ROBOTS_DISALLOWED, Reason.TIMEOUT):
            continue
        text = f"{probe.agent}: {probe.status}, {probe.size} bytes; control: {control.status}, {control.size}"
        same = _overlap(probe.page, earlier.page) * 100
        reacts = probe.status != control.status or _challenged(probe) or same < rule["little"]
        (reacting if reacts or same < rule["same"] else calm).append(probe.show(detail=text))
    if reacting:
        return warned(*reacting)
    return passed(*calm) if calm else unknown(probes[0].blind)


def _challenged(visit: SiteVisit) -> bool:
    return visit.reason is Reason.CHALLENGED


def _overlap(page: HtmlPage | None, other: HtmlPage | None) -> float:
    """Share of the other page's word shingles that the first page has too."""
    if page is None or other is None:
        return 0.0
    page_shingles, other_shingles = _shingles(page.text), _shingles(other.text)
    return len(page_shingles & other_shingles) / len(other_shingles) if other_shingles else 1.0


def _shingles(text: str) -> set[tuple[str, ...]]:
    words = text.lower().split()
    return {tuple(words[index : index + SHINGLE]) for index in range(max(1, len(words) - SHINGLE + 1))}


BOTS = family.checks
