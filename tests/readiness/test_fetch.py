# World and Sites are typed in conftest.py, which a test module cannot import.
import asyncio
import time
import tracemalloc
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import anyio
import pytest

from readiness.fetching.errors import FetchFailed, Reason
from readiness.fetching.fetcher import CHUNKS_A_TURN, MOST_CHUNKS, Fetcher
from readiness.fetching.policy import FetchPolicy, metadata_policy, monitor_policy
from tests.readiness.conftest import Handler, Sites, World

pytestmark = pytest.mark.asyncio(loop_scope="session")

HOST = "www.example.com"


def fetcher(world: World, policy: FetchPolicy | None = None, resolve: Any = None) -> Fetcher:
    return Fetcher(
        policy or world.policy,
        resolve=resolve or world.network.resolve,
        dial=world.dial,
        tls=world.network.tls,
    )


def redirecting(sites: Sites, target: str) -> Handler:
    return lambda scheme, path, headers: sites.answer("", 302, headers={"Location": target})


async def reason_of(fetching: Fetcher, url: str, **options: Any) -> Reason:
    async with fetching as client:
        with pytest.raises(FetchFailed) as caught:
            await client.get(url, **options)
    return caught.value.reason


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1/",
        "http://169.254.169.254/latest/",
        "http://localhost/",
        "http://[::1]/",
        "http://example.com:22/",
    ],
)
async def test_a_redirect_to_a_private_place_is_refused_and_no_socket_opened(
    world: World, sites: Sites, target: str
) -> None:
    world.server.hosts[HOST] = lambda scheme, path, headers: sites.answer(
        "", 302, headers={"Location": target}
    )
    assert await reason_of(fetcher(world), f"http://{HOST}/") is Reason.REFUSED_ADDRESS
    assert len(world.dial.opened) == 1


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        ["93.184.215.14", "10.0.0.1"],
        ["169.254.169.254"],
        ["::ffff:127.0.0.1"],
        ["64:ff9b::7f00:1"],
    ],
)
async def test_one_private_answer_among_many_refuses_the_name(world: World, addresses: list[str]) -> None:
    async def resolve(host: str, port: int) -> Sequence[str]:
        return addresses

    assert await reason_of(fetcher(world, resolve=resolve), f"https://{HOST}/") is Reason.REFUSED_ADDRESS
    assert world.dial.opened == []


async def test_a_name_that_rebinds_is_connected_only_to_what_was_checked(world: World, sites: Sites) -> None:
    answers = iter([["93.184.215.14"], ["127.0.0.1"]])

    async def resolve(host: str, port: int) -> Sequence[str]:
        return next(answers) if host == HOST else ["93.184.215.99"]

    world.server.hosts[HOST] = lambda scheme, path, headers: sites.answer(
        "ok", headers={"Connection": "close"}
    )
    async with fetcher(world, resolve=resolve) as client:
        assert (await client.get(f"https://{HOST}/")).status == 200
        with pytest.raises(FetchFailed) as caught:
            await client.get(f"http://{HOST}/")
    assert caught.value.reason is Reason.REFUSED_ADDRESS
    assert world.dial.opened == [("93.184.215.14", 443)]


@pytest.mark.parametrize(
    "address",
    [
        "93.184.215.99",
        "::ffff:93.184.215.99",
        "64:ff9b::5db8:d763",
        "2002:5db8:d763::1",
        "2001:4860:85a3:0:0:0:0:1",
    ],
)
async def test_ssrf_to_this_servers_own_address_is_blocked_in_any_form(world: World, address: str) -> None:
    async def resolve(host: str, port: int) -> Sequence[str]:
        own = ["::ffff:93.184.215.99", "2001:4860:85A3:0::1"]
        return own if host == "seenby.example.com" else ["93.184.215.14", address]

    for policy in (
        world.policy,
        monitor_policy("https://seenby.example.com"),
        monitor_policy("https://SEENBY.example.com:443/path"),
        metadata_policy("https://seenby.example.com"),
    ):
        reason = await reason_of(fetcher(world, policy, resolve), f"https://{HOST}/")
        assert reason is Reason.REFUSED_ADDRESS
    assert world.dial.opened == []


async def test_a_redirect_to_this_server_is_refused_by_name_and_by_address(
    world: World, sites: Sites
) -> None:
    for target in ("https://seenby.example.com/", "https://93.184.215.99/"):
        world.server.hosts[HOST] = redirecting(sites, target)
        world.dial.opened.clear()

        async def resolve(host: str, port: int) -> Sequence[str]:
            named = await world.network.resolve(host, port)
            return [host] if host[0].isdigit() else named

        assert await reason_of(fetcher(world, resolve=resolve), f"https://{HOST}/") is Reason.REFUSED_ADDRESS
        assert world.dial.opened == [("93.184.215.14", 443)]


