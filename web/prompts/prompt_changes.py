"""Changes of prompts from their list: archive several, add tags to several, or set the tags of one."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.responses import Response

from web.automation.prompt_set_form import read_tags
from web.prompts.prompts_page import render_prompts
from web.request import MOST_SETS, PageRequest, ToolFault

FIELDS = ("text", "intent", "tags", "branded", "country", "language", "city")
CHOSEN = "prompt-"
"""Begins the name of each checkbox; the prompt's id follows."""

PromptChange = Callable[[dict[str, Any]], dict[str, Any] | None]
"""Returns a prompt as it is to be; None archives it."""


async def change_prompts(request: PageRequest) -> Response:
    """Change the chosen prompts in their sets and redirect to the list."""
    profile = await request.load_brand()
    typed = await request.read_form()
    chosen = {name.removeprefix(CHOSEN) for name in typed if name.startswith(CHOSEN)}
    change = _read_change(typed)
    if change is not None and chosen:
        fault = await _change_sets(request, profile["id"], chosen, change)
        if fault is not None:
            return await render_prompts(request, profile, fault)
    back = urlencode([*parse_qsl(typed.get("back", "")), ("saved", typed.get("do", ""))])
    return request.redirect(f"/brands/{profile['id']}/prompts?{back}")


def _read_change(typed: Mapping[str, str]) -> PromptChange | None:
    tags = read_tags(typed.get("tags", ""))
    changes: dict[str, PromptChange] = {
        "archive": lambda prompt: None,
        "tag": lambda prompt: {**prompt, "tags": list(dict.fromkeys([*prompt["tags"], *tags]))},
        "tags": lambda prompt: {**prompt, "tags": tags},
    }
    return changes.get(typed.get("do", ""))


async def _change_sets(
    request: PageRequest, brand_id: str, chosen: set[str], change: PromptChange
) -> ToolFault | None:
    """Store each set that has a chosen prompt. A set that loses all of its prompts is archived."""
    listed = await request.call_tool(
        "list_prompt_sets", brandId=brand_id, includePrompts=True, limit=MOST_SETS
    )
    sets: list[dict[str, Any]] = listed["promptSets"] if listed else []
    for known in sets:
        if chosen.isdisjoint(prompt["promptId"] for prompt in known["prompts"]):
            continue
        changed = (change(prompt) if prompt["promptId"] in chosen else prompt for prompt in known["prompts"])
        prompts = [
            {name: prompt[name] for name in FIELDS if prompt[name] is not None}
            for prompt in changed
            if prompt is not None
        ]
        arguments: dict[str, Any] = {"prompts": prompts} if prompts else {"archived": True}
        saved = await request.try_tool(
            "update_prompt_set", {"promptSetId": known["promptSetId"], **arguments}
        )
        if isinstance(saved, ToolFault):
            return saved
    return None
