"""Asks every engine that can be asked what it says of the brand itself."""

from measurement.planning.ask_plan import AskPlan
from workflows.agents.agent import Result, Work
from workflows.agents.asking import ask
from workflows.configurations import ReputationConfiguration
from workflows.errors import AgentFailed
from workflows.prober_questions import REPUTATION_QUESTIONS, ask_settings_of

LANGUAGE = "en"


async def run(work: Work) -> Result:
    """Ask ten questions about the brand, three times each. Fails with `provider_not_configured` without engines."""
    ready = await work.prober.keys.platforms(work.workspace.company_id)
    settings = ask_settings_of(ready, work.engines, work.settings(ReputationConfiguration))
    if not settings.platforms:
        raise AgentFailed("unsupported_mode" if ready else "provider_not_configured")
    texts = [question.format(brand=work.brand.name) for question in REPUTATION_QUESTIONS]
    prompts = await work.prober.add_questions(work.workspace.company_id, work.brand, texts, LANGUAGE)
    plan = AskPlan(work.brand, None, prompts, None, settings.platforms, settings.mode, settings.repeats)
    return await ask(work, "reputation_prober", [plan])
