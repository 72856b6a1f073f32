import pickle

import pytest

from analytics.errors import AliasConflict, EmptyAlias
from analytics.matching.aliases import Alias, Entity
from analytics.matching.mentions import Matcher, MentionStatus, TextSpan


def entity(identifier: str, *names: str | Alias, category: str = "", negative: str = "") -> Entity:
    return Entity(
        identifier,
        tuple(Alias(name) if isinstance(name, str) else name for name in names),
        category_words=(category,) if category else (),
        negative_terms=(negative,) if negative else (),
    )


def told(span: TextSpan) -> str:
    """A span in the notation of the tables: `0-4`, with what is not exact and counted behind it."""
    notes = ["inflected"] if span.kind == "inflected" else []
    if span.status is MentionStatus.UNCERTAIN:
        notes.append(f"uncertain {span.reason}")
    elif span.status is MentionStatus.ABSENCE:
        notes.append("absence")
    return f"{span.start}-{span.end}" + (f" ({', '.join(notes)})" if notes else "")


def found(text: str, *entities: Entity) -> dict[str, list[str]]:
    return {
        mention.entity_id: [told(span) for span in mention.spans] for mention in Matcher(entities).find(text)
    }


def ambiguous(*names: str) -> list[Alias]:
    return [Alias(name, ambiguous=True) for name in names]


WORKED: list[tuple[str, list[Entity], dict[str, list[str]]]] = [
    ("Every plumber needs a toolbox. Box is a file store.", [entity("A", "Box")], {"A": ["31-34"]}),
    ("LI sells tile and vinyl; li does not.", [entity("A", "LI")], {"A": ["0-2", "25-27 (uncertain case)"]}),
    ("Acme’s vans, Acme's drivers", [entity("A", "Acme")], {"A": ["0-4", "13-17"]}),
    ("SKODA und Škodas", [entity("A", "Škoda")], {"A": ["0-5", "10-15 (inflected)"]}),
    ("S\u030ckoda or Skoda", [entity("A", "Škoda")], {"A": ["0-6", "10-15"]}),
    ("ＡＣＭＥ, Acme™, AcmeCorp", [entity("A", "Acme")], {"A": ["0-4", "6-10"]}),
    ("**Acme** *Motors*, Acme\u00a0Motors", [entity("A", "Acme Motors")], {"A": ["2-16", "19-30"]}),
    (
        "Demand-IQ, DemandIQ, demand iq; on demand",
        [entity("A", "Demand IQ")],
        {"A": ["0-9", "11-19", "21-30"]},
    ),
    ("Acme, Motors and more", [entity("A", "Acme Motors")], {}),
    ("我推荐丰田汽车，用Toyota也行", [entity("A", "Toyota", "丰田")], {"A": ["3-5", "9-15"]}),
    ("トヨタはトヨタマ町ではない", [entity("A", "トヨタ")], {"A": ["0-3"]}),
    ("현대자동차는 좋다. 신현대", [entity("A", "현대")], {"A": ["0-2"]}),
    (
        "See [acme.com](https://acme.com/?utm_source=openai), https://acme.com/acme, info@acme.com",
        [entity("A", "Acme")],
        {},
    ),
    ("[Acme Auto](https://acme.example/stock) leads [1]", [entity("A", "Acme Auto")], {"A": ["1-10"]}),
    ("Booking.com beats booking.com/deals", [entity("A", "Booking.com")], {"A": ["0-11"]}),
    (
        "I couldn't find any information about Acme. If Acme is new, ask them.",
        [entity("A", "Acme")],
        {"A": ["38-42 (absence)", "47-51 (absence)"]},
    ),
    (
        "I could not find reviews of Bravo, but Acme is well known.",
        [entity("A", "Acme"), entity("B", "Bravo")],
        {"B": ["28-33 (absence)"], "A": ["39-43"]},
    ),
    (
        "You can't find a better dealer than Acme; no data caps on Acme plans.",
        [entity("A", "Acme")],
        {"A": ["36-40", "58-62"]},
    ),
    ("Acme does not appear to be a known brand.", [entity("A", "Acme")], {"A": ["0-4 (absence)"]}),
    (
        "Hendrick Auto Group; ask Hendrick",
        [entity("A", "Hendrick Auto Group"), entity("B", "Hendrick")],
        {"A": ["0-19"], "B": ["25-33"]},
    ),
    (
        "Ford Motorsportal is a Ford fan site",
        [entity("A", "Ford"), entity("B", "Ford Motorsport")],
        {"A": ["0-4", "23-27"]},
    ),
    (
        "Delta Air Lines flies; Delta makes taps",
        [entity("A", "Delta", negative="Delta Air Lines")],
        {"A": ["23-28"]},
    ),
    (
        "Smart shoppers compare prices.",
        [entity("A", *ambiguous("Smart"), category="car")],
        {"A": ["0-5 (uncertain context)"]},
    ),
    ("The Smart is a tiny city car.", [entity("A", *ambiguous("Smart"), category="car")], {"A": ["4-9"]}),
    (
        "Take a seat in the Seat Leon car",
        [entity("A", *ambiguous("SEAT", "Seat"), category="car")],
        {"A": ["7-11 (uncertain case)", "19-23"]},
    ),
    (
        "BMWs and Fords; he affords gaps",
        [entity("A", "BMW"), entity("B", "Ford"), entity("C", "Gap")],
        {"A": ["0-3 (inflected)"], "B": ["9-13 (inflected)"]},
    ),
    ("O'Reilly Auto Parts", [entity("A", "O’Reilly Auto Parts")], {"A": ["0-19"]}),
    ("Al\u2011Futtaim Motors in Dubai", [entity("A", "Al-Futtaim")], {"A": ["0-10"]}),
    (
        "Купить Ладу или Форда; Фордыч нет",
        [entity("A", "Лада"), entity("B", "Форд")],
        {"A": ["7-11 (inflected)"], "B": ["16-20 (inflected)"]},
    ),
    ("STRASSE AUTO, Strasse-Auto", [entity("A", "Straße Auto")], {"A": ["0-12", "14-26"]}),
    ("@acme, #Acme, acme_motors", [entity("A", "Acme")], {"A": ["8-12"]}),
]


