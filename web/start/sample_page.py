"""Sample data for an empty workspace: one click, and a page that leads to the brand when its answers are there."""

from starlette.responses import Response

from web.request import PageRequest
from web.start.setup_brand import load_brand, setup_address


async def add_sample(request: PageRequest) -> Response:
    """Create the sample brand, and add its answers after the response; a workspace with brands stays as it is."""
    request.require_member()
    await request.read_form()
    company_id = request.signed_in.company_id
    if await request.workspace.brands.all():
        return request.redirect("/")
    sample = request.services.sample_data
    brand = await sample.add_brand(company_id)
    response = request.redirect(setup_address(brand.id, "sample"))
    request.services.deferred.begin_after(response, lambda: sample.add_answers(company_id, brand))
    return response


async def show_sample(request: PageRequest) -> Response:
    """Wait for the answers of the sample brand, and lead to its overview."""
    profile = await load_brand(request)
    runs = await request.call_tool("list_workflow_runs", limit=1)
    if runs and runs["total"]:
        return request.redirect(f"/brands/{profile['id']}")
    return request.render("start/sample.html", brand=profile["name"])
