"""Says why competitors win a question: what the stored answers say and cite, and what our texts and site lack."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from analytics.gaps import GapKind
from analytics.text.prices import prices
from analytics.text.sentences import split_sentences
from measurement.publication.accuracy_checks import counted
from readiness.checks.check import CheckStatus
from readiness.fetching import urls
from readiness.report.document import Report
from storage.repositories.answers.citations import StoredCitation
from storage.repositories.answers.mentions import MentionedSpanRow, MentioningAnswerRow
from storage.repositories.brands import EntityNames
from workflows.agents.agent import Work
from workflows.agents.measured import Measured
from workflows.agents.outputs.gaps import LossReason
from workflows.agents.outputs.site import CompetitorScans
from workflows.agents.site import checks_of, latest_report
from workflows.brand_sites import is_own_domain, own_site

CHUNK = 200
MOST_SHOWN = 3
LONGEST_QUOTE = 200
_AVAILABLE = re.compile(
    r"\b(?:in stock|available|availability|same[- ]day|next[- ]day|appointments?|walk-ins?|open (?:late|on weekends)"
    r"|verfügbar|vorrätig|sofort|noch am selben tag|kurzfristig|en stock|disponibles?|disponibilidad|le jour même"
    r"|disponibil[ei]|en existencias|subito|in giornata|op voorraad|beschikbaar|dezelfde dag)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class LostAnswer:
    """An answer that names competitors and not the brand, with what it cites."""

    answer: MentioningAnswerRow
    rivals: tuple[MentionedSpanRow, ...]
    citations: Sequence[StoredCitation]

    def quotes(self, is_wanted: Callable[[str], bool]) -> list[str]:
        """Return the sentences that name a competitor and are wanted."""
        spans = [span for rival in self.rivals for span in counted(rival)]
        wanted: list[str] = []
        start = 0
        for sentence in split_sentences(self.answer.text):
            end = start + len(sentence)
            if any(low < end and start < high for low, high in spans) and is_wanted(sentence):
                wanted.append(" ".join(sentence.split())[:LONGEST_QUOTE])
            start = end
        return wanted


async def read_lost_answers(work: Work, batch: Measured) -> dict[str, list[LostAnswer]]:
    """Return the lost answers of a batch by prompt id."""
    lost: dict[str, list[LostAnswer]] = {}
    after = 0
    while True:
        answers, mentions = await work.workspace.mentioning_answers.after(
            batch.revision.key, batch.batch.key, after, CHUNK
        )
        if not answers:
            return lost
        after = answers[-1].key
        cited = await work.workspace.citations.between(
            work.brand.key, answers[0].key, after, batch.revision.parsing
        )
        naming: dict[int, list[MentionedSpanRow]] = {}
        for mention in mentions:
            if mention.named:
                naming.setdefault(mention.answer_key, []).append(mention)
        for answer in answers:
            named = naming.get(answer.key, [])
            if named and all(mention.entity_key for mention in named):
                lost.setdefault(answer.prompt_id, []).append(
                    LostAnswer(answer, tuple(named), cited.get(answer.key, ()))
                )


async def site_reason(work: Work, entities: Sequence[EntityNames]) -> LossReason | None:
    """Return the markup that scanned competitors' sites have and the brand's lacks, by the newest reports."""
    url = own_site(work.brand, entities[0])
    scans = work.find_output(CompetitorScans)
    own = await latest_report(work, url) if url else None
    if own is None or scans is None:
        return None
    failing = {
        check.id: check.title
        for check in checks_of(own)
        if _is_markup(check.id) and check.status in (CheckStatus.FAIL, CheckStatus.WARN)
    }
    better: dict[str, str] = {}
    holders: list[str] = []
    for scanned in scans.reports:
        stored = await work.workspace.readiness.report(scanned.report_id)
        passed = [
            check.id
            for check in (checks_of(Report.load(stored)) if stored else ())
            if check.id in failing and check.status is CheckStatus.PASS
        ]
        if passed:
            holders.append(scanned.name)
            better |= dict.fromkeys(passed, scanned.url)
    if not better:
        return None
    titles = "; ".join(failing[check] for check in list(better)[:MOST_SHOWN])
    return LossReason(
        kind="structured data",
        says=f"{' and '.join(holders)} has markup that the brand's site lacks: {titles}.",
        urls=tuple(dict.fromkeys((own.url, *better.values())))[: MOST_SHOWN + 1],
    )


def _is_markup(check_id: str) -> bool:
    return ".sd." in check_id or check_id.endswith(".structured")


def loss_reasons(
    lost: Sequence[LostAnswer], gaps: frozenset[GapKind], entities: Sequence[EntityNames], own_text: str
) -> list[LossReason]:
    """Return what the answers to one prompt and our texts show, each with the answers and addresses that show it.

    `gaps` are what our own texts lack for the prompt, `own_text` is all that is published.
    """
    reasons = [_cited(lost, entities)]
    if GapKind.COVERAGE in gaps:
        reasons.append(LossReason(kind="content", says="No text of the brand answers the question."))
    elif GapKind.MISSING_FACT in gaps:
        reasons.append(
            LossReason(kind="content", says="The text that covers it lacks the fact that is asked for.")
        )
    if not _has_price(own_text):
        reasons.append(
            _quoted(
                lost, "price", "Answers give a competitor's price, and the brand publishes none", _has_price
            )
        )
    if not _is_available(own_text):
        available = "Answers say when a competitor is available, and the brand does not say it"
        reasons.append(_quoted(lost, "availability", available, _is_available))
    return [reason for reason in reasons if reason is not None]


def _cited(lost: Sequence[LostAnswer], entities: Sequence[EntityNames]) -> LossReason | None:
    """Return the pages that lost answers cite: a competitor's own first, else those of others, by hosts."""
    hosts: Counter[str] = Counter()
    rival_hosts: set[str] = set()
    pages: dict[str, str] = {}
    citing: list[LostAnswer] = []
    for answer in lost:
        cited = {urls.host_of(citation.url): citation.url for citation in answer.citations}
        others = {host: url for host, url in cited.items() if host and not is_own_domain(url, entities[0])}
        hosts.update(others.keys())
        rival_hosts |= {
            host for host, url in others.items() if any(is_own_domain(url, rival) for rival in entities[1:])
        }
        pages = others | pages
        if others:
            citing.append(answer)
    if not hosts:
        return None
    chosen = sorted(hosts, key=lambda host: (host not in rival_hosts, -hosts[host], host))[:MOST_SHOWN]
    listed = ", ".join(
        f"{host} ({hosts[host]}{', a competitor' if host in rival_hosts else ''})" for host in chosen
    )
    return LossReason(
        kind="cited source",
        says=f"{len(citing)} of {len(lost)} answers cite pages of others: {listed}.",
        answer_ids=tuple(answer.answer.id for answer in citing[:MOST_SHOWN]),
        urls=tuple(pages[host] for host in chosen),
    )


