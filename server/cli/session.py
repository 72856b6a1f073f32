"""The session of a command: settings, database, company and output, opened before it runs and closed after it.

`@command(app, name)` declares a coroutine that takes a Session as a command, with `--company` and `--json`.
"""

import asyncio
import inspect
import logging
import os
import signal
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import wraps
from inspect import Parameter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, Final, NoReturn, ParamSpec, TypeAlias

import typer

if TYPE_CHECKING:
    from measurement.publication.publish import Publisher
    from server.cli.output import Output
    from server.service import Service
    from server.settings import Settings
    from storage.database import Database
    from storage.repositories.brands import Brand
    from storage.repositories.companies import Company
    from storage.repositories.prompt_sets import PromptSet
    from storage.workspace import Workspace

WRITING_MEGABYTES, READING_MEGABYTES = 4, 1
"""Database caches of a command, which reads what it needs once."""
EVENTS: Final = "seenby.events"
LISTED_COMPANIES = 10

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
CompanyOption = Annotated[
    str | None, typer.Option(envvar="SEENBY_COMPANY", help="Name or id. Optional with a single company.")
]
OneBrand = Annotated[str, typer.Option(help="Name or id.")]
AnyBrand = Annotated[str | None, typer.Option(help="Name or id. All brands by default.")]
AllowedHosts = Annotated[
    list[str] | None, typer.Option(help="host:port that may be visited at any address, for tests.")
]
OutFile = Annotated[
    Path | None, typer.Option(help="File to write. Standard output by default.", dir_okay=False)
]

Arguments = ParamSpec("Arguments")


@dataclass(frozen=True, slots=True)
class Session:
    """What a command works with."""

    settings: "Settings"
    database: "Database"
    output: "Output"
    opened: "Service | None" = None
    owner: "Company | None" = None

    @property
    def service(self) -> "Service":
        """The service, of a command that opens it."""
        assert self.opened is not None
        return self.opened

    @property
    def company(self) -> "Company":
        """The company that the command works for."""
        assert self.owner is not None
        return self.owner

    @property
    def workspace(self) -> "Workspace":
        """The company's rows, for reading."""
        return self.database.workspace(self.company.id)

    def transaction(self) -> "AbstractAsyncContextManager[Workspace]":
        """Open a transaction that writes the company's rows."""
        return self.database.transaction(self.company.id)

    async def brand(self, name_or_id: str) -> "Brand":
        """Find a brand. Raises UnknownName."""
        from measurement.planning.brand_identity import find_brand

        return await find_brand(self.workspace, name_or_id)

    async def brands(self, name_or_id: str | None) -> "Sequence[Brand]":
        """Return the named brand, or all brands. Raises UnknownName."""
        return [await self.brand(name_or_id)] if name_or_id else await self.workspace.brands.all()

    @property
    def publisher(self) -> "Publisher":
        """The publisher for a command that asks no engine and only knows which ones are configured."""
        from engines.registry import Registry
        from measurement.planning.clock import utc_now
        from measurement.publication.publish import Publisher
        from measurement.publication.receipt_seal import ReceiptSigner

        configured = Registry(self.settings.engines).configured_platforms
        return Publisher(self.database, configured, utc_now, ReceiptSigner(self.settings.receipt_keys))


Work: TypeAlias = Callable[Concatenate[Session, Arguments], Awaitable[int | None]]


def command(
    app: typer.Typer | None = None,
    name: str | None = None,
    *,
    service: bool = False,
    company: bool = True,
    as_json: bool = True,
) -> Callable[[Work[Arguments]], Work[Arguments]]:
    """Declare a coroutine as a command, in a group or as its attribute `command`; its result is the exit code.

    `service` opens the whole service where the database alone is opened otherwise, `company` adds `--company`, and
    `as_json` adds `--json`.
    """
    shared: list[Parameter] = []
    if company:
        shared.append(keyword("company", CompanyOption, None))
    if as_json:
        shared.append(keyword("as_json", JsonOption, False))

    def declare(work: Work[Arguments]) -> Work[Arguments]:
        @wraps(work)
        def run(**options: Any) -> NoReturn:
            json_wanted, owner = options.pop("as_json", False), options.pop("company", None)

            async def in_company(session: Session) -> int | None:
                if company:
                    session = replace(session, owner=await find_company(session.database, owner))
                return await work(session, **options)  # pyright: ignore[reportCallIssue]  # Typer read its signature

            run_command(json_wanted, in_company, service=service)

        own = [*inspect.signature(work).parameters.values()][1:]
        parameters = [*(parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in own), *shared]
        run.__dict__["__signature__"] = inspect.Signature(parameters)
        if app is None:
            work.__dict__["command"] = run
        else:
            app.command(name)(run)
        return work

    return declare


