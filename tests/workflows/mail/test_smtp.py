"""The mail server over TLS and with a sign-in: what it refuses is named, and a password never goes in the clear."""

import ssl
from email.message import EmailMessage

import pytest
import trustme
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.mail_server import MailServer, open_mail_server
from workflows.mail.smtp import MailRefused, SmtpSettings, SmtpTransport

AUTHORITY = trustme.CA()


def server_context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    AUTHORITY.issue_cert("127.0.0.1").configure_cert(context)  # pyright: ignore[reportUnknownMemberType]
    return context


def trusting() -> ssl.SSLContext:
    context = ssl.create_default_context()
    AUTHORITY.configure_trust(context)  # pyright: ignore[reportUnknownMemberType]
    return context


def only_ada(
    server: SMTP, session: Session, envelope: Envelope, mechanism: str, login: LoginPassword
) -> AuthResult:
    return AuthResult(success=login == LoginPassword(b"ada", b"right"), handled=False)


def settings(server: MailServer, password: str = "right") -> SmtpSettings:
    return SmtpSettings("127.0.0.1", server.port, "s@a.test", username="ada", password=password)


def message() -> EmailMessage:
    composed = EmailMessage()
    composed["To"], composed["From"], composed["Subject"] = "b@b.test", "s@a.test", "Hello"
    composed.set_content("Hello")
    return composed


async def ready() -> None:
    """What a sender does between envelope and message, when nobody else sends."""


async def test_mail_is_handed_in_over_starttls_with_a_sign_in() -> None:
    with open_mail_server(tls_context=server_context(), authenticator=only_ada, auth_required=True) as server:
        assert await SmtpTransport(settings(server), trusting).send(message(), "b@b.test", ready) == 250
        assert len(server.messages) == 1


async def test_a_refused_password_is_named_and_tried_again_later() -> None:
    with open_mail_server(tls_context=server_context(), authenticator=only_ada, auth_required=True) as server:
        with pytest.raises(MailRefused) as refused:
            await SmtpTransport(settings(server, "wrong"), trusting).send(message(), "b@b.test", ready)
        assert (refused.value.outcome, refused.value.reply, refused.value.permanent) == (
            "credentials_refused",
            535,
            False,
        )


@pytest.mark.parametrize(
    ("with_tls", "outcome"), [(True, "tls_failed"), (False, "no_tls_or_sign_in")], ids=["untrusted", "no TLS"]
)
async def test_nothing_is_sent_without_tls_that_is_trusted(with_tls: bool, outcome: str) -> None:
    with open_mail_server(tls_context=server_context() if with_tls else None) as server:
        with pytest.raises(MailRefused) as refused:
            await SmtpTransport(settings(server)).send(message(), "b@b.test", ready)
        assert (refused.value.outcome, server.messages) == (outcome, [])


async def test_a_server_that_is_away_is_named_unreachable() -> None:
    with open_mail_server() as server:
        gone = settings(server)
    with pytest.raises(MailRefused) as refused:
        await SmtpTransport(gone).check()
    assert refused.value.outcome == "unreachable"
