# World and Sites are typed in conftest.py, which a test module cannot import.
import shlex
import subprocess
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import anyio.to_thread
import pytest
from crawleruseragents import (  # pyright: ignore[reportMissingTypeStubs] - it ships none
    CRAWLER_USER_AGENTS_DATA,
)

from readiness import agents
from readiness.agents import AGENTS, Agent, Tier, classify
from readiness.checks.catalog import CATALOG, MODEL_VERSION, catalogue_sha256
from readiness.checks.check import Command, Group
from readiness.report.grading import reproduce
from readiness.report.methodology import methodology
from tests.readiness.conftest import Sites, World

# A change of weights, rules or words changes the hash: then MODEL_VERSION changes with it, and this line too.
PUBLISHED = {
    "auto-agent-readiness/1.0.0": "b6c6215d5dec1fa86a05703dabf1a9edf0516e060806efef56acb4ff4f4f48f8",
    "auto-agent-readiness/1.0.1": "d620380e279cc4dce56874dcb4198bca4a97e68e3745129fdf430851b31f44ac",
    "auto-agent-readiness/1.0.2": "d620380e279cc4dce56874dcb4198bca4a97e68e3745129fdf430851b31f44ac",
    "auto-agent-readiness/1.1.0": "9ec7f5110d11d688bee86c191effd50499f2dd0b9aff45d86af5109ecaf1cd8b",
    "auto-agent-readiness/1.2.0": "73ff002ccbd62398b7429bdf4e60e71222216d7726283aa082bdab0e7d525da8",
    "auto-agent-readiness/1.2.1": "73ff002ccbd62398b7429bdf4e60e71222216d7726283aa082bdab0e7d525da8",
    "auto-agent-readiness/2.0.0": "73ff002ccbd62398b7429bdf4e60e71222216d7726283aa082bdab0e7d525da8",
    "auto-agent-readiness/2.0.1": "56aef8004a18e13f021eaab38f6807fa5b8eb0306ab1144c10f03a81a6c9ad67",
    "auto-agent-readiness/2.1.0": "56aef8004a18e13f021eaab38f6807fa5b8eb0306ab1144c10f03a81a6c9ad67",
    "auto-agent-readiness/2.2.0": "ef8a6c015cdbaf03974e5006e0bd6d4cb514ab58e212b0aa3c9e70b13316745e",
    "auto-agent-readiness/2.3.0": "5461fb705c2ee5249e56a8e97b441e6d383151a719892b9c77e568c30a5e5d65",
    "auto-agent-readiness/2.3.1": "57189dd352eeed58a1638a3b7a2b3a06bd54964d153b6ced8cdeb47557b4e3c9",
    "auto-agent-readiness/2.3.2": "81ea114bd6437b669eb1239a2f4a61bebca4238dea7edf1ec413bdb61bac98c7",
    "auto-agent-readiness/2.4.0": "209cdab601be98a7002deaf3a0db1f45308e572e4e0e9c5ac9a7f6f40efb206c",
}


def test_the_catalogue_changes_only_with_the_version() -> None:
    assert PUBLISHED[MODEL_VERSION] == catalogue_sha256()


@pytest.mark.parametrize("group", [group for group in Group if group is not Group.EMERGING])
def test_the_weights_of_a_group_sum_to_a_hundred(group: Group) -> None:
    assert sum(check.weight for check in CATALOG if check.group is group) == 100


def test_emerging_signals_weigh_nothing() -> None:
    assert {check.weight for check in CATALOG if check.group is Group.EMERGING} == {0}


def test_the_methodology_holds_every_check_whole() -> None:
    written = {check["id"]: check for check in methodology()["checks"]}
    assert list(written) == [check.id for check in CATALOG]
    for check in CATALOG:
        shown = written[check.id]
        assert (shown["weight"], shown["rule"], shown["fix"]) == (check.weight, check.rule.words, check.fix)
        assert "{" not in check.rule.words
        assert all(source.startswith("https://") for source in check.sources)
        assert check.sources
        assert all(f"{value:g}" in check.rule.words for value in check.rule.limits.values()), check.id


