"""The command `seenby`: a table of its commands, each loaded when it is called."""

import gc
import logging
import os
import sys
from importlib import import_module
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from server.cli.errors import known_errors

ALLOCATIONS_BETWEEN_COLLECTIONS = 50_000
"""Loading a command allocates 200,000 objects, none of them garbage; Python's default of 700 doubles its time."""

PLAIN = None
"""Help without boxes: drawing them loads a Markdown parser and takes longer than the rest of a short command."""

PURPOSE = (
    "Measure how AI engines present a brand: query them, store every answer, compute scores from the answers."
)


class CommandModule(NamedTuple):
    """Where a command or a group of commands is declared, and its line in the list of commands."""

    module: str
    attribute: str
    summary: str


COMMANDS = {
    "init": CommandModule(
        "setup",
        "init",
        "Write the settings file, create company and brand, and print the next steps; prompts for missing options.",
    ),
    "demo": CommandModule(
        "demo", "demo", "Measure real brands with the built-in engine on this machine, then serve the result."
    ),
    "serve": CommandModule(
        "servers",
        "serve",
        "Serve the pages, MCP, REST and the documentation over HTTP; the schema is migrated first.",
    ),
    "worker": CommandModule(
        "servers",
        "worker",
        "Execute workflow runs without serving; on SQLite it waits while another process executes them.",
    ),
    "stdio": CommandModule("stdio", "stdio", "Serve MCP on standard input and output, for desktop clients."),
    "call": CommandModule("call", "app", "Call any tool of MCP and REST, with its arguments as options."),
    "company": CommandModule("companies", "app", "Companies. Each company is a workspace."),
    "keys": CommandModule("keys", "app", "API keys."),
    "clients": CommandModule("keys", "clients", "OAuth clients that you trust."),
    "brand": CommandModule("brands", "app", "Brands. Profiles are read and changed with seenby call."),
    "prompts": CommandModule(
        "prompts", "app", "Prompts of prompt sets. Sets are listed and changed with seenby call."
    ),
    "probe": CommandModule(
        "probes",
        "probe",
        "Query engines now and publish the result; exits with 0 when measured, 3 when too much is missing.",
    ),
    "run": CommandModule(
        "runs", "app", "Runs of prompt sets and workflows. List and cancel them with seenby call."
    ),
    "workflow": CommandModule("workflows", "app", "Your own workflows, made of our agents."),
    "batches": CommandModule("answers", "batches", "Probes and imports that are not finished."),
    "answers": CommandModule(
        "answers", "app", "Answers that were captured elsewhere. Read stored ones with seenby call."
    ),
    "replay": CommandModule(
        "replays",
        "replay",
        "Reprocess stored answers with today's names and matcher, or prove stored numbers with --verify.",
    ),
    "audit": CommandModule("audits", "app", "Matching audits: a person checks a sample of answers."),
    "engines": CommandModule("engines", "app", "Engines: their models, and recordings that prove a parser."),
    "fetch-model": CommandModule(
        "engines",
        "fetch_model",
        "Download the built-in model (98 MB, once) into the data folder; an existing file is kept.",
    ),
    "content": CommandModule("content", "app", "Texts and drafts of a brand: export and publish."),
    "scan": CommandModule(
        "scans",
        "scan",
        "Scan public sites now and store their readiness reports.",
    ),
    "sites": CommandModule("scans", "sites", "Sites that your company owns."),
    "agents": CommandModule("scans", "agents", "AI user agents of readiness reports."),
    "monitor": CommandModule("monitors", "app", "Monitors of brands' sites, bots and content."),
    "reports": CommandModule(
        "engine_reports", "app", "Reports of Bing Webmaster Tools and Google Search Console about AI answers."
    ),
    "logs": CommandModule("access_logs", "app", "Visits of AI crawlers, from access logs of your sites."),
    "credits": CommandModule(
        "companies", "credits_app", "Credits: extra credits, and the ledger of a month."
    ),
    "budget": CommandModule(
        "companies", "budget_app", "Spending limits for engine requests, per run and per day."
    ),
    "webhooks": CommandModule("webhooks", "app", "Webhooks that receive notifications."),
    "mails": CommandModule(
        "webhooks", "mails", "List the e-mails of a company, newest first, with their delivery state."
    ),
    "announce": CommandModule(
        "announcements",
        "announce",
        "Announce a change at least 30 days ahead: by e-mail, on the pages, in GET /mcp and in headers.",
    ),
    "export": CommandModule("answers", "exports", "Stored data as lines of JSON."),
    "import": CommandModule(
        "answers",
        "import_everything",
        "Import what `export everything` printed elsewhere, and recompute the same numbers from it.",
    ),
    "backup": CommandModule(
        "backups",
        "backup",
        "Write a consistent copy of the whole database to one file, while the service runs.",
    ),
    "restore": CommandModule(
        "backups", "restore", "Restore a backup into the empty database of the settings and migrate it."
    ),
    "resume": CommandModule(
        "backups",
        "resume",
        "Start the work of a restored copy: schedules, runs, e-mails and webhooks. Processes notice within seconds.",
    ),
    "migrate": CommandModule("operations", "migrate", "Migrate the database to the current schema."),
    "doctor": CommandModule("operations", "doctor", "Check what measuring and serving need."),
    "openapi": CommandModule("operations", "openapi", "Print the OpenAPI document."),
}


class CommandTable(TyperGroup):
    """A group that lists its commands from the table and imports the one that is called."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, command in COMMANDS.items():
            self.add_command(TyperCommand(name, help=command.summary, short_help=command.summary))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Load the command that the first argument names."""
        if args[0] in COMMANDS:
            self.add_command(load_command(args[0]), args[0])
        return super().resolve_command(ctx, args)


def load_command(name: str) -> Any:
    """Import a command or a group of commands and return it as the command line executes it."""
    command = COMMANDS[name]
    declared = getattr(import_module(f"server.cli.{command.module}"), command.attribute)
    declared = getattr(declared, "command", declared) if not isinstance(declared, typer.Typer) else declared
    if isinstance(declared, typer.Typer):
        declared.rich_markup_mode = PLAIN
        group = typer.main.get_group(declared)
        for inner in group.commands.values():
            inner.short_help = inner.help  # whole, where it would end in dots
        return group
    single = typer.Typer(add_completion=False, rich_markup_mode=PLAIN)
    single.command(name)(declared)
    return typer.main.get_command(single)


def print_version(wanted: bool) -> None:
    """Print the version of the package and exit."""
    if wanted:
        from importlib.metadata import version  # loads a parser of e-mail

        sys.stdout.write(f"seenby {version('seenby')}\n")
        raise typer.Exit


app = typer.Typer(
    cls=CommandTable,
    no_args_is_help=True,
    rich_markup_mode=PLAIN,
    pretty_exceptions_enable=False,
    help=PURPOSE,
)


@app.callback()
def global_options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Handle the options before a command, and read the settings file."""
    if context.invoked_subcommand != "stdio":  # it answers its client first, and reads the file then
        from server.settings_file import load_settings_file

        load_settings_file(os.environ, may_be_missing=context.invoked_subcommand == "init")


def main() -> None:
    """Run a command; known errors end with a sentence, a hint and exit code 1."""
    gc.set_threshold(ALLOCATIONS_BETWEEN_COLLECTIONS)
    # Events are for the logs of processes that keep running.
    logging.getLogger("seenby.events").addHandler(logging.NullHandler())
    with known_errors():
        app()