def keyword(name: str, annotation: Any, default: object) -> Parameter:
    """Return a parameter that Typer reads as an option."""
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def run_command(
    as_json: bool,
    work: Callable[[Session], Awaitable[int | None]],
    *,
    service: bool = False,
    logs: bool = False,
) -> NoReturn:
    """Open what a command needs, run it, close everything and exit with its code.

    A process that `logs` runs until it is stopped and has the log of a server.
    """
    settings, output = read_settings(as_json, logs=logs)
    if not logs:
        print_warnings_once()

    async def run() -> int:
        current = asyncio.current_task()
        assert current is not None
        with suppress(NotImplementedError):  # Windows has no such handlers
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, current.cancel)
        async with open_session(settings, output, service=service) as session:
            return await work(session) or 0

    try:
        code = asyncio.run(run())
    except (KeyboardInterrupt, asyncio.CancelledError) as stopped:
        output.say("Stopped. Stored data is kept; run the same command to continue.")
        code = 130 if isinstance(stopped, KeyboardInterrupt) else 143  # as a shell reports SIGINT and SIGTERM
    raise typer.Exit(code)


@asynccontextmanager
async def open_session(settings: "Settings", output: "Output", *, service: bool) -> AsyncGenerator[Session]:
    """Open the database, or the whole service: engines and scanner are loaded only with it."""
    if service:
        from server.service import open_service

        async with open_service(settings) as opened:
            yield Session(settings, opened.database, output, opened)
        return
    from server.database import open_database
    from storage.engines import CacheMegabytes

    cache = CacheMegabytes(WRITING_MEGABYTES, READING_MEGABYTES)
    async with open_database(settings, cache=cache) as database:
        yield Session(settings, database, output)


def read_settings(as_json: bool, *, logs: bool = False) -> "tuple[Settings, Output]":
    """Read the settings and make the output; notes about the settings are printed first.

    A process that `logs` has its log set up; with a JSON log its messages are lines of that log.
    """
    from server.cli.output import Output
    from server.settings import Settings

    output = Output(as_json)
    settings = Settings.from_environ(os.environ)
    if logs:
        from server.logs import configure_logging

        configure_logging(settings.log_format, batched=True)
        output.logger = logging.getLogger("seenby") if settings.log_format == "json" else None
    for note in settings.notes:
        output.say(note)
    return settings, output


async def find_company(database: "Database", name_or_id: str | None) -> "Company":
    """Find a company; without a name, the only one. Raises UnknownName or WorkError."""
    from measurement.errors import UnknownName, WorkError

    companies = await database.operators.companies.all()
    if name_or_id is None:
        if len(companies) == 1:
            return companies[0]
        if not companies:
            raise WorkError(
                "There is no company yet.",
                "Create one with seenby init, or with seenby company create NAME --email EMAIL.",
            )
        names = ", ".join(company.name for company in companies[:LISTED_COMPANIES])
        more = f" and {len(companies) - LISTED_COMPANIES} more" if len(companies) > LISTED_COMPANIES else ""
        raise WorkError(
            f"There are several companies: {names}{more}.", "Choose one with --company or SEENBY_COMPANY."
        )
    alike = [known for known in companies if known.name.casefold() == name_or_id.strip().casefold()]
    if len(alike) > 1:
        raise WorkError(
            f"Several companies are named {alike[0].name}.",
            f"Use an id: {', '.join(known.id for known in alike[:LISTED_COMPANIES])}.",
        )
    company = await database.operators.companies.find(name_or_id)
    if company is None:
        raise UnknownName("company", name_or_id, [known.name for known in companies])
    return company


async def find_prompt_set(workspace: "Workspace", name_or_id: str) -> "PromptSet":
    """Find a prompt set. Raises UnknownName."""
    from measurement.errors import UnknownName

    found = await workspace.prompt_sets.find(name_or_id)
    if found is None:
        known = await workspace.prompt_sets.active()
        raise UnknownName("prompt set", name_or_id, [prompt_set.name for prompt_set in known])
    return found


def print_warnings_once() -> None:
    """Print warnings as plain lines on standard error, each text once: an engine that is down warns for each prompt."""
    printed: set[str] = set()

    def is_new(record: logging.LogRecord) -> bool:
        text = record.getMessage()
        if record.name == EVENTS or text in printed:
            return False
        printed.add(text)
        return True

    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(logging.WARNING)
    handler.addFilter(is_new)
    logging.getLogger().handlers[:] = [handler]
