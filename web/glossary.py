"""The words that pages put for what the tools answer; a number stays what it is."""

from collections.abc import Mapping

VERDICTS: Mapping[str, str] = {
    "changed": "changed",
    "changed_if_missing_are_alike": "changed among the answers received",
    "no_detectable_change": "no detectable change",
    "not_comparable": "not comparable",
}
STATUSES: Mapping[str, str] = {
    "measured": "measured",
    "insufficient_data": "not enough data yet",
    "not_measured": "not measured",
    "no_data": "no data",
}
REASONS: Mapping[str, str] = {
    "never_measured": "never measured",
    "headline_unchanged": "not tested, since the score shows no change",
    "too_few_prompts": "too few prompts on both sides",
    "no_valid_answer": "no engine gave a valid answer",
    "no_earlier_calculation": "there is no earlier measurement to compare with",
}
PLATFORMS: Mapping[str, str] = {
    "chatgpt": "ChatGPT",
    "claude": "Claude",
    "gemini": "Gemini",
    "perplexity": "Perplexity",
    "grok": "Grok",
    "local": "Local demo model",
}
LEFT_OUT: Mapping[str, str] = {
    "refused": "the engine refused to answer",
    "empty": "it is empty",
    "not_grounded": "it was asked with web search and searched nothing",
    "truncated": "it was cut off",
    "branded_prompt": "the question names the brand",
    "custom_query": "it answers a single question outside of any set",
    "unpublished_batch": "its measurement did not end",
    "not_read_yet": "it was not read yet",
}
EVIDENCE: Mapping[str, str] = {
    "answer": "An engine answered",
    "profile": "Your profile says",
    "repository_item": "Your repository has",
    "fact": "Your profile says",
    "prompt": "Buyers ask",
    "competitors": "Named instead",
}


def verdict_words(verdict: str) -> str:
    """Return a verdict on change in words."""
    return VERDICTS.get(verdict, plain(verdict))


def status_words(status: str) -> str:
    """Return a status in words."""
    return STATUSES.get(status, plain(status))


def reason_words(reason: str | None) -> str:
    """Return why something is missing, in words."""
    return "" if reason is None else REASONS.get(reason, plain(reason))


def evidence_words(kind: str | None) -> str:
    """Return whose words a piece of evidence is; a page needs none, its address stands beside it."""
    return EVIDENCE.get(kind or "", "")


def left_out_words(reason: str) -> str:
    """Return why no rate counts an answer, in words."""
    return LEFT_OUT.get(reason, plain(reason))


def platform_name(platform: str) -> str:
    """Return a platform as its maker writes it."""
    return PLATFORMS.get(platform, platform)


def score_words(value: float | None) -> str:
    """Return a score with its one decimal, or a dash for one that was not measured."""
    return "–" if value is None else f"{value:.1f}"


def percent(value: float | None) -> str:
    """Return a share from 0 to 1 as a percentage."""
    return "–" if value is None else f"{100 * value:.0f} %"


def plain(identifier: str) -> str:
    """Return an identifier of the interface as words."""
    return identifier.replace("_", " ")
