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


class OldAnswer(NamedTuple):
    """An answer that was captured long ago, and whose it is."""

    key: int
    id: str
    brand_key: int


PAGE = Query(
    select(answer_exchanges.c.answer_key)
    .where(answer_exchanges.c.answer_key > bindparam("after", type_=answer_exchanges.c.answer_key.type))
    .order_by(answer_exchanges.c.answer_key)
    .limit(bindparam("limit")),
    int,
)
OLD = Query(
    select(answers.c.key, answers.c.id, answers.c.brand_key)
    .where(
        MembershipFilter(answers.c.key, "keys"),
        answers.c.captured_at < bindparam("before", type_=answers.c.captured_at.type),
    )
    .order_by(answers.c.key),
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
            delete(answer_exchanges).where(MembershipFilter(answer_exchanges.c.answer_key, "keys")),
            {"keys": keys},
        )
        return deleted.rowcount
