"""Three invented makers, and the places that a text gives them."""

from analytics.answers.ranks import list_ranks
from analytics.matching.aliases import Alias, Entity
from analytics.matching.mentions import Matcher

NAMES = ("Kelvista", "Brantho", "Nuvelle")
MATCHER = Matcher([Entity(name, (Alias(name),)) for name in NAMES])


def ranks(text: str, language: str | None = None) -> dict[str, int]:
    """Return the place of each maker that a text ranks."""
    return list_ranks(text, MATCHER.find(text, prompt_language=language))
