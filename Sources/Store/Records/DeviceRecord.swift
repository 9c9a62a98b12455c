import Bytes

/// A device that encrypts by OMEMO (XEP-0384), a contact's or one of mine, as it is now.
package struct DeviceRecord: Sendable, Equatable {
  /// Where it stands on the lists of its owner.
  package struct Lists: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// `eu.siacs.conversations.axolotl`, "0.3" in the line protocol.
    package static let legacy = Lists(rawValue: 1)
    /// `urn:xmpp:omemo:2`, "2" in the line protocol.
    package static let omemo2 = Lists(rawValue: 2)
  }

  // In this order a record has no gaps: of devices there are more than of anything but messages.
  package var account: UInt32
  /// 1 to 2^31 - 1.
  package var id: UInt32
  /// The owner's bare JID.
  package var jid: String
  package var label: String?
  /// When a message of it was decrypted last, in milliseconds since 1970; 0: never.
  package var lastSeen: Int64 = 0
  /// It is this device, of the log with this UUID: a copy of the log is another device.
  package var log: [UInt8] = []
  private var key: KeyBytes?
  /// The lists that have it now; empty: none has it any more.
  package var lists: Lists = []
  package var trust = DeviceTrust.none
  /// It was asked for its keys and gave none that can be used.
  package var isBroken = false
  /// The news of it; nil: nothing that anybody has to hear of.
  package var change: Change?

  package enum Change: UInt8, Sendable {
    case new = 1
    case gone = 2
    case trust = 3
    case keyChanged = 4

    /// The word of the line protocol.
    package var word: StaticString {
      switch self {
      case .new: "new"
      case .gone: "gone"
      case .trust: "trust"
      case .keyChanged: "key-changed"
      }
    }
  }

  /// The numbers from here on are of no device: a decision about an identity key that was not seen yet.
  package static let firstUnseen: UInt32 = 1 << 31

  /// The 32 bytes of its public identity key, as a point of Curve25519; empty: not known yet.
  package var identity: [UInt8] {
    get { key?.bytes ?? [] }
    set { key = KeyBytes(newValue) }
  }

  package var hasIdentity: Bool { key != nil }

  /// True of a device, and not of a decision alone.
  package var isDevice: Bool { id < Self.firstUnseen }

  /// Nothing is known of it that matters later.
  package var isForgettable: Bool { lists.isEmpty && !hasIdentity && log.isEmpty && trust == .none }

  package init(account: UInt32, jid: String, id: UInt32) { (self.account, self.jid, self.id) = (account, jid, id) }
}

/// The 32 bytes of a key, in place: an array of their own takes 80.
private struct KeyBytes: Sendable, Equatable {
  private let first, second, third, fourth: UInt64

  /// Nil: so many bytes are no key.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    let word = { (start: Int) in bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    (first, second, third, fourth) = (word(0), word(8), word(16), word(24))
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    for word in [first, second, third, fourth] {
      for byte in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (56 - 8 * byte))) }
    }
    return bytes
  }
}

/// A decision about an identity key.
package enum DeviceTrust: UInt8, Sendable, CaseIterable {
  /// Nothing was: the account's setting says whether it is used.
  case none = 0
  /// It is used without having been compared.
  case trusted = 1
  /// Somebody compared the fingerprint.
  case verified = 2
  case distrusted = 3
  /// It came after another one had been verified: it is read, and not encrypted to.
  case undecided = 4
}

extension DeviceRecord.Change: FieldValue {}

extension DeviceTrust {
  /// The word of the line protocol for a message's device.
  package var word: StaticString {
    switch self {
    case .none: "blind"
    case .trusted: "trusted"
    case .verified: "verified"
    case .distrusted: "distrusted"
    case .undecided: "undecided"
    }
  }
}

extension DeviceTrust: FieldValue {
  /// A decision that only a later version knows is none that lets anything leave.
  static func read(from reader: borrowing FieldReader) throws(FieldError) -> DeviceTrust {
    DeviceTrust(rawValue: try reader.uint(UInt8.self)) ?? .undecided
  }
}

extension DeviceRecord: FieldGroup {
  init() { self.init(account: 0, jid: "", id: 0) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "jid", &jid, "of its owner")
    try fields.one(3, "id", &id)
    var bits = lists.rawValue
    try fields.one(
      4, "lists", if: bits != 0, &bits, "that have it: 1 of `eu.siacs.conversations.axolotl`, 2 of `urn:xmpp:omemo:2`")
    lists = Lists(rawValue: bits)
    try fields.one(5, "identity", if: hasIdentity, &identity, "its public key, of Curve25519")
    try fields.one(
      6, "trust", if: trust != .none, &trust,
      "1 used, 2 verified, 3 distrusted, 4 undecided; absent: nothing was decided")
    try fields.one(7, "label", &label)
    try fields.one(8, "last-seen", if: lastSeen != 0, &lastSeen, "when a message of it was decrypted last")
    try fields.one(9, "log", if: !log.isEmpty, &log, "this device: the UUID of its log")
    try fields.flag(10, "broken", &isBroken, "1: it gave no keys that can be used")
    try fields.one(11, "change", &change, "what is new: 1 it is, 2 it is gone, 3 the trust, 4 its key")
  }
}
