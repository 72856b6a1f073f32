"""An operator tells faults apart by log and metrics alone: each is injected, and its line and its metric are found."""

import json
import logging
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import StringIO

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from measurement.planning.ask_plan import ProbeRequest, make_plan
from measurement.planning.clock import utc_now
from oauth.principal import Caller, Principal, Scope
from readiness.scans.scanner import ScanRequest, ScanWithoutReport
from server.logs import configure_logging
from server.service import Service, open_service
from server.settings import Settings
from server.telemetry.event_metrics import EventMetrics
from server.telemetry.vitals import Limits, Vitals
from storage.repositories.mails import MailDraft
from storage.repositories.notifications import NotificationDraft
from tests.mail_server import open_mail_server
from tests.measurement.conftest import Acme, Peer, Reply
from tests.webhook_receiver import open_receiver
from tests.workflows.fault_proxy import FaultProxy
from tools.calls.dispatch import Success
from workflows.pricing import Pricing
from workflows.runs import RunService

REDIS = 6379


@dataclass
class Operator:
    """Sees what an operator sees: lines of JSON and the metrics."""

    service: Service
    company_id: str
    registry: CollectorRegistry
    stream: StringIO

    def line(self, event: str, **fields: object) -> dict[str, object]:
        """Return the only kind of line that tells of a fault, by its event and fields."""
        lines = [json.loads(line) for line in self.stream.getvalue().splitlines()]
        told = [line for line in lines if line["event"] == event and fields.items() <= line.items()]
        assert told, lines
        return told[0]

    def metric(self, sample: str) -> float:
        """Return the value of a metric with its labels."""
        text = generate_latest(self.registry).decode()
        values = [line.rpartition(" ")[2] for line in text.splitlines() if line.startswith(f"{sample} ")]
        assert len(values) == 1, text
        return float(values[0])

    def vitals(self, limits: Limits | None = None, now: datetime | None = None) -> Vitals:
        service = self.service
        return Vitals(
            service.database,
            service.settings.data_dir,
            self.registry,
            (lambda: now) if now else utc_now,
            service.redis,
            limits,
        )

    async def probe(self) -> None:
        workspace = self.service.database.workspace(self.company_id)
        brand = await workspace.brands.find("Acme")
        assert brand is not None
        plan = await make_plan(
            self.service.database,
            self.company_id,
            ProbeRequest("Acme"),
            self.service.engines,
            self.service.engine_keys,
            utc_now(),
        )
        await self.service.prober().probe(self.company_id, plan)


@pytest.fixture
def variables() -> dict[str, str]:
    """Further settings of the service, by test."""
    return {}


@pytest.fixture
async def redis_proxy() -> AsyncGenerator[FaultProxy]:
    proxy = FaultProxy(REDIS)
    await proxy.start()
    yield proxy
    await proxy.stop()


@pytest.fixture
async def operator(acme: Acme, redis_proxy: FaultProxy) -> AsyncGenerator[Operator]:
    """The service in this process, over the brand Acme, with JSON lines and counted events."""
    stream, registry = StringIO(), CollectorRegistry()
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    configure_logging("json", stream=stream)
    counted = EventMetrics(registry)
    counted.attach()
    environ = {
        **acme.seenby.environment,
        "SEENBY_REDIS_URL": f"redis://127.0.0.1:{redis_proxy.port}/9",
        "SEENBY_ALLOW_PRIVATE_SITES": "on",
    }
    try:
        async with open_service(Settings.from_environ(environ)) as service:
            (company,) = await service.database.operators.companies.all()
            yield Operator(service, company.id, registry, stream)
    finally:
        logging.getLogger("seenby.events").removeHandler(counted)
        logging.captureWarnings(False)
        root.handlers[:], root.level = handlers, level


