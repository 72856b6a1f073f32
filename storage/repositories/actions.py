"""Actions: open issues and those that users planned, completed or dismissed, most severe first."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import combinations
from typing import Any

from sqlalchemy import and_, bindparam, case, func, or_, select, type_coerce, update

from storage.documents import EvidenceDocument, EvidenceText, StoredEvidence
from storage.filters import MembershipFilter
from storage.queries import Query, listings
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.actions import actions
from storage.tables.brands import brands
from storage.tables.companies import users
from storage.tables.issues import issues


@dataclass(frozen=True, slots=True)
class Action:
    """One action, with the id of its issue; `resolved` means that the issue is no longer observed."""

    issue_key: int
    id: str
    brand_id: str
    brand_name: str
    kind: str
    check_id: str
    subject: str
    severity: str
    title: str
    url: str | None
    evidence: Sequence[StoredEvidence]
    occurrences: int
    first_seen: datetime
    last_seen: datetime
    issue_state: str
    state: str
    done_on: date | None
    reason: str | None
    assignee_id: str | None
    assignee: str | None
    """The e-mail address of the assigned person in the company."""

    @property
    def resolved(self) -> bool:
        """Whether the issue disappeared, with or without an action."""
        return self.issue_state == "resolved"


@dataclass(frozen=True, slots=True)
class ActionOutline:
    """The fields that determine an action's position in a ranked list."""

    issue_key: int
    kind: str
    subject: str
    severity: str


@dataclass(frozen=True, slots=True)
class ActionDecision:
    """A user's decision; `done_on` belongs to done, `reason` to dismissed, and `assignee_id` is a person."""

    state: str
    done_on: date | None = None
    reason: str | None = None
    assignee_id: str | None = None


@dataclass(frozen=True, slots=True)
class ActionChoice:
    """Filters for actions; None matches everything. `assignee` is a person's address."""

    state: str | None = None
    kind: str | None = None
    assignee: str | None = None

    def filters(self) -> dict[str, str]:
        """Return the set filters by the name of their parameter."""
        asked = {"state": self.state, "kind": self.kind, "assignee": self.assignee}
        return {name: value for name, value in asked.items() if value is not None}


STATE = func.coalesce(actions.c.state, case((issues.c.state == "dismissed", "dismissed"), else_="open"))
OURS = issues.c.company_id == bindparam("company_id")
IS_LISTED = or_(issues.c.state == "open", issues.c.state == "dismissed", actions.c.state.is_not(None))
WORST_FIRST = (
    case({"critical": 0, "warning": 1}, value=issues.c.severity, else_=2),
    issues.c.occurrences.desc(),
    issues.c.key,
)
DECIDED = and_(actions.c.issue_key == issues.c.key, actions.c.company_id == issues.c.company_id)
DOES_IT = and_(users.c.id == actions.c.assignee_id, users.c.company_id == issues.c.company_id)
ASSIGNED = actions.c.assignee_id.in_(
    select(users.c.id).where(
        users.c.email == bindparam("assignee"), users.c.company_id == bindparam("company_id")
    )
)
CONDITIONS = {
    "state": bindparam("state") == STATE,
    "kind": issues.c.kind == bindparam("kind"),
    "assignee": ASSIGNED,
}
CHOSEN = (
    select(issues.c.key.label("key"))
    .select_from(issues.outerjoin(actions, DECIDED).join(brands, brands.c.key == issues.c.brand_key))
    .where(OURS, IS_LISTED)
    .order_by(*WORST_FIRST)
)
FIELDS = (
    issues.c.key,
    issues.c.id,
    brands.c.id,
    brands.c.name,
    issues.c.kind,
    issues.c.check_id,
    issues.c.subject,
    issues.c.severity,
    issues.c.title,
    issues.c.url,
    type_coerce(issues.c.evidence, EvidenceText(EvidenceDocument)),
    issues.c.occurrences,
    issues.c.first_seen,
    issues.c.last_seen,
    issues.c.state,
    STATE,
    actions.c.done_on,
    actions.c.reason,
    users.c.id,
    users.c.email,
)


