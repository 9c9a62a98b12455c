import Clocks
import Timelines
import Records
import State
import TestSupport
import Testing

/// Messages are read in the order of their arrival, wherever they stand.
@Suite("Read positions in the order of arrival")
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
      message.author = Bool.random(using: &random) ? .otherDevice : .person
      message.archived = Int.random(in: 0..<3, using: &random) > 0
      message.depth = UInt32.random(in: 0..<4, using: &random)
      return message
    }

    mutating func move() {
      guard let timeline = conversation?.timeline, timeline.count > 0 else { return }
      let entry = timeline[Int.random(in: 0..<timeline.count, using: &random)]
      var read = ReadRecord(account: 1, jid: ReadOrderTests.jid, time: entry.time.milliseconds, id: entry.id)
      if Int.random(in: 0..<4, using: &random) == 0 {
        (read.movedBackAt, read.id) = (9_000, Bool.random(using: &random) ? entry.id - 1 : 0)
      }
      apply(.read(read))
    }
  }

  /// The messages of others that arrived behind the read position, and are no history.
  private func unread(_ conversation: Conversation) -> Int {
    let timeline = conversation.timeline
    return (0..<timeline.count).count {
      timeline[$0].id > conversation.read && timeline[$0].flags.isDisjoint(with: [.mine, .history])
    }
  }

  @Test(
    "What is unread are the messages of others that arrived behind the read one",
    arguments: 1...20 as ClosedRange<UInt64>)
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
