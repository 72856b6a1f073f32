"""Readiness scans and reports: each company has its own, and public reports are visible to everyone."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from sqlalchemy import ColumnElement, FromClause, and_, bindparam, delete, func, insert, or_, select, update

from storage.ids import new_id
from storage.queries import Query, one_value
from storage.repository import Repository
from storage.tables.readiness import readiness_reports, readiness_scans


@dataclass(frozen=True, slots=True)
class ScanDraft:
    """A scan that waits for its turn; `url_key` is its normalized URL without the scheme.

    `site` is the host's registrable domain, or the host itself if it has none. `declared` is a type of site,
    or empty.
    """

    url: str
    url_key: str
    host: str
    executor: str
    site: str
    counted: bool = False
    declared: str = ""
    probed: bool = False


@dataclass(frozen=True, slots=True)
class Scan:
    """One scan and its outcome; `reason` is one of our codes, set if the scan failed.

    `stage` and `requests` show its progress. The last three fields come from its report, if it still exists.
    """

    id: str
    url: str
    host: str
    state: str
    reason: str | None
    stage: str | None
    requests: int
    created_at: datetime
    ended_at: datetime | None
    report_id: str | None
    public: bool | None
    score: int | None

    @property
    def place(self) -> str:
        """The host, with a non-default port, which distinguishes two sites of one machine."""
        return urlsplit(self.url).netloc


@dataclass(frozen=True, slots=True)
class ReportDraft:
    """A finished report; `report` is its JSON with the schema version, `site_unseen` whether it covers no page."""

    id: str
    url_key: str
    final_url_key: str
    public: bool
    model_version: str
    catalogue_sha256: str
    scanned_at: datetime
    score: int | None
    report: str
    site_unseen: bool = False


@dataclass(frozen=True, slots=True)
class ReportName:
    """A public report as listed."""

    id: str
    url_key: str
    scanned_at: datetime


WAITING = "waiting"
"""The stage of a scan that has not had its turn yet."""
OF_SCAN = (
    select(
        readiness_scans.c.id,
        readiness_scans.c.url,
        readiness_scans.c.host,
        readiness_scans.c.state,
        readiness_scans.c.reason,
        readiness_scans.c.stage,
        readiness_scans.c.requests,
        readiness_scans.c.created_at,
        readiness_scans.c.ended_at,
    )
    .add_columns(readiness_reports.c.id, readiness_reports.c.public, readiness_reports.c.score)
    .select_from(
        readiness_scans.outerjoin(readiness_reports, readiness_reports.c.scan_key == readiness_scans.c.key)
    )
    .where(readiness_scans.c.company_id == bindparam("company_id"))
)
SCANS = Query(
    OF_SCAN.order_by(readiness_scans.c.created_at.desc(), readiness_scans.c.key.desc()).limit(
        bindparam("limit")
    ),
    Scan,
)
SCAN = Query(OF_SCAN.where(readiness_scans.c.id == bindparam("id")), Scan, brief=True)
COUNTED = Query(
    select(func.count())
    .select_from(readiness_scans)
    .where(
        readiness_scans.c.company_id == bindparam("company_id"),
        readiness_scans.c.counted,
        readiness_scans.c.created_at >= bindparam("since"),
    ),
    int,
)
SCAN_KEY = Query(
    select(readiness_scans.c.key).where(
        readiness_scans.c.company_id == bindparam("company_id"), readiness_scans.c.id == bindparam("id")
    ),
    int,
    brief=True,
)
OWN_REPORT = Query(
    select(readiness_reports.c.report).where(
        readiness_reports.c.company_id == bindparam("company_id"), readiness_reports.c.id == bindparam("id")
    ),
    str,
)
BEST_FIRST = (
    readiness_reports.c.site_unseen,
    readiness_reports.c.scanned_at.desc(),
    readiness_reports.c.key.desc(),
)
"""The latest report of a URL. Reports without data about the site rank below all others."""
ON_URL = or_(
    readiness_reports.c.url_key == bindparam("url_key"),
    readiness_reports.c.final_url_key == bindparam("url_key"),
)
OWN_LATEST = Query(
    select(readiness_reports.c.report)
    .where(readiness_reports.c.company_id == bindparam("company_id"), ON_URL)
    .order_by(*BEST_FIRST)
    .limit(1),
    str,
)
IS_EARLIER = and_(
    readiness_reports.c.url_key == bindparam("url_key"),
    readiness_reports.c.scanned_at < bindparam("before", type_=readiness_reports.c.scanned_at.type),
    ~readiness_reports.c.site_unseen,
)
EARLIER = Query(
    select(readiness_reports.c.id, readiness_reports.c.url_key, readiness_reports.c.scanned_at)
    .where(readiness_reports.c.public, IS_EARLIER)
    .order_by(readiness_reports.c.scanned_at.desc(), readiness_reports.c.key.desc())
    .limit(bindparam("limit")),
    ReportName,
)
OWN_EARLIER = Query(
    select(readiness_reports.c.id, readiness_reports.c.url_key, readiness_reports.c.scanned_at)
    .where(readiness_reports.c.company_id == bindparam("company_id"), IS_EARLIER)
    .order_by(readiness_reports.c.scanned_at.desc(), readiness_reports.c.key.desc())
    .limit(bindparam("limit")),
    ReportName,
)
LATEST = Query(
    select(readiness_reports.c.report)
    .where(readiness_reports.c.public, ON_URL)
    .order_by(*BEST_FIRST)
    .limit(1),
    str,
)
UNSEEN_SINCE = Query(
    select(readiness_reports.c.report)
    .where(
        readiness_reports.c.public,
        ON_URL,
        readiness_reports.c.site_unseen,
        readiness_reports.c.scanned_at > bindparam("since", type_=readiness_reports.c.scanned_at.type),
    )
    .order_by(readiness_reports.c.scanned_at.desc(), readiness_reports.c.key.desc())
    .limit(1),
    str,
)
BY_ID = Query(
    select(readiness_reports.c.report).where(
        readiness_reports.c.public, readiness_reports.c.id == bindparam("id")
    ),
    str,
)
NEWEST = Query(
    select(readiness_reports.c.id, readiness_reports.c.url_key, readiness_reports.c.scanned_at)
    .where(readiness_reports.c.public)
    .order_by(readiness_reports.c.scanned_at.desc(), readiness_reports.c.key.desc())
    .limit(bindparam("limit")),
    ReportName,
)


EXECUTORS = Query(
    select(readiness_scans.c.executor).where(readiness_scans.c.state == "running").distinct(), str
)
OWN_LIVE = Query(
    select(readiness_scans.c.id)
    .where(
        readiness_scans.c.company_id == bindparam("company_id"),
        readiness_scans.c.state == "running",
        readiness_scans.c.url_key == bindparam("url_key"),
    )
    .order_by(readiness_scans.c.key)
    .limit(1),
    str,
)
OWN_LIVE_SITE = Query(
    select(readiness_scans.c.id)
    .where(
        readiness_scans.c.company_id == bindparam("company_id"),
        readiness_scans.c.state == "running",
        readiness_scans.c.site == bindparam("site"),
    )
    .limit(1),
    str,
)
SHARED = Query(
    select(readiness_reports.c.report)
    .join(readiness_scans, readiness_scans.c.key == readiness_reports.c.scan_key)
    .where(
        readiness_reports.c.company_id == bindparam("company_id"),
        readiness_scans.c.company_id == bindparam("company_id"),
        readiness_scans.c.url_key == bindparam("url_key"),
        readiness_scans.c.declared == bindparam("declared"),
        readiness_scans.c.probed == bindparam("probed"),
        readiness_reports.c.public == bindparam("public"),
        readiness_scans.c.ended_at >= bindparam("since"),
    )
    .order_by(readiness_scans.c.ended_at.desc(), readiness_scans.c.key.desc())
    .limit(1),
    str,
)
VISITS = Query(
    select(func.count())
    .select_from(readiness_scans)
    .where(readiness_scans.c.site == bindparam("site"), readiness_scans.c.created_at > bindparam("since")),
    int,
)


LEFT_ALONE_SINCE = Query(
    select(func.max(readiness_scans.c.ended_at)).where(
        readiness_scans.c.company_id == bindparam("company_id"),
        readiness_scans.c.site == bindparam("site"),
        readiness_scans.c.state != "running",
    ),
    one_value,
)


def _replaced_in(old: FromClause, key: ColumnElement[str]) -> ColumnElement[bool]:
    """Return whether a user who finds `old` by this URL finds a report that precedes it too.

    Everyone finds public reports; a company also finds its own.
    """
    newer = readiness_reports.alias()
    same_url = or_(newer.c.url_key == key, newer.c.final_url_key == key)
    same_readers = or_(newer.c.public, and_(~old.c.public, newer.c.company_id == old.c.company_id))
    later = or_(
        newer.c.scanned_at > old.c.scanned_at,
        and_(newer.c.scanned_at == old.c.scanned_at, newer.c.key > old.c.key),
    )
    first = or_(
        and_(~newer.c.site_unseen, old.c.site_unseen), and_(newer.c.site_unseen == old.c.site_unseen, later)
    )
    return select(newer.c.key).where(same_url, same_readers, first).exists()


class ReadinessRepository(Repository):
    """The scans and reports of one company."""

    async def begin(self, draft: ScanDraft, now: datetime) -> str:
        """Store a scan that waits for its turn and return its id."""
        made = new_id()
        names = ("url", "url_key", "host", "site", "executor", "counted", "declared", "probed")
        values = {name: getattr(draft, name) for name in names}
        own = {
            "id": made,
            "company_id": self.company_id,
            "state": "running",
            "stage": WAITING,
            "created_at": now,
        }
        await self._write(insert(readiness_scans), {**values, **own})
        return made

    async def take_turn(self, scan_id: str, site: str, most: int) -> bool:
        """Start a waiting scan; False while another one visits its site, or while `most` scans run in total.

        The caller must hold the lock for turns, so that no other scan starts meanwhile.
        """
        other = readiness_scans.alias()
        taken = select(other.c.key).where(other.c.visiting, other.c.site == site).exists()
        visits = select(func.count()).select_from(other).where(other.c.visiting).scalar_subquery()
        own = (
            (readiness_scans.c.company_id == self.company_id)
            & (readiness_scans.c.id == scan_id)
            & (readiness_scans.c.state == "running")
        )
        turn = update(readiness_scans).where(own, ~taken, visits < most).values(visiting=True, stage=None)
        return (await self._write(turn)).rowcount == 1

    async def live(self, url_key: str) -> str | None:
        """Return the id of the company's waiting or running scan of a URL."""
        return await self._first(OWN_LIVE, url_key=url_key)

    async def is_scanning(self, site: str) -> bool:
        """Return whether one of the company's scans of a site is waiting or running."""
        return await self._first(OWN_LIVE_SITE, site=site) is not None

    async def left_alone_since(self, site: str) -> datetime | None:
        """Return when the company's last scan of a site ended; None before the first."""
        return await self._first(LEFT_ALONE_SINCE, site=site)

    async def shared(self, draft: ScanDraft, *, public: bool, since: datetime) -> str | None:
        """Return the JSON of the company's report by a scan with equal settings that ended since then, or None."""
        return await self._first(
            SHARED,
            url_key=draft.url_key,
            declared=draft.declared,
            probed=draft.probed,
            public=public,
            since=since,
        )

    async def complete(self, scan_id: str, draft: ReportDraft, now: datetime) -> None:
        """Store the final report of a scan and mark the scan as completed."""
        key = await self._first(SCAN_KEY, id=scan_id)
        names = ("id", "url_key", "final_url_key", "public", "model_version", "catalogue_sha256")
        values = {
            name: getattr(draft, name) for name in (*names, "scanned_at", "score", "report", "site_unseen")
        }
        own = {"company_id": self.company_id, "scan_key": key}
        await self._write(insert(readiness_reports), {**values, **own})
        await self._end(scan_id, "completed", None, now)

    async def fail(self, scan_id: str, reason: str, now: datetime) -> None:
        """Record that a scan ended without a report, and why."""
        await self._end(scan_id, "failed", reason, now)

    async def drop(self, scan_id: str) -> None:
        """Delete a scan that never had its turn."""
        own = (readiness_scans.c.company_id == self.company_id) & (readiness_scans.c.id == scan_id)
        await self._write(delete(readiness_scans).where(own))

    async def advance(self, scan_id: str, stage: str, requests: int) -> None:
        """Record the progress of a running scan; late updates are ignored."""
        own = (
            (readiness_scans.c.company_id == self.company_id)
            & (readiness_scans.c.id == scan_id)
            & (readiness_scans.c.state == "running")
        )
        further = own & (readiness_scans.c.requests <= requests)
        await self._write(update(readiness_scans).where(further).values(stage=stage, requests=requests))

    async def counted_since(self, since: datetime) -> int:
        """Return how many scans that count against the plan have started since then."""
        return await self._first(COUNTED, since=since) or 0

    async def scan(self, scan_id: str) -> Scan | None:
        """Return one of the company's scans."""
        return await self._first(SCAN, id=scan_id)

    async def scans(self, limit: int) -> list[Scan]:
        """Return the company's scans, newest first."""
        return await self._all(SCANS, limit=limit)

    async def report(self, report_id: str) -> str | None:
        """Return the JSON of one of the company's reports, including private ones."""
        return await self._first(OWN_REPORT, id=report_id)

    async def latest(self, url_key: str) -> str | None:
        """Return the JSON of the company's latest report of a requested or final URL, including private ones."""
        return await self._first(OWN_LATEST, url_key=url_key)

    async def earlier(self, url_key: str, before: datetime, limit: int) -> list[ReportName]:
        """Return the company's earlier reports of a URL's pages, newest first."""
        return await self._all(OWN_EARLIER, url_key=url_key, before=before, limit=limit)

    async def _end(self, scan_id: str, state: str, reason: str | None, now: datetime) -> None:
        own = (
            (readiness_scans.c.company_id == self.company_id)
            & (readiness_scans.c.id == scan_id)
            & (readiness_scans.c.state == "running")
        )
        await self._write(
            update(readiness_scans)
            .where(own)
            .values(state=state, reason=reason, ended_at=now, visiting=False)
        )


