CREATE TABLE channels (
	key BIGSERIAL NOT NULL,
	platform TEXT NOT NULL,
	mode TEXT NOT NULL,
	source TEXT NOT NULL,
	country TEXT DEFAULT '' NOT NULL,
	CONSTRAINT pk_channels PRIMARY KEY (key)
);

CREATE UNIQUE INDEX uq_channels ON channels (platform, mode, source, country);

CREATE TABLE cited_urls (
	key BIGSERIAL NOT NULL,
	digest TEXT NOT NULL,
	url TEXT NOT NULL,
	title TEXT,
	CONSTRAINT pk_cited_urls PRIMARY KEY (key),
	CONSTRAINT uq_cited_urls_digest UNIQUE (digest)
);

CREATE TABLE companies (
	id TEXT NOT NULL,
	name TEXT NOT NULL,
	name_folded TEXT NOT NULL,
	plan TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	delete_at BIGINT,
	CONSTRAINT pk_companies PRIMARY KEY (id),
	CONSTRAINT uq_companies_name_folded UNIQUE (name_folded)
);

CREATE TABLE bot_address_lists (
	bot TEXT NOT NULL,
	source TEXT NOT NULL,
	prefixes TEXT NOT NULL,
	fetched_at BIGINT NOT NULL,
	CONSTRAINT pk_bot_address_lists PRIMARY KEY (bot)
);

CREATE TABLE announcements (
	id TEXT NOT NULL,
	title TEXT NOT NULL,
	body TEXT NOT NULL,
	effective_on DATE NOT NULL,
	tools TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_announcements PRIMARY KEY (id)
);

CREATE TABLE oauth_clients (
	id TEXT NOT NULL,
	source TEXT NOT NULL,
	document TEXT NOT NULL,
	secret_digest TEXT,
	created_at BIGINT NOT NULL,
	last_used_at BIGINT,
	CONSTRAINT pk_oauth_clients PRIMARY KEY (id),
	CONSTRAINT ck_oauth_clients_source CHECK (source IN ('registration', 'document'))
);

CREATE INDEX ix_oauth_clients_created ON oauth_clients (created_at);

CREATE TABLE oauth_pinned_clients (
	id TEXT NOT NULL,
	name TEXT NOT NULL,
	redirect_uris TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_oauth_pinned_clients PRIMARY KEY (id)
);

CREATE TABLE oauth_requests (
	digest TEXT NOT NULL,
	flow_digest TEXT NOT NULL,
	document TEXT NOT NULL,
	expires_at BIGINT NOT NULL,
	CONSTRAINT pk_oauth_requests PRIMARY KEY (digest)
);

CREATE INDEX ix_oauth_requests_expires ON oauth_requests (expires_at);

CREATE TABLE daily_rollups (
	revision_key BIGINT NOT NULL,
	entity_key BIGINT NOT NULL,
	day DATE NOT NULL,
	channel_key BIGINT NOT NULL,
	valid INTEGER NOT NULL,
	named INTEGER NOT NULL,
	scored_valid INTEGER NOT NULL,
	scored_named INTEGER NOT NULL,
	ranked INTEGER NOT NULL,
	rank_sum INTEGER NOT NULL,
	measurable INTEGER NOT NULL,
	cited_own INTEGER NOT NULL,
	CONSTRAINT pk_daily_rollups PRIMARY KEY (revision_key, entity_key, day, channel_key)
);

CREATE INDEX ix_daily_rollups_day ON daily_rollups (revision_key, day);

CREATE INDEX ix_daily_rollups_named ON daily_rollups (revision_key, entity_key, day, channel_key, named);

CREATE TABLE work_pauses (
	key INTEGER NOT NULL,
	reason TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_work_pauses PRIMARY KEY (key),
	CONSTRAINT ck_work_pauses_one CHECK (key = 1)
);

CREATE TABLE nightly_work (
	name TEXT NOT NULL,
	night DATE NOT NULL,
	CONSTRAINT pk_nightly_work PRIMARY KEY (name)
);

