"""The readiness report: the model that is stored, served as JSON and rendered as Markdown."""

import json
from datetime import datetime
from typing import Self

from pydantic import BaseModel, Field, ValidationError

from readiness.checks.check import CheckStatus
from readiness.fetching.errors import Reason
from readiness.survey.site_kind import kind_words
from storage.errors import DamagedData, UnknownDocumentVersion

SCHEMA_VERSION = 1
"""Of the report as it is stored."""
RETENTION_DAYS = 400

MOST_COMPACT = 20_000
"""Bytes of the compact report."""
COMPACT_STEPS = ((30, 300), (30, 120), (12, 80), (6, 40), (3, 0))
"""Findings of each group and characters of each quotation that are tried one after the other."""

UNTRUSTED = "Text of the scanned site, quoted as data; at most 300 characters."
LIMITS = (
    "One vantage point: another network may see other answers.",
    "Scores are based on the HTML as served. Only names of controls are read in a browser, where one is installed.",
    "No form was sent, and no one logged in.",
    "A bot's header is not the bot: real ones are verified by address too; a rejection proves a rule, no block.",
    "Samples are small and chosen by hash, not by importance.",
    "Weights are our judgement; nothing here promises a ranking or a rich result.",
    "Lists of bots and domain suffixes age; their dates are in the version line.",
    "No legal advice.",
)


class EvidenceItem(BaseModel):
    """One observation behind a verdict."""

    url: str
    method: str = "GET"
    statusCode: int | None = None
    header: str | None = Field(default=None, description=UNTRUSTED)
    selector: str | None = Field(default=None, description=UNTRUSTED)
    jsonPointer: str | None = Field(default=None, description=UNTRUSTED)
    line: int | None = Field(default=None, description="Line of the body, counted from 1.")
    excerpt: str | None = Field(default=None, description=UNTRUSTED)
    detail: str | None = Field(default=None, description="What we say of it, in our own words.")
    sha256: str | None = Field(default=None, description="Hash of the decoded body, in hex.")
    fetchedAt: str | None = Field(default=None, description="ISO 8601, UTC.")

    @property
    def seen(self) -> str:
        """What was seen in one line: our words, then the site's."""
        quoted = self.excerpt or self.header or ("" if self.detail else self.jsonPointer or self.selector)
        return ": ".join(words for words in (self.detail, quoted) if words)


class LineChange(BaseModel):
    """A place of the site's own files that a fix changes, with the text before and after."""

    url: str
    place: str = Field(description="What is changed, such as `robots.txt`, `HTML` or `JSON-LD to add`.")
    line: int | None = Field(default=None, description="Line of the file, counted from 1.")
    excerpt: str | None = Field(
        default=None, description="The site's own line, quoted as data; null where it has none."
    )
    changedExcerpt: str = Field(
        description="The new line, made of the site's own text; empty where the line is removed."
    )
    leftOut: list[str] = Field(
        default=[], description="Fields that the pages do not show for certain, each with the reason."
    )


class SampleSize(BaseModel):
    """How many sampled pages were seen, and how many held."""

    n: int
    hits: int


class CheckResult(BaseModel):
    """One answered check, whole enough to be repeated."""

    id: str
    group: str
    title: str
    status: CheckStatus
    reason: str | None = Field(
        description="A fixed word, such as `timeout` or `single_page`; null without one."
    )
    weight: int
    credit: float | None = Field(description="1, 0.5 or 0; null when the check does not count.")
    observed: bool
    sample: SampleSize | None
    evidence: list[EvidenceItem]
    rule: str
    sources: list[str]
    fix: str
    changes: list[LineChange] = Field(default=[], description="Lines of the site that the fix changes.")
    reproduce: str = Field(description="Shell command; every URL in it is quoted.")

    def compact(self, quoted: int) -> Self:
        """Return the check with its first evidence, quoted in so many characters, and without what repeats it."""
        short = {"fetchedAt": None, "sha256": None}
        evidence = [
            item.model_copy(
                update={
                    **short,
                    "excerpt": (item.excerpt or "")[:quoted] or None,
                    "header": (item.header or "")[:quoted] or None,
                }
            )
            for item in self.evidence[:1]
        ]
        return self.model_copy(update={"evidence": evidence, "sources": [], "changes": [], "reproduce": ""})


