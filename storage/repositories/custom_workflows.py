"""Workflows that a company made itself: the one in force, every version before, and archived ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, insert, select, update

from storage.errors import DuplicateRow
from storage.queries import Query
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.custom_workflows import custom_workflow_versions, custom_workflows


@dataclass(frozen=True, slots=True)
class CustomWorkflow:
    """One workflow of a company as it is now; `workflow` is its id, `definition` what is stored of its version."""

    key: int
    workflow: str
    version: int
    definition: Mapping[str, Any]
    archived_at: datetime | None
    created_at: datetime
    updated_at: datetime


OURS = custom_workflows.c.company_id == bindparam("company_id")
IS_ACTIVE = custom_workflows.c.archived_at.is_(None)
CURRENT = (
    select(*row_columns(CustomWorkflow, custom_workflows, definition=custom_workflow_versions.c.definition))
    .join(
        custom_workflow_versions,
        (custom_workflow_versions.c.workflow_key == custom_workflows.c.key)
        & (custom_workflow_versions.c.version == custom_workflows.c.version),
    )
    .where(OURS)
)
BY_ID = Query(CURRENT.where(custom_workflows.c.workflow == bindparam("workflow")), CustomWorkflow)
ALL = Query(CURRENT.order_by(custom_workflows.c.workflow), CustomWorkflow)
ACTIVE = Query(CURRENT.where(IS_ACTIVE).order_by(custom_workflows.c.workflow), CustomWorkflow)
ACTIVE_COUNT = Query(select(func.count()).select_from(custom_workflows).where(OURS, IS_ACTIVE), int)


class CustomWorkflowRepository(Repository):
    """The workflows that one company made."""

    async def find(self, workflow: str) -> CustomWorkflow | None:
        """Return the workflow of an id, archived or not."""
        return await self._first(BY_ID, workflow=workflow)

    async def all(self) -> list[CustomWorkflow]:
        """Return every workflow by its id, archived ones too."""
        return await self._all(ALL)

    async def active(self) -> list[CustomWorkflow]:
        """Return the workflows that can be started, by their ids."""
        return await self._all(ACTIVE)

    async def count_active(self) -> int:
        """Return how many workflows can be started."""
        return await self._first(ACTIVE_COUNT) or 0

    async def create(self, workflow: str, definition: Mapping[str, Any], now: datetime) -> None:
        """Store a workflow as its version 1. Raises DuplicateRow when the id is taken."""
        if await self.find(workflow) is not None:
            raise DuplicateRow("workflow", workflow)
        own = {"company_id": self.company_id, "created_at": now}
        key = await self._insert(
            insert(custom_workflows), {**own, "workflow": workflow, "version": 1, "updated_at": now}
        )
        await self._save_version(key, 1, definition, now)

    async def change(self, known: CustomWorkflow, definition: Mapping[str, Any], now: datetime) -> None:
        """Store another version; the same definition is the same version."""
        if definition == known.definition:
            return
        await self._update(known.key, {"version": known.version + 1, "updated_at": now})
        await self._save_version(known.key, known.version + 1, definition, now)

    async def archive(self, known: CustomWorkflow, archived_at: datetime | None, now: datetime) -> None:
        """Put a workflow away, or bring it back with None; its versions stay."""
        await self._update(known.key, {"archived_at": archived_at, "updated_at": now})

    async def _update(self, key: int, values: Mapping[str, Any]) -> None:
        row = (custom_workflows.c.key == key) & (custom_workflows.c.company_id == self.company_id)
        await self._write(update(custom_workflows).where(row).values(values))

    async def _save_version(
        self, key: int, version: int, definition: Mapping[str, Any], now: datetime
    ) -> None:
        row = {"workflow_key": key, "version": version, "company_id": self.company_id, "created_at": now}
        await self._write(insert(custom_workflow_versions), {**row, "definition": dict(definition)})
