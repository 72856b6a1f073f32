"""Reads answers: who is named where, in which place of a list, and whose pages are cited."""

from workflows.agents.agent import Result, Work
from workflows.agents.measured import measured
from workflows.agents.outputs.measurement import MentionCounts


async def run(work: Work) -> Result:
    """Read every answer of the batch with today's names. Fails with `no_input` when nothing was measured yet."""
    measured_batch = await measured(work)
    names = {entity.key: entity.name for entity in measured_batch.identity.named}
    named = dict.fromkeys(names.values(), 0)
    answers = valid = ranked = citing_own = 0
    async for page, mentions in work.workspace.observed_answers.of_batch(
        measured_batch.revision.key, measured_batch.batch.key
    ):
        answers += len(page)
        valid += sum(answer.valid for answer in page)
        for mention in mentions:
            if mention.named and mention.entity_key in names:
                named[names[mention.entity_key]] += 1
            ranked += mention.rank is not None
            citing_own += mention.cites_own and mention.entity_key == 0
    output = MentionCounts(
        batch_id=measured_batch.batch.id,
        answers=answers,
        valid=valid,
        named=named,
        ranked=ranked,
        citing_own=citing_own,
    )
    summary = f"{named[work.brand.name]} of {output.valid} valid answers name {work.brand.name}."
    return Result(output, summary)
