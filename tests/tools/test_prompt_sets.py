"""Prompt sets from the tool call to the rows, on both databases."""

from dataclasses import replace
from typing import Any

import pytest

from tests.conftest import AssertError
from tests.tools.conftest import Office

pytestmark = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)


def texts(made: dict[str, Any]) -> dict[str, str]:
    return {prompt["text"]: prompt["promptId"] for prompt in made["prompts"]}


async def test_a_set_is_created_listed_and_changed_with_stable_prompt_ids(office: Office) -> None:
    made = await office.call(
        "create_prompt_set",
        name=" Buyers ",
        brandId="acme",
        description="What buyers ask.",
        prompts=[
            {"text": "Which car?", "intent": "compare", "tags": ["car"], "branded": False},
            {"text": "Why?"},
        ],
        platforms=["LOCAL", "local"],
        repeats=2,
        schedule="0  6 * * mon",
    )
    assert (made["name"], made["brandName"], made["version"], made["status"]) == (
        "Buyers",
        "Acme",
        1,
        "active",
    )
    assert (made["platforms"], made["mode"], made["repeats"]) == (["local"], "visibility", 2)
    assert (made["schedule"], made["nextRunAt"]) == ("0 6 * * MON", "2026-04-06T06:00:00Z")
    assert made["prompts"][0] == {
        "promptId": texts(made)["Which car?"],
        "text": "Which car?",
        "intent": "compare",
        "tags": ["car"],
        "branded": False,
        "country": None,
        "language": None,
        "city": None,
    }
    page = await office.call("list_prompt_sets")
    assert (page["total"], page["nextOffset"], page["promptSets"][0]["promptCount"]) == (1, None, 2)
    listed = {name: value for name, value in made.items() if name != "untrusted"}
    assert page["promptSets"][0] == {**listed, "prompts": None, "promptsOffset": 0, "promptsNextOffset": None}

    changed = await office.call(
        "update_prompt_set",
        promptSetId=made["promptSetId"],
        prompts=[{"text": "How?"}, {"text": "Which car?"}],
        schedule=None,
    )
    assert (changed["version"], list(texts(changed))) == (2, ["How?", "Which car?"])
    assert texts(changed)["Which car?"] == texts(made)["Which car?"]
    assert (changed["schedule"], changed["nextRunAt"]) == (None, None)
    back = await office.call(
        "update_prompt_set",
        promptSetId=made["promptSetId"],
        prompts=[{"text": "Why?"}, {"text": "Which car?"}],
    )
    assert (back["version"], texts(back)) == (3, texts(made))


async def test_a_set_stores_the_whole_location_and_device(office: Office) -> None:
    place = {"countries": ["us"], "city": "Austin", "region": "Texas", "timezone": "America/Chicago"}
    made = await office.call(
        "create_prompt_set", name="Buyers", prompts=[{"text": "a?"}], **place, device="mobile"
    )
    stored = {**place, "countries": ["US"], "device": "mobile"}
    assert {name: made[name] for name in stored} == stored

    own = {"promptSetId": made["promptSetId"]}
    moved = {"city": "Denver", "region": "Colorado", "timezone": "America/Denver", "device": "desktop"}
    changed = await office.call("update_prompt_set", **own, **moved)
    assert {name: changed[name] for name in moved} == moved
    assert changed["countries"] == ["US"]
    listed = (await office.call("list_prompt_sets"))["promptSets"][0]
    assert {name: listed[name] for name in moved} == moved
    abroad = {"countries": ["uk"], "city": "Leeds", "region": "", "timezone": "Europe/London"}
    assert (await office.call("update_prompt_set", **own, **abroad))["countries"] == ["GB"]
    await office.call("update_prompt_set", **own, **place)
    await office.call("update_prompt_set", **own, **moved)

    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"timezone": "Texas/Austin"}, "timezone"),
        ({"device": "watch"}, "device"),
        ({"countries": ["US", "DE"]}, "city"),
    )
    for change, field in wrong:
        refused = await office.call("update_prompt_set", **own, **change)
        assert (refused.code, refused.message.split(": ")[1]) == ("INVALID_PARAMS", field)
    unmoved = (await office.call("list_prompt_sets"))["promptSets"][0]
    assert {name: unmoved[name] for name in moved} == moved


