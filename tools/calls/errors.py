"""Errors of a call: the table of causes with code and HTTP status, and readable argument errors."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import singledispatch
from types import MappingProxyType
from typing import Any, cast

from pydantic import ValidationError

from measurement.errors import ChangeRefused, Missing
from oauth.errors import MISSING, NOT_CHECKED
from oauth.principal import Scope
from storage.errors import DatabaseBusy, DatabaseLost, DatabaseUnavailable, RowGone
from tools.calls.parameters import NEXT_CALL
from tools.calls.wire import harmless
from workflows.errors import RunRefused


class ErrorCode(StrEnum):
    """The machine-readable part of an error body."""

    INVALID_PARAMS = "INVALID_PARAMS"
    UNAUTHORIZED = "UNAUTHORIZED"
    NOT_FOUND = "NOT_FOUND"
    RATE_LIMITED = "RATE_LIMITED"
    METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED"
    PAYLOAD_TOO_LARGE = "PAYLOAD_TOO_LARGE"
    INTERNAL_ERROR = "INTERNAL_ERROR"
    UNAVAILABLE = "UNAVAILABLE"


class Cause(StrEnum):
    """Why a request was not answered with a result."""

    AUTHENTICATION_REQUIRED = "authentication_required"
    CREDENTIAL_REFUSED = "credential_refused"
    CREDENTIAL_NOT_CHECKED = "credential_not_checked"
    UNDER_SCOPED = "under_scoped"
    RATE_LIMITED = "rate_limited"
    INVALID_ARGUMENTS = "invalid_arguments"
    REFUSED = "refused"
    NOT_FOUND = "not_found"
    UNKNOWN_TOOL = "unknown_tool"
    UNKNOWN_PATH = "unknown_path"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    BODY_TOO_LARGE = "body_too_large"
    UNAVAILABLE = "unavailable"
    CRASH = "crash"


@dataclass(frozen=True, slots=True)
class ErrorTemplate:
    """How one cause is reported.

    `reason` and `hint` are templates over the names that `words` returns. None
    means that the failure provides its own text. `rest_message` and `rest_hint`
    replace them for REST callers, who read a status and headers instead of a
    tool's result.
    """

    code: ErrorCode
    status: int
    reason: str | None = None
    hint: str | None = None
    rest_message: str | None = None
    rest_hint: str | None = None


_NEEDS = "This tool needs the scope {scope} ({right})."

FORMS: Mapping[Cause, ErrorTemplate] = MappingProxyType(
    {
        Cause.AUTHENTICATION_REQUIRED: ErrorTemplate(
            ErrorCode.UNAUTHORIZED,
            401,
            "authentication required",
            "Sign in with the scope {scope}, or send an API key as a Bearer token.",
            rest_message=MISSING,
            rest_hint=_NEEDS,
        ),
        Cause.CREDENTIAL_REFUSED: ErrorTemplate(ErrorCode.UNAUTHORIZED, 401, hint=_NEEDS),
        Cause.CREDENTIAL_NOT_CHECKED: ErrorTemplate(
            ErrorCode.UNAVAILABLE, 503, NOT_CHECKED, "Keep the credential and try again in {seconds} seconds."
        ),
        Cause.UNDER_SCOPED: ErrorTemplate(
            ErrorCode.UNAUTHORIZED,
            401,
            "the credential lacks the scope {scope}",
            _NEEDS,
            rest_message="The credential lacks the scope {scope}.",
        ),
        Cause.RATE_LIMITED: ErrorTemplate(
            ErrorCode.RATE_LIMITED,
            429,
            "rate limit exceeded",
            "Wait {seconds} seconds before the next call.",
            rest_hint="Wait {seconds} seconds (Retry-After).",
        ),
        Cause.INVALID_ARGUMENTS: ErrorTemplate(ErrorCode.INVALID_PARAMS, 400),
        Cause.REFUSED: ErrorTemplate(ErrorCode.INVALID_PARAMS, 400),
        Cause.NOT_FOUND: ErrorTemplate(ErrorCode.NOT_FOUND, 404),
        Cause.UNKNOWN_TOOL: ErrorTemplate(
            ErrorCode.NOT_FOUND, 404, "Unknown tool: {tool}", "Every tool is described in {document}."
        ),
        Cause.UNKNOWN_PATH: ErrorTemplate(
            ErrorCode.NOT_FOUND, 404, "No such path.", "Every path is described in {document}."
        ),
        Cause.METHOD_NOT_ALLOWED: ErrorTemplate(
            ErrorCode.METHOD_NOT_ALLOWED, 405, "Use {method}.", "Send {method} {path}."
        ),
        Cause.BODY_TOO_LARGE: ErrorTemplate(
            ErrorCode.PAYLOAD_TOO_LARGE, 413, "Request body too large", "Send at most {bytes} bytes."
        ),
        Cause.UNAVAILABLE: ErrorTemplate(
            ErrorCode.UNAVAILABLE, 503, hint="Nothing was changed. Repeat the call in a few seconds."
        ),
        Cause.CRASH: ErrorTemplate(
            ErrorCode.INTERNAL_ERROR,
            500,
            "internal error",
            "This is a defect of the service. Report it with the reference {reference}.",
        ),
    }
)


def words(scope: Scope | None = None, **others: object) -> dict[str, object]:
    """Return the values for a form's templates. A scope is also given as one word, read or write."""
    return {"scope": scope, "right": "write" if scope is Scope.WRITE else "read", **others}


