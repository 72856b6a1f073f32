"""The pages of a company's own workflows: made as a form and as TOML, priced, changed, started, put away."""

import re
from html import unescape

import pytest

from tests.web.conftest import Meet, Person
from tests.web.test_roles import colleague

NEW, MADE = "/automation/workflows/new", "/automation/workflows"
TOML = """
id = "weekly-check"
name = "Weekly <b>check</b>"

[[steps]]
agent = "site_profiler"

[[steps]]
agent = "readiness_scanner"
configuration = { probeBots = false }
"""


def alert(page: str) -> str:
    found = re.search(r'role="alert">(.*?)</p>', page, re.DOTALL)
    return unescape(found[1]) if found else ""


async def test_a_workflow_is_made_step_by_step_priced_started_and_put_away(
    measured: Person, meet: Meet
) -> None:
    form = {"id": "drafts", "name": "Drafts", "add": "content_writer", "do": "add"}
    page = (await measured.submit(NEW, form, MADE)).text
    assert ('name="set-1-itemLimit"' in page, alert(page)) == (True, "")
    form |= {"step-1": "content_writer", "place-1": "1", "set-1-itemLimit": "9", "add": "", "do": "check"}
    refused = await measured.submit(NEW, form, MADE)
    assert (refused.status_code, 'value="9"' in refused.text) == (422, True)
    assert alert(refused.text).startswith("Step 1: configuration.itemLimit: Input should be less than")
    form |= {"set-1-itemLimit": "2", "add": "repository_auditor"}
    checked = await measured.submit(NEW, form, MADE)
    assert (checked.status_code, "It is right. Nothing is stored" in checked.text) == (200, True)
    assert "3 credits" in checked.text
    assert 'agent = "repository_auditor"' in unescape(checked.text)
    assert "Drafts" not in await measured.text("/automation")
    form |= {"step-2": "repository_auditor", "place-2": "1", "add": "", "do": "save"}
    saved = await measured.submit(NEW, form, MADE)
    assert saved.headers["location"] == "/automation/workflows/drafts?saved=1"
    address = "/automation/workflows/drafts"
    page = await measured.text(address)
    assert page.index("1. Audit the repository") < page.index("2. Write drafts")
    assert "Version 1" in page
    again = await measured.submit(NEW, form, MADE)
    assert alert(again.text) == "Id: The company has a workflow drafts already."

    form |= {"step-1": "repository_auditor", "remove-1": "1", "step-2": "content_writer", "place-2": "2"}
    form |= {"set-2-tone": "warm"}
    assert (await measured.submit(address, form, f"{address}/steps")).status_code == 303
    page = (await measured.http.get(address)).text
    assert ("Version 2" in page, "Audit the repository</legend>" in page, 'value="warm"' in page) == (
        True,
        False,
        True,
    )
    file = await measured.http.get(f"{address}/workflow.toml")
    assert 'tone = "warm"' in file.text
    assert file.headers["content-disposition"] == 'attachment; filename="drafts.toml"'
    viewer = await colleague(measured, meet, "viewer")
    shown = (await viewer.http.get(address)).text
    assert ("Write drafts" in shown, f'action="{address}' in shown) == (True, False)
    assert (await viewer.http.get(NEW)).status_code == 403
    assert (await viewer.http.post(f"{address}/steps", data=form)).status_code == 403

    assert (await measured.submit(address, {"archived": "1"}, f"{address}/archive")).status_code == 303
    listed = (await measured.http.get("/automation")).text
    assert f'Archived: <a href="{address}"' in listed
    assert f'action="{address}"' not in listed
    await measured.submit(address, {"archived": "0"}, f"{address}/archive")
    assert "Archived: " not in await measured.text("/automation")


async def test_toml_is_checked_stored_and_shown_as_a_form(measured: Person) -> None:
    checked = await measured.submit(NEW, {"toml": TOML, "do": "check"}, MADE)
    assert (checked.status_code, "2 credits" in checked.text) == (200, True)
    assert "2. Scan the site" in unescape(checked.text)
    saved = await measured.submit(NEW, {"toml": TOML, "do": "save"}, MADE)
    page = (await measured.http.get(str(saved.headers["location"]))).text
    assert "Weekly &lt;b&gt;check&lt;/b&gt;" in page
    assert "<b>check" not in page
    started = await measured.submit(
        "/automation?brand=" + measured.brand,
        {"brand": measured.brand, "once": "one"},
        "/automation/workflows/weekly-check",
    )
    assert started.status_code == 303, started.text
    run = (await measured.http.get(str(started.headers["location"]))).text
    assert '<a href="/automation/workflows/weekly-check">Version 1</a>' in run
    other = await measured.submit(
        "/automation/workflows/weekly-check",
        {"toml": TOML.replace("weekly-check", "other-id"), "do": "save"},
        "/automation/workflows/weekly-check/steps",
    )
    assert alert(other.text) == "Id: This workflow is weekly-check, and keeps its id."


