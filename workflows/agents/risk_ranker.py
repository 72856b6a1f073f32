"""Ranks what endangers the reputation: wrong claims and bad words, by severity and how often they are told."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from analytics.answers.tone import ToneLabel, compound, label_of
from measurement.answer_mentions import read_answer_mentions
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
    measured_batch = await measured(work)
    tones = (
        await judged_tones(work) if "tone_judge" in work.outputs else await by_lexicon(work, measured_batch)
    )
    risks = [*claim_risks(work.outputs.get("claim_checker", {})), *tone_risks(work.brand.name, tones)]
    risks.sort(key=lambda risk: (RANK[risk["severity"]], -risk["times"], risk["title"]))
    ranked = risks[:MOST_RISKS]
    findings = tuple(finding(place, risk) for place, risk in enumerate(ranked, 1))
    return Result({"risks": ranked, "tones": tones}, f"{len(risks)} risks were found.", findings)


async def judged_tones(work: Work) -> list[dict[str, Any]]:
    """Return the tones that the judge gave."""
    return [tone for tone in work.outputs["tone_judge"]["judged"] if tone["label"] != "unknown"]


async def by_lexicon(work: Work, measured_batch: Measured) -> list[dict[str, Any]]:
    """Return the tones that the lexicon gave; answers that are not English have none.

    A negative tone counts only where the sentence to be quoted bears it.
    """
    return [
        {
            "answerId": answer.answer.id,
            "channel": f"{answer.answer.platform}/{answer.answer.mode}",
            "label": answer.mention.tone,
            "quote": answer.mention.quote,
        }
        async for answers in read_answer_mentions(
            work.workspace, measured_batch.revision.key, measured_batch.batch.key
        )
        for answer in answers
        if answer.mention is not None
        and answer.mention.tone not in (None, "not_judged", "unknown")
        and (answer.mention.tone != ToneLabel.NEGATIVE or is_ill_spoken(answer.mention.quote))
    ]


def is_ill_spoken(quote: str | None) -> bool:
    """Tell whether the quoted sentence is negative by itself: a neutral one is no evidence of bad words elsewhere."""
    return quote is not None and label_of(compound(quote)) is ToneLabel.NEGATIVE


def claim_risks(checked: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a risk for each fact that is contradicted."""
    for claim in checked.get("wrong", []):
        kind = claim["kind"].partition(":")[0]
        grave = kind in SENSITIVE and claim["times"] >= OFTEN
        yield {
            "kind": "claim",
            "severity": "critical" if grave else "warning",
            "title": f"A wrong {claim['kind'].replace(':', ' of ')} is told",
            "times": claim["times"],
            "channels": claim["channels"],
            "quotes": [{"answerId": claim["answerId"], "quote": claim["claim"]}],
            "fact": claim["fact"],
        }


def tone_risks(brand: str, tones: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield a risk for each channel that speaks ill of the brand."""
    by_channel: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for tone in tones:
        by_channel[tone["channel"]].append(tone)
    for channel, channel_tones in sorted(by_channel.items()):
        bad = [tone for tone in channel_tones if tone["label"] == "negative"]
        if bad:
            yield {
                "kind": "tone",
                "severity": "warning" if len(bad) >= OFTEN else "info",
                "title": f"{channel} speaks ill of {brand}",
                "times": len(bad),
                "channels": [channel],
                "quotes": [
                    {"answerId": tone["answerId"], "quote": tone["quote"]} for tone in bad[:MOST_QUOTES]
                ],
                "fact": None,
            }


def finding(place: int, risk: dict[str, Any]) -> FindingDraft:
    """Show a risk with the words it rests on."""
    evidence = [
        {"type": "answer", "id": quote["answerId"], "excerpt": quote["quote"] or ""}
        for quote in risk["quotes"]
    ]
    detail = f"Risk number {place}. It was told {risk['times']} times on {', '.join(risk['channels'])}."
    return FindingDraft(risk["severity"], "reputation", risk["title"], detail, evidence)
