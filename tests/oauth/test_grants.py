"""Codes, tokens, refreshes and revocation, on both databases."""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import TypeVar

import pytest

from oauth.authenticate import AccessTokenAuthenticator, EitherCredential
from oauth.errors import INVALID, CredentialRefused, OAuthRefused
from oauth.grants import Tokens
from oauth.pkce import challenge_of, proves
from oauth.principal import Principal, Scope
from oauth.scopes import Audiences
from oauth.signing import OAUTH_TOKENS, Digests
from storage.workspace import CompanyRole
from tests.oauth.conftest import Issuer

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


async def test_a_code_gives_tokens_for_the_company_and_its_scopes(issuer: Issuer) -> None:
    pair = await issuer.pair(Scope.READ)
    principal = await issuer.principal(pair.access)
    assert isinstance(principal, Principal)
    assert principal.company_id == issuer.company_id
    assert principal.subject.startswith("grant:")
    assert principal.scopes == {Scope.READ}


async def test_a_token_has_the_role_of_the_person_who_consented_alone(issuer: Issuer) -> None:
    async with issuer.database.operation() as operators:
        other = await operators.companies.create("Theirs", "owner@theirs.example", "growth", issuer.moment())
        people = {
            role: await operators.users.add(
                company_id, f"{role}@people.example", role, role, "hash", issuer.moment()
            )
            for role, company_id in (("viewer", issuer.company_id), ("member", other.id))
        }
    pairs = {"owner": await issuer.pair()}
    for role, user_id in people.items():
        issuer.user_id = user_id
        pairs[role] = await issuer.pair()
    found = {role: await issuer.principal(pair.access) for role, pair in pairs.items()}
    assert {role: (one.role, one.may(Scope.WRITE)) for role, one in found.items()} == {
        "owner": (CompanyRole.OWNER, True),
        "viewer": (CompanyRole.VIEWER, False),
        "member": (CompanyRole.MEMBER, True),
    }


async def test_a_replayed_code_is_rejected_and_revokes_its_tokens(issuer: Issuer) -> None:
    code = await issuer.grants.approve(issuer.approval())
    pair = await issuer.redeem(code)
    assert await issuer.opens(pair.access)
    with pytest.raises(OAuthRefused, match="not valid") as refused:
        await issuer.redeem(code)
    assert refused.value.code == "invalid_grant"
    assert not await issuer.opens(pair.access)
    with pytest.raises(OAuthRefused):
        await issuer.refresh(pair.refresh)


async def test_of_concurrent_uses_of_a_code_one_wins_and_the_grant_is_revoked(issuer: Issuer) -> None:
    code = await issuer.grants.approve(issuer.approval())
    came, refused = await outcomes([issuer.redeem(code) for _ in range(8)])
    assert len(came) == 1
    assert set(refused) == {"invalid_grant"}
    assert not await issuer.opens(came[0].access)


async def test_a_wrong_verifier_uses_the_code_up(issuer: Issuer) -> None:
    code = await issuer.grants.approve(issuer.approval())
    with pytest.raises(OAuthRefused, match="verifier"):
        await issuer.redeem(code, verifier="x" * 43)
    with pytest.raises(OAuthRefused, match="not valid"):
        await issuer.redeem(code)


async def test_another_client_cannot_redeem_refresh_or_revoke(issuer: Issuer) -> None:
    pair = await issuer.pair()
    with pytest.raises(OAuthRefused):
        await issuer.grants.refresh("client-2", pair.refresh, None, None)
    await issuer.grants.revoke("client-2", pair.refresh)
    assert await issuer.opens(pair.access)
    code = await issuer.grants.approve(issuer.approval())
    with pytest.raises(OAuthRefused):
        await issuer.redeem(code, client_id="client-2")


@pytest.mark.parametrize(("seconds", "good"), [(59, True), (60, False)])
async def test_a_code_lives_a_minute(issuer: Issuer, seconds: int, good: bool) -> None:
    code = await issuer.grants.approve(issuer.approval())
    issuer.moment.forward(seconds=seconds)
    came, _ = await outcomes([issuer.redeem(code)])
    assert bool(came) is good


