"""Reading HTML, sitemaps and robots.txt in a worker process that is killed when it takes too long.

Hostile markup makes every fast parser quadratic, so none runs inside the service's own process.
"""

import codecs
import re
import signal
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar, TypeVarTuple, Unpack

import anyio
import anyio.to_process
from lxml import etree
from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from readiness import urls
from readiness.errors import FetchFailed, Reason
from readiness.page import Block, Control, Form, Image, Link, Node, Page
from readiness.robots import Robots
from readiness.structured_data import MAX_NODES, read_block

PARSE_SECONDS = 5
WAIT_SECONDS = 30
MAX_ITEMS = 2000
MAX_TEXT = 100_000
MAX_LOCATIONS = 50_000
SITEMAP_BYTES = 5 * 1024 * 1024
META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{2,40})", re.I)
HEADER_CHARSET = re.compile(r"charset\s*=\s*[\"']?([A-Za-z0-9_:.-]{2,40})", re.I)
BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
INVISIBLE = ["script", "style", "noscript", "template", "svg", "iframe", "object"]
FURNITURE = ["nav", "header", "footer", "aside"]
ROOTS = ("root", "app", "__next", "__nuxt", "___gatsby", "q-app")
CONTROLS = "input,select,textarea,button"
SILENT = frozenset(("hidden", "image", "submit", "reset"))
CAPTCHA = re.compile(r"recaptcha|hcaptcha|turnstile|friendlycaptcha|arkoselabs", re.I)
INLINE_DATA = re.compile(r"__NEXT_DATA__|__NUXT__|__INITIAL_STATE__|__APOLLO_STATE__|application/json", re.I)
WEBMCP = re.compile(r"\b(?:navigator|document)\.modelContext\b|\bwindow\.agent\b|registerTool\s*\(", re.I)
CHALLENGE = re.compile(
    r"just a moment|checking your browser|verify you are (?:a )?human|attention required|cf-chl-"
    r"|challenge-platform|enable javascript and cookies to continue|access denied|unusual traffic"
    r"|px-captcha|datadome",
    re.I,
)
MICRODATA_VALUE = {
    "meta": "content",
    "a": "href",
    "link": "href",
    "img": "src",
    "time": "datetime",
    "data": "value",
}

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


async def apart(
    seconds: float, function: Callable[[Unpack[Arguments]], Result], *arguments: *Arguments
) -> Result:
    """Run a function in a worker process; FetchFailed(unparsable) when it breaks or takes too long.

    At most `seconds` pass. The function itself has five seconds of processor time: a busy machine, or the start
    of a worker, is no fault of the page.
    """
    spent = min(seconds, PARSE_SECONDS)
    try:
        with anyio.fail_after(min(seconds, WAIT_SECONDS)):
            return await anyio.to_process.run_sync(_bounded, spent, function, arguments, cancellable=True)
    except (TimeoutError, anyio.BrokenWorkerProcess, SelectolaxError, ValueError, RecursionError) as error:
        raise FetchFailed(Reason.UNPARSABLE) from error


def _bounded(
    seconds: float, function: Callable[[Unpack[Arguments]], Result], arguments: tuple[*Arguments]
) -> Result:
    """Run a function in this worker; the kernel ends the process after so much processor time.

    No handler of ours would do: inside a parser's native code none is called.
    """
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, max(seconds, 0.001))
    try:
        return function(*arguments)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def decode(body: bytes, content_type: str) -> str:
    """Text of an HTML body: byte order mark, header, meta element, UTF-8, then windows-1252. Never raises."""
    for mark, encoding in BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(encoding, "replace")
    header = HEADER_CHARSET.search(content_type)
    meta = META_CHARSET.search(body[:4096])
    for name in (header[1] if header else "", meta[1].decode("ascii") if meta else "", "utf-8"):
        try:
            return body.decode(codecs.lookup(name).name) if name else body.decode("utf-8")
        except (LookupError, UnicodeError, ValueError):
            continue
    return body.decode("windows-1252", "replace")


