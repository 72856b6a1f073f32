"""Errors that keep work from starting or finishing, and readable faults of JSON files."""

import difflib
import re
from collections.abc import Iterable

from pydantic import ValidationError

from engines.engine import SUPPLIED
from engines.settings import COMPATIBLE, HOSTED, LOCAL, OPTIONAL_PARTS, SUPPLIER, SUPPLIER_PARTS

NUL_ESCAPED = rb"\u0000"
NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
NUL_REASON = "it holds the character NUL, which no text has and PostgreSQL cannot keep"


class WorkError(Exception):
    """Base of the errors below; `str()` is a sentence, and `hint` says what to do next."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UnknownName(WorkError):
    """A name was not found; the hint offers the nearest names."""

    def __init__(self, noun: str, name: str, known: Iterable[str]) -> None:
        folded = {known_name.casefold(): str(known_name) for known_name in known}
        nearest = difflib.get_close_matches(name.casefold(), list(folded), n=2, cutoff=0.5)
        meant = " or ".join(repr(folded[near]) for near in nearest)
        listed = ", ".join(sorted(folded.values())[:10])
        hint = (
            f"Did you mean {meant}?"
            if meant
            else f"There is: {listed}."
            if listed
            else f"There is no {noun} yet."
        )
        super().__init__(f"there is no {noun} {name!r}", hint)


class ProviderNotConfigured(WorkError):
    """An engine has no credential or is not installed. Nothing was sent and nothing stored."""

    def __init__(self, platform: str) -> None:
        super().__init__(
            f"provider_not_configured: the engine {platform} cannot be asked", how_to_configure(platform)
        )
        self.platform = platform


def how_to_configure(platform: str) -> str:
    """Return how to configure an engine: the built-in one, a data provider, a hosted one or the operator's own."""
    if platform == LOCAL:
        return "Install the built-in engine: pip install 'seenby[demo]' && seenby fetch-model"
    if SUPPLIED in platform:
        supplier = platform.partition(SUPPLIED)[2].upper()
        needed = [part for part in SUPPLIER_PARTS[supplier] if part not in OPTIONAL_PARTS]
        variables = " and ".join(f"{SUPPLIER}{supplier}_{part}" for part in needed)
        return f"Set {variables} in the environment, or store the supplier's key under Settings, Engine keys."
    if platform in HOSTED:
        return f"Set the credential of {platform} in the environment, or run seenby init --engine {platform}."
    return f"Set the credential of {platform} in {COMPATIBLE}, or store one under Settings, Engine keys."


class NothingToAsk(WorkError):
    """The plan is empty: no prompts, no platforms, or a mode that no platform supports."""


class BudgetRefused(WorkError):
    """The budget does not allow a plan. Nothing was sent and nothing stored."""


class InvalidFile(WorkError):
    """A file was rejected as a whole. The message names line and field, and nothing of the file is stored."""

    def __init__(self, name: str, line: int | None, reason: str) -> None:
        where = f"{name}, line {line}" if line else name
        super().__init__(f"{where}: {reason}", "Nothing of the file was stored; correct it and try again.")
        self.line = line


class Missing(WorkError):
    """Nothing of this kind has the identifier; `what` is workflow, brand, run, prompt set or agent instance."""

    def __init__(self, noun: str, hint: str = "") -> None:
        super().__init__(f"{noun} not found", hint)
        self.what = noun


class BatchEnded(Exception):
    """A batch was ended from outside while it was running; `str()` is its identifier."""


class ChangeRefused(WorkError):
    """A prompt set or agent was not created or changed because of a plan limit, a name or a value."""


def first_fault(error: ValidationError) -> str:
    """Return the first invalid field and its error."""
    first = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    return f"{field}: {first['msg']}" if field else first["msg"]


def has_nul(content: bytes) -> bool:
    """Return whether JSON text holds an escaped NUL; a bare NUL is not valid JSON."""
    # Searching for the plain bytes first costs a hundredth of the search that counts the backslashes before
    # them.
    return NUL_ESCAPED in content and NUL.search(content) is not None
