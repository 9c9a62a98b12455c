import JSON
import Reactor
import Syscalls
import TestSupport
import Testing

@testable import ConfabTUI

@Suite("The plain mode over descriptors")
struct PlainLoopTests {
  /// A daemon that answers everything with `ok`, and a plain mode with an output in a file.
  private final class Scene {
    let folder: TemporaryFolder
    let listener: OwnedFD
    private var isListening = false
    private(set) var sent: [String] = []

    init() throws {
      folder = try TemporaryFolder("plain")
      listener = try Sockets.unixStream()
    }

    func listen() throws {
      try Sockets.bindUnix(listener.raw, path: folder.file("socket"))
      try Sockets.listen(listener.raw)
      isListening = true
    }

    var output: String { TestFiles.text(folder.file("output")) ?? "" }

    /// Runs until the plain mode has left.
    ///
    /// - Returns: why the input could not be read.
    @discardableResult
    func run(_ input: CInt) throws -> Errno? {
      var options = InterfaceOptions()
      options.socket = folder.file("socket")
      let directory = try Files.openDirectory(folder.path)
      let output = try Files.open("output", in: directory.raw, .createNew)
      let plain = try PlainLoop(InterfaceFiles(options), input: input, output: output.raw)
      try plain.start()
      let daemon = isListening ? try Sockets.accept(listener.raw)?.release() : nil
      defer { if let daemon { _ = OwnedFD(taking: daemon) } }
      if let daemon { try say(#"{"confab":1,"version":"0","log":"L","limits":{"text":60000}}"#, daemon) }
      var received: [UInt8] = []
      let deadline = Deadline.seconds(60)
      while !plain.isStopped {
        guard !deadline.hasPassed else { throw TestFailure("it goes on: \(self.output) \(sent)") }
        try plain.loop.turn(block: false)
        if let daemon { try answer(daemon, &received) }
      }
      return plain.inputFailure
    }

    private func answer(_ daemon: CInt, _ received: inout [UInt8]) throws {
      received += try Descriptors.read(daemon, atMost: 1 << 16) ?? []
      while let end = received.firstIndex(of: 0x0A) {
        let request = try JSONParser.parse(Array(received[..<end]))
        received.removeSubrange(...end)
        if request["verb"]?.string == "send" { sent.append(request["text"]?.string ?? "") }
        try say(#"{"ok":true,"tag":\#(request["tag"]?.integer ?? 0)}"#, daemon)
      }
    }

    private func say(_ line: String, _ daemon: CInt) throws {
      _ = try Sockets.send(daemon, Array((line + "\n").utf8))
    }
  }

  private static let script = "bob@example.org\nfirst\nlast, without a line end"

  @Test("a file as input is a script: its lines go one after the other, its end leaves")
  func file() throws {
    let scene = try Scene()
    try scene.listen()
    let file = try Files.openForReading(scene.folder.write("script", Self.script))
    try scene.run(file.raw)
    #expect(scene.sent == ["first", "last, without a line end"])
    #expect(scene.output.contains("Conversation with bob@example.org"))
  }

  @Test(
    "no part of a line that is too long is sent, and the next one goes on", arguments: [65_500, 65_537, 196_585])
  func tooLong(count: Int) throws {
    let scene = try Scene()
    try scene.listen()
    let script = "bob@example.org\n\(String(repeating: "q", count: count))/tail\nafter\n"
    let file = try Files.openForReading(scene.folder.write("script", script))
    try scene.run(file.raw)
    #expect(scene.sent == ["after"])
    #expect(scene.output.split(separator: "\n").count { $0.hasPrefix("Not sent: ") } == 1)
  }

  @Test("so is a pipe")
  func pipe() throws {
    let scene = try Scene()
    try scene.listen()
    let ends = try Descriptors.pipe()
    try Descriptors.writeAll(ends.second.raw, Array(Self.script.utf8))
    try ends.split { reading, writing in
      try writing.close()
      try scene.run(reading.raw)
    }
    #expect(scene.sent == ["first", "last, without a line end"])
  }

  @Test("a line that is not UTF-8 is not sent, and the next one goes on")
  func notText() throws {
    let scene = try Scene()
    try scene.listen()
    let ends = try Descriptors.pipe()
    try Descriptors.writeAll(ends.second.raw, Array("bob@example.org\ncaf".utf8) + [0xE9] + Array("\nafter\n".utf8))
    try ends.split { reading, writing in
      try writing.close()
      #expect(try scene.run(reading.raw) == nil)
    }
    #expect(scene.sent == ["after"])
    #expect(scene.output.contains("Not sent: the line is not UTF-8.\n"))
  }

  @Test("an input that cannot be read ends it, and is a failure", arguments: ["", "socket"])
  func unreadable(name: String) throws {
    let scene = try Scene()
    try scene.listen()
    if name.isEmpty {
      let folder = try Files.openDirectory(scene.folder.path)
      #expect(try scene.run(folder.raw)?.isDirectory == true)
    } else {
      #expect(try scene.run(Sockets.unixStream().raw) != nil)
    }
  }

  @Test("/dev/null is an empty script, and says what is wrong without a daemon")
  func nothing() throws {
    let scene = try Scene()
    let file = try Files.openForReading("/dev/null")
    try scene.run(file.raw)
    #expect(scene.output.contains("There is no daemon"))
  }
}
