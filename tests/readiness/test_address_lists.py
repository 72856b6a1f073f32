"""Lists of crawlers' addresses as they are fetched from their operators: stored with their date, or left as they were."""

import json
import ssl
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from measurement.imports.access_logs.address_lists import AddressLists, published_at
from readiness.fetching.dialing import Network
from readiness.fetching.policy import address_list_policy
from storage.database import Database
from storage.repositories.brands import BrandDraft
from storage.repositories.crawler_visits import IntakeCounts
from tests.readiness.conftest import Answer, World, serving

pytestmark = pytest.mark.asyncio(loop_scope="session")
NOW = datetime(2026, 11, 24, 8, tzinfo=UTC)
PUBLISHED = json.dumps(
    {"creationTime": "2026-11-20T00:00:00", "prefixes": [{"ipv4Prefix": "203.0.113.0/28"}]}
)
PROFILE: dict[str, Any] = {
    **dict.fromkeys(("industry", "website", "voice", "target_audience")),
    "keywords": [],
}


def serve(world: World, host: str, path: str, body: str) -> None:
    world.server.hosts[host] = serving({path: Answer(body, kind="application/json")}, host)


def for_any_host(world: World) -> Network:
    """The test's servers under names that their certificate is not for."""
    tls = ssl.create_default_context()
    world.server.authority.configure_trust(tls)  # pyright: ignore[reportUnknownMemberType]  # pyOpenSSL is not installed
    tls.check_hostname = False
    return Network(world.network.resolve, world.network.dial, tls)


async def networks(database: Database) -> dict[str, tuple[list[str], datetime]]:
    stored = await database.operators.bot_addresses.all()
    return {one.bot: (list(one.prefixes), one.fetched_at) for one in stored}


async def test_published_address_lists_are_stored_and_failures_keep_the_old(world: World, url: str) -> None:
    now = [NOW]
    serve(world, "openai.com", "/gptbot.json", PUBLISHED)
    serve(world, "claude.com", "/crawling/bots.json", '{"prefixes": [{"ipv6Prefix": "2001:db8::/48"}]}')
    serve(world, "www.perplexity.com", "/perplexitybot.json", "<html>Just a moment</html>")
    serve(world, "www.bing.com", "/toolbox/bingbot.json", '{"prefixes": ["0.0.0.0/0"]}')
    database = await Database.open(url)
    try:
        policy = address_list_policy("https://seenby.example.com")
        lists = AddressLists(database, policy, lambda: now[0], for_any_host(world))
        assert await lists.refresh() == []  # no log came in, so nobody is asked
        assert world.server.requests == []
        async with database.operation() as operators:
            company = await operators.companies.create("Shop", "owner@shop.example", "growth", NOW)
        async with database.transaction(company.id) as writing:
            brand = await writing.brands.save(BrandDraft("Acme"), (), PROFILE, NOW)
            await writing.crawler_visits.add_intake(brand.key, "file", IntakeCounts(1, 1, 0, 0), NOW)
        failures = {one.url: one.failure for one in await lists.refresh() if one.failure}
        assert set(failures) == set(published_at()) - {
            "https://openai.com/gptbot.json",
            "https://claude.com/crawling/bots.json",
        }
        assert "wider than any bot's network" in failures["https://www.bing.com/toolbox/bingbot.json"]
        known = {"GPTBot": (["203.0.113.0/28"], NOW)}
        known |= dict.fromkeys(("ClaudeBot", "Claude-SearchBot", "Claude-User"), (["2001:db8::/48"], NOW))
        assert await networks(database) == known
        now[0] = NOW + timedelta(hours=20)
        assert not {"https://openai.com/gptbot.json"} & {one.url for one in await lists.refresh()}
        serve(world, "openai.com", "/gptbot.json", "{}")
        now[0] = NOW + timedelta(days=2)
        await lists.refresh()
        assert await networks(database) == known | dict.fromkeys(
            ("ClaudeBot", "Claude-SearchBot", "Claude-User"), (["2001:db8::/48"], now[0])
        )
    finally:
        await database.close()
