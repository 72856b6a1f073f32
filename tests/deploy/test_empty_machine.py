"""From an empty machine, a Debian with python3 and make alone, each way of the quick start reaches a score as printed.

`debootstrap` makes the machine, which takes minutes; `SEENBY_EMPTY_MACHINE` names a folder where one was made before:
`debootstrap --variant=minbase --include=python3,python3-venv,make,ca-certificates bookworm FOLDER`.
"""

import logging
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.guide.test_guide_commands import blocks_of, script_of
from tests.packaging.conftest import build_wheel_once

ROOT = Path(__file__).parents[2]
log = logging.getLogger(__name__)
PACKAGES = "python3,python3-venv,make,ca-certificates"
QUICK_START = blocks_of(ROOT / "web" / "help" / "guide" / "quick-start.md")
SECONDS = 1500
pytestmark = [
    pytest.mark.local,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(
        "SEENBY_TESTS_IN_FULL" not in os.environ,
        reason="minutes of downloads: SEENBY_TESTS_IN_FULL=1 runs it",
    ),
    pytest.mark.skipif(
        not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root enters another root folder"
    ),
]
REGISTRIES = ("/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt", "/etc/resolv.conf", "/etc/hosts")
"""How packages are found on this machine, which says nothing about what is installed."""
LENT = [
    name for name in ("/proc", "/dev", "/opt/pypi", "/opt/pypi-more", "/opt/wheels") if Path(name).exists()
]
"""Folders of this machine that the other one sees: devices, and where packages may come from."""
SCORE = re.compile(r"visibility [0-9.]+ of 100")


class EmptyMachine:
    """A root folder with nothing of ours in it, and a network of its own for what serves."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, script: str, folder: str, *, alone: bool = False) -> str:
        """Run a script in a folder of the machine; return what it printed."""
        names = ("PIP_", "UV_", "SSL_CERT")
        environ = {name: value for name, value in os.environ.items() if name.startswith(names)}
        environ |= {"HOME": "/root", "LANG": "C.UTF-8", "COLUMNS": "160"}
        environ["PATH"] = "/root/tools/bin:/root/.local/bin:/usr/local/bin:/usr/bin:/bin"
        # Folders are lent in a mount namespace of the process: none is left behind in a folder that is deleted later.
        lending = [f"mount --bind {name} {self.root}{name}" for name in LENT]
        lent = "; ".join(["set -e", *lending, 'exec "$@"'])
        entering = ["unshare", "--mount", "--propagation", "private", "bash", "-c", lent, "lend"]
        entering += ["/usr/sbin/chroot", str(self.root), "bash", "-c", f"cd {folder}\n{script}"]
        if alone:
            own = 'ip link set lo up && exec "$@"'
            entering = ["unshare", "--net", "bash", "-c", own, "own", *entering]
        done = subprocess.run(entering, env=environ, capture_output=True, text=True, timeout=SECONDS)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
        return done.stdout + done.stderr


@pytest.fixture(scope="module")
def bare_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = os.environ.get("SEENBY_EMPTY_MACHINE")
    if made:
        return Path(made)
    if shutil.which("debootstrap") is None:
        pytest.skip("debootstrap is not installed")
    root = tmp_path_factory.mktemp("debian") / "root"
    command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", "bookworm", str(root)]
    subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)
    return root


@pytest.fixture
def machine(bare_root: Path, tmp_path: Path) -> EmptyMachine:
    """A fresh copy that finds packages where this machine does."""
    root = tmp_path / "root"
    subprocess.run(["cp", "-a", str(bare_root), str(root)], check=True)
    for name in REGISTRIES:
        if Path(name).exists():
            (root / name[1:]).parent.mkdir(parents=True, exist_ok=True)
            (root / name[1:]).unlink(missing_ok=True)
            shutil.copyfile(name, root / name[1:])
    configured = Path.home() / ".config" / "uv" / "uv.toml"
    if configured.exists():
        (root / "root/.config/uv").mkdir(parents=True)
        shutil.copyfile(configured, root / "root/.config/uv/uv.toml")
    for folder in LENT:
        (root / folder[1:]).mkdir(parents=True, exist_ok=True)
    return EmptyMachine(root)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel_once(tmp_path_factory)


def lend_wheel(machine: EmptyMachine, wheel: Path) -> None:
    """Put the wheel where the machine's package clients are told to look."""
    folder = machine.root / "root" / "wheels"
    folder.mkdir(parents=True)
    shutil.copy(wheel, folder)


