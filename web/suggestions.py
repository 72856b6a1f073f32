"""Names that answers put beside a brand, to be tracked as competitors or dismissed."""

from starlette.responses import Response

from storage.repositories.brands import Brand
from storage.repositories.suggestions import Suggestion
from web.errors import NotHere
from web.visit import Visit
from workflows.errors import ChangeRefused
from workflows.suggestions import Suggested, dismiss, suggested, track


async def suggestions(visit: Visit) -> Response:
    """List the suggestions with what they rest on."""
    brand = await named_brand(visit)
    return show(visit, brand, await found(visit, brand))


async def confirm(visit: Visit) -> Response:
    """Track a name as a competitor."""
    await visit.fields()
    brand, suggestion = await decided(visit)
    try:
        await track(visit.site.database, visit.signed.company_id, brand, suggestion, visit.site.now())
    except ChangeRefused as refused:
        return show(visit, brand, await found(visit, brand), refused)
    return visit.go(f"/brands/{brand.id}/suggestions")


async def turn_down(visit: Visit) -> Response:
    """Dismiss a name for good."""
    await visit.fields()
    brand, suggestion = await decided(visit)
    await dismiss(visit.site.database, visit.signed.company_id, suggestion, visit.site.now())
    return visit.go(f"/brands/{brand.id}/suggestions")


async def named_brand(visit: Visit) -> Brand:
    """Return the brand of the address. Raises NotHere for nobody's and another company's alike."""
    workspace = visit.site.database.workspace(visit.signed.company_id)
    brand = await workspace.brands.find(visit.request.path_params["brand_id"])
    if brand is None:
        raise NotHere
    return brand


async def found(visit: Visit, brand: Brand) -> Suggested:
    """Return the suggestions of a brand."""
    return await suggested(visit.site.database, visit.signed.company_id, brand, visit.site.now())


async def decided(visit: Visit) -> tuple[Brand, Suggestion]:
    """Return the brand and the suggestion of the address. Raises NotHere."""
    brand = await named_brand(visit)
    workspace = visit.site.database.workspace(visit.signed.company_id)
    wanted = visit.request.path_params["suggestion_id"]
    for one in await workspace.suggestions.of_brand(brand.key):
        if one.id == wanted and one.state != "confirmed":
            return brand, one
    raise NotHere


def show(visit: Visit, brand: Brand, listed: Suggested, refused: ChangeRefused | None = None) -> Response:
    """Return the page, with the reason where a name could not be tracked."""
    return visit.page(
        "suggestions.html",
        400 if refused else 200,
        brand=brand,
        suggested=listed.of("suggested"),
        dismissed=listed.of("dismissed"),
        answers=listed.answers,
        refused=refused,
    )
