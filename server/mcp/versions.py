"""The service's own name and version, and the protocol versions: which are served, and how others are welcomed."""

from collections.abc import Mapping
from typing import Any, Final

from mcp.types import PROTOCOL_VERSION_META_KEY
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

SERVICE_NAME: Final = "seenby"
SERVICE_VERSION: Final = "1.1.0"
"""Of the interface, not of the package: the OpenAPI document and serverInfo carry it too."""

SPECIFIED_VERSIONS: Final = ("2025-06-18", "2025-03-26", "2024-11-05")
"""The versions the interface specification promises, newest first."""

ADDITIONAL_VERSIONS: Final = ("2025-11-25", "2026-07-28")
"""Served as well, because the SDK speaks them."""

APPS_EXTENSION: Final = "io.modelcontextprotocol/ui"
"""The extension by which hosts draw pages of ours inside the chat."""

PREFERRED_VERSION: Final = "2025-06-18"
"""The answer to a client that asks for a version nobody knows."""

UNNAMED_VERSION: Final = "2025-03-26"
"""What a request without a version header speaks: the last version that had no such header."""

_UNKNOWN_CLIENT: Final = {"name": "unknown", "version": "0"}


def is_handshake_version(version: str) -> bool:
    """Tell whether `version` belongs to the era that opens with `initialize`."""
    return version in HANDSHAKE_PROTOCOL_VERSIONS


def carries_envelope(params: Mapping[str, Any]) -> bool:
    """Tell whether `params._meta` is the envelope that requests of 2026-07-28 and later carry."""
    meta = params.get("_meta")
    return isinstance(meta, Mapping) and PROTOCOL_VERSION_META_KEY in meta


def lenient_initialize(params: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in what real clients leave out of `initialize`; what is present with a wrong type stays.

    A version nobody knows becomes the preferred one, since the SDK would answer it with a version
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
