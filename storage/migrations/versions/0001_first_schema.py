"""The first schema: tenants, brands, asking, answers, readings, results, and full-text search."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

SQLITE_SEARCH = (
    """
    CREATE VIRTUAL TABLE repository_items_search USING fts5(
        title_words, body_words, content='repository_items', content_rowid='key', tokenize='porter unicode61'
    )
    """,
    """
    CREATE TRIGGER repository_items_search_insert AFTER INSERT ON repository_items BEGIN
        INSERT INTO repository_items_search(rowid, title_words, body_words)
        VALUES (new.key, new.title_words, new.body_words);
    END
    """,
    """
    CREATE TRIGGER repository_items_search_delete AFTER DELETE ON repository_items BEGIN
        INSERT INTO repository_items_search(repository_items_search, rowid, title_words, body_words)
        VALUES ('delete', old.key, old.title_words, old.body_words);
    END
    """,
    """
    CREATE TRIGGER repository_items_search_update AFTER UPDATE ON repository_items BEGIN
        INSERT INTO repository_items_search(repository_items_search, rowid, title_words, body_words)
        VALUES ('delete', old.key, old.title_words, old.body_words);
        INSERT INTO repository_items_search(rowid, title_words, body_words)
        VALUES (new.key, new.title_words, new.body_words);
    END
    """,
)
POSTGRES_SEARCH = (  # English stems as SQLite has them, and no word is too common to be found
    "CREATE TEXT SEARCH DICTIONARY seenby_stem (TEMPLATE = snowball, LANGUAGE = english)",
    "CREATE TEXT SEARCH CONFIGURATION seenby (COPY = pg_catalog.english)",
    "ALTER TEXT SEARCH CONFIGURATION seenby ALTER MAPPING REPLACE english_stem WITH seenby_stem",
    """
    ALTER TABLE repository_items ADD COLUMN search tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('seenby', title_words), 'A')
        || setweight(to_tsvector('seenby', body_words), 'C')
    ) STORED
    """,
    "CREATE INDEX ix_repository_items_search ON repository_items USING gin (search)",
)


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "channels",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_channels")),
    )
    op.create_index("uq_channels", "channels", ["platform", "mode", "source"], unique=True)
    op.create_table(
        "cited_urls",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("url_sha256", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_cited_urls")),
        sa.UniqueConstraint("url_sha256", name=op.f("uq_cited_urls_url_sha256")),
    )
    op.create_table(
        "companies",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_folded", sa.Text(), nullable=False),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_companies")),
        sa.UniqueConstraint("name_folded", name=op.f("uq_companies_name_folded")),
    )
    op.create_table(
        "daily_rollups",
        sa.Column("revision_key", KEY, autoincrement=False, nullable=False),
        sa.Column("entity_key", KEY, autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("channel_key", KEY, autoincrement=False, nullable=False),
        sa.Column("valid", sa.Integer(), nullable=False),
        sa.Column("named", sa.Integer(), nullable=False),
        sa.Column("scored_valid", sa.Integer(), nullable=False),
        sa.Column("scored_named", sa.Integer(), nullable=False),
        sa.Column("ranked", sa.Integer(), nullable=False),
        sa.Column("rank_sum", sa.Integer(), nullable=False),
        sa.Column("measurable", sa.Integer(), nullable=False),
        sa.Column("cited_own", sa.Integer(), nullable=False),
        sa.Column("positive", sa.Integer(), nullable=False),
        sa.Column("neutral", sa.Integer(), nullable=False),
        sa.Column("negative", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint(
            "revision_key", "entity_key", "day", "channel_key", name=op.f("pk_daily_rollups")
        ),
    )
    op.create_table(
        "api_keys",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("last4", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("last_used_at", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("status IN ('active', 'revoked')", name=op.f("ck_api_keys_status")),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_api_keys_company_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_keys")),
        sa.UniqueConstraint("digest", name=op.f("uq_api_keys_digest")),
    )
    op.create_index("ix_api_keys_company", "api_keys", ["company_id", "created_at"], unique=False)
    op.create_table(
        "brands",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_folded", sa.Text(), nullable=False),
        sa.Column("industry", sa.Text(), nullable=True),
        sa.Column("website", sa.Text(), nullable=True),
        sa.Column("voice", sa.Text(), nullable=True),
        sa.Column("keywords", sa.Text(), nullable=False),
        sa.Column("target_audience", sa.Text(), nullable=True),
        sa.Column("revision_key", KEY, nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_brands_company_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_brands")),
        sa.UniqueConstraint("id", name=op.f("uq_brands_id")),
    )
    op.create_index("uq_brands_name", "brands", ["company_id", "name_folded"], unique=True)
    op.create_table(
        "users",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("role IN ('owner', 'member')", name=op.f("ck_users_role")),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_users_company_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("email", name=op.f("uq_users_email")),
    )
    op.create_table(
        "analysis_revisions",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=False),
        sa.Column("versions", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("replaced_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "state IN ('building', 'current', 'retired')", name=op.f("ck_analysis_revisions_state")
        ),
        sa.ForeignKeyConstraint(
            ["brand_key"], ["brands.key"], name=op.f("fk_analysis_revisions_brand_key"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["company_id"],
            ["companies.id"],
            name=op.f("fk_analysis_revisions_company_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_analysis_revisions")),
    )
    op.create_index(
        "ix_analysis_revisions_brand", "analysis_revisions", ["brand_key", "fingerprint"], unique=False
    )
    op.create_table(
        "company_notifications",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("severity", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("dedup_key", sa.Text(), nullable=False),
        sa.Column("read_at", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "kind IN ('bot_access', 'crawler_error', 'content_gap', 'ai_mention', 'system_alert')",
            name=op.f("ck_company_notifications_kind"),
        ),
        sa.ForeignKeyConstraint(
            ["brand_key"], ["brands.key"], name=op.f("fk_company_notifications_brand_key"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["company_id"],
            ["companies.id"],
            name=op.f("fk_company_notifications_company_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_company_notifications")),
        sa.UniqueConstraint("id", name=op.f("uq_company_notifications_id")),
    )
    op.create_index(
        "ix_company_notifications_page",
        "company_notifications",
        ["company_id", "created_at", "key"],
        unique=False,
    )
    op.create_index(
        "uq_company_notifications_dedup", "company_notifications", ["company_id", "dedup_key"], unique=True
    )
    op.create_table(
        "competitors",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_folded", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["brand_key"], ["brands.key"], name=op.f("fk_competitors_brand_key"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_competitors_company_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_competitors")),
        sa.UniqueConstraint("id", name=op.f("uq_competitors_id")),
    )
    op.create_index("uq_competitors_name", "competitors", ["brand_key", "name_folded"], unique=True)
    op.create_table(
        "prompt_sets",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_folded", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("platforms", sa.Text(), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("repeats", sa.Integer(), nullable=False),
        sa.Column("schedule", sa.Text(), nullable=True),
        sa.Column("archived_at", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["brand_key"], ["brands.key"], name=op.f("fk_prompt_sets_brand_key"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_prompt_sets_company_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_prompt_sets")),
        sa.UniqueConstraint("id", name=op.f("uq_prompt_sets_id")),
    )
    op.create_index("uq_prompt_sets_name", "prompt_sets", ["company_id", "name_folded"], unique=True)
    op.create_table(
        "repository_items",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("category", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("title_words", sa.Text(), nullable=False),
        sa.Column("body_words", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["brand_key"], ["brands.key"], name=op.f("fk_repository_items_brand_key"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_repository_items_company_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_repository_items")),
        sa.UniqueConstraint("id", name=op.f("uq_repository_items_id")),
    )
    op.create_index(
        "ix_repository_items_category",
        "repository_items",
        ["brand_key", "category", "updated_at", "key"],
        unique=False,
    )
    op.create_index(
        "ix_repository_items_page", "repository_items", ["brand_key", "updated_at", "key"], unique=False
    )
    op.create_table(
        "brand_aliases",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=False),
        sa.Column("competitor_key", KEY, nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("exact_case", sa.Boolean(), nullable=False),
        sa.Column("ambiguous", sa.Boolean(), nullable=False),
        sa.Column("negative", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["brand_key"], ["brands.key"], name=op.f("fk_brand_aliases_brand_key"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_brand_aliases_company_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["competitor_key"],
            ["competitors.key"],
            name=op.f("fk_brand_aliases_competitor_key"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_brand_aliases")),
    )
    op.create_index("ix_brand_aliases_brand", "brand_aliases", ["brand_key"], unique=False)
    op.create_table(
        "brand_domains",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=False),
        sa.Column("competitor_key", KEY, nullable=True),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["brand_key"], ["brands.key"], name=op.f("fk_brand_domains_brand_key"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_brand_domains_company_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["competitor_key"],
            ["competitors.key"],
            name=op.f("fk_brand_domains_competitor_key"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_brand_domains")),
    )
    op.create_index("ix_brand_domains_brand", "brand_domains", ["brand_key"], unique=False)
    op.create_table(
        "prompts",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("prompt_set_key", KEY, nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("text_sha256", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("intent", sa.Text(), nullable=True),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("branded", sa.Boolean(), nullable=True),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_prompts_company_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["prompt_set_key"],
            ["prompt_sets.key"],
            name=op.f("fk_prompts_prompt_set_key"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_prompts")),
        sa.UniqueConstraint("id", name=op.f("uq_prompts_id")),
    )
    op.create_index("ix_prompts_set", "prompts", ["prompt_set_key", "position"], unique=False)
    op.create_index("ix_prompts_text", "prompts", ["company_id", "text_sha256"], unique=False)
    op.create_table(
        "run_batches",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=False),
        sa.Column("prompt_set_key", KEY, nullable=True),
        sa.Column("prompt_set_version", sa.Integer(), nullable=True),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("plan_sha256", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "status IN ('running', 'success', 'failed', 'cancelled')", name=op.f("ck_run_batches_status")
        ),
        sa.ForeignKeyConstraint(
            ["brand_key"], ["brands.key"], name=op.f("fk_run_batches_brand_key"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_run_batches_company_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["prompt_set_key"], ["prompt_sets.key"], name=op.f("fk_run_batches_prompt_set_key")
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_run_batches")),
        sa.UniqueConstraint("id", name=op.f("uq_run_batches_id")),
    )
    op.create_index(
        "ix_run_batches_brand", "run_batches", ["brand_key", "status", "finished_at"], unique=False
    )
    op.create_table(
        "metric_points",
        sa.Column("revision_key", KEY, autoincrement=False, nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("channel_key", KEY, autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("batch_key", KEY, autoincrement=False, nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("samples", sa.Integer(), nullable=False),
        sa.Column("low", sa.Float(), nullable=True),
        sa.Column("high", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ["batch_key"], ["run_batches.key"], name=op.f("fk_metric_points_batch_key"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint(
            "revision_key", "metric", "channel_key", "day", "batch_key", name=op.f("pk_metric_points")
        ),
    )
    op.create_table(
        "score_calculations",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=False),
        sa.Column("revision_key", KEY, nullable=False),
        sa.Column("batch_key", KEY, nullable=False),
        sa.Column("receipt_id", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("score", sa.Float(), nullable=True),
        sa.Column("headline", sa.Text(), nullable=False),
        sa.Column("platforms", sa.Text(), nullable=False),
        sa.Column("rankings", sa.Text(), nullable=False),
        sa.Column("receipt", sa.Text(), nullable=False),
        sa.Column("replay_of", KEY, nullable=True),
        sa.Column("calculated_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "status IN ('measured', 'insufficient_data', 'not_measured')",
            name=op.f("ck_score_calculations_status"),
        ),
        sa.ForeignKeyConstraint(
            ["batch_key"],
            ["run_batches.key"],
            name=op.f("fk_score_calculations_batch_key"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["brand_key"], ["brands.key"], name=op.f("fk_score_calculations_brand_key"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["company_id"],
            ["companies.id"],
            name=op.f("fk_score_calculations_company_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_score_calculations")),
        sa.UniqueConstraint("id", name=op.f("uq_score_calculations_id")),
    )
    op.create_index(
        "ix_score_calculations_latest",
        "score_calculations",
        ["brand_key", "revision_key", "calculated_at", "key"],
        unique=False,
    )
    op.create_index(
        "ix_score_calculations_receipt", "score_calculations", ["company_id", "receipt_id"], unique=False
    )
    op.create_index(
        "uq_score_calculations_batch", "score_calculations", ["revision_key", "batch_key"], unique=True
    )
    op.create_table(
        "simulations",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=False),
        sa.Column("batch_key", KEY, nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("custom_query", sa.Text(), nullable=True),
        sa.Column("accuracy_score", sa.Integer(), nullable=True),
        sa.Column("planned", sa.Integer(), nullable=False),
        sa.Column("answered", sa.Integer(), nullable=False),
        sa.Column("failed", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "status IN ('running', 'completed', 'degraded', 'failed', 'cancelled')",
            name=op.f("ck_simulations_status"),
        ),
        sa.ForeignKeyConstraint(
            ["batch_key"], ["run_batches.key"], name=op.f("fk_simulations_batch_key"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["brand_key"], ["brands.key"], name=op.f("fk_simulations_brand_key"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_simulations_company_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_simulations")),
        sa.UniqueConstraint("id", name=op.f("uq_simulations_id")),
    )
    op.create_index("ix_simulations_batch", "simulations", ["batch_key"], unique=False)
    op.create_index("ix_simulations_brand", "simulations", ["brand_key", "created_at", "key"], unique=False)
    op.create_index(
        "ix_simulations_company", "simulations", ["company_id", "created_at", "key"], unique=False
    )
    op.create_table(
        "asks",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("simulation_key", KEY, nullable=False),
        sa.Column("prompt_key", KEY, nullable=False),
        sa.Column("ask_key", sa.Text(), nullable=False),
        sa.Column("repeat", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("resent", sa.Integer(), nullable=False),
        sa.Column("claimed_by", sa.Text(), nullable=True),
        sa.Column("possibly_billed", sa.Boolean(), nullable=False),
        sa.Column("error_code", sa.Text(), nullable=True),
        sa.Column("error_message", sa.Text(), nullable=True),
        sa.Column("sent_at", sa.BigInteger(), nullable=True),
        sa.Column("settled_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("state IN ('planned', 'sent', 'stored', 'failed')", name=op.f("ck_asks_state")),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_asks_company_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["prompt_key"], ["prompts.key"], name=op.f("fk_asks_prompt_key")),
        sa.ForeignKeyConstraint(
            ["simulation_key"], ["simulations.key"], name=op.f("fk_asks_simulation_key"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_asks")),
        sa.UniqueConstraint("ask_key", name=op.f("uq_asks_ask_key")),
    )
    op.create_index("ix_asks_simulation", "asks", ["simulation_key", "state"], unique=False)
    op.create_table(
        "answers",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=False),
        sa.Column("batch_key", KEY, nullable=False),
        sa.Column("ask_key", KEY, nullable=False),
        sa.Column("prompt_key", KEY, nullable=False),
        sa.Column("channel_key", KEY, nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("retrieval", sa.Text(), nullable=False),
        sa.Column("valid", sa.Boolean(), nullable=False),
        sa.Column("citations_known", sa.Boolean(), nullable=False),
        sa.Column("truncated", sa.Boolean(), nullable=False),
        sa.Column("requested_model", sa.Text(), nullable=False),
        sa.Column("served_model", sa.Text(), nullable=True),
        sa.Column("latency_ms", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("usage", sa.Text(), nullable=False),
        sa.Column("parser", sa.Text(), nullable=False),
        sa.Column("raw_sha256", sa.Text(), nullable=False),
        sa.Column("text_sha256", sa.Text(), nullable=False),
        sa.Column("source_id", sa.Text(), nullable=True),
        sa.Column("captured_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "status IN ('answered', 'refused', 'empty', 'not_grounded')", name=op.f("ck_answers_status")
        ),
        sa.ForeignKeyConstraint(
            ["ask_key"], ["asks.key"], name=op.f("fk_answers_ask_key"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["batch_key"], ["run_batches.key"], name=op.f("fk_answers_batch_key"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["brand_key"], ["brands.key"], name=op.f("fk_answers_brand_key"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["channel_key"], ["channels.key"], name=op.f("fk_answers_channel_key")),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_answers_company_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["prompt_key"], ["prompts.key"], name=op.f("fk_answers_prompt_key")),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_answers")),
        sa.UniqueConstraint("ask_key", name=op.f("uq_answers_ask_key")),
        sa.UniqueConstraint("id", name=op.f("uq_answers_id")),
    )
    op.create_index("ix_answers_batch", "answers", ["batch_key"], unique=False)
    op.create_index("ix_answers_page", "answers", ["brand_key", "captured_at", "key"], unique=False)
    op.create_table(
        "answer_exchanges",
        sa.Column("answer_key", KEY, autoincrement=False, nullable=False),
        sa.Column("exchanges", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["answer_key"], ["answers.key"], name=op.f("fk_answer_exchanges_answer_key"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("answer_key", name=op.f("pk_answer_exchanges")),
    )
    op.create_table(
        "answer_readings",
        sa.Column("revision_key", KEY, autoincrement=False, nullable=False),
        sa.Column("answer_key", KEY, autoincrement=False, nullable=False),
        sa.Column("measurable", sa.Boolean(), nullable=False),
        sa.Column("branded", sa.Boolean(), nullable=False),
        sa.Column("named_in_prompt", sa.Text(), nullable=False),
        sa.Column("domains", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["answer_key"], ["answers.key"], name=op.f("fk_answer_readings_answer_key"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("revision_key", "answer_key", name=op.f("pk_answer_readings")),
    )
    op.create_table(
        "answer_texts",
        sa.Column("answer_key", KEY, autoincrement=False, nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["answer_key"], ["answers.key"], name=op.f("fk_answer_texts_answer_key"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("answer_key", name=op.f("pk_answer_texts")),
    )
    op.create_table(
        "citations",
        sa.Column("answer_key", KEY, autoincrement=False, nullable=False),
        sa.Column("ordinal", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("url_key", KEY, nullable=False),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("start", sa.Integer(), nullable=True),
        sa.Column("end", sa.Integer(), nullable=True),
        sa.Column("span", sa.Text(), nullable=True),
        sa.CheckConstraint("kind IN ('cited', 'retrieved')", name=op.f("ck_citations_kind")),
        sa.ForeignKeyConstraint(
            ["answer_key"], ["answers.key"], name=op.f("fk_citations_answer_key"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["url_key"], ["cited_urls.key"], name=op.f("fk_citations_url_key")),
        sa.PrimaryKeyConstraint("answer_key", "ordinal", name=op.f("pk_citations")),
    )
    op.create_index("ix_citations_url", "citations", ["url_key", "answer_key"], unique=False)
    op.create_table(
        "mentions",
        sa.Column("revision_key", KEY, autoincrement=False, nullable=False),
        sa.Column("answer_key", KEY, autoincrement=False, nullable=False),
        sa.Column("entity_key", KEY, autoincrement=False, nullable=False),
        sa.Column("channel_key", KEY, nullable=False),
        sa.Column("captured_at", sa.BigInteger(), nullable=False),
        sa.Column("named", sa.Boolean(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.Column("early", sa.Boolean(), nullable=False),
        sa.Column("cites_own", sa.Boolean(), nullable=False),
        sa.Column("tone", sa.Text(), nullable=True),
        sa.Column("tone_value", sa.Float(), nullable=True),
        sa.Column("occurrences", sa.Integer(), nullable=False),
        sa.Column("absences", sa.Integer(), nullable=False),
        sa.Column("uncertain", sa.Integer(), nullable=False),
        sa.Column("spans", sa.Text(), nullable=False),
        sa.Column("quote", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["answer_key"], ["answers.key"], name=op.f("fk_mentions_answer_key"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("revision_key", "answer_key", "entity_key", name=op.f("pk_mentions")),
    )
    op.create_index(
        "ix_mentions_channel",
        "mentions",
        ["revision_key", "entity_key", "named", "channel_key", "captured_at", "answer_key"],
        unique=False,
    )
    op.create_index(
        "ix_mentions_page",
        "mentions",
        ["revision_key", "entity_key", "named", "captured_at", "answer_key"],
        unique=False,
    )
    op.create_table(
        "issues",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("severity", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("reopened", sa.Integer(), nullable=False),
        sa.Column("first_seen", sa.BigInteger(), nullable=False),
        sa.Column("last_seen", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("severity IN ('critical', 'warning', 'info')", name=op.f("ck_issues_severity")),
        sa.CheckConstraint(
            "state IN ('candidate', 'open', 'resolved', 'dismissed')", name=op.f("ck_issues_state")
        ),
        sa.ForeignKeyConstraint(
            ["brand_key"], ["brands.key"], name=op.f("fk_issues_brand_key"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_issues_company_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_issues")),
        sa.UniqueConstraint("id", name=op.f("uq_issues_id")),
    )
    op.create_index("ix_issues_open", "issues", ["brand_key", "state", "severity"], unique=False)
    op.create_index("uq_issues_fingerprint", "issues", ["company_id", "fingerprint"], unique=True)

    for statement in POSTGRES_SEARCH if op.get_bind().dialect.name == "postgresql" else SQLITE_SEARCH:
        op.execute(statement)


def downgrade() -> None:
    """Migrations go forward only; a backup is the way back."""
    raise RuntimeError("restore a backup instead")