class Counts(BaseModel):
    """Checks by status."""

    passed: int = Field(alias="pass")
    warn: int
    fail: int
    unknown: int
    notApplicable: int


class GroupReport(BaseModel):
    """One group of checks with its score and bounds, 0-100; coverage 0-1."""

    applicable: bool
    score: int | None
    band: str | None
    reason: str | None
    low: int | None
    high: int | None
    coverage: float
    capReason: str | None
    counts: Counts
    checks: list[CheckResult]

    def compact(self, kept: int, quoted: int) -> Self:
        """Return the group with so many of its findings: what costs most first, then what could not be seen."""
        findings = [check for check in self.checks if check.credit != 1 and check.status != "not_applicable"]
        findings.sort(key=lambda check: (not check.observed, check.weight * ((check.credit or 0) - 1)))
        return self.model_copy(update={"checks": [check.compact(quoted) for check in findings[:kept]]})


class Journeys(BaseModel):
    """The three things a person sends an agent for."""

    vehicle: GroupReport
    service: GroupReport
    handoff: GroupReport


class SiteTypeReport(BaseModel):
    """What kind of site this was taken for, and why."""

    value: str
    declared: str | None
    detected: str = Field(description="What the evidence alone speaks for.")
    serviceDepartment: bool
    points: dict[str, int]
    evidence: list[str]


class OverallReport(BaseModel):
    """The figure over all, or the reason why there is none."""

    score: int | None
    band: str | None
    reason: str | None
    capReason: str | None = Field(description="The failed gate that caps the figure; null without one.")


class TopFix(BaseModel):
    """One of the changes worth most; `gain` in points of the overall score, else of its group's."""

    checkId: str
    gain: int
    fix: str


class PageVisit(BaseModel):
    """One URL that was asked for."""

    url: str
    role: str
    statusCode: int | None
    reason: str | None
    bytes: int
    sha256: str | None
    fetchedAt: str


class ScanBudget(BaseModel):
    """What the scan spent."""

    requests: int
    seconds: float
    exhausted: bool


class Links(BaseModel):
    """Where the forms of this report are."""

    html: str
    json_: str = Field(alias="json")
    markdown: str
    methodology: str


PROOFS = {"file": "a file", "meta": "an element of the home page", "dns": "a DNS record"}


