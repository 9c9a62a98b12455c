import JSON
import MessageLog
import Records
import TestSupport
import Testing

/// Ids of an export by which messages are known again, by the daemon and by another import.
@Suite("ids in export and import")
struct ImportedIDTests {
  private static let own = "ann@example.org"

  private static func received(_ text: String, _ change: (inout MessageRecord) -> Void = { _ in }) -> MessageRecord {
    var message = MessageRecord(
      account: 1, jid: "bob@example.org", peer: "bob@example.org/phone", time: Sample.time, text: text)
    change(&message)
    return message
  }

  private static func sent(_ text: String, _ stanzaID: String) -> MessageRecord {
    received(text) {
      ($0.author, $0.peer, $0.stanzaID, $0.key) = (.thisDevice, "bob@example.org", stanzaID, "K" + stanzaID)
    }
  }

  private static func bound(_ resource: String) -> Record {
    var stream = StreamRecord(account: 1)
    stream.beginning = .init(jid: own + "/" + resource)
    return .stream(stream)
  }

  private static let samples: [MessageRecord] = [
    received("live") { ($0.stanzaID, $0.archiveID) = ("s1", "a1") },
    received("with both") { ($0.stanzaID, $0.originID) = ("s2", "o2") },
    received("late") { ($0.stanzaID, $0.archiveID, $0.delayed, $0.depth) = ("s3", "a3", true, 7) },
    received("by the tablet") {
      ($0.author, $0.peer, $0.stanzaID, $0.originID) = (.otherDevice, own + "/tablet", "s4", "o4")
    },
  ]

  /// The same messages, imported from a file.
  private static let imported = samples.map {
    var message = $0
    message.isHistory = true
    return message
  }

  /// Imports what a log exports into one that has these records.
  private func moved(_ records: [Record], to others: [Record] = []) throws -> (ToolFolder, ToolFolder.Outcome) {
    let (source, target) = (try ToolFolder(), try ToolFolder())
    try source.write([Sample.account] + records)
    try target.write([Sample.account] + others)
    try TestFiles.write(target.path + "/lines", Array(source.run("export").output.utf8))
    return (target, target.run("import", "--jsonl", target.path + "/lines"))
  }

  @Test("ids, and where a message stands, come back as they were")
  func samples() throws {
    let (target, outcome) = try moved(Self.samples.map { .message($0) })
    #expect(outcome.output == "4 messages imported, 0 were here already, 0 lines were wrong\n")
    #expect(try target.messages() == Self.imported)
  }

  @Test("mine has the resource that it was sent by, as the archive has it")
  func resources() throws {
    let (target, _) = try moved([
      .message(Self.sent("before any login", "s1")), Self.bound("one"), .message(Self.sent("then", "s2")),
      Self.bound("two"), .message(Self.sent("now", "s3")),
    ])
    let messages = try target.messages()
    #expect(messages.map(\.peer) == ["two", "one", "two"].map { Self.own + "/" + $0 })
    #expect(messages.map(\.stanzaID) == ["s1", "s2", "s3"] && messages.map(\.key) == ["Ks1", "Ks2", "Ks3"])
    #expect(messages.allSatisfy { $0.author == .otherDevice && $0.originID == nil })
  }

  @Test("what the archive brought meanwhile is here already, mine too")
  func caughtUp() throws {
    func archived(_ message: MessageRecord, _ id: String) -> Record {
      var copy = message
      (copy.time, copy.delayed, copy.archived, copy.archiveID) = (message.time - 123, true, true, id)
      return .message(copy)
    }
    var mine = Self.sent("mine", "s9")
    (mine.peer, mine.author, mine.key) = (Self.own + "/one", .otherDevice, nil)
    let (_, outcome) = try moved(
      [Self.bound("one"), .message(Self.sent("mine", "s9"))] + Self.samples.map { .message($0) },
      to: [archived(mine, "a9")] + zip(Self.samples, ["a1", "a2", "a3", "a4"]).map(archived))
    #expect(outcome.output == "0 messages imported, 5 were here already, 0 lines were wrong\n")
  }

