"""The literal strings that make clients sign in."""

import pytest

from oauth.challenges import Challenges
from oauth.errors import EXPIRED
from oauth.principal import Scope

PRM = 'resource_metadata="https://seenby.example/.well-known/oauth-protected-resource/mcp"'


@pytest.fixture
def challenges() -> Challenges:
    return Challenges("https://seenby.example", oauth=True)


def test_a_missing_credential_is_no_error_and_asks_for_all_scopes(
    challenges: Challenges,
) -> None:
    assert challenges.missing("/mcp") == f'Bearer {PRM}, scope="service.read service.write"'


def test_a_tool_result_asks_to_sign_in_with_an_error(challenges: Challenges) -> None:
    assert challenges.sign_in("/mcp") == (
        f'Bearer {PRM}, scope="service.read service.write", error="invalid_token", '
        'error_description="Sign in to use this tool."'
    )


def test_an_under_scoped_credential_is_told_every_scope(challenges: Challenges) -> None:
    assert challenges.under_scoped(Scope.WRITE, "/mcp") == (
        f'Bearer {PRM}, scope="service.read service.write", error="insufficient_scope", '
        'error_description="This tool needs the scope service.write."'
    )


def test_a_bad_credential_is_named(challenges: Challenges) -> None:
    assert challenges.refused(EXPIRED, "/mcp") == (
        f'Bearer {PRM}, error="invalid_token", error_description="API key expired."'
    )


def test_without_oauth_nothing_is_pointed_at() -> None:
    plain = Challenges("https://seenby.example", oauth=False)
    assert plain.missing() == "Bearer"
    assert plain.refused(EXPIRED) == 'Bearer error="invalid_token", error_description="API key expired."'
