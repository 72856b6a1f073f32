"""The OpenAPI 3.1 description of the REST interface, computed from the tool table alone."""

from collections.abc import Mapping
from typing import Any, cast

from oauth.principal import Scope
from oauth.product import NAME
from rest_bridge.examples import example, example_request
from rest_bridge.json_messages import LARGEST_BODY
from rest_bridge.routes import REST_PATH
from tools.calls.errors import ErrorCode
from tools.calls.table import Access, ToolRow, ToolTable

INTERFACE_VERSION = "1.1.0"
_COMPONENTS = "#/components/schemas/{model}"
_TAGS: Mapping[Access, tuple[str, str]] = {
    "read": ("Read", "Scope service.read, or an API key."),
    "write": ("Mutations", "Scope service.write, or an API key; ten calls a minute."),
    "public": ("Public diagnostics", "No authentication; limited per client address."),
}
_ABOUT = (
    "How AI engines present a brand: visibility, mentions, rankings, workflows, agent readiness.\n\n"
    "Wherever a `brandId` is taken, it is the brand's UUID or its exact name in any case. "
    "Every request is a POST with a JSON object; a tool without parameters takes `{}`. "
    "Errors all have one shape: a code, a message that names the tool, and a hint what to do."
)


def openapi_document(table: ToolTable, base_url: str, *, oauth: bool) -> dict[str, Any]:
    """The whole document; without OAuth, API keys are the only scheme it names.

    Raises ValueError if two tools give one name to two shapes.
    """
    builder = _Builder(oauth)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": NAME,
            "version": INTERFACE_VERSION,
            "description": _ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": base_url}],
        "tags": [{"name": name, "description": about} for name, about in _TAGS.values()],
        "paths": {f"{REST_PATH}/{row.name}": {"post": builder.operation(row)} for row in table.values()},
        "components": {
            "securitySchemes": _security_schemes(base_url, oauth),
            "schemas": {**builder.schemas, "Error": _ERROR},
        },
    }


