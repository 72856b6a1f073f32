"""Makes the handlers of one local client; needs nothing of what opens the whole service."""

from collections.abc import Sequence

from oauth.challenges import Challenges
from oauth.principal import Caller
from server.mcp.handlers import ServiceHandlers, ToolListing
from server.mcp.library import library
from server.mcp.resources import ResourceProvider
from tools.calls.dispatch import Dispatcher


def local_handlers(
    dispatcher: Dispatcher, caller: Caller, resources: Sequence[ResourceProvider] = ()
) -> ServiceHandlers:
    """Return the handlers for one local client, in whose name every call is made."""
    documents = library(dispatcher.table, resources)
    return ServiceHandlers(
        dispatcher, ToolListing(dispatcher), documents, Challenges("", oauth=False), caller
    )
