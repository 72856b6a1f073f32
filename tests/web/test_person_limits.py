"""People on the pages are no API clients: a dozen quick decisions are theirs to make."""

from tests.web.conftest import Person
from tests.web.test_start import location, new_brand, send


async def test_a_person_who_saves_a_dozen_times_in_a_minute_is_not_stopped(ada: Person) -> None:
    prompts = await new_brand(ada, name="Zentrix", category="espresso machines")
    for number in range(12):
        saved = await send(ada, prompts, {"offered": "[]", "own": f"Which machine is number {number}?"})
        assert location(saved).endswith("/engines"), number
    assert "Which machine is number 11?" in (await ada.http.get(prompts)).text


async def test_an_api_key_keeps_the_limit_of_writes(ada: Person) -> None:
    headers = {"Authorization": f"Bearer {await ada.make_key()}"}
    path = "/api/mcp-app/rest/create_brand_profile"
    sent = [await ada.http.post(path, json={"name": "Acme"}, headers=headers) for _ in range(11)]
    assert [answer.status_code for answer in sent[-2:]] == [400, 429]
