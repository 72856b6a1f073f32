"""What follows from facts that are told in other units, the other way round, or to somebody by name."""

import pytest

from analytics.grounding.flattening import flatten
from analytics.grounding.known_families import KnownFamilies
from analytics.grounding.known_texts import KnownText
from analytics.grounding.numerals import numbers
from analytics.grounding.support import Grounding


def follows(draft: str, facts: str) -> bool:
    known = [KnownText("profile", "Name: Tannhof"), KnownText("item 1", facts)]
    return not any(statement.missing for statement in Grounding(known, ("Tannhof",)).check(draft))


@pytest.mark.parametrize(
    ("fact", "said", "wrong"),
    [
        ("The basin is 1.1 metres deep.", "The basin is 110 centimetres deep.", "The basin is 110 metres deep."),
        ("Das Becken ist 1,2 m tief.", "Das Becken ist 120 Zentimeter tief.", "Das Becken ist 1,2 Zentimeter tief."),
        ("Le bassin a 1,3 mètre de profondeur.", "Le bassin a 130 cm de profondeur.", "Le bassin a 13 cm de profondeur."),
        ("Las camas miden 1,50 m de ancho.", "Las camas tienen 150 cm de ancho.", "Las camas tienen 15 cm de ancho."),
        ("I letti sono larghi 1,60 m.", "I letti sono larghi 160 centimetri.", "I letti sono larghi 60 centimetri."),
        ("De bedden zijn 1,60 m breed.", "De bedden zijn 160 cm breed.", "De bedden zijn 16 cm breed."),
        ("The room covers 320 m².", "The room measures 320 square metres.", "The room measures 320 square feet."),
        ("The meadow covers 2 hectares.", "The meadow covers 20,000 m².", "The meadow covers 2,000 m²."),
        ("We keep the water at 31 °C.", "The water is kept at 31 degrees Celsius.", "The water is kept at 31 degrees Fahrenheit."),
        ("A sack weighs 2.5 kg.", "A sack weighs 2,500 grams.", "A sack weighs 250 grams."),
        (
            "The basin is 20 metres long and 1.1 metres deep.",
            "The basin is 20 metres long.",
            "The basin is 20 metres deep.",
        ),
        (
            "Rooms measure from 10 to 40 square metres.",
            "Our smallest rooms measure 10 square metres, our largest 40.",
            "Our smallest rooms measure 40 square metres.",
        ),
    ],
)  # fmt: skip
def test_a_size_is_the_same_in_another_unit(fact: str, said: str, wrong: str) -> None:
    assert follows(said, fact)
    assert not follows(wrong, fact)


@pytest.mark.parametrize(
    ("fact", "said", "wrong"),
    [
        (
            "Delivery is free from £30, below that it costs £4.",
            "For orders under £30, delivery costs £4.",
            "For orders under £30, delivery is free.",
        ),
        (
            "Ab 20 Euro Bestellwert ist die Lieferung kostenlos, darunter kostet sie 2,50 Euro.",
            "Liegt der Bestellwert unter 20 Euro, kostet die Lieferung 2,50 Euro.",
            "Unter 20 Euro Bestellwert ist die Lieferung kostenlos.",
        ),
        (
            "À partir de 3 nuits, le ménage est gratuit ; en dessous, il coûte 25 €.",
            "Pour moins de 3 nuits, comptez 25 euros de ménage.",
            "Pour moins de 3 nuits, le ménage est gratuit.",
        ),
        (
            "Da 300 € la consegna è gratuita, al di sotto costa 10 €.",
            "Sotto i 300 € la consegna costa 10 €.",
            "Sotto i 300 € la consegna è gratuita.",
        ),
        (
            "Vanaf 3 nachten is de schoonmaak gratis, daaronder kost die 35 euro.",
            "Onder de 3 nachten kost de schoonmaak 35 euro.",
            "Onder de 3 nachten is de schoonmaak gratis.",
        ),
    ],
)
def test_a_condition_holds_the_other_way_round_too(fact: str, said: str, wrong: str) -> None:
    assert follows(said, fact)
    assert not follows(wrong, fact)