@pytest.mark.parametrize(("text", "entities", "expected"), WORKED, ids=[text for text, _, _ in WORKED])
def test_a_text_yields_exactly_the_worked_spans(
    text: str, entities: list[Entity], expected: dict[str, list[str]]
) -> None:
    assert found(text, *entities) == expected


def test_two_entities_with_one_folded_name_are_refused_and_both_are_named() -> None:
    with pytest.raises(AliasConflict, match="first and second"):
        Matcher([entity("first", "Škoda"), entity("second", "SKODA")])


def test_names_that_differ_only_in_their_joiner_are_one_name() -> None:
    with pytest.raises(AliasConflict, match="first and second"):
        Matcher([entity("first", "Demand IQ"), entity("second", "DemandIQ")])


@pytest.mark.parametrize("name", ["", " ", "™", "***", "!?"])
def test_a_name_without_a_letter_or_digit_is_refused(name: str) -> None:
    with pytest.raises(EmptyAlias, match="first"):
        Matcher([entity("first", name)])


def test_a_matcher_survives_pickling_with_its_answers() -> None:
    matcher = Matcher([entity("A", "Acme")])
    copy = pickle.loads(pickle.dumps(matcher))
    assert copy.find("Acme!") == matcher.find("Acme!")
    assert copy.alias_set_hash == matcher.alias_set_hash


