"""Display names of engines and channels, for pages and for messages to users."""

from collections.abc import Mapping

from engines.engine import SUPPLIED, SYNTHETIC
from engines.suppliers.sighting import SURFACES
from measurement.planning.locales import country_name

PLATFORMS: Mapping[str, str] = {
    "chatgpt": "ChatGPT",
    "claude": "Claude",
    "gemini": "Gemini",
    "perplexity": "Perplexity",
    "grok": "Grok",
    "deepseek": "DeepSeek",
    "mistral": "Mistral",
    "local": "Local demo model",
}
SUPPLIER_NAMES: Mapping[str, str] = {
    "dataforseo": "DataForSEO",
    "serpapi": "SerpApi",
    "brightdata": "Bright Data",
    "cloro": "Cloro",
}
MODES: Mapping[str, str] = {"visibility": "from memory", "readiness": "with web search"}
SOURCES: Mapping[str, str] = {"import": "imported", "probe": "", "api": ""}


def platform_name(platform: str) -> str:
    """Return a platform's name as its vendor writes it; names of the synthetic market are marked as such."""
    if platform.startswith(SYNTHETIC):
        return f"Synthetic {platform_name(platform.removeprefix(SYNTHETIC))}"
    surface, _, supplier = platform.partition(SUPPLIED)
    if supplier:
        return f"{SURFACES.get(surface, surface)} (via {SUPPLIER_NAMES.get(supplier, supplier)})"
    return PLATFORMS.get(platform, platform)


def asking_words(platform: str, mode: str, country: str | None = None, source: str = "") -> str:
    """Describe how a platform was queried: the mode, the country, and the source of answers we did not request."""
    seen = SUPPLIED in platform
    words = ["as people see it" if seen else MODES.get(mode, mode.replace("_", " "))]
    words += [country_name(country)] if country else []
    words.append(SOURCES.get(source, source.replace("_", " ")))
    return ", ".join(word for word in words if word)


def channel_name(channel: str) -> str:
    """Describe a channel, in the format of `Channel`, for use in a sentence: its engine and how it was queried."""
    platform, _, asked = channel.partition("/")
    name, _, source = asked.partition("@")
    mode, *places = name.split("/")
    if not mode:
        return platform_name(platform)
    return (
        f"{platform_name(platform)} ({asking_words(platform, mode, places[0] if places else None, source)})"
    )
