"""The image, built by buildah without a daemon and run from nothing: it measures with the built-in engine and serves.

The base image comes from a registry, or from the local storage where somebody put one of that name. Where no registry can
be reached a stand-in is made of the same Debian and its own Python, by `debootstrap` (as root, two minutes) or of the folder
that `SEENBY_IMAGE_BASE` names: `debootstrap --variant=minbase --include=python3,python3-venv,python3-pip,ca-certificates trixie FOLDER`.
"""

import os
import shutil
import subprocess
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BASE = "docker.io/library/python:3.13-slim-trixie"
TAG = "seenby-under-test"
DEBIAN = "trixie"
PACKAGES = "python3,python3-venv,python3-pip,ca-certificates"
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
LENT = ("/opt/pypi", "/opt/pypi-more", "/opt/wheels", "/etc/pip.conf", CERTIFICATES)
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


@dataclass(frozen=True)
class Buildah:
    """The command, over the local storage or over one of the test's own."""

    options: tuple[str, ...] = ()

    def __call__(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        environ = {"BUILDAH_ISOLATION": "chroot", "STORAGE_DRIVER": "vfs", **os.environ}
        command = ["buildah", *self.options, *arguments]
        return subprocess.run(command, env=environ, capture_output=True, text=True, timeout=SECONDS)


@pytest.fixture(scope="module")
def buildah(tmp_path_factory: pytest.TempPathFactory) -> Generator[Buildah]:
    """buildah over a storage that has the base image; a stand-in bears its name in no storage but the test's own."""
    local = Buildah()
    if local("images", "--quiet", BASE).stdout.strip() or not local("pull", "--quiet", BASE).returncode:
        yield local
        return
    given = os.environ.get("SEENBY_IMAGE_BASE")
    if os.geteuid() or not (given or shutil.which("debootstrap")):
        pytest.skip(f"{BASE} can be had from no registry, and only root with debootstrap makes a stand-in")
    folder = tmp_path_factory.mktemp("storage")
    root = Path(given) if given else folder / "debian"
    if not given:
        making = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", DEBIAN, root]
        subprocess.run(making, check=True, capture_output=True, timeout=SECONDS)
    own = Buildah(("--root", str(folder / "root"), "--runroot", str(folder / "run")))
    make_stand_in(own, root)
    yield own
    own("rm", "--all")
    own("rmi", "--all", "--force")


def make_stand_in(buildah: Buildah, root: Path) -> None:
    """Store a Debian folder under the base's name, with its Python where the base has its own."""
    assert f"-slim-{DEBIAN}" in BASE

    def done(*arguments: str | Path) -> str:
        ended = buildah(*arguments)
        assert ended.returncode == 0, ended.stderr[-2000:]
        return ended.stdout.strip()

    container = done("from", "scratch")
    done("add", "--quiet", container, root, "/")
    linking = "cd /usr/local/bin && ln -sf /usr/bin/python3 python && ln -sf /usr/bin/python3 . && ln -sf /usr/bin/pip3 pip"
    done("run", container, "--", "sh", "-c", f"{linking} && rm -f /usr/lib/python3*/EXTERNALLY-MANAGED")
    done("config", "--env", "PATH=/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin", container)
    if Path(CERTIFICATES).exists():
        done("config", "--env", f"SSL_CERT_FILE={CERTIFICATES}", container)
    done("commit", "--quiet", container, BASE)


@pytest.fixture(scope="module")
def image(buildah: Buildah) -> str:
    lending = [f"--volume={path}:{path}:ro" for path in LENT if Path(path).exists()]
    built = buildah(
        *("bud", "--pull-never", "--layers", "--format", "docker", *lending),
        *("--ignorefile", ROOT / ".dockerignore"),
        *("--file", ROOT / "deploy" / "Dockerfile", "--tag", TAG, ROOT),
    )
    assert built.returncode == 0, built.stdout[-2000:] + built.stderr[-3000:]
    return TAG


@pytest.fixture
def container(buildah: Buildah, image: str) -> Generator[str]:
    name = buildah("from", "--pull-never", image).stdout.strip()
    yield name
    buildah("rm", name)


def test_the_image_measures_with_the_built_in_engine_and_serves(
    buildah: Buildah, container: str, tmp_path: Path
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
