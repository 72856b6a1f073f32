"""Every package that an installation brings has a licence that we accept, or stands among the exceptions with a reason."""

import re
import tomllib
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

import pytest

from tests.packaging.conftest import UV, run

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "licences.toml"
SPELLINGS = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "ISC License": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
"""What metadata calls a licence before it had identifiers (SPDX)."""


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def licences_of(distribution: Distribution) -> set[str]:
    """Return the identifiers of a package's licences; of alternatives and sums alike each."""
    fields = distribution.metadata.json
    expression = str(fields.get("license_expression") or fields.get("license") or "")
    if not expression or len(expression) > 60:
        classifiers = [str(line).split(" :: ") for line in fields.get("classifier", [])]
        found = {parts[-1] for parts in classifiers if parts[0] == "License"}
    else:
        found = set(re.split(r" (?:OR|AND) ", expression))
    return {SPELLINGS.get(name, name) for name in found}


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names of what `seenby[all,otel,browser]` brings, on any system."""
    if not UV.exists():
        pytest.skip("uv is not in the environment that runs the tests")
    command = [UV, "export", "--quiet", "--frozen", "--offline", "--no-default-groups", "--no-emit-project"]
    extras = ["--extra", "all", "--extra", "otel", "--extra", "browser", "--no-hashes"]
    exported = run([*command, *extras], ROOT)
    return {normal(name) for name in re.findall(r"^([A-Za-z0-9_.-]+)==", exported, re.MULTILINE)}


@pytest.fixture(scope="module")
def judged() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def test_every_locked_package_has_an_accepted_license_or_exception(
    locked: set[str], judged: dict[str, Any]
) -> None:
    installed = {normal(one.metadata["Name"]): one for one in distributions()}
    accepted, exceptions = set(judged["accepted"]), judged["exceptions"]
    for name in sorted(locked):
        if name not in installed:
            assert judged["elsewhere"].get(name) in accepted, f"{name} is not installed here, and not listed"
            continue
        licences = licences_of(installed[name])
        if name in exceptions:
            assert licences == {exceptions[name]["licence"]}, (name, licences)
            assert len(exceptions[name]["reason"].split()) > 8, name
        else:
            assert licences, name
            assert licences <= accepted, (name, licences)


def test_no_exception_and_no_note_is_left_over(locked: set[str], judged: dict[str, Any]) -> None:
    assert set(judged["exceptions"]) | set(judged["elsewhere"]) <= locked
