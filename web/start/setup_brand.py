"""The brand that is being set up, and its questions as far as they are stored."""

from typing import Any
from urllib.parse import urlencode

from web.errors import PageNotFound
from web.request import PageRequest

PROMPT_SET_NAME = "Questions buyers ask about the market of {brand}"


async def load_brand(request: PageRequest) -> dict[str, Any]:
    """Return the profile of the brand in the address. Raises PageNotFound, and ReadOnly for a viewer."""
    request.require_member()
    profile = await request.call_tool("get_brand_profile", brandId=request.http.path_params["brand_id"])
    if profile is None:
        raise PageNotFound
    return profile


async def find_prompt_set(request: PageRequest, brand_id: str) -> dict[str, Any] | None:
    """Return the brand's own first prompt set with its questions, or None before there is one."""
    listed = await request.call_tool("list_prompt_sets", brandId=brand_id, includePrompts=True)
    for prompt_set in listed["promptSets"] if listed else ():
        if prompt_set["brandId"] == brand_id:
            return prompt_set
    return None


def setup_address(brand_id: str, step: str, **words: str) -> str:
    """Return the address of a step, with words that later steps need."""
    parameters = {name: value for name, value in words.items() if value}
    return f"/start/{brand_id}/{step}" + (f"?{urlencode(parameters)}" if parameters else "")
