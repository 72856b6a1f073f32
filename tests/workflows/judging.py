"""A second judge for tests: it reads what it is asked and quotes the known line that shares most words with each sentence."""

import json
import re

from analytics.grounding.flattening import flatten, stems

JUDGED = "A draft for the website of"


def is_judging(asked: str) -> bool:
    """Tell whether an ask is the second judge's."""
    return asked.startswith(JUDGED)


def sentences_and_lines(asked: str) -> tuple[list[str], list[str]]:
    """Return the sentences and the known lines of an ask."""
    sentences, lines = re.findall(r"-----\n(.*?)\n-----", asked, re.DOTALL)
    return [re.sub(r"^\d+\. ", "", line) for line in sentences.split("\n")], lines.split("\n")


def judge_well(asked: str) -> str:
    """Answer as a judge does that knows its trade: the best line for each sentence, and no claim where none fits."""
    sentences, lines = sentences_and_lines(asked)
    answer: list[dict[str, object]] = []
    for number, sentence in enumerate(sentences, 1):
        words = stems(flatten(sentence)) | set(re.findall(r"\d+", sentence))
        best = max(
            lines, key=lambda line: len(words & (stems(flatten(line)) | set(re.findall(r"\d+", line))))
        )
        fits = bool(words & (stems(flatten(best)) | set(re.findall(r"\d+", best))))
        answer.append(
            {"n": number, "verdict": "supported" if fits else "no claim", "quote": best if fits else None}
        )
    return json.dumps(answer)
