"""Stored answers as tables, and one of them opened."""

from typing import Any

from server.cli.option_groups import AnswerFilters
from server.cli.output import Output
from server.cli.tool_caller import ToolCaller


async def list_answers(
    tools: ToolCaller, output: Output, brand: str, filters: AnswerFilters, choice: dict[str, Any]
) -> None:
    """Print a page of answers."""
    result = await tools.ask_about("list_answers", brand, filters, choice)
    rows = [
        (
            answer["answerId"],
            answer["capturedAt"][:10],
            answer["platform"],
            answer["prompt"],
            ", ".join(entity["name"] for entity in answer["names"]),
        )
        for answer in result["answers"]
    ]
    output.result(result, lambda: output.table(("id", "day", "engine", "question", "names"), rows))


async def show_answer(tools: ToolCaller, output: Output, answer_id: str) -> None:
    """Print one answer with all of its text."""
    answer = await tools.call("get_answer", answerId=answer_id)
    while answer["nextOffset"] is not None:
        following = await tools.call("get_answer", answerId=answer_id, offset=answer["nextOffset"])
        answer["text"] += following["text"]
        answer["nextOffset"] = following["nextOffset"]
    output.result(answer, lambda: show_opened(output, answer))


def show_opened(output: Output, answer: dict[str, Any]) -> None:
    """Print question, place, words, and what was read in them."""
    output.people.print(answer["prompt"])
    counted = "counted" if answer["counted"] else f"left out: {', '.join(answer['leftOut'])}"
    place = (answer["platform"], answer["mode"], answer["servedModel"], answer["capturedAt"], counted)
    output.people.print("  ".join(filter(None, place)))
    output.people.print(f"\n{answer['text']}\n")
    output.table(
        ("name", "named", "rank", "tone", "clause"),
        [
            (row["name"], "yes" if row["named"] else "no", row["rank"], row["tone"], row["sentence"])
            for row in answer["entities"]
        ],
    )
    if answer["citations"]:
        output.people.print()
        rows = [(row["url"], row["owner"], row["kind"], row["title"]) for row in answer["citations"]]
        output.table(("cites", "owner", "kind", "title"), rows)
    if answer["claims"]:
        output.people.print()
        claims = [(row["claim"], row["verdict"], row["fact"]) for row in answer["claims"]]
        output.table(("claims", "verdict", "fact"), claims)
