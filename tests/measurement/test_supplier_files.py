"""Bodies of suppliers imported as they came: what was shown, what was not, and what could not be seen."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.engines import supplier_bodies as bodies
from tests.engines.supplier_bodies import overview, page

both = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)


def answered(text: str | None) -> dict[str, Any]:
    shown = [overview(text)] if text else []
    return bodies.dataforseo("google_ai_overview", page(*shown))


@pytest.fixture
def run_import(acme: Any, tmp_path: Path) -> Callable[..., Any]:
    """Imports a file for Acme; gives what the command printed."""

    def run(content: bytes, supplier: str, *flags: str) -> Any:
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


def exported(acme: Any) -> list[dict[str, Any]]:
    done = acme.seenby("export", "answers", "--brand", "Acme", "--company", "Shop")
    assert done.code == 0, done
    return [json.loads(row) for row in done.out.splitlines()]


@both
def test_what_was_not_shown_is_an_observation_without_text_and_not_a_mention(
    run_import: Callable[..., Any], acme: Any
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


def test_a_body_that_does_not_repeat_its_question_says_what_to_put_beside_it(
    run_import: Callable[..., Any],
) -> None:
    wrapped = bodies.cloro("CHATGPT", bodies.CLORO_ANSWER)
    bare = run_import(json.dumps(wrapped["body"]).encode(), "cloro")
    assert (bare.code, "put the request beside the body" in bare.err) == (1, True)
    whole = run_import(json.dumps(wrapped).encode(), "cloro")
    assert whole.json["stored"] == 1


def test_what_is_exported_of_a_surface_can_be_imported_again(
    run_import: Callable[..., Any], acme: Any, tmp_path: Path
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
