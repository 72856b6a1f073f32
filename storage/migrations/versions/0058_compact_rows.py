"""Less disk for each answer: packed calculations, cited titles stored once, and fewer and narrower indices."""

import hashlib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0058"
down_revision = "0057"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
NO_OTHERS: Mapping[str, str] = {}
AT_ONCE = 500
"""Rows that are held at once where a value is made here."""
DOCUMENTS = ("headline", "platforms", "rankings", "receipt")
PACKED = {"score_calculations": DOCUMENTS, "country_calculations": DOCUMENTS[:-1]}
INDICES = {
    "ix_mentions_page": (["captured_at", "answer_key", "entity_key", "named"], "named IS {}"),
    "ix_mentions_channel": (
        ["channel_key", "captured_at", "answer_key", "entity_key", "named"],
        "named IS {}",
    ),
    "ix_mentions_rank": (["channel_key", "rank"], "rank IS NOT NULL"),
}
"""Of mentions of the brand, by the columns after the revision, and which of them each index holds."""
OWNERS = ("third_party", "competitor", "owned")


def upgrade() -> None:
    """Apply; every stored value is kept, in another form."""
    for table, names in PACKED.items():
        pack_documents(table, names)
    share_titles()
    turn_readings()
    turn_mentions()


def pack_documents(table: str, names: Sequence[str]) -> None:
    """Compress the documents of each calculation."""
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        change_type_in_place(connection, table, names)
    else:
        changes = (f"ALTER {name} TYPE BYTEA USING convert_to({name}, 'UTF8')" for name in names)
        op.execute(f"ALTER TABLE {table} {', '.join(changes)}")
    columns = [sa.column(name, sa.LargeBinary()) for name in names]
    stored = sa.table(table, sa.column("key", KEY), *columns)
    written = (
        sa.update(stored)
        .where(stored.c.key == sa.bindparam("of_key", type_=KEY))
        .values({name: sa.bindparam(f"new_{name}", type_=sa.LargeBinary()) for name in names})
    )
    # SQLite still has text there, which a type for bytes would refuse.
    read = [sa.type_coerce(column, sa.Text()) for column in columns]
    if connection.dialect.name == "postgresql":
        read = [sa.func.convert_from(column, "UTF8") for column in columns]
    for keys in keys_of(connection, stored):
        rows = connection.execute(sa.select(stored.c.key, *read).where(stored.c.key.in_(keys))).all()
        connection.execute(
            written,
            [
                {
                    "of_key": key,
                    **{
                        f"new_{name}": zlib.compress(document.encode(), 6)
                        for name, document in zip(names, documents, strict=True)
                    },
                }
                for key, *documents in rows
            ],
        )


def change_type_in_place(connection: sa.Connection, table: str, names: Sequence[str]) -> None:
    """Declare text columns as bytes, without copying the table.

    SQLite cannot change the type of a column. Its documentation names this way for changes that no stored row can
    contradict: a column that is declared as bytes keeps values of every type as they are.
    """
    version = connection.execute(sa.text("PRAGMA schema_version")).scalar_one()
    connection.execute(sa.text("PRAGMA writable_schema = ON"))
    for name in names:
        changed = connection.execute(
            sa.text(
                "UPDATE sqlite_schema SET sql = replace(sql, :before, :after)"
                " WHERE type = 'table' AND name = :name AND instr(sql, :before) > 0"
            ),
            {"before": f"{name} TEXT", "after": f"{name} BLOB", "name": table},
        )
        assert changed.rowcount == 1, f"the schema of {table} is not the one that was made"
    connection.execute(sa.text(f"PRAGMA schema_version = {int(version) + 1}"))
    connection.execute(sa.text("PRAGMA writable_schema = OFF"))


def keys_of(connection: sa.Connection, table: sa.TableClause) -> Iterator[list[int]]:
    """Give the keys of a table's rows, a bounded number at a time."""
    key, after = table.c.key, 0
    page = sa.select(key).where(key > sa.bindparam("after", type_=KEY)).order_by(key).limit(AT_ONCE)
    while keys := list(connection.execute(page, {"after": after}).scalars()):
        yield keys
        after = keys[-1]


