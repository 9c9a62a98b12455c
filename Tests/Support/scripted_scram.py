"""The server's side of SCRAM (RFC 5802, 7677) and PLAIN (RFC 4616), with a few ways to be wrong."""

import base64
import hashlib
import hmac
import os

HASHES = {"SCRAM-SHA-1": "sha1", "SCRAM-SHA-256": "sha256", "SCRAM-SHA-512": "sha512"}


class Refused(Exception):
    """The SASL condition with which the client is refused."""


def exchange(mechanism, server, bindings):
    """One login. `server` has the accounts, the offer and its faults: "nonce" (not the client's), "signature" (a wrong
    v=), "extension" (an m=), "binding" (another connection than the client's), "offer" (another than the client got).
    `bindings` are the connection's, by their types."""
    if mechanism not in server.mechanisms:
        raise Refused("invalid-mechanism")
    if mechanism == "PLAIN":
        return Plain(server)
    return Scram(mechanism, server, {name: bindings[name] for name in server.bindings if name in bindings})


class Plain:
    """The password itself."""

    mechanism, flag = "PLAIN", ""

    def __init__(self, server):
        self._accounts = server.accounts
        self.user = None

    def challenge(self, _):
        """None: the client's first message is its last."""

    def finish(self, message):
        """Nothing more to say; refuses a wrong password."""
        authzid, self.user, password = message.split("\0")
        if authzid or self._accounts.get(self.user) != password:
            raise Refused("not-authorized")
        return ""


class Scram:
    """Any of the SCRAMs."""

    def __init__(self, mechanism, server, bindings):
        self.mechanism = mechanism
        self._hash = HASHES[mechanism.removesuffix("-PLUS")]
        self._server = server
        self._bindings = bindings
        self.flag = None
        self.user = None

    def challenge(self, first):
        """The server's first message, to the client's."""
        self.flag, _, rest = first.partition(",")
        authzid, _, bare = rest.partition(",")
        if authzid:
            raise Refused("malformed-request")
        self._header = f"{self.flag},,".encode() + self._bound_to()
        fields = _fields(bare)
        self.user = fields["n"].replace("=2C", ",").replace("=3D", "=")
        self._bare = bare
        self._nonce = ("forged" if self._lies("nonce") else fields["r"]) + base64.b64encode(os.urandom(18)).decode()
        self._salt = os.urandom(16)
        extension = "m=confab," if self._lies("extension") else ""
        salt = base64.b64encode(self._salt).decode()
        confirmation = f",h={self._confirmation()}" if self._server.confirms else ""
        self._first = f"{extension}r={self._nonce},s={salt},i={self._server.iterations}{confirmation}"
        return self._first

    def finish(self, final):
        """The server's final message, to the client's; refuses a wrong proof."""
        without_proof, _, proof = final.rpartition(",p=")
        fields = _fields(without_proof)
        if fields.get("c") != base64.b64encode(self._header).decode() or fields.get("r") != self._nonce:
            raise Refused("not-authorized" if self.mechanism.endswith("-PLUS") else "malformed-request")
        password = self._server.accounts.get(self.user, os.urandom(8).hex())
        salted = hashlib.pbkdf2_hmac(self._hash, password.encode(), self._salt, self._server.iterations)
        text = f"{self._bare},{self._first},{without_proof}".encode()
        client_key = self._hmac(salted, b"Client Key")
        signature = self._hmac(hashlib.new(self._hash, client_key).digest(), text)
        expected = bytes(a ^ b for a, b in zip(client_key, signature))
        if base64.b64decode(proof) != expected:
            raise Refused("not-authorized")
        server = self._hmac(self._hmac(salted, b"Server Key"), text)
        if self._lies("signature"):
            server = bytes(len(server))
        return f"v={base64.b64encode(server).decode()}"

    def _bound_to(self):
        """What the client must have bound the login to (RFC 5802, section 6); refuses a flag that does not fit."""
        kind, _, name = self.flag.partition("=")
        if (kind == "p") != self.mechanism.endswith("-PLUS") or kind not in ("n", "y", "p"):
            raise Refused("malformed-request")
        if kind == "y" and any(name.endswith("-PLUS") for name in self._server.mechanisms):
            raise Refused("not-authorized")
        if kind != "p":
            return b""
        if name not in self._bindings:
            raise Refused("malformed-request")
        return bytes(32) if self._lies("binding") else self._bindings[name]

    def _confirmation(self):
        """XEP-0474: a hash of the offer."""
        mechanisms = [*self._server.mechanisms, "SCRAM-SHA-512-PLUS"] if self._lies("offer") else self._server.mechanisms
        text = "\x1e".join(sorted(mechanisms))
        if self._server.bindings:
            text += "\x1f" + "\x1e".join(sorted(self._server.bindings))
        return base64.b64encode(hashlib.new(self._hash, text.encode()).digest()).decode()

    def _lies(self, fault):
        return fault in self._server.faults

    def _hmac(self, key, data):
        return hmac.new(key, data, self._hash).digest()


def _fields(text):
    return dict(part.split("=", 1) for part in text.split(",") if "=" in part)
