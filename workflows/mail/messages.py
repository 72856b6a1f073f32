"""The words of each kind of mail, as plain text and as HTML, with everything from outside made inert."""

import html
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import Any, Final
from urllib.parse import urlsplit

from storage.repositories.mails import QueuedMail

LONGEST_SUBJECT: Final = 180
LONGEST_LINE: Final = 2_000
WHY_ALERT: Final = "You get this e-mail because of your notification settings."


class InvalidRecipient(ValueError):
    """An address that no mail can be sent to."""


@dataclass(frozen=True, slots=True)
class Words:
    """What one mail says: paragraphs, then a link with its label, then why it came."""

    subject: str
    paragraphs: Sequence[str]
    link: tuple[str, str] | None = None
    why: str = ""


def compose(mail: QueuedMail, link: str | None, base_url: str, sender: str) -> EmailMessage:
    """Return the message of a queued mail; `link` is the opened secret link, for the kinds that have one.

    Its Message-ID is made of the mail's identifier, so that a second copy, sent after a crash between the server's
    acknowledgement and our record of it, is recognised as the same. Raises InvalidRecipient.
    """
    words = words_of(mail, link, base_url)
    message = EmailMessage(policy=SMTP)
    try:
        # A recipient is one address and nothing else, whatever was typed into a form.
        message["To"] = Address(addr_spec=mail.recipient)
    except (ValueError, IndexError, MessageError) as error:
        raise InvalidRecipient(mail.id) from error
    message["From"] = Address("seenby", addr_spec=sender)
    message["Subject"] = clean(words.subject)[:LONGEST_SUBJECT]
    message["Date"] = format_datetime(mail.created_at)
    message["Message-ID"] = f"<{mail.id}@{urlsplit(base_url).hostname or 'seenby.invalid'}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(text_of(words), charset="utf-8")
    message.add_alternative(html_of(words), subtype="html", charset="utf-8")
    return message


def words_of(mail: QueuedMail, link: str | None, base_url: str) -> Words:
    """Return what a mail of its kind says."""
    makers = {
        "invitation": invitation,
        "sign_up": sign_up,
        "password_reset": password_reset,
        "alert": alert,
        "weekly_report": scheduled_report,
        "monthly_report": scheduled_report,
        "announcement": announcement,
    }
    return makers[mail.kind](mail.content, link, base_url)


def invitation(content: Mapping[str, Any], link: str | None, base_url: str) -> Words:
    """Invite a user to a company."""
    company = content["company"]
    return Words(
        f"Invitation to join {company} on seenby",
        (
            f"{content['invitedBy']} invites you to join {company} as {content['role']}.",
            "The link works once, for a week. If you do not expect this, do nothing: without the link nothing happens.",
        ),
        ("Join", link) if link else None,
    )


def sign_up(content: Mapping[str, Any], link: str | None, base_url: str) -> Words:
    """Let the owner of a new company choose the first password, or say that the address has an account."""
    company = content.get("company")
    return _known_address(base_url) if company is None else _welcome(company, link)


def password_reset(content: Mapping[str, Any], link: str | None, base_url: str) -> Words:
    """Send a password reset link."""
    return Words(
        "Choose a new password for seenby",
        (
            "A new password was requested for this address.",
            "The link works once, for an hour. If it was not you, do nothing: your password stays as it is.",
        ),
        ("Choose a new password", link) if link else None,
    )


def _welcome(company: str, link: str | None) -> Words:
    return Words(
        "Finish your account for seenby",
        (
            f"An account for {company} was created with this address. Choose a password to open it.",
            "The link works once, for a day. If this was not you, ignore this e-mail: the account stays closed.",
        ),
        ("Choose a password", link) if link else None,
    )


def _known_address(base_url: str) -> Words:
    return Words(
        "You have an account for seenby already",
        (
            "Someone tried to create an account with this address. You already have one, so nothing changed.",
            "If it was you: sign in. The page has a link for a forgotten password. If it was not you, do nothing.",
        ),
        ("Sign in", f"{base_url}/auth/login"),
    )


def alert(content: Mapping[str, Any], link: str | None, base_url: str) -> Words:
    """Send a notification."""
    path = content["path"] or "/notifications"
    return Words(content["title"], (content["message"],), ("Open in seenby", base_url + path), WHY_ALERT)


