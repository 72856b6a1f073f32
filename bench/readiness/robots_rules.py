"""A robots.txt read by RFC 9309 alone, written apart from the parser of the product, to prove what an edit opens."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

_PRODUCT = re.compile(r"[a-zA-Z_-]+")
RULES = ("allow", "disallow")


@dataclass(frozen=True, slots=True)
class RobotsGroup:
    """The agents that a group names, in lower case, and its rules as (allows, path)."""

    agents: tuple[str, ...]
    rules: tuple[tuple[bool, str], ...]


def groups_of(text: str) -> list[RobotsGroup]:
    """Return the groups of a file in order (section 2.2.1)."""
    groups: list[RobotsGroup] = []
    agents: list[str] = []
    rules: list[tuple[bool, str]] = []
    for name, value in _fields(text):
        if name == "user-agent":
            if rules:
                groups.append(RobotsGroup(tuple(agents), tuple(rules)))
                agents, rules = [], []
            product = _PRODUCT.match(value)
            agents.append("*" if value.startswith("*") else product[0].lower() if product else "")
        elif name in RULES and agents:
            # An empty Disallow closes nothing, and still ends the row of agents.
            rules.append((name == "allow" or not value, value or "/"))
    return [*groups, RobotsGroup(tuple(agents), tuple(rules))]


def may_fetch(text: str, agent: str, url: str) -> bool:
    """Tell whether an agent may fetch an address: its own groups together, else those of all; the longest rule wins."""
    groups = groups_of(text)
    own = [group for group in groups if agent.lower() in group.agents]
    bound = own or [group for group in groups if "*" in group.agents]
    parts = urlsplit(url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    matching = [
        (len(path), allows) for group in bound for allows, path in group.rules if _matches(path, target)
    ]
    # Of rules of one length, the one that allows wins (section 2.2.2).
    return max(matching)[1] if matching else True


def _matches(path: str, target: str) -> bool:
    anchored = path.endswith("$")
    pieces = path.removesuffix("$").split("*")
    if not target.startswith(pieces[0]):
        return False
    at = len(pieces[0])
    for piece in pieces[1:]:
        found = target.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return not anchored or at == len(target) or (len(pieces) > 1 and target.endswith(pieces[-1]))


def _fields(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        name, colon, value = line.partition("#")[0].partition(":")
        if colon:
            yield name.strip().lower().replace(" ", "-"), value.strip()