@pytest.mark.parametrize(
    ("facts", "said", "wrong"),
    [
        (
            "Reception: Monday to Saturday 8:00-18:00\nGuests reach their room every day from 5:00 to 23:00.",
            "Reception is closed on Sundays.",
            "Reception is closed on Fridays.",
        ),
        (
            "Hofladen: Mittwoch bis Samstag 9:00-17:00\nWir sind täglich von 7:00 bis 21:00 erreichbar.",
            "Montags ist der Hofladen geschlossen.",
            "Samstags ist der Hofladen geschlossen.",
        ),
        (
            "Recepción: de martes a domingo 9:00-13:00\nLa casa abre todos los días.",
            "La recepción cierra los lunes.",
            "La recepción cierra los domingos.",
        ),
        (
            "We are closed on 24, 25 and 26 December and on 1 January.",
            "We are closed on Christmas Eve, Christmas Day, Boxing Day and New Year's Day.",
            "We are closed on New Year's Eve.",
        ),
        (
            "Am 24. und 25. Dezember haben wir geschlossen.",
            "An Heiligabend und am ersten Weihnachtstag haben wir geschlossen.",
            "An Silvester haben wir geschlossen.",
        ),
        (
            "Siamo chiusi il 25 dicembre e il 1° gennaio.",
            "Siamo chiusi a Natale e a Capodanno.",
            "Siamo chiusi a Ferragosto.",
        ),
        (
            "Guests reach their room every day from 5:00 to 23:00. Cameras record day and night, and each room has an alarm.",
            "You can get to your room from five in the morning.",
            "You can get to your room at any hour of the day or night.",
        ),
    ],
)  # fmt: skip
def test_days_and_hours_follow_from_the_others(facts: str, said: str, wrong: str) -> None:
    assert follows(said, facts)
    assert not follows(wrong, facts)


ROOMS = {
    "en": "We have 12 rooms and you will find us by the lake.",
    "de": "Wir haben 12 Zimmer und Sie finden uns am See. Das Haus ist nicht weit von der Stadt.",
    "fr": "Nous avons 12 chambres et vous nous trouverez au bord du lac.",
    "es": "Tenemos 12 habitaciones y nos encontrará junto al lago.",
    "it": "Abbiamo 12 camere e ci trova in riva al lago. La casa non è lontana dalla città.",
    "nl": "Wij hebben 12 kamers en u vindt ons aan het meer.",
}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Thank you for your kind words, Priya, and we hope to see you again soon!"),
        ("en", "We are sorry that you had to queue, Oluwaseun."),
        ("de", "Es tut uns leid, dass Sie warten mussten, und wir danken Ihnen für die offenen Worte."),
        ("de", "Vielen Dank für Ihre Bewertung, Yildiz!"),
        ("fr", "Merci pour votre message, Aïssatou, et au plaisir de vous revoir l'été prochain !"),
        ("es", "Muchas gracias por su reseña, Itziar, y hasta pronto."),
        ("it", "Ci dispiace molto che abbia dovuto aspettare."),
        ("nl", "Hartelijk dank voor uw bericht, Nienke, en tot gauw!"),
        ("en", "Label your boxes on two sides and put the heavy ones at the bottom."),
        ("en", "Stretch your fingers before you start."),
    ],
)
def test_thanks_regrets_and_advice_need_no_fact(language: str, said: str) -> None:
    assert follows(said, ROOMS[language])


def test_a_name_that_is_not_spoken_to_needs_a_fact() -> None:
    assert not follows("Our manager Priya looks forward to seeing you.", ROOMS["en"])
    assert not follows("Thank you, Harriet, we repaired the shower.", ROOMS["en"])


