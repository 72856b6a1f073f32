"""The product's name. Every published document, page and client configuration takes it from here."""

from typing import Final

NAME: Final = "seenby"
"""Also the name of the package and of its command."""

DESCRIPTION: Final = (
    "How AI engines present a brand: visibility, mentions, rankings, workflows, agent readiness."
)

REGISTRY_NAME: Final = f"io.github.{NAME}/{NAME}"
"""The name in the MCP registry: the namespace of the account that publishes it, then the product."""
KEY_VARIABLE: Final = f"{NAME.upper()}_API_KEY"
"""The environment variable from which clients take a key."""
