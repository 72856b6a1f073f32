"""Fetching a client's metadata reaches nothing that is not public."""

from collections.abc import Sequence

import pytest

from oauth.errors import DocumentUnreachable
from server.document_fetcher import GuardedFetcher


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1"])
async def test_a_name_of_a_private_address_is_not_asked(address: str) -> None:
    asked: list[str] = []

    async def resolve(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return [address]

    with pytest.raises(DocumentUnreachable) as refused:
        await GuardedFetcher("https://seenby.example", resolve).fetch("https://app.example/client.json")
    assert asked == ["app.example"]
    assert "refused_address" in str(refused.value.__cause__)


@pytest.mark.parametrize(
    "url", ["http://app.example/client.json", "https://127.0.0.1/c", "ftp://a.example/c"]
)
async def test_other_urls_than_https_of_names_are_not_asked(url: str) -> None:
    with pytest.raises(DocumentUnreachable):
        await GuardedFetcher("https://seenby.example").fetch(url)
