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
    let device = value["device"]?.integer.flatMap { UInt32(exactly: $0) } ?? 0
    let fingerprint = try Self.text(in: value, "fingerprint", of: "encrypted") ?? ""
    guard device > 0, device < DeviceRecord.firstUnseen, let identity = Hex.decode(fingerprint.utf8),
      identity.count == 32
    else { throw LineProblem("'encrypted' names no device and fingerprint") }
    (seal.version, seal.device, seal.identity) = (version, device, identity)
    let trust = try Self.text(in: value, "trust", of: "encrypted")
    seal.trust = DeviceTrust.allCases.first { "\($0.word)" == trust } ?? .none
    seal.skipped = value["skipped"]?.array?.compactMap(\.string) ?? []
    return seal
  }
}
