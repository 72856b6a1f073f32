"""Every page and its address."""

from functools import partial

from starlette.responses import Response
from starlette.routing import BaseRoute, Route, request_response
from starlette.types import ASGIApp

from web.accounts import password_page, people_page, sign_in_page
from web.accounts import profile_page as own_profile_page
from web.actions import actions_page
from web.answers import answer_page, answers_page, audit_page
from web.automation import (
    agent_page,
    alert_rules_page,
    automation_export,
    automation_page,
    prompt_set_page,
    workflow_page,
)
from web.brands import brands_page, profile_page
from web.competitors import competitors_page, suggestions_page
from web.connect import connect_page
from web.content import content_page, draft_page, import_page, wordpress
from web.data_feed import serve_feed
from web.endpoints import Endpoint, Handler, members_page, open_page
from web.errors import PageNotFound
from web.find import find_page
from web.help import components_page, help_page, policies_page
from web.measurements import progress_page
from web.notifications import notifications_page, webhooks_page
from web.overview import annotations_page, overview_page, report_page, shared_reports_page, trend_export
from web.prompts import prompt_changes, prompt_page, prompts_page
from web.readiness import (
    fixes_page,
    latest_report_page,
    pictures,
    public_sites_page,
    scans_page,
    side_by_side_page,
)
from web.request import PageRequest
from web.services import PageServices
from web.settings import api_keys_page, budget_page, data_page, engine_keys_page, wordpress_page
from web.sources import crawlers_page, sources_page
from web.start import brand_page as start_page
from web.start import engines_page, measure_page, questions_page, sample_page

