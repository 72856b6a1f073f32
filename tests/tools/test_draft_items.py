"""Drafts as the repository tools show them: every tool gives the state of each sentence."""

from typing import Any

import pytest

from storage.repositories.repository_items import ItemDraft
from tests.tools.conftest import Office
from tests.tools.test_brands import save_items
from workflows.drafts.document import DraftReview, DraftSentence, Fact

FACT = Fact(key="page:https://acme.example/#1", title="Acme", text="Acme makes scooters.")
SENTENCES = (
    DraftSentence(text="Acme makes scooters.", before="\n\n", facts=(1,), state="supported",
                  quote="Acme makes scooters", quoted_fact=1),
    DraftSentence(text="One costs 9 euros.", before=" ", state="unsupported", reason="value_not_found",
                  missing=("9 \u202eeuros",)),
    *(DraftSentence(text=f"Word {number:03}.", before="\n- ", state="not_checked", reason="no_judge")
      for number in range(200)),
)  # fmt: skip


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("get_repository_items", {}),
        ("get_repository_items", {"category": "draft"}),
        ("search_repository_items", {"query": "9 euros"}),
        ("get_brand_snapshot", {"detail": "full"}),
    ],
)
async def test_lists_and_searches_give_the_states_of_drafts(
    office: Office, tool: str, arguments: dict[str, Any]
) -> None:
    review = DraftReview(facts=(FACT,), sentences=SENTENCES)
    own = ItemDraft("Own", "It costs 9 euros.", "draft")
    run = ItemDraft("Scooters", review.body, "draft", key="answer:p", review=review.to_json())
    await save_items(office, own, run)
    result = await office.call(tool, brandId="Acme", **arguments)
    listed = result.get("repository", result)
    items = {item["title"]: item for item in listed["items"]}
    assert items["Own"]["sentences"] is None
    shown = items["Scooters"]
    states = [(sentence["state"], sentence["reason"]) for sentence in shown["sentences"][:3]]
    assert states == [("supported", None), ("unsupported", "value_not_found"), ("not_checked", "no_judge")]
    assert (shown["sentences"][0]["source"], shown["sentences"][1]["missing"]) == (FACT.key, ["9 euros"])
    # The sentences are those of the shown part; the next part of the body has the others.
    following = await office.call(
        "get_repository_items", brandId="Acme", itemId=shown["id"], bodyOffset=shown["bodyNextOffset"]
    )
    texts = [sentence["text"] for sentence in (*shown["sentences"], *following["items"][0]["sentences"])]
    assert set(texts) == {sentence.text for sentence in SENTENCES}
    assert all(sentence["text"][:4] in shown["body"] for sentence in shown["sentences"])
    assert {f"items[].sentences[].{field}" for field in ("text", "missing", "quote", "source")} <= set(
        listed["untrusted"]
    )