class Report(BaseModel):
    """One completed scan; it never changes afterwards."""

    reportId: str
    url: str
    finalUrl: str
    host: str
    status: str = "completed"
    scannedAt: datetime
    durationMs: int
    modelVersion: str
    catalogueSha256: str
    botListVersion: str
    publicSuffixListVersion: str
    redirectedTo: str | None = Field(
        description="Another site's address that this one redirects to; it was not visited."
    )
    notices: list[str] = Field(description="What to know before any figure, most important first.")
    ownerStatement: str | None = None
    siteType: SiteTypeReport
    overall: OverallReport
    technical: GroupReport
    journeys: Journeys
    emerging: list[CheckResult]
    topFixes: list[TopFix]
    pages: list[PageVisit]
    budget: ScanBudget
    limits: list[str]
    links: Links

    def with_owner(self, proof: str, statement: str) -> Self:
        """Return the report as one that the owner of the site asked for, with their statement where there is one."""
        notice = f"The owner of {self.host}, who proved it by {PROOFS[proof]}, asked for this scan."
        return self.model_copy(
            update={"notices": [*self.notices, notice], "ownerStatement": statement or None}
        )

    def to_json(self) -> str:
        """The report as the JSON that is served."""
        return self.model_dump_json(by_alias=True)

    def to_stored(self) -> str:
        """The report as the JSON that is stored: as it is served, with the schema version."""
        document = self.model_dump(mode="json", by_alias=True)
        return json.dumps({"schemaVersion": SCHEMA_VERSION, **document}, ensure_ascii=False)

    @classmethod
    def load(cls, stored: str) -> Self:
        """Read a stored report.

        Raises UnknownDocumentVersion for one of another schema version, DamagedData for one that does not fit.
        """
        document: dict[str, object] = json.loads(stored)
        version = document.pop("schemaVersion", None)
        if version != SCHEMA_VERSION:
            raise UnknownDocumentVersion("readiness report", version, SCHEMA_VERSION)
        try:
            return cls.model_validate(document)
        except ValidationError as error:
            raise DamagedData("a stored readiness report is not what was written") from error

    @property
    def site_unseen(self) -> bool:
        """Whether the scan learned nothing of the site: down, a note in its place, or robots.txt unread by us."""
        checks = {check.id: (check.status, check.reason) for check in self.technical.checks}
        unread = checks.get("tech.bots.search_policy") == (CheckStatus.UNKNOWN, Reason.TOO_SLOW.value)
        home = checks.get("tech.http.reachable")
        note = (CheckStatus.UNKNOWN, Reason.PLACEHOLDER.value)
        return (
            self.site_was_down
            or home == note
            or (unread and home == (CheckStatus.UNKNOWN, Reason.ROBOTS_DISALLOWED.value))
        )

    @property
    def site_was_down(self) -> bool:
        """Whether home answered with a server error, so that the report knows nothing else of the site."""
        return any(
            (check.id, check.status, check.reason)
            == ("tech.http.reachable", CheckStatus.UNKNOWN, Reason.HTTP_ERROR.value)
            for check in self.technical.checks
        )

    @property
    def nothing_to_fix(self) -> str:
        """What is said where no fix is proposed: of what was not seen nothing is known."""
        is_whole = self.technical.score is not None
        return "Nothing to fix." if is_whole else "Nothing that was seen needs fixing; most was not seen."

    def followed_by(self, later: "Report") -> Self:
        """Return this report, which says first what a later scan saw that learned nothing of the site."""
        if not later.site_unseen:
            return self
        if not later.site_was_down:
            notice = (
                f"The last scan, {later.scannedAt:%Y-%m-%d %H:%M} UTC, saw none of the site's pages. This report is "
                f"older: it is of {self.scannedAt:%Y-%m-%d %H:%M} UTC."
            )
            return self.model_copy(update={"notices": [notice, *later.notices[:1], *self.notices]})
        statuses = (page.statusCode for page in later.pages if page.role in ("home", "plain_home"))
        status = next((code for code in statuses if code is not None and code >= 500), None)
        answer = f"status {status}" if status else "a server error"
        notice = (
            f"The site was down at the last scan, {later.scannedAt:%Y-%m-%d %H:%M} UTC: its home page answered with "
            f"{answer}. This report is older: it is of {self.scannedAt:%Y-%m-%d %H:%M} UTC."
        )
        return self.model_copy(update={"notices": [notice, *self.notices]})

    def compact(self, now: datetime) -> Self:
        """Return the report for a model, in at most 20 KB: findings with their first evidence, most important first.

        What passed or does not apply, the pages, sources and repeated evidence are in the whole report.
        """
        age = (now - self.scannedAt).days
        notices = [
            *self.notices,
            f"This report is {age} {'day' if age == 1 else 'days'} old.",
            f"Passed checks, visited pages and further evidence are left out here. Detail: {self.links.json_}",
        ]
        short = self
        for kept, quoted in COMPACT_STEPS:
            journeys = (self.journeys.vehicle, self.journeys.service, self.journeys.handoff)
            vehicle, service, handoff = (group.compact(kept, quoted) for group in journeys)
            short = self.model_copy(
                update={
                    "notices": notices,
                    "technical": self.technical.compact(kept, quoted),
                    "journeys": Journeys(vehicle=vehicle, service=service, handoff=handoff),
                    "emerging": [check.compact(quoted) for check in self.emerging if check.evidence],
                    "pages": [],
                }
            )
            if len(short.to_json().encode()) <= MOST_COMPACT:
                break
        return short

    def groups(self) -> tuple[tuple[str, GroupReport], ...]:
        """The four scored groups with their titles, in the order of every form."""
        return (
            ("Technical readiness", self.technical),
            ("Vehicle journey", self.journeys.vehicle),
            ("Service journey", self.journeys.service),
            ("Handoff journey", self.journeys.handoff),
        )


