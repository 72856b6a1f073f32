"""Proves a stored number: reads its evidence again from the stored text and calculates it anew."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import anyio.to_thread

from analytics.receipts import disagreements
from storage.database import Database
from storage.repositories.answers import AnswerText
from storage.repositories.readings import ObservedAnswer, ObservedMention
from storage.repositories.results import Calculation
from storage.workspace import Workspace
from workflows.calculating import again
from workflows.errors import UnknownName
from workflows.identity import Identity, identify
from workflows.observing import Observed, observe, observed
from workflows.planning import find_brand
from workflows.publishing import Clock, Publisher
from workflows.reading import read_answer

CHUNK = 500


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether a receipt holds; `wrong` names the fields that came out differently, or altered evidence."""

    receipt_id: str
    score: float | None
    answers: int
    wrong: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Everything was equal to the last bit."""
        return not self.wrong


async def verify(
    database: Database, publisher: Publisher, company_id: str, receipt_id: str, now: Clock
) -> Verification:
    """Calculate the score behind a receipt from stored text. Raises UnknownName for a receipt nobody has."""
    workspace = database.workspace(company_id)
    stored = await workspace.results.by_receipt(receipt_id)
    if stored is None:
        raise UnknownName("receipt", receipt_id, [])
    return await verify_calculation(workspace, publisher, stored, now)


async def verify_brand(
    database: Database, publisher: Publisher, company_id: str, brand_name: str, now: Clock
) -> list[Verification]:
    """Verify the newest calculation of a brand, or none when it was never measured."""
    workspace = database.workspace(company_id)
    brand = await find_brand(workspace, brand_name)
    if brand.revision_key is None:
        return []
    latest = await workspace.results.latest(brand.key, brand.revision_key)
    return [await verify_calculation(workspace, publisher, one, now) for one in latest]


async def verify_calculation(
    workspace: Workspace, publisher: Publisher, stored: Calculation, now: Clock
) -> Verification:
    """Read every answer that the calculation looked at once more, and compare receipts."""
    brand = next(one for one in await workspace.brands.all() if one.key == stored.brand_key)
    revision = await workspace.revisions.find(stored.revision_key)
    identity = await identify(workspace, brand, revision.parsing)
    batch = await workspace.batches.find(stored.batch_key)
    newest = await observe(workspace, identity, stored.revision_key, batch)
    evidence = await publisher.evidence(workspace, identity, stored.revision_key, newest)
    looked = set(stored.receipt["batches"])
    texts = await texts_of(workspace, identity, [one for one in evidence if one.batch.id in looked])
    read = [await read_again(workspace, identity, one, texts) for one in evidence if one.batch.id in looked]
    receipt = await anyio.to_thread.run_sync(again, identity, read, now())
    wrong = list(disagreements(stored.receipt, receipt))
    if any(altered(answer, sha256) for answer, sha256 in texts.values()):
        wrong.append("answers.text")
    return Verification(stored.receipt_id, stored.score, receipt.answers, tuple(wrong))


def altered(answer: AnswerText, sha256: str) -> bool:
    """Tell whether a stored text is not the one that was stored first."""
    return hashlib.sha256(answer.text.encode()).hexdigest() != sha256


async def texts_of(
    workspace: Workspace, identity: Identity, evidence: Sequence[Observed]
) -> dict[int, tuple[AnswerText, str]]:
    """Return the answers of these batches with their text and the digest of what was stored first."""
    wanted = {answer.key for one in evidence for answer in one.answers}
    found: dict[int, tuple[AnswerText, str]] = {}
    after = min(wanted, default=1) - 1
    while len(found) < len(wanted):
        chunk = await workspace.answers.texts(identity.brand.key, identity.parsing, after, CHUNK)
        if not chunk:
            break
        after = chunk[-1][0].key
        found.update({answer.key: (answer, sha256) for answer, sha256 in chunk if answer.key in wanted})
    return found


async def read_again(
    workspace: Workspace, identity: Identity, one: Observed, texts: dict[int, tuple[AnswerText, str]]
) -> Observed:
    """Return a batch as its stored texts are read today."""
    keys = [answer.key for answer in one.answers]
    cited = (
        await workspace.citations.between(identity.brand.key, min(keys), max(keys), identity.parsing)
        if keys
        else {}
    )
    answers: list[ObservedAnswer] = []
    mentions: list[ObservedMention] = []
    for answer in one.answers:
        text, _ = texts[answer.key]
        found = read_answer(
            identity, text, cited.get(answer.key, []), identity.reader.matcher.named(text.prompt)
        )
        answers.append(
            replace(
                answer,
                measurable=found.measurable,
                branded=found.branded,
                named_in_prompt=found.named_in_prompt,
                domains=found.domains,
            )
        )
        mentions += [
            ObservedMention(
                answer.key,
                told.entity_key,
                told.named,
                told.rank,
                told.early,
                told.cites_own,
                told.tone,
                told.occurrences,
                told.absences,
                told.uncertain,
            )
            for told in found.mentions
        ]
    progress = await workspace.asks.progress(one.source.key)
    return observed(identity, one.source, answers, mentions, progress)
