"""What a look of a monitor gives, or why there was none."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from readiness.evidence import Evidence
from workflows.issues import Observation


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen: figures to show, what the next look compares with, what it means for issues."""

    metrics: Mapping[str, Any]
    observations: tuple[Observation, ...]
    memory: Mapping[str, Any] = field(default_factory=dict[str, Any])


class Skipped(Exception):
    """There is nothing to look at; `code` is no_website, no_answers or no_repository."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def shown(evidence: Evidence) -> dict[str, str]:
    """Return a piece of the scanner's evidence as issues keep it: an address and a quotation made harmless."""
    found = {"type": "page", "url": evidence.url, "excerpt": evidence.excerpt or evidence.header or ""}
    if not found["excerpt"] and evidence.status_code is not None:
        found["excerpt"] = f"status {evidence.status_code}"
    return found
