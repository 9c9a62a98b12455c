import JSON

/// How a message is encrypted end to end (`docs/PROTOCOL.md`, "message").
package enum ShownSeal: Equatable, Sendable {
  /// In plain text.
  case none
  /// It came in plain text into a conversation that is encrypted.
  case missing
  /// Encrypted by a device with this trust; nil: one of a later version, or the scheme has none.
  ///
  /// - Parameter skippedCount: devices of the recipient that it was not encrypted for.
  case encrypted(DeviceRow.Trust?, skippedCount: Int)
  /// Encrypted, and it cannot be read here; nil: for a reason of a later version.
  case unreadable(UnreadableReason?)

  /// Why a message cannot be read, in the words of the protocol.
  package enum UnreadableReason: String, Sendable {
    case notForThisDevice = "not-for-this-device"
    case noSession = "no-session"
    case damaged
    case oldCounter = "old-counter"
    case unknownScheme = "unknown-scheme"
  }

  init(_ message: JSONValue) {
    guard let encrypted = message["encrypted"] else {
      self = message["unencrypted"]?.bool == true ? .missing : .none
      return
    }
    if let error = encrypted["error"]?.string {
      self = .unreadable(UnreadableReason(rawValue: error))
    } else {
      self = .encrypted(
        encrypted["trust"]?.string.flatMap(DeviceRow.Trust.init(rawValue:)),
        skippedCount: encrypted["skipped"]?.array?.count ?? 0)
    }
  }

  /// True if something about the devices of the conversation should be looked at.
  package var concernsDevices: Bool {
    switch self {
    case .unreadable(let reason): reason != nil && reason != .unknownScheme
    case .encrypted: mark != nil || skippedWords != nil
    case .none, .missing: false
    }
  }

  /// True if the text of the message is not known.
  package var isUnreadable: Bool { if case .unreadable = self { true } else { false } }
}

// MARK: - Words

extension ShownSeal {
  /// A few words for a mark behind a message; nil: it is as it should be.
  package var mark: String? {
    switch self {
    case .missing: "not encrypted"
    case .encrypted(.undecided?, _): "from an undecided device"
    case .encrypted(.distrusted?, _): "from a distrusted device"
    case .none, .encrypted, .unreadable: nil
    }
  }

  /// For a message of mine: the devices that cannot read it.
  package var skippedWords: String? {
    guard case .encrypted(_, let count) = self, count > 0 else { return nil }
    return "not for \(count) device\(count == 1 ? "" : "s")"
  }

  /// Why the message cannot be read and what to do; nil: it can, or its own words say so.
  ///
  /// - Parameter reset: a command that begins new sessions.
  package func advice(reset: String) -> String? {
    guard case .unreadable(let reason?) = self else { return nil }
    return switch reason {
    case .notForThisDevice: "Its sender did not encrypt it for this device. Ask for it again."
    case .noSession:
      "There is no session with the device that wrote it. If its text does not come by itself, \(reset) begins one; "
        + "then ask for it again."
    case .damaged: "What came does not decrypt. Ask for it again; if that fails too, \(reset) begins a new session."
    case .oldCounter:
      "Its key was used before, as when the sender has put back a backup. \(reset) begins a new session; then ask for "
        + "it again."
    case .unknownScheme: nil
    }
  }
}
