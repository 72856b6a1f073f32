"""Who shares a place, in prose of many languages and in lists that leave numbers out."""

import pytest

from analytics.answers.ranks import list_ranks
from analytics.matching.aliases import Alias, Entity
from analytics.matching.mentions import Matcher
from tests.analytics.three_makers import NAMES, ranks


@pytest.mark.parametrize(
    "text",
    [
        "Kelvista and Brantho are tied for first place, Nuvelle comes third.",
        "Kelvista and Brantho are tied for first place, while Nuvelle bears the weight of an old app, which puts it third.",
        "Kelvista and Brantho tie for first, and Nuvelle is third.",
        "Joint first are Kelvista and Brantho; Nuvelle is third.",
        "Kelvista und Brantho teilen sich den ersten Platz, Nuvelle liegt auf Platz drei.",
        "Auf Platz 1 liegen gleichauf Kelvista und Brantho, auf Platz 3 folgt Nuvelle.",
        "Kelvista et Brantho se partagent la première place, Nuvelle est troisième.",
        "Kelvista y Brantho comparten el primer puesto; Nuvelle queda en tercer lugar.",
        "Kelvista e Brantho condividono il primo posto, Nuvelle è al terzo posto.",
        "Kelvista e Brantho dividem o primeiro lugar, e Nuvelle fica em terceiro.",
        "Kelvista en Brantho delen de eerste plaats, Nuvelle staat op de derde plaats.",
        "Kelvista i Brantho dzielą pierwsze miejsce, a Nuvelle jest na trzecim miejscu.",
        "Kelvista и Brantho делят первое место, Nuvelle — на третьем месте.",
        "Kelvista ve Brantho birinciliği paylaşıyor, Nuvelle üçüncü sırada.",
        "KelvistaとBranthoが同率1位、Nuvelleが3位です。",
        "Kelvista和Brantho并列第一名，Nuvelle排名第三。",
        "Kelvista와 Brantho가 공동 1위이고, Nuvelle는 3위입니다.",
        "Kelvista و Brantho يتقاسمان المركز الأول، وفي المركز الثالث Nuvelle.",
        "Kelvista और Brantho संयुक्त रूप से पहले स्थान पर हैं, Nuvelle तीसरे स्थान पर।",
    ],
)
def test_two_names_that_share_the_first_place_both_have_it(text: str) -> None:
    assert ranks(text) == {"Kelvista": 1, "Brantho": 1, "Nuvelle": 3}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Kelvista is first; Brantho and Nuvelle share second place.", (1, 2, 2)),
        ("Kelvista is number one, and Brantho and Nuvelle are tied for second.", (1, 2, 2)),
        ("Kelvista, Brantho and Nuvelle all tie for first place.", (1, 1, 1)),
        ("Kelvista and Brantho tie for first. Nuvelle comes third.", (1, 1, 3)),
    ],
)
def test_names_that_share_a_place_count_on_with_the_others(text: str, expected: tuple[int, ...]) -> None:
    assert ranks(text) == dict(zip(NAMES, expected, strict=True))


@pytest.mark.parametrize(
    "text",
    [
        "**1. Kelvista** – best\n**2. Brantho** and **Nuvelle** *(tie)* – good\n**4. Other** – old",
        "**1. Kelvista** – best\n\n**2. Brantho** and **Nuvelle** *(tie)* – good\n\n**4. Other** – old",
        "### 1. Kelvista\n\n### 2. Brantho and Nuvelle (tie)\n\n### 4. Other",
        "1. Kelvista\n2. Brantho and Nuvelle (tie)\n4. Other",
        "🥇 Kelvista\n🥈 Brantho und Nuvelle (geteilt)",
        "#1 Kelvista\n#2 Brantho and Nuvelle (tied)\n#4 Other",
    ],
)
def test_a_list_that_leaves_a_number_out_behind_a_shared_place_goes_on(text: str) -> None:
    matcher = Matcher([Entity(name, (Alias(name),)) for name in (*NAMES, "Other")])
    expected = {"Kelvista": 1, "Brantho": 2, "Nuvelle": 2} | ({"Other": 4} if "Other" in text else {})
    assert list_ranks(text, matcher.find(text)) == expected


def test_names_that_share_something_else_share_no_place() -> None:
    assert ranks("Kelvista and Brantho share a parent company, and Nuvelle sells second-hand parts.") == {}
    assert ranks("Kelvista and Brantho share the same app. Nuvelle has its own.") == {}


@pytest.mark.parametrize(
    "text",
    [
        "Kelvista comes first, Brantho second, and Nuvelle bears the weight of an ageing app, which puts it third.",
        "Kelvista comes first, Brantho second, and Nuvelle raised its prices, leaving it in third place.",
        "Kelvista liegt auf Platz eins, Brantho auf Platz zwei, und Nuvelle hat eine alte App, was es auf Platz drei bringt.",
        "Kelvista est premier, Brantho deuxième, et Nuvelle souffre d'une vieille application, ce qui le place en troisième position.",
        "Kelvista es el primero, Brantho el segundo, y Nuvelle tiene una app antigua, lo que lo deja en tercer lugar.",
        "Kelvista è al primo posto, Brantho al secondo, e Nuvelle ha una app vecchia, il che lo mette al terzo posto.",
        "Kelvista staat op de eerste plaats, Brantho op de tweede, en Nuvelle heeft een oude app, wat het op de derde plaats zet.",
    ],
)
def test_a_place_that_a_remark_gives_is_that_of_the_name_before_it(text: str) -> None:
    assert ranks(text) == {"Kelvista": 1, "Brantho": 2, "Nuvelle": 3}
