"""The alert rules of brands."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select, update

from storage.ids import new_id
from storage.queries import Query
from storage.repository import Repository
from storage.tables.alert_rules import alert_rules
from storage.tables.companies import users


@dataclass(frozen=True, slots=True)
class AlertRule:
    """A limit for a metric. `author_id` and `author_email` are those of its author, if they have an account."""

    id: str
    metric: str
    direction: str
    threshold: float
    email: bool
    crossed: bool
    author_id: str | None
    author_email: str | None

    def is_crossed_by(self, value: float) -> bool:
        """Return whether a value is beyond the threshold."""
        return value < self.threshold if self.direction == "below" else value > self.threshold


OF_BRAND = Query(
    select(
        alert_rules.c.id,
        alert_rules.c.metric,
        alert_rules.c.direction,
        alert_rules.c.threshold,
        alert_rules.c.email,
        alert_rules.c.crossed,
        users.c.id,
        users.c.email,
    )
    .outerjoin(users, users.c.id == alert_rules.c.created_by)
    .where(
        alert_rules.c.company_id == bindparam("company_id"),
        alert_rules.c.brand_key == bindparam("brand_key"),
    )
    .order_by(alert_rules.c.created_at, alert_rules.c.id),
    AlertRule,
)


class AlertRuleRepository(Repository):
    """The alert rules of one company."""

    async def of_brand(self, brand_key: int) -> list[AlertRule]:
        """Return a brand's rules, oldest first."""
        return await self._all(OF_BRAND, brand_key=brand_key)

    async def add(
        self,
        brand_key: int,
        metric: str,
        direction: str,
        threshold: float,
        *,
        email: bool,
        created_by: str,
        now: datetime,
    ) -> None:
        """Store a rule that is not crossed yet."""
        row = {
            "id": new_id(),
            "company_id": self.company_id,
            "brand_key": brand_key,
            "metric": metric,
            "direction": direction,
            "threshold": threshold,
            "email": email,
            "crossed": False,
            "created_by": created_by,
            "created_at": now,
        }
        await self._write(insert(alert_rules), row)

    async def note(self, rule_id: str, *, crossed: bool) -> None:
        """Record whether a rule's threshold is crossed."""
        await self._write(update(alert_rules).where(alert_rules.c.id == rule_id).values(crossed=crossed))

    async def remove(self, brand_key: int, rule_id: str) -> bool:
        """Remove a rule of a brand; False if it has none with this ID."""
        chosen = (alert_rules.c.id == rule_id) & (alert_rules.c.brand_key == brand_key)
        return (await self._write(delete(alert_rules).where(chosen))).rowcount == 1