@pytest.mark.parametrize(("minutes", "good"), [(59, True), (60, False)])
async def test_an_access_token_lives_an_hour(issuer: Issuer, minutes: int, good: bool) -> None:
    pair = await issuer.pair()
    issuer.moment.forward(minutes=minutes)
    assert await issuer.opens(pair.access) is good


async def test_each_refresh_extends_thirty_days_up_to_ninety(
    issuer: Issuer,
) -> None:
    pair = await issuer.pair()
    for _ in range(3):
        issuer.moment.forward(days=29)
        pair = await issuer.refresh(pair.refresh)
    issuer.moment.forward(days=2, hours=23, minutes=30)
    last = await issuer.grants.refresh(issuer.client_id, pair.refresh, None, None)
    assert last.seconds == 1800, "the last access token ends with its grant"
    issuer.moment.forward(minutes=30)
    with pytest.raises(OAuthRefused):
        await issuer.refresh(last.refresh)


async def test_an_unused_refresh_token_dies_after_thirty_days(issuer: Issuer) -> None:
    pair = await issuer.pair()
    issuer.moment.forward(days=30)
    with pytest.raises(OAuthRefused):
        await issuer.refresh(pair.refresh)


async def test_parallel_refreshes_within_the_grace_all_work(issuer: Issuer) -> None:
    pair = await issuer.pair()
    came, refused = await outcomes([issuer.refresh(pair.refresh) for _ in range(6)])
    assert refused == []
    assert len({each.refresh for each in came}) == 6
    for each in came:
        assert await issuer.opens(each.access)


async def test_the_seventh_use_of_a_refresh_token_revokes_the_family(issuer: Issuer) -> None:
    pair = await issuer.pair()
    came, refused = await outcomes([issuer.refresh(pair.refresh) for _ in range(7)])
    assert refused == ["invalid_grant"]
    assert not any([await issuer.opens(each.access) for each in came])


async def test_reuse_after_the_grace_revokes_the_family(issuer: Issuer) -> None:
    pair = await issuer.pair()
    newer = await issuer.refresh(pair.refresh)
    issuer.moment.forward(seconds=120)
    again = await issuer.refresh(pair.refresh)
    assert await issuer.opens(again.access)
    issuer.moment.forward(seconds=1)
    with pytest.raises(OAuthRefused) as refused:
        await issuer.refresh(pair.refresh)
    assert refused.value.code == "invalid_grant"
    for tokens in (pair, newer, again):
        assert not await issuer.opens(tokens.access)
        with pytest.raises(OAuthRefused):
            await issuer.refresh(tokens.refresh)


async def test_access_and_refresh_tokens_cannot_replace_each_other(issuer: Issuer) -> None:
    pair = await issuer.pair()
    with pytest.raises(OAuthRefused):
        await issuer.refresh(pair.access)
    with pytest.raises(CredentialRefused, match=INVALID):
        await issuer.principal(pair.refresh)
    with pytest.raises(CredentialRefused, match=INVALID):
        await issuer.principal("at_" + pair.refresh[3:])


async def test_a_refresh_may_narrow_the_access_token_but_not_widen_it(issuer: Issuer) -> None:
    pair = await issuer.pair()
    narrow: Tokens = await issuer.grants.refresh(issuer.client_id, pair.refresh, "service.read", None)
    principal = await issuer.principal(narrow.access)
    assert principal.scopes == {Scope.READ}
    wide = await issuer.grants.refresh(issuer.client_id, narrow.refresh, None, None)
    assert wide.scopes == {Scope.READ, Scope.WRITE}
    reader = await issuer.pair(Scope.READ)
    with pytest.raises(OAuthRefused) as refused:
        await issuer.grants.refresh(issuer.client_id, reader.refresh, "service.write", None)
    assert refused.value.code == "invalid_scope"


@pytest.mark.parametrize("resource", ["https://other.example/mcp", "https://seenby.example/api/mcp-app"])
async def test_another_resource_than_the_granted_one_is_refused(issuer: Issuer, resource: str) -> None:
    pair = await issuer.pair()
    with pytest.raises(OAuthRefused) as refused:
        await issuer.grants.refresh(issuer.client_id, pair.refresh, None, resource)
    assert refused.value.code == "invalid_target"
    assert (await issuer.refresh(pair.refresh)).access, "a refused request does not use the token up"


