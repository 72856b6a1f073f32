"""Lets a configured engine judge what answers say of the brand, and point at statements that the rules overlook."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from analytics.accuracy.claims import check, check_quotes
from engines.engine import Engine
from measurement.alerts.issues import record
from measurement.errors import BudgetRefused
from measurement.extraction.tone_judging import (
    AT_ONCE,
    OUTPUT_TOKENS,
    TEMPERATURE,
    Judgement,
    judgements,
    judging_plan,
    method,
    question_language,
    request,
)
from measurement.publication.accuracy_checks import (
    AnswerMentions,
    known_facts,
    observations,
    rate,
    read_answer_mentions,
    stored,
)
from measurement.publication.receipt_seal import seal_batch
from storage.repositories.answers.judgements import Claim, ToneJudgementRow
from storage.workspace import Workspace
from workflows.agents.agent import Result, Work, numbered
from workflows.agents.measured import Measured, measured
from workflows.agents.outputs.reputation import ChannelTone, ToneJudgements
from workflows.agents.writing import Spending, ask, writing_engine
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
    """Judge at most a hundred mentions of the batch that this engine has not judged yet, ten at a time, newest first.

    Fails with `provider_not_configured` or `budget_refused` before any call, and with `invalid_response` when no answer
    could be read.
    """
    engine = await writing_engine(work)
    measured_batch = await measured(work)
    name = method(engine.model)
    known = {
        row.answer_key: row for row in await work.workspace.judgements.tones(measured_batch.batch.key, name)
    }
    named = await all_named(work, measured_batch)
    mentions = [mention for mention in named if mention.answer.key not in known][: AT_ONCE * MOST_JUDGINGS]
    judged_tones = await judge(work, engine, mentions, measured_batch.batch.key)
    if mentions and not judged_tones:
        raise AgentFailed("invalid_response")
    claims = await find_missed_claims(work, measured_batch, judged_tones, name)

    async def keep(writing: Workspace) -> None:
        tones = [
            ToneJudgementRow(
                judged_tone.mention.answer.key,
                judged_tone.judgement.label,
                judged_tone.judgement.recommendation,
                judged_tone.judgement.quote,
            )
            for judged_tone in judged_tones
        ]
        await writing.judgements.add_tones(name, tones, work.now)
        if claims:
            await writing.judgements.add_claims(claims, JUDGED_FROM)
            await rate(writing, measured_batch.batch.key)
            judged = [
                claim
                for claim in await writing.judgements.claims(measured_batch.batch.key)
                if claim.claim.method == name
            ]
            # What the rules saw clean was counted when the batch was published.
            wrong = [observation for observation in observations(judged) if observation.bad is not None]
            await record(writing, work.brand, wrong, work.now, work.run_id)
        await seal_batch(writing, work.prober.publisher.signer, measured_batch.batch.key, name)

    verdicts = [(judged_tone.mention, judged_tone.judgement) for judged_tone in judged_tones]
    verdicts += [(mention, known[mention.answer.key]) for mention in named if mention.answer.key in known]
    output = ToneJudgements(
        method=name, judged=tuple(channel_tone(mention, verdict) for mention, verdict in verdicts)
    )
    labels = Counter(judged_tone.judgement.label for judged_tone in judged_tones)
    advice = Counter(judged_tone.judgement.recommendation for judged_tone in judged_tones)
    summary = (
        f"{engine.platform} judged {len(judged_tones) - labels['unknown']} of {numbered(len(mentions), 'mention')}: "
        f"{advice['recommended']} recommended, {advice['warned_against']} warned against; "
        f"{labels['positive']} positive, {labels['neutral']} neutral, {labels['negative']} negative. "
        f"{numbered(labels['unknown'], 'verdict')} discarded because the quote is not in the answer."
    )
    return Result(output, summary, keep=keep)


def channel_tone(mention: AnswerMentions, verdict: Judgement | ToneJudgementRow) -> ChannelTone:
    """Return a verdict as later agents read it."""
    return ChannelTone(
        answer_id=mention.answer.id,
        channel=f"{mention.answer.platform}/{mention.answer.mode}",
        label=verdict.label,
        recommendation=verdict.recommendation,
        quote=verdict.quote,
    )


async def all_named(work: Work, measured_batch: Measured) -> list[AnswerMentions]:
    """Return the answers of a batch that name the brand, newest first."""
    mentions = [
        answer
        async for answers in read_answer_mentions(
            work.workspace, measured_batch.revision.key, measured_batch.batch.key
        )
        for answer in answers
        if answer.mention is not None and answer.mention.named
    ]
    return sorted(mentions, key=lambda answer: -answer.answer.key)


async def judge(
    work: Work, engine: Engine, mentions: Sequence[AnswerMentions], batch_key: int
) -> list[JudgedTones]:
    """Ask about ten mentions of one language at a time; return what could be read."""
    questions = by_language(mentions)
    try:
        plan = judging_plan(engine.platform, len(questions))
        allowance = await work.prober.costs.admit_writing(work.workspace.company_id, plan)
    except BudgetRefused as refused:
        raise AgentFailed("budget_refused") from refused
    judged_tones: list[JudgedTones] = []
    for done, (language, chunk) in enumerate(questions):
        texts = [mention.answer.text for mention in chunk]
        question = request(work.brand.name, texts, language)
        spending = Spending(allowance, batch_key)
        answer = await ask(work, engine, question, done, OUTPUT_TOKENS, TEMPERATURE, spending=spending)
        chunk_judgements = judgements(texts, answer.text)
        if chunk_judgements is not None:
            judged_tones += [
                JudgedTones(mention, judgement)
                for mention, judgement in zip(chunk, chunk_judgements, strict=True)
            ]
        await work.report(done + 1, len(questions))
    return judged_tones


def by_language(mentions: Sequence[AnswerMentions]) -> list[tuple[str, list[AnswerMentions]]]:
    """Return ten mentions at a time whose answers are asked about in one language, the most urgent first.

    There are no more of them than the price allows: many languages may leave the least urgent mentions unjudged.
    """
    chunks: list[tuple[str, list[AnswerMentions]]] = []
    open_chunks: dict[str, list[AnswerMentions]] = {}
    for mention in mentions:
        language = question_language(mention.answer.text, mention.answer.language)
        chunk = open_chunks.get(language)
        if chunk is None or len(chunk) == AT_ONCE:
            chunk = open_chunks[language] = []
            chunks.append((language, chunk))
        chunk.append(mention)
    return chunks[:MOST_JUDGINGS]


async def find_missed_claims(
    work: Work, measured_batch: Measured, judged_tones: Sequence[JudgedTones], name: str
) -> list[tuple[int, list[Claim]]]:
    """Return the claims in quoted statements that the rules did not find, by the keys of their answers."""
    facts = await known_facts(work.workspace, measured_batch.identity)
    new: list[tuple[int, list[Claim]]] = []
    for judged_tone in judged_tones:
        answer = judged_tone.mention.answer
        known = check(
            answer.text, facts, judged_tone.mention.own, judged_tone.mention.others, branded=answer.branded
        )
        more = check_quotes(
            answer.text, facts, judged_tone.judgement.statements, {claim.at for claim in known}
        )
        if more:
            new.append((answer.key, [stored(claim, name) for claim in more]))
    return new
