"""Laid out batches: the batches of a filter as publishing laid them out, without a look at a single answer."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta

from analytics.batches import AnswerBatch
from analytics.observation import Channel, Observation
from measurement.brand_identity import BRAND_KEY, BrandIdentity
from measurement.channel_facts import ChannelFacts
from measurement.laid_out_days import AlikeAnswers, DayCell, LaidOutDay, SaidOfEntity, read_day
from measurement.observations import TONES
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.batch_cells import StoredCells
from storage.repositories.prompt_results import AskedPrompt

INSTANT = timedelta(microseconds=1)
FIRST_DAY, LAST_DAY = date(1970, 1, 1), date(9999, 12, 31)


@dataclass(frozen=True, slots=True)
class LaidOutBatch:
    """One batch as publishing laid it out, as far as days were chosen."""

    key: int
    id: str
    days: Sequence[LaidOutDay]

    @property
    def prompt_ids(self) -> set[str]:
        """The prompts that it has answers to."""
        return {prompt_id for day in self.days for prompt_id in day.prompt_ids}


@dataclass(frozen=True, slots=True)
class ChosenBatch:
    """What a filter leaves of one batch, for the arithmetic, with what its answers show beside their readings."""

    batch: AnswerBatch
    facts: Mapping[Channel, ChannelFacts]
    answers: int


def holds_whole_days(chosen: AnswerFilter) -> bool:
    """Tell whether a filter cuts no UTC day: its period begins and ends with one, or is open there."""
    return all(
        instant.astimezone(UTC).time() == time()
        for instant in (chosen.since, chosen.until)
        if instant is not None
    )


def days_of(chosen: AnswerFilter) -> tuple[date, date]:
    """Return the first and the last UTC day that a filter of whole days chooses."""
    since, until = chosen.since, chosen.until
    return (
        since.astimezone(UTC).date() if since else FIRST_DAY,
        (until - INSTANT).astimezone(UTC).date() if until else LAST_DAY,
    )


def begin_of(day: date) -> datetime:
    """Return the first instant of a UTC day."""
    return datetime.combine(day, time(), UTC)


def read_batches(stored: Iterable[StoredCells]) -> list[LaidOutBatch]:
    """Read documents in the order of their batches. Takes some milliseconds for each thousand answers."""
    batches: dict[int, tuple[str, list[LaidOutDay]]] = {}
    for cells in stored:
        batches.setdefault(cells.batch_key, (cells.batch_id, []))[1].append(read_day(cells.day, cells.text))
    return [LaidOutBatch(key, batch_id, days) for key, (batch_id, days) in batches.items()]


def is_chosen_prompt(prompt: AskedPrompt, chosen: AnswerFilter) -> bool:
    """Tell whether a filter chooses the answers to a prompt."""
    return (
        chosen.prompt_set_id in (None, prompt.set_id)
        and chosen.prompt_id in (None, prompt.id)
        and (chosen.tag is None or chosen.tag in prompt.tags)
        and chosen.intent in (None, prompt.intent)
    )


def has_channel(chosen: AnswerFilter, channel: Channel) -> bool:
    """Tell whether a filter chooses what came through a channel."""
    return (
        chosen.platform in (None, channel.platform)
        and chosen.mode in (None, channel.mode)
        and chosen.country in (None, channel.country)
    )


def choice_of(chosen: AnswerFilter, asked: Mapping[str, AskedPrompt]) -> Callable[[str, Channel], bool]:
    """Return what decides by prompt id and channel whether a filter chooses an answer, whatever its time."""
    by_prompt = any((chosen.prompt_set_id, chosen.prompt_id, chosen.tag, chosen.intent))
    prompts = {prompt.id for prompt in asked.values() if is_chosen_prompt(prompt, chosen)}
    channels: dict[Channel, bool] = {}

    def is_chosen(prompt_id: str, channel: Channel) -> bool:
        known = channels.get(channel)
        if known is None:
            known = channels[channel] = has_channel(chosen, channel)
        return known and (not by_prompt or prompt_id in prompts)

    return is_chosen


def choose_of_batch(
    identity: BrandIdentity,
    batch: LaidOutBatch,
    chosen: AnswerFilter,
    asked: Mapping[str, AskedPrompt],
    *,
    with_domains: bool,
) -> ChosenBatch | None:
    """Return what a filter leaves of a batch whatever its time; None for nothing. `asked` are its prompts.

    How the asks of a channel ended is a matter of the whole channel, whatever prompts and days are looked at: a channel
    that lost too many answers is left out here as everywhere.
    """
    of_set = {prompt.id for prompt in asked.values() if prompt.set_id is not None}
    observations: dict[str, list[Observation]] = {entity.id: [] for entity in identity.named}
    left = AnswerBatch(
        id=batch.id,
        captured_at=begin_of(FIRST_DAY),
        asked={
            channel: asks for channel, asks in batch.days[0].asked.items() if has_channel(chosen, channel)
        },
        observations=observations,
    )
    degraded = set(left.degraded)
    facts: dict[Channel, ChannelFacts] = {}
    newest: list[datetime] = []
    is_chosen = choice_of(chosen, asked)
    for number, day in enumerate(batch.days):
        of_day = day.choose(is_chosen, with_domains=with_domains)
        for (_, channel), cell in of_day.cells.items():
            facts.setdefault(channel, ChannelFacts()).add(cell.facts)
            newest.append(cell.newest)
        for place, alike in enumerate(of_day.answers):
            cell = of_day.cells[alike.prompt_id, alike.channel]
            custom = alike.prompt_id not in of_set and alike.channel.source != "import"
            if not (custom or alike.words.branded or alike.channel in degraded):
                _count_looks(facts[alike.channel], alike)
            if alike.words.valid:
                _observe(identity, observations, alike, f"{batch.id}/{number}/{place}", cell, custom=custom)
    if not newest:
        return None
    answers = sum(of_channel.answers for of_channel in facts.values())
    return ChosenBatch(replace(left, captured_at=max(newest)), facts, answers)


def _count_looks(facts: ChannelFacts, alike: AlikeAnswers) -> None:
    """Count answers that rates count as the looks that they are where somebody looks at a screen."""
    own = alike.said[0] if alike.said else None
    facts.shown += alike.answers * alike.words.valid
    facts.not_shown += alike.answers * alike.words.not_shown
    if own is not None and own.entity_key == BRAND_KEY and own.named:
        facts.named += alike.answers * alike.words.valid


def _observe(
    identity: BrandIdentity,
    observations: Mapping[str, list[Observation]],
    alike: AlikeAnswers,
    name: str,
    cell: DayCell,
    *,
    custom: bool,
) -> None:
    """Add an observation of each of these answers to every entity; each answer has a name of its own, and no id."""
    said = {entity.entity_key: entity for entity in alike.said}
    for number in range(alike.answers):
        silent: dict[bool, Observation] = {}
        for entity in identity.named:
            of_entity, has_site = said.get(entity.key), bool(entity.sites)
            echo = entity.key in alike.words.named_in_prompt and entity.key != BRAND_KEY
            if of_entity is None and not echo and has_site in silent:
                seen = silent[has_site]
            else:
                seen = _observation(
                    alike, of_entity, f"{name}/{number}", cell, has_site, echo=echo, custom=custom
                )
                if of_entity is None and not echo:
                    silent[has_site] = seen
            observations[entity.id].append(seen)


def _observation(
    alike: AlikeAnswers,
    said: SaidOfEntity | None,
    name: str,
    cell: DayCell,
    has_site: bool,
    *,
    echo: bool,
    custom: bool,
) -> Observation:
    """Return one valid answer as it looks to one entity; its instant is that of the newest in its cell."""
    assert cell.newest_valid is not None  # it holds this one
    return Observation(
        answer_id=name,
        prompt_id=alike.prompt_id,
        channel=alike.channel,
        captured_at=cell.newest_valid,
        named=said is not None and said.named,
        rank=said.rank if said else None,
        position=said.position if said else 0.0,
        citation_measurable=alike.words.measurable,
        cites_owned=(said is not None and said.cites_own) if has_site else None,
        tone=TONES[said.tone] if said and said.tone else None,
        branded=alike.words.branded,
        echo=echo,
        custom=custom,
    )
