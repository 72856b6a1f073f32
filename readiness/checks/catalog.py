"""Every check in one tuple, the version of the model, and the hash that says whether it changed."""

import hashlib
import json
from typing import Any

from readiness.checks.bots import BOTS
from readiness.checks.browser import BROWSER
from readiness.checks.check import Check, Group
from readiness.checks.connection import CONNECTION, DELIVERY
from readiness.checks.emerging import EMERGING
from readiness.checks.handoff import HANDOFF
from readiness.checks.indexing import INDEXING
from readiness.checks.markup import MARKUP
from readiness.checks.rendering import RENDERING
from readiness.checks.service import SERVICE
from readiness.checks.vehicle import VEHICLE

TECHNICAL = (*CONNECTION, *BOTS, *INDEXING, *MARKUP, *RENDERING, *DELIVERY, *BROWSER)
"""Every technical check, in the order of the report."""

MODEL_VERSION = "auto-agent-readiness/2.4.0"
RELEASED = "2026-11-29"
CATALOG: tuple[Check, ...] = (*TECHNICAL, *EMERGING, *VEHICLE, *SERVICE, *HANDOFF)
JOURNEYS = (Group.VEHICLE, Group.SERVICE, Group.HANDOFF)


def of_group(group: Group) -> tuple[Check, ...]:
    """The checks of one group, in the order of the report."""
    return tuple(check for check in CATALOG if check.group is group)


def described(check: Check) -> dict[str, Any]:
    """A check as plain data: everything but its function."""
    return {
        "id": check.id,
        "group": check.group.value,
        "weight": check.weight,
        "title": check.title,
        "rule": check.rule.words,
        "limits": dict(check.rule.limits),
        "command": check.command.value,
        "sources": list(check.sources),
        "fix": check.fix,
        "siteTypes": sorted(kind.value for kind in check.kinds) if check.kinds is not None else None,
        "notForMobile": check.not_mobile,
        "gate": check.gate,
    }


def catalogue_sha256() -> str:
    """SHA-256 in hex over the canonical JSON of all checks."""
    canonical = json.dumps([described(check) for check in CATALOG], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
