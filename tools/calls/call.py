"""The context of a tool call: workspace, clock, services, idempotency key, and the brand that the call names."""

import hashlib
import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from inspect import Parameter
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeAlias, TypeVar

from pydantic import BaseModel

from oauth.principal import Principal
from storage.database import Database
from storage.repositories.brands import Brand
from storage.workspace import Workspace
from tools.calls.errors import ToolRefusal, brand_not_found

if TYPE_CHECKING:
    from measurement.planning.site_proposals import Proposal
    from workflows.runs import RunService

log = logging.getLogger(__name__)

IDEMPOTENCY_KEY_LIFE = timedelta(hours=24)
Model = TypeVar("Model", bound=BaseModel)


OpenWorkspace: TypeAlias = Callable[[Principal, bool], AbstractAsyncContextManager[Workspace]]
"""Opens a principal's workspace for reading or writing. Leaving it commits, or rolls back on an exception."""


class WorkspaceOpener:
    """Opens workspaces of one database: read access, or a transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def __call__(self, principal: Principal, writing: bool) -> AbstractAsyncContextManager[Workspace]:
        """Open the principal's workspace. Each read sees the latest commit; writes are one transaction.

        Entering it for writing raises WriteRefused for a viewer.
        """
        if writing:
            return self._database.acting_as(principal.role).transaction(principal.company_id)
        return nullcontext(self._database.workspace(principal.company_id))


class PublicReports(Protocol):
    """Public readiness reports, from any company."""

    async def latest(self, url_key: str) -> str | None:
        """Return the latest report of a URL key as JSON, or None."""
        ...

    async def unseen_since(self, url_key: str, since: datetime) -> str | None:
        """Return the latest public report of a URL after `since` that could not read the site, as JSON, or None."""
        ...


class NoPublicReports:
    """Public reports of a service without scans."""

    async def latest(self, url_key: str) -> str | None:
        """Return None."""
        return None

    async def unseen_since(self, url_key: str, since: datetime) -> str | None:
        """Return None."""
        return None


class SiteReader(Protocol):
    """Reads the site of a brand that may not be stored yet."""

    async def propose(self, url: str) -> "Sequence[Proposal]":
        """Return what a few pages of a site contain for a brand profile. Raises SiteUnreadable."""
        ...


class ReadyEngines(Protocol):
    """The engines that can be queried."""

    async def platforms(self, company_id: str) -> Sequence[str]:
        """Return every platform that a company can query, with the server's API key or its own."""
        ...


@dataclass(slots=True)
class Call:
    """One call of one tool.

    `principal` is None for public tools, even when the caller is signed in. `today` is the start of the day in UTC.
    `private_hosts` are the `host:port` pairs whose reports are available although their addresses are not public.
    Production has none. `brief` asks for the short form of a long result.
    """

    tool: str
    principal: Principal | None
    address: str
    writing: bool
    idempotency_key: str | None
    today: datetime
    clock: Callable[[], datetime]
    open_workspace: OpenWorkspace
    until_the_end: AsyncExitStack
    public_reports: PublicReports
    run_desk: "RunService | None" = None
    engines: ReadyEngines | None = None
    site_reader: SiteReader | None = None
    private_hosts: frozenset[str] = frozenset()
    brief: bool = False
    _afterwards: list[Callable[[], Awaitable[object]]] = field(
        default_factory=list[Callable[[], Awaitable[object]]], init=False
    )
    _workspace: Workspace | None = field(default=None, init=False)

    async def workspace(self) -> Workspace:
        """Return the caller's workspace, opened on first use. For a writing tool it is one transaction."""
        if self._workspace is None:
            if self.principal is None:
                raise RuntimeError(f"{self.tool} is public and has no workspace")
            if self.writing:
                self.until_the_end.push_async_exit(self._committed)
            opened = self.open_workspace(self.principal, self.writing)
            self._workspace = await self.until_the_end.enter_async_context(opened)
        return self._workspace

    def now(self) -> datetime:
        """Return the current instant."""
        return self.clock()

    @property
    def desk(self) -> "RunService":
        """The service that starts runs."""
        if self.run_desk is None:
            raise RuntimeError(f"{self.tool} needs a run service, and none is configured")
        return self.run_desk

    @property
    def sites(self) -> SiteReader:
        """The reader of sites."""
        if self.site_reader is None:
            raise RuntimeError(f"{self.tool} needs a reader of sites, and this service has none")
        return self.site_reader

    def afterwards(self, work: Callable[[], Awaitable[object]]) -> None:
        """Run `work` after the call's transaction has committed. A failure is logged and has no other effect."""
        self._afterwards.append(work)

    async def answer_once(
        self, arguments: Mapping[str, Any], model: type[Model], make: Callable[[], Awaitable[Model]]
    ) -> Model:
        """Run a write once per idempotency key and company within a day; a repeat returns the first result.

        The key is stored in the same transaction as the result. Raises ToolRefusal when the key was used with other
        arguments.
        """
        if self.idempotency_key is None:
            return await make()
        workspace = await self.workspace()
        await workspace.credits.lock()
        key, now = self.idempotency_key, self.now()
        written = json.dumps([self.tool, arguments], sort_keys=True, ensure_ascii=False)
        digest = hashlib.sha256(written.encode()).hexdigest()
        since = now - IDEMPOTENCY_KEY_LIFE
        known = await workspace.idempotency_keys.find(key, since)
        if known is None:
            made = await make()
            answer = made.model_dump(mode="json")
            await workspace.idempotency_keys.remember(key, digest, answer, since=since, now=now)
            return made
        if known[0] != digest:
            raise ToolRefusal(
                "the idempotency key was used for a request with other arguments",
                "Send another key, or none.",
            )
        return model.model_validate(known[1])

    async def _committed(self, kind: object, error: object, trace: object) -> None:
        for work in self._afterwards if error is None else ():
            try:
                await work()
            except Exception:
                log.exception("after the commit of %s", self.tool)


class Injected:
    """Marks a parameter that dispatch fills. It is not in the schema, so no client can send it.

    The SDK's `Resolve` adds 17 microseconds to a call and needs a session, which REST does not have. `fill` is awaited
    directly with the call and the validated arguments.
    """

    def __init__(
        self, fill: Callable[[Call, Mapping[str, Any]], Awaitable[Any]], fields: Sequence[Parameter] = ()
    ) -> None:
        self.fill = fill
        self.fields = tuple(fields)


async def _this_call(call: Call, _arguments: Mapping[str, Any]) -> Call:
    return call


async def _named_brand(call: Call, arguments: Mapping[str, Any]) -> Brand:
    workspace = await call.workspace()
    brand = await workspace.brands.find(arguments["brandId"])
    if brand is None:
        raise brand_not_found()
    return brand


async def _named_brand_if_any(call: Call, arguments: Mapping[str, Any]) -> Brand | None:
    return None if arguments["brandId"] is None else await _named_brand(call, arguments)


ThisCall: TypeAlias = Annotated[Call, Injected(_this_call)]
NamedBrand: TypeAlias = Annotated[Brand, Injected(_named_brand)]
NamedBrandIfAny: TypeAlias = Annotated[Brand | None, Injected(_named_brand_if_any)]
"""The brand that the tool's `brandId` names, or None when the caller omitted it."""