def test_the_alias_set_hash_ignores_order_and_sees_every_part() -> None:
    base = Entity("A", (Alias("Acme"), Alias("Acme Auto")), ("acme.com",), ("cars",), ("Acme Air",))
    same = Entity("A", (Alias("Acme Auto"), Alias("Acme")), ("acme.com",), ("cars",), ("Acme Air",))
    other = Entity("B", (Alias("Bravo"),))
    reference = Matcher([base, other]).alias_set_hash
    assert Matcher([other, same]).alias_set_hash == reference
    changed = [
        Entity("A", (Alias("Acme"),), base.sites, base.category_words, base.negative_terms),
        Entity(
            "A", (Alias("Acme", ambiguous=True), Alias("Acme Auto")), base.sites, ("cars",), ("Acme Air",)
        ),
        Entity("A", (Alias("Acme", case="exact"), Alias("Acme Auto")), base.sites, ("cars",), ("Acme Air",)),
        Entity("A", base.aliases, ("acme.org",), base.category_words, base.negative_terms),
        Entity("A", base.aliases, base.sites, ("vans",), base.negative_terms),
        Entity("A", base.aliases, base.sites, base.category_words, ()),
    ]
    hashes = {Matcher([variant, other]).alias_set_hash for variant in changed}
    assert len(hashes) == len(changed)
    assert reference not in hashes


def test_a_mention_counts_its_spans_and_quotes_the_first_sentence() -> None:
    text = "Nobody knows smart people.  Buy the Smart, a car!\nThe Smart car is small."
    (mention,) = Matcher([entity("A", *ambiguous("Smart"), category="car")]).find(text)
    assert mention.status is MentionStatus.COUNTED
    assert mention.occurrences == 2
    assert mention.first == text.index("Smart")
    assert mention.quote == "Buy the Smart, a car!"


def test_a_quote_of_a_long_sentence_holds_the_name_and_300_characters() -> None:
    text = "word " * 200 + "Acme" + " word" * 200
    (mention,) = Matcher([entity("A", "Acme")]).find(text)
    assert len(mention.quote) <= 300
    assert "Acme" in mention.quote
    assert mention.quote in text


def test_an_exact_alias_occurs_only_as_written() -> None:
    acme = entity("A", Alias("aCme", case="exact"))
    assert found("Acme, ACME, aCme", acme) == {"A": ["12-16"]}


def test_a_short_name_with_a_capital_occurs_as_written_or_in_capitals() -> None:
    assert found("Gap GAP gap", entity("A", "Gap")) == {"A": ["0-3", "4-7", "8-11 (uncertain case)"]}


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ("(target.com)", MentionStatus.COUNTED),
        ("(shop.target.com)", MentionStatus.COUNTED),
        ("(mytarget.com)", MentionStatus.UNCERTAIN),
        ("(target.xyzzy)", MentionStatus.UNCERTAIN),
        ("", MentionStatus.UNCERTAIN),
    ],
)
def test_an_ambiguous_name_counts_where_the_text_shows_its_address(
    shown: str, expected: MentionStatus
) -> None:
    (mention,) = Matcher([entity("A", *ambiguous("Target"))]).find(f"Set a Target for the year. {shown}")
    assert mention.status is expected


def test_an_ambiguous_name_counts_beside_a_certain_name_or_own_citation() -> None:
    smart = entity("A", Alias("Smart", ambiguous=True), "smart automobile")
    assert found("Smart people buy.", smart) == {"A": ["0-5 (uncertain context)"]}
    assert found("Smart people buy a Smart Automobile.", smart) == {"A": ["0-5", "19-35"]}
    (mention,) = Matcher([smart]).find("Smart people buy.", frozenset({"A"}))
    assert mention.status is MentionStatus.COUNTED


@pytest.mark.parametrize(
    "text",
    [
        "- Smart: small\n- Good Price: near",
        "Try **Smart** first.",
        "Try [Smart](https://a.example/) first.",
        "## Smart\nA car.",
    ],
)
def test_an_ambiguous_name_counts_where_it_is_bold_linked_or_opens_an_item(text: str) -> None:
    assert [*found(text, entity("A", *ambiguous("Smart"))).values()] == [
        [f"{(at := text.index('Smart'))}-{at + 5}"]
    ]