def markdown(report: Report) -> str:
    """Return the report as Markdown: scores, findings per group, fixes, emerging signals, limits, versions.

    Text from the scanned site appears only in code spans.
    """
    day = f"{report.scannedAt:%Y-%m-%d}"
    kind = kind_words(report.siteType.value)
    lines = [
        f"# Agentic readiness of {report.host} ({kind}, {day})",
        "",
        *(f"**{_plain(notice)}**\n" for notice in report.notices),
        *(
            [f"The owner of the site says: {code_span(report.ownerStatement)}\n"]
            if report.ownerStatement
            else []
        ),
        f"Overall: {_figure(report.overall.score, report.overall.band, report.overall.reason)}",
        "",
        "| Group | Score | Low | High | Coverage |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {title} | {_figure(group.score, group.band, group.reason)} | {_number(group.low)} "
        f"| {_number(group.high)} | {group.coverage:.0%} |"
        for title, group in report.groups()
    ]
    for title, group in report.groups():
        if group.applicable:
            capped = [f"Capped by `{group.capReason}`.", ""] if group.capReason else []
            lines += ["", f"## {title}", "", *capped, *_table(group.checks)]
    lines += ["", "## Biggest fixes", ""]
    lines += [
        f"- {fix.fix} (`{fix.checkId}`{f', +{fix.gain}' if fix.gain else ''})" for fix in report.topFixes
    ] or [report.nothing_to_fix]
    lines += [
        "",
        "## Emerging signals",
        "",
        "They weigh nothing in this model.",
        "",
        *_table(report.emerging),
    ]
    lines += ["", "## Limits", "", *(f"- {limit}" for limit in report.limits)]
    lines += [
        "",
        f"Model {report.modelVersion}, catalogue {report.catalogueSha256[:12]}, "
        f"bots {report.botListVersion}, suffixes {report.publicSuffixListVersion}.",
        "",
    ]
    return "\n".join(lines)


def _figure(score: int | None, band: str | None, reason: str | None) -> str:
    return f"{score} ({band})" if score is not None else f"none ({(reason or '').replace('_', ' ')})"


def _plain(text: str) -> str:
    """A notice that names a host, escaped so that nothing in it ends the emphasis or begins markup."""
    return "".join(f"\\{character}" if character in "*_`[]<>|" else character for character in text)


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)


def _table(checks: list[CheckResult]) -> list[str]:
    rows = [
        f"| {check.title} | {check.status.value.replace('_', ' ')} | {_seen(check)} |" for check in checks
    ]
    return ["| Check | Status | What we saw |", "|---|---|---|", *rows]


def _seen(check: CheckResult) -> str:
    if not check.evidence:
        return (check.reason or "").replace("_", " ")
    item = check.evidence[0]
    status = f" ({item.statusCode})" if item.statusCode else ""
    return f"{code_span(item.url)}{status} {code_span(item.seen)}".strip()


def code_span(text: str) -> str:
    """A code span that its content cannot end, in a cell it cannot split (CommonMark 6.1, GFM 4.10)."""
    inner = text.replace("`", "'").replace("|", "\\|").strip()
    return f"`{inner}`" if inner else ""
