"""Looking at sites: scans, monitors, and the agents that reports speak of."""

from pathlib import Path
from typing import Annotated

import typer

from server.command_groups.options import AllowedHosts, AnyBrand, Company, Json
from server.command_groups.session import with_service

monitors = typer.Typer(no_args_is_help=True, help="Monitors of brands' sites, bots and content.")
agents = typer.Typer(no_args_is_help=True, help="AI user agents that readiness reports speak of.")


def scan(
    url: str,
    site_type: Annotated[
        str | None, typer.Option("--type", help="dealer, repair_shop or service_site; detected without it.")
    ] = None,
    private: Annotated[bool, typer.Option("--private", help="Keep the report inside the company.")] = False,
    probe_bots: Annotated[
        bool, typer.Option("--probe-bots", help="I run this site: also ask with the headers of AI bots.")
    ] = False,
    allow_host: AllowedHosts = None,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Scan a public site now and store its readiness report; exits with 1 when there is none."""
    from server.commands import scanning
    from workflows.scanning import ScanRequest

    request = ScanRequest(url, scanning.declared_type(site_type), not private, probe_bots)
    with_service(as_json, scanning.scan, company, request, allow_host or ())


@monitors.command("run")
def look(
    company: Company = None,
    brand: AnyBrand = None,
    script: Annotated[list[str] | None, typer.Option(help="One monitor; may be given several times.")] = None,
    allow_host: AllowedHosts = None,
    as_json: Json = False,
) -> None:
    """Let monitors look now; exits with 1 when one of them could not see anything."""
    from server.commands import monitoring

    with_service(as_json, monitoring.look, company, brand, script or (), allow_host or ())


@monitors.command("due")
def start_due(as_json: Json = False) -> None:
    """Queue every monitor that is due, once; `seenby serve` or `seenby worker` looks."""
    from server.commands import monitoring

    with_service(as_json, monitoring.start_due)


@agents.command("compare")
def compare_agents(
    file: Annotated[
        Path | None,
        typer.Option(help="A published list as JSON; the installed crawler-user-agents without it."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare our table of AI user agents with a list that others publish."""
    from server.commands import agents as commands
    from server.commands.output import Output

    commands.compare_agents(Output(as_json), file)
