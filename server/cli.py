"""The command line. Commands load what they need when they are called, so that help and stdio start at once."""

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from server.commands.output import Output
    from server.service import Service

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=__doc__)
company_app = typer.Typer(no_args_is_help=True, help="Companies: each is one workspace.")
keys_app = typer.Typer(no_args_is_help=True, help="API keys.")
clients_app = typer.Typer(no_args_is_help=True, help="OAuth clients that you vouch for.")
brand_app = typer.Typer(no_args_is_help=True, help="Brands and their profiles.")
answers_app = typer.Typer(no_args_is_help=True, help="Answers captured elsewhere.")
export_app = typer.Typer(no_args_is_help=True, help="Stored data as lines of JSON.")
budget_app = typer.Typer(no_args_is_help=True, help="What asking may cost: a run, a day.")
batches_app = typer.Typer(no_args_is_help=True, help="Probes and imports that are not finished.")
credits_app = typer.Typer(no_args_is_help=True, help="Credits: extra ones, and the ledger of a month.")
monitor_app = typer.Typer(no_args_is_help=True, help="Monitors of brands' sites, bots and content.")
app.add_typer(monitor_app, name="monitor")
agents_app = typer.Typer(no_args_is_help=True, help="AI user agents that readiness reports speak of.")
app.add_typer(agents_app, name="agents")
app.add_typer(budget_app, name="budget")
app.add_typer(batches_app, name="batches")
app.add_typer(credits_app, name="credits")
app.add_typer(company_app, name="company")
app.add_typer(keys_app, name="keys")
app.add_typer(clients_app, name="clients")
app.add_typer(brand_app, name="brand")
app.add_typer(answers_app, name="answers")
app.add_typer(export_app, name="export")

Json = Annotated[bool, typer.Option("--json", help="Print data as JSON.")]
Company = Annotated[str | None, typer.Option(help="Name or id; may be left out when there is only one.")]


def main() -> None:
    """Run a command; failures that we know end with a sentence, a hint and exit code 1."""
    from server.commands.failures import known_failures

    with known_failures():
        app()


def with_service(work: "Callable[[Service, Output], Awaitable[int | None]]", as_json: bool) -> NoReturn:
    """Open the service, do the work, close it; exit with the work's code."""
    from server.commands.output import Output
    from server.service import open_service
    from server.settings import Settings

    output = Output(as_json)
    settings = Settings.from_environ(os.environ)
    for note in settings.notes:
        output.say(note)

    async def run() -> int:
        stopping = asyncio.current_task()
        assert stopping is not None
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.cancel)
        async with open_service(settings) as service:
            return await work(service, output) or 0

    try:
        code = asyncio.run(run())
    except (KeyboardInterrupt, asyncio.CancelledError) as stopped:
        output.say("stopped; what was stored stays, and the same command takes it up again")
        code = 130 if isinstance(stopped, KeyboardInterrupt) else 143  # as a shell reports SIGINT and SIGTERM
    raise typer.Exit(code)


@app.command()
def demo(
    serve: Annotated[bool, typer.Option("--serve/--no-serve", help="Serve when the score is shown.")] = True,
    host: str = "127.0.0.1",
    port: int = 8000,
    as_json: Json = False,
) -> None:
    """Do the main job on this machine: real brands, the local engine really asked, a score, then a server."""
    from server.commands import demo as commands

    try:
        with_service(lambda service, output: commands.demo(service, output, host, port), as_json)
    except typer.Exit as ended:
        if ended.exit_code or not serve:
            raise
    serve_http(host, port, 1, as_json)


@app.command()
def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64)] = 1,
    as_json: Json = False,
) -> None:
    """Serve MCP, REST and the documents over HTTP; the schema is brought up to date first."""
    serve_http(host, port, workers, as_json)


def serve_http(host: str, port: int, workers: int, as_json: bool) -> None:
    """Serve; without SEENBY_BASE_URL the address is where we listen."""
    from server.commands import running
    from server.commands.output import Output
    from server.settings import Settings

    os.environ.setdefault("SEENBY_BASE_URL", f"http://{host if host != '0.0.0.0' else '127.0.0.1'}:{port}")
    output = Output(as_json)
    settings = Settings.from_environ(os.environ)
    for note in settings.notes:
        output.say(note)
    output.say(f"serving on {settings.base_url} (MCP at /mcp, documentation at /docs); Ctrl-C ends it")
    running.serve(settings, output, host, port, workers)


