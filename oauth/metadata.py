"""The two metadata documents that clients discover this server by (RFC 9728, RFC 8414)."""

from typing import Any

from oauth.challenges import METADATA_PATH
from oauth.pkce import METHOD
from oauth.product import NAME
from oauth.registration import GRANTS, METHODS
from oauth.scopes import ENDPOINTS, KNOWN, OFFLINE

SERVER_METADATA_PATH = "/.well-known/oauth-authorization-server"
SLASHES = ("", "/")
"""A client whose server address ends in a slash asks for metadata that does too."""
REGISTER = "/api/oauth/register"
AUTHORIZE = "/api/oauth/authorize"
TOKEN = "/api/oauth/token"
REVOKE = "/api/oauth/revoke"


def protected_resource(base_url: str, endpoint: str) -> dict[str, Any]:
    """Describe the resource at `base_url` + `endpoint`; its `resource` equals that address (section 3.3)."""
    return {
        "resource": base_url + endpoint,
        "authorization_servers": [base_url],
        "scopes_supported": [str(scope) for scope in KNOWN],
        "bearer_methods_supported": ["header"],
        "resource_name": NAME,
    }


def authorization_server(base_url: str) -> dict[str, Any]:
    """Describe this server, whose issuer is the base address exactly.

    No OpenID scopes: clients would ask for what is listed.
    """
    return {
        "issuer": base_url,
        "authorization_endpoint": base_url + AUTHORIZE,
        "token_endpoint": base_url + TOKEN,
        "registration_endpoint": base_url + REGISTER,
        "revocation_endpoint": base_url + REVOKE,
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": GRANTS,
        "code_challenge_methods_supported": [METHOD],
        "token_endpoint_auth_methods_supported": list(METHODS),
        "revocation_endpoint_auth_methods_supported": list(METHODS),
        "scopes_supported": [*(str(scope) for scope in KNOWN), OFFLINE],
        "client_id_metadata_document_supported": True,
        "authorization_response_iss_parameter_supported": True,
    }


def documents(base_url: str) -> dict[str, dict[str, Any]]:
    """Return each document by the path it is served at, the variants that clients build included."""
    return {
        **{
            METADATA_PATH + endpoint + slash: protected_resource(base_url, endpoint)
            for endpoint in ENDPOINTS
            for slash in SLASHES
        },
        **{
            SERVER_METADATA_PATH + endpoint + slash: authorization_server(base_url)
            for endpoint in ENDPOINTS
            for slash in SLASHES
        },
    }
