"""The numbered facts of a draft: profile fields, lines of published items, and lines of the site's pages."""

from collections.abc import Iterable, Iterator, Sequence

from analytics.text.sentences import split_sentences
from analytics.text.stems import stems
from measurement.publication.accuracy_checks import profile_lines
from storage.repositories.brands import Brand
from storage.repositories.repository_items import RepositoryItem
from workflows.drafts.document import Fact

MOST_FACTS = 400
MOST_CHARACTERS = 48_000
"""About 12,000 tokens."""
LONGEST_FACT = 600


def number_facts(
    brand: Brand, items: Iterable[RepositoryItem], pages: Iterable[tuple[str, str]], about: str
) -> tuple[Fact, ...]:
    """Return the facts for a text about something: the profile first, then the lines that share most words with it.

    `pages` are URLs with the text of each page, its title first.
    """
    wanted = stems(about)
    lines = [*_item_lines(items), *_page_lines(pages)]
    lines.sort(key=lambda fact: -len(wanted & stems(f"{fact.title} {fact.text}")))
    chosen: list[Fact] = []
    room = MOST_CHARACTERS
    for fact in (*profile_facts(brand), *lines):
        if len(chosen) == MOST_FACTS or len(fact.text) > room:
            break
        chosen.append(fact)
        room -= len(fact.text)
    return tuple(chosen)


def profile_facts(brand: Brand) -> Iterator[Fact]:
    """Yield the facts of a brand's profile."""
    fields = {
        "name": ("Name", brand.name),
        "industry": ("Industry", brand.industry),
        "website": ("Website", brand.website),
        "audience": ("Audience", brand.target_audience),
        "keywords": ("Keywords", ", ".join(brand.keywords)),
    }
    for field, (label, value) in fields.items():
        if value:
            yield Fact(key=f"profile.{field}", title="Profile", text=_cut(f"{label}: {value}"))
    for number, line in enumerate(profile_lines(brand.facts).splitlines() if brand.facts else (), 1):
        yield Fact(key=f"profile.fact{number}", title="Profile", text=_cut(line))


def shown_facts(facts: Sequence[Fact]) -> str:
    """Return the facts as numbered lines for a prompt."""
    return "\n".join(f"{number}. {fact.text}" for number, fact in enumerate(facts, 1))


def _item_lines(items: Iterable[RepositoryItem]) -> Iterator[Fact]:
    for item in items:
        for number, line in enumerate(_lines(f"{item.title}\n{item.body}\n{item.url or ''}"), 1):
            yield Fact(key=f"item:{item.id}#{number}", title=item.title, text=line)


def _page_lines(pages: Iterable[tuple[str, str]]) -> Iterator[Fact]:
    for url, text in pages:
        title = ""
        for number, line in enumerate(_lines(text), 1):
            title = title or line
            yield Fact(key=f"page:{url}#{number}", title=title, text=line)


def _lines(text: str) -> Iterator[str]:
    for sentence in split_sentences(text):
        line = _cut(" ".join(sentence.split()))
        if line:
            yield line


def _cut(line: str) -> str:
    """Cut a long line at the end of a word; a number there is left out, since its unit may have been cut off."""
    if len(line) <= LONGEST_FACT:
        return line
    words = (line[: LONGEST_FACT + 1].rpartition(" ")[0] or line[:LONGEST_FACT]).split(" ")
    while words and any(map(str.isdigit, words[-1])):
        words.pop()
    return " ".join(words)
