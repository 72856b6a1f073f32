"""What a browser made of a few pages, as frozen values: the checks ask these and nothing else."""

from dataclasses import dataclass

from readiness.fetching.errors import Reason


@dataclass(frozen=True, slots=True)
class TaskAttempt:
    """One thing that was tried by accessible names alone, and never sent.

    `fields` counts what there was to fill or to press; `filled` holds the names by which it was reached, `missed`
    says in our words and by its place in the page what could not be.
    """

    fields: int
    filled: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """One page after its scripts ran: words that are shown, controls of the accessibility tree, tools, movement.

    `url` is the address that was opened; `shift` is the layout shift as Core Web Vitals count it, None where none was
    measured; `tools` are names that a script registered for agents.
    """

    url: str
    words: int = 0
    controls: int = 0
    named: int = 0
    nameless: tuple[str, ...] = ()
    shift: float | None = None
    tools: tuple[str, ...] = ()
    search: TaskAttempt | None = None
    appointment: TaskAttempt | None = None
    telephone: TaskAttempt | None = None


@dataclass(frozen=True, slots=True)
class BrowserSight:
    """All pages that a browser opened; without one, `reason` says why it saw none, None where there is no browser."""

    pages: tuple[RenderedPage, ...] = ()
    reason: Reason | None = None

    @property
    def is_absent(self) -> bool:
        """Whether no browser is there to open anything."""
        return not self.pages and self.reason is None