def test_tokens_are_unique_and_only_probed_agents_need_a_header() -> None:
    tokens = [agent.token.lower() for agent in AGENTS]
    assert len(set(tokens)) == len(tokens)
    assert len(agents.PROBED) == 4
    assert all(agent.header and agent.token.lower() in agent.header.lower() for agent in agents.PROBED)
    assert {agent.token for agent in AGENTS if agent.header is None} >= {
        "Google-Extended",
        "Applebot-Extended",
    }


def test_a_bot_is_declared_once_for_scans_and_access_logs() -> None:
    text = files("measurement.imports.access_logs").joinpath("ai_bots.toml").read_text("utf-8")
    tiers: dict[str, Any] = {name: tier for name, tier in tomllib.loads(text).items() if name != "as_of"}
    listed = [token.lower() for tier in tiers.values() for tokens in tier.values() for token in tokens]
    assert len(listed) > 50
    assert set(listed) & {agent.token.lower() for agent in AGENTS} == set()


@pytest.mark.parametrize("agent", [agent for agent in AGENTS if agent.header], ids=lambda agent: agent.token)
def test_our_own_headers_name_their_agent(agent: Agent) -> None:
    assert agent.header is not None
    assert classify(agent.header) is agent
    assert agent.header in {
        header for entry in CRAWLER_USER_AGENTS_DATA for header in entry.get("instances", [])
    }


def test_every_published_header_is_classified_or_reported_as_unknown() -> None:
    instances = [header for entry in CRAWLER_USER_AGENTS_DATA for header in entry.get("instances", [])]
    known = {header: agent for header in instances if (agent := classify(header))}
    seen = {agent.token for agent in known.values()}
    assert len(instances) > 2000
    assert {"Googlebot", "Bingbot", "GPTBot", "ClaudeBot", "OAI-SearchBot", "ChatGPT-User", "PerplexityBot", "Applebot",
            "CCBot", "Bytespider", "Amazonbot"} <= seen  # fmt: skip
    assert {agent.tier for agent in known.values()} == set(Tier)
    for header, agent in known.items():
        assert agent.token.lower() in header.lower()


@pytest.mark.parametrize(
    "url", ["https://a.example/$(id)`id`;'x'", "https://a.example/?a=1&b=2|c", "https://a.example/'\"#!"]
)
@pytest.mark.parametrize("command", list(Command))
def test_commands_carry_a_foreign_url_as_one_word(command: Command, url: str) -> None:
    for line in reproduce(command, url).splitlines():
        assert url in shlex.split(line)


@pytest.mark.asyncio(loop_scope="session")
async def test_the_commands_of_a_report_show_the_same_on_the_loopback_site(
    world: World, sites: Sites, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = "www.shop.example.com"
    report = await world.scan(host, sites.repair_shop(host))
    authority = tmp_path / "ca.pem"
    world.server.authority.cert_pem.write_to_path(str(authority))
    ports = world.server.ports
    lines = [f'connect-to = "{host}:{port}:127.0.0.1:{ports[port]}"' for port in ports]
    (tmp_path / ".curlrc").write_text(
        "\n".join([*lines, f'cacert = "{authority}"', "http1.1"]), encoding="utf-8"
    )
    monkeypatch.setenv("CURL_HOME", str(tmp_path))
    monkeypatch.setenv("NO_PROXY", "*")
    checks = {check.id: check for check in report.technical.checks}

    async def run(check_id: str) -> str:
        def call() -> str:
            done = subprocess.run(
                ["bash", "-c", checks[check_id].reproduce], capture_output=True, text=True, check=True
            )
            return done.stdout

        return await anyio.to_thread.run_sync(call)

    assert "HTTP/1.1 200" in await run("tech.http.reachable")
    assert "HTTP/1.1 404" in await run("tech.errors.soft404")
    assert "User-agent: *" in await run("tech.robots.valid")
    assert "application/ld+json" in await run("tech.sd.business")
    assert len((await run("tech.perf.ttfb")).splitlines()) == 3
    assert [line.split()[0] for line in (await run("tech.bots.live_access")).splitlines()] == ["200"] * 4
