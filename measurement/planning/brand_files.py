"""Brands as JSON: profile, aliases, sites, competitors, repository items and prompt sets in one file."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic.alias_generators import to_camel

from analytics.errors import InvalidAliases
from engines.engine import Device
from measurement.errors import NUL_REASON, InvalidFile, first_fault, has_nul
from measurement.planning.brand_identity import identify
from measurement.planning.locales import city_name, country_code, language_tag, timezone_name
from measurement.planning.owned_sites import site_of_website
from storage.database import Database
from storage.errors import DuplicateRow
from storage.repositories.brands import AliasRow, Brand, BrandDraft
from storage.repositories.prompt_sets import PromptSetDraft
from storage.repositories.prompts import PromptDraft
from storage.repositories.repository_items import LONGEST_BODY, ItemDraft

Name = Annotated[str, Field(min_length=1, max_length=200)]
Site = Annotated[str, Field(min_length=1, max_length=500)]
Word = Annotated[str, Field(min_length=1, max_length=100)]


Country = Annotated[str, AfterValidator(country_code)]
Language = Annotated[str, AfterValidator(language_tag)]
City = Annotated[str, AfterValidator(city_name)]
Timezone = Annotated[str, AfterValidator(timezone_name)]


class FileModel(BaseModel):
    """A file with camelCase fields. An unknown field is an error, so that no typo is silently ignored.

    Whitespace around text is removed, so that names match however they are typed.
    """

    model_config = ConfigDict(
        extra="forbid", alias_generator=to_camel, populate_by_name=True, str_strip_whitespace=True
    )


class AliasFile(FileModel):
    """A way to write a name, with its rules."""

    text: Name
    case: Literal["default", "exact"] = "default"
    ambiguous: bool | None = None


class EntityFile(FileModel):
    """What a brand and a competitor have in common."""

    name: Name
    aliases: list[AliasFile | Name] = []
    negative_terms: list[Name] = []
    domains: list[Site] = []

    def draft(self) -> BrandDraft:
        """Return names and sites as they are stored; the name itself is the first alias."""
        written = [AliasFile(text=alias) if isinstance(alias, str) else alias for alias in self.aliases]
        if all(alias.text != self.name for alias in written):
            written.insert(0, AliasFile(text=self.name))
        positive = [AliasRow(alias.text, alias.case == "exact", alias.ambiguous) for alias in written]
        negative = [AliasRow(term, negative=True) for term in self.negative_terms]
        return BrandDraft(self.name, (*positive, *negative), tuple(self.domains))


class ItemFile(FileModel):
    """One repository item."""

    title: Annotated[str, Field(min_length=1, max_length=500)]
    body: Annotated[str, Field(max_length=LONGEST_BODY)]
    category: Annotated[str, Field(min_length=1, max_length=100)]
    url: str | None = None


class PromptFile(FileModel):
    """One question."""

    text: Annotated[str, Field(min_length=1, max_length=2000)]
    intent: str | None = None
    tags: list[str] = []
    branded: bool | None = None
    language: Language | None = None
    country: Country | None = None
    city: City | None = None


class PromptSetFile(FileModel):
    """One list of questions."""

    name: Name
    prompts: Annotated[list[PromptFile | str], Field(min_length=1, max_length=500)]
    platforms: list[str] = []
    mode: Literal["visibility", "readiness"] = "visibility"
    repeats: Annotated[int, Field(ge=1, le=20)] = 3
    countries: Annotated[list[Country], Field(max_length=50)] = []
    language: Language | None = None
    city: City | None = None
    region: City | None = None
    timezone: Timezone | None = None
    device: Device | None = None

    @field_validator("prompts")
    @classmethod
    def _differ(cls, prompts: list[PromptFile | str]) -> list[PromptFile | str]:
        refuse_twins("question", [prompt if isinstance(prompt, str) else prompt.text for prompt in prompts])
        return prompts

    def draft(self) -> PromptSetDraft:
        """Return the prompt set as it is stored."""
        written = [PromptFile(text=prompt) if isinstance(prompt, str) else prompt for prompt in self.prompts]
        prompts = tuple(map(PromptDraft.of, written))
        return PromptSetDraft(
            self.name,
            prompts,
            tuple(self.platforms),
            self.mode,
            self.repeats,
            tuple(self.countries),
            self.language,
            self.city,
            self.region,
            self.timezone,
            self.device,
        )


class PriceFile(FileModel):
    """What one thing costs."""

    name: Word
    price: Word


class FactsFile(FileModel):
    """Facts that answers are held against, as create_brand_profile takes them."""

    telephone: Word | None = None
    address: Name | None = None
    opening_hours: Site | None = None
    founding_year: Annotated[int, Field(strict=True, ge=1000, le=2100)] | None = None
    prices: Annotated[list[PriceFile], Field(max_length=50)] = []

    def document(self) -> dict[str, Any]:
        """Return the facts as they are stored."""
        return self.model_dump(by_alias=True, exclude_none=True, exclude_defaults=True)


class BrandFile(EntityFile):
    """One brand with everything that is known of it."""

    industry: str | None = None
    website: str | None = None
    voice: str | None = None
    keywords: list[str] = []
    target_audience: str | None = None
    facts: FactsFile | None = None
    competitors: list[EntityFile] = []
    repository_items: list[ItemFile] = []
    prompt_sets: list[PromptSetFile] = []

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        refuse_twins("name", [entity.name.casefold() for entity in (self, *self.competitors)])
        refuse_twins("prompt set", [prompt_set.name.casefold() for prompt_set in self.prompt_sets])
        return self

    def draft(self) -> BrandDraft:
        """Return names and sites as they are stored; without domains, the site of the website is the brand's own."""
        known = super().draft()
        return replace(known, sites=known.sites or site_of_website(self.website))

    def profile(self) -> dict[str, Any]:
        """Return the profile's columns; a file without facts keeps the stored ones."""
        columns: dict[str, Any] = {
            "industry": self.industry,
            "website": self.website,
            "voice": self.voice,
            "keywords": self.keywords,
            "target_audience": self.target_audience,
        }
        return columns if self.facts is None else {**columns, "facts": self.facts.document()}


