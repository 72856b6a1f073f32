"""What the wheel carries."""

import zipfile
from pathlib import Path

from tests.packaging.conftest import run
from tests.test_packaging import PACKAGES, PROJECT, ROOT

DATA = (
    "server/demo/car_market.json",
    "rest_bridge/templates/docs.html",
    "rest_bridge/static/docs.css",
    "storage/migrations/versions/0001_schema.py",
    "storage/migrations/versions/0001_schema.sqlite.sql",
    "storage/migrations/versions/0001_schema.postgresql.sql",
)


def test_the_wheel_carries_the_data_files_and_nothing_that_is_not_shipped(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert set(DATA) <= set(names)
    tracked = run(["git", "ls-files", *PACKAGES], ROOT).splitlines() if (ROOT / ".git").exists() else []
    assert set(tracked) <= set(names)
    tops = {name.partition("/")[0] for name in names}
    assert tops - set(PACKAGES) == {f"seenby-{PROJECT['project']['version']}.dist-info"}
