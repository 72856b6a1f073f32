"""What an import of captured answers costs: processor seconds, megabytes a second and peak memory, on both databases.

A generated file of answers of about 2.5 KB about one brand goes through `seenby answers import` in a process of its
own, whose usage the operating system tells; of PostgreSQL only what this program spends is counted. With `--killed`
the process is killed in the middle, and started again.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench import extraction
from bench.scale.measuring import PLACES

SIZES = (10_000, 100_000)
GOAL_SECONDS, GOAL_MEGABYTES, GOAL_ANSWERS = 60.0, 200.0, 100_000
LONGEST_SECONDS = 1_500
PROMPTS, ENGINES = 400, ("chatgpt", "gemini", "perplexity", "claude", "grok")
RIVALS, OTHERS, SITES = 5, 60, 40
BRAND = "Zentrix"


@dataclass(frozen=True, slots=True)
class Import:
    """How one import went; `megabytes` is the size of the file, `peak` that of the process."""

    database: str
    answers: int
    megabytes: float
    seconds: float
    wall: float
    peak: float

    @property
    def keeps_goals(self) -> bool:
        """Whether time (for so many answers) and memory stay below what was promised."""
        return (
            self.seconds <= GOAL_SECONDS * max(1.0, self.answers / GOAL_ANSWERS)
            and self.peak <= GOAL_MEGABYTES
        )


def market() -> tuple[dict[str, Any], list[str]]:
    """Return the brand as a file has it, and all names that answers use."""
    names = extraction.names(random.Random(5), RIVALS + OTHERS)
    rivals = [{"name": name, "domains": [f"{name.split()[0].lower()}.example"]} for name in names[:RIVALS]]
    return {"name": BRAND, "domains": ["zentrix.example"], "competitors": rivals}, [BRAND, *names]


def lines(answers: int, seed: int = 3) -> Iterator[str]:
    """Yield lines of an import, each about 2.5 KB; no two are alike."""
    rng = random.Random(seed)
    _, names = market()
    sites = [f"https://www.site{number}.example/articles/{{}}" for number in range(SITES)]
    began = datetime(2026, 10, 1, tzinfo=UTC)
    for number in range(answers):
        captured = began + timedelta(seconds=number * 20)
        line = {
            "platform": ENGINES[number % len(ENGINES)],
            "prompt": f"Which dealer is best for case {number // len(ENGINES) % PROMPTS}?",
            "text": extraction.answer(rng, names),
            "captured_at": captured.isoformat(),
            "citations": [rng.choice(sites).format(rng.randrange(9_999)) for _ in range(4)],
            "source_id": f"line-{number}",
        }
        yield json.dumps(line, ensure_ascii=False) + "\n"


def write(answers: int, path: Path) -> float:
    """Write a file of this many answers and return its size in megabytes."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(lines(answers))
    return path.stat().st_size / 1e6


def command(url: str, folder: Path, *words: str) -> subprocess.Popen[bytes]:
    """Start a `seenby` command on a database."""
    environ = {**os.environ, "SEENBY_DATABASE_URL": url, "SEENBY_DATA_DIR": str(folder)}
    program = [str(Path(sys.executable).parent / "seenby"), *words]
    return subprocess.Popen(program, env=environ, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def run_command(url: str, folder: Path, *words: str) -> bytes:
    """Run a `seenby` command to completion and return its output. Raises RuntimeError when it fails."""
    process = command(url, folder, *words)
    printed, _ = process.communicate(timeout=LONGEST_SECONDS)
    if process.returncode:
        raise RuntimeError(f"{words} ended with {process.returncode}: {printed.decode()}")
    return printed


def prepare(url: str, folder: Path) -> None:
    """Create the company and its brand."""
    profile = folder / "brand.json"
    profile.write_text(json.dumps([market()[0]]))
    run_command(url, folder, "company", "create", "Bench", "--email", "bench@example.com")
    run_command(url, folder, "brand", "import", str(profile), "--company", "Bench")


def importing(
    url: str, folder: Path, path: Path, killed_after: float | None = None
) -> tuple[float, float, float, int]:
    """Import a file and return CPU seconds, elapsed seconds, peak megabytes, and the number of new answers.

    With `killed_after`, the process is killed after that many seconds. Its usage still counts, and the number of
    answers is 0.
    """
    began = time.perf_counter()
    process = command(
        url, folder, "answers", "import", str(path), "--company", "Bench", "--brand", BRAND, "--json"
    )
    if killed_after is not None:
        time.sleep(killed_after)
        process.send_signal(signal.SIGKILL)
    assert process.stdout is not None
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode and killed_after is None:
        raise RuntimeError(f"the import ended with {process.returncode}: {printed.decode()}")
    stored = 0 if killed_after is not None else int(json.loads(printed)["stored"])
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - began, usage.ru_maxrss / 1024, stored


async def measure(kind: str, answers: int, killed_after: float | None) -> Import:
    """Import a generated file into an empty database of this kind."""
    with tempfile.TemporaryDirectory(prefix="seenby-bench-") as inner:
        folder = Path(inner)
        path = folder / "answers.jsonl"
        megabytes = await asyncio.to_thread(write, answers, path)
        async with PLACES[kind](inner, "imports") as place:
            await asyncio.to_thread(prepare, place.url, folder)
            spent, stored = [0.0, 0.0, 0.0], 0
            for after in (killed_after, None) if killed_after is not None else (None,):
                seconds, wall, peak, stored = await asyncio.to_thread(
                    importing, place.url, folder, path, after
                )
                spent = [spent[0] + seconds, spent[1] + wall, max(spent[2], peak)]
            again = await asyncio.to_thread(importing, place.url, folder, path)
            if again[3] or (killed_after is None and stored != answers):
                raise RuntimeError(f"{stored} of {answers} answers were stored, and {again[3]} of them twice")
    return Import(kind, answers, megabytes, *spent)


def line(result: Import) -> str:
    """Return one row of the table."""
    return (
        f"  {result.database:<12}{result.answers:>9,}{result.megabytes:>9.0f} MB{result.seconds:>9.1f} s"
        f"{1000 * result.seconds / result.answers:>8.2f} ms{result.megabytes / result.seconds:>8.2f} MB/s"
        f"{result.peak:>8.0f} MB{result.wall:>8.0f} s{'' if result.keeps_goals else '   missed'}"
    )


def main() -> bool:
    """Entry point of `python -m bench imports`; whether every goal is kept."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--on", choices=list(PLACES), action="append")
    parser.add_argument("--answers", type=int, action="append")
    parser.add_argument(
        "--killed", type=float, help="kill the process after so many seconds, and start it again"
    )
    arguments = parser.parse_args()
    print(
        f"imports of answers of 2.5 KB for one brand; goals: {GOAL_ANSWERS:,} in {GOAL_SECONDS:.0f} s of processor"
        f" time, {GOAL_MEGABYTES:.0f} MB"
    )
    print("  database      answers      file  processor   each one    speed      peak    wall")
    kept = True
    for kind in arguments.on or PLACES:
        for answers in arguments.answers or SIZES:
            result = asyncio.run(measure(kind, answers, arguments.killed))
            print(line(result), flush=True)
            kept = kept and result.keeps_goals
    return kept


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
