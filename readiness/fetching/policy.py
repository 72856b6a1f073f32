"""What a fetcher may do: how fast, how much, how long, and which budget each kind of visit has."""

from dataclasses import dataclass, replace
from urllib.parse import urlsplit

TEXTS = ("text/", "application/json", "application/ld+json", "application/xml", "application/xhtml+xml")
DOCUMENTS = (
    "application/linkset+json", "application/http-message-signatures-directory",
    "application/jwk-set+json", "application/openapi", "application/vnd.oai.openapi", "application/a2a",
    "application/ai-catalog", "application/mcp-server-card",
)  # fmt: skip
"""What documents for agents are served as beside plain JSON; each is JSON."""
SITEMAPS = ("application/gzip", "application/x-gzip", "application/octet-stream")
MIB = 1024 * 1024
LARGEST_BODY = 2 * MIB
"""What is read of one page."""
SCAN_SECONDS, GRADING_WAIT = 75.0, 15.0
"""What a scan may take for its visits, and what is kept for grading them: 90 seconds in all."""


@dataclass(frozen=True, slots=True)
class FetchPolicy:
    """What one fetcher may do; sizes in bytes, times in seconds.

    `requests` and `seconds` are the budget of the fetcher's whole life; None is no budget.
    `media_types` are prefixes; an answer of another type keeps its headers and loses its body.
    `allow_hosts` holds `host:port` pairs exempt from the address rule; production has none.
    `own_host` is this server's public name: its addresses are blocked under any name.
    """

    user_agent: str
    schemes: frozenset[str] = frozenset(("http", "https"))
    redirects: int = 5
    body: int = LARGEST_BODY
    cut: bool = True
    media_types: tuple[str, ...] = (*TEXTS, *DOCUMENTS, *SITEMAPS)
    resolve_seconds: float = 2
    connect_seconds: float = 3
    read_seconds: float = 5
    request_seconds: float = 10
    requests: int | None = None
    seconds: float | None = None
    in_flight: int = 2
    per_host: int = 2
    interval: float = 0
    allow_hosts: frozenset[str] = frozenset()
    own_host: str | None = None


def scan_policy(base_url: str) -> FetchPolicy:
    """The budget of one readiness scan."""
    agent = f"SeenbyReadinessBot/1.0 (+{base_url}/readiness/bot)"
    return FetchPolicy(agent, requests=64, seconds=SCAN_SECONDS, interval=0.25, own_host=host_of(base_url))


def monitor_policy(base_url: str) -> FetchPolicy:
    """The budget of one monitor check."""
    return replace(scan_policy(base_url), requests=100, seconds=240)


def proposal_policy(base_url: str) -> FetchPolicy:
    """The budget of reading a site while a person waits for proposals."""
    return replace(scan_policy(base_url), requests=24, seconds=25)


def cited_page_policy(base_url: str) -> FetchPolicy:
    """The budget of one agent that reads pages cited by engines, on any site."""
    return replace(scan_policy(base_url), requests=12, seconds=40)


def content_policy(base_url: str) -> FetchPolicy:
    """The budget of reading texts of pages while the person waits who named them."""
    return replace(scan_policy(base_url), requests=40, seconds=40)


def metadata_policy(base_url: str) -> FetchPolicy:
    """OAuth client metadata documents: https and JSON only, no redirect, 16 KB, 3 seconds."""
    return FetchPolicy(
        f"seenby/1.0 (+{base_url})",
        schemes=frozenset(("https",)),
        redirects=0,
        body=16 * 1024,
        cut=False,
        media_types=("application/json",),
        request_seconds=3,
        in_flight=4,
        per_host=1,
        own_host=host_of(base_url),
    )


def address_list_policy(base_url: str) -> FetchPolicy:
    """The lists of addresses that operators of crawlers publish: whole, over https, redirects within reason."""
    return FetchPolicy(
        f"seenby/1.0 (+{base_url})",
        schemes=frozenset(("https",)),
        redirects=3,
        cut=False,
        media_types=("application/json", "text/"),
        in_flight=4,
        per_host=1,
        own_host=host_of(base_url),
    )


def delivery_policy(base_url: str) -> FetchPolicy:
    """Messages to addresses that companies named, whose scheme the sender judges: no redirect, no body is read."""
    return FetchPolicy(
        f"seenby-webhooks/1.0 (+{base_url})",
        redirects=0,
        body=0,
        request_seconds=15,
        in_flight=20,
        per_host=4,
        own_host=host_of(base_url),
    )


def publishing_policy(base_url: str) -> FetchPolicy:
    """Calls of a site's own interface with a password of its company: no redirect, JSON only, patient."""
    return FetchPolicy(
        f"seenby/1.0 (+{base_url})",
        redirects=0,
        media_types=("application/json",),
        read_seconds=20,
        request_seconds=20,
        in_flight=4,
        own_host=host_of(base_url),
    )


def host_of(base_url: str) -> str | None:
    """Name or address in a base URL; None when it has none."""
    return urlsplit(base_url).hostname
