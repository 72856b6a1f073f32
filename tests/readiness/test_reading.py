"""Reading prices, VINs, telephones and hours out of text: examples written by hand."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.text.opening_hours import visible_hours
from analytics.text.phones import e164, visible_phones
from readiness.reading import business, hours, prices, vehicles
from readiness.reading.addresses import written_addresses
from readiness.reading.page import TextLine
from readiness.reading.page_reader import read_page
from readiness.reading.vehicle_text import driven, stated_availability, stated_condition
from readiness.survey.evidence import excerpt


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("$21,300", [("$21,300", Decimal(21300), False)]),
        ("$21300", [("$21300", Decimal(21300), False)]),
        ("24.990,00 €", [("24.990,00 €", Decimal("24990.00"), False)]),
        ("24 990 € TTC", [("24 990 €", Decimal(24990), False)]),
        ("CHF 19’900", [("CHF 19’900", Decimal(19900), False)]),
        ("£299 per month", [("£299", Decimal(299), True)]),
        ("49 900 zł", [("49 900 zł", Decimal(49900), False)]),
        ("$0 down", []),
        ("2021 Honda, 20,000 miles", []),
    ],
)
def test_prices_are_read_with_their_currency(text: str, found: list[tuple[str, Decimal, bool]]) -> None:
    assert [(amount.written, amount.value, amount.monthly) for amount in prices.amounts(text)] == found


@pytest.mark.parametrize(
    ("vin", "holds"),
    [
        ("1M8GDM9AXKP042788", True),
        ("1M8GDM9A1KP042788", False),
        ("11111111111111111", True),
        ("5GZCZ43D13S812715", True),
    ],
)
def test_the_check_digit_of_published_examples_holds(vin: str, holds: bool) -> None:
    assert vehicles.check_digit_holds(vin) is holds


@pytest.mark.parametrize(
    ("text", "region", "number"),
    [("(202) 555-0143", "US", "+12025550143"), ("030 901820", "DE", "+4930901820"), ("+33 1 42 68 53 00", "US", "+33142685300"),
     ("no number", "US", ""), ("12", "US", "")],
)  # fmt: skip
def test_telephones_compare_as_e164(text: str, region: str, number: str) -> None:
    assert e164(text, region) == number


@pytest.mark.parametrize(
    ("text", "region", "numbers"),
    [
        ("Springfield, IL 62701 (202) 555-0143", "US", ["+12025550143"]),
        ("Tel. 66969123 in Hamburg", "DE", ["+4966969123"]),
        ("040 66969123 oder 0711 66969124", "DE", ["+494066969123", "+4971166969124"]),
        ("Angebotsnummer 48120012 vom 20260301", "DE", []),
        ("Stock 4812004567, listed 2026-03-01 or 03/15/2026", "US", []),
        ("since 1998 - 2026, 45 210 km", "FR", []),
    ],
)
def test_phone_numbers_are_distinguished_from_other_figures(
    text: str, region: str, numbers: list[str]
) -> None:
    assert [number for _, number in visible_phones(text, region)] == numbers


NINE_TO_SIX = frozenset(((540, 1080),))
EIGHT_TO_SIX = frozenset(((480, 1080),))
SPLIT = frozenset(((480, 720), (780, 1020)))
CLOSED: frozenset[tuple[int, int]] = frozenset()


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Mon - Fri: 9:00 am - 6:00 pm Sat: closed", {0: NINE_TO_SIX, 1: NINE_TO_SIX, 2: NINE_TO_SIX, 3: NINE_TO_SIX, 4: NINE_TO_SIX, 5: CLOSED}),
        ("Montag bis Freitag 9.00 - 18.00 Uhr", dict.fromkeys(range(5), NINE_TO_SIX)),
        ("Lundi: 9h00 - 18h00", {0: NINE_TO_SIX}),
        ("Monday: 9 - 12, 13 - 18", {0: frozenset(((540, 720), (780, 1080)))}),
        ("Monday 8:00 AM until 5:00 PM", {0: frozenset(((480, 1020),))}),
        ("Open daily 9am-9pm", dict.fromkeys(range(7), frozenset(((540, 1260),)))),
        ("Open 9-6 Monday to Friday", dict.fromkeys(range(5), NINE_TO_SIX)),
        ("Open 9am to 6pm Monday through Friday", dict.fromkeys(range(5), NINE_TO_SIX)),
        ("Monday 9:00 AM 6:00 PM Tuesday Closed", {0: NINE_TO_SIX, 1: CLOSED}),
        ("Open 24 hours", dict.fromkeys(range(7), frozenset(((0, 1440),)))),
        ("Towing 24 hours", {}),
        ("Monday9:00 am - 6:00 pm Tuesday9:00 am - 6:00 pm", dict.fromkeys(range(2), NINE_TO_SIX)),
        ("Sat & Sun 10am - 4pm", dict.fromkeys((5, 6), frozenset(((600, 960),)))),
        ("Mon, Wed and Fri 9:00am - 6:00pm", dict.fromkeys((0, 2, 4), NINE_TO_SIX)),
        ("Weekdays from 9 a.m. to 6 p.m.", dict.fromkeys(range(5), NINE_TO_SIX)),
        ("Open 24 hours, 7 days a week", dict.fromkeys(range(7), frozenset(((0, 1440),)))),
        ("Mon-Thu 9am-6pm | Fri 9am-5pm | Sun: by appointment", {**dict.fromkeys(range(4), NINE_TO_SIX), 4: frozenset(((540, 1020),))}),
        ("Montag bis Freitag von 8.00 bis 18.00 Uhr", dict.fromkeys(range(5), EIGHT_TO_SIX)),
        ("Mo.–Fr.: 8–18 Uhr, Sa.: 9–13 Uhr, So. geschlossen", {**dict.fromkeys(range(5), EIGHT_TO_SIX), 5: frozenset(((540, 780),)), 6: CLOSED}),
        ("Mo-Do 8:00-12:00 und 13:00-17:00 Uhr", dict.fromkeys(range(4), SPLIT)),
        ("täglich 8 bis 18 Uhr", dict.fromkeys(range(7), EIGHT_TO_SIX)),
        ("Du lundi au vendredi de 8h à 12h et de 13h à 17h", dict.fromkeys(range(5), SPLIT)),
        ("Lundi - Vendredi : 8h00-12h00 / 13h00-17h00 Samedi : fermé", {**dict.fromkeys(range(5), SPLIT), 5: CLOSED}),
        ("Ouvert tous les jours de 9h à 18h", dict.fromkeys(range(7), NINE_TO_SIX)),
        ("De lunes a viernes de 8:00 a 12:00 y de 13:00 a 17:00", dict.fromkeys(range(5), SPLIT)),
        ("Lunes a viernes: 9:00 - 18:00 h. Sábados cerrado", dict.fromkeys(range(5), NINE_TO_SIX)),
        ("Dal lunedì al venerdì dalle 9.00 alle 18.00", dict.fromkeys(range(5), NINE_TO_SIX)),
        ("Lunedì - Venerdì 8:00-12:00 / 13:00-17:00, domenica chiuso", {**dict.fromkeys(range(5), SPLIT), 6: CLOSED}),
        ("Maandag t/m vrijdag van 9.00 tot 18.00 uur", dict.fromkeys(range(5), NINE_TO_SIX)),
        ("ma-vr 9:00 - 18:00, zo gesloten", {**dict.fromkeys(range(5), NINE_TO_SIX), 6: CLOSED}),
        ("od poniedziałku do piątku w godz. 8 do 18", dict.fromkeys(range(5), EIGHT_TO_SIX)),
        ("Pon-Pt: 8:00–18:00, Niedziela: nieczynne", {**dict.fromkeys(range(5), EIGHT_TO_SIX), 6: CLOSED}),
        ("Segunda a sexta das 9h às 18h", dict.fromkeys(range(5), NINE_TO_SIX)),
        ("L-J 8:00-12:00 y 13:00-17:00 · V 9:00-18:00 · S y D cerrado", {**dict.fromkeys(range(4), SPLIT), 4: NINE_TO_SIX, 5: CLOSED, 6: CLOSED}),
        ("Dal lunedì al venerdì 8.00/12.00 - 13.00/17.00; sabato 9:00/18:00", {**dict.fromkeys(range(5), SPLIT), 5: NINE_TO_SIX}),
        ("Maandag tot en met donderdag 9.00 - 18.00 uur", dict.fromkeys(range(4), NINE_TO_SIX)),
        ("Montags bis freitags von 9 bis 18 Uhr", dict.fromkeys(range(5), NINE_TO_SIX)),
        ("Mercedes S 12.50 and size L, 8 pieces", {}),
        ("Come on Monday, 12 Main Street, or Friday, 24 July 2026", {}),
        ("We open on Monday with a party", {}),
    ],
)  # fmt: skip
def test_hours_are_read_from_text(text: str, days: dict[int, frozenset[tuple[int, int]]]) -> None:
    assert visible_hours(text).days == days


def test_a_price_may_have_its_cents_behind_the_sign() -> None:
    assert [float(amount.value) for amount in prices.amounts("Montage 15€50, carte 3 €, 1 490 € TTC")] == [
        15.5,
        3,
        1490,
    ]


WEEKDAYS = range(5)
SPLIT_DAY = frozenset({(480, 720), (780, 1020)})
ALL_DAY = frozenset({(0, 1440)})


@pytest.mark.parametrize(
    ("text", "days"),
    [
        (
            "M-F: 10-7, Sat 10-4",
            {**dict.fromkeys(WEEKDAYS, frozenset({(600, 1140)})), 5: frozenset({(600, 960)})},
        ),
        ("Mon–Fri 8AM–12PM, 1–5PM", dict.fromkeys(WEEKDAYS, SPLIT_DAY)),
        ("Tu-Th 8AM–12PM, 1–5PM", dict.fromkeys((1, 2, 3), SPLIT_DAY)),
        ("Mo-Fr 00:00-23:59", dict.fromkeys(WEEKDAYS, ALL_DAY)),
        ("Friday 18:00 - 2:00", {4: frozenset({(1080, 120)})}),
        ("Friday 5pm - 12am", {4: frozenset({(1020, 1440)})}),
    ],
)
def test_english_short_days_and_midnight_are_read(
    text: str, days: dict[int, frozenset[tuple[int, int]]]
) -> None:
    assert visible_hours(text).days == days


@pytest.mark.parametrize(
    ("specification", "days"),
    [
        ([{"dayOfWeek": "Monday", "opens": "9:00 AM", "closes": "6:00 PM"}], {0: NINE_TO_SIX}),
        ([{"dayOfWeek": "Mo-Fr", "opens": "09:00", "closes": "18:00"}], dict.fromkeys(WEEKDAYS, NINE_TO_SIX)),
        ([{"dayOfWeek": "Mon, We", "opens": "9am", "closes": "6pm"}], {0: NINE_TO_SIX, 2: NINE_TO_SIX}),
        ([{"dayOfWeek": "Monday", "opens": "00:00", "closes": "23:59"}], {0: ALL_DAY}),
        ([{"dayOfWeek": "Monday", "opens": "09:00:00+01:00", "closes": "18:00:00Z"}], {0: NINE_TO_SIX}),
        (
            [
                {"dayOfWeek": "Monday", "opens": "09:00", "closes": "18:00"},
                {"dayOfWeek": "Monday", "opens": "10:00", "closes": "12:00", "validFrom": "2026-12-01"},
            ],
            {0: NINE_TO_SIX},
        ),
        (
            [
                {
                    "dayOfWeek": "Thursday", "opens": "10:00", "closes": "12:00",
                    "validFrom": "2026-12-24", "validThrough": "2026-12-24",
                }
            ],
            {},
        ),
        (
            [
                {
                    "dayOfWeek": "Monday", "opens": "09:00", "closes": "18:00",
                    "validFrom": "2026-01-01", "validThrough": "2026-12-31",
                }
            ],
            {0: NINE_TO_SIX},
        ),
    ],
)  # fmt: skip
def test_hours_in_markup_are_read_in_every_form(
    specification: list[dict[str, object]], days: dict[int, frozenset[tuple[int, int]]]
) -> None:
    assert hours.structured_hours({"openingHoursSpecification": specification}).days == days


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("24/7", dict.fromkeys(range(7), ALL_DAY)),
        ("Mo-Fr 9:00 AM - 6:00 PM", dict.fromkeys(WEEKDAYS, NINE_TO_SIX)),
        ("Mo,We 08:00-12:00,13:00-17:00", {0: SPLIT_DAY, 2: SPLIT_DAY}),
        ("Mo-Tu 8AM–12PM, 1–5PM", {0: SPLIT_DAY, 1: SPLIT_DAY}),
    ],
)
def test_hours_as_one_line_of_markup(text: str, days: dict[int, frozenset[tuple[int, int]]]) -> None:
    assert hours.structured_hours({"openingHours": text}).days == days


def test_hours_are_read_from_markup_in_both_spellings() -> None:
    specification = [
        {"dayOfWeek": ["https://schema.org/Monday", "Tuesday"], "opens": "09:00", "closes": "18:00:00"},
        {"dayOfWeek": "Sunday", "opens": "00:00", "closes": "00:00"},
    ]
    assert hours.structured_hours({"openingHoursSpecification": specification}).days == {
        0: NINE_TO_SIX,
        1: NINE_TO_SIX,
        6: CLOSED,
    }
    assert hours.structured_hours({"openingHours": "Mo-Tu 09:00-18:00"}).days == {
        0: NINE_TO_SIX,
        1: NINE_TO_SIX,
    }


@given(st.text(max_size=300))
def test_no_text_makes_a_reader_raise(text: str) -> None:
    prices.amounts(text)
    visible_hours(text)
    visible_phones(text, "US")


@given(st.text(max_size=600))
def test_an_excerpt_is_short_and_shows_everything_it_holds(text: str) -> None:
    shown = excerpt(text)
    assert len(shown) <= 300
    assert not set(shown) & set("\x00\x1b\n\r\t\u200b\u202e\u2066\ufeff\U000e0041")
    assert excerpt(shown) == shown


@pytest.mark.parametrize(
    ("html", "quoted"),
    [
        ("<p>Ask the Hotline.</p><p>Kieler Str. 18, 22525 Hamburg</p><p>Tel. 040</p>", "Kieler Str. 18, 22525 Hamburg"),
        ("<b>Autohaus Muster</b><p>Am Markt 3, 61348 Bad Homburg</p><p>Anfahrt</p>", "Am Markt 3, 61348 Bad Homburg"),
        ("<p>We sell. 12 Example Street, Springfield, IL 62701. Open now.</p>", "12 Example Street, Springfield, IL 62701"),
        ("<span>Garage Pont</span><span>12 rue du Pont, 44000 Nantes</span><a>Plan</a>", "12 rue du Pont, 44000 Nantes"),
    ],
)  # fmt: skip
def test_an_address_is_quoted_without_what_stands_around_it(html: str, quoted: str) -> None:
    page = read_page(f"<body>{html}</body>".encode(), "text/html; charset=utf-8", "https://example.com/")
    assert written_addresses(page.lines, "DE")[0].text == quoted


def test_the_parts_of_an_address_are_known_only_where_one_element_holds_it() -> None:
    html = (
        "<body><b>Autohaus Muster</b><p>Am Markt 3<br>61348 Bad Homburg</p><p>Am Deich 5, 22525 Hamburg</p>"
        "<p>8 bis rue de l'Hôtel de Ville, 44000 Nantes</p>"
    )
    page = read_page(html.encode(), "text/html; charset=utf-8", "https://example.com/")
    broken, *whole = written_addresses(page.lines, "DE")[:3]
    assert broken.town == ""
    assert [(address.street, address.code, address.town) for address in whole] == [
        ("Am Deich 5", "22525", "Hamburg"),
        ("8 bis rue de l'Hôtel de Ville", "44000", "Nantes"),
    ]


@pytest.mark.parametrize(
    ("html", "region", "quoted"),
    [
        ("<p>Posted on March 3, 2025 By admin</p>", "AT", ""),
        ("<p>Am 3. März 2025 Beginnt die Saison</p>", "AT", ""),
        ("<p>Publié le 3 mars, 2025 Par admin</p>", "BE", ""),
        ("<table><tr><td>17:00</td><td>Sunday Closed</td><td>Express lane</td></tr></table>", "US", ""),
        ("<p>17:00 Sunday Closed Express lane</p>", "US", ""),
        ("<p>Room 5, 1200 Customers</p>", "US", ""),
        ("<p>Hauptstraße 5, 1010 Wien</p>", "DE", ""),
        ("<p>Hauptstraße 5<br>1010 Wien</p>", "AT", "Hauptstraße 5 1010 Wien"),
        ("<p>45 George Street, Sydney NSW 2000</p>", "AU", "45 George Street, Sydney NSW 2000"),
        ("<p>12 Main Street, Naas, W91 E2YX</p>", "IE", "12 Main Street, Naas, W91 E2YX"),
        ("<p>Turn left at 12 Example Street and park.</p>", "US", ""),
        ("<address>12 Example Street</address>", "US", "12 Example Street"),
        ('<p>12 Example Street</p><p><a href="tel:+12025550143">Call</a></p>', "US", "12 Example Street"),
    ],
)  # fmt: skip
def test_an_address_has_street_and_code_of_the_country_and_is_no_date(
    html: str, region: str, quoted: str
) -> None:
    page = read_page(f"<body>{html}</body>".encode(), "text/html; charset=utf-8", "https://example.com/")
    assert next((found.text for found in written_addresses(page.lines, region)), "") == quoted


def test_hours_under_the_name_of_a_branch_belong_to_the_department_above() -> None:
    text = (
        "Verkauf: Mo-Fr 9-18 Uhr Unsere Werkstattzeiten Bamberg: Mo-Fr 7-17 Uhr "
        "Bad Rodach: Mo-Do 8-16 Uhr Öffnungszeiten: Mo-Fr 8-12 Uhr"
    )
    stated = [(said.department, text[said.start : said.end]) for said in hours.hours_statements(text)]
    assert stated[:3] == [
        (hours.Department.SALES, "Mo-Fr 9-18 Uhr"),
        (hours.Department.SERVICE, "Mo-Fr 7-17 Uhr"),
        (hours.Department.SERVICE, "Mo-Do 8-16 Uhr"),
    ]
    assert stated[-1] == (None, "Mo-Fr 8-12 Uhr")


def test_a_statement_of_hours_ends_where_its_last_hour_does() -> None:
    text = "Werkstattzeiten Montag bis Freitag von 7.30 bis 17.00 Uhr Datenschutz Impressum"
    [stated] = hours.hours_statements(text)
    assert text[stated.start : stated.end] == "Montag bis Freitag von 7.30 bis 17.00 Uhr"


@pytest.mark.parametrize(
    "text",
    [
        "88 Broadway, New York, NY 10004-1234",
        "2200 US-1, Edison, NJ 08817",
        "5 E Broadway, Salt Lake City, UT 84111",
        "Z.A. des Prés, 35000 Rennes",
    ],
)
def test_a_street_without_a_word_for_streets_is_an_address_beside_its_code(text: str) -> None:
    assert written_addresses([TextLine("p", (text,))], "US")[0].is_whole


@pytest.mark.parametrize(
    ("text", "mileage"),
    [
        ("Odometer 45,210", "Odometer 45,210"),
        ("KM: 45.210", "KM: 45.210"),
        ("Next service in 12,000 miles", ""),
        ("Inspektion in 12.000 km fällig", ""),
        ("Price per km: 1", ""),
    ],
)
def test_a_mileage_is_what_was_driven_and_not_what_comes_next(text: str, mileage: str) -> None:
    assert driven(text) == mileage


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("nearly new", True),
        ("Ex-demo", True),
        ("Demonstrator", True),
        ("Demonstrator of agility", None),
        ("Tageszulassung", True),
        ("Dienstwagen, 12.000 km", True),
        ("Km 0", True),
    ],
)
def test_a_car_that_was_registered_before_is_a_used_one(text: str, used: bool | None) -> None:
    assert stated_condition("", text) is used


@pytest.mark.parametrize(
    ("text", "available"),
    [
        ("Lieferzeit: sofort", "Lieferzeit: sofort"),
        ("Sale pending", "Sale pending"),
        ("Only 1 left", "Only 1 left"),
        ("Only 2 left-hand drive cars were made", ""),
    ],
)
def test_availability_is_read_in_the_words_of_shops(text: str, available: str) -> None:
    assert stated_availability(text) == available


@pytest.mark.parametrize(
    ("text", "value"),
    [("Jahrgang 2021 CHF 28’900.–", 28900), ("Honda Jazz 2019 £11,495", 11495), ("2018 USD 20,100", 20100)],
)
def test_a_year_before_a_currency_is_no_amount_of_it(text: str, value: int) -> None:
    assert [amount.value for amount in prices.amounts(text)] == [value]


def test_swiss_francs_are_written_with_their_short_name() -> None:
    assert [amount.value for amount in prices.amounts("Fr. 18'400.–")] == [18400]


@pytest.mark.parametrize(
    ("lang", "text", "region"),
    [
        ("en", "Unit 9, Testbury Road, Stoke-on-Trent ST4 9ZZ", "GB"),
        ("en", "12 Example Street, Guelph, ON N1G 2W1", "CA"),
        ("en", "12 Example Street, Springfield, IL 62701", "US"),
        ("de", "Bahnhofstrasse 3, CH-8001 Zürich", "CH"),
        ("nl", "Teststeenweg 77, 1755 Gooik, BTW BE 0000.000.000", "BE"),
        ("de", "Kieler Str. 18, 22525 Hamburg", "DE"),
    ],
)
def test_postal_codes_and_tax_numbers_identify_the_country(lang: str, text: str, region: str) -> None:
    assert business.country("www.example.com", lang, business.countries_of_codes(lang, text)) == region
