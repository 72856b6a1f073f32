"""A text or draft as a file to be taken along: Markdown or HTML."""

from starlette.responses import Response

from web.content.content_page import load_brand
from web.errors import PageNotFound
from web.request import PageRequest
from web.templates import HEADERS
from workflows.publishing.documents import export_item

ENDINGS = {".md": "markdown", ".html": "html"}


async def export_text(request: PageRequest) -> Response:
    """Return a text in the format that the address ends with; a viewer may, as of everything that can be read."""
    profile = await load_brand(request)
    path = request.http.url.path
    form = next(form for ending, form in ENDINGS.items() if path.endswith(ending))
    workspace = request.services.database.workspace(request.signed_in.company_id)
    brand = await workspace.brands.find(profile["id"])
    item = (
        await workspace.repository_items.find(brand.key, request.http.path_params["item_id"])
        if brand
        else None
    )
    if brand is None or item is None:
        raise PageNotFound
    document = await export_item(workspace, brand, item, form)
    # It is stored, never opened here: neither as a page of this site nor as anything that a browser guesses.
    headers = {**HEADERS, "Content-Disposition": f'attachment; filename="{document.name}"'}
    headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return Response(
        document.content.encode(), media_type=f"{document.media_type}; charset=utf-8", headers=headers
    )
