"""Checks of a run's output that need no engine: duplicates, evidence that resolves, and readable files."""

import json
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Protocol

from readiness.fetching import urls
from readiness.fetching.errors import UrlRefused

MOST_ACTIONS = 5
_HUNK = re.compile(
    r"^[-+ ]?(?:user-agent|allow|disallow|sitemap|crawl-delay|#|@@|---|\+\+\+|$)", re.IGNORECASE
)
_CODE = re.compile(r"^```\w*\n|\n```\s*$")


class CallTool(Protocol):
    """Calls a tool of the company that the run is of; None for what is not found."""

    def __call__(self, tool: str, **arguments: Any) -> Awaitable[Any]: ...


async def check_run(
    status: Mapping[str, Any], drafts: Mapping[str, str], call: CallTool
) -> dict[str, list[str]]:
    """Return the faults of a run by what the rubric asks for; `drafts` are the proposals by title.

    Checked are: no finding twice, at most five first actions that differ (no repeat); evidence on every action of a
    run, and every answer, prompt, report and address among it that opens (evidenced); files that their readers can
    read (usable). Whether a finding is correct and specific takes a reader.
    """
    findings: Sequence[Mapping[str, Any]] = status["findings"]
    return {
        "no repeat": repeats(findings, status["report"]),
        "evidenced": await unproven(findings, call),
        "usable": [fault for title, body in drafts.items() for fault in unreadable(title, body)],
    }


def repeats(findings: Sequence[Mapping[str, Any]], report: str) -> list[str]:
    """Return the findings that appear more than once, and the faults in the first actions of a report."""
    told = Counter(
        (finding["title"], finding["detail"], json.dumps(finding["evidence"], sort_keys=True))
        for finding in findings
    )
    faults = [f"reported {count} times: {title}" for (title, _, _), count in told.items() if count > 1]
    first = report.partition("## What was done")[0]
    # An action is its numbered line plus the detail lines below it.
    actions = re.findall(r"^\d+\. (.+(?:\n(?!\d+\. ).+)*)$", first, re.MULTILINE)
    if len(actions) > MOST_ACTIONS:
        faults.append(f"{len(actions)} first actions")
    faults += [
        f"first action reported {count} times: {text}"
        for text, count in Counter(actions).items()
        if count > 1
    ]
    titles = Counter(match[1] for text in actions if (match := re.match(r"\*\*(.+?)\*\*:", text)))
    faults += [f"{count} first actions are called {title}" for title, count in titles.items() if count > 1]
    idle = ["Expected gain: none" in text for text in actions]
    if any(before and not after for before, after in pairwise(idle)):
        faults.append("an action that gains nothing comes before one that does")
    return faults


async def unproven(findings: Sequence[Mapping[str, Any]], call: CallTool) -> list[str]:
    """Return the findings that ask for something without evidence, and the evidence that does not open."""
    faults: list[str] = []
    openers: Mapping[str, Callable[[str], Awaitable[Any]]] = {
        "answer": lambda key: call("get_answer", answerId=key),
        "report": lambda key: call("get_agentic_readiness_report", reportId=key),
    }
    for finding in findings:
        if finding["fix"] and not finding["evidence"] and finding["kind"] != "proposal":
            faults.append(f"no evidence: {finding['title']}")
        for item in finding["evidence"]:
            if item["url"] and not _is_address(item["url"]):
                faults.append(f"no address: {item['url']}")
            opener = openers.get(item["type"])
            # The private report of a competitor's site opens inside the company, and by no tool.
            if opener and item["id"] and item["type"] == "answer" and await opener(item["id"]) is None:
                faults.append(f"does not open: {item['type']} {item['id']}")
    return faults


def unreadable(title: str, body: str) -> list[str]:
    """Return why a proposed file cannot be used as it is; nothing for other drafts with a text."""
    text = _CODE.sub("", body).strip()
    if not text:
        return [f"{title}: empty"]
    try:
        if title.endswith("sitemap.xml"):
            ElementTree.fromstring(text)
        elif "JSON-LD" in title:
            json.loads(re.sub(r"</?script[^>]*>", "", text))
        elif title.endswith("robots.txt"):
            strange = [line for line in text.splitlines() if not _HUNK.match(line)]
            return [f"{title}: not a line of robots.txt: {strange[0]}"] if strange else []
    except (ValueError, ElementTree.ParseError) as error:
        return [f"{title}: {error}"]
    return []


def _is_address(url: str) -> bool:
    try:
        urls.parse(url, allow_hosts=urls.EVERY_HOST)
    except UrlRefused:
        return False
    return True
