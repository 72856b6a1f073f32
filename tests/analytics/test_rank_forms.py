from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.answers.ranks import list_ranks
from analytics.matching.aliases import Alias, Entity
from analytics.matching.mentions import Matcher
from analytics.text.markup import with_links, without_references

NAMES = ("Kelvista", "Brantho", "Nuvelle")
MATCHER = Matcher([Entity(name, (Alias(name),)) for name in NAMES])
IN_ORDER = {name: place for place, name in enumerate(NAMES, 1)}
MARKS = (
    ("1. ", "2. ", "3. "), ("1) ", "2) ", "3) "), ("1.) ", "2.) ", "3.) "), ("(1) ", "(2) ", "(3) "), ("1: ", "2: ", "3: "),
    ("#1 ", "#2 ", "#3 "), ("#1. ", "#2. ", "#3. "), ("#1: ", "#2: ", "#3: "), ("No. 1: ", "No. 2: ", "No. 3: "),
    ("1️⃣ ", "2️⃣ ", "3️⃣ "), ("🥇 ", "🥈 ", "🥉 "), ("🥇 1. ", "🥈 2. ", "🥉 3. "), ("🥇 My pick: ", "🥈 #2: ", "🥉 #3: "),
    ("1st: ", "2nd: ", "3rd: "), ("1st place – ", "2nd place – ", "3rd place – "), 
    ("I. ", "II. ", "III. "), ("❶ ", "❷ ", "❸ "), ("Gold: ", "Silver: ", "Bronze: "),
    ("Platz 1: ", "Platz 2: ", "Platz 3: "), ("1. Platz: ", "2. Platz: ", "3. Platz: "), ("1re place : ", "2e place : ", "3e place : "),
    ("1.º ", "2.º ", "3.º "), ("1° posto: ", "2° posto: ", "3° posto: "), ("1 место: ", "2 место: ", "3 место: "),
    ("第一名：", "第二名：", "第三名："), ("【1位】", "【2位】", "【3位】"), ("1위: ", "2위: ", "3위: "), ("١. ", "٢. ", "٣. "),
)  # fmt: skip
FRAMES = ("{}{}", "{}**{}**", "**{}{}**", "### {}{}", "- {}{}", "* **{}{}**", "{}[{}](https://x.example/a-b)")
TAILS = (" – quick and cheap", " (from $9)", "\nGood for small teams.\n", "\n- **Price:** from $9\n")
LABELS = (
    ("Best overall", "Best for teams", "Best value"), ("Speed king", "Most secure", "The all-rounder"),
    ("If you want it cheap", "If you have a big team with many offices", "If you need phone support"),
    ("Pour débuter", "Le plus complet", "Pour les équipes"), ("Für Einsteiger", "Für Profis", "Für große Firmen"),
)  # fmt: skip
LABELED = (
    "{}: {}",
    "**{}:** {} X100",
    "**{}**: {} – quick",
    "**{}: {}**",
    "{} – **{}**",
    "{} → **{}**",
    "{} by {}",
)
HEADS = (
    "**{} Pro 500**", "**The {} X100**", "**{}'s X100**", "🇩🇪 **{}**", "**X100 Ultra ({})**", "**X100 Ultra** ({}) – light",
    "X100 Ultra by {}", "iX 100 by {}", "X100 Ultra de {}", "X100 von {}", "<b>{}</b> – good", "**{}**[1][2]", "{}, a family business from Bremen that has sold bikes since 1950",
    "{} is the one I would choose if I had to set up a small team quickly and cheaply",
)  # fmt: skip

CITE = "\ue200cite\ue202turn0search0\ue202turn0search3\ue201"
MARKED = (
    '\ue200entity\ue202["company","{}"]\ue201', '**\ue200entity\ue202["local_business","{}", 0]\ue201** – quick',
    '**\ue200entity\ue202["restaurant", "{}", "a name with a long note, Springfield, Illinois, United States, that tells it from others"]\ue201**: good',
    "\ue200entity\ue202{}\ue201: good", "\ue200url\ue202{}\ue202https://x.example/a-b\ue201 – quick",
    "**\ue200url\ue202{}\ue202https://x.example\ue201**", "**{}** " + CITE, "{}" + CITE, CITE + " {}", "**{} " + CITE + "**: good",
    '\ue200entity\ue202["company","{}"]\ue201\n\n   Quick and cheap. ' + CITE,
)  # fmt: skip


def ranks(text: str) -> dict[str, int]:
    return list_ranks(text, MATCHER.find(text))


def listing(marks: tuple[str, ...], items: list[str], between: str = "\n") -> str:
    lines = between.join(mark + item for mark, item in zip(marks, items, strict=True))
    return f"Here are my picks:\n\n{lines}\n\nLet me know if you need more."


@pytest.mark.parametrize("marks", MARKS, ids=[marks[0].strip() for marks in MARKS])
def test_every_mark_ranks_in_every_frame_of_markdown(marks: tuple[str, ...]) -> None:
    for frame, tail in product(FRAMES, TAILS):
        between = "\n\n" if frame.startswith("#") or "\n" in tail else "\n"
        items = [frame.format(mark, name) + tail for mark, name in zip(marks, NAMES, strict=True)]
        text = listing(("", "", ""), items, between)
        assert ranks(text) == IN_ORDER, text


