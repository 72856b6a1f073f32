"""Ranks what endangers the reputation: wrong claims and bad words, by severity and how often they are told."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from analytics.answers.tone import ToneLabel, compound, label_of
from measurement.answer_mentions import spoken
from storage.repositories.findings import FindingDraft
from workflows.agents.agent import Result, Work
from workflows.agents.measured import Measured, measured

MOST_RISKS = 10
MOST_QUOTES = 3
OFTEN = 3
RANK = {"critical": 0, "warning": 1, "info": 2}
SENSITIVE = ("phone", "site", "address", "hours")
"""Wrong, these lead customers elsewhere."""


async def run(work: Work) -> Result:
    """Rank the risks of the batch, worst first. Tones are the judge's, where it worked, else the lexicon's."""
    found = await measured(work)
    tones = await judged(work) if "tone_judge" in work.outputs else await by_lexicon(work, found)
    risks = [*claim_risks(work.outputs.get("claim_checker", {})), *tone_risks(work.brand.name, tones)]
    risks.sort(key=lambda one: (RANK[one["severity"]], -one["times"], one["title"]))
    ranked = risks[:MOST_RISKS]
    findings = tuple(finding(place, one) for place, one in enumerate(ranked, 1))
    return Result({"risks": ranked, "tones": tones}, f"{len(risks)} risks were found.", findings)


async def judged(work: Work) -> list[dict[str, Any]]:
    """Return the tones that the judge gave."""
    return [one for one in work.outputs["tone_judge"]["judged"] if one["label"] != "unknown"]


async def by_lexicon(work: Work, found: Measured) -> list[dict[str, Any]]:
    """Return the tones that the lexicon gave; answers that are not English have none.

    A negative tone counts only where the sentence to be quoted bears it.
    """
    return [
        {
            "answerId": one.answer.id,
            "channel": f"{one.answer.platform}/{one.answer.mode}",
            "label": one.mention.tone,
            "quote": one.mention.quote,
        }
        async for answers in spoken(work.workspace, found.revision.key, found.batch.key)
        for one in answers
        if one.mention is not None
        and one.mention.tone not in (None, "not_judged", "unknown")
        and (one.mention.tone != ToneLabel.NEGATIVE or is_ill_spoken(one.mention.quote))
    ]


def is_ill_spoken(quote: str | None) -> bool:
    """Tell whether the quoted sentence is negative by itself: a neutral one is no evidence of bad words elsewhere."""
    return quote is not None and label_of(compound(quote)) is ToneLabel.NEGATIVE


def claim_risks(checked: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a risk for each fact that is contradicted."""
    for one in checked.get("wrong", []):
        kind = one["kind"].partition(":")[0]
        grave = kind in SENSITIVE and one["times"] >= OFTEN
        yield {
            "kind": "claim",
            "severity": "critical" if grave else "warning",
            "title": f"A wrong {one['kind'].replace(':', ' of ')} is told",
            "times": one["times"],
            "channels": one["channels"],
            "quotes": [{"answerId": one["answerId"], "quote": one["claim"]}],
            "fact": one["fact"],
        }


def tone_risks(brand: str, tones: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield a risk for each channel that speaks ill of the brand."""
    by_channel: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for one in tones:
        by_channel[one["channel"]].append(one)
    for channel, told in sorted(by_channel.items()):
        bad = [one for one in told if one["label"] == "negative"]
        if bad:
            yield {
                "kind": "tone",
                "severity": "warning" if len(bad) >= OFTEN else "info",
                "title": f"{channel} speaks ill of {brand}",
                "times": len(bad),
                "channels": [channel],
                "quotes": [{"answerId": one["answerId"], "quote": one["quote"]} for one in bad[:MOST_QUOTES]],
                "fact": None,
            }


def finding(place: int, one: dict[str, Any]) -> FindingDraft:
    """Show a risk with the words it rests on."""
    evidence = [
        {"type": "answer", "id": quote["answerId"], "excerpt": quote["quote"] or ""}
        for quote in one["quotes"]
    ]
    detail = f"Risk number {place}. It was told {one['times']} times on {', '.join(one['channels'])}."
    return FindingDraft(one["severity"], "reputation", one["title"], detail, evidence)
