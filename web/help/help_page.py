"""The pages of the guide, their Markdown, and llms.txt, which lists them for models."""

from starlette.responses import PlainTextResponse, Response

from web.errors import PageNotFound
from web.help.guide import INDEX, NAME, GuidePage, guide_pages
from web.request import PageRequest

SUMMARY = (
    "seenby measures how AI engines present a brand: it asks them what buyers ask, keeps every answer, and "
    "computes scores that open into the sentences they came from."
)


async def show_help(request: PageRequest) -> Response:
    """Serve the index of the guide."""
    return _render(request, INDEX)


async def show_help_page(request: PageRequest) -> Response:
    """Serve one page of the guide. Raises PageNotFound."""
    return _render(request, request.http.path_params["page"])


async def serve_markdown(request: PageRequest) -> Response:
    """Serve one page as it was written. Raises PageNotFound."""
    page = _find(request.http.path_params["page"])
    return PlainTextResponse(page.markdown, headers={"Content-Type": "text/markdown; charset=utf-8"})


async def serve_llms_text(request: PageRequest) -> Response:
    """Serve what there is to read here, as llmstxt.org has it."""
    base_url = request.services.base_url
    lines = [
        "# seenby",
        "",
        f"> {SUMMARY}",
        "",
        f"Agents connect over MCP at {base_url}/mcp, programs over REST: {base_url}/api/mcp-app/openapi.json.",
        "",
        "## Guide",
        "",
        *(
            f"- [{page.title}]({base_url}/help/{name}.md)"
            for name, page in guide_pages().items()
            if name != INDEX
        ),
    ]
    return PlainTextResponse("\n".join(lines) + "\n")


def _render(request: PageRequest, name: str) -> Response:
    page = _find(name)
    contents = [(other, known.title) for other, known in guide_pages().items() if other != INDEX]
    return request.render("help/help.html", name=name, guide_page=page, contents=contents)


def _find(name: str) -> GuidePage:
    page = guide_pages().get(name) if name == INDEX or NAME.fullmatch(name) else None
    if page is None:
        raise PageNotFound
    return page
