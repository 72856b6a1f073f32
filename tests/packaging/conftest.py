"""The wheel of this tree, and how its tests run commands."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

ROOT = Path(__file__).parents[2]
UV = Path(sys.executable).with_name("uv")


def run(command: list[str | Path], cwd: Path, environ: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, env=environ, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-3000:]
    return done.stdout


def build_wheel_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel of this tree, in a folder of its own; all processes of one run of the tests share it."""
    if not UV.exists():
        pytest.skip("uv is not in the environment that runs the tests")
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "built-wheel"
    with FileLock(folder.with_suffix(".lock")):
        if not folder.exists():
            building = folder.with_suffix(".building")
            run([UV, "build", "--wheel", "--out-dir", building, ROOT], folder.parent)
            building.rename(folder)
    [built] = folder.glob("seenby-*.whl")
    return built


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree."""
    return build_wheel_once(tmp_path_factory)


@pytest.fixture
def clean_environ(tmp_path: Path) -> dict[str, str]:
    """What a newcomer's shell has: how packages are found here, an empty home, and nothing of ours."""
    ours = ("SEENBY_", "VIRTUAL_ENV", "PYTHONPATH", "UV_PROJECT")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    cache = kept.get("UV_CACHE_DIR", str(Path.home() / ".cache" / "uv"))
    home = tmp_path / "home"
    home.mkdir()
    return {
        **kept,
        "UV_CACHE_DIR": cache,
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "COLUMNS": "100",
    }
