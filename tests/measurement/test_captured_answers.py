"""Answers that go out and come in again as lines of JSON, and numbers that are computed a second time."""

import csv
import json
import random
import signal
import zlib
from collections import defaultdict
from collections.abc import Callable
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from measurement.imports.captured_answers import Importer
from measurement.planning.brand_identity import find_brand
from measurement.planning.clock import utc_now
from measurement.publication.publish import Publisher
from measurement.receipts.brand_verification import verify_brand
from storage.database import Database
from storage.encoding import packed, unpacked
from storage.repositories.answers import observed_answers
from tests.in_full import both_in_full
from tests.measurement.conftest import Acme, Asked, CallTool, Peer, Reply, RunToEnd, Seenby

WEIGHTS = {"presence": 0.5, "prominence": 0.25, "citation": 0.25}
STUDENT = {
    4: 3.1824463053,
    5: 2.7764451052,
    6: 2.5705818356,
    7: 2.4469118511,
    8: 2.3646242516,
    10: 2.2621571628,
}
"""Quantile .975 of Student's distribution by number of prompts, from a printed table."""

TEXTS = (
    "Für diesen Zweck nehmen die meisten Leute Acme, und das schon seit vielen Jahren.",
    "Acme ist für diesen Zweck schon seit vielen Jahren die übliche Wahl der meisten Leute.",
    "Die meisten Leute nehmen dafür Globex, und manche nehmen dafür auch einmal etwas anderes.",
)


def line(number: int, **changes: Any) -> dict[str, Any]:
    """A captured answer; German, so that no tone is judged."""
    return {
        "platform": ("chatgpt", "gemini")[number % 2],
        "prompt": f"Welche Schuhe Nummer {number % 7} sind gut?",
        "text": TEXTS[number % 3],
        "captured_at": f"2026-03-{1 + number % 28:02}T12:{number // 1680:02}:{number // 28 % 60:02}Z",
        "citations": [{"url": f"https://{('acme', 'globex')[number % 5 > 1]}.example/{number}"}],
        "source_id": str(number),
        **changes,
    }


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., str]:
    """Writes lines, as JSON or as they are, into a file."""

    def write(*lines: dict[str, Any] | str, name: str = "answers.jsonl") -> str:
        written_lines = (
            line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines
        )
        (tmp_path / name).write_text("".join(f"{written_line}\n" for written_line in written_lines))
        return str(tmp_path / name)

    return write


def imported(seenby: Seenby, path: str, brand: str = "Acme", company: str = "Shop") -> Any:
    return seenby.json("answers", "import", path, "--brand", brand, "--company", company)


def exported(seenby: Seenby, brand: str = "Acme", company: str = "Shop") -> list[dict[str, Any]]:
    done = seenby("export", "answers", "--brand", brand, "--company", company)
    assert done.code == 0, done
    return [json.loads(line) for line in done.out.splitlines()]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (line(3, captured_at="yesterday"), "captured_at"),
        (line(3, captured_at="2026-03-01T12:00:00"), "captured_at"),
        (line(3, captured_at="2999-03-01T12:00:00Z"), "captured_at: lies in the future"),
        (line(3, platform="Chat GPT!"), "platform"),
        (line(3, prompt=""), "prompt"),
        (line(3, surprise=1), "surprise"),
        (line(3, text="a\0b"), "NUL"),
        (line(3, text="x" * (1 << 20)), "longer than 1 MiB"),
        ('{"platform": "chatgpt"', "EOF"),
        ("not JSON", "expected"),
        ('["a", "list"]', "object"),
    ],
)
def test_one_bad_line_refuses_the_whole_file_and_is_named(
    acme: Acme, written: Callable[..., str], rows: Callable[[str], int], bad: Any, said: str
) -> None:
    done = acme.seenby("answers", "import", written(line(1), line(2), bad, line(4)), "--brand", "Acme")
    assert done.code == 1
    assert "answers.jsonl, line 3: " in done.err
    assert said in done.err
    assert "Nothing of the file was stored" in done.err
    assert (rows("answers"), rows("run_batches")) == (0, 0)