@pytest.mark.parametrize("text", ["- smart: small\n- good", "Slide a **Smart** aside.", "Smart people buy."])
def test_an_ambiguous_name_without_such_a_sign_is_doubted(text: str) -> None:
    (mention,) = Matcher([entity("A", *ambiguous("Smart"))]).find(text)
    assert mention.status is MentionStatus.UNCERTAIN


COUNTED_WORDS = {
    ("Orbit", "en"): (
        "Orbit takes third, mostly on price.", "Orbit lands in second place.", "Orbit rounds out the top three.",
        "**Runner-up: Orbit B-100 ($99)**\nQuiet and small.", "**Budget pick: Orbit**\nCheap.", "Second place: Orbit, then Hydra.",
    ),
    ("Target", "en"): ("Target, on the other hand, offers free returns.", "Best value: Target", "Target comes in second."),
    ("Monday", "en"): ("Asana and Monday are both fine.",),
    ("Tier", "de"): (
        "Bei Tier zahlst du weniger als bei Bolt.", "Die Tier App ist gut.", "Tier kostet 19 Cent pro Minute.", "An dritter Stelle kommt Tier.",
    ),
    ("نون", "ar"): ("وفي المرتبة الثالثة نون الذي يقدم خصومات كبيرة.", "في المركز الثاني يأتي نون."),
    ("Netto", "de"): ("Netto hat diese Woche Kaffee im Angebot.",),
}  # fmt: skip
UNCERTAIN_WORDS = {
    ("Orbit", "en"): ("Orbit takes first steps to learn.", "Goal: Orbit the planet.", "The probe reached orbit."),
    ("Target", "en"): ("Target, on the other hand, your best customers.", "Aim: Target the gap."),
    ("Monday", "en"): ("Start with Asana and a short meeting every Monday.", "Asana ships its update next Monday."),
    ("Tier", "de"): (
        "Wer ein Tier mitnimmt, zahlt bei Bolt mehr.", "Für ein krankes Tier hält kein Scooter an.", "Das Tier muss zum Arzt.",
    ),
    ("نون", "ar"): ("تبدأ الكلمة بحرف نون.",),
    ("Netto", "de"): ("Vom Brutto bleibt netto wenig übrig.",),
}  # fmt: skip


@pytest.mark.parametrize(
    ("words", "status"),
    [(COUNTED_WORDS, MentionStatus.COUNTED), (UNCERTAIN_WORDS, MentionStatus.UNCERTAIN)],
    ids=["names", "words"],
)
def test_places_labels_articles_and_days_tell_a_name_from_a_word(
    words: dict[tuple[str, str], tuple[str, ...]], status: MentionStatus
) -> None:
    for (name, language), texts in words.items():
        matcher = Matcher([entity("A", name)])
        for text in texts:
            (mention,) = matcher.find(text, prompt_language=language)
            assert mention.status is status, text


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("W Biedronce kupisz taniej niż gdzie indziej, choć w Lidlu też bywa tanio.", MentionStatus.COUNTED),
        ("W Żabkach stoją ekspresy do kawy.", MentionStatus.COUNTED),
        ("Na listku siedzi Biedronka z siedmioma kropkami.", MentionStatus.UNCERTAIN),
    ],
)
def test_words_that_tell_the_sense_of_a_name_tell_it_in_their_cases_too(
    text: str, status: MentionStatus
) -> None:
    (mention,) = Matcher([entity("A", "Biedronka"), entity("B", "Żabka")]).find(text, prompt_language="pl")
    assert mention.status is status


def test_polish_names_in_ja_are_found_in_the_genitive() -> None:
    (mention,) = Matcher([entity("A", "Zefireja")]).find("Oferta Zefirei jest dobra.", prompt_language="pl")
    assert (mention.counted[0].start, mention.counted[0].end, mention.counted[0].kind) == (7, 14, "inflected")


