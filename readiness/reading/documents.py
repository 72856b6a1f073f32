"""Decoding of fetched bytes: text of a page, robots.txt, sitemaps."""

import codecs
import pickle
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import date
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lxml.etree import XMLParser

from readiness.reading.robots import Robots

MAX_LOCATIONS = 50_000
MAX_SITEMAPS = 20
SITEMAP_BYTES = 5 * 1024 * 1024
LONGEST_LINE = 600
PIECE = 2000
"""Texts that are pickled in one step."""
W3C_DATE = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d)"
    r"(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d))?)?)?",
    re.ASCII,
)
BARE_AMPERSAND = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});)")
META_CHARSET = re.compile(
    rb"<meta[^>]{0,200}charset\s{0,9}=\s{0,9}[\"']?\s{0,9}([A-Za-z0-9_:.-]{2,40})", re.I
)
HEADER_CHARSET = re.compile(r"charset\s{0,9}=\s{0,9}[\"']?([A-Za-z0-9_:.-]{2,40})", re.I)
BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


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


@dataclass(frozen=True, slots=True)
class RobotsSummary:
    """What a scan must know of a robots.txt before it visits anything: its sitemaps, and seconds between requests."""

    sitemaps: tuple[str, ...] = ()
    crawl_delay: float = 0.0


def read_robots(robots: Robots, bot: str) -> RobotsSummary:
    """Read what a robots.txt says to a scan that goes by the name of `bot`."""
    robots.allows("https://example.com/", bot)
    return RobotsSummary(robots.sitemaps[:MAX_SITEMAPS], robots.crawl_delay(bot))


def allowed_urls(robots: Robots, bot: str, urls: Sequence[str]) -> list[bool]:
    """Return for each URL whether a robots.txt lets a bot fetch it."""
    return [robots.allows(url, bot) for url in urls]


@dataclass(frozen=True, slots=True)
class Sitemap:
    """One sitemap file: `state` is valid, padded (blanks before the declaration) or invalid.

    Locations are unique. `dated` counts entries with a valid lastmod. `misdated` counts entries whose lastmod is not a
    W3C date, and `misdate` is the first such value.
    `line` and `faulty` are the number and text of the first invalid line. `mended` is its corrected form, empty unless
    the correction makes the file valid.
    """

    state: str
    locations: tuple[str, ...] = ()
    children: tuple[str, ...] = ()
    dated: int = 0
    misdated: int = 0
    misdate: str = ""
    line: int = 0
    faulty: str = ""
    mended: str = ""

    def __reduce__(self) -> tuple[Any, ...]:
        others = [
            getattr(self, each.name) for each in fields(self) if each.name not in ("state", "locations")
        ]
        return _sitemap_of, (self.state, in_pieces(self.locations), *others)


def _sitemap_of(state: str, locations: Sequence[bytes], *others: Any) -> Sitemap:
    return Sitemap(state, from_pieces(locations), *others)


def in_pieces(texts: Sequence[str]) -> tuple[bytes, ...]:
    """Pickle many texts piece by piece; pickling all at once would hold the GIL."""
    return tuple(pickle.dumps(texts[at : at + PIECE]) for at in range(0, len(texts), PIECE))


def from_pieces(pieces: Sequence[bytes]) -> tuple[str, ...]:
    """Return the texts of `in_pieces`."""
    return tuple(text for piece in pieces for text in pickle.loads(piece))


def _strict_parser() -> "XMLParser":
    from lxml import etree  # loaded for the first sitemap

    return etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, recover=False)


def _faulty_sitemap(body: bytes, number: int) -> Sitemap:
    """Quote the line that ends a strict reading; a bare `&` is the usual fault, and the one that can be repaired."""
    from lxml import etree  # loaded by now

    lines = body.split(b"\n", number)
    faulty = lines[number - 1] if 0 < number <= len(lines) else b""
    mended = BARE_AMPERSAND.sub(b"&amp;", faulty)
    try:
        etree.fromstring(BARE_AMPERSAND.sub(b"&amp;", body), _strict_parser())
    except (etree.XMLSyntaxError, ValueError):
        mended = b""
    shown = [text.decode("utf-8", "replace").strip() for text in (faulty, mended)]
    if any(len(text) > LONGEST_LINE for text in shown):
        return Sitemap("invalid", line=number)
    return Sitemap("invalid", line=number, faulty=shown[0], mended=shown[1])


def read_sitemap(body: bytes) -> Sitemap:
    """A sitemap or sitemap index of sitemaps.org, plain or gzip, strictly well-formed, or lines. Never raises."""
    from lxml import etree  # loaded for the first sitemap

    if body.startswith(b"\x1f\x8b"):
        try:
            body = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(body, SITEMAP_BYTES)
        except zlib.error:
            return Sitemap("invalid")
    stripped = body.removeprefix(codecs.BOM_UTF8).lstrip()
    if stripped.startswith((b"http://", b"https://")):
        return _listed(stripped)
    state = "valid" if stripped == body.removeprefix(codecs.BOM_UTF8) else "padded"
    try:
        root = etree.fromstring(stripped, _strict_parser())
    except etree.XMLSyntaxError as error:
        return _faulty_sitemap(stripped, error.lineno or 0)
    except ValueError:
        return Sitemap("invalid")
    kind = etree.QName(root).localname
    if kind not in ("urlset", "sitemapindex"):
        return Sitemap("invalid")
    locations = [
        node.text.strip() for node in root.iterfind("./{*}*/{*}loc") if node.text and node.text.strip()
    ]
    dates = [(node.text or "").strip() for node in root.iterfind("./{*}*/{*}lastmod")]
    wrong = [written for written in dates if not is_w3c_date(written)]
    named = tuple(dict.fromkeys(locations[:MAX_LOCATIONS]))
    return Sitemap(
        state,
        locations=named if kind == "urlset" else (),
        children=named if kind == "sitemapindex" else (),
        dated=len(dates) - len(wrong),
        misdated=len(wrong),
        misdate=next((written[:LONGEST_LINE] for written in wrong if written), ""),
    )


def _listed(body: bytes) -> Sitemap:
    lines = [line.strip() for line in body.decode("utf-8", "replace").splitlines() if line.strip()]
    sound = all(line.startswith(("http://", "https://")) and not re.search(r"\s", line) for line in lines)
    return (
        Sitemap("valid", locations=tuple(dict.fromkeys(lines[:MAX_LOCATIONS])))
        if sound
        else Sitemap("invalid")
    )


def is_w3c_date(written: str) -> bool:
    """Whether a text is a year, month, day or instant. Source: W3C, Date and Time Formats (1997)."""
    match = W3C_DATE.fullmatch(written)
    if match is None:
        return False
    try:
        date(int(match["year"]), int(match["month"] or 1), int(match["day"] or 1))
    except ValueError:
        return False
    return True
