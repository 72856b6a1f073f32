"""A score beside the scores of its modes, which weight the parts that they measure."""

import json
from pathlib import Path
from typing import Any

import pytest

from measurement.imports.captured_answers import Importer
from measurement.publication.publish import Publisher
from storage.repositories.brands import BrandDraft
from tests.tools.conftest import PROFILE, SCOOTER_PROMPTS, Office, scooter_answer


def answers_of(searched: str) -> list[dict[str, Any]]:
    """Every prompt answered once from memory and once, with this text, by a search that cites none of our sites."""
    page = {"citations": [{"url": "https://reuters.com/a"}]}
    return [
        scooter_answer(3, prompt, platform, text, **more)
        for prompt in range(SCOOTER_PROMPTS)
        for platform, text, more in (("gemini", "Acme is fine.", {}), ("chatgpt", searched, page))
    ]


async def score_of(office: Office, folder: Path, searched: str) -> dict[str, Any]:
    async with office.database.transaction(office.companies["ours"]) as workspace:
        brand = await workspace.brands.save(
            BrandDraft("Acme", sites=("acme.com",)), [BrandDraft("Zentrix")], PROFILE, office.now()
        )
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in answers_of(searched)), encoding="utf-8")
    publisher = Publisher(office.database, (), office.now)
    await Importer(office.database, publisher, office.now).import_file(office.companies["ours"], brand, path)
    return await office.call("get_ai_visibility_score", brandId="Acme")


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_a_score_outside_those_of_its_modes_says_why(office: Office, tmp_path: Path) -> None:
    told = await score_of(office, tmp_path, "1. Acme\n2. Zentrix")
    modes = {part["name"]: part["score"] for part in told["modes"]}
    # Presence 1 and prominence 1/4 from memory, 1 with search; citations, all of others, with search alone.
    assert modes == {"visibility": 75.0, "readiness": 75.0}
    assert told["score"] == 65.6
    assert "lies outside the scores of its modes" in told["notice"]


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_a_score_between_those_of_its_modes_needs_no_words(office: Office, tmp_path: Path) -> None:
    told = await score_of(office, tmp_path, "Acme is fine.")
    low, high = sorted(part["score"] for part in told["modes"])
    assert low <= told["score"] <= high
    assert "outside" not in (told["notice"] or "")


async def test_a_part_that_joins_the_score_is_named(office: Office, tmp_path: Path) -> None:
    path, page = tmp_path / "months.jsonl", {"citations": [{"url": "https://acme.com/a"}]}
    mode = {"mode": "visibility"}
    async with office.database.transaction(office.companies["ours"]) as workspace:
        brand = await workspace.brands.save(
            BrandDraft("Acme", sites=("acme.com",)), [], PROFILE, office.now()
        )
    publisher = Publisher(office.database, (), office.now)
    importer = Importer(office.database, publisher, office.now)
    for month, more in ((1, mode), (3, mode | page)):
        lines = [
            scooter_answer(month, prompt, "gemini", "Acme.", **more) for prompt in range(SCOOTER_PROMPTS)
        ]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        await importer.import_file(office.companies["ours"], brand, path)
    told = await office.call("get_ai_visibility_score", brandId="Acme")
    assert (told["change"]["reason"], told["change"]["endpoint"]) == ("basis_changed", "presence")
    assert "Citation joined the score since the previous measurement" in told["notice"]
    assert told["headline"].startswith("Named in 100% of answers (95% CI ")
