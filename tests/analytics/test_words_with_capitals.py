"""Common words that a text writes with a capital name nobody, and firms among each other keep theirs."""

import pytest

from analytics.matching.aliases import Alias, Entity
from analytics.matching.mentions import Matcher, MentionStatus
from analytics.text.language import detect


def counted(text: str, *names: str) -> set[str]:
    mentions = Matcher([Entity(name, (Alias(name),)) for name in names]).find(text)
    return {mention.entity_id for mention in mentions if mention.status is MentionStatus.COUNTED}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "Hollow out one large Apple and set a tealight inside. Crack one Shell open; a small Dove on a wire adds height.",
            ("Apple", "Shell", "Dove"),
        ),
        ("Fill it with Orange, trace the Shell of a snail and print it as a Target.", ("Orange", "Shell", "Target")),
        (
            "Cut a Target out of cardboard, add one big Shell on top and leave the border in Orange.",
            ("Target", "Shell", "Orange"),
        ),
        (
            "For the still life, place one Apple beside the Shell, and let Orange be the only bright thing.",
            ("Apple", "Shell", "Orange"),
        ),
        ("Carve one Apple for the table.", ("Apple",)),
        ("Fold a paper Dove and hang it on a string.", ("Dove",)),
        ("Paint the wall in Orange and let it dry.", ("Orange",)),
    ],
)  # fmt: skip
def test_words_that_count_things_name_nobody_though_they_have_capitals(
    text: str, names: tuple[str, ...]
) -> None:
    assert counted(text, *names) == set()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I bought it at Target, paid at Shell and left it at Apple.", ("Target", "Shell", "Apple")),
        (
            "Apple is the best. The Target app is fine, and a Shell station is near.",
            ("Apple", "Target", "Shell"),
        ),
        ("There is a Target near you, but Shell has the cheaper petrol.", ("Shell",)),
    ],
)
def test_firms_are_named_where_not_all_the_others_are_things(text: str, names: tuple[str, ...]) -> None:
    assert counted(text, *names) == set(names)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Set a tealight inside, scatter a few walnuts for contrast and a wire for height.", "en"),
        ("Il y a une boutique à Lyon, elle a un site et le service est bon.", "fr"),
        ("Voy a Madrid a ver a Juan con su hermana y los niños.", "es"),
        ("Ela foi a Lisboa e a Porto com a mãe, mas não gostou.", "pt"),
    ],
)
def test_the_word_a_tells_no_language_from_another(text: str, language: str) -> None:
    assert detect(text) == language
