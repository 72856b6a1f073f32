"""Reads answers: who is named where, in which place of a list, and whose pages are cited."""

from workflows.agents.agent import Result, Work
from workflows.agents.measured import measured
from workflows.agents.outputs.measurement import MentionCounts


async def run(work: Work) -> Result:
    """Read every answer of the batch with today's names. Fails with `no_input` when nothing was measured yet."""
    measured_batch = await measured(work)
    answers, mentions = await work.workspace.observed_answers.of_batch(
        measured_batch.revision.key, measured_batch.batch.key
    )
    names = {entity.key: entity.name for entity in measured_batch.identity.named}
    named = {
        name: sum(mention.named and mention.entity_key == key for mention in mentions)
        for key, name in names.items()
    }
    output = MentionCounts(
        batch_id=measured_batch.batch.id,
        answers=len(answers),
        valid=sum(answer.valid for answer in answers),
        named=named,
        ranked=sum(mention.rank is not None for mention in mentions),
        citing_own=sum(mention.cites_own and mention.entity_key == 0 for mention in mentions),
    )
    summary = f"{named[work.brand.name]} of {output.valid} valid answers name {work.brand.name}."
    return Result(output, summary)
