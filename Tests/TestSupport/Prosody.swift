import Glibc
package import JSON

/// The messages that the archive of a real server keeps (XEP-0313); with `none` there is no archive.
package enum ArchivePolicy: String, CaseIterable, Sendable {
  case always, roster, never, none
}

/// A real server of one's own, host `example.test`; see Tests/Support/private_prosody.py.
package final class Prosody: Sendable {
  /// How its accounts' passwords are stored, which decides the one SCRAM mechanism it offers.
  package enum PasswordHash: String, CaseIterable, Sendable {
    case sha1 = "SHA-1"
    case sha256 = "SHA-256"
  }

  /// Loopback ports.
  package let startTLSPort: UInt16
  package let directTLSPort: UInt16
  /// The file of the authority that clients are to trust.
  package let authority: String
  /// Its folder.
  package let home: String
  private let helper: HelperProcess

  /// Starts it and waits until it listens.
  ///
  /// - Parameters:
  ///   - folder: where it lives, in a folder of its own; its log is `prosody/prosody.log` there.
  ///   - accounts: names (without the host) and passwords.
  ///   - tls: `1.2` for nothing newer.
  ///   - upload: the port at which it takes files (XEP-0363).
  ///   - archive: the messages that mod_mam keeps; `.none` leaves the module out.
  ///   - rooms: it has rooms, with an archive at `rooms.example.test` and `old.example.test` and without one at
  ///     `lasting.example.test` and `plain.example.test`, where rooms go with the last occupant; in the first two moderators retract messages, in the second as older servers have it.
  package init(
    in folder: TemporaryFolder, hash: PasswordHash = .sha256, certificate: Certificates.Kind = .good,
    accounts: [String: String] = ["alice": "secret-a", "bob": "secret-b"], tls: String = "1.3",
    archive: ArchivePolicy = .always, upload: UInt16? = nil, rooms: Bool = false, with modules: [String] = [],
    without unwanted: [String] = []
  ) throws {
    try folder.letOthersThrough()
    home = try folder.makeFolder("prosody", mode: 0o755)
    var arguments = ["--folder", home, "--host", Certificates.host, "--hash", hash.rawValue, "--tls", tls]
    arguments += ["--certificate", certificate.rawValue, "--certificates", try Certificates.folder()]
    arguments += accounts.sorted { $0.key < $1.key }.flatMap { ["--account", "\($0.key):\($0.value)"] }
    let unwanted = unwanted + (archive == .none ? ["mam"] : [])
    arguments += modules.flatMap { ["--with", $0] } + unwanted.flatMap { ["--without", $0] }
    if archive != .none { arguments += ["--archive", archive.rawValue] }
    if let upload { arguments += ["--upload", "\(upload)"] }
    if rooms { arguments.append("--rooms") }
    helper = try HelperProcess("private_prosody.py", arguments, log: folder.file("private_prosody.log"))
    let ready = try helper.event("ready")
    startTLSPort = try ready.port("starttls")
    directTLSPort = try ready.port("direct")
    authority = try Certificates.authority()
  }

  /// Waits for an event of its helper that fits, and takes it.
  @discardableResult
  func event(_ name: String, where fits: (JSONValue) -> Bool = { _ in true }) throws -> JSONValue {
    try helper.event(name, where: fits)
  }

  /// Ends the server as an administrator does, with its goodbyes; back when it is gone.
  package func stop() throws {
    try helper.do("stop")
    try helper.event("stopped")
  }

  /// Ends it as a power cut does.
  package func kill() throws {
    try helper.do("kill")
    try helper.event("stopped")
  }

  /// Takes from it, while it is stopped, all that it keeps of messages and streams.
  package func forget() throws {
    for kind in ["archive", "offline", "smacks_h"] {
      for path in TestFiles.below(home) where path.contains("/\(kind)/") {
        guard unsafe unlink(path) == 0 else { throw TestFailure("unlink \(path): errno \(errno)") }
      }
    }
  }

  /// Starts it again, on the same ports and data; back when it listens.
  package func start() throws {
    try helper.do("start")
    try helper.event("ready")
  }
}

extension JSONValue {
  /// A member that is a TCP port.
  package func port(_ name: String) throws -> UInt16 {
    guard let number = self[name]?.integer, let port = UInt16(exactly: number) else {
      throw TestFailure("no port '\(name)' in \(self)")
    }
    return port
  }

  /// The text of a member; empty where there is none.
  package func text(_ name: String) -> String {
    self[name]?.string ?? ""
  }
}