def shown(page: Any) -> Any:
    """Join the columns that a page of actions displays."""
    return (
        select(*FIELDS)
        .select_from(page)
        .join(issues, issues.c.key == page.c.key)
        .join(brands, brands.c.key == issues.c.brand_key)
        .outerjoin(actions, DECIDED)
        .outerjoin(users, DOES_IT)
        .where(OURS)
        .order_by(*WORST_FIRST)
    )


COUNTED = (
    select(func.count())
    .select_from(issues.outerjoin(actions, DECIDED).join(brands, brands.c.key == issues.c.brand_key))
    .where(OURS, IS_LISTED)
)
PAGES = listings(
    CHOSEN,
    shown,
    COUNTED,
    Action,
    brands.c.key == bindparam("brand_key"),
    *CONDITIONS.values(),
    brands.c.archived_at.is_(None),
)
OUTLINED = (
    select(*row_columns(ActionOutline, issues, issue_key=issues.c.key))
    .select_from(issues.outerjoin(actions, DECIDED).join(brands, brands.c.key == issues.c.brand_key))
    .where(OURS, IS_LISTED, brands.c.key == bindparam("brand_key"))
    .order_by(*WORST_FIRST)
    .limit(bindparam("most"))
)
OUTLINES = {
    frozenset(names): Query(OUTLINED.where(*(CONDITIONS[name] for name in names)), ActionOutline)
    for size in range(len(CONDITIONS) + 1)
    for names in combinations(CONDITIONS, size)
}
BY_KEYS = Query(shown(CHOSEN.where(MembershipFilter(issues.c.key, "keys")).subquery("page")), Action)
BY_ID = Query(shown(CHOSEN.where(issues.c.id == bindparam("id")).subquery("page")), Action)


class ActionRepository(Repository):
    """The possible, planned and completed actions of one company."""

    async def page(
        self, brand_key: int | None, choice: ActionChoice, limit: int, offset: int
    ) -> tuple[list[Action], int]:
        """Return one page, most severe first, and the total: of a brand, or of all that are not archived."""
        filters = choice.filters()
        of_brand = {} if brand_key is None else {"brand_key": brand_key}
        asked = (bool(of_brand), *(name in filters for name in CONDITIONS), not of_brand)
        return await self._page(PAGES[asked], limit=limit, offset=offset, **of_brand, **filters)

    async def outlines(self, brand_key: int, choice: ActionChoice, most: int) -> list[ActionOutline]:
        """Return at most `most` outlines of a brand's actions, most severe first."""
        filters = choice.filters()
        return await self._all(OUTLINES[frozenset(filters)], brand_key=brand_key, most=most, **filters)

    async def of_issues(self, keys: Sequence[int]) -> list[Action]:
        """Return the actions of some issues, in the order of the given keys."""
        actions = {action.issue_key: action for action in await self._all(BY_KEYS, keys=list(keys))}
        return [actions[key] for key in keys if key in actions]

    async def find(self, action_id: str) -> Action | None:
        """Return one action, or None if it does not exist or belongs to another company."""
        return await self._first(BY_ID, id=action_id)

    async def decide(self, action: Action, decision: ActionDecision, now: datetime) -> None:
        """Store a user's decision; an issue is dismissed and reopened together with its action."""
        decided: dict[str, Any] = {
            "state": decision.state,
            "done_on": decision.done_on,
            "reason": decision.reason,
            "assignee_id": decision.assignee_id,
        }
        row = {**decided, "issue_key": action.issue_key, "company_id": self.company_id}
        insert = self._insert_into(actions)
        change = insert.on_conflict_do_update(
            index_elements=[actions.c.issue_key],
            set_={name: insert.excluded[name] for name in (*decided, "updated_at")},
            where=actions.c.company_id == self.company_id,
        )
        await self._write(change, {**row, "created_at": now, "updated_at": now})
        states = {"dismissed": ("open", "dismissed"), "open": ("dismissed", "open")}
        if decision.state in states:
            before, after = states[decision.state]
            held = (
                (issues.c.key == action.issue_key)
                & (issues.c.company_id == self.company_id)
                & (issues.c.state == before)
            )
            await self._write(update(issues).where(held).values(state=after))
