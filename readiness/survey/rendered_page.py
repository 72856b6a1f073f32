"""What a browser made of a few pages, as frozen values: the checks ask these and nothing else."""

from dataclasses import dataclass

from readiness.fetching.errors import Reason


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """One page after its scripts ran: words that are shown, inputs and buttons, tools, movement.

    `url` is the address that was opened; `named` counts the `controls` with a name in the accessibility tree, and
    `nameless` are the places of some without. `shift` is the layout shift as Core Web Vitals count it, None where none
    was measured; `tools` are names that a script registered for agents.
    """

    url: str
    words: int = 0
    controls: int = 0
    named: int = 0
    nameless: tuple[str, ...] = ()
    shift: float | None = None
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BrowserSight:
    """All pages that a browser opened; without one, `reason` says why it saw none, None where there is no browser."""

    pages: tuple[RenderedPage, ...] = ()
    reason: Reason | None = None

    @property
    def is_absent(self) -> bool:
        """Whether no browser is there to open anything."""
        return not self.pages and self.reason is None
