"""What a worker process runs that is lost in the middle of its work."""

import os


def be_lost(*_: object) -> None:
    os._exit(1)
