"""Tools as commands call them: through the one dispatcher, in the name of a company, whole."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from measurement.errors import UnknownName, WorkError
from measurement.planning.brand_identity import find_brand
from oauth.api_keys import EVERYTHING
from oauth.principal import Caller, Principal
from server.cli.option_groups import AnswerFilters
from server.cli.tool_words import in_commands
from server.settings import Settings
from storage.database import Database
from storage.repositories.companies import Company
from storage.workspace import Workspace
from tools.calls.call import WorkspaceOpener
from tools.calls.dispatch import Dispatcher, Refusal
from tools.calls.rate_limits import MemoryWindows, RateLimits
from tools.calls.table import ToolTable

if TYPE_CHECKING:
    from server.service import Service

CALLS_A_MINUTE = 600
FAMILIES: Mapping[str, str] = {
    "get_answer": "one_answer",
    "list_answers": "answers",
    "get_citations": "citations",
    "compare_periods": "period_comparison",
    "list_actions": "actions",
    "update_action": "actions",
    "list_prompt_sets": "prompt_sets",
    "get_brand_snapshot": "snapshots",
    "list_workflow_runs": "runs",
    "get_run_status": "runs",
}
"""The module in `tools/` of each tool that a command calls without the whole service."""


@dataclass(frozen=True, slots=True)
class NamedEngines:
    """The engines that can be asked, loaded by a tool that wants their names."""

    settings: Settings
    database: Database

    async def platforms(self, company_id: str) -> Sequence[str]:
        """Return every platform that can be asked for a company, with the server's key or its own."""
        from engines.registry import Registry
        from measurement.planning.engine_keys import EngineKeys
        from oauth.sealing import Seal

        former = self.settings.former_secret_key
        seal = Seal(self.settings.secret_key, (former,) if former else ())
        return await EngineKeys(self.database, Registry(self.settings.engines), seal).platforms(company_id)


@dataclass(frozen=True, slots=True)
class ToolCaller:
    """Whoever may run commands here, at work for one company: with the whole service, or a database alone."""

    settings: Settings
    database: Database
    company: Company
    opened: "Service | None" = None

    @property
    def service(self) -> "Service":
        """The whole service. Raises RuntimeError when the command did not open it."""
        if self.opened is None:
            raise RuntimeError("this command opened no service")
        return self.opened

    @property
    def workspace(self) -> Workspace:
        """Everything of the company, to be read."""
        return self.database.workspace(self.company.id)

    def _dispatcher(self, tool: str) -> Dispatcher:
        """The service's, or one that knows the tools of one module and no more."""
        if self.opened is not None:
            return self.opened.dispatcher
        family = import_module(f"tools.{FAMILIES[tool]}").family
        opener, limits = WorkspaceOpener(self.database), RateLimits(MemoryWindows())
        return Dispatcher(
            ToolTable([family]), limits, opener, engines=NamedEngines(self.settings, self.database)
        )

    async def call(
        self, tool: str, /, as_written: Collection[str] = (), cleared: Collection[str] = (), **arguments: Any
    ) -> dict[str, Any]:
        """Call a tool; what is None is not sent, but for `cleared` fields, which are sent as null.

        Raises WorkError with the hint when it refuses.

        A refusal speaks of options, but of fields that a file gave in the tool's names, `as_written`, by these.
        """
        sent = {name: value for name, value in arguments.items() if value is not None}
        sent |= dict.fromkeys(cleared)
        caller = Caller(Principal(self.company.id, "command", EVERYTHING, CALLS_A_MINUTE), "command")
        dispatcher = self._dispatcher(tool)
        outcome = await dispatcher.call(tool, sent, caller, whole=True)
        if isinstance(outcome, Refusal):
            fields = dispatcher.table[tool].input_schema["properties"]
            said = outcome.reason or outcome.message
            raise WorkError(*in_commands(tool, said, outcome.hint, fields, as_written))
        return json.loads(outcome.body)

    async def ask_about(
        self, tool: str, brand: str, filters: AnswerFilters, choice: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Call a tool about a brand's answers, with brand and prompt set by name. Raises UnknownName or WorkError."""
        brand_id = await self.brand_id(brand)
        set_id = await self.prompt_set_id(filters.prompt_set) if filters.prompt_set else None
        return await self.call(tool, brandId=brand_id, promptSetId=set_id, **filters.arguments(), **choice)

    async def brand_id(self, name_or_id: str) -> str:
        """Return a brand's id. Raises UnknownName with the nearest names."""
        return (await find_brand(self.workspace, name_or_id)).id

    async def prompt_set_id(self, name_or_id: str) -> str:
        """Return a prompt set's id. Raises UnknownName with the nearest names."""
        prompt_set = await self.workspace.prompt_sets.find(name_or_id)
        if prompt_set is None:
            known = await self.workspace.prompt_sets.active()
            raise UnknownName("prompt set", name_or_id, [known_set.name for known_set in known])
        return prompt_set.id
