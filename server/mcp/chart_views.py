"""The page that draws results inside a chat (MCP Apps): one file, served under an address that its content names."""

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from server.mcp.resources import ResourceContent, ResourceEntry

APP_MIME_TYPE: Final = "text/html;profile=mcp-app"
_FOLDER: Final = "ui://seenby/charts/"
_PAGE: Final = Path(__file__).parents[1] / "views" / "charts.html"
_META: Final[dict[str, Any]] = {
    "ui": {"csp": {"connectDomains": [], "resourceDomains": []}, "prefersBorder": True}
}
"""The page needs no network at all; hosts read this beside its content."""


@cache
def chart_page() -> str:
    """Return the page, read once."""
    return _PAGE.read_text(encoding="utf-8")


@cache
def chart_uri() -> str:
    """Return the page's address: another content has another one, because hosts keep what they have read."""
    return f"{_FOLDER}{sha256(chart_page().encode()).hexdigest()[:8]}.html"


class ChartViews:
    """Gives the page under its address, and under every former one that a host may have kept."""

    async def entries(self) -> Sequence[ResourceEntry]:
        """Name the page."""
        return [
            ResourceEntry(
                uri=chart_uri(),
                name="charts",
                title="Charts",
                description="Draws scores, rankings, trends, prompts and comparisons inside the chat.",
                mime_type=APP_MIME_TYPE,
                meta=_META,
            )
        ]

    async def read(self, uri: str) -> ResourceContent | None:
        """Return the page."""
        if not (uri.startswith(_FOLDER) and uri.endswith(".html")):
            return None
        return ResourceContent(chart_page(), APP_MIME_TYPE, _META)
