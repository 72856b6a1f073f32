"""The list of asking sessions: its request, and what it says a brand's sessions rest on."""

import pytest

from tests.tools.conftest import Office


@pytest.mark.requirement("TOOL-17")
async def test_sessions_are_listed_for_a_brand_or_the_company_within_the_limits_of_a_page(
    office: Office,
) -> None:
    wide = await office.call("list_simulations")
    assert (wide["simulations"], wide["total"], wide["limit"], wide["offset"]) == ([], 0, 20, 0)
    assert (wide["measurement"]["modelVersion"], wide["measurement"]["sampleSize"]) == ("accuracy/1", 0)
    own = await office.call("list_simulations", brandId="aCME", limit=100, offset=7)
    assert (own["limit"], own["offset"], own["nextOffset"]) == (100, 7, None)
    assert (own["measurement"]["modelVersion"], own["measurement"]["sampleSize"]) == ("accuracy/1", 0)
    for wrong in ({"limit": 101}, {"limit": 0}, {"offset": -1}):
        assert (await office.call("list_simulations", **wrong)).code == "INVALID_PARAMS"
    assert (await office.call("list_simulations", "theirs", brandId="Acme")).code == "NOT_FOUND"
