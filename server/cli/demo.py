"""The main job on a bare machine: real brands, the local engine really asked, a score, and a server to ask it from."""

import re
from importlib.resources import files
from typing import Annotated

import typer
from rich.text import Text

from measurement.planning.ask_plan import ProbeRequest, make_plan
from measurement.planning.brand_files import parse_brands, save_brands
from measurement.planning.clock import utc_now
from oauth.api_keys import make_api_key
from server.cli.demo_history import load_history
from server.cli.model import have_weights
from server.cli.options import Json
from server.cli.output import Output
from server.cli.probes import interval_texts, reload_brand, run_probe, show_score
from server.cli.servers import read_serving_settings, serve_http
from server.cli.session import with_service
from server.demo.sample_site import serve_sample_site
from server.service import Service
from storage.repositories.companies import Company
from tools.mentions import MentionView, mentions_view
from tools.rankings import RankedEntity, compared_by, ranking_rows
from tools.scores import AiVisibilityScore, score_view
from web.accounts import accounts

COMPANY = "seenby demo"
EMAIL = "demo@seenby.example"
MARKET = "car_market.json"
ANSWER_TOKENS = 160
"""The questions ask for a sentence; an answer that runs on is cut off here and counts as missing."""
QUOTES = 2


def demo(
    serve: Annotated[bool, typer.Option("--serve/--no-serve", help="Serve when the score is shown.")] = True,
    history: Annotated[
        bool, typer.Option("--history", help="Load a synthetic market of eight weeks instead of measuring.")
    ] = False,
    repeats: Annotated[int, typer.Option(min=1, max=20, help="How often each question is asked.")] = 3,
    host: str = "127.0.0.1",
    port: int = 8000,
    as_json: Json = False,
) -> None:
    """Do the main job on this machine: real brands, the local engine really asked, a score, then a server."""
    settings, output = read_serving_settings(host, port, as_json)
    if history and serve:
        serve_history(output, host, port, as_json)
        return
    try:
        if history:
            with_service(as_json, load_history)
        have_weights(settings, output)
        with_service(as_json, run_demo, repeats)
    except typer.Exit as ending:
        if ending.exit_code or not serve:
            raise
    serve_http(host, port, 1, as_json)


def serve_history(output: Output, host: str, port: int, as_json: bool) -> None:
    """Load the synthetic market and serve it, and beside it the site of its brand, for workflows to look at."""
    with serve_sample_site(port + 1) as site:
        output.say(f"The sample site of the synthetic brand is served at http://{site}/ until this ends.")
        try:
            with_service(as_json, load_history, site)
        except typer.Exit as ending:
            if ending.exit_code:
                raise
        serve_http(host, port, 1, as_json, frozenset((site,)))


async def run_demo(service: Service, output: Output, repeats: int) -> int:
    """Set up, measure, show; return 0 only when a score came out."""
    company = await demo_company(service)
    market = parse_brands((files("server") / "demo" / MARKET).read_bytes(), MARKET)
    brand = (await save_brands(service.database, company.id, market, MARKET, utc_now()))[0]
    output.say(
        f"Sample market: {brand.name} and its rivals, real names with buyers' questions that we wrote."
    )
    request = ProbeRequest(brand=brand.id, platforms=("local",), repeats=repeats)
    plan = await make_plan(
        service.database, company.id, request, service.engines, service.engine_keys, utc_now()
    )
    probed = await run_probe(service, output, company.id, plan, ANSWER_TOKENS)
    workspace = service.database.workspace(company.id)
    brand = await reload_brand(service, company.id, brand)
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
    value = {
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
    aliases = [alias.text for alias in entity.aliases]
    output.data(value, lambda: show(output, score, rankings, mentions, aliases, connect))
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
            f"{100 * row.presence:.0f} %",
        )
        for row in rankings
    ]
    output.table(("rank", "brand", "score", "these prompts", "all such questions", "named in"), rows)
    measured = [factor.part for factor in score.factors if factor.value is not None]
    comparison = compared_by(score.score, measured, [row.model_dump() for row in rankings])
    if comparison:
        output.people.print(comparison, style="dim")
    for mention in mentions:
        output.people.print()
        output.people.print(f"asked: {mention.prompt}", markup=False)
        output.people.print(highlight_name(mention.quote, aliases))
        output.people.print(f"answered by {mention.servedModel}, local demo model", style="dim")
    output.people.print()
    for name, line in connect.items():
        output.people.print(f"{name + ':':<13}{line}", markup=False)
    output.people.print(
        "The link to the pages works once: whoever opens it chooses a name and a password.", style="dim"
    )


def highlight_name(quote: str, aliases: list[str]) -> Text:
    """Return a quote with the brand's name marked."""
    text = Text(f"“{quote}”")
    names = "|".join(re.escape(alias) for alias in sorted(aliases, key=len, reverse=True))
    text.highlight_regex(re.compile(names, re.IGNORECASE), "bold reverse")
    return text
