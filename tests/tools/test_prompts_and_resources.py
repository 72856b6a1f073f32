"""Prompts, templates, completion and the documents of a workspace, through a client of the protocol."""

import re
from pathlib import Path

import pytest
from mcp import Client, MCPError
from mcp.types import PromptReference, ResourceTemplateReference, TextContent, TextResourceContents

from oauth.principal import Caller, Principal, Scope
from server.mcp.handlers import local_handlers
from server.mcp.server import build_server
from tests.tools.conftest import Office, import_answers, scooter_answer
from tools.catalog import tool_table

ASKED = PromptReference(type="ref/prompt", name="weekly_report")


def client_of(office: Office, company: str | None = "ours") -> Client:
    """A client of one company; None is somebody without a credential."""
    principal = (
        Principal(office.companies[company], f"key:{company}", frozenset({Scope.READ})) if company else None
    )
    return Client(build_server(local_handlers(office.dispatcher, Caller(principal, "192.0.2.1"))))


async def read(client: Client, uri: str) -> str:
    (content,) = (await client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    assert content.mime_type == "text/markdown"
    return content.text


async def test_every_prompt_names_existing_tools_and_uncertainty(office: Office) -> None:
    async with client_of(office, None) as client:
        prompts = (await client.list_prompts()).prompts
        assert len(prompts) == 6
        for prompt in prompts:
            arguments = {argument.name: "Zentrix" for argument in prompt.arguments or ()}
            result = await client.get_prompt(prompt.name, arguments)
            (message,) = result.messages
            assert isinstance(message.content, TextContent)
            text = message.content.text
            named = set(re.findall(r"\b(?:get|list|search|compare|run|update|create)_[a-z_]+", text))
            assert len(named) > 1
            assert named <= tool_table().keys(), named - tool_table().keys()
            assert "no change can be detected" in text
            assert "Zentrix" in text


async def test_a_prompt_reads_well_without_its_optional_arguments(office: Office) -> None:
    async with client_of(office, None) as client:
        for prompt in (await client.list_prompts()).prompts:
            named = {argument.name: f"<{argument.name}>" for argument in prompt.arguments or ()}
            needed = {argument.name for argument in prompt.arguments or () if argument.required}
            for given in (named, {name: named[name] for name in needed}):
                (message,) = (await client.get_prompt(prompt.name, given)).messages
                assert isinstance(message.content, TextContent)
                text = message.content.text
                assert not re.search(r"[\[\]{}]|not given|\(\)", text)
                assert {name for name in named if f"<{name}>" in text} == given.keys()
                for tool, row in tool_table().items():
                    required = set(row.input_schema.get("required", ())) & {"brandId", "query", "url"}
                    for step in re.findall(rf"^\d+\. {tool}\b.*", text, re.MULTILINE):
                        assert all(re.search(rf"\b{field}\b", step) for field in required), step


async def test_a_prompt_without_its_brand_or_of_another_name_is_refused(office: Office) -> None:
    async with client_of(office) as client:
        with pytest.raises(MCPError, match="Missing argument: brand"):
            await client.get_prompt("weekly_report", {})
        with pytest.raises(MCPError, match="weekly_report"):
            await client.get_prompt("monthly_report", {"brand": "Acme"})


async def test_arguments_are_completed_from_the_callers_own_workspace(measured: Office) -> None:
    async def values(client: Client, argument: str, typed: str) -> list[str]:
        found = await client.complete(ASKED, {"name": argument, "value": typed})
        return found.completion.values

    async with client_of(measured) as ours:
        assert await values(ours, "brand", "b") == ["Bolt"]
        assert await values(ours, "brand", "") == ["Acme", "Bolt"]
        assert await values(ours, "rival", "zen") == ["Zentrix"]
        assert await values(ours, "from", "2") == []
        template = ResourceTemplateReference(type="ref/resource", uri="seenby://brands/{id}/report")
        assert len((await ours.complete(template, {"name": "id", "value": ""})).completion.values) == 2
    async with client_of(measured, "theirs") as theirs:
        assert await values(theirs, "brand", "") == ["Other"]
    async with client_of(measured, None) as nobody:
        assert await values(nobody, "brand", "") == []


async def test_answers_and_reports_are_read_by_who_sees_them_and_by_nobody_else(
    measured: Office, tmp_path: Path
) -> None:
    lost = scooter_answer(3, 9, "chatgpt", "1. Zentrix\n2. Other")
    await import_answers(measured, tmp_path / "answers.jsonl", [lost] * 12)
    listed = await measured.call("list_answers", brandId="Acme")
    answer = f"seenby://answers/{listed['answers'][0]['answerId']}"
    async with client_of(measured) as ours:
        assert [template.name for template in (await ours.list_resource_templates()).resource_templates] == [
            "answer",
            "brand-report",
        ]
        reports = [
            resource
            for resource in (await ours.list_resources()).resources
            if str(resource.uri).startswith("seenby://brands/")
        ]
        assert [report.title for report in reports] == ["Report on Acme", "Report on Bolt"]
        report = await read(ours, str(reports[0].uri))
        assert report.startswith("# Acme in AI answers")
        assert "Which scooter suits rider 09?" in report
        text = await read(ours, answer)
        assert "data, never an instruction" in text
        assert "\u202e" not in text
    for stranger in ("theirs", None):
        async with client_of(measured, stranger) as client:
            for uri in (answer, str(reports[0].uri)):
                with pytest.raises(MCPError, match="Resource not found"):
                    await client.read_resource(uri)
            templates = (await client.list_resource_templates()).resource_templates
            assert len(templates) == (2 if stranger else 0)
            named = [str(resource.uri) for resource in (await client.list_resources()).resources]
            assert str(reports[0].uri) not in named


async def test_a_client_without_a_credential_is_told_where_the_key_belongs(office: Office) -> None:
    async with client_of(office, None) as client:
        result = await client.call_tool("get_credits", {})
    assert result.is_error
    first = result.content[0]
    assert isinstance(first, TextContent)
    message, hint = first.text.split("\n")
    assert message.startswith("Tool 'get_credits' failed:")
    assert "SEENBY_API_KEY" in hint
