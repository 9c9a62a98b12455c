import Clocks
import Timelines
import Records
import State
import TestSupport
import Testing

/// The read position follows the order in which messages stand, whatever their numbers: an archive that is fetched
/// backwards gives older messages of one second higher ones.
@Suite("Read positions in the order of the messages")
struct ReadOrderTests {
  private static let jid = "bob@example.org"

  private struct World {
    let state = State(gap: .hours(1))
    var number: UInt64 = 0
    var random: SplitMix

    init(seed: UInt64) {
      random = SplitMix(seed: seed)
      apply(.account(.init(number: 1, name: "home", jid: "alice@example.org")))
    }

    mutating func apply(_ record: Record) {
      number += 1
      state.apply(record, sequence: number, location: number << 8)
    }

    var conversation: Conversation? { state.accounts[1]?.conversations[ReadOrderTests.jid] }

    mutating func message() -> MessageRecord {
      var message = MessageRecord(
        account: 1, jid: ReadOrderTests.jid, peer: ReadOrderTests.jid + "/x",
        time: Int64.random(in: 1...4, using: &random) * 1_000, text: "x")
      message.author = Bool.random(using: &random) ? .otherDevice : .contact
      message.archived = Int.random(in: 0..<3, using: &random) > 0
      message.depth = UInt32.random(in: 0..<4, using: &random)
      return message
    }

    mutating func move() {
      guard let timeline = conversation?.timeline, timeline.count > 0 else { return }
      let entry = timeline[Int.random(in: 0..<timeline.count, using: &random)]
      var read = ReadRecord(account: 1, jid: ReadOrderTests.jid, time: entry.time.milliseconds, id: entry.id)
      if Int.random(in: 0..<4, using: &random) == 0 { read.movedBackAt = 9_000 }
      apply(.read(read))
    }
  }

  /// The messages of others behind that of the read position, by their rows alone.
  private func unread(_ conversation: Conversation) -> Int {
    let timeline = conversation.timeline
    let rows = 0..<timeline.count
    let read = rows.first { timeline[$0].id == conversation.read?.id } ?? -1
    return rows.count { $0 > read && !timeline[$0].flags.contains(.mine) }
  }

  @Test("What is unread are the messages of others behind the read one", arguments: 1...20 as ClosedRange<UInt64>)
  func counted(seed: UInt64) throws {
    var world = World(seed: seed)
    for _ in 0..<300 {
      if Int.random(in: 0..<4, using: &world.random) > 0 {
        world.apply(.message(world.message()))
      } else {
        world.move()
      }
      guard let conversation = world.conversation else { continue }
      #expect(conversation.unread == unread(conversation), "after record \(world.number)")
    }
    let restored = try State.restored(
      from: world.state.checkpointBody, sequence: world.number, gap: .hours(1))
    let conversation = restored.accounts[1]?.conversations[Self.jid]
    #expect(conversation?.read == world.conversation?.read)
    #expect(conversation?.movedBack == world.conversation?.movedBack)
  }
}
