import Clocks
import ConfabAccounts
import Glibc
import ConfabConfiguration
import Syscalls
import TestSupport
import Testing

@testable import ConfabRuntime

@Suite("the journal")
struct JournalTests {
  /// A journal, with a pipe for standard error and a socket of our own for journald's.
  private final class World {
    let folder: TemporaryFolder
    let journald: OwnedFD
    let pipe: Descriptors.Pair
    let path: String
    let stream: String

    init() throws {
      folder = try TemporaryFolder("journal")
      path = folder.file("socket")
      journald = try Sockets.unixDatagram()
      try Sockets.bindUnix(journald.raw, path: path)
      pipe = try Sockets.pair()
      let status = try Paths.status(of: pipe.second.raw)
      stream = "\(status.device):\(status.inode)"
    }

    func journal(_ level: LogLevel = .info, stream: String?) -> Journal {
      Journal(
        level: level, environment: stream.map { ["JOURNAL_STREAM": $0] } ?? [:], descriptor: pipe.second.raw,
        path: path
      ) { Timestamp(milliseconds: 1_000) }
    }

    /// The next datagram's fields; nil where there is none.
    func fields() throws -> [String]? {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let count = unsafe recv(journald.raw, &bytes, bytes.count, 0)
      guard count >= 0 else { return nil }
      return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    var errorText: String {
      String(decoding: ((try? Descriptors.read(pipe.first.raw, atMost: 1 << 20)) ?? nil) ?? [], as: UTF8.self)
    }
  }

  private static let fields = JournalFields(account: "home", jid: "bob@example.org", stanzaID: "i1", errno: 28)

  @Test("where standard error is a stream of journald's, a line has fields there, and is nowhere else")
  func native() throws {
    let world = try World()
    let journal = world.journal(stream: world.stream)
    journal.write(.warning, "account home: something", Self.fields)
    #expect(
      try world.fields() == [
        "MESSAGE=account home: something", "PRIORITY=4", "SYSLOG_IDENTIFIER=confabd", "ACCOUNT=home",
        "JID=bob@example.org", "STANZA_ID=i1", "ERRNO=28",
      ])
    journal.write(.info, "stopped")
    #expect(try world.fields() == ["MESSAGE=stopped", "PRIORITY=6", "SYSLOG_IDENTIFIER=confabd"])
    journal.write(.debug, "not wanted")
    #expect(try world.fields() == nil)
    #expect(world.errorText.isEmpty)
  }

  @Test("no value ends its field")
  func hostile() throws {
    let world = try World()
    let jid = "a\nPRIORITY=0\u{2028}@example.org"
    world.journal(stream: world.stream).write(.info, "x\ny\u{1B}[1m", JournalFields(jid: jid))
    #expect(
      try world.fields() == [
        "MESSAGE=x?y?[1m", "PRIORITY=6", "SYSLOG_IDENTIFIER=confabd", "JID=a?PRIORITY=0?@example.org",
      ])
  }

  @Test("elsewhere it is standard error, stamped where nobody else does it", arguments: [nil, "1:2", "", "x"])
  func plain(stream: String?) throws {
    let world = try World()
    world.journal(stream: stream).write(.notice, "a\nb", Self.fields)
    #expect(world.errorText == "<5>1970-01-01T00:00:01.000Z a?b\n")
    #expect(try world.fields() == nil)
  }

  @Test("where journald's socket fails, standard error has the line")
  func gone() throws {
    let world = try World()
    unsafe unlink(world.path)
    world.journal(stream: world.stream).write(.info, "still told", Self.fields)
    #expect(world.errorText == "<6>still told\n")
  }

  @Test("a line too large for a datagram goes as a file in memory that nobody can change")
  func large() throws {
    let world = try World()
    let line = String(repeating: "x", count: 4 << 20)
    world.journal(stream: world.stream).write(.info, line)
    let file = try received(by: world.journald.raw)
    var bytes = [UInt8](repeating: 0, count: 5 << 20)
    let count = unsafe pread(file.raw, &bytes, bytes.count, 0)
    #expect(String(decoding: bytes[..<max(count, 0)], as: UTF8.self).hasPrefix("MESSAGE=\(line)\nPRIORITY=6\n"))
    #expect(unsafe pwrite(file.raw, &bytes, 1, 0) == -1 && errno == EPERM)
    #expect(world.errorText.isEmpty)
  }

  /// The descriptor that came with the next datagram.
  private func received(by socket: CInt) throws -> OwnedFD {
    var control = [UInt64](repeating: 0, count: 8)
    let count = unsafe control.withUnsafeMutableBytes { control in
      var message = unsafe msghdr()
      unsafe message.msg_control = control.baseAddress
      unsafe message.msg_controllen = control.count
      return unsafe recvmsg(socket, &message, 0)
    }
    try #require(count == 0)
    // A header of a length, a level and a type, then the descriptor.
    return OwnedFD(taking: CInt(truncatingIfNeeded: control[2] & 0xFFFF_FFFF))
  }
}
