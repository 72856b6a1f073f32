"""Statements of drafts, held against known facts."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.grounding.fact_lines import holds_most
from analytics.grounding.facts import WordIndex, words_of
from analytics.grounding.flattening import flatten
from analytics.grounding.known_texts import KnownText
from analytics.grounding.numerals import numbers
from analytics.grounding.sentence_spans import sentences
from analytics.grounding.support import Grounding
from bench.grounding.measuring import MOST_FALSE_ACCEPTS, MOST_FALSE_REFUSALS, PLAIN, UNSEEN, Judgement, judge

ABOUT = KnownText(
    "item 1",
    "Acme Motors was founded by Bob Acme. Phone: +49 40 555 0100. Hours: Mon-Fri 8:00-18:00. Our warranty lasts 36 months.",
    "About us",
)


def missing(draft: str, *known: KnownText) -> list[str]:
    statements = Grounding([ABOUT, *known], ("Acme Motors",)).check(draft)
    return [fact.words for statement in statements for fact in statement.missing]


@pytest.fixture(scope="module")
def judgements() -> tuple[Judgement, ...]:
    """The verdicts on all labelled sentences: six seconds of work that several tests look at."""
    return tuple(judge())


def test_error_rates_on_the_labelled_sentences_stay_below_the_goals(
    judgements: tuple[Judgement, ...],
) -> None:
    judged = [judgement for judgement in judgements if judgement.part in ("tuning", "held out")]
    bad = [judgement for judgement in judged if not judgement.keep]
    good = [judgement for judgement in judged if judgement.keep]
    assert len(bad) == len(good) == 100
    assert sum(judgement.kept for judgement in bad) / len(bad) < MOST_FALSE_ACCEPTS
    assert sum(not judgement.kept for judgement in good) / len(good) < MOST_FALSE_REFUSALS


def test_sentences_about_other_companies_are_judged_within_the_goals_too(
    judgements: tuple[Judgement, ...],
) -> None:
    judged = [
        judgement for judgement in judgements if judgement.part not in ("tuning", "held out", PLAIN, *UNSEEN)
    ]
    bad = [judgement for judgement in judged if not judgement.keep]
    good = [judgement for judgement in judged if judgement.keep]
    assert sum(judgement.kept for judgement in bad) / len(bad) < MOST_FALSE_ACCEPTS
    assert sum(not judgement.kept for judgement in good) / len(good) < MOST_FALSE_REFUSALS


@pytest.mark.parametrize(
    ("draft", "lacking"),
    [
        (
            "Our mechanics attend a training course each spring.",
            ["mechanics attend a training course each spring"],
        ),
        ("The workshop is powered by solar energy.", ["powered by solar energy"]),
        ("Our warranty is part of what we offer, and we are happy to help.", []),
        ("If a brake squeals, have it inspected before a long journey.", []),
        ("Our mechanic Jane Miller will help.", ["Jane Miller"]),
        ("Call us. Ask for Jane, or see Dr. Weber.", ["Jane", "Dr Weber"]),
        ("Herr Müller leitet die Werkstatt und hilft Ihnen gern.", ["Herr Müller"]),
        ("Acme Motors was founded by Bob Acme in spring.", ["in spring"]),
        ("Call 040 555 0100 – we are open from 8 am to 6 pm.", []),
        ("Our warranty lasts three years.", []),
        ("Our 36 months of experience speak for us.", ["36 months"]),
        ("Over twenty thousand happy customers.", ["twenty thousand happy"]),
        ("They were convicted of fraud.", ["convicted", "fraud"]),
        ("Write to me@acme.example", ["me@acme.example"]),
        ("It costs 1.000 euros, not 100.", ["1.000 euros", "100"]),
    ],
)
def test_a_statement_stands_only_with_a_fact(draft: str, lacking: list[str]) -> None:
    assert missing(draft) == lacking
    assert missing(draft, KnownText("item 2", draft)) == []


@pytest.mark.parametrize(
    "draft",
    [
        "Every customer is met by a driver on arrival.",
        "A nurse sleeps on site, so nobody is ever alone.",
        "Most of our mechanics are engineers.",
        "Your car is back within a week.",
        "Ihr Wagen ist in einer Woche fertig.",
    ],
)
def test_words_that_advise_in_another_language_hide_no_claim(draft: str) -> None:
    assert missing(draft) != []


@pytest.mark.parametrize(
    "draft",
    [
        "An engine that is warm pulls better than a cold one.",
        "The sooner a noise is heard, the cheaper its cause.",
        "Here is how to choose.",
        "We are closed on Sundays.",
        "On Saturday and on Sunday, the garage is closed.",
        "A warranty of three years is part of every sale, and that is perfectly normal.",
    ],
)
def test_general_rules_and_announcements_need_no_fact(draft: str) -> None:
    assert missing(draft, KnownText("item 2", "A warranty comes with every sale.")) == []


def test_words_of_grammar_in_a_name_do_not_name_the_company() -> None:
    grounding = Grounding([ABOUT], ("The Garage of Acme",))
    assert [
        fact for said in grounding.check("A tyre of the right size lasts longer.") for fact in said.missing
    ] == []
    assert [fact for said in grounding.check("A tyre from Acme lasts longer.") for fact in said.missing] != []


def test_a_month_is_thirty_days_and_a_difference_follows_from_two_amounts() -> None:
    known = KnownText(
        "item 2", "Quotes are valid for 30 days. A small service costs 90 euros, a large one 140 euros."
    )
    assert missing("A quote stays valid for one month.", known) == []
    assert missing("A large service costs 50 euros more.", known) == []
    assert missing("A large service costs 60 euros more.", known) == ["60 euros"]


def test_a_family_name_is_shared_where_the_facts_say_so() -> None:
    known = KnownText("item 2", "Paul and Megan Ashby run the workshop. Iris Bell sells cars.")
    assert missing("Paul Ashby runs the workshop.", known) == []
    assert missing("Paul Bell runs the workshop.", known) != []


def test_a_number_is_supported_whole_and_with_what_it_counts() -> None:
    assert missing("We have 36 branches.") == ["36 branches"]
    assert missing("The warranty lasts 6 months.") == ["6 months"]


@pytest.mark.parametrize(
    ("language", "spelled", "value"),
    [
        ("en", "one hundred and five", 105),
        ("de", "dreihundertfünfundzwanzig", 325),
        ("fr", "quatre-vingt-dix-neuf", 99),
        ("es", "doscientos cincuenta", 250),
        ("it", "ventottomila", 28_000),
        ("nl", "tweeëntwintig", 22),
    ],
)
def test_numbers_in_words_are_read_in_six_languages(language: str, spelled: str, value: int) -> None:
    [read] = numbers(flatten(spelled), (language,))
    assert (read.value, read.end) == (value, len(spelled))


@given(st.text(max_size=200))
def test_sentences_part_a_text_and_no_text_breaks_the_guard(text: str) -> None:
    statements = Grounding([ABOUT]).check(text)
    assert all(statement.start < statement.end for statement in statements)
    spans = sentences(text)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


@pytest.mark.parametrize(
    "part", ["a", "A", "1", "1 ", "A.", "twenty ", "www.", "1.1", " - ", "Jane ", "l'", "mo-"]
)
def test_a_hostile_text_is_read_in_linear_time(part: str) -> None:
    grounding = Grounding([ABOUT])
    began = time.process_time()
    grounding.check(part * (2_000_000 // len(part)))
    assert time.process_time() - began < 5


SHOP = (
    KnownText(
        "item 1",
        "The Fjell has hydraulic disc brakes and weighs 13.4 kg. All frames are painted by hand. "
        "The beans for Harbour come from Brazil. A connection to Magento is planned. We do not sell helmets.",
        "Models",
    ),
    KnownText(
        "item 2",
        "A course lasts four hours. The trainer is Lena Vogt. Orders over 30 euros are sent free.",
        "Courses",
    ),
)


def lacks(draft: str) -> bool:
    statements = Grounding(SHOP, ("Acme Cycles",)).check(draft)
    return any(statement.missing for statement in statements)


@pytest.mark.parametrize(
    "draft",
    [
        "Choosing a bicycle is a big decision, so take your time.",
        "Your accountant will be pleased to hear that.",
        "Most people find a bicycle rather confusing at first.",
        "We are sorry to hear that your parcel was soaked when you opened it.",
        "Thank you, Dana, for your patience.",
        "Planning a tour means thinking of a hundred little things.",
    ],
)
def test_wording_and_the_readers_world_need_no_fact(draft: str) -> None:
    assert not lacks(draft)


@pytest.mark.parametrize(
    "draft",
    [
        "We have never lost a parcel.",
        "Our bicycles ride better than theirs.",
        "Everyone loves our helmets.",
        "You get your money back.",
        "Other shops often sell unsafe brakes.",
        "Your bicycle waits in our lounge.",
    ],
)
def test_records_comparisons_praise_and_slander_in_ordinary_words_need_a_fact(draft: str) -> None:
    assert lacks(draft)


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("Every frame is painted by hand.", True),
        ("All our brakes are hydraulic disc brakes on the Fjell.", False),
        ("All beans come from Brazil.", False),
        ("The beans for Harbour come from Brazil.", True),
    ],
)
def test_all_of_a_kind_is_said_only_where_a_fact_says_it_of_all(draft: str, stands: bool) -> None:
    assert lacks(draft) is not stands


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("The Fjell weighs about 13 kg.", True),
        ("The Fjell weighs less than 14 kg.", True),
        ("The Fjell weighs less than 13 kg.", False),
        ("The Fjell weighs about 10 kg.", False),
        ("The trainer shows you everything in four hours.", True),
        ("The trainer shows you everything in five hours.", False),
        ("Orders of 30 euros or more are sent free.", True),
        ("Orders of 20 euros or more are sent free.", False),
    ],
)
def test_a_number_follows_from_one_that_bears_it_out(draft: str, stands: bool) -> None:
    assert lacks(draft) is not stands


def test_what_is_planned_is_not_there_yet() -> None:
    assert lacks("You can use the connection to Magento today.")
    assert not lacks("The connection to Magento is still in the works.")


def test_claims_in_everyday_words_are_let_through_no_more_often_than_is_said(
    judgements: tuple[Judgement, ...],
) -> None:
    attacks = [judgement for judgement in judgements if judgement.part == PLAIN]
    assert len(attacks) == 55
    assert sum(judgement.kept for judgement in attacks) / len(attacks) < 1 / 3


def follows(draft: str, *facts: str) -> bool:
    """Tell whether a draft stands with texts of one item each; the first words of a text are its title."""
    known = [KnownText(f"item {at}", fact, fact.split(" ", 2)[0]) for at, fact in enumerate(facts)]
    return not any(statement.missing for statement in Grounding(known, ("Nordwind",)).check(draft))


@pytest.mark.parametrize(
    ("fact", "said", "wrong"),
    [
        (
            "The museum is open Tuesday to Sunday 9:30-17:00.",
            "On Sundays we are open from half past nine until five.",
            "On Sundays we are open from half past nine until six.",
        ),
        (
            "Das Museum ist Dienstag bis Sonntag 9:30-17:00 geöffnet.",
            "Sonntags sind wir von halb zehn bis fünf Uhr nachmittags da.",
            "Sonntags sind wir von halb zehn bis sechs Uhr abends da.",
        ),
        (
            "Le musée est ouvert du mardi au dimanche 9h30-17h.",
            "Le dimanche, nous vous recevons de neuf heures et demie à cinq heures de l'après-midi.",
            "Le dimanche, nous vous recevons de neuf heures et demie à six heures du soir.",
        ),
        (
            "El museo abre de martes a domingo de 9:30 a 17:00.",
            "Los domingos abrimos de nueve y media a cinco de la tarde.",
            "Los domingos abrimos de nueve y media a seis de la tarde.",
        ),
        (
            "Il museo è aperto da martedì a domenica 9:30-17:00.",
            "La domenica siamo aperti dalle nove e mezza alle cinque del pomeriggio.",
            "La domenica siamo aperti dalle nove e mezza alle sei del pomeriggio.",
        ),
        (
            "Het museum is dinsdag t/m zondag open van 9:30 tot 17:00.",
            "Op zondag zijn we van half tien tot vijf uur 's middags open.",
            "Op zondag zijn we van half tien tot zes uur 's avonds open.",
        ),
        ("The lift runs daily 8:00-13:00.", "The lift runs from eight until one.", "The lift runs from nine until one."),
        ("Open daily except Monday 10:00-18:00.", "We are open six days a week, from ten to six.", "We are open seven days a week, from ten to six."),
        ("The ferry leaves at 10:40.", "The ferry leaves at twenty to eleven.", "The ferry leaves at ten to eleven."),
        ("La clase empieza a las 19:45.", "La clase empieza a las ocho menos cuarto.", "La clase empieza a las ocho y cuarto."),
        (
            "Il bar è aperto la sera dalle 19:00 alle 22:00, tranne il martedì.",
            "Il martedì sera il bar resta chiuso.",
            "Il venerdì sera il bar resta chiuso.",
        ),
        (
            "Der Laden ist Dienstag bis Samstag 9:00-18:00 geöffnet.",
            "Montags bleibt der Laden zu.",
            "Dienstags bleibt der Laden zu.",
        ),
        ("The shop opens Tuesday to Saturday 9:00-17:00.", "Sundays are our days off.", "Saturdays are our days off."),
    ],
)  # fmt: skip
def test_hours_and_closing_days_are_read_in_words(fact: str, said: str, wrong: str) -> None:
    assert follows(said, fact)
    assert not follows(wrong, fact)


@pytest.mark.parametrize(
    ("fact", "said", "wrong"),
    [
        ("A tour takes 3.5 hours.", "A tour takes three and a half hours.", "A tour takes two and a half hours."),
        ("Eine Führung dauert 90 Minuten.", "Eine Führung dauert anderthalb Stunden.", "Eine Führung dauert zweieinhalb Stunden."),
        ("Une visite dure 150 minutes.", "Une visite dure deux heures et demie.", "Une visite dure trois heures et demie."),
        ("Een rondleiding duurt 90 minuten.", "Een rondleiding duurt anderhalf uur.", "Een rondleiding duurt tweeënhalf uur."),
        ("Ein Akku hat 5 bis 15 Kilowattstunden.", "Ein Akku hat zwischen fünf und fünfzehn kWh.", "Ein Akku hat zwischen fünf und fünfzig kWh."),
        ("Un croissant coûte 1,30 €.", "Un croissant coûte un euro trente.", "Un croissant coûte un euro quarante."),
        ("A scone costs £2.80.", "A scone is two pounds eighty.", "A scone is two pounds ninety."),
        ("Copies are made every six hours.", "Copies are made four times a day.", "Copies are made six times a day."),
        ("Le copie si fanno ogni otto ore.", "Le copie si fanno tre volte al giorno.", "Le copie si fanno otto volte al giorno."),
        ("Der Vertrag läuft 24 bis 60 Monate.", "Der Vertrag läuft zwei bis fünf Jahre.", "Der Vertrag läuft zwei bis sechs Jahre."),
        ("The boats are less than seven years old.", "None of the boats is more than seven years old.", "None of the boats is more than six years old."),
        ("Bookings can be changed up to 24 hours before.", "Bookings can be changed up to the day before.", "Bookings can be changed up to the same day."),
        ("La prenotazione si cambia fino a 7 giorni prima.", "La prenotazione si cambia fino a una settimana prima.", "La prenotazione si cambia fino al giorno prima."),
        ("Les commandes se font 48 heures à l'avance.", "Les commandes se font deux jours à l'avance.", "Les commandes se font la veille."),
        ("Riders join from the age of five.", "Riders must be at least five years old.", "Riders must be at least four years old."),
        ("The band has 22 people.", "We are a team of twenty-two.", "We are a team of thirty-two."),
        ("Languages: English, Irish and Polish.", "We speak three languages.", "We speak four languages."),
        ("El envío cuesta 4,50 euros.", "El envío cuesta cuatro euros y medio.", "El envío cuesta cinco euros y medio."),
        ("Courses run for 12 weeks.", "Courses run for three months.", "Courses run for four months."),
        ("The club was founded in 2006.", "The club was founded in '06.", "The club was founded in '07."),
        ("El plazo es de 15 días.", "El plazo es de dos semanas.", "El plazo es de tres semanas."),
    ],
)  # fmt: skip
def test_numbers_and_spans_are_read_in_words(fact: str, said: str, wrong: str) -> None:
    assert follows(said, fact)
    assert not follows(wrong, fact)


@pytest.mark.parametrize(
    ("facts", "said", "wrong"),
    [
        (
            ("A small wash costs £12, a large wash £20. The large wash includes wax.",),
            "The large wash includes wax.",
            "The small wash includes wax.",
        ),
        (
            ("Ein kleiner Teller kostet 9 Euro, ein großer 14 Euro.",),
            "Ein großer Teller kostet 14 Euro.",
            "Ein kleiner Teller kostet 14 Euro.",
        ),
        (
            ("Los perros pequeños pagan 5 euros, los perros grandes 8 euros.",),
            "Los perros grandes pagan 8 euros.",
            "Los perros grandes pagan 5 euros.",
        ),
        (
            ("Before the swim guests take a shower. The water is 28 degrees.",),
            "Guests take a shower before the swim.",
            "Guests take a shower after the swim.",
        ),
        (
            ("Le camere sono 20, di cui 8 con terrazzo.",),
            "Otto delle nostre camere hanno il terrazzo.",
            "Tutte le camere hanno il terrazzo.",
        ),
        (
            ("Anna Bos and one guide are trained in first aid. There are six guides.",),
            "Anna Bos is trained in first aid.",
            "Our six guides are all trained in first aid.",
        ),
        (
            ("Les vélos d'occasion sont garantis un an. Les vélos neufs arrivent en mars.",),
            "Les vélos d'occasion sont garantis un an.",
            "Tous les vélos sont garantis un an.",
        ),
        (
            ("Il casco è gratuito, il seggiolino costa 4 euro.",),
            "Il casco è gratuito.",
            "Il seggiolino è gratuito.",
        ),
        (
            ("Children under six ride free on the train.",),
            "Children under six ride free.",
            "Children ride free on the train.",
        ),
        (
            ("Dogs are allowed in the rooms, but not in the sauna.",),
            "Dogs are allowed in the rooms.",
            "Dogs are welcome in the sauna too.",
        ),
        (
            ("Op vrijdag bakken we speltbrood. Rogge bakken we niet.",),
            "Op vrijdag bakken we speltbrood.",
            "We bakken ook rogge.",
        ),
        (
            ("Wir übernehmen die Anmeldung bei der Behörde.",),
            "Um die Anmeldung bei der Behörde müssen Sie sich nicht kümmern.",
            "Die Anmeldung bei der Behörde müssen Sie selbst erledigen.",
        ),
        (
            ("Die Teilnahme umfasst das Material; das Brennen kostet extra 15 Euro.",),
            "Das Brennen kostet extra 15 Euro.",
            "Das Brennen ist in der Teilnahme enthalten.",
        ),
        (
            ("Yoga takes place on the first Sunday of the month.",),
            "On the first Sunday of the month there is yoga.",
            "Yoga takes place every Sunday.",
        ),
        (
            ("We deliver within Kent.",),
            "We deliver within Kent.",
            "We deliver all over the world.",
        ),
        (
            ("Pas de livraison le samedi. La livraison se fait le mardi.",),
            "La livraison se fait le mardi.",
            "La livraison se fait aussi le samedi.",
        ),
    ],
)  # fmt: skip
def test_what_is_said_of_one_thing_is_not_said_of_another(
    facts: tuple[str, ...], said: str, wrong: str
) -> None:
    assert follows(said, *facts)
    assert not follows(wrong, *facts)


@pytest.mark.parametrize(
    ("fact", "said", "wrong"),
    [
        (
            "Lena Ortiz is managing director, Owen Park leads development.",
            "Owen Park leads development.",
            "Owen Park is the managing director.",
        ),
        (
            "Ruth Hale opened the inn in 2013. Her husband Kofi runs the kitchen.",
            "Kofi, Ruth's husband, looks after the kitchen.",
            "Ruth Hale runs the kitchen.",
        ),
        (
            "Clara Denis a fondé l'atelier en 2014. Son fils Noé dirige l'atelier depuis 2020.",
            "Noé, le fils de Clara Denis, dirige l'atelier depuis 2020.",
            "Noé, le frère de Clara Denis, dirige l'atelier depuis 2020.",
        ),
        (
            "Der Gründer ist Jan Roth. Seine Tochter Mia leitet seit 2019 den Verkauf.",
            "Den Verkauf leitet seit 2019 Mia, die Tochter von Jan Roth.",
            "Den Verkauf leitet seit 2019 Mia, die Schwester von Jan Roth.",
        ),
    ],
)
def test_titles_deeds_and_kin_stay_with_their_people(fact: str, said: str, wrong: str) -> None:
    assert follows(said, fact)
    assert not follows(wrong, fact)


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ("The manager approves each swap before it takes effect.", "Nothing changes until the manager says yes."),
        ("You can pay in four instalments.", "You can spread the cost over four instalments."),
        ("Der Kurs hat höchstens acht Personen.", "Mehr als acht Personen üben nie zusammen im Kurs."),
        ("Nous donnons les invendus à une association.", "Ce que nous n'avons pas vendu, nous le donnons à une association."),
        ("Il libro è compreso nel prezzo.", "Non dovete comprare il libro: è già nel prezzo."),
        ("Wij repareren alle merken.", "Welk merk u ook rijdt, wij repareren het."),
    ],
)  # fmt: skip
def test_words_of_retelling_add_nothing_to_a_fact(fact: str, said: str) -> None:
    assert follows(said, fact)


@pytest.mark.parametrize(
    ("said", "most"), [("towels tea sauna", True), ("towels tea sauna boats", False), ("boats", False)]
)
def test_most_of_some_words_are_two_thirds_of_them(said: str, most: bool) -> None:
    index = WordIndex(words_of("towels and tea", "en"))
    assert holds_most(index, words_of(said, "en")) is most