@app.command()
def worker() -> None:
    """Execute workflow runs without serving; on SQLite it waits while another process executes them."""
    from server.commands import running

    with_service(lambda service, output: running.work(service, output), False)


@app.command()
def stdio() -> None:
    """Serve MCP on standard input and output, for desktop clients."""
    from server.commands import desktop

    raise typer.Exit(desktop.stdio())


@company_app.command("create")
def company_create(
    name: str,
    email: Annotated[str, typer.Option(help="The owner's address.")],
    plan: Annotated[str, typer.Option(help="free, growth or scale.")] = "growth",
    as_json: Json = False,
) -> None:
    """Make a company and its owner."""
    from server.commands import tenants

    with_service(lambda service, output: tenants.create_company(service, output, name, email, plan), as_json)


@company_app.command("invite")
def company_invite(
    email: str,
    company: Company = None,
    role: Annotated[str, typer.Option(help="owner or member; a person who is there keeps theirs.")] = "owner",
    as_json: Json = False,
) -> None:
    """Print a link to the pages for one person: to join, or to choose a new password."""
    from server.commands import tenants

    with_service(lambda service, output: tenants.invite(service, output, company, email, role), as_json)


@company_app.command("list")
def company_list(as_json: Json = False) -> None:
    """List the companies."""
    from server.commands import tenants

    with_service(tenants.list_companies, as_json)


@company_app.command("set-plan")
def company_set_plan(name: str, plan: str, as_json: Json = False) -> None:
    """Put a company on another plan."""
    from server.commands import tenants

    with_service(lambda service, output: tenants.set_plan(service, output, name, plan), as_json)


@credits_app.command("grant")
def credits_grant(amount: int, company: Company = None, as_json: Json = False) -> None:
    """Give a company extra credits for the current month."""
    from server.commands import tenants

    with_service(lambda service, output: tenants.grant_credits(service, output, company, amount), as_json)


@credits_app.command("statement")
def credits_statement(
    company: Company = None,
    month: Annotated[str | None, typer.Option(help="YYYY-MM in UTC; this month without it.")] = None,
    as_json: Json = False,
) -> None:
    """Print every line of a month's ledger."""
    from server.commands import tenants

    with_service(lambda service, output: tenants.credit_statement(service, output, company, month), as_json)


@keys_app.command("create")
def keys_create(
    company: Company = None,
    description: str | None = None,
    expires: Annotated[str | None, typer.Option(help="ISO 8601 instant with offset.")] = None,
    rate_limit: Annotated[int | None, typer.Option(help="Calls a minute, 1 to 600.")] = None,
    as_json: Json = False,
) -> None:
    """Make an API key and print it, this once."""
    from server.commands import tenants

    with_service(
        lambda service, output: tenants.create_key(
            service, output, company, description, expires, rate_limit
        ),
        as_json,
    )


@keys_app.command("list")
def keys_list(as_json: Json = False) -> None:
    """List the keys, without the keys themselves."""
    from server.commands import tenants

    with_service(tenants.list_keys, as_json)


@keys_app.command("revoke")
def keys_revoke(key_id: str, as_json: Json = False) -> None:
    """Revoke a key at once and for good."""
    from server.commands import tenants

    with_service(lambda service, output: tenants.revoke_key(service, output, key_id), as_json)


@clients_app.command("pin")
def clients_pin(
    url: Annotated[str, typer.Argument(help="The client's id: the https URL of its own metadata.")],
    redirect: Annotated[list[str], typer.Option(help="Where its answers go; may be given several times.")],
    name: Annotated[str, typer.Option(help="Shown to people beside the host of the URL.")] = "",
    as_json: Json = False,
) -> None:
    """Vouch for a client whose metadata cannot be fetched from here; it replaces an earlier entry."""
    from server.commands import clients

    with_service(lambda service, output: clients.pin(service, output, url, redirect, name), as_json)


@clients_app.command("list")
def clients_list(as_json: Json = False) -> None:
    """List the clients that you vouch for."""
    from server.commands import clients

    with_service(clients.list_pinned, as_json)


@clients_app.command("unpin")
def clients_unpin(url: str, as_json: Json = False) -> None:
    """Take the word back: what people granted to the client ends at once."""
    from server.commands import clients

    with_service(lambda service, output: clients.unpin(service, output, url), as_json)


