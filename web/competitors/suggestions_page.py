"""Names that answers put beside a brand, to be tracked as competitors or dismissed."""

from starlette.responses import Response

from measurement.errors import ChangeRefused
from measurement.planning.competitor_suggestions import Suggested, suggested, track, uses_of
from measurement.planning.competitor_suggestions import dismiss as dismiss_suggestion
from storage.repositories.brands import Brand
from storage.repositories.suggestions import Suggestion
from web.errors import PageNotFound
from web.request import PageRequest
from web.view_filters import count_pages, parse_page_number

PAGE_SIZE = 50


async def show_suggestions(request: PageRequest) -> Response:
    """List the suggestions with what they rest on."""
    brand = await request.find_brand()
    return _render_suggestions(request, brand, await _load_suggestions(request, brand))


async def show_uses(request: PageRequest) -> Response:
    """List every answer that ranks a suggested name, or those of them that name the brand as well."""
    brand, suggestion = await _find_suggestion(request)
    workspace = request.workspace
    uses = await uses_of(workspace, brand, suggestion)
    asked = request.http.query_params
    number, beside = parse_page_number(asked.get("page")), asked.get("beside") == "1"
    shown = [use for use in uses if use.answer.names_brand or not beside]
    return request.render(
        "competitors/suggestion.html",
        brand=brand,
        suggestion=suggestion,
        beside=beside,
        total=len(shown),
        questions=len({use.answer.prompt for use in shown}),
        uses=shown[(number - 1) * PAGE_SIZE : number * PAGE_SIZE],
        number=number,
        pages=count_pages(len(shown), PAGE_SIZE),
    )


async def track_competitor(request: PageRequest) -> Response:
    """Track a name as a competitor."""
    await request.read_form()
    brand, suggestion = await _find_suggestion(request)
    try:
        await track(request.database, request.signed_in.company_id, brand, suggestion, request.services.now())
    except ChangeRefused as refused:
        return _render_suggestions(request, brand, await _load_suggestions(request, brand), refused)
    return request.redirect(f"/brands/{brand.id}/suggestions")


async def dismiss_name(request: PageRequest) -> Response:
    """Dismiss a name for good."""
    await request.read_form()
    brand, suggestion = await _find_suggestion(request)
    await dismiss_suggestion(
        request.database, request.signed_in.company_id, suggestion, request.services.now()
    )
    return request.redirect(f"/brands/{brand.id}/suggestions")


async def _load_suggestions(request: PageRequest, brand: Brand) -> Suggested:
    return await suggested(
        request.services.database, request.signed_in.company_id, brand, request.services.now()
    )


async def _find_suggestion(request: PageRequest) -> tuple[Brand, Suggestion]:
    """Return the brand and the suggestion of the address. Raises PageNotFound."""
    brand = await request.find_brand()
    workspace = request.workspace
    suggestion_id = request.http.path_params["suggestion_id"]
    for suggestion in await workspace.suggestions.of_brand(brand.key):
        if suggestion.id == suggestion_id and suggestion.state != "confirmed":
            return brand, suggestion
    raise PageNotFound


def _render_suggestions(
    request: PageRequest, brand: Brand, listed: Suggested, refused: ChangeRefused | None = None
) -> Response:
    """Return the page, with the reason where a name could not be tracked."""
    return request.render(
        "competitors/suggestions.html",
        400 if refused else 200,
        brand=brand,
        suggested=listed.of("suggested"),
        dismissed=listed.of("dismissed"),
        answers=listed.answers,
        refused=refused,
    )