  @Test("two of one second, sender and text stay two where ids say so, and ids that are counted anew hide nothing")
  func two() throws {
    let samples = [
      Self.received("ok") { ($0.delayed, $0.archiveID, $0.stanzaID) = (true, "a1", "1") },
      Self.received("ok") { ($0.delayed, $0.archiveID, $0.stanzaID) = (true, "a2", "1") },
      Self.received("ok") { ($0.time, $0.stanzaID) = (Sample.time + 60_000, "2") },
      Self.received("ok") { ($0.time, $0.stanzaID) = (Sample.time + 120_000, "2") },
      Self.received("no") { ($0.time, $0.stanzaID, $0.delayed) = (Sample.time + 120_000, "2", true) },
    ]
    let (target, outcome) = try moved(samples.map { .message($0) })
    #expect(outcome.output == "5 messages imported, 0 were here already, 0 lines were wrong\n")
    let again = target.run("import", "--jsonl", target.path + "/lines")
    #expect(again.output == "0 messages imported, 5 were here already, 0 lines were wrong\n")
  }

  @Test("what was cancelled stays so, and the state that a cut left out comes with the next import")
  func states() throws {
    var (cancelled, displayed) = (Self.sent("no", "s1"), Self.sent("yes", "s2"))
    (cancelled.time, displayed.time) = (Sample.time + 1000, Sample.time + 2000)
    func state(_ message: MessageRecord, _ id: UInt64, _ state: DeliveryState) -> Record {
      .delivery(DeliveryRecord(account: 1, jid: message.jid, time: message.time, id: id, state: state))
    }
    // The second one is in the target without its state, as behind a cut.
    var torn = displayed
    (torn.peer, torn.author) = (Self.own, .otherDevice)
    let (target, outcome) = try moved(
      [
        .message(cancelled), .message(displayed), state(cancelled, 2, .cancelled), state(displayed, 3, .displayed),
      ], to: [.message(torn)])
    #expect(outcome.output == "1 messages imported, 1 were here already, 0 lines were wrong\n")
    let objects = try target.run("export").lines.map { try JSONParser.parse(Array($0.utf8)) }
    #expect(objects.map { $0["text"]?.string } == ["yes", "no"])
    #expect(objects.map { $0["state"]?.string } == ["displayed", "cancelled"])
    let count = target.run("dump").lines.count
    #expect(target.run("import", "--jsonl", target.path + "/lines").status == 0)
    #expect(target.run("dump").lines.count == count)
  }

  @Test("what was queued when it was exported, and is in the archive, was sent")
  func left() throws {
    var archived = Self.sent("hello", "s1")
    (archived.peer, archived.author, archived.key) = (Self.own + "/one", .otherDevice, nil)
    (archived.time, archived.delayed, archived.archived) = (Sample.time + 60_000, true, true)
    let (target, outcome) = try moved(
      [Self.bound("one"), .message(Self.sent("hello", "s1"))], to: [.message(archived)])
    #expect(outcome.output == "0 messages imported, 1 were here already, 0 lines were wrong\n")
    #expect(target.run("export").output.contains(#""state":"sent""#))
  }

  @Test("what was forgotten comes back by an import, whether or not it was scrubbed", arguments: [false, true])
  func forgotten(isScrubbed: Bool) throws {
    let folder = try ToolFolder()
    try folder.write([Sample.account] + Self.samples.map { .message($0) })
    let before = folder.run("export").output
    try TestFiles.write(folder.path + "/lines", Array(before.utf8))
    try folder.write([.forgetting(.init(account: 1, jid: "bob@example.org"))])
    if isScrubbed { #expect(folder.run("scrub").status == 0) }
    #expect(folder.run("export").output.isEmpty)
    let outcome = folder.run("import", "--jsonl", folder.path + "/lines")
    #expect(outcome.output == "4 messages imported, 0 were here already, 0 lines were wrong\n")
    #expect(try folder.messages() == Self.imported)
  }
}

extension ToolFolder {
  /// All messages that are not hidden, as the log has them.
  fileprivate func messages() throws -> [MessageRecord] {
    let shown = try Set(run("export").lines.map { try JSONParser.parse(Array($0.utf8))["id"]?.integer ?? 0 })
    var messages: [MessageRecord] = []
    try read { sequence, record in
      if case .message(let message) = record, shown.contains(Int64(sequence)) { messages.append(message) }
    }
    return messages
  }
}
