import pytest

from analytics.answers.tone import tones
from analytics.matching.aliases import Alias, Entity
from analytics.matching.mentions import Matcher
from analytics.text.language import FUNCTION_WORDS, is_english
from analytics.text.sentences import Sentences

MATCHER = Matcher([Entity(name, (Alias(name),)) for name in ("Acme", "Bravo")])


def labels(text: str, language: str | None) -> dict[str, str]:
    return {name: tone.label.value for name, tone in tones(text, MATCHER.find(text), language).items()}


def clause(text: str, name: str) -> str:
    start = text.index(name)
    return text[slice(*Sentences(text).clause(start, start + len(name)))]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Acme is not recommended; choose Bravo instead.", "en", {"Acme": "negative", "Bravo": "neutral"}),
        ("Bravo is good but Acme has terrible support.", "en", {"Bravo": "positive", "Acme": "negative"}),
        (
            "Acme is reliable and offers excellent service. Bravo is slow.",
            "en-US",
            {"Acme": "positive", "Bravo": "neutral"},
        ),
        ("Acme wird für seinen hervorragenden Service gelobt.", "de", {"Acme": "not_judged"}),
        ("Acme is great.", None, {"Acme": "not_judged"}),
        ("I have never heard of Acme.", "en", {}),
        ("1. **Acme** - a terrible tool with awful support", "en", {"Acme": "negative"}),
        (
            "### Acme\n- great support\n\n### Bravo\n- awful, slow, buggy",
            "en",
            {"Acme": "positive", "Bravo": "negative"},
        ),
        ("- Acme: awful support; Bravo is excellent.", "en", {"Acme": "negative", "Bravo": "positive"}),
        (
            "**Acme Auto** – horrible waiting times.\n\n**Bravo** – lovely people.",
            "en",
            {"Acme": "negative", "Bravo": "positive"},
        ),
        (
            "1. Acme\n   - excellent parts\n2. Bravo\n   - terrible parts",
            "en",
            {"Acme": "positive", "Bravo": "negative"},
        ),
        (
            "| Acme | terrible support |\n|---|---|\n| Bravo | excellent support |",
            "en",
            {"Acme": "negative", "Bravo": "positive"},
        ),
    ],
)
def test_an_answer_has_exactly_the_worked_tone(
    text: str, language: str | None, expected: dict[str, str]
) -> None:
    assert labels(text, language) == expected


@pytest.mark.parametrize(
    ("text", "label"),
    [
        (
            "1. **Acme** – hidden fees, frequent cancellations, and a service that is impossible to reach.",
            "negative",
        ),
        (
            "- **Acme** – pushy upselling, steep renewal prices and a cluttered dashboard. Hard to recommend.",
            "negative",
        ),
        (
            "Acme ranks near the bottom: customers report surprise charges and technicians who never show up.",
            "negative",
        ),
        ("Acme: slow customer service", "negative"),
        ("Acme: no customer support", "negative"),
        ("Acme is easy to install, no contract, well reviewed by three magazines.", "positive"),
        ("Acme is never late, always friendly.", "positive"),
        ("Acme: no hub needed", "neutral"),
        ("Acme goes out of its way to help and earns top marks for its app.", "positive"),
        ("Acme charges by subscription time.", "neutral"),
        ("Acme charges hidden fees.", "negative"),
        ("Acme: the network is too small", "negative"),
        ("Acme: the pick of the bunch", "positive"),
        ("Acme, on the other hand, disappoints.", "negative"),
        ("On the other hand, Acme ships from Utah.", "neutral"),
        ("Acme, by contrast, underwhelms.", "negative"),
        ("Acme is pretty expensive.", "negative"),
        ("Acme sets the standard and runs without a hitch.", "positive"),
        ("Acme lets customers down.", "negative"),
    ],
)
def test_talk_of_products_is_weighed_as_people_mean_it(text: str, label: str) -> None:
    assert labels(text, "en") == {"Acme": label}


def test_a_one_letter_company_takes_no_other_clause_with_it() -> None:
    matcher = Matcher([Entity(name, (Alias(name),)) for name in ("Acme", "Q")])
    text = "### Acme\nQ; the repairs are excellent"
    said = tones(text, matcher.find(text), "en")
    assert said["Acme"].label.value == "positive"


def test_pros_and_cons_without_function_words_take_the_prompt_language() -> None:
    text = "### Acme\n**What we like:** lifetime plans, excellent privacy, smooth media player\n**What we don't:** slow support"
    assert labels(text, "en") == {"Acme": "positive"}


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("Acme is not recommended; choose Bravo instead.", "Acme", "Acme is not recommended"),
        ("Acme is not recommended; choose Bravo instead.", "Bravo", "; choose Bravo"),
        ("Bravo is good but Acme has terrible support.", "Bravo", "Bravo is good"),
        ("Bravo is good but Acme has terrible support.", "Acme", " but Acme has terrible support."),
        ("I like Acme - Bravo less so.", "Acme", "I like Acme"),
        ("I like Acme rather than Bravo.", "Acme", "I like Acme"),
        ("Button-but Acme, rebut Bravo", "Acme", "Button-but Acme, rebut Bravo"),
        ("Costs 3.50 at Acme! Bravo?", "Acme", "Costs 3.50 at Acme!"),
        ("一句。Acme好！", "Acme", "Acme好！"),
    ],
)
def test_a_clause_ends_where_the_rule_says(text: str, name: str, expected: str) -> None:
    assert clause(text, name) == expected


def test_the_tone_of_an_answer_is_the_label_of_the_mean_of_its_clauses() -> None:
    text = "Acme is excellent. Acme is terrible. Acme is fantastic and wonderful."
    parts = [tones(s, MATCHER.find(s), "en")["Acme"].value for s in text.replace(". ", ".|").split("|")]
    assert all(part is not None for part in parts)
    mean = sum(part for part in parts if part is not None) / 3
    assert tones(text, MATCHER.find(text), "en")["Acme"].value == pytest.approx(mean)


@pytest.mark.parametrize("language", list(FUNCTION_WORDS))
def test_each_list_of_function_words_is_of_the_promised_size(language: str) -> None:
    assert 20 <= len(FUNCTION_WORDS[language]) <= 25


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("The best dealer in the city is the one that has the car you want to buy.", True),
        ("Der beste Händler in der Stadt ist der, bei dem man das Auto auch kaufen kann.", False),
        ("Le meilleur concessionnaire de la ville est celui qui vend les voitures que vous aimez.", False),
        ("El mejor concesionario de la ciudad es el que vende los coches que más te gustan.", False),
        ("Il miglior concessionario della città è quello che vende le auto che ti piacciono di più.", False),
        ("De beste dealer van de stad is de zaak die de auto verkoopt die je wilt hebben.", False),
        ("A melhor concessionária da cidade é a que vende os carros que você mais quer comprar.", False),
        ("Toyota Honda Ford Mazda Nissan Kia Seat Skoda Volvo Saab Lada Fiat Opel", False),
    ],
)
def test_the_language_of_a_long_text_comes_from_function_words(text: str, english: bool) -> None:
    assert is_english(text, "en" if not english else "de") is english
