"""Technical readiness: can a machine reach the site, may it, and does it understand what it gets."""

from readiness.checks.bots import BOTS
from readiness.checks.browser import BROWSER
from readiness.checks.connection import CONNECTION
from readiness.checks.delivery import DELIVERY
from readiness.checks.indexing import INDEXING
from readiness.checks.markup import MARKUP
from readiness.checks.rendering import RENDERING

TECHNICAL = (*CONNECTION, *BOTS, *INDEXING, *MARKUP, *RENDERING, *DELIVERY, *BROWSER)
"""Every technical check, in the order of the report."""
