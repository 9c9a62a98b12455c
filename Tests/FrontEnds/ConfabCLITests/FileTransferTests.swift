import Glibc
import JSON
import LineProtocol
import Syscalls
import TestSupport
import Testing

@testable import ConfabCLI

@Suite("Files of commands")
struct FileTransferTests {
  private static let answer = #"{"ok":true,"type":"image/png","size":5,"width":1,"height":1,"hash":"00"}"#

  private func daemon() throws -> FakeDaemon {
    let daemon = FakeDaemon(answers: Self.answer)
    daemon.answered = PassedDescriptor(taking: try Files.inMemory(Array("bytes".utf8)))
    return daemon
  }

  @Test("A file that comes with the answer goes to standard output, but to no terminal")
  func toOutput() throws {
    let daemon = try daemon()
    #expect(daemon.run("avatar", "bob@x") == 0 && daemon.output == "bytes")
    let named = try self.daemon()
    #expect(named.run("avatar", "bob@x", "--output=-") == 0 && named.output == "bytes")
    let terminal = try self.daemon()
    terminal.isTerminal = true
    #expect(terminal.run("avatar", "bob@x") == 64 && terminal.output.isEmpty && terminal.requests.isEmpty)
    let lines = try self.daemon()
    #expect(lines.run("--json", "avatar", "bob@x") == 0 && lines.output == Self.answer + "\n")
  }

  @Test("--output writes it to a new file, and only --force replaces one")
  func toFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a b")
    #expect(try daemon().run("avatar", "bob@x", "--output", path) == 0)
    #expect(TestFiles.text(path) == "bytes" && TestFiles.names(in: folder.path) == ["a b"])
    try TestFiles.write(path, [1])
    let second = try daemon()
    #expect(second.run("avatar", "--output=\(path)", "bob@x") == 64)
    #expect(second.complaints.first?.contains("--force") == true && TestFiles.read(path) == [1])
    #expect(try daemon().run("avatar", "--output=\(path)", "--force", "bob@x") == 0)
    #expect(TestFiles.text(path) == "bytes")
    #expect(try daemon().run("avatar", "--output=\(folder.path)/none/x", "bob@x") == 74)
    let pipe = folder.file("pipe")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    for place in [pipe, try folder.makeFolder("folder")] {
      #expect(try daemon().run("avatar", "--output=\(place)", "--force", "bob@x") == 64)
    }
    #expect(TestFiles.names(in: folder.path).sorted() == ["a b", "folder", "pipe"])
  }

  @Test("A file that is named goes with the request; what is no regular file asks nothing")
  func sends() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("picture", "bytes")
    let daemon = FakeDaemon(answers: #"{"ok":true}"#)
    #expect(daemon.run("avatar-set", path) == 0)
    #expect(daemon.requests.map(\.verb) == [.avatarSet] && daemon.passed.count == 1)
    #expect(try daemon.passed.map { try Files.readAll($0.raw, limit: 10) } == [Array("bytes".utf8)])
    for words in [
      ["avatar-set"], ["avatar-set", path, path], ["avatar-set", folder.path], ["avatar-set", path + "x"],
    ] {
      let other = FakeDaemon(answers: #"{"ok":true}"#)
      #expect(other.run(words) == 64 && other.requests.isEmpty, "\(words)")
    }
  }

  @Test("Files of a message go with the request, their text by an option, and a key makes it safe to repeat")
  func message() throws {
    let folder = try TemporaryFolder()
    let (one, two) = (try folder.write("one", "1"), try folder.write("two", "2"))
    let daemon = FakeDaemon(answers: #"{"ok":true,"id":7,"state":"queued"}"#)
    #expect(daemon.run("send-file", "--text=look here", "bob@x", one, two) == 0 && daemon.output == "7 queued\n")
    let request = try #require(daemon.requests.first)
    #expect(request.verb == .sendFile && request.text == "look here" && request.string(.to) == "bob@x")
    #expect(request.string(.key) != nil)
    #expect(try daemon.passed.map { try Files.readAll($0.raw, limit: 10) } == [[0x31], [0x32]])
    for words in [["send-file", "bob@x"], ["send-file", "bob@x"] + Array(repeating: one, count: 10)] {
      #expect(FakeDaemon(answers: #"{"ok":true}"#).run(words) == 64)
    }
    let failed = FakeDaemon(answers: #"{"ok":false,"error":"failed","reason":"no","id":7,"state":"failed"}"#)
    #expect(failed.run("send-file", "--wait=sent", "bob@x", one) == 2)
  }

  @Test("Standard input is copied up to the bytes that may wait to be uploaded, and a longer one is refused")
  func input() throws {
    for (limit, isTaken) in [(10, true), (9, false), (0, false)] as [(UInt64, Bool)] {
      let input = try Files.inMemory(Array("0123456789".utf8))
      let copy = try? FileTransfer.copy(of: input.raw, atMost: .spool(limit))
      #expect(try copy.flatMap { try Files.readAll($0.raw, limit: 20) } == (isTaken ? Array("0123456789".utf8) : nil))
    }
  }

  @Test("An avatar from standard input may be as long as an avatar")
  func longAvatar() throws {
    let input = try Files.inMemory([UInt8](repeating: 0, count: Limits.avatar + 1))
    let failure = #expect(throws: UsageFailure.self) { try FileTransfer.copy(of: input.raw, atMost: .avatar) }
    #expect(failure?.code == .badText && failure?.reason.contains("\(Limits.avatar) bytes") == true)
  }

  @Test("The progress is a line with the part that has moved, of one message alone")
  func progress() {
    func event(_ id: Int64, _ members: [(String, Int64)]) -> JSONValue {
      let numbers = ([("id", id)] + members).map { JSONMember($0.0, .integer($0.1)) }
      return .object([JSONMember("event", .string("transfer"))] + numbers)
    }
    var progress = TransferProgress(id: 7, count: 2)
    #expect(progress.end() == nil && progress.line(event(8, [("index", 0), ("done", 1)])) == nil)
    let line = progress.line(event(7, [("index", 1), ("done", 500), ("total", 1000)]))
    #expect(line == "\r\u{1B}[K[############------------] 50 % of 1000 bytes file 2 of 2")
    #expect(progress.end() == "\r\u{1B}[K" && progress.end() == nil && progress.eventCount == 1)
    // Of a message that is being sent, whose id nobody knows yet.
    var sending = TransferProgress(after: 7, count: 1)
    #expect(sending.line(event(7, [("index", 0), ("done", 1), ("total", 2)])) == nil)
    #expect(sending.line(event(9, [("index", 0), ("done", 1), ("total", 2)]))?.contains("50 %") == true)
    #expect(sending.line(event(10, [("index", 0), ("done", 1), ("total", 2)])) == nil && sending.id == 9)
  }

  @Test("An answer without its file is no success")
  func withoutFile() {
    let daemon = FakeDaemon(answers: Self.answer)
    #expect(daemon.run("avatar", "bob@x") == 1 && daemon.output.isEmpty)
    let refused = FakeDaemon(answers: #"{"ok":false,"error":"not-found","reason":"bob@x has no avatar"}"#)
    #expect(refused.run("avatar", "bob@x") == 1 && refused.output.isEmpty)
    #expect(refused.complaints.first?.contains("bob@x has no avatar") == true)
  }
}
