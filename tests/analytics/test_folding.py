import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from analytics.text.folding import fold, fold_cluster, is_dropped
from analytics.text.scripts import is_mark

AWKWARD = st.text(
    st.one_of(
        st.sampled_from(
            "aAsS *~`_&'’-–\n\t\u00a0\u3000\u200b\u00ad\ufe0f™ßŠéﬁ½①©\u030c\u0301\u3099カハｶﾞ한丰д\u0435\u0308ё😀\0\ufdd0"
        ),
        st.characters(),
    )
)


def naive(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The folding rules applied to one cluster after the other: the folded text and each character's origin."""
    out: list[str] = []
    origins: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        char, end = text[at], at + 1
        alone = char.isspace() or char in "_&" or is_dropped(char)
        while not alone and end < len(text) and is_mark(text[end]) and not is_dropped(text[end]):
            end += 1
        folded = "" if is_dropped(char) else " " if char.isspace() else fold_cluster(text[at:end])
        if char == "_" and not in_a_word(text, at):
            folded = ""
        if (
            folded == " "
            and char.isspace()
            and out
            and (out[-1] in " &")
            and (out[-1] == "&" or spaced(text, origins[-1]))
        ):
            folded = ""
        if folded == "&" and out and out[-1] == " " and spaced(text, origins[-1]):
            out.pop()
            origins.pop()
        out.extend(folded)
        origins.extend([(at, end)] * len(folded))
        at = end
    return "".join(out), origins


def spaced(text: str, origin: tuple[int, int]) -> bool:
    return text[origin[0]].isspace()


def in_a_word(text: str, at: int) -> bool:
    left, right = at, at
    while left >= 0 and text[left] == "_":
        left -= 1
    while right < len(text) and text[right] == "_":
        right += 1
    return (
        left >= 0
        and right < len(text)
        and (text[left].isalnum() or is_mark(text[left]))
        and (text[right].isalnum() or is_mark(text[right]))
    )


@settings(max_examples=2000)
@given(AWKWARD)
@example("** a _b_ c__d & **e** &f\u0301 ﬁ\u0301_x")
def test_folding_in_runs_equals_folding_cluster_by_cluster(text: str) -> None:
    folded = fold(text)
    expected, origins = naive(text)
    assert folded.text == expected
    for at, (start, _) in enumerate(origins):
        assert folded.origin(at) == start
    for start in range(min(len(expected), 12)):
        for end in range(start + 1, min(len(expected), start + 6) + 1):
            whole_start = start == 0 or origins[start - 1] != origins[start]
            whole_end = end == len(expected) or origins[end - 1] != origins[end]
            span = (origins[start][0], origins[end - 1][1]) if whole_start and whole_end else None
            assert folded.span(start, end) == span


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_folds_as_it_does_beside_another_script(text: str) -> None:
    assert fold(text + ".").text == fold(text + ".丰").text[:-1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Škoda ŁÓDŹ Ørsted Đà", "skoda lodz orsted da"),
        ("İstanbul ΆΛΦΑ straße", "istanbul αλφα strasse"),
        ("ё Й", "е й"),
        ("ｶﾞｽ ガス ハ\u3099", "ガス ガス バ"),
        (unicodedata.normalize("NFD", "한국"), "한국"),
        ("Marks  &  Spencer, AT & T", "marks&spencer, at&t"),
        ("__init__ a_b _c_ d__e", "init a_b c d__e"),
        ("soft\u00adhy zero\u200bwidth ❤\ufe0f Acme®", "softhy zerowidth ❤ acme"),
        ("it’s ‘x’ ʼ ´", "it's 'x' ' '"),
        ("a‐b‑c–d—e−f－g", "a-b-c-d-e-f-g"),
        ("a\u00a0\n\t b\u3000c", "a b c"),
        ("\ud800x", "\ufffdx"),
    ],
)
def test_a_text_folds_to_exactly_this(text: str, expected: str) -> None:
    assert fold(text).text == expected
