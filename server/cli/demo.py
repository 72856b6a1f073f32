"""The demo on a bare machine: real brands measured with the built-in engine, or a synthetic history; then a server."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from importlib.resources import files
from typing import Annotated

import typer
from rich.text import Text

from measurement.planning.ask_plan import ProbeRequest, make_plan
from measurement.planning.brand_files import parse_brands, save_brands
from measurement.planning.clock import utc_now
from oauth.api_keys import make_api_key
from server.cli.engines import have_weights
from server.cli.output import Output
from server.cli.probes import interval_texts, run_probe, show_score
from server.cli.servers import read_serving_settings, serve_http
from server.cli.session import JsonOption, Session, run_command
from server.demo.history import EMAIL as SYNTHETIC_EMAIL
from server.demo.history import load_history
from server.demo.sample_site import serve_sample_site
from server.demo.synthetic_market import ENGINES, WEEKS
from server.service import Service
from storage.repositories.companies import Company
from tools.calls.wire import SYNTHETIC_COMPANY, SYNTHETIC_NOTICE
from tools.mentions import MentionView, mentions_view
from tools.rankings import RankedEntity, compared_by, ranking_rows
from tools.scores import AiVisibilityScore, score_view
from web.accounts import accounts

COMPANY = "seenby demo"
EMAIL = "demo@seenby.example"
MARKET = "car_market.json"
ANSWER_TOKENS = 160
"""The prompts ask for a sentence; a longer answer is cut off here and counts as missing."""
QUOTES = 2


def demo(
    serve: Annotated[bool, typer.Option("--serve/--no-serve", help="Serve the result.")] = True,
    history: Annotated[
        bool, typer.Option("--history", help="Load a synthetic market of eight weeks instead of measuring.")
    ] = False,
    repeats: Annotated[int, typer.Option(min=1, max=20, help="Requests per prompt.")] = 3,
    host: str = "127.0.0.1",
    port: int = 8000,
    as_json: JsonOption = False,
) -> None:
    """Measure real brands with the built-in engine on this machine, then serve the result."""
    settings, output = read_serving_settings(host, port, as_json)
    if history and serve:
        with serve_sample_site(port + 1) as site:
            output.say(f"The sample site of the synthetic brand is served at http://{site}/ while this runs.")
            run_step(lambda session: show_history(session, site), as_json)
            serve_http(host, port, 1, as_json, frozenset((site,)))
        return
    if history:
        run_step(show_history, as_json)
        return
    have_weights(settings, output)
    run_step(lambda session: run_demo(session, repeats), as_json)
    if serve:
        serve_http(host, port, 1, as_json)


def run_step(work: Callable[[Session], Awaitable[int | None]], as_json: bool) -> None:
    """Run a step of the demo; the program ends with its code unless that is 0."""
    try:
        run_command(as_json, work, service=True)
    except typer.Exit as ending:
        if ending.exit_code:
            raise


async def show_history(session: Session, site: str | None = None) -> None:
    """Load the synthetic history and print where to open it."""
    service = session.service
    stored, company = await load_history(service.database, service.publisher.signer, site)
    pages = await accounts.invite(service.site(), company.id, SYNTHETIC_EMAIL, "owner", None)
    if stored:
        session.output.say(
            f"{stored} synthetic answers of {WEEKS} weeks, {len(ENGINES)} engines and two countries."
        )
    value = {"company": SYNTHETIC_COMPANY, "synthetic": True, "notice": SYNTHETIC_NOTICE, "pages": pages}
    session.output.show(value, f"{SYNTHETIC_NOTICE}\npages: {pages}")


async def run_demo(session: Session, repeats: int) -> int:
    """Set up, measure and print; return 0 only when there is a score."""
    service, output = session.service, session.output
    company = await demo_company(service)
    market = parse_brands((files("server") / "demo" / MARKET).read_bytes(), MARKET)
    brand = (await save_brands(service.database, company.id, market, MARKET, utc_now()))[0]
    output.say(f"Sample market: {brand.name} and its competitors, real names with prompts that we wrote.")
    request = ProbeRequest(brand=brand.id, platforms=("local",), repeats=repeats)
    plan = await make_plan(
        service.database, company.id, request, service.engines, service.engine_keys, utc_now()
    )
    session = replace(session, owner=company)
    probed = await run_probe(session, plan, ANSWER_TOKENS)
    workspace = session.workspace
    brand = await session.brand(brand.id)
    score = await score_view(workspace, brand)
    mentions = (await mentions_view(workspace, brand, QUOTES, 0)).mentions
    rankings = [
        row
        for ranking in await workspace.results.rankings(brand.key, 1)
        for row in ranking_rows(ranking, None)
    ]
    entity = (await workspace.brands.entities(brand))[0]
    raw_key = await demo_key(service, company)
    base_url = service.settings.base_url
    pages = await accounts.invite(service.site(), company.id, EMAIL, "owner", None)
    connect = {"pages": pages, **connect_lines(base_url, raw_key)}
    if output.as_json:
        output.show(
            {
                "company": company.name,
                "batchId": probed.batch.id,
                "status": probed.status,
                "answers": probed.stored,
                "score": score.model_dump(mode="json"),
                "ranking": [row.model_dump(mode="json") for row in rankings],
                "quotes": [mention.model_dump(mode="json") for mention in mentions],
                "key": raw_key,
                "connect": connect,
            }
        )
    else:
        show(output, score, rankings, mentions, [alias.text for alias in entity.aliases], connect)
    return 0 if probed.batch.status == "success" else 1


async def demo_company(service: Service) -> Company:
    """Return the demo's workspace, made on first use."""
    company = await service.database.operators.companies.find(COMPANY)
    if company is not None:
        return company
    async with service.database.operation() as operators:
        return await operators.companies.create(COMPANY, EMAIL, "scale", utc_now())