@pytest.mark.parametrize(
    ("toml", "words"),
    [
        ("id = ", "The file is no TOML"),
        ("x = " + "[" * 9000, "The file is no workflow: its values are nested too deep."),
        (TOML.replace("weekly-check", "full_service"), "Id: It is not made of small letters and digits"),
        (
            TOML.replace("site_profiler", "site_profile\u202e"),
            "Step 1: there is no agent 'site_profile\\u202e'.",
        ),
        ("# " + "x" * 62_000, "Id: Field required."),
    ],
)
async def test_a_file_that_is_wrong_is_kept_as_typed_and_the_fault_is_named(
    measured: Person, toml: str, words: str
) -> None:
    refused = await measured.submit(NEW, {"toml": toml, "do": "save"}, MADE)
    assert refused.status_code == 422
    assert alert(refused.text).startswith(words)
    assert toml[:40].strip() in unescape(refused.text)
    assert "weekly-check" not in await measured.text("/automation")


async def test_oversized_forms_are_rejected_and_tampered_values_shown_as_text(
    measured: Person,
) -> None:
    large = await measured.submit(NEW, {"toml": "x" * 1024 * 1024, "do": "save"}, MADE)
    assert large.status_code == 413
    form = {"id": "x", "name": "X", "step-1": "<i>no</i>", "place-1": "1\u0663", "do": "save"}
    refused = await measured.submit(NEW, form, MADE)
    assert (refused.status_code, "<i>no" in refused.text) == (422, False)
    assert "there is no agent '<i>no</i>'" in alert(refused.text)


async def test_ours_are_shown_and_a_workflow_can_begin_from_one(measured: Person) -> None:
    page = await measured.text("/automation/workflows/full_service")
    assert "site_profiler" in page
    form = (await measured.http.get(f"{NEW}?from=full_service")).text
    assert 'name="id" type="text" value=""' in form, "nobody has to think of an id"
    assert 'id = "our-full-service"' in unescape(form)
    assert "16. Prioritize the findings" in form
    assert 'agent = "checkup_reporter"' in unescape(form)
    assert (await measured.http.get("/automation/workflows/nowhere")).status_code == 404


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        (
            "Wöchentliche Antworten & Übersicht!",
            ["wochentliche-antworten-ubersicht", "wochentliche-antworten-ubersicht-2"],
        ),
        ("New", ["new-2", "new-3"]),
        ("週報", ["workflow", "workflow-2"]),
        ("x" * 120, ["x" * 56, "x" * 56 + "-2"]),
    ],
)
async def test_an_id_that_nobody_typed_is_made_from_the_name(
    measured: Person, name: str, ids: list[str]
) -> None:
    form = {"id": "", "name": name, "add": "site_profiler", "do": "save"}
    for made in ids:
        saved = await measured.submit(NEW, form, MADE)
        assert saved.headers["location"] == f"{MADE}/{made}?saved=1"
    added = (await measured.submit(NEW, {**form, "do": "add"}, MADE)).text
    assert 'name="id" type="text" value=""' in added, "it follows the name until it is stored"


async def test_a_workflow_without_a_name_is_refused_by_its_name(measured: Person) -> None:
    refused = await measured.submit(NEW, {"id": "", "name": "", "add": "site_profiler", "do": "save"}, MADE)
    assert (refused.status_code, alert(refused.text)) == (422, "Name: It is empty.")


async def test_a_step_asks_the_engines_that_are_ticked(measured: Person) -> None:
    await measured.submit("/settings/engines", {"platform": "chatgpt", "secret": "a-key-of-a-provider-1234"})
    form = {"id": "", "name": "Ask", "add": "answer_prober", "do": "add"}
    page = (await measured.submit(NEW, form, MADE)).text
    assert 'name="set-1-platforms-chatgpt"' in page
    form |= {"step-1": "answer_prober", "set-1-platforms-chatgpt": "1", "add": "", "do": "save"}
    saved = await measured.submit(NEW, form, MADE)
    assert saved.status_code == 303, alert(saved.text)
    page = (await measured.http.get(str(saved.headers["location"]))).text
    assert 'name="set-1-platforms-chatgpt" value="1" checked' in page
    assert 'platforms = ["chatgpt"]' in unescape(page)