def test_function_words_of_an_industry_give_no_context() -> None:
    smart = entity("A", *ambiguous("Smart"), category="cars and trucks of the city")
    assert found("Smart and the rest of them", smart) == {"A": ["0-5 (uncertain context)"]}


def test_context_ends_after_eight_words() -> None:
    smart = entity("A", *ambiguous("Smart"), category="car")
    assert found("Smart 1 2 3 4 5 6 7 car", smart) == {"A": ["0-5"]}
    assert found("Smart 1 2 3 4 5 6 7 8 car", smart) == {"A": ["0-5 (uncertain context)"]}


@pytest.mark.parametrize(
    "text",
    [
        "I'm not familiar with Acme.",
        "I have never heard of the company called Acme.",
        "There is little reliable information on Acme.",
        "I don't have any specific data about a dealer called “Acme”.",
        "We were unable to locate Acme.",
        "Acme doesn't seem to exist.",
        "I have no information about Acme's existence.",
        "Acme doesn't appear to have much of an online presence.",
        "I have no information about the company of Acme.",
        "Acme is not listed anywhere.",
        "Ich habe keine Informationen über Acme.",
        "Je n'ai trouvé aucune information sur Acme.",
        "No tengo información sobre Acme.",
    ],
)
def test_a_clause_that_found_nothing_is_a_negated_mention(text: str) -> None:
    (mention,) = Matcher([entity("A", "Acme")]).find(text)
    assert mention.status is MentionStatus.ABSENCE
    assert mention.occurrences == 0


@pytest.mark.parametrize(
    "text",
    [
        "There is no better dealer than Acme.",
        "No, Acme is fine.",
        "You won't regret Acme.",
        "I couldn't find a parking lot near Acme.",
        "I could not find Bravo; Acme exists.",
        "I couldn't find Acme's opening hours.",
        "I couldn't find the opening hours of Acme.",
        "There is no information on Acme's website about flood cover.",
        "Acme has no information about flood cover on its site.",
        "Zu den Preisen von Acme liegen keine Angaben vor.",
        "Bei Acme konnte ich keine Angaben zur Herkunft finden.",
        "Je n'ai pas trouvé les horaires de Acme.",
        "No hay información sobre los precios de Acme.",
        "Non ci sono informazioni sui prezzi di Acme.",
        "Ik kon de openingstijden van Acme niet vinden.",
        "Acme does not disappoint.",
        "Acme is not cheap.",
    ],
)
def test_a_denial_of_something_else_is_counted(text: str) -> None:
    (mention,) = Matcher([entity("A", "Acme")]).find(text)
    assert mention.status is MentionStatus.COUNTED


def test_after_a_first_absence_only_speculation_is_absence_too() -> None:
    acme = entity("A", "Acme")
    text = "I have never heard of Acme. Perhaps Acme is new. Acme sells vans."
    assert found(text, acme) == {"A": ["22-26 (absence)", "36-40 (absence)", "49-53"]}


def test_a_prompt_names_an_entity_even_when_it_negates_it() -> None:
    matcher = Matcher([entity("A", "Acme"), entity("B", *ambiguous("Smart"), category="car")])
    assert matcher.named("I have never heard of acme; are there smart people?") == {"A"}
    assert matcher.named("best car dealers") == frozenset()


