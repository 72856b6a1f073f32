"""The operator's own pages: privacy policy, terms and support."""

from collections.abc import Mapping
from typing import Final

from starlette.responses import Response

from web.errors import PageNotFound
from web.help.guide import rendered_page
from web.request import PageRequest

TITLES: Final[Mapping[str, str]] = {"privacy": "Privacy", "terms": "Terms", "support": "Support"}
"""Each page by its path, which is also the name of its setting."""


async def show_policy(request: PageRequest) -> Response:
    """Show the page that the operator wrote. Raises PageNotFound where there is none."""
    text = request.services.policies.get(request.http.url.path.strip("/"))
    if text is None:
        raise PageNotFound
    return request.render("help/policy.html", policy=rendered_page(text))
