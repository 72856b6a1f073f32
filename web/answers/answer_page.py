"""The page of one answer: its words with every tracked name marked, what was counted, sources and claims."""

from starlette.responses import Response

from web.answers.answer_marks import mark_text
from web.errors import PageNotFound
from web.request import PageRequest

LARGEST_OFFSET = 10_000_000


async def show_answer(request: PageRequest) -> Response:
    """Show an answer, or the part of a long one that begins at `offset`."""
    typed = request.http.query_params.get("offset", "")
    offset = min(int(typed), LARGEST_OFFSET) if typed.isdecimal() and len(typed) < 9 else 0
    answer = await request.call_tool(
        "get_answer", answerId=request.http.path_params["answer_id"], offset=offset
    )
    if answer is None:
        raise PageNotFound
    profile = await request.call_tool("get_brand_profile", brandId=answer["brandId"])
    if profile is None:
        raise PageNotFound
    return request.render(
        "answers/answer.html",
        answer=answer,
        brand=profile,
        parts=mark_text(answer["text"], answer["offset"], answer["entities"]),
        contradicted=[claim for claim in answer["claims"] if claim["verdict"] == "contradicted"],
    )
