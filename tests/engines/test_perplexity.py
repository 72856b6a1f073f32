"""Perplexity's Agent API, read as the official SDK reads the same bytes."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest

from engines.engine import Credential, Question
from engines.errors import EngineError, EngineErrorCode
from engines.perplexity import adapter
from tests.engines.conftest import CANARY, Build, Peer

TEXT = "Der Škoda 👍 gilt als haltbar[2][1]. 本田も[3]. Kein Beleg[7]."


def response(*output: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    cost = {"currency": "USD", "input_cost": 0.0001, "output_cost": 0.0002, "total_cost": 0.0053}
    usage = {
        "input_tokens": 8, "output_tokens": 9, "total_tokens": 17, "cost": cost,
        "tool_calls_details": {"web_search": {"invocation": 2}},
    }  # fmt: skip
    return {
        "id": "r", "object": "response", "created_at": 1, "model": "perplexity/sonar", "status": "completed",
        "output": list(output), "usage": usage,
    } | more  # fmt: skip


def said(text: str, *annotations: Mapping[str, Any]) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": list(annotations)}
    return {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": [part]}


def refused(words: str) -> dict[str, Any]:
    content = [{"type": "refusal", "refusal": words}]
    return {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": content}


def results(*ids: int) -> dict[str, Any]:
    pages = [
        {"id": n, "url": f"https://page{n}.example/", "title": f"Seite {n}", "snippet": "…", "source": "web"}
        for n in ids
    ]
    return {"type": "search_results", "results": pages, "queries": ["haltbares auto"]}


def other(*ids: int) -> dict[str, Any]:
    """Results of a second search, which counts its own pages."""
    pages = [{**page, "url": page["url"].replace("page", "other")} for page in results(*ids)["results"]]
    return results() | {"results": pages}


def nameless() -> dict[str, Any]:
    """A result without the id that the interface promises."""
    found = results(1)
    return found | {"results": [{k: v for k, v in found["results"][0].items() if k != "id"}]}


GROUNDED = response(results(1, 2, 3, 4), said(TEXT))


async def test_text_model_usage_and_sources_are_those_the_official_sdk_reads(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply(GROUNDED)
    asked = engine(peer.base_url, adapter())
    answer = await asked.ask(searching, credential)
    import perplexity

    async with perplexity.AsyncPerplexity(api_key=CANARY, base_url=peer.base_url, max_retries=0) as sdk:
        sdk_answer = await sdk.responses.create(
            model="some-model",
            input=searching.text,
            max_output_tokens=8192,
            store=False,
            tools=[{"type": "web_search", "user_location": {"country": "DE"}}],
        )
    assert peer.asked[0].json == peer.asked[1].json
    assert peer.asked[0].path == peer.asked[1].path
    assert peer.asked[0].headers["authorization"] == peer.asked[1].headers["authorization"]
    assert (answer.text, answer.served_model, answer.status) == (
        sdk_answer.output_text,
        sdk_answer.model,
        "answered",
    )
    (item,) = (item for item in sdk_answer.output if item.type == "search_results")
    assert [(c.url, c.title) for c in answer.citations if c.kind == "retrieved"] == [
        (result.url, result.title) for result in item.results
    ]
    assert answer.retrieval.queries == tuple(item.queries or ())
    assert sdk_answer.usage is not None
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (8, sdk_answer.usage.output_tokens)
    assert (answer.usage.searches, answer.usage.provider_cost_usd) == (2, Decimal("0.0053"))
    assert asked.parse(searching, answer.exchanges).citations == answer.citations


async def test_a_mark_cites_the_result_with_its_number(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply(GROUNDED)
    answer = await engine(peer.base_url, adapter()).ask(searching, credential)
    cited = [(c.url, answer.text[c.start : c.end]) for c in answer.citations if c.kind == "cited"]
    assert cited == [
        ("https://page2.example/", "[2]"),
        ("https://page1.example/", "[1]"),
        ("https://page3.example/", "[3]"),
    ]


@pytest.mark.parametrize(
    ("output", "cited", "resolved"),
    [
        pytest.param([results(7, 9), said("Ja[9].")], ["https://page9.example/"], True, id="ids that skip"),
        pytest.param([results(3, 1, 2), said("Ja[1].")], ["https://page1.example/"], True, id="any order"),
        pytest.param(
            [results(1, 2), results(3), said("Ja[3].")], ["https://page3.example/"], True, id="going on"
        ),
        pytest.param(
            [results(1, 2), results(1, 2), said("Ja[1].")], ["https://page1.example/"], True, id="same"
        ),
        pytest.param([results(1, 2), other(1, 2), said("Ja[1].")], [], False, id="starting again"),
        pytest.param(
            [results(1, 2), other(1), said("Ja[2].")], ["https://page2.example/"], True, id="unique one"
        ),
        pytest.param([results(1), said("Ja[5].")], [], False, id="no such id"),
        pytest.param([nameless(), said("Ja[1].")], [], False, id="without ids"),
        pytest.param([results(1, 2), other(1), said("Ja.")], [], True, id="no mark"),
    ],
)
async def test_a_mark_is_resolved_by_a_unique_id_and_never_guessed(
    peer: Peer, engine: Build, searching: Question, credential: Credential,
    output: list[dict[str, Any]], cited: list[str], resolved: bool,
) -> None:  # fmt: skip
    peer.reply(response(*output))
    answer = await engine(peer.base_url, adapter()).ask(searching, credential)
    assert [c.url for c in answer.citations if c.kind == "cited"] == cited
    assert answer.citations_resolved is resolved


async def test_an_annotation_resolves_a_mark_whose_id_is_ambiguous(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    annotation = {
        "type": "url_citation", "url": "https://other1.example/", "title": "Eins",
        "start_index": 2, "end_index": 5,
    }  # fmt: skip
    peer.reply(response(results(1), other(1), said("Ja[1].", annotation)))
    answer = await engine(peer.base_url, adapter()).ask(searching, credential)
    assert [c.url for c in answer.citations if c.kind == "cited"] == ["https://other1.example/"]
    assert answer.citations_resolved


async def test_an_annotation_and_a_mark_at_one_place_are_one_citation(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    start = TEXT.index("[2]")
    annotation = {
        "type": "url_citation", "url": "https://page2.example/", "title": "Zwei",
        "start_index": start, "end_index": start + 3,
    }  # fmt: skip
    peer.reply(response(results(1, 2, 3), said(TEXT, annotation)))
    answer = await engine(peer.base_url, adapter()).ask(searching, credential)
    assert [(c.url, c.title) for c in answer.citations if c.kind == "cited"] == [
        ("https://page2.example/", "Zwei"),
        ("https://page1.example/", "Seite 1"),
        ("https://page3.example/", "Seite 3"),
    ]


async def test_without_a_search_the_answer_is_not_grounded(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply(
        response(
            said("Aus dem Gedächtnis."), usage={"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        )
    )
    answer = await engine(peer.base_url, adapter()).ask(searching, credential)
    assert (answer.status, answer.retrieval.status) == ("not_grounded", "not_searched")


async def test_the_path_can_be_set(
    peer: Peer, engine: Build, question: Question, credential: Credential
) -> None:
    peer.reply(GROUNDED)
    await engine(peer.base_url, adapter("/v1/agent")).ask(question, credential)
    assert peer.asked[0].path == "/v1/agent"
    assert "tools" not in peer.asked[0].json


async def test_a_failure_inside_a_200_is_an_error(
    peer: Peer, engine: Build, question: Question, credential: Credential
) -> None:
    peer.reply(response(status="failed", error={"message": "no such model"}))
    with pytest.raises(EngineError) as caught:
        await engine(peer.base_url, adapter()).ask(question, credential)
    assert (caught.value.code, caught.value.detail) == (EngineErrorCode.PROVIDER_ERROR, "no such model")


@pytest.mark.parametrize(
    ("body", "status", "truncated"),
    [
        (response(results(1), refused("No.")), "refused", False),
        (
            response(results(1), said("Ein hal"), status="incomplete", incomplete_details={"reason": "max_output_tokens"}),
            "answered", True,
        ),
        (response(results(1), said("Kein Beleg.")), "answered", False),
    ],
)  # fmt: skip
async def test_refusals_and_cut_answers_are_told_apart_and_cite_nothing(
    peer: Peer, engine: Build, searching: Question, credential: Credential,
    body: Mapping[str, Any], status: str, truncated: bool,
) -> None:  # fmt: skip
    peer.reply(body)
    answer = await engine(peer.base_url, adapter()).ask(searching, credential)
    import perplexity

    async with perplexity.AsyncPerplexity(api_key=CANARY, base_url=peer.base_url, max_retries=0) as sdk:
        sdk_answer = await sdk.responses.create(model="some-model", input=searching.text)
    assert (answer.status, answer.truncated, answer.text) == (status, truncated, sdk_answer.output_text)
    assert [(citation.kind, citation.url) for citation in answer.citations] == [
        ("retrieved", "https://page1.example/")
    ]
