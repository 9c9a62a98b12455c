/// The changes that the encryption of one message makes, which must be durable with that message: new states of secrets,
/// and of a message of mine the encrypted elements that its stanza has each time it is sent.
public struct ContentStep: Sendable, Equatable {
  package var secrets: [SealedSecret] = []
  /// The child elements of the stanza, as XML; empty for a message that came.
  package var stanza: [UInt8] = []
  /// The elements of a second stanza under the same ids, for devices that read another version; empty: there is none.
  package var secondStanza: [UInt8] = []
  /// The elements of stanzas that go before these, under ids of their own (`PartID`): the files of the message, for
  /// devices that read one file or text in a stanza.
  package var parts: [[UInt8]] = []
  /// Hashes of ciphertexts without a message of their own, such as receipts: a copy of one is known by its hash.
  package var ciphertexts: [UInt64] = []

  package init(secrets: [SealedSecret] = [], stanza: [UInt8] = []) { (self.secrets, self.stanza) = (secrets, stanza) }

  /// The rest of it where its message is erased.
  package var withoutMessage: ContentStep? { secrets.isEmpty ? nil : ContentStep(secrets: secrets) }

  package var isEmpty: Bool { secrets.isEmpty && stanza.isEmpty && ciphertexts.isEmpty }
}

/// A secret of an account, encrypted by the key of an epoch (docs/decisions/0192-secrets-in-the-log.md); the one before
/// of the same name is of no account any more.
package struct SealedSecret: Sendable, Equatable {
  /// The subject of the secret, within its account: `identity`, `session/2/romeo@example.org/27183`.
  package var name: String
  package var epoch: UInt32
  /// A nonce of 12 bytes, the ciphertext, and a tag of 16 bytes (AES-256-GCM); empty: there is none any more, or another
  /// record has it.
  package var box: [UInt8]
  /// The number of the record that has the box, in a checkpoint; 0: it is here.
  package var record: UInt64 = 0

  package init(name: String, epoch: UInt32, box: [UInt8]) { (self.name, self.epoch, self.box) = (name, epoch, box) }

  /// True if there is no such secret any more.
  package var isGone: Bool { box.isEmpty && record == 0 }
}

extension ContentStep: FieldGroup, FieldValue {
  init() { self.init(secrets: []) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.many(1, "secret", &secrets)
    try fields.one(2, "stanza", if: !stanza.isEmpty, &stanza, "of a sent message: its encrypted elements, as XML")
    var hashes = ciphertexts.map { FieldHash(value: $0) }
    try fields.many(3, "ciphertext", &hashes, "hashes of ciphertexts that brought no message")
    ciphertexts = hashes.map(\.value)
    try fields.one(4, "second-stanza", if: !secondStanza.isEmpty, &secondStanza, "likewise, for another version")
    try fields.many(5, "part", &parts, "likewise, of stanzas before it, with a file each")
  }
}

extension SealedSecret: FieldGroup, FieldValue {
  init() { self.init(name: "", epoch: 0, box: []) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "name", &name)
    try fields.one(2, "epoch", &epoch, "whose key it is encrypted by")
    try fields.one(3, "box", if: !box.isEmpty, &box, "nonce, ciphertext and tag; absent: the secret is gone")
    try fields.one(4, "record", if: record != 0, &record, "in a checkpoint: the record that has the box")
  }
}
