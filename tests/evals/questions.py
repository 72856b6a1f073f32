"""Forty questions of an analyst about the synthetic market, the calls that answer each, and the facts of the answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from server.demo.synthetic_market import ENGINES, OWN, WEEKS
from tests.evals.facts import Count, Fact, Share, words
from tests.evals.truth import AFTER, BEFORE, NEWEST, Market, day_of_week

BRAND = "Zentrix (synthetic)"
CHATGPT, PERPLEXITY, GEMINI = (engine.platform for engine in ENGINES)
ALL = tuple(range(1, WEEKS + 1))
PREVIEWED = "peer"
"""The engine that a run is priced for; nobody asks it."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """An argument that stands in the result of an earlier call."""

    at: str


@dataclass(frozen=True, slots=True)
class ReferenceCall:
    """One call that a good analyst makes."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class AnalystQuestion:
    """A question, calls that answer it, and what the answer must hold.

    `also` are other tools whose choice is as good.
    """

    text: str
    calls: tuple[ReferenceCall, ...]
    facts: tuple[Fact, ...]
    also: frozenset[str] = frozenset()

    @property
    def tools(self) -> frozenset[str]:
        """Every tool whose choice is good; the identifiers of brands may always be looked up."""
        return frozenset(call.tool for call in self.calls) | self.also | {"list_brand_profiles"}


def ask(tool: str, **arguments: Any) -> ReferenceCall:
    """Return a call about the brand."""
    return ReferenceCall(tool, {"brandId": BRAND, **{name.rstrip("_"): to for name, to in arguments.items()}})


def question(
    text: str, calls: ReferenceCall | tuple[ReferenceCall, ...], *facts: Fact, also: str = ""
) -> AnalystQuestion:
    """Return a question."""
    listed = calls if isinstance(calls, tuple) else (calls,)
    return AnalystQuestion(text, listed, facts, frozenset(also.split()))


def questions(market: Market, today: datetime | None = None) -> list[AnalystQuestion]:
    """Return the forty questions about a history that was loaded on this day."""
    day = today or datetime.now(UTC)
    return [
        *engine_questions(market),
        *score_questions(market),
        *ranking_questions(market),
        *trend_questions(market, day),
        *prompt_questions(market, day),
        *source_questions(market),
        *answer_questions(market, day),
        *change_questions(market, day),
        *work_questions(market),
    ]


def engine_questions(market: Market) -> list[AnalystQuestion]:
    rates = {engine.platform: market.rate(OWN, NEWEST, platform=engine.platform) for engine in ENGINES}
    most, least = max(rates, key=rates.__getitem__), min(rates, key=rates.__getitem__)
    in_germany = market.rate(OWN, NEWEST, platform=CHATGPT, country="DE")
    metrics = ask("get_platform_metrics")
    return [
        question(
            "On which engine is Zentrix named most often in the newest measurement, and in what share of answers?",
            metrics,
            words(f"0/platforms[platform={most}]/platform", most),
            Share(f"0/platforms[platform={most}]/presence/value", rates[most]),
        ),
        question(
            "Which engine names Zentrix least, and how often?",
            metrics,
            words(f"0/platforms[platform={least}]/platform", least),
            Share(f"0/platforms[platform={least}]/presence/value", rates[least]),
        ),
        question(
            "Compare ChatGPT and Perplexity: in what share of the newest answers does each name Zentrix?",
            metrics,
            Share(f"0/platforms[platform={CHATGPT}]/presence/value", rates[CHATGPT]),
            Share(f"0/platforms[platform={PERPLEXITY}]/presence/value", rates[PERPLEXITY]),
            also="compare_periods get_prompt_results",
        ),
        question(
            "Asked from Germany, how often did ChatGPT name Zentrix in the newest measurement?",
            ask("get_platform_metrics", country="DE"),
            Share(f"0/platforms[platform={CHATGPT}]/presence/value", in_germany),
        ),
        question(
            "Which model does Perplexity say it serves now?",
            metrics,
            words(f"0/platforms[platform={PERPLEXITY}]/servedModels", ENGINES[1].model(WEEKS)),
            also="list_answers get_answer",
        ),
        question(
            "How many valid answers of Gemini does the newest measurement hold?",
            metrics,
            Count(f"0/platforms[platform={GEMINI}]/asked/valid", len(market.chosen(NEWEST, platform=GEMINI))),
            also="list_answers",
        ),
    ]


