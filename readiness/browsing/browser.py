"""Letting a browser open a few pages of a site: bounded in time, memory and requests, and killed with its children."""

import importlib.util
import json
import logging
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

from readiness.browsing.gate import Gate, browser_policy, make_certificate
from readiness.browsing.process_tree import ProcessTree
from readiness.fetching.dialing import Network
from readiness.fetching.errors import Reason
from readiness.fetching.fetcher import Fetcher
from readiness.fetching.policy import MIB
from readiness.survey.rendered_page import BrowserSight, RenderedPage

if TYPE_CHECKING:
    from readiness.survey.visitor import Visitor


from readiness.survey.site import Role, SurveyedSite

log = logging.getLogger(__name__)

SECONDS, LEAST_SECONDS = 40.0, 5.0
"""What a browser may take of a scan's time, and below which it is not started."""
MEMORY = 1024 * MIB
LOOKED_AT = 0.25
MOST_LINE = 262_144
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NOBODY = 65_534
"""User and group without any right, on every Linux."""
VARIABLES = ("PATH", "LANG", "LC_ALL", "TZ")


@dataclass(frozen=True, slots=True)
class SystemBrowser:
    """A Chromium of the system, and how long and how large it may be."""

    executable: str
    seconds: float = SECONDS
    memory: int = MEMORY

    async def open(
        self, pages: Sequence[str], host: str, fetcher: Fetcher, visitor: "Visitor", network: Network
    ) -> BrowserSight:
        """Open the pages behind a gate and return what was seen; what breaks is never more than pages unseen."""
        seconds = min(self.seconds, fetcher.seconds_left)
        if seconds < LEAST_SECONDS:
            return BrowserSight(reason=Reason.BUDGET)
        certificate = await anyio.to_thread.run_sync(make_certificate)
        rendered: list[RenderedPage] = []
        async with Fetcher(
            browser_policy(fetcher.policy, seconds),
            resolve=network.resolve,
            dial=network.dial,
            tls=network.tls,
        ) as own:
            gate = Gate(own, host, visitor.allowed, certificate)
            async with gate.listening() as port, self._running() as (process, tree, folder):
                order = {
                    "executable": str(folder / "browser") if _must_drop_rights() else self.executable,
                    "folder": str(folder / "profile"),
                    "proxy": f"http://127.0.0.1:{port}",
                    "fingerprint": certificate.fingerprint,
                    "agent": own.policy.user_agent,
                    "pages": list(pages),
                }
                with anyio.move_on_after(seconds):
                    await self._listen(process, tree, order, rendered)
        return BrowserSight(tuple(rendered), None if rendered else Reason.BROWSER_FAILED)

    async def _listen(
        self,
        process: Process,
        tree: ProcessTree,
        order: Mapping[str, object],
        rendered: list[RenderedPage],
    ) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        lines = BufferedByteReceiveStream(process.stdout)
        async with anyio.create_task_group() as group:
            group.start_soon(self._watch_memory, tree, group.cancel_scope)
            try:
                await process.stdin.send(json.dumps(order).encode() + b"\n")
                while True:
                    line: dict[str, Any] = json.loads(await lines.receive_until(b"\n", MOST_LINE))
                    if line["event"] == "page":
                        rendered.append(read_page(line["page"]))
                    elif line["event"] == "end":
                        break
            except (
                anyio.EndOfStream,
                anyio.IncompleteRead,
                anyio.DelimiterNotFound,
                anyio.BrokenResourceError,
            ):
                log.info("The browser ended before its pages were seen.")
            except (ValueError, KeyError, TypeError):
                log.warning("The browser's worker sent a line that cannot be read.")
            group.cancel_scope.cancel()

    async def _watch_memory(self, tree: ProcessTree, scope: anyio.CancelScope) -> None:
        while True:
            if await anyio.to_thread.run_sync(tree.memory) > self.memory:
                log.info("The browser held too much memory and is ended.")
                scope.cancel()
            await anyio.sleep(LOOKED_AT)

    @asynccontextmanager
    async def _running(self) -> AsyncGenerator[tuple[Process, ProcessTree, Path]]:
        """Start the worker in a session and a folder of its own; both are gone after the block."""
        folder = await anyio.to_thread.run_sync(_make_folder, self.executable)
        environ = {name: os.environ[name] for name in VARIABLES if name in os.environ}
        process, tree = None, None
        try:
            process = await anyio.open_process(
                [sys.executable, "-m", "readiness.browsing.browser_worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=Path(__file__).parents[2],
                env={**environ, "HOME": str(folder), "TMPDIR": str(folder)},
                start_new_session=True,
            )
            tree = ProcessTree(process.pid)
            yield process, tree, folder
        finally:
            with anyio.CancelScope(shield=True):
                if process is not None and tree is not None:
                    await anyio.to_thread.run_sync(tree.kill)
                    await process.aclose()
                await anyio.to_thread.run_sync(lambda: shutil.rmtree(folder, ignore_errors=True))


def read_page(said: dict[str, Any]) -> RenderedPage:
    """Return a page as the worker described it; ValueError or TypeError where it is none."""
    return RenderedPage(
        url=str(said["url"]),
        words=int(said["words"]),
        controls=int(said["controls"]),
        named=int(said["named"]),
        nameless=tuple(map(str, said["nameless"])),
        shift=float(said["shift"]) if said["shift"] is not None else None,
        tools=tuple(map(str, said["tools"])),
    )


def find_browser() -> SystemBrowser | None:
    """Return the system's Chromium where the extra `browser` is installed and it can run in its sandbox, or None."""
    if not sys.platform.startswith("linux") or importlib.util.find_spec("playwright") is None:
        return None
    executable = next((path for name in NAMES if (path := shutil.which(name))), None)
    if executable is None or (_must_drop_rights() and shutil.which("setpriv") is None):
        return None
    return SystemBrowser(executable)


def _must_drop_rights() -> bool:
    """Chromium's sandbox does not start for root, who would have no sandbox worth the name."""
    return os.geteuid() == 0


def _make_folder(executable: str) -> Path:
    """Make the folder of one visit: a profile, and for root a starter that gives all rights away first."""
    folder = Path(tempfile.mkdtemp(prefix="seenby-browser-"))
    profile = folder / "profile"
    profile.mkdir()
    if _must_drop_rights():
        starter = folder / "browser"
        starter.write_text(
            f"#!/bin/sh\nexport HOME={profile} TMPDIR={profile}\n"
            f"exec setpriv --reuid={NOBODY} --regid={NOBODY} --clear-groups --no-new-privs "
            f'-- {executable} "$@"\n',
            encoding="utf-8",
        )
        starter.chmod(0o755)
        folder.chmod(0o711)
        os.chown(profile, NOBODY, NOBODY)
    return folder


OPENED = ((Role.INVENTORY,), (Role.SCHEDULE, Role.CONTACT))


def pages_to_open(site: SurveyedSite) -> list[str]:
    """Return home, the list of vehicles, and the page on which an appointment is made; each was read before."""
    read = (
        next((visit for role in roles if (visit := site.role(role)) and visit.ok), None) for roles in OPENED
    )
    return list(dict.fromkeys(visit.final_url for visit in (site.home, *read) if visit))
