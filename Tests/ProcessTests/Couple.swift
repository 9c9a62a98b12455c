import JSON
import Syscalls
import TestSupport

/// Alice and bob at a server that takes files; its name is known to a name server of ours alone.
struct Couple {
  enum Kind: String, CaseIterable, Sendable {
    case prosody, ejabberd
  }

  let folder: TemporaryFolder
  let server: any AccountServer
  let names: Dnsmasq
  let alice: Daemon
  let bob: Daemon

  /// Metadata of what they send stays.
  init(in folder: TemporaryFolder, at kind: Kind = .prosody, encryption: String = "never") throws {
    self.folder = folder
    let port = try freePort()
    server =
      switch kind {
      case .prosody: try Prosody(in: folder, upload: port)
      case .ejabberd: try Ejabberd(in: folder, forPeople: encryption != "never", upload: port)
      }
    names = try Dnsmasq(in: folder, zone: Certificates.host, records: ["host-record=\(Certificates.host),127.0.0.1"])
    let settings = ["dns-server = \(names.address)", "strip-metadata = no"]
    (alice, bob) = (
      try Self.daemon("alice", "secret-a", server, folder, settings, encryption),
      try Self.daemon("bob", "secret-b", server, folder, settings, encryption)
    )
  }

  private static func daemon(
    _ name: String, _ password: String, _ server: any AccountServer, _ folder: TemporaryFolder, _ settings: [String],
    _ encryption: String
  ) throws -> Daemon {
    var account = Daemon.Account(
      name, password: password, port: server.directTLSPort, tls: "direct", authority: server.authority)
    account.encryption = encryption
    let daemon = try Daemon(name, in: folder, accounts: [account], settings: settings)
    try daemon.client().waitUntilOnline()
    return daemon
  }

  func confab(_ daemon: Daemon, _ words: [String]) throws -> Program.Finished {
    try Program.run([Products.program("confab"), "--socket", daemon.socketPath] + words)
  }

  // MARK: - Files

  static let gif: [UInt8] =
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0, 0x3B]

  /// It says where it was taken.
  private static let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE1, 0, 12] + Array("Exif\0\0here".utf8) + [0xFF, 0xC0, 0, 11, 8, 0, 4, 0, 3, 1, 1, 0x11, 0]
    + [0xFF, 0xDA, 0, 2, 1, 2, 0xFF, 0xD9]

  /// As many different ones.
  static func pictures(_ count: Int, salt: Int = 0) -> [[UInt8]] {
    (0..<count).map { index in
      (index % 2 == 0 ? gif : jpeg) + Array("\(salt)".utf8) + [UInt8](repeating: UInt8(index), count: 60_000)
    }
  }

  /// Files with these contents.
  func files(_ contents: [[UInt8]]) throws -> [String] {
    try contents.enumerated().map { index, bytes in
      let path = folder.file("file-\(index)." + (bytes.first == 0xFF ? "jpg" : "gif"))
      try TestFiles.write(path, bytes)
      return path
    }
  }

  /// The newest message with files that bob has, once it is there.
  func cameToBob() throws -> JSONValue {
    let client = try bob.client()
    _ = try client.request("watch since=0 kinds=message")
    return try client.event("message") { $0["message"]?["attachments"] != nil }["message"] ?? .null
  }

  /// The bytes that bob fetches of a message.
  func fetched(_ message: JSONValue, _ count: Int) throws -> [[UInt8]] {
    let id = message["id"]?.integer ?? 0
    return try (0..<count).map { try confab(bob, ["fetch", "\(id)", "\($0)"]).output }
  }
}