def refuse_twins(noun: str, texts: list[str]) -> None:
    """Raise ValueError if a text occurs twice, because its meaning would be ambiguous."""
    first = {text: place for place, text in reversed(list(enumerate(texts, start=1)))}
    for place, text in enumerate(texts, start=1):
        if first[text] != place:
            raise ValueError(f"number {place} is the same {noun} as number {first[text]}")


BRANDS = TypeAdapter(list[BrandFile])


def parse_brands(content: bytes, name: str) -> list[BrandFile]:
    """Parse one brand or a list of them. Raises InvalidFile with the field, never its value."""
    try:
        if has_nul(content):
            raise InvalidFile(name, None, NUL_REASON)
        text = content.decode("utf-8-sig")
        return BRANDS.validate_json(text if text.lstrip().startswith("[") else f"[{text}]")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InvalidFile(name, line, "it is not UTF-8") from error
    except ValidationError as error:
        raise InvalidFile(name, None, first_fault(error)) from error


def read_brands(path: Path) -> list[BrandFile]:
    """Read a file of brands. Raises InvalidFile."""
    try:
        return parse_brands(path.read_bytes(), path.name)
    except OSError as error:
        raise InvalidFile(str(path), None, f"it cannot be read ({error.strerror})") from error


async def save_brands(
    database: Database, company_id: str, files: list[BrandFile], name: str, now: datetime
) -> list[Brand]:
    """Store brands, all or none. Raises InvalidFile when names of a brand collide."""
    saved: list[Brand] = []
    async with database.transaction(company_id) as workspace:
        for file in files:
            rivals = [competitor.draft() for competitor in file.competitors]
            brand = await workspace.brands.save(file.draft(), rivals, file.profile(), now)
            items = [
                ItemDraft(item.title, item.body, item.category, item.url) for item in file.repository_items
            ]
            await workspace.repository_items.save(brand.key, items, now)
            try:
                for prompt_set in file.prompt_sets:
                    await workspace.prompt_sets.save(brand.key, prompt_set.draft(), now)
                await identify(workspace, brand)
            except DuplicateRow as error:
                reason = f"the prompt set {error.value!r} belongs to another brand"
                raise InvalidFile(name, None, f"{file.name}: {reason}") from error
            except InvalidAliases as error:
                raise InvalidFile(name, None, f"{file.name}: {named(str(error), file)}") from error
            saved.append(brand)
    return saved


def named(message: str, file: BrandFile) -> str:
    """Reword a name collision, because identifiers that were just created mean nothing to the reader."""
    return (
        message.split(" belongs to two entities")[0] + " is claimed by two entities of this file."
        if ("belongs to two" in message)
        else message.replace(" of ", f" in {file.name}, of ")
    )
