"""Countries that are never mixed, and answers that end before their end."""

import json
from pathlib import Path
from typing import Any

from tests.in_full import both_in_full
from tests.measurement.conftest import Acme, CallTool, ImportAnswers, Peer


def captured(number: int, batch: int, text: str, **fields: Any) -> dict[str, Any]:
    return {
        "platform": "chatgpt",
        "prompt": f"Welche Schuhe Nummer {number % 12} sind gut?",
        "text": text,
        "captured_at": f"2026-03-{batch:02}T12:{number // 60:02}:{number % 60:02}Z",
        "source_id": f"{batch}-{number}",
        **fields,
    }


def exported(acme: Acme) -> list[dict[str, Any]]:
    done = acme.seenby("export", "answers", "--brand", "Acme", "--company", "Shop")
    assert done.code == 0, done
    return [json.loads(row) for row in done.out.splitlines()]


@both_in_full
def test_american_and_german_answers_are_never_compared(
    imports: ImportAnswers, acme: Acme, call: CallTool
) -> None:
    imports([captured(number, 1, "Acme hält.", country="us") for number in range(60)])
    imports([captured(number, 9, "Globex hält.", country="DE") for number in range(60)])
    score = call("get_ai_visibility_score", brandId="Acme")
    assert (score["change"]["verdict"], score["change"]["reason"]) == ("not_comparable", "locale_changed")
    assert score["score"] == 0
    assert score["receipt"]["channels"] == ["chatgpt/visibility/DE@import"]
    assert {answer["country"] for answer in exported(acme)} == {"US", "DE"}
    assert call("get_brand_mentions", brandId="Acme", country="us")["total"] == 60
    assert call("get_brand_mentions", brandId="Acme", country="DE")["total"] == 0
    listed = call("list_answers", brandId="Acme", country="DE")
    assert listed["total"] == 60


def test_a_country_that_is_none_is_refused_with_its_line(acme: Acme, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps(captured(1, 1, "Acme", country="Germany")))
    done = acme.seenby("answers", "import", str(path), "--brand", "Acme")
    assert done.code == 1
    assert "line 1: country" in done.err


@both_in_full
def test_a_cut_answer_is_missing_and_says_nobody_is_absent(
    imports: ImportAnswers, acme: Acme, call: CallTool
) -> None:
    whole = [captured(number, 1, "1. Globex\n2. Acme\n3. Initech") for number in range(40)]
    cut = [captured(number, 1, "1. Acme\n2. Glo", truncated=True) for number in range(40, 44)]
    cut += [captured(number, 1, "Die besten sind", truncated=True) for number in range(44, 48)]
    imports(whole + cut)
    [engine] = [
        platform
        for platform in call("get_platform_metrics", brandId="Acme")["platforms"]
        if platform["platform"] == "chatgpt"
    ]
    assert (engine["asked"]["valid"], engine["asked"]["truncated"]) == (40, 8)
    assert (engine["presence"]["value"], engine["averagePosition"]["value"]) == (1.0, 2.0)
    assert call("get_brand_mentions", brandId="Acme")["total"] == 40
    rows = exported(acme)
    assert sum(row["truncated"] for row in rows) == 8
    assert all(row["record"]["valid"] is not row["truncated"] for row in rows)
    left_out = call("list_answers", brandId="Acme", outcome="left_out")["answers"]
    assert [answer["leftOut"] for answer in left_out] == [["truncated"]] * 8


def test_a_channel_that_stops_in_the_middle_too_often_is_degraded(
    imports: ImportAnswers, call: CallTool
) -> None:
    imports([captured(number, 1, "Acme hält.", truncated=number % 3 == 0) for number in range(60)])
    assert call("get_ai_visibility_score", brandId="Acme")["degraded"] == ["chatgpt/visibility@import"]


def test_an_engine_that_takes_no_country_is_asked_once_and_says_so(
    acme: Acme, call: CallTool, peer: Peer
) -> None:
    questions = [f"Which product number {number} is worth its price?" for number in range(1, 7)]
    prompt_set = {"name": "Buyers", "prompts": questions, "platforms": ["one"], "repeats": 1}
    acme.save(promptSets=[{**prompt_set, "countries": ["US", "de"], "language": "en_us"}])
    acme.measured()
    assert len(peer.asked) == 6
    [simulation] = call("list_simulations", brandId="Acme")["simulations"]
    assert (simulation["country"], simulation["notSupported"]) == (None, ["country", "language"])
    assert {tuple(answer["not_supported"]) for answer in exported(acme)} == {("country", "language")}
    assert all("country" not in answer for answer in exported(acme))
    [shown] = call("list_prompt_sets", brandId="Acme")["promptSets"]
    assert (shown["countries"], shown["language"]) == (["US", "DE"], "en-US")


def test_an_answer_that_is_too_long_is_read_in_part_and_kept_whole(
    imports: ImportAnswers, acme: Acme, call: CallTool
) -> None:
    long = "Acme hält. " + "ä" * 100_000 + " Globex"
    imports([captured(number, 1, long if number == 0 else "Acme hält.") for number in range(30)])
    [row] = [answer for answer in exported(acme) if answer["clipped"]]
    assert len(row["text"].encode()) <= 64 * 1024 < len(long.encode())
    assert (row["truncated"], row["record"]["valid"]) == (False, True)
    assert call("get_brand_mentions", brandId="Acme")["total"] == 30