@pytest.mark.parametrize(
    ("facts", "said", "wrong"),
    [
        (
            "A children's group has at most six swimmers, an adult group at most eight.",
            "Adult groups are limited to eight swimmers.",
            "Adult groups are limited to six swimmers.",
        ),
        ("A brother or sister pays 15% less.", "Siblings get 15% off.", "Brothers and sisters swim at half price."),
        ("Kinder zahlen die Hälfte.", "Für Kinder gilt der halbe Preis.", "Kinder zahlen ein Viertel weniger."),
        ("Every lesson lasts 30 minutes.", "Each lesson lasts half an hour.", "A lesson lasts three quarters of an hour."),
        ("Chez nous, un vélo se loue 12 € la journée. La maison est dans le village.", "Un vélo se loue douze euros par jour.", "Un vélo se loue 12 euros la demi-journée."),
        (
            "Milchpumpen verleihen wir für 2 Euro am Tag. Ein Bollerwagen ist kostenlos.",
            "Eine Milchpumpe leihen Sie für 2 Euro am Tag.",
            "Bollerwagen verleihen wir für 2 Euro am Tag.",
        ),
        (
            "La tente coûte 19 €, et 24 € en juillet et en août.",
            "En juillet, la tente coûte 24 €.",
            "En juillet, la tente coûte 19 €.",
        ),
        ("The pool is heated.", "The pool is heated.", "A lifeguard watches the pool."),
        ("Chez nous, la piscine est chauffée.", "La piscine est chauffée.", "Un maître-nageur surveille la piscine."),
        ("En nuestra casa la piscina está climatizada.", "La piscina está climatizada.", "Un socorrista vigila la piscina."),
        ("We cannot refund lessons.", "We are unable to refund lessons.", "We are able to refund lessons."),
        ("Der Eingang ist stufenlos.", "Sie kommen ohne Stufen herein.", "Sie kommen ohne Schlüssel herein."),
        ("Huit chalets de 28 m² pour quatre personnes au maximum, à 65 € la nuit.", "Chacun de nos huit chalets loge quatre personnes.", "Chacun de nos huit chalets loge six personnes."),
    ],
)  # fmt: skip
def test_what_facts_say_of_one_thing_stays_with_it(facts: str, said: str, wrong: str) -> None:
    assert follows(said, facts)
    assert not follows(wrong, facts)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Ours was the first house by the lake."),
        ("de", "Wir waren das erste Haus am See."),
        ("fr", "Nous avons été la première maison au bord du lac."),
        ("es", "Fuimos la primera casa junto al lago."),
        ("it", "Siamo stati la prima casa in riva al lago."),
        ("nl", "Wij waren het eerste huis aan het meer."),
    ],
)
def test_who_was_first_needs_a_fact(language: str, said: str) -> None:
    assert not follows(said, ROOMS[language])


@pytest.mark.parametrize(
    ("facts", "said", "wrong"),
    [
        ("Cada clase dura 90 minutos y los grupos son de cuatro a ocho alumnos.", "Cada clase dura hora y media.", "Cada clase dura dos horas."),
        ("Los grupos son de cuatro a ocho alumnos.", "En cada grupo hay entre cuatro y ocho alumnos.", "En cada grupo hay entre cuatro y nueve alumnos."),
        ("Preparamos los exámenes B1 y B2.", "Le preparamos para el B2.", "Le preparamos para el C2."),
        ("Die Anmeldung kostet 30 Euro.", "Für die Anmeldung zahlen Sie 30 Euro.", "Schüler zahlen keine Anmeldung."),
        ("We are closed from 1 November to 28 February.", "We are closed from 1 November.", "We are open all winter."),
        ("Guests have a kitchen.", "Our guests have a kitchen.", "Most of our guests come back."),
        ("For implants we refer you to a surgeon. We do crowns.", "We refer you to a surgeon for implants.", "We also do implants."),
        ("Dogs are welcome outside.", "Dogs are welcome outside.", "Dogs are welcome inside."),
        ("Dogs stay in the boot room, not in bedrooms.", "Dogs stay in the boot room rather than in bedrooms.", "Dogs stay in bedrooms rather than in the boot room."),
        (
            "Noleggiamo bici elettriche a 25 euro. Il casco è compreso.",
            "Una bici elettrica si noleggia a 25 euro, casco incluso.",
            "Una bici elettrica si noleggia a 25 euro, cestino incluso.",
        ),
        (
            "L'envoi coûte 7,90 € et il est offert dès 75 €.",
            "Si votre commande fait moins de 75 €, l'envoi coûte 7,90 €.",
            "Si votre commande fait moins de 75 €, l'envoi est offert.",
        ),
        ("A bath costs £15, clipping claws £6.", "A bath costs fifteen pounds, and clipping claws costs six.", "A bath costs six pounds."),
        ("Our nine rooms have 46 beds.", "Our nine rooms have forty-six beds.", "Our nine rooms have forty-seven beds."),
        ("You can check in from 16:00.", "You can check in from four in the afternoon.", "You can check in from three in the afternoon."),
        ("Plants grow in peat-free compost.", "Plants grow in compost without peat.", "Plants grow in compost without lime."),
    ],
)  # fmt: skip
def test_retold_facts_stand_and_their_changes_do_not(facts: str, said: str, wrong: str) -> None:
    assert follows(said, facts)
    assert not follows(wrong, facts)


