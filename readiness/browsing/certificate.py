"""A certificate for one visit of the browser, which trusts its key and no other stranger's."""

import base64
import hashlib
import ssl
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

LIFETIME = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class VisitCertificate:
    """What the gate shows to the browser; `fingerprint` is the base64 SHA-256 of its public key."""

    tls: ssl.SSLContext
    fingerprint: str


def make_certificate() -> VisitCertificate:
    """Return a new self-signed certificate; its key is gone from the disk when this returns."""
    # Nine megabytes of every process that scans, and few scans open a browser.
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "readiness gate")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    certificate = (
        builder.not_valid_before(now - LIFETIME)
        .not_valid_after(now + LIFETIME)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("gate.invalid")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    public = key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    written = certificate.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "gate.pem"
        path.touch(mode=0o600)
        path.write_bytes(written)
        tls.load_cert_chain(path)
    return VisitCertificate(tls, base64.b64encode(hashlib.sha256(public).digest()).decode())
