"""The AI user agents a report speaks of: who runs them, what for, and the header they send.

A header is one that was observed and published in the crawler-user-agents package, with which a test
compares it; `CHECKED` is the day of that comparison. `page` is where the operator documents the bot.
Nothing is built on claims about who obeys robots.txt.
"""

# ruff: noqa: E501  # a header is one literal

from dataclasses import dataclass
from enum import StrEnum

CHECKED = "2026-11-29"
BOT_LIST_VERSION = CHECKED
OWN_TOKEN = "SeenbyReadinessBot"


class Tier(StrEnum):
    """What a bot fetches for."""

    SEARCH = "search"
    USER = "user"
    TRAINING = "training"


@dataclass(frozen=True, slots=True)
class Agent:
    """One product token of robots.txt; `header` is a literal User-Agent, None where none is sent."""

    token: str
    operator: str
    tier: Tier
    header: str | None
    page: str
    checked: str = CHECKED


OPENAI = "https://platform.openai.com/docs/bots"
ANTHROPIC = "https://support.claude.com/en/articles/8896518"
PERPLEXITY = "https://docs.perplexity.ai/guides/bots"
GOOGLE = "https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers"
GOOGLE_USER = "https://developers.google.com/search/docs/crawling-indexing/google-user-triggered-fetchers"
BING = "https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0"
APPLE = "https://support.apple.com/en-us/119829"
DUCK = "https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot"
YOU = "https://about.you.com/youbot/"
AMAZON = "https://developer.amazon.com/amazonbot"
META = "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers"
MISTRAL = "https://docs.mistral.ai/robots"
COMMON_CRAWL = "https://commoncrawl.org/ccbot"
BYTEDANCE = "https://bytespider.bytedance.com/"
COHERE = "https://docs.cohere.com/docs/cohere-crawlers"
AI2 = "https://allenai.org/crawler"
MANUS = "https://manus.im/bot"
AZURE = "https://azure.microsoft.com/en-us/products/ai-services"
BRAVE = "https://search.brave.com/help/brave-search-crawler"
BUY_FOR_ME = "https://buyforme.amazon/"
DEEPSEEK = "https://www.deepseek.com/bot"

