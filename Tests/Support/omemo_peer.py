#!/usr/bin/env python3
"""A peer of OMEMO's ratchets, by python-oldmemo or python-twomemo: an account with one device and one session.

usage: omemo_peer.py legacy|omemo2

One request a line on standard input, words apart by blanks, one answer a line on standard output; bytes are hexadecimal,
`-` stands for none, `1` for a key exchange:

  bundle                                     identity signed-id signed signature id:key,id:key,...
  begin IDENTITY SIGNED-ID SIGNED SIGNATURE ID KEY SECRET      1 KEY
  encrypt SECRET                             0|1 KEY
  decrypt 0|1 KEY                            SECRET, or `error WORDS`
  seal TEXT                                  SECRET IV PAYLOAD
  open SECRET IV PAYLOAD                     TEXT, or `error WORDS`
"""

import asyncio
import sys

import x3dh
import xeddsa
from omemo.storage import Just, Nothing, Storage

VERSION = sys.argv[1]
if VERSION == "legacy":
    from oldmemo import oldmemo as library
    BACKEND = library.Oldmemo
else:
    from twomemo import twomemo as library
    BACKEND = library.Twomemo


class Memory(Storage):
    """All that the library stores."""

    def __init__(self):
        super().__init__(True)
        self.values = {}

    async def _load(self, key):
        return Just(self.values[key]) if key in self.values else Nothing()

    async def _store(self, key, value):
        self.values[key] = value

    async def _delete(self, key):
        self.values.pop(key, None)


class Peer:
    """The account."""

    def __init__(self):
        self.backend = BACKEND(Memory(), max_num_per_session_skipped_keys=2000)
        self.session = None

    async def bundle(self):
        if await self.backend.get_num_visible_pre_keys() == 0:
            await self.backend.generate_pre_keys(10)
        bundle = await self.backend.get_bundle("peer@example.org", 1)
        keys = bundle.bundle
        signature = bytearray(keys.signed_pre_key_sig)
        if VERSION == "legacy":
            signature[63] |= keys.identity_key[31] & 0x80
        pre_keys = ",".join(f"{bundle.pre_key_ids[key]}:{public(key)}" for key in sorted(keys.pre_keys))
        return (f"{identity(keys.identity_key)} {bundle.signed_pre_key_id} {public(keys.signed_pre_key)} "
                f"{signature.hex()} {pre_keys}")

    async def begin(self, key, signed_id, signed, signature, pre_key_id, pre_key, secret):
        signature = bytearray.fromhex(signature)
        key = parsed_identity(bytes.fromhex(key), signature[63] & 0x80 != 0)
        if VERSION == "legacy":
            signature[63] &= 0x7F
        pre_key = parsed(bytes.fromhex(pre_key))
        bundle = library.BundleImpl(
            "own@example.org", 2,
            x3dh.Bundle(key, parsed(bytes.fromhex(signed)), bytes(signature), frozenset([pre_key])),
            int(signed_id), {pre_key: int(pre_key_id)})
        self.session, material = await self.backend.build_session_active(
            "own@example.org", 2, bundle, plain(bytes.fromhex(secret)))
        return self.written(material)

    async def encrypt(self, secret):
        return self.written(await self.backend.encrypt_key_material(self.session, plain(bytes.fromhex(secret))))

    def written(self, material):
        message = material.serialize()
        is_unanswered = self.session.initiation.name == "ACTIVE" and not self.session.confirmed
        if not is_unanswered:
            return f"0 {message.hex()}"
        exchange = self.session.key_exchange.serialize(message)
        return f"1 {(exchange[0] if VERSION == 'legacy' else exchange).hex()}"

    async def decrypt(self, is_exchange, key):
        message = bytes.fromhex(key)
        exchange = None
        if is_exchange == "1":
            exchange, message = (library.KeyExchangeImpl.parse(message, False) if VERSION == "legacy"
                                 else library.KeyExchangeImpl.parse(message))
        material = library.EncryptedKeyMaterialImpl.parse(message, "own@example.org", 2)
        if exchange is not None and not (self.session and self.session.key_exchange.builds_same_session(exchange)):
            self.session, secret = await self.backend.build_session_passive(
                "own@example.org", 2, exchange, material)
        else:
            secret = await self.backend.decrypt_key_material(self.session, material)
            self.session.confirm()
        return (secret.key + secret.auth_tag).hex()

    async def seal(self, text):
        content, secret = await self.backend.encrypt_plaintext(bytes.fromhex(text))
        vector = content.initialization_vector.hex() if VERSION == "legacy" else "-"
        return f"{(secret.key + secret.auth_tag).hex()} {vector} {content.ciphertext.hex() or '-'}"

    async def open(self, secret, vector, payload):
        payload = b"" if payload == "-" else bytes.fromhex(payload)
        content = (library.ContentImpl(payload, bytes.fromhex(vector)) if VERSION == "legacy"
                   else library.ContentImpl(payload))
        return (await self.backend.decrypt_plaintext(content, plain(bytes.fromhex(secret)))).hex() or "-"


def plain(secret):
    length = library.PlainKeyMaterialImpl.KEY_LENGTH
    return library.PlainKeyMaterialImpl(secret[:length], secret[length:])


def public(key):
    return (library.StateImpl.serialize_public_key(key) if VERSION == "legacy" else key).hex()


def parsed(key):
    return library.StateImpl.parse_public_key(key) if VERSION == "legacy" else key


def identity(key):
    return public(xeddsa.ed25519_pub_to_curve25519_pub(key)) if VERSION == "legacy" else key.hex()


def parsed_identity(key, has_sign):
    return xeddsa.curve25519_pub_to_ed25519_pub(parsed(key), has_sign) if VERSION == "legacy" else key


async def main():
    peer = Peer()
    for line in sys.stdin:
        words = line.split()
        try:
            answer = await getattr(peer, words[0])(*words[1:])
        except Exception as error:  # pylint: disable=broad-except
            answer = f"error {type(error).__name__}"
        print(answer, flush=True)


asyncio.run(main())
