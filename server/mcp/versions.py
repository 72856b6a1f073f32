"""The interface version, and the protocol versions: which are served, and how others are handled."""

from collections.abc import Mapping
from typing import Any, Final

from mcp.types import PROTOCOL_VERSION_META_KEY
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from rest_bridge.openapi import INTERFACE_VERSION

SERVICE_VERSION: Final = INTERFACE_VERSION
"""Version of the interface, not of the package. The OpenAPI document and serverInfo carry it too."""

SPECIFIED_VERSIONS: Final = ("2025-06-18", "2025-03-26", "2024-11-05")
"""The versions the interface specification promises, newest first."""

ADDITIONAL_VERSIONS: Final = ("2025-11-25", "2026-07-28")
"""Also served, because the SDK supports them."""

APPS_EXTENSION: Final = "io.modelcontextprotocol/ui"
"""The extension that hosts use to render our pages inside a chat."""

TASKS_EXTENSION: Final = "io.modelcontextprotocol/tasks"
"""The extension by which clients follow runs as tasks, from 2026-07-28 on."""

PREFERRED_VERSION: Final = "2025-06-18"
"""Version returned to a client that requests an unknown version."""

UNNAMED_VERSION: Final = "2025-03-26"
"""Version assumed for a request without a version header: the last version that had no such header."""

_UNKNOWN_CLIENT: Final = {"name": "unknown", "version": "0"}


def is_handshake_version(version: str) -> bool:
    """Return whether `version` belongs to the era that opens with `initialize`."""
    return version in HANDSHAKE_PROTOCOL_VERSIONS


def has_structured_content(version: str) -> bool:
    """Return whether results of a protocol version have `structuredContent`. Versions are dates."""
    return version >= "2025-06-18"


def carries_envelope(params: Mapping[str, Any]) -> bool:
    """Return whether `params._meta` is the envelope that requests of 2026-07-28 and later carry."""
    meta = params.get("_meta")
    return isinstance(meta, Mapping) and PROTOCOL_VERSION_META_KEY in meta


def lenient_initialize(params: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in what real clients omit from `initialize`. Present values of a wrong type are kept.

    An unknown version becomes the preferred one, since the SDK would answer it with a version
    that the specification does not list.
    """
    requested = params.get("protocolVersion")
    known = isinstance(requested, str) and is_handshake_version(requested)
    return {
        "capabilities": {},
        "clientInfo": _UNKNOWN_CLIENT,
        **params,
        "protocolVersion": requested if known else PREFERRED_VERSION,
    }
