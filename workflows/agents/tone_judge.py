"""Lets a configured engine judge the tone of every mention, and point at statements that the rules overlook."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from analytics.accuracy.claims import check, check_quotes
from engines.engine import Engine
from measurement.accuracy_checks import known_facts, observations, rate, stored
from measurement.alerts.issues import record
from measurement.answer_mentions import AnswerMentions, spoken
from measurement.tone_judging import (
    AT_ONCE,
    OUTPUT_TOKENS,
    TEMPERATURE,
    Judgement,
    judgements,
    method,
    request,
)
from storage.repositories.answers.judgements import Claim, ToneJudgementRow
from storage.workspace import Workspace
from workflows.agents.agent import Result, Work
from workflows.agents.measured import Measured, measured
from workflows.agents.writing import ask, writing_engine
from workflows.definitions import MOST_JUDGINGS
from workflows.errors import AgentFailed

JUDGED_FROM = 1000
"""Numbers of claims that an engine pointed at; the rules find fewer in one answer."""


@dataclass(frozen=True, slots=True)
class JudgedTones:
    """A mention and what the engine said of it."""

    mention: AnswerMentions
    judgement: Judgement


async def run(work: Work) -> Result:
    """Judge at most a hundred mentions, ten at a time, those first that the lexicon could not.

    Fails with `provider_not_configured` before any call, and with `invalid_response` when no answer could be read.
    """
    engine = await writing_engine(work)
    found = await measured(work)
    mentions = await to_judge(work, found)
    heard, model = await judge(work, engine, mentions)
    if mentions and not heard:
        raise AgentFailed("invalid_response")
    name = method(model)
    claims = await overlooked(work, found, heard, name)

    async def keep(writing: Workspace) -> None:
        tones = [
            ToneJudgementRow(one.mention.answer.key, one.judgement.label, one.judgement.quote)
            for one in heard
        ]
        await writing.judgements.add_tones(name, tones, work.now)
        if claims:
            await writing.judgements.add_claims(claims, JUDGED_FROM)
            await rate(writing, found.batch.key)
            judged = [
                one for one in await writing.judgements.claims(found.batch.key) if one.claim.method == name
            ]
            # What the rules saw clean was counted when the batch was published.
            wrong = [one for one in observations(judged) if one.bad is not None]
            await record(writing, work.brand, wrong, work.now, work.run_id)

    labels = Counter(one.judgement.label for one in heard)
    output = {
        "method": name,
        "judged": [
            {
                "answerId": one.mention.answer.id,
                "channel": f"{one.mention.answer.platform}/{one.mention.answer.mode}",
                "label": one.judgement.label,
                "quote": one.judgement.quote,
            }
            for one in heard
        ],
    }
    told = ", ".join(f"{labels[label]} {label}" for label in ("positive", "neutral", "negative", "unknown"))
    return Result(output, f"{len(heard)} mentions were judged by {engine.platform}: {told}.", keep=keep)


async def to_judge(work: Work, found: Measured) -> list[AnswerMentions]:
    """Return the mentions to judge, newest first; those without a tone of the lexicon come before all others."""
    mentions = [
        one
        async for answers in spoken(work.workspace, found.revision.key, found.batch.key)
        for one in answers
        if one.mention is not None and one.mention.named
    ]

    def urgency(one: AnswerMentions) -> tuple[bool, int]:
        assert one.mention is not None
        return one.mention.tone not in (None, "not_judged", "unknown"), -one.answer.key

    return sorted(mentions, key=urgency)[: AT_ONCE * MOST_JUDGINGS]


async def judge(
    work: Work, engine: Engine, mentions: Sequence[AnswerMentions]
) -> tuple[list[JudgedTones], str]:
    """Ask about ten mentions at a time; return what could be read, and the model that was asked."""
    heard: list[JudgedTones] = []
    model = ""
    starts = range(0, len(mentions), AT_ONCE)
    for done, start in enumerate(starts):
        some = mentions[start : start + AT_ONCE]
        texts = [one.answer.text for one in some]
        answer = await ask(work, engine, request(work.brand.name, texts), done, OUTPUT_TOKENS, TEMPERATURE)
        model = model or answer.model
        said = judgements(texts, answer.text)
        if said is not None:
            heard += [JudgedTones(one, judgement) for one, judgement in zip(some, said, strict=True)]
        await work.report(done + 1, len(starts))
    return heard, model


async def overlooked(
    work: Work, found: Measured, heard: Sequence[JudgedTones], name: str
) -> list[tuple[int, list[Claim]]]:
    """Return the claims in quoted statements that the rules did not find, by the keys of their answers."""
    facts = await known_facts(work.workspace, found.identity)
    new: list[tuple[int, list[Claim]]] = []
    for one in heard:
        answer = one.mention.answer
        known = check(answer.text, facts, one.mention.own, one.mention.others, branded=answer.branded)
        more = check_quotes(answer.text, facts, one.judgement.statements, {claim.at for claim in known})
        if more:
            new.append((answer.key, [stored(claim, name) for claim in more]))
    return new
