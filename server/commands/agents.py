"""Our table of AI user agents beside the lists that others publish."""

from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path

from readiness.agent_lists import Comparison, UnreadableList, compare, read_list
from readiness.agents import BOT_LIST_VERSION, TOKENS
from server.commands.output import Output
from workflows.errors import WorkError

PACKAGE, FOLDER, FILE = "crawler-user-agents", "crawleruseragents", "crawler-user-agents.json"


def compare_agents(output: Output, path: Path | None) -> None:
    """Compare with a file, or with the installed package; print what either side alone knows."""
    source, text = (path.name, read_file(path)) if path else packaged()
    try:
        found = compare(read_list(text))
    except UnreadableList as error:
        raise WorkError(
            f"{source}: {error}", "Give crawler-user-agents.json, or robots.json of ai.robots.txt."
        ) from error
    data = {"list": source, "botListVersion": BOT_LIST_VERSION, **asdict(found)}
    output.data(data, lambda: show(output, source, found))


def read_file(path: Path) -> str:
    """Return the text of a list. Raises WorkError."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise WorkError(f"{path.name}: the file cannot be read", "Give a JSON file in UTF-8.") from error


def packaged() -> tuple[str, str]:
    """Return name and text of the package's list. Raises WorkError where it is not installed."""
    try:
        source = f"{PACKAGE} {version(PACKAGE)}"
        return source, files(FOLDER).joinpath(FILE).read_text(encoding="utf-8")
    except (PackageNotFoundError, ModuleNotFoundError, OSError) as error:
        raise WorkError(
            f"the package {PACKAGE} is not installed", f"pip install {PACKAGE}, or give a list with --file."
        ) from error


def show(output: Output, source: str, found: Comparison) -> None:
    """Print the comparison for people."""
    output.people.print(f"our table of {BOT_LIST_VERSION} beside {source}", markup=False)
    output.people.print(f"{len(found.agreed)} of our {len(TOKENS)} agents are in both", markup=False)
    for words, names in (
        ("only in our table", found.only_ours),
        ("said to be an AI's and not in our table", found.only_theirs),
        ("our header is not among theirs", found.unseen_headers),
    ):
        output.people.print(f"{words}: {', '.join(names) or 'none'}", markup=False)
