"""Builds the wheel of this tree and the desktop bundle around it: `make bundle` writes both into dist."""

import subprocess
import sys
from pathlib import Path

from oauth.product import NAME
from server.mcp.distribution import write_bundle
from tools.catalog import tool_table

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Build, and say where the bundle is."""
    folder = ROOT / "dist"
    uv = Path(sys.executable).with_name("uv")
    subprocess.run([uv, "build", "--wheel", "--out-dir", folder, ROOT], check=True)
    wheel = max(folder.glob(f"{NAME}-*.whl"), key=lambda built: built.stat().st_mtime)
    print(write_bundle(tool_table(), wheel, folder))  # noqa: T201 - a report


if __name__ == "__main__":
    main()
