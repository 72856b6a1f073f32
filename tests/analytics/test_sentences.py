import re

from hypothesis import example, given
from hypothesis import strategies as st

from analytics.text.sentences import Sentences

SENTENCE_END = re.compile(r"[.!?\n\r。！？](?:(?<![.!?])|(?=\s|\Z))")
CLAUSE_START = re.compile(
    r";|(?:(?<!\s)\s++|(?<=[^\w\s'’-]))(?=(?:but|however|although|though|whereas|while|instead|unlike"
    r"|rather\s+than)\b)|(?<!\s)\s++[-\u2010-\u2015](?=\s)",
    re.IGNORECASE,
)
"""How the two are defined; looking for one mark after the other finds the same in less time."""
WORDS = [
    "but",
    "However",
    "though",
    "while",
    "unliKe",
    "ınstead",
    "İnstead",
    "inſtead",
    "rather",
    "butter",
    "a",
    "é",
    ";",
    "-",
    "–",
    "(",
    "*",
    "'",
    "’",
    ".",
    "!",
    "?",
    ",",
    "。",
    "！",
]
PIECES = st.lists(
    st.sampled_from([*WORDS, " ", "  ", "\n", " - ", " –\n", "rather\n than", "\x1c", "\u3000"])
)


@given(PIECES.map("".join))
def test_a_sentence_ends_at_its_mark_before_white_space_or_the_end(text: str) -> None:
    sentences = Sentences(text)
    ends = [0, *(end.end() for end in SENTENCE_END.finditer(text))]
    for at in range(len(text)):
        low, high = sentences.around(at, at + 1)
        assert low == max(end for end in ends if end <= at)
        assert high == next((end for end in ends if end > at), len(text))


@given(PIECES.map("".join))
@example("a！But a, but\n but ;but a ( \u0130nstead (in\u017ftead a")
def test_a_clause_starts_at_semicolons_spaced_dashes_and_conjunctions(text: str) -> None:
    sentences = Sentences(text)
    for at in range(len(text)):
        low, high = sentences.around(at, at + 1)
        cuts = [cut.span() for cut in CLAUSE_START.finditer(text, low, high)]
        first = max((start for start, end in cuts if end <= at), default=low)
        last = next((start for start, _ in cuts if start >= at + 1), high)
        assert sentences.clause(at, at + 1) == (first, last)
