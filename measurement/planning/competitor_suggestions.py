"""Competitor suggestions from a brand's published answers; only users track or dismiss them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import anyio.to_thread

from analytics.batches import LOOK_BACK
from analytics.discovery import (
    VERSION,
    CompetitorCandidate,
    DiscoveryAnswer,
    NameUse,
    comparable,
    discover,
    find_uses,
)
from analytics.errors import InvalidAliases
from measurement.errors import ChangeRefused, UnknownName
from measurement.planning.brand_files import EntityFile
from measurement.planning.brand_identity import identify
from storage.database import Database
from storage.documents import SuggestionEvidence
from storage.repositories.brands import Brand, BrandDraft
from storage.repositories.suggestions import (
    PublishedAnswer,
    Suggestion,
    SuggestionDraft,
    SuggestionLook,
)
from storage.workspace import Workspace

MOST_ANSWERS = 1000


@dataclass(frozen=True, slots=True)
class Suggested:
    """The suggestions of a brand in every state, and the number of answers they are based on."""

    suggestions: Sequence[Suggestion]
    answers: int

    def of(self, state: str) -> list[Suggestion]:
        """Return the suggestions in one state."""
        return [suggestion for suggestion in self.suggestions if suggestion.state == state]

    def named(self, name: str) -> Suggestion:
        """Find a suggestion that is still open by its name, in any spelling. Raises UnknownName."""
        open_ones = [suggestion for suggestion in self.suggestions if suggestion.state != "confirmed"]
        wanted = comparable(name)
        for suggestion in open_ones:
            if suggestion.name_folded == wanted:
                return suggestion
        raise UnknownName("suggestion", name, [suggestion.name for suggestion in open_ones])


async def suggested(database: Database, company_id: str, brand: Brand, now: datetime) -> Suggested:
    """Return a brand's suggestions, searching again if answers, names or method have changed.

    A search takes seconds of a thread for a thousand long answers; without changes it takes two reads.
    """
    workspace = database.workspace(company_id)
    fingerprint = await fingerprint_of(workspace, brand)
    last = await workspace.suggestions.last_look(brand.key)
    if last is None or last.fingerprint != fingerprint:
        last = await find_suggestions(database, workspace, brand, fingerprint, now)
    return Suggested(await workspace.suggestions.of_brand(brand.key), last.answers)


async def fingerprint_of(workspace: Workspace, brand: Brand) -> str:
    """Return what a search depends on: the method, the published batches, and the tracked names."""
    batches = await workspace.suggestions.published(brand.key)
    return json.dumps([VERSION, batches, brand.revision_key, brand.updated_at.isoformat()])


async def find_suggestions(
    database: Database, workspace: Workspace, brand: Brand, fingerprint: str, now: datetime
) -> SuggestionLook:
    """Search the newest answers, and store the findings next to the users' decisions."""
    seen = await answers_to_look_at(workspace, brand)
    identity = await identify(workspace, brand)
    candidates = await anyio.to_thread.run_sync(discover, seen, identity.reader.matcher)
    done = SuggestionLook(fingerprint, len(seen), now)
    async with database.transaction(workspace.company_id) as writing:
        await writing.batches.lock(brand.key)
        await keep(writing, brand, candidates, now)
        await writing.suggestions.looked(brand.key, done)
    return done


async def uses_of(workspace: Workspace, brand: Brand, suggestion: Suggestion) -> tuple[NameUse, ...]:
    """Return every answer that a suggestion counts, newest first. Reads at most 1,000 answers, in a thread."""
    seen = await answers_to_look_at(workspace, brand)
    identity = await identify(workspace, brand)
    return await anyio.to_thread.run_sync(find_uses, seen, identity.reader.matcher, suggestion.name_folded)


async def answers_to_look_at(workspace: Workspace, brand: Brand) -> list[DiscoveryAnswer]:
    """Return the newest answers in the form that the name search reads."""
    return [
        DiscoveryAnswer(answer.id, answer.prompt, answer.platform, answer.text, answer.names_brand)
        for answer in await newest_answers(workspace, brand)
    ]


async def newest_answers(workspace: Workspace, brand: Brand) -> list[PublishedAnswer]:
    """Return the answers of the 28 days before the newest one, at most 1,000, newest first."""
    if brand.revision_key is None:
        return []
    answers = await workspace.suggestions.answers(brand.key, brand.revision_key, MOST_ANSWERS)
    return [answer for answer in answers if answers[0].captured_at - answer.captured_at <= LOOK_BACK]


async def keep(
    writing: Workspace, brand: Brand, candidates: Sequence[CompetitorCandidate], now: datetime
) -> None:
    """Store the findings: a dismissed name stays dismissed, and a name no longer tracked is suggested again."""
    known = {
        suggestion.name_folded: suggestion for suggestion in await writing.suggestions.of_brand(brand.key)
    }
    for candidate in candidates:
        draft, former = draft_of(candidate), known.pop(candidate.folded, None)
        if former is None:
            await writing.suggestions.add(brand.key, draft, now)
        else:
            state = "dismissed" if former.state == "dismissed" else "suggested"
            await writing.suggestions.see(former, draft, state, now)
    for vanished in known.values():
        await writing.suggestions.forget(vanished)


def draft_of(candidate: CompetitorCandidate) -> SuggestionDraft:
    """Return a found name as it is stored."""
    return SuggestionDraft(
        name=candidate.name,
        name_folded=candidate.folded,
        answers=candidate.answers,
        prompts=candidate.prompts,
        beside=candidate.beside,
        platforms=candidate.platforms,
        evidence=[
            SuggestionEvidence(
                answer_id=seen.answer_id, platform=seen.platform, prompt=seen.prompt, quote=seen.quote
            )
            for seen in candidate.evidence
        ],
        method=VERSION,
    )


async def track(
    database: Database, company_id: str, brand: Brand, suggestion: Suggestion, now: datetime
) -> None:
    """Make a suggested name a competitor, as an import of the brand would.

    History is extracted again in the background. Raises ChangeRefused if the brand or a competitor already
    has the name.
    """
    async with database.transaction(company_id) as writing:
        await writing.batches.lock(brand.key)
        now_known = await writing.brands.entities(brand)
        own, *rivals = [
            BrandDraft(competitor.name, competitor.aliases, competitor.sites) for competitor in now_known
        ]
        added = EntityFile(name=suggestion.name).draft()
        if added.name.casefold() not in {draft.name.casefold() for draft in (own, *rivals)}:
            saved = await writing.brands.save(own, [*rivals, added], profile_of(brand), now)
            try:
                await identify(writing, saved)
            except InvalidAliases as error:
                raise ChangeRefused(
                    f"{suggestion.name!r} is a name that {brand.name} or a competitor goes by already",
                    "Dismiss it, or change the names in the brand's file and import it again.",
                ) from error
        await writing.suggestions.decide(suggestion, "confirmed", now)


async def dismiss(database: Database, company_id: str, suggestion: Suggestion, now: datetime) -> None:
    """Prevent a name from being suggested again."""
    async with database.transaction(company_id) as writing:
        await writing.suggestions.decide(suggestion, "dismissed", now)


def profile_of(brand: Brand) -> dict[str, object]:
    """Return the columns of a brand's profile."""
    return {
        "industry": brand.industry,
        "website": brand.website,
        "voice": brand.voice,
        "keywords": list(brand.keywords),
        "target_audience": brand.target_audience,
    }
