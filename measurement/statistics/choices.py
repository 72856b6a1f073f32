"""Cells of daily documents that filters choose by prompt and channel, regardless of time."""

from collections.abc import Callable, Mapping
from itertools import product

from analytics.observation import Channel
from measurement.publication.days import ChosenCells, LaidOutDay
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.prompt_results import AskedPrompt
from storage.workspace import Workspace


def is_chosen_prompt(prompt: AskedPrompt, chosen: AnswerFilter) -> bool:
    """Return whether a filter chooses the answers to a prompt."""
    return (
        chosen.prompt_set_id in (None, prompt.set_id)
        and chosen.prompt_id in (None, prompt.id)
        and (chosen.tag is None or chosen.tag in prompt.tags)
        and chosen.intent in (None, prompt.intent)
    )


def has_channel(chosen: AnswerFilter, channel: Channel) -> bool:
    """Return whether a filter chooses the answers of a channel."""
    return (
        chosen.platform in (None, channel.platform)
        and chosen.mode in (None, channel.mode)
        and chosen.country in (None, channel.country)
    )


class Choice:
    """The chosen cells of daily documents, regardless of time; determined once for days of the same plan."""

    def __init__(self, is_chosen: Callable[[str, Channel], bool]) -> None:
        self._is_chosen = is_chosen
        self._cells: dict[tuple[object, object], ChosenCells] = {}

    def cells(self, day: LaidOutDay) -> ChosenCells:
        """Return the chosen cells of a day."""
        plan = day.prompts, day.channels
        cells = self._cells.get(plan)
        if cells is None:
            pairs = product((prompt_id for prompt_id, _ in day.prompts), day.channels)
            cells = [cell for cell, pair in enumerate(pairs) if self._is_chosen(*pair)]
            self._cells[plan] = cells
        return cells


def choice_of(chosen: AnswerFilter, asked: Mapping[str, AskedPrompt]) -> Choice:
    """Return the choice of a filter by prompt and channel, regardless of time."""
    by_prompt = any((chosen.prompt_set_id, chosen.prompt_id, chosen.tag, chosen.intent))
    prompts = {prompt.id for prompt in asked.values() if is_chosen_prompt(prompt, chosen)}
    return Choice(
        lambda prompt_id, channel: (not by_prompt or prompt_id in prompts) and has_channel(chosen, channel)
    )


async def can_choose(workspace: Workspace, chosen: AnswerFilter) -> bool:
    """Return whether there may be a matching answer; if no prompt or channel fits, no batch is read."""
    if chosen.prompt_id is not None:
        asked = await workspace.prompt_results.prompts([chosen.prompt_id])
        if not any(is_chosen_prompt(prompt, chosen) for prompt in asked.values()):
            return False
    if (chosen.platform, chosen.mode, chosen.country) == (None, None, None):
        return True
    channels = await workspace.channels.keys()
    return any(has_channel(chosen, Channel(*name)) for name in channels)
