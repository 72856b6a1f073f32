"""A stored text as a document: Markdown, or HTML in which nothing of the text becomes an element of its own."""

import html
import json
import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from measurement.planning.published_items import DRAFT
from storage.repositories.brands import Brand
from storage.repositories.repository_items import RepositoryItem
from storage.workspace import Workspace
from workflows.drafts.decisions import load_review
from workflows.drafts.document import DraftReview, DraftSentence
from workflows.run_reports import plain

if TYPE_CHECKING:
    from markdown_it import MarkdownIt  # loading it takes a seventh of a second, which start-up cannot spare

FORMATS: Final = ("markdown", "html")
LINKED_SCHEMES: Final = frozenset({"http", "https", "mailto", "tel"})
HIDING: Final = frozenset({"Cc", "Cf", "Co", "Cs"})
"""Categories of characters that hide or reorder words."""
NOT_A_NAME: Final = re.compile(r"[^a-z0-9]+")
LONGEST_NAME: Final = 60
SOURCES_HEADING: Final = "## Sources (not part of the text)"
DRAFT_NOTE: Final = "Draft, not approved. Do not publish."


@dataclass(frozen=True, slots=True)
class ExportedDocument:
    """A text as a file: its name, media type and content."""

    name: str
    media_type: str
    content: str


async def export_item(
    workspace: Workspace, brand: Brand, item: RepositoryItem, form: str
) -> ExportedDocument:
    """Return an item as a file; `form` is one of FORMATS.

    A draft is marked as one, and lists the state and source of each sentence after its text; a file of the site is
    exported as it is.
    """
    review = await load_review(workspace, brand, item)
    if review is not None:
        item = replace(item, body=f"{review.body}\n\n{source_list(review)}")
    if form == "html":
        return ExportedDocument(f"{file_stem(item)}.html", "text/html", html_document(item))
    return ExportedDocument(f"{file_stem(item)}.md", "text/markdown", markdown_document(item))


def source_list(review: DraftReview) -> str:
    """Return the state and source of each sentence as a Markdown list."""
    lines = [
        f"{number}. “{plain(sentence.text)}” {_state_words(review, sentence)}"
        for number, sentence in enumerate(review.sentences, 1)
        if sentence.state != "no_claim"
    ]
    return "\n".join([SOURCES_HEADING, "", *lines])


def _state_words(review: DraftReview, sentence: DraftSentence) -> str:
    source = review.source_of(sentence)
    if source is not None:
        return f"Supported by “{plain(source.title)}” ({source.key}): “{plain(sentence.quote or '')}”"
    if sentence.state == "confirmed":
        return f"Confirmed by {plain(sentence.decided_by or '')}: {plain(sentence.note or '')}"
    if sentence.state == "edited":
        return f"Edited by {plain(sentence.decided_by or '')}"
    return f"{sentence.state.replace('_', ' ').capitalize()}. {plain(sentence.explanation)}".rstrip()


def markdown_document(item: RepositoryItem) -> str:
    """Return an item as Markdown under a head of YAML, whose values are written as JSON strings, which YAML reads."""
    fields = {
        "title": visible(item.title),
        "category": visible(item.category),
        "status": "draft" if item.category == DRAFT else "approved",
        "updated": item.updated_at.date().isoformat(),
    }
    if item.url:
        fields["url"] = visible(item.url)
    head = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items()]
    return "\n".join(["---", *head, "---", "", visible(item.body).rstrip(), ""])


def html_document(item: RepositoryItem) -> str:
    """Return an item as a whole HTML page without scripts, styles and anything that is loaded but pictures."""
    title = html.escape(visible(item.title))
    is_draft = item.category == DRAFT
    lines = ["<!doctype html>", '<html><head><meta charset="utf-8">', f"<title>{title}</title>"]
    if is_draft:
        lines.append('<meta name="robots" content="noindex">')
    lines.append("</head><body>")
    if is_draft:
        lines.append(f"<p><strong>{DRAFT_NOTE}</strong></p>")
    if not starts_with_title(item):
        lines.append(f"<h1>{title}</h1>")
    return "\n".join([*lines, html_fragment(item.body).rstrip(), "</body></html>", ""])


def html_fragment(markdown: str) -> str:
    """Return Markdown as HTML: tags in the text are shown as text, and links lead to web, mail and telephone only."""
    # Twice: an entity such as &#x202e; becomes the character it names while the text is rendered.
    return visible(_renderer().render(visible(markdown)))


def starts_with_title(item: RepositoryItem) -> bool:
    """Check whether the text begins with a heading of the first level."""
    return item.body.lstrip().startswith("# ")


def visible(text: str) -> str:
    """Return a text without characters that hide or reorder words; line breaks and tabs stay."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(char for char in lines if char in "\n\t" or unicodedata.category(char) not in HIDING)


def file_stem(item: RepositoryItem) -> str:
    """Return a file's name without its ending: words of the title in plain letters, else the item's id."""
    plain = unicodedata.normalize("NFKD", item.title.casefold()).encode("ascii", "ignore").decode()
    return NOT_A_NAME.sub("-", plain)[:LONGEST_NAME].strip("-") or item.id


def leads_somewhere_safe(url: str) -> bool:
    """Check whether a link is safe to keep: a known scheme, or an address on the same site."""
    try:
        scheme = urlsplit(url.strip()).scheme.lower()
    except ValueError:
        return False
    return scheme in LINKED_SCHEMES if scheme else ":" not in url.partition("/")[0]


@lru_cache(maxsize=1)
def _renderer() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    renderer = MarkdownIt("js-default", {"html": False, "linkify": False})
    renderer.validateLink = leads_somewhere_safe
    return renderer
