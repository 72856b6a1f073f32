"""How fast one core searches answers for names and ranks, beside a loop of compiled regular expressions.

The answers and names are synthetic and seeded: prose, bullets and ranked lists with Markdown, links, citation
marks, some accents and typographic signs, about 2 KB each in UTF-8; one entity per name.
"""

import gc
import random
import re
import time
from dataclasses import dataclass

from analytics.answers.ranks import list_ranks
from analytics.matching.aliases import Alias, Entity
from analytics.matching.mentions import Matcher
from bench import evaluation

ANSWERS = 4_000
NAMES = 1_000
GOAL, STARTUP_GOAL = 8.0, 0.05
"""Megabytes a second, and seconds to build the matcher."""
BASELINE_ANSWERS = 50
_SIZE = 2_048
_CONSONANTS = ("b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "tr", "st", "kl", "ph")
_VOWELS = ("a", "e", "i", "o", "u", "an", "er", "in", "ol")
_KINDS = ("Motors", "Auto", "Group", "& Sons", "Cars", "GmbH")
_PROSE = """
the a dealer service price offers reliable customers in city is are with good cars and warranty for you can of
find best options consider reviews however often local models range from support electric budget while many to
its has it’s café – “value” 2024 around 3.5 not known, which includes financing; maintenance used new
"""
_WORDS = _PROSE.split()


@dataclass(frozen=True, slots=True)
class Throughput:
    """Megabytes (10^6 bytes of UTF-8) per second of processor time, of two ways to search the same text.

    `startup` is the processor time in seconds that building the matcher takes.
    """

    startup: float
    extraction: float
    baseline: float
    mentions: int
    ranks: int


def names(rng: random.Random, count: int = NAMES) -> list[str]:
    """Distinct invented names, a third of them of two words."""
    found: set[str] = set()
    while len(found) < count:
        syllables = (rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(rng.randint(2, 4)))
        name = "".join(syllables).capitalize()
        found.add(f"{name} {rng.choice(_KINDS)}" if rng.random() < 1 / 3 else name)
    return sorted(found)


def answer(rng: random.Random, known: list[str]) -> str:
    """One synthetic answer of about 2 KB that names up to a dozen of the names."""
    form = rng.choice(("prose", "prose", "bullets", "ranked"))
    parts: list[str] = []
    size = 0
    while size < _SIZE:
        name = rng.choice(known)
        part = _item(rng, name, len(parts) + 1, form) if form != "prose" else sentence(rng, name, 0.4)
        parts.append(part)
        size += len(part.encode()) + 2
    return ("\n" if form == "ranked" else "\n\n" if form == "bullets" else " ").join(parts)


def sentence(rng: random.Random, name: str, share: float) -> str:
    """One sentence that holds the name with this probability, in one of its forms."""
    words: list[str] = rng.choices(_WORDS, k=rng.randint(8, 20))
    if rng.random() < share:
        words.insert(rng.randrange(len(words)), rng.choice((name, f"**{name}**", f"{name}’s")))
    end = rng.choice((".", ".", ".", " [1].", " ([source](https://www.example.com/a?utm_source=openai))."))
    words[0] = words[0][0].upper() + words[0][1:]
    return " ".join(words) + end


def _item(rng: random.Random, name: str, number: int, form: str) -> str:
    marker = f"{number}." if form == "ranked" else "-"
    return f"{marker} **{name}** – " + " ".join(sentence(rng, name, 0.1) for _ in range(2))


def measure(answers: int = ANSWERS, seed: int = 7) -> Throughput:
    """Time both over freshly made answers; the baseline over the first of them only, as it is slow."""
    rng = random.Random(seed)
    known = names(rng)
    texts = [answer(rng, known) for _ in range(answers)]
    entities = [Entity(name, (Alias(name),)) for name in known]
    Matcher(entities[:1])
    gc.collect()  # else the first collection of all that was imported falls into what is timed
    began = time.process_time()
    matcher = Matcher(entities)
    startup = time.process_time() - began
    matcher.find(texts[0])
    found = ranked = 0
    began = time.process_time()
    for text in texts:
        mentions = matcher.find(text)
        found += len(mentions)
        ranked += len(list_ranks(text, mentions))
    spent = time.process_time() - began
    few = texts[:BASELINE_ANSWERS]
    return Throughput(
        startup, _megabytes(texts) / spent, _megabytes(few) / _baseline(few, known), found, ranked
    )


def _baseline(texts: list[str], known: list[str]) -> float:
    patterns = [re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE) for name in known]
    began = time.process_time()
    for text in texts:
        for pattern in patterns:
            pattern.search(text)
    return time.process_time() - began


def _megabytes(texts: list[str]) -> float:
    return sum(len(text.encode()) for text in texts) / 1e6


def run() -> Throughput:
    """Measure and print."""
    result = measure()
    print(f"extraction of {ANSWERS:,} synthetic seeded answers of 2 KB against {NAMES:,} names, one core")
    print(f"  blanking, folding, matching, ranks   {result.extraction:8.2f} MB/s (goal {GOAL:.0f})")
    print(
        f"  building the matcher                 {result.startup * 1e3:8.1f} ms (goal {STARTUP_GOAL * 1e3:.0f})"
    )
    print(f"  compiled expressions in a loop       {result.baseline:8.2f} MB/s ({BASELINE_ANSWERS} answers)")
    print(f"  {result.mentions:,} mentions, {result.ranks:,} ranks")
    evaluation.run()
    return result


def main() -> None:
    """Entry point of `python -m bench.extraction`."""
    run()


if __name__ == "__main__":
    main()
