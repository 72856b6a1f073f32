"""Full-text search of repository items: an FTS5 table with triggers on SQLite, a tsvector column on PostgreSQL.

SQLAlchemy's tables cannot declare either, so both are DDL that follows the table they search.
"""

from sqlalchemy import DDL, event

from storage.tables.brands import repository_items

SQLITE_DDL = (
    """\
CREATE VIRTUAL TABLE repository_items_search USING fts5(
    title_words, body_words, content='repository_items', content_rowid='key', tokenize='porter unicode61'
)""",
    """\
CREATE TRIGGER repository_items_search_insert AFTER INSERT ON repository_items BEGIN
    INSERT INTO repository_items_search(rowid, title_words, body_words)
    VALUES (new.key, new.title_words, new.body_words);
END""",
    """\
CREATE TRIGGER repository_items_search_delete AFTER DELETE ON repository_items BEGIN
    INSERT INTO repository_items_search(repository_items_search, rowid, title_words, body_words)
    VALUES ('delete', old.key, old.title_words, old.body_words);
END""",
    """\
CREATE TRIGGER repository_items_search_update AFTER UPDATE ON repository_items BEGIN
    INSERT INTO repository_items_search(repository_items_search, rowid, title_words, body_words)
    VALUES ('delete', old.key, old.title_words, old.body_words);
    INSERT INTO repository_items_search(rowid, title_words, body_words)
    VALUES (new.key, new.title_words, new.body_words);
END""",
)
POSTGRESQL_DDL = (  # English stems as SQLite has them, and no stop words: every word can be found
    "CREATE TEXT SEARCH DICTIONARY seenby_stem (TEMPLATE = snowball, LANGUAGE = english)",
    "CREATE TEXT SEARCH CONFIGURATION seenby (COPY = pg_catalog.english)",
    "ALTER TEXT SEARCH CONFIGURATION seenby ALTER MAPPING REPLACE english_stem WITH seenby_stem",
    """\
ALTER TABLE repository_items ADD COLUMN search tsvector GENERATED ALWAYS AS (
    setweight(to_tsvector('seenby', title_words), 'A')
    || setweight(to_tsvector('seenby', body_words), 'C')
) STORED""",
    "CREATE INDEX ix_repository_items_search ON repository_items USING gin (search)",
)

for dialect_name, statements in (("sqlite", SQLITE_DDL), ("postgresql", POSTGRESQL_DDL)):
    for statement in statements:
        event.listen(repository_items, "after_create", DDL(statement).execute_if(dialect=dialect_name))
