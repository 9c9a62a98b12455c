import JSON
import TestSupport
import Testing

/// Every archive policy of stock servers, every end of connections and daemons, senders with and without ids: nothing
/// is lost or duplicated. CONFAB_MATRIX is the number of messages each way in all cells together; without it only a few
/// random cells of each server are tried. CONFAB_SEED repeats a run.
@Suite("Every ending at stock servers", .serialized)
struct ServerMatrixTests {
  private static let messages = Chance.count("CONFAB_MATRIX", usual: 0)
  /// Cells of one server: each ending with each kind of ids.
  private static let cells = Ending.allCases.flatMap { ending in SenderIDs.allCases.map { (ending, $0) } }
  /// Texts that each sends to each at one of the three moments of a cell: before the end, while away, and after it.
  private static let burst = max(1, messages / (2 * ArchivePolicy.allCases.count * cells.count * 6))

  @Test("at Prosody: every text once, both ways", arguments: ArchivePolicy.allCases)
  func prosody(archive: ArchivePolicy) throws {
    let folder = try TemporaryFolder("matrix")
    try folder.reportingLogs {
      let server = try Prosody(in: folder, accounts: MatrixWorld.accounts, archive: archive)
      try run(try MatrixWorld(at: server, in: folder), archive, "Prosody")
    }
  }

  @Test("at ejabberd: every text once, both ways", arguments: ArchivePolicy.allCases)
  func ejabberd(archive: ArchivePolicy) throws {
    let folder = try TemporaryFolder("matrix")
    try folder.reportingLogs {
      let server = try Ejabberd(in: folder, accounts: MatrixWorld.accounts, archive: archive)
      try run(try MatrixWorld(at: server, in: folder), archive, "ejabberd")
    }
  }

  private func run(_ world: MatrixWorld, _ archive: ArchivePolicy, _ server: String) throws {
    var chance = Chance("endings at \(server), archive \(archive)")
    let cells = Self.messages > 0 ? Self.cells : (0..<2).map { _ in Self.cells[chance.draw(0...17)] }
    for (number, (ending, ids)) in cells.enumerated() {
      let label = "\(number) \(ending) \(ids)"
      try world.say(Self.burst, "\(label) before", ids)
      chance.pause(upTo: 30)
      try world.end(by: ending) { try world.say(Self.burst, "\(label) away", ids) }
      try world.say(Self.burst, "\(label) after", ids)
      try world.settle()
    }
    let wrong = try world.correspondents.flatMap { try world.wrong(with: $0, archive) }
    #expect(wrong.isEmpty, "CONFAB_SEED=\(chance.seed)")
  }
}

extension MatrixWorld {
  /// The missing, duplicated or wrongly marked messages, in words.
  fileprivate func wrong(with correspondent: Correspondent, _ archive: ArchivePolicy) throws -> [String] {
    let messages = try messages(with: correspondent)
    let incoming = told(messages.filter { $0["mine"]?.bool != true }, archive.keeps(correspondent))
    let mine = messages.filter { $0["mine"]?.bool == true }
    let sent = sent[correspondent.name] ?? []
    let unsure = Set(mine.filter { $0["in_doubt"] != nil }.map { $0.text("text") })
    return differences(incoming, from: correspondent.said, "shown")
      + differences(mine.map { $0.text("text") }, from: sent, "in the history")
      + differences(
        correspondent.got.filter { !unsure.contains($0) }, from: sent.filter { !unsure.contains($0) }, "arrived")
      + Set(sent).subtracting(correspondent.got).map { "\($0): lost" }
      + mine.filter { ["queued", "failed"].contains($0.text("state")) }.map {
        "\($0.text("text")): \($0.text("state"))"
      }
      + (archive == .always ? unsure.map { "\($0): in doubt" } : [])
  }

  /// The texts of a correspondent, once for each message that can be told from the others. A server without stream
  /// management delivers again, with a stamp. If neither the sender nor an archive gave such a message an id, it may be
  /// another message with the same text.
  private func told(_ messages: [JSONValue], _ isArchived: Bool) -> [String] {
    var seen: Set<String> = []
    return messages.compactMap { message in
      let text = message.text("text")
      let isAnother = seen.insert(text).inserted
      let isUntold = !isArchived && text.contains(" cut absent ") && message["delayed"]?.bool == true
      return isAnother || !isUntold ? text : nil
    }
  }

  private func differences(_ found: [String], from wanted: [String], _ how: String) -> [String] {
    let counts = Dictionary(grouping: found) { $0 }.mapValues(\.count)
    let wrong = wanted.filter { counts[$0] != 1 }.map { "\($0): \(counts[$0] ?? 0) times \(how)" }
    return wrong + Set(found).subtracting(wanted).map { "\($0): \(how), and nobody wrote it" }
  }
}

extension ArchivePolicy {
  /// True if the archive keeps the messages of this correspondent and alice; bob is her contact.
  fileprivate func keeps(_ correspondent: Correspondent) -> Bool {
    switch self {
    case .always: true
    case .roster: correspondent.name == "bob"
    case .never, .none: false
    }
  }
}
