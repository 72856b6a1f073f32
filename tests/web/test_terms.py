"""Terms of the pages: each has a popover that says what it means, how it is made, and how not to read it."""

import re

import pytest

from tests.web.conftest import Person

TERM = re.compile(r'popovertarget="term-(\w+)"')
WORDS = re.compile(r'<div class="term-words" id="term-(\w+)" popover[^>]*>(.*?)</div>', re.DOTALL)
PAGES = {
    "": {
        "score",
        "named",
        "share_of_voice",
        "rank",
        "own_citations",
        "recommendations",
        "interval",
        "verdict",
    },
    "/prompts": {"outcome", "verdict"},
    "/competitors": {"outcome", "score", "interval", "verdict"},
    "/sources?when=all": set[str](),
    "/score": {"score", "interval"},
}


@pytest.mark.parametrize("page", PAGES)
async def test_every_term_of_a_page_opens_what_it_means(measured: Person, page: str) -> None:
    shown = (await measured.http.get(f"/brands/{measured.brand}{page}")).text
    assert set(TERM.findall(shown)) == PAGES[page]
    explained = WORDS.findall(shown)
    assert sorted(key for key, _ in explained) == sorted(PAGES[page]), "each once, and none that nobody opens"
    for _, words in explained:
        assert all(part in words for part in ("Method.", "Pitfall."))
        assert words.count("<p") == 4
