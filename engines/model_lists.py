"""The models that a provider currently offers, and their retirement dates, from the provider's own list.

Sources: list of models as `openai` 3.54 (`shutdown_date`), `anthropic` 2.12 (`lifecycle`, `retires_at`) and
`mistralai` 3.7 (`deprecation`, `deprecation_replacement_model`) type it; Google's and xAI's lists only show
whether a model is present.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date

from engines import anthropic
from engines.engine import Credential
from engines.suppliers.sighting import utc_time
from engines.transport import body
from engines.transport.body import JsonObject
from engines.transport.connection import Timeouts
from engines.transport.http import HttpEngine
from engines.transport.redaction import Redaction
from engines.transport.refusals import refusal
from engines.transport.retries import Timing

SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class ListedModel:
    """One model in a provider's list."""

    id: str
    retires_on: date | None = None
    """None if no date is announced."""
    replacement: str | None = None
    """The replacement named by the provider."""
    retired: bool = False
    """Still listed, but no longer served."""
    aliases: tuple[str, ...] = ()

    def answers_to(self, name: str) -> bool:
        """Return whether a name requests this model."""
        return name in (self.id, *self.aliases)


@dataclass(frozen=True, slots=True)
class ModelList:
    """Where a provider lists its models, relative to its base URL, and how to parse an entry."""

    path: str
    read: Callable[[JsonObject], ListedModel]
    entries: str = "data"
    """Name of the field that holds the models."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    without: str = ""
    """The end of the base URL that is not part of the list's URL."""


def day(text: str | None) -> date | None:
    """Return the day of a provider's instant or date, or None."""
    moment = utc_time(text)
    return moment.date() if moment else None


def plain_model(entry: JsonObject) -> ListedModel:
    """Return a model with only a name."""
    return ListedModel(body.required(entry, "id"))


def openai_model(entry: JsonObject) -> ListedModel:
    """Return a model of OpenAI, with its shutdown date."""
    return ListedModel(body.required(entry, "id"), day(body.string(entry, "shutdown_date")))


def anthropic_model(entry: JsonObject) -> ListedModel:
    """Return a model of Anthropic. The stage says whether it is served; the date only says until when."""
    return ListedModel(
        body.required(entry, "id"),
        day(body.string(entry, "retires_at")),
        retired=body.string(entry, "lifecycle") == "retired",
    )


def google_model(entry: JsonObject) -> ListedModel:
    """Return a model of Google, whose name has a folder prefix."""
    return ListedModel(body.required(entry, "name").removeprefix("models/"))


def mistral_model(entry: JsonObject) -> ListedModel:
    """Return a model of Mistral, with its other names and its replacement."""
    return ListedModel(
        body.required(entry, "id"),
        day(body.string(entry, "deprecation")),
        body.string(entry, "deprecation_replacement_model"),
        aliases=body.strings(entry, "aliases"),
    )


LISTS: Mapping[str, ModelList] = {
    "chatgpt": ModelList("/models", openai_model),
    "claude": ModelList("/v1/models?limit=1000", anthropic_model, headers=anthropic.HEADERS),
    "gemini": ModelList("/v1beta/models?pageSize=1000", google_model, "models"),
    "grok": ModelList("/models", plain_model),
    "deepseek": ModelList("/models", plain_model, without="/anthropic"),
    "mistral": ModelList("/v1/models", mistral_model),
}
"""By platform. Perplexity publishes no list: it takes any name."""
OF_COMPATIBLE = ModelList("/models", plain_model)


def list_of(engine: HttpEngine) -> ModelList | None:
    """Return where an engine's provider lists its models; None if no list is documented."""
    return LISTS.get(engine.platform) or (None if engine.config.needs_credential else OF_COMPATIBLE)


async def read_models(
    engine: HttpEngine, credential: Credential | None, timing: Timing | None = None
) -> tuple[ListedModel, ...] | None:
    """Return a provider's models, or None if it has no list. Raises EngineError as `ask` would."""
    listing, config = list_of(engine), engine.config
    if listing is None:
        return None
    headers = {**config.headers, **listing.headers}
    if credential is not None:
        headers[engine.adapter.key_header] = engine.adapter.key_prefix + credential.secret
    url = config.base_url.rstrip("/").removesuffix(listing.without) + listing.path
    received = await engine.transport.send("GET", url, headers, b"", Timeouts(), SECONDS)
    refused = refusal(received, (timing or Timing()).now())
    if refused is not None:
        redaction = Redaction([credential.secret] if credential else [])
        refused.detail = redaction.words(refused.detail) if refused.detail else None
        raise refused
    entries = body.children(body.decode(received.body), listing.entries)
    return tuple(sorted(map(listing.read, entries), key=lambda model: model.id))
