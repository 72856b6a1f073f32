"""Results fit a model: on a large company every tool answers in 60 KB, and pages lead to all there is."""

import json
from typing import Any

import pytest
from pydantic import Field

from storage.repositories.brands import BrandDraft
from storage.repositories.repository_items import ItemDraft
from tests.tools.conftest import PROFILE, Office
from tools.calls.result_size import LARGEST_RESULT, serialised
from tools.calls.wire import ListWindow, Page, Wire
from tools.catalog import tool_table

BRANDS = 152
ITEMS = 2_000
BODY = ("Der Roller für die Stadt kostet 999 €. " * 500)[:18_000]
SNAPSHOT = 25_000


@pytest.fixture
async def large(office: Office, request: pytest.FixtureRequest) -> Office:
    """Our company with 152 brands, one of which has items of 18,000 characters: 60, or as many as a test wants."""
    items: int = getattr(request, "param", 60)
    async with office.database.transaction(office.companies["ours"]) as workspace:
        voice = {**PROFILE, "voice": "Plain words. " * 40, "keywords": ["scooter", "city"] * 10}
        for number in range(BRANDS - 2):
            await workspace.brands.save(BrandDraft(f"Zentrix {number:03}"), [], voice, office.now())
        brand = await workspace.brands.find("Zentrix 000")
        assert brand is not None
        drafts = [ItemDraft(f"Scooter {number}", f"{number} {BODY}", "blog") for number in range(items)]
        await workspace.repository_items.save(brand.key, drafts, office.now())
    return office


def size(result: Any) -> int:
    return len(json.dumps(result, ensure_ascii=False, separators=(",", ":")).encode())


async def walked(office: Office, tool: str, listed: str, **arguments: Any) -> list[Any]:
    """Everything that a tool's pages lead to; each page fits."""
    results: list[Any] = []
    offset: int | None = 0
    while offset is not None:
        page = await office.call(tool, offset=offset, **arguments)
        assert size(page) <= LARGEST_RESULT
        assert len(page[listed]) > 0
        results += page[listed]
        offset = page["nextOffset"]
        assert len(results) <= page["total"]
    return results


@pytest.mark.parametrize("large", [ITEMS], indirect=True)
async def test_no_read_tool_answers_in_more_than_60_kb(large: Office) -> None:
    arguments = {"brandId": "Zentrix 000", "metricName": "visibilityScore", "query": "Roller"}
    for row in tool_table().values():
        required = row.input_schema.get("required", [])
        if row.access == "read" and set(required) <= arguments.keys():
            wide = {"limit": 100} if "limit" in row.input_schema["properties"] else {}
            brand = arguments.keys() & row.input_schema["properties"].keys() & {"brandId"}
            result = await large.call(
                row.name, **{name: arguments[name] for name in {*required, *brand}}, **wide
            )
            assert isinstance(result, dict), (row.name, result)
            assert size(result) <= LARGEST_RESULT, row.name
    snapshot = await large.call("get_brand_snapshot", brandId="Zentrix 000")
    assert size(snapshot) <= SNAPSHOT
    full = await large.call("get_brand_snapshot", brandId="Zentrix 000", repositoryLimit=20, detail="full")
    assert SNAPSHOT < size(full) <= LARGEST_RESULT


async def test_pages_that_end_early_lead_to_every_brand_and_every_item(large: Office) -> None:
    brands = await walked(large, "list_brand_profiles", "brands")
    assert len({brand["id"] for brand in brands}) == BRANDS
    first = await large.call("list_brand_profiles")
    assert len(first["brands"]) < BRANDS
    assert "nextOffset" in first["notice"]
    items = await walked(large, "get_repository_items", "items", brandId="Zentrix 000", limit=100)
    assert len({item["id"] for item in items}) == 60


