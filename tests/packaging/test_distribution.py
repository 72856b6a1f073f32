"""What publishes the product follows the published schemas and takes the product's name from one place."""

import json
import re
import shutil
import sys
import zipfile
from base64 import b64decode
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import jsonschema
import pytest

from oauth.product import DESCRIPTION, KEY_VARIABLE, NAME, REGISTRY_NAME
from server.mcp.distribution import bundle_manifest, registry_entry, write_bundle
from tests.server.application.test_desktop import INITIALIZE, piped, request
from tests.test_packaging import PROJECT, ROOT
from tools.catalog import tool_table
from web.connect.install_links import install_texts

SCHEMAS = Path(__file__).with_name("schemas")
BASE_URL = "https://visibility.example"
PUBLISHED = ("oauth", "rest_bridge", "server/mcp", "web/connect")
"""Packages whose Python modules are published to clients; product.py alone spells the name."""


def schema(name: str) -> dict[str, Any]:
    return json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))


def test_the_registry_entry_follows_its_schema_and_is_current() -> None:
    committed = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    jsonschema.validate(committed, schema("server-2025-12-11"))
    assert committed == registry_entry(), "run: .venv/bin/python docs/generate.py"
    assert f"<!-- mcp-name: {REGISTRY_NAME} -->" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_manifest_of_the_bundle_follows_its_schema() -> None:
    manifest = bundle_manifest(tool_table())
    jsonschema.validate(manifest, schema("mcpb-manifest-v0.4"))
    assert len(manifest["tools"]) == len(tool_table())
    assert manifest["user_config"]["api_key"]["sensitive"] is True


def test_the_bundle_starts_the_server(tmp_path: Path) -> None:
    wheel = tmp_path / f"{NAME}-0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as empty:
        empty.writestr("RECORD", "")
    opened = tmp_path / "opened"
    shutil.unpack_archive(write_bundle(tool_table(), wheel, tmp_path), opened, "zip")
    manifest = json.loads((opened / "manifest.json").read_text(encoding="utf-8"))
    assert {manifest["icon"], manifest["server"]["entry_point"], wheel.name} <= {
        path.name for path in opened.iterdir()
    }
    code, answers, _ = piped(
        {
            "SEENBY_DATA_DIR": str(tmp_path / "data"),
            KEY_VARIABLE: manifest["user_config"]["api_key"]["default"],
        },
        request(1, "initialize", **INITIALIZE),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        request(2, "tools/list"),
        command=(sys.executable, str(opened / manifest["server"]["entry_point"])),
    )
    assert code == 0
    listed = {tool["name"] for tool in answers[2]["result"]["tools"]}
    assert listed == {tool["name"] for tool in manifest["tools"]}


def test_the_product_is_named_in_one_place() -> None:
    assert PROJECT["project"]["name"] == NAME
    assert list(PROJECT["project"]["scripts"]) == [NAME]
    assert len(DESCRIPTION) <= 100, "the registry's limit"
    spelled = [
        path.relative_to(ROOT).as_posix()
        for package in PUBLISHED
        for path in (ROOT / package).rglob("*.py")
        if re.search(rf'"{NAME}"', path.read_text(encoding="utf-8"))
    ]
    assert spelled == ["oauth/passwords.py", "oauth/product.py"], "a stored value, and the name"


@pytest.mark.parametrize("oauth", [True, False], ids=["oauth", "key"])
def test_no_link_or_entry_holds_a_key_and_each_names_the_endpoint(*, oauth: bool) -> None:
    texts = install_texts(BASE_URL, oauth=oauth)
    cursor = json.loads(b64decode(parse_qs(urlsplit(texts.cursor_link).query)["config"][0]))
    vscode = json.loads(unquote(texts.vscode_link.partition("?")[2]))
    assert (cursor["url"], vscode["url"]) == (f"{BASE_URL}/mcp", f"{BASE_URL}/mcp")
    assert (vscode["name"], vscode["type"]) == (NAME, "http")
    sent = [config.get("headers", {}).get("Authorization") for config in (cursor, vscode)]
    expected = [f"Bearer ${{env:{KEY_VARIABLE}}}", f"Bearer ${{input:{NAME}-key}}"]
    assert sent == ([None, None] if oauth else expected)
    assert [asked["password"] for asked in vscode["inputs"]] == ([] if oauth else [True])
    for command in (texts.claude_code, texts.codex, texts.gemini):
        assert f"{BASE_URL}/mcp" in command
        assert (KEY_VARIABLE in command) is not oauth
    assert "sk_live" not in repr(texts)