CREATE TABLE agent_instances (
	key BIGSERIAL NOT NULL,
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	name TEXT NOT NULL,
	name_folded TEXT NOT NULL,
	kind TEXT NOT NULL,
	version INTEGER NOT NULL,
	archived_at BIGINT,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL,
	CONSTRAINT pk_agent_instances PRIMARY KEY (key),
	CONSTRAINT uq_agent_instances_id UNIQUE (id),
	CONSTRAINT fk_agent_instances_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX uq_agent_instances_name ON agent_instances (company_id, name_folded);

CREATE TABLE brands (
	key BIGSERIAL NOT NULL,
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	name TEXT NOT NULL,
	name_folded TEXT NOT NULL,
	industry TEXT,
	website TEXT,
	voice TEXT,
	keywords TEXT NOT NULL,
	target_audience TEXT,
	category_words TEXT DEFAULT '[]' NOT NULL,
	facts TEXT DEFAULT '{}' NOT NULL,
	revision_key BIGINT,
	simulations INTEGER DEFAULT '0' NOT NULL,
	parsing INTEGER DEFAULT '0' NOT NULL,
	archived_at BIGINT,
	delete_at BIGINT,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL,
	CONSTRAINT pk_brands PRIMARY KEY (key),
	CONSTRAINT uq_brands_id UNIQUE (id),
	CONSTRAINT fk_brands_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX uq_brands_name ON brands (company_id, name_folded);

CREATE TABLE users (
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	email TEXT NOT NULL,
	name TEXT NOT NULL,
	role TEXT NOT NULL,
	password_hash TEXT,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_users PRIMARY KEY (id),
	CONSTRAINT ck_users_role CHECK (role IN ('owner', 'member', 'viewer')),
	CONSTRAINT fk_users_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT uq_users_email UNIQUE (email)
);

CREATE TABLE api_keys (
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	digest TEXT NOT NULL,
	prefix TEXT NOT NULL,
	last4 TEXT NOT NULL,
	description TEXT,
	status TEXT NOT NULL,
	scopes TEXT NOT NULL,
	expires_at BIGINT,
	last_used_at BIGINT,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_api_keys PRIMARY KEY (id),
	CONSTRAINT ck_api_keys_status CHECK (status IN ('active', 'revoked')),
	CONSTRAINT fk_api_keys_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT uq_api_keys_digest UNIQUE (digest)
);

CREATE INDEX ix_api_keys_company ON api_keys (company_id, created_at);

CREATE TABLE custom_workflows (
	key BIGSERIAL NOT NULL,
	company_id TEXT NOT NULL,
	workflow TEXT NOT NULL,
	version INTEGER NOT NULL,
	archived_at BIGINT,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL,
	CONSTRAINT pk_custom_workflows PRIMARY KEY (key),
	CONSTRAINT fk_custom_workflows_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX uq_custom_workflows_workflow ON custom_workflows (company_id, workflow);

CREATE TABLE readiness_scans (
	key BIGSERIAL NOT NULL,
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	url TEXT NOT NULL,
	url_key TEXT NOT NULL,
	host TEXT NOT NULL,
	site TEXT DEFAULT '' NOT NULL,
	declared TEXT DEFAULT '' NOT NULL,
	probed BOOLEAN DEFAULT false NOT NULL,
	visiting BOOLEAN DEFAULT false NOT NULL,
	state TEXT NOT NULL,
	reason TEXT,
	executor TEXT NOT NULL,
	counted BOOLEAN DEFAULT false NOT NULL,
	stage TEXT,
	requests INTEGER DEFAULT 0 NOT NULL,
	created_at BIGINT NOT NULL,
	ended_at BIGINT,
	CONSTRAINT pk_readiness_scans PRIMARY KEY (key),
	CONSTRAINT ck_readiness_scans_state CHECK (state IN ('running', 'completed', 'failed')),
	CONSTRAINT uq_readiness_scans_id UNIQUE (id),
	CONSTRAINT fk_readiness_scans_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE INDEX ix_readiness_scans_company ON readiness_scans (company_id, created_at);

CREATE INDEX ix_readiness_scans_visited ON readiness_scans (site, created_at);

CREATE UNIQUE INDEX uq_readiness_scans_site ON readiness_scans (site) WHERE visiting;

CREATE TABLE site_pages (
	slug TEXT NOT NULL,
	company_id TEXT NOT NULL,
	heading TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_site_pages PRIMARY KEY (slug),
	CONSTRAINT fk_site_pages_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX uq_site_pages_company ON site_pages (company_id);

CREATE TABLE idempotency_keys (
	company_id TEXT NOT NULL,
	key TEXT NOT NULL,
	request_sha256 TEXT NOT NULL,
	answer TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_idempotency_keys PRIMARY KEY (company_id, key),
	CONSTRAINT fk_idempotency_keys_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE TABLE budgets (
	company_id TEXT NOT NULL,
	currency TEXT NOT NULL,
	per_run BIGINT,
	per_day BIGINT,
	updated_at BIGINT NOT NULL,
	CONSTRAINT pk_budgets PRIMARY KEY (company_id),
	CONSTRAINT ck_budgets_limits CHECK (per_run >= 0 AND per_day >= 0),
	CONSTRAINT fk_budgets_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE TABLE daily_spending (
	company_id TEXT NOT NULL,
	day DATE NOT NULL,
	currency TEXT NOT NULL,
	spent BIGINT NOT NULL,
	CONSTRAINT pk_daily_spending PRIMARY KEY (company_id, day, currency),
	CONSTRAINT fk_daily_spending_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE TABLE webhooks (
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	host TEXT NOT NULL,
	last4 TEXT NOT NULL,
	sealed TEXT NOT NULL,
	format TEXT NOT NULL,
	kinds TEXT NOT NULL,
	state TEXT NOT NULL,
	disabled_reason TEXT,
	disabled_at BIGINT,
	delivered_at BIGINT,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_webhooks PRIMARY KEY (id),
	CONSTRAINT ck_webhooks_format CHECK (format IN ('standard', 'text', 'teams')),
	CONSTRAINT ck_webhooks_state CHECK (state IN ('active', 'disabled')),
	CONSTRAINT fk_webhooks_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE INDEX ix_webhooks_company ON webhooks (company_id, created_at);

CREATE TABLE sessions (
	digest TEXT NOT NULL,
	company_id TEXT NOT NULL,
	user_id TEXT NOT NULL,
	seen_at BIGINT NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_sessions PRIMARY KEY (digest),
	CONSTRAINT fk_sessions_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_sessions_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX ix_sessions_created ON sessions (created_at);

CREATE INDEX ix_sessions_user ON sessions (user_id);

CREATE TABLE invitations (
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	digest TEXT NOT NULL,
	email TEXT NOT NULL,
	role TEXT NOT NULL,
	invited_by TEXT,
	expires_at BIGINT NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_invitations PRIMARY KEY (id),
	CONSTRAINT ck_invitations_role CHECK (role IN ('owner', 'member', 'viewer')),
	CONSTRAINT fk_invitations_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT uq_invitations_digest UNIQUE (digest),
	CONSTRAINT fk_invitations_invited_by FOREIGN KEY(invited_by) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX ix_invitations_company ON invitations (company_id, created_at);

CREATE TABLE provider_credentials (
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	platform TEXT NOT NULL,
	sealed TEXT NOT NULL,
	last4 TEXT NOT NULL,
	state TEXT NOT NULL,
	added_by TEXT,
	tested_at BIGINT,
	last_used_at BIGINT,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_provider_credentials PRIMARY KEY (id),
	CONSTRAINT ck_provider_credentials_state CHECK (state IN ('untested', 'ok', 'rejected')),
	CONSTRAINT fk_provider_credentials_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_provider_credentials_added_by FOREIGN KEY(added_by) REFERENCES users (id) ON DELETE SET NULL
);

CREATE UNIQUE INDEX uq_provider_credentials_platform ON provider_credentials (company_id, platform);

CREATE TABLE agent_versions (
	instance_key BIGINT NOT NULL,
	version INTEGER NOT NULL,
	company_id TEXT NOT NULL,
	configuration TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_agent_versions PRIMARY KEY (instance_key, version),
	CONSTRAINT fk_agent_versions_instance_key FOREIGN KEY(instance_key) REFERENCES agent_instances (key) ON DELETE CASCADE,
	CONSTRAINT fk_agent_versions_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE TABLE agent_assignments (
	instance_key BIGINT NOT NULL,
	brand_key BIGINT NOT NULL,
	company_id TEXT NOT NULL,
	schedule TEXT,
	next_run_at BIGINT,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_agent_assignments PRIMARY KEY (instance_key, brand_key),
	CONSTRAINT fk_agent_assignments_instance_key FOREIGN KEY(instance_key) REFERENCES agent_instances (key) ON DELETE CASCADE,
	CONSTRAINT fk_agent_assignments_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE,
	CONSTRAINT fk_agent_assignments_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE INDEX ix_agent_assignments_next ON agent_assignments (next_run_at);

CREATE TABLE alert_rules (
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT NOT NULL,
	metric TEXT NOT NULL,
	direction TEXT NOT NULL,
	threshold FLOAT NOT NULL,
	email BOOLEAN NOT NULL,
	crossed BOOLEAN NOT NULL,
	created_by TEXT,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_alert_rules PRIMARY KEY (id),
	CONSTRAINT ck_alert_rules_direction CHECK (direction IN ('below', 'above')),
	CONSTRAINT fk_alert_rules_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_alert_rules_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE,
	CONSTRAINT fk_alert_rules_created_by FOREIGN KEY(created_by) REFERENCES users (id) ON DELETE SET NULL
);

CREATE INDEX ix_alert_rules_brand ON alert_rules (brand_key);

CREATE INDEX ix_alert_rules_company ON alert_rules (company_id);

CREATE TABLE annotations (
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT NOT NULL,
	day DATE NOT NULL,
	text TEXT NOT NULL,
	created_by TEXT,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_annotations PRIMARY KEY (id),
	CONSTRAINT fk_annotations_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_annotations_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE,
	CONSTRAINT fk_annotations_created_by FOREIGN KEY(created_by) REFERENCES users (id) ON DELETE SET NULL
);

CREATE INDEX ix_annotations_brand ON annotations (brand_key, day);

CREATE INDEX ix_annotations_company ON annotations (company_id);

CREATE TABLE competitors (
	key BIGSERIAL NOT NULL,
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT NOT NULL,
	name TEXT NOT NULL,
	name_folded TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	dropped_at BIGINT,
	CONSTRAINT pk_competitors PRIMARY KEY (key),
	CONSTRAINT uq_competitors_id UNIQUE (id),
	CONSTRAINT fk_competitors_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_competitors_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE
);

CREATE UNIQUE INDEX uq_competitors_name ON competitors (brand_key, name_folded);

CREATE TABLE repository_items (
	key BIGSERIAL NOT NULL,
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT NOT NULL,
	title TEXT NOT NULL,
	body TEXT NOT NULL,
	category TEXT NOT NULL,
	url TEXT,
	title_words TEXT NOT NULL,
	body_words TEXT NOT NULL,
	draft_key TEXT,
	written_sha256 TEXT,
	brief TEXT,
	review TEXT,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL,
	CONSTRAINT pk_repository_items PRIMARY KEY (key),
	CONSTRAINT uq_repository_items_id UNIQUE (id),
	CONSTRAINT fk_repository_items_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_repository_items_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE
);

CREATE INDEX ix_repository_items_category ON repository_items (brand_key, category, updated_at, key);

CREATE INDEX ix_repository_items_page ON repository_items (brand_key, updated_at, key);

CREATE TEXT SEARCH DICTIONARY seenby_stem (TEMPLATE = snowball, LANGUAGE = english);

CREATE TEXT SEARCH CONFIGURATION seenby (COPY = pg_catalog.english);

ALTER TEXT SEARCH CONFIGURATION seenby ALTER MAPPING REPLACE english_stem WITH seenby_stem;

ALTER TABLE repository_items ADD COLUMN search tsvector GENERATED ALWAYS AS (
    setweight(to_tsvector('seenby', title_words), 'A')
    || setweight(to_tsvector('seenby', body_words), 'C')
) STORED;

CREATE INDEX ix_repository_items_search ON repository_items USING gin (search);

CREATE TABLE analysis_revisions (
	key BIGSERIAL NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT NOT NULL,
	versions TEXT NOT NULL,
	fingerprint TEXT NOT NULL,
	state TEXT NOT NULL,
	parsing INTEGER DEFAULT '0' NOT NULL,
	created_at BIGINT NOT NULL,
	replaced_at BIGINT,
	CONSTRAINT pk_analysis_revisions PRIMARY KEY (key),
	CONSTRAINT ck_analysis_revisions_state CHECK (state IN ('building', 'current', 'retired')),
	CONSTRAINT fk_analysis_revisions_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_analysis_revisions_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE
);

CREATE INDEX ix_analysis_revisions_brand ON analysis_revisions (brand_key, fingerprint);

CREATE TABLE company_notifications (
	key BIGSERIAL NOT NULL,
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT,
	kind TEXT NOT NULL,
	severity TEXT NOT NULL,
	title TEXT NOT NULL,
	message TEXT NOT NULL,
	dedup_key TEXT NOT NULL,
	issue_id TEXT,
	run_id TEXT,
	path TEXT,
	folded INTEGER,
	read_at BIGINT,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_company_notifications PRIMARY KEY (key),
	CONSTRAINT ck_company_notifications_kind CHECK (kind IN ('bot_access', 'crawler_error', 'content_gap', 'ai_mention', 'system_alert')),
	CONSTRAINT uq_company_notifications_id UNIQUE (id),
	CONSTRAINT fk_company_notifications_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_company_notifications_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE
);

CREATE INDEX ix_company_notifications_brand ON company_notifications (brand_key, created_at);

CREATE INDEX ix_company_notifications_page ON company_notifications (company_id, created_at, key);

CREATE UNIQUE INDEX uq_company_notifications_dedup ON company_notifications (company_id, dedup_key);

CREATE TABLE crawler_visits (
	key BIGSERIAL NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT NOT NULL,
	day DATE NOT NULL,
	site TEXT NOT NULL,
	bot TEXT NOT NULL,
	path TEXT NOT NULL,
	status_class INTEGER NOT NULL,
	verification TEXT NOT NULL,
	visits BIGINT NOT NULL,
	CONSTRAINT pk_crawler_visits PRIMARY KEY (key),
	CONSTRAINT ck_crawler_visits_verification CHECK (verification IN ('verified', 'not_verified', 'not_this_bot')),
	CONSTRAINT fk_crawler_visits_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_crawler_visits_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE
);

CREATE INDEX ix_crawler_visits_company ON crawler_visits (company_id);

CREATE UNIQUE INDEX uq_crawler_visits_count ON crawler_visits (brand_key, day, site, bot, path, status_class, verification);

CREATE TABLE ai_referrals (
	key BIGSERIAL NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT NOT NULL,
	day DATE NOT NULL,
	site TEXT NOT NULL,
	product TEXT NOT NULL,
	path TEXT NOT NULL,
	visits BIGINT NOT NULL,
	CONSTRAINT pk_ai_referrals PRIMARY KEY (key),
	CONSTRAINT fk_ai_referrals_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_ai_referrals_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE
);

CREATE INDEX ix_ai_referrals_company ON ai_referrals (company_id);

CREATE UNIQUE INDEX uq_ai_referrals_count ON ai_referrals (brand_key, day, site, product, path);

CREATE TABLE log_intakes (
	key BIGSERIAL NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT NOT NULL,
	day DATE NOT NULL,
	source TEXT NOT NULL,
	lines BIGINT NOT NULL,
	counted BIGINT NOT NULL,
	duplicates BIGINT NOT NULL,
	skipped BIGINT NOT NULL,
	last_at BIGINT NOT NULL,
	CONSTRAINT pk_log_intakes PRIMARY KEY (key),
	CONSTRAINT ck_log_intakes_source CHECK (source IN ('file', 'endpoint')),
	CONSTRAINT fk_log_intakes_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_log_intakes_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE
);

CREATE INDEX ix_log_intakes_company ON log_intakes (company_id);

CREATE UNIQUE INDEX uq_log_intakes_day ON log_intakes (brand_key, day, source);

CREATE TABLE counted_log_lines (
	brand_key BIGINT NOT NULL,
	day DATE NOT NULL,
	digest BIGINT NOT NULL,
	company_id TEXT NOT NULL,
	CONSTRAINT pk_counted_log_lines PRIMARY KEY (brand_key, day, digest),
	CONSTRAINT fk_counted_log_lines_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE,
	CONSTRAINT fk_counted_log_lines_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE INDEX ix_counted_log_lines_company ON counted_log_lines (company_id);

CREATE INDEX ix_counted_log_lines_day ON counted_log_lines (day);

CREATE TABLE custom_workflow_versions (
	workflow_key BIGINT NOT NULL,
	version INTEGER NOT NULL,
	company_id TEXT NOT NULL,
	definition TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_custom_workflow_versions PRIMARY KEY (workflow_key, version),
	CONSTRAINT fk_custom_workflow_versions_workflow_key FOREIGN KEY(workflow_key) REFERENCES custom_workflows (key) ON DELETE CASCADE,
	CONSTRAINT fk_custom_workflow_versions_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE INDEX ix_custom_workflow_versions_company ON custom_workflow_versions (company_id);

CREATE TABLE issues (
	key BIGSERIAL NOT NULL,
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT NOT NULL,
	fingerprint TEXT NOT NULL,
	kind TEXT NOT NULL,
	check_id TEXT NOT NULL,
	subject TEXT NOT NULL,
	severity TEXT NOT NULL,
	title TEXT NOT NULL,
	url TEXT,
	evidence TEXT NOT NULL,
	state TEXT NOT NULL,
	occurrences INTEGER NOT NULL,
	clean INTEGER NOT NULL,
	reopened INTEGER NOT NULL,
	first_seen BIGINT NOT NULL,
	last_seen BIGINT NOT NULL,
	CONSTRAINT pk_issues PRIMARY KEY (key),
	CONSTRAINT ck_issues_kind CHECK (kind IN ('bot_access', 'crawler_error', 'content_gap', 'readiness', 'accuracy', 'reputation')),
	CONSTRAINT ck_issues_severity CHECK (severity IN ('critical', 'warning', 'info')),
	CONSTRAINT ck_issues_state CHECK (state IN ('candidate', 'open', 'resolved', 'dismissed')),
	CONSTRAINT uq_issues_id UNIQUE (id),
	CONSTRAINT fk_issues_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_issues_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE
);

CREATE INDEX ix_issues_kind ON issues (brand_key, kind);

CREATE INDEX ix_issues_open ON issues (brand_key, state, severity);

CREATE UNIQUE INDEX uq_issues_fingerprint ON issues (company_id, fingerprint);

CREATE TABLE notification_choices (
	company_id TEXT NOT NULL,
	user_id TEXT NOT NULL,
	kind TEXT NOT NULL,
	means TEXT NOT NULL,
	CONSTRAINT pk_notification_choices PRIMARY KEY (user_id, kind, means),
	CONSTRAINT ck_notification_choices_kind CHECK (kind IN ('bot_access', 'crawler_error', 'content_gap', 'ai_mention', 'system_alert', 'weekly_report', 'monthly_report')),
	CONSTRAINT fk_notification_choices_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_notification_choices_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX ix_notification_choices_kind ON notification_choices (company_id, kind);

CREATE TABLE mails (
	key BIGSERIAL NOT NULL,
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	user_id TEXT,
	kind TEXT NOT NULL,
	recipient TEXT NOT NULL,
	content TEXT NOT NULL,
	sealed TEXT,
	dedup_key TEXT NOT NULL,
	state TEXT NOT NULL,
	attempts INTEGER NOT NULL,
	reply INTEGER,
	due_at BIGINT NOT NULL,
	ended_at BIGINT,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_mails PRIMARY KEY (key),
	CONSTRAINT ck_mails_kind CHECK (kind IN ('invitation', 'sign_up', 'password_reset', 'alert', 'weekly_report', 'monthly_report', 'announcement')),
	CONSTRAINT ck_mails_state CHECK (state IN ('queued', 'delivered', 'refused', 'given_up')),
	CONSTRAINT uq_mails_id UNIQUE (id),
	CONSTRAINT fk_mails_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_mails_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL
);

CREATE INDEX ix_mails_due ON mails (state, due_at);

CREATE INDEX ix_mails_page ON mails (company_id, created_at);

CREATE UNIQUE INDEX uq_mails_dedup ON mails (company_id, dedup_key);

CREATE TABLE password_resets (
	digest TEXT NOT NULL,
	company_id TEXT NOT NULL,
	user_id TEXT NOT NULL,
	expires_at BIGINT NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_password_resets PRIMARY KEY (digest),
	CONSTRAINT fk_password_resets_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_password_resets_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX ix_password_resets_user ON password_resets (user_id);

CREATE TABLE monitor_schedules (
	brand_key BIGINT NOT NULL,
	script TEXT NOT NULL,
	company_id TEXT NOT NULL,
	next_run_at BIGINT NOT NULL,
	awaited_since BIGINT,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_monitor_schedules PRIMARY KEY (brand_key, script),
	CONSTRAINT fk_monitor_schedules_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE,
	CONSTRAINT fk_monitor_schedules_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE INDEX ix_monitor_schedules_next ON monitor_schedules (next_run_at);

CREATE TABLE monitor_results (
	key BIGSERIAL NOT NULL,
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT NOT NULL,
	script TEXT NOT NULL,
	slot BIGINT NOT NULL,
	status TEXT NOT NULL,
	error_code TEXT,
	metrics TEXT NOT NULL,
	memory TEXT NOT NULL,
	started_at BIGINT NOT NULL,
	finished_at BIGINT NOT NULL,
	CONSTRAINT pk_monitor_results PRIMARY KEY (key),
	CONSTRAINT ck_monitor_results_status CHECK (status IN ('ok', 'issues', 'error', 'skipped')),
	CONSTRAINT uq_monitor_results_id UNIQUE (id),
	CONSTRAINT fk_monitor_results_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_monitor_results_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE
);

CREATE INDEX ix_monitor_results_latest ON monitor_results (brand_key, script, finished_at, key);

CREATE UNIQUE INDEX uq_monitor_results_slot ON monitor_results (brand_key, script, slot);

CREATE TABLE oauth_grants (
	id TEXT NOT NULL,
	client_id TEXT NOT NULL,
	user_id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	redirect_uri TEXT NOT NULL,
	scopes TEXT NOT NULL,
	resource TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	expires_at BIGINT NOT NULL,
	last_used_at BIGINT,
	revoked_at BIGINT,
	reason TEXT,
	CONSTRAINT pk_oauth_grants PRIMARY KEY (id),
	CONSTRAINT fk_oauth_grants_client_id FOREIGN KEY(client_id) REFERENCES oauth_clients (id) ON DELETE CASCADE,
	CONSTRAINT fk_oauth_grants_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_oauth_grants_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE INDEX ix_oauth_grants_client ON oauth_grants (client_id);

CREATE INDEX ix_oauth_grants_company ON oauth_grants (company_id, created_at);

CREATE INDEX ix_oauth_grants_user ON oauth_grants (user_id, client_id);

CREATE TABLE prompt_sets (
	key BIGSERIAL NOT NULL,
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT,
	name TEXT NOT NULL,
	name_folded TEXT NOT NULL,
	description TEXT,
	version INTEGER NOT NULL,
	platforms TEXT NOT NULL,
	mode TEXT NOT NULL,
	repeats INTEGER NOT NULL,
	countries TEXT DEFAULT '[]' NOT NULL,
	language TEXT,
	city TEXT,
	region TEXT,
	timezone TEXT,
	device TEXT,
	schedule TEXT,
	next_run_at BIGINT,
	archived_at BIGINT,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL,
	CONSTRAINT pk_prompt_sets PRIMARY KEY (key),
	CONSTRAINT uq_prompt_sets_id UNIQUE (id),
	CONSTRAINT fk_prompt_sets_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_prompt_sets_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE
);

CREATE INDEX ix_prompt_sets_next ON prompt_sets (next_run_at);

CREATE UNIQUE INDEX uq_prompt_sets_name ON prompt_sets (company_id, name_folded);

CREATE TABLE wordpress_sites (
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	url TEXT NOT NULL,
	username TEXT NOT NULL,
	sealed TEXT NOT NULL,
	state TEXT NOT NULL,
	added_by TEXT,
	tested_at BIGINT,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_wordpress_sites PRIMARY KEY (id),
	CONSTRAINT ck_wordpress_sites_state CHECK (state IN ('untested', 'ok', 'refused')),
	CONSTRAINT fk_wordpress_sites_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_wordpress_sites_added_by FOREIGN KEY(added_by) REFERENCES users (id) ON DELETE SET NULL
);

CREATE UNIQUE INDEX uq_wordpress_sites_company ON wordpress_sites (company_id);

CREATE TABLE readiness_reports (
	key BIGSERIAL NOT NULL,
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	scan_key BIGINT NOT NULL,
	url_key TEXT NOT NULL,
	final_url_key TEXT NOT NULL,
	public BOOLEAN NOT NULL,
	model_version TEXT NOT NULL,
	catalogue_sha256 TEXT NOT NULL,
	scanned_at BIGINT NOT NULL,
	site_unseen BOOLEAN DEFAULT false NOT NULL,
	score INTEGER,
	report TEXT NOT NULL,
	CONSTRAINT pk_readiness_reports PRIMARY KEY (key),
	CONSTRAINT uq_readiness_reports_id UNIQUE (id),
	CONSTRAINT fk_readiness_reports_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_readiness_reports_scan_key FOREIGN KEY(scan_key) REFERENCES readiness_scans (key) ON DELETE CASCADE
);

CREATE INDEX ix_readiness_reports_company ON readiness_reports (company_id, scanned_at);

CREATE INDEX ix_readiness_reports_final_url ON readiness_reports (final_url_key, public, scanned_at);

CREATE INDEX ix_readiness_reports_public ON readiness_reports (public, scanned_at);

CREATE INDEX ix_readiness_reports_url ON readiness_reports (url_key, public, scanned_at);

CREATE UNIQUE INDEX uq_readiness_reports_scan ON readiness_reports (scan_key);

CREATE TABLE shared_reports (
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT NOT NULL,
	digest TEXT NOT NULL,
	report TEXT NOT NULL,
	shared_by TEXT,
	expires_at BIGINT NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_shared_reports PRIMARY KEY (id),
	CONSTRAINT fk_shared_reports_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_shared_reports_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE,
	CONSTRAINT uq_shared_reports_digest UNIQUE (digest),
	CONSTRAINT fk_shared_reports_shared_by FOREIGN KEY(shared_by) REFERENCES users (id) ON DELETE SET NULL
);

CREATE INDEX ix_shared_reports_brand ON shared_reports (brand_key);

CREATE INDEX ix_shared_reports_company ON shared_reports (company_id, created_at);

CREATE TABLE site_page_brands (
	brand_key BIGINT NOT NULL,
	company_id TEXT NOT NULL,
	CONSTRAINT pk_site_page_brands PRIMARY KEY (brand_key),
	CONSTRAINT fk_site_page_brands_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE,
	CONSTRAINT fk_site_page_brands_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE INDEX ix_site_page_brands_company ON site_page_brands (company_id);

CREATE TABLE workflow_runs (
	key BIGSERIAL NOT NULL,
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT NOT NULL,
	workflow TEXT NOT NULL,
	instance_key BIGINT,
	instance_version INTEGER,
	workflow_version INTEGER,
	status TEXT NOT NULL,
	priority TEXT NOT NULL,
	context TEXT,
	configuration TEXT NOT NULL,
	cost INTEGER NOT NULL,
	period TEXT NOT NULL,
	error_code TEXT,
	created_at BIGINT NOT NULL,
	started_at BIGINT,
	finished_at BIGINT,
	CONSTRAINT pk_workflow_runs PRIMARY KEY (key),
	CONSTRAINT ck_workflow_runs_status CHECK (status IN ('pending', 'running', 'completed', 'partial_complete', 'failed', 'cancelled')),
	CONSTRAINT ck_workflow_runs_priority CHECK (priority IN ('low', 'normal', 'high')),
	CONSTRAINT ck_workflow_runs_cost CHECK (cost >= 0),
	CONSTRAINT uq_workflow_runs_id UNIQUE (id),
	CONSTRAINT fk_workflow_runs_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_workflow_runs_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE,
	CONSTRAINT fk_workflow_runs_instance_key FOREIGN KEY(instance_key) REFERENCES agent_instances (key) ON DELETE CASCADE
);

CREATE INDEX ix_workflow_runs_brand ON workflow_runs (brand_key, key);

CREATE INDEX ix_workflow_runs_company_status ON workflow_runs (company_id, status, workflow);

CREATE INDEX ix_workflow_runs_instance ON workflow_runs (instance_key, created_at);

CREATE INDEX ix_workflow_runs_page ON workflow_runs (company_id, created_at, key);

CREATE INDEX ix_workflow_runs_status ON workflow_runs (status, finished_at);

CREATE TABLE competitor_suggestions (
	key BIGSERIAL NOT NULL,
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT NOT NULL,
	name TEXT NOT NULL,
	name_folded TEXT NOT NULL,
	state TEXT NOT NULL,
	answers INTEGER NOT NULL,
	prompts INTEGER NOT NULL,
	beside INTEGER NOT NULL,
	platforms TEXT NOT NULL,
	evidence TEXT NOT NULL,
	method TEXT NOT NULL,
	first_seen BIGINT NOT NULL,
	last_seen BIGINT NOT NULL,
	decided_at BIGINT,
	CONSTRAINT pk_competitor_suggestions PRIMARY KEY (key),
	CONSTRAINT ck_competitor_suggestions_state CHECK (state IN ('suggested', 'confirmed', 'dismissed')),
	CONSTRAINT uq_competitor_suggestions_id UNIQUE (id),
	CONSTRAINT fk_competitor_suggestions_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_competitor_suggestions_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE
);

CREATE UNIQUE INDEX uq_competitor_suggestions_name ON competitor_suggestions (brand_key, name_folded);

CREATE TABLE suggestion_looks (
	brand_key BIGINT NOT NULL,
	company_id TEXT NOT NULL,
	fingerprint TEXT NOT NULL,
	answers INTEGER NOT NULL,
	looked_at BIGINT NOT NULL,
	CONSTRAINT pk_suggestion_looks PRIMARY KEY (brand_key),
	CONSTRAINT fk_suggestion_looks_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE,
	CONSTRAINT fk_suggestion_looks_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE TABLE webhook_deliveries (
	key BIGSERIAL NOT NULL,
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	webhook_id TEXT NOT NULL,
	kind TEXT NOT NULL,
	content TEXT NOT NULL,
	dedup_key TEXT NOT NULL,
	state TEXT NOT NULL,
	attempts INTEGER NOT NULL,
	outcome TEXT,
	reply INTEGER,
	due_at BIGINT NOT NULL,
	ended_at BIGINT,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_webhook_deliveries PRIMARY KEY (key),
	CONSTRAINT ck_webhook_deliveries_state CHECK (state IN ('queued', 'delivered', 'refused', 'given_up')),
	CONSTRAINT uq_webhook_deliveries_id UNIQUE (id),
	CONSTRAINT fk_webhook_deliveries_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_webhook_deliveries_webhook_id FOREIGN KEY(webhook_id) REFERENCES webhooks (id) ON DELETE CASCADE
);

CREATE INDEX ix_webhook_deliveries_due ON webhook_deliveries (state, due_at);

CREATE INDEX ix_webhook_deliveries_page ON webhook_deliveries (company_id, created_at);

CREATE UNIQUE INDEX uq_webhook_deliveries_dedup ON webhook_deliveries (webhook_id, dedup_key);

CREATE TABLE actions (
	key BIGSERIAL NOT NULL,
	company_id TEXT NOT NULL,
	issue_key BIGINT NOT NULL,
	state TEXT NOT NULL,
	done_on DATE,
	reason TEXT,
	assignee_id TEXT,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL,
	CONSTRAINT pk_actions PRIMARY KEY (key),
	CONSTRAINT ck_actions_state CHECK (state IN ('open', 'planned', 'done', 'dismissed')),
	CONSTRAINT fk_actions_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_actions_issue_key FOREIGN KEY(issue_key) REFERENCES issues (key) ON DELETE CASCADE,
	CONSTRAINT fk_actions_assignee_id FOREIGN KEY(assignee_id) REFERENCES users (id) ON DELETE SET NULL
);

CREATE INDEX ix_actions_assignee ON actions (assignee_id);

CREATE UNIQUE INDEX uq_actions_issue ON actions (issue_key);

CREATE TABLE mention_audits (
	key BIGSERIAL NOT NULL,
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT NOT NULL,
	revision_key BIGINT NOT NULL,
	seed BIGINT NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_mention_audits PRIMARY KEY (key),
	CONSTRAINT uq_mention_audits_id UNIQUE (id),
	CONSTRAINT fk_mention_audits_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_mention_audits_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE,
	CONSTRAINT fk_mention_audits_revision_key FOREIGN KEY(revision_key) REFERENCES analysis_revisions (key) ON DELETE CASCADE
);

CREATE INDEX ix_mention_audits_brand ON mention_audits (brand_key);

CREATE TABLE brand_aliases (
	key BIGSERIAL NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT NOT NULL,
	competitor_key BIGINT,
	text TEXT NOT NULL,
	exact_case BOOLEAN NOT NULL,
	ambiguous BOOLEAN,
	negative BOOLEAN NOT NULL,
	CONSTRAINT pk_brand_aliases PRIMARY KEY (key),
	CONSTRAINT fk_brand_aliases_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_brand_aliases_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE,
	CONSTRAINT fk_brand_aliases_competitor_key FOREIGN KEY(competitor_key) REFERENCES competitors (key) ON DELETE CASCADE
);

CREATE INDEX ix_brand_aliases_brand ON brand_aliases (brand_key);

CREATE TABLE brand_domains (
	key BIGSERIAL NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT NOT NULL,
	competitor_key BIGINT,
	value TEXT NOT NULL,
	CONSTRAINT pk_brand_domains PRIMARY KEY (key),
	CONSTRAINT fk_brand_domains_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_brand_domains_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE,
	CONSTRAINT fk_brand_domains_competitor_key FOREIGN KEY(competitor_key) REFERENCES competitors (key) ON DELETE CASCADE
);

CREATE INDEX ix_brand_domains_brand ON brand_domains (brand_key);

CREATE TABLE oauth_codes (
	digest TEXT NOT NULL,
	grant_id TEXT NOT NULL,
	redirect_uri TEXT,
	code_challenge TEXT NOT NULL,
	expires_at BIGINT NOT NULL,
	used_at BIGINT,
	CONSTRAINT pk_oauth_codes PRIMARY KEY (digest),
	CONSTRAINT fk_oauth_codes_grant_id FOREIGN KEY(grant_id) REFERENCES oauth_grants (id) ON DELETE CASCADE
);

CREATE INDEX ix_oauth_codes_expires ON oauth_codes (expires_at);

CREATE INDEX ix_oauth_codes_grant ON oauth_codes (grant_id);

CREATE TABLE oauth_tokens (
	digest TEXT NOT NULL,
	kind TEXT NOT NULL,
	grant_id TEXT NOT NULL,
	scopes TEXT NOT NULL,
	expires_at BIGINT NOT NULL,
	used_at BIGINT,
	retries INTEGER NOT NULL,
	CONSTRAINT pk_oauth_tokens PRIMARY KEY (digest),
	CONSTRAINT ck_oauth_tokens_kind CHECK (kind IN ('access', 'refresh')),
	CONSTRAINT fk_oauth_tokens_grant_id FOREIGN KEY(grant_id) REFERENCES oauth_grants (id) ON DELETE CASCADE
);

CREATE INDEX ix_oauth_tokens_expires ON oauth_tokens (expires_at);

CREATE INDEX ix_oauth_tokens_grant ON oauth_tokens (grant_id);

CREATE TABLE prompts (
	key BIGSERIAL NOT NULL,
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	prompt_set_key BIGINT,
	text TEXT NOT NULL,
	text_sha256 TEXT NOT NULL,
	position INTEGER NOT NULL,
	intent TEXT,
	tags TEXT NOT NULL,
	branded BOOLEAN,
	language TEXT,
	country TEXT,
	city TEXT,
	active BOOLEAN NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_prompts PRIMARY KEY (key),
	CONSTRAINT uq_prompts_id UNIQUE (id),
	CONSTRAINT fk_prompts_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_prompts_prompt_set_key FOREIGN KEY(prompt_set_key) REFERENCES prompt_sets (key) ON DELETE CASCADE
);

CREATE INDEX ix_prompts_set ON prompts (prompt_set_key, position);

CREATE INDEX ix_prompts_text ON prompts (company_id, text_sha256);

CREATE TABLE run_batches (
	key BIGSERIAL NOT NULL,
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT NOT NULL,
	prompt_set_key BIGINT,
	prompt_set_version INTEGER,
	run_key BIGINT,
	source TEXT NOT NULL,
	status TEXT NOT NULL,
	plan_sha256 TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	finished_at BIGINT,
	CONSTRAINT pk_run_batches PRIMARY KEY (key),
	CONSTRAINT ck_run_batches_status CHECK (status IN ('running', 'success', 'failed', 'cancelled')),
	CONSTRAINT uq_run_batches_id UNIQUE (id),
	CONSTRAINT fk_run_batches_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_run_batches_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE,
	CONSTRAINT fk_run_batches_prompt_set_key FOREIGN KEY(prompt_set_key) REFERENCES prompt_sets (key),
	CONSTRAINT fk_run_batches_run_key FOREIGN KEY(run_key) REFERENCES workflow_runs (key)
);

CREATE INDEX ix_run_batches_brand ON run_batches (brand_key, status, finished_at);

CREATE INDEX ix_run_batches_prompt_set ON run_batches (prompt_set_key, key);

CREATE INDEX ix_run_batches_run ON run_batches (run_key);

CREATE TABLE wordpress_posts (
	company_id TEXT NOT NULL,
	site_id TEXT NOT NULL,
	item_id TEXT NOT NULL,
	slug TEXT NOT NULL,
	post_id INTEGER,
	outcome TEXT,
	reply INTEGER,
	claimed_until BIGINT NOT NULL,
	sent_at BIGINT,
	CONSTRAINT pk_wordpress_posts PRIMARY KEY (site_id, item_id),
	CONSTRAINT fk_wordpress_posts_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_wordpress_posts_site_id FOREIGN KEY(site_id) REFERENCES wordpress_sites (id) ON DELETE CASCADE
);

CREATE TABLE run_agents (
	run_key BIGINT NOT NULL,
	agent TEXT NOT NULL,
	company_id TEXT NOT NULL,
	position INTEGER NOT NULL,
	price INTEGER NOT NULL,
	status TEXT NOT NULL,
	attempts INTEGER NOT NULL,
	done INTEGER,
	total INTEGER,
	summary TEXT,
	output TEXT,
	error_code TEXT,
	started_at BIGINT,
	finished_at BIGINT,
	CONSTRAINT pk_run_agents PRIMARY KEY (run_key, agent),
	CONSTRAINT ck_run_agents_status CHECK (status IN ('pending', 'running', 'completed', 'failed', 'skipped', 'cancelled')),
	CONSTRAINT ck_run_agents_price CHECK (price >= 0),
	CONSTRAINT fk_run_agents_run_key FOREIGN KEY(run_key) REFERENCES workflow_runs (key) ON DELETE CASCADE,
	CONSTRAINT fk_run_agents_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE TABLE written_texts (
	run_key BIGINT NOT NULL,
	agent TEXT NOT NULL,
	ordinal INTEGER NOT NULL,
	company_id TEXT NOT NULL,
	question_sha256 TEXT NOT NULL,
	text TEXT NOT NULL,
	model TEXT NOT NULL,
	CONSTRAINT pk_written_texts PRIMARY KEY (run_key, agent, ordinal),
	CONSTRAINT fk_written_texts_run_key FOREIGN KEY(run_key) REFERENCES workflow_runs (key) ON DELETE CASCADE,
	CONSTRAINT fk_written_texts_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE TABLE findings (
	key BIGSERIAL NOT NULL,
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	run_key BIGINT NOT NULL,
	agent TEXT NOT NULL,
	ordinal INTEGER NOT NULL,
	severity TEXT NOT NULL,
	kind TEXT NOT NULL,
	title TEXT NOT NULL,
	detail TEXT NOT NULL,
	evidence TEXT NOT NULL,
	fix TEXT,
	effort TEXT,
	check_id TEXT,
	issue_id TEXT,
	CONSTRAINT pk_findings PRIMARY KEY (key),
	CONSTRAINT ck_findings_severity CHECK (severity IN ('critical', 'warning', 'info')),
	CONSTRAINT uq_findings_id UNIQUE (id),
	CONSTRAINT fk_findings_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_findings_run_key FOREIGN KEY(run_key) REFERENCES workflow_runs (key) ON DELETE CASCADE
);

CREATE UNIQUE INDEX uq_findings_ordinal ON findings (run_key, agent, ordinal);

CREATE TABLE credit_ledger (
	key BIGSERIAL NOT NULL,
	company_id TEXT NOT NULL,
	period TEXT NOT NULL,
	run_key BIGINT,
	kind TEXT NOT NULL,
	amount INTEGER NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_credit_ledger PRIMARY KEY (key),
	CONSTRAINT ck_credit_ledger_kind CHECK (kind IN ('reserve', 'settle', 'refund', 'grant')),
	CONSTRAINT ck_credit_ledger_amount CHECK (amount >= 0),
	CONSTRAINT ck_credit_ledger_run CHECK (kind <> 'grant' OR run_key IS NULL),
	CONSTRAINT fk_credit_ledger_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_credit_ledger_run_key FOREIGN KEY(run_key) REFERENCES workflow_runs (key) ON DELETE CASCADE
);

CREATE INDEX ix_credit_ledger_period ON credit_ledger (company_id, period, kind);

CREATE UNIQUE INDEX uq_credit_ledger_run ON credit_ledger (run_key, kind);

CREATE TABLE channel_health (
	batch_key BIGINT NOT NULL,
	platform TEXT NOT NULL,
	mode TEXT NOT NULL,
	country TEXT NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT NOT NULL,
	planned INTEGER NOT NULL,
	failed INTEGER NOT NULL,
	refused INTEGER NOT NULL,
	valid INTEGER NOT NULL,
	answered INTEGER NOT NULL,
	searched INTEGER NOT NULL,
	measurable INTEGER NOT NULL,
	citing INTEGER NOT NULL,
	truncated INTEGER NOT NULL,
	served_models TEXT NOT NULL,
	median_latency_ms INTEGER,
	no_credential BOOLEAN NOT NULL,
	alerts TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_channel_health PRIMARY KEY (batch_key, platform, mode, country),
	CONSTRAINT fk_channel_health_batch_key FOREIGN KEY(batch_key) REFERENCES run_batches (key) ON DELETE CASCADE,
	CONSTRAINT fk_channel_health_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_channel_health_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE
);

CREATE INDEX ix_channel_health_latest ON channel_health (brand_key, platform, mode, country, created_at);

CREATE TABLE simulations (
	key BIGSERIAL NOT NULL,
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT NOT NULL,
	batch_key BIGINT NOT NULL,
	platform TEXT NOT NULL,
	mode TEXT NOT NULL,
	country TEXT DEFAULT '' NOT NULL,
	not_supported TEXT DEFAULT '[]' NOT NULL,
	source TEXT NOT NULL,
	status TEXT NOT NULL,
	custom_query TEXT,
	accuracy_score INTEGER,
	planned INTEGER NOT NULL,
	answered INTEGER NOT NULL,
	failed INTEGER NOT NULL,
	created_at BIGINT NOT NULL,
	finished_at BIGINT,
	CONSTRAINT pk_simulations PRIMARY KEY (key),
	CONSTRAINT ck_simulations_status CHECK (status IN ('running', 'completed', 'degraded', 'failed', 'cancelled')),
	CONSTRAINT uq_simulations_id UNIQUE (id),
	CONSTRAINT fk_simulations_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_simulations_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE,
	CONSTRAINT fk_simulations_batch_key FOREIGN KEY(batch_key) REFERENCES run_batches (key) ON DELETE CASCADE
);

CREATE INDEX ix_simulations_batch ON simulations (batch_key);

CREATE INDEX ix_simulations_brand ON simulations (brand_key, created_at, key);

CREATE INDEX ix_simulations_company ON simulations (company_id, created_at, key, platform, mode, country);

CREATE INDEX ix_simulations_country ON simulations (company_id, country);

CREATE INDEX ix_simulations_platform ON simulations (company_id, platform);

CREATE TABLE score_calculations (
	key BIGSERIAL NOT NULL,
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT NOT NULL,
	revision_key BIGINT NOT NULL,
	batch_key BIGINT NOT NULL,
	receipt_id TEXT NOT NULL,
	status TEXT NOT NULL,
	score FLOAT,
	headline BYTEA NOT NULL,
	platforms BYTEA NOT NULL,
	rankings BYTEA NOT NULL,
	receipt BYTEA NOT NULL,
	replay_of BIGINT,
	calculated_at BIGINT NOT NULL,
	signature TEXT NOT NULL,
	CONSTRAINT pk_score_calculations PRIMARY KEY (key),
	CONSTRAINT ck_score_calculations_status CHECK (status IN ('measured', 'insufficient_data', 'not_measured')),
	CONSTRAINT uq_score_calculations_id UNIQUE (id),
	CONSTRAINT fk_score_calculations_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_score_calculations_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE,
	CONSTRAINT fk_score_calculations_batch_key FOREIGN KEY(batch_key) REFERENCES run_batches (key) ON DELETE CASCADE
);

CREATE INDEX ix_score_calculations_latest ON score_calculations (brand_key, revision_key, calculated_at, key);

CREATE INDEX ix_score_calculations_receipt ON score_calculations (company_id, receipt_id);

CREATE UNIQUE INDEX uq_score_calculations_batch ON score_calculations (revision_key, batch_key);

CREATE TABLE country_calculations (
	key BIGSERIAL NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT NOT NULL,
	revision_key BIGINT NOT NULL,
	batch_key BIGINT NOT NULL,
	country TEXT NOT NULL,
	headline BYTEA NOT NULL,
	platforms BYTEA NOT NULL,
	rankings BYTEA NOT NULL,
	calculated_at BIGINT NOT NULL,
	CONSTRAINT pk_country_calculations PRIMARY KEY (key),
	CONSTRAINT fk_country_calculations_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_country_calculations_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE,
	CONSTRAINT fk_country_calculations_batch_key FOREIGN KEY(batch_key) REFERENCES run_batches (key) ON DELETE CASCADE
);

CREATE INDEX ix_country_calculations_company ON country_calculations (company_id, country);

CREATE INDEX ix_country_calculations_latest ON country_calculations (brand_key, revision_key, country, calculated_at, key);

CREATE UNIQUE INDEX uq_country_calculations_batch ON country_calculations (revision_key, batch_key, country);

CREATE TABLE metric_points (
	revision_key BIGINT NOT NULL,
	metric TEXT NOT NULL,
	channel_key BIGINT NOT NULL,
	day DATE NOT NULL,
	batch_key BIGINT NOT NULL,
	value FLOAT NOT NULL,
	samples INTEGER NOT NULL,
	low FLOAT,
	high FLOAT,
	prompts_low FLOAT,
	prompts_high FLOAT,
	noise_source TEXT,
	CONSTRAINT pk_metric_points PRIMARY KEY (revision_key, metric, channel_key, day, batch_key),
	CONSTRAINT fk_metric_points_batch_key FOREIGN KEY(batch_key) REFERENCES run_batches (key) ON DELETE CASCADE
);

CREATE TABLE competitor_points (
	revision_key BIGINT NOT NULL,
	day DATE NOT NULL,
	batch_key BIGINT NOT NULL,
	company_id TEXT NOT NULL,
	points BYTEA NOT NULL,
	CONSTRAINT pk_competitor_points PRIMARY KEY (revision_key, day, batch_key),
	CONSTRAINT fk_competitor_points_batch_key FOREIGN KEY(batch_key) REFERENCES run_batches (key) ON DELETE CASCADE,
	CONSTRAINT fk_competitor_points_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE INDEX ix_competitor_points_batch ON competitor_points (batch_key);

CREATE TABLE batch_seals (
	batch_key BIGINT NOT NULL,
	subject TEXT NOT NULL,
	company_id TEXT NOT NULL,
	rows INTEGER NOT NULL,
	checksums TEXT NOT NULL,
	sha256 TEXT NOT NULL,
	signature TEXT NOT NULL,
	CONSTRAINT pk_batch_seals PRIMARY KEY (batch_key, subject),
	CONSTRAINT fk_batch_seals_batch_key FOREIGN KEY(batch_key) REFERENCES run_batches (key) ON DELETE CASCADE,
	CONSTRAINT fk_batch_seals_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE TABLE batch_spending (
	batch_key BIGINT NOT NULL,
	currency TEXT NOT NULL,
	company_id TEXT NOT NULL,
	spent BIGINT NOT NULL,
	CONSTRAINT pk_batch_spending PRIMARY KEY (batch_key, currency),
	CONSTRAINT fk_batch_spending_batch_key FOREIGN KEY(batch_key) REFERENCES run_batches (key) ON DELETE CASCADE,
	CONSTRAINT fk_batch_spending_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE TABLE cells (
	key BIGSERIAL NOT NULL,
	company_id TEXT NOT NULL,
	revision_key BIGINT NOT NULL,
	prompt_key BIGINT NOT NULL,
	channel_key BIGINT NOT NULL,
	named_in_prompt TEXT NOT NULL,
	CONSTRAINT pk_cells PRIMARY KEY (key),
	CONSTRAINT fk_cells_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_cells_prompt_key FOREIGN KEY(prompt_key) REFERENCES prompts (key) ON DELETE CASCADE
);

CREATE INDEX ix_cells_prompt ON cells (prompt_key);

CREATE UNIQUE INDEX uq_cells ON cells (revision_key, prompt_key, channel_key);

CREATE TABLE channel_days (
	revision_key BIGINT NOT NULL,
	day INTEGER NOT NULL,
	batch_key BIGINT NOT NULL,
	channel_key BIGINT NOT NULL,
	company_id TEXT NOT NULL,
	degraded BOOLEAN NOT NULL,
	planned INTEGER NOT NULL,
	valid INTEGER NOT NULL,
	refused INTEGER NOT NULL,
	empty INTEGER NOT NULL,
	failed INTEGER NOT NULL,
	not_grounded INTEGER NOT NULL,
	truncated INTEGER NOT NULL,
	answers INTEGER NOT NULL,
	served_models TEXT NOT NULL,
	requested_models TEXT NOT NULL,
	places TEXT NOT NULL,
	languages TEXT NOT NULL,
	last_valid_at BIGINT,
	domains TEXT NOT NULL,
	CONSTRAINT pk_channel_days PRIMARY KEY (revision_key, day, batch_key, channel_key),
	CONSTRAINT fk_channel_days_batch_key FOREIGN KEY(batch_key) REFERENCES run_batches (key) ON DELETE CASCADE,
	CONSTRAINT fk_channel_days_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE INDEX ix_channel_days_batch ON channel_days (batch_key, revision_key);

CREATE TABLE asks (
	key BIGSERIAL NOT NULL,
	company_id TEXT NOT NULL,
	simulation_key BIGINT NOT NULL,
	prompt_key BIGINT NOT NULL,
	ask_key TEXT NOT NULL,
	repeat INTEGER NOT NULL,
	state TEXT NOT NULL,
	resent INTEGER NOT NULL,
	claimed_by TEXT,
	possibly_billed BOOLEAN NOT NULL,
	error_code TEXT,
	error_message TEXT,
	sent_at BIGINT,
	settled_at BIGINT,
	task TEXT,
	poll_after BIGINT,
	CONSTRAINT pk_asks PRIMARY KEY (key),
	CONSTRAINT ck_asks_state CHECK (state IN ('planned', 'sent', 'submitted', 'stored', 'failed')),
	CONSTRAINT fk_asks_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_asks_simulation_key FOREIGN KEY(simulation_key) REFERENCES simulations (key) ON DELETE CASCADE,
	CONSTRAINT fk_asks_prompt_key FOREIGN KEY(prompt_key) REFERENCES prompts (key),
	CONSTRAINT uq_asks_ask_key UNIQUE (ask_key)
);

CREATE INDEX ix_asks_prompt ON asks (prompt_key);

CREATE INDEX ix_asks_simulation ON asks (simulation_key, state);

CREATE TABLE running_totals (
	cell_key BIGINT NOT NULL,
	entity_key BIGINT NOT NULL,
	day INTEGER NOT NULL,
	named INTEGER NOT NULL,
	prominence BIGINT NOT NULL,
	prominence_square BIGINT NOT NULL,
	cited INTEGER NOT NULL,
	prominence_cited BIGINT NOT NULL,
	named_unknown INTEGER NOT NULL,
	prominence_unknown BIGINT NOT NULL,
	citing INTEGER NOT NULL,
	ranked INTEGER NOT NULL,
	rank_sum INTEGER NOT NULL,
	rank_square INTEGER NOT NULL,
	own_mentions INTEGER NOT NULL,
	named_in_all INTEGER NOT NULL,
	uncertain INTEGER NOT NULL,
	absences INTEGER NOT NULL,
	answers INTEGER NOT NULL,
	unknown INTEGER NOT NULL,
	mentions INTEGER NOT NULL,
	mentions_square INTEGER NOT NULL,
	naming INTEGER NOT NULL,
	not_shown INTEGER NOT NULL,
	cut_off INTEGER NOT NULL,
	valid INTEGER NOT NULL,
	stored INTEGER NOT NULL,
	searched INTEGER NOT NULL,
	CONSTRAINT pk_running_totals PRIMARY KEY (cell_key, entity_key, day),
	CONSTRAINT fk_running_totals_cell_key FOREIGN KEY(cell_key) REFERENCES cells (key) ON DELETE CASCADE
);

CREATE TABLE answers (
	key BIGSERIAL NOT NULL,
	id TEXT NOT NULL,
	company_id TEXT NOT NULL,
	brand_key BIGINT NOT NULL,
	batch_key BIGINT NOT NULL,
	ask_key BIGINT NOT NULL,
	prompt_key BIGINT NOT NULL,
	channel_key BIGINT NOT NULL,
	status TEXT NOT NULL,
	retrieval TEXT NOT NULL,
	valid BOOLEAN NOT NULL,
	citations_known BOOLEAN NOT NULL,
	truncated BOOLEAN NOT NULL,
	clipped BOOLEAN DEFAULT false NOT NULL,
	language TEXT,
	city TEXT,
	not_supported TEXT DEFAULT '[]' NOT NULL,
	requested_model TEXT NOT NULL,
	served_model TEXT,
	latency_ms INTEGER NOT NULL,
	attempts INTEGER NOT NULL,
	usage TEXT NOT NULL,
	parser TEXT NOT NULL,
	raw_sha256 TEXT NOT NULL,
	text_sha256 TEXT NOT NULL,
	source_id TEXT,
	captured_at BIGINT NOT NULL,
	absent_reason TEXT,
	seen TEXT,
	CONSTRAINT pk_answers PRIMARY KEY (key),
	CONSTRAINT ck_answers_status CHECK (status IN ('answered', 'refused', 'empty', 'not_grounded', 'not_shown')),
	CONSTRAINT uq_answers_ask_key UNIQUE (ask_key),
	CONSTRAINT uq_answers_id UNIQUE (id),
	CONSTRAINT fk_answers_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE,
	CONSTRAINT fk_answers_brand_key FOREIGN KEY(brand_key) REFERENCES brands (key) ON DELETE CASCADE,
	CONSTRAINT fk_answers_batch_key FOREIGN KEY(batch_key) REFERENCES run_batches (key) ON DELETE CASCADE,
	CONSTRAINT fk_answers_ask_key FOREIGN KEY(ask_key) REFERENCES asks (key) ON DELETE CASCADE,
	CONSTRAINT fk_answers_prompt_key FOREIGN KEY(prompt_key) REFERENCES prompts (key),
	CONSTRAINT fk_answers_channel_key FOREIGN KEY(channel_key) REFERENCES channels (key)
);

CREATE INDEX ix_answers_batch ON answers (batch_key);

CREATE INDEX ix_answers_page ON answers (brand_key, captured_at, key);

CREATE INDEX ix_answers_prompt ON answers (prompt_key, captured_at, key);

CREATE TABLE ask_costs (
	ask_key BIGINT NOT NULL,
	company_id TEXT NOT NULL,
	currency TEXT NOT NULL,
	cost BIGINT NOT NULL,
	stated_by TEXT NOT NULL,
	CONSTRAINT pk_ask_costs PRIMARY KEY (ask_key),
	CONSTRAINT ck_ask_costs_stated_by CHECK (stated_by IN ('provider', 'table')),
	CONSTRAINT fk_ask_costs_ask_key FOREIGN KEY(ask_key) REFERENCES asks (key) ON DELETE CASCADE,
	CONSTRAINT fk_ask_costs_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE TABLE answer_texts (
	answer_key BIGINT NOT NULL,
	text BYTEA NOT NULL,
	CONSTRAINT pk_answer_texts PRIMARY KEY (answer_key),
	CONSTRAINT fk_answer_texts_answer_key FOREIGN KEY(answer_key) REFERENCES answers (key) ON DELETE CASCADE
);

CREATE TABLE answer_exchanges (
	answer_key BIGINT NOT NULL,
	exchanges BYTEA NOT NULL,
	CONSTRAINT pk_answer_exchanges PRIMARY KEY (answer_key),
	CONSTRAINT fk_answer_exchanges_answer_key FOREIGN KEY(answer_key) REFERENCES answers (key) ON DELETE CASCADE
);

CREATE TABLE reparsed_answers (
	answer_key BIGINT NOT NULL,
	parsing INTEGER NOT NULL,
	status TEXT NOT NULL,
	retrieval TEXT NOT NULL,
	valid BOOLEAN NOT NULL,
	citations_known BOOLEAN DEFAULT true NOT NULL,
	truncated BOOLEAN NOT NULL,
	parser TEXT NOT NULL,
	text_sha256 TEXT NOT NULL,
	text BYTEA NOT NULL,
	citations BYTEA NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_reparsed_answers PRIMARY KEY (answer_key, parsing),
	CONSTRAINT ck_reparsed_answers_status CHECK (status IN ('answered', 'refused', 'empty', 'not_grounded', 'not_shown')),
	CONSTRAINT fk_reparsed_answers_answer_key FOREIGN KEY(answer_key) REFERENCES answers (key) ON DELETE CASCADE
);

CREATE TABLE citations (
	answer_key BIGINT NOT NULL,
	ordinal INTEGER NOT NULL,
	kind TEXT NOT NULL,
	url_key BIGINT NOT NULL,
	start INTEGER,
	"end" INTEGER,
	span TEXT,
	site TEXT,
	CONSTRAINT pk_citations PRIMARY KEY (answer_key, ordinal),
	CONSTRAINT ck_citations_kind CHECK (kind IN ('cited', 'retrieved')),
	CONSTRAINT fk_citations_answer_key FOREIGN KEY(answer_key) REFERENCES answers (key) ON DELETE CASCADE,
	CONSTRAINT fk_citations_url_key FOREIGN KEY(url_key) REFERENCES cited_urls (key)
);

CREATE INDEX ix_citations_url ON citations (url_key);

CREATE TABLE answer_readings (
	answer_key BIGINT NOT NULL,
	revision_key BIGINT NOT NULL,
	measurable BOOLEAN NOT NULL,
	branded BOOLEAN NOT NULL,
	named_in_prompt TEXT NOT NULL,
	domains TEXT NOT NULL,
	CONSTRAINT pk_answer_readings PRIMARY KEY (answer_key, revision_key),
	CONSTRAINT fk_answer_readings_answer_key FOREIGN KEY(answer_key) REFERENCES answers (key) ON DELETE CASCADE
);

CREATE TABLE mentions (
	answer_key BIGINT NOT NULL,
	revision_key BIGINT NOT NULL,
	entity_key BIGINT NOT NULL,
	channel_key BIGINT NOT NULL,
	captured_at BIGINT NOT NULL,
	position FLOAT NOT NULL,
	rank INTEGER,
	occurrences INTEGER NOT NULL,
	absences INTEGER NOT NULL,
	uncertain INTEGER NOT NULL,
	named BOOLEAN NOT NULL,
	cites_own BOOLEAN NOT NULL,
	spans TEXT NOT NULL,
	quote TEXT,
	CONSTRAINT pk_mentions PRIMARY KEY (answer_key, revision_key, entity_key),
	CONSTRAINT fk_mentions_answer_key FOREIGN KEY(answer_key) REFERENCES answers (key) ON DELETE CASCADE
);

CREATE INDEX ix_mentions_channel ON mentions (revision_key, channel_key, captured_at, answer_key, entity_key, named) WHERE entity_key = 0 AND named IS true;

CREATE INDEX ix_mentions_page ON mentions (revision_key, captured_at, answer_key, entity_key, named) WHERE entity_key = 0 AND named IS true;

CREATE INDEX ix_mentions_rank ON mentions (revision_key, channel_key, rank) WHERE entity_key = 0 AND rank IS NOT NULL;

CREATE TABLE mention_labels (
	audit_key BIGINT NOT NULL,
	answer_key BIGINT NOT NULL,
	company_id TEXT NOT NULL,
	read_as_named BOOLEAN NOT NULL,
	read_tone TEXT,
	named BOOLEAN,
	tone TEXT,
	labeled_at BIGINT,
	CONSTRAINT pk_mention_labels PRIMARY KEY (audit_key, answer_key),
	CONSTRAINT ck_mention_labels_tone CHECK (tone IS NULL OR tone IN ('positive', 'neutral', 'negative')),
	CONSTRAINT fk_mention_labels_audit_key FOREIGN KEY(audit_key) REFERENCES mention_audits (key) ON DELETE CASCADE,
	CONSTRAINT fk_mention_labels_answer_key FOREIGN KEY(answer_key) REFERENCES answers (key) ON DELETE CASCADE,
	CONSTRAINT fk_mention_labels_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE TABLE answer_claims (
	answer_key BIGINT NOT NULL,
	ordinal INTEGER NOT NULL,
	company_id TEXT NOT NULL,
	kind TEXT NOT NULL,
	verdict TEXT NOT NULL,
	method TEXT NOT NULL,
	claim TEXT NOT NULL,
	fact TEXT,
	source TEXT,
	CONSTRAINT pk_answer_claims PRIMARY KEY (answer_key, ordinal),
	CONSTRAINT ck_answer_claims_verdict CHECK (verdict IN ('supported', 'contradicted', 'unverifiable')),
	CONSTRAINT fk_answer_claims_answer_key FOREIGN KEY(answer_key) REFERENCES answers (key) ON DELETE CASCADE,
	CONSTRAINT fk_answer_claims_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE TABLE tone_judgements (
	answer_key BIGINT NOT NULL,
	method TEXT NOT NULL,
	company_id TEXT NOT NULL,
	label TEXT NOT NULL,
	recommendation TEXT,
	quote TEXT,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_tone_judgements PRIMARY KEY (answer_key, method),
	CONSTRAINT ck_tone_judgements_label CHECK (label IN ('positive', 'neutral', 'negative', 'unknown')),
	CONSTRAINT ck_tone_judgements_recommendation CHECK (recommendation IN ('recommended', 'mentioned', 'warned_against')),
	CONSTRAINT fk_tone_judgements_answer_key FOREIGN KEY(answer_key) REFERENCES answers (key) ON DELETE CASCADE,
	CONSTRAINT fk_tone_judgements_company_id FOREIGN KEY(company_id) REFERENCES companies (id) ON DELETE CASCADE
);

CREATE INDEX ix_tone_judgements_company ON tone_judgements (company_id);

