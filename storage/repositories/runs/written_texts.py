"""Texts that engines wrote for agents of runs, one for each question that an agent asks."""

from dataclasses import dataclass

from sqlalchemy import bindparam, select

from storage.queries import Query
from storage.repository import Repository
from storage.tables.runs import written_texts


@dataclass(frozen=True, slots=True)
class WrittenText:
    """What an engine wrote, and the model that was asked to."""

    text: str
    model: str


@dataclass(frozen=True, slots=True)
class WritingAsk:
    """Which question of an agent was asked; a changed question of the same number is another one."""

    run_key: int
    agent: str
    ordinal: int
    question_sha256: str


WRITTEN = Query(
    select(written_texts.c.text, written_texts.c.model).where(
        written_texts.c.company_id == bindparam("company_id"),
        written_texts.c.run_key == bindparam("run_key"),
        written_texts.c.agent == bindparam("agent"),
        written_texts.c.ordinal == bindparam("ordinal"),
        written_texts.c.question_sha256 == bindparam("question_sha256"),
    ),
    WrittenText,
    brief=True,
)


class WrittenTextRepository(Repository):
    """The texts that were written for one company's runs."""

    async def find(self, ask: WritingAsk) -> WrittenText | None:
        """Return what was written for an ask, or None."""
        return await self._first(
            WRITTEN,
            run_key=ask.run_key,
            agent=ask.agent,
            ordinal=ask.ordinal,
            question_sha256=ask.question_sha256,
        )

    async def keep(self, ask: WritingAsk, written: WrittenText) -> None:
        """Keep what was written, instead of what there was for another question of this number."""
        values = {
            "run_key": ask.run_key,
            "agent": ask.agent,
            "ordinal": ask.ordinal,
            "company_id": self.company_id,
            "question_sha256": ask.question_sha256,
            "text": written.text,
            "model": written.model,
        }
        changed = ("question_sha256", "text", "model")
        await self._write(self._insert_or_change(written_texts, *changed), values)
