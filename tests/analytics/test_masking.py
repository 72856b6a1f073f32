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
