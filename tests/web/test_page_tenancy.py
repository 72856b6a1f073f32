"""Every page and form that names a thing: of another company it does not exist, and a viewer changes nothing."""

import re
from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import select

from measurement.alerts.issues import IssueObservation, record
from storage.database import Database
from storage.ids import new_id
from storage.repositories.notifications import NotificationDraft
from storage.repositories.repository_items import ItemDraft
from storage.repositories.suggestions import SuggestionDraft
from storage.repositories.webhooks import Webhook
from storage.tables import metadata
from tests.web.conftest import Meet, Person, Running, open_account
from tests.web.test_roles import colleague
from tests.web.test_shared_reports import shared_link
from web.endpoints import OWN_FORMS
from web.routes import FOR_PEOPLE

UNKNOWN = "01999999-9999-7999-8999-999999999999"
NOW = datetime.now(UTC)
TABLES = {
    "brand_id": "brands",
    "run_id": "workflow_runs",
    "item_id": "repository_items",
    "prompt_id": "prompts",
    "action_id": "issues",
    "answer_id": "answers",
    "suggestion_id": "competitor_suggestions",
    "agent_id": "agent_instances",
    "set_id": "prompt_sets",
    "notification_id": "company_notifications",
    "issue_id": "issues",
    "key_id": "api_keys",
    "report_id": "shared_reports",
    "webhook_id": "webhooks",
    "user_id": "users",
    "invitation_id": "invitations",
    "annotation_id": "annotations",
    "rule_id": "alert_rules",
}
"""Where the things stand that an address can name."""
NAMED_BY_US = {"platform": "chatgpt", "supplier": "dataforseo"}
"""What the program itself names, with a name of each."""
ELSEWHERE = {"app_id", "scan_id"}
"""Connected apps: tests/web/test_roles.py and tests/oauth; scans: tests/readiness/scans."""
NAMED = re.compile(r"\{(\w+)\}")
FIELDS = {
    "/brands/{brand_id}/report": {"days": "7"},
    "/settings/people/{user_id}/role": {"role": "owner"},
}
"""What has to be typed before the thing is looked for."""
LED_BACK = {"/notifications/{notification_id}/read": 303}
"""Forms that show their list again, whether the thing is somebody else's or nobody's."""
FORMS = [path for method, path, _ in FOR_PEOPLE if method == "POST"]


async def things_of(owner: Person, database: Database) -> dict[str, str]:
    """Make one of each thing that an address can name, and return their identifiers."""
    company = await database.operators.companies.find(owner.company)
    assert company is not None
    async with database.transaction(company.id) as writing:
        brand = await writing.brands.find(owner.brand)
        assert brand is not None
        wrong = IssueObservation("bot_access", "bots.search", "search", "Search bots are kept out")
        await record(writing, brand, [wrong], NOW)
        await writing.repository_items.save(
            brand.key, [ItemDraft("Seats", "Seven.", "draft", key="seats")], NOW
        )
        await writing.suggestions.add(
            brand.key, SuggestionDraft("Fabrikam", "fabrikam", 3, 3, 3, ["chatgpt"], [], "lists"), NOW
        )
        for name in await writing.suggestions.of_brand(brand.key):
            await writing.suggestions.decide(
                name, "dismissed", NOW
            )  # what nobody decided is forgotten when not found
        await writing.notifications.add(NotificationDraft("ai_mention", "info", "T", "M", "told"), NOW)
        owning = await database.operators.users.by_email(owner.email)
        assert owning is not None
        await writing.annotations.add(brand.key, NOW.date(), "Launch", created_by=owning.id, now=NOW)
        await writing.alert_rules.add(
            brand.key, "visibilityScore", "below", 1, email=False, created_by=owning.id, now=NOW
        )
        await writing.webhooks.add(
            Webhook(new_id(), "hooks.example", "abcd", "sealed", "standard", ["ai_mention"],
                    "active", None, None, None, NOW)
        )  # fmt: skip
    await shared_link(owner)
    await owner.submit("/settings/people", {"email": f"friend.of.{owner.email}", "role": "member"})
    key = {"Authorization": f"Bearer {await owner.make_key()}"}
    for tool, arguments in (
        ("create_prompt_set", {"name": "Tenancy", "prompts": [{"text": "Which one is best?"}]}),
        ("create_reusable_agent", {"name": "Tenancy", "kind": "repository_auditor"}),
        ("run_workflow", {"workflowId": "ai_shop_checkup", "configuration": {"brandId": owner.brand}}),
    ):
        made = await owner.http.post(f"/api/mcp-app/rest/{tool}", json=arguments, headers=key)
        assert made.status_code == 200, made.text
    form = {"id": "tenancy-check", "name": "Tenancy", "add": "site_profiler", "do": "save"}
    made = await owner.submit("/automation/workflows/new", form, "/automation/workflows")
    assert made.status_code == 303, made.text
    things = {"brand_id": owner.brand, "workflow_id": form["id"]}
    async with database.writing() as connection:
        for name, table in TABLES.items():
            columns = metadata.tables[table].c
            found = select(columns.id).where(columns.company_id == company.id).order_by(columns.id).limit(1)
            things.setdefault(name, str(await connection.scalar(found)))
    assert "None" not in things.values(), things
    return things


