"""Ranks reputation risks (wrong claims, negative mentions) by severity and frequency."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from measurement.planning.engine_names import channel_name
from storage.documents import StoredEvidence
from storage.repositories.findings import FindingDraft
from workflows.agents.agent import Result, Work, numbered
from workflows.agents.outputs.reputation import (
    ChannelTone,
    ClaimChecks,
    Risk,
    RiskQuote,
    RiskRanking,
    ToneJudgements,
)

MOST_RISKS = 10
MOST_QUOTES = 3
OFTEN = 3
RANK = {"critical": 0, "warning": 1, "info": 2}
SENSITIVE = ("phone", "site", "address", "hours")
"""Wrong, these lead customers elsewhere."""


async def run(work: Work) -> Result:
    """Rank the risks of the batch, worst first. Without a judge, no tone is known."""
    judgements, checks = work.find_output(ToneJudgements), work.find_output(ClaimChecks)
    tones = judged_tones(judgements) if judgements else ()
    risks = [*(claim_risks(checks) if checks else ()), *tone_risks(work.brand.name, tones)]
    risks.sort(key=lambda risk: (RANK[risk.severity], -risk.times, risk.title))
    ranked = tuple(risks[:MOST_RISKS])
    findings = tuple(finding(place, risk) for place, risk in enumerate(ranked, 1))
    return Result(RiskRanking(risks=ranked, tones=tones), f"{len(risks)} risks were found.", findings)


def judged_tones(judgements: ToneJudgements) -> tuple[ChannelTone, ...]:
    """Return the tones that the judge gave."""
    return tuple(tone for tone in judgements.judged if tone.label != "unknown")


def claim_risks(checks: ClaimChecks) -> Iterator[Risk]:
    """Yield a risk for each fact that is contradicted."""
    for wrong in checks.wrong:
        kind = wrong.kind.partition(":")[0]
        grave = kind in SENSITIVE and wrong.times >= OFTEN
        yield Risk(
            kind="claim",
            severity="critical" if grave else "warning",
            title=f"A wrong {wrong.kind.replace(':', ' of ')} is stated",
            times=wrong.times,
            channels=wrong.channels,
            quotes=(RiskQuote(answer_id=wrong.answer_id, quote=wrong.claim),),
            fact=wrong.fact,
        )


def tone_risks(brand: str, tones: Sequence[ChannelTone]) -> Iterator[Risk]:
    """Yield a risk for each channel that speaks ill of the brand."""
    by_channel: dict[str, list[ChannelTone]] = defaultdict(list)
    for tone in tones:
        by_channel[tone.channel].append(tone)
    for channel, channel_tones in sorted(by_channel.items()):
        bad = [tone for tone in channel_tones if tone.label == "negative"]
        if bad:
            yield Risk(
                kind="tone",
                severity="warning" if len(bad) >= OFTEN else "info",
                title=f"{channel_name(channel)} speaks ill of {brand}",
                times=len(bad),
                channels=(channel,),
                quotes=tuple(
                    RiskQuote(answer_id=tone.answer_id, quote=tone.quote) for tone in bad[:MOST_QUOTES]
                ),
                fact=None,
            )


def finding(place: int, risk: Risk) -> FindingDraft:
    """Show a risk with the words it rests on."""
    evidence = [
        StoredEvidence(type="answer", id=quote.answer_id, excerpt=quote.quote or "") for quote in risk.quotes
    ]
    detail = f"Risk number {place}. It appeared {numbered(risk.times, 'time')} on {', '.join(risk.channels)}."
    return FindingDraft(risk.severity, "reputation", risk.title, detail, evidence)
