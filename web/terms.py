"""Terms of the pages, each with what it means, how it is made, and how it is not to be read."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """One term for a popover: its name and three sentences."""

    name: str
    meaning: str
    making: str
    misreading: str


TERMS: Mapping[str, Term] = {
    "score": Term(
        "Visibility score",
        "How visible the brand is in answers of AI engines, from 0 to 100.",
        "Mention rate counts half; how early it is named and citations of own sites a quarter each. Prompts that name "
        "the brand do not count. Without a known site, citations drop out.",
        "It is neither a market share nor a rank. Compare two brands only on the same prompts.",
    ),
    "named": Term(
        "Mention rate",
        "The share of answers that mention the brand at least once.",
        "Answers that mention it, divided by all counted answers: not declined by the engine, not cut off, and to a "
        "prompt that does not name the brand.",
        "A mention is not a recommendation. Check recommendations and rank too.",
    ),
    "share_of_voice": Term(
        "Share of voice",
        "How much of the naming is the brand's: its part of all mentions of the brand and its tracked competitors.",
        "Answers that name the brand, divided by the sum of answers that name each of them.",
        "It covers tracked competitors only. Adding a competitor lowers it, even though no answer changed.",
    ),
    "rank": Term(
        "Average rank",
        "The place at which answers name the brand where they rank: 1 is the first.",
        "The mean over the answers that have the brand in a ranked list or say its place.",
        "Answers that do not name the brand are not in it: a rank can rise while fewer answers name the brand.",
    ),
    "own_citations": Term(
        "Citation rate",
        "The share of answers that give a page of the brand's own sites as a source.",
        "Answers that name the brand and cite such a page, divided by all whose sources are known.",
        "A citation is no visit, and says nothing of what the page is cited for.",
    ),
    "recommendations": Term(
        "Recommended",
        "How many of the judged mentions recommend the brand.",
        "An engine reads answers that mention the brand and quotes the words that decide. A verdict whose quote is not "
        "in the answer is discarded.",
        "It covers judged mentions only. Without a judge nothing is known, which is not 0%.",
    ),
    "interval": Term(
        "95% confidence interval",
        "The range that holds the figure 19 times out of 20, because engines answer differently each time.",
        "The thick bar or inner band is for asking the same prompts again. The thin bar or outer band is for asking "
        "all similar prompts.",
        "Overlapping intervals do not prove that nothing changed. The verdict has its own test.",
    ),
    "verdict": Term(
        "Verdict",
        "Whether a figure changed between two periods: rose, fell, no detectable change, or not comparable.",
        "The same prompts on the same engines are compared pair by pair, corrected for testing several figures at "
        "once.",
        "No detectable change does not mean unchanged. A small change can hide in the variation of the answers.",
    ),
    "outcome": Term(
        "Win, tie and loss",
        "Which brand more answers to a prompt mention, beyond chance: ours, the strongest competitor, or neither.",
        "Both are counted in the same answers; the 95% confidence interval of the difference decides.",
        "With few answers most prompts are a tie, because the difference can be chance.",
    ),
    "gain": Term(
        "Expected gain",
        "How many points the score would rise if this prompt did as well as the best ones with the same tag.",
        "The distance to those prompts on the same engine, with its 95% confidence interval.",
        "It is the potential, not a promise.",
    ),
    "source_share": Term(
        "Share of a source",
        "The share of answers with known sources that cite this site or page.",
        "Answers that cite it, divided by all answers of the view with known sources.",
        "Engines that answer from memory cite nothing and are excluded.",
    ),
}
