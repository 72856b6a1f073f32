"""AI user agents that readiness reports speak of, compared with the lists that others publish."""

from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from measurement.errors import WorkError
from readiness.agent_lists import Comparison, UnreadableList, compare, read_list
from readiness.agents import BOT_LIST_VERSION, TOKENS
from server.cli.options import Json
from server.cli.output import Output, wire_fields

PACKAGE, FOLDER, FILE = "crawler-user-agents", "crawleruseragents", "crawler-user-agents.json"

app = typer.Typer(no_args_is_help=True, help="AI user agents that readiness reports speak of.")


@app.command("compare")
def compare_(
    file: Annotated[
        Path | None,
        typer.Option(help="A published list as JSON; the installed crawler-user-agents without it."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare our table of AI user agents with a list that others publish."""
    compare_agents(Output(as_json), file)


def compare_agents(output: Output, path: Path | None) -> None:
    """Compare with a file, or with the installed package; print what either side alone knows."""
    source, text = (path.name, read_file(path)) if path else read_package()
    try:
        comparison = compare(read_list(text))
    except UnreadableList as error:
        raise WorkError(
            f"{source}: {error}", "Give crawler-user-agents.json, or robots.json of ai.robots.txt."
        ) from error
    data = {"list": source, "botListVersion": BOT_LIST_VERSION, **wire_fields(comparison)}
    output.data(data, lambda: show(output, source, comparison))


def read_file(path: Path) -> str:
    """Return the text of a list. Raises WorkError."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise WorkError(f"{path.name}: the file cannot be read", "Give a JSON file in UTF-8.") from error


def read_package() -> tuple[str, str]:
    """Return name and text of the package's list. Raises WorkError where it is not installed."""
    try:
        source = f"{PACKAGE} {version(PACKAGE)}"
        return source, files(FOLDER).joinpath(FILE).read_text(encoding="utf-8")
    except (PackageNotFoundError, ModuleNotFoundError, OSError) as error:
        raise WorkError(
            f"the package {PACKAGE} is not installed", f"pip install {PACKAGE}, or give a list with --file."
        ) from error


def show(output: Output, source: str, comparison: Comparison) -> None:
    """Print the comparison for people."""
    output.people.print(f"our table of {BOT_LIST_VERSION} beside {source}", markup=False)
    output.people.print(f"{len(comparison.agreed)} of our {len(TOKENS)} agents are in both", markup=False)
    for words, names in (
        ("only in our table", comparison.only_ours),
        ("said to be an AI's and not in our table", comparison.only_theirs),
        ("our header is not among theirs", comparison.unseen_headers),
    ):
        output.people.print(f"{words}: {', '.join(names) or 'none'}", markup=False)
