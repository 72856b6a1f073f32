"""What was answered, append-only, and what one analysis revision read in it."""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ColumnElement,
    Float,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    false,
    literal_column,
    text,
    true,
)

from storage.tables.columns import (
    OF_NOBODY,
    DomainsText,
    JsonText,
    Key,
    SpansText,
    UtcTime,
    company_column,
    created_column,
    id_column,
    key_column,
    metadata,
    reference,
)

RANKED = text("entity_key = 0 AND rank IS NOT NULL")
NAMED_ON_SQLITE = text("entity_key = 0 AND named IS 1")
NAMED_ON_POSTGRESQL = text("entity_key = 0 AND named IS true")
"""Lists and histories are of mentions that name the brand: their indices hold no others."""
OF_CONDITION = ("entity_key", "named")
"""What such a condition is about is in the index too: SQLite checks it again, and need not open the row."""
THE_BRAND: ColumnElement[int] = literal_column("0", Key)
"""The entity that the brand itself is, written out, so that a database sees that such an index applies."""

channels = Table(
    "channels",
    metadata,
    key_column(),
    Column("platform", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("country", Text, nullable=False, server_default=""),
    Index("uq_channels", "platform", "mode", "source", "country", unique=True),
    info=OF_NOBODY,
)
"""Where an answer came from; the country is empty where none was sent."""

answers = Table(
    "answers",
    metadata,
    key_column(),
    id_column(),
    company_column(),
    reference("brand_key", "brands.key"),
    reference("batch_key", "run_batches.key"),
    reference("ask_key", "asks.key"),
    reference("prompt_key", "prompts.key", cascade=False),
    reference("channel_key", "channels.key", cascade=False),
    Column("status", Text, nullable=False),
    Column("retrieval", Text, nullable=False),
    Column("valid", Boolean, nullable=False),
    Column("citations_known", Boolean, nullable=False),
    Column("truncated", Boolean, nullable=False),
    Column("clipped", Boolean, nullable=False, server_default=false()),
    Column("language", Text),
    Column("city", Text),
    Column("not_supported", JsonText, nullable=False, server_default="[]"),
    Column("requested_model", Text, nullable=False),
    Column("served_model", Text),
    Column("latency_ms", Integer, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("usage", JsonText, nullable=False),
    Column("parser", Text, nullable=False),
    Column("raw_sha256", Text, nullable=False),
    Column("text_sha256", Text, nullable=False),
    Column("source_id", Text),
    Column("captured_at", UtcTime, nullable=False),
    Column("absent_reason", Text),
    Column("seen", JsonText),
    CheckConstraint("status IN ('answered', 'refused', 'empty', 'not_grounded', 'not_shown')", name="status"),
    UniqueConstraint("ask_key"),
    Index("ix_answers_page", "brand_key", "captured_at", "key"),
    Index("ix_answers_batch", "batch_key"),
    Index("ix_answers_prompt", "prompt_key", "captured_at", "key"),
)

answer_texts = Table(
    "answer_texts",
    metadata,
    reference("answer_key", "answers.key", primary_key=True),
    Column("text", LargeBinary, nullable=False),
)

answer_exchanges = Table(
    "answer_exchanges",
    metadata,
    reference("answer_key", "answers.key", primary_key=True),
    Column("exchanges", LargeBinary, nullable=False),
)

reparsed_answers = Table(
    "reparsed_answers",
    metadata,
    reference("answer_key", "answers.key", primary_key=True),
    Column("parsing", Integer, primary_key=True, autoincrement=False),
    Column("status", Text, nullable=False),
    Column("retrieval", Text, nullable=False),
    Column("valid", Boolean, nullable=False),
    Column("citations_known", Boolean, nullable=False, server_default=true()),
    Column("truncated", Boolean, nullable=False),
    Column("parser", Text, nullable=False),
    Column("text_sha256", Text, nullable=False),
    Column("text", LargeBinary, nullable=False),
    Column("citations", LargeBinary, nullable=False),
    created_column(),
    CheckConstraint("status IN ('answered', 'refused', 'empty', 'not_grounded', 'not_shown')", name="status"),
)
"""What a later parser reads in the raw exchanges, where that differs from what was stored first.

A parsing of a brand holds all such answers, so that one number names the words that an analysis stood on; 0 is
what was stored first.
"""

cited_urls = Table(
    "cited_urls",
    metadata,
    key_column(),
    Column("digest", Text, nullable=False, unique=True),
    Column("url", Text, nullable=False),
    Column("title", Text),
    info=OF_NOBODY,
)
"""Each cited address with a title that it was cited by, once for all answers; `digest` is that of both."""

citations = Table(
    "citations",
    metadata,
    reference("answer_key", "answers.key", primary_key=True),
    Column("ordinal", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    reference("url_key", "cited_urls.key", cascade=False),
    Column("start", Integer),
    Column("end", Integer),
    Column("span", Text),
    Column("site", Text),
    CheckConstraint("kind IN ('cited', 'retrieved')", name="kind"),
    # PostgreSQL keeps an address once for all its rows, unless a second column separates them.
    Index("ix_citations_url", "url_key"),
    sqlite_with_rowid=False,
)

answer_readings = Table(
    "answer_readings",
    metadata,
    reference("answer_key", "answers.key", primary_key=True),
    Column("revision_key", Key, primary_key=True, autoincrement=False),
    Column("measurable", Boolean, nullable=False),
    Column("branded", Boolean, nullable=False),
    Column("named_in_prompt", JsonText, nullable=False),
    Column("domains", DomainsText, nullable=False),
)

mentions = Table(
    "mentions",
    metadata,
    reference("answer_key", "answers.key", primary_key=True),
    Column("revision_key", Key, primary_key=True, autoincrement=False),
    Column("entity_key", Key, primary_key=True, autoincrement=False),
    Column("channel_key", Key, nullable=False),
    Column("captured_at", UtcTime, nullable=False),
    Column("position", Float, nullable=False),
    Column("rank", Integer),
    Column("occurrences", Integer, nullable=False),
    Column("absences", Integer, nullable=False),
    Column("uncertain", Integer, nullable=False),
    Column("named", Boolean, nullable=False),
    Column("cites_own", Boolean, nullable=False),
    Column("spans", SpansText, nullable=False),
    Column("quote", Text),
    Index(
        "ix_mentions_page",
        "revision_key",
        "captured_at",
        "answer_key",
        *OF_CONDITION,
        sqlite_where=NAMED_ON_SQLITE,
        postgresql_where=NAMED_ON_POSTGRESQL,
    ),
    Index(
        "ix_mentions_channel",
        "revision_key",
        "channel_key",
        "captured_at",
        "answer_key",
        *OF_CONDITION,
        sqlite_where=NAMED_ON_SQLITE,
        postgresql_where=NAMED_ON_POSTGRESQL,
    ),
    Index(
        "ix_mentions_rank",
        "revision_key",
        "channel_key",
        "rank",
        sqlite_where=RANKED,
        postgresql_where=RANKED,
    ),
)
"""One row for each entity (0 is the brand) that an answer names, doubts, denies or cites.

The wide columns stand first: PostgreSQL puts each at a multiple of its width.
"""
