/// The key of a message that did not come (yet), though a later one of its chain did. These are kept apart from the
/// session, because 2,000 of them would be written again with each step.
package struct SkippedKey: Hashable, Sendable, CustomStringConvertible {
  /// A chain of received messages.
  package struct Chain: Hashable, Sendable {
    /// The base key of the key exchange that the chain's state began with.
    package let baseKey: CurveKey
    /// The sender's ratchet key.
    package let ratchetKey: CurveKey

    package init(baseKey: CurveKey, ratchetKey: CurveKey) {
      (self.baseKey, self.ratchetKey) = (baseKey, ratchetKey)
    }
  }

  package struct ID: Hashable, Sendable {
    package let chain: Chain
    package let counter: UInt32

    package init(chain: Chain, counter: UInt32) { (self.chain, self.counter) = (chain, counter) }
  }

  package let counter: UInt32
  /// The base key, the ratchet key, the key: one array, because thousands of them are copied together.
  private let bytes: [UInt8]

  package static let keyBytes = 80
  /// The most that a session keeps; of more the oldest go (XEP-0384, section 4.3, recommends 1,000).
  package static let most = 2_000

  /// Nil unless the key has its length.
  package init?(id: ID, key: [UInt8]) {
    guard key.count == Self.keyBytes else { return nil }
    (counter, bytes) = (id.counter, id.chain.baseKey.bytes + id.chain.ratchetKey.bytes + key)
  }

  package var chain: Chain {
    Chain(baseKey: CurveKey(checked: bytes[..<32]), ratchetKey: CurveKey(checked: bytes[32..<64]))
  }

  package var id: ID { ID(chain: chain, counter: counter) }

  /// Secret: cipher key 32, MAC key 32, IV 16.
  package var key: ArraySlice<UInt8> { bytes[64...] }

  package var description: String { "(the key of message \(counter))" }

  /// True if it may be the key of this message.
  func fits(_ message: RatchetMessage) -> Bool {
    counter == message.counter && bytes[32..<64].elementsEqual(message.ratchetKey.bytes)
  }

  func isNamed(_ id: ID) -> Bool { counter == id.counter && chain == id.chain }
}

/// How a step changed the skipped keys of a session.
package struct SkippedChange: Hashable, Sendable {
  /// Used, or given up: too many, or of a chain that the session no longer has.
  package internal(set) var removed: [SkippedKey.ID] = []
  /// In the order in which they are kept.
  package internal(set) var added: [SkippedKey] = []

  package init(removed: [SkippedKey.ID] = [], added: [SkippedKey] = []) {
    (self.removed, self.added) = (removed, added)
  }
}
