"""Update issues from monitor observations, and notify users when an issue opens, escalates or reopens."""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Literal

from storage.documents import StoredEvidence
from storage.ids import new_id
from storage.repositories.brands import Brand
from storage.repositories.issues import Issue
from storage.repositories.notifications import AlikeDrafts, NotificationDraft
from storage.workspace import Workspace

Kind = Literal["bot_access", "crawler_error", "content_gap", "readiness", "accuracy", "reputation"]
Severity = Literal["critical", "warning", "info"]
RANK: Mapping[str, int] = {"info": 0, "warning": 1, "critical": 2}
TOLD_AS: Mapping[str, str] = {
    "readiness": "crawler_error",
    "accuracy": "ai_mention",
    "reputation": "ai_mention",
}
"""Notification kinds for issue kinds that have none of their own.

A readiness issue sends a notification only when a gate fails, which is a crawler error.
"""
SEVERAL: Mapping[str, str] = {
    "bot_access": "findings about what AI bots may read",
    "crawler_error": "errors that crawlers meet",
    "content_gap": "likely gaps in what is published",
    "readiness": "failed readiness checks",
    "accuracy": "facts that answers contradict",
    "reputation": "risks to the reputation",
}
"""Plural label for the issues of one kind that a single check found."""
FEW: Mapping[str, int] = {"content_gap": 1}
"""Number of issues from one check that each get their own notification; the default is 3.

More issues of the same kind are combined. Content gaps resemble each other, so the limit for them is lower.
Issues that block crawlers differ from each other.
"""
CLEAN_ENOUGH = 2
"""Clean observations in a row after which an issue resolves itself."""
CRAWLER_CHECK = "crawler_check"
CONTENT_GAP_MONITOR = "content_gap_monitor"
BOT_ACCESS_MONITOR = "bot_access_monitor"
KINDS: Mapping[str, str] = MappingProxyType(
    {
        CRAWLER_CHECK: "crawler_error",
        CONTENT_GAP_MONITOR: "content_gap",
        BOT_ACCESS_MONITOR: "bot_access",
    }
)
"""Monitoring scripts and the issue kind that each one reports, in display order."""


@dataclass(frozen=True, slots=True)
class IssueObservation:
    """The result of one check for one subject. A subject that could not be checked has no observation.

    `bad` describes the problem in our own words, or is None when all is well. A subject is a host and path, a
    prompt ID or a tier of bots. It is never a measured value, a date or a text.
    """

    kind: Kind
    check_id: str
    subject: str
    bad: str | None = None
    severity: Severity = "warning"
    url: str | None = None
    evidence: Sequence[StoredEvidence] = ()
    needs_twice: bool = False
    silent: bool = False


class Transition(StrEnum):
    """Transitions that users are notified about."""

    OPENED = "opened"
    ESCALATED = "escalated"
    REOPENED = "reopened"


@dataclass(frozen=True, slots=True)
class IssueTransition:
    """An issue after an observation (None when it is dropped), and the transition to announce."""

    issue: Issue | None
    announced: Transition | None = None


def fingerprint(brand_id: str, kind: str, check_id: str, subject: str) -> str:
    """Return the key that identifies the same issue across observations, as hexadecimal SHA-256."""
    return hashlib.sha256(f"{brand_id}|{kind}|{check_id}|{subject}".encode()).hexdigest()