async def test_a_body_is_cut_in_lists_and_read_whole_by_its_item(large: Office) -> None:
    listed = (await large.call("get_repository_items", brandId="Zentrix 000", limit=1))["items"][0]
    assert (len(listed["body"]), listed["bodyNextOffset"]) == (2_000, 2_000)
    whole, offset = "", 0
    while offset is not None:
        arguments = {"brandId": "Zentrix 000", "itemId": listed["id"], "bodyOffset": offset}
        (item,) = (await large.call("get_repository_items", **arguments))["items"]
        whole, offset = whole + item["body"], item["bodyNextOffset"]
    assert len(whole) == listed["bodyLength"]
    assert whole.endswith(BODY)
    missing = await large.call("get_repository_items", brandId="Acme", itemId=listed["id"])
    assert missing.code == "NOT_FOUND"


async def test_the_questions_of_a_large_set_come_in_pages(office: Office) -> None:
    prompts = [{"text": f"{number} " + "Which scooter? " * 60, "tags": ["city"]} for number in range(300)]
    made = await office.call("create_prompt_set", name="Many", brandId="Acme", prompts=prompts)
    assert size(made) <= LARGEST_RESULT
    texts: list[str] = []
    offset: int | None = 0
    while offset is not None:
        listed = await office.call("list_prompt_sets", includePrompts=True, promptsOffset=offset)
        assert size(listed) <= LARGEST_RESULT
        (shown,) = listed["promptSets"]
        texts += [prompt["text"] for prompt in shown["prompts"]]
        offset = shown["promptsNextOffset"]
    assert [text.split()[0] for text in texts] == [str(number) for number in range(300)]


async def test_people_see_whole_results_on_their_pages(large: Office) -> None:
    from oauth.principal import Caller, Principal, Scope
    from tools.calls.dispatch import Success

    caller = Caller(Principal(large.companies["ours"], "user:1", frozenset({Scope.READ})), "192.0.2.1")
    whole = await large.dispatcher.call("list_brand_profiles", {}, caller, whole=True)
    assert isinstance(whole, Success)
    assert len(json.loads(whole.body)["brands"]) == BRANDS


class Line(Wire):
    """A line of a book."""

    text: str


class Book(Page):
    """A page of lines."""

    window = ListWindow("lines")

    lines: list[Line]


class Heap(Wire):
    """A result without pages."""

    texts: list[str]
    deep: dict[str, list[str]] = Field(default={})


def test_a_single_item_that_is_too_large_is_shortened_and_said() -> None:
    book = Book(lines=[Line(text="é" * 100_000), Line(text="b")], total=2, limit=2, offset=0, nextOffset=None)
    shown = json.loads(serialised(book))
    assert (len(shown["lines"]), shown["nextOffset"]) == (1, 1)
    assert "Shortened to fit" in shown["notice"]
    assert size(shown) <= LARGEST_RESULT


def test_a_result_without_pages_is_shortened_and_stays_what_it_is() -> None:
    heap = Heap(texts=["word " * 1_000] * 500, deep={str(number): ["x" * 99] * 99 for number in range(50)})
    body = serialised(heap)
    assert len(body) <= LARGEST_RESULT
    shown = json.loads(body)
    Heap.model_validate({name: value for name, value in shown.items() if name != "notice"})
    assert "lists to" in shown["notice"]


def test_small_results_are_left_alone() -> None:
    assert serialised(Heap(texts=["a"])) == b'{"texts":["a"],"deep":{}}'


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"limt": 3}, "limt is not a parameter and was ignored; did you mean limit?"),
        ({"zzz\u202e": 3}, "zzz is not a parameter and was ignored."),
    ],
)
async def test_a_misspelt_parameter_is_ignored_and_named(
    office: Office, sent: dict[str, Any], said: str
) -> None:
    for tool in ("get_brand_mentions", "get_repository_items"):
        assert said in (await office.call(tool, brandId="Acme", **sent))["notice"]
    assert "parameter" not in (await office.call("get_brand_mentions", brandId="Acme", limit=3))["notice"]
