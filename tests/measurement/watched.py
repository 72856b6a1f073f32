"""A brand that is measured again and again, at times of a test's choice."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from engines.registry import Registry
from engines.transport.retries import Timing
from measurement.asking.probe import Prober
from measurement.planning.ask_plan import ProbeRequest, make_plan
from measurement.publication.publish import Publisher
from measurement.publication.receipt_seal import ReceiptSigner
from server.service import Service, open_service
from server.settings import Settings
from tests.measurement.conftest import Acme, Reply

BEGIN = datetime(2026, 3, 2, 9, tzinfo=UTC)


@dataclass
class Watched:
    """Acme, measured at times of our choice by an engine that names it in so many of its answers."""

    acme: Acme
    now: datetime = BEGIN
    named: int = 0
    asked: int = 0
    answers: int = 12
    """Answers of one measurement."""

    def reply(self, saying: Callable[..., Reply]) -> Any:
        self.asked += 1
        return saying("Acme is good." if self.asked % self.answers < self.named else "Nobody knows.")

    def looks(self, counts: Sequence[int], every: timedelta) -> None:
        asyncio.run(self._looks(counts, every))

    async def _looks(self, counts: Sequence[int], every: timedelta) -> None:
        async with open_service(Settings.from_environ(self.acme.seenby.environment)) as service:
            for count in counts:
                self.named = count
                await self._look(service)
                self.now += every

    async def _look(self, service: Service) -> None:
        (company,) = await service.database.operators.companies.all()
        keys, signer = service.engine_keys, ReceiptSigner(service.settings.receipt_keys)
        publisher = Publisher(service.database, (), lambda: self.now, signer)
        timing = Timing(now=lambda: self.now)
        async with Registry(service.settings.engines, timing) as engines:
            prober = Prober(service.database, engines, keys, publisher, lambda: self.now)
            request = ProbeRequest("Acme", prompt_set="Buyers")
            plan = await make_plan(service.database, company.id, request, engines, keys, self.now)
            await prober.probe(company.id, plan)
