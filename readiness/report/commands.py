"""The shell commands that repeat a finding: people paste them, so every foreign part is quoted."""

import shlex
from collections.abc import Iterable

from readiness import agents
from readiness.checks.check import Command

WORDS = {
    Command.GET: "curl -sSL --max-redirs 5 --max-time 10 -A 'SeenbyReadinessBot/1.0' URL",
    Command.HEADERS: "curl -sS -o /dev/null -D - URL",
    Command.BOT: "curl -sS -o /dev/null -w '%{http_code} %{size_download}\\n' -A 'HEADER OF THE BOT' URL",
    Command.TIMING: "curl -sS -o /dev/null -w '%{time_starttransfer} %{size_download}\\n' --compressed URL",
    Command.XML: "curl -sSL URL | xmllint --noout -",
}


def reproduce(command: Command, url: str) -> str:
    """The command of a check for one URL, ready to paste; one line per bot header, three for a timing."""
    quoted = shlex.quote(url)
    line = WORDS[command].replace("URL", quoted)
    if command is Command.BOT:
        return "\n".join(_as_bot(agent.header or "", quoted) for agent in agents.PROBED)
    return "\n".join([line] * 3) if command is Command.TIMING else line


def _as_bot(header: str, quoted: str) -> str:
    return (
        WORDS[Command.BOT].replace("'HEADER OF THE BOT'", shlex.quote(header)).replace(" URL", f" {quoted}")
    )


def described() -> Iterable[tuple[str, str]]:
    """Each code with its template, for the methodology."""
    return ((code.value, template) for code, template in WORDS.items())