def test_keep_going_stores_good_lines_and_names_bad_ones(
    acme: Acme, written: Callable[..., str], rows: Callable[[str], int]
) -> None:
    path = written(line(1), "{}", line(2), line(3, text="x" * 3_000_000), line(4, text=7), line(5))
    done = acme.seenby("answers", "import", path, "--brand", "Acme", "--keep-going", "--json")
    assert done.code == 1
    assert (done.json["stored"], [rejection["line"] for rejection in done.json["rejected"]]) == (3, [2, 4, 5])
    assert rows("answers") == 3


def test_an_import_says_how_far_it_is_where_standard_error_is_no_terminal(
    acme: Acme, written: Callable[..., str]
) -> None:
    done = acme.seenby("answers", "import", written(*map(line, range(60))), "--brand", "Acme", "--json")
    assert "importing: 60 of 60 answers" in done.err
    assert "reading: 60 of 60 answers" in done.err
    assert done.json["stored"] == 60


@both_in_full
def test_a_file_that_is_imported_twice_is_stored_once(
    acme: Acme, written: Callable[..., str], call: CallTool
) -> None:
    path = written(*map(line, range(60)), line(0))
    assert imported(acme.seenby, path) == {"stored": 60, "duplicates": 1, "rejected": []}
    first = call("get_ai_visibility_score", brandId="Acme")
    assert imported(acme.seenby, path) == {"stored": 0, "duplicates": 61, "rejected": []}
    assert call("get_ai_visibility_score", brandId="Acme") == first


@both_in_full
def test_repeats_of_one_answer_in_a_file_are_all_counted(
    acme: Acme, written: Callable[..., str], call: CallTool
) -> None:
    same = line(0)
    del same["source_id"]
    distinguishing = (
        {"repeat": 1},
        {"repeat": 2},
        {"city": "Graz", "country": "AT"},
        {"city": "Linz", "country": "AT"},
        {"language": "de"},
        {"model": "gpt-5.2"},
        {"status": "refused"},
    )
    path = written(same, same, same, *({**same, **changes} for changes in distinguishing))
    assert imported(acme.seenby, path) == {"stored": 10, "duplicates": 0, "rejected": []}
    assert imported(acme.seenby, path) == {"stored": 0, "duplicates": 10, "rejected": []}
    more = written(*[same] * 4, name="more.jsonl")
    assert imported(acme.seenby, more) == {"stored": 1, "duplicates": 3, "rejected": []}


def test_the_same_answers_may_be_imported_for_two_brands_and_two_companies(
    acme: Acme, written: Callable[..., str], call: CallTool
) -> None:
    seenby, path = acme.seenby, written(*map(line, range(40)))
    acme.save(name="Globex", competitors=[{"name": "Acme"}], promptSets=[], domains=[])
    seenby.json("company", "create", "Mill", "--email", "owner@mill.example")
    seenby.json("brand", "import", str(acme.path), "--company", "Mill")
    for brand, company in (("Acme", "Shop"), ("Globex", "Shop"), ("Globex", "Mill")):
        assert imported(seenby, path, brand, company)["stored"] == 40
    scores = [
        call("get_ai_visibility_score", company, brandId="Globex")["score"] for company in ("Shop", "Mill")
    ]
    assert scores[0] == scores[1] is not None


@both_in_full
def test_two_concurrent_imports_of_a_file_store_each_line_once(
    acme: Acme, written: Callable[..., str], rows: Callable[[str], int], call: CallTool
) -> None:
    arguments = ("answers", "import", written(*map(line, range(900))), "--brand", "Acme", "--json")
    commands = [acme.seenby.start(*arguments) for _ in range(2)]
    ends = [command.end() for command in commands]
    assert [end.code for end in ends] == [0, 0], ends
    assert sum(end.json["stored"] for end in ends) == rows("answers") == 900
    assert rows("run_batches") == rows("score_calculations") == 1
    named = sum("Acme" in line(number)["text"] for number in range(900))
    assert call("get_brand_mentions", brandId="Acme")["total"] == named


