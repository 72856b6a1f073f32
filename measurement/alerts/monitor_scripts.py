"""The names of the monitoring scripts, and which kind of issue each raises."""

from collections.abc import Mapping
from types import MappingProxyType

CRAWLER_CHECK = "crawler_check"
CONTENT_GAP_MONITOR = "content_gap_monitor"
BOT_ACCESS_MONITOR = "bot_access_monitor"

KINDS: Mapping[str, str] = MappingProxyType(
    {
        CRAWLER_CHECK: "crawler_error",
        CONTENT_GAP_MONITOR: "content_gap",
        BOT_ACCESS_MONITOR: "bot_access",
    }
)
"""Every script, in the order it is shown."""
