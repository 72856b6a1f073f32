"""Bodies of suppliers imported as they came: what was shown, what was not, and what could not be seen."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.engines import supplier_bodies as bodies
from tests.engines.supplier_bodies import overview, page
from tests.in_full import both_in_full
from tests.measurement.conftest import Acme, CallTool, Done


def answered(text: str | None) -> dict[str, Any]:
    shown = [overview(text)] if text else []
    return bodies.dataforseo("google_ai_overview", page(*shown))


@pytest.fixture
def run_import(acme: Acme, tmp_path: Path) -> Callable[..., Done]:
    """Imports a file for Acme; gives what the command printed."""

    def run(content: bytes, supplier: str, *flags: str) -> Done:
        (tmp_path / "bodies").write_bytes(content)
        return acme.seenby(
            "answers",
            "import",
            str(tmp_path / "bodies"),
            "--brand",
            "Acme",
            "--format",
            supplier,
            "--json",
            *flags,
        )

    return run


def exported(acme: Acme) -> list[dict[str, Any]]:
    done = acme.seenby("export", "answers", "--brand", "Acme", "--company", "Shop")
    assert done.code == 0, done
    return [json.loads(row) for row in done.out.splitlines()]


@both_in_full
def test_not_shown_is_an_observation_without_text_or_mention(
    run_import: Callable[..., Done], acme: Acme
) -> None:
    listed = [answered("Nimm Acme."), answered(None), answered(bodies.NOT_GENERATED)]
    for number, body in enumerate(listed):
        body["tasks"][0]["id"] = f"task-{number}"
    done = run_import(gzip.compress(json.dumps(listed).encode()), "dataforseo", "--keep-going")
    assert (done.json["stored"], [fault["line"] for fault in done.json["rejected"]]) == (2, [3])
    assert "not_loaded" in done.json["rejected"][0]["reason"]
    shown, absent = exported(acme)
    assert (shown["platform"], shown["country"], shown["text"]) == (
        "google_ai_overview@dataforseo", "DE", "Nimm Acme.",
    )  # fmt: skip
    assert (shown["record"]["valid"], shown["seen"]["cost"]) == (True, {"amount": "0.002", "unit": "usd"})
    assert (absent["status"], absent["absent_reason"], absent["text"]) == ("not_shown", "none", "")
    assert not absent["record"]["valid"]
    again = run_import(json.dumps(listed[:2]).encode(), "dataforseo")
    assert (again.json["stored"], again.json["duplicates"]) == (0, 2)


def test_a_body_without_its_question_says_what_to_add(
    run_import: Callable[..., Done],
) -> None:
    wrapped = bodies.cloro("CHATGPT", bodies.CLORO_ANSWER)
    bare = run_import(json.dumps(wrapped["body"]).encode(), "cloro")
    assert (bare.code, "put the request beside the body" in bare.err) == (1, True)
    whole = run_import(json.dumps(wrapped).encode(), "cloro")
    assert whole.json["stored"] == 1


def test_what_is_exported_of_a_surface_can_be_imported_again(
    run_import: Callable[..., Done], acme: Acme, tmp_path: Path
) -> None:
    run_import(json.dumps(answered(None)).encode(), "dataforseo")
    [line] = exported(acme)
    del line["record"]
    line["source_id"] = "another"
    (tmp_path / "again.jsonl").write_text(json.dumps(line))
    assert (
        acme.seenby.json("answers", "import", str(tmp_path / "again.jsonl"), "--brand", "Acme")["stored"] == 1
    )
    first, second = exported(acme)
    assert (second["status"], second["seen"]) == (first["status"], first["seen"])


DEEP = 400
"""Levels that JSON can still be read with, and that nobody documents."""


def nested(name: str, leaf: dict[str, Any]) -> dict[str, Any]:
    inner = leaf
    for _ in range(DEEP):
        inner = {name: [inner]}
    return inner


BEYOND_BELIEF: dict[str, list[Any]] = {
    "dataforseo": [
        bodies.dataforseo("google_ai_overview", page(overview("Acme.")) | {"datetime": moment})
        for moment in ("0001-01-01 00:00:00 +14:00", "9999-12-31 23:59:59 -14:00")
    ]
    + [bodies.dataforseo("google_ai_overview", page(nested("items", overview("Acme."))))],
    "cloro": [bodies.cloro("CHATGPT", {**bodies.CLORO_ANSWER, "unknown": nested("x", {})})],
    "brightdata": [
        {**bodies.BRIGHTDATA_RECORD, "url": "http://[x"},
        {**bodies.BRIGHTDATA_RECORD, "timestamp": "0001-01-01T00:00:00+14:00"},
        {
            "general": {"query": "q", "timestamp": "2026-03-01"},
            "ai_overview": {"texts": [nested("list", {"snippet": "Acme."})]},
        },
        {"general": {}, "input": {"original_url": "http://[x"}},
    ],
    "serpapi": [bodies.serpapi(ai_overview={"text_blocks": [nested("list", {"snippet": "Acme."})]})],
}
SOUND: dict[str, Any] = {
    "dataforseo": answered("Nimm Acme."),
    "cloro": bodies.cloro("CHATGPT", bodies.CLORO_ANSWER),
    "brightdata": bodies.BRIGHTDATA_RECORD,
    "serpapi": bodies.serpapi(ai_overview=bodies.SERPAPI_OVERVIEW),
}
MISSHAPEN: list[Any] = [None, 1, "x", [], {}, {"body": []}, {"body": {}}, {"request": 1, "body": {"a": 1}}]
MIXED: list[Any] = [
    {"tasks": [1]},
    {"tasks": {}},
    {"observed_at": 5, "body": {"a": 1}},
    [bodies.BRIGHTDATA_RECORD],
]
UNASKED: dict[str, Any] = {"request": {"taskType": "GOOGLE", "payload": []}, "body": {"task": {}}}


@pytest.mark.parametrize("supplier", SOUND)
def test_impossible_bodies_are_named_and_the_rest_is_stored(
    run_import: Callable[..., Done], supplier: str
) -> None:
    strange = [
        *BEYOND_BELIEF[supplier],
        *MISSHAPEN,
        *MIXED,
        UNASKED,
        *(SOUND[name] for name in SOUND if name != supplier),
    ]
    written = json.dumps([*strange, SOUND[supplier]]).encode()
    done = run_import(written, supplier, "--keep-going")
    assert (done.code, done.json["stored"], "Traceback" in done.err) == (1, 1, False), done
    named = {fault["line"] for fault in done.json["rejected"]}
    assert named >= set(range(1, len(BEYOND_BELIEF[supplier]) + 1))


def test_amounts_that_nobody_can_count_are_not_known(run_import: Callable[..., Done], acme: Acme) -> None:
    for number, cost in enumerate((10**400, 1e300, -1)):
        body = answered(f"Nimm Acme {number}.")
        body["tasks"][0] |= {"cost": cost, "id": f"task-{number}"}
        assert run_import(json.dumps(body).encode(), "dataforseo").json["stored"] == 1
    assert [answer["seen"].get("cost") for answer in exported(acme)] == [None] * 3


@pytest.mark.parametrize(
    "content",
    [
        b"\x1f\x8bnothing that was packed",
        gzip.compress(json.dumps(SOUND).encode(), mtime=0)[:-9],
        gzip.compress(bytes(100_000), mtime=0)[:20] + b"\xff\xff\xff",
        b"[" * 100_000 + b"]" * 100_000,
        b"\xff\xfe{}",
        b"",
    ],
)
def test_a_file_that_cannot_be_read_is_refused_as_one(
    run_import: Callable[..., Done], content: bytes
) -> None:
    done = run_import(content, "dataforseo")
    assert (done.code, "Traceback" in done.err) == (1, False), done


def test_a_hidden_sentence_is_no_answer_whoever_captured_it(acme: Acme, tmp_path: Path) -> None:
    line = {"platform": "google_ai_overview", "prompt": "Which?", "captured_at": "2026-11-20T12:00:00Z"}
    texts = ["Nimm Acme.", bodies.NOT_AVAILABLE, f"**{bodies.NOT_AVAILABLE}.**", bodies.NOT_GENERATED]
    lines = [{**line, "text": text, "source_id": str(number)} for number, text in enumerate(texts)]
    (tmp_path / "lines.jsonl").write_text("\n".join(map(json.dumps, lines)))
    imported = ("answers", "import", str(tmp_path / "lines.jsonl"), "--brand", "Acme", "--keep-going")
    done = acme.seenby(*imported, "--json")
    assert (done.json["stored"], [fault["line"] for fault in done.json["rejected"]]) == (3, [4])
    assert "did not load" in done.json["rejected"][0]["reason"]
    assert [(answer["status"], answer.get("absent_reason"), answer["text"]) for answer in exported(acme)] == [
        ("answered", None, "Nimm Acme."),
        ("not_shown", "blocked", ""),
        ("not_shown", "blocked", ""),
    ]


def test_source_chips_and_advertising_name_nobody(
    run_import: Callable[..., Done], acme: Acme, call: CallTool
) -> None:
    """Twelve answers: one shows the brand as the chip of its own page, one in an advertisement, ten name a rival."""
    address, questions = "https://acme.example/guide/", [f"Which shop number {n} is good?" for n in range(12)]

    def looked(number: int) -> dict[str, Any]:
        return {"query": questions[number], "timestamp": "2026-03-01T12:00:00Z", "country_code": "DE"}

    chip = {"type": "paragraph", "snippet": "Compare three offers first. Acme +2", "reference_indexes": [0]}
    own = {"href": address, "title": "How to choose", "source": "Acme"}
    listed = [{"general": looked(0), "ai_overview": {"texts": [chip], "references": [own]}}]
    for number in range(2, 12):
        rival = {"type": "paragraph", "snippet": "Choose Globex."}
        listed.append({"general": looked(number), "ai_overview": {"texts": [rival], "references": []}})
    assert run_import(json.dumps(listed).encode(), "brightdata").json["stored"] == 11
    shown = {
        "type": "ai_overview_paid",
        "markdown": "**Sponsored** [Acme – Free quote](https://www.google.com/aclk?x=1)",
        "items": [{"title": "Acme – Free quote", "url": address, "website_name": "Acme"}],
    }
    words = {"type": "ai_overview_element", "markdown": "Choose Globex."}
    mixed = overview(None, markdown=f"Choose Globex.\n\n{shown['markdown']}", items=[words, shown])
    body = bodies.dataforseo("google_ai_overview", page(mixed), keyword=questions[1])
    assert run_import(json.dumps(body).encode(), "dataforseo").json["stored"] == 1
    score = call("get_ai_visibility_score", brandId="Acme")
    [presence] = [factor for factor in score["factors"] if factor["part"] == "presence"]
    assert (score["answers"], presence["value"]) == (12, 0)
    cited = call("get_citations", brandId="Acme", groupBy="url", days=365)
    assert [(source["source"], source["owner"]) for source in cited["citations"]] == [
        ("https://acme.example/guide", "own")
    ]
