"""`python -m bench` measures everything; `python -m bench NAME...` only what is named; flags go to what is named."""

import sys
import time
from collections.abc import Callable, Mapping

from bench import (
    drafts,
    endurance,
    extraction,
    http,
    imports,
    live_progress,
    pages,
    passwords,
    prober,
    runs,
    scans,
    startup,
    statistics,
)
from bench.readiness import measuring as readiness
from bench.readiness import proposals
from bench.rubric import judging_runs as rubric
from bench.scale import measuring

MEASUREMENTS: Mapping[str, Callable[[], object]] = {
    "startup": startup.main,
    "extraction": extraction.run,
    "imports": imports.main,
    "statistics": statistics.main,
    "prober": prober.main,
    "http": http.main,
    "endurance": endurance.main,
    "scans": scans.main,
    "readiness": readiness.main,
    "proposals": proposals.main,
    "passwords": passwords.run,
    "runs": runs.main,
    "drafts": drafts.main,
    "rubric": rubric.main,
    "scale": measuring.main,
    "pages": pages.main,
    "live": live_progress.main,
}


def main() -> int:
    """Run what the command line names, in the order of the table; 2 for a name that is not there."""
    flags = [argument for argument in sys.argv[1:] if argument.startswith("--")]
    names = [argument for argument in sys.argv[1:] if argument not in flags] or list(MEASUREMENTS)
    unknown = [name for name in names if name not in MEASUREMENTS]
    if unknown:
        sys.stderr.write(f"no measurement {unknown[0]}; there are {', '.join(MEASUREMENTS)}\n")
        return 2
    sys.argv[1:] = flags
    for name in names:
        started = time.perf_counter()
        print(f"== {name}", flush=True)
        MEASUREMENTS[name]()
        print(f"   ({time.perf_counter() - started:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
