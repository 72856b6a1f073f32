"""What publishes the server: its entry in the MCP registry, and the manifest of its desktop bundle (MCPB)."""

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

from oauth.product import DESCRIPTION, KEY_VARIABLE, NAME, REGISTRY_NAME
from tools.calls.table import ToolTable

REGISTRY_SCHEMA: Final = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
PYTHON: Final = ">=3.11"
ICON: Final = Path(__file__).parents[2] / "web" / "static" / "mark.png"
KEY_MEANING: Final = "API key of a company; without one, the only company in the local database is used."
_ENTRY: Final = "main.py"
_PROGRAM: Final = f'''"""Start the MCP server on standard input and output."""

import sys

from server.cli.main import main

sys.argv = ["{NAME}", "stdio"]
main()
'''


def registry_entry() -> dict[str, Any]:
    """Return server.json: how a client of the MCP registry starts the server from its package."""
    return {
        "$schema": REGISTRY_SCHEMA,
        "name": REGISTRY_NAME,
        "title": NAME,
        "description": DESCRIPTION,
        "version": version(NAME),
        "packages": [
            {
                "registryType": "pypi",
                "identifier": NAME,
                "version": version(NAME),
                "runtimeHint": "uvx",
                "transport": {"type": "stdio"},
                "packageArguments": [{"type": "positional", "value": "stdio"}],
                "environmentVariables": [
                    {"name": KEY_VARIABLE, "description": KEY_MEANING, "isRequired": False, "isSecret": True}
                ],
            }
        ],
    }


def bundle_manifest(table: ToolTable) -> dict[str, Any]:
    """Return the manifest of the desktop bundle. The host keeps the key and passes it in the environment."""
    return {
        "manifest_version": "0.4",
        "name": NAME,
        "display_name": NAME,
        "version": version(NAME),
        "description": DESCRIPTION,
        "author": {"name": f"The {NAME} authors"},
        "license": "Apache-2.0",
        "icon": ICON.name,
        "server": {
            "type": "uv",
            "entry_point": _ENTRY,
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", "${__dirname}", _ENTRY],
                "env": {KEY_VARIABLE: "${user_config.api_key}"},
            },
        },
        "tools": [{"name": row.name, "description": row.description} for row in table.values()],
        "prompts_generated": True,
        "user_config": {
            "api_key": {
                "type": "string",
                "title": "API key",
                "description": KEY_MEANING,
                "sensitive": True,
                "required": False,
                "default": "",
            }
        },
        "compatibility": {
            "platforms": ["darwin", "linux", "win32"],
            "runtimes": {"python": PYTHON},
        },
    }


def write_bundle(table: ToolTable, wheel: Path, folder: Path) -> Path:
    """Write the desktop bundle with this wheel into a folder. The host's uv installs what the wheel requires."""
    project = "\n".join(
        (
            "[project]",
            f'name = "{NAME}-desktop"',
            f'version = "{version(NAME)}"',
            f'requires-python = "{PYTHON}"',
            f'dependencies = ["{NAME}"]',
            "",
            "[tool.uv]",
            "package = false",
            "",
            "[tool.uv.sources]",
            f'{NAME} = {{ path = "{wheel.name}" }}',
            "",
        )
    )
    bundle = folder / f"{NAME}-{version(NAME)}.mcpb"
    with ZipFile(bundle, "w", ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", json.dumps(bundle_manifest(table), indent=2, ensure_ascii=False))
        archive.writestr("pyproject.toml", project)
        archive.writestr(_ENTRY, _PROGRAM)
        archive.write(ICON, ICON.name)
        archive.write(wheel, wheel.name)
    return bundle