@pytest.mark.parametrize(
    "said",
    [
        "Thanks to our cook, Gordon, you eat well.",
        "You will be happy with our cook, Priya.",
        "We are delighted that the cook, Ingvild, is back.",
        "Thank you for asking: our cook, Ludovica, is back.",
    ],
)
def test_a_name_that_tells_who_somebody_is_needs_a_fact(said: str) -> None:
    assert not follows(said, "We have 12 rooms, and our cook makes dinner for you. You eat well with us.")


@pytest.mark.parametrize(
    ("fact", "said", "wrong"),
    [
        (
            "Our shop in Kiel is open on weekdays from 9:00 to 17:00 and closed at weekends.",
            "The shop in Kiel is open on Tuesdays from 9:00 to 17:00.",
            "The shop in Kiel is open on Saturdays from 9:00 to 17:00.",
        ),
        (
            "We are closed on Mondays and open from Tuesday to Friday from 9:00 to 17:00.",
            "We are closed on Mondays.",
            "We are open on Mondays from 9:00 to 17:00.",
        ),
        (
            "Wir haben Montag bis Freitag von 9 bis 17 Uhr geöffnet und am Wochenende geschlossen.",
            "Wir haben am Dienstag von 9 bis 17 Uhr geöffnet.",
            "Wir haben am Samstag von 9 bis 17 Uhr geöffnet.",
        ),
        (
            "We are open on weekdays from 9:00 to 17:00.",
            "We are open on Tuesdays from 9:00 to 17:00.",
            "We are open at weekends from 9:00 to 17:00.",
        ),
        (
            "Cafe: Monday to Friday 8:00-14:00. Workshop: Monday to Friday 7:00-18:00.",
            "The cafe is open on Tuesdays from 8:00 to 14:00.",
            "The cafe is open on Tuesdays from 7:00 to 18:00.",
        ),
        (
            "Cafe: Monday to Friday 8:00-14:00. Workshop: Monday to Friday 7:00-18:00.",
            "We are open on Tuesdays from 7:00 to 18:00.",
            "The workshop is open on Tuesdays from 8:00 to 14:00.",
        ),
        (
            "Die Bäckerei ist montags von 03:00 bis 09:00 Uhr geöffnet.",
            "Die Bäckerei ist montags von drei bis neun Uhr geöffnet.",
            "Die Bäckerei ist montags von fünfzehn bis einundzwanzig Uhr geöffnet.",
        ),
        (
            "Open daily except Monday 10:00-18:00, Sunday 12:00-16:00.",
            "We are open on Sundays from 12:00 to 16:00.",
            "We are open on Sundays from 10:00 to 18:00.",
        ),
        (
            "Täglich von 10 bis 18 Uhr geöffnet, sonntags von 12 bis 16 Uhr.",
            "Dienstags haben wir von 10 bis 18 Uhr geöffnet.",
            "Sonntags haben wir von 10 bis 18 Uhr geöffnet.",
        ),
        (
            "Geöffnet Montag bis Freitag 8-12 Uhr, Dienstag 14-18 Uhr.",
            "Dienstags haben wir von 8 bis 12 Uhr geöffnet.",
            "Mittwochs haben wir von 14 bis 18 Uhr geöffnet.",
        ),
        (
            "Nous sommes ouverts du lundi au samedi de 9 h à 12 h 30.",
            "Nous sommes ouverts le mardi de 9 h à midi et demi.",
            "Nous sommes ouverts le mardi de 9 h à midi.",
        ),
        (
            "Nous sommes ouverts du lundi au samedi de 9 h à 11 h 30.",
            "Nous sommes ouverts le mardi de 9 h à 11 h 30.",
            "Nous sommes ouverts le mardi de 9 h à midi et demi.",
        ),
    ],
)  # fmt: skip
def test_hours_are_those_of_the_days_and_the_thing_that_a_sentence_names(
    fact: str, said: str, wrong: str
) -> None:
    assert follows(said, fact)
    assert not follows(wrong, fact)


def test_what_something_also_includes_is_looked_for_behind_the_verb() -> None:
    facts = (
        "The package includes breakfast. The spring package costs 90 euros. Massages are booked at the desk."
    )
    assert follows("The spring package also includes breakfast.", facts)
    assert not follows("The spring package also includes massages.", facts)


@pytest.mark.parametrize(
    ("fact", "said", "wrong"),
    [
        ("The pool is open from October to March.", "The pool is open in January.", "The pool is open in June."),
        ("The pool is open from April to October.", "The pool is closed in December.", "The pool is open in December."),
        ("Das Freibad ist von April bis Oktober geöffnet.", "Das Freibad ist im Juni geöffnet.", "Das Freibad ist im März geöffnet."),
    ],
)  # fmt: skip
def test_months_between_the_first_and_the_last_are_open_too(fact: str, said: str, wrong: str) -> None:
    assert follows(said, fact)
    assert not follows(wrong, fact)