def read_robots(body: bytes) -> Robots:
    """A robots.txt, read whole so that its verdicts are cheap afterwards."""
    robots = Robots(body)
    robots.allows("https://example.com/", "*")
    return robots


@dataclass(frozen=True, slots=True)
class Sitemap:
    """One sitemap file: `state` is valid, padded (blanks before the declaration) or invalid."""

    state: str
    locations: tuple[str, ...] = ()
    children: tuple[str, ...] = ()
    dated: int = 0


def read_sitemap(body: bytes) -> Sitemap:
    """A sitemap or sitemap index of sitemaps.org, plain or gzip, strictly well-formed. Never raises."""
    if body.startswith(b"\x1f\x8b"):
        try:
            body = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(body, SITEMAP_BYTES)
        except zlib.error:
            return Sitemap("invalid")
    stripped = body.removeprefix(codecs.BOM_UTF8).lstrip()
    state = "valid" if stripped == body.removeprefix(codecs.BOM_UTF8) else "padded"
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, recover=False)
    try:
        root = etree.fromstring(stripped, parser)
    except (etree.XMLSyntaxError, ValueError):
        return Sitemap("invalid")
    kind = etree.QName(root).localname
    if kind not in ("urlset", "sitemapindex"):
        return Sitemap("invalid")
    found = [node.text.strip() for node in root.iterfind("./{*}*/{*}loc") if node.text and node.text.strip()]
    dated = sum(1 for _ in root.iterfind("./{*}*/{*}lastmod"))
    found = found[:MAX_LOCATIONS]
    if kind == "sitemapindex":
        return Sitemap(state, (), tuple(found), dated)
    return Sitemap(state, tuple(found), (), dated)


def read_page(body: bytes, content_type: str, url: str) -> Page:
    """Everything the checks ask of one HTML page; `url` is what its links are relative to."""
    return PageReader(decode(body, content_type), url).page()


