import Clocks
import State
import JSON
import MessageLog
import ConfabConfiguration
import TestSupport
import Testing

@testable import ConfabAccounts
@testable import ConfabEngine

/// Entries of conversations on pages: memory is bounded, and front ends notice nothing.
@Suite("the index on the disk")
struct IndexTests {
  private static let heldLimit = 300
  private static let senders = 4

  /// A daemon that has heard many messages, a part of them late, and stopped in order.
  private func told(_ storage: MemoryStorage) throws -> Harness {
    let harness = try Harness(on: storage, heldLimit: Self.heldLimit)
    for burst in 0..<40 {
      harness.pass(.minutes(burst % 7 == 0 ? 2000 : 1))
      harness.receive((0..<50).map { message(burst * 50 + $0, harness) }.joined())
      harness.pass(.milliseconds(50))
      #expect(harness.held <= Self.heldLimit + 50)
    }
    return harness
  }

  /// Some were delayed, as the user's own server says.
  private func message(_ number: Int, _ harness: Harness) -> String {
    let late = harness.now.wall.advanced(by: .minutes(Int64(-number * 7 % 500))).rfc3339
    let delay = "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='\(late)'/>"
    let sender = number % 3 == 0 ? 0 : number % Self.senders
    return "<message from='c\(sender)@example.org/x' id='m\(number)'><body>n\(number)</body>"
      + "\(number % 10 == 0 ? delay : "")</message>"
  }

  /// What a front end asks that wants to see everything.
  private func answers(_ harness: Harness) -> [String] {
    let client = harness.connect(99)
    var questions = ["conversations", "unread"]
    for sender in 0..<Self.senders {
      let jid = "c\(sender)@example.org"
      questions += stride(from: 0, to: 1000, by: 90).map { "history row=\($0) limit=90 \(jid)" }
      questions += ["1m", "1h", "24h", "30d"].map { "sections gap=\($0) limit=1000 \(jid)" }
      questions += ["history limit=20 gap=2h \(jid)", "sections \(jid)", "unread in=\(jid)"]
    }
    questions += stride(from: 10, to: 2000, by: 170).map { "history around=\($0) limit=6 c0@example.org" }
    return questions.map { question in
      harness.send(client, question + "\n")
      harness.pass(.milliseconds(50))
      // A start may have added records: what is shown is as of another number.
      return harness.takeText(client).split(separator: ",").filter { !$0.hasPrefix("\"seq\":") }.joined(separator: ",")
    }
  }

  @Test("with every derived file deleted, or none, the answers are the same byte for byte")
  func deletedFiles() throws {
    let storage = MemoryStorage()
    let harness = try told(storage)
    #expect(harness.pageBatches > 3)
    let before = answers(harness)
    #expect(before.contains { $0.contains("\"n1999\"") } && before.allSatisfy { $0.contains("\"ok\":") })
    harness.handle(.stop(.interrupt))
    harness.pass(.seconds(11))
    for names in [[], ["index"], ["checkpoint"], ["checkpoint", "index"]] {
      var content = storage.snapshot
      for name in names { #expect(content.files.removeValue(forKey: name) != nil) }
      let again = try Harness(on: MemoryStorage(content), heldLimit: Self.heldLimit)
      #expect((again.opened.checkpoint != nil) == names.isEmpty)
      #expect(answers(again) == before, "without \(names)")
    }
  }

  @Test("where the whole log has to be read, front ends are served meanwhile, and every answer is whole")
  func replayed() throws {
    let storage = MemoryStorage()
    let before = answers(try told(storage))
    var content = storage.snapshot
    for name in ["index", "checkpoint"] { content.files[name] = nil }
    let harness = try Harness(on: MemoryStorage(content), heldLimit: Self.heldLimit, applyLimit: 100)
    let client = harness.connect()
    harness.send(client, "ping\nstatus\n")
    #expect(harness.takeText(client) == "{\"ok\":true}\n{\"ok\":true,\"reading_log\":0}\n")
    #expect(harness.serviceStatus == ["reading the log: 0 % done"] && harness.connects == 0)
    harness.send(client, "history limit=1 c0@example.org\n")
    harness.reload { $0.daemon.snapInterval = .hours(24) }
    #expect(harness.takeText(client).isEmpty)
    harness.pass(.milliseconds(50))
    #expect(harness.takeText(client).hasPrefix("{\"message\":"))
    #expect(harness.connects == 1 && harness.serviceStatus.last?.hasPrefix("home is online") == true)
    #expect(answers(harness) == before)
    #expect(harness.checkpoints.last?.sequence ?? 0 > 2000)
  }

  @Test("a daemon that stops while it reads its log leaves no checkpoint that says more than it knows")
  func stoppedWhileReplaying() throws {
    let storage = MemoryStorage()
    let before = answers(try told(storage))
    var content = storage.snapshot
    for name in ["index", "checkpoint"] { content.files[name] = nil }
    let harness = try Harness(on: MemoryStorage(content), heldLimit: Self.heldLimit, applyLimit: 100)
    harness.handle(.stop(.terminate))
    harness.pass(.seconds(11))
    #expect(harness.exitStatus == 0 && harness.checkpoints.isEmpty)
    #expect(answers(try Harness(on: harness.storage, heldLimit: Self.heldLimit)) == before)
  }

  @Test("a disk without room leaves entries in memory, is tried again later, and fails nothing")
  func noSpace() throws {
    let storage = MemoryStorage()
    let harness = try Harness(on: storage, heldLimit: Self.heldLimit)
    storage.failNext("write index", StorageError(.noSpace, "full"))
    for number in 0..<12 {
      harness.receive((0..<50).map { message(number * 50 + $0, harness) }.joined())
      harness.pass(.milliseconds(50))
    }
    #expect(harness.pageBatches == 1 && harness.held > 500)
    #expect(harness.told.count { $0.contains("writing the index failed") } == 1)
    harness.pass(.seconds(6))
    harness.receive(message(999, harness))
    harness.pass(.milliseconds(50))
    #expect(harness.pageBatches > 1 && harness.held <= Self.heldLimit)
  }

  @Test("one batch of pages is under way at a time, and records go on meanwhile")
  func oneAtATime() throws {
    let harness = try Harness(heldLimit: Self.heldLimit)
    harness.holdsPages = true
    for number in 0..<12 {
      harness.receive((0..<50).map { message(number * 50 + $0, harness) }.joined())
      harness.pass(.milliseconds(50))
    }
    #expect(harness.pageBatches == 1 && harness.held > 500)
    harness.holdsPages = false
    harness.storePages()
    #expect(harness.pageBatches > 1 && harness.held <= Self.heldLimit)
  }
}

extension Harness {
  /// How many entries are in memory that could leave it.
  fileprivate var held: Int { engine.state.pages?.memory.entries ?? 0 }
}
