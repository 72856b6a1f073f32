"""What filters choose of laid out days, by prompt and channel, whatever the time."""

from collections.abc import Callable, Mapping

from analytics.observation import Channel
from measurement.laid_out.days import ChosenPlaces, LaidOutDay
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.prompt_results import AskedPrompt
from storage.workspace import Workspace


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


class Choice:
    """What is chosen of laid out days, whatever their time: it is decided once for days of the same plan."""

    def __init__(self, is_chosen: Callable[[str, Channel], bool]) -> None:
        self._is_chosen = is_chosen
        self._places: dict[tuple[object, object], ChosenPlaces] = {}

    def places(self, day: LaidOutDay) -> ChosenPlaces:
        """Decide for each prompt of a day, and of it for each channel."""
        plan = day.prompts, day.channels
        places = self._places.get(plan)
        if places is None:
            places = self._places[plan] = [
                [self._is_chosen(prompt_id, channel) for channel in day.channels]
                for prompt_id, _ in day.prompts
            ]
        return places


def choice_of(chosen: AnswerFilter, asked: Mapping[str, AskedPrompt]) -> Choice:
    """Return what decides by prompt and channel whether a filter chooses an answer, whatever its time."""
    by_prompt = any((chosen.prompt_set_id, chosen.prompt_id, chosen.tag, chosen.intent))
    prompts = {prompt.id for prompt in asked.values() if is_chosen_prompt(prompt, chosen)}
    return Choice(
        lambda prompt_id, channel: (not by_prompt or prompt_id in prompts) and has_channel(chosen, channel)
    )


async def can_choose(workspace: Workspace, chosen: AnswerFilter) -> bool:
    """Tell whether there may be an answer: no batch is read for a prompt or a channel that fits none of the filters."""
    if chosen.prompt_id is not None:
        asked = await workspace.prompt_results.prompts([chosen.prompt_id])
        if not any(is_chosen_prompt(prompt, chosen) for prompt in asked.values()):
            return False
    if (chosen.platform, chosen.mode, chosen.country) == (None, None, None):
        return True
    channels = await workspace.channels.keys()
    return any(has_channel(chosen, Channel(*name)) for name in channels)