class PageReader:
    """Takes one parsed tree apart: what scripts hold is read first, then they go, then text is text."""

    def __init__(self, html: str, url: str) -> None:
        self._html = html
        self._tree = LexborHTMLParser(html)
        base = self._tree.css_first("base[href]")
        self._base = (urls.resolve(url, _attribute(base, "href")) if base else None) or url

    def page(self) -> Page:
        """The page as plain values."""
        blocks, nodes = self._structured()
        scripts = self._tree.css("script")
        sources = tuple(_attribute(node, "src") for node in scripts if _attribute(node, "src"))
        frames = tuple(_attribute(node, "src") for node in self._tree.css("iframe[src]"))
        inline_scripts = [node.text() for node in scripts[:MAX_ITEMS] if not _attribute(node, "src")]
        inline_data = any(
            INLINE_DATA.search(f"{node.id or ''} {_attribute(node, 'type')} {text[:300]}")
            for node, text in zip(
                (n for n in scripts if not _attribute(n, "src")), inline_scripts, strict=False
            )
        )
        head = self._head()
        forms = self._forms()
        controls = tuple(self._controls(self._tree.root))
        navigation = self._navigation()
        links = self._links()
        self._tree.strip_tags(INVISIBLE, recursive=True)
        for node in self._tree.css("[hidden]")[:MAX_ITEMS]:
            node.decompose()
        text = _collapsed(self._tree.body.text(separator=" ")) if self._tree.body else ""
        headings = tuple(
            (node.tag or "", _collapsed(node.text(separator=" "))[:300])
            for node in self._tree.css("h1,h2,h3")[:MAX_ITEMS]
        )
        images = self._images()
        empty_root = self._empty_root()
        entries = sum(
            1 for node in self._tree.css("li,dd,tr,article")[:MAX_ITEMS] if len(node.text().split()) >= 6
        )
        self._tree.strip_tags(FURNITURE, recursive=True)
        own = _collapsed(self._tree.body.text(separator=" ")) if self._tree.body else ""
        return replace(
            head,
            headings=headings,
            text=text[:MAX_TEXT],
            own_text=own[:MAX_TEXT],
            words=len(text.split()),
            own_words=len(own.split()),
            list_entries=entries,
            links=links,
            navigation_items=navigation[0],
            navigation_links=navigation[1],
            forms=forms,
            controls=controls,
            images=images,
            frames=frames[:MAX_ITEMS],
            scripts=sources[:MAX_ITEMS],
            inline_data=inline_data,
            empty_root=empty_root,
            challenge=len(text.split()) < 150 and bool(CHALLENGE.search(self._html[:MAX_TEXT])),
            webmcp_script=any(WEBMCP.search(script) for script in inline_scripts),
            blocks=tuple(blocks),
            nodes=tuple(nodes[:MAX_NODES]),
        )

    def _head(self) -> Page:
        tree = self._tree
        html, title = tree.css_first("html"), tree.css_first("head > title") or tree.css_first("title")
        metas = [
            (_attribute(node, "name").lower(), _attribute(node, "content"))
            for node in tree.css("meta[name]")[:MAX_ITEMS]
        ]
        canonicals = [_attribute(node, "href") for node in tree.css('link[rel~="canonical" i]')]
        return Page(
            lang=_attribute(html, "lang") if html else "",
            title=_collapsed(title.text())[:300] if title else "",
            description=next((content for name, content in metas if name == "description"), "")[:500],
            robots=tuple((name, content.lower()) for name, content in metas if _addresses_robots(name)),
            canonicals=tuple(canonicals[:10]),
        )

    def _structured(self) -> tuple[list[Block], list[Node]]:
        blocks: list[Block] = []
        nodes: list[Node] = []
        for number, node in enumerate(self._tree.css('script[type^="application/ld+json" i]')[:50]):
            block, found = read_block(node.text(), number)
            blocks.append(block)
            nodes.extend(found)
        nodes.extend(_microdata(self._tree))
        return blocks, nodes

    def _links(self) -> tuple[Link, ...]:
        found: list[Link] = []
        for node in self._tree.css("a")[:MAX_ITEMS]:
            written = _attribute(node, "href").strip()
            href = urls.resolve(self._base, written) or (written if _is_contact(written) else "")
            text = (
                _collapsed(node.text(separator=" "))
                or _attribute(node, "aria-label")
                or _attribute(node, "title")
            )
            found.append(Link(href, text[:200], _within(node, ("nav", "header"))))
        return tuple(found)

    def _navigation(self) -> tuple[int, int]:
        """How many things in the navigation can be clicked, and how many of them are `<a href>` to a page."""
        scripted = "nav [onclick]:not(a),nav [role=link]:not(a),nav [role=menuitem]:not(a)"
        anchors = self._tree.css("nav a")[:MAX_ITEMS]
        real = [node for node in anchors if urls.resolve(self._base, _attribute(node, "href"))]
        return len(anchors) + len(self._tree.css(scripted)[:MAX_ITEMS]), len(real)

    def _forms(self) -> tuple[Form, ...]:
        found: list[Form] = []
        for number, node in enumerate(self._tree.css("form")[:100], 1):
            markup = (node.html or "")[:MAX_TEXT]
            found.append(
                Form(
                    place=_place(node, number),
                    action=urls.resolve(self._base, _attribute(node, "action") or self._base) or "",
                    controls=tuple(self._controls(node)),
                    submits=bool(
                        node.css('button:not([type="button"]),input[type="submit"],input[type="image"]')
                    ),
                    captcha=bool(CAPTCHA.search(markup)),
                    tool_name=_attribute(node, "toolname")[:100],
                    text=_collapsed(node.text(separator=" "))[:500],
                )
            )
        return tuple(found)

    def _controls(self, root: LexborNode | None) -> Iterator[Control]:
        labels = {
            _attribute(label, "for"): label.text() for label in self._tree.css("label[for]")[:MAX_ITEMS]
        }
        for number, node in enumerate(root.css(CONTROLS)[:MAX_ITEMS] if root else (), 1):
            kind = (_attribute(node, "type") or node.tag or "").lower()
            if kind == "hidden":
                continue
            yield Control(
                _place(node, number), kind, _accessible_name(node, kind, labels), _attribute(node, "name")
            )

    def _images(self) -> tuple[Image, ...]:
        found: list[Image] = []
        for node in self._tree.css("img")[:MAX_ITEMS]:
            source = urls.resolve(self._base, _attribute(node, "src"))
            if source:
                found.append(Image(source, _attribute(node, "alt")[:200]))
        return tuple(found)

    def _empty_root(self) -> str:
        for name in ROOTS:
            node = self._tree.css_first(f"#{name}")
            if node is not None and len(node.text().split()) < 10:
                return f"#{name}"
        return ""