async def test_only_changed_questions_raise_the_version(office: Office) -> None:
    made = await office.call("create_prompt_set", name="Buyers", prompts=[{"text": "a?"}, {"text": "b?"}])
    changes: tuple[tuple[dict[str, Any], int], ...] = (
        ({}, 1),
        ({"name": "Sellers", "repeats": 5, "mode": "readiness", "description": "Other."}, 1),
        ({"prompts": [{"text": "b?", "tags": ["x"]}, {"text": "a?"}]}, 1),
        ({"prompts": [{"text": "b?", "branded": True}, {"text": "a?"}]}, 2),
        ({"prompts": [{"text": "a?"}]}, 3),
    )
    changed = made
    for change, version in changes:
        changed = await office.call("update_prompt_set", promptSetId=made["promptSetId"], **change)
        assert changed["version"] == version, change
    assert (changed["name"], changed["repeats"], changed["mode"]) == ("Sellers", 5, "readiness")
    assert changed["description"] == "Other."


async def test_an_archived_set_leaves_the_list_and_can_be_restored(office: Office) -> None:
    made = await office.call(
        "create_prompt_set", name="Buyers", brandId="Acme", prompts=[{"text": "a?"}], schedule="0 6 * * *"
    )
    own = {"promptSetId": made["promptSetId"]}
    archived = await office.call("update_prompt_set", **own, archived=True)
    assert (archived["status"], archived["schedule"], archived["nextRunAt"]) == (
        "archived",
        "0 6 * * *",
        None,
    )
    assert (await office.call("list_prompt_sets"))["total"] == 0
    assert (await office.call("list_prompt_sets", includeArchived=True))["total"] == 1
    office.later(days=10)
    back = await office.call("update_prompt_set", **own, archived=False)
    assert (back["status"], back["nextRunAt"], texts(back)) == ("active", "2026-04-11T06:00:00Z", texts(made))


async def test_prompt_sets_are_sorted_and_include_company_wide_ones(
    office: Office,
) -> None:
    for name, brand in (("Cc", "Acme"), ("aa", "Bolt"), ("Bb", None)):
        own = {"brandId": brand} if brand else {}
        await office.call("create_prompt_set", name=name, prompts=[{"text": name}], **own)
    page = await office.call("list_prompt_sets", limit=2)
    assert ([prompt_set["name"] for prompt_set in page["promptSets"]], page["total"], page["nextOffset"]) == (
        ["aa", "Bb"],
        3,
        2,
    )
    rest = await office.call("list_prompt_sets", limit=2, offset=2)
    assert ([prompt_set["name"] for prompt_set in rest["promptSets"]], rest["nextOffset"]) == (["Cc"], None)
    acme = await office.call("list_prompt_sets", brandId="acme")
    assert [prompt_set["name"] for prompt_set in acme["promptSets"]] == ["Bb", "Cc"]


UNREADABLE = "schedule: the cron expression cannot be read, or is never due"
RULES: tuple[tuple[dict[str, Any], str], ...] = (
    ({"name": "BUYERS"}, "name: another prompt set has this name"),
    ({"prompts": [{"text": "a?"}, {"text": " a? "}]}, "prompts: number 2 is the same question as number 1"),
    ({"platforms": ["altavista"]}, "platforms: there is no such engine"),
    ({"schedule": "@daily"}, UNREADABLE),
    ({"schedule": "0 0 30 2 *"}, UNREADABLE),
    ({"schedule": "* * * * * *"}, UNREADABLE),
    ({"schedule": "0 6 * * *"}, "schedule: a prompt set for every brand cannot have one"),
)


