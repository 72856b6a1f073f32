"""The public tools of agentic readiness: stored reports, the method behind them, and where to read both."""

from pydantic import Field

from readiness.fetching import urls
from readiness.fetching.errors import UrlRefused
from readiness.report.document import Report
from tools.calls.call import PublicReports, ThisCall
from tools.calls.errors import NotFound, ToolRefusal
from tools.calls.parameters import PublicUrl
from tools.calls.table import ToolFamily
from tools.calls.wire import Wire

family = ToolFamily()

REST = "/api/mcp-app/rest"
EXAMPLE = "https://www.acme-motors.example/"


class NoReport(NotFound):
    """No completed public report of a URL; never scanned, running, failed and private are indistinguishable."""

    def __init__(self) -> None:
        super().__init__(
            "report",
            "A signed-in user starts a scan on /readiness, an operator with `seenby scan`; this tool never does.",
        )
        self.reason = "no completed readiness report for this URL"


@family.public("Get agentic readiness report")
async def get_agentic_readiness_report(url: PublicUrl, call: ThisCall) -> Report:
    """Return the latest public readiness report of an automotive site. It does not start a scan. For weights and
    limits use get_agentic_readiness_methodology."""
    try:
        key = urls.parse(url, allow_hosts=call.private_hosts).key
    except UrlRefused as error:
        raise ToolRefusal(
            f"this URL is never visited: {error}", f"Give the public address of a site, such as {EXAMPLE}"
        ) from error
    report = await newest_report(call.public_reports, key)
    if report is None:
        raise NoReport
    return report.compact(call.now()) if call.brief else report


async def newest_report(reports: PublicReports, url_key: str) -> Report | None:
    """Return the latest public report of a URL's key, with what a later scan could not reach; None without one."""
    stored = await reports.latest(url_key)
    if stored is None:
        return None
    report = Report.load(stored)
    newer = await reports.unseen_since(url_key, report.scannedAt)
    return report.followed_by(Report.load(newer)) if newer else report


class ModelVersions(Wire):
    """Versions of the scoring model."""

    current: str
    released: str = Field(description="ISO 8601 day.")
    retired: list[str]
    catalogueSha256: str = Field(description="Hash of every check's words, weights and thresholds.")
    compatibility: str


class CheckGroup(Wire):
    """Checks that are counted together."""

    id: str
    weight: int = Field(description="Sum of its checks' weights.")
    checks: list[str]


class CheckRule(Wire):
    """One check as the scanner runs it."""

    id: str
    group: str
    weight: int
    title: str
    rule: str
    limits: dict[str, float] = Field(description="Thresholds that the rule names.")
    command: str = Field(description="Key of the command that repeats it.")
    sources: list[str]
    fix: str
    siteTypes: list[str] | None = Field(description="Types it is asked of; null for all.")
    notForMobile: bool = Field(description="Not asked of a mobile business that states its area.")
    gate: bool = Field(description="Failing it caps its group.")


class Sampling(Wire):
    """When a check over several pages passes or warns, as shares of the pages."""

    passShare: float
    warnShare: float
    order: str


class SiteTypeSign(Wire):
    """Something that speaks for a type of site."""

    sign: str
    points: int
    type: str = Field(alias="for")


class Applicability(Wire):
    """Which journeys apply to a type of site."""

    siteType: str
    vehicle: str
    service: str
    handoff: str


class SiteTypes(Wire):
    """How the type of a site is found, and what follows from it."""

    signs: list[SiteTypeSign]
    pointsNeeded: int
    leadNeeded: int
    applicability: list[Applicability]


class Band(Wire):
    """A name for scores from a least one."""

    band: str
    least: int = Field(alias="from")


class Scoring(Wire):
    """The arithmetic from statuses to scores."""

    rules: list[str]
    coverageNeeded: float
    gates: list[str]
    gateCap: int
    technicalShare: float
    journeyShare: float
    journeyWeights: dict[str, dict[str, float]]
    journeys: list[str]
    bands: list[Band]


class BotAgent(Wire):
    """One AI user agent."""

    token: str
    operator: str
    tier: str
    header: str | None
    page: str
    checked: str = Field(description="Day on which the vendor's page was read.")


