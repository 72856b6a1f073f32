"""Tools as commands call them: through the one dispatcher, in the name of a company, whole."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from measurement.errors import UnknownName, WorkError
from measurement.planning.ask_plan import find_brand
from oauth.api_keys import EVERYTHING
from oauth.principal import Caller, Principal
from server.cli.option_groups import AnswerFilters
from server.service import Service
from storage.repositories.companies import Company
from storage.workspace import Workspace
from tools.calls.dispatch import Refusal

CALLS_A_MINUTE = 600
COMMANDS: Mapping[str, str] = {
    "create_brand_profile": "brand create",
    "get_run_status": "run status",
    "list_actions": "actions list",
    "list_answers": "answers list",
    "list_brand_profiles with includeArchived": "brand list --archived",
    "list_brand_profiles": "brand list",
    "list_prompt_sets": "prompts list",
    "list_workflow_runs": "run status",
    "update_brand_profile and archived false": "brand update --no-archived",
    "update_brand_profile": "brand update",
}
"""The command that does what a tool does, where there is one."""


def in_commands(hint: str) -> str:
    """Return a tool's hint with the names of commands in the place of those of tools."""
    for tool, command in COMMANDS.items():
        hint = hint.replace(tool, f"`seenby {command}`")
    return hint.replace("Call `seenby", "Run `seenby")


@dataclass(frozen=True, slots=True)
class ToolCaller:
    """Whoever may run commands here, at work for one company."""

    service: Service
    company: Company

    @property
    def _workspace(self) -> Workspace:
        return self.service.database.workspace(self.company.id)

    async def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Call a tool; what is None is not sent. Raises WorkError with the hint when it refuses."""
        sent = {name: value for name, value in arguments.items() if value is not None}
        caller = Caller(Principal(self.company.id, "command", EVERYTHING, CALLS_A_MINUTE), "command")
        outcome = await self.service.dispatcher.call(tool, sent, caller, whole=True)
        if isinstance(outcome, Refusal):
            raise WorkError(outcome.reason or outcome.message, in_commands(outcome.hint))
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
        return (await find_brand(self._workspace, name_or_id)).id

    async def prompt_set_id(self, name_or_id: str) -> str:
        """Return a prompt set's id. Raises UnknownName with the nearest names."""
        prompt_set = await self._workspace.prompt_sets.find(name_or_id)
        if prompt_set is None:
            known = await self._workspace.prompt_sets.active()
            raise UnknownName("prompt set", name_or_id, [known_set.name for known_set in known])
        return prompt_set.id
