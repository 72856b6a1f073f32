"""Walks through what the answers of a batch say, each with its text and the places that name somebody."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import TypeAlias

from measurement.planning.brand_identity import BRAND_KEY
from storage.repositories.answers.mentions import MentionedSpanRow, MentioningAnswerRow
from storage.workspace import Workspace

CHUNK = 200
Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class AnswerMentions:
    """One valid answer; `own` and `others` are the counted spans of the brand and of its competitors."""

    answer: MentioningAnswerRow
    own: tuple[Span, ...]
    others: tuple[Span, ...]
    mention: MentionedSpanRow | None


async def read_answer_mentions(
    workspace: Workspace, revision_key: int, batch_key: int
) -> AsyncGenerator[list[AnswerMentions]]:
    """Yield the valid answers of a batch that a revision has read, some hundred at a time."""
    after = 0
    while True:
        answers, mentions = await workspace.mentioning_answers.after(revision_key, batch_key, after, CHUNK)
        if not answers:
            return
        after = answers[-1].key
        by_answer: dict[int, list[MentionedSpanRow]] = {}
        for mention in mentions:
            by_answer.setdefault(mention.answer_key, []).append(mention)
        yield [group_mentions(answer, by_answer.get(answer.key, [])) for answer in answers]


def group_mentions(answer: MentioningAnswerRow, mentions: list[MentionedSpanRow]) -> AnswerMentions:
    """Part the brand's spans from those of others."""
    own = next((mention for mention in mentions if mention.entity_key == BRAND_KEY), None)
    others = [span for mention in mentions if mention.entity_key != BRAND_KEY for span in counted(mention)]
    return AnswerMentions(answer, tuple(counted(own)) if own else (), tuple(others), own)


def counted(mention: MentionedSpanRow) -> list[Span]:
    """Return the spans that count."""
    return [(span["start"], span["end"]) for span in mention.spans if span["status"] == "counted"]