async def test_an_engine_that_is_down_is_seen(operator: Operator, peer: Peer) -> None:
    peer.script = lambda asked: Reply(b"", 503)
    await operator.probe()
    line = operator.line("engine_call", platform="one", outcome="provider_unavailable")
    assert {"batch_id", "ask_id", "company_id", "duration_ms"} <= line.keys()
    assert operator.metric('seenby_engine_calls_total{outcome="provider_unavailable",platform="one"}') == 12


async def test_a_key_that_was_revoked_is_seen(operator: Operator, peer: Peer) -> None:
    peer.script = lambda asked: Reply(b"{}", 401)
    await operator.probe()
    operator.line("engine_call", platform="one", outcome="provider_auth", level="warning")
    assert operator.metric('seenby_engine_calls_total{outcome="provider_auth",platform="one"}') >= 1


async def test_a_database_that_is_slow_is_seen_until_it_is_not(operator: Operator) -> None:
    await operator.vitals(Limits(database_seconds=0.0)).look()
    line = operator.line("condition", condition="database_slow", state="began")
    assert isinstance(line["seconds"], float)
    assert operator.metric('seenby_condition{condition="database_slow"}') == 1


async def test_redis_that_is_away_is_seen_and_its_return_too(
    operator: Operator, redis_proxy: FaultProxy
) -> None:
    vitals = operator.vitals()
    redis_proxy.refusing = True
    redis_proxy.cut()
    await vitals.look()
    operator.line("condition", condition="redis_unavailable", state="began")
    assert operator.metric('seenby_condition{condition="redis_unavailable"}') == 1
    redis_proxy.heal()
    await vitals.look()
    operator.line("condition", condition="redis_unavailable", state="ended")
    assert operator.metric('seenby_condition{condition="redis_unavailable"}') == 0


async def test_a_disk_that_is_nearly_full_is_seen(operator: Operator) -> None:
    await operator.vitals(Limits(disk_free_share=1.1)).look()
    line = operator.line("condition", condition="disk_nearly_full")
    assert line["free_bytes"] == operator.metric("seenby_disk_free_bytes")
    assert operator.metric('seenby_condition{condition="disk_nearly_full"}') == 1


async def test_a_queue_that_is_stuck_is_seen(operator: Operator) -> None:
    service, company_id = operator.service, operator.company_id
    await service.run_engine.open()
    async with service.database.transaction(company_id) as writing:
        runs = RunService(service.run_engine, Pricing(service.engine_keys))
        await runs.start(writing, "content_refresh", "Acme", now=utc_now())
    await operator.vitals(now=utc_now() + timedelta(hours=1)).look()
    line = operator.line("condition", condition="queue_stuck")
    assert line["workers"] == 0
    assert operator.metric("seenby_queue_oldest_seconds") >= 3600
    assert operator.metric('seenby_runs{status="pending"}') == 1


async def test_a_schedule_that_is_late_is_seen(operator: Operator) -> None:
    caller = Caller(Principal(operator.company_id, "test", frozenset({Scope.WRITE})), "127.0.0.1")
    prompts = {
        "brandId": "Acme",
        "name": "Daily",
        "prompts": [{"text": "Which shoes?"}],
        "schedule": "0 6 * * *",
    }
    made = await operator.service.dispatcher.call("create_prompt_set", prompts, caller)
    assert isinstance(made, Success), made
    await operator.vitals(now=utc_now() + timedelta(days=2)).look()
    operator.line("condition", condition="schedule_late", overdue=1)
    assert operator.metric("seenby_schedules_overdue") == 1


async def test_a_scan_that_is_blocked_is_seen(operator: Operator) -> None:
    closed = open_mail_server()
    with closed as server:
        port = server.port
    with pytest.raises(ScanWithoutReport):
        await operator.service.scanner.scan(operator.company_id, ScanRequest(f"http://127.0.0.1:{port}/"))
    line = operator.line("scan", host="127.0.0.1")
    assert line["outcome"] not in ("complete", None)
    assert operator.metric(f'seenby_scans_total{{outcome="{line["outcome"]}"}}') == 1


