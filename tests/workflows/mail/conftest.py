"""A mail server for each test."""

from collections.abc import Generator

import pytest

from tests.mail_server import MailServer, open_mail_server


@pytest.fixture
def mail_server() -> Generator[MailServer]:
    """A server on a port of its own."""
    with open_mail_server() as server:
        yield server
