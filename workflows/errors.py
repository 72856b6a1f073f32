"""Why a run could not be started or an agent could not finish."""

from collections.abc import Sequence

from measurement.errors import WorkError
from storage.repositories.findings import FindingDraft


class RunRefused(WorkError):
    """A run was not started, or not cancelled, for a rule of plan, credits, concurrency or state."""


class NoRoom(RunRefused):
    """A run has to wait until another one has ended; the same request may succeed then."""


class AgentFailed(Exception):
    """An agent that cannot do its work; `code` is one of the catalogue's, `findings` say what it met on the way."""

    def __init__(self, code: str, findings: Sequence[FindingDraft] = ()) -> None:
        super().__init__(code)
        self.code = code
        self.findings = tuple(findings)