@brand_app.command("import")
def brand_import(file: Path, company: Company = None, as_json: Json = False) -> None:
    """Store the brands of a JSON file: profile, aliases, sites, competitors, items, prompt sets."""
    from server.commands import measuring

    with_service(lambda service, output: measuring.import_brands(service, output, file, company), as_json)


@brand_app.command("list")
def brand_list(company: Company = None, as_json: Json = False) -> None:
    """List the brands of a company."""
    from server.commands import measuring

    with_service(lambda service, output: measuring.list_brands(service, output, company), as_json)


@brand_app.command("suggestions")
def brand_suggestions(
    brand: Annotated[str, typer.Option(help="Name or id.")],
    company: Company = None,
    confirm: Annotated[str | None, typer.Option(help="Track this name as a competitor.")] = None,
    dismiss: Annotated[str | None, typer.Option(help="Never suggest this name again.")] = None,
    as_json: Json = False,
) -> None:
    """List names that answers keep putting beside a brand and nobody tracks, or decide about one of them."""
    from server.commands import suggestions

    if confirm is not None and dismiss is not None:
        raise typer.BadParameter("give either --confirm or --dismiss, one name at a time")
    if confirm is not None:
        with_service(
            lambda service, output: suggestions.confirm(service, output, company, brand, confirm), as_json
        )
    if dismiss is not None:
        with_service(
            lambda service, output: suggestions.turn_down(service, output, company, brand, dismiss), as_json
        )
    with_service(
        lambda service, output: suggestions.list_suggestions(service, output, company, brand), as_json
    )