async def rows_of(owner: Person, database: Database) -> list[object]:
    """Everything that a stranger's form could have changed; runs and suggestions go on by themselves."""
    company = await database.operators.companies.find(owner.company)
    assert company is not None
    rows: list[object] = []
    async with database.writing() as connection:
        for table in sorted(
            {"custom_workflows", *TABLES.values()} - {"workflow_runs", "competitor_suggestions"}
        ):
            columns = [one for one in metadata.tables[table].c if not one.name.startswith("last_used")]
            mine = metadata.tables[table].c.company_id == company.id
            rows += (await connection.execute(select(*columns).where(mine).order_by(*columns[:1]))).all()
    return rows


def address(path: str, things: dict[str, str]) -> str:
    """The address of a page with identifiers; what the program itself names is named rightly."""
    return NAMED.sub(lambda name: {**things, **NAMED_BY_US}[name[1]], path)


def same_words(text: str, things: dict[str, str]) -> str:
    """A page without the identifiers that were asked for and the tokens of its forms."""
    for known in things.values():
        text = text.replace(known, UNKNOWN)
    return re.sub(r'name="token" value="[^"]+"', "", text)


async def test_nothing_of_another_company_exists(
    measured: Person,
    meet: Meet,
    database: Database,
    password_hash: str,
    service: Running,
    token_for: Callable[[Person, str], str],
) -> None:
    things, stranger = await things_of(measured, database), meet()
    await open_account(stranger, service.settings, password_hash)
    unknown, before = dict.fromkeys(things, UNKNOWN), await rows_of(measured, database)
    named: set[str] = set()
    for method, path, _ in FOR_PEOPLE:
        names = set(NAMED.findall(path)) - NAMED_BY_US.keys()
        named |= names
        if not names or names & ELSEWHERE:
            continue
        answers: list[tuple[int, str]] = []
        for ids in (things, unknown):
            asked = address(path, ids)
            if method == "GET":
                answer = await stranger.http.get(asked)
            else:
                sent = {"token": token_for(stranger, asked), **FIELDS.get(path, {})}
                answer = await stranger.http.post(asked, data=sent)
            answers.append((answer.status_code, same_words(answer.text, things)))
        assert answers[0] == answers[1], path
        assert answers[0][0] in (403, 404) or answers[0][0] == LED_BACK.get(path), (path, answers[0])
        if method == "GET":  # what was tried is there
            assert (await measured.http.get(address(path, things))).status_code < 400, path
    assert named == {"workflow_id", *TABLES} | ELSEWHERE
    after = await rows_of(measured, database)
    assert [row for row in before if row not in after] == []


async def test_a_viewer_sends_none_of_the_forms_that_change_something(
    measured: Person, meet: Meet, database: Database, token_for: Callable[[Person, str], str]
) -> None:
    things, viewer = await things_of(measured, database), await colleague(measured, meet, "viewer")
    refused = 0
    for path in FORMS:
        if path in OWN_FORMS:
            continue
        asked = address(path, {**things, **dict.fromkeys(ELSEWHERE, UNKNOWN)})
        answer = await viewer.http.post(asked, data={"token": token_for(viewer, asked)})
        assert answer.status_code == 403, path
        refused += 1
    assert refused > 40