def score_questions(market: Market) -> list[AnalystQuestion]:
    site = market.brand.domains[0]
    score = ask("get_ai_visibility_score")
    return [
        question(
            "In what share of the newest answers is Zentrix named at all?",
            score,
            Share("0/factors[part=presence]/value", market.rate(OWN, NEWEST)),
            also="get_competitor_rankings get_platform_metrics get_brand_snapshot",
        ),
        question(
            "How many answers to how many prompts does the newest score rest on?",
            score,
            Count("0/answers", len(market.chosen(NEWEST))),
            Count("0/prompts", len(market.prompts)),
            also="get_brand_snapshot",
        ),
        question(
            "Of the newest answers whose sources are known, what share cites the brand's own site?",
            score,
            Share("0/factors[part=citation]/value", market.cited(NEWEST)[site] / market.searching(NEWEST)),
            also="get_platform_metrics get_citations",
        ),
    ]


def ranking_questions(market: Market) -> list[AnalystQuestion]:
    rates = {rival: market.rate(rival, NEWEST) for rival in market.rivals}
    strongest = max(rates, key=rates.__getitem__)
    weakest = min(rates, key=rates.__getitem__)
    kelbrook = market.rate("Kelbrook", NEWEST, platform=PERPLEXITY)
    rankings = ask("get_competitor_rankings")
    return [
        question(
            "Which rival is named most often in the newest measurement, and how often?",
            rankings,
            words("0/rankings[rank=2]/name", strongest),
            Share(f"0/rankings[name={strongest}]/presence", rates[strongest]),
        ),
        question(
            "Which rival comes last in the ranking, and in what share of answers is it named?",
            rankings,
            words("0/rankings/-1/name", weakest),
            Share(f"0/rankings[name={weakest}]/presence", rates[weakest]),
        ),
        question(
            "How often does Perplexity name Kelbrook in the newest measurement?",
            ask("get_competitor_rankings", platform=PERPLEXITY),
            Share("0/rankings[name=Kelbrook]/presence", kelbrook),
            also="get_prompt_results",
        ),
    ]


def trend_questions(market: Market, today: datetime) -> list[AnalystQuestion]:
    mentions = ask("get_metric_trend", metricName="mentionCount", days=60)
    jump = market.count(OWN, (5,)) - market.count(OWN, (4,))
    assert jump > 20
    return [
        question(
            "On how many days of the last 60 was Zentrix measured?",
            ask("get_metric_trend", metricName="visibilityScore", days=60),
            Count("0/points#", WEEKS),
        ),
        question(
            "How many answers named Zentrix on the newest day of its trend of mentions?",
            mentions,
            Count("0/points/-1/value", market.count(OWN, NEWEST)),
            also="get_platform_metrics get_brand_snapshot",
        ),
        question(
            "On which measured day of the last 60 did mentions of Zentrix rise most, and to how many?",
            mentions,
            words("0/points/4/day", day_of_week(5, today)),
            Count("0/points/4/value", market.count(OWN, (5,))),
        ),
    ]


