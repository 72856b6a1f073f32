"""The OpenAPI document: valid, complete, and true to the table."""

import json
from typing import Any

import httpx2
import jsonschema
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from rest_bridge.openapi import openapi_document
from tests.conftest import AssertError
from tools.calls.errors import FORMS
from tools.calls.table import ToolTable

BASE = "https://seenby.example"


@pytest.fixture
def document(table: ToolTable) -> dict[str, Any]:
    return json.loads(json.dumps(openapi_document(table, BASE, oauth=True)))


def operations(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {path: item["post"] for path, item in document["paths"].items()}


@pytest.mark.requirement("EP-12", "VER-02")
@pytest.mark.parametrize("oauth", [True, False])
def test_the_document_is_valid_openapi_3_1_of_version_1_1_0(table: ToolTable, oauth: bool) -> None:
    document = json.loads(json.dumps(openapi_document(table, BASE, oauth=oauth)))
    OpenAPIV31SpecValidator(document).validate()
    assert document["openapi"] == "3.1.0"
    assert document["info"]["version"] == "1.1.0"
    assert ("oauth2" in json.dumps(document)) is oauth


@pytest.mark.requirement("EP-01", "EP-04", "VER-01")
def test_every_tool_is_an_operation_of_its_own_name_and_tag(
    table: ToolTable, document: dict[str, Any]
) -> None:
    tags = {"read": "Read", "write": "Mutations", "public": "Public diagnostics"}
    assert [tag["name"] for tag in document["tags"]] == list(tags.values())
    declared = {path: (o["operationId"], o["tags"]) for path, o in operations(document).items()}
    assert declared == {
        f"/api/mcp-app/rest/{row.name}": (row.name, [tags[row.access]]) for row in table.values()
    }


@pytest.mark.requirement("EP-09", "AUTH-08")
def test_security_and_refusals_follow_from_the_access(table: ToolTable, document: dict[str, Any]) -> None:
    for operation in operations(document).values():
        row = table[operation["operationId"]]
        everywhere = {"200", "400", "404", "413", "429", "500", "503"}
        assert set(operation["responses"]) == everywhere | ({"401"} if row.scope else set())
        assert operation["security"] == ([{"oauth2": [str(row.scope)]}, {"apiKey": []}] if row.scope else [])
        assert operation["requestBody"]["required"] is True
        assert "Retry-After" in operation["responses"]["429"]["headers"]


def test_every_example_is_what_its_schema_says(document: dict[str, Any]) -> None:
    components = {"components": document["components"]}
    for operation in operations(document).values():
        bodies = [operation["requestBody"], *operation["responses"].values()]
        for body in bodies:
            media = body["content"]["application/json"]
            jsonschema.validate(
                media["example"], {**media["schema"], **components}, jsonschema.Draft202012Validator
            )


def test_every_code_that_an_error_can_have_is_told(document: dict[str, Any]) -> None:
    codes = document["components"]["schemas"]["Error"]["properties"]["error"]["properties"]["code"]["enum"]
    assert set(codes) == {form.code for form in FORMS.values()}
    for operation in operations(document).values():
        for status, response in operation["responses"].items():
            if status != "200":
                told = response["content"]["application/json"]["example"]["error"]["code"]
                assert int(status) in {form.status for form in FORMS.values() if form.code == told}


def test_no_definition_is_left_behind(document: dict[str, Any]) -> None:
    assert "$defs" not in json.dumps(document)


@pytest.mark.requirement("EP-12")
async def test_the_document_is_served_to_anybody_and_revalidated(
    client: httpx2.AsyncClient, document: dict[str, Any], assert_error: AssertError
) -> None:
    answer = await client.get("/api/mcp-app/openapi.json")
    assert answer.json() == document
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "public, max-age=300"
    for tag in (answer.headers["etag"], f"W/{answer.headers['etag']}", f'"x", {answer.headers["etag"]}', "*"):
        again = await client.get("/api/mcp-app/openapi.json", headers={"If-None-Match": tag})
        assert (again.status_code, again.content) == (304, b"")
    assert (
        await client.get("/api/mcp-app/openapi.json", headers={"If-None-Match": '"x"'})
    ).status_code == 200
    assert_error(await client.post("/api/mcp-app/openapi.json"), 405, "METHOD_NOT_ALLOWED", "Use GET.")
