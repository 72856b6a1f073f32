"""The command `seenby`: a table of its commands, each loaded when it is called."""

import atexit
import gc
import logging
import os
import sys
from importlib import import_module
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from server.cli.errors import known_errors

COLLECT_GARBAGE_AFTER = 50_000
"""New objects, those freed meanwhile not counted; some megabytes at most."""

PLAIN = None
"""Help without boxes: drawing them loads a reader of Markdown and takes longer than all the rest of a short command."""

PURPOSE = (
    "Measure how AI engines present a brand: ask them, keep every answer, compute scores that open into it."
)


class CommandModule(NamedTuple):
    """Where a command or a group of commands is declared, and its line in the list of commands."""

    module: str
    attribute: str
    summary: str


COMMANDS = {
    "demo": CommandModule(
        "demo",
        "demo",
        "Do the main job on this machine: real brands, the local engine really asked, a score, then a server.",
    ),
    "init": CommandModule(
        "setup",
        "init",
        "Write the settings file, make company and brand, and say what to do next; asks for what is not given.",
    ),
    "serve": CommandModule(
        "servers",
        "serve",
        "Serve MCP, REST and the documents over HTTP; the schema is brought up to date first.",
    ),
    "worker": CommandModule(
        "servers",
        "worker",
        "Execute workflow runs without serving; on SQLite it waits while another process executes them.",
    ),
    "stdio": CommandModule("stdio", "stdio", "Serve MCP on standard input and output, for desktop clients."),
    "company": CommandModule("companies", "app", "Companies: each is one workspace."),
    "keys": CommandModule("keys", "app", "API keys."),
    "clients": CommandModule("clients", "app", "OAuth clients that you vouch for."),
    "brand": CommandModule("brands", "app", "Brands and their profiles."),
    "probe": CommandModule(
        "probes",
        "probe",
        "Ask engines now and publish the result; exits with 0 when measured, 3 when too much is missing.",
    ),
    "batches": CommandModule("batches", "app", "Probes and imports that are not finished."),
    "audit": CommandModule("audits", "app", "Audits of matching: a person checks a sample of answers."),
    "engines": CommandModule("engines", "app", "Engines: their models, and answers that prove our reading."),
    "prompts": CommandModule("prompts", "app", "Questions that are put to engines, in sets."),
    "run": CommandModule("runs", "app", "Runs of prompt sets and workflows: started, followed, cancelled."),
    "workflow": CommandModule(
        "workflows", "app", "Workflows of your own, made of the agents that ours have."
    ),
    "answers": CommandModule("answers", "app", "Stored answers, and those captured elsewhere."),
    "sources": CommandModule(
        "sources", "sources", "List the sites or pages that engines cite, most cited first."
    ),
    "compare": CommandModule(
        "comparisons", "compare", "Say whether a brand's score changed between two periods, and through what."
    ),
    "content": CommandModule(
        "content", "app", "Texts and drafts of a brand: listed, exported and published."
    ),
    "actions": CommandModule("actions", "app", "What to do next, and what was decided about it."),
    "replay": CommandModule(
        "replays",
        "replay",
        "Read stored answers with today's names and matcher, or prove stored numbers with --verify.",
    ),
    "scan": CommandModule(
        "scans",
        "scan",
        "Scan a public site now and store its readiness report; exits with 1 when there is none.",
    ),
    "sites": CommandModule("sites", "app", "Sites that your company owns."),
    "monitor": CommandModule("monitors", "app", "Monitors of brands' sites, bots and content."),
    "agents": CommandModule("agents", "app", "AI user agents that readiness reports speak of."),
    "budget": CommandModule("budgets", "app", "What asking may cost: a run, a day."),
    "credits": CommandModule("credits", "app", "Credits: extra ones, and the ledger of a month."),
    "export": CommandModule("archives", "exports", "Stored data as lines of JSON."),
    "import": CommandModule(
        "archives",
        "import_",
        "Take in what `export everything` printed elsewhere, and calculate the same numbers from it.",
    ),
    "announce": CommandModule(
        "announcements",
        "announce",
        "Announce a change at least 30 days ahead: by e-mail, on the pages, in GET /mcp and in headers.",
    ),
    "mails": CommandModule(
        "mails", "mails", "List the e-mails of a company, newest first, with what became of each."
    ),
    "logs": CommandModule("access_logs", "app", "Visits of AI crawlers, from access logs of your sites."),
    "webhooks": CommandModule("webhooks", "app", "Webhooks that notifications are sent to."),
    "backup": CommandModule(
        "backups",
        "backup",
        "Write the whole database to one file, as it is at one instant; the service goes on meanwhile.",
    ),
    "restore": CommandModule(
        "backups",
        "restore",
        "Bring a backup back into the empty database of the settings, and its schema up to date.",
    ),
    "resume": CommandModule(
        "backups",
        "resume",
        "Let a restored copy work: ask engines by schedule, execute runs, send mails and webhooks.",
    ),
    "migrate": CommandModule("operations", "migrate", "Bring the database's schema up to date."),
    "fetch-model": CommandModule(
        "model",
        "fetch_model",
        "Fetch the built-in model (98 MB, once) into the data folder; a model that is there is kept.",
    ),
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
    add_completion=False,
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
    """Take the options that stand before a command, and read the settings file."""
    if context.invoked_subcommand != "stdio":  # it greets its client first, and reads the file then
        from server.settings_file import load_settings_file

        load_settings_file(os.environ)


def main() -> None:
    """Run a command; errors that we know end with a sentence, a hint and exit code 1."""
    # Python looks for garbage after every 700 new objects, and in all of them again at the end. What a command
    # loads is two hundred thousand objects and none of them garbage, so that took two fifths of a short command.
    gc.set_threshold(COLLECT_GARBAGE_AFTER)
    atexit.register(gc.freeze)
    # A command prints for people; the lines of events are for processes that run on, which set up their logs.
    logging.getLogger("seenby.events").addHandler(logging.NullHandler())
    with known_errors():
        app()
