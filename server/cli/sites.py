"""Sites that a company owns: proven by a token, scanned anew at once, with the owner's statement."""

import json
from collections.abc import Sequence
from typing import Annotated

import typer

from server.cli.lookup import find_company
from server.cli.options import AllowedHosts, Company, Json
from server.cli.output import Output
from server.cli.scans import show
from server.cli.session import with_service
from server.service import Service

app = typer.Typer(no_args_is_help=True, help="Sites that your company owns.")


@app.callback()
def sites() -> None:
    """Keep the subcommand's name."""


@app.command()
def verify(
    url: str,
    statement: Annotated[
        str, typer.Option(help="Shown with the report, as the owner's words; at most 600 characters.")
    ] = "",
    allow_host: AllowedHosts = None,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Prove that you own a site and scan it anew; where the token is missing, it says what to publish."""
    with_service(as_json, verify_site, company, url, statement, allow_host or ())


async def verify_site(
    service: Service,
    output: Output,
    company: str | None,
    url: str,
    statement: str,
    allow_hosts: Sequence[str],
) -> None:
    """Prove, scan and print the report. Raises ScanRefused, with the ways to publish the token, without a proof."""
    from readiness.scans.scan_service import ScanService
    from readiness.scans.scanner import ScanRequest

    workspace_owner = await find_company(service.database, company)
    visiting = service.visiting(allow_hosts)
    scans = ScanService(service.database, visiting.scanner, visiting.ownership)
    owner = await scans.prove_owner(workspace_owner.id, url, statement)
    report = await visiting.scanner.scan(workspace_owner.id, ScanRequest(url, owner=owner))
    output.data(json.loads(report.to_json()), lambda: show(output, report, public=True))
