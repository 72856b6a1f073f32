"""One robots.txt as RFC 9309 reads it: which group binds a bot, and which line lets it in or keeps it out."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from protego import Protego

from readiness.agents import OWN_TOKEN, TOKENS

SIZE_LIMIT = 500 * 1024  # RFC 9309 section 2.5: a reader parses at least 500 KiB.
FIELDS = (
    "user-agent", "allow", "disallow", "sitemap", "crawl-delay", "host", "content-signal", "content-usage",
)  # fmt: skip
OTHER_FIELDS = ("clean-param", "request-rate", "visit-time", "noindex")
KNOWN = frozenset((*FIELDS, *OTHER_FIELDS))
BOUND = frozenset(token.lower() for token in (*TOKENS, OWN_TOKEN))
SEARCHED_RULES = 2000  # A group with more rules than this gets verdicts, but no line numbers.
AGENT_LINE = re.compile(r"^[ \t]*user[ -]?agent[ \t]*:[ \t]*([^\r\n#]*)", re.I | re.M)
TOKEN = re.compile(r"[A-Za-z_-]+")  # RFC 9309 section 2.2.1: the product token
FIELD_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ -")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one file says to one bot about one URL; `line` counts from 1, 0 where no line decides."""

    bot: str
    allowed: bool
    group: str
    line: int
    text: str


class Robots:
    """One robots.txt: a group binds the bots it names and no others.

    What it decides is asked for in a worker process only: a rule full of wildcards takes ages to match. Only groups
    of `bots` are kept apart: a file that names ten thousand agents before ten thousand
    rules would otherwise cost their product.
    """

    def __init__(self, body: bytes, bots: frozenset[str] = BOUND) -> None:
        self._bots = bots
        self.is_unread = False
        self.has_bom = body.startswith(b"\xef\xbb\xbf")
        self.oversized = len(body) > SIZE_LIMIT
        self._text = body[:SIZE_LIMIT].decode("utf-8-sig", "replace")

    def __getstate__(self) -> dict[str, Any]:
        kept = ("_bots", "has_bom", "is_unread", "oversized", "_text")
        return {name: value for name, value in vars(self).items() if name in kept}

    @classmethod
    def denying_all(cls) -> "Robots":
        """The rules of an unreachable file: no one may fetch anything (RFC 9309 section 2.3.1.4)."""
        return cls(b"User-agent: *\nDisallow: /\n")

    @classmethod
    def unread(cls) -> "Robots":
        """A file that was there and that we could not read in time: nothing is fetched, and nothing said of it."""
        robots = cls.denying_all()
        robots.is_unread = True
        return robots

    @property
    def is_open(self) -> bool:
        """Whether the file says nothing at all, so that everything is allowed."""
        return not self._text.strip()

    @cached_property
    def named(self) -> frozenset[str]:
        """The bots that have a group of their own, in lower case."""
        return frozenset(self._token(line[1]) for line in AGENT_LINE.finditer(self._text))

    @cached_property
    def _rules(self) -> Protego:
        # Parsed when it is first asked: a process that only carries the file on never pays for it.
        return Protego.parse(AGENT_LINE.sub(self._agent_line, self._text))

    def _agent_line(self, line: re.Match[str]) -> str:
        return f"User-agent: {self._token(line[1])}"

    def _token(self, value: str) -> str:
        value = value.strip()
        if value.split(maxsplit=1)[:1] == ["*"]:
            return "*"
        token = TOKEN.match(value)
        name = token[0].lower() if token else "-"
        return name if name in self._bots else "-"

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The file line by line, as every reader of the format splits it."""
        return tuple(self._text.splitlines())

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """What the Sitemap lines say, in order."""
        return tuple(self._rules.sitemaps)

    @property
    def unknown_lines(self) -> tuple[int, ...]:
        """Numbers of the lines that are neither blank, comment nor a known field."""
        return tuple(number for number, line in enumerate(self.lines, 1) if not _known(line))

    def group(self, bot: str) -> str:
        """The group that binds a bot: its own token, or `*`."""
        return bot.lower() if bot.lower() in self.named else "*"

    def allows(self, url: str, bot: str) -> bool:
        """Whether a bot may fetch a URL."""
        return self._rules.can_fetch(url, self.group(bot))

    def crawl_delay(self, bot: str) -> float:
        """Crawl-delay of the bot's group in seconds, 0 where it sets none."""
        return self._rules.crawl_delay(self.group(bot)) or 0.0

    def verdict(self, url: str, bot: str) -> Verdict:
        """The decision with the line that made it: the longest rule of the group that decides alike."""
        allowed, group = self.allows(url, bot), self.group(bot)
        deciding = [
            (len(value), -number)
            for number, field, value in self._group_rules.get(group, ())[:SEARCHED_RULES]
            if field == ("allow" if allowed else "disallow") and _matches(field, value, url)
        ]
        line = -max(deciding)[1] if deciding else 0
        return Verdict(bot, allowed, group, line, self.lines[line - 1].strip() if line else "")

    @cached_property
    def _group_rules(self) -> dict[str, list[tuple[int, str, str]]]:
        rules: dict[str, list[tuple[int, str, str]]] = {}
        bound: list[str] = []
        in_agents = False
        for number, line in enumerate(self.lines, 1):
            field, value = _field(line)
            if field == "user-agent":
                name = self._token(value)
                bound = list(dict.fromkeys([*bound, name])) if in_agents else [name]
                in_agents = True
            elif field and field not in ("sitemap", "host"):
                in_agents = False  # Any other field ends a run of agents, as the matcher has it.
                for name in bound if value and field in ("allow", "disallow") else ():
                    rules.setdefault(name, []).append((number, field, value))
        return rules


def _known(line: str) -> bool:
    return not line.partition("#")[0].strip() or _field(line)[0] in KNOWN


def _field(line: str) -> tuple[str, str]:
    name, colon, value = line.partition("#")[0].partition(":")
    name = name.strip(" \t")
    is_field = bool(colon) and name[:1].isalpha() and FIELD_NAME.issuperset(name)
    return (name.lower().replace(" ", "-"), value.strip()) if is_field else ("", "")


@lru_cache(maxsize=16_384)
def _matches(field: str, value: str, url: str) -> bool:
    """Whether a rule matches: asked of the one matcher there is, in a file that holds only this rule."""
    alone = f"User-agent: *\nDisallow: {value if field == 'disallow' else '/'}\n"
    if field == "allow":
        alone += f"Allow: {value}\n"
    return Protego.parse(alone).can_fetch(url, "*") == (field == "allow")
