"""Which models a provider has now, and until when, as its own list says.

Sources: list of models as `openai` 3.54 (`shutdown_date`), `anthropic` 2.12 (`lifecycle`, `retires_at`) and `mistralai`
3.7 (`deprecation`, `deprecation_replacement_model`) type it; Google's and xAI's lists tell nothing but absence.
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
    """None where no day is announced."""
    replacement: str | None = None
    """What the provider names in its place."""
    retired: bool = False
    """It is still listed, and not served any more."""
    aliases: tuple[str, ...] = ()

    def answers_to(self, name: str) -> bool:
        """Whether it is asked for by a name."""
        return name in (self.id, *self.aliases)


@dataclass(frozen=True, slots=True)
class ModelList:
    """Where a provider lists its models, relative to its base URL, and how one entry is read."""

    path: str
    read: Callable[[JsonObject], ListedModel]
    entries: str = "data"
    """Name of the field that holds the models."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    without: str = ""
    """The end of the base URL that the list does not stand under."""


def day(text: str | None) -> date | None:
    """The day of an instant or date as providers write it; None for none."""
    moment = utc_time(text)
    return moment.date() if moment else None


def plain_model(entry: JsonObject) -> ListedModel:
    """A model of which nothing but its name is told."""
    return ListedModel(body.required(entry, "id"))


def openai_model(entry: JsonObject) -> ListedModel:
    """A model of OpenAI, with the day on which it is shut down."""
    return ListedModel(body.required(entry, "id"), day(body.string(entry, "shutdown_date")))


def anthropic_model(entry: JsonObject) -> ListedModel:
    """A model of Anthropic; its stage says whether it is served, its day only until when it will be."""
    return ListedModel(
        body.required(entry, "id"),
        day(body.string(entry, "retires_at")),
        retired=body.string(entry, "lifecycle") == "retired",
    )


def google_model(entry: JsonObject) -> ListedModel:
    """A model of Google, whose name stands in a folder."""
    return ListedModel(body.required(entry, "name").removeprefix("models/"))


def mistral_model(entry: JsonObject) -> ListedModel:
    """A model of Mistral, with its other names and what follows it."""
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
    """Where the provider of an engine lists its models; None where nobody documents a list."""
    return LISTS.get(engine.platform) or (None if engine.config.needs_credential else OF_COMPATIBLE)


async def read_models(
    engine: HttpEngine, credential: Credential | None, timing: Timing | None = None
) -> tuple[ListedModel, ...] | None:
    """Ask a provider for its models; None where it has no list. Raises EngineError as an ask would."""
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
