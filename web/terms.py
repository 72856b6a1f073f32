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
        "Half of it is how often answers name the brand; a fifth each are how far up it stands and how often its own "
        "sites are cited, a tenth is the tone. Questions that name the brand do not count.",
        "It is no market share and no rank, and two brands compare only where the same questions were asked.",
    ),
    "named": Term(
        "Answers that name us",
        "The share of answers in which the brand is named at least once.",
        "Answers in which it is named, divided by all answers that count: not declined by the engine, not cut off, and "
        "to a question that does not name the brand.",
        "Being named is not being recommended: the tone and the place say how.",
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
        "Answers citing our site",
        "The share of answers that give a page of the brand's own sites as a source.",
        "Answers that name the brand and cite such a page, divided by all whose sources are known.",
        "A citation is no visit, and says nothing of what the page is cited for.",
    ),
    "tone": Term(
        "Tone over all answers",
        "How well answers speak of the brand: 100 % would be praise in every answer.",
        "An answer counts 1 where what it says of the brand is positive, a half where it is neutral, nothing where it "
        "is negative or does not name the brand. The small line is the tone of the mentions alone.",
        "It also rises when more answers name the brand. Only answers in English are judged.",
    ),
    "interval": Term(
        "Interval",
        "Where the figure lies 19 times of 20, as engines answer differently each time.",
        "The first one holds for these questions, if they were asked again; the wider one for all questions of the "
        "same kind, of which these are a sample.",
        "Two intervals that overlap do not prove that nothing changed: the verdict has its own test.",
    ),
    "verdict": Term(
        "Verdict",
        "Whether a figure changed between two periods: rose, fell, no detectable change, or not comparable.",
        "The same questions on the same engines are compared pair by pair, with a correction for testing several "
        "figures at once.",
        "No detectable change is not “unchanged”: a small change can hide in the spread of the answers.",
    ),
    "outcome": Term(
        "Win, tie and loss",
        "Who is named in more of the answers to one question: the brand, a competitor, or both alike.",
        "The counts of answers that name each of them, on the same answers.",
        "With few answers a win may turn into a loss when the question is asked again.",
    ),
    "gain": Term(
        "Expected gain",
        "By how many points the score would rise if this question did as well as the best ones with the same tag.",
        "The distance to these questions on the same engine, with its 95 % interval.",
        "It is what there is to win, not a promise that the action wins it.",
    ),
    "source_share": Term(
        "Share of a source",
        "In how many of the answers whose sources are known this site or page is cited.",
        "Answers that cite it, divided by all answers of the view that came with sources.",
        "Engines asked from memory cite nothing and are not in it.",
    ),
}
