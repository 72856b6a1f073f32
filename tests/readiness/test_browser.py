# World and Sites are typed in conftest.py, which a test module cannot import.
"""A browser opens a few pages: what it sees is graded, what a hostile page does with it leads nowhere."""

import asyncio
import shutil
import tempfile
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import anyio
import pytest

from readiness.browsing.browser import SystemBrowser, find_browser
from readiness.fetching.policy import MIB
from readiness.report.document import CheckResult, Report
from readiness.scans.scan import Options, scan
from tests.readiness.conftest import Pages, Sites, World
from tests.readiness.event_loop_gap import LONGEST_STALL, watchdog

BROWSER = find_browser()
FOUND = replace(BROWSER, seconds=120.0) if BROWSER else None
"""Patient: a busy machine starts a browser slowly, and these tests are not about time."""
pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.browser,
    pytest.mark.skipif(FOUND is None, reason="no Chromium that starts in its sandbox"),
]
HOST = "www.dealer.example.com"


@pytest.fixture(autouse=True)
def folders(monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    """A folder of this test's own for what browsers leave, so that their processes are told from others'."""
    folder = Path(tempfile.mkdtemp(prefix="browser-test-"))
    folder.chmod(0o711)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    shutil.rmtree(folder)


def processes_in(folder: Path) -> list[str]:
    """Command lines of all processes that work in a folder."""
    lines: list[str] = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            line = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
            lines += [line.decode("latin-1")] if str(folder).encode() in line else []
    return lines


async def open_site(
    world: World, sites: Sites, pages: Pages, browser: SystemBrowser | None = FOUND
) -> Report:
    world.server.hosts[HOST] = sites.serving(pages, HOST)
    return await scan(
        f"https://{HOST}/",
        options=Options(report_id="r-1", base_url="https://seenby.example.com"),
        policy=replace(world.policy, seconds=240),
        clock=lambda: datetime(2026, 3, 1, 12, tzinfo=UTC),
        network=world.network,
        browser=browser,
    )


def browser_checks(report: Report) -> dict[str, CheckResult]:
    return {
        check.id.removeprefix("tech.browser."): check
        for check in report.technical.checks
        if ".browser." in check.id
    }


def names_check(report: Report) -> CheckResult:
    return next(check for check in report.technical.checks if check.id == "tech.a11y.names")


def with_script(sites: Sites, script: str, body: str = "") -> Pages:
    """The sound dealer with a script and more on its home page."""
    pages = sites.dealer()
    pages["/"].text = pages["/"].text.replace("</main>", f"{body}</main><script>{script}</script>")
    return pages


class Canary:
    """A socket on loopback that nobody may ever reach."""

    port = 0
    connections = 0


@asynccontextmanager
async def canary() -> AsyncGenerator[Canary]:
    watched = Canary()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        watched.connections += 1
        writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    watched.port = server.sockets[0].getsockname()[1]
    async with server:
        yield watched


async def test_a_sound_site_passes_every_check_of_the_browser(world: World, sites: Sites) -> None:
    report = await open_site(world, sites, sites.dealer())
    checks = browser_checks(report)
    assert {name: check.status.value for name, check in checks.items()} == dict.fromkeys(checks, "pass")
    names = names_check(report)
    assert names.status.value == "pass"
    assert "named in the browser" in (names.evidence[0].detail or "")


async def test_without_a_browser_its_checks_do_not_apply(world: World, sites: Sites) -> None:
    with_browser, without = [
        await open_site(world, sites, sites.dealer(), browser) for browser in (FOUND, None)
    ]
    checks = browser_checks(without)
    assert {(check.status.value, check.reason, check.weight) for check in checks.values()} == {
        ("not_applicable", "no_browser", 0)
    }
    assert without.overall == with_browser.overall
    assert [group.score for _, group in without.groups()] == [
        group.score for _, group in with_browser.groups()
    ]


async def test_the_accessibility_tree_of_the_browser_decides_names(world: World, sites: Sites) -> None:
    bare = with_script(sites, "", '<input name="q">' * 60)
    named = with_script(
        sites, "document.querySelectorAll('input').forEach((e) => e.setAttribute('aria-label', 'Model'))",
        '<input name="q">' * 60,
    )  # fmt: skip
    failed = names_check(await open_site(world, sites, bare))
    assert failed.status.value == "fail"
    assert "input[name=q]" in (failed.evidence[0].selector or "")
    assert names_check(await open_site(world, sites, named)).status.value == "pass"
    assert names_check(await open_site(world, sites, named, None)).status.value == "fail"


async def test_text_that_scripts_write_and_tools_they_register_are_seen(world: World, sites: Sites) -> None:
    script = (
        "document.querySelector('main').append('synthetic words of a script '.repeat(600));"
        "navigator.modelContext.registerTool({name: 'find_car', execute() {}});"
    )
    report = await open_site(world, sites, with_script(sites, script))
    assert browser_checks(report)["text"].status == "fail"
    webmcp = next(check for check in report.emerging if check.id == "exp.webmcp")
    assert (webmcp.status, webmcp.evidence[0].excerpt) == ("pass", "find_car")


async def test_a_page_that_moves_while_it_loads_is_told_so(world: World, sites: Sites) -> None:
    script = (
        "setTimeout(() => { const box = document.createElement('div'); box.style.height = '700px';"
        "document.body.prepend(box); }, 700);"
    )
    check = browser_checks(await open_site(world, sites, with_script(sites, script)))["layout_shift"]
    assert check.status == "fail"


async def test_a_page_reaches_no_private_address_and_sends_nothing(
    world: World, sites: Sites, folders: Path
) -> None:
    async with canary() as watched:
        private = [
            f"127.0.0.1:{watched.port}",
            f"localhost:{watched.port}",
            f"[::1]:{watched.port}",
            "169.254.169.254",
        ]
        script = "".join(
            f"fetch('http://{host}/').catch(() => 0); new Image().src = 'http://{host}/i.png';"
            f"try {{ new WebSocket('ws://{host}/') }} catch {{}}"
            f"fetch('https://{host}/', {{mode: 'no-cors'}}).catch(() => 0);"
            for host in private
        )
        script += (
            "fetch('/post', {method: 'POST', body: 'x'}).catch(() => 0); fetch('/away').catch(() => 0);"
            f"try {{ new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{watched.port}'}}]}}) }} catch {{}}"
            "navigator.serviceWorker && navigator.serviceWorker.register('/worker.js').catch(() => 0);"
            "fetch('/admin/secret').catch(() => 0);"
        )
        frame = f'<iframe src="http://127.0.0.1:{watched.port}/"></iframe><iframe src="file:///etc/passwd"></iframe>'
        pages = with_script(sites, script, frame)
        pages["/away"] = sites.answer("", 302, headers={"Location": f"https://127.0.0.1:{watched.port}/"})
        pages["/worker.js"] = sites.answer("self.x = 1", kind="text/javascript")
        world.dial.opened.clear()
        report = await open_site(world, sites, pages)
    assert browser_checks(report)["text"].status == "pass"
    assert watched.connections == 0
    assert {host for host, _ in world.dial.opened} == {"93.184.215.14"}
    asked = {path for _, path, _ in world.server.requests}
    assert "/away" in asked
    assert not asked & {"/post", "/worker.js", "/admin/secret"}
    assert not processes_in(folders)


HOSTILE = {
    "an endless script": "setTimeout(() => { for (;;) {} }, 50)",
    "an endless script at once": "for (;;) {}",
    "windows": "setInterval(() => open('/inventory'), 20); for (let i = 0; i < 50; i++) open('/contact')",
    "dialogs": "setInterval(() => { alert(1); confirm(2); prompt(3) }, 1)",
    "downloads": "for (let i = 0; i < 20; i++) { const a = document.createElement('a'); a.download = 'x' + i;"
    "a.href = URL.createObjectURL(new Blob(['x'.repeat(1e6)])); document.body.append(a); a.click() }",
    "leaving": "onbeforeunload = () => 'stay'; setInterval(() => { location = '/inventory?' + Math.random() }, 30)",
    "a million elements": "for (let i = 0; i < 1e6; i++) document.body.append(document.createElement('button'))",
    "workers": "for (let i = 0; i < 50; i++) new Worker(URL.createObjectURL(new Blob(['for (;;) {}'])))",
    "requests": "setInterval(() => { for (let i = 0; i < 50; i++) fetch('/car.png?' + Math.random()) }, 10)",
    "printing": "print(); history.back(); window.close()",
}


@pytest.mark.parametrize("script", HOSTILE.values(), ids=HOSTILE)
async def test_a_hostile_page_costs_no_report_and_leaves_no_process(
    world: World, sites: Sites, folders: Path, script: str
) -> None:
    browser = replace(FOUND, seconds=6.0) if FOUND else None
    report = await open_site(world, sites, with_script(sites, script), browser)
    assert report.overall.score is not None
    assert not processes_in(folders)
    assert not list(folders.iterdir())


async def test_a_page_that_takes_too_much_memory_ends_the_browser(
    world: World, sites: Sites, folders: Path
) -> None:
    script = "const kept = []; for (;;) kept.push(new Uint8Array(1 << 24).fill(1))"
    browser = replace(FOUND, memory=500 * MIB) if FOUND else None
    checks = browser_checks(await open_site(world, sites, with_script(sites, script), browser))
    assert {check.status.value for check in checks.values()} <= {"unknown", "pass", "not_applicable"}
    assert not processes_in(folders)


async def test_a_scan_that_is_cancelled_takes_its_browser_with_it(
    world: World, sites: Sites, folders: Path
) -> None:
    async with anyio.create_task_group() as group:
        group.start_soon(open_site, world, sites, with_script(sites, "for (;;) {}"))
        with anyio.fail_after(60):
            while not any("--user-data-dir" in line for line in processes_in(folders)):
                await anyio.sleep(0.05)
        group.cancel_scope.cancel()
    assert not processes_in(folders)
    assert not list(folders.iterdir())


async def test_the_event_loop_goes_on_while_a_browser_is_open(world: World, sites: Sites) -> None:
    script = "for (let i = 0; i < 60; i++) fetch('/inventory?' + i).then((r) => r.text())"
    async with watchdog(time.thread_time) as watch:
        await open_site(world, sites, with_script(sites, script))
    assert watch.longest < LONGEST_STALL
