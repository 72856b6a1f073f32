"""Decides whether a text is English, by its function words."""

import re
from types import MappingProxyType

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_FEWEST_WORDS = 12
_LEAST_SHARE = 0.10
_LEAST_LEAD = 2

_LISTS = {
    "en": ("the of and to in is that for it with as are was be this by on not or from at their an have you"),
    "de": (
        "der die das und ist nicht ein eine zu den mit von für auf im dem des sich auch "
        "wird sind bei oder als"
    ),
    "fr": (
        "le la les de des du et est un une dans pour que qui sur avec par ce pas au aux en sont plus vous"
    ),
    "es": ("el la los las de del y es un una en para que por con se no su al lo como más son o"),
    "it": ("il lo la i gli le di del della e è un una in per che con non si da sono come più o anche"),
    "nl": ("de het een en van is in op te dat die voor met niet zijn aan er ook als bij of door naar om"),
    "pt": ("o a os as de do da dos e é um uma em para que por com não se no na mais são ou como"),
}
FUNCTION_WORDS = MappingProxyType({language: frozenset(words.split()) for language, words in _LISTS.items()})


def is_english(text: str, prompt_language: str | None = None) -> bool:
    """Whether a text reads as English.

    At least a tenth of its words are English function words, and at least twice as many as in the next of
    German, French, Spanish, Italian, Dutch and Portuguese. Under 12 words the language tag of the prompt
    decides; without one a short text is not taken for English.
    """
    words = [word.casefold() for word in _WORD.findall(text)]
    if len(words) < _FEWEST_WORDS:
        return (
            prompt_language is not None and prompt_language.casefold().replace("_", "-").split("-")[0] == "en"
        )
    counts = {language: sum(word in listed for word in words) for language, listed in FUNCTION_WORDS.items()}
    english = counts.pop("en")
    return english >= _LEAST_SHARE * len(words) and english >= _LEAST_LEAD * max(counts.values())
