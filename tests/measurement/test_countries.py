"""Results of one country: the same numbers as if nobody had asked anywhere else."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.in_full import both_in_full
from tests.measurement.conftest import Acme, CallTool, ImportAnswers

DAYS = 365


def captured(number: int, country: str, text: str) -> dict[str, Any]:
    return {
        "platform": ("chatgpt", "gemini")[number % 2],
        "prompt": f"Welche Schuhe Nummer {number % 12} sind gut?",
        "text": text,
        "country": country,
        "captured_at": f"2026-06-01T12:{number:02}:00Z",
        "source_id": f"{country}-{number}",
    }


@pytest.fixture
def measured(imports: ImportAnswers) -> None:
    """Acme is named everywhere in the United States, and Globex in Germany; Austria has a single answer."""
    imports(
        [captured(number, "US", "Acme hält.") for number in range(48)]
        + [captured(number, "DE", "Globex hält.") for number in range(48)]
        + [captured(0, "AT", "Acme hält.")]
    )


def without_place(result: dict[str, Any]) -> dict[str, Any]:
    """A score as far as it does not say which batch and receipt it came from."""
    left_out = ("country", "receipt", "evidence", "measurement", "issueCounts")
    return {name: value for name, value in result.items() if name not in left_out}


@both_in_full
@pytest.mark.usefixtures("measured")
def test_each_tool_shows_the_numbers_of_one_country(call: CallTool) -> None:
    american, german = (
        call("get_ai_visibility_score", brandId="Acme", country=country) for country in ("us", "DE")
    )
    # Named everywhere and at the very start: presence 1 and prominence 1/4, weighed 5 to 2.
    assert (american["country"], american["score"]) == ("US", round(100 * (0.5 + 0.25 / 4) / 0.75, 1))
    assert (german["score"], german["answers"]) == (0.0, 48)
    assert american["evidence"][0]["country"] == "US"
    assert german["evidence"] == []
    austrian = call("get_ai_visibility_score", brandId="Acme", country="AT")
    assert (austrian["status"], austrian["score"], austrian["answers"]) == ("insufficient_data", None, 1)

    engines = call("get_platform_metrics", brandId="Acme", country="US")["platforms"]
    assert {engine["platform"]: engine["presence"]["value"] for engine in engines} == {
        "chatgpt": 1.0,
        "gemini": 1.0,
    }
    [point] = call("get_metric_trend", brandId="Acme", metricName="mentionCount", days=DAYS, country="US")[
        "points"
    ]
    assert (point["day"], point["value"], point["answers"]) == ("2026-06-01", 48, 48)
    [point] = call("get_metric_trend", brandId="Acme", metricName="mentionCount", days=DAYS)["points"]
    assert (point["value"], point["answers"]) == (49, 97)

    for brand in ({"brandId": "Acme"}, {}):
        ranked = call("get_competitor_rankings", country="DE", **brand)["rankings"]
        assert [(row["name"], row["rank"]) for row in ranked] == [("Globex", 1), ("Acme", 2), ("Initech", 2)]


@both_in_full
def test_a_country_beside_others_has_the_score_that_it_has_alone(
    imports: ImportAnswers, acme: Acme, call: CallTool
) -> None:
    texts = ("Acme hält.", "1. Globex\n2. Acme", "Globex hält.")
    german = [captured(number, "DE", texts[number % 3]) for number in range(48)]
    imports(german)
    alone = call("get_ai_visibility_score", brandId="Acme")
    assert without_place(call("get_ai_visibility_score", brandId="Acme", country="DE")) == without_place(
        alone
    )
    again = [{**answer, "source_id": f"again-{answer['source_id']}"} for answer in german]
    imports(again + [captured(number, "US", "Acme hält.") for number in range(48)])
    beside = call("get_ai_visibility_score", brandId="Acme", country="DE")
    assert (beside["score"], beside["intervals"], beside["factors"]) == (
        alone["score"],
        alone["intervals"],
        alone["factors"],
    )
    assert beside["change"]["verdict"] == "no_detectable_change"
    assert call("get_ai_visibility_score", brandId="Acme")["change"]["reason"] == "locale_changed"

    acme.save(competitors=[{"name": "Globex", "domains": ["globex.example"]}])
    assert acme.seenby("replay", "--brand", "Acme", "--company", "Shop").code == 0
    assert call("get_ai_visibility_score", brandId="Acme", country="DE")["factors"] == alone["factors"]
    assert acme.seenby("replay", "--verify", "--brand", "Acme", "--company", "Shop").code == 0


@both_in_full
@pytest.mark.usefixtures("measured")
def test_an_unknown_country_is_refused_and_one_without_a_result_is_told(
    acme: Acme, call: CallTool, tmp_path: Path
) -> None:
    (tmp_path / "other.json").write_text(json.dumps({"name": "Zentrix", "competitors": [{"name": "Rival"}]}))
    acme.seenby("brand", "import", str(tmp_path / "other.json"), "--company", "Shop")
    asked: dict[str, dict[str, Any]] = {
        "get_ai_visibility_score": {},
        "get_platform_metrics": {},
        "get_metric_trend": {"metricName": "sentiment"},
        "get_competitor_rankings": {},
    }
    for tool, more in asked.items():
        refused = call(tool, brandId="Acme", country="AD", **more)
        assert refused.hint.startswith("Measured: "), (tool, refused)
        assert "AD" not in refused.hint
        told = call(tool, brandId="Zentrix", country="DE", **more)
        assert told["notice"] == "Zentrix has not been measured from DE.", tool
    unmeasured = call("get_ai_visibility_score", brandId="Zentrix", country="DE")
    assert (unmeasured["status"], unmeasured["score"]) == ("not_measured", None)
