"""Answers are held against the repository when they are stored; what contradicts it becomes an issue."""

import asyncio
from collections.abc import Callable

import pytest

from storage.database import Database
from storage.repositories.issues import Issue
from tests.measurement.conftest import Acme, CallTool, Peer, Reply

CARD = {"title": "Contact", "category": "faq", "body": "Phone: +1 555 010 0199\nFounded: 1974"}


async def issues_of(url: str) -> list[Issue]:
    database = await Database.open(url)
    company = (await database.operators.companies.all())[0]
    workspace = database.workspace(company.id)
    open_issues = await workspace.issues.open_of((await workspace.brands.all())[0].key)
    await database.close()
    return open_issues


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
def test_a_contradiction_is_an_issue_until_two_clean_checks(
    acme: Acme, peer: Peer, saying: Callable[..., Reply], call: CallTool, url: str
) -> None:
    assert acme.save(repositoryItems=[CARD]).code == 0
    peer.script = lambda asked: saying("Acme was founded in 1980. Call Acme at (555) 010-0199.")
    acme.measured("--query", "Who is Acme?", "--platform", "one", "--repeats", "1")
    (session,) = call("list_simulations", brandId="Acme")["simulations"]
    assert (session["accuracyScore"], session["customQuery"]) == (50, "Who is Acme?")
    (issue,) = asyncio.run(issues_of(url))
    assert (issue.kind, issue.severity, issue.subject) == ("accuracy", "warning", "one/visibility")
    assert [(evidence.type, evidence.excerpt) for evidence in issue.evidence] == [
        ("answer", "Acme was founded in 1980."),
        ("repository_item", "Founded: 1974"),
    ]
    notifications = [
        notification
        for notification in call("list_notifications")["notifications"]
        if notification["title"] == issue.title
    ]
    assert [notification["kind"] for notification in notifications] == ["ai_mention"]

    peer.script = lambda asked: saying("Nobody can say when Acme began.")
    acme.measured("--query", "Who is Acme?", "--platform", "one", "--repeats", "2")
    assert len(asyncio.run(issues_of(url))) == 1
    peer.script = lambda asked: saying("Acme was founded in 1974.")
    for repeats in ("3", "4"):
        acme.measured("--query", "Who is Acme?", "--platform", "one", "--repeats", repeats)
    assert asyncio.run(issues_of(url)) == []
    scores = [
        simulation["accuracyScore"] for simulation in call("list_simulations", brandId="Acme")["simulations"]
    ]
    assert scores == [100, 100, None, 50]
