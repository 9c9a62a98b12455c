"""The server's side of SCRAM (RFC 5802, 7677), with a few ways to be wrong."""

import base64
import hashlib
import hmac
import os

HASHES = {"SCRAM-SHA-1": "sha1", "SCRAM-SHA-256": "sha256", "SCRAM-SHA-512": "sha512"}


class Refused(Exception):
    """The SASL condition with which the client is refused."""


class Exchange:
    """One login. `faults` may hold "nonce" (not the client's), "signature" (a wrong v=), "extension" (an m=)."""

    def __init__(self, mechanism, accounts, iterations=4096, faults=()):
        if mechanism not in HASHES:
            raise Refused("invalid-mechanism")
        self._hash = HASHES[mechanism]
        self._accounts = accounts
        self._iterations = iterations
        self._faults = faults
        self.user = None

    def challenge(self, first):
        """The server's first message, to the client's."""
        gs2, _, rest = first.partition(",")
        authzid, _, bare = rest.partition(",")
        if gs2 not in ("n", "y") or authzid:
            raise Refused("malformed-request")
        self._header = f"{gs2},,"
        fields = _fields(bare)
        self.user = fields["n"].replace("=2C", ",").replace("=3D", "=")
        self._bare = bare
        self._nonce = ("forged" if "nonce" in self._faults else fields["r"]) + base64.b64encode(os.urandom(18)).decode()
        self._salt = os.urandom(16)
        extension = "m=confab," if "extension" in self._faults else ""
        salt = base64.b64encode(self._salt).decode()
        self._first = f"{extension}r={self._nonce},s={salt},i={self._iterations}"
        return self._first

    def finish(self, final):
        """The server's final message, to the client's; refuses a wrong proof."""
        without_proof, _, proof = final.rpartition(",p=")
        fields = _fields(without_proof)
        binding = base64.b64encode(self._header.encode()).decode()
        if fields.get("c") != binding or fields.get("r") != self._nonce:
            raise Refused("malformed-request")
        password = self._accounts.get(self.user, os.urandom(8).hex())
        salted = hashlib.pbkdf2_hmac(self._hash, password.encode(), self._salt, self._iterations)
        text = f"{self._bare},{self._first},{without_proof}".encode()
        client_key = self._hmac(salted, b"Client Key")
        signature = self._hmac(hashlib.new(self._hash, client_key).digest(), text)
        expected = bytes(a ^ b for a, b in zip(client_key, signature))
        if base64.b64decode(proof) != expected:
            raise Refused("not-authorized")
        server = self._hmac(self._hmac(salted, b"Server Key"), text)
        if "signature" in self._faults:
            server = bytes(len(server))
        return f"v={base64.b64encode(server).decode()}"

    def _hmac(self, key, data):
        return hmac.new(key, data, self._hash).digest()


def _fields(text):
    return dict(part.split("=", 1) for part in text.split(",") if "=" in part)