class PublicReadinessRepository(Repository):
    """Data that belongs to no company: public reports, and how often sites are visited."""

    async def latest(self, url_key: str) -> str | None:
        """Return the JSON of the latest public report of a requested or final URL."""
        return await self._first(LATEST, url_key=url_key)

    async def unseen_since(self, url_key: str, since: datetime) -> str | None:
        """Return the JSON of the latest public report of a URL made after then without data about the site."""
        return await self._first(UNSEEN_SINCE, url_key=url_key, since=since)

    async def find(self, report_id: str) -> str | None:
        """Return the JSON of a public report."""
        return await self._first(BY_ID, id=report_id)

    async def newest(self, limit: int) -> list[ReportName]:
        """Return the newest public reports."""
        return await self._all(NEWEST, limit=limit)

    async def earlier(self, url_key: str, before: datetime, limit: int) -> list[ReportName]:
        """Return the earlier public reports of a URL's pages, newest first."""
        return await self._all(EARLIER, url_key=url_key, before=before, limit=limit)

    async def executors(self) -> list[str]:
        """Return the processes with waiting or running scans."""
        return await self._all(EXECUTORS)

    async def visits(self, site: str, since: datetime) -> int:
        """Return how many scans of a site have started since then, by any company."""
        return await self._first(VISITS, site=site, since=since) or 0

    async def delete_reports(self, before: datetime) -> int:
        """Delete scans and reports older than that, except the latest report of a URL; return the number."""
        old = readiness_reports.alias()
        replaced = select(old.c.scan_key).where(
            old.c.scanned_at < before,
            _replaced_in(old, old.c.url_key),
            _replaced_in(old, old.c.final_url_key),
        )
        removed = await self._write(
            delete(readiness_reports).where(readiness_reports.c.scan_key.in_(replaced))
        )
        reported = select(readiness_reports.c.scan_key)
        done = (
            (readiness_scans.c.created_at < before)
            & (readiness_scans.c.state != "running")
            & readiness_scans.c.key.not_in(reported)
        )
        await self._write(delete(readiness_scans).where(done))
        return removed.rowcount

    async def fail_orphaned_scans(self, executors: Iterable[str], now: datetime) -> None:
        """Fail the scans whose executors died."""
        own = readiness_scans.c.executor.in_(list(executors)) & (readiness_scans.c.state == "running")
        values = {"state": "failed", "reason": "interrupted", "ended_at": now, "visiting": False}
        await self._write(update(readiness_scans).where(own).values(**values))
