"""A draft as it is stored: the facts that its writer saw, and its sentences with their states."""

from collections.abc import Iterator
from datetime import datetime
from typing import Literal, TypeAlias

from storage.documents import StoredDocument

SentenceState: TypeAlias = Literal[
    "supported", "no_claim", "unsupported", "not_checked", "confirmed", "edited"
]
UnsupportedReason: TypeAlias = Literal[
    "value_not_found",
    "needs_citation",
    "no_quote",
    "quote_not_found",
    "judged_unsupported",
    "no_judge",
    "changed",
]
REASONS: dict[UnsupportedReason, str] = {
    "value_not_found": "Not found in the cited facts",
    "needs_citation": "Makes a claim without citing a fact",
    "no_quote": "The judge quoted no fact",
    "quote_not_found": "The judge's quote is not in a cited fact",
    "judged_unsupported": "The judge found no support in the cited facts",
    "no_judge": "Not judged: no engine answered for it",
    "changed": "Text changed after the check",
}


class Fact(StoredDocument):
    """One line that a draft may rest on.

    `key` is `profile.<field>`, `item:<id>#<line>`, `page:<url>#<line>` or `answer:<id>`; `title` names its source.
    """

    key: str
    title: str
    text: str

    @property
    def item_id(self) -> str | None:
        """The repository item that the line was in, or None."""
        return self.key.removeprefix("item:").partition("#")[0] if self.key.startswith("item:") else None

    @property
    def url(self) -> str | None:
        """The page that the line was on, or None."""
        return self.key.removeprefix("page:").rpartition("#")[0] if self.key.startswith("page:") else None


class DraftSentence(StoredDocument):
    """One sentence or heading; `before` is the Markdown in front of it.

    `facts` are the numbers (from 1) of the facts that it cites. `quote` stands verbatim in the fact numbered
    `quoted_fact`. `missing` are values and names that no cited fact contains.
    """

    text: str
    before: str = ""
    facts: tuple[int, ...] = ()
    state: SentenceState = "not_checked"
    reason: UnsupportedReason | None = None
    missing: tuple[str, ...] = ()
    quote: str | None = None
    quoted_fact: int | None = None
    note: str | None = None
    decided_by: str | None = None
    decided_at: datetime | None = None

    @property
    def is_heading(self) -> bool:
        """Whether the sentence is a Markdown heading."""
        return self.before.rstrip(" ").endswith("#")

    @property
    def undecided(self) -> bool:
        """Whether a person has to edit, confirm or delete the sentence before the draft can be approved."""
        return self.state in ("unsupported", "not_checked")

    @property
    def explanation(self) -> str:
        """Why the sentence needs a decision, as a label."""
        words = REASONS[self.reason] if self.reason else ""
        return f"{words}: {', '.join(self.missing)}" if self.missing else words


class DraftReview(StoredDocument):
    """The facts and the checked sentences of one draft."""

    schema_version: Literal[1] = 1
    facts: tuple[Fact, ...] = ()
    sentences: tuple[DraftSentence, ...] = ()

    @property
    def body(self) -> str:
        """The draft as Markdown."""
        return "".join(f"{sentence.before}{sentence.text}" for sentence in self.sentences).strip()

    @property
    def undecided(self) -> int:
        """How many sentences need a decision."""
        return sum(sentence.undecided for sentence in self.sentences)

    @property
    def marked_body(self) -> str:
        """The draft as Markdown, with the reason behind each sentence that needs a decision."""
        return "".join(
            f"{sentence.before}{sentence.text}"
            + (f" [Needs review: {sentence.explanation}]" if sentence.undecided else "")
            for sentence in self.sentences
        ).strip()

    @property
    def can_be_approved(self) -> bool:
        """Whether every sentence is decided and anything but Markdown marks is left."""
        return not self.undecided and any(map(str.isalnum, self.body))

    def within(self, start: int, end: int) -> Iterator[DraftSentence]:
        """Yield the sentences that overlap a part of the body."""
        offset = len(self.body) - sum(
            len(sentence.before) + len(sentence.text) for sentence in self.sentences
        )
        for sentence in self.sentences:
            first, offset = offset, offset + len(sentence.before) + len(sentence.text)
            if first < end and offset > start:
                yield sentence

    def source_of(self, sentence: DraftSentence) -> Fact | None:
        """Return the fact whose words support a sentence, or None."""
        return self.facts[sentence.quoted_fact - 1] if sentence.quoted_fact else None