class Bots(Wire):
    """The AI user agents and what their tiers mean."""

    version: str
    agents: list[BotAgent]
    tiers: dict[str, str]
    headerProbe: str


class ScanLimits(Wire):
    """What a scan may spend, and what a report cannot say."""

    statements: list[str]
    requests: int | None
    seconds: float | None
    bytesPerBody: int
    redirects: int
    inFlight: int
    secondsBetweenStarts: float
    userAgent: str
    publicSuffixListVersion: str
    requestsPerMinute: int
    retentionDays: int


class Methodology(Wire):
    """Everything needed to compute a report's scores again by hand."""

    model: ModelVersions
    groups: list[CheckGroup]
    checks: list[CheckRule]
    commands: dict[str, str]
    statuses: dict[str, float | None] = Field(description="Credit of each status; null does not count.")
    sampling: Sampling
    siteTypes: SiteTypes
    scoring: Scoring
    bots: Bots
    limits: ScanLimits


@family.public("Get agentic readiness methodology")
async def get_agentic_readiness_methodology() -> Methodology:
    """Return score weights, applicability rules, model versions and limits of readiness reports. For a report use
    get_agentic_readiness_report."""
    from readiness.report.methodology import (
        methodology,  # loads the whole catalogue, which start-up cannot spare
    )

    return Methodology.model_validate(methodology())


class Interface(Wire):
    """One way to the readiness reports."""

    kind: str = Field(description="browser, json, markdown, rest, openapi or mcp.")
    method: str
    path: str = Field(description="Path on this server.")
    text: str
    example: str


class DeveloperDocs(Wire):
    """Where readiness reports and their method are read; nothing here starts a scan."""

    interfaces: list[Interface]
    negotiation: str
    rateLimit: str
    errors: list[str]


QUOTED = urls.quoted(EXAMPLE)
INTERFACES = (
    ("browser", "GET", "/readiness", "Look up a report by its URL.", "/readiness"),
    ("browser", "GET", "/readiness/report", "A report as a page.", f"/readiness/report?url={QUOTED}"),
    ("browser", "GET", "/readiness/methodology", "The method as a page.", "/readiness/methodology"),
    ("browser", "GET", "/readiness/bot", "What our bot is and how to block it.", "/readiness/bot"),
    ("json", "GET", "/readiness/report.json", "A report as JSON.", f"/readiness/report.json?url={QUOTED}"),
    (
        "markdown",
        "GET",
        "/readiness/report.md",
        "A report as Markdown.",
        f"/readiness/report.md?url={QUOTED}",
    ),
    (
        "rest",
        "POST",
        f"{REST}/get_agentic_readiness_report",
        "A report; the body names the URL.",
        f'{{"url": "{EXAMPLE}"}}',
    ),
    ("rest", "POST", f"{REST}/get_agentic_readiness_methodology", "The method; the body is empty.", "{}"),
    ("rest", "POST", f"{REST}/get_agentic_readiness_developer_docs", "This list; the body is empty.", "{}"),
    ("openapi", "GET", "/api/mcp-app/openapi.json", "All REST paths.", "/api/mcp-app/openapi.json"),
    (
        "mcp",
        "POST",
        "/mcp",
        "tools/call with the same tool names and arguments; no credential is needed.",
        f'{{"name": "get_agentic_readiness_report", "arguments": {{"url": "{EXAMPLE}"}}}}',
    ),
)


@family.public("Get agentic readiness developer docs")
async def get_agentic_readiness_developer_docs() -> DeveloperDocs:
    """Return the public browser, JSON, Markdown, OpenAPI and MCP addresses of readiness reports. For a report use
    get_agentic_readiness_report."""
    return DeveloperDocs(
        interfaces=[
            Interface(kind=kind, method=method, path=path, text=text, example=example)
            for kind, method, path, text, example in INTERFACES
        ],
        negotiation="/readiness/report answers application/json or text/markdown when Accept prefers it.",
        rateLimit="30 calls a minute for each client address, over all public tools and report pages.",
        errors=[
            "400 INVALID_PARAMS: the URL is missing, malformed or never visited.",
            "404 NOT_FOUND: no completed public report of this URL.",
            "429 RATE_LIMITED: wait as Retry-After says.",
        ],
    )
