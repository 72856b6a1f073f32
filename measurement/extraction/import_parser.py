"""Parser `import/2`: a captured answer as it is stored."""

import hashlib
from datetime import UTC

from engines.engine import Mode
from measurement.extraction.answer_drafts import draft_of_answer
from measurement.extraction.captured_lines import CapturedAnswer, CapturedCitation, SeenAnswer
from measurement.extraction.clipping import clip_text
from storage.repositories.answers.answers import AnswerDraft
from storage.repositories.answers.citations import StoredCitation

PARSER = "import/2"
UNKNOWN_MODEL = "unknown"
"""Of a captured answer whose model nobody noted."""


def draft_of(line: CapturedAnswer) -> AnswerDraft:
    """Return a captured answer as it is stored; the line itself is the raw exchange, or the supplier's body."""
    if isinstance(line, SeenAnswer):
        return draft_of_answer(
            line.answer,
            Mode.READINESS,
            citations_known=True,
            language=line.language,
            city=line.city,
            now=line.captured_at.astimezone(UTC),
            source_id=line.source_id,
        )
    text, clipped = clip_text(line.text)
    grounded = line.channel_mode == Mode.READINESS
    status = line.status or ("answered" if line.text.strip() else "empty")
    raw = line.model_dump_json(exclude_none=True)
    return AnswerDraft(
        status=status,
        valid=status == "answered" and not line.truncated,
        text=text,
        retrieval="searched" if grounded and status != "not_grounded" else "not_requested",
        citations_known=line.citations is not None and line.citations_known,
        citations=tuple(stored_citation(source, text) for source in line.citations or ()),
        truncated=line.truncated,
        clipped=clipped or line.clipped,
        language=line.language,
        city=line.city,
        not_supported=tuple(line.not_supported),
        requested_model=line.model or UNKNOWN_MODEL,
        served_model=line.model,
        latency_ms=0,
        attempts=0,
        usage={},
        parser=PARSER,
        raw_sha256=hashlib.sha256(raw.encode()).hexdigest(),
        exchanges=[{"line": raw}],
        captured_at=line.captured_at.astimezone(UTC),
        source_id=line.source_id,
        absent_reason=line.absent_reason,
        seen=line.seen,
    )


def stored_citation(source: CapturedCitation | str, text: str) -> StoredCitation:
    """Return a captured source; offsets outside of the text are dropped."""
    if isinstance(source, str):
        return StoredCitation(source, None, "cited", None, None, None)
    start, end = source.start, source.end
    if start is None or end is None or not 0 <= start < end <= len(text):
        start = end = None
    return StoredCitation(source.url, source.title, source.kind, start, end, None, source.site)
