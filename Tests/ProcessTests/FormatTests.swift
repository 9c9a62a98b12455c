import JSON
import MessageLog
import TestSupport
import Testing

/// Versions of Confab that follow each other on one log.
@Suite("The format of a log")
struct FormatTests {
  /// Writes the format of the log's first segment into its header, as another version would have it.
  private func setFormat(_ major: UInt16, of data: String) throws {
    let path = "\(data)/log/\(SegmentID(first: 1).fileName)"
    let bytes = try #require(TestFiles.read(path))
    var header = try #require(SegmentHeader(decoding: Array(bytes.prefix(LogFormat.headerSize))))
    header.major = major
    try TestFiles.write(path, header.encoded + bytes.dropFirst(LogFormat.headerSize))
  }

  /// Names, content and inodes of all files.
  private func snapshot(of data: String) throws -> String {
    try Program.run([
      "sh", "-c", "cd $0 && find . -printf '%p %i %s\\n' | sort && find . -type f -exec cksum {} + | sort", data,
    ])
    .text
  }

  @Test("A log that a newer version writes otherwise is refused with 74, and nothing in its directory changes")
  func newer() throws {
    let folder = try TemporaryFolder("format")
    try folder.reportingLogs {
      let daemon = try Daemon(in: folder)
      try daemon.client().ask("send bob@example.test hello")
      try daemon.terminate()
      try setFormat(LogFormat.major + 1, of: daemon.dataPath)
      // As an identity of another place: a version that misreads the log does not judge that either.
      try TestFiles.write(daemon.dataPath + "/identity", Array("of a version to come\n".utf8))
      let before = try snapshot(of: daemon.dataPath)
      #expect(try daemon.launch().wait(until: .seconds(60)) == .exited(74))
      #expect(daemon.log.contains("has log format \(LogFormat.major + 1)"))
      #expect(daemon.log.contains("a newer version wrote it"))
      #expect(try snapshot(of: daemon.dataPath) == before)
    }
  }

  @Test("A log of an older format is read and continued, under the same UUID and numbers")
  func older() throws {
    let folder = try TemporaryFolder("format")
    try folder.reportingLogs {
      let daemon = try Daemon(in: folder)
      let log = try daemon.connect().greeting().text("log")
      try daemon.client().ask("send bob@example.test hello")
      try daemon.terminate()
      try setFormat(LogFormat.readable.lowerBound, of: daemon.dataPath)
      try daemon.start()
      let socket = try daemon.connect()
      #expect(try socket.greeting().text("log") == log)
      try socket.ask("send bob@example.test again")
      try daemon.kill()
      try daemon.start()
      #expect(try daemon.connect().greeting().text("log") == log)
      #expect(try daemon.client().history("bob@example.test").map { $0.text("text") } == ["hello", "again"])
      #expect(try runCommand(Products.program("confab"), "log", "verify", "--data", daemon.dataPath) == 0)
    }
  }
}