@pytest.mark.parametrize(
    ("fact", "said", "wrong"),
    [
        ("Das Haus hat 120 Zimmer.", "Unser Haus hat hundertzwanzig Zimmer.", "Unser Haus hat 130 Zimmer."),
        ("L'hôtel compte 120 chambres.", "Notre hôtel compte 120 chambres.", "Notre hôtel compte 130 chambres."),
        ("El hotel tiene 120 habitaciones.", "Nuestro hotel tiene 120 habitaciones.", "Nuestro hotel tiene 130 habitaciones."),
        ("L'albergo ha 120 camere.", "Il nostro albergo ha 120 camere.", "Il nostro albergo ha 130 camere."),
        ("Het hotel heeft 120 kamers.", "Ons hotel heeft 120 kamers.", "Ons hotel heeft 130 kamers."),
    ],
)  # fmt: skip
def test_a_short_sentence_is_read_in_its_language(fact: str, said: str, wrong: str) -> None:
    assert follows(said, fact)
    assert not follows(wrong, fact)


def test_how_often_in_a_week_follows_from_the_hours_between() -> None:
    assert follows("The basin is cleaned three times a week.", "The basin is cleaned every 56 hours.")
    assert not follows("The basin is cleaned three times a week.", "The basin is cleaned every 55 hours.")


def test_a_number_word_may_begin_with_what_it_multiplies_by() -> None:
    assert follows("Wir haben hundertzwanzig Räder auf Lager.", "Auf Lager sind 120 Räder.")
    assert not follows("Wir haben hundertdreißig Räder auf Lager.", "Auf Lager sind 120 Räder.")


@pytest.mark.parametrize(
    ("fact", "wrong"),
    [
        ("Frames from Italy are guaranteed for five years.", "All frames are guaranteed for five years."),
        ("Rahmen aus Italien haben fünf Jahre Garantie.", "Alle Rahmen haben fünf Jahre Garantie."),
    ],
)
def test_what_holds_for_some_of_a_kind_holds_not_for_all_of_it(fact: str, wrong: str) -> None:
    assert follows(fact, fact)
    assert not follows(wrong, fact)


def test_only_a_family_that_a_fact_names_can_be_somebodys() -> None:
    families = KnownFamilies(["Paul and Megan Ashby lead the workshop.", "Ruth leads the shop."])
    assert families.has_name("Paul", "Ashby")
    assert not families.has_name("Ruth", "Calder")
    assert not families.has_name("Ruth", "Ashby")


@pytest.mark.parametrize(
    ("said", "value"),
    [("12 thousand guests", 12_000), ("3 Tsd. Gäste", 3_000), ("a fee of £1.4m", 1_400_000), ("4 m", 4)],
)
def test_a_scale_behind_digits_multiplies_them(said: str, value: int) -> None:
    assert [number.value for number in numbers(flatten(said), ("en", "de"))] == [value]


@pytest.mark.parametrize(
    ("said", "value"), [("una ventina", 20), ("une vingtaine", 20), ("een twintigtal", 20)]
)
def test_a_word_for_about_so_many_is_their_number(said: str, value: int) -> None:
    language = {"una": "it", "une": "fr", "een": "nl"}[said.split()[0]]
    assert [number.value for number in numbers(flatten(said), (language,))] == [value]


@pytest.mark.parametrize("said", ["The garden is open in spring.", "In spring the garden is open."])
def test_spring_is_april_and_may(said: str) -> None:
    assert follows(said, "The garden is open in April and May.")
    assert follows(said, "The garden is open from March to May.")


@pytest.mark.parametrize(
    ("fact", "said", "wrong"),
    [
        ("Frames are guaranteed.", "All our frames are guaranteed.", "All our locks are guaranteed."),
        ("Dishes are vegan.", "Every dish is vegan.", "Every drink is vegan."),
        ("Rahmen haben zehn Jahre Garantie.", "Alle Rahmen haben zehn Jahre Garantie.", "Alle Rahmen haben zwölf Jahre Garantie."),
    ],
)  # fmt: skip
def test_what_a_fact_says_of_a_thing_in_general_holds_for_all_of_it(fact: str, said: str, wrong: str) -> None:
    assert follows(said, fact)
    assert not follows(wrong, fact)
