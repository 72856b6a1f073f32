"""Holds what an agent shall be set to against the rules of its kind."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from engines.registry import Registry
from measurement.errors import ChangeRefused, Missing
from measurement.file_faults import first_fault
from measurement.planning.prompt_sets import known_platforms
from storage.workspace import Workspace
from workflows.configurations import shown_settings, stored_configuration
from workflows.definitions import offered


async def valid_configuration(
    workspace: Workspace, engines: Registry, kind_name: str, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a configuration as it is stored, in its normal form. Raises ChangeRefused with the field, or Missing."""
    kind = offered().get(kind_name)
    if kind is None or kind.configuration is None:
        raise ChangeRefused(f"kind: {kind_name} is not offered any more", "Send another kind.")
    model = kind.configuration
    try:
        settings = shown_settings(model.model_validate(given, strict=True))
    except ValidationError as error:
        names = ", ".join(model.model_fields)
        hint = f"{kind_name} can be set: {names}." if names else f"{kind_name} cannot be set: send {{}}."
        raise ChangeRefused(f"configuration.{first_fault(error)}", hint) from error
    if "platforms" in settings:
        settings["platforms"] = list(known_platforms(settings["platforms"], engines))
    if "promptSetId" in settings:
        prompt_set = await workspace.prompt_sets.listed(settings["promptSetId"])
        if prompt_set is None:
            raise Missing("prompt set")
        settings["promptSetId"] = prompt_set.set.id
    return stored_configuration(model.model_validate(settings))
