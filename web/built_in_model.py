"""The built-in model on pages: whether it can be asked, and its download."""

from engines.settings import LOCAL
from engines.smollm import INSTALL, runtime_installed
from web.request import PageRequest


async def start_download(request: PageRequest) -> None:
    """Start to download the built-in model for the whole server, unless it is there."""
    request.require_owner()
    await request.read_form()
    if runtime_installed() and not request.services.engines.configured(LOCAL):
        request.services.model.start()


def describe_model(request: PageRequest) -> dict[str, object] | None:
    """Return what the built-in model lacks and how far its download is; None when it can be asked."""
    if request.services.engines.configured(LOCAL):
        return None
    model = request.services.model
    return {
        "runtime": runtime_installed(),
        "install": INSTALL,
        "percent": model.percent,
        "fault": model.fault,
    }