def prompt_questions(market: Market, today: datetime) -> list[AnalystQuestion]:
    worst = max(market.prompts, key=lambda prompt: market.gap(prompt, AFTER))
    rates = {prompt: market.rate(OWN, AFTER, prompt=prompt) for prompt in market.prompts}
    weakest = min(rates, key=rates.__getitem__)
    clean = "Which espresso machine is easy to clean?"
    start = day_of_week(1, today)
    between = day_of_week(4, today)
    after = (datetime.fromisoformat(between) + timedelta(days=1)).date().isoformat()
    return [
        question(
            "Over the last four weeks, on which prompt do we lose most to a rival?",
            ask("get_prompt_results", sort="gap", limit=3),
            words("0/prompts/0/prompt", worst),
        ),
        question(
            f"Over the last four weeks, how often is Kelbrook named for '{clean}', and how often are we?",
            ask("get_prompt_results", limit=100),
            Share(
                f"0/prompts[prompt={clean}]/rivals[name=Kelbrook]/rate",
                market.rate("Kelbrook", AFTER, prompt=clean),
            ),
            Share(f"0/prompts[prompt={clean}]/own/rate", rates[clean]),
        ),
        question(
            "In what share of answers to questions about cost were we named in the last four weeks?",
            ask("get_prompt_results", tag="cost"),
            Share("0/overall/own/rate", market.rate(OWN, AFTER, tag="cost")),
            also="compare_periods",
        ),
        question(
            "How often is Tessaro named in answers to questions about design, last four weeks?",
            ask("get_prompt_results", tag="design", competitor="Tessaro"),
            Share("0/overall/rivals[name=Tessaro]/rate", market.rate("Tessaro", AFTER, tag="design")),
        ),
        question(
            "Are we named more often in the United States or in Germany, over the last four weeks?",
            (ask("get_prompt_results", country="US"), ask("get_prompt_results", country="DE")),
            Share("0/overall/own/rate", market.rate(OWN, AFTER, country="US")),
            Share("1/overall/own/rate", market.rate(OWN, AFTER, country="DE")),
            also="compare_periods get_ai_visibility_score",
        ),
        question(
            "How did Morvani develop: in what share of answers was it named in the last four weeks, and in the four before?",
            (
                ask("get_prompt_results", competitor="Morvani"),
                ask("get_prompt_results", competitor="Morvani", from_=start, to=between),
            ),
            Share("0/overall/rivals[name=Morvani]/rate", market.rate("Morvani", AFTER)),
            Share("1/overall/rivals[name=Morvani]/rate", market.rate("Morvani", BEFORE)),
        ),
        question(
            "How often are we named when buyers compare (intent compare), last four weeks?",
            ask("get_prompt_results", intent="compare"),
            Share("0/overall/own/rate", market.rate(OWN, AFTER, intent="compare")),
            also="compare_periods",
        ),
        question(
            "Which prompt names us least in the last four weeks, and on which topic (tag) is it?",
            ask("get_prompt_results", sort="rate", limit=3),
            words("0/prompts/0/prompt", weakest),
            words("0/prompts/0/tags", market.prompts[weakest].tags[0]),
        ),
        question(
            "In the newest four weeks, how often did Gemini name us?",
            ask("get_prompt_results", platform=GEMINI, from_=after),
            Share("0/overall/own/rate", market.rate(OWN, AFTER, platform=GEMINI)),
            also="compare_periods",
        ),
    ]


def source_questions(market: Market) -> list[AnalystQuestion]:
    cited, instead = market.cited(AFTER), market.cited_instead(AFTER)
    ((first, answers),) = cited.most_common(1)
    ((there, times),) = instead.most_common(1)
    own, journal, fans = (
        f"{name}-synthetic-sample.com" for name in ("zentrix", "kitchenjournal", "morvanifans")
    )
    return [
        question(
            "Which site do engines cite most over the last four weeks, and in what share of answers?",
            ask("get_citations"),
            words("0/citations/0/source", first),
            Share("0/citations/0/share", answers / market.searching(AFTER)),
        ),
        question(
            "In how many answers of the last four weeks is our own site cited?",
            ask("get_citations", owner="own"),
            Count(f"0/citations[source={own}]/answers", cited[own]),
            also="get_prompt_results",
        ),
        question(
            "Which site is cited most where a rival is named instead of us, and in how many answers?",
            ask("get_citations", when="rival_named_instead"),
            words("0/citations/0/source", there),
            Count("0/citations/0/answers", times),
        ),
        question(
            "In how many ChatGPT answers of the last four weeks is kitchenjournal cited?",
            ask("get_citations", platform=CHATGPT, limit=100),
            Count(f"0/citations[source={journal}]/answers", market.cited(AFTER, platform=CHATGPT)[journal]),
        ),
        question(
            "How many answers of the last four weeks that name a rival instead of us cite morvanifans?",
            ask("get_citations", when="rival_named_instead", limit=100),
            Count(f"0/citations[source={fans}]/answers", instead[fans]),
        ),
    ]


