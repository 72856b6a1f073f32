"""The image, built by buildah without a daemon and run from nothing: it measures with the built-in engine and serves.

The base image comes from a registry, or from the local storage where somebody put one of that name.
"""

import os
import shutil
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BASE = "docker.io/library/python:3.13-slim-trixie"
TAG = "seenby-under-test"
LENT = ("/opt/pypi", "/opt/pypi-more", "/opt/wheels", "/etc/pip.conf")
"""Where packages may come from on this machine, for the build alone."""
SECONDS = 1500
READY = """
seenby serve --host 127.0.0.1 --port 8456 & serving=$!
for _ in $(seq 200); do
  python -c "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8456/readyz', timeout=4)" 2>/dev/null && ready=yes && break
  sleep 0.3
done
kill $serving; wait $serving; [ "$ready" = yes ]
"""
pytestmark = [
    pytest.mark.local,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(
        "SEENBY_TESTS_IN_FULL" not in os.environ, reason="minutes of building: SEENBY_TESTS_IN_FULL=1 runs it"
    ),
    pytest.mark.skipif(shutil.which("buildah") is None, reason="buildah is not installed"),
]


def buildah(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    environ = {"BUILDAH_ISOLATION": "chroot", "STORAGE_DRIVER": "vfs", **os.environ}
    command = ["buildah", *arguments]
    return subprocess.run(command, env=environ, capture_output=True, text=True, timeout=SECONDS)


@pytest.fixture(scope="module")
def image() -> str:
    if not buildah("images", "--quiet", BASE).stdout.strip() and buildah("pull", "--quiet", BASE).returncode:
        pytest.skip(f"{BASE} can be had from no registry")
    lending = [f"--volume={path}:{path}:ro" for path in LENT if Path(path).exists()]
    built = buildah(
        *("bud", "--layers", "--format", "docker", *lending, "--ignorefile", ROOT / ".dockerignore"),
        *("--file", ROOT / "deploy" / "Dockerfile", "--tag", TAG, ROOT),
    )
    assert built.returncode == 0, built.stdout[-2000:] + built.stderr[-3000:]
    return TAG


@pytest.fixture
def container(image: str) -> Generator[str]:
    name = buildah("from", "--pull-never", image).stdout.strip()
    yield name
    buildah("rm", name)


def test_the_image_measures_from_nothing_with_the_built_in_engine_and_serves(
    container: str, tmp_path: Path
) -> None:
    volume = tmp_path / "volume"
    volume.mkdir(mode=0o777)
    volume.chmod(0o777)

    def run(*command: str) -> None:
        """Run a command in the container; what it prints may be lost on the way, its exit code is not."""
        place = ("--user", "10001:10001", f"--volume={volume}:/data")
        done = buildah("run", *place, container, "--", *command)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]

    run("sh", "-c", 'test "$(id -u)" = 10001')
    run("sh", "-c", "! command -v gcc && ! command -v cc")
    run("sh", "-c", "! touch /opt/seenby/x")
    run("sh", "-c", "command -v pg_dump && command -v pg_restore && command -v psql")
    run(
        *("seenby", "init", "--company", "Zentrix", "--email", "owner@zentrix.example"),
        *("--brand", "Zentrix", "--brand-file", "/data/brands.json"),
    )
    run("seenby", "probe", "--brand", "Zentrix", "--platform", "local", "--repeats", "1")  # 0: measured
    run("sh", "-c", READY)
