"""Annotations of a brand's charts: added and removed on the overview, and exported."""

from datetime import date, timedelta

from starlette.responses import Response

from storage.repositories.annotations import Annotation
from web.errors import PageNotFound
from web.overview.overview_page import render_overview
from web.request import PageRequest
from web.table_export import table_response

MOST_ANNOTATIONS = 500
"""Annotations of a brand."""
LONGEST_TEXT = 200
FIRST_YEAR = 2000
PLANNED = timedelta(days=366)
"""How far ahead an annotation may be, such as a planned launch."""
COLUMNS = ("day", "annotation", "author")


async def add_annotation(request: PageRequest) -> Response:
    """Store an annotation and return to the chart, or show what is wrong at the fields."""
    brand, typed = await request.find_brand(), await request.read_form()
    text = " ".join(typed.get("text", "").split())
    day = _read_day(typed.get("day", ""), request.services.now().date())
    async with request.transaction() as workspace:
        fault = None
        if day is None:
            fault = "Enter a date since 2000 and at most a year from now."
        elif not text or len(text) > LONGEST_TEXT:
            fault = f"Enter a text of 1 to {LONGEST_TEXT} characters."
        elif len(await workspace.annotations.of_brand(brand.key)) >= MOST_ANNOTATIONS:
            fault = f"A brand has at most {MOST_ANNOTATIONS} annotations. Remove one first."
        else:
            author, now = request.signed_in.user_id, request.services.now()
            await workspace.annotations.add(brand.key, day, text, created_by=author, now=now)
    if fault is not None:
        return await render_overview(request, {"fault": fault, **typed})
    return _back_to_chart(request)


async def remove_annotation(request: PageRequest) -> Response:
    """Remove an annotation and return to the chart."""
    brand = await request.find_brand()
    await request.read_form()
    async with request.transaction() as workspace:
        if not await workspace.annotations.remove(brand.key, request.http.path_params["annotation_id"]):
            raise PageNotFound
    return _back_to_chart(request)


async def export_annotations(request: PageRequest) -> Response:
    """Export all annotations of a brand as CSV or JSON, oldest day first."""
    brand = await request.find_brand()
    rows = [_row_of(annotation) for annotation in await request.workspace.annotations.of_brand(brand.key)]
    return table_response(request.http.url.path, "annotations", COLUMNS, rows)


def _row_of(annotation: Annotation) -> tuple[str | None, ...]:
    return annotation.day.isoformat(), annotation.text, annotation.author


def _read_day(typed: str, today: date) -> date | None:
    try:
        day = date.fromisoformat(typed)
    except ValueError:
        return None
    return day if day.year >= FIRST_YEAR and day <= today + PLANNED else None


def _back_to_chart(request: PageRequest) -> Response:
    query = request.http.url.query
    brand_id = request.http.path_params["brand_id"]
    return request.redirect(f"/brands/{brand_id}{f'?{query}' if query else ''}#trend")
