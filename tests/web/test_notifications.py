"""Notifications are read and issues dismissed in the pages, by the people of their company alone."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from measurement.alerts.issues import IssueObservation, record
from storage.database import Database
from storage.documents import StoredEvidence
from storage.repositories.brands import BrandDraft
from storage.repositories.notifications import NotificationDraft, shortened
from tests.web.conftest import Meet, Person
from tests.web.test_roles import colleague
from web.notifications.notifications_page import fold

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PROFILE: dict[str, Any] = {
    "industry": None,
    "website": None,
    "voice": None,
    "keywords": [],
    "target_audience": None,
}
TITLE = "A key page answers <b>404</b>"


async def open_issue(database: Database, company: str, subject: str = "acme.example/stock") -> str:
    """Let a company's brand have an issue, which a notification tells of."""
    found = await database.operators.companies.find(company)
    assert found is not None
    async with database.transaction(found.id) as workspace:
        brand = await workspace.brands.find("Acme") or await workspace.brands.save(
            BrandDraft("Acme"), [], PROFILE, NOON
        )
        evidence = [
            StoredEvidence(
                type="page", url="https://acme.example/stock", excerpt="<script>alert(1)</script>"
            ),
            StoredEvidence(type="answer", id="1", excerpt="Acme \u202esells no cars."),
            StoredEvidence(type="profile", id="profile", excerpt="Acme sells cars."),
        ]
        seen = IssueObservation("crawler_error", "c", subject, TITLE, "critical", None, evidence)
        return (await record(workspace, brand, [seen], NOON))["c", subject]


async def unread(database: Database, company: str) -> int:
    found = await database.operators.companies.find(company)
    assert found is not None
    return await database.workspace(found.id).notifications.unread()


@pytest.mark.requirement("EVT-01")
async def test_a_person_reads_one_notification_and_then_all(ada: Person, database: Database) -> None:
    for subject in ("a", "b", "c"):
        await open_issue(database, ada.company, subject)
    page = await ada.http.get("/notifications")
    assert "3 unread" in page.text
    assert TITLE not in page.text, "what is told is text, never markup"
    action = page.text.split('action="/notifications/')[2].split('"')[0]
    await ada.submit("/notifications", {}, f"/notifications/{action}")
    assert await unread(database, ada.company) == 2
    response = await ada.submit("/notifications", {}, "/notifications/read")
    assert response.headers["location"] == "/notifications"
    assert await unread(database, ada.company) == 0
    assert "Mark all as read" not in await ada.text("/notifications")


async def test_an_issue_says_whose_words_contradict_whose(ada: Person, database: Database) -> None:
    await open_issue(database, ada.company)
    joined = " ".join((await ada.text("/issues")).split())
    assert "An engine answered: Acme sells no cars. Your profile says: Acme sells cars." in joined


async def test_a_dismissed_issue_leaves_the_page(ada: Person, database: Database) -> None:
    issue = await open_issue(database, ada.company)
    page = await ada.http.get("/issues")
    assert ("1 open" in page.text, "<script>alert" in page.text) == (True, False)
    response = await ada.submit("/issues", {}, f"/issues/{issue}/dismiss")
    assert response.headers["location"] == "/issues"
    assert "No open issue" in await ada.text("/issues")


async def test_nobody_reads_or_dismisses_for_another_company_or_without_a_form(
    ada: Person, meet: Meet, database: Database
) -> None:
    issue = await open_issue(database, ada.company)
    eve = meet()
    await eve.sign_up()
    await open_issue(database, eve.company)
    token = await eve.token("/issues", await first_action(eve, "/issues"))
    for person, sent in ((ada, "forged"), (eve, token)):
        response = await person.http.post(f"/issues/{issue}/dismiss", data={"token": sent})
        assert response.status_code == 403
    await eve.submit("/notifications", {}, "/notifications/read")
    assert await unread(database, ada.company) == 1
    assert "1 open" in await ada.text("/issues")


async def first_action(person: Person, page: str) -> str:
    html = (await person.http.get(page)).text
    return next(part.split('"')[0] for part in html.split('action="')[1:] if "dismiss" in part.split('"')[0])


def test_notifications_that_differ_in_what_they_quote_are_folded() -> None:
    def told(title: str, **fields: object) -> dict[str, object]:
        at = "2026-11-02T08:00:00Z"
        return {
            "kind": "content_gap",
            "brandId": "1",
            "createdAt": at,
            "read": False,
            "title": title,
            **fields,
        }

    alike = [told(f"Likely gap: nothing covers “{question}”") for question in ("A?", "B?", "C?")]
    other = told("Likely gap: nothing covers “D?”", brandId="2")
    folded = fold([*alike, other])
    assert [(group.newest["title"], len(group.others)) for group in folded] == [
        ("Likely gap: nothing covers “A?”", 2),
        ("Likely gap: nothing covers “D?”", 0),
    ]


async def test_what_is_folded_is_read_at_once_and_each_keeps_its_link(
    ada: Person, database: Database
) -> None:
    company = await database.operators.companies.find(ada.company)
    assert company is not None
    for day in range(3):
        async with database.transaction(company.id) as writing:
            draft = NotificationDraft(
                "ai_mention", "info", "chatgpt names Acme", "one/visibility leads; chatgpt too.", f"told:{day}",
                path=f"/answers?day={day}",
            )  # fmt: skip
            await writing.notifications.add(draft, NOON + timedelta(days=day))
    page = (await ada.http.get("/notifications")).text
    assert "and 2 more like it" in page
    assert all(f'href="/answers?day={day}"' in page for day in range(3))
    assert "ChatGPT too." in page
    action = page.split('action="/notifications/')[2].split('"')[0]
    others = re.findall(r'name="others" value="([^"]+)"', page)[0]
    await ada.submit("/notifications", {"others": others}, f"/notifications/{action}")
    assert await unread(database, ada.company) == 0


async def test_each_person_chooses_what_reaches_them_by_e_mail(
    ada: Person, meet: Meet, database: Database
) -> None:
    viewer = await colleague(ada, meet, "viewer")
    page = "/settings/notifications"
    assert "checked" not in (await ada.http.get(page)).text
    assert (
        await ada.submit(page, {"ai_mention-email": "1", "weekly_report-email": "1", "x-email": "1"})
    ).status_code == 303
    assert (await viewer.submit(page, {"system_alert-email": "1"})).status_code == 303
    company = await database.operators.companies.find(ada.company)
    assert company is not None
    choices = database.workspace(company.id).notification_choices
    people = {
        colleague.email: colleague.id for colleague in await database.workspace(company.id).colleagues.all()
    }
    own = [choice.kind for choice in await choices.of_user(people[ada.email])]
    assert own == ["ai_mention", "weekly_report"]
    assert [choice.kind for choice in await choices.of_user(people[viewer.email])] == ["system_alert"]
    assert (await ada.http.get(page)).text.count("checked") == 2
    assert "This server sends no e-mail" in await ada.text(page)
    await ada.submit(page, {})
    assert await choices.of_user(people[ada.email]) == []


def test_a_label_that_titles_of_two_kinds_share_is_said_once() -> None:
    gaps = [
        "Likely gap: engines name competitors and not the brand for “A?”",
        "Likely gap: nothing that is published covers “A?”",
    ]
    assert shortened(gaps) == [gaps[0], "nothing that is published covers “A?”"]
    assert shortened(["Sitemap: fails", "robots.txt: fails"]) == ["Sitemap: fails", "robots.txt: fails"]
