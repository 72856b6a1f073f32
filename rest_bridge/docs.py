"""The API documentation page, rendered from the OpenAPI document."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from starlette.routing import Route

from rest_bridge.documents import CachedDocument

DOCS_PATH = "/docs"
_STYLE_PATH = f"{DOCS_PATH}/style.css"
_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def docs_routes(document: Callable[[], Mapping[str, Any]]) -> list[Route]:
    """The page at /docs of what `document` makes for its first reader, and its style sheet.

    Both are ours, and nothing is loaded from elsewhere.
    """
    style = Path(__file__).with_name("static").joinpath("docs.css").read_bytes()
    page = CachedDocument(
        lambda: render(document()).encode(),
        "text/html; charset=utf-8",
        {"content-security-policy": _POLICY, "referrer-policy": "no-referrer"},
    )
    return [Route(DOCS_PATH, page), Route(_STYLE_PATH, CachedDocument(style, "text/css; charset=utf-8"))]


def render(document: Mapping[str, Any]) -> str:
    """Return the documentation page of our OpenAPI document."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # both imports load on the first page view
    from markdown_it import MarkdownIt

    templates = Environment(
        loader=PackageLoader("rest_bridge"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    definitions: Mapping[str, Any] = document["components"]["schemas"]
    filters: dict[str, Callable[..., Any]] = {
        "pretty": _pretty,
        "kind": _kind,
        "fields": partial(_fields, definitions=definitions),
        "markdown": MarkdownIt("js-default").render,
    }
    templates.filters.update(filters)
    groups = [
        (
            tag,
            [
                (path, item["post"])
                for path, item in document["paths"].items()
                if tag["name"] in item["post"]["tags"]
            ],
        )
        for tag in document["tags"]
    ]
    return templates.get_template("docs.html").render(
        info=document["info"], server=document["servers"][0]["url"], groups=groups, style=_STYLE_PATH
    )


def _pretty(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _kind(schema: Mapping[str, Any]) -> str:
    """A field's type and bounds in a few words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "anyOf" in schema:
        return " or ".join(_kind(choice) for choice in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"array of {_kind(schema.get('items', {}))}"
    name = "whole number" if schema.get("multipleOf") == 1 else str(schema.get("type", "any"))
    bounds = {
        word: schema[key]
        for key, word in (("minimum", "from"), ("maximum", "to"), ("minLength", "min"), ("maxLength", "max"))
        if key in schema
    }
    return " ".join([name, *(f"{word} {bound}" for word, bound in bounds.items())])


def _fields(
    schema: Mapping[str, Any], *, definitions: Mapping[str, Any]
) -> list[tuple[str, Mapping[str, Any], bool]]:
    """The fields of an object, those of objects within it by dotted name: name, schema, required."""
    listed: list[tuple[str, Mapping[str, Any], bool]] = []
    for name, field in schema.get("properties", {}).items():
        listed.append((name, field, name in schema.get("required", ())))
        inner = definitions.get(str(field.get("$ref", "")).rsplit("/", 1)[-1], {})
        listed += [
            (f"{name}.{part}", field_schema, needed)
            for part, field_schema, needed in _fields(inner, definitions={})
        ]
    return listed
