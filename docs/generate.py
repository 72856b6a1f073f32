"""Writes what documents repeat of the code: tools and settings in README.md, the tool count, and mcp.json.

`python docs/generate.py` writes them; with `--check` it only says which are out of date, and exits with 1.
"""

import json
import sys
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

from engines.settings import HOSTED
from engines.settings import PREFIX as ENGINE_PREFIX
from server.environment import PREFIX, Environment, extra_of, variable_name
from server.mcp.discovery import mcp_json
from tools.calls.table import ToolRow
from tools.catalog import tool_table

ROOT = Path(__file__).parents[1]
REQUIREMENTS = ROOT / "tests" / "spec" / "requirements.toml"
BASE_URL = "http://127.0.0.1:8000"


def tools() -> str:
    """The tools by the module that holds their family."""
    families: dict[str, list[ToolRow]] = {}
    for row in tool_table().values():
        families.setdefault(row.tool.fn.__module__.rpartition(".")[2], []).append(row)
    public = len(tool_table().names("public"))
    lines = [f"{len(tool_table()) - public} tools with a credential, {public} public ones.", ""]
    rows = (
        (
            f"`tools/{family}.py`",
            f"`{row.name}`",
            row.access,
            row.description.split(". ")[0].rstrip(".") + ".",
        )
        for family, members in families.items()
        for row in members
    )
    return "\n".join([*lines, *table(("Family", "Tool", "Access", "What it does"), rows)])


def tool_count() -> str:
    """How many tools a release has: those of the specification, the public ones, and the additions by name."""
    rule = tomllib.loads(REQUIREMENTS.read_text(encoding="utf-8"))["EP-19"]
    additions = sorted(set(tool_table()) - {*rule["tools"], *rule["public_tools"]})
    names = f": {', '.join(additions)}" if additions else ""
    return f"Tools: {len(rule['tools'])} and {len(rule['public_tools'])} public; {len(additions)} additions{names}."


def settings() -> str:
    """Every variable of the environment with meaning, unit and default."""
    rows = [
        (f"`{variable_name(name)}`", declared.description or "", extra_of(declared, "without") or "none")
        for name, declared in Environment.model_fields.items()
    ]
    for platform, hosted in HOSTED.items():
        name = ENGINE_PREFIX + hosted.variable
        rows.append(
            (f"`{name}_API_KEY`", f"key of the provider behind platform `{platform}`", "none: not asked")
        )
        rows.append((f"`{name}_BASE_URL`", f"where `{platform}` is asked", hosted.base_url))
        rows.append((f"`{name}_MODEL`", f"which model of `{platform}` is asked", hosted.model))
        if hosted.option:
            meaning = OPTIONS[hosted.option]
            rows.append((f"`{name}_{hosted.option}`", f"`{platform}`: {meaning}", hosted.option_default))
    rows.append(
        (f"`{PREFIX}API_KEY`", "read by `seenby stdio`: the key it acts for", "the only company there is")
    )
    rows.append(
        (
            f"`{PREFIX}SETTINGS`",
            "the settings file: lines of NAME=value; the environment wins over it",
            "seenby.env in the data folder",
        )
    )
    return "\n".join(table(("Variable", "Meaning", "Default"), rows))


OPTIONS = {
    "SEARCH_TOOL": "type of the search tool",
    "LOCATION": "how a search is told its place: none or user_location",
    "API": "which API is spoken",
    "PATH": "path of the API",
}


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A Markdown table."""
    lines = [columns, ["---"] * len(columns), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]


def filled(text: str, name: str, content: str) -> str:
    """The text with what stands between the marks of this name replaced."""
    start, end = f"<!-- {name}: generated -->", f"<!-- {name}: end -->"
    before, _, rest = text.partition(start)
    _, marked, after = rest.partition(end)
    if not marked:
        raise SystemExit(f"no document has a part {name}")
    return f"{before}{start}\n{content}\n{end}{after}"


def documents() -> dict[Path, str]:
    """Every generated file as it should be."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    described = mcp_json(tool_table(), BASE_URL, oauth=False)
    return {
        ROOT / "README.md": filled(filled(readme, "tools", tools()), "settings", settings()),
        ROOT / "CHANGELOG.md": filled(changelog, "tools", tool_count()),
        ROOT / "mcp.json": json.dumps(described, indent=2, ensure_ascii=False) + "\n",
    }


def main() -> int:
    """Write, or check."""
    stale = {
        path: text
        for path, text in documents().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    }
    for path, text in stale.items():
        sys.stdout.write(f"{path.name} {'is out of date' if '--check' in sys.argv else 'written'}\n")
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
    return int(bool(stale) and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