async def test_a_token_for_another_audience_opens_nothing(issuer: Issuer) -> None:
    code = await issuer.grants.approve(issuer.approval(resource="https://moved.example/mcp"))
    pair = await issuer.redeem(code)
    with pytest.raises(CredentialRefused, match=INVALID):
        await issuer.principal(pair.access)


async def test_revoking_either_token_ends_the_grant_at_once(issuer: Issuer) -> None:
    for kind in ("access", "refresh"):
        pair = await issuer.pair()
        await issuer.grants.revoke(issuer.client_id, getattr(pair, kind))
        assert not await issuer.opens(pair.access)
        with pytest.raises(OAuthRefused):
            await issuer.refresh(pair.refresh)


async def test_a_disconnected_app_is_refused_at_once_and_leaves_the_list(issuer: Issuer) -> None:
    pair = await issuer.pair(Scope.READ)
    principal = await issuer.principal(pair.access)
    await issuer.last_uses.flush()
    (app,) = await issuer.database.workspace(issuer.company_id).connected_apps.live(issuer.moment())
    assert (app.name, app.scopes, app.last_used_at) == ("client-1", "service.read", issuer.moment())
    assert principal.subject == f"grant:{app.id}"
    async with issuer.database.transaction("another company") as workspace:
        assert not await workspace.connected_apps.disconnect(app.id, issuer.moment())
    assert await issuer.opens(pair.access)
    async with issuer.database.transaction(issuer.company_id) as workspace:
        assert await workspace.connected_apps.disconnect(app.id, issuer.moment())
    assert not await issuer.opens(pair.access)
    assert await issuer.database.workspace(issuer.company_id).connected_apps.live(issuer.moment()) == []


async def test_a_persons_grants_end_together(issuer: Issuer) -> None:
    pairs = [await issuer.pair(), await issuer.pair()]
    async with issuer.database.operation() as operators:
        assert (
            await operators.oauth_grants.revoke_user(issuer.user_id, "password changed", issuer.moment()) == 2
        )
    assert not any([await issuer.opens(pair.access) for pair in pairs])


async def test_expired_rows_are_swept_and_live_ones_stay(issuer: Issuer) -> None:
    old = await issuer.pair()
    issuer.moment.forward(days=60)
    new = await issuer.pair()
    assert await issuer.grants.sweep() == 4, "two tokens, a code, and the client that was never used"
    assert await issuer.opens(new.access)
    issuer.moment.forward(days=61)
    await issuer.grants.sweep()
    async with issuer.database.operation() as operators:
        assert await operators.oauth_grants.token(("", "")) is None
    assert not await issuer.opens(old.access)


async def test_tokens_of_the_former_secret_work_until_it_is_gone(issuer: Issuer) -> None:
    pair = await issuer.pair()
    old = b"a secret of the tests, of more than 32 bytes"

    def over(digests: Digests) -> AccessTokenAuthenticator:
        return AccessTokenAuthenticator(
            issuer.database, digests, Audiences("https://seenby.example"), issuer.last_uses, issuer.moment
        )

    rotated = over(Digests.of(b"another secret, of more than 32 bytes", OAUTH_TOKENS, old))
    assert await rotated.authenticate(f"Bearer {pair.access}") is not None
    with pytest.raises(CredentialRefused):
        await over(Digests.of(b"another secret, of more than 32 bytes", OAUTH_TOKENS)).authenticate(
            f"Bearer {pair.access}"
        )


async def test_each_credential_goes_to_who_knows_its_kind(issuer: Issuer) -> None:
    class Keys:
        async def authenticate(self, authorization: str | None) -> Principal | None:
            return Principal("by key", "key:1", frozenset())

    either = EitherCredential(Keys(), issuer.tokens)
    pair = await issuer.pair()
    holders = [await either.authenticate(f"Bearer {raw}") for raw in (pair.access, "sk_live_x")]
    assert [holder and holder.company_id for holder in holders] == [issuer.company_id, "by key"]
