import Bytes

/// The kinds of id by which a message, or the rest of an erased one, is found.
package enum MessageIDKind: UInt64, CaseIterable, Sendable {
  /// The id that our own archive gave it (XEP-0359).
  case archiveID
  /// The content that all copies of a message share (`ContentHash`), for messages not sent from here; for my own
  /// messages from another device also sender and id, which receipts name.
  case copy
  /// The stanza's id of a message of mine.
  case stanzaID
  /// An idempotency key (docs/PROTOCOL.md, `send`).
  case key
}

/// A key and the number of the record that it leads to.
package struct MessageIDEntry: Hashable, RunRecord {
  /// 40 bits: the kind, and the upper bits of the mixed hash. Keys may collide: a record found is read before it is
  /// believed.
  var key: UInt64
  var id: UInt64

  /// How message ids are ordered: by key, and of one key the newest first.
  func precedes(_ other: MessageIDEntry) -> Bool { key != other.key ? key < other.key : id > other.id }

  func isSame(as other: MessageIDEntry) -> Bool { self == other }

  /// Message ids are visited in the order of their keys only.
  var rank: Int64 { .min }

  static let keyBits: UInt64 = 40
  /// The most records kept for one key, the newest ones: senders choose ids and texts, and may always choose the same.
  package static let mostOfKey = 256

  /// The key of a message id of some kind. Senders choose what is hashed, and do not know the seed.
  static func key(_ kind: MessageIDKind, _ hash: UInt64, seed: UInt64) -> UInt64 {
    let kindBits: UInt64 = 2
    return kind.rawValue << (keyBits - kindBits) | MessageIDHash.mixed(hash ^ seed) >> (64 - keyBits + kindBits)
  }
}

extension MessageIDEntry {
  static func pack(_ messageIDs: [MessageIDEntry], _ extent: MessageIDPage.Extent) -> [UInt8] {
    MessageIDPage.pack(messageIDs, extent)
  }

  static func unpack(_ page: [UInt8]) throws(FieldError) -> [MessageIDEntry] { try MessageIDPage.unpack(page) }

  static func visit(_ key: UInt64, on page: [UInt8], _ body: (MessageIDEntry) -> Bool) throws(FieldError) -> Bool {
    try MessageIDPage.visit(key, on: page, body)
  }
}

/// FNV-1a, 64 bits: stable between runs, since the log and the index keep it.
package enum MessageIDHash {
  package static func of(_ text: String) -> UInt64 { of(text, from: 0xcbf2_9ce4_8422_2325) }

  /// The parts are kept apart by a byte that is in neither.
  package static func of(_ parts: (String, String)) -> UInt64 { of(parts.1, behind: of(parts.0)) }

  /// The hash of two parts, given the hash of the first.
  static func of(_ text: String, behind first: UInt64) -> UInt64 { of(text, from: first &* 0x100_0000_01b3) }

  /// The hash of `text`, continuing from `start`.
  static func of(_ text: String, from start: UInt64) -> UInt64 {
    // A loop over memory: for every message, two message ids are hashed byte by byte.
    let bytes = text.utf8.span
    var hash = start
    for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3 }
    return hash
  }

  /// FNV-1a leaves its upper bits alike where texts end alike; these steps are MurmurHash3's last.
  static func mixed(_ hash: UInt64) -> UInt64 {
    var hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
    hash = (hash ^ hash >> 33) &* 0xc4ce_b9fe_1a85_ec53
    return hash ^ hash >> 33
  }
}
