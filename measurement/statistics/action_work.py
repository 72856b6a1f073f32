"""What each kind of action is about, what it usually takes, and whose work it usually is: rules of ours."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from storage.repositories.actions import Action, ActionOutline

Effort: TypeAlias = Literal["hours", "days", "weeks"]
IssueKind: TypeAlias = Literal[
    "bot_access", "crawler_error", "content_gap", "readiness", "accuracy", "reputation"
]
"""What an action may be about."""
Owner: TypeAlias = Literal["website", "content", "communications"]


@dataclass(frozen=True, slots=True)
class ActionWork:
    """How long an action usually takes somebody, and who usually does it in a company."""

    effort: Effort
    owner: Owner


WORK: Mapping[IssueKind, ActionWork] = {
    "bot_access": ActionWork("hours", "website"),
    "crawler_error": ActionWork("hours", "website"),
    "content_gap": ActionWork("days", "content"),
    "readiness": ActionWork("days", "website"),
    "accuracy": ActionWork("days", "content"),
    "reputation": ActionWork("weeks", "communications"),
}
"""By the kind of what was found; nothing of it was measured."""
PROMPT_KINDS = ("content_gap",)
"""Kinds of actions that are about one prompt; others are about the whole site, which leaves no prompt untreated."""


def treated_prompts(action: Action | ActionOutline) -> frozenset[str]:
    """Return the ids of the prompts that an action is about; none for one about the whole site."""
    return frozenset((action.subject,)) if action.kind in PROMPT_KINDS else frozenset()