def next_transition(
    issue: Issue | None, seen: IssueObservation, identity: str, now: datetime
) -> IssueTransition:
    """Return an issue's next state after an observation. Pure; `identity` is the issue's fingerprint."""
    if seen.bad is None:
        return transition_when_clean(issue)
    if issue is None:
        state = "candidate" if seen.needs_twice else "open"
        made = Issue(
            0, new_id(), identity, seen.kind, seen.check_id, seen.subject, seen.severity, seen.bad,
            seen.url, seen.evidence, state, 1, 0, 0, now, now,
        )  # fmt: skip
        return IssueTransition(made, Transition.OPENED if state == "open" else None)
    worse = RANK[seen.severity] > RANK[issue.severity]
    again = replace(issue, last_seen=now, occurrences=issue.occurrences + 1, clean=0)
    if issue.state == "dismissed" and not worse:
        return IssueTransition(again)
    observed_issue = replace(
        again, state="open", severity=seen.severity, title=seen.bad, url=seen.url, evidence=seen.evidence
    )
    if issue.state == "candidate":
        return IssueTransition(observed_issue, Transition.OPENED)
    if issue.state == "open":
        return IssueTransition(observed_issue, Transition.ESCALATED if worse else None)
    return IssueTransition(replace(observed_issue, reopened=issue.reopened + 1), Transition.REOPENED)


def transition_when_clean(issue: Issue | None) -> IssueTransition:
    """Return an issue's next state after a clean observation."""
    if issue is None or issue.state == "candidate":
        return IssueTransition(None)
    if issue.state != "open":
        return IssueTransition(issue)
    clean = issue.clean + 1
    return IssueTransition(replace(issue, clean=clean, state="resolved" if clean >= CLEAN_ENOUGH else "open"))


async def record(
    writing: Workspace,
    brand: Brand,
    seen: Sequence[IssueObservation],
    now: datetime,
    run_id: str | None = None,
) -> dict[tuple[str, str], str]:
    """Apply observations to a brand's issues and add the notifications, in the caller's transaction.

    Issues of one kind beyond the limit in `FEW` are combined into one notification. Returns the ID of every
    issue that was observed and is open afterwards, by (check ID, subject).
    """
    issues_by_kind: dict[str, dict[str, Issue]] = {}
    ids: dict[tuple[str, str], str] = {}
    announced: dict[str, list[NotificationDraft]] = defaultdict(list)
    for observation in seen:
        if observation.kind not in issues_by_kind:
            issues_by_kind[observation.kind] = await writing.issues.hold(brand.key, observation.kind)
        known = issues_by_kind[observation.kind]
        identity = fingerprint(brand.id, observation.kind, observation.check_id, observation.subject)
        before = known.get(identity)
        change = next_transition(before, observation, identity, now)
        if change.issue is None:
            if before is not None:
                await writing.issues.forget(before)
                del known[identity]
            continue
        if change.issue != before:
            await writing.issues.put(brand.key, change.issue)
        if change.issue.state == "open":
            ids[observation.check_id, observation.subject] = change.issue.id
        if change.announced is not None and not observation.silent:
            draft = notification(brand, change.issue, change.announced, run_id, now)
            announced[observation.kind].append(draft)
    for kind, drafts in announced.items():
        await writing.notifications.add_alike(issue_notifications(brand, kind, drafts), now)
    return ids


def issue_notifications(brand: Brand, kind: str, drafts: Sequence[NotificationDraft]) -> AlikeDrafts:
    """Group the notifications for all issues of one kind that one check found."""
    return AlikeDrafts(
        drafts,
        lambda count: f"{count} {SEVERAL[kind]} of {brand.name}",
        f"/issues?brand={brand.id}&kind={kind}",
        few=FEW.get(kind, 3),
    )


def notification(
    brand: Brand, issue: Issue, transition: Transition, run_id: str | None, now: datetime
) -> NotificationDraft:
    """Return the notification for a transition; each fingerprint and severity notifies once a day."""
    words = {
        Transition.OPENED: "This was seen for the first time.",
        Transition.ESCALATED: "This was known and has become worse.",
        Transition.REOPENED: "This was fixed, or dismissed at a lower severity, and is back.",
    }
    return NotificationDraft(
        kind=TOLD_AS.get(issue.kind, issue.kind),
        severity=issue.severity,
        title=issue.title,
        message=f"{brand.name}: {words[transition]} The open issues show the evidence.",
        dedup_key=f"issue:{issue.fingerprint}:{issue.severity}:{now.date().isoformat()}",
        brand_key=brand.key,
        issue_id=issue.id,
        run_id=run_id,
        path="/issues",
    )
