"""The worker of the service, to be killed, which may look at one site on loopback."""

import asyncio
import os
import sys
from dataclasses import replace

from server.cli.output import Output
from server.cli.servers import execute_runs
from server.service import open_service
from server.settings import Settings


async def main(site: str) -> None:
    async with open_service(Settings.from_environ(os.environ)) as service:
        await execute_runs(replace(service, allow_hosts=frozenset({site})), Output(False))


if __name__ == "__main__":  # pages are parsed in children, which import this module
    asyncio.run(main(sys.argv[1]))
