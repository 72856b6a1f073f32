"""Scripted engines that write and judge drafts: they read the prompt and answer in its format."""

import json
import re

from analytics.text.sentences import split_sentences
from analytics.text.stems import stems

JUDGED = "You verify a draft for"
WRITTEN = '"sentences": [{"start"'


def is_judging(asked: str) -> bool:
    """Whether a prompt is the judge's."""
    return asked.startswith(JUDGED)


def is_writing(asked: str) -> bool:
    """Whether a prompt asks for a draft that cites facts."""
    return WRITTEN in asked and not is_judging(asked)


def facts_in(asked: str) -> list[str]:
    """The numbered facts of a prompt, in their order."""
    block = re.search(r"The facts \([^)]*\):\n-----\n(.*?)\n-----", asked, re.DOTALL)
    assert block is not None
    return re.findall(r"^\d+\. (.*)$", block[1], re.MULTILINE)


def sentences_in(asked: str) -> list[tuple[int, str]]:
    """The sentences of a judge's prompt with their numbers."""
    block = re.search(r"The sentences \([^)]*\):\n-----\n(.*?)\n-----", asked, re.DOTALL)
    assert block is not None
    return [
        (int(n), text) for n, text in re.findall(r"^(\d+)\. \[cites [^\]]*\] (.*)$", block[1], re.MULTILINE)
    ]


def words_of(text: str) -> frozenset[str]:
    return stems(text) | frozenset(re.findall(r"\d+", text))


def best_fact(sentence: str, facts: list[str]) -> int | None:
    """The number of the fact that shares most words with a sentence, None where none shares any."""
    shared = [len(words_of(sentence) & words_of(fact)) for fact in facts]
    return shared.index(max(shared)) + 1 if max(shared, default=0) else None


def write_cited(asked: str, text: str) -> str:
    """A draft of the sentences of a text, each citing every fact that shares a word with it."""
    facts = facts_in(asked)
    sentences = [
        {
            "start": "next",
            "text": sentence.strip(),
            "facts": [n for n, fact in enumerate(facts, 1) if words_of(sentence) & words_of(fact)],
        }
        for sentence in split_sentences(text)
    ]
    return json.dumps({"sentences": sentences})


def judge_well(asked: str) -> str:
    """Answer as a good judge does: the whole best fact for each sentence, and no claim where none fits."""
    facts = facts_in(asked)
    answer: list[dict[str, object]] = []
    for number, sentence in sentences_in(asked):
        best = best_fact(sentence, facts)
        verdict = "supported" if best else "no claim"
        answer.append(
            {"n": number, "verdict": verdict, "fact": best, "quote": facts[best - 1] if best else None}
        )
    return json.dumps(answer)


def draft_well(asked: str, text: str) -> str:
    """Write a text in the format of drafts, judge well, and answer any other prompt with the text."""
    if is_judging(asked):
        return judge_well(asked)
    return write_cited(asked, text) if is_writing(asked) else text
