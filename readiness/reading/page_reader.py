"""Read one HTML page into the plain values that checks need."""

import pickle
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from analytics.text.phones import PHONE_TEXT
from readiness.fetching import urls
from readiness.reading.documents import decode
from readiness.reading.elements import (
    FURNITURE,
    accessible_name,
    attribute,
    collapsed,
    is_furniture,
    place,
    strip_furniture,
    within,
)
from readiness.reading.microdata import microdata, rdfa
from readiness.reading.page import Block, Control, HtmlForm, HtmlPage, Image, Link, Node, SourceLine
from readiness.reading.stand_ins import StandIn, stand_in
from readiness.reading.structured_data import MAX_NODES, read_block
from readiness.reading.text_lines import text_lines

MAX_ITEMS = 2000
MAX_TEXT = 60_000
MAX_COUNTED = 50
"""Lists and tables that are read, since nested ones are read again for each level."""
INVISIBLE = ["script", "style", "noscript", "template", "svg", "iframe", "object"]
NAVIGATION = ("nav", "[role=navigation]:not(nav)", "[role=menubar]")
UNMARKED_NAVIGATION = tuple(
    f"{tag}[{name}{fits} i]"
    for tag in ("ul", "div", "table")
    for name in ("class", "id")
    for fits in (
        '~="nav"',
        '~="menu"',
        '*="navbar"',
        '*="navigation"',
        '*="mainmenu"',
        '*="main-menu"',
        '*="nav-menu"',
    )
)
"""Where themes older than `<nav>` have their menus; asked of pages without a marked one."""
ROOTS = ("#root", "#app", "#__next", "#__nuxt", "#___gatsby", "#q-app", "#react-root", "#svelte", "app-root")
LOADING_WORDS = 30
"""Words below which the root of an app holds at most that it is loading."""
DESCRIBING = 6
"""Words from which on an entry says more than a name."""
CONTROLS = "input,select,textarea,button"
LAZY_SOURCES = ("data-src", "data-lazy-src", "data-lazy", "data-original")
SOURCE_SETS = ("srcset", "data-srcset")
MAX_SOURCE = 300_000
HOME_PATH = re.compile(r"/?(?:(?:index|default|home)(?:\.\w{2,5})?)?", re.I)
HEAD_ELEMENT = re.compile(r"<(?:link|meta)\b[^<>]{1,600}>", re.I)
TOLD_ELEMENTS = ("canonical", "robots", "bot")
MAX_LINES, LONGEST_LINE = 10, 300
CAPTCHA = re.compile(r"recaptcha|hcaptcha|turnstile|friendlycaptcha|arkoselabs", re.I)
INLINE_DATA = re.compile(r"__NEXT_DATA__|__NUXT__|__INITIAL_STATE__|__APOLLO_STATE__|application/json", re.I)
VALUE = re.compile(r"\"([^\"]{0,300})\"(?=(\s?:)?)|[:,\[]\s?(\d{4,12})\b")
WORD = re.compile(r"[^\W\d_]{3,}|\d{4,}")
LEAST_DATA = 10
"""Words and figures in the values of inline data from which on it holds something of a page."""
WEBMCP = re.compile(r"\b(?:navigator|document)\.modelContext\b|\bwindow\.agent\b|registerTool\s*\(", re.I)
MOVES = re.compile(
    r"location(?:\.href)?\s{0,3}=\s{0,3}['\"]([^'\"]{1,300})|['\"]((?:https?:/)?/[^'\"\s<>]{1,300})['\"]"
)
"""A URL that a click leads to: assigned to a location, or passed to a function as a string."""
INTERFACE = re.compile(r"[\"']((?:https?:/)?/[^\"'\s<>]{1,200})[\"']")
OF_DATA = re.compile(r"api|json|graphql|search", re.I)
OF_INVENTORY = re.compile(r"inventory|vehicle|listing|cars|stock|fahrzeug", re.I)


def pack_page(body: bytes, content_type: str, url: str) -> tuple[bytes, StandIn | None]:
    """Read one HTML page and return it pickled, with the kind of stand-in that the server sent, if any.

    Processes that only pass the page on do not need to unpickle it.
    """
    page = read_page(body, content_type, url)
    return pickle.dumps(page), page.stands_in


def read_page(body: bytes, content_type: str, url: str) -> HtmlPage:
    """Return everything that the checks need from one HTML page. `url` is the base URL of its links."""
    return PageReader(decode(body, content_type), url).page()


