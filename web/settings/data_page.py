"""The page of a company's data: everything that was told and measured as a file, of the company or of one brand."""

import json
from collections.abc import AsyncIterator

from starlette.responses import Response, StreamingResponse

from measurement.imports.archives import archive_records
from web.errors import PageNotFound
from web.request import PageRequest
from web.templates import HEADERS


async def show_data(request: PageRequest) -> Response:
    """Show what can be taken away, and how."""
    workspace = request.services.database.workspace(request.signed_in.company_id)
    return request.render("settings/data.html", brands=await workspace.brands.all())


async def export_everything(request: PageRequest) -> Response:
    """Send every record of the company, or of the brand of the address, as lines of JSON; owners only."""
    request.require_owner()
    workspace = request.services.database.workspace(request.signed_in.company_id)
    wanted = request.http.query_params.get("brand")
    brand = await workspace.brands.find(wanted) if wanted else None
    if wanted and brand is None:
        raise PageNotFound
    records = archive_records(workspace, request.signed_in.company_name, brand, request.services.now)

    async def lines() -> AsyncIterator[bytes]:
        async for record in records:
            yield json.dumps(record, ensure_ascii=False).encode() + b"\n"

    name = f"seenby-{'brand' if brand else 'company'}-{request.services.now().date().isoformat()}.jsonl"
    headers = {**HEADERS, "Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(lines(), headers=headers, media_type="application/x-ndjson")