@both_in_full
def test_an_import_that_was_killed_is_finished_by_the_next_one(
    acme: Acme, written: Callable[..., str], rows: Callable[[str], int], call: CallTool
) -> None:
    path = written(*map(line, range(1200)))
    command = acme.seenby.start("answers", "import", path, "--brand", "Acme")
    while rows("answers") == 0:
        pass
    assert command.kill().code == -signal.SIGKILL
    before = rows("answers")
    again = imported(acme.seenby, path)
    assert again["stored"] == 1200 - before
    assert again["duplicates"] == before
    assert (rows("answers"), rows("run_batches"), rows("score_calculations")) == (1200, 1, 1)
    assert call("get_ai_visibility_score", brandId="Acme")["answers"] == 1200


def script(peer: Peer, saying: Callable[..., Reply]) -> None:
    """Let the peer say one of the texts by question and repeat, and cite sources where it is told to search."""

    def said(asked: Asked) -> Any:
        number = int(asked.prompt.split()[-1][0]) if asked.prompt[-2:-1].isdigit() else len(asked.prompt)
        number += asked.before + (3 if asked.platform == "two" else 0)
        return saying(TEXTS[number % 3])

    peer.script = said


@both_in_full
def test_what_was_exported_and_imported_elsewhere_gives_the_same_numbers(
    acme: Acme, peer: Peer, saying: Callable[..., Reply], call: CallTool, tmp_path: Path
) -> None:
    seenby = acme.seenby
    script(peer, saying)
    acme.measured("--platform", "one", "--platform", "two", "--repeats", "5")
    seenby.json("company", "create", "Mill", "--email", "owner@mill.example")
    seenby.json("brand", "import", str(acme.path), "--company", "Mill")
    path = tmp_path / "export.jsonl"
    path.write_text("".join(json.dumps(answer) + "\n" for answer in exported(seenby)))
    assert imported(seenby, str(path), "Acme", "Mill")["stored"] == 60
    ours, theirs = (call("get_ai_visibility_score", company, brandId="Acme") for company in ("Shop", "Mill"))
    assert theirs["receipt"]["value"] == ours["receipt"]["value"]
    values = [[(factor["part"], factor["value"]) for factor in score["factors"]] for score in (ours, theirs)]
    assert values[0] == values[1]
    pages = [call("get_brand_mentions", company, brandId="Acme", limit=100) for company in ("Shop", "Mill")]
    mention_pages = [
        [
            (mention["quote"], mention["spans"], mention["capturedAt"], mention["prompt"])
            for mention in page["mentions"]
        ]
        for page in pages
    ]
    assert sorted(mention_pages[0], key=str) == sorted(mention_pages[1], key=str)
    assert len(mention_pages[0]) == pages[0]["total"] > 0


def worth(answer: dict[str, Any]) -> dict[str, float]:
    """What one exported answer is worth; these texts rank nothing and judge nothing."""
    place = answer["text"].find("Acme")
    named = place >= 0
    prominence = round(0.25 * (1 - place / len(answer["text"]) / 2), 6) if named else 0.0
    values = {"presence": float(named), "prominence": prominence}
    if "citations" in answer:
        values["citation"] = float(
            named and any("acme.example" in citation["url"] for citation in answer["citations"])
        )
    return values


Cells = dict[str, dict[str, dict[str, list[float]]]]


def part_mean(prompts_of: dict[str, dict[str, list[float]]]) -> float:
    """Mean over channels of the mean over prompts."""
    channels = [[sum(values) / len(values) for values in prompts.values()] for prompts in prompts_of.values()]
    return sum(sum(means) / len(means) for means in channels) / len(channels)


