"""Two processes that share a Redis count attempts together; each alone would let twice as many through."""

import secrets
import socket

import pytest

from tests.web.conftest import Meet, Run

CALLBACK = {"redirect_uris": ["http://127.0.0.1:4000/cb"], "token_endpoint_auth_method": "none"}


@pytest.fixture(scope="module")
def both(run_service: Run) -> tuple[str, str]:
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", 6379)):
            pytest.skip("Redis does not answer on 127.0.0.1:6379")
    first, second = (run_service(REDIS_URL="redis://127.0.0.1:6379/0") for _ in range(2))
    return first.url, second.url


@pytest.fixture
def address() -> str:
    """An address that no other run has counted under."""
    return f"2001:db8:{secrets.token_hex(2)}:{secrets.token_hex(2)}::1"


async def test_wrong_passwords_are_counted_in_every_process(
    both: tuple[str, str], meet: Meet, address: str
) -> None:
    email = f"{secrets.token_hex(8)}@example.com"
    people = [meet(url, address) for url in both]
    answers = [(await people[n % 2].sign_in(email, "a wrong password")).status_code for n in range(7)]
    assert answers == [401] * 5 + [429] * 2


async def test_registrations_are_counted_in_every_process(
    both: tuple[str, str], meet: Meet, address: str
) -> None:
    people = [meet(url, address) for url in both]
    answers = [await people[n % 2].http.post("/api/oauth/register", json=CALLBACK) for n in range(102)]
    assert [answer.status_code for answer in answers] == [201] * 100 + [429] * 2
    assert 3500 < int(answers[-1].headers["retry-after"]) <= 3600
    neighbour = meet(both[0], address.replace("::1", "::2"))
    answer = await neighbour.http.post("/api/oauth/register", json=CALLBACK)
    assert answer.status_code == 429, "one subscriber's network is one address"
