"""The explicit map from the name under which an answer was parsed to what parses such exchanges today."""

from collections.abc import Callable, Mapping, Sequence

from engines import anthropic, compatible, deepseek, gemini, local, mistral, openai, perplexity, xai
from engines.engine import EngineAnswer, Exchange, Question
from engines.suppliers import brightdata, cloro, dataforseo_answers, serpapi

Parse = Callable[[Question, Sequence[Exchange]], EngineAnswer]

PARSERS: Mapping[str, Parse] = {
    parser.partition("/")[0]: parse
    for parser, parse in (
        (anthropic.PARSER, anthropic.parse),
        (compatible.PARSER, compatible.parse),
        (deepseek.PARSER, deepseek.parse),
        (gemini.INTERACTIONS_PARSER, gemini.parse_interaction),
        (gemini.GENERATE_PARSER, gemini.parse_generated),
        (local.PARSER, local.parse),
        (mistral.PARSER, mistral.parse),
        (openai.PARSER, openai.parse),
        (perplexity.PARSER, perplexity.parse),
        (xai.PARSER, xai.parse),
        (dataforseo_answers.PARSER, dataforseo_answers.parse),
        (cloro.PARSER, cloro.parse),
        (brightdata.PARSER, brightdata.parse),
        (serpapi.PARSER, serpapi.parse),
    )
}


def parser_of(name: str) -> Parse | None:
    """Return what parses today what `name`, such as `openai-responses/1`, parsed; None for a format we do not have.

    The name decides and not the platform, since a platform's settings may have changed to another API.
    """
    return PARSERS.get(name.partition("/")[0])
