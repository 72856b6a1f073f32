"""What each kind of action usually takes, and whose work it usually is: a rule of ours, nothing that was measured."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Effort: TypeAlias = Literal["hours", "days", "weeks"]
Owner: TypeAlias = Literal["website", "content", "communications"]


@dataclass(frozen=True, slots=True)
class ActionWork:
    """How long an action usually takes somebody, and who usually does it in a company."""

    effort: Effort
    owner: Owner


WORK: Mapping[str, ActionWork] = {
    "bot_access": ActionWork("hours", "website"),
    "crawler_error": ActionWork("hours", "website"),
    "content_gap": ActionWork("days", "content"),
    "readiness": ActionWork("days", "website"),
    "accuracy": ActionWork("days", "content"),
    "reputation": ActionWork("weeks", "communications"),
}
"""By the kind of what was found."""
