"""Contents on the command line: listed, and exported as Markdown or HTML."""

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path

from server.service import open_service
from server.settings import Settings
from storage.repositories.repository_items import ItemDraft
from tests.server.application.conftest import BRAND, Workspace


async def store(workspace: Workspace, draft: ItemDraft) -> None:
    async with open_service(Settings.from_environ(workspace.environ)) as service:
        [company] = await service.database.operators.companies.all()
        async with service.database.transaction(company.id) as writing:
            brand = await writing.brands.find(BRAND)
            assert brand is not None
            await writing.repository_items.save(brand.key, [draft], datetime.now(UTC))


def test_a_draft_is_listed_and_exported(workspace: Workspace, tmp_path: Path) -> None:
    body = "Ask the **dealer**.\n\n<script>alert(1)</script>"
    asyncio.run(store(workspace, ItemDraft("Which hybrid?", body, "draft", key="answer:one")))
    listed = workspace.seenby(
        *("call", "get_repository_items", "--brandId", BRAND, "--category", "draft", "--json")
    )
    [item] = json.loads(listed.stdout)["items"]
    markdown = workspace.seenby("content", "export", item["id"])
    assert markdown.returncode == 0, markdown.stderr
    assert 'status: "draft"' in markdown.stdout
    assert "Ask the **dealer**." in markdown.stdout
    file = tmp_path / "draft.html"
    written = workspace.seenby("content", "export", item["id"], "--format", "html", "--out", file)
    assert written.returncode == 0, written.stderr
    assert "<p>Ask the <strong>dealer</strong>.</p>" in file.read_text(encoding="utf-8")
    assert "<script>" not in file.read_text(encoding="utf-8")


def test_an_unknown_text_or_format_is_refused_in_words(workspace: Workspace) -> None:
    for arguments, words in (
        (("no-such-item",), "No text has this id"),
        (("no-such-item", "--format", "docx"), "There is no format 'docx'"),
    ):
        refused = workspace.seenby("content", "export", *arguments)
        assert refused.returncode == 1
        assert words in refused.stderr
        assert "Traceback" not in refused.stderr
