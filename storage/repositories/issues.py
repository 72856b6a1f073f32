"""Issues: what is wrong with a brand's presence, each once, and how many are open."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Text, bindparam, case, delete, func, insert, or_, select, type_coerce, update

from storage.documents import EvidenceDocument, EvidenceText, StoredEvidence, evidence_json
from storage.queries import Listing, Query, plain
from storage.repositories.locks import brand_lock
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.brands import brands
from storage.tables.issues import issues


@dataclass(frozen=True, slots=True)
class Issue:
    """One issue in whatever state; `clean` counts clean observations in a row, `reopened` returns."""

    key: int
    id: str
    fingerprint: str
    kind: str
    check_id: str
    subject: str
    severity: str
    title: str
    url: str | None
    evidence: Sequence[StoredEvidence]
    state: str
    occurrences: int
    clean: int
    reopened: int
    first_seen: datetime
    last_seen: datetime


@dataclass(slots=True)
class OpenIssue:
    """What an open issue is, without its evidence."""

    kind: str
    id: str
    severity: str
    title: str
    url: str | None
    first_seen: datetime
    last_seen: datetime


@dataclass(frozen=True, slots=True)
class ListedIssue:
    """One open issue with its brand, as a page shows it."""

    id: str
    brand_id: str
    brand_name: str
    kind: str
    check_id: str
    severity: str
    title: str
    url: str | None
    evidence: Sequence[StoredEvidence]
    occurrences: int
    reopened: int
    first_seen: datetime
    last_seen: datetime


EVIDENCE = type_coerce(issues.c.evidence, EvidenceText(EvidenceDocument))
FIELDS = row_columns(Issue, issues, evidence=EVIDENCE)
OURS = issues.c.company_id == bindparam("company_id")
OF_BRAND = OURS & (issues.c.brand_key == bindparam("brand_key"))
WORST_FIRST = (
    case({"critical": 0, "warning": 1}, value=issues.c.severity, else_=2),
    issues.c.last_seen.desc(),
    issues.c.key,
)
OF_KIND = Query(select(*FIELDS).where(OF_BRAND, issues.c.kind == bindparam("kind")), Issue)
OPEN = Query(select(*FIELDS).where(OF_BRAND, issues.c.state == "open").order_by(*WORST_FIRST), Issue)
RANKED = (
    select(
        *row_columns(OpenIssue, issues),
        func.row_number().over(partition_by=issues.c.kind, order_by=WORST_FIRST).label("place"),
    )
    .where(OF_BRAND, issues.c.state == "open")
    .subquery("ranked")
)
WORST = Query(
    select(*[column for column in RANKED.c if column.name != "place"])
    .where(RANKED.c.place <= bindparam("most"))
    .order_by(RANKED.c.kind, RANKED.c.place),
    OpenIssue,
)
KIND_COUNTS = Query(
    select(issues.c.kind, issues.c.severity, func.count())
    .where(OF_BRAND, issues.c.state == "open")
    .group_by(issues.c.kind, issues.c.severity),
    plain,
    brief=True,
)
IS_LISTED = OURS & (issues.c.state == "open") & brands.c.archived_at.is_(None)
ON_BRAND = issues.join(brands, brands.c.key == issues.c.brand_key)
IS_WANTED = or_(
    bindparam("brand_id", type_=Text) == "", brands.c.id == bindparam("brand_id", type_=Text)
) & or_(bindparam("kind", type_=Text) == "", issues.c.kind == bindparam("kind", type_=Text))
COUNTED = select(func.count()).select_from(ON_BRAND).where(IS_LISTED, IS_WANTED)
PAGE = Listing(
    select(
        *row_columns(ListedIssue, issues, brand_id=brands.c.id, brand_name=brands.c.name, evidence=EVIDENCE)
    )
    .select_from(ON_BRAND)
    .where(IS_LISTED, IS_WANTED)
    .order_by(*WORST_FIRST)
    .limit(bindparam("limit"))
    .offset(bindparam("offset")),
    COUNTED,
    ListedIssue,
)
SEVERITIES = ("critical", "warning", "info")
COUNTS = Query(
    select(
        *(
            select(func.count())
            .where(
                issues.c.brand_key == brands.c.key, issues.c.state == "open", issues.c.severity == severity
            )
            .scalar_subquery()
            for severity in SEVERITIES
        )
    ).where(brands.c.company_id == bindparam("company_id"), brands.c.key == bindparam("brand_key")),
    plain,
    brief=True,
)
"""Each count is read from the index alone."""
COMPANY_COUNTS = Query(
    select(issues.c.severity, func.count())
    .select_from(ON_BRAND)
    .where(IS_LISTED)
    .group_by(issues.c.severity),
    plain,
    brief=True,
)
STORED = (
    "fingerprint",
    "kind",
    "check_id",
    "subject",
    "severity",
    "title",
    "url",
    "evidence",
    "state",
    "occurrences",
    "clean",
    "reopened",
    "first_seen",
    "last_seen",
)


class IssueRepository(Repository):
    """The issues of one company; what moves one from state to state is decided above."""

    async def open_counts(self, brand_key: int | None = None) -> dict[str, int]:
        """Return the number of open issues by severity; one without any is left out.

        They are those of a brand, or of all brands that are not archived.
        """
        if brand_key is None:
            return dict(await self._all(COMPANY_COUNTS))
        counted = await self._first(COUNTS, brand_key=brand_key) or ()
        return {severity: number for severity, number in zip(SEVERITIES, counted, strict=False) if number}

    async def hold(self, brand_key: int, kind: str) -> dict[str, Issue]:
        """Return a brand's issues of one kind by fingerprint; no other transaction moves them until the end."""
        await self._write(brand_lock(self.company_id, brand_key))
        return {
            issue.fingerprint: issue for issue in await self._all(OF_KIND, brand_key=brand_key, kind=kind)
        }

    async def open_of(self, brand_key: int) -> list[Issue]:
        """Return the open issues of a brand, worst first."""
        return await self._all(OPEN, brand_key=brand_key)

    async def worst(self, brand_key: int, most: int) -> list[OpenIssue]:
        """Return what the open issues of a brand are, so many of each kind, worst first, without their evidence."""
        return await self._all(WORST, brand_key=brand_key, most=most)

    async def open_counts_of_kinds(self, brand_key: int) -> dict[tuple[str, str], int]:
        """Return the number of open issues of a brand by kind and severity; a pair without any is left out."""
        counted = await self._all(KIND_COUNTS, brand_key=brand_key)
        return {(kind, severity): number for kind, severity, number in counted}

    async def page(
        self, limit: int, offset: int, brand_id: str = "", kind: str = ""
    ) -> tuple[list[ListedIssue], int]:
        """Return one page of the company's open issues, worst first, and how many there are.

        They are those of one brand and of one kind where these are given.
        """
        return await self._page(PAGE, limit=limit, offset=offset, brand_id=brand_id, kind=kind)

    async def put(self, brand_key: int, issue: Issue) -> None:
        """Store an issue: a new one when its key is 0, else as it stands now."""
        values = {name: getattr(issue, name) for name in STORED} | {"evidence": evidence_json(issue.evidence)}
        if issue.key == 0:
            own = {"id": issue.id, "company_id": self.company_id, "brand_key": brand_key}
            await self._write(insert(issues), {**values, **own})
            return
        row = (issues.c.key == issue.key) & (issues.c.company_id == self.company_id)
        await self._write(update(issues).where(row).values(values))

    async def forget(self, issue: Issue) -> None:
        """Delete a candidate that was not seen again."""
        row = (
            (issues.c.key == issue.key)
            & (issues.c.company_id == self.company_id)
            & (issues.c.state == "candidate")
        )
        await self._write(delete(issues).where(row))

    async def dismiss(self, issue_id: str) -> bool:
        """Note that a person does not want to hear of an open issue; False when there is none of this id."""
        row = (
            (issues.c.id == issue_id) & (issues.c.company_id == self.company_id) & (issues.c.state == "open")
        )
        done = await self._write(update(issues).where(row).values(state="dismissed"))
        return done.rowcount == 1
