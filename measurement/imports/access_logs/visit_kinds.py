"""Classification of logged requests: a visit by an AI crawler, a person from an AI product, or neither."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final
from urllib.parse import parse_qsl, quote, urlsplit

from measurement.imports.access_logs.line_formats import LoggedRequest
from readiness.agents import classify

LONGEST_PATH: Final = 200
MOST_QUERY: Final = 2000
LONGEST_AGENT: Final = 1000
SAFE_IN_PATHS: Final = "/%:@!&*+,;=~.-_"
PAGE_ANSWERS: Final = range(200, 400)


@dataclass(frozen=True, slots=True)
class CrawlerVisit:
    """A request with the user agent of an AI operator; its address is only checked and never stored."""

    bot: str
    path: str


@dataclass(frozen=True, slots=True)
class Referral:
    """A person who came from an AI product."""

    product: str
    path: str


@cache
def ai_products() -> Mapping[str, str]:
    """Return the AI product of each host and each `utm_source` that belongs to one."""
    text = files("measurement.imports.access_logs").joinpath("ai_products.toml").read_text(encoding="utf-8")
    products: Mapping[str, list[str]] = tomllib.loads(text)["products"]
    return {name: product for product, names in products.items() for name in names}


def visit_kind(request: LoggedRequest) -> CrawlerVisit | Referral | None:
    """Return the kind of a request; None for everything that is not counted."""
    bot = bot_named(request.agent[:LONGEST_AGENT])
    if bot is not None:
        return CrawlerVisit(bot, shown_path(request.target))
    if request.method != "GET" or request.status not in PAGE_ANSWERS:
        return None
    product = _product_of(request)
    return Referral(product, shown_path(request.target)) if product else None


@lru_cache(maxsize=4096)
def bot_named(agent: str) -> str | None:
    """Return the token of the bot that a user agent names, or None if it names no known bot."""
    known = classify(agent)
    return known.token if known else None


def _product_of(request: LoggedRequest) -> str | None:
    products = ai_products()
    if request.referrer:
        host = _host(request.referrer)
        product = products.get(host.removeprefix("www.")) if "." in host else None
        if product:
            return product
    query = request.target.partition("?")[2]
    if "utm_source=" not in query:
        return None
    try:
        fields = dict(parse_qsl(query[:MOST_QUERY], max_num_fields=50))
    except ValueError:
        return None
    return products.get(fields.get("utm_source", "").lower().removeprefix("www."))


def _host(address: str) -> str:
    try:
        return (urlsplit(address[:MOST_QUERY]).hostname or "").lower()
    except ValueError:
        return ""


def shown_path(target: str) -> str:
    """Return a path in printable ASCII, without its query, at most 200 characters long.

    Everything else is percent-encoded, so that no control character, direction mark or quote is left.
    """
    path = target.partition("?")[0].partition("#")[0]
    if not path.startswith("/"):
        _, separator, rest = path[:MOST_QUERY].partition("://")
        path = "/" + rest.partition("/")[2] if separator else "/"
    return quote(path[:LONGEST_PATH], safe=SAFE_IN_PATHS, errors="replace")[:LONGEST_PATH]