def recomputed(lines: list[dict[str, Any]]) -> dict[str, float]:
    """Presence with its interval of all such questions (0 to 1) and score (0 to 100), without any code of ours."""
    cells: Cells = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for line in lines:
        for part, value in worth(line).items():
            cells[part][line["platform"] + line["mode"]][line["record"]["promptId"]].append(value)
    parts = {part: part_mean(cells[part]) for part in WEIGHTS if part in cells}
    weights = sum(WEIGHTS[part] for part in parts)
    named = cells["presence"]
    prompts = sorted({prompt for channel in named.values() for prompt in channel})
    m, count = parts["presence"], len(prompts)
    y = dict.fromkeys(prompts, m)
    for channel in named.values():
        means = {prompt: sum(values) / len(values) for prompt, values in channel.items()}
        average = sum(means.values()) / len(means)
        for prompt, mean in means.items():
            y[prompt] += count / len(means) * (mean - average) / len(named)
    spread = sum((value - m) ** 2 for value in y.values()) / (count - 1)
    k = min(sum(value > 1e-9 for value in y.values()), sum(value < 1 - 1e-9 for value in y.values()))
    b = m * (1 - m)
    n = min(len(lines), max(1.0, b * count * (k + 1) / (k * spread + b)))
    q = STUDENT[count]
    middle, half = m + q * q / (2 * n), q * sqrt(b / n + q * q / (4 * n * n))
    return {
        "presence": m,
        "score": 100 * sum(WEIGHTS[part] * value for part, value in parts.items()) / weights,
        "low": (middle - half) / (1 + q * q / n),
        "high": (middle + half) / (1 + q * q / n),
    }


@pytest.mark.parametrize("source", ["import", "probe"])
@pytest.mark.requirement("RES-05")
def test_a_naive_script_computes_the_same_numbers_from_the_export(
    acme: Acme,
    peer: Peer,
    saying: Callable[..., Reply],
    written: Callable[..., str],
    call: CallTool,
    source: str,
) -> None:
    if source == "import":
        uncited = [{**line(number), "mode": "visibility"} for number in range(100, 130)]
        for one in uncited:
            del one["citations"]
        imported(
            acme.seenby,
            written(*map(line, range(63)), *uncited, line(200, text=""), line(201, status="refused")),
        )
    else:
        script(peer, saying)
        acme.measured("--platform", "one", "--platform", "two", "--repeats", "3")
    score = call("get_ai_visibility_score", brandId="Acme")
    receipt = score["receipt"]
    lines = [answer for answer in exported(acme.seenby) if answer["record"]["valid"]]
    assert len(lines) == receipt["answers"]["count"] == score["answers"]
    again = recomputed(lines)
    presence = next(factor for factor in score["factors"] if factor["part"] == "presence")
    assert presence["value"] == pytest.approx(again["presence"], abs=1e-9)
    assert receipt["value"] == pytest.approx(again["score"], abs=1e-9)
    others = presence["intervals"]["allQuestions"]
    assert others["low"] == pytest.approx(again["low"], abs=1e-6)
    assert others["high"] == pytest.approx(again["high"], abs=1e-6)
    assert 0 < again["low"] < again["presence"] < again["high"] < 1
    assert score["score"] == round(again["score"], 1)


TOPICS = (
    "trail shoes",
    "road bikes",
    "yoga mats",
    "ski goggles",
    "swim fins",
    "golf clubs",
    "tents",
    "kayaks",
)
PARAPHRASES = (
    "What are the best {}?",
    "Which {} would you recommend?",
    "Can you suggest {}?",
    "Good {} please",
)


