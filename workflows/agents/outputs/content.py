"""What agents that audit, plan, write and check texts give."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from storage.documents import StoredDocument
from workflows.agents.outputs.output import AgentOutput
from workflows.cited_pages.outline import PageOutline
from workflows.drafts.document import DraftSentence, Fact


class RepositoryAudit(AgentOutput):
    """How many items there are, and the ids of the old, thin and (item, copy) duplicate ones."""

    agents: ClassVar = ("repository_auditor",)
    schema_version: Literal[1] = 1
    items: int
    old: tuple[str, ...]
    thin: tuple[str, ...]
    duplicates: tuple[tuple[str, str], ...]


class UncoveredPrompt(StoredDocument):
    """A prompt that no item answers."""

    id: str
    text: str


class PromptCoverage(AgentOutput):
    """The ids of the items that cover each prompt, by prompt id, and the prompts without one."""

    agents: ClassVar = ("coverage_mapper",)
    schema_version: Literal[1] = 1
    covered: Mapping[str, tuple[str, ...]]
    uncovered: tuple[UncoveredPrompt, ...]


class WritingTask(StoredDocument):
    """One text to write: an answer to a prompt, or an item to extend or refresh.

    `rivals` are named where the brand is not, `quotes` what answers to the prompt say of them.
    """

    kind: Literal["answer", "extend", "refresh"]
    prompt_id: str | None = None
    text: str | None = None
    item_id: str | None = None
    rivals: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """What the text is written for; two drafts of one key are one after the other."""
        return f"answer:{self.prompt_id}" if self.prompt_id else f"item:{self.item_id}"


class RefreshPlan(AgentOutput):
    """The texts to write, first things first."""

    agents: ClassVar = ("refresh_planner",)
    schema_version: Literal[1] = 1
    tasks: tuple[WritingTask, ...]


class BriefPage(StoredDocument):
    """A page cited by answers that name a competitor but not the brand, and the number of such answers.

    `outline` is what was read on it and `lacking` what it has and the brand's text lacks; `unread` says why it was not
    read. Briefs from before pages were read have none of them.
    """

    url: str
    title: str
    answers: int
    outline: PageOutline | None = None
    lacking: tuple[str, ...] = ()
    unread: str | None = None


class BriefFact(StoredDocument):
    """An item of the brand that the writer was given facts from."""

    item_id: str
    title: str


class ContentBrief(StoredDocument):
    """What a text was written from: `quotes` are engines' sentences, `facts` the brand's own items.

    `compared_with` is the title of the item that cited pages were held beside; None without one.
    """

    schema_version: Literal[1] = 1
    question: str
    rivals: tuple[str, ...]
    quotes: tuple[str, ...]
    pages: tuple[BriefPage, ...]
    facts: tuple[BriefFact, ...]
    most_words: int
    compared_with: str | None = None


class WrittenDraft(StoredDocument):
    """A draft as an engine wrote it, unchecked; `key` says what it was written for, `brief` from what."""

    title: str
    facts: tuple[Fact, ...]
    sentences: tuple[DraftSentence, ...]
    key: str | None = None
    brief: ContentBrief | None = None


class WrittenDrafts(AgentOutput):
    """Drafts that wait to be checked."""

    agents: ClassVar = ("content_writer", "content_drafter")
    schema_version: Literal[1] = 1
    drafts: tuple[WrittenDraft, ...]


class CheckedDrafts(AgentOutput):
    """The titles of the stored drafts, and how many of their sentences need a decision."""

    agents: ClassVar = ("fact_guard",)
    schema_version: Literal[1] = 1
    drafts: tuple[str, ...]
    undecided: int