def _attribute(node: LexborNode | None, name: str) -> str:
    return (node.attributes.get(name) if node is not None else None) or ""


def _collapsed(text: str) -> str:
    return " ".join(text.split())


def _addresses_robots(name: str) -> bool:
    return name == "robots" or name.endswith("bot")


def _is_contact(href: str) -> bool:
    return href.lower().startswith(("tel:", "mailto:", "sms:", "geo:"))


def _within(node: LexborNode, tags: tuple[str, ...]) -> bool:
    ancestor, steps = node.parent, 0
    while ancestor is not None and steps < 30:
        if ancestor.tag in tags:
            return True
        ancestor, steps = ancestor.parent, steps + 1
    return False


def _place(node: LexborNode, number: int) -> str:
    identity, name = node.id, _attribute(node, "name")
    if identity:
        return f"{node.tag}#{identity}"[:100]
    return f'{node.tag}[name="{name}"]'[:100] if name else f"{node.tag} no. {number}"


def _accessible_name(node: LexborNode, kind: str, labels: dict[str, str]) -> str:
    """Name by the steps of the accessible name computation that static HTML can answer."""
    label = labels.get(node.id or "", "") if node.id else ""
    for text in (_attribute(node, "aria-label"), _attribute(node, "aria-labelledby"), label):
        if text.strip():
            return _collapsed(text)[:200]
    if node.tag == "button" or kind in SILENT:
        inner = (
            node.text() or _attribute(node, "value") or _attribute(node, "alt") or _attribute(node, "title")
        )
        icon = node.css_first("img[alt]")
        return _collapsed(inner or _attribute(icon, "alt") or ("Submit" if kind == "submit" else ""))[:200]
    ancestor, steps = node.parent, 0
    while ancestor is not None and steps < 6:
        if ancestor.tag == "label":
            return _collapsed(ancestor.text())[:200]
        ancestor, steps = ancestor.parent, steps + 1
    return _collapsed(_attribute(node, "title"))[:200]


def _microdata(tree: LexborHTMLParser) -> Iterator[Node]:
    """Top-level and nested microdata items, each with its own properties (HTML, section 5)."""
    for number, item in enumerate(tree.css("[itemscope][itemtype]")[:100]):
        types = tuple(name.rpartition("/")[2] for name in _attribute(item, "itemtype").split())
        properties: dict[str, object] = {}
        for node in item.css("[itemprop]")[:100]:
            if node.mem_id == item.mem_id or _owner(node) != item.mem_id:
                continue
            value: object = _item_value(node)
            for name in _attribute(node, "itemprop").split():
                properties.setdefault(name, value)
        yield Node(types, dict(properties), f"/microdata/{number}")


def _owner(node: LexborNode) -> int:
    ancestor, steps = node.parent, 0
    while ancestor is not None and steps < 30:
        if "itemscope" in ancestor.attributes:
            return ancestor.mem_id
        ancestor, steps = ancestor.parent, steps + 1
    return 0


def _item_value(node: LexborNode) -> object:
    if "itemscope" in node.attributes:
        inner = {
            name: _item_value(child)
            for child in node.css("[itemprop]")[:50]
            if child.mem_id != node.mem_id and _owner(child) == node.mem_id
            for name in _attribute(child, "itemprop").split()
        }
        return {"@type": _attribute(node, "itemtype").rpartition("/")[2], **inner}
    attribute = MICRODATA_VALUE.get(node.tag or "")
    written = _attribute(node, attribute) if attribute else _attribute(node, "content")
    return _collapsed(written or node.text())[:500]
