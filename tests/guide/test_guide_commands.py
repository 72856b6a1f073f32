"""Every command and example of README.md and the guide, run as it is printed, page by page in a fresh folder.

A block of `sh` is run. `<!-- serves -->` before it says that its last line serves until it is ended, as in a
second terminal; `<!-- elsewhere: why -->` that it needs what no test has.
"""

import configparser
import fcntl
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engines import smollm
from server.cli.call import table, tool_command
from server.cli.main import COMMANDS, load_command
from tests.in_full import in_full
from tests.packaging.conftest import build_wheel_once

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "web" / "help" / "guide").glob("*.md"))]
BLOCK = re.compile(
    r"(?:^<!-- (?P<mark>[^\n]+?) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
FOREIGN = {"claude", "codex", "docker", "gemini", "make", "npx", "pipx", "sudo"}
"""Programs whose commands may stand in a block that is not run."""
WAIT = "for _ in $(seq 600); do curl --silent --fail --output /dev/null http://127.0.0.1:8000/readyz && break; sleep 0.2; done"
PATIENCE_SECONDS = 560
IN_FULL_ONLY = {"install", "quick-start"}
"""Pages whose commands other tests run too: each kind of installation, and the two demos and the first probe of README.md."""


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, its text, and the words of the comment before it."""

    language: str
    text: str
    mark: str


def blocks_of(page: Path) -> list[Block]:
    found = BLOCK.finditer(page.read_text(encoding="utf-8"))
    return [Block(match["language"], match["text"], match["mark"] or "") for match in found]


def script_of(blocks: list[Block]) -> str:
    """The blocks as one shell script; what serves goes into the background and is waited for."""
    lines = ["set -euo pipefail"]
    for block in blocks:
        text = block.text.rstrip()
        if block.mark == "serves":
            before, _, last = text.rpartition("\n")
            assert last.startswith("seenby serve"), last
            text = f"{before}\n{last} &\nserving=$!\n{WAIT}"
        lines.append(text)
    return "\n".join(lines) + "\n"


RUN = [
    pytest.param(page, id=page.stem, marks=[in_full] if page.stem in IN_FULL_ONLY else [])
    for page in PAGES
    if any(block.language == "sh" and not block.mark.startswith("elsewhere") for block in blocks_of(page))
]


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which package clients find seenby as built from this tree."""
    return build_wheel_once(tmp_path_factory).parent


@pytest.fixture
def shell_environ(tmp_path: Path) -> dict[str, str]:
    """A newcomer's shell: an empty home, nothing of ours set, and `seenby` on the path."""
    ours = ("SEENBY_", "VIRTUAL_ENV", "PYTHONPATH", "UV_PROJECT")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    cache = kept.get("UV_CACHE_DIR", str(Path.home() / ".cache" / "uv"))
    home = tmp_path / "home"
    home.mkdir()
    path = [str(home / ".local" / "bin"), str(Path(sys.executable).parent), kept["PATH"]]
    return {
        **kept,
        "HOME": str(home),
        "XDG_DATA_HOME": str(lasting_name(home / "data")),
        "UV_CACHE_DIR": cache,
        # What pip has fetched once it need not fetch for each run; what nobody starts need not be compiled.
        "PIP_CACHE_DIR": kept.get("PIP_CACHE_DIR", str(Path.home() / ".cache" / "pip")),
        "PIP_COMPILE": "0",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PATH": os.pathsep.join(path),
        "COLUMNS": "160",
    }


def lasting_name(path: Path) -> Path:
    """The same folder under a name that production does not take for a temporary one, where tests have to keep theirs."""
    root = Path("/proc/self/root")
    return root / path.relative_to("/") if root.exists() else path


@pytest.fixture
def own_network(tmp_path: Path) -> Generator[list[str]]:
    """What to put before a command so that port 8000 is its own; without the right to that, the port must be free."""
    if subprocess.run(["unshare", "--net", "true"], capture_output=True).returncode == 0:
        yield ["unshare", "--net", "bash", "-c", 'ip link set lo up && exec "$@"', "own-network"]
        return
    with (tmp_path.parent / "port-8000.lock").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", 8000)) == 0:
                pytest.skip("port 8000 is in use, and this process may make no network of its own")
        yield []


def execute(script: str, before: list[str], folder: Path, environ: dict[str, str]) -> None:
    """Run a script to its end, and what it left in the background too."""
    ending = 'trap \'code=$?; [[ -z ${serving:-} ]] || { kill "$serving"; wait "$serving" || true; }; exit $code\' EXIT\n'
    done = subprocess.run(
        [*before, "bash", "-c", ending + script],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )
    assert done.returncode == 0, f"{done.stdout[-1500:]}\n{done.stderr[-3000:]}"
    assert "Traceback" not in done.stderr, done.stderr[-3000:]


@pytest.mark.local
@pytest.mark.timeout(600)
@pytest.mark.parametrize("page", RUN)
def test_every_command_of_a_page_works_as_printed_from_an_empty_folder(
    page: Path, index: Path, shell_environ: dict[str, str], own_network: list[str], tmp_path: Path
) -> None:
    blocks = [
        block
        for block in blocks_of(page)
        if block.language == "sh" and not block.mark.startswith("elsewhere")
    ]
    if not smollm.installed() and any("--platform local" in block.text for block in blocks):
        pytest.skip("the built-in model is not installed")
    finders = " ".join(filter(None, [os.environ.get("PIP_FIND_LINKS"), str(index)]))
    environ = {**shell_environ, "UV_FIND_LINKS": str(index), "PIP_FIND_LINKS": finders}
    folder = tmp_path / "empty"
    folder.mkdir()
    # Packages come from the network, a server on port 8000 wants a network of its own: the page is run in two parts.
    first = next((place for place, block in enumerate(blocks) if block.mark == "serves"), len(blocks))
    kept = folder.parent / "variables"
    execute(script_of(blocks[:first]) + f"declare -px > {shlex.quote(str(kept))}\n", [], folder, environ)
    if blocks[first:]:
        execute(
            f"source {shlex.quote(str(kept))}\n" + script_of(blocks[first:]), own_network, folder, environ
        )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_command_hides_from_the_run_in_indented_lines(page: Path) -> None:
    outside = BLOCK.sub("", page.read_text(encoding="utf-8"))
    assert re.findall(r"^(?: {4}|\t).*", outside, re.MULTILINE) == []


def declared_commands() -> dict[str, Any]:
    """Every command by its words, the tools of `call` too."""
    found: dict[str, Any] = {f"call {row.name}": tool_command(row) for row in table().values()}
    for name in COMMANDS:
        loaded = load_command(name)
        found[name] = loaded
        found |= {f"{name} {second}": command for second, command in getattr(loaded, "commands", {}).items()}
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_in_sentences_exist_with_their_options(page: Path) -> None:
    commands = declared_commands()
    outside = BLOCK.sub("", page.read_text(encoding="utf-8"))
    for line in re.findall(r"`(?:[A-Z_]+=\S+ )*seenby ([a-z][^`]*)`", outside):
        words = shlex.split(line)
        command = commands.get(" ".join(words[:2])) or commands.get(words[0])
        assert command is not None, line
        known = {"--help"} | {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
        assert {word.partition("=")[0] for word in words if word.startswith("-")} <= known, line


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_block_that_is_not_run_is_of_another_program_or_can_be_read(page: Path) -> None:
    for block in blocks_of(page):
        if block.mark.startswith("elsewhere"):
            programs = {line.split()[0] for line in block.text.splitlines() if not line.startswith(" ")}
            assert programs <= FOREIGN, (page.name, programs)
        elif block.language == "json":
            json.loads(block.text)
        elif block.language == "ini":
            parser = configparser.ConfigParser(interpolation=None)
            parser.read_string(f"[settings]\n{block.text}")
            assert all(name.startswith("seenby_") for name in parser["settings"]), page.name
        else:
            assert block.language in ("sh", "text", ""), (page.name, block.language)


def test_the_readme_is_short_and_its_pictures_are_there() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 150
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)
    assert len(pictures) == 3
    assert all((ROOT / picture).exists() for picture in pictures)


def test_every_page_of_the_guide_is_reached_from_its_index() -> None:
    index = (ROOT / "web" / "help" / "guide" / "README.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\(([\w-]+\.md)\)", index))
    assert linked == {page.name for page in (ROOT / "web" / "help" / "guide").glob("*.md")} - {"README.md"}


def test_every_setting_that_the_guide_names_is_one() -> None:
    from server.environment import known_variables

    for page in PAGES:
        named = set(re.findall(r"\bSEENBY_[A-Z_]+[A-Z]\b", page.read_text(encoding="utf-8")))
        assert named <= known_variables() | {"SEENBY_HOST"}, page.name


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_every_shell_block_can_be_read_by_a_shell() -> None:
    for page in PAGES:
        for block in blocks_of(page):
            if block.language == "sh":
                checked = subprocess.run(["bash", "-n"], input=block.text, text=True, capture_output=True)
                assert checked.returncode == 0, (page.name, checked.stderr)
