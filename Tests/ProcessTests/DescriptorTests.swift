import Glibc
import JSON
import Syscalls
import TestSupport
import Testing

/// Descriptors over the socket, looked for in the daemon.
@Suite("Descriptors of requests")
struct DescriptorTests {
  private static let picture: [UInt8] =
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0, 0x3B]

  private static func line(_ socket: CInt) throws -> JSONValue {
    var (bytes, passed): ([UInt8], [PassedDescriptor]) = ([], [])
    while bytes.last != 0x0A {
      guard let more = try Sockets.receive(socket, atMost: 1 << 16, &passed), !more.isEmpty else { break }
      bytes += more
    }
    #expect(passed.isEmpty)
    return try JSONParser.parse(Array(bytes.dropLast()))
  }

  /// Those of the files that the daemon has open. It opens and closes others of its own at any time.
  private func held(_ files: [FileStatus], by daemon: Daemon) throws -> [FileStatus] {
    let folder = "/proc/\(try #require(daemon.processID))/fd/"
    let all = try TestFiles.names(in: folder).compactMap { try Paths.status(folder + $0) }
    return files.filter { file in all.contains { $0.isSameFile(as: file) } }
  }

  /// Descriptors that are no files with content, by name.
  private static func bad() throws -> [(String, PassedDescriptor)] {
    func path(_ path: String, _ flags: CInt = O_RDONLY) -> PassedDescriptor {
      PassedDescriptor(taking: OwnedFD(taking: unsafe open(path, flags | O_CLOEXEC)))
    }
    var all = [
      ("a directory", path("/")), ("a device", path("/dev/zero")), ("only for writing", path("/dev/full", O_WRONLY)),
      ("an empty file", PassedDescriptor(taking: try Files.inMemory([]))),
      ("a terminal", path("/dev/ptmx", O_RDWR)),
    ]
    try Descriptors.pipe().split {
      all += [("a pipe", PassedDescriptor(taking: $0)), ("its other end", .init(taking: $1))]
    }
    try Sockets.pair().split { all += [("a socket", PassedDescriptor(taking: $0)), ("its peer", .init(taking: $1))] }
    return all
  }

  @Test("what no verb takes is closed, what is no file is refused, and none stays open in the daemon")
  func counts() throws {
    let folder = try TemporaryFolder("descriptors")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      let daemon = try Daemon(in: folder, accounts: [prosody.account("alice")])
      let client = try daemon.client()
      try client.waitUntilOnline()
      try client.ask("avatar-remove")
      let socket = try SocketClient.connect(daemon.socketPath)
      _ = try Self.line(socket.raw)
      let text = PassedDescriptor(taking: try Files.inMemory(Array("no picture".utf8)))
      let passed = try Self.bad() + [("no picture", text)]
      let files = try passed.map { try Paths.status(of: $0.1.raw) }
      for count in [1, 16] {
        _ = try Sockets.send(socket.raw, Array("ping\n".utf8)[...], passing: Array(repeating: text, count: count))
        #expect(try Self.line(socket.raw)["ok"]?.bool == true)
      }
      for (name, descriptor) in passed {
        _ = try Sockets.send(socket.raw, Array("avatar-set\n".utf8)[...], passing: [descriptor])
        let answer = try Self.line(socket.raw)
        #expect(answer["error"]?.string == "bad-argument" && answer["argument"]?.string == "descriptor", "\(name)")
      }
      try settle(client, daemon, without: files)
      // A request that does not end, and its connection.
      for _ in 0..<3 {
        _ = try Sockets.send(socket.raw, Array("avatar-set".utf8)[...], passing: Array(repeating: text, count: 15))
      }
      try socket.close()
      try settle(client, daemon, without: files)
    }
  }

  /// The thread that reads files closes them a moment after the answer.
  private func settle(_ client: SocketClient, _ daemon: Daemon, without files: [FileStatus]) throws {
    for _ in 0..<1_000 where try !held(files, by: daemon).isEmpty { try client.ask("ping") }
    #expect(try held(files, by: daemon).isEmpty)
  }

  @Test("A client that does not read waits behind sixteen descriptors, holds up nobody, and is given all once it reads")
  func unread() throws {
    let folder = try TemporaryFolder("untaken")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      let daemon = try Daemon(in: folder, accounts: [prosody.account("alice")])
      let client = try daemon.client()
      try client.waitUntilOnline()
      let picture = PassedDescriptor(taking: try Files.inMemory(Self.picture))
      let stalled = try SocketClient.connect(daemon.socketPath)
      let other = try SocketClient.connect(daemon.socketPath)
      for socket in [stalled.raw, other.raw] { _ = try Self.line(socket) }
      _ = try Sockets.send(other.raw, Array("avatar-set\n".utf8)[...], passing: [picture])
      #expect(try Self.line(other.raw)["ok"]?.bool == true)
      let ask = "avatar alice@example.test\n"
      let count = 100
      try Descriptors.writeAll(stalled.raw, Array(String(repeating: ask, count: count).utf8))
      try Sockets.shutdownWriting(stalled.raw)
      for _ in 0..<50 {
        var descriptors: [PassedDescriptor] = []
        try Descriptors.writeAll(other.raw, Array(ask.utf8))
        while let more = try Sockets.receive(other.raw, atMost: 1 << 16, &descriptors), more.last != 0x0A {}
        #expect(descriptors.count == 1)
      }
      var (bytes, passed): ([UInt8], [PassedDescriptor]) = ([], [])
      while let more = try Sockets.receive(stalled.raw, atMost: 1 << 16, &passed), !more.isEmpty { bytes += more }
      let answers = try bytes.split(separator: 0x0A).map { try JSONParser.parse(Array($0))["ok"]?.bool }
      #expect(passed.count == count && answers.count == count && answers.allSatisfy { $0 == true })
    }
  }

  @Test("Another user who takes descriptors and reads none leaves the owner theirs", .enabled(if: getuid() == 0))
  func shares() throws {
    let folder = try TemporaryFolder("shares")
    try folder.letOthersThrough()
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      let daemon = try Daemon(
        in: folder, accounts: [prosody.account("alice")], settings: ["allow-uid = 65534"],
        wrapper: ["prlimit", "--nofile=512:512"])
      try runCommand("chmod", "755", daemon.home)
      let client = try daemon.client()
      try client.waitUntilOnline()
      let picture = PassedDescriptor(taking: try Files.inMemory(Self.picture))
      let setter = try SocketClient.connect(daemon.socketPath)
      _ = try Self.line(setter.raw)
      _ = try Sockets.send(setter.raw, Array("avatar-set\n".utf8)[...], passing: [picture])
      #expect(try Self.line(setter.raw)["ok"]?.bool == true)
      let ask = "avatar alice@example.test\n"
      let crowd = try HelperProcess(
        "crowd.py", [daemon.socketPath, "12", "65534", "--text=\(ask)", "--repeat", "16"], log: folder.file("crowd.log")
      )
      _ = try crowd.event("connected", until: .seconds(120))
      // 128 in all, of which one other user gets half.
      for _ in 0..<200 { #expect(try client.request("avatar alice@example.test").isOK) }
      withExtendedLifetime(crowd) {}
    }
  }
}
