"""Writes what documents repeat of the code: tools, settings, install links, mcp.json, server.json, llms.txt.

The guide is in web/help/guide, from where every server serves it at /help.

`python docs/generate.py` writes them; with `--check` it only reports which are out of date, and exits with 1.
"""

import json
import sys
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import quote

from engines.settings import HOSTED, SUPPLIER, SURFACES, ZONE
from engines.settings import PREFIX as ENGINE_PREFIX
from server.environment import PREFIX, Environment, extra_of, variable_name
from server.mcp.discovery import mcp_json
from server.mcp.distribution import registry_entry
from tools.calls.table import ToolRow
from tools.catalog import tool_table
from web.connect.install_links import install_texts

ROOT = Path(__file__).parents[1]
REQUIREMENTS = ROOT / "tests" / "spec" / "requirements.toml"
GUIDE = ROOT / "web" / "help" / "guide"
BASE_URL = "http://127.0.0.1:8000"
CURSOR_REDIRECT = "https://cursor.com/install-mcp"
VSCODE_REDIRECT = "https://vscode.dev/redirect?url="


def tools() -> str:
    """The tools by the module that holds their family."""
    families: dict[str, list[ToolRow]] = {}
    for row in tool_table().values():
        families.setdefault(row.declared.__module__.rpartition(".")[2], []).append(row)
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
    rows += [
        (
            f"`{SURFACES}`",
            "what people see, by supplier: google_ai_mode=dataforseo,copilot=cloro",
            "none: not asked",
        ),
        (f"`{SUPPLIER}DATAFORSEO_LOGIN`", "login of your account at DataForSEO", "none: not asked"),
        (f"`{SUPPLIER}DATAFORSEO_PASSWORD`", "the API password that belongs to it", "none: not asked"),
        (f"`{SUPPLIER}CLORO_API_KEY`", "key of your account at Cloro", "none: not asked"),
        (f"`{SUPPLIER}BRIGHTDATA_API_KEY`", "key of your account at Bright Data", "none: not asked"),
        (
            f"`{SUPPLIER}BRIGHTDATA_ZONE`",
            "what that account calls its access to results pages, for google_ai_overview",
            f"`{ZONE}`",
        ),
        (f"`{SUPPLIER}SERPAPI_API_KEY`", "key of your account at SerpApi", "none: not asked"),
        (f"`{SUPPLIER}<NAME>_BASE_URL`", "where a supplier is asked", "the supplier's own"),
    ]
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
    "LOCATION": "how the location is sent to a search: none or user_location",
    "API": "which API is spoken",
    "PATH": "path of the API",
}


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A Markdown table."""
    lines = [columns, ["---"] * len(columns), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]


def install() -> str:
    """Links and commands that install a local server in a client; GitHub opens https links only."""
    texts = install_texts(BASE_URL, oauth=True)
    cursor = texts.cursor_link.replace("cursor://anysphere.cursor-deeplink/mcp/install", CURSOR_REDIRECT)
    vscode = VSCODE_REDIRECT + quote(texts.vscode_link, safe="")
    return "\n".join(
        (
            f"[Install in Cursor]({cursor}) · [Install in VS Code]({vscode}) · or one of these commands:",
            "",
            "<!-- elsewhere: the commands of other programs -->",
            "```sh",
            texts.claude_code,
            texts.codex,
            texts.gemini,
            "```",
        )
    )


def filled(text: str, name: str, content: str) -> str:
    """Return the text with the part between the marks of this name replaced."""
    start, end = f"<!-- {name}: generated -->", f"<!-- {name}: end -->"
    before, _, rest = text.partition(start)
    _, marked, after = rest.partition(end)
    if not marked:
        raise SystemExit(f"no document has a part {name}")
    return f"{before}{start}\n{content}\n{end}{after}"


def documents() -> dict[Path, str]:
    """Every generated file as it should be."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    described = mcp_json(tool_table(), BASE_URL, oauth=False)
    return {
        **guide_files(),
        ROOT / "CHANGELOG.md": filled(changelog, "tools", tool_count()),
        ROOT / "README.md": filled(readme, "install", install()),
        ROOT / "mcp.json": json.dumps(described, indent=2, ensure_ascii=False) + "\n",
        ROOT / "server.json": json.dumps(registry_entry(), indent=2, ensure_ascii=False) + "\n",
    }


def guide_files() -> dict[Path, str]:
    """The guide with its generated tables, and the list of its pages for models."""
    pages = {path: path.read_text(encoding="utf-8") for path in sorted(GUIDE.glob("*.md"))}
    index = GUIDE / "README.md"
    pages[index] = filled(
        pages[index], "pages", further_pages(pages, pages[index].partition("<!-- pages")[0])
    )
    pages[GUIDE / "tools.md"] = filled(pages[GUIDE / "tools.md"], "tools", tools())
    pages[GUIDE / "settings.md"] = filled(pages[GUIDE / "settings.md"], "settings", settings())
    return {**pages, ROOT / "llms.txt": llms_text(pages)}


def further_pages(pages: dict[Path, str], named: str) -> str:
    """Links to the pages that no line of the index names, so that each is reached."""
    rest = [path for path in pages if path.name != "README.md" and f"({path.name})" not in named]
    links = [f"[{pages[path].partition(chr(10))[0].removeprefix('# ')}]({path.name})" for path in rest]
    return f"More: {', '.join(links)}." if links else "That is every page."


def llms_text(pages: dict[Path, str]) -> str:
    """What there is to read in the repository, as llmstxt.org has it."""
    titles = {path: text.partition("\n")[0].removeprefix("# ") for path, text in pages.items()}
    links = [
        f"- [{title}](web/help/guide/{path.name})"
        for path, title in titles.items()
        if path.name != "README.md"
    ]
    summary = "seenby measures how AI engines present a brand, over MCP, REST, pages and a command line."
    heading = ["# seenby", "", f"> {summary}", "", "## Guide", ""]
    return "\n".join([*heading, *links]) + "\n"


def main() -> int:
    """Write, or check."""
    stale = {
        path: text
        for path, text in documents().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    }
    for path, text in stale.items():
        sys.stdout.write(
            f"{path.relative_to(ROOT)} {'is out of date' if '--check' in sys.argv else 'written'}\n"
        )
        if "--check" not in sys.argv:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return int(bool(stale) and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
