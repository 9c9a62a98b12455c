package import Clocks
package import JSON

/// A device that encrypts end to end (`docs/PROTOCOL.md`, "device"): a contact's, or one of mine.
package struct DeviceRow: Equatable, Sendable, Identifiable {
  /// The decision about the device.
  package enum Trust: String, Sendable, CaseIterable {
    case verified, trusted, blind, undecided, distrusted
  }

  /// The bare JID of its owner.
  package let jid: String
  package let id: UInt32
  /// The name that its owner gave it; empty without one.
  package var label: String
  /// 64 hexadecimal digits; empty while its key is not known.
  package var fingerprint: String
  /// Nil: one of a later version.
  package var trust: Trust?
  /// The versions of OMEMO that it is listed for.
  package var versions: [String]
  /// True if a list of its owner has it now.
  package var isActive: Bool
  /// True if there is a session with it.
  package var hasSession: Bool
  /// True if it gave no keys that can be used.
  package var isBroken: Bool
  /// When a message of it was decrypted last.
  package var lastSeen: Timestamp?
  /// True of the device of the daemon itself.
  package var isThis: Bool

  /// The row of a `device` object; nil without JID or number.
  package init?(_ object: JSONValue) {
    guard let jid = object["jid"]?.string, let id = object["id"]?.integer.flatMap(UInt32.init(exactly:)) else {
      return nil
    }
    (self.jid, self.id) = (jid, id)
    label = object["label"]?.string ?? ""
    fingerprint = object["fingerprint"]?.string ?? ""
    trust = object["trust"]?.string.flatMap(Trust.init(rawValue:))
    versions = (object["versions"]?.array ?? []).compactMap(\.string)
    isActive = object["active"]?.bool ?? false
    hasSession = object["session"]?.string == "ok"
    isBroken = object["session"]?.string == "broken"
    lastSeen = object["last_seen"]?.string.flatMap { Timestamp(rfc3339: $0) }
    isThis = object["this"]?.bool ?? false
  }

  /// Its label, or its number; not cleaned.
  package var name: String { label.isEmpty ? "device \(id)" : label }

  /// The fingerprint as people compare it (XEP-0384, section 8).
  package var fingerprintGroups: [String] { Self.groups(fingerprint) }

  /// Eight groups of eight digits.
  package static func groups(_ fingerprint: String) -> [String] {
    let digits = Array(fingerprint)
    return stride(from: 0, to: digits.count, by: 8).map { String(digits[$0..<min($0 + 8, digits.count)]) }
  }

  /// The address by which another client verifies it (`xmpp:JID?omemo-sid-ID=HEX`); nil while its key is not known.
  package var uri: String? { fingerprint.isEmpty ? nil : "xmpp:\(jid)?omemo-sid-\(id)=\(fingerprint)" }
}

// MARK: - Words

extension DeviceRow.Trust {
  /// For people: what was decided, and what follows.
  package var words: String {
    switch self {
    case .verified: "verified"
    case .trusted: "trusted"
    case .blind: "trusted, not compared"
    case .undecided: "undecided: nothing is encrypted to it"
    case .distrusted: "distrusted: nothing is encrypted to it"
    }
  }
}

extension DeviceRow {
  /// The trust in words; of a device whose keys are missing, that.
  package var trustWords: String {
    if isThis { return "this device" }
    if isBroken { return "gives no keys that can be used" }
    return trust?.words ?? "unknown trust"
  }
}
