"""What one deployment decides about its authorization server."""

from dataclasses import dataclass, field

from oauth.redirects import RedirectRules
from oauth.signing import Digests


@dataclass(frozen=True, slots=True)
class OAuthPolicy:
    """The issuer's address, its secrets, and whom it may answer. `base_url` has no trailing slash and is the issuer.

    `former_secret` is still tried when something is looked up. `apps_challenge` is the text that
    proves the domain to a directory of apps.
    """

    base_url: str
    secret: bytes = field(repr=False)
    former_secret: bytes | None = field(default=None, repr=False)
    redirects: RedirectRules = field(default_factory=RedirectRules)
    apps_challenge: str | None = None

    def digests(self, label: str) -> Digests:
        """Return the keys of one purpose."""
        return Digests.of(self.secret, label, self.former_secret)
