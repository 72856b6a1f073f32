"""Reads answers: who is named where, in which place of a list, and whose pages are cited."""

from workflows.agents.agent import Result, Work
from workflows.agents.measured import measured


async def run(work: Work) -> Result:
    """Read every answer of the batch with today's names. Fails with `no_input` when nothing was measured yet."""
    found = await measured(work)
    answers, mentions = await work.workspace.readings.observed(found.revision.key, found.batch.key)
    names = {one.key: one.name for one in found.identity.named}
    named = {
        name: sum(one.named and one.entity_key == key for one in mentions) for key, name in names.items()
    }
    output = {
        "batchId": found.batch.id,
        "answers": len(answers),
        "valid": sum(one.valid for one in answers),
        "named": named,
        "ranked": sum(one.rank is not None for one in mentions),
        "citingOwn": sum(one.cites_own and one.entity_key == 0 for one in mentions),
    }
    summary = f"{named[work.brand.name]} of {output['valid']} valid answers name {work.brand.name}."
    return Result(output, summary)