def install_library(machine: EmptyMachine) -> None:
    """Install the one library that such a machine lacks, with the command that the quick start prints."""
    (block,) = (block for block in QUICK_START if "apt-get" in block.text)
    machine.run("apt-get update --quiet >/dev/null\n" + block.text.replace("sudo ", ""), "/root")


def told(way: str, started: float) -> None:
    """Say how long a way took; `--log-cli-level=INFO` shows it, and the guide names it."""
    log.info("%s: %.0f s from an empty machine to a score", way, time.monotonic() - started)


def test_the_demo_names_a_missing_library_before_it_downloads(machine: EmptyMachine, wheel: Path) -> None:
    lend_wheel(machine, wheel)
    finding = "export PIP_FIND_LINKS=/root/wheels${PIP_FIND_LINKS:+ $PIP_FIND_LINKS}\n"
    installing = "python3 -m venv /root/tools\n/root/tools/bin/pip install --quiet 'seenby[all]'\n"
    said = machine.run(finding + installing + "seenby demo --no-serve && exit 9 || true\n", "/root")
    assert "apt-get install libgomp1" in said
    assert "Downloading" not in said


def test_make_demo_reaches_a_score_from_a_checkout(machine: EmptyMachine) -> None:
    checkout = machine.root / "root" / "seenby"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(checkout)], check=True)
    started = time.monotonic()
    install_library(machine)
    # The demo serves when it has printed the score; it is ended as a person ends it.
    script = (
        "make demo >demo.log 2>&1 & made=$!\n"
        "until grep -q 'serving on' demo.log; do kill -0 $made || { cat demo.log; exit 1; }; sleep 1; done\n"
        "kill -INT -- $(cat /proc/$made/task/$made/children); wait $made; cat demo.log"
    )
    printed = machine.run(script, "/root/seenby", alone=False)
    told("make demo", started)
    assert SCORE.search(printed), printed[-2000:]


def test_the_quick_start_reaches_a_score_with_pip_as_printed(machine: EmptyMachine, wheel: Path) -> None:
    lend_wheel(machine, wheel)
    blocks = [
        block for block in QUICK_START if block.language == "sh" and not block.mark.startswith("elsewhere")
    ]
    lines = script_of(blocks[:2]).replace("uv tool install", "pip install --quiet")
    assert "pip install" in lines
    (machine.root / "root" / "empty").mkdir()
    finding = "export PIP_FIND_LINKS=/root/wheels${PIP_FIND_LINKS:+ $PIP_FIND_LINKS}\n"
    started = time.monotonic()
    install_library(machine)
    printed = machine.run("python3 -m venv /root/tools\n" + finding + lines, "/root/empty")
    told("pip", started)
    assert SCORE.search(printed), printed[-2000:]
    # What serves is ended however the rest ends; its open output would be waited for.
    ending = 'trap \'code=$?; kill "$serving"; wait "$serving" || true; exit $code\' EXIT\n'
    machine.run(ending + script_of(blocks[2:4]), "/root/empty", alone=True)


def test_the_quick_start_reaches_a_score_with_uv_as_printed(machine: EmptyMachine, wheel: Path) -> None:
    lend_wheel(machine, wheel)
    first = QUICK_START[0]
    assert first.text.startswith("uv tool install")
    (machine.root / "root" / "empty").mkdir()
    started = time.monotonic()
    install_library(machine)
    uv = "python3 -m venv /root/tools\n/root/tools/bin/pip install --quiet uv\nexport UV_FIND_LINKS=/root/wheels\n"
    printed = machine.run(uv + script_of([first]), "/root/empty")
    told("uv", started)
    assert SCORE.search(printed), printed[-2000:]