async def test_a_webhook_that_fails_is_seen(operator: Operator) -> None:
    service, company_id = operator.service, operator.company_id
    with open_receiver() as receiver:
        receiver.status = 500
        await service.webhooks.add(company_id, receiver.url, ["system_alert"], "standard")
        async with service.database.transaction(company_id) as writing:
            draft = NotificationDraft("system_alert", "info", "Title", "Message.", "told:1")
            await writing.notifications.add(draft, utc_now())
        await service.webhooks.delivery.send_due()
        line = operator.line("webhook", state="postponed", outcome="receiver_refused", reply=500)
        assert (line["level"], line["host"], line["company_id"]) == ("warning", receiver.host, company_id)
        assert "secret-path" not in json.dumps(line)
        sample = 'seenby_webhooks_total{outcome="receiver_refused",state="postponed"}'
        assert operator.metric(sample) == 1
        await operator.vitals(now=utc_now() + timedelta(hours=1)).look()
        operator.line("condition", condition="webhooks_stuck", state="began", waiting=1)
        assert operator.metric("seenby_webhooks_waiting") == 1
        assert operator.metric("seenby_webhooks_overdue_seconds") > 3000
        receiver.status = 410
        (webhook,) = await service.webhooks.all(company_id)
        assert (await service.webhooks.test(company_id, webhook.id)) is not None
    operator.line("webhook", state="given_up", outcome="gone", webhook_kind="test")


async def test_a_webhook_that_is_switched_off_is_seen(operator: Operator) -> None:
    service, company_id = operator.service, operator.company_id
    with open_receiver() as receiver:
        receiver.status = 410
        await service.webhooks.add(company_id, receiver.url, ["system_alert"], "standard")
        async with service.database.transaction(company_id) as writing:
            draft = NotificationDraft("system_alert", "info", "Title", "Message.", "told:1")
            await writing.notifications.add(draft, utc_now())
        await service.webhooks.delivery.send_due()
    operator.line("webhook_disabled", level="warning", outcome="gone", host=receiver.host)
    assert operator.metric('seenby_webhooks_disabled_total{outcome="gone"}') == 1


async def test_a_restored_copy_that_waits_is_seen(operator: Operator) -> None:
    async with operator.service.database.operation() as operators:
        await operators.work_pauses.begin("restored", utc_now())
    await operator.vitals().look()
    operator.line("condition", condition="work_paused", state="began", reason="restored")
    assert operator.metric('seenby_condition{condition="work_paused"}') == 1


async def test_mail_that_is_refused_is_seen(operator: Operator) -> None:
    from workflows.mail.delivery import MailDelivery

    content = {"company": "Acme", "invitedBy": "Ada", "role": "member"}
    async with operator.service.database.transaction(operator.company_id) as writing:
        await writing.mails.queue([MailDraft("invitation", "a@a.test", content, "invitation:1")], utc_now())
    with open_mail_server() as server:
        server.rcpt = "550 no"
        delivery = MailDelivery(
            operator.service.database, server.settings, operator.service.seal, "http://a.test", utc_now
        )
        await delivery.send_due()
    line = operator.line("mail", state="refused", outcome="recipient_refused", reply=550)
    assert "a@a.test" not in json.dumps(line)
    sample = 'seenby_mails_total{mail_kind="invitation",outcome="recipient_refused",state="refused"}'
    assert operator.metric(sample) == 1


async def test_a_measurement_and_its_answers_are_counted_with_what_they_used(operator: Operator) -> None:
    await operator.probe()
    line = operator.line("measurement", answers=12, failed=0)
    assert {"brand_id", "batch_id", "duration_ms"} <= line.keys()
    assert operator.metric('seenby_engine_calls_total{outcome="answered",platform="one"}') == 12
    assert operator.metric('seenby_event_seconds_count{event="engine_call"}') == 12
