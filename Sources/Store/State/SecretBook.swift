package import Records

/// The secrets of an account as the log has them, sealed, by name. Those of sessions, of which there are as many as
/// devices of contacts, stay in the log: here is the number of the record that has them.
package struct SecretBook {
  private var byName: [String: SealedSecret] = [:]
  private var sessions: [SessionName: SessionPlace] = [:]

  package var isEmpty: Bool { byName.isEmpty && sessions.isEmpty }

  package subscript(name: String) -> SealedSecret? {
    if isEmpty { return nil }
    if let session = SessionName(name) { return sessions[session].map { $0.secret(name) } }
    return byName[name]
  }

  /// The names that begin so, sorted.
  package func names(beginning prefix: String) -> [String] {
    let names = byName.keys.filter { $0.hasPrefix(prefix) }
    guard prefix.hasPrefix(SessionName.prefix) else { return names.sorted() }
    return (names + sessions.keys.map(\.text).filter { $0.hasPrefix(prefix) }).sorted()
  }

  /// All of them, sorted by name.
  package var all: [SealedSecret] {
    (byName.values + sessions.map { $1.secret($0.text) }).sorted { $0.name < $1.name }
  }

  /// - Parameters:
  ///   - id: the number of the record that has the step.
  ///   - devices: their owners' addresses are not kept twice.
  mutating func apply(_ step: ContentStep, id: UInt64, _ devices: DeviceBook) {
    for secret in step.secrets {
      if let session = SessionName(secret.name) {
        let place = SessionPlace(record: secret.record == 0 ? id : secret.record, epoch: secret.epoch)
        sessions[session.sharingOwner(of: devices)] = secret.isGone ? nil : place
      } else {
        byName[secret.name] = secret.isGone ? nil : secret
      }
    }
  }

  /// Records that say all of it again.
  func records(of account: UInt32) -> [StepRecord] {
    let all = all
    return stride(from: 0, to: all.count, by: Self.mostOfRecord).map { start in
      StepRecord(account: account, ContentStep(secrets: Array(all[start..<min(start + Self.mostOfRecord, all.count)])))
    }
  }

  private static let mostOfRecord = 100
}

/// The name of the secret of a session: `session/0.3/romeo@example.org/27183`.
private struct SessionName: Hashable {
  static let prefix = "session/"

  private var jid: String
  private let device: UInt32
  private let isLegacy: Bool

  /// Nil: it is the name of something else.
  init?(_ name: String) {
    guard name.hasPrefix(Self.prefix) else { return nil }
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Substring.init)
    guard parts.count == 4, parts[1] == "0.3" || parts[1] == "2", let device = UInt32(parts[3]) else { return nil }
    // Numbers may be written in several ways.
    guard String(device) == parts[3] else { return nil }
    (jid, self.device, isLegacy) = (String(parts[2]), device, parts[1] == "0.3")
  }

  var text: String { "\(Self.prefix)\(isLegacy ? "0.3" : "2")/\(jid)/\(device)" }

  consuming func sharingOwner(of devices: DeviceBook) -> SessionName {
    jid = devices.owner(jid) ?? jid
    return self
  }
}

/// Where the log has a session.
private struct SessionPlace {
  let record: UInt64
  let epoch: UInt32

  func secret(_ name: String) -> SealedSecret {
    var secret = SealedSecret(name: name, epoch: epoch, box: [])
    secret.record = record
    return secret
  }
}
