"""Synthetic sites on loopback, under real host names and real TLS, for every test of the scanner.

Each page says that it is a synthetic test site; names are under example.com, numbers are 555-01xx.
"""

import asyncio
import gzip
import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, cast

import httpcore2
import pytest
import pytest_asyncio
import trustme

from readiness.fetching.policy import FetchPolicy, scan_policy
from readiness.report.document import Report
from readiness.scans.scan import Network, Options, scan

PIECE = 64 * 1024
"""Bytes of an answer that are sent in one turn of the event loop."""
PUBLIC = "93.184.215.14"
OWN_HOST, OWN = "seenby.example.com", "93.184.215.99"
FOOTER = '<footer>Synthetic test site. <a href="/privacy">Privacy policy</a> <a href="/imprint">Imprint</a></footer>'
HEAD = '<meta name="generator" content="synthetic test site">'
HOURS = "".join(
    f"<li>{day}: 9:00 am - 6:00 pm</li>" for day in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
)
FORM = (
    '<form id="{id}" action="{action}" method="post"><label for="{id}-n">Name</label><input id="{id}-n" name="name">'
    '<label for="{id}-e">Email</label><input id="{id}-e" name="email">'
    '<label for="{id}-m">Message</label><textarea id="{id}-m" name="message"></textarea><button>Send</button></form>'
)
PROSE = (
    "We are a synthetic business that exists for tests only and we describe in plain words what a visitor finds here. "
    "Our people answer questions, show what is on offer, explain every step and never hide a fee. "
    "Come by during opening hours or write to us whenever you like and somebody will answer on the same day. "
    "Every sentence of this paragraph was written for the test and means nothing beyond it, yet it is text that a "
    "machine can read without running any script, which is what the test needs to see on a page like this one. "
)
CERTIFIED = (
    "*.example.com",
    "*.dealer.example.com",
    "*.shop.example.com",
    "*.detailing.example.com",
    "*.example.org",
    *(f"site{number}.test" for number in range(6)),
)
WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
LETTERS = dict(
    zip(
        "ABCDEFGHJKLMNPRSTUVWXYZ",
        (1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9),
        strict=True,
    )
)


def made_vin(serial: int) -> str:
    """A VIN of no real car whose check digit is right, by the arithmetic of 49 CFR 565.15 written out anew."""
    bare = f"1FTEX1C5_MZ{serial:06d}"
    total = sum((LETTERS.get(c) or int(c)) * w for c, w in zip(bare.replace("_", "0"), WEIGHTS, strict=True))
    return bare.replace("_", "0123456789X"[total % 11])


@dataclass
class Answer:
    """What the server says to one path."""

    body: bytes | str = b""
    status: int = 200
    kind: str = "text/html; charset=utf-8"
    headers: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def text(self) -> str:
        """The body of a page, which is text and may be changed as such."""
        assert isinstance(self.body, str)
        return self.body

    @text.setter
    def text(self, text: str) -> None:
        self.body = text


HandlerAnswer = Answer | Callable[[asyncio.StreamWriter], Awaitable[None]] | None
Handler = Callable[[str, str, dict[str, str]], HandlerAnswer]


