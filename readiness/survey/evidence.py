"""What a finding rests on: where it was seen and a short, disarmed quotation of what was seen."""

import re
from dataclasses import dataclass

EXCERPT = 300
ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[@-_]")
# Controls, soft hyphen, zero-width and bidirectional marks, variation selectors, the tag block.
UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One observation; `sha256` is of the stored body, `line` counts from 1, times are ISO 8601 UTC.

    `excerpt` is text of the site; `detail` is what we say of it.
    """

    url: str
    method: str = "GET"
    status_code: int | None = None
    header: str | None = None
    selector: str | None = None
    json_pointer: str | None = None
    line: int | None = None
    excerpt: str | None = None
    detail: str | None = None
    sha256: str | None = None
    fetched_at: str | None = None


def excerpt(text: str) -> str:
    """At most 300 characters of a site's text, without anything that moves a cursor or hides."""
    plain = UNSEEN.sub(" ", ANSI.sub("", text[: EXCERPT * 8]))
    return " ".join(plain.split())[:EXCERPT]


def counted(number: int, name: str) -> str:
    """A number with its noun: `1 heading`, `2 headings`."""
    return f"{number} {name}" if number == 1 else f"{number} {name}s"


def source_excerpt(text: str, most: int = 3_000) -> str:
    """A site's lines without anything that moves a cursor or hides; line breaks and indents stay."""
    lines = ANSI.sub("", text[: most * 2]).splitlines()
    return "\n".join(UNSEEN.sub(" ", line.replace("\t", "    ")).rstrip() for line in lines)[:most]
