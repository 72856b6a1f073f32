"""The data folder of an evaluation: the synthetic history, keys, and an engine that a run can be priced for."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path

from tests.evals.questions import PREVIEWED
from tests.server.application.conftest import Workspace, environment, make_keys

PRICED = {"platform": PREVIEWED, "baseUrl": "http://127.0.0.1:9", "model": "m", "searchTool": "search"}
"""Nothing listens there: it is planned for and never asked."""


async def load_history(folder: Path) -> Workspace:
    """Load the synthetic history into a folder, and make keys for it."""
    bare = Workspace(environment(folder / "data"), folder, ())
    loaded = await asyncio.to_thread(bare.seenby, "demo", "--history", "--no-serve")
    assert loaded.returncode == 0, loaded.stderr
    return Workspace(bare.environ, folder, await make_keys(bare.environ))


def planning(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment with the engine that is planned for."""
    return {**environ, "SEENBY_ENGINE_COMPATIBLE": json.dumps([PRICED])}
