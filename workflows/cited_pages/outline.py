"""The outline of a page for a brief: length, headings, lists, tables, prices, markup, date and its answer."""

import re
from collections.abc import Iterator, Sequence

from analytics.text.sentences import split_sentences
from analytics.text.stems import stems
from readiness.reading.page import HtmlPage
from readiness.reading.page_reader import read_page
from readiness.reading.prices import amounts
from readiness.survey.evidence import counted, excerpt
from readiness.survey.site import SiteVisit
from storage.documents import StoredDocument


class PageOutline(StoredDocument):
    """What one page is made of; headings, prices and `answer` are its own words, `updated` is a day (ISO 8601)."""

    words: int
    headings: tuple[str, ...]
    lists: int
    tables: int
    prices: tuple[str, ...]
    types: tuple[str, ...]
    updated: str | None
    answer: str | None


MUCH_LONGER = 1.5
MOST_NAMED = 3


def compare_outlines(theirs: PageOutline, ours: PageOutline | None, *, markup_known: bool) -> tuple[str, ...]:
    """Return what a cited page has and ours lacks, one sentence each. Without our own text, that is all it has.

    Markup and dates are compared only if `markup_known`: a text that is not on a page that was read has neither.
    """
    return tuple(_lacking(theirs, ours or NOTHING, markup_known=markup_known or ours is None))


NOTHING = PageOutline(words=0, headings=(), lists=0, tables=0, prices=(), types=(), updated=None, answer=None)


def _lacking(theirs: PageOutline, ours: PageOutline, *, markup_known: bool) -> Iterator[str]:
    if theirs.answer and not ours.answer:
        yield "One sentence that answers the question; ours has none."
    if theirs.words > MUCH_LONGER * ours.words:
        yield f"{counted(theirs.words, 'word')}; ours has {ours.words}."
    if len(theirs.headings) > len(ours.headings):
        yield f"{counted(len(theirs.headings), 'heading')}; ours has {len(ours.headings)}."
    if theirs.lists and not ours.lists:
        yield f"{counted(theirs.lists, 'list')}; ours has none."
    if theirs.tables and not ours.tables:
        yield f"{counted(theirs.tables, 'table')}; ours has none."
    if theirs.prices and not ours.prices:
        yield f"{counted(len(theirs.prices), 'price')}; ours names none."
    if markup_known:
        yield from _lacking_markup(theirs, ours)


def _lacking_markup(theirs: PageOutline, ours: PageOutline) -> Iterator[str]:
    types = [name for name in theirs.types if name not in ours.types]
    if types:
        yield f"Structured data of the types {', '.join(types[:MOST_NAMED])}, which ours lacks."
    if theirs.updated and theirs.updated > (ours.updated or ""):
        yield f"A date in its markup, {theirs.updated}; ours has {ours.updated or 'none'}."


MOST_HEADINGS, MOST_PRICES, MOST_TYPES = 12, 5, 8
LONGEST_HEADING, LONGEST_SENTENCE = 120, 240
ANSWERING_SHARE = 0.6
"""Minimum share of a question's longer words in a sentence that counts as its answer."""
_TYPE = re.compile(r"[A-Za-z]{2,40}")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def outline_visit(visit: SiteVisit, question: str) -> PageOutline | None:
    """Return the outline of a visited page, or None. Parses untrusted text, so it runs in a worker."""
    return None if visit.page is None else outline_page(visit.page, question)


def outline_html(html: str, url: str, question: str) -> PageOutline:
    """Return the outline of a page's HTML. Runs in a worker."""
    return outline_page(read_page(html.encode(), "text/html; charset=utf-8", url), question)


def outline_page(page: HtmlPage, question: str) -> PageOutline:
    """Return the outline of a page without navigation, header, footer and asides."""
    text = page.own_text
    prices = dict.fromkeys(excerpt(amount.written) for amount in amounts(text))
    headings = (excerpt(heading)[:LONGEST_HEADING] for _, heading in page.headings)
    types = {name for node in page.nodes for name in node.types if _TYPE.fullmatch(name)}
    return PageOutline(
        words=page.own_words,
        headings=tuple(heading for heading in headings if heading)[:MOST_HEADINGS],
        lists=page.lists,
        tables=page.tables,
        prices=tuple(prices)[:MOST_PRICES],
        types=tuple(sorted(types))[:MOST_TYPES],
        updated=_day_of(page),
        answer=_answer(text, [heading for _, heading in page.headings], question),
    )


def _day_of(page: HtmlPage) -> str | None:
    """Return the latest modification or publication day in the page's markup."""
    stated = (
        str(node.properties.get(name, ""))[:10]
        for node in page.nodes
        for name in ("dateModified", "datePublished")
    )
    return max((day for day in stated if _DAY.fullmatch(day)), default=None)


def _answer(text: str, headings: Sequence[str], question: str) -> str | None:
    """Return the first sentence that is not a question and contains most longer words of the question."""
    wanted = stems(question)
    for sentence in split_sentences(text):
        sentence = sentence.strip()
        for heading in headings:  # the page text has no break between a heading and the text below it
            sentence = sentence.removeprefix(heading).strip()
        if sentence.endswith("?") or not wanted:
            continue
        if len(wanted & stems(sentence)) >= ANSWERING_SHARE * len(wanted):
            return excerpt(sentence)[:LONGEST_SENTENCE]
    return None
