"""Why a run could not be started or an agent could not finish."""

from measurement.errors import WorkError


class RunRefused(WorkError):
    """A run was not started, or not cancelled, for a rule of plan, credits, concurrency or state."""


class NoRoom(RunRefused):
    """A run has to wait until another one has ended; the same request may succeed then."""


class AgentFailed(Exception):
    """An agent that cannot do its work; `code` is one of the catalogue's."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
