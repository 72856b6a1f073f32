"""Which names a set of answers suggests as competitors, and which it must not."""

import pytest

from analytics.discovery import CompetitorCandidate, DiscoveryAnswer, discover
from analytics.matching.aliases import Alias, Entity
from analytics.matching.mentions import Matcher

TRACKED = Matcher(
    [
        Entity("brand", (Alias("Acme"),), negative_terms=("Acme Rockets",)),
        Entity("rival", (Alias("Globex"),)),
    ]
)
PROMPTS = ("Where do I buy shoes?", "Who repairs boots?", "Which laces last?")


def answers(text: str, prompts: tuple[str, ...] = PROMPTS, platform: str = "one") -> list[DiscoveryAnswer]:
    return [
        DiscoveryAnswer(f"{platform}-{number}", prompt, platform, text, "Acme" in text)
        for number, prompt in enumerate(prompts)
    ]


def names(text: str) -> list[str]:
    return [candidate.name for candidate in discover(answers(text), TRACKED)]


def test_a_name_needs_ranked_lists_in_answers_to_three_prompts() -> None:
    text = "1. **Acme** leads\n2. **Contoso** follows\n3. Globex"
    twice = answers(text, PROMPTS[:2]) * 5
    assert discover(twice, TRACKED) == ()
    (candidates,) = discover([*answers(text, PROMPTS[2:], "two"), *twice], TRACKED)
    assert (candidates.name, candidates.prompts, candidates.answers, candidates.beside) == (
        "Contoso",
        3,
        11,
        11,
    )
    assert candidates.platforms == ("one", "two")
    assert [evidence.prompt for evidence in candidates.evidence] == [PROMPTS[2], PROMPTS[0], PROMPTS[1]]
    assert {evidence.quote for evidence in candidates.evidence} == {"**Contoso** follows"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Contoso is better than Acme. I like Contoso.", []),
        ("- Contoso\n- Fabrikam", []),
        ("1. Contoso", []),
        ("1. Acme Store\n2. Globex Outlet", []),
        ("1. Glob-Ex\n2. Fabrikam", ["Fabrikam"]),
        ("1. Acme Rockets\n2. Fabrikam", ["Fabrikam"]),
        ("1. Contoso™: good\n2. [Fabrikam](https://fabrikam.example/a) – bad", ["Contoso", "Fabrikam"]),
        ("### 1. eBay\nx\n\n### 2. O'Reilly & Sons\ny", ["eBay", "O'Reilly & Sons"]),
        (
            "| Rank | Shop |\n|--|--|\n| 1 | House of Boots |\n| 2 | Cars.com |",
            ["Cars.com", "House of Boots"],
        ),
        (
            '1. \ue200entity\ue202["company","Contoso",0]\ue201 \ue200cite\ue202turn0search0\ue201\n2. **Fabrikam**',
            ["Contoso", "Fabrikam"],
        ),
        ("1. 靴の店\n2. 丰田", ["丰田", "靴の店"]),
        ("1. Check the price\n2. look around", []),
        ("1. of\n2. 24/7", []),
        ("1. https://contoso.example\n2. info@contoso.example", []),
        ("1. Contoso and its many friends in the whole wide world\n2. A", []),
    ],
)
def test_heads_of_ranked_lists_are_names_or_are_left_out(text: str, expected: list[str]) -> None:
    assert sorted(names(text)) == sorted(expected)


def test_ordinary_capitalized_words_need_sentences_that_use_them_as_names() -> None:
    advice = "1. Check Reviews\n2. Best Buy\n\nYou should check what others say in reviews before you buy the best."
    assert names(advice) == []
    assert names(f"{advice} Shops like Best Buy help.") == ["Best Buy"]
    price = "1. Price\n2. Contoso\n\nThe price matters, and at Price it is low."
    assert names(price) == ["Contoso"]


def test_spellings_of_a_name_are_one_suggestion() -> None:
    dashed, spaced = answers("1. Con-Toso\n2. Acme"), answers("1. CON TOSO\n2. Acme", PROMPTS[:2])
    (candidates,) = discover([*dashed, *spaced], TRACKED)
    assert (candidates.name, candidates.answers) == ("Con-Toso", 5)
    once = discover(answers("1. Contoso\n2. CONTOSO\n3. Contoso"), TRACKED)
    assert [candidate.answers for candidate in once] == [3], (
        "an answer counts once however often it lists a name"
    )


def test_a_name_that_the_prompt_says_does_not_count_on_that_prompt() -> None:
    prompts = ("Is Contoso good?", *PROMPTS[:2])
    assert discover(answers("1. Contoso\n2. Acme", prompts), TRACKED) == ()


def test_the_order_of_answers_changes_only_which_evidence_comes_first() -> None:
    def counts(found: tuple[CompetitorCandidate, ...]) -> list[tuple[str, int, int, int]]:
        return [(one.name, one.answers, one.prompts, one.beside) for one in found]

    seen = [*answers("1. Contoso\n2. Fabrikam"), *answers("1. Acme\n2. Fabrikam", PROMPTS, "two")]
    assert counts(discover(seen, TRACKED)) == counts(discover(seen[::-1], TRACKED))
    assert counts(discover(seen, TRACKED)) == [("Fabrikam", 6, 3, 3), ("Contoso", 3, 3, 0)]
