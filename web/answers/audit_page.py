"""The page of the matching audit: a sample to label one answer after another, and what the labels say."""

from starlette.responses import Response

from measurement.errors import ChangeRefused
from measurement.statistics.matching_audits import add_label, draw_sample, newest, summarize
from storage.repositories.brands import Brand
from tools.calls.wire import harmless
from web.errors import InvalidForm
from web.layout.text_blocks import TextPart, lay_out
from web.request import PageRequest

SAMPLE_SIZE = 50
LONGEST_TEXT = 20_000
TONES = ("positive", "neutral", "negative")


async def show_audit(request: PageRequest) -> Response:
    """Show the next answer to label, and the report so far."""
    return await _render_audit(request, await request.find_brand())


async def draw_audit(request: PageRequest) -> Response:
    """Draw a new sample; the labels of the former one stay stored."""
    await request.read_form()
    brand = await request.find_brand()
    services = request.services
    seed = int(services.now().timestamp())
    try:
        await draw_sample(
            request.database, request.signed_in.company_id, brand, SAMPLE_SIZE, seed, services.now()
        )
    except ChangeRefused as refused:
        return await _render_audit(request, brand, refused.message)
    return request.redirect(f"/brands/{brand.id}/audit")


async def label_answer(request: PageRequest) -> Response:
    """Store what a person read in one answer, and lead to the next one."""
    typed = await request.read_form()
    brand = await request.find_brand()
    said, tone = typed.get("named"), typed.get("tone") or None
    if said not in ("yes", "no"):
        return await _render_audit(request, brand, "Say whether the answer names the brand.")
    if tone is not None and tone not in TONES:
        raise InvalidForm
    try:
        await add_label(
            request.database,
            request.signed_in.company_id,
            brand,
            typed.get("answer", ""),
            said == "yes",
            tone if said == "yes" else None,
            request.services.now(),
        )
    except ChangeRefused as refused:
        return await _render_audit(request, brand, refused.message)
    return request.redirect(f"/brands/{brand.id}/audit")


async def _render_audit(request: PageRequest, brand: Brand, fault: str | None = None) -> Response:
    workspace = request.workspace
    try:
        _, sample = await newest(workspace, brand)
        summary = await summarize(workspace, brand)
    except ChangeRefused:
        sample, summary = [], None
    waiting = [row for row in sample if row.named is None]
    wanted = request.http.query_params.get("answer")
    row = next((row for row in sample if row.answer_id == wanted), waiting[0] if waiting else None)
    return request.render(
        "answers/audit.html",
        422 if fault else 200,
        brand=brand,
        summary=summary,
        row=row,
        blocks=lay_out([TextPart(harmless(row.text, LONGEST_TEXT))]) if row else [],
        outside=wanted is not None and all(row.answer_id != wanted for row in sample),
        waiting=len(waiting),
        size=SAMPLE_SIZE,
        tones=TONES,
        fault=fault,
    )