@app.command()
def probe(
    brand: Annotated[str, typer.Option(help="Name or id.")],
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
    with_service(
        lambda service, output: measuring.probe(
            service, output, company, request, max_output_tokens, consent
        ),
        as_json,
    )


@batches_app.command("list")
def batches_list(company: Company = None, as_json: Json = False) -> None:
    """List probes and imports that are running, or wait to be taken up by the same command."""
    from server.commands import measuring

    with_service(lambda service, output: measuring.list_batches(service, output, company), as_json)


@batches_app.command("cancel")
def batches_cancel(batch_id: str, company: Company = None, as_json: Json = False) -> None:
    """Cancel one for good: whoever asks it stops at once, and it counts for nothing."""
    from server.commands import measuring

    with_service(lambda service, output: measuring.cancel_batch(service, output, company, batch_id), as_json)


@budget_app.command("set")
def budget_set(
    per_run: Annotated[str | None, typer.Option(help="Most that one probe may cost.")] = None,
    per_day: Annotated[str | None, typer.Option(help="Most that one day in UTC may cost.")] = None,
    currency: Annotated[str, typer.Option(help="ISO 4217, the one of the price table.")] = "USD",
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Limit what asking may cost; a limit that is left out is none."""
    from server.commands import spending

    with_service(
        lambda service, output: spending.set_budget(service, output, company, per_run, per_day, currency),
        as_json,
    )


@budget_app.command("show")
def budget_show(company: Company = None, as_json: Json = False) -> None:
    """Print the budget and what today has spent."""
    from server.commands import spending

    with_service(lambda service, output: spending.show_budget(service, output, company), as_json)


@budget_app.command("clear")
def budget_clear(company: Company = None, as_json: Json = False) -> None:
    """Take the budget away."""
    from server.commands import spending

    with_service(lambda service, output: spending.clear_budget(service, output, company), as_json)


@answers_app.command("import")
def answers_import(
    file: Path,
    brand: Annotated[str, typer.Option(help="Name or id.")],
    company: Company = None,
    keep_going: Annotated[bool, typer.Option(help="Store the good lines and report the bad ones.")] = False,
    as_json: Json = False,
) -> None:
    """Import answers captured elsewhere (JSONL, or CSV by its name); a line that was imported before is skipped."""
    from server.commands import measuring

    with_service(
        lambda service, output: measuring.import_answers(service, output, file, company, brand, keep_going),
        as_json,
    )


@export_app.command("answers")
def export_answers(
    brand: Annotated[str, typer.Option(help="Name or id.")], company: Company = None, as_json: Json = False
) -> None:
    """Print every stored answer of a brand as lines of JSON that can be imported again."""
    from server.commands import measuring

    with_service(lambda service, output: measuring.export_answers(service, output, company, brand), as_json)


@export_app.command("everything")
def export_everything(
    company: Company = None,
    brand: Annotated[str | None, typer.Option(help="Name or id; the whole company without it.")] = None,
    as_json: Json = False,
) -> None:
    """Print all that was told and measured as lines of JSON, raw answers included; no accounts and no keys."""
    from server.commands import archives

    with_service(lambda service, output: archives.export_everything(service, output, company, brand), as_json)


@app.command("import")
def import_everything(
    file: Path,
    company: Company = None,
    keep_schedules: Annotated[
        bool, typer.Option("--keep-schedules", help="Go on asking by the clock as the original does.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Take in what `export everything` printed elsewhere, and calculate the same numbers from it."""
    from server.commands import archives

    with_service(
        lambda service, output: archives.import_everything(
            service, output, file, company, keep_schedules=keep_schedules
        ),
        as_json,
    )


@app.command()
def replay(
    company: Company = None,
    brand: Annotated[str | None, typer.Option(help="Name or id; all brands without it.")] = None,
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
        with_service(lambda service, output: replaying.replay_raw(service, output, company, brand), as_json)
    if verify:
        with_service(
            lambda service, output: replaying.verify_numbers(service, output, company, brand, receipt),
            as_json,
        )
    if status:
        with_service(lambda service, output: replaying.replay_status(service, output, company), as_json)
    with_service(lambda service, output: replaying.replay(service, output, company, brand), as_json)


@app.command()
def scan(
    url: str,
    site_type: Annotated[
        str | None, typer.Option("--type", help="dealer, repair_shop or service_site; detected without it.")
    ] = None,
    private: Annotated[bool, typer.Option("--private", help="Keep the report inside the company.")] = False,
    probe_bots: Annotated[
        bool, typer.Option("--probe-bots", help="I run this site: also ask with the headers of AI bots.")
    ] = False,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="host:port that is visited whatever its address; for tests.")
    ] = None,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Scan a public site now and store its readiness report; exits with 1 when there is none."""
    from server.commands import scanning
    from workflows.scanning import ScanRequest

    request = ScanRequest(url, scanning.declared_type(site_type), not private, probe_bots)
    with_service(
        lambda service, output: scanning.scan(service, output, company, request, allow_host or ()), as_json
    )


@monitor_app.command("run")
def monitor_run(
    company: Company = None,
    brand: Annotated[str | None, typer.Option(help="Name or id; all brands without it.")] = None,
    script: Annotated[list[str] | None, typer.Option(help="One monitor; may be given several times.")] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="host:port that is visited whatever its address; for tests.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Let monitors look now; exits with 1 when one of them could not see anything."""
    from dataclasses import replace

    from server.commands import monitoring

    hosts = frozenset(host.lower() for host in allow_host or ())
    with_service(
        lambda service, output: monitoring.look(
            replace(service, allow_hosts=hosts), output, company, brand, script or ()
        ),
        as_json,
    )


@monitor_app.command("due")
def monitor_due(as_json: Json = False) -> None:
    """Queue every monitor that is due, once; `seenby serve` or `seenby worker` looks."""
    from server.commands import monitoring

    with_service(monitoring.start_due, as_json)


@agents_app.command("compare")
def agents_compare(
    file: Annotated[
        Path | None,
        typer.Option(help="A published list as JSON; the installed crawler-user-agents without it."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare our table of AI user agents with a list that others publish."""
    from server.commands import agents
    from server.commands.output import Output

    agents.compare_agents(Output(as_json), file)


@app.command()
def migrate(as_json: Json = False) -> None:
    """Bring the database's schema up to date."""

    async def done(service: "Service", output: "Output") -> None:
        output.data({"schema": "up to date"}, lambda: output.people.print("the schema is up to date"))

    with_service(done, as_json)


@app.command()
def doctor(as_json: Json = False) -> None:
    """Check what measuring and serving need."""
    from server.commands import running

    with_service(running.doctor, as_json)


@app.command()
def openapi(as_json: Json = False) -> None:
    """Print the OpenAPI document."""
    import json

    from rest_bridge.openapi import openapi_document
    from server.settings import Settings
    from tools.catalog import tool_table

    document = openapi_document(tool_table(), Settings.from_environ(os.environ).base_url, oauth=False)
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")
