"""The methodology, made from the objects the scanner runs: nothing here is written twice."""

from typing import Any

from readiness import agents
from readiness.checks.catalog import (
    CATALOG,
    JOURNEYS,
    MODEL_VERSION,
    RELEASED,
    catalogue_sha256,
    described,
    of_group,
)
from readiness.checks.check import CREDIT, SAMPLE_PASS, SAMPLE_WARN, CheckStatus, Group
from readiness.fetching import urls
from readiness.fetching.policy import GRADING_WAIT, SCAN_SECONDS, scan_policy
from readiness.report.document import LIMITS, RETENTION_DAYS
from readiness.report.grading import described_commands as commands
from readiness.report.score import (
    BANDS,
    COVERAGE_NEEDED,
    DEALER_WEIGHTS,
    GATE_CAP,
    JOURNEY_SHARE,
    OTHER_WEIGHTS,
    READY_COVERAGE,
    TECHNICAL_SHARE,
)
from readiness.survey.site_type import LEAD, NEEDED, SIGNS

RATE_LIMIT = 30
APPLICABILITY = (
    {
        "siteType": "dealer",
        "vehicle": "applies",
        "service": "applies with evidence of a service department, else not applicable",
        "handoff": "all checks",
    },
    {
        "siteType": "repair_shop",
        "vehicle": "not applicable, unless three or more vehicles are offered",
        "service": "applies",
        "handoff": "ho.finance and ho.trade_in not applicable",
    },
    {
        "siteType": "service_site",
        "vehicle": "not applicable",
        "service": "applies",
        "handoff": "as for a repair shop; ho.address not applicable for a mobile one that states its area",
    },
    {
        "siteType": "undetermined",
        "vehicle": "applies where a signal of it was seen",
        "service": "applies where a signal of it was seen",
        "handoff": "applies where a signal of it was seen; no overall score",
    },
    {
        "siteType": "not_automotive",
        "vehicle": "not applicable",
        "service": "not applicable",
        "handoff": "not applicable; no overall score",
    },
)
SCORING = (
    "applicable is the sum of the weights that are not not_applicable.",
    "observed is the sum of the weights with pass, warn or fail.",
    "earned is the sum of weight times credit.",
    "coverage is observed / applicable.",
    "score is floor(100 * earned / observed + 0.5); null below coverageNeeded or when nothing applies.",
    "low is floor(100 * earned / applicable).",
    "high is ceil(100 * (earned + applicable - observed) / applicable).",
    "A failed gate caps score, low and high of its group at gateCap, and overall too.",
    "overall is floor(technicalShare * technical + journeyShare * mean + 0.5); mean is the weighted mean of "
    "the journeys that have a score, with the weights of the site type; of the main journey (vehicle for a dealer, "
    "else service) low counts where it has none.",
    "A band is at most usable where less than readyCoverage was measured, and at most limited where every page "
    "that was read holds almost no text before scripts run; the score itself stays as it is computed.",
    "overall is null when technical has no score, when nothing was seen of the main journey, or when the type is "
    "undetermined or not automotive.",
)


def methodology() -> dict[str, Any]:
    """Everything needed to repeat a report: model, checks, applicability, arithmetic, bots, limits."""
    policy = scan_policy("")
    return {
        "model": {
            "current": MODEL_VERSION,
            "released": RELEASED,
            "retired": [],
            "catalogueSha256": catalogue_sha256(),
            "compatibility": "Reports are never re-scored; two compare when MAJOR and MINOR are equal.",
        },
        "groups": [
            {
                "id": group.value,
                "weight": sum(check.weight for check in of_group(group)),
                "checks": [check.id for check in of_group(group)],
            }
            for group in Group
        ],
        "checks": [described(check) for check in CATALOG],
        "commands": dict(commands()),
        "statuses": {status.value: CREDIT.get(status) for status in CheckStatus},
        "sampling": {"passShare": SAMPLE_PASS, "warnShare": SAMPLE_WARN, "order": "sha256 of the URL"},
        "siteTypes": {
            "signs": [
                {"sign": sign.words, "points": sign.points, "for": sign.kind.value} for sign in SIGNS.values()
            ],
            "pointsNeeded": NEEDED,
            "leadNeeded": LEAD,
            "applicability": list(APPLICABILITY),
        },
        "scoring": {
            "rules": list(SCORING),
            "coverageNeeded": float(COVERAGE_NEEDED),
            "gates": [check.id for check in CATALOG if check.gate],
            "gateCap": GATE_CAP,
            "technicalShare": float(TECHNICAL_SHARE),
            "journeyShare": float(JOURNEY_SHARE),
            "journeyWeights": {
                "dealer": {group.value: float(weight) for group, weight in DEALER_WEIGHTS.items()},
                "others": {group.value: float(weight) for group, weight in OTHER_WEIGHTS.items()},
            },
            "journeys": [group.value for group in JOURNEYS],
            "readyCoverage": float(READY_COVERAGE),
            "bands": [{"band": name, "from": least} for name, least in BANDS],
        },
        "bots": {
            "version": agents.BOT_LIST_VERSION,
            "agents": [
                {
                    "token": agent.token,
                    "operator": agent.operator,
                    "tier": agent.tier.value,
                    "header": agent.header,
                    "page": agent.page,
                    "checked": agent.checked,
                }
                for agent in agents.AGENTS
            ],
            "tiers": {
                "search": "feeds AI citations: blocking costs points",
                "user": "fetches for a person: blocking warns",
                "training": "a legitimate choice, shown as information and never a fault",
            },
            "headerProbe": "It proves that a rule reacts to a header, never that the real bot is "
            "blocked; it runs only where the starter vouches for the site, and never fails one.",
        },
        "limits": {
            "statements": list(LIMITS),
            "requests": policy.requests,
            "seconds": SCAN_SECONDS + GRADING_WAIT,
            "bytesPerBody": policy.body,
            "redirects": policy.redirects,
            "inFlight": policy.in_flight,
            "secondsBetweenStarts": policy.interval,
            "userAgent": policy.user_agent.partition(" ")[0],
            "publicSuffixListVersion": urls.public_suffix_list_version(),
            "requestsPerMinute": RATE_LIMIT,
            "retentionDays": RETENTION_DAYS,
        },
    }