async def test_an_unresolvable_base_url_blocks_no_site_or_all_of_them(world: World, sites: Sites) -> None:
    async def nameless(host: str, port: int) -> Sequence[str]:
        if host == "seenby.example.com":
            raise OSError("no such name")
        return ["93.184.215.14"]

    async def silent(host: str, port: int) -> Sequence[str]:
        if host == "seenby.example.com":
            await anyio.sleep_forever()
        return ["93.184.215.14"]

    world.server.hosts[HOST] = lambda scheme, path, headers: sites.answer("ok")
    async with fetcher(world, resolve=nameless) as client:
        assert (await client.get(f"https://{HOST}/")).status == 200
    impatient = replace(world.policy, resolve_seconds=0.05)
    assert await reason_of(fetcher(world, impatient, silent), f"https://{HOST}/") is Reason.DNS


async def test_names_without_an_address_and_silent_resolvers_are_a_dns_failure(world: World) -> None:
    async def nothing(host: str, port: int) -> Sequence[str]:
        raise OSError("no such name")

    async def silent(host: str, port: int) -> Sequence[str]:
        await anyio.sleep_forever()
        raise AssertionError

    impatient = replace(world.policy, resolve_seconds=0.05)
    assert await reason_of(fetcher(world, resolve=nothing), f"https://{HOST}/") is Reason.DNS
    assert await reason_of(fetcher(world, impatient, silent), f"https://{HOST}/") is Reason.DNS


async def test_a_certificate_of_another_name_is_refused(world: World) -> None:
    assert await reason_of(fetcher(world), "https://www.foreign.test/") is Reason.TLS


async def test_visits_after_the_first_read_the_machines_authorities_no_more(world: World) -> None:
    Fetcher(world.policy)
    began = time.process_time()
    for _ in range(20):
        Fetcher(world.policy)
    assert time.process_time() - began < 0.1  # reading them takes 20 ms each


async def test_https_is_never_left_for_http(world: World, sites: Sites) -> None:
    world.server.hosts[HOST] = lambda scheme, path, headers: sites.answer(
        "", 301, headers={"Location": f"http://{HOST}/"}
    )
    async with fetcher(world) as client:
        response = await client.get(f"https://{HOST}/")
    assert (response.status, response.stopped) == (301, Reason.DOWNGRADE)
    assert [hop.location for hop in response.chain] == [f"http://{HOST}/"]


async def test_a_hundred_redirects_end_after_five(world: World, sites: Sites) -> None:
    world.server.hosts[HOST] = lambda s, path, h: sites.answer("", 302, headers={"Location": f"{path}x"})
    async with fetcher(world) as client:
        response = await client.get(f"https://{HOST}/")
        assert client.requests == 6
    assert response.stopped is Reason.REDIRECTS


async def test_no_cookie_and_no_credential_travels(world: World, sites: Sites) -> None:
    world.server.hosts[HOST] = lambda scheme, path, headers: sites.answer("ok", headers={"Set-Cookie": "a=b"})
    async with fetcher(world) as client:
        for _ in range(2):
            await client.get(f"https://{HOST}/")
    assert all(
        set(headers) == {"host", "user-agent", "accept", "accept-encoding"}
        for *_, headers in world.server.requests
    )


async def test_a_gzip_bomb_is_cut_while_it_is_read(world: World, sites: Sites, bomb: bytes) -> None:
    world.server.hosts[HOST] = lambda scheme, path, headers: sites.answer(
        bomb, headers={"Content-Encoding": "gzip"}
    )
    async with fetcher(world) as client:
        tracemalloc.start()
        response = await client.get(f"https://{HOST}/")
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert response.truncated
    assert len(response.body) == world.policy.body
    assert peak < 30 * 1024 * 1024


