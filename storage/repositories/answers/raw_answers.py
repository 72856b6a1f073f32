"""The raw exchanges behind answers of every company, as those see them who let them go."""

from datetime import datetime

from sqlalchemy import Text, delete, select, type_coerce

from storage.statements.repository import Repository
from storage.statements.tables.answers import answer_exchanges, answers
from storage.statements.tables.issues import issues

EVIDENCE = type_coerce(issues.c.evidence, Text)


class RawAnswerRepository(Repository):
    """The raw exchanges of every company."""

    async def delete(self, before: datetime, limit: int) -> int:
        """Delete the oldest ones of answers captured before an instant; return how many went.

        Those of an answer that an open issue names stay, since somebody may want to see for himself.
        """
        named = select(issues.c.key).where(
            issues.c.brand_key == answers.c.brand_key,
            issues.c.state == "open",
            EVIDENCE.contains(answers.c.id),
        )
        old = (
            select(answer_exchanges.c.answer_key)
            .join(answers, answers.c.key == answer_exchanges.c.answer_key)
            .where(answers.c.captured_at < before, ~named.exists())
            .order_by(answer_exchanges.c.answer_key)
            .limit(limit)
        )
        deleted = await self._write(delete(answer_exchanges).where(answer_exchanges.c.answer_key.in_(old)))
        return deleted.rowcount
