"""Says what a cited page has that the brand's own text lacks."""

from collections.abc import Iterator

from readiness.survey.evidence import counted
from workflows.cited_pages.page_outline import PageOutline

MUCH_LONGER = 1.5
MOST_NAMED = 3


def compare_outlines(theirs: PageOutline, ours: PageOutline | None, *, markup_known: bool) -> tuple[str, ...]:
    """Return what a page has and ours has not, one sentence each; without a text of ours, all that it has.

    Markup and dates are compared only where `markup_known`: a text that is on no page that was read has none to see.
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
