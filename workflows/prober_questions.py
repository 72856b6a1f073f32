"""Which prompts a run asks, on which engines, and how many calls that takes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engines.engine import Mode
from engines.registry import Registry
from engines.settings import LOCAL
from measurement.planning.ask_plan import AskPlan, locale_of
from storage.repositories.brands import Brand
from storage.repositories.prompt_sets import AskedSet, PromptSet
from storage.workspace import Workspace
from workflows.configurations import AskingConfiguration, ProberConfiguration, ReputationConfiguration
from workflows.errors import AgentFailed

REPUTATION_REPEATS = 3
REPUTATION_QUESTIONS = (
    "What is {brand} known for?",
    "What do people say about {brand}?",
    "Is {brand} trustworthy?",
    "What do customers complain about at {brand}?",
    "What does {brand} do well?",
    "Would you recommend {brand}?",
    "Has {brand} been in the news for something negative?",
    "How good is the service of {brand}?",
    "What should I know before I buy from {brand}?",
    "Where is {brand} located, when is it open and how can I reach it?",
)
"""Asked word for word, so that answers of different months can be compared."""


@dataclass(frozen=True, slots=True)
class AskSettings:
    """How questions are asked: of whom, in which mode, how often."""

    platforms: tuple[str, ...]
    mode: Mode
    repeats: int


def ask_settings_of(
    ready: Sequence[str],
    engines: Registry,
    configuration: AskingConfiguration,
    *,
    platforms: Sequence[str] = (),
    mode: str = Mode.VISIBILITY,
    repeats: int = REPUTATION_REPEATS,
) -> AskSettings:
    """Return how to ask; an agent's configuration overrules what the prompt set says.

    Of the platforms that are named those are asked that can be; where none is named, every engine that can be. The
    built-in one is used only when there is no other.
    """
    chosen = Mode(configuration.mode or mode)
    named = tuple(configuration.platforms or platforms)
    having = [platform for platform in ready if chosen in engines.get(platform).modes]
    others = [platform for platform in having if platform != LOCAL]
    asked = [platform for platform in having if platform in named] if named else others or having
    return AskSettings(tuple(asked), chosen, int(configuration.repeats or repeats))


async def sets_of(
    workspace: Workspace, brand: Brand | None, configuration: ProberConfiguration
) -> list[PromptSet]:
    """Return the prompt sets that are asked for a brand: the configured one, or every active one."""
    keys = {None, brand.key if brand else None}
    own = [prompt_set for prompt_set in await workspace.prompt_sets.active() if prompt_set.brand_key in keys]
    wanted = configuration.promptSetId
    return [prompt_set for prompt_set in own if wanted in (None, prompt_set.id)]


def prompt_set_ask_settings(
    prompt_set: PromptSet | AskedSet,
    ready: Sequence[str],
    engines: Registry,
    configuration: ProberConfiguration,
) -> AskSettings:
    """Return how a prompt set is asked."""
    return ask_settings_of(
        ready,
        engines,
        configuration,
        platforms=prompt_set.platforms,
        mode=prompt_set.mode,
        repeats=prompt_set.repeats,
    )


def set_countries(prompt_set: PromptSet | AskedSet, configuration: ProberConfiguration) -> tuple[str, ...]:
    """Return from where a prompt set is asked; one with a city is asked from that city's country alone."""
    wanted = None if prompt_set.city else configuration.countries
    return tuple(dict.fromkeys(wanted or prompt_set.countries))


