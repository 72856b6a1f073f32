"""Asking engines, and reading again what they answered."""

import sys
from typing import Annotated

import typer

from server.command_groups.options import AnyBrand, Company, Json, OneBrand
from server.command_groups.session import with_service

batches = typer.Typer(no_args_is_help=True, help="Probes and imports that are not finished.")


def probe(
    brand: OneBrand,
    company: Company = None,
    platform: Annotated[list[str] | None, typer.Option(help="May be given several times.")] = None,
    prompt_set: str | None = None,
    query: Annotated[str | None, typer.Option(help="One question instead of a prompt set.")] = None,
    mode: Annotated[str | None, typer.Option(help="visibility or readiness.")] = None,
    repeats: Annotated[int | None, typer.Option(min=1, max=20)] = None,
    max_output_tokens: Annotated[int | None, typer.Option(min=16, max=8192)] = None,
    preview: Annotated[
        bool, typer.Option("--preview", help="Say what it would ask and cost; ask nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before spending money.")] = False,
    as_json: Json = False,
) -> None:
    """Ask engines now and publish the result; exits with 0 only when something was measured."""
    from server.commands import measuring
    from server.commands.spending import Consent
    from workflows.planning import ProbeRequest

    request = ProbeRequest(brand, tuple(platform or ()), prompt_set, query, mode, repeats)
    consent = Consent(preview, ask=not (yes or as_json) and sys.stdin.isatty())
    with_service(as_json, measuring.probe, company, request, max_output_tokens, consent)


@batches.command("list")
def list_batches(company: Company = None, as_json: Json = False) -> None:
    """List probes and imports that are running, or wait to be taken up by the same command."""
    from server.commands import measuring

    with_service(as_json, measuring.list_batches, company)


@batches.command("cancel")
def cancel_batch(batch_id: str, company: Company = None, as_json: Json = False) -> None:
    """Cancel one for good: whoever asks it stops at once, and it counts for nothing."""
    from server.commands import measuring

    with_service(as_json, measuring.cancel_batch, company, batch_id)


def replay(
    company: Company = None,
    brand: AnyBrand = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Calculate the numbers again and compare.")
    ] = False,
    receipt: Annotated[str | None, typer.Option(help="With --verify: this receipt only.")] = None,
    status: Annotated[
        bool,
        typer.Option("--status", help="Say on which reading the numbers stand, and how far a new one is."),
    ] = False,
    raw: Annotated[
        bool, typer.Option("--raw", help="First read what engines sent with today's parsers.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Read stored answers with today's names and matcher, or prove stored numbers with --verify."""
    from server.commands import replaying

    if raw and (verify or status):
        raise typer.BadParameter(
            "it writes, and --verify and --status only look; give one of them", param_hint="--raw"
        )
    if raw:
        with_service(as_json, replaying.replay_raw, company, brand)
    if verify:
        with_service(as_json, replaying.verify_numbers, company, brand, receipt)
    if status:
        with_service(as_json, replaying.replay_status, company)
    with_service(as_json, replaying.replay, company, brand)
