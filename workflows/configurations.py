"""What a reusable agent can be set to, by the kind of work; names are those of the wire."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

MOST_DRAFTS = 5


class AgentConfiguration(BaseModel):
    """Settings of an agent that has none; an unknown one is refused, since a typing error would be lost."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ProberConfiguration(AgentConfiguration):
    """What a prober asks; what is left out is as the prompt set says, or the brand's only set."""

    promptSetId: str | None = None
    platforms: Annotated[list[str] | None, Field(max_length=20)] = None
    repeats: Annotated[int | None, Field(ge=1, le=20)] = None
    mode: Literal["visibility", "readiness"] | None = None


class ReputationConfiguration(AgentConfiguration):
    """How the fixed questions about a reputation are asked."""

    platforms: Annotated[list[str] | None, Field(max_length=20)] = None
    repeats: Annotated[int | None, Field(ge=1, le=20)] = None
    mode: Literal["visibility", "readiness"] | None = None


class ScannerConfiguration(AgentConfiguration):
    """How a scanner looks at a site; the type is found out when it is left out."""

    siteType: Literal["dealer", "repair_shop", "service_site"] | None = None
    probeBots: bool | None = None


class DrafterConfiguration(AgentConfiguration):
    """How much a drafter writes, and in which tone; the brand's voice when it is left out."""

    itemLimit: Annotated[int | None, Field(ge=1, le=MOST_DRAFTS)] = None
    tone: Annotated[str | None, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)] = None
