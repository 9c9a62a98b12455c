import Glibc
import Syscalls
import TestSupport
import Testing

@testable import Ratchet

/// Conversations with python-oldmemo and python-twomemo, which are programs here and no part of what ships.
///
/// CONFAB_OMEMO is the number of conversations for each version (`make test-long`); without it there are none.
/// CONFAB_WRITE_GOLDEN=1 writes those of `GoldenTests` anew.
@Suite(.serialized, .enabled(if: OMEMOProgram.conversationCount > 0 || OMEMOProgram.writesGolden))
struct PeerTests {
  @Test("Random conversations with another library, with losses and reordering", arguments: RatchetVersion.allCases)
  func conversations(version: RatchetVersion) throws {
    guard let python = try OMEMOProgram.python() else { return }
    let start = Chance("PeerTests").seed
    for seed in start..<start + UInt64(OMEMOProgram.conversationCount) {
      let peer = try OMEMOProgram(python, version)
      var conversation = try PeerConversation(version, with: peer, seed: seed)
      do { try conversation.run(steps: 300) } catch { Issue.record("seed \(seed): \(error)") }
    }
  }

  @Test("Golden conversations are written", .enabled(if: OMEMOProgram.writesGolden), arguments: RatchetVersion.allCases)
  func golden(version: RatchetVersion) throws {
    let python = try #require(try OMEMOProgram.python())
    for seed in GoldenTests.seeds {
      let peer = try OMEMOProgram(python, version)
      var conversation = try PeerConversation(version, with: peer, seed: seed)
      try conversation.run(steps: 40)
      try TestFiles.write(GoldenTests.path(version, seed), Array(peer.transcript.utf8), mode: 0o644)
    }
  }
}

/// The program Tests/Support/omemo_peer.py.
final class OMEMOProgram: RatchetPeer {
  static let conversationCount = Chance.count("CONFAB_OMEMO", usual: 0)
  static let writesGolden = ProcessEnvironment.current["CONFAB_WRITE_GOLDEN"] == "1"

  private let process: ChildProcess
  private let commands: OwnedFD
  private let answers: OwnedFD
  private let reader: LineReader
  /// Each request and its answer, a line each.
  private(set) var transcript = ""

  init(_ python: String, _ version: RatchetVersion) throws {
    let (childInput, commands) = try Pipes.make()
    let (answers, childOutput) = try Pipes.make()
    defer { for descriptor in [childInput, childOutput] { close(descriptor) } }
    self.commands = OwnedFD(taking: commands)
    self.answers = OwnedFD(taking: answers)
    reader = LineReader(borrowing: answers)
    process = try ChildProcess(
      [python, "-B", Products.support("omemo_peer.py"), "\(version)"], input: childInput, output: childOutput,
      error: STDERR_FILENO)
  }

  func ask(_ request: String) throws -> [Substring] {
    try Descriptors.writeAll(commands.raw, Array((request + "\n").utf8))
    guard let line = try reader.next() else { throw TestFailure("the peer has ended") }
    let answer = String(decoding: line, as: UTF8.self)
    transcript += "\(request)\n\(answer)\n"
    return answer.split(separator: " ")
  }

  /// A Python with the libraries, made when it is missing; nil if it cannot be made here.
  static func python() throws -> String? {
    let folder = Products.repository + "/.build/omemo"
    let python = folder + "/bin/python"
    if try runCommand(python, "-c", "import oldmemo, twomemo") == 0 { return python }
    guard try runCommand("python3", "-m", "venv", folder) == 0,
      try runCommand(folder + "/bin/pip", "install", "-q", "oldmemo==2.1.0", "twomemo==2.1.0") == 0
    else {
      print("PeerTests: SKIPPED: python-oldmemo and python-twomemo cannot be installed here")
      return nil
    }
    return python
  }
}
