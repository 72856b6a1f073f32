"""Names that are ordinary words, too: doubted until their context or a person says what is meant."""

import json
from pathlib import Path

import pytest

from tests.measurement.conftest import Acme, CallTool

TEXTS = (
    "Peel an Orange and slice it; the Orange peel goes into the syrup.",
    "Orange and Vodafone both sell SIM cards at the airport.",
)


def line(number: int, text: str) -> str:
    """A captured answer."""
    return json.dumps(
        {
            "platform": "chatgpt",
            "prompt": f"What about number {number}?",
            "text": text,
            "captured_at": f"2026-03-0{number + 1}T12:00:00Z",
        }
    )


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
def test_a_common_word_needs_context_unless_a_person_says_otherwise(
    acme: Acme, tmp_path: Path, call: CallTool
) -> None:
    acme.save(name="Orange", promptSets=[], domains=[], competitors=[], aliases=[])
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(line(number, text) for number, text in enumerate(TEXTS)))
    done = acme.seenby("answers", "import", str(path), "--brand", "Orange", "--company", "Shop", "--json")
    assert done.json["stored"] == 2, done
    assert call("get_brand_mentions", brandId="Orange")["total"] == 1
    acme.save(
        name="Orange",
        promptSets=[],
        domains=[],
        competitors=[],
        aliases=[{"text": "Orange", "ambiguous": False}],
    )
    assert acme.seenby("replay", "--brand", "Orange", "--company", "Shop").code == 0
    assert call("get_brand_mentions", brandId="Orange")["total"] == 2