async def test_an_endless_body_is_cut(world: World) -> None:
    async def endless(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 X\r\nContent-Type: text/html\r\n\r\n")
        while True:
            writer.write(b"x" * 65536)
            await writer.drain()

    world.server.hosts[HOST] = lambda scheme, path, headers: endless
    async with fetcher(world) as client:
        response = await client.get(f"http://{HOST}/")
    assert response.truncated


async def test_one_byte_at_a_time_ends_with_the_request_limit(world: World) -> None:
    async def drip(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 X\r\nContent-Type: text/html\r\n\r\n")
        while True:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.01)

    world.server.hosts[HOST] = lambda scheme, path, headers: drip
    quick = replace(world.policy, request_seconds=0.3)
    assert await reason_of(fetcher(world, quick), f"http://{HOST}/") is Reason.TIMEOUT


async def test_chunks_of_one_byte_are_bounded_and_leave_the_loop_to_others(world: World) -> None:
    async def crumble(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 X\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n")
        writer.write(b"1\r\nx\r\n" * (MOST_CHUNKS + 10_000))
        await writer.drain()

    turns = 0

    async def take_turns() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    world.server.hosts[HOST] = lambda scheme, path, headers: crumble
    others = asyncio.create_task(take_turns())
    async with fetcher(world) as client:
        response = await client.get(f"http://{HOST}/")
    others.cancel()
    assert (len(response.body), response.truncated) == (MOST_CHUNKS, True)
    assert turns >= MOST_CHUNKS / CHUNKS_A_TURN


@pytest.mark.parametrize(
    ("headers", "body", "reason"),
    [
        ({"Content-Encoding": "br"}, b"x", Reason.ENCODING),
        ({"Content-Encoding": "gzip"}, b"not gzip at all", Reason.ENCODING),
    ],
)
async def test_bodies_that_cannot_be_decoded_are_a_named_failure(
    world: World, sites: Sites, headers: dict[str, str], body: bytes, reason: str
) -> None:
    world.server.hosts[HOST] = lambda scheme, path, asked: sites.answer(body, headers=headers)
    assert await reason_of(fetcher(world), f"https://{HOST}/") is reason


async def test_a_body_of_another_type_is_left_alone(world: World, sites: Sites) -> None:
    world.server.hosts[HOST] = lambda scheme, path, headers: sites.answer(b"\x00" * 100, kind="video/mp4")
    async with fetcher(world) as client:
        response = await client.get(f"https://{HOST}/")
    assert (response.body, response.stopped) == (b"", Reason.MEDIA_TYPE)


async def test_garbage_instead_of_http_is_a_protocol_failure(world: World) -> None:
    async def garbage(writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example.com ESMTP\r\n\r\n")
        await writer.drain()

    world.server.hosts[HOST] = lambda scheme, path, headers: garbage
    assert await reason_of(fetcher(world), f"http://{HOST}/") is Reason.PROTOCOL


async def test_the_budget_counts_every_hop_and_then_nothing_starts(world: World, sites: Sites) -> None:
    world.server.hosts[HOST] = lambda s, path, h: (
        sites.answer("", 302, headers={"Location": "/end"}) if path == "/" else sites.answer("ok")
    )
    async with fetcher(world, replace(world.policy, requests=3)) as client:
        await client.get(f"https://{HOST}/")
        await client.get(f"https://{HOST}/end")
        with pytest.raises(FetchFailed) as caught:
            await client.get(f"https://{HOST}/end")
    assert caught.value.reason is Reason.BUDGET
    assert len(world.server.requests) == 3


async def test_starts_on_one_host_keep_their_distance(world: World, sites: Sites) -> None:
    world.server.hosts[HOST] = lambda scheme, path, headers: sites.answer("ok")
    paced = replace(world.policy, interval=0.05)
    async with fetcher(world, paced) as client:
        before = anyio.current_time()
        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(client.get, f"https://{HOST}/")
        assert anyio.current_time() - before >= 3 * 0.05
        client.slow_down(HOST, 0.1)
        before = anyio.current_time()
        for _ in range(3):
            await client.get(f"https://{HOST}/")
        assert anyio.current_time() - before >= 2 * 0.1


async def test_client_metadata_is_https_json_small_and_direct(world: World, sites: Sites) -> None:
    policy = metadata_policy("https://seenby.example.com")
    answers = {
        "/good": sites.answer('{"a":1}', kind="application/json"),
        "/big": sites.answer("x" * 20_000, kind="application/json"),
        "/page": sites.answer("<p>", kind="text/html"),
        "/moved": sites.answer("", 302, headers={"Location": "/good"}),
    }
    world.server.hosts[HOST] = lambda s, path, h: answers[path]
    async with fetcher(world, policy) as client:
        assert (await client.get(f"https://{HOST}/good")).body == b'{"a":1}'
        assert (await client.get(f"https://{HOST}/page")).stopped is Reason.MEDIA_TYPE
        assert (await client.get(f"https://{HOST}/moved")).stopped is Reason.REDIRECTS
        with pytest.raises(FetchFailed) as caught:
            await client.get(f"https://{HOST}/big")
        assert caught.value.reason is Reason.TOO_LARGE
        with pytest.raises(ValueError, match="https"):
            await client.get(f"http://{HOST}/good")