class _Builder:
    """Operations, and the named schemas that they share."""

    def __init__(self, oauth: bool) -> None:
        self._oauth = oauth
        self.schemas: dict[str, Any] = {}

    def operation(self, row: ToolRow) -> dict[str, Any]:
        request = self._moved(row.input_schema_with(_COMPONENTS))
        result = self._moved(row.output_schema_with(_COMPONENTS))
        sent = {"schema": request, "example": example_request(request, self.schemas)}
        returned = {"schema": result, "example": example(result, self.schemas)}
        return {
            "operationId": row.name,
            "tags": [_TAGS[row.access][0]],
            "summary": row.title,
            "description": row.description,
            "security": self._security(row),
            "requestBody": {"required": True, "content": {"application/json": sent}},
            "responses": {
                "200": {
                    "description": "The tool's result.",
                    "headers": _STANDING,
                    "content": {"application/json": returned},
                },
                **_refusals(row),
            },
        }

    def _moved(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The schema with its definitions moved to the document's components."""
        rest = dict(schema)
        for name, definition in cast(dict[str, Any], rest.pop("$defs", {})).items():
            if self.schemas.setdefault(name, definition) != definition:
                raise ValueError(f"two shapes are named {name}")
        return rest

    def _security(self, row: ToolRow) -> list[dict[str, list[str]]]:
        if row.scope is None:
            return []
        by_key: list[dict[str, list[str]]] = [{"apiKey": []}]
        return [{"oauth2": [str(row.scope)]}, *by_key] if self._oauth else by_key


def _security_schemes(base_url: str, oauth: bool) -> dict[str, Any]:
    key = {"type": "http", "scheme": "bearer", "bearerFormat": "sk_live_ and 32 hex characters"}
    if not oauth:
        return {"apiKey": key}
    flow = {
        "authorizationUrl": f"{base_url}/api/oauth/authorize",
        "tokenUrl": f"{base_url}/api/oauth/token",
        "refreshUrl": f"{base_url}/api/oauth/token",
        "scopes": {
            str(Scope.READ): "Brand profiles, repository items, mentions, metrics, run status",
            str(Scope.WRITE): "Workflows, prompt sets, reusable agents; includes read",
        },
    }
    return {"apiKey": key, "oauth2": {"type": "oauth2", "flows": {"authorizationCode": flow}}}


def _refusals(row: ToolRow) -> dict[str, Any]:
    responses = _failures(row) | {
        "400": _refusal(
            row,
            ErrorCode.INVALID_PARAMS,
            "The body does not match the schema, or the tool rejects it.",
            f"Tool '{row.name}' failed: the body is not a JSON object",
            "Send a JSON object as the body; a tool without parameters takes {}.",
        ),
        "404": _refusal(
            row,
            ErrorCode.NOT_FOUND,
            "What the arguments name does not exist in this workspace.",
            f"Tool '{row.name}' failed: not found",
            "Call the tool that lists what this one takes.",
        ),
        "429": _refusal(
            row,
            ErrorCode.RATE_LIMITED,
            "Too many calls within a minute.",
            f"Tool '{row.name}' failed: rate limit exceeded",
            "Wait 12 seconds (Retry-After).",
            {**_STANDING, "Retry-After": _seconds("Seconds until a call will be taken.")},
        ),
    }
    if row.scope is None:
        return dict(sorted(responses.items()))
    right = "write" if row.scope is Scope.WRITE else "read"
    challenge = {"description": "How to sign in (RFC 6750).", "schema": {"type": "string"}}
    responses["401"] = _refusal(
        row,
        ErrorCode.UNAUTHORIZED,
        "The credential is missing, bad, or lacks the scope.",
        "Missing Authorization header.",
        f"This tool needs the scope {row.scope} ({right}).",
        {"WWW-Authenticate": challenge},
    )
    responses["503"] = _refusal(
        row,
        ErrorCode.UNAVAILABLE,
        "The credential could not be checked just now and may be good, or the database cannot be used.",
        "Failed to validate API key.",
        "Keep the credential and try again in 5 seconds.",
        _RETRY_LATER,
    )
    return dict(sorted(responses.items()))


def _failures(row: ToolRow) -> dict[str, Any]:
    """What may come of any call, whatever the tool is; METHOD_NOT_ALLOWED only answers other methods than POST."""
    return {
        "413": _refusal(
            row,
            ErrorCode.PAYLOAD_TOO_LARGE,
            f"The body is larger than {LARGEST_BODY} bytes; the connection is closed.",
            "Request body too large",
            f"Send at most {LARGEST_BODY} bytes.",
        ),
        "500": _refusal(
            row,
            ErrorCode.INTERNAL_ERROR,
            "A defect of the service.",
            f"Tool '{row.name}' failed: internal error",
            "This is a defect of the service. Report it with the reference 4f1d2c3b5a69.",
        ),
        "503": _refusal(
            row,
            ErrorCode.UNAVAILABLE,
            "The database cannot be used just now.",
            f"Tool '{row.name}' failed: the database is busy",
            "Nothing was changed. Repeat the call in a few seconds.",
            _RETRY_LATER,
        ),
    }


def _refusal(
    row: ToolRow,
    code: ErrorCode,
    when: str,
    message: str,
    hint: str,
    headers: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    example = {"error": {"code": str(code), "message": message, "hint": hint}}
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}, "example": example}}
    return {"description": when, "content": content} | ({"headers": headers} if headers else {})


def _seconds(meaning: str) -> dict[str, Any]:
    return {"description": meaning, "schema": {"type": "integer", "minimum": 1}}


_STANDING: Mapping[str, Any] = {
    "RateLimit-Limit": {"description": "Calls a minute.", "schema": {"type": "integer", "minimum": 1}},
    "RateLimit-Remaining": {"description": "Calls left.", "schema": {"type": "integer", "minimum": 0}},
    "RateLimit-Reset": _seconds("Seconds until the next call leaves the window of a minute."),
}

_RETRY_LATER: Mapping[str, Any] = {"Retry-After": _seconds("Seconds until the next try.")}

_ERROR: Mapping[str, Any] = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "hint"],
            "properties": {
                "code": {"type": "string", "enum": [str(code) for code in ErrorCode]},
                "message": {"type": "string"},
                "hint": {"type": "string"},
            },
        }
    },
}
