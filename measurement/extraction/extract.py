"""Read stored answers with a brand's reader, and store the extraction results one chunk at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import anyio.to_thread

from analytics.answers.answer_reading import ExtractedMention, Reading
from analytics.answers.citations import Citation, CitationKind
from analytics.matching.mentions import MentionStatus
from measurement.planning.brand_identity import BrandIdentity
from storage.database import Database
from storage.repositories.answers.answers import AnswerText
from storage.repositories.answers.citations import StoredCitation
from storage.repositories.answers.readings import ExtractedAnswerRow
from storage.repositories.answers.readings import ExtractedMentionRow as StoredMention
from storage.repositories.revisions import Revision

CHUNK = 500


async def read_unread(
    database: Database,
    identity: BrandIdentity,
    revision: Revision,
    progress: Callable[[int], None] = lambda read: None,
) -> int:
    """Read every answer of the brand that this revision has not read yet; return how many.

    `progress` is called with the number of answers read after each chunk. It is safe to repeat this and to
    run it twice at once: an existing extraction result is left as it is.
    """
    workspace = database.workspace(identity.company_id)
    after, read = 0, 0
    while True:
        chunk = await workspace.answers.unread(
            identity.brand.key,
            revision.key,
            revision.parsing,
            after,
            CHUNK,
            in_force=revision.state == "current",
        )
        if not chunk:
            return read
        after = chunk[-1].key
        cited = await workspace.citations.between(identity.brand.key, chunk[0].key, after, revision.parsing)
        extracted = await anyio.to_thread.run_sync(read_answers, identity, chunk, cited)
        async with database.transaction(workspace.company_id) as writing:
            await writing.readings.add(revision.key, extracted)
        read += len(chunk)
        progress(read)


def read_answers(
    identity: BrandIdentity, chunk: Sequence[AnswerText], cited: dict[int, list[StoredCitation]]
) -> list[ExtractedAnswerRow]:
    """Read a chunk of answers; repeated prompts are matched once."""
    prompts: dict[str, frozenset[str]] = {}
    extracted: list[ExtractedAnswerRow] = []
    for answer in chunk:
        if answer.prompt not in prompts:
            prompts[answer.prompt] = identity.reader.matcher.named(answer.prompt)
        extracted.append(read_answer(identity, answer, cited.get(answer.key, []), prompts[answer.prompt]))
    return extracted


def read_answer(
    identity: BrandIdentity, answer: AnswerText, cited: Sequence[StoredCitation], in_prompt: frozenset[str]
) -> ExtractedAnswerRow:
    """Return what one answer says about every entity; an invalid answer says nothing."""
    reading = Reading((), ())
    if answer.valid:
        reported = tuple(
            Citation(source.url, CitationKind(source.kind), source.title, source.site) for source in cited
        )
        reading = identity.reader.read(answer.text, reported, answer.language)
    named = identity.brand.id in in_prompt
    used = [source for source in reading.citations if source.kind is CitationKind.CITED]
    owners = identity.reader.ownership.cited_owners(reading.citations)
    return ExtractedAnswerRow(
        answer_key=answer.key,
        channel_key=answer.channel_key,
        captured_at=answer.captured_at,
        # A source with an unknown owner might belong to anyone, so the answer is not measurable rather than
        # zero.
        measurable=answer.valid and answer.citations_known and all(source.resolved for source in used),
        branded=named if answer.prompt_branded is None else answer.prompt_branded,
        named_in_prompt=tuple(sorted(identity.keys[entity_id] for entity_id in in_prompt)),
        domains={source.domain: str(source.owner) for source in used if source.domain is not None},
        mentions=stored_mentions(identity, answer, reading, owners),
    )


def stored_mentions(
    identity: BrandIdentity, answer: AnswerText, reading: Reading, owners: frozenset[str]
) -> tuple[StoredMention, ...]:
    """Return one row for each entity with a counted, uncertain or negated mention, or a citation."""
    mentions = {mention.mention.entity_id: mention for mention in reading.mentions}
    return tuple(
        stored_mention(identity.keys[entity], answer, mentions.get(entity), entity in owners)
        for entity in sorted(mentions.keys() | owners, key=identity.keys.__getitem__)
    )


def stored_mention(
    entity_key: int, answer: AnswerText, extracted: ExtractedMention | None, cited: bool
) -> StoredMention:
    """Return one entity's row; an entity that is only cited has no span and is not named."""
    if extracted is None:
        return StoredMention(entity_key, False, None, 0.0, cited, 0, 0, 0, (), None)
    mention = extracted.mention
    named = mention.status is MentionStatus.COUNTED
    statuses = [span.status for span in mention.spans]
    return StoredMention(
        entity_key=entity_key,
        named=named,
        rank=extracted.rank if named else None,
        position=mention.counted[0].start / len(answer.text) if named else 0.0,
        cites_own=cited,
        occurrences=mention.occurrences,
        absences=statuses.count(MentionStatus.ABSENCE),
        uncertain=statuses.count(MentionStatus.UNCERTAIN),
        spans=[
            {
                "start": span.start,
                "end": span.end,
                "kind": span.kind,
                "status": str(span.status),
                "reason": span.reason,
            }
            for span in mention.spans
        ],
        quote=mention.quote,
    )


@dataclass(frozen=True, slots=True)
class CurrentRevision:
    """The revision that reads with the brand's current names and reader, and whether it is already in force."""

    revision: Revision
    in_force: bool


async def current_revision(database: Database, identity: BrandIdentity, now: datetime) -> CurrentRevision:
    """Return the revision with the identity's fingerprint, creating it if there is none."""
    async with database.transaction(identity.company_id) as workspace:
        await workspace.batches.lock(identity.brand.key)
        known = await workspace.revisions.matching(identity.brand.key, identity.fingerprint)
        if known is None:
            versions, key = identity.versions, identity.brand.key
            known = await workspace.revisions.begin(
                key, versions, identity.fingerprint, identity.parsing, now
            )
        elif known.state == "current":
            await workspace.revisions.retire_unfinished(identity.brand.key, now)
        elif known.state == "retired":
            known = await workspace.revisions.resume(known, now)
    return CurrentRevision(known, known.state == "current")
