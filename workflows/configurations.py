"""What a reusable agent can be set to, by the kind of work, and how that is stored; names are those of the wire."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from measurement.errors import first_fault
from measurement.planning.locales import country_code
from storage.documents import StoredDocument
from storage.errors import DamagedData

MOST_DRAFTS = 5
MOST_COUNTRIES = 50
CountryCode = Annotated[str, AfterValidator(country_code)]


class AgentConfiguration(BaseModel):
    """The configuration of an agent without settings; unknown fields are rejected, so that typos are noticed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ProberConfiguration(AgentConfiguration):
    """What `answer_prober` asks; omitted fields come from the prompt set, or the brand's only set.

    `countries` replace those of the set, except for prompts with their own country and sets with a city.
    """

    promptSetId: str | None = None
    platforms: Annotated[list[str] | None, Field(max_length=20)] = None
    repeats: Annotated[int | None, Field(ge=1, le=20)] = None
    mode: Literal["visibility", "readiness"] | None = None
    countries: Annotated[list[CountryCode] | None, Field(max_length=MOST_COUNTRIES)] = None


class ReputationConfiguration(AgentConfiguration):
    """How the fixed questions about a reputation are asked."""

    platforms: Annotated[list[str] | None, Field(max_length=20)] = None
    repeats: Annotated[int | None, Field(ge=1, le=20)] = None
    mode: Literal["visibility", "readiness"] | None = None


class ScannerConfiguration(AgentConfiguration):
    """How a scanner reads a site; the site type is detected when it is omitted."""

    siteType: Literal["dealer", "repair_shop", "service_site"] | None = None
    probeBots: bool | None = None


class DrafterConfiguration(AgentConfiguration):
    """How much a drafter writes, and in which tone; the brand's voice when it is left out."""

    itemLimit: Annotated[int | None, Field(ge=1, le=MOST_DRAFTS)] = None
    tone: Annotated[str | None, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)] = None


AskingConfiguration = ProberConfiguration | ReputationConfiguration
Settings = TypeVar("Settings", bound=AgentConfiguration)
NO_CONFIGURATION = AgentConfiguration()
"""That of a run of one of the service's own workflows, whose agents cannot be set."""


class ConfigurationDocument(StoredDocument):
    """The settings of an agent or a run as they are stored; what is left out is not among them."""

    schema_version: Literal[1] = 1
    settings: Mapping[str, Any] = Field(default_factory=dict[str, Any])


class StepConfigurationsDocument(StoredDocument):
    """The settings of each agent of a run of a company's own workflow, as they were when it was started."""

    schema_version: Literal[2] = 2
    agents: Mapping[str, Mapping[str, Any]]


def stored_configuration(configuration: AgentConfiguration) -> dict[str, Any]:
    """Return a configuration as JSON values to store; equal ones are equal."""
    return ConfigurationDocument(settings=shown_settings(configuration)).to_json()


def load_configuration(kind: type[Settings], stored: object) -> Settings:
    """Read a stored configuration. Raises DamagedData when its version is unknown or a setting is not of the kind."""
    settings = ConfigurationDocument.load(stored).settings
    try:
        return kind.model_validate(settings)
    except ValidationError as error:
        raise DamagedData(f"{kind.__name__} cannot be read: {first_fault(error)}") from error


def stored_step_configurations(configurations: Mapping[str, AgentConfiguration]) -> dict[str, Any]:
    """Return what the agents of a run are set to as JSON values to store."""
    agents = {agent: shown_settings(configuration) for agent, configuration in configurations.items()}
    return StepConfigurationsDocument(agents=agents).to_json()


def load_step_configuration(kind: type[Settings], agent: str, stored: object) -> Settings:
    """Read what one agent of a run of a company's own workflow is set to. Raises DamagedData."""
    settings = StepConfigurationsDocument.load(stored).agents.get(agent, {})
    return load_configuration(kind, ConfigurationDocument(settings=settings).to_json())


def shown_settings(configuration: AgentConfiguration) -> dict[str, Any]:
    """Return what is set, under the names of the wire."""
    return configuration.model_dump(mode="json", exclude_none=True)


def settings_of(kind: type[Settings], configuration: AgentConfiguration) -> Settings:
    """Return a configuration as that of a kind; one of another kind sets nothing of it."""
    return configuration if isinstance(configuration, kind) else kind()
