"""Asks a supplier on loopback with its own client, and prints as JSON what that client says.

Run by tests/clients/test_official_clients.py, in the environment that holds those clients: CLIENT BASE_URL < what to ask.
"""

# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false

import asyncio
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

DATAFORSEO_REQUESTS = {
    "google_ai_overview": ("SerpApi", "google_organic_task_post", "SerpGoogleOrganicTaskPostRequestInfo"),
    "google_ai_mode": ("SerpApi", "google_ai_mode_task_post", "SerpGoogleAiModeTaskPostRequestInfo"),
    "chatgpt_app": (
        "AiOptimizationApi",
        "chat_gpt_llm_scraper_task_post",
        "AiOptimizationChatGptLlmScraperTaskPostRequestInfo",
    ),
    "gemini_app": (
        "AiOptimizationApi",
        "gemini_llm_scraper_task_post",
        "AiOptimizationGeminiLlmScraperTaskPostRequestInfo",
    ),
    "bing_copilot": ("SerpApi", "bing_organic_task_post", "SerpBingOrganicTaskPostRequestInfo"),
}
DATAFORSEO_BODIES = {
    "google_ai_overview": "SerpGoogleOrganicTaskGetAdvancedResponseInfo",
    "google_ai_mode": "SerpGoogleAiModeTaskGetAdvancedResponseInfo",
    "chatgpt_app": "AiOptimizationChatGptLlmScraperTaskGetAdvancedResponseInfo",
    "gemini_app": "AiOptimizationGeminiLlmScraperTaskGetAdvancedResponseInfo",
    "bing_copilot": "SerpBingOrganicTaskGetAdvancedResponseInfo",
}


def dataforseo_requests(base_url: str, given: Mapping[str, Any]) -> Any:
    """Send each surface's task through the client, built of its typed model; return fields the model does not have."""
    import dataforseo_client
    from dataforseo_client import api, models

    configuration = dataforseo_client.Configuration(
        host=base_url, username="owner@shop.example", password="secret-of-the-shop"
    )
    unknown: dict[str, list[str]] = {}
    with dataforseo_client.ApiClient(configuration) as client:
        for surface, task in given.items():
            door, method, name = DATAFORSEO_REQUESTS[surface]
            model = getattr(models, name)
            unknown[surface] = sorted(task.keys() - model.model_fields.keys())
            getattr(getattr(api, door)(client), method)([model.from_dict(task)])
    return unknown


def dataforseo_bodies(_base_url: str, given: Sequence[tuple[str, Any]]) -> Any:
    """Read bodies with the client's typed models; return the facts of each."""
    from dataforseo_client import models

    return [
        dataforseo_facts(getattr(models, DATAFORSEO_BODIES[surface]).from_dict(body))
        for surface, body in given
    ]


def dataforseo_facts(body: Any) -> dict[str, Any]:
    """What one typed body says."""
    [task] = body.tasks
    [result] = task.result or [None]
    items = (result.items or []) if result else []
    overview = next((item for item in items if getattr(item, "type", "") == "ai_overview"), None)
    elements = (overview.items or []) if overview else []
    holders = [overview, *elements] if overview else []
    sources = [source.url for holder in holders for source in holder.references or []]
    texts = [overview.markdown] if overview and overview.markdown else [element.text for element in elements]
    if result and getattr(result, "sources", None):
        sources = [source.url for source in result.sources]
        texts = [result.markdown]
    return {
        "status": task.status_code,
        "cost": task.cost,
        "texts": [text for text in texts if text],
        "sources": list(dict.fromkeys(sources)),
        "model": getattr(result, "model", None),
        "queries": getattr(result, "fan_out_queries", None),
        "overview": overview is not None,
    }


def cloro(base_url: str, given: Sequence[Mapping[str, Any]]) -> Any:
    """Create each task and wait for it."""
    from cloro import Cloro

    client = Cloro(api_key="sk_live_0123456789", base_url=base_url)
    return [
        client.async_tasks.run(
            task["taskType"],
            task["payload"],
            idempotency_key=task["idempotencyKey"],
            poll_interval=0.01,
        )
        for task in given
    ]


def brightdata(base_url: str, given: Mapping[str, Any]) -> Any:
    """Ask ChatGPT and Perplexity through the client's collectors, and return what it hands on."""
    from brightdata.core.engine import AsyncEngine
    from brightdata.scrapers.api_client import DatasetAPIClient
    from brightdata.scrapers.chatgpt.scraper import ChatGPTScraper
    from brightdata.scrapers.perplexity.scraper import PerplexityScraper

    for name, path in (("TRIGGER_URL", "trigger"), ("STATUS_URL", "progress"), ("RESULT_URL", "snapshot")):
        setattr(DatasetAPIClient, name, f"{base_url}/datasets/v3/{path}")

    async def ask() -> list[Any]:
        engine = AsyncEngine(bearer_token="token-of-bright-data-0123456789")
        async with engine:
            chatgpt = ChatGPTScraper(bearer_token="token-of-bright-data-0123456789", engine=engine)
            perplexity = PerplexityScraper(bearer_token="token-of-bright-data-0123456789", engine=engine)
            seen = [
                await chatgpt.prompt(
                    given["prompt"], country=given["country"], web_search=True, poll_interval=1
                ),
                await perplexity.search(given["prompt"], country=given["country"], index=1, poll_interval=1),
            ]
        return [{"success": result.success, "data": result.data} for result in seen]

    return asyncio.run(ask())


def serpapi(base_url: str, given: Sequence[Mapping[str, Any]]) -> Any:
    """Make each search, and return what the client hands on."""
    import serpapi as official

    client = official.Client(api_key="key-of-serpapi-0123456789")
    client.BASE_DOMAIN = base_url
    return [client.search(dict(search)).as_dict() for search in given]


CLIENTS: Mapping[str, Callable[[str, Any], Any]] = {
    "dataforseo-requests": dataforseo_requests,
    "dataforseo-bodies": dataforseo_bodies,
    "cloro": cloro,
    "brightdata": brightdata,
    "serpapi": serpapi,
}

if __name__ == "__main__":
    sys.stdout.write(json.dumps(CLIENTS[sys.argv[1]](sys.argv[2], json.load(sys.stdin))))
