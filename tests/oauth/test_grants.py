"""Codes, tokens, refreshes and revocation, on both databases."""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import TypeVar

import pytest

from oauth.audience import Audiences
from oauth.authenticate import AccessTokenAuthenticator, EitherCredential
from oauth.errors import INVALID, CredentialRefused, OAuthRefused
from oauth.pkce import challenge_of, proves
from oauth.principal import Principal, Scope
from oauth.refresh_tokens import Tokens
from oauth.signing import OAUTH_TOKENS, Digests
from tests.oauth.conftest import Desk

T = TypeVar("T")


async def outcomes(work: Sequence[Awaitable[T]]) -> tuple[list[T], list[str]]:
    """Run all at once; return what came and the codes of what was refused."""
    done = await asyncio.gather(*work, return_exceptions=True)
    refused = [each.code for each in done if isinstance(each, OAuthRefused)]
    came = [each for each in done if not isinstance(each, BaseException)]
    assert len(came) + len(refused) == len(done), done
    return came, refused


def test_the_challenge_of_the_standards_example_is_computed() -> None:
    """RFC 7636, appendix B."""
    verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    assert challenge_of(verifier) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    assert proves(verifier, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")


async def test_a_code_gives_tokens_that_name_the_grant_its_company_and_its_scopes(desk: Desk) -> None:
    pair = await desk.pair(Scope.READ)
    principal = await desk.principal(pair.access)
    assert isinstance(principal, Principal)
    assert principal.company_id == desk.company_id
    assert principal.subject.startswith("grant:")
    assert principal.scopes == {Scope.READ}


async def test_a_replayed_code_is_refused_and_kills_the_tokens_made_from_it(desk: Desk) -> None:
    code = await desk.grants.approve(desk.approval())
    pair = await desk.redeem(code)
    assert await desk.opens(pair.access)
    with pytest.raises(OAuthRefused, match="not valid") as refused:
        await desk.redeem(code)
    assert refused.value.code == "invalid_grant"
    assert not await desk.opens(pair.access)
    with pytest.raises(OAuthRefused):
        await desk.refresh(pair.refresh)


async def test_of_two_presentations_of_a_code_at_once_one_wins_and_the_grant_dies(desk: Desk) -> None:
    code = await desk.grants.approve(desk.approval())
    came, refused = await outcomes([desk.redeem(code) for _ in range(8)])
    assert len(came) == 1
    assert set(refused) == {"invalid_grant"}
    assert not await desk.opens(came[0].access)


async def test_a_wrong_verifier_uses_the_code_up(desk: Desk) -> None:
    code = await desk.grants.approve(desk.approval())
    with pytest.raises(OAuthRefused, match="verifier"):
        await desk.redeem(code, verifier="x" * 43)
    with pytest.raises(OAuthRefused, match="not valid"):
        await desk.redeem(code)


async def test_another_client_cannot_redeem_refresh_or_revoke(desk: Desk) -> None:
    pair = await desk.pair()
    with pytest.raises(OAuthRefused):
        await desk.grants.refresh("client-2", pair.refresh, None, None)
    await desk.grants.revoke("client-2", pair.refresh)
    assert await desk.opens(pair.access)
    code = await desk.grants.approve(desk.approval())
    with pytest.raises(OAuthRefused):
        await desk.redeem(code, client_id="client-2")


@pytest.mark.parametrize(("seconds", "good"), [(59, True), (60, False)])
async def test_a_code_lives_a_minute(desk: Desk, seconds: int, good: bool) -> None:
    code = await desk.grants.approve(desk.approval())
    desk.moment.forward(seconds=seconds)
    came, _ = await outcomes([desk.redeem(code)])
    assert bool(came) is good


@pytest.mark.parametrize(("minutes", "good"), [(59, True), (60, False)])
async def test_an_access_token_lives_an_hour(desk: Desk, minutes: int, good: bool) -> None:
    pair = await desk.pair()
    desk.moment.forward(minutes=minutes)
    assert await desk.opens(pair.access) is good


async def test_a_refresh_token_lives_thirty_days_and_each_use_gives_thirty_more_up_to_ninety(
    desk: Desk,
) -> None:
    pair = await desk.pair()
    for _ in range(3):
        desk.moment.forward(days=29)
        pair = await desk.refresh(pair.refresh)
    desk.moment.forward(days=2, hours=23, minutes=30)
    last = await desk.grants.refresh(desk.client_id, pair.refresh, None, None)
    assert last.seconds == 1800, "the last access token ends with its grant"
    desk.moment.forward(minutes=30)
    with pytest.raises(OAuthRefused):
        await desk.refresh(last.refresh)


async def test_an_unused_refresh_token_dies_after_thirty_days(desk: Desk) -> None:
    pair = await desk.pair()
    desk.moment.forward(days=30)
    with pytest.raises(OAuthRefused):
        await desk.refresh(pair.refresh)


async def test_parallel_refreshes_within_the_grace_all_work(desk: Desk) -> None:
    pair = await desk.pair()
    came, refused = await outcomes([desk.refresh(pair.refresh) for _ in range(6)])
    assert refused == []
    assert len({each.refresh for each in came}) == 6
    for each in came:
        assert await desk.opens(each.access)


async def test_the_seventh_use_of_a_refresh_token_revokes_the_family(desk: Desk) -> None:
    pair = await desk.pair()
    came, refused = await outcomes([desk.refresh(pair.refresh) for _ in range(7)])
    assert refused == ["invalid_grant"]
    assert not any([await desk.opens(each.access) for each in came])


async def test_reuse_after_the_grace_revokes_the_family(desk: Desk) -> None:
    pair = await desk.pair()
    newer = await desk.refresh(pair.refresh)
    desk.moment.forward(seconds=60)
    again = await desk.refresh(pair.refresh)
    assert await desk.opens(again.access)
    desk.moment.forward(seconds=1)
    with pytest.raises(OAuthRefused) as refused:
        await desk.refresh(pair.refresh)
    assert refused.value.code == "invalid_grant"
    for tokens in (pair, newer, again):
        assert not await desk.opens(tokens.access)
        with pytest.raises(OAuthRefused):
            await desk.refresh(tokens.refresh)


async def test_an_access_token_refreshes_nothing_and_a_refresh_token_opens_nothing(desk: Desk) -> None:
    pair = await desk.pair()
    with pytest.raises(OAuthRefused):
        await desk.refresh(pair.access)
    with pytest.raises(CredentialRefused, match=INVALID):
        await desk.principal(pair.refresh)
    with pytest.raises(CredentialRefused, match=INVALID):
        await desk.principal("at_" + pair.refresh[3:])


async def test_a_refresh_may_narrow_the_access_token_but_not_widen_it(desk: Desk) -> None:
    pair = await desk.pair()
    narrow: Tokens = await desk.grants.refresh(desk.client_id, pair.refresh, "service.read", None)
    principal = await desk.principal(narrow.access)
    assert principal.scopes == {Scope.READ}
    wide = await desk.grants.refresh(desk.client_id, narrow.refresh, None, None)
    assert wide.scopes == {Scope.READ, Scope.WRITE}
    reader = await desk.pair(Scope.READ)
    with pytest.raises(OAuthRefused) as refused:
        await desk.grants.refresh(desk.client_id, reader.refresh, "service.write", None)
    assert refused.value.code == "invalid_scope"


@pytest.mark.parametrize("resource", ["https://other.example/mcp", "https://seenby.example/api/mcp-app"])
async def test_another_resource_than_the_granted_one_is_refused(desk: Desk, resource: str) -> None:
    pair = await desk.pair()
    with pytest.raises(OAuthRefused) as refused:
        await desk.grants.refresh(desk.client_id, pair.refresh, None, resource)
    assert refused.value.code == "invalid_target"
    assert (await desk.refresh(pair.refresh)).access, "a refused request does not use the token up"


async def test_a_token_for_another_audience_opens_nothing(desk: Desk) -> None:
    code = await desk.grants.approve(desk.approval(resource="https://moved.example/mcp"))
    pair = await desk.redeem(code)
    with pytest.raises(CredentialRefused, match=INVALID):
        await desk.principal(pair.access)


async def test_revoking_either_token_ends_the_grant_at_once(desk: Desk) -> None:
    for kind in ("access", "refresh"):
        pair = await desk.pair()
        await desk.grants.revoke(desk.client_id, getattr(pair, kind))
        assert not await desk.opens(pair.access)
        with pytest.raises(OAuthRefused):
            await desk.refresh(pair.refresh)


async def test_a_disconnected_app_is_refused_at_once_and_leaves_the_list(desk: Desk) -> None:
    pair = await desk.pair(Scope.READ)
    principal = await desk.principal(pair.access)
    await desk.last_uses.flush()
    (app,) = await desk.database.workspace(desk.company_id).connected_apps.live(desk.moment())
    assert (app.name, app.scopes, app.last_used_at) == ("client-1", "service.read", desk.moment())
    assert principal.subject == f"grant:{app.id}"
    async with desk.database.transaction("another company") as workspace:
        assert not await workspace.connected_apps.disconnect(app.id, desk.moment())
    assert await desk.opens(pair.access)
    async with desk.database.transaction(desk.company_id) as workspace:
        assert await workspace.connected_apps.disconnect(app.id, desk.moment())
    assert not await desk.opens(pair.access)
    assert await desk.database.workspace(desk.company_id).connected_apps.live(desk.moment()) == []


async def test_a_persons_grants_end_together(desk: Desk) -> None:
    pairs = [await desk.pair(), await desk.pair()]
    async with desk.database.operation() as operators:
        assert await operators.oauth_grants.revoke_user(desk.user_id, "password changed", desk.moment()) == 2
    assert not any([await desk.opens(pair.access) for pair in pairs])


async def test_expired_rows_are_swept_and_live_ones_stay(desk: Desk) -> None:
    old = await desk.pair()
    desk.moment.forward(days=60)
    new = await desk.pair()
    assert await desk.grants.sweep() == 4, "two tokens, a code, and the client that was never used"
    assert await desk.opens(new.access)
    desk.moment.forward(days=61)
    await desk.grants.sweep()
    async with desk.database.operation() as operators:
        assert await operators.oauth_grants.token(("", "")) is None
    assert not await desk.opens(old.access)


async def test_tokens_of_the_former_secret_work_until_it_is_gone(desk: Desk) -> None:
    pair = await desk.pair()
    old = b"a secret of the tests, of more than 32 bytes"

    def over(digests: Digests) -> AccessTokenAuthenticator:
        return AccessTokenAuthenticator(
            desk.database, digests, Audiences("https://seenby.example"), desk.last_uses, desk.moment
        )

    rotated = over(Digests.of(b"another secret, of more than 32 bytes", OAUTH_TOKENS, old))
    assert await rotated.authenticate(f"Bearer {pair.access}") is not None
    with pytest.raises(CredentialRefused):
        await over(Digests.of(b"another secret, of more than 32 bytes", OAUTH_TOKENS)).authenticate(
            f"Bearer {pair.access}"
        )


async def test_each_credential_goes_to_who_knows_its_kind(desk: Desk) -> None:
    class Keys:
        async def authenticate(self, authorization: str | None) -> Principal | None:
            return Principal("by key", "key:1", frozenset())

    either = EitherCredential(Keys(), desk.tokens)
    pair = await desk.pair()
    holders = [await either.authenticate(f"Bearer {raw}") for raw in (pair.access, "sk_live_x")]
    assert [holder and holder.company_id for holder in holders] == [desk.company_id, "by key"]
