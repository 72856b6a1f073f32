"""The page of a company's data: everything as a file, of the company or of one brand, and the deletion of both."""

import json
from collections.abc import AsyncIterator

from starlette.responses import Response, StreamingResponse

from measurement.errors import ChangeRefused
from measurement.imports.archives import archive_records
from storage.repositories.brands import Brand
from storage.workspace import Workspace
from web.errors import PageNotFound
from web.request import PageRequest, ToolFault
from web.templates import HEADERS
from workflows.brand_deletion import GRACE, keep_brand, plan_deletion
from workflows.company_deletion import keep_company, plan_company_deletion

WORKSPACE = "workspace"
"""What is at fault where no brand is."""


async def show_data(request: PageRequest) -> Response:
    """Show what can be taken away or deleted, and how."""
    return await _render_data(request)


async def delete_brand(request: PageRequest) -> Response:
    """Have a brand deleted after the grace, if its name was typed; owners only."""
    request.require_owner()
    typed = await request.read_form()
    try:
        async with request.transaction() as writing:
            brand = await _find_brand(request, writing)
            await plan_deletion(writing, brand, typed.get("name", ""), request.services.now())
    except ChangeRefused as refused:
        fault = ToolFault.of(str(refused))
        return await _render_data(request, request.http.path_params["brand_id"], fault.words)
    return request.redirect("/settings/data?planned=1#delete")


async def delete_workspace(request: PageRequest) -> Response:
    """Have the whole company deleted after the grace, if its name was typed; owners only."""
    request.require_owner()
    typed = await request.read_form()
    person = request.signed_in
    try:
        async with request.database.transaction(person.company_id) as writing:
            name, now = typed.get("name", ""), request.services.now()
            await plan_company_deletion(writing, person.company_name, name, now)
    except ChangeRefused as refused:
        return await _render_data(request, WORKSPACE, ToolFault.of(str(refused)).words)
    return request.redirect("/settings/data?planned=1#delete-workspace")


async def keep_workspace(request: PageRequest) -> Response:
    """Take the deletion of the company back while there is time; owners only."""
    request.require_owner()
    await request.read_form()
    person = request.signed_in
    async with request.database.transaction(person.company_id) as writing:
        is_kept = await keep_company(writing, person.company_name, request.services.now())
    if not is_kept:
        return await _render_data(request, WORKSPACE, "Its time is over: the deletion has begun.")
    return request.redirect("/settings/data?kept=1#delete-workspace")


async def keep_deleted_brand(request: PageRequest) -> Response:
    """Take a deletion back while there is time; owners only."""
    request.require_owner()
    await request.read_form()
    async with request.transaction() as writing:
        brand = await _find_brand(request, writing)
        is_kept = await keep_brand(writing, brand, request.services.now())
    if not is_kept:
        return await _render_data(request, brand.id, "Its time is over: the deletion has begun.")
    return request.redirect("/settings/data?kept=1#delete")


async def _find_brand(request: PageRequest, workspace: Workspace) -> Brand:
    """Return the brand of the address. Raises PageNotFound."""
    brand = await workspace.brands.find(request.http.path_params["brand_id"])
    if brand is None:
        raise PageNotFound
    return brand


async def _render_data(
    request: PageRequest, at_fault: str | None = None, fault: str | None = None
) -> Response:
    workspace = request.workspace
    query = request.http.query_params
    return request.render(
        "settings/data.html",
        422 if fault else 200,
        brands=await workspace.brands.all(),
        at_fault=at_fault,
        company=request.signed_in.company_name,
        company_delete_at=await workspace.company_deletion.planned(),
        fault=fault,
        grace_days=GRACE.days,
        planned=query.get("planned") == "1",
        kept=query.get("kept") == "1",
    )


async def export_everything(request: PageRequest) -> Response:
    """Send every record of the company, or of the brand of the address, as lines of JSON; owners only."""
    request.require_owner()
    workspace = request.workspace
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
