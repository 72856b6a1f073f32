"""The dashboard and the alert rules name metrics that exist, and each alert says why."""

import json
import re
from pathlib import Path

import pytest
from prometheus_client import generate_latest

from measurement.planning.clock import utc_now
from server.http.operations import Metrics
from server.telemetry.event_metrics import EventMetrics
from server.telemetry.vitals import Vitals
from storage.database import Database

OPERATIONS = Path(__file__).parents[2] / "docs" / "operations"
GUIDE = OPERATIONS.parents[1] / "web" / "help" / "guide" / "observability.md"


@pytest.fixture
def known(database: Database, tmp_path: Path) -> set[str]:
    """Every metric that a process has, with the endings that Prometheus gives it."""
    metrics = Metrics()
    EventMetrics(metrics.registry)
    Vitals(database, tmp_path, metrics.registry, utc_now)
    families = re.findall(r"^# TYPE (\S+) (\S+)", generate_latest(metrics.registry).decode(), re.MULTILINE)
    return {name for name, _ in families} | {
        f"{name}_{end}"
        for name, kind in families
        if kind == "histogram"
        for end in ("bucket", "count", "sum")
    }


def named_in(text: str) -> set[str]:
    return set(re.findall(r"\bseenby_[a-z_]+\b", text))


NAMING = [*sorted(path for path in OPERATIONS.iterdir() if path.suffix in (".json", ".yaml")), GUIDE]


@pytest.mark.parametrize("path", NAMING, ids=lambda path: path.name)
async def test_every_metric_that_is_named_exists(known: set[str], path: Path) -> None:
    named = named_in(path.read_text(encoding="utf-8"))
    assert named
    assert named <= known


async def test_the_dashboard_shows_every_metric(known: set[str]) -> None:
    dashboard = json.loads((OPERATIONS / "grafana-dashboard.json").read_text(encoding="utf-8"))
    shown = {
        re.sub("_bucket$", "", name)
        for panel in dashboard["panels"]
        for target in panel["targets"]
        for name in named_in(target["expr"])
    }
    assert {name for name in known if not name.endswith(("_bucket", "_count", "_sum", "_created"))} == shown


async def test_there_are_five_alerts_with_a_reason_each() -> None:
    rules = (OPERATIONS / "alerts.yaml").read_text(encoding="utf-8")
    assert (rules.count("- alert:"), rules.count("reason:")) == (5, 5)
