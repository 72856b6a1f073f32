"""The guide: Markdown pages, rendered as HTML with links of this site."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.token import Token

PAGES = Path(__file__).with_name("guide")
INDEX = "README"
NAME = re.compile(r"[a-z][a-z0-9-]{0,60}")
LINK = re.compile(r"([A-Za-z][A-Za-z0-9-]{0,60}+)\.md(#[\w-]{1,200}+)?")
COMMENT = re.compile(r"^<!--.*?-->\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class GuidePage:
    """One page of the guide."""

    title: str
    markdown: str
    html: str


@cache
def guide_pages() -> Mapping[str, GuidePage]:
    """Return every page by its name, in the order in which the index names them; read and rendered once."""
    texts = {file.stem: file.read_text(encoding="utf-8") for file in sorted(PAGES.glob("*.md"))}
    order = [INDEX, *(link[1] for link in LINK.finditer(texts[INDEX])), *texts]
    return {name: rendered_page(texts[name]) for name in dict.fromkeys(order) if name in texts}


def rendered_page(text: str) -> GuidePage:
    """Render Markdown that starts with its title. HTML in it is shown as text."""
    from markdown_it import MarkdownIt  # loaded for the first reader

    markdown = COMMENT.sub("", text)
    renderer = MarkdownIt("js-default")
    tokens = renderer.parse(markdown)
    for token in tokens:
        for child in token.children or ():
            _lead_to_this_site(child)
    _name_headings(tokens)
    title = markdown.partition("\n")[0].removeprefix("# ").strip()
    return GuidePage(title, markdown, renderer.renderer.render(tokens, renderer.options, {}))


def _lead_to_this_site(token: "Token") -> None:
    """Change a link between files of the guide into one between its pages."""
    if token.type != "link_open":
        return
    linked = LINK.fullmatch(str(token.attrGet("href") or ""))
    if linked is not None:
        name = "" if linked[1] == INDEX else f"/{linked[1]}"
        token.attrSet("href", f"/help{name}{linked[2] or ''}")


def _name_headings(tokens: list["Token"]) -> None:
    """Give each heading the id that repositories and sites give it."""
    for token, inside in pairwise(tokens):
        if token.type == "heading_open":
            words = re.sub(r"[^\w\- ]", "", inside.content.lower())
            token.attrSet("id", words.replace(" ", "-"))
