"""The raw exchanges behind answers of every company, as those see them who let them go."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Text, bindparam, delete, select, type_coerce

from storage.filters import MembershipFilter
from storage.ids import ids_in
from storage.queries import Query
from storage.repository import Repository
from storage.tables.answers import answer_exchanges, answers
from storage.tables.issues import issues

A, X = answers.c, answer_exchanges.c


class OldAnswer(NamedTuple):
    """An answer that was captured long ago, and whose it is."""

    key: int
    id: str
    brand_key: int


PAGE = Query(
    select(X.answer_key)
    .where(X.answer_key > bindparam("after", type_=X.answer_key.type))
    .order_by(X.answer_key)
    .limit(bindparam("limit")),
    int,
)
OLD = Query(
    select(A.key, A.id, A.brand_key)
    .where(MembershipFilter(A.key, "keys"), A.captured_at < bindparam("before", type_=A.captured_at.type))
    .order_by(A.key),
    OldAnswer,
)
OPEN_EVIDENCE = Query(
    select(type_coerce(issues.c.evidence, Text)).where(
        MembershipFilter(issues.c.brand_key, "brand_keys"), issues.c.state == "open"
    ),
    str,
)


class RawAnswerRepository(Repository):
    """The raw exchanges of every company."""

    async def page(self, after: int, limit: int) -> list[int]:
        """Return the keys of the next answers that have raw exchanges, in order."""
        return await self._all(PAGE, after=after, limit=limit)

    async def captured_before(self, keys: Sequence[int], before: datetime) -> list[OldAnswer]:
        """Return those of some answers that were captured before an instant."""
        return await self._all(OLD, keys=list(keys), before=before)

    async def delete(self, old: Sequence[OldAnswer]) -> int:
        """Delete the raw exchanges of these answers; return how many went.

        Those of an answer that an open issue names stay, since somebody may want to see for himself. What issues name
        is read once for all of these answers: held against each of them it took seconds, in which nobody could write.
        """
        brand_keys = sorted({answer.brand_key for answer in old})
        evidence = await self._all(OPEN_EVIDENCE, brand_keys=brand_keys)
        named = {id for text in evidence for id in ids_in(text)}
        keys = [answer.key for answer in old if answer.id not in named]
        deleted = await self._write(
            delete(answer_exchanges).where(MembershipFilter(X.answer_key, "keys")), {"keys": keys}
        )
        return deleted.rowcount
