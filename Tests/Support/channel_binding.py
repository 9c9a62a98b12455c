"""The channel bindings of a TLS connection as a server has them: tls-exporter (RFC 9266) on TLS 1.3, and
tls-server-end-point (RFC 5929) for certificates that are signed with SHA-256.

Python's ssl has neither. The exporter is computed from the key log, as RFC 8446, section 7.5, says.
"""

import hashlib
import hmac
import ssl
import tempfile


class KeyLog:
    """What OpenSSL logs of the connections of some contexts."""

    def __init__(self):
        self._file = tempfile.NamedTemporaryFile(prefix="confab-keys-")

    def follow(self, context):
        """Its connections are logged from now on."""
        context.keylog_filename = self._file.name

    def bindings(self, tls, client_hello, certificate):
        """Type to bytes: of a connection whose first record and whose server's certificate (a file) these are."""
        with open(certificate, encoding="ascii") as file:
            first = file.read().partition("-----END CERTIFICATE-----")
        der = ssl.PEM_cert_to_DER_cert(first[0] + first[1])
        found = {"tls-server-end-point": hashlib.sha256(der).digest()}
        secret = self._exporter_secret(client_hello[11:43])
        if secret is not None:
            algorithm = "sha384" if tls.cipher()[0].endswith("SHA384") else "sha256"
            found["tls-exporter"] = _export(algorithm, secret, b"EXPORTER-Channel-Binding", 32)
        return found

    def _exporter_secret(self, client_random):
        start = f"EXPORTER_SECRET {client_random.hex()} "
        with open(self._file.name, encoding="ascii") as log:
            return next((bytes.fromhex(line.removeprefix(start)) for line in log if line.startswith(start)), None)


def _export(algorithm, secret, label, length):
    empty = hashlib.new(algorithm).digest()
    derived = _expand_label(algorithm, secret, label, empty, len(empty))
    return _expand_label(algorithm, derived, b"exporter", empty, length)


def _expand_label(algorithm, secret, label, context, length):
    """HKDF-Expand-Label (RFC 8446, section 7.1), for no more than one block."""
    label = b"tls13 " + label
    info = length.to_bytes(2, "big") + bytes([len(label)]) + label + bytes([len(context)]) + context
    return hmac.new(secret, info + b"\1", algorithm).digest()[:length]
