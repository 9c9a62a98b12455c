/// Another real server of one's own, host `example.test`, which stores passwords for SCRAM-SHA-512; see
/// Tests/Support/private_ejabberd.py.
package final class Ejabberd: Sendable {
  /// Loopback ports: TLS 1.2 by STARTTLS, 1.3 directly.
  package let startTLSPort: UInt16
  package let directTLSPort: UInt16
  /// The file of the authority that clients are to trust.
  package let authority: String
  private let helper: HelperProcess

  /// Starts it and waits until it listens: some seconds.
  ///
  /// - Parameters:
  ///   - folder: where it lives, in a folder of its own; its log is `ejabberd/ejabberd.log` there.
  ///   - accounts: names (without the host) and passwords.
  ///   - archive: the messages that mod_mam keeps; `.none` leaves the module out.
  ///   - forPeople: with personal nodes, cards and blocking.
  ///   - rooms: it has rooms that stay and have an archive, at `rooms.example.test`.
  ///   - upload: the port at which it takes files (XEP-0363).
  package init(
    in folder: TemporaryFolder, accounts: [String: String] = ["alice": "secret-a", "bob": "secret-b"],
    archive: ArchivePolicy = .always, forPeople: Bool = false, rooms: Bool = false, upload: UInt16? = nil
  ) throws {
    try folder.letOthersThrough()
    let home = try folder.makeFolder("ejabberd", mode: 0o755)
    var arguments = ["--folder", home, "--host", Certificates.host, "--certificates", try Certificates.folder()]
    arguments += ["--archive", archive.rawValue] + (forPeople ? ["--people"] : []) + (rooms ? ["--rooms"] : [])
    if let upload { arguments += ["--upload", "\(upload)"] }
    arguments += accounts.sorted { $0.key < $1.key }.flatMap { ["--account", "\($0.key):\($0.value)"] }
    helper = try HelperProcess("private_ejabberd.py", arguments, log: folder.file("private_ejabberd.log"))
    // Erlang starts slowly where others take all the processor time.
    let ready = try helper.event("ready", until: .seconds(180))
    startTLSPort = try ready.port("starttls")
    directTLSPort = try ready.port("direct")
    authority = try Certificates.authority()
  }
}
