"""The simulation tool: recent asking sessions."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import Field

from analytics.accuracy.claims import VERSION as ACCURACY_VERSION
from storage.repositories.brands import Brand
from storage.repositories.simulations import Simulation
from storage.workspace import Workspace
from tools.calls.call import NamedBrandIfAny, ThisCall
from tools.calls.filters import ChosenSessions
from tools.calls.parameters import CompanyWideBrandId, Limit, Offset, Omissible
from tools.calls.table import ToolFamily
from tools.calls.wire import (
    ListWindow,
    Measurement,
    Page,
    Wire,
    company_measurement,
    measurement_of,
    notice,
    place_of,
    untrusted_fields,
)

family = ToolFamily()

NO_SESSION = "No engine has been asked yet: not measured, which is not zero."
NO_SESSION_FITS = "No session matches these filters."


class SimulationView(Wire):
    """One asking session of one engine."""

    id: str
    batchId: str = Field(description="The batch that its answers belong to, as get_brand_mentions names it.")
    brandId: str
    brandName: str
    platform: str
    mode: str = Field(description="visibility (organic probe) or readiness (grounded).")
    country: str | None = Field(
        description="Country it was asked from; null when none was sent to the engine."
    )
    notSupported: list[str] = Field(
        description="What was asked for and the engine takes none of, such as country, language, city or region."
    )
    source: str = Field(description="probe or import.")
    status: str = Field(description="running, completed, degraded, failed or cancelled.")
    customQuery: str | None = Field(description="The question, when it was asked ad hoc.")
    accuracyScore: float | None = Field(description="0 to 100; null when nothing could be checked.")
    planned: int
    answered: int
    failed: int
    createdAt: datetime
    finishedAt: datetime | None


class Simulations(Page):
    """A page of asking sessions, newest first."""

    window = ListWindow("simulations")

    simulations: list[SimulationView]
    measurement: Measurement = Field(
        description="Of the sessions of this page; company-wide without matcher and names, which brands have their own."
    )
    notice: str | None
    untrusted: list[str] = untrusted_fields("simulations[].brandName", "simulations[].customQuery")


@family.read("List simulations")
async def list_simulations(
    brand: NamedBrandIfAny,
    call: ThisCall,
    chosen: ChosenSessions,
    brandId: Omissible[CompanyWideBrandId] = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Simulations:
    """Return recent measurement sessions of a brand or the company. For the answers use list_answers."""
    workspace = await call.workspace()
    simulations, total = await workspace.simulations.page(brand.key if brand else None, limit, offset, chosen)
    platform_notice = notice([simulation.platform for simulation in simulations])
    return Simulations(
        simulations=[_simulation_view(simulation) for simulation in simulations],
        **place_of(total, limit, offset),
        measurement=await _session_measurement(workspace, brand, simulations),
        notice=platform_notice if total else NO_SESSION_FITS if chosen.names else NO_SESSION,
    )


async def _session_measurement(
    workspace: Workspace, brand: Brand | None, simulations: Sequence[Simulation]
) -> Measurement:
    """Return what sessions rest on; a company-wide page has brands of different names and readings."""
    batches = list(dict.fromkeys(simulation.batch_id for simulation in simulations))
    answered = sum(simulation.answered for simulation in simulations)
    if brand is None:
        return await company_measurement(workspace, answered, batch_ids=batches, model=ACCURACY_VERSION)
    return await measurement_of(workspace, brand, answered, None, batch_ids=batches, model=ACCURACY_VERSION)


def _simulation_view(simulation: Simulation) -> SimulationView:
    return SimulationView(
        id=simulation.id,
        batchId=simulation.batch_id,
        brandId=simulation.brand_id,
        brandName=simulation.brand_name,
        platform=simulation.platform,
        mode=simulation.mode,
        country=simulation.country or None,
        notSupported=list(simulation.not_supported),
        source=simulation.source,
        status=simulation.status,
        customQuery=simulation.custom_query,
        accuracyScore=simulation.accuracy_score,
        planned=simulation.planned,
        answered=simulation.answered,
        failed=simulation.failed,
        createdAt=simulation.created_at,
        finishedAt=simulation.finished_at,
    )
