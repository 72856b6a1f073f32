"""The names of engines and channels as people call them, on pages and in whatever is told to people."""

from collections.abc import Mapping

from engines.engine import SUPPLIED, SYNTHETIC
from engines.recordings import proof_of
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
MODES: Mapping[str, str] = {"visibility": "from memory", "readiness": "with web search"}
SOURCES: Mapping[str, str] = {"import": "imported", "probe": "", "api": ""}


def platform_name(platform: str) -> str:
    """Return a platform as its maker writes it; one of the synthetic market says that it is made up."""
    if platform.startswith(SYNTHETIC):
        return f"Synthetic {platform_name(platform.removeprefix(SYNTHETIC))}"
    surface, _, supplier = platform.partition(SUPPLIED)
    if supplier:
        proof = "" if proof_of(platform) == "recorded" else ", read by its documentation alone"
        return f"{SURFACES.get(surface, surface)} (through {supplier}{proof})"
    return PLATFORMS.get(platform, platform)


def asking_words(platform: str, mode: str, country: str | None = None, source: str = "") -> str:
    """Return how a platform was asked: in which mode, from where and, where nobody here asked, how it came."""
    seen = SUPPLIED in platform
    words = ["as people see it" if seen else MODES.get(mode, mode.replace("_", " "))]
    words += [country_name(country)] if country else []
    words.append(SOURCES.get(source, source.replace("_", " ")))
    return ", ".join(word for word in words if word)


def channel_name(channel: str) -> str:
    """Return a channel, as `Channel` writes it, in words that a sentence can hold: its engine, and how it was asked."""
    platform, _, asked = channel.partition("/")
    name, _, source = asked.partition("@")
    mode, *places = name.split("/")
    if not mode:
        return platform_name(platform)
    return (
        f"{platform_name(platform)} ({asking_words(platform, mode, places[0] if places else None, source)})"
    )