class Loopback:
    """One HTTP server and one HTTPS server on loopback that answer for every host name a test gives them."""

    def __init__(self) -> None:
        self.hosts: dict[str, Handler] = {}
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self.authority = trustme.CA()
        self.ports: dict[int, int] = {}
        self._servers: list[asyncio.Server] = []

    async def start(self) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.authority.issue_cert(*CERTIFIED).configure_cert(context)  # pyright: ignore[reportUnknownMemberType]  # pyOpenSSL is not installed
        for port, tls in ((80, None), (443, context)):
            scheme = "https" if tls else "http"
            server = await asyncio.start_server(
                lambda r, w, s=scheme: self._serve(r, w, s), "127.0.0.1", 0, ssl=tls
            )
            self.ports[port] = server.sockets[0].getsockname()[1]
            self._servers.append(server)

    async def stop(self) -> None:
        for server in self._servers:
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, scheme: str) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                _, path, _ = head[0].split(" ")
                headers = {
                    k.lower(): v.strip() for k, _, v in (line.partition(":") for line in head[1:] if line)
                }
                self.requests.append((f"{scheme}://{headers['host']}", path, headers))
                handler = self.hosts.get(headers["host"])
                answer = handler(scheme, path, headers) if handler else None
                if callable(answer):
                    await answer(writer)
                    return
                await self._write(writer, answer or Answer("<h1>Not found</h1>", 404))
        except (asyncio.IncompleteReadError, ConnectionError, ssl.SSLError, asyncio.CancelledError):
            return
        finally:
            writer.close()

    async def _write(self, writer: asyncio.StreamWriter, answer: Answer) -> None:
        body = answer.body.encode() if isinstance(answer.body, str) else answer.body
        lines = [f"HTTP/1.1 {answer.status} X", f"Content-Length: {len(body)}"]
        lines += [f"Content-Type: {answer.kind}"] if answer.kind else []
        lines += [f"{name}: {value}" for name, value in answer.headers.items()]
        sent = "\r\n".join([*lines, "", ""]).encode("latin-1") + body
        # Megabytes at once are sealed in one turn of the event loop, which the tests of it would hold against the reader.
        for start in range(0, len(sent), PIECE):
            writer.write(sent[start : start + PIECE])
            await writer.drain()
            await asyncio.sleep(0)


