"""What a person agrees to before something is spent."""

from dataclasses import dataclass

import anyio.to_thread
import typer


@dataclass(frozen=True, slots=True)
class Consent:
    """How a person is asked: only a preview, a question on the terminal, or not at all."""

    preview: bool = False
    ask: bool = False


async def confirm(question: str) -> bool:
    """Ask on the terminal."""
    return await anyio.to_thread.run_sync(typer.confirm, question, abandon_on_cancel=True)