async def demo_key(service: Service, company: Company) -> str:
    """Make an API key for this run of the demo."""
    key = make_api_key(service.api_key_signing, company.id, utc_now(), description="made by seenby demo")
    async with service.database.operation() as operators:
        await operators.api_keys.add(key.stored)
    return key.raw


def connect_lines(base_url: str, raw_key: str) -> dict[str, str]:
    """Return the lines that connect clients to this server."""
    header = f'"Authorization: Bearer {raw_key}"'
    return {
        "url": f"{base_url}/mcp",
        "claudeCode": f"claude mcp add --transport http seenby {base_url}/mcp --header {header}",
        "inspector": (
            f"npx -y @modelcontextprotocol/inspector@latest --cli {base_url}/mcp --transport http "
            f"--method tools/list --header {header}"
        ),
        "curl": (
            f"curl -s {base_url}/api/mcp-app/rest/get_ai_visibility_score -H {header} "
            "-H 'Content-Type: application/json' -d '{\"brandId\": \"Toyota\"}'"
        ),
    }


def show(
    output: Output,
    score: AiVisibilityScore,
    rankings: list[RankedEntity],
    mentions: list[MentionView],
    aliases: list[str],
    connect: dict[str, str],
) -> None:
    """Print the demo's result for people."""
    output.people.print()
    show_score(output, score)
    output.people.print()
    rows = [
        (
            row.rank,
            row.name,
            f"{row.rankingScore:.1f}",
            *interval_texts(row.intervals),
            f"{row.presence:.0%}",
        )
        for row in rankings
    ]
    output.table(("rank", "brand", "score", "this prompt set", "all similar prompts", "named in"), rows)
    measured = [factor.part for factor in score.factors if factor.value is not None]
    comparison = compared_by(score.score, measured, [row.model_dump() for row in rankings])
    if comparison:
        output.people.print(comparison, style="dim")
    for mention in mentions:
        output.people.print()
        output.people.print(f"asked: {mention.prompt}")
        output.people.print(highlight_name(mention.quote, aliases))
        output.people.print(f"answered by {mention.servedModel}, local demo model", style="dim")
    output.people.print()
    for name, line in connect.items():
        output.people.print(f"{name + ':':<13}{line}")
    output.people.print(
        "The link to the pages works once; open it to choose a name and a password.", style="dim"
    )


def highlight_name(quote: str, aliases: list[str]) -> Text:
    """Return a quote with the brand's name marked."""
    text = Text(f"“{quote}”")
    names = "|".join(re.escape(alias) for alias in sorted(aliases, key=len, reverse=True))
    text.highlight_regex(re.compile(names, re.IGNORECASE), "bold reverse")
    return text
