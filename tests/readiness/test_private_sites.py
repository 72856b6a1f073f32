# World and Sites are typed in conftest.py, which a test module cannot import.
"""Sites on one's own machine: visited while developing, by name of host and port, and by nobody in production."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from measurement.planning.clock import utc_now
from oauth.principal import Caller
from readiness.fetching import urls
from readiness.fetching.errors import ScanRefused, UrlRefused
from readiness.scans.scanner import ScanRequest, site_of
from server.service import Service, open_service
from server.settings import Settings
from tests.readiness.conftest import Sites, World
from tools.calls.dispatch import Refusal, Success

pytestmark = pytest.mark.asyncio(loop_scope="session")
REPORT = "get_agentic_readiness_report"


@asynccontextmanager
async def service_at(folder: Path, private: str) -> AsyncGenerator[tuple[Service, str]]:
    """A service of its own with one company."""
    environ = {"SEENBY_DATA_DIR": str(folder), "SEENBY_ALLOW_PRIVATE_SITES": private}
    async with open_service(Settings.from_environ(environ)) as service:
        async with service.database.operation() as operators:
            company = await operators.companies.create("Acme", "a@example.com", "growth", utc_now())
        yield service, company.id


def serve(world: World, sites: Sites) -> str:
    """A dealer on a port of this machine; returns its address."""
    host = f"127.0.0.1:{world.server.ports[80]}"
    pages = sites.dealer(host, vehicles=8)
    for answer in pages.values():
        if isinstance(answer.body, str):
            answer.text = answer.text.replace(f"https://{host}", f"http://{host}")
    world.server.hosts[host] = lambda scheme, path, headers: pages.get(path)
    return f"http://{host}/"


async def test_development_mode_scans_and_monitors_sites_on_any_port(
    world: World, sites: Sites, tmp_path: Path
) -> None:
    url = serve(world, sites)
    async with service_at(tmp_path, "on") as (service, company):
        report = await service.scanner.scan(company, ScanRequest(url))
        assert (report.siteType.value, report.journeys.vehicle.band) == ("dealer", "ready")
        assert report.host == url.split("/")[2]
        outcome = await service.dispatcher.call(REPORT, {"url": url}, Caller(None, "192.0.2.1"), whole=True)
        assert isinstance(outcome, Success), outcome
        assert report.reportId.encode() in outcome.body
        assert len((await service.sites.pages(url, 8)).pages) > 5
        assert (await service.sites.access(url, probe=False)).home.ok


async def test_one_named_port_is_scanned_whole_without_the_setting(
    world: World, sites: Sites, tmp_path: Path
) -> None:
    url = serve(world, sites)
    async with service_at(tmp_path, "off") as (service, company):
        named = service.visiting([url.split("/")[2]])
        report = await named.scanner.scan(company, ScanRequest(url))
        assert {page.role for page in report.pages} >= {"inventory", "vehicle", "service_detail", "sitemap"}
        assert report.journeys.vehicle.band == "ready"


async def test_nobody_else_reaches_a_private_address(world: World, sites: Sites, tmp_path: Path) -> None:
    url = serve(world, sites)
    async with service_at(tmp_path, "off") as (service, company):
        with pytest.raises(ScanRefused, match="private networks are not visited"):
            await service.scanner.scan(company, ScanRequest(url))
        with pytest.raises(UrlRefused):
            await service.sites.pages(url, 20)
        outcome = await service.dispatcher.call(REPORT, {"url": url}, Caller(None, "192.0.2.1"))
        assert isinstance(outcome, Refusal)
        assert outcome.code == "INVALID_PARAMS"
    assert world.server.requests == []


async def test_ports_are_separate_sites_and_hosts_of_a_domain_are_one() -> None:
    home = [urls.parse(f"http://127.0.0.1:{port}/", allow_hosts=urls.EVERY_HOST) for port in (8901, 8902)]
    public = [urls.parse(f"https://{host}/") for host in ("acme.com", "www.acme.com")]
    assert len({site_of(url) for url in home}) == 2
    assert {site_of(url) for url in public} == {"acme.com"}
