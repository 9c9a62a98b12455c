import Bytes

/// How a message is encrypted, or is to be (XEP-0384).
public struct MessageSeal: Sendable, Equatable {
  /// The namespace's version in the line protocol.
  public enum Version: UInt8, Sendable, CaseIterable {
    /// `eu.siacs.conversations.axolotl`
    case legacy = 1
    /// `urn:xmpp:omemo:2`
    case omemo2 = 2

    public var word: StaticString { self == .legacy ? "0.3" : "2" }
  }

  /// Why a message cannot be read.
  public enum Unreadable: UInt8, Sendable, CaseIterable {
    case notForThisDevice = 1
    case noSession = 2
    case damaged = 3
    case oldCounter = 4
    case unknownScheme = 5

    public var word: StaticString {
      switch self {
      case .notForThisDevice: "not-for-this-device"
      case .noSession: "no-session"
      case .damaged: "damaged"
      case .oldCounter: "old-counter"
      case .unknownScheme: "unknown-scheme"
      }
    }
  }

  /// The wish of who sends a message of mine.
  public enum Wish: UInt8, Sendable {
    /// It is encrypted, or fails.
    case required = 1
    /// It is never encrypted.
    case none = 2
    /// It is decided when the message leaves.
    case open = 3

    public var word: StaticString {
      switch self {
      case .required: "required"
      case .none: "none"
      case .open: "open"
      }
    }
  }

  /// Nil: it is not encrypted, or not yet.
  public var version: Version?
  /// The device that encrypted it, and its identity key as a point of Curve25519 (32 bytes).
  public var device: UInt32 = 0
  public var identity: [UInt8] = []
  /// The decision about the device when the message came.
  package var trust = DeviceTrust.none
  public var unreadable: Unreadable?
  public var wish: Wish?
  /// Devices that it was not encrypted for: `JID/ID`, or a JID where none could be used.
  public var skipped: [String] = []
  /// A hash of the key's ciphertext for this device, by which a copy is known before it is decrypted.
  public var ciphertext: UInt64?
  /// Mine: it is kept back until the devices of its recipient, and their keys, are known.
  public var isWaiting = false
  /// It came in plain text into a conversation that is encrypted.
  public var isMissing = false

  public init(wish: Wish? = nil) { self.wish = wish }
}

extension MessageSeal.Version: FieldValue {}
extension MessageSeal.Wish: FieldValue {}

extension MessageSeal.Unreadable: FieldValue {
  /// A reason that only a later version knows.
  static func read(from reader: borrowing FieldReader) throws(FieldError) -> MessageSeal.Unreadable {
    MessageSeal.Unreadable(rawValue: try reader.uint(UInt8.self)) ?? .damaged
  }
}

extension MessageSeal: FieldGroup, FieldValue {
  init() { self.init(wish: nil) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "version", &version, "1 `eu.siacs.conversations.axolotl`, 2 `urn:xmpp:omemo:2`")
    try fields.one(2, "device", if: device != 0, &device, "that encrypted it")
    try fields.one(3, "identity", if: !identity.isEmpty, &identity, "the device's public key, of Curve25519")
    try fields.one(4, "trust", if: trust != .none, &trust, "as of a device, when the message came")
    try fields.one(
      5, "unreadable", &unreadable, "1 not for this device, 2 no session, 3 damaged, 4 old counter, 5 unknown scheme")
    try fields.one(6, "wish", &wish, "of mine: 1 encrypted, 2 in plain text, 3 decided when it leaves")
    try fields.many(7, "skipped", &skipped, "devices that it was not encrypted for")
    try fields.hash(8, "ciphertext", &ciphertext, "a hash of the key's ciphertext for this device")
    try fields.flag(9, "missing", &isMissing, "1: in plain text, in a conversation that is encrypted")
    try fields.flag(10, "waiting", &isWaiting, "1: mine, kept back until keys are known")
  }
}