SPELLED: list[tuple[str, str]] = [
    ("Müller", "Mueller is near."),
    ("Mueller", "Müller is near."),
    ("Strasser", "Straßer is near."),
    ("Acme Cars", "Try acme_cars or a dealer."),
    ("Acme Cars", "Try Acme/Cars or a dealer."),
    ("Salesforce CRM", r"Try Salesforce\_CRM today."),
    ("Salesforce", r"Try Salesforce\_CRM today."),
    ("DemandIQ", "Demand IQ is a tool."),
    ("Acme Cars", "Try <b>Acme</b> <i>Cars</i> today."),
    ("Acme Cars", "Try Acme<br>Cars today."),
    ("Norvelo", "Try Nor<em>velo</em> today."),
    ("Tarmund", "Kupiłem w Tarmundzie samochód."),
    ("Allegro", "Kupiłem to na Allegrze."),
    ("Gudek", "Byłem w sklepie Gudka."),
    ("노르벨로", "노르벨로에서도 살 수 있습니다."),
]


@pytest.mark.parametrize(("name", "text"), SPELLED)
def test_a_name_is_found_however_engines_spell_it(name: str, text: str) -> None:
    (mention,) = Matcher([entity("A", name)]).find(text, prompt_language="pl")
    assert mention.status is MentionStatus.COUNTED


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Mueller", "Muller is near."),
        ("LinkedIn", "I linked in my page."),
        ("Acme", "Set acme_motors to true."),
        ("Acme", '<img src="a.png" alt="Acme logo"> A car.'),
        ("Acme", "![Acme logo](https://a.example/a.png) A car."),
    ],
)
def test_another_word_an_identifier_and_an_image_are_no_mention(name: str, text: str) -> None:
    assert all(not mention.counted for mention in Matcher([entity("A", name)]).find(text))


WORDS = {
    "de": {
        "Boss": "Sag das deinem Boss, und er wird zustimmen.",
        "Budget": "Das Budget passt, wenn du es planst.",
        "Visa": "Die Gebühr für Visa zahlt man bei der Botschaft.",
    },
    "fr": {"Boulanger": "Il faut apprendre pour devenir boulanger."},
    "es": {
        "Desigual": "Hay un reparto desigual de la riqueza.",
        "Línea Directa": "Puedes hablar en línea directa con el agente.",
    },
    "en": {
        "HP": "It has 300 HP and a five-liter engine.",
        "3M": "The table is 3m wide.",
        "BP": "Check your BP every day.",
        "Target": "Target your audience before you write.",
        "Apple": "An Apple a day keeps the doctor away.",
        "Gap": "Mind the Gap between rich and poor.",
        "Visa": "You need a Visa to travel to India.",
        "Orange": "Orange juice is full of vitamins.",
        "Shell": "Shell scripts run in Bash.",
        "Dove": "The Dove is a bird of peace.",
    },
}
NAMES = {
    "de": {
        "Boss": "Anzüge von Boss sitzen gut.",
        "Budget": "Vergleiche Sixt, Budget und Europcar.",
        "Telekom": "Die Telekom hat das beste Netz.",
    },
    "fr": {"Boulanger": "Chez Boulanger, la livraison est gratuite."},
    "es": {"Desigual": "Desigual vende ropa de colores.", "Línea Directa": "Compara Línea Directa y Mapfre."},
    "en": {
        "HP": "Of the top 10 HP laptops this one is lightest.",
        "3M": "3M makes tape.",
        "BP": "Fill up at BP or Shell.",
        "Lively": "1. **Lively** – no fees\n2. **Fidelity**",
        "Visible": "1. Visible – cheapest unlimited plan\n2. Mint Mobile",
        "Bear": "Try Bear, Obsidian or Notion.",
    },
}


@pytest.mark.parametrize(
    ("examples", "status"),
    [(WORDS, MentionStatus.UNCERTAIN), (NAMES, MentionStatus.COUNTED)],
    ids=["words", "names"],
)
def test_a_common_word_is_a_name_only_where_the_answer_uses_it_so(
    examples: dict[str, dict[str, str]], status: MentionStatus
) -> None:
    for language, texts in examples.items():
        for name, text in texts.items():
            found = Matcher([entity("A", name)]).find(text, prompt_language=language)
            assert [mention.status for mention in found] in (
                [status],
                [] if status is MentionStatus.UNCERTAIN else [status],
            ), text
