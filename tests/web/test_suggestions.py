"""Suggested competitors in the pages: tracked or dismissed by a person of the company, and by nobody else."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from engines.registry import Registry
from engines.settings import EngineSettings
from measurement.imports.captured_answers import Importer
from measurement.planning.brand_files import parse_brands, save_brands
from measurement.publication.publish import Publisher
from storage.database import Database
from tests.web.conftest import Meet, Person

TEXT = "1. **Con\u202etoso** \u202e<script>alert(1)</script>\n2. Fabrikam\n3. Acme"
PROMPTS = ("Where do I buy shoes?", "Who repairs boots?", "Which laces last?")


async def save(database: Database, person: Person, *rivals: dict[str, Any]) -> Any:
    """Import the brand Acme with these competitors; return the company's id and the brand."""
    company = await database.operators.companies.find(person.company)
    assert company is not None
    text = json.dumps({"name": "Acme", "industry": "shoes", "competitors": list(rivals)})
    files = parse_brands(text.encode(), "acme.json")
    return company.id, (await save_brands(database, company.id, files, "acme.json", datetime.now(UTC)))[0]


@pytest.fixture
async def ranked(ada: Person, database: Database, tmp_path: Path) -> Person:
    """Ada's brand Acme, and an answer to each of three questions that ranks two names beside it."""
    company, brand = await save(database, ada)
    path = tmp_path / "answers.jsonl"
    lines = [
        {
            "platform": "chatgpt",
            "prompt": prompt,
            "text": TEXT,
            "captured_at": (datetime.now(UTC) - timedelta(days=1)).isoformat(),
            "source_id": prompt,
        }
        for prompt in PROMPTS
    ]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    async with Registry(EngineSettings()) as engines:
        publisher = Publisher(database, list(engines.platforms), lambda: datetime.now(UTC))
        await Importer(database, publisher, lambda: datetime.now(UTC)).import_file(company, brand, path)
    ada.brand = brand.id
    return ada


async def actions(person: Person, page: str) -> dict[str, str]:
    """The addresses of a page's forms by verb, the first of each."""
    html = (await person.http.get(page)).text
    parts = [part.split('"')[0] for part in html.split('action="/brands/')[1:]]
    return {part.rsplit("/", 1)[1]: f"/brands/{part}" for part in reversed(parts)}


async def rivals(database: Database, person: Person) -> list[str]:
    company = await database.operators.companies.find(person.company)
    assert company is not None
    workspace = database.workspace(company.id)
    brand = await workspace.brands.find("Acme")
    assert brand is not None
    return [entity.name for entity in (await workspace.brands.entities(brand))[1:]]


async def test_a_person_tracks_one_name_dismisses_another_and_can_take_that_back(
    ranked: Person, database: Database
) -> None:
    page = f"/brands/{ranked.brand}/suggestions"
    assert f'href="{page}"' in (await ranked.http.get(f"/brands/{ranked.brand}/competitors")).text
    html = (await ranked.http.get(page)).text
    assert ("2 open" in html, "<script>alert" in html) == (True, False)
    assert "\u202e" not in html, "an engine's text may not turn the page around"
    assert "Contoso" in await ranked.text(page)
    assert await rivals(database, ranked) == [], "nothing is tracked until a person says so"
    response = await ranked.submit(page, {}, (await actions(ranked, page))["confirm"])
    assert response.headers["location"] == page
    assert await rivals(database, ranked) == ["Contoso"]
    assert "1 open" in await ranked.text(page)
    await ranked.submit(page, {}, (await actions(ranked, page))["dismiss"])
    text = await ranked.text(page)
    assert ("0 open" in text, "Dismissed" in text) == (True, True)
    await ranked.submit(page, {}, (await actions(ranked, page))["confirm"])
    assert await rivals(database, ranked) == ["Contoso", "Fabrikam"]


async def test_each_number_of_a_name_opens_into_all_that_it_counts(
    ada: Person, database: Database, tmp_path: Path
) -> None:
    company, brand = await save(database, ada)
    path, when = tmp_path / "answers.jsonl", datetime.now(UTC) - timedelta(days=1)
    lines = [
        {
            "platform": "chatgpt",
            "prompt": f"Which shoe number {number % 7} lasts?",
            "text": f"1. **Contoso** lasts.\n2. Fabrikam{' and then Acme.' if number % 3 else ''}",
            "captured_at": (when - timedelta(minutes=number)).isoformat(),
            "source_id": str(number),
        }
        for number in range(60)
    ]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    async with Registry(EngineSettings()) as engines:
        publisher = Publisher(database, list(engines.platforms), lambda: datetime.now(UTC))
        await Importer(database, publisher, lambda: datetime.now(UTC)).import_file(company, brand, path)
    page = (await ada.http.get(f"/brands/{brand.id}/suggestions")).text
    counts = re.findall(
        r'<a href="([^"]+)" data-total="(\d+)">', page.partition('<tr><th scope="row">Contoso')[2]
    )[:3]
    assert [int(count) for _, count in counts] == [7, 60, 40]
    for address, count in counts:
        shown = (await ada.http.get(address)).text
        assert count in re.findall(r'data-count="(\d+)"', shown)
        listed = re.findall(r'href="(/answers/[0-9a-f-]{36})"', shown)
        listed += re.findall(
            r'href="(/answers/[0-9a-f-]{36})"',
            (await ada.http.get(f"{address.partition('#')[0]}{'&' if '?' in address else '?'}page=2")).text,
        )
        assert len(set(listed)) == (40 if "beside" in address else 60)


async def test_nobody_sees_or_decides_for_another_company_or_without_a_form(
    ranked: Person, meet: Meet, database: Database, token_for: Callable[[Person, str], str]
) -> None:
    eve = meet()
    page = f"/brands/{ranked.brand}/suggestions"
    assert (await eve.http.get(page)).headers["location"].startswith("/auth/login")
    await eve.sign_up()
    assert (await eve.http.get(page)).status_code == 404
    for action in (await actions(ranked, page)).values():
        forged = await ranked.http.post(action, data={"token": "forged"})
        stranger = await eve.http.post(action, data={"token": token_for(eve, action)})
        assert (forged.status_code, stranger.status_code) == (403, 404)
    unknown = f"{page}/00000000-0000-7000-8000-000000000000/confirm"
    assert (await ranked.http.post(unknown, data={"token": token_for(ranked, unknown)})).status_code == 404
    assert "2 open" in await ranked.text(page)
    assert await rivals(database, ranked) == []


async def test_a_name_taken_meanwhile_is_rejected_with_a_reason(
    ranked: Person, database: Database, token_for: Callable[[Person, str], str]
) -> None:
    page = f"/brands/{ranked.brand}/suggestions"
    action = (await actions(ranked, page))["confirm"]
    await save(database, ranked, {"name": "Globex", "aliases": ["Contoso"]})
    response = await ranked.http.post(action, data={"token": token_for(ranked, action)})
    assert response.status_code == 400
    assert "goes by already" in response.text
    assert await rivals(database, ranked) == ["Globex"]
