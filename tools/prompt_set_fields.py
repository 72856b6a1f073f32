"""What a caller may say of a prompt set: its fields and its questions, each with its limits."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from engines.engine import Device
from tools.calls.parameters import STORABLE, WHOLE, Examples, Omissible, Platform, written_as

Mode = Literal["visibility", "readiness"]
Description = Annotated[str, Field(max_length=2000, description="What the set is for."), STORABLE]
Label = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100), STORABLE]
Language = Annotated[
    str, Field(max_length=35, description="BCP 47, such as de-AT."), written_as("language-tag")
]
City = Annotated[
    str, Field(max_length=100, description="City in the country."), STORABLE, written_as("place-name")
]
Region = Annotated[
    str, Field(max_length=100, description="Region in the country."), STORABLE, written_as("place-name")
]
Timezone = Annotated[
    str, Field(max_length=64, description="IANA, such as Europe/Berlin."), STORABLE, written_as("time-zone")
]
DeviceField = Annotated[Device, Field(description="Device for data providers.")]


class PromptRequest(BaseModel):
    """One question as it is sent."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=2000),
        STORABLE,
        Field(description="The question as a buyer would ask it, 1 to 2000 characters."),
    ]
    intent: Omissible[Annotated[Label, Field(description="What the buyer wants, such as compare.")]] = None
    tags: Annotated[
        list[Label], Field(default_factory=list, max_length=20, description="Free labels, at most 20.")
    ]
    branded: Omissible[
        Annotated[bool, Field(description="Whether it names the brand; left out, the matcher decides.")]
    ] = None
    country: Omissible[
        Annotated[
            str,
            Field(max_length=2, description="Asked from this country alone, ISO 3166-1 alpha-2."),
            written_as("country-code"),
        ]
    ] = None
    language: Omissible[Language] = None
    city: Omissible[City] = None


Countries = Annotated[
    list[Annotated[str, Field(min_length=2, max_length=2), written_as("country-code")]],
    Field(max_length=50, description="Countries to ask from, such as US."),
]
Prompts = Annotated[
    list[PromptRequest],
    Field(
        min_length=1,
        max_length=500,
        description="The questions, 1 to 500, each once.",
        examples=[
            [
                {
                    "text": "Which espresso machine heats up fastest?",
                    "intent": Examples.INTENT,
                    "tags": ["speed"],
                }
            ]
        ],
    ),
]
Platforms = Annotated[list[Platform], Field(max_length=20, description="Engines to ask, such as chatgpt.")]
IncludePrompts = Annotated[bool, Field(description="List the questions too.")]
PromptsOffset = Annotated[int, Field(ge=0, description="See promptsNextOffset."), WHOLE]
ModeField = Annotated[Mode, Field(description="visibility: memory; readiness: web search.")]
Repeats = Annotated[int, Field(ge=1, le=20, description="Requests per question and engine."), WHOLE]