def test_paraphrases_of_a_topic_count_as_one_in_the_wide_interval(
    acme: Acme, written: Callable[..., str], call: CallTool
) -> None:
    prompts = [paraphrase.format(topic) for topic in TOPICS for paraphrase in PARAPHRASES]
    named = ["Acme is good." if number // 4 % 2 else "Globex is good." for number in range(len(prompts))]
    imported(
        acme.seenby,
        written(
            *(
                line(number, prompt=prompt, text=text)
                for number, (prompt, text) in enumerate(zip(prompts, named, strict=True))
            )
        ),
    )
    score = call("get_ai_visibility_score", brandId="Acme")
    [presence] = [factor for factor in score["factors"] if factor["part"] == "presence"]
    intervals = presence["intervals"]
    assert (score["prompts"], intervals["topics"]) == (32, 8)
    assert intervals["allQuestions"]["high"] - intervals["allQuestions"]["low"] > 0.6
    recent = call("get_ai_visibility_score", brandId="Acme", platform="chatgpt")
    assert recent["factors"][0]["intervals"]["topics"] == 8
    [held] = acme.seenby.json("replay", "--verify", "--brand", "Acme")
    assert held["holds"], held["wrong"]


@both_in_full
def test_a_receipt_holds_until_one_character_of_one_stored_text_is_changed(
    acme: Acme, written: Callable[..., str], url: str, run: RunToEnd
) -> None:
    imported(acme.seenby, written(*map(line, range(60))))
    held = acme.seenby.json("replay", "--verify", "--brand", "Acme")
    assert [
        (verification["holds"], verification["answers"], verification["wrong"]) for verification in held
    ] == [(True, 60, [])]

    async def change() -> None:
        database = await Database.open(url)
        async with database.writing() as connection:
            found = (await connection.execute(text("SELECT answer_key, text FROM answer_texts"))).first()
            assert found is not None
            changed = zlib.compress(zlib.decompress(found[1]).decode().replace("vielen", "vieien").encode())
            statement = text("UPDATE answer_texts SET text = :text WHERE answer_key = :key")
            await connection.execute(statement, {"text": changed, "key": found[0]})
        await database.close()

    run(change())
    done = acme.seenby("replay", "--verify", "--receipt", held[0]["receiptId"], "--json")
    assert done.code == 1
    assert done.json[0]["holds"] is False
    assert [name for name in done.json[0]["wrong"] if name.endswith("text differs from its digest")]


def test_each_stored_text_that_cannot_be_unpacked_is_named(
    acme: Acme, written: Callable[..., str], url: str, run: RunToEnd
) -> None:
    imported(acme.seenby, written(*map(line, range(60))))

    async def change() -> None:
        database = await Database.open(url)
        async with database.writing() as connection:
            await connection.execute(text("UPDATE answer_texts SET text = :text"), {"text": b"x"})
        await database.close()

    run(change())
    done = acme.seenby("replay", "--verify")
    assert (done.code, done.err) == (1, "")
    assert "text or raw exchange is damaged" in done.out


def test_a_number_that_was_changed_in_the_database_does_not_hold(
    acme: Acme, written: Callable[..., str], url: str, run: RunToEnd
) -> None:
    imported(acme.seenby, written(*map(line, range(60))))

    async def change() -> None:
        database = await Database.open(url)
        async with database.writing() as connection:
            [receipt] = (await connection.execute(text("SELECT receipt FROM score_calculations"))).scalars()
            forged = packed(unpacked(receipt).replace('"value":', '"value":1'))
            await connection.execute(
                text("UPDATE score_calculations SET receipt = :forged"), {"forged": forged}
            )
        await database.close()

    run(change())
    done = acme.seenby("replay", "--verify", "--json")
    assert done.code == 1
    assert {"receiptId", "value"} <= set(done.json[0]["wrong"])


def test_nobody_verifies_the_receipt_of_another_company(
    acme: Acme, written: Callable[..., str], call: CallTool
) -> None:
    imported(acme.seenby, written(*map(line, range(60))))
    receipt = call("get_ai_visibility_score", brandId="Acme")["receipt"]["receiptId"]
    acme.seenby.json("company", "create", "Mill", "--email", "owner@mill.example")
    verifications = [
        acme.seenby("replay", "--verify", "--receipt", receipt_id, "--company", "Mill")
        for receipt_id in (receipt, "rc_" + "0" * 64)
    ]
    assert [done.code for done in verifications] == [1, 1]
    assert verifications[0].err.replace(receipt, "rc_" + "0" * 64) == verifications[1].err


TOOLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("get_ai_visibility_score", {}),
    ("get_platform_metrics", {}),
    ("get_brand_mentions", {"limit": 100}),
    ("get_metric_trend", {"metricName": "visibilityScore", "days": 3650}),
    ("get_metric_trend", {"metricName": "mentionCount", "days": 3650}),
)


def numbers(call: CallTool) -> list[Any]:
    """Everything that the tools say about the brand's measurement."""
    return [call(name, brandId="Acme", **arguments) for name, arguments in TOOLS]


