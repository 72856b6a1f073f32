"""Whether who asks controls a site: its token for their company, in a file, on the home page or in DNS."""

import hashlib
import hmac
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from readiness.fetching import urls
from readiness.fetching.dialing import Network
from readiness.fetching.errors import FetchFailed, ScanRefused, UrlRefused
from readiness.fetching.fetcher import Fetcher
from readiness.fetching.policy import FetchPolicy

NAME = "seenby-verification"
FILE = f"/.well-known/{NAME}.txt"
RECORD = "_seenby"
LARGEST_FILE, LARGEST_HEAD = 4_096, 65_536
"""Bytes that are read of the file, and of the home page."""
MOST_ELEMENTS, LONGEST_ELEMENT = 200, 512
LOOK_SECONDS = 5.0
LONGEST_STATEMENT = 600
RecordReader: TypeAlias = Callable[[str], Awaitable[Sequence[str]]]


async def read_text_records(name: str) -> Sequence[str]:
    """Return the TXT records of a DNS name, none when it has none or DNS does not answer."""
    import dns.asyncresolver
    import dns.exception

    try:
        answer = await dns.asyncresolver.resolve(name, "TXT", lifetime=LOOK_SECONDS, search=False)
    except dns.exception.DNSException:
        return ()
    return [b"".join(record.strings).decode("ascii", "replace") for record in answer]


class SiteOwnership:
    """Proves that a company controls a host, by a fresh check each time: a removed token no longer counts.

    The token follows from the company and the host, exactly as it is written: that of another company, of another
    subdomain or of the apex is another one. `keys` are the secrets that it is made of, the present one first.
    """

    def __init__(
        self,
        keys: Sequence[bytes],
        policy: FetchPolicy,
        network: Network | None = None,
        read_records: RecordReader = read_text_records,
    ) -> None:
        self._keys = tuple(keys)
        self._policy = replace(policy, redirects=0, seconds=3 * policy.request_seconds, interval=0)
        self._network = network or Network()
        self._read_records = read_records

    def token(self, company_id: str, url: str) -> str:
        """Return what the owner of a site publishes for a company. Raises ScanRefused for what is never visited."""
        return self._tokens(company_id, self._parse(url))[0]

    def instructions(self, company_id: str, url: str) -> list[str]:
        """Return the three ways to publish the token, one of which is enough."""
        site = self._parse(url)
        token = self._tokens(company_id, site)[0]
        return [
            f"the file {site.scheme}://{site.authority}{FILE} with the line {token}",
            f'in the head of the home page: <meta name="{NAME}" content="{token}">',
            f'the DNS record {RECORD}.{site.host} of type TXT: "{NAME}={token}"',
        ]

    async def prove(self, company_id: str, url: str) -> str | None:
        """Return how the site shows the company's token: `file`, `meta` or `dns`; None when it does not.

        Raises ScanRefused for what is never visited. Nothing is believed that came by a redirect: a page that leads
        elsewhere proves nothing about where it leads, and an open redirect nothing about its own site.
        """
        site = self._parse(url)
        tokens = self._tokens(company_id, site)
        network = self._network
        async with Fetcher(
            self._policy, resolve=network.resolve, dial=network.dial, tls=network.tls
        ) as fetcher:
            origin = f"{site.scheme}://{site.authority}"
            if shows(await _text(fetcher, origin + FILE, LARGEST_FILE), tokens):
                return "file"
            if _is_any(meta_contents(await _text(fetcher, f"{origin}/", LARGEST_HEAD)), tokens):
                return "meta"
        records = await self._read_records(f"{RECORD}.{site.host}")
        return "dns" if _is_any(records, [f"{NAME}={token}" for token in tokens]) else None

    def _tokens(self, company_id: str, site: urls.Url) -> list[str]:
        claimed = f"{company_id}|{site.authority}".encode()
        return [hmac.new(key, claimed, hashlib.sha256).hexdigest()[:40] for key in self._keys]

    def _parse(self, url: str) -> urls.Url:
        try:
            return urls.parse(url, allow_hosts=self._policy.allow_hosts)
        except UrlRefused as error:
            raise ScanRefused(str(error).rstrip("."), "Give the public address of a site.") from error


async def _text(fetcher: Fetcher, url: str, limit: int) -> str:
    try:
        response = await fetcher.get(url, body=limit)
    except (FetchFailed, UrlRefused):
        return ""
    return response.body.decode("utf-8", "replace") if response.status == 200 and not response.chain else ""


def shows(text: str, tokens: Sequence[str]) -> bool:
    """Return whether one of the lines is a token and nothing else."""
    return _is_any([line.strip() for line in text.splitlines()], tokens)


def _is_any(words: Sequence[str], tokens: Sequence[str]) -> bool:
    return any(hmac.compare_digest(word.encode(), token.encode()) for word in words for token in tokens)


def meta_contents(page: str) -> list[str]:
    """Return the contents of our meta elements in the head of a page, the first 200 elements of their kind.

    The body is not read: it may contain visitors' text.
    """
    lower = page.lower()
    head = page[: min(_position(lower, "</head"), _position(lower, "<body"))]
    folded, contents, start = head.lower(), list[str](), 0
    for _ in range(MOST_ELEMENTS):
        start = folded.find("<meta", start)
        if start < 0:
            break
        element = head[start : start + LONGEST_ELEMENT].partition(">")[0]
        attributes = dict(_attributes(element))
        if attributes.get("name") == NAME:
            contents.append(attributes.get("content", ""))
        start += len("<meta")
    return contents


def _position(text: str, sought: str) -> int:
    position = text.find(sought)
    return position if position >= 0 else len(text)


def _attributes(element: str) -> list[tuple[str, str]]:
    """Return the attributes of an element that are written `name="value"`, as the instructions have them."""
    parts = element.replace("'", '"').split('"')
    return [
        (name.strip().removesuffix("=").rpartition(" ")[2].lower(), value)
        for name, value in zip(parts[::2], parts[1::2], strict=False)
    ]


def clean_statement(text: str) -> str:
    """Return a statement as it is shown: one paragraph of visible characters, at most 600. Raises ScanRefused."""
    visible = "".join(character if character.isprintable() else " " for character in text)
    words = " ".join(visible.split())
    if len(words) > LONGEST_STATEMENT:
        raise ScanRefused(
            f"a statement has at most {LONGEST_STATEMENT} characters, this one {len(words)}", "Shorten it."
        )
    return words
