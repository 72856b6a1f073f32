"""The command line in a process whose clock the test moves: a file holds how many seconds it is ahead."""

import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import measurement.planning.clock

AHEAD = Path(sys.argv.pop(1))
real_time = time.time


def ahead() -> float:
    return float(AHEAD.read_text() or 0)


def moved_time() -> float:
    return real_time() + ahead()


def moved_now() -> datetime:
    return datetime.now(UTC) + timedelta(seconds=ahead())


time.time = moved_time
measurement.planning.clock.utc_now = moved_now

from server.cli.main import main  # noqa: E402 # whoever imports the clock finds the moved one

main()
