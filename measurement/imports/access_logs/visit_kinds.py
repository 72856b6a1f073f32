"""Classification of logged requests: a visit by an AI crawler, a person from an AI product, or neither."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlsplit

from measurement.imports.access_logs.line_formats import LoggedRequest
from readiness.agents import AGENTS

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


@dataclass(frozen=True, slots=True)
class KnownBot:
    """A bot of an AI operator; `purpose` is search, user_request, training or ads."""

    token: str
    operator: str
    purpose: str


PURPOSES: Final[Mapping[str, str]] = {"user": "user_request"}


def _data(name: str) -> dict[str, Any]:
    return tomllib.loads(files("measurement.imports.access_logs").joinpath(name).read_text(encoding="utf-8"))


@cache
def known_bots() -> Mapping[str, KnownBot]:
    """Return the bots that access logs are searched for, by token."""
    data = _data("ai_bots.toml")
    listed = [
        (str(token), str(operator), tier)
        for tier in ("search", "user", "training", "ads")
        for operator, tokens in data[tier].items()
        for token in tokens
    ]
    checked = [(agent.token, agent.operator, str(agent.tier)) for agent in AGENTS]
    return {
        token: KnownBot(token, operator, PURPOSES.get(tier, tier))
        for token, operator, tier in (*listed, *checked)
    }


@cache
def _products(table: str) -> Mapping[str, str]:
    """Return the AI product of each name in a table of ai_products.toml."""
    return {name: product for product, names in _data("ai_products.toml")[table].items() for name in names}


def visit_kind(request: LoggedRequest) -> CrawlerVisit | Referral | None:
    """Return the kind of a request; None for everything that is not counted."""
    bot = bot_named(request.agent[:LONGEST_AGENT])
    if bot is not None:
        return CrawlerVisit(bot, shown_path(request.target))
    if request.method != "GET" or request.status not in PAGE_ANSWERS:
        return None
    product = _product_of(request)
    return Referral(product, shown_path(request.target)) if product else None


@cache
def _pattern(names: Iterable[str], after: str) -> re.Pattern[str]:
    """Return a pattern of whole names, the longest first."""
    longest = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"(?<![\w-])(?:{longest}){after}", re.IGNORECASE)


@lru_cache(maxsize=4096)
def bot_named(agent: str) -> str | None:
    """Return the token of the bot that a user agent names, the longest one, or None if it names no known bot."""
    tokens = {token.lower(): token for token in known_bots()}
    found = _pattern(tuple(tokens), r"(?![\w-])").findall(agent)
    return tokens[max(found, key=len).lower()] if found else None


def _product_of(request: LoggedRequest) -> str | None:
    """Return the AI product that a referrer, a utm_source or the app's user agent names."""
    referrers = _products("referrers")
    if request.referrer:
        host, path = _place(request.referrer)
        product = referrers.get(host) or referrers.get(f"{host}/{path}")
        if product:
            return product
    app = _pattern(tuple(_products("apps")), r"(?=/\d)").search(request.agent[:LONGEST_AGENT])
    if app:
        return {name.lower(): product for name, product in _products("apps").items()}[app[0].lower()]
    query = request.target.partition("?")[2]
    if "utm_source=" not in query:
        return None
    try:
        fields = dict(parse_qsl(query[:MOST_QUERY], max_num_fields=50))
    except ValueError:
        return None
    source = fields.get("utm_source", "").lower().removeprefix("www.")
    return _products("sources").get(source) or referrers.get(source)


def _place(address: str) -> tuple[str, str]:
    """Return the host of an address and the first part of its path."""
    try:
        parts = urlsplit(address[:MOST_QUERY])
        return (parts.hostname or "").lower().removeprefix("www."), parts.path[1:].partition("/")[0]
    except ValueError:
        return "", ""


def shown_path(target: str) -> str:
    """Return a path in printable ASCII, without its query, at most 200 characters long.

    Everything else is percent-encoded, so that no control character, direction mark or quote is left.
    """
    path = target.partition("?")[0].partition("#")[0]
    if not path.startswith("/"):
        _, separator, rest = path[:MOST_QUERY].partition("://")
        path = "/" + rest.partition("/")[2] if separator else "/"
    return quote(path[:LONGEST_PATH], safe=SAFE_IN_PATHS, errors="replace")[:LONGEST_PATH]
