"""What one valid answer says about one entity: the unit of every rate and score."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple


class Channel(NamedTuple):
    """The origin of an answer. Imported answers have separate channels, and so does each country.

    It is a tuple because answers are grouped by channel very often, and tuples are hashed fastest. `country`
    is ISO 3166-1 alpha-2, or empty if none was sent to the engine.
    """

    platform: str
    mode: str
    source: str = "api"
    country: str = ""

    def __str__(self) -> str:
        """Return `chatgpt/readiness`, `chatgpt/readiness/DE` for Germany, `chatgpt/readiness@import` if captured."""
        country = f"/{self.country}" if self.country else ""
        source = "" if self.source == "api" else f"@{self.source}"
        return f"{self.platform}/{self.mode}{country}{source}"


@dataclass(frozen=True, slots=True)
class Observation:
    """One valid answer as observed for one entity (the brand or a competitor).

    Declined, empty, failed and ungrounded answers have no observation; they are counted in `ChannelAsks`.

    named: at least one counted mention. rank: position in a ranked list, from 1. position: start of the first
    counted span as a share of the text's length in [0, 1). citation_measurable: the channel reports
    citations. cites_owned: a cited URL belongs to the entity, named or not; None if no site of the entity is
    known. branded: the prompt names the brand. echo: the prompt names this entity. custom: asked outside a prompt set.
    """

    answer_id: str
    prompt_id: str
    channel: Channel
    captured_at: datetime
    named: bool
    rank: int | None = None
    position: float = 0.0
    citation_measurable: bool = False
    cites_owned: bool | None = None
    branded: bool = False
    echo: bool = False
    custom: bool = False

    def __post_init__(self) -> None:
        if not self.named and self.rank is not None:
            raise ValueError("an answer that does not name the entity has no rank")
        if self.rank is not None and self.rank < 1:
            raise ValueError("ranks start at 1")
        if not 0 <= self.position < 1:
            raise ValueError("a position is a share of the text's length, below 1")

    @property
    def rated(self) -> bool:
        """Whether the answer counts towards presence, rank, citation rate and score.

        A prompt that names the brand or this entity does not count, because it would measure itself.
        """
        return not (self.branded or self.echo or self.custom)