def scheduled_report(content: Mapping[str, Any], link: str | None, base_url: str) -> Words:
    """Say where each brand of a company stands and whether its period changed; one queued earlier has no period."""
    company, period = content["company"], content.get("period")
    lines = [report_line(brand, content, base_url) for brand in content["brands"]]
    issues = content["openIssues"]
    lines.append(f"Open issues: {issues}." if issues else "No issue is open.")
    return Words(
        f"{content.get('title', 'Weekly report')}: {company}" + (f", {period}" if period else ""),
        lines if content["brands"] else ["No brand is watched yet.", *lines],
        ("Open in seenby", base_url + "/"),
        WHY_ALERT,
    )


def report_line(brand: Mapping[str, Any], content: Mapping[str, Any], base_url: str) -> str:
    """Say how one brand stands, what changed and where its report is, or that nothing is known."""
    if brand["score"] is None:
        return f"{brand['name']}: no score in force."
    stands = (
        f"{brand['name']}: visibility score {brand['score']}, calculated on {brand['calculatedOn']} (UTC)."
    )
    change = brand.get("change")
    if change is None:
        return stands
    path = f"/brands/{brand['id']}/report?from={content['from']}&to={content['to']}"
    return f"{stands}\n{change_words(change, content['period'])}\nThe whole report: {base_url}{path}"


def change_words(change: Mapping[str, Any], period: str) -> str:
    """Say the verdict on a period; only one that found a change permits to say rose or fell."""
    if not change["answers"]:
        return f"{period}: nothing was measured, which is not zero."
    of_answers = f"{period}, {change['answers']} answers"
    points, interval = change["points"], change["interval"]
    if points is None or interval is None:
        return f"{of_answers}: not comparable with the period before."
    size = f"95% interval {interval[0]:+.1f} to {interval[1]:+.1f} points"
    direction = "rose" if points > 0 else "fell"
    words = {
        "changed": f"{direction} by {abs(points):.1f} points ({size}).",
        "changed_if_missing_are_alike": (
            f"{direction} by {abs(points):.1f} points ({size}), if the missing answers are like the others."
        ),
        "no_detectable_change": f"no change can be detected ({size}).",
    }
    return f"{of_answers}: {words.get(change['verdict'], 'not comparable with the period before.')}"


def announcement(content: Mapping[str, Any], link: str | None, base_url: str) -> Words:
    """Announce a change of the interface."""
    return Words(
        f"From {content['effectiveOn']}: {content['title']}",
        (
            f"This takes effect on {content['effectiveOn']} on {base_url}.",
            *str(content["body"]).split("\n\n"),
        ),
        ("Read the interface's documentation", base_url + "/docs"),
        "You get this because you own a company here, or work in one with an API key.",
    )


def clean(text: str, *, lines: bool = False) -> str:
    """Return a text without control, bidirectional and invisible characters; line ends become blanks, or stay."""
    kept: list[str] = []
    for character in text:
        if character in "\n\t" and lines:
            kept.append(character)
        elif character.isspace():
            kept.append(" ")
        elif unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn"):
            kept.append(character)
    return "".join(kept).strip()


def paragraph_of(text: str) -> str:
    """Return a paragraph that is safe to show, cut where it is absurdly long."""
    cleaned = clean(text, lines=True)
    return cleaned if len(cleaned) <= LONGEST_LINE else f"{cleaned[:LONGEST_LINE]} …"


def text_of(words: Words) -> str:
    """Return the plain text."""
    parts = [paragraph_of(text) for text in words.paragraphs]
    if words.link:
        parts.append(f"{words.link[0]}: {words.link[1]}")
    if words.why:
        parts.append(words.why)
    return "\n\n".join(parts) + "\n"


def html_of(words: Words) -> str:
    """Return the HTML: paragraphs and one link, nothing that is loaded from anywhere."""
    parts = [
        f"<p>{html.escape(paragraph_of(text)).replace(chr(10), '<br>')}</p>" for text in words.paragraphs
    ]
    if words.link:
        label, address = (html.escape(part) for part in words.link)
        parts.append(f'<p><a href="{address}">{label}</a></p><p>{address}</p>')
    if words.why:
        parts.append(f"<p><small>{html.escape(words.why)}</small></p>")
    title = html.escape(clean(words.subject))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>'
        f"<body>{''.join(parts)}</body></html>\n"
    )


def day_of(moment: datetime) -> str:
    """Return a day as mails write it."""
    return moment.date().isoformat()
