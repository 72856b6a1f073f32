import pytest

from analytics.answers.rank_structures import ranked_structures
from analytics.answers.ranks import list_ranks
from analytics.matching.aliases import Alias, Entity
from analytics.matching.mentions import Matcher

MATCHER = Matcher([Entity(name, (Alias(name),)) for name in ("Acme", "Bravo", "Charlie", "Delta")])


def ranks(text: str) -> dict[str, int]:
    return list_ranks(text, MATCHER.find(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "1. **Acme Auto** – great\n   - Also owns Bravo\n2. Charlie Motors: cheap",
            {"Acme": 1, "Charlie": 2},
        ),
        ("Here you go:\n1) Bravo\n2) Acme (since 1974)", {"Bravo": 1, "Acme": 2}),
        ("1. Bravo\n\nSome text.\n\n2. Delta\n\nMore text.\n\n3. Acme", {"Bravo": 1, "Delta": 2, "Acme": 3}),
        ("### 1. Bravo\ntext\n\n### 2. Acme\ntext", {"Bravo": 1, "Acme": 2}),
        ("**1. Bravo**: good\n\n**2. Acme**: ok", {"Bravo": 1, "Acme": 2}),
        ("| Rank | Dealer |\n|---|---|\n| 1 | Delta |\n| 2 | Acme |", {"Delta": 1, "Acme": 2}),
        ("- Acme\n- Bravo", {}),
        ("Acme leads. Bravo follows.", {}),
        ("1. Check the price\n2. Ask whether Acme is open on a Sunday in your town before you go", {}),
    ],
)
def test_an_answer_ranks_exactly_the_worked_entities(text: str, expected: dict[str, int]) -> None:
    assert ranks(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3. Bravo\n2. Acme\n1. Delta", {"Bravo": 3, "Acme": 2, "Delta": 1}),
        ("3. Bravo\n\nText.\n\n2. Acme\n\nText.\n\n1. Delta", {"Bravo": 3, "Acme": 2, "Delta": 1}),
        ("4. Bravo\n5. Acme", {"Bravo": 1, "Acme": 2}),
        ("1. Bravo\n1. Acme\n1. Delta", {"Bravo": 1, "Acme": 2, "Delta": 3}),
        ("Ask ① Bravo ② Acme about it", {"Bravo": 1, "Acme": 2}),
        ("1. Acme", {}),
        ("### 3. Bravo\n\n### 2. Acme\n\n### 1. Delta", {"Bravo": 3, "Acme": 2, "Delta": 1}),
        ("| Rank | Dealer |\n|--|--|\n| 2 | Delta |\n| 1 | Acme |", {"Delta": 2, "Acme": 1}),
        ("No. | Händler\n--|--\n1 | Delta\n2 | Acme, near Bravo", {"Delta": 1, "Acme": 2, "Bravo": 2}),
        ("| Dealer | Rank |\n|---|---|\n| Acme | 1 |\n| Delta | 2 |", {}),
        ("1. Tips\n2. Tricks\n\n## Dealers\n\n1. Bravo\n2. Acme", {"Bravo": 1, "Acme": 2}),
        ("1. Tips about Acme\n2. Tricks\n\n### 1. Bravo\n\n### 2. Acme", {"Acme": 2, "Bravo": 1}),
        ("1. [Acme](https://acme.com/a-b:c) is good\n2. [Bravo](https://b.com) too", {"Acme": 1, "Bravo": 2}),
        ("1. ### Bravo\n2. ### Acme", {"Bravo": 1, "Acme": 2}),
        ("1. - Bravo\n2. - Acme", {}),
        ("1.\n   Bravo\n2.\n   Acme", {"Bravo": 1, "Acme": 2}),
        ("> 1. Bravo\n> 2. Acme", {}),
        ("```\n1. Bravo\n2. Acme\n```", {}),
        ("1. Bravo\r\n2. Acme\r\n", {"Bravo": 1, "Acme": 2}),
        ("1. Bravo\r2. Acme\r", {"Bravo": 1, "Acme": 2}),
        ("### **1. Bravo** – the **Delta** rival\n\n### **2. Acme**", {"Bravo": 1, "Acme": 2}),
        ("1. Bravo：比 Delta 好\n2. Acme（比 Charlie 好）", {"Bravo": 1, "Acme": 2}),
        ("1. Bravo — ahead of Delta\n2. Acme — behind it", {"Bravo": 1, "Acme": 2}),
        ("1. I have never heard of Acme\n2. Bravo", {"Bravo": 2}),
        ("1. Bravo\n2. (tie) Acme\n2. (tie) Delta", {"Bravo": 1, "Acme": 2, "Delta": 2}),
        ("1. **(tie) Bravo and Acme** lead\n3. **Charlie**", {"Bravo": 1, "Acme": 1, "Charlie": 3}),
        ("1. (Optional) Install Acme.\n2. (Optional) Open Bravo.", {}),
        ("1. **Best overall — Bravo**\n1. **Best free — Acme**", {"Bravo": 1, "Acme": 2}),
        ("【1位】Bravo\n【2位】Acme", {"Bravo": 1, "Acme": 2}),
        ("🏆 Bravo\n🏆 Acme", {}),
        ("My favourite is Bravo.\n\n1. Other\n2. Acme", {"Acme": 2}),
    ],
)
def test_a_rank_is_the_place_in_the_first_structure_that_names_it(
    text: str, expected: dict[str, int]
) -> None:
    assert ranks(text) == expected


def test_a_text_without_numbers_or_columns_ranks_no_one() -> None:
    text = "# Title\n\n- Acme\n- Bravo\n\nIn 2024, a | b. It costs 3.50."
    assert ranked_structures(text) == []


def test_a_list_that_continues_medals_keeps_its_numbers() -> None:
    medals = "🥇 Bravo\n🥈 Acme\n🥉 Delta\n\n"
    assert ranks(f"{medals}4. Charlie is the rest\n5. Somebody") == {
        "Bravo": 1,
        "Acme": 2,
        "Delta": 3,
        "Charlie": 4,
    }


@pytest.mark.parametrize(
    "text",
    [
        "Bravo ranks first, with Acme in second place.",
        "My favourite is Bravo. The second is Acme, and third comes Delta.",
        "Auf dem ersten Platz liegt Acme, auf dem zweiten Bravo.",
        "In this order: Acme, Bravo and Charlie. Acme > Bravo > Charlie",
        "Acme takes gold, Bravo silver and Charlie bronze.",
    ],
)
def test_running_prose_ranks_no_one(text: str) -> None:
    assert ranks(text) == {}


@pytest.mark.parametrize(
    "text",
    [
        "**1. Acme** – best\n**2. Bravo** and **Charlie** *(tie)* – good\n**4. Delta** – old",
        "### 1. Acme\n\n### 2. Bravo and Charlie (tie)\n\n### 4. Delta",
        "1. Acme\n2. Bravo and Charlie (tie)\n4. Delta",
        "#1 Acme\n#2 Bravo and Charlie (tied)\n#4 Delta",
    ],
)
def test_a_list_that_skips_a_number_after_a_tie_goes_on(text: str) -> None:
    assert ranks(text) == {"Acme": 1, "Bravo": 2, "Charlie": 2, "Delta": 4}