async def market_plans(
    workspace: Workspace,
    brand: Brand,
    ready: Sequence[str],
    engines: Registry,
    configuration: ProberConfiguration,
) -> list[AskPlan]:
    """Plan every prompt set of a brand. Fails with `no_input` without prompts, else for the want of engines."""
    plans: list[AskPlan] = []
    lacking = "no_input"
    for prompt_set in await sets_of(workspace, brand, configuration):
        prompts = tuple(await workspace.prompts.of_set(prompt_set.key))
        settings = prompt_set_ask_settings(prompt_set, ready, engines, configuration)
        if prompts and settings.platforms:
            plans.append(
                AskPlan(
                    brand,
                    prompt_set,
                    prompts,
                    None,
                    settings.platforms,
                    settings.mode,
                    settings.repeats,
                    set_countries(prompt_set, configuration),
                    locale_of(
                        engines, settings.platforms, settings.mode, set_countries(prompt_set, configuration)
                    ),
                )
            )
        elif prompts:
            lacking = lacking_engine(prompt_set, ready, configuration)
    if not plans:
        raise AgentFailed(lacking)
    return plans


def lacking_engine(prompt_set: PromptSet, ready: Sequence[str], configuration: ProberConfiguration) -> str:
    """Return why no engine can be asked: none is configured, or none supports the mode."""
    named = tuple(configuration.platforms or prompt_set.platforms)
    able = [platform for platform in ready if not named or platform in named]
    return "unsupported_mode" if able else "provider_not_configured"


@dataclass(frozen=True, slots=True)
class Market:
    """The prompt sets of a company, and how many calls asking them takes; read once, it counts for all brands."""

    sets: Sequence[AskedSet]
    ready: Sequence[str]
    engines: Registry

    @classmethod
    async def read(cls, workspace: Workspace, ready: Sequence[str], engines: Registry) -> "Market":
        """Read every active set and how many prompts it has, in one query."""
        return cls(await workspace.prompt_sets.asked(), ready, engines)

    def most_calls(self, brand_keys: Sequence[int], configuration: ProberConfiguration) -> int:
        """Return how many calls asking every prompt set of a brand takes, or the one that is configured.

        Of several brands it is the one that takes most; without any, what is asked for every brand.
        """
        wanted = configuration.promptSetId
        questions = QuestionCalls(self.ready, self.engines, configuration)
        calls = Counter[int | None]()
        for asked in self.sets:
            if wanted in (None, asked.id):
                calls[asked.brand_key] += questions.of(asked)
        return calls[None] + max((calls[key] for key in brand_keys), default=0)


class QuestionCalls:
    """How many calls the questions of prompt sets take under one configuration; most sets are asked alike."""

    def __init__(self, ready: Sequence[str], engines: Registry, configuration: ProberConfiguration) -> None:
        self._ready = ready
        self._engines = engines
        self._configuration = configuration
        self._repeats: dict[tuple[tuple[str, ...], str, int], tuple[int, int]] = {}

    def of(self, asked: AskedSet) -> int:
        """Return the calls of one set.

        A prompt with its own country is asked only from there, regardless of the countries of its set.
        """
        alike = (tuple(asked.platforms), asked.mode, asked.repeats)
        if alike not in self._repeats:
            self._repeats[alike] = self._repeats_of(asked)
        by_country, anywhere = self._repeats[alike]
        countries = max(1, len(set_countries(asked, self._configuration)))
        everywhere = asked.placed + (asked.prompts - asked.placed) * countries
        return by_country * everywhere + anywhere * asked.prompts

    def _repeats_of(self, asked: AskedSet) -> tuple[int, int]:
        """Return how often a prompt is asked from each country, and how often on engines without a location setting."""
        settings = prompt_set_ask_settings(asked, self._ready, self._engines, self._configuration)
        locale = locale_of(self._engines, settings.platforms, settings.mode)
        told = sum("country" in locale_fields for locale_fields in locale.values())
        return told * settings.repeats, (len(locale) - told) * settings.repeats


def reputation_calls(ready: Sequence[str], engines: Registry, configuration: ReputationConfiguration) -> int:
    """Return how many calls asking about a brand's reputation takes."""
    settings = ask_settings_of(ready, engines, configuration)
    return len(REPUTATION_QUESTIONS) * len(settings.platforms) * settings.repeats