def _quoted(
    lost: Sequence[LostAnswer], kind: str, says: str, is_wanted: Callable[[str], bool]
) -> LossReason | None:
    showing = [(answer, quotes) for answer in lost if (quotes := answer.quotes(is_wanted))]
    return _reason(kind, says, [answer for answer, _ in showing], [quotes[0] for _, quotes in showing])


def _reason(kind: str, says: str, showing: Sequence[LostAnswer], quotes: Sequence[str]) -> LossReason | None:
    if not showing:
        return None
    quote = next((quote for quote in quotes if quote), "")
    return LossReason.model_validate(
        {
            "kind": kind,
            "says": f"{says}: “{quote[:LONGEST_QUOTE].rstrip('.')}”." if quote else f"{says}.",
            "answer_ids": tuple(answer.answer.id for answer in showing[:MOST_SHOWN]),
        }
    )


def _has_price(text: str) -> bool:
    return any(prices(text))


def _is_available(text: str) -> bool:
    return _AVAILABLE.search(text) is not None


ACTIONS: Mapping[str, tuple[str, str]] = {
    "content": (
        "Publish a text that answers the question, with the facts that the competitors give",
        "medium",
    ),
    "price": ("State the price on the page that answers the question", "small"),
    "availability": ("Say on the page when it is available and how to book", "small"),
    "structured data": ("Add the markup that the competitors' sites have", "small"),
    "cited source": ("Get listed and described on the pages that answers cite", "large"),
}
"""What to do about each reason, and the effort; the order is the one in which they are done."""
EFFORTS = ("small", "medium", "large")


def action_for(reasons: Sequence[LossReason]) -> tuple[str, str]:
    """Return what to do about the first two reasons that something can be done about, and the effort of both."""
    kinds = {reason.kind for reason in reasons}
    chosen = [ACTIONS[kind] for kind in ACTIONS if kind in kinds][:2] or [ACTIONS["content"]]
    effort = max((effort for _, effort in chosen), key=EFFORTS.index)
    return f"{'. '.join(action for action, _ in chosen)}.", effort
