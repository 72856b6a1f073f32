"""What an evaluation shows: which questions were answered, and which descriptions of tools mislead a model."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from tests.evals.agent import Attempt


@dataclass(frozen=True, slots=True)
class Misled:
    """A tool that was taken where others answer."""

    taken: str
    instead_of: tuple[str, ...]
    questions: tuple[str, ...]


def misled_choices(attempts: Sequence[Attempt]) -> list[Misled]:
    """Return the tools that were called and cannot answer, those that misled most often first."""
    questions: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
    for attempt in attempts:
        wanted = tuple(dict.fromkeys(call.tool for call in attempt.question.calls))
        for tool in attempt.wrong_tools:
            questions[tool, wanted].append(attempt.question.text)
    rows = [Misled(taken, wanted, tuple(asked)) for (taken, wanted), asked in questions.items()]
    return sorted(rows, key=lambda row: (-len(row.questions), row.taken))


def refused_arguments(attempts: Sequence[Attempt]) -> Counter[tuple[str, str]]:
    """Return how often each tool refused arguments, with its words."""
    return Counter(
        (call.tool, call.refusal)
        for attempt in attempts
        for call in attempt.calls
        if call.refusal is not None
    )


def render(attempts: Sequence[Attempt], engine: str) -> str:
    """Return the report in Markdown."""
    passed = sum(attempt.passed for attempt in attempts)
    calls = sum(len(attempt.calls) for attempt in attempts)
    lines = [
        f"# {passed} of {len(attempts)} questions answered by {engine}",
        "",
        f"{calls} calls; {len(attempts) and calls / len(attempts):.1f} a question.",
    ]
    failed = [attempt for attempt in attempts if not attempt.passed]
    if failed:
        lines += ["", "## Not answered", ""]
    for attempt in failed:
        called = ", ".join(call.tool for call in attempt.calls) or "nothing"
        lines += [f"- {attempt.question.text}", f"  - called: {called}"]
        lines += [f"  - {attempt.failure}"] if attempt.failure else []
        lines += [f"  - lacks {fact}" for fact in attempt.missed if not attempt.failure]
        lines += [f"  - said: {' '.join(attempt.answer.split())[:300]}"] if attempt.answer else []
    choices, refusals = misled_choices(attempts), refused_arguments(attempts)
    if choices:
        lines += ["", "## Descriptions that mislead", ""]
    for row in choices:
        lines += [
            f"- {row.taken} was taken {len(row.questions)} times; {' and '.join(row.instead_of)} answers:"
        ]
        lines += [f"  - {question}" for question in row.questions]
    if refusals:
        lines += ["", "## Refused arguments", ""]
    lines += [f"- {count} times {tool}: {words}" for (tool, words), count in refusals.most_common()]
    return "\n".join(lines) + "\n"