class PageReader:
    """Reads one parsed tree: first the contents of scripts, then the visible text after scripts are removed."""

    def __init__(self, html: str, url: str) -> None:
        self._source = html[:MAX_SOURCE]
        self._tree = LexborHTMLParser(html)
        base = self._tree.css_first("base[href]")
        self._base = (urls.resolve(url, attribute(base, "href")) if base else None) or url

    def page(self) -> HtmlPage:
        """The page as plain values."""
        page = self._with_scripts(self._head())
        page = self._with_structure(page)
        self._tree.strip_tags(INVISIBLE, recursive=True)
        for node in self._tree.css("[hidden]")[:MAX_ITEMS]:
            node.decompose()
        return self._with_text(page)

    def _with_scripts(self, page: HtmlPage) -> HtmlPage:
        scripts = self._tree.css("script")
        sources = [attribute(node, "src") for node in scripts]
        inline = [(node, node.text()) for node in scripts[:MAX_ITEMS] if not attribute(node, "src")]
        blocks, nodes = self._structured()
        return replace(
            page,
            scripts=tuple(source for source in sources if source)[:MAX_ITEMS],
            has_script=bool(scripts),
            inline_data=any(
                INLINE_DATA.search(f"{node.id or ''} {attribute(node, 'type')} {text[:300]}") and _tells(text)
                for node, text in inline
            ),
            interfaces=tuple(dict.fromkeys(address for _, text in inline for address in _interfaces(text)))[
                :5
            ],
            webmcp_script=any(WEBMCP.search(text) for _, text in inline),
            blocks=tuple(blocks),
            nodes=tuple(nodes[:MAX_NODES]),
        )

    def _with_structure(self, page: HtmlPage) -> HtmlPage:
        frames = self._tree.css("iframe[src]")[:MAX_ITEMS]
        clickable, real = self._navigation()
        return replace(
            page,
            frames=tuple(attribute(node, "src") for node in frames if not within(node, ("noscript",))),
            forms=self._forms(),
            controls=tuple(self._controls(self._tree.root)),
            navigation_items=clickable,
            navigation_links=real,
            links=self._links(),
            scripted=self._scripted(),
        )

    def _with_text(self, page: HtmlPage) -> HtmlPage:
        """Read what is left to be seen; the furniture goes last, so that what remains is the page's own."""
        text = self._text()
        many = max(len(self._tree.css(kind)) for kind in ("a", CONTROLS))
        capped = len(text) > MAX_TEXT or many > MAX_ITEMS
        words, text = _words(text), text[:MAX_TEXT]
        headings = self._tree.css("h1,h2,h3")[:MAX_ITEMS]
        entries = self._tree.css("li,dd,tr,article,details,[role=listitem]")[:MAX_ITEMS]
        page = replace(
            page,
            headings=tuple((node.tag or "", collapsed(node.text(separator=" "))[:300]) for node in headings),
            text=text,
            words=words,
            list_entries=sum(1 for node in entries if len(node.text().split()) >= DESCRIBING)
            + self._described_headings(),
            images=self._images(),
            empty_root=self._empty_root(),
            capped=capped,
            number_lines=tuple(self._number_lines(text)),
            lines=tuple(text_lines(self._tree.body, MAX_TEXT)) if self._tree.body else (),
        )
        page = replace(page, stands_in=stand_in(page, self._source[:MAX_TEXT]))
        strip_furniture(self._tree)
        own = self._text()
        return replace(
            page,
            own_text=own[:MAX_TEXT],
            own_words=_words(own),
            lists=self._count("ul,ol", "li"),
            tables=self._count("table", "tr"),
        )

    def _described_headings(self) -> int:
        """Return how many headings below the first have a text of their own behind them, as entries of a list have."""
        behind = self._tree.css("h2 + p, h3 + p, h4 + p")[:MAX_ITEMS]
        return sum(
            1
            for node in behind
            if len(node.text().split()) >= DESCRIBING
            and not within(node, ("li", "article", "details", *FURNITURE))
        )

    def _count(self, kind: str, part: str) -> int:
        """Return how many elements of a kind have two parts at least; of those that nest, each counts."""
        nodes = self._tree.css(kind)[:MAX_COUNTED]
        return sum(1 for node in nodes if len(node.css(part)) >= 2)

    def _text(self) -> str:
        return collapsed(self._tree.body.text(separator=" ")) if self._tree.body else ""

    def _head(self) -> HtmlPage:
        tree = self._tree
        html, title = tree.css_first("html"), tree.css_first("head > title") or tree.css_first("title")
        metas = [
            (attribute(node, "name").lower(), attribute(node, "content"))
            for node in tree.css("meta[name]")[:MAX_ITEMS]
        ]
        canonicals = [attribute(node, "href") for node in tree.css('link[rel~="canonical" i]')]
        return HtmlPage(
            lang=attribute(html, "lang") if html else "",
            title=collapsed(title.text())[:300] if title else "",
            description=next((content for name, content in metas if name == "description"), "")[:500],
            robots=tuple((name, content.lower()) for name, content in metas if _addresses_robots(name)),
            canonicals=tuple(canonicals[:10]),
            head_lines=tuple(self._head_lines()),
            alternates=tuple(
                (attribute(node, "hreflang").strip(), attribute(node, "href").strip())
                for node in tree.css('link[rel~="alternate" i][hreflang]')[:MAX_ITEMS]
            ),
        )

    def _head_lines(self) -> Iterator[SourceLine]:
        written = (
            element
            for element in HEAD_ELEMENT.finditer(self._source)
            if any(word in element[0].lower() for word in TOLD_ELEMENTS)
        )
        for element in islice(written, MAX_LINES):
            yield SourceLine(self._source.count("\n", 0, element.start()) + 1, element[0])

    def _number_lines(self, text: str) -> Iterator[SourceLine]:
        """Yield the source lines of possible phone numbers, cut to the text between two elements."""
        for number in dict.fromkeys(match[0] for match in islice(PHONE_TEXT.finditer(text), MAX_LINES)):
            at = self._source.find(number)
            if at < 0:
                continue
            start = max(self._source.rfind(end, 0, at) + 1 for end in ("\n", ">"))
            ends = [self._source.find(end, at) for end in ("\n", "<")]
            end = min((end for end in ends if end >= 0), default=len(self._source))
            piece = self._source[start:end].strip()
            if len(piece) <= LONGEST_LINE:
                yield SourceLine(self._source.count("\n", 0, at) + 1, piece)

    def _structured(self) -> tuple[list[Block], list[Node]]:
        blocks: list[Block] = []
        nodes: list[Node] = []
        for number, node in enumerate(self._tree.css('script[type^="application/ld+json" i]')[:50]):
            block, block_nodes = read_block(node.text(), number)
            blocks.append(block)
            nodes.extend(block_nodes)
        nodes.extend(microdata(self._tree))
        nodes.extend(rdfa(self._tree))
        return blocks, nodes

    def _links(self) -> tuple[Link, ...]:
        links: list[Link] = []
        menu = {node.mem_id for node in self._in_navigation("a")}
        for node in self._tree.css("a")[:MAX_ITEMS]:
            written = attribute(node, "href").strip()
            href = urls.resolve(self._base, written) or (written if _is_contact(written) else "")
            text = (
                collapsed(node.text(separator=" "))
                or attribute(node, "aria-label")
                or attribute(node, "title")
            )
            in_menu = node.mem_id in menu or within(node, ("header",))
            links.append(Link(href, text[:200], in_menu, written.partition("#")[2][:200]))
        return tuple(links)

    def _scripted(self) -> tuple[Link, ...]:
        """Where clicks lead that no link describes, and where the forms that only ask for pages lead."""
        leads: list[tuple[str, LexborNode]] = []
        for node in self._tree.css("[onclick],[data-href],[data-url]")[:MAX_ITEMS]:
            moved = MOVES.search(attribute(node, "onclick")[:500])
            where = (moved[1] or moved[2]) if moved else ""
            leads.append((where or attribute(node, "data-href") or attribute(node, "data-url"), node))
        asking = (node for node in self._tree.css("form[action]")[:100] if _only_asks(node))
        leads.extend((attribute(node, "action"), node) for node in asking)
        return tuple(
            Link(href, collapsed(node.text(separator=" "))[:200])
            for written, node in leads
            if written and (href := urls.resolve(self._base, written))
        )

    def _navigation(self) -> tuple[int, int]:
        """How many things in the navigation can be clicked, and how many are `<a href>` to a page or a part of it."""
        anchors = [
            node
            for node in self._in_navigation("a")
            if not attribute(node, "href").lower().startswith(("tel:", "mailto:", "sms:"))
        ]
        scripted = self._in_navigation("[onclick]:not(a)", "[role=link]:not(a)", "[role=menuitem]:not(a)")
        addresses = [attribute(node, "href") for node in anchors]
        inside = self._parts() if any(address.startswith("#") for address in addresses) else frozenset[str]()
        real = [address for address in addresses if urls.resolve(self._base, address) or address in inside]
        return len(anchors) + len(scripted), len(real)

    def _parts(self) -> frozenset[str]:
        """The addresses of the parts of this page, as links inside it write them: on a site of one page, the menu."""
        named = self._tree.css("[id],a[name]")[:MAX_ITEMS]
        return frozenset(f"#{attribute(node, 'id') or attribute(node, 'name')}" for node in named)

    def _in_navigation(self, *selectors: str) -> list[LexborNode]:
        """Elements of the navigation, each once, however many of the selectors and places it fits."""
        marked = self._tree.css_first(",".join(NAVIGATION))
        places = NAVIGATION if marked is not None else UNMARKED_NAVIGATION
        wanted = ",".join(f"{place} {selector}" for place in places for selector in selectors)
        return list({node.mem_id: node for node in self._tree.css(wanted)[:MAX_ITEMS]}.values())

    def _forms(self) -> tuple[HtmlForm, ...]:
        forms: list[HtmlForm] = []
        for number, node in enumerate(self._tree.css("form")[:100], 1):
            markup = (node.html or "")[:MAX_TEXT]
            forms.append(
                HtmlForm(
                    place=place(node, number),
                    action=urls.resolve(self._base, attribute(node, "action") or self._base) or "",
                    controls=tuple(self._controls(node)),
                    is_posted=not _only_asks(node),
                    submits=bool(
                        node.css('button:not([type="button"]),input[type="submit"],input[type="image"]')
                    ),
                    captcha=bool(CAPTCHA.search(markup)),
                    tool_name=attribute(node, "toolname")[:100],
                    text=collapsed(node.text(separator=" "))[:500],
                )
            )
        return tuple(forms)

    def _controls(self, root: LexborNode | None) -> Iterator[Control]:
        labels = {attribute(label, "for"): label.text() for label in self._tree.css("label[for]")[:MAX_ITEMS]}
        for number, node in enumerate(root.css(CONTROLS)[:MAX_ITEMS] if root else (), 1):
            kind = (attribute(node, "type") or node.tag or "").lower()
            if kind == "hidden":
                continue
            yield Control(
                place(node, number), kind, accessible_name(node, kind, labels), attribute(node, "name")
            )

    def _images(self) -> tuple[Image, ...]:
        """Pictures with the address that is shown in the end: a lazy one's is not in `src`, or not yet."""
        images: list[Image] = []
        for node in self._tree.css("img")[:MAX_ITEMS]:
            written = [attribute(node, name) for name in LAZY_SOURCES]
            written += [_first_source(attribute(node, name)) for name in SOURCE_SETS]
            written.append(attribute(node, "src"))
            if node.parent is not None and node.parent.tag == "picture":
                source = node.parent.css_first("source")
                written += [_first_source(attribute(source, name)) for name in SOURCE_SETS]
            shown = next((url for text in written if text and (url := urls.resolve(self._base, text))), None)
            if shown:
                images.append(
                    Image(shown, attribute(node, "alt")[:200], is_furniture(node) or self._leads_home(node))
                )
        return tuple(images)

    def _leads_home(self, image: LexborNode) -> bool:
        """Whether a picture links to the home page, as a logo does."""
        link = image.parent
        leads = link is not None and link.tag == "a" and urls.resolve(self._base, attribute(link, "href"))
        return bool(leads and HOME_PATH.fullmatch(urlsplit(leads).path))

    def _empty_root(self) -> str:
        for root in ROOTS:
            node = self._tree.css_first(root)
            if (
                node is not None
                and len(node.text().split()) < LOADING_WORDS
                and not node.css_first("a[href]")
            ):
                return root
        return ""


def _only_asks(form: LexborNode) -> bool:
    return attribute(form, "method").lower() in ("", "get")


def _interfaces(script: str) -> list[str]:
    """Return the addresses in a script that seem to be inventory data; they are never requested."""
    addresses = (match[1] for match in INTERFACE.finditer(script[:MAX_TEXT]))
    return [address for address in addresses if OF_DATA.search(address) and OF_INVENTORY.search(address)]


def _tells(data: str) -> bool:
    """Return whether inline data says anything: the values of an application without a page are a few identifiers."""
    values = (match[1] or match[3] or "" for match in VALUE.finditer(data[:MAX_TEXT]) if not match[2])
    words = (word for value in values for word in WORD.findall(value))
    return next(islice(words, LEAST_DATA - 1, None), None) is not None


def _first_source(source_set: str) -> str:
    return source_set.strip()[:2048].split(" ", 1)[0].rstrip(",")


def _words(text: str) -> int:
    return text.count(" ") + 1 if text else 0


def _addresses_robots(name: str) -> bool:
    return name == "robots" or name.endswith("bot")


def _is_contact(href: str) -> bool:
    return href.lower().startswith(("tel:", "mailto:", "sms:", "geo:"))