async def test_what_breaks_a_rule_is_refused_with_the_field_and_changes_nothing(
    office: Office, assert_error: AssertError
) -> None:
    await office.call("create_prompt_set", name="Buyers", prompts=[{"text": "one?"}])
    second = await office.call("create_prompt_set", name="Sellers", prompts=[{"text": "a?"}, {"text": "b?"}])
    before = await office.call("list_prompt_sets")
    third: dict[str, Any] = {"name": "Third", "prompts": [{"text": "c?"}]}
    for change, reason in RULES:
        update = await office.call("update_prompt_set", promptSetId=second["promptSetId"], **change)
        assert_error(update, 400, "INVALID_PARAMS", f"Tool 'update_prompt_set' failed: {reason}")
        created = await office.call("create_prompt_set", **{**third, **change})
        assert_error(created, 400, "INVALID_PARAMS", f"Tool 'create_prompt_set' failed: {reason}")
    assert await office.call("list_prompt_sets") == before


async def test_requests_out_of_bounds_name_the_field(office: Office) -> None:
    good: dict[str, Any] = {"name": "Buyers", "prompts": [{"text": "a?"}]}
    faults: tuple[tuple[dict[str, Any], str], ...] = (
        ({"name": "  "}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"prompts": []}, "prompts"),
        ({"prompts": [{"text": "x"}] * 501}, "prompts"),
        ({"prompts": [{"text": " "}]}, "prompts.0.text"),
        ({"prompts": [{"text": "x" * 2001}]}, "prompts.0.text"),
        ({"prompts": [{"text": "a\0b"}]}, "prompts.0.text"),
        ({"prompts": [{"text": "a", "why": 1}]}, "prompts.0.why"),
        ({"repeats": 21}, "repeats"),
        ({"mode": "organic"}, "mode"),
    )
    for bad, where in faults:
        refused = await office.call("create_prompt_set", **{**good, **bad})
        assert (refused.code, refused.message.split(": ")[1]) == ("INVALID_PARAMS", where)
    assert (await office.call("list_prompt_sets"))["total"] == 0


async def test_a_full_plan_may_still_shrink_and_archived_sets_make_room(office: Office) -> None:
    many = [{"text": f"{number}?"} for number in range(300)]
    full = await office.call("create_prompt_set", name="Full", prompts=many)
    more = await office.call("create_prompt_set", name="More", prompts=[{"text": "one?"}])
    assert "301 active prompts" in more.message
    await office.call("update_prompt_set", promptSetId=full["promptSetId"], prompts=many[:299])
    more = await office.call("create_prompt_set", name="More", prompts=[{"text": "one?"}])
    await office.call("update_prompt_set", promptSetId=more["promptSetId"], archived=True)
    await office.call("update_prompt_set", promptSetId=full["promptSetId"], prompts=many)
    back = await office.call("update_prompt_set", promptSetId=more["promptSetId"], archived=False)
    assert "301 active prompts" in back.message


async def test_another_companys_set_and_brand_are_not_there(
    office: Office, assert_error: AssertError
) -> None:
    theirs = await office.call("create_prompt_set", "theirs", name="Buyers", prompts=[{"text": "a?"}])
    refused = await office.call("update_prompt_set", promptSetId=theirs["promptSetId"], name="Stolen")
    unknown = await office.call("update_prompt_set", promptSetId="nothing")
    assert replace(refused, rate_limit=None) == replace(unknown, rate_limit=None)
    hint = "Call list_prompt_sets first to obtain prompt set ids."
    assert_error(refused, 404, "NOT_FOUND", "Tool 'update_prompt_set' failed: prompt set not found", hint)
    assert (await office.call("list_prompt_sets"))["total"] == 0
    calls: tuple[tuple[str, dict[str, Any]], ...] = (
        ("list_prompt_sets", {}),
        ("create_prompt_set", {"name": "Mine", "prompts": [{"text": "a?"}]}),
        ("update_prompt_set", {"promptSetId": theirs["promptSetId"]}),
    )
    for tool, others in calls:
        brand = await office.call(tool, brandId="Other", **others)
        assert_error(brand, 404, "NOT_FOUND", f"Tool '{tool}' failed: brand not found")
    assert (await office.call("list_prompt_sets", "theirs"))["promptSets"][0]["name"] == "Buyers"