def settled(told: Any) -> Any:
    """Leave out that history is being read again, which changes no number."""
    return json.loads(json.dumps(told).replace('"rereading": true', '"rereading": false'))


@both_in_full
def test_a_changed_alias_moves_history_and_changing_back_restores_it(
    acme: Acme, written: Callable[..., str], call: CallTool
) -> None:
    seenby = acme.seenby
    for part in range(3):
        imported(seenby, written(*map(line, range(60 * part, 60 * part + 60)), name=f"{part}.jsonl"))
    first = numbers(call)
    wider = [{"name": "Globi"}]
    acme.save(aliases=["Acme", "Globex"], competitors=wider)
    assert numbers(call) == first, "nothing changes before the replay"
    assert seenby.json("replay", "--brand", "Acme")[0]["answersRead"] == 180
    second = numbers(call)
    assert second[0]["receipt"]["value"] > first[0]["receipt"]["value"]
    assert second[0]["receipt"]["versions"]["aliasSet"] != first[0]["receipt"]["versions"]["aliasSet"]
    # Every answer names the brand now, on every day: history moved as a whole, so there is no step in it.
    assert {point["value"] / line_count(point["day"]) for point in second[4]["points"]} == {1.0}
    assert second[2]["total"] == 180
    assert seenby.json("replay", "--verify")[0]["holds"]
    acme.save()
    seenby.json("replay", "--brand", "Acme")
    # A competitor that was dropped and comes back is a new one, so the receipt is new; every number is the old one.
    last = numbers(call)
    receipts = [last[0].pop("receipt"), first[0].pop("receipt")]
    assert receipts[0]["value"] == receipts[1]["value"]
    assert last == first


def line_count(day: str) -> int:
    """How many of the 180 captured answers are of a day."""
    return sum(line(number)["captured_at"][:10] == day for number in range(180))


def test_a_killed_replay_keeps_old_numbers_and_the_next_finishes(
    acme: Acme, written: Callable[..., str], rows: Callable[[str], int], call: CallTool
) -> None:
    imported(acme.seenby, written(*map(line, range(2500))))
    first = numbers(call)
    readings = rows("answer_readings")
    acme.save(aliases=["Acme", "Globex"], competitors=[{"name": "Globi"}])
    command = acme.seenby.start("replay", "--brand", "Acme")
    while rows("answer_readings") == readings:
        pass
    assert command.kill().code == -signal.SIGKILL
    assert readings < rows("answer_readings") < 2 * readings
    told = numbers(call)
    assert told[0]["measurement"]["rereading"]
    assert settled(told) == settled(first)
    half = rows("answer_readings")
    again = acme.seenby.json("replay", "--brand", "Acme")
    assert again[0]["answersRead"] == 2 * readings - half
    assert call("get_brand_mentions", brandId="Acme")["total"] == 2500
    assert acme.seenby.json("replay", "--verify")[0]["holds"]


def test_a_probe_on_another_revision_joins_history_later(
    acme: Acme, peer: Peer, saying: Callable[..., Reply], call: CallTool
) -> None:
    script(peer, saying)
    acme.measured()
    acme.save(aliases=["Acme", "Globex"], competitors=[{"name": "Globi"}])
    acme.measured()
    assert call("get_brand_mentions", brandId="Acme")["total"] == 24
    acme.save()
    acme.seenby.json("replay", "--brand", "Acme")
    named = sum("Acme" in answer["text"] for answer in exported(acme.seenby))
    assert call("get_brand_mentions", brandId="Acme")["total"] == named
    assert 0 < named < 24
    points = call("get_metric_trend", brandId="Acme", metricName="mentionCount")["points"]
    assert [(point["value"], point["samples"]) for point in points] == [(float(named), 2)]


@pytest.fixture
def tabled(tmp_path: Path) -> Callable[..., str]:
    """Writes lines as rows of CSV."""

    def write(*lines: dict[str, Any], name: str = "answers.csv") -> str:
        cells = [{**line, "citations": json.dumps(line["citations"])} for line in lines]
        with (tmp_path / name).open("w", encoding="utf-8-sig", newline="") as file:
            table = csv.DictWriter(file, list(cells[0]))
            table.writeheader()
            table.writerows(cells)
        return str(tmp_path / name)

    return write