class UnknownTool(LookupError):
    """No tool has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class NotFound(Exception):
    """A row that is not in the caller's workspace. A missing row and another company's row look the same."""

    def __init__(self, noun: str, hint: str) -> None:
        super().__init__(noun)
        self.reason = f"{noun} not found"
        self.hint = hint


class ToolRefusal(Exception):
    """The tool understood the call but declines it, due to credits, plan, concurrency or a wrong state."""

    def __init__(self, reason: str, hint: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.hint = hint


def brand_not_found() -> NotFound:
    """Return the error for a brandId that matches no brand of the workspace."""
    return NotFound("brand", NEXT_CALL["brandId"])


@dataclass(frozen=True, slots=True)
class ToolErrorDetail:
    """An exception described for the caller."""

    cause: Cause
    reason: str
    hint: str


@singledispatch
def error_detail(error: Exception) -> ToolErrorDetail | None:
    """Describe an exception for the caller. Returns None for an unexpected one."""
    return None


@error_detail.register
def _(error: NotFound) -> ToolErrorDetail:
    return ToolErrorDetail(Cause.NOT_FOUND, error.reason, error.hint)


@error_detail.register
def _(error: ToolRefusal) -> ToolErrorDetail:
    return ToolErrorDetail(Cause.REFUSED, error.reason, error.hint)


@error_detail.register
def _(error: Missing) -> ToolErrorDetail:
    first, *others = error.what.split()
    field = first + "".join(word.capitalize() for word in others) + "Id"
    return ToolErrorDetail(Cause.NOT_FOUND, error.message, error.hint or NEXT_CALL[field])


@error_detail.register
def _(error: RowGone) -> ToolErrorDetail:
    return ToolErrorDetail(
        Cause.NOT_FOUND,
        str(error),
        "Nothing was changed. Call list_brand_profiles for the brands that there are.",
    )


@error_detail.register
def _(error: DatabaseBusy) -> ToolErrorDetail:
    return ToolErrorDetail(Cause.UNAVAILABLE, "the database is busy", FORMS[Cause.UNAVAILABLE].hint or "")


@error_detail.register
def _(error: DatabaseLost) -> ToolErrorDetail:
    hint = "Repeat the call in a few seconds; if it changes something, check first whether that was done."
    return ToolErrorDetail(Cause.UNAVAILABLE, "the database does not answer", hint)


@error_detail.register
def _(error: DatabaseUnavailable) -> ToolErrorDetail:
    return ToolErrorDetail(
        Cause.UNAVAILABLE, "the database cannot be used", FORMS[Cause.UNAVAILABLE].hint or ""
    )


@error_detail.register
def _(error: RunRefused | ChangeRefused) -> ToolErrorDetail:
    return ToolErrorDetail(Cause.REFUSED, error.message, error.hint)


MOST_IGNORED = 5
LONGEST_NAME = 40

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Fault:
    """One validation error: `reason` says where and what, `hint` names the field, its bounds and the next call."""

    reason: str
    hint: str


def first_fault(error: ValidationError, schema: Schema) -> Fault:
    """Return the first error of a validation against this request schema. Never quotes what was sent."""
    details = error.errors(include_url=False, include_input=False, include_context=False)[0]
    path = [str(part) for part in details["loc"]]
    said = "has an invalid format" if details["type"] == "string_pattern_mismatch" else details["msg"]
    reason = ": ".join(filter(None, [".".join(path), said]))
    if details["type"] == "extra_forbidden":
        return Fault(reason, _allowed(path[:-1], schema))
    return Fault(reason, _expected(path, schema))


def ignored_parameters(arguments: Mapping[str, Any], schema: Schema) -> list[str]:
    """Return one notice per argument that the schema does not know, with the nearest known name.

    Tools with a credential ignore unknown arguments. The caller must be notified, because a misspelled filter would
    otherwise silently widen a result.
    """
    known = cast(Mapping[str, Any], schema["properties"])
    if arguments.keys() <= known.keys():
        return []
    said: list[str] = []
    for name in [name for name in arguments if name not in known][:MOST_IGNORED]:
        nearest = difflib.get_close_matches(name, known, n=1)
        advice = f"; did you mean {nearest[0]}?" if nearest else "."
        said.append(f"{harmless(name, LONGEST_NAME)} is not a parameter and was ignored{advice}")
    return said


def _allowed(path: list[str], schema: Schema) -> str:
    names = list(_at(path, schema).get("properties", {}))
    where = f" in {'.'.join(path)}" if path else ""
    return f"Allowed{where}: {', '.join(names)}." if names else "This tool takes no arguments: send {}."


def _expected(path: list[str], schema: Schema) -> str:
    field = _at(path, schema)
    sentence = f"Send {'.'.join(path) or 'the arguments'} as {_described(field)}."
    advice = NEXT_CALL.get(path[-1] if path else "") or field.get("description", "")
    return f"{sentence} {advice}".rstrip()


def _at(path: list[str], schema: Schema) -> Schema:
    """Return the subschema at a path of property names and array indexes; empty when the schema does not define it."""
    subschema = schema
    for part in path:
        subschema = _resolved(subschema, schema)
        inner = (
            subschema.get("items")
            if part.isdigit() and "items" in subschema
            else subschema.get("properties", {}).get(part)
        )
        subschema = cast(Schema, inner or {})
    return _resolved(subschema, schema)


def _resolved(subschema: Schema, schema: Schema) -> Schema:
    reference = subschema.get("$ref")
    if not isinstance(reference, str):
        return subschema
    target = cast(Schema, schema.get("$defs", {}).get(reference.rsplit("/", 1)[-1], {}))
    return {**target, **{key: value for key, value in subschema.items() if key != "$ref"}}


def _described(field: Schema) -> str:
    if "enum" in field:
        return f"one of {', '.join(map(str, field['enum']))}"
    words = [
        "a whole number"
        if field.get("multipleOf") == 1
        else _KINDS.get(field.get("type", ""), "a JSON value")
    ]
    bounds = _range(field, "minimum", "maximum", "") or _range(field, "minLength", "maxLength", " characters")
    bounds = bounds or _range(field, "minItems", "maxItems", " items")
    if bounds:
        words.append(bounds)
    if "pattern" in field and "examples" in field:
        words.append(f"such as {field['examples'][0]}")
    if "default" in field:
        words.append(f"(default {field['default']})")
    return " ".join(words)


_KINDS: Mapping[str, str] = {
    "string": "a string",
    "number": "a number",
    "boolean": "a boolean",
    "array": "an array",
    "object": "an object",
}


def _range(field: Schema, low: str, high: str, unit: str) -> str:
    if low in field and high in field:
        return f"from {field[low]} to {field[high]}{unit}"
    if low in field:
        return f"of at least {field[low]}{unit}"
    return f"of at most {field[high]}{unit}" if high in field else ""
