"""Reports by e-mail: of the week and of the month that ended, once each, with verdicts and never an invented number."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from measurement.imports.captured_answers import Importer
from measurement.planning.brand_files import parse_brands, save_brands
from measurement.publication.publish import Publisher
from oauth.sealing import Seal
from storage.database import Database
from storage.repositories.brands import Brand
from tests.mail_server import BASE_URL, MailServer
from tests.web.conftest import captured
from tests.webhook_receiver import open_receiver
from tests.workflows.mail.test_mail_delivery import BOTH, body, choose, make_company
from workflows.mail.scheduled_reports import ScheduledReports, month_due, week_due
from workflows.webhooks.service import WebhookService

SEVEN = datetime(2026, 4, 1, 7, tzinfo=UTC)
"""When the report of March 2026 is due."""


@pytest.fixture
async def database(url: str):
    opened = await Database.open(url)
    yield opened
    await opened.close()


async def measured_brand(
    database: Database, company: str, folder: Path, days: Sequence[tuple[datetime, int]]
) -> Brand:
    """Store a brand that answers of some days name in so many questions of eight."""
    text = json.dumps([{"name": "Acme", "competitors": [{"name": "Rival"}]}]).encode()
    [brand] = await save_brands(database, company, parse_brands(text, "b.json"), "b.json", days[0][0])
    for day, named in days:
        importer = Importer(database, Publisher(database, ["chatgpt"], lambda at=day: at), lambda at=day: at)
        path = folder / f"{day.date()}.jsonl"
        path.write_text("\n".join(json.dumps(line) for line in captured(day, named)), encoding="utf-8")
        await importer.import_file(company, brand, path)
    return brand


@BOTH
async def test_the_monthly_report_shows_changes_and_its_address(
    database: Database, mail_server: MailServer, tmp_path: Path
) -> None:
    company, owner = await make_company(database)
    days = [
        (datetime(2026, 2, 10, 12, tzinfo=UTC), 1),
        (datetime(2026, 2, 20, 12, tzinfo=UTC), 1),
        (datetime(2026, 3, 10, 12, tzinfo=UTC), 7),
        (datetime(2026, 3, 20, 12, tzinfo=UTC), 7),
    ]
    brand = await measured_brand(database, company, tmp_path, days)
    await choose(database, company, owner, "monthly_report")
    reports = ScheduledReports(database)
    early = [await reports.start_due(SEVEN - timedelta(minutes=1)), await reports.start_due(SEVEN)]
    assert early == [1, 1], "before seven o'clock that of February is due, and comes once"
    assert await reports.start_due(SEVEN + timedelta(days=20)) == 0
    await mail_server.delivery(database, lambda: SEVEN).send_due()
    [march] = [message for message in mail_server.messages if "March 2026" in message["Subject"]]
    assert march["Subject"] == "Monthly report: Zentrix, March 2026"
    text = " ".join(body(march, "plain").split())
    assert "March 2026, 32 answers: rose by" in text
    assert f"{BASE_URL}/brands/{brand.id}/report?from=2026-03-01&to=2026-03-31" in text
    [february] = [message for message in mail_server.messages if "February 2026" in message["Subject"]]
    assert "February 2026, 32 answers: not comparable" in " ".join(body(february, "plain").split())


async def test_a_week_without_a_measurement_is_not_zero(
    database: Database, mail_server: MailServer, tmp_path: Path
) -> None:
    company, owner = await make_company(database)
    await measured_brand(database, company, tmp_path, [(datetime(2026, 2, 10, 12, tzinfo=UTC), 4)])
    await choose(database, company, owner, "weekly_report", "monthly_report")
    assert await ScheduledReports(database).start_due(SEVEN) == 2
    await mail_server.delivery(database, lambda: SEVEN).send_due()
    [weekly] = [message for message in mail_server.messages if message["Subject"].startswith("Weekly")]
    text = " ".join(body(weekly, "plain").split())
    assert "2026-03-23 to 2026-03-29: nothing was measured, which is not zero." in text
    assert "rose" not in text


@BOTH
@pytest.mark.parametrize("form", ["standard", "text", "teams"])
async def test_a_webhook_receives_each_report_once_in_its_form(
    database: Database, tmp_path: Path, form: str
) -> None:
    company, _ = await make_company(database, "Zentrix <!here>")
    await make_company(database, "Acme")
    brand = await measured_brand(database, company, tmp_path, [(datetime(2026, 3, 10, 12, tzinfo=UTC), 4)])
    with open_receiver() as receiver:
        hosts = frozenset((receiver.host,))
        service = WebhookService(database, Seal(b"s" * 32), BASE_URL, lambda: SEVEN, hosts)
        await service.add(company, receiver.url, ["monthly_report"], form)
        await service.add(company, receiver.url, ["bot_access"], form)
        reports = ScheduledReports(database, mailed=False)
        assert [await reports.start_due(SEVEN), await reports.start_due(SEVEN + timedelta(days=20))] == [1, 0]
        assert await service.delivery.send_due() == 1
        [request] = receiver.requests
    document = json.loads(request.body)
    if form == "standard":
        assert document["type"] == "report.created"
        assert document["data"]["report"]["brands"][0]["id"] == brand.id
        return
    if form == "teams":
        [attachment] = document["attachments"]
        title, message = (block["text"] for block in attachment["content"]["body"])
        assert attachment["content"]["actions"][0]["url"] == f"{BASE_URL}/"
    else:
        title, message = document["text"].split("\n", 1)
        assert "<!here>" not in title
    assert title.startswith("Monthly report: Zentrix")
    assert "March 2026, 16 answers" in message
    assert f"/brands/{brand.id}/report?from=2026-03-01" in message


@pytest.mark.parametrize(
    ("now", "month", "before"),
    [
        (datetime(2026, 3, 1, 6, 59, tzinfo=UTC), "2026-01", datetime(2025, 12, 1, tzinfo=UTC)),
        (datetime(2026, 3, 1, 7, tzinfo=UTC), "2026-02", datetime(2026, 1, 1, tzinfo=UTC)),
        (datetime(2026, 1, 1, 7, tzinfo=UTC), "2025-12", datetime(2025, 11, 1, tzinfo=UTC)),
    ],
)
def test_a_month_is_the_calendars(now: datetime, month: str, before: datetime) -> None:
    period = month_due(now)
    assert (period.key, period.before) == (month, before)
    assert period.since.day == period.until.day == 1


def test_a_week_ends_with_its_sunday() -> None:
    period = week_due(datetime(2026, 1, 1, 12, tzinfo=UTC))
    assert (period.key, period.words) == ("2026-W01", "2025-12-22 to 2025-12-28")
