import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.matching.masking import blank


def shown(text: str, *kept: str) -> str:
    """What blanking leaves, a run of blanks as one `·`."""
    result = blank(text, frozenset(kept))
    assert len(result) == len(text)
    return "·".join(part for part in _split(result))


def _split(text: str) -> list[str]:
    parts = [""]
    for before, char in zip(" " + text, text, strict=False):
        if char != "\0":
            parts[-1] += char
        elif before != "\0":
            parts.append("")
    return parts


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("see https://acme.com/a_(b). Acme", "see ·. Acme"),
        ("(https://acme.com) Acme", "(·) Acme"),
        ("HTTPS://ACME.COM/x WWW.acme.de/y x", "· · x"),
        ('[Acme](https://a.com/x "Acme") b', "[Acme· b"),
        ("[1]: https://acme.com 'Acme'\nAcme", "·\nAcme"),
        ("x[^1]\n[^1]: Acme says so", "x·\n·"),
        ("a [1] b\n[1] Acme, Annual report", "a · b\n·"),
        ("b\n\nSources:\n- Acme blog\n- Bravo", "b\n\nSources:\n·\n·"),
        ("Quelle: Acme", "Quelle:·"),
        ("good (source: Acme blog) x", "good · x"),
        ("a [3] b [[4]] c [1, 2] d [^note] e 【4:0†Acme】", "a · b · c · d · e ·"),
        ("【トヨタ】は", "【トヨタ】は"),
        ("info@acme.com @acme.official x @acme, y", "· · x ·, y"),
        ("acme.com, shop.acme.co.uk/x?y and acme.com. End", "·, · and ·. End"),
        ("请访问acme.com查看丰田", "请访问·查看丰田"),
        ("acme.com은 좋다", "·은 좋다"),
        ("müller.de x", "· x"),
        ("Node.js v3.5 e.g. U.S. and a.notasuffix", "Node.js v3.5 e.g. U.S. and a.notasuffix"),
        ("**acme.com** _acme.com_ (acme.com)", "**·** _·_ (·)"),
        ("See https://acme.com/了解。丰田", "See ·。丰田"),
        ("| https://acme.com|Acme |", "| ·|Acme |"),
        ("end.\nNext", "end.\nNext"),
    ],
)
def test_what_points_at_a_source_is_blanked(text: str, left: str) -> None:
    assert shown(text) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Booking.com is", "Booking.com is"),
        ("ask Booking.com.", "ask Booking.com."),
        ("Booking.com? Yes", "Booking.com? Yes"),
        ("booking.com/x is", "· is"),
        ("booking.com?x=1 is", "· is"),
        ("booking.com:443 is", "· is"),
        ("www.booking.com is", "· is"),
        ("sub.booking.com is", "· is"),
    ],
)
def test_a_domain_that_is_a_name_stays_unless_a_path_follows(text: str, left: str) -> None:
    assert shown(text, "booking.com") == left


@given(st.text(st.one_of(st.sampled_from("[](){}<>@.:/w\n \t\0【】†^1a-é丰"), st.characters())))
def test_blanking_keeps_every_other_character_and_all_line_breaks(text: str) -> None:
    result = blank(text)
    assert len(result) == len(text)
    assert all(new in (old, "\0") for old, new in zip(text, result, strict=True))
    assert [at for at, char in enumerate(text) if char in "\r\n"] == [
        at for at, char in enumerate(result) if char in "\r\n"
    ]


@pytest.mark.parametrize(
    "piece", ["](", "[a", "a.", ",.a", "a@", "http://(", "【1", "[1,1", "www.", "a-", "(", "[^"]
)
def test_no_repetition_makes_blanking_slow(piece: str) -> None:
    """A quadratic pattern would take minutes here; the suite's time limit ends it."""
    assert len(blank(piece * 100_000)) == len(piece) * 100_000


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Prices rose ([Acme](https://acme.example/report)).", False),
        ("Prices rose ([Acme](https://acme.example/a))([Bravo](https://b.example)), so wait", False),
        ("One dealer ([Acme](https://acme.example)) opens on Sundays.", True),
        ("[Acme](https://acme.example) opens on Sundays.", True),
    ],
)
def test_a_link_alone_in_brackets_behind_a_statement_points_at_a_source(text: str, names: bool) -> None:
    assert ("Acme" in blank(text)) is names


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("A good dealer shows the history of each car. Acme Cars +2", "A good dealer shows the history of each car. ·"),
        ("Compare three offers.\nAcme Cars\n+2\n\nMore.", "Compare three offers.\n·\n·\n\nMore."),
        ("Ask. Acme +1 Then compare.", "Ask. · Then compare."),
        ("Ask first. [Acme +2](https://acme.example/)", "Ask first. ·(·)"),
        ("A good dealer shows the history of each car.\nAcme Cars\n\nBravo is fine.", "A good dealer shows the history of each car.\n·\n\nBravo is fine."),
        ("Bravo is fine.\n\n**Sponsored** [Acme – Free quote](https://acme.example/)", "Bravo is fine.\n\n·"),
        ("Bravo is fine.\n\nAnzeige\nAcme Cars\nJetzt kaufen\n\nEnde.", "Bravo is fine.\n\n·\n·\n·\n\nEnde."),
        ("Two choices:\n\nAcme X200\n$129.00\n4.5 (1.2K)\n\nBravo is fine.", "Two choices:\n\n·\n·\n·\n\nBravo is fine."),
        ("![Acme logo](https://acme.example/l.png) Bravo", "· Bravo"),
    ],
)  # fmt: skip
def test_chips_ads_product_cards_and_images_name_nobody(text: str, left: str) -> None:
    assert shown(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "The best dealers:\n\nAcme\nA good dealer.\n\nBravo\nAnother.",
        "Acme costs more.\nBravo\nCheap and near.",
        "Sponsored events of Acme are free.",
        "Acme Plus\n- $10 a month\n- no contract",
        "The plan adds Acme +1 year of service.",
        "1. Acme\n2. Bravo\n$20",
        "Here is my choice of three.\nAcme\nBravo\nCargo",
    ],
)
def test_names_in_lists_headings_and_sentences_stay(text: str) -> None:
    assert shown(text) == text