def answer_questions(market: Market, today: datetime) -> list[AnalystQuestion]:
    lost = [answer for answer in market.chosen(AFTER) if answer.names and OWN not in answer.names]
    out = [answer for answer in market.answers if not answer.valid]
    silent = [answer for answer in market.chosen(ALL) if not answer.names]
    newest = [answer for answer in market.chosen(NEWEST, platform=PERPLEXITY) if OWN in answer.names][-1]
    return [
        question(
            "How many answers of Gemini were left out of every rate, in the whole history?",
            ask("list_answers", outcome="left_out", platform=GEMINI),
            Count("0/total", sum(answer.platform == GEMINI for answer in out)),
        ),
        question(
            "In how many answers of the last four weeks is only a rival named?",
            ask("list_answers", outcome="rival_instead", from_=day_of_week(5, today)),
            Count("0/total", len(lost)),
            also="get_prompt_results",
        ),
        question(
            "How many answers in the whole history name neither us nor a rival?",
            ask("list_answers", outcome="nobody"),
            Count("0/total", len(silent)),
        ),
        question(
            "Open the newest answer of Perplexity that names us: which maker does it list first?",
            (
                ask("list_answers", platform=PERPLEXITY, outcome="names_us", limit=1),
                ReferenceCall("get_answer", {"answerId": Earlier("0/answers/0/answerId")}),
            ),
            words("1/text", f"1. **{newest.names[0]}**", newest.names[0]),
            also="get_brand_mentions",
        ),
    ]


def change_questions(market: Market, today: datetime) -> list[AnalystQuestion]:
    same = [engine.platform for engine in ENGINES if len({engine.model(week) for week in ALL}) == 1]
    rise, on_cost = market.rise(OWN, same), market.rise(OWN, [CHATGPT], tag="cost")
    weeks = {"from": day_of_week(8, today), "to": day_of_week(8, today)}
    weeks |= {"compareFrom": day_of_week(7, today), "compareTo": day_of_week(7, today)}
    return [
        question(
            "Are we named more often in the last 28 days than in the 28 before: is it real, and by how much?",
            ask("compare_periods", metric="presence"),
            words("0/statement", "rose", "increase", "more often", "grew", "up"),
            Share("0/difference", rise, points=2, tight=0.01, scale=100),
        ),
        question(
            "On ChatGPT, by how much did our share of answers to questions about cost change, last 28 days against the 28 before?",
            ask("compare_periods", metric="presence", tag="cost", platform=CHATGPT),
            Share("0/difference", on_cost, points=2, tight=0.01, scale=100),
            also="get_prompt_results",
        ),
        question(
            "Did our visibility change between the newest measured day and the one a week before it?",
            ReferenceCall("compare_periods", {"brandId": BRAND, **weeks}),
            words(
                "0/statement",
                "no change can be detected",
                "no detectable change",
                "not significant",
                "no real change",
                "no evidence",
            ),
            also="get_ai_visibility_score get_metric_trend",
        ),
    ]


def work_questions(market: Market) -> list[AnalystQuestion]:
    prompts = len(market.prompts)
    preview = ReferenceCall(
        "run_prompt_set",
        {
            "promptSetId": Earlier("0/promptSets/0/promptSetId"),
            "platforms": [PREVIEWED],
            "repeats": 1,
            "preview": True,
        },
    )
    return [
        question(
            "What is the most urgent open action, and what is wrong?",
            ask("list_actions", state="open"),
            words("0/actions/0/title", "founding year"),
            also="list_notifications get_run_status get_dashboard_overview",
        ),
        question(
            "What would asking our buyers' questions once on the engine peer take: how many questions to engines in all?",
            (ReferenceCall("list_prompt_sets"), preview),
            Count("1/asks", prompts),  # the endpoint takes no countries, so each is asked once
        ),
        question(
            "Whom do we compare ourselves with?",
            ask("get_competitors"),
            *(words(f"0/competitors/{place}/name", rival) for place, rival in enumerate(market.rivals)),
            also="get_brand_profile get_brand_snapshot get_competitor_rankings",
        ),
        question(
            "What do our own texts say about how wide the Compact is?",
            ask("search_repository_items", query="Compact"),
            words("0/items/0/body", "18 cm"),
            also="get_repository_items get_brand_snapshot",
        ),
    ]
