"""The page of the matching audit: a sample is drawn, labeled answer by answer, and reported."""

import re

from tests.web.conftest import Meet, Person


async def test_a_person_draws_labels_and_reads_the_report(measured: Person) -> None:
    page = f"/brands/{measured.brand}/audit"
    assert "no sample yet" in await measured.text(page)
    assert (await measured.submit(page, {})).status_code == 303
    shown = (await measured.http.get(page)).text
    assert "0 of 16 answers labeled" in shown, "at most two answers of each of eight questions"
    (first,) = re.findall(r'name="answer" value="([^"]+)"', shown)
    refused = await measured.submit(page, {"answer": first}, f"{page}/labels")
    assert "Say whether the answer names the brand." in refused.text
    labeled = {"answer": first, "named": "yes", "tone": "positive"}
    assert (await measured.submit(page, labeled, f"{page}/labels")).status_code == 303
    text = await measured.text(page)
    assert "1 of 16 answers labeled" in text
    assert f'value="{first}"' not in (await measured.http.get(page)).text


async def test_an_answer_outside_of_the_sample_is_not_labeled(measured: Person) -> None:
    page = f"/brands/{measured.brand}/audit"
    await measured.submit(page, {})
    assert "That answer is not in the sample." in await measured.text(f"{page}?answer=none")
    sent = {"answer": "none", "named": "no"}
    assert "is not in the sample" in (await measured.submit(page, sent, f"{page}/labels")).text


async def test_another_companys_audit_is_not_found(measured: Person, meet: Meet) -> None:
    stranger = meet()
    await stranger.sign_up()
    assert (await stranger.http.get(f"/brands/{measured.brand}/audit")).status_code == 404
