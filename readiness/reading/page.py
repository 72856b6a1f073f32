"""The content of one HTML page as plain values: no parser object leaves the worker process."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

SHELL_WORDS, BARE_WORDS = 50, 15
"""Words below which a page with an empty root for scripts, or with nothing but scripts, is a shell."""


class StandIn(StrEnum):
    """What a server sends instead of the requested page."""

    CHALLENGE = "challenge"
    PLACEHOLDER = "placeholder"


@dataclass(frozen=True, slots=True)
class Link:
    """One `<a>`; `href` is absolute where it is http(s), otherwise as written (`tel:`, `mailto:`, empty).

    `section` is the part of a page that it leads to, which `href` leaves out; a link within its page has no `href`.
    """

    href: str
    text: str
    in_navigation: bool = False
    section: str = ""


@dataclass(frozen=True, slots=True)
class Control:
    """One input, select, textarea or button; `name` is its accessible name."""

    place: str
    kind: str
    name: str
    field: str


@dataclass(frozen=True, slots=True)
class HtmlForm:
    """One form: its place, target and controls; whether it can be sent, and by POST; a captcha; a WebMCP tool name."""

    place: str
    action: str
    controls: tuple[Control, ...]
    submits: bool
    captcha: bool
    tool_name: str
    text: str
    is_posted: bool = True


@dataclass(frozen=True, slots=True)
class Image:
    """One `<img>` with an absolute source; `is_furniture` where it is in a navigation, header, footer or aside."""

    src: str
    alt: str
    is_furniture: bool = False


@dataclass(frozen=True, slots=True)
class SourceLine:
    """An element or line of a file as its author wrote it, with its line number."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class MarkupFault:
    """A name or value that schema.org does not have in this place; `excerpt` is as the site wrote it."""

    pointer: str
    excerpt: str
    detail: str


@dataclass(frozen=True, slots=True)
class TextLine:
    """Visible text of one block, up to a line break, in the `pieces` that its elements hold.

    `tag` is the block's; `row` numbers the list item or table row around it, 0 where there is none; `is_own` is false
    in navigation, header, footer and aside of the page; `has_contact` where it links a telephone or a map.
    """

    tag: str
    pieces: tuple[str, ...]
    row: int = 0
    is_own: bool = True
    has_contact: bool = False

    @property
    def text(self) -> str:
        """Its words in one line."""
        return " ".join(self.pieces)


@dataclass(frozen=True, slots=True)
class Block:
    """One JSON-LD script: `state` is strict, repaired or broken; `defects` are descriptions in our own words.

    `faulty` is the line that is not valid JSON. `mended` is its repaired form, empty when the repair is uncertain.
    `strange` is what schema.org's vocabulary does not know.
    """

    number: int
    state: str
    defects: tuple[str, ...]
    excerpt: str
    faulty: str = ""
    mended: str = ""
    strange: tuple[MarkupFault, ...] = ()


@dataclass(frozen=True, slots=True)
class Node:
    """One typed schema.org node; `pointer` is `/jsonld/<block>` or `/microdata/<item>` and a JSON pointer."""

    types: tuple[str, ...]
    properties: dict[str, Any]
    pointer: str


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """One parsed HTML page; text is what is visible, with single blanks; lists are in order and capped.

    `scripted` are addresses that only a script or the form of a search leads to; `interfaces` are addresses of an
    inventory's data that scripts name. `head_lines` are its elements for crawlers as written, `number_lines` the lines
    with what may be a telephone number, `lines` its visible text by blocks. `capped` says that it has more text, links
    or form fields than are kept. `lists` and `tables` are its own, of two entries or rows at least.
    """

    lang: str = ""
    title: str = ""
    description: str = ""
    robots: tuple[tuple[str, str], ...] = ()
    canonicals: tuple[str, ...] = ()
    alternates: tuple[tuple[str, str], ...] = ()
    headings: tuple[tuple[str, str], ...] = ()
    text: str = ""
    own_text: str = ""
    words: int = 0
    own_words: int = 0
    list_entries: int = 0
    lists: int = 0
    tables: int = 0
    links: tuple[Link, ...] = ()
    scripted: tuple[Link, ...] = ()
    interfaces: tuple[str, ...] = ()
    head_lines: tuple[SourceLine, ...] = ()
    number_lines: tuple[SourceLine, ...] = ()
    lines: tuple[TextLine, ...] = ()
    navigation_items: int = 0
    navigation_links: int = 0
    forms: tuple[HtmlForm, ...] = ()
    controls: tuple[Control, ...] = ()
    images: tuple[Image, ...] = ()
    frames: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    inline_data: bool = False
    empty_root: str = ""
    has_script: bool = False
    stands_in: StandIn | None = None
    webmcp_script: bool = False
    capped: bool = False
    blocks: tuple[Block, ...] = ()
    nodes: tuple[Node, ...] = ()

    @property
    def is_shell(self) -> bool:
        """Whether hardly any text is served and scripts are to bring the rest."""
        return self.words < SHELL_WORDS and bool(
            self.empty_root or (self.has_script and self.words < BARE_WORDS)
        )

    def nodes_of(self, types: frozenset[str]) -> tuple[Node, ...]:
        """Nodes that bear one of these schema.org types, in document order."""
        return tuple(node for node in self.nodes if types.intersection(node.types))

    def heading(self, level: str) -> str:
        """Text of the first heading of a level such as `h1`, or an empty string."""
        return next((text for name, text in self.headings if name == level), "")