SEARCH_AGENTS = (
    Agent("OAI-SearchBot", "OpenAI", Tier.SEARCH,
          "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot", OPENAI),
    Agent("Claude-SearchBot", "Anthropic", Tier.SEARCH,
          "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-SearchBot/1.0; +https://www.anthropic.com)", ANTHROPIC),
    Agent("PerplexityBot", "Perplexity", Tier.SEARCH,
          "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)", PERPLEXITY),
    Agent("Googlebot", "Google", Tier.SEARCH,
          "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", GOOGLE),
    Agent("Bingbot", "Microsoft", Tier.SEARCH,
          "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", BING),
    Agent("Applebot", "Apple", Tier.SEARCH,
          "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_1) AppleWebKit/600.2.5 (KHTML, like Gecko) Version/8.0.2 Safari/600.2.5 (Applebot/0.1)", APPLE),
    Agent("DuckAssistBot", "DuckDuckGo", Tier.SEARCH,
          "DuckAssistBot/1.2; (+http://duckduckgo.com/duckassistbot.html)", DUCK),
    Agent("YouBot", "You.com", Tier.SEARCH,
          "YouBot (+http://www.you.com)", YOU),
    Agent("Amazonbot", "Amazon", Tier.SEARCH,
          "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_1) AppleWebKit/600.2.5 (KHTML, like Gecko) Version/8.0.2 Safari/600.2.5 (Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot)", AMAZON),
    Agent("meta-webindexer", "Meta", Tier.SEARCH,
          "meta-webindexer/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)", META),
    Agent("Amzn-SearchBot", "Amazon", Tier.SEARCH,
          "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Amzn-SearchBot/0.1) Chrome/119.0.6045.214 Safari/537.36", AMAZON),
    Agent("AzureAI-SearchBot", "Microsoft", Tier.SEARCH,
          "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; AzureAI-SearchBot/1.0;", AZURE),
    Agent("Bravebot", "Brave", Tier.SEARCH,
          "BraveBot / Mozilla/5.0 (compatible; BraveBot/1.0)", BRAVE),
)  # fmt: skip
USER_AGENTS = (
    Agent("ChatGPT-User", "OpenAI", Tier.USER,
          "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot", OPENAI),
    Agent("Claude-User", "Anthropic", Tier.USER,
          "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)", ANTHROPIC),
    Agent("Perplexity-User", "Perplexity", Tier.USER,
          "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)", PERPLEXITY),
    Agent("MistralAI-User", "Mistral AI", Tier.USER,
          "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; MistralAI-User/1.0; +https://docs.mistral.ai/robots)", MISTRAL),
    Agent("Google-Agent", "Google", Tier.USER,
          "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko; compatible; Google-Agent)", GOOGLE_USER),
    Agent("meta-externalfetcher", "Meta", Tier.USER,
          "meta-externalfetcher/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)", META),
    Agent("Gemini-Deep-Research", "Google", Tier.USER,
          "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Gemini-Deep-Research; +https://gemini.google/overview/deep-research/) Chrome/135.0.0.0 Safari/537.36", GOOGLE_USER),
    Agent("Manus-User", "Manus", Tier.USER,
          "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/132.0.0.0 Safari/537.36; Manus-User/1.0", MANUS),
    Agent("Amzn-User", "Amazon", Tier.USER,
          "Mozilla/5.0 (compatible; Amzn-User; +https://developer.amazon.com/)", AMAZON),
    Agent("AmazonBuyForMe", "Amazon", Tier.USER,
          "Mozilla/5.0 (compatible; AmazonBuyForMe; +https://www.amazon.com/)", BUY_FOR_ME),
    Agent("Google-NotebookLM", "Google", Tier.USER,
          "Mozilla/5.0 (compatible; Google-NotebookLM; +https://notebooklm.google.com/)", GOOGLE_USER),
)  # fmt: skip
TRAINING_AGENTS = (
    Agent("GPTBot", "OpenAI", Tier.TRAINING,
          "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.0; +https://openai.com/gptbot)", OPENAI),
    Agent("ClaudeBot", "Anthropic", Tier.TRAINING,
          "claudebot", ANTHROPIC),
    Agent("Google-Extended", "Google", Tier.TRAINING,
          None, GOOGLE),
    Agent("Applebot-Extended", "Apple", Tier.TRAINING,
          None, APPLE),
    Agent("CCBot", "Common Crawl", Tier.TRAINING,
          "CCBot/2.0 (https://commoncrawl.org/faq/)", COMMON_CRAWL),
    Agent("Bytespider", "ByteDance", Tier.TRAINING,
          "Mozilla/5.0 (iPhone; CPU iPhone OS 11_0 like Mac OS X) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/40.0.3754.1902 Mobile Safari/537.36; Bytespider", BYTEDANCE),
    Agent("meta-externalagent", "Meta", Tier.TRAINING,
          "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)", META),
    Agent("cohere-ai", "Cohere", Tier.TRAINING,
          "cohere-ai", COHERE),
    Agent("AI2Bot", "Ai2", Tier.TRAINING,
          "AI2Bot", AI2),
    Agent("Google-CloudVertexBot", "Google", Tier.TRAINING,
          "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Google-CloudVertexBot; +https://cloud.google.com/enterprise-search) Chrome/W.X.Y.Z Safari/537.36", GOOGLE),
    Agent("DeepSeekBot", "DeepSeek", Tier.TRAINING,
          "Mozilla/5.0 (compatible; DeepSeekBot/1.0; +https://www.deepseek.com/bot)", DEEPSEEK),
)  # fmt: skip
AGENTS = (*SEARCH_AGENTS, *USER_AGENTS, *TRAINING_AGENTS)
TOKENS = tuple(agent.token for agent in AGENTS)
PROBED = tuple(
    agent
    for agent in AGENTS
    if agent.token in ("OAI-SearchBot", "Claude-SearchBot", "PerplexityBot", "ChatGPT-User")
)


def classify(header: str) -> Agent | None:
    """The agent a User-Agent header names, the longest token first, or None when we know none in it."""
    folded = header.lower()
    return max(
        (agent for agent in AGENTS if agent.token.lower() in folded),
        key=lambda agent: len(agent.token),
        default=None,
    )