FEEDS: dict[str, Handler] = {
    "trend": trend_export.export_trend,
    "prompts": prompts_page.export_prompts,
    "sources": sources_page.export_sources,
    "competitors": competitors_page.export_pairs,
    "shares": competitors_page.export_shares,
    "ranking": competitors_page.export_ranking,
    "actions": actions_page.export_actions,
    "answers": answers_page.export_answers,
    "annotations": annotations_page.export_annotations,
}
"""The exports that a read-only key can read, by the name in the address."""
serve_table = partial(serve_feed, tables=FEEDS)
OPEN: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/", brands_page.show_brands),
    ("GET", "/connect", connect_page.show_connect),
    ("GET", "/auth/login", sign_in_page.show_login),
    ("POST", "/auth/login", sign_in_page.sign_in),
    ("GET", "/auth/signup", sign_in_page.show_sign_up),
    ("POST", "/auth/signup", sign_in_page.sign_up),
    ("GET", "/auth/invitation", sign_in_page.show_invitation),
    ("POST", "/auth/invitation", sign_in_page.accept_invitation),
    ("GET", "/auth/forgotten", password_page.show_forgotten),
    ("POST", "/auth/forgotten", password_page.send_link),
    ("GET", "/auth/reset", password_page.show_reset),
    ("POST", "/auth/reset", password_page.reset_password),
    ("POST", "/auth/logout", sign_in_page.sign_out),
    ("GET", "/shared/{token}", shared_reports_page.show_shared_report),
    ("GET", "/data/{brand_id}/{table}.csv", serve_table),
    ("GET", "/data/{brand_id}/{table}.json", serve_table),
    ("GET", "/help", help_page.show_help),
    ("GET", "/help/components", components_page.show_components),
    ("GET", "/help/{page}.md", help_page.serve_markdown),
    ("GET", "/help/{page}", help_page.show_help_page),
    ("GET", "/llms.txt", help_page.serve_llms_text),
    *(("GET", f"/{name}", policies_page.show_policy) for name in policies_page.TITLES),
    ("GET", "/readiness", scans_page.show_scans),
    ("GET", "/readiness/report", latest_report_page.show_latest_report),
    ("GET", "/readiness/report.json", latest_report_page.serve_json),
    ("GET", "/readiness/report.md", latest_report_page.serve_markdown),
    ("GET", "/readiness/badge.svg", pictures.serve_badge),
    ("GET", "/readiness/methodology", latest_report_page.show_methodology),
    ("GET", "/readiness/bot", latest_report_page.show_bot),
    ("GET", "/readiness/sites/{slug}", public_sites_page.show_public_sites),
    ("GET", "/readiness/reports/{report_id}.json", scans_page.serve_report_json),
    ("GET", "/readiness/reports/{report_id}.md", scans_page.serve_report_markdown),
    ("GET", "/readiness/reports/{report_id}.png", scans_page.serve_report_picture),
    ("GET", "/readiness/reports/{report_id}/fixes.md", fixes_page.serve_fixes_markdown),
    ("GET", "/readiness/reports/{report_id}/fixes.csv", fixes_page.serve_fixes_csv),
    ("GET", "/readiness/reports/{report_id}/fixes", fixes_page.show_fixes),
    ("GET", "/readiness/reports/{report_id}/difference", fixes_page.show_difference),
    ("GET", "/readiness/reports/{report_id}", scans_page.show_report),
)
FOR_PEOPLE: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/start", start_page.show_start),
    ("POST", "/start", start_page.read_site),
    ("POST", "/start/profile", start_page.create_brand),
    ("POST", "/start/sample", sample_page.add_sample),
    ("GET", "/start/{brand_id}/sample", sample_page.show_sample),
    ("GET", "/start/{brand_id}", start_page.resume),
    ("GET", "/start/{brand_id}/questions", questions_page.show_questions),
    ("POST", "/start/{brand_id}/questions", questions_page.save_questions),
    ("GET", "/start/{brand_id}/engines", engines_page.show_engines),
    ("POST", "/start/{brand_id}/engines", engines_page.save_engines),
    ("POST", "/start/{brand_id}/engine-key", engines_page.add_engine_key),
    ("POST", "/start/{brand_id}/model", engines_page.add_model),
    ("GET", "/start/{brand_id}/measure", measure_page.show_measure),
    ("POST", "/start/{brand_id}/measure", measure_page.start_measuring),
    ("GET", "/measurements/{run_id}", progress_page.show_progress),
    ("GET", "/measurements/{run_id}/events", progress_page.stream_progress),
    ("POST", "/measurements/{run_id}/cancel", progress_page.cancel_measurement),
    ("GET", "/brands/{brand_id}", overview_page.show_overview),
    ("POST", "/brands/{brand_id}/archive", brands_page.archive_brand),
    ("GET", "/brands/{brand_id}/trend.csv", trend_export.export_trend),
    ("GET", "/brands/{brand_id}/trend.json", trend_export.export_trend),
    ("GET", "/brands/{brand_id}/annotations.csv", annotations_page.export_annotations),
    ("GET", "/brands/{brand_id}/annotations.json", annotations_page.export_annotations),
    ("POST", "/brands/{brand_id}/annotations", annotations_page.add_annotation),
    ("POST", "/brands/{brand_id}/annotations/{annotation_id}/remove", annotations_page.remove_annotation),
    ("GET", "/brands/{brand_id}/report", report_page.show_report),
    ("POST", "/brands/{brand_id}/report", report_page.share_report),
    ("GET", "/brands/{brand_id}/content.csv", content_page.export_contents),
    ("GET", "/brands/{brand_id}/content.json", content_page.export_contents),
    ("GET", "/brands/{brand_id}/content", content_page.show_contents),
    ("GET", "/brands/{brand_id}/content/new", content_page.show_new_item),
    ("POST", "/brands/{brand_id}/content/new", content_page.save_item),
    ("GET", "/brands/{brand_id}/content/import", import_page.show_import),
    ("POST", "/brands/{brand_id}/content/import", import_page.import_texts),
    ("GET", "/brands/{brand_id}/content/{item_id}.md", content_page.export_text),
    ("GET", "/brands/{brand_id}/content/{item_id}.html", content_page.export_text),
    ("GET", "/brands/{brand_id}/content/{item_id}", content_page.show_item),
    ("GET", "/brands/{brand_id}/content/{item_id}/draft", draft_page.show_draft),
    ("POST", "/brands/{brand_id}/content/{item_id}/draft", draft_page.decide_draft),
    ("POST", "/brands/{brand_id}/content/{item_id}/wordpress", wordpress.publish_item),
    ("GET", "/brands/{brand_id}/profile", profile_page.show_profile),
    ("POST", "/brands/{brand_id}/profile", profile_page.save_profile),
    ("GET", "/brands/{brand_id}/score", brands_page.show_score),
    ("GET", "/brands/{brand_id}/prompts.csv", prompts_page.export_prompts),
    ("GET", "/brands/{brand_id}/prompts.json", prompts_page.export_prompts),
    ("GET", "/brands/{brand_id}/prompts", prompts_page.show_prompts),
    ("POST", "/brands/{brand_id}/prompts", prompt_changes.change_prompts),
    ("GET", "/brands/{brand_id}/prompts/{prompt_id}", prompt_page.show_prompt),
    ("GET", "/brands/{brand_id}/sources.csv", sources_page.export_sources),
    ("GET", "/brands/{brand_id}/sources.json", sources_page.export_sources),
    ("GET", "/brands/{brand_id}/sources", sources_page.show_sources),
    ("GET", "/brands/{brand_id}/crawlers.csv", crawlers_page.export_crawlers),
    ("GET", "/brands/{brand_id}/crawlers.json", crawlers_page.export_crawlers),
    ("GET", "/brands/{brand_id}/crawlers", crawlers_page.show_crawlers),
    ("GET", "/brands/{brand_id}/competitors.csv", competitors_page.export_pairs),
    ("GET", "/brands/{brand_id}/competitors.json", competitors_page.export_pairs),
    ("GET", "/brands/{brand_id}/shares.csv", competitors_page.export_shares),
    ("GET", "/brands/{brand_id}/shares.json", competitors_page.export_shares),
    ("GET", "/brands/{brand_id}/ranking.csv", competitors_page.export_ranking),
    ("GET", "/brands/{brand_id}/ranking.json", competitors_page.export_ranking),
    ("GET", "/brands/{brand_id}/competitors", competitors_page.show_competitors),
    ("GET", "/brands/{brand_id}/readiness", side_by_side_page.show_readiness_side_by_side),
    ("GET", "/brands/{brand_id}/actions.csv", actions_page.export_actions),
    ("GET", "/brands/{brand_id}/actions.json", actions_page.export_actions),
    ("GET", "/brands/{brand_id}/actions", actions_page.show_actions),
    ("POST", "/actions/{action_id}", actions_page.decide_action),
    ("GET", "/brands/{brand_id}/answers.csv", answers_page.export_answers),
    ("GET", "/brands/{brand_id}/answers.json", answers_page.export_answers),
    ("GET", "/brands/{brand_id}/answers", answers_page.show_answers),
    ("GET", "/brands/{brand_id}/audit", audit_page.show_audit),
    ("POST", "/brands/{brand_id}/audit", audit_page.draw_audit),
    ("POST", "/brands/{brand_id}/audit/labels", audit_page.label_answer),
    ("GET", "/answers/{answer_id}", answer_page.show_answer),
    ("GET", "/brands/{brand_id}/suggestions", suggestions_page.show_suggestions),
    ("GET", "/brands/{brand_id}/suggestions/{suggestion_id}", suggestions_page.show_uses),
    ("POST", "/brands/{brand_id}/suggestions/{suggestion_id}/confirm", suggestions_page.track_competitor),
    ("POST", "/brands/{brand_id}/suggestions/{suggestion_id}/dismiss", suggestions_page.dismiss_name),
    ("GET", "/find", find_page.show_find),
    ("GET", "/automation", automation_page.show_automation),
    ("GET", "/brands/{brand_id}/monitors", alert_rules_page.show_monitors),
    ("POST", "/brands/{brand_id}/monitors", alert_rules_page.add_rule),
    ("POST", "/brands/{brand_id}/monitors/{rule_id}/remove", alert_rules_page.remove_rule),
    ("GET", "/automation/sets.csv", automation_export.export_sets),
    ("GET", "/automation/sets.json", automation_export.export_sets),
    ("GET", "/automation/sets/{set_id}.csv", automation_export.export_questions),
    ("GET", "/automation/sets/{set_id}.json", automation_export.export_questions),
    ("GET", "/automation/workflows.csv", automation_export.export_workflows),
    ("GET", "/automation/workflows.json", automation_export.export_workflows),
    ("GET", "/automation/agents.csv", automation_export.export_agents),
    ("GET", "/automation/agents.json", automation_export.export_agents),
    ("GET", "/automation/agents/new", agent_page.show_new_agent),
    ("POST", "/automation/agents", agent_page.create_agent),
    ("GET", "/automation/agents/{agent_id}", agent_page.show_agent),
    ("POST", "/automation/agents/{agent_id}", agent_page.save_agent),
    ("POST", "/automation/agents/{agent_id}/archive", agent_page.archive_agent),
    ("POST", "/automation/agents/{agent_id}/run", agent_page.run_agent),
    ("GET", "/automation/sets/new", prompt_set_page.show_new_set),
    ("POST", "/automation/sets", prompt_set_page.create_set),
    ("GET", "/automation/sets/{set_id}", prompt_set_page.show_set),
    ("POST", "/automation/sets/{set_id}", prompt_set_page.save_set),
    ("POST", "/automation/sets/{set_id}/archive", prompt_set_page.archive_set),
    ("POST", "/automation/sets/{set_id}/run", prompt_set_page.run_set),
    ("GET", "/automation/workflows/new", workflow_page.show_new_workflow),
    ("POST", "/automation/workflows", workflow_page.create_own_workflow),
    ("GET", "/automation/workflows/{workflow_id}", workflow_page.show_workflow),
    ("GET", "/automation/workflows/{workflow_id}/workflow.toml", workflow_page.export_own_workflow),
    ("POST", "/automation/workflows/{workflow_id}/steps", workflow_page.save_own_workflow),
    ("POST", "/automation/workflows/{workflow_id}/archive", workflow_page.archive_own_workflow),
    ("POST", "/automation/workflows/{workflow_id}", workflow_page.start_workflow),
    ("GET", "/automation/runs.csv", automation_export.export_runs),
    ("GET", "/automation/runs.json", automation_export.export_runs),
    ("GET", "/automation/runs/{run_id}", automation_page.show_run),
    ("POST", "/automation/runs/{run_id}/cancel", automation_page.cancel_run),
    ("GET", "/notifications.csv", notifications_page.export_notifications),
    ("GET", "/notifications.json", notifications_page.export_notifications),
    ("GET", "/notifications", notifications_page.show_notifications),
    ("POST", "/notifications/read", notifications_page.mark_all_read),
    ("POST", "/notifications/{notification_id}/read", notifications_page.mark_read),
    ("GET", "/issues", notifications_page.show_issues),
    ("POST", "/issues/{issue_id}/dismiss", notifications_page.dismiss_issue),
    ("GET", "/settings/keys", api_keys_page.show_keys),
    ("POST", "/settings/keys", api_keys_page.create_key),
    ("POST", "/settings/keys/{key_id}/revoke", api_keys_page.revoke_key),
    ("GET", "/settings/apps", api_keys_page.show_apps),
    ("POST", "/settings/apps/{app_id}/revoke", api_keys_page.revoke_app),
    ("GET", "/settings/notifications", notifications_page.show_choices),
    ("POST", "/settings/notifications", notifications_page.save_choices),
    ("GET", "/settings/shared", shared_reports_page.show_shared_reports),
    ("POST", "/settings/shared/{report_id}/revoke", shared_reports_page.revoke_shared_report),
    ("GET", "/settings/engines", engine_keys_page.show_engine_keys),
    ("POST", "/settings/engines", engine_keys_page.store_key),
    ("POST", "/settings/engines/model", engine_keys_page.add_model),
    ("POST", "/settings/engines/providers/{supplier}", engine_keys_page.store_provider),
    ("POST", "/settings/engines/{platform}/test", engine_keys_page.test_key),
    ("POST", "/settings/engines/{platform}/remove", engine_keys_page.remove_key),
    ("GET", "/settings/wordpress", wordpress_page.show_site),
    ("POST", "/settings/wordpress", wordpress_page.store_site),
    ("POST", "/settings/wordpress/test", wordpress_page.test_site),
    ("POST", "/settings/wordpress/remove", wordpress_page.remove_site),
    ("GET", "/settings/webhooks", webhooks_page.show_webhooks),
    ("POST", "/settings/webhooks", webhooks_page.create_webhook),
    ("POST", "/settings/webhooks/{webhook_id}/test", webhooks_page.send_test),
    ("POST", "/settings/webhooks/{webhook_id}/enable", webhooks_page.enable_webhook),
    ("POST", "/settings/webhooks/{webhook_id}/remove", webhooks_page.remove_webhook),
    ("GET", "/settings/budget", budget_page.show_budget),
    ("GET", "/settings/statement.csv", budget_page.export_statement),
    ("GET", "/settings/statement.json", budget_page.export_statement),
    ("POST", "/settings/budget", budget_page.save_budget),
    ("GET", "/settings/data", data_page.show_data),
    ("GET", "/settings/data/everything.jsonl", data_page.export_everything),
    ("POST", "/settings/data/workspace/delete", data_page.delete_workspace),
    ("POST", "/settings/data/workspace/keep", data_page.keep_workspace),
    ("POST", "/settings/data/brands/{brand_id}/delete", data_page.delete_brand),
    ("POST", "/settings/data/brands/{brand_id}/keep", data_page.keep_deleted_brand),
    ("GET", "/settings/people", people_page.show_people),
    ("POST", "/settings/people", people_page.invite_colleague),
    ("POST", "/settings/people/{user_id}/role", people_page.change_role),
    ("POST", "/settings/people/{user_id}/password", people_page.make_password_link),
    ("POST", "/settings/people/{user_id}/remove", people_page.remove_colleague),
    ("POST", "/settings/people/{invitation_id}/withdraw", people_page.withdraw_invitation),
    ("GET", "/settings/profile", own_profile_page.show_profile),
    ("POST", "/settings/profile", own_profile_page.change_name),
    ("POST", "/settings/theme", own_profile_page.choose_theme),
    ("POST", "/settings/workspace", own_profile_page.rename_workspace),
    ("POST", "/settings/password", own_profile_page.change_password),
    ("POST", "/settings/leave", own_profile_page.leave_company),
    ("POST", "/readiness/scans", scans_page.start_scan),
    ("GET", "/readiness/scans/{scan_id}", scans_page.show_scan_progress),
    ("GET", "/readiness/sites", public_sites_page.show_choice),
    ("POST", "/readiness/sites", public_sites_page.publish_sites),
    ("POST", "/readiness/sites/revoke", public_sites_page.take_down),
)


def page_routes(services: PageServices) -> list[BaseRoute]:
    """Return the routes of all pages and of the files that they load."""
    return [
        *(_route(method, path, open_page(services, handler)) for method, path, handler in OPEN),
        *(_route(method, path, members_page(services, handler)) for method, path, handler in FOR_PEOPLE),
        *services.renderer.routes(),
    ]


def nowhere(services: PageServices) -> ASGIApp:
    """Return the page of an address that no page has."""

    async def answer(request: PageRequest) -> Response:
        raise PageNotFound

    return request_response(open_page(services, answer))


def _route(method: str, path: str, endpoint: Endpoint) -> Route:
    return Route(path, endpoint, methods=[method])