def test_rows_of_csv_are_the_same_answers_as_lines_of_json(
    acme: Acme, written: Callable[..., str], tabled: Callable[..., str]
) -> None:
    lines = [line(number) for number in range(9)]
    lines[4]["text"] = 'Acme, "the one",\nand Globex.'
    first = imported(acme.seenby, tabled(*lines))
    again = imported(acme.seenby, written(*lines, line(9)))
    assert (first["stored"], first["duplicates"]) == (9, 0)
    assert (again["stored"], again["duplicates"]) == (1, 9)
    texts = {answer["source_id"]: answer["text"] for answer in exported(acme.seenby)}
    assert texts["4"] == lines[4]["text"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("platform,prompt,text\n", "line 1: captured_at: the column is missing"),
        ("platform,prompt,text,captured_at,mood\n", "line 1: mood: unknown column"),
        ("platform,prompt,text,captured_at,text\n", "line 1: text: the column is there twice"),
        ("platform,prompt,text,captured_at\none,Who?,Acme\n", "line 2: it has 3 cells where there are 4"),
        ("platform,prompt,text,captured_at\none,Who?,Acme,soon\n", "line 2: captured_at: "),
        ('platform,prompt,text,captured_at\none,"Who?,Acme,soon\n', "line 2: it is not CSV"),
        ("platform,prompt,text,captured_at\none,Who?,\udcff,soon\n", "it is not UTF-8"),
        (
            "platform,prompt,text,captured_at,citations\none,Who?,Acme,2026-03-01T12:00:00Z,[x\n",
            "line 2: citations: ",
        ),
    ],
)
def test_a_row_that_is_no_answer_is_named_with_its_column(
    acme: Acme, tmp_path: Path, content: str, said: str
) -> None:
    path = tmp_path / "answers.CSV"
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    done = acme.seenby("answers", "import", str(path), "--brand", "Acme")
    assert done.code == 1
    assert said in done.err
    assert exported(acme.seenby) == []


def test_with_keep_going_the_good_rows_are_stored_and_the_bad_ones_named(acme: Acme, tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    rows = ["platform,prompt,text,captured_at,citations"]
    rows += [
        f"one,Who leads?,Acme leads {number}.,2026-03-01T12:00:0{number}Z,https://a.example https://b.example"
        for number in range(3)
    ]
    path.write_text("\n".join([*rows, "one,Who?,Acme,soon,"]))
    done = acme.seenby("answers", "import", str(path), "--brand", "Acme", "--keep-going", "--json")
    assert (done.code, done.json["stored"]) == (1, 3)
    assert done.json["rejected"][0]["line"] == 5
    assert [len(answer["citations"]) for answer in exported(acme.seenby)] == [2, 2, 2]


@both_in_full
async def test_import_published_in_pages_is_verified_whole(
    acme: Acme, written: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observed_answers, "OBSERVED_CHUNK", 7)
    lines = [line(number, text=TEXTS[number % 3] if number % 11 else "") for number in range(60)]
    random.Random(1).shuffle(lines)
    database = await Database.open(acme.seenby.environment["SEENBY_DATABASE_URL"])
    try:
        (company,) = await database.operators.companies.all()
        workspace = database.workspace(company.id)
        publisher = Publisher(database, [], utc_now)
        brand = await find_brand(workspace, "Acme")
        await Importer(database, publisher, utc_now).import_file(company.id, brand, Path(written(*lines)))
        brand = await find_brand(workspace, "Acme")
        assert brand.revision_key is not None
        (batch,) = await workspace.batches.successful(brand.key, utc_now(), 2)
        days = await workspace.channel_days.of_batches(brand.revision_key, [batch.key])
        assert len({day.day for day in days}) == 28
        (verification,) = await verify_brand(database, publisher, company.id, "Acme", utc_now)
    finally:
        await database.close()
    assert verification.wrong == ()
