import Bytes
import JSON
import Records

extension ImportedObject {
  /// How the message was encrypted, as another log had it; nil: nothing is said of that.
  func seal() throws(LineProblem) -> MessageSeal? {
    var seal = MessageSeal()
    if try flag("unencrypted") == true {
      seal.isMissing = true
      return seal
    }
    guard let value = member("encrypted") else { return nil }
    if let error = try Self.text(in: value, "error", of: "encrypted") {
      seal.unreadable = MessageSeal.Unreadable.allCases.first { "\($0.word)" == error } ?? .unknownScheme
      return seal
    }
    let version = try Self.text(in: value, "version", of: "encrypted")
    guard let version = MessageSeal.Version.allCases.first(where: { "\($0.word)" == version }) else { return nil }
    seal.version = version
    seal.device = value["device"]?.integer.flatMap { UInt32(exactly: $0) } ?? 0
    let fingerprint = try Self.text(in: value, "fingerprint", of: "encrypted") ?? ""
    seal.identity = Hex.decode(fingerprint.utf8) ?? []
    let trust = try Self.text(in: value, "trust", of: "encrypted")
    seal.trust = DeviceTrust.allCases.first { "\($0.word)" == trust } ?? .none
    seal.skipped = value["skipped"]?.array?.compactMap(\.string) ?? []
    return seal
  }
}
