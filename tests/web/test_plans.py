"""Plans: an owner's own server has no limits unless the operator sets some."""

import httpx2

from tests.web.conftest import Meet, Person, Run


async def tool(person: Person, key: str, called: str, /, **arguments: object) -> httpx2.Response:
    headers = {"Authorization": f"Bearer {key}"}
    return await person.http.post(f"/api/mcp-app/rest/{called}", json=arguments, headers=headers)


async def test_the_first_company_of_a_server_has_no_plan_limits(run_service: Run, meet: Meet) -> None:
    url = run_service().url
    owner, stranger = meet(url), meet(url)
    assert (await owner.sign_up()).status_code == 303
    assert (await stranger.sign_up()).status_code == 303
    key = await owner.make_key()
    credits = (await tool(owner, key, "get_credits")).json()
    assert (credits["plan"], credits["usedThisMonth"]) == ("unlimited", 0)
    for name in ("Acme", "Bolt"):
        assert (await tool(owner, key, "create_brand_profile", name=name)).status_code == 200
    workflows = (await tool(owner, key, "list_workflows")).json()["workflows"]
    assert all(workflow["availableOnPlan"] for workflow in workflows)
    for page in ("/automation", "/settings/budget", "/settings/profile", "/settings"):
        assert "credit" not in (await owner.text(page)).casefold(), page
    assert "scans left today" not in await owner.text("/readiness/scans")
    assert (await tool(stranger, await stranger.make_key(), "get_credits")).json()["plan"] == "free"
    assert "30 credits" in await stranger.text("/automation")


async def test_an_operator_sets_the_plan_of_companies_that_sign_up(run_service: Run, meet: Meet) -> None:
    owner = meet(run_service(SIGNUP_PLAN="growth").url)
    await owner.sign_up()
    credits = (await tool(owner, await owner.make_key(), "get_credits")).json()
    assert (credits["plan"], credits["monthlyLimit"]) == ("growth", 400)
    assert "400 of 400" in await owner.text("/settings/profile")
