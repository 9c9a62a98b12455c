import Glibc
import LogFiles
import LogTool
import MessageLog
import Records
import TestSupport
import Testing

@Suite struct VerifyTests {
  @Test func aSoundLogIsSound() throws {
    let folder = try ToolFolder()
    try folder.write([Sample.account] + (1...50).map { Sample.message("text \($0)") }, segmentSize: 1000)
    let outcome = folder.run("verify")
    #expect(outcome.status == 0)
    #expect(outcome.lines.count == 1)
    #expect(outcome.output.hasPrefix("51 records in "))
    #expect(outcome.output.hasSuffix("the last is 51: sound\n"))
    #expect(outcome.complaints.isEmpty)
  }

  @Test func aBrokenRecordIsNamed() throws {
    let folder = try ToolFolder()
    try folder.write([Sample.account, Sample.message("one"), Sample.message("two")])
    try folder.damage(at: 64 + 17 + 9)
    let outcome = folder.run("verify")
    #expect(outcome.status == 1)
    #expect(outcome.lines.contains("account #1: the owner is unknown; its records are kept"))
    #expect(
      outcome.lines.first
        == "00000000000000000001.log, offset 81, record 1: wrong checksum; 34 bytes passed over, record 1 lost")
    #expect(outcome.lines.last == "2 records in 1 segment, the last is 3: 2 broken places")
  }

  @Test func aTornTailIsNoDamage() throws {
    let folder = try ToolFolder()
    try folder.write([Sample.account])
    try folder.damage(at: 200, [1, 2, 3])
    let outcome = folder.run("verify")
    #expect(outcome.status == 0)
    #expect(outcome.lines.count == 2)
    #expect(
      outcome.lines.first == "00000000000000000001.log, offset 115: 88 bytes at the end that were never acknowledged")
  }

  @Test("a segment that is gone at the beginning is missed")
  func lostBeginning() throws {
    let folder = try ToolFolder()
    try folder.write([Sample.account] + (1...50).map { Sample.message("text \($0)") }, segmentSize: 1000)
    #expect(unsafe unlink(folder.path + "/log/00000000000000000001.log") == 0)
    let outcome = folder.run("verify")
    #expect(outcome.status == 1 && outcome.output.contains("offset 0, record 1: no segment begins with it; 0 bytes"))
    #expect(outcome.lines.last?.hasSuffix(": 2 broken places") == true)
    let export = folder.run("export")
    #expect(export.status == 1 && export.complaints.contains("record 1: no segment begins with it"))
    #expect(export.complaints.contains("the owner of account #1 is unknown") && export.output.contains("text 50"))
  }

  @Test("a segment that is gone in the middle is named, and what is around it shown")
  func lostMiddle() throws {
    let folder = try ToolFolder()
    try folder.write([Sample.account] + (1...50).map { Sample.message("text \($0)") }, segmentSize: 1000)
    let names = TestFiles.names(in: folder.path + "/log").filter { $0.hasSuffix(".log") }.sorted()
    try #require(names.count > 3)
    let firsts = names.compactMap { SegmentID(fileName: $0)?.first }
    #expect(unsafe unlink(folder.path + "/log/" + names[1]) == 0)
    let lost = "passed over, records \(firsts[1]) to \(firsts[2] - 1) lost"
    let outcome = folder.run("verify")
    #expect(outcome.status == 1 && outcome.output.contains(lost), "\(outcome)")
    #expect(outcome.lines.last?.hasSuffix(": 1 broken place") == true)
    let left = (1...51).filter { !(firsts[1]..<firsts[2]).contains(UInt64($0)) }
    let dump = folder.run("dump")
    #expect(dump.status == 1 && dump.complaints.contains(lost))
    #expect(dump.lines.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } } == left)
    let some = folder.run("dump", "\(firsts[1] - 1)-\(firsts[2])")
    #expect(some.lines.map { $0.split(separator: " ")[0] } == ["\(firsts[1] - 1)", "\(firsts[2])"])
    #expect(folder.run("dump", "\(firsts[1])-\(firsts[2] - 1)").status != 0)
    for form in [["--jsonl"], ["--text"]] {
      let export = folder.run(["export"] + form)
      #expect(export.status == 1 && export.complaints.contains(lost))
      let end = form == ["--text"] ? "\n" : "\""
      for number in 2...51 { #expect(export.output.contains("text \(number - 1)\(end)") == left.contains(number)) }
    }
  }

  @Test("a checkpoint that cannot be read is none: the log has all of it")
  func unreadableCheckpoint() throws {
    let folder = try ToolFolder()
    try folder.write([Sample.account, Sample.message("one")])
    let storage = try DataDirectory.create(folder.path).storage(readOnly: false)
    let uuid = try #require(LogUUID(random: [UInt8](0..<16)))
    #expect(unsafe mkdir(folder.path + "/checkpoint", 0o700) == 0)
    var recovery = try Recovery(of: storage, log: uuid, mode: .readWrite)
    let log = try recovery.run { _ in }
    #expect(recovery.checkpoint == nil && log.report.checkpointIgnored != nil && log.report.records == 2)
    #expect(folder.run("verify").status == 0)
  }

  @Test("what the checkpoint has seen was acknowledged: where it cannot be read, or is gone, that is damage")
  func behindTheCheckpoint() throws {
    for isGone in [false, true] {
      let folder = try ToolFolder()
      let line =
        #"{"conversation":"bob@example.org","from":"bob@example.org","time":"2026-11-20T09:10:00Z","text":"needle"}"#
      try TestFiles.write(folder.path + "/lines", Array(line.utf8))
      let made = folder.run("import", "--jsonl", folder.path + "/lines", "--account", "a", "--jid", "ann@example.org")
      #expect(made.status == 0 && folder.run("verify").status == 0)
      let segment = folder.path + "/log/00000000000000000001.log"
      let bytes = try #require(TestFiles.read(segment))
      let place = try #require(bytes.firstRange(of: Array("needle".utf8))?.lowerBound)
      if isGone { #expect(unsafe unlink(segment) == 0) } else { try folder.damage(at: UInt64(place)) }
      let outcome = folder.run("verify")
      #expect(outcome.status == 1 && outcome.output.contains("lost"), "\(outcome)")
      for reader in ["dump", "export"] { #expect(folder.run(reader).complaints.contains("lost"), "\(reader)") }
    }
  }

  @Test("damage of what was imported last is told from a torn tail, without a checkpoint too, and nothing is cut")
  func lastOfAnImport() throws {
    let folder = try ToolFolder()
    let line =
      #"{"conversation":"bob@example.org","from":"bob@example.org","time":"2026-11-20T09:10:00Z","text":"TEXT"}"#
    let lines = (1...3).map { line.replacing("TEXT", with: "needle \($0)") }.joined(separator: "\n")
    try TestFiles.write(folder.path + "/lines", Array(lines.utf8))
    #expect(
      folder.run("import", "--jsonl", folder.path + "/lines", "--account", "a", "--jid", "ann@example.org").status == 0)
    #expect(unsafe unlink(folder.path + "/checkpoint") == 0)
    let bytes = try #require(TestFiles.read(folder.path + "/log/00000000000000000001.log"))
    try folder.damage(at: UInt64(try #require(bytes.firstRange(of: Array("needle 2".utf8))?.lowerBound)))
    let outcome = folder.run("verify")
    #expect(outcome.status == 1 && outcome.output.contains("record 3 lost"), "\(outcome)")
    #expect(folder.run("export").output.contains("needle 3"))
    // Whoever opens it to write cuts nothing.
    #expect(folder.run("import", "--jsonl", "/dev/null").status == 0)
    #expect(folder.run("export").output.contains("needle 3"))
  }

  private enum NoFile: CaseIterable {
    case pipe, directory, link

    func make(_ path: String) -> CInt {
      switch self {
      case .pipe: unsafe mkfifo(path, 0o600)
      case .directory: unsafe mkdir(path, 0o700)
      case .link: unsafe symlink("/dev/zero", path)
      }
    }
  }

  @Test(
    "what is no file in the place of a segment is named, and all others are read",
    arguments: NoFile.allCases, [false, true])
  private func noFile(kind: NoFile, isLast: Bool) throws {
    let folder = try ToolFolder()
    try folder.write([Sample.account] + (1...50).map { Sample.message("text \($0)") }, segmentSize: 1000)
    let names = TestFiles.names(in: folder.path + "/log").filter { $0.hasSuffix(".log") }.sorted()
    let name = try #require(isLast ? names.last : names.dropFirst().first)
    let path = folder.path + "/log/" + name
    #expect(unsafe unlink(path) == 0 && kind.make(path) == 0)
    let verify = folder.run("verify")
    #expect(verify.status == 1 && verify.output.contains("\(name), offset 0"), "\(verify)")
    for command in ["dump", "export"] {
      let outcome = folder.run(command)
      #expect(outcome.status == 1 && outcome.output.contains("text 1\""), "\(outcome.complaints)")
      #expect(outcome.output.contains("text 50\"") == !isLast)
    }
    // It is set apart where others follow; else nobody knows what was last.
    let writing = folder.run("import", "--jsonl", "/dev/null")
    #expect(writing.status == (isLast ? 1 : 0) && writing.complaints.contains("\(name): it is no file") == isLast)
    #expect(TestFiles.names(in: folder.path + "/log").contains(name))
  }

  @Test func aRunningDaemonIsNoHindrance() throws {
    let folder = try ToolFolder()
    try folder.write([Sample.account])
    var daemon = try DataDirectory.open(folder.path)
    #expect(try daemon.lock())
    #expect(folder.run("verify").status == 0)
  }

  @Test func withoutALogItSaysSo() throws {
    let folder = try ToolFolder()
    for data in [folder.path + "/nothing", folder.path] {
      let outcome = folder.run("verify", "--data", data)
      #expect(outcome.status == 1)
      #expect(outcome.complaints.hasPrefix("confab log: no log in \(data): "))
    }
  }

  @Test(
    arguments: [
      [], ["destroy"], ["verify", "now"], ["verify", "--jsonl"], ["verify", "--data"], ["verify", "--data", ""],
      ["export", "--jsonl", "--text"], ["dump", "--verbose"],
    ])
  func wrongUsageIsRefused(arguments: [String]) throws {
    let folder = try ToolFolder()
    var said: [UInt8] = []
    let output = LineOutput { _ in true }
    let complaints = LineOutput { bytes in
      said += bytes
      return true
    }
    let status = LogCommand.run(arguments, environment: ["HOME": folder.path], output: output, complaints: complaints)
    complaints.flush()
    #expect(status == 64)
    let text = String(decoding: said, as: UTF8.self)
    #expect(text.hasSuffix("; see confab log --help\n") && text.filter { $0 == "\n" }.count == 1)
  }

  @Test(
    arguments: [
      ["STATE_DIRECTORY": "DIR:/other", "XDG_STATE_HOME": "/x", "HOME": "/y"],
      ["XDG_STATE_HOME": "DIR/..", "STATE_DIRECTORY": ""],
    ])
  func theDirectoryIsTheDaemons(environment: [String: String]) throws {
    let folder = try ToolFolder()
    let inner = try TemporaryFolder()
    let data = inner.path + "/confab"
    try ToolFolder.write(in: data)
    let replaced = environment.mapValues { value in
      value.split(separator: ":", omittingEmptySubsequences: false)
        .map { $0 == "DIR" ? data : $0 == "DIR/.." ? inner.path : String($0) }.joined(separator: ":")
    }
    let output = LineOutput { _ in true }
    #expect(LogCommand.run(["verify"], environment: replaced, output: output, complaints: output) == 0)
    #expect(LogCommand.run(["verify"], environment: ["HOME": folder.path], output: output, complaints: output) == 1)
    #expect(LogCommand.run(["verify"], environment: [:], output: output, complaints: output) == 64)
  }
}