class Dial(httpcore2.AsyncNetworkBackend):
    """Records every socket that is asked for, and opens it on loopback."""

    def __init__(self, ports: dict[int, int]) -> None:
        self.opened: list[tuple[str, int]] = []
        self._ports, self._tcp = ports, cast(httpcore2.AsyncNetworkBackend, httpcore2.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore2.AsyncNetworkStream:
        self.opened.append((host, port))
        return await self._tcp.connect_tcp(
            "127.0.0.1", self._ports.get(port, port), timeout, local_address, socket_options
        )


async def public_resolver(host: str, port: int) -> Sequence[str]:
    """Every site is at one public address, this server at another."""
    return [OWN if host == OWN_HOST else PUBLIC]


Pages = dict[str, Answer]


def page(title: str, body: str, *, head: str = "", nav: str = "") -> Answer:
    """One page of a synthetic site."""
    return Answer(
        f'<!doctype html><html lang="en"><head><title>{title}</title>{HEAD}'
        f'<meta name="description" content="Synthetic test site">{head}</head><body>{nav}<main>{body}</main>{FOOTER}</body></html>'
    )


def jsonld(*nodes: dict[str, Any]) -> str:
    """Structured data as a script element."""
    return "".join(
        f'<script type="application/ld+json">{json.dumps({"@context": "https://schema.org", **node})}</script>'
        for node in nodes
    )


def nav(*items: tuple[str, str]) -> str:
    """A navigation made of links."""
    return "<nav>" + "".join(f'<a href="{href}">{text}</a>' for href, text in items) + "</nav>"


def opening(
    days: Sequence[str] = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday"), opens: str = "09:00"
) -> list[dict[str, Any]]:
    """Opening hours as structured data."""
    return [
        {"@type": "OpeningHoursSpecification", "dayOfWeek": list(days), "opens": opens, "closes": "18:00"}
    ]


def business(kind: str, host: str, **more: Any) -> dict[str, Any]:
    """A business node that agrees with what the pages show."""
    return {
        "@type": kind,
        "@id": f"https://{host}/#business",
        "name": "Synthetic Motors",
        "telephone": "+1-202-555-0143",
        "address": {
            "@type": "PostalAddress",
            "streetAddress": "12 Example Street",
            "addressLocality": "Springfield",
            "addressRegion": "IL",
            "postalCode": "62701",
            "addressCountry": "US",
        },
        "openingHoursSpecification": opening(),
        "geo": {"@type": "GeoCoordinates", "latitude": 1, "longitude": 2},
        **more,
    }


CONTACT = (
    '<p>Call <a href="tel:+12025550143">(202) 555-0143</a> or visit 12 Example Street, Springfield, IL 62701.</p>'
    '<a href="https://www.google.com/maps?q=x">Map</a>'
)
SERVICES = (
    "<h2>Oil change</h2><p>From $49, done while you wait by people who do nothing else all day long.</p>"
    "<h2>Brakes</h2><p>We measure, show you what we found and replace what is worn, pads and discs alike.</p>"
    "<h2>Tires</h2><p>Mounting, balancing, storage of the other set over the season and disposal of old ones.</p>"
)
CATALOG = {
    "@type": "OfferCatalog",
    "name": "Services",
    "itemListElement": [{"@type": "Offer", "itemOffered": {"@type": "Service", "name": "Oil change"}}],
}


def sitemap(host: str, paths: Sequence[str]) -> Answer:
    """A sitemap of these paths."""
    rows = "".join(
        f"<url><loc>https://{host}{path}</loc><lastmod>2026-01-01</lastmod></url>" for path in paths
    )
    xml = f'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</urlset>'
    return Answer(xml, kind="application/xml")


def vehicle_path(number: int) -> str:
    return f"/inventory/2021-honda-civic-{1000 + number}"


def vehicle_page(host: str, number: int, menu: str) -> Answer:
    """One used car with everything an agent needs."""
    vin, miles, dollars = made_vin(number), 20_000 + number, 18_000 + 100 * number
    node = {
        "@type": "Car",
        "name": "2021 Honda Civic",
        "brand": {"@type": "Brand", "name": "Honda"},
        "model": "Civic",
        "vehicleModelDate": "2021",
        "vehicleIdentificationNumber": vin,
        "mileageFromOdometer": {"@type": "QuantitativeValue", "value": miles, "unitCode": "SMI"},
        "itemCondition": "https://schema.org/UsedCondition",
        "image": f"https://{host}/car.png",
        "offers": {
            "@type": "Offer",
            "price": dollars,
            "priceCurrency": "USD",
            "availability": "https://schema.org/InStock",
        },
    }
    text = (
        f"<h1>2021 Honda Civic</h1><p>Used, in stock. ${dollars:,}. {miles:,} miles. VIN {vin}.</p>"
        f'<img src="/car.png" alt="2021 Honda Civic"><p>{PROSE}</p>'
    )
    return page("2021 Honda Civic", text, head=jsonld(node), nav=menu)


def dealer(host: str = "www.dealer.example.com", vehicles: int = 40) -> Pages:
    """A dealer with vehicles, a service department, markup, sitemap and forms."""
    menu = nav(
        ("/inventory", "Used cars"), ("/service", "Service"), ("/schedule", "Schedule service"), ("/contact", "Contact us"),
        ("/about", "Hours"), ("/finance", "Financing"), ("/trade-in", "Value your trade"), ("/test-drive", "Test drive"),
    )  # fmt: skip
    paths = [vehicle_path(number) for number in range(vehicles)]
    services = ["/services/oil-change", "/services/brakes", "/services/tires"]
    node = business("AutoDealer", host, hasOfferCatalog=CATALOG)
    pages: Pages = {
        "/": page(
            "Synthetic Motors",
            f"<h1>Synthetic Motors</h1><p>{PROSE}{PROSE}</p>{CONTACT}",
            head=jsonld(node) + f'<link rel="canonical" href="https://{host}/">',
            nav=menu,
        ),
        "/inventory": page(
            "Used cars",
            "<h1>Used cars</h1>" + "".join(f'<a href="{path}">2021 Honda Civic</a>' for path in paths),
            nav=menu,
        ),
        "/service": page(
            "Service",
            f"<h1>Service</h1>{SERVICES}<p>Service hours</p><ul>{HOURS}</ul>"
            + "".join(f'<a href="{path}">More</a>' for path in services),
            nav=menu,
        ),
        "/schedule": page(
            "Schedule", "<h1>Book an appointment</h1>" + FORM.format(id="booking", action="/book"), nav=menu
        ),
        "/contact": page("Contact", CONTACT + FORM.format(id="contact", action="/send"), nav=menu),
        "/about": page("About us", f"<ul>{HOURS}</ul>{PROSE}", nav=menu),
        "/finance": page(
            "Financing", f"<h1>Financing</h1><p>4.9 % APR on approved credit.</p>{PROSE}", nav=menu
        ),
        "/trade-in": page("Value your trade", f"<h1>Value your trade</h1>{PROSE}", nav=menu),
        "/test-drive": page("Test drive", f"<h1>Test drive</h1>{PROSE}", nav=menu),
        "/privacy": page("Privacy", f"<h1>Privacy</h1>{PROSE}", nav=menu),
        "/imprint": page("Imprint", f"<h1>Imprint</h1>{PROSE}", nav=menu),
        "/robots.txt": Answer(
            f"User-agent: *\nDisallow: /admin/\nSitemap: https://{host}/sitemap.xml\n", kind="text/plain"
        ),
        "/sitemap.xml": sitemap(host, ["/", "/inventory", "/service", *services, *paths]),
        "/car.png": Answer(b"\x89PNG\r\n", kind="image/png"),
    }
    pages |= {path: page("Service", f"<h1>Service</h1>{SERVICES}{PROSE}", nav=menu) for path in services}
    pages |= {path: vehicle_page(host, number, menu) for number, path in enumerate(paths)}
    return pages


def repair_shop(host: str = "www.shop.example.com") -> Pages:
    """A repair shop with a menu of services, prices and a booking form."""
    menu = nav(
        ("/services", "Our services"), ("/book", "Book an appointment"), ("/contact", "Contact"), ("/hours", "Hours"),
        ("/services/brakes", "Brakes"), ("/services/oil-change", "Oil change"), ("/services/tires", "Tires"),
    )  # fmt: skip
    node = business("AutoRepair", host, name="Synthetic Garage", hasOfferCatalog=CATALOG)
    home = f"<h1>Synthetic Garage: repairs</h1><p>{PROSE}{PROSE}</p>{CONTACT}"
    pages: Pages = {
        "/": page(
            "Synthetic Garage",
            home,
            head=jsonld(node) + f'<link rel="canonical" href="https://{host}/">',
            nav=menu,
        ),
        "/services": page("Services", f"<h1>Services</h1>{SERVICES}", nav=menu),
        "/book": page(
            "Book", "<h1>Book an appointment</h1>" + FORM.format(id="booking", action="/book"), nav=menu
        ),
        "/contact": page("Contact", CONTACT + FORM.format(id="contact", action="/send"), nav=menu),
        "/hours": page("Hours", f"<ul>{HOURS}</ul>", nav=menu),
        "/privacy": page("Privacy", PROSE, nav=menu),
        "/imprint": page("Imprint", PROSE, nav=menu),
        "/robots.txt": Answer(
            f"User-agent: *\nDisallow:\nSitemap: https://{host}/sitemap.xml\n", kind="text/plain"
        ),
        "/sitemap.xml": sitemap(host, ["/", "/services/brakes", "/services/oil-change", "/services/tires"]),
    }
    for name in ("brakes", "oil-change", "tires"):
        pages[f"/services/{name}"] = page(name, f"<h1>{name}</h1>{SERVICES}{PROSE}", nav=menu)
    return pages


def service_site(host: str = "www.detailing.example.com") -> Pages:
    """A mobile detailer: an area instead of a street, no vehicles."""
    menu = nav(("/packages", "Detailing services"), ("/book", "Book online"), ("/contact", "Contact"))
    node = {
        "@type": "AutoWash",
        "name": "Synthetic Shine",
        "telephone": "+12025550144",
        "areaServed": "Springfield",
    }
    text = (
        f"<h1>Mobile detailing that comes to you</h1><p>We come to you within 20 miles of Springfield. {PROSE}{PROSE}</p>"
        '<a href="tel:+12025550144">(202) 555-0144</a>'
    )
    return {
        "/": page("Synthetic Shine mobile detailing", text, head=jsonld(node), nav=menu),
        "/packages": page(
            "Packages", f"<h1>Detailing</h1>{SERVICES}<p>Interior cleaning $120.</p>{PROSE}", nav=menu
        ),
        "/book": page("Book", "<h1>Book</h1>" + FORM.format(id="booking", action="/book"), nav=menu),
        "/contact": page(
            "Contact", FORM.format(id="contact", action="/send") + f"<ul>{HOURS}</ul>", nav=menu
        ),
        "/privacy": page("Privacy", PROSE, nav=menu),
        "/imprint": page("Imprint", PROSE, nav=menu),
    }


def javascript_only() -> Pages:
    """An empty root; everything else is in scripts."""
    html = (
        f'<!doctype html><html lang="en"><head><title>Synthetic app</title>{HEAD}</head><body><div id="root"></div>'
        '<a href="/inventory"></a><script src="/app.js"></script></body></html>'
    )
    return {"/": Answer(html), "/inventory": Answer(html)}


def serving(pages: Pages, host: str) -> Handler:
    """A handler over fixed pages: http is redirected to https, everything unknown is 404."""

    def handle(scheme: str, path: str, headers: dict[str, str]) -> Answer | None:
        if scheme == "http":
            return Answer("", 301, headers={"Location": f"https://{host}{path}"})
        return pages.get(path.partition("?")[0])

    return handle


@dataclass
class World:
    """Servers, sockets and a way to scan what they serve."""

    server: Loopback
    dial: Dial
    network: Network
    policy: FetchPolicy

    async def scan(
        self, host: str, handler: Handler | Pages, options: Options | None = None, **limits: Any
    ) -> Report:
        """Serve one site and scan it."""
        self.server.hosts[host] = handler if callable(handler) else serving(handler, host)
        return await scan(
            f"https://{host}/",
            options=options or Options(report_id="r-1", base_url="https://seenby.example.com"),
            policy=replace(self.policy, **limits),
            clock=lambda: datetime(2026, 3, 1, 12, tzinfo=UTC),
            network=self.network,
        )


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_world() -> AsyncIterator[World]:
    """One pair of servers and one pool of parsers for the whole run."""
    server = Loopback()
    await server.start()
    tls = ssl.create_default_context()
    server.authority.configure_trust(tls)  # pyright: ignore[reportUnknownMemberType]  # pyOpenSSL is not installed
    dial = Dial(server.ports)
    policy = replace(scan_policy("https://seenby.example.com"), interval=0)
    yield World(server, dial, Network(public_resolver, dial, tls), policy)
    await server.stop()


@pytest.fixture
def world(shared_world: World) -> World:
    """The servers without a site and without a memory."""
    shared_world.server.hosts.clear()
    shared_world.server.requests.clear()
    shared_world.dial.opened.clear()
    return shared_world


@dataclass(frozen=True)
class Sites:
    """Generators of synthetic sites."""

    dealer: Callable[..., Pages] = dealer
    repair_shop: Callable[..., Pages] = repair_shop
    service_site: Callable[..., Pages] = service_site
    javascript_only: Callable[..., Pages] = javascript_only
    serving: Callable[[Pages, str], Handler] = serving
    answer: type[Answer] = Answer
    page: Callable[..., Answer] = page
    sitemap: Callable[..., Answer] = sitemap
    made_vin: Callable[[int], str] = made_vin
    vehicle_path: Callable[[int], str] = vehicle_path


@pytest.fixture
def sites() -> Sites:
    return Sites()


@pytest.fixture
def bomb() -> bytes:
    """A gzip body of 400 MB of zeros, in under 400 KB."""
    return gzip.compress(bytes(400_000_000), 6)


def statuses_of(report: Report) -> dict[str, str]:
    """Every check of a report with its status."""
    results = [check for _, group in report.groups() for check in group.checks] + report.emerging
    return {check.id: check.status.value for check in results}