@pytest.mark.parametrize("head", HEADS)
def test_every_form_of_head_is_about_the_name_in_it(head: str) -> None:
    for marks in (("1. ", "2. ", "3. "), ("### 1. ", "### 2. ", "### 3. "), ("🥇 ", "🥈 ", "🥉 ")):
        text = listing(marks, [head.format(name) for name in NAMES], "\n\n")
        assert ranks(text) == IN_ORDER, text


@pytest.mark.parametrize("labels", LABELS, ids=[labels[0] for labels in LABELS])
def test_a_list_that_leads_from_labels_to_names_ranks_these(labels: tuple[str, ...]) -> None:
    for form in LABELED[:-1]:
        items = [form.format(label, name) for label, name in zip(labels, NAMES, strict=True)]
        assert ranks(listing(("1. ", "2. ", "3. "), items)) == IN_ORDER, items


@pytest.mark.parametrize(
    "text",
    [
        "1. **Price** – Kelvista charges per seat, Brantho per team.\n2. **Support** – Brantho answers by phone.\n3. **Apps** – none",
        "1. **Price:** Kelvista.\n2. **Support:** Brantho.\n3. **Apps:** Kelvista.",
        "1. **Is Kelvista safe?** Yes.\n2. **Does Brantho charge fees?** No.",
        "1. Early teams\n   - Kelvista: simple\n2. Big firms\n   - Brantho: complete",
        "In no particular order:\n\n1. Kelvista\n2. Brantho",
        "Three shops (listed alphabetically, not ranked):\n\n1. Brantho\n2. Kelvista",
        "1. Kelvista\n2. Brantho\n\nThe order does not matter.",
        "Ohne bestimmte Reihenfolge:\n\n1. Kelvista\n2. Brantho",
        "以下推荐（排名不分先后）：\n\n1. Kelvista\n2. Brantho",
        "| Founded | Brand |\n|---|---|\n| 1 | Kelvista |\n| 5 | Brantho |",
    ],
)
def test_a_list_of_criteria_or_in_no_order_ranks_no_one(text: str) -> None:
    assert ranks(text) == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("🥇 Kelvista\n🥈 Brantho\n3. Nuvelle", IN_ORDER),
        ("🥇 Kelvista\n🥈 Brantho\n3️⃣ Nuvelle", IN_ORDER),
        ("10. Kelvista\n9. Brantho\n8. Nuvelle", {"Kelvista": 10, "Brantho": 9, "Nuvelle": 8}),
        ("#2 Brantho\n#3 Nuvelle", {"Brantho": 2, "Nuvelle": 3}),
        ("1. **Kelvista** und **Brantho**\n3. **Nuvelle**", {"Kelvista": 1, "Brantho": 1, "Nuvelle": 3}),
        ("1. Kelvista\n2. Other\n\nHonourable mentions:\n1. Brantho\n2. Nuvelle", {"Kelvista": 1}),
        ("| | Brand |\n|---|---|\n| 🥇 | Kelvista |\n| 🥈 | Brantho |", {"Kelvista": 1, "Brantho": 2}),
        (
            "| Brand | Note |\n|---|---|\n| 🥇 Kelvista | a |\n| 🥈 Brantho | b |",
            {"Kelvista": 1, "Brantho": 2},
        ),
        (
            "| Overall rank | Brand |\n|---|---|\n| #1 | Kelvista |\n| #2 | Brantho |",
            {"Kelvista": 1, "Brantho": 2},
        ),
    ],
)
def test_numbers_are_places_across_marks_cuts_ties_and_tables(text: str, expected: dict[str, int]) -> None:
    assert ranks(text) == expected


@pytest.mark.parametrize("item", MARKED)
def test_chatgpt_markers_hide_no_rank(item: str) -> None:
    for marks in (*MARKS, ("### 1. ", "### 2. ", "### 3. ")):
        text = listing(marks, [item.format(name) for name in NAMES])
        assert ranks(text) == IN_ORDER, text


def test_chatgpt_markers_hide_no_rank_in_a_table() -> None:
    rows = [
        f'| {place} | \ue200entity\ue202["company","{name}"]\ue201 {CITE} |'
        for name, place in IN_ORDER.items()
    ]
    assert ranks("\n".join(["| # | Name |", "|---|---|", *rows])) == IN_ORDER


def test_what_chatgpt_markers_do_not_show_names_nobody() -> None:
    image = '\ue200image_group\ue202{"query":["Kelvista bikes"]}\ue201'
    text = (
        f'{image}\n\n1. \ue200entity\ue202["Kelvista","Brantho"]\ue201\n2. Nuvelle \ue200cite\ue202Kelvista'
    )
    assert ranks(text) == {"Brantho": 1, "Nuvelle": 2}
    spans = {mention.entity_id: mention.spans for mention in MATCHER.find(text)}
    assert {text[span.start : span.end] for of_name in spans.values() for span in of_name} == {
        "Brantho",
        "Nuvelle",
    }
    assert set(spans) == {"Brantho", "Nuvelle"}


@given(st.text(alphabet='\ue200\ue201\ue202"[],entityurlcite K\n'))
def test_leaving_markers_out_moves_no_character(text: str) -> None:
    shown = without_references(text)
    assert len(shown) == len(text)
    assert "\ue200" not in shown
    with_links(text)