def share_titles() -> None:
    """Store the title of a cited address beside the address, once for all answers that cite it by that title."""
    connection = op.get_bind()
    names = ["answer_key", "ordinal", "kind", "url_key", "start", "end", "span", "site"]
    before = sa.table("citations", *columns_of(*names, "title"))
    pages = sa.Table(
        "moved_pages",
        sa.MetaData(),
        sa.Column("key", KEY, primary_key=True),
        sa.Column("url_key", KEY, nullable=False, index=True),
        sa.Column("title", sa.Text()),
    )
    pages.create(connection)
    distinct = sa.select(before.c.url_key, before.c.title).distinct()
    connection.execute(sa.insert(pages).from_select(["url_key", "title"], distinct))
    op.execute("ANALYZE moved_pages")
    if connection.dialect.name == "postgresql":  # where its name stands once in a schema
        op.execute("ALTER TABLE cited_urls RENAME CONSTRAINT pk_cited_urls TO pk_cited_urls_before")
    urls = op.create_table(
        "cited_urls_new",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_cited_urls")),
        sa.UniqueConstraint("digest", name=op.f("uq_cited_urls_digest")),
    )
    addresses = sa.table("cited_urls", sa.column("key", KEY), sa.column("url", sa.Text()))
    chosen = sa.select(pages.c.key, addresses.c.url, pages.c.title).join(
        addresses, addresses.c.key == pages.c.url_key
    )
    for keys in keys_of(connection, pages):
        rows = connection.execute(chosen.where(pages.c.key.in_(keys))).all()
        connection.execute(
            sa.insert(urls),
            [
                {"key": key, "digest": page_digest(url, title), "url": url, "title": title}
                for key, url, title in rows
            ],
        )
    columns: list[sa.schema.SchemaItem] = [
        sa.Column("answer_key", KEY, autoincrement=False, nullable=False),
        sa.Column("ordinal", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("url_key", KEY, nullable=False),
        sa.Column("start", sa.Integer(), nullable=True),
        sa.Column("end", sa.Integer(), nullable=True),
        sa.Column("span", sa.Text(), nullable=True),
        sa.Column("site", sa.Text(), nullable=True),
        sa.CheckConstraint("kind IN ('cited', 'retrieved')", name=op.f("ck_citations_kind")),
    ]
    same = (pages.c.url_key == before.c.url_key) & pages.c.title.is_not_distinct_from(before.c.title)
    moved = sa.select(*(pages.c.key if name == "url_key" else before.c[name] for name in names))
    moved = moved.join_from(before, pages, same).order_by(before.c.answer_key, before.c.ordinal)
    rebuild(
        "citations",
        columns,
        ["answer_key", "ordinal"],
        moved,
        {"url_key": "cited_urls_new.key"},
        sqlite_with_rowid=False,
    )
    op.create_index("ix_citations_url", "citations", ["url_key"])
    op.drop_table("cited_urls")
    op.drop_table("moved_pages")
    op.rename_table("cited_urls_new", "cited_urls")
    if connection.dialect.name == "postgresql":
        op.execute("ALTER SEQUENCE cited_urls_new_key_seq RENAME TO cited_urls_key_seq")
        op.execute(
            "SELECT setval('cited_urls_key_seq', coalesce(max(key), 1), max(key) IS NOT NULL) FROM cited_urls"
        )
    count_rows("cited_urls", "citations")


def columns_of(*names: str) -> list[sa.ColumnClause[Any]]:
    """Return columns whose values are moved as they are."""
    return [sa.column(name) for name in names]


def page_digest(url: str, title: str | None) -> str:
    """Return what a cited page is known by."""
    address = hashlib.sha256(url.encode()).hexdigest()
    return hashlib.sha256((address if title is None else f"{address} {title}").encode()).hexdigest()


def turn_readings() -> None:
    """Let the key of a reading begin with the answer, and say by a number whose each cited domain is."""
    domains: sa.ColumnElement[str] = sa.column("domains", sa.Text())
    for number, owner in enumerate(OWNERS):
        # Within a name of a domain a quotation mark is escaped.
        domains = sa.func.replace(domains, f':"{owner}"', f":{number}")
    rebuild(
        "answer_readings",
        [
            sa.Column("answer_key", KEY, autoincrement=False, nullable=False),
            sa.Column("revision_key", KEY, autoincrement=False, nullable=False),
            sa.Column("measurable", sa.Boolean(), nullable=False),
            sa.Column("branded", sa.Boolean(), nullable=False),
            sa.Column("named_in_prompt", sa.Text(), nullable=False),
            sa.Column("domains", sa.Text(), nullable=False),
        ],
        ["answer_key", "revision_key"],
        sa.select(
            *columns_of("answer_key", "revision_key", "measurable", "branded", "named_in_prompt"), domains
        ).select_from(sa.table("answer_readings")),
    )
    count_rows("answer_readings")


def turn_mentions() -> None:
    """Let the key of a mention begin with the answer, which makes an index for it needless, and narrow the rows."""
    columns: list[sa.Column[Any]] = [
        sa.Column("answer_key", KEY, autoincrement=False, nullable=False),
        sa.Column("revision_key", KEY, autoincrement=False, nullable=False),
        sa.Column("entity_key", KEY, autoincrement=False, nullable=False),
        sa.Column("channel_key", KEY, nullable=False),
        sa.Column("captured_at", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.Float(), nullable=False),
        sa.Column("tone_value", sa.Float(), nullable=True),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.Column("occurrences", sa.Integer(), nullable=False),
        sa.Column("absences", sa.Integer(), nullable=False),
        sa.Column("uncertain", sa.Integer(), nullable=False),
        sa.Column("named", sa.Boolean(), nullable=False),
        sa.Column("cites_own", sa.Boolean(), nullable=False),
        sa.Column("tone", sa.Text(), nullable=True),
        sa.Column("spans", sa.Text(), nullable=False),
        sa.Column("quote", sa.Text(), nullable=True),
    ]
    stored = sa.select(*columns_of(*(column.name for column in columns))).select_from(sa.table("mentions"))
    rebuild("mentions", columns, ["answer_key", "revision_key", "entity_key"], stored)
    for index, (names, condition) in INDICES.items():
        on_sqlite, on_postgresql = (
            sa.text(f"entity_key = 0 AND {condition.format(true)}") for true in ("1", "true")
        )
        op.create_index(
            index,
            "mentions",
            ["revision_key", *names],
            sqlite_where=on_sqlite,
            postgresql_where=on_postgresql,
        )
    count_rows("mentions")


def rebuild(
    name: str,
    columns: Sequence[sa.schema.SchemaItem],
    key: Sequence[str],
    rows: sa.Select[*tuple[Any, ...]],
    others: Mapping[str, str] = NO_OTHERS,
    **options: Any,
) -> None:
    """Write the rows of a table that hangs on answers anew: the columns of `rows` are the new ones, in their order.

    `others` says what a column beside the answer refers to.
    """
    connection = op.get_bind()
    constraints = [
        sa.ForeignKeyConstraint(
            ["answer_key"], ["answers.key"], name=op.f(f"fk_{name}_answer_key"), ondelete="CASCADE"
        ),
        *(
            sa.ForeignKeyConstraint([column], [target], name=op.f(f"fk_{name}_{column}"))
            for column, target in others.items()
        ),
        sa.PrimaryKeyConstraint(*key, name=op.f(f"pk_{name}")),
    ]
    later = constraints if connection.dialect.name == "postgresql" else []
    made = op.create_table(f"{name}_new", *columns, *([] if later else constraints), **options)
    connection.execute(sa.insert(made).from_select([column.name for column in made.c], rows))
    op.drop_table(name)
    op.rename_table(f"{name}_new", name)
    if later:  # checking all rows at once takes a fraction of checking each that is written
        op.create_primary_key(op.f(f"pk_{name}"), name, list(key))
        op.create_foreign_key(
            op.f(f"fk_{name}_answer_key"), name, "answers", ["answer_key"], ["key"], ondelete="CASCADE"
        )
        for column, target in others.items():
            table, _, referred = target.partition(".")
            op.create_foreign_key(op.f(f"fk_{name}_{column}"), name, table, [column], [referred])


def count_rows(*tables: str) -> None:
    """Give the planner its figures of tables that were made anew; it had them of those before."""
    for table in tables:
        if op.get_bind().execute(sa.text(f"SELECT 1 FROM {table} LIMIT 1")).first():
            op.execute(f"ANALYZE {table}")
