"""Sample data is one click away in an empty workspace, and labeled."""

import asyncio
import re

from tests.web.conftest import Meet, Person
from tests.web.test_start import location, new_brand


async def opened_sample(person: Person) -> str:
    """Click for sample data; return the page of the brand once it opens by itself."""
    waiting = location(await person.submit("/start", {}, "/start/sample"))
    assert "Adding sample data" in (await person.http.get(waiting)).text
    async with asyncio.timeout(120):
        while (page := await person.http.get(waiting)).status_code == 200:
            await asyncio.sleep(0.5)
    return location(page)


async def test_one_click_fills_an_empty_workspace_with_labeled_sample_data(ada: Person, meet: Meet) -> None:
    overview = await opened_sample(ada)
    shown = await ada.text(overview)
    assert "Zentrix (synthetic)" in shown
    assert "Synthetic sample data: our generator made up the brand" in shown
    assert re.search(r"Visibility score\s+\d", shown)
    answers = await ada.text(f"{overview}/answers")
    assert "Synthetic ChatGPT" in answers
    again = await ada.http.get("/start")
    assert "Add sample data" not in again.text
    other = meet()
    await other.sign_up()
    assert "Add sample data" in (await other.http.get("/start")).text
    assert (await other.http.get(overview)).status_code == 404
    second = await opened_sample(other)
    assert "Zentrix (synthetic)" in await other.text(second)


async def test_a_workspace_with_a_brand_gets_no_sample_data(ada: Person) -> None:
    token = await ada.token("/start", "/start/sample")
    await new_brand(ada, name="Acme", category="tea")
    assert location(await ada.http.post("/start/sample", data={"token": token})) == "/"
    brands = await ada.text("/")
    assert ("Acme" in brands, "Zentrix" in brands) == (True, False)
