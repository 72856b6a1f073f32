"""Lists of AI user agents that others publish, compared with our own table: what they know and we do not."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from readiness.agents import AGENTS, TOKENS, classify

AI_TAG = "ai-crawler"


class UnreadableList(Exception):
    """The text is no list of user agents in a form that we know."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One entry: the name or pattern it goes by, headers seen with it, and whether it is said to be an AI's."""

    name: str
    headers: tuple[str, ...]
    ai: bool

    @property
    def token(self) -> str | None:
        """Our token for the entry, or None; nothing is guessed."""
        folded = re.sub(r"\[(\w)\w\]", r"\1", self.name).replace("\\", "").rstrip("/").lower()
        exact = next((token for token in TOKENS if token.lower() == folded), None)
        known = next((agent for header in self.headers if (agent := classify(header))), None)
        return exact or (known.token if known else None)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a list and our table say: both, tokens only we know, AI agents only they know, headers they never saw."""

    agreed: tuple[str, ...]
    only_ours: tuple[str, ...]
    only_theirs: tuple[str, ...]
    unseen_headers: tuple[str, ...]


def read_list(text: str) -> tuple[Listed, ...]:
    """Read a list as JSON. Raises UnreadableList.

    Two forms are known: an array of `pattern`, `instances` and `tags` (crawler-user-agents), and an object whose
    keys are tokens (robots.json of ai.robots.txt), which lists AI agents alone.
    """
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableList("it is not JSON") from error
    if isinstance(value, dict):
        return tuple(Listed(name, (), ai=True) for name in cast(dict[str, Any], value))
    if not isinstance(value, list):
        raise UnreadableList("it is neither an array nor an object")
    return tuple(_entry(item) for item in cast(list[Any], value))


def _entry(item: Any) -> Listed:
    if not isinstance(item, dict) or not isinstance(cast(dict[str, Any], item).get("pattern"), str):
        raise UnreadableList("an entry has no pattern")
    entry = cast(dict[str, Any], item)
    headers = tuple(instance for instance in entry.get("instances", []) if isinstance(instance, str))
    return Listed(entry["pattern"], headers, AI_TAG in entry.get("tags", []))


def compare(listed: Iterable[Listed]) -> Comparison:
    """Compare a list with our table, in its order and ours."""
    entries = tuple(listed)
    known = {entry.token for entry in entries}
    headers = {header for entry in entries for header in entry.headers}
    return Comparison(
        agreed=tuple(token for token in TOKENS if token in known),
        only_ours=tuple(token for token in TOKENS if token not in known),
        only_theirs=tuple(entry.name for entry in entries if entry.ai and entry.token is None),
        unseen_headers=tuple(
            agent.token for agent in AGENTS if headers and agent.header and agent.header not in headers
        ),
    )
