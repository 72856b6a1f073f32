"""The command line. Commands load what they need when they are called, so that help and stdio start at once."""

import atexit
import gc

import typer

from server.command_groups import archives, brands, callers, companies, measuring, running, sites

LOOK_FOR_GARBAGE_AFTER = 50_000
"""New objects, those freed meanwhile not counted; some megabytes at most."""

PURPOSE = (
    "Measure how AI engines present a brand: ask them, keep every answer, compute scores that open into it."
)
app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=PURPOSE)
app.command()(running.demo)
app.command()(running.serve)
app.command()(running.worker)
app.command()(running.stdio)
app.command()(measuring.probe)
app.command("import")(archives.import_everything)
app.command()(measuring.replay)
app.command()(sites.scan)
app.command()(running.migrate)
app.command()(running.doctor)
app.command()(running.openapi)
app.add_typer(sites.monitors, name="monitor")
app.add_typer(sites.agents, name="agents")
app.add_typer(companies.budget, name="budget")
app.add_typer(measuring.batches, name="batches")
app.add_typer(companies.ledger, name="credits")
app.add_typer(companies.companies, name="company")
app.add_typer(callers.keys, name="keys")
app.add_typer(callers.pinned, name="clients")
app.add_typer(brands.brands, name="brand")
app.add_typer(archives.answers, name="answers")
app.add_typer(archives.exports, name="export")


def main() -> None:
    """Run a command; failures that we know end with a sentence, a hint and exit code 1."""
    # Python looks for garbage after every 700 new objects, and in all of them again at the end. What a command
    # loads is two hundred thousand objects and none of them garbage, so that took two fifths of a short command.
    gc.set_threshold(LOOK_FOR_GARBAGE_AFTER)
    atexit.register(gc.freeze)
    from server.commands.failures import known_failures

    with known_failures():
        app()
