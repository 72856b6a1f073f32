"""How the checks of drafts do on labelled sentences: values and names alone, and with a judging engine.

`python -m bench drafts` checks values. With SEENBY_ENGINE_COMPATIBLE set, its first engine judges the rest, one request
for each company, as the agent `fact_guard` asks it.
"""

import asyncio
import os
import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engines.engine import Mode, Question
from engines.errors import EngineError
from engines.registry import Registry
from engines.settings import LOCAL, EngineSettings
from storage.ids import new_id
from workflows.agents.drafting import JUDGE_TOKENS
from workflows.drafts.checks import (
    Judgement,
    MarketNames,
    apply_judgement,
    check_values,
    judge_prompt,
    language_of,
    prepare_facts,
    read_judgements,
)
from workflows.drafts.document import DraftSentence, Fact

SENTENCES = Path(__file__).with_name("drafts.toml")


def facts_of(company: Mapping[str, Any]) -> list[Fact]:
    """The facts of a labelled company: a line each of its profile and items."""
    lines = [("profile.line", "Profile", line) for line in company["profile"].splitlines()]
    lines += [
        (f"item:{title}#1", title, line)
        for title, body in company["items"]
        for line in f"{title}\n{body}".splitlines()
    ]
    return [Fact(key=key, title=title, text=line) for key, title, line in lines]


def check_company(company: Mapping[str, Any]) -> tuple[list[Fact], list[tuple[bool, DraftSentence]]]:
    """The facts of a company, and its sentences after the value check, each with whether it is labelled `keep`.

    Every sentence cites every fact: what values let pass here, a judge has to find.
    """
    facts = facts_of(company)
    market = MarketNames.named(company["name"])
    cited = tuple(range(1, len(facts) + 1))
    prepared = prepare_facts(facts, company["language"])
    checked: list[tuple[bool, DraftSentence]] = []
    for label in ("keep", "refuse"):
        for text in company[label]:
            sentence = DraftSentence(text=text, facts=cited)
            checked.append((label == "keep", check_values(sentence, prepared, market, company["language"])))
    return facts, checked


async def judge_company(
    registry: Registry, platform: str, company: Mapping[str, Any]
) -> list[tuple[bool, DraftSentence]]:
    """The sentences of a company after an engine has judged those whose values are sound."""
    facts, checked = check_company(company)
    sentences = [sentence for _, sentence in checked]
    numbers = [number for number, sentence in enumerate(sentences, 1) if not sentence.reason]
    prompt = judge_prompt(company["name"], facts, sentences, numbers)
    question = Question(prompt, Mode.VISIBILITY, new_id(), max_output_tokens=JUDGE_TOKENS, temperature=0.0)
    try:
        answer = (await registry.get(platform).ask(question, registry.credential(platform))).text
    except EngineError as error:
        print(f"  {platform} did not answer: {error.code}")
        answer = ""
    judged: Mapping[int, Judgement] = read_judgements(answer)
    market, language = MarketNames.named(company["name"]), language_of(sentences)
    return [
        (
            keep,
            apply_judgement(sentence, facts, judged.get(number), market, language)
            if number in numbers
            else sentence,
        )
        for number, (keep, sentence) in enumerate(checked, 1)
    ]


def report(title: str, checked: list[tuple[bool, DraftSentence]]) -> None:
    """Print how many sentences of each label ended in each state."""
    for keep in (True, False):
        states = Counter(
            sentence.reason or sentence.state for is_keep, sentence in checked if is_keep is keep
        )
        label = "follow from the facts" if keep else "are not in the facts"
        listed = ", ".join(f"{count} {state}" for state, count in states.most_common())
        print(f"  {title}: of {states.total()} sentences that {label}: {listed}")


async def run() -> None:
    """Print the states of all labelled sentences."""
    companies = tomllib.loads(SENTENCES.read_text(encoding="utf-8"))["company"]
    report("values", [pair for company in companies for pair in check_company(company)[1]])
    registry = Registry(EngineSettings.from_environ(os.environ))
    platform: str | None = next((name for name in registry.configured_platforms if name != LOCAL), None)
    if platform is None:
        print("  set SEENBY_ENGINE_COMPATIBLE to have an engine judge the rest")
        return
    judged = [pair for company in companies for pair in await judge_company(registry, platform, company)]
    report(f"judged by {platform}", judged)


def main() -> None:
    """Entry point of `python -m bench drafts`."""
    asyncio.run(run())
