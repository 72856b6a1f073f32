"""Why a monitor saw nothing, in words of ours."""

from collections.abc import Mapping

from readiness.fetching.sentences import SENTENCES

WORDS: Mapping[str, str] = {
    "no_website": "The brand's profile has neither a website nor a domain. Add one.",
    "no_answers": "No prompt of a prompt set has an answer of the last 28 days. Measure the brand first.",
    "no_repository": "The repository has no item to compare with. Import what the brand publishes.",
    "internal_error": "The monitor failed for a defect of the service. Tell the operator.",
    "refused_url": "The address of the site is not one that is visited. Check the profile.",
}
REASONS = {reason.value: sentence for reason, sentence in SENTENCES.items()}


def trouble(code: str) -> str:
    """Return the sentence for the code of an error or a skip."""
    if code in WORDS:
        return WORDS[code]
    sentence = REASONS.get(code, "the site could not be seen")
    return f"{sentence[:1].upper()}{sentence[1:]}. What is open stays as it is."
