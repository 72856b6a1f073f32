"""Issues open once, resolve by themselves, come back, and speak only when something changes."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from measurement.alerts.issues import IssueObservation, fingerprint, next_transition, record
from storage.database import Database
from storage.documents import StoredEvidence
from storage.errors import UnknownDocumentVersion
from storage.repositories.brands import Brand, BrandDraft
from storage.repositories.issues import Issue
from storage.repositories.notifications import AN_HOUR, Notification, NotificationDraft

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PROFILE: dict[str, Any] = {
    "industry": None,
    "website": None,
    "voice": None,
    "keywords": [],
    "target_audience": None,
}
BOTH = pytest.mark.parametrize("url", ["sqlite", "postgres"], indirect=True)


@dataclass
class Watch:
    """A company with one brand, and a day that passes with every look."""

    database: Database
    company: str
    brand: Brand
    now: datetime = NOON

    async def look(self, *seen: IssueObservation) -> dict[tuple[str, str], str]:
        self.now += timedelta(days=1)
        async with self.database.transaction(self.company) as writing:
            return await record(writing, self.brand, seen, self.now)

    async def told(self) -> list[Notification]:
        found, _ = await self.database.workspace(self.company).notifications.page(False, 100, 0)
        return found[::-1]

    async def issues(self) -> list[Issue]:
        async with self.database.transaction(self.company) as writing:
            return list((await writing.issues.hold(self.brand.key, "crawler_error")).values())

    async def dismiss(self) -> None:
        [issue] = await self.issues()
        async with self.database.transaction(self.company) as writing:
            assert await writing.issues.dismiss(issue.id)


@pytest.fixture
async def watch(url: str) -> AsyncGenerator[Watch]:
    database = await Database.open(url)
    async with database.operation() as operators:
        company = await operators.companies.create("Shop", "owner@shop.example", "growth", NOON)
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.save(BrandDraft("Acme"), [], PROFILE, NOON)
    yield Watch(database, company.id, brand)
    await database.close()


def bad(severity: Any = "warning", *, needs_twice: bool = False) -> IssueObservation:
    return IssueObservation(
        "crawler_error",
        "crawler.page_status",
        "acme.example/stock",
        "A key page answers with an error",
        severity,
        "https://acme.example/stock",
        [StoredEvidence(type="page", url="https://acme.example/stock", excerpt="500")],
        needs_twice,
    )


CLEAN = IssueObservation("crawler_error", "crawler.page_status", "acme.example/stock")


@BOTH
async def test_an_issue_opens_once_and_tells_once(watch: Watch) -> None:
    await watch.look(bad())
    await watch.look(bad())
    ids = await watch.look(bad())
    [issue] = await watch.issues()
    assert (issue.state, issue.occurrences, issue.reopened) == ("open", 3, 0)
    assert (issue.first_seen, issue.last_seen) == (NOON + timedelta(days=1), NOON + timedelta(days=3))
    assert ids == {("crawler.page_status", "acme.example/stock"): issue.id}
    [notifications] = await watch.told()
    assert (notifications.kind, notifications.severity, notifications.issue_id) == (
        "crawler_error",
        "warning",
        issue.id,
    )


def bad_page(number: int, severity: Any = "warning") -> IssueObservation:
    """One of several pages that are broken at once."""
    subject = f"acme.example/{number}"
    return IssueObservation(
        "crawler_error", "crawler.page_status", subject, f"Page {number} answers 500", severity
    )


@BOTH
async def test_a_dozen_issues_of_one_check_are_one_notification(watch: Watch) -> None:
    await watch.look(*map(bad_page, range(11)), bad_page(11, "critical"))
    [told] = await watch.told()
    assert told.title == "12 errors that crawlers meet of Acme"
    assert told.message.startswith("Page 11 answers 500; Page 0 answers 500; "), "the worst first"
    assert told.message.endswith("; and 7 more.")
    assert (told.severity, told.issue_id) == ("critical", None)
    assert told.path == f"/issues?brand={watch.brand.id}&kind=crawler_error"
    workspace = watch.database.workspace(watch.company)
    listed, total = await workspace.issues.page(50, 0, watch.brand.id, "crawler_error")
    assert (total, {issue.severity for issue in listed}) == (12, {"critical", "warning"})
    assert (await workspace.issues.page(50, 0, watch.brand.id, "content_gap"))[1] == 0
    assert (await workspace.issues.page(50, 0, "another", "crawler_error"))[1] == 0


@BOTH
async def test_what_was_told_among_others_is_not_told_again_the_same_day(watch: Watch) -> None:
    await watch.look(*map(bad_page, range(4)))
    watch.now -= timedelta(days=1)
    for _ in range(2):
        clean = [
            IssueObservation("crawler_error", "crawler.page_status", f"acme.example/{n}") for n in range(3)
        ]
        await watch.look(*clean)
        watch.now -= timedelta(days=1)
    await watch.look(*map(bad_page, range(5)))
    assert [told.title for told in await watch.told()] == [
        "4 errors that crawlers meet of Acme",
        "Page 4 answers 500",
    ]


@BOTH
async def test_more_issues_than_a_key_can_hold_are_told_all_the_same(watch: Watch) -> None:
    await watch.look(*map(bad_page, range(400)))
    [told] = await watch.told()
    assert told.title == "400 errors that crawlers meet of Acme"


@BOTH
async def test_two_clean_looks_resolve_an_issue_and_one_does_not(watch: Watch) -> None:
    await watch.look(bad())
    await watch.look(CLEAN)
    assert [issue.state for issue in await watch.issues()] == ["open"]
    await watch.look(bad())
    await watch.look(CLEAN)
    assert [issue.state for issue in await watch.issues()] == ["open"], "clean looks count in a row"
    await watch.look(CLEAN)
    assert [issue.state for issue in await watch.issues()] == ["resolved"]
    assert len(await watch.told()) == 1
    await watch.look(bad())
    [issue] = await watch.issues()
    assert (issue.state, issue.reopened) == ("open", 1)
    assert "is back" in (await watch.told())[-1].message


@BOTH
async def test_a_twice_seen_issue_notifies_once_and_resets_when_clean(
    watch: Watch,
) -> None:
    await watch.look(bad(needs_twice=True))
    assert [issue.state for issue in await watch.issues()] == ["candidate"]
    assert await watch.told() == []
    await watch.look(CLEAN)
    assert await watch.issues() == []
    await watch.look(bad(needs_twice=True))
    await watch.look(bad(needs_twice=True))
    assert [issue.state for issue in await watch.issues()] == ["open"]
    assert len(await watch.told()) == 1


@BOTH
async def test_a_severity_that_rises_is_told_and_one_that_falls_is_not(watch: Watch) -> None:
    await watch.look(bad("warning"))
    await watch.look(bad("critical"))
    await watch.look(bad("info"))
    assert [notification.severity for notification in await watch.told()] == ["warning", "critical"]
    assert [issue.severity for issue in await watch.issues()] == ["info"]


@BOTH
async def test_a_dismissed_issue_stays_so_until_it_gets_worse(watch: Watch) -> None:
    await watch.look(bad())
    await watch.dismiss()
    await watch.look(bad())
    await watch.look(CLEAN)
    [issue] = await watch.issues()
    assert (issue.state, issue.occurrences, issue.last_seen) == ("dismissed", 2, NOON + timedelta(days=2))
    assert await watch.database.workspace(watch.company).issues.open_counts() == {}
    await watch.look(bad("critical"))
    [issue] = await watch.issues()
    assert (issue.state, issue.severity, issue.reopened) == ("open", "critical", 1)
    assert len(await watch.told()) == 2


@BOTH
async def test_of_a_brand_s_hour_the_rest_becomes_one_digest(watch: Watch) -> None:
    async def tell(count: int, now: datetime) -> None:
        async with watch.database.transaction(watch.company) as writing:
            for number in range(count):
                severity = "critical" if number == AN_HOUR else "info"
                draft = NotificationDraft(
                    "content_gap", severity, "t", "m", f"{now}:{number}", watch.brand.key
                )
                await writing.notifications.add(draft, now)

    await tell(AN_HOUR + 5, NOON)
    notifications = await watch.told()
    assert len(notifications) == AN_HOUR + 1
    assert (notifications[-1].title, notifications[-1].severity, notifications[-1].kind) == (
        "5 more notifications in this hour",
        "critical",
        "system_alert",
    )
    async with watch.database.transaction(watch.company) as writing:
        assert await writing.notifications.mark_read(None, NOON) == AN_HOUR + 1
    await tell(AN_HOUR + 6, NOON + timedelta(minutes=59))
    unread, total = await watch.database.workspace(watch.company).notifications.page(True, 100, 0)
    assert (total, unread[0].title) == (1, f"{5 + AN_HOUR + 6} more notifications in this hour")
    await tell(1, NOON + timedelta(hours=1))
    assert len(await watch.told()) == AN_HOUR + 2


SEEN = st.sampled_from(
    [
        CLEAN,
        *(bad(severity, needs_twice=twice) for severity in ("info", "warning") for twice in (False, True)),
    ]
)


@given(st.lists(SEEN, max_size=30))
def test_an_issue_is_open_only_after_a_problem_and_always_notifies(
    seen: Sequence[IssueObservation],
) -> None:
    identity = fingerprint("b", "crawler_error", "crawler.page_status", "acme.example/stock")
    issue: Issue | None = None
    for day, observation in enumerate(seen):
        before, change = issue, next_transition(issue, observation, identity, NOON + timedelta(days=day))
        issue = change.issue
        opened = issue is not None and issue.state == "open" and (before is None or before.state != "open")
        if opened:
            assert observation.bad is not None
            assert change.announced is not None
        if observation.bad is None:
            assert change.announced is None
        if issue is not None and before is not None:
            assert issue.first_seen == before.first_seen
            assert issue.reopened >= before.reopened


@BOTH
async def test_evidence_of_another_schema_version_is_refused_by_name(watch: Watch) -> None:
    await watch.look(bad())
    async with watch.database.writing() as connection:
        [stored] = (await connection.execute(text("SELECT evidence FROM issues"))).scalars()
        newer = stored.replace('"schemaVersion":1', '"schemaVersion":9')
        await connection.execute(text("UPDATE issues SET evidence = :newer"), {"newer": newer})
    words = "EvidenceDocument was stored with schema version 9, and this program reads version 1"
    with pytest.raises(UnknownDocumentVersion, match=words):
        await watch.database.workspace(watch.company).issues.open_of(watch.brand.key)
