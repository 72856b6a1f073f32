"""Answer texts of one brand, each read once by the product's own reader, to be drawn from."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from analytics.answers.answer_reading import ExtractedMention, Reading
from analytics.cell_sums import prominence_of
from analytics.matching.mentions import MentionStatus
from bench.extraction import answer, names
from measurement.extraction.extract import stored_mention
from measurement.planning.brand_identity import BrandIdentity
from storage.encoding import packed, sha256_of
from storage.repositories.answers.answers import AnswerText
from storage.tables.columns import EPOCH, DomainsText, SpansText

SHORTEST, LONGEST, USUAL = 500, 8_000, 1_600
"""Characters of a text."""
OTHERS = tuple(names(random.Random(11), 40))
"""Names that nobody tracks."""
GERMAN = 0.05
"""Share of texts in German."""
GERMAN_PROSE = """
der die das ein eine Händler bietet gute Preise und Wartung für viele Kunden in der Stadt mit langer Garantie aber
nicht immer günstig dort auch gebrauchte Wagen sowie neue Modelle werden oft empfohlen weil sie zuverlässig sind
"""
REMARKS: Mapping[str, Sequence[str]] = {
    "positive": (
        "is an excellent dealer that customers love",
        "won an award for friendly and honest service",
        "is a great choice, and buyers are very happy",
    ),
    "negative": (
        "has terrible service and many angry customers",
        "is a bad choice, with awful delays and unfair fees",
        "was criticized for dishonest and poor repairs",
    ),
    "neutral": (
        "has a branch near the station",
        "sells vans on the second floor",
        "opened at the river in 2009",
    ),
}
REFUSED = "I cannot answer this question."


class PooledMention(NamedTuple):
    """One entity in a text: its place among the brand's entities, and the columns that the text decides."""

    entity: int
    numbers: tuple[float, int | None, int, int, int, bool]
    """Position, rank, occurrences, absences, uncertain, named: as the table orders them."""
    words: tuple[str, str | None]
    """Spans, quote."""
    prominence: int


class PooledText(NamedTuple):
    """A text in stored form, with what the reader finds in it; `linked` are the domains of links within it."""

    text: str
    packed: bytes
    sha256: str
    mentions: tuple[PooledMention, ...]
    linked: str


class TextPool:
    """The texts of one brand, by the entities that they name.

    Texts are drawn from a pool because each takes 2 to 5 ms to write, read and compress: two million would take two
    hours. The answers around them are drawn one by one: their prompts, engines, times, sources and outcomes.
    """

    def __init__(self, identity: BrandIdentity, seed: int, count: int) -> None:
        rng = random.Random(f"{seed}:{identity.brand.name}:texts")
        self._identity = identity
        self._ids = [entity.id for entity in identity.named]
        self.keys = [entity.key for entity in identity.named]
        self.refused, self.empty = self._unread(REFUSED), self._unread("")
        known: dict[int, list[PooledText]] = {}
        for text in self._written(rng, count):
            pooled = self._read(text)
            if pooled is not None:
                known.setdefault(names_in(pooled), []).append(pooled)
        self.naming = [
            known[min(known, key=lambda other: ((other ^ mask).bit_count(), other))]
            for mask in range(1 << len(self._ids))
        ]
        """Texts by the entities that they name (one bit each).

        Where no text names exactly these entities, those that come closest take their place.
        """

    def _written(self, rng: random.Random, count: int) -> Iterator[str]:
        entities = [entity.name for entity in self._identity.named]
        for _ in range(count):
            named = [name for name in entities if rng.random() < 0.5]
            length = min(LONGEST, max(SHORTEST, int(rng.lognormvariate(0.0, 0.6) * USUAL)))
            yield written(rng, named, length)

    def _unread(self, text: str) -> PooledText:
        return PooledText(text, packed(text), sha256_of(text), (), "{}")

    def _read(self, text: str) -> PooledText | None:
        """Read a text; None if what it says of anyone depends on the sites that its answer cites."""
        reader, owners = self._identity.reader, frozenset(self._ids)
        reading = reader.read(text)
        if reading.mentions and reader.matcher.find(text, owners) != reader.matcher.find(text):
            return None
        linked = {
            source.domain: str(source.owner) for source in reading.citations if source.domain is not None
        }
        written_domains = DomainsText().encode(linked)
        return PooledText(
            text, packed(text), sha256_of(text), tuple(self._mentions(text, reading)), str(written_domains)
        )

    def _mentions(self, text: str, reading: Reading) -> Iterator[PooledMention]:
        place = {entity: at for at, entity in enumerate(self._ids)}
        answered = AnswerText(0, text, "", None, None, True, True, 0, EPOCH)
        for extracted in sorted(reading.mentions, key=lambda found: place[found.mention.entity_id]):
            at = place[extracted.mention.entity_id]
            yield pooled_mention(at, answered, extracted)


def pooled_mention(entity: int, answered: AnswerText, extracted: ExtractedMention) -> PooledMention:
    """Return what a text says of one entity, in the columns that the product's own extraction gives."""
    row = stored_mention(0, answered, extracted, cited=False)
    named = extracted.mention.status is MentionStatus.COUNTED
    return PooledMention(
        entity,
        (row.position, row.rank, row.occurrences, row.absences, row.uncertain, named),
        (str(SpansText().encode(row.spans)), row.quote),
        prominence_of(row.rank, row.position) if named else 0,
    )


def names_in(pooled: PooledText) -> int:
    """Return the named entities of a text, one bit each."""
    return sum(1 << mention.entity for mention in pooled.mentions if mention.numbers[5])


def written(rng: random.Random, named: Sequence[str], length: int) -> str:
    """Write an answer of about this many characters that names these, and now and then others."""
    if rng.random() < GERMAN:
        return german(rng, named, length)
    known = [*named, *rng.sample(OTHERS, 2)] if named else rng.sample(OTHERS, 4)
    remarks = [
        f"{name} {rng.choice(REMARKS[tone])}."
        for name in named
        for tone in rng.choices(("positive", "negative", "neutral", ""), (3, 3, 2, 3))
        if tone
        for _ in range(3 if tone == "negative" else 1)
    ]
    parts = [answer(rng, known)]
    while sum(map(len, parts)) < length:
        parts.append(answer(rng, known))
    text = cut("\n\n".join(parts), length)
    if not remarks:
        return text
    return cut(
        f"{' '.join(remarks)}\n\n{text}" if rng.random() < 0.4 else f"{text}\n\n{' '.join(remarks)}", LONGEST
    )


def german(rng: random.Random, named: Sequence[str], length: int) -> str:
    """Write an answer in German."""
    sentences: list[str] = []
    while sum(map(len, sentences)) < length:
        words: list[str] = rng.choices(GERMAN_PROSE.split(), k=rng.randint(8, 18))
        if named and rng.random() < 0.5:
            words.insert(rng.randrange(len(words)), rng.choice(named))
        sentences.append(f"{' '.join(words).capitalize()}.")
    return cut(" ".join(sentences), length)


def cut(text: str, length: int) -> str:
    """Cut a text behind the last sentence within this length."""
    if len(text) <= length:
        return text
    end = text.rfind(". ", SHORTEST, length)
    return text[: end + 1] if end > 0 else text[:length]
