"""A stored offset is one that the text confirms, whatever unit the provider counted in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.offsets import Unit, equals, inside, locate, marks

TEXT = "Grüße aus Köln 👩‍🚀: 東京タワー ist hoch. ([example.com](https://www.example.com/tower)) Ende."
UNITS: tuple[Unit, ...] = ("code_points", "utf16", "utf8")
words = st.text(alphabet="aé漢👍e\u0301ß \n🇩🇪", min_size=1, max_size=12)


def measured(text: str, unit: Unit) -> int:
    widths = {
        "code_points": len(text),
        "utf16": len(text.encode("utf-16-le")) // 2,
        "utf8": len(text.encode()),
    }
    return widths[unit]


@pytest.mark.parametrize("counted", UNITS)
@pytest.mark.parametrize("documented", UNITS)
def test_a_marker_is_found_whatever_unit_was_counted(counted: Unit, documented: Unit) -> None:
    mark = "([example.com](https://www.example.com/tower))"
    before = TEXT[: TEXT.index(mark)]
    start, end = measured(before, counted), measured(before + mark, counted)
    span = locate(TEXT, start, end, documented, marks("https://www.example.com/tower?utm_source=openai"))
    assert span is not None
    assert TEXT[span[0] : span[1]] == mark


@given(
    before=words,
    segment=words,
    after=words,
    counted=st.sampled_from(UNITS),
    documented=st.sampled_from(UNITS),
)
def test_a_quoted_segment_is_always_found_and_every_found_span_equals_it(
    before: str, segment: str, after: str, counted: Unit, documented: Unit
) -> None:
    text = before + segment + after
    start, end = measured(before, counted), measured(before + segment, counted)
    span = locate(text, start, end, documented, equals(segment))
    assert span is not None
    assert text[span[0] : span[1]] == segment


@given(text=words, start=st.integers(-3, 60), end=st.integers(-3, 60), unit=st.sampled_from(UNITS))
def test_offsets_that_point_anywhere_never_raise_and_never_leave_the_text(
    text: str, start: int, end: int, unit: Unit
) -> None:
    for span in (inside(text, start, end, unit), locate(text, start, end, unit, marks("https://x.test"))):
        assert span is None or 0 <= span[0] < span[1] <= len(text)


@pytest.mark.parametrize(("start", "end"), [(None, 4), (0, None), (4, 4), (5, 2), (-1, 3), (0, 10_000)])
def test_impossible_offsets_are_not_stored(start: int | None, end: int | None) -> None:
    assert locate(TEXT, start, end, "code_points", [lambda _piece: True]) is None


def test_an_offset_that_splits_a_character_is_not_stored() -> None:
    assert inside("é", 0, 1, "utf8") is None
    assert inside("👍", 0, 1, "utf16") is None


def test_a_slice_that_is_no_mark_is_not_stored() -> None:
    assert locate("plain words only", 0, 5, "code_points", marks("https://example.com/")) is None


def test_an_unreadable_url_confirms_nothing_by_its_host() -> None:
    assert locate("http://[broken and more", 0, 8, "code_points", marks("http://[broken")) is None
