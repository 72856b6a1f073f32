"""Bodies as suppliers document them, written by hand: nobody here has called one."""

from typing import Any

QUESTION = "Welche Laufschuhe sind gut?"
NOT_AVAILABLE = "An AI Overview is not available for this search"
NOT_GENERATED = "Can't generate an AI overview right now. Try again later."
REFERENCE = {
    "type": "ai_overview_reference", "position": "left", "source": "Test", "domain": "a.example",
    "url": "https://a.example/", "title": "A", "text": "…",
}  # fmt: skip
NESTED = {**REFERENCE, "url": "https://nested.example/", "domain": "nested.example", "title": "Nested"}
DATAFORSEO_PATHS = {
    "google_ai_overview": ["v3", "serp", "google", "organic", "task_get", "advanced"],
    "google_ai_mode": ["v3", "serp", "google", "ai_mode", "task_get", "advanced"],
    "chatgpt_app": ["v3", "ai_optimization", "chat_gpt", "llm_scraper", "task_get", "advanced"],
    "gemini_app": ["v3", "ai_optimization", "gemini", "llm_scraper", "task_get", "advanced"],
    "bing_copilot": ["v3", "serp", "bing", "organic", "task_get", "advanced"],
}


def dataforseo(surface: str, *results: dict[str, Any], status: int = 20000, **data: Any) -> dict[str, Any]:
    """One task as DataForSEO answers for it."""
    asked = {
        "api": "serp", "function": "x", "keyword": QUESTION, "location_code": 2276, "language_code": "de",
        "tag": "ask", **({"load_async_ai_overview": True} if surface == "google_ai_overview" else {}), **data,
    }  # fmt: skip
    task = {
        "id": "11221530-1234-0066-0000-aaaaaaaaaaaa", "status_code": status, "status_message": "said",
        "time": "0.1 sec.", "cost": 0.002, "result_count": len(results), "path": DATAFORSEO_PATHS[surface],
        "data": asked, "result": list(results) or None,
    }  # fmt: skip
    return {
        "version": "0.1", "status_code": 20000, "status_message": "Ok.", "time": "0.2 sec.", "cost": 0.002,
        "tasks_count": 1, "tasks_error": 0, "tasks": [task],
    }  # fmt: skip


def page(*items: dict[str, Any]) -> dict[str, Any]:
    """One result of a search as DataForSEO gives it."""
    organic = {
        "type": "organic",
        "rank_group": 1,
        "rank_absolute": 2,
        "url": "https://o.example/",
        "title": "O",
    }
    return {
        "keyword": QUESTION, "type": "organic", "se_domain": "google.de", "location_code": 2276,
        "language_code": "de", "check_url": "https://google.example/search?q=x",
        "datetime": "2026-03-01 12:00:00 +00:00", "item_types": ["organic"], "se_results_count": 10,
        "items_count": len(items) + 1, "items": [*items, organic],
    }  # fmt: skip


def overview(text: str | None, **more: Any) -> dict[str, Any]:
    """An AI Overview whose text is this, with one source beside it and one inside of it."""
    element = {
        "type": "ai_overview_element",
        "position": "left",
        "text": text,
        "references": [NESTED],
        "links": None,
    }
    return {
        "type": "ai_overview", "rank_group": 1, "rank_absolute": 1, "position": "left", "page": 1,
        "asynchronous_ai_overview": False, "markdown": None, "items": [element] if text else None,
        "references": [REFERENCE] if text else None,
    } | more  # fmt: skip


CHAT = {
    "keyword": QUESTION, "location_code": 2276, "language_code": "de", "model": "gpt-5-5",
    "check_url": "https://chat.example/", "datetime": "2026-03-01 12:00:00 +00:00",
    "markdown": "Nimm **Acme** oder Globex.", "fan_out_queries": ["laufschuhe test", "laufschuhe test"],
    "search_results": [
        {"type": "chatgpt_search_result", "url": "https://listed.example/", "domain": "listed.example", "title": "L"}
    ],
    "sources": [{"type": "source", "url": "https://a.example/", "domain": "a.example", "title": "A"}],
    "se_results_count": 1, "item_types": ["chat_gpt_text", "chat_gpt_products", "chat_gpt_ad"], "items_count": 3,
    "items": [
        {
            "type": "chat_gpt_text", "rank_group": 1, "rank_absolute": 1, "markdown": "Nimm **Acme** oder Globex.",
            "sources": [{"type": "source", "url": "https://inline.example/", "title": "I"}],
        },
        {
            "type": "chat_gpt_products", "rank_group": 1, "rank_absolute": 2,
            "items": [{"type": "chat_gpt_products_element", "title": "Acme Zoom", "price": 99.5, "currency": "EUR"}],
        },
        {
            "type": "chat_gpt_ad", "rank_group": 1, "rank_absolute": 3, "title": "Zentrix jetzt", "is_rendered": False,
            "url": "https://ad.example/", "advertiser": {"name": "Zentrix"},
        },
    ],
}  # fmt: skip


def cloro(kind: str, response: Any, status: str = "COMPLETED", **task: Any) -> dict[str, Any]:
    """A task as Cloro answers for it, with the request that it does not repeat."""
    payload = {"query" if kind == "GOOGLE" else "prompt": QUESTION, "country": "DE"}
    answered = {
        "task": {"id": "t-1", "status": status, "createdAt": "2026-03-01T12:00:00Z"} | task,
        "credits": {"creditsCharged": 5}, "response": response,
    }  # fmt: skip
    return {"request": {"taskType": kind, "payload": payload}, "body": answered}


CLORO_ANSWER = {
    "text": "Nimm Acme.", "markdown": "Nimm **Acme**.", "model": "gpt-5-3-mini",
    "sources": [{"position": 1, "url": "https://a.example/", "label": "A", "description": "…"}],
    "citationPills": [
        {"citationPillId": 1, "position": 1, "url": "https://a.example/", "label": "A"},
        {"citationPillId": 1, "position": 2, "url": "https://inline.example/", "label": "I"},
    ],
    "searchQueries": ["laufschuhe test"], "relatedLinks": [{"url": "https://related.example/", "label": "R"}],
    "shoppingCards": [{"title": "Acme Zoom", "price": "99 €", "merchant": "Zentrix"}],
}  # fmt: skip
BRIGHTDATA_RECORD = {
    "url": "https://chatgpt.com/", "prompt": QUESTION, "country": "DE", "index": 1, "model": "gpt-5-5",
    "answer_text_markdown": "Nimm **Acme**.", "timestamp": "2026-03-01T12:00:00.000Z",
    "citations": [{"url": "https://a.example/", "title": "A", "position": 1}],
    "search_sources": [{"url": "https://listed.example/", "title": "L"}],
    "web_search_triggered": False, "web_search_query": ["laufschuhe test"],
}  # fmt: skip


def serpapi(**more: Any) -> dict[str, Any]:
    """A Google search as SerpApi answers it."""
    return {
        "search_metadata": {"id": "s-1", "status": "Success", "processed_at": "2026-03-01 12:00:00 UTC"},
        "search_parameters": {"engine": "google", "q": QUESTION, "gl": "de", "hl": "de", "device": "desktop"},
    } | more  # fmt: skip


SERPAPI_OVERVIEW = {
    "text_blocks": [
        {"type": "paragraph", "snippet": "Nimm Acme.", "reference_indexes": [0]},
        {"type": "list", "list": [{"title": "Globex:", "snippet": "auch gut"}]},
    ],
    "references": [{"index": 0, "link": "https://a.example/", "title": "A", "source": "Test"}],
}  # fmt: skip
