import Clocks
import Records
import Testing

@testable import ConfabAccounts

/// One machine, asked by reference: an expectation cannot change a value.
private final class Held {
  var machine: RoomMachine
  init(_ machine: RoomMachine) { self.machine = machine }
  var state: RoomMachine.State { machine.state }
  var word: String { machine.word }
  var deadline: Instant? { machine.deadline }
  func handle(_ event: RoomMachine.Event, at now: Instant) -> [RoomMachine.Order] { machine.handle(event, at: now) }
}

@Suite("Whether I am in a room")
struct RoomMachineTests {
  private typealias Machine = RoomMachine
  private static let start = Instant(milliseconds: 1_000_000)
  private static let refusal = RoomRecord.Refusal("forbidden", text: "banned")
  private static let gone = RoomRecord.Refusal("gone", text: "the room is not there any more")

  private static func at(_ seconds: Int64) -> Instant { start.advanced(by: .seconds(seconds)) }

  /// One that a user wanted, after these events, each a second after the other.
  private static func machine(_ events: [Machine.Event], isDescribed: Bool = true) -> Held {
    var machine = Machine(RoomRecord(account: 1, jid: "r@x"))
    machine.isDescribed = isDescribed
    for (second, event) in ([.streamBegan, .wanted] + events).enumerated() {
      _ = machine.handle(event, at: at(Int64(second)))
    }
    return Held(machine)
  }

  /// The states by the events that lead to each.
  private static let ways: [(name: String, events: [Machine.Event])] = [
    ("joining", []), ("entering", [.shown(isNew: false)]), ("joined", [.shown(isNew: false), .historyEnded]),
    ("refused", [.rejected(refusal, isPassing: false)]), ("left", [.unwanted]),
    ("waiting", [.rejected(refusal, isPassing: true)]),
    ("unheard", [.shown(isNew: false), .historyEnded, .pinged(.silent), .pinged(.silent)]),
  ]

  private static func machine(_ name: String) throws -> Held {
    machine(try #require(ways.first { $0.name == name }).events)
  }

  @Test("a room that another device may be making is waited for, and given up when it does not appear")
  func announced() {
    let held = Self.machine([.unwanted], isDescribed: false)
    held.machine.isAnnounced = true
    _ = held.handle(.wanted, at: Self.at(10))
    for _ in 0..<3 {
      _ = held.handle(.notFound(Self.gone), at: Self.at(11))
      #expect(held.word == "waiting")
      #expect(held.handle(.tick, at: held.deadline ?? Self.start) == [.ask, .report])
    }
    _ = held.handle(.notFound(Self.gone), at: Self.at(40))
    #expect(held.word == "refused")
  }

  /// From which state, by which event, to which word, with which orders.
  private static let table: [(String, Machine.Event, String, [Machine.Order])] = [
    ("left", .wanted, "joining", [.join, .report]),
    ("left", .shown(isNew: false), "left", [.leave]),
    ("left", .streamBegan, "left", []),
    ("left", .heard, "left", []),
    ("joining", .shown(isNew: false), "joining", [.report]),
    ("joining", .shown(isNew: true), "refused", [.leave, .report]),
    ("joining", .rejected(refusal, isPassing: false), "refused", [.report]),
    ("joining", .rejected(refusal, isPassing: true), "waiting", [.report]),
    ("joining", .historyEnded, "joining", []),
    ("joining", .unwanted, "left", [.leave, .report]),
    ("joining", .wanted, "joining", []),
    ("joining", .streamLost, "waiting", [.report]),
    ("entering", .historyEnded, "joined", [.report]),
    ("entering", .streamLost, "waiting", [.report]),
    ("entering", .removed(refusal, isPassing: false), "refused", [.report]),
    ("joined", .removed(refusal, isPassing: false), "refused", [.report]),
    ("joined", .removed(refusal, isPassing: true), "waiting", [.report]),
    ("joined", .rejected(refusal, isPassing: false), "joined", []),
    ("joined", .streamLost, "joined", []),
    ("joined", .streamResumed, "joined", [.ping]),
    ("joined", .streamBegan, "joining", [.join, .report]),
    ("joined", .denied, "joining", [.join, .report]),
    ("joined", .pinged(.inside), "joined", []),
    ("joined", .pinged(.outside), "joining", [.join, .report]),
    ("joined", .pinged(.gone(gone)), "refused", [.report]),
    ("joined", .pinged(.silent), "joined", [.ping]),
    ("unheard", .pinged(.silent), "waiting", [.report]),
    ("unheard", .pinged(.inside), "joined", [.report]),
    ("unheard", .pinged(.outside), "joining", [.join, .report]),
    ("unheard", .heard, "joined", [.report]),
    ("unheard", .removed(refusal, isPassing: false), "refused", [.report]),
    ("unheard", .wanted, "joining", [.join, .report]),
    ("unheard", .unwanted, "left", [.leave, .report]),
    ("unheard", .streamLost, "waiting", [.report]),
    ("unheard", .tick, "waiting", [.ping]),
    ("joined", .questioned(ifQuietFor: .minutes(5)), "joined", []),
    ("joined", .questioned(ifQuietFor: .seconds(10)), "joined", [.ping]),
    ("waiting", .questioned(ifQuietFor: .zero), "waiting", []),
    ("joined", .unwanted, "left", [.leave, .report]),
    ("joined", .shown(isNew: false), "joined", []),
    ("refused", .streamBegan, "refused", []),
    ("refused", .wanted, "joining", [.join, .report]),
    ("refused", .shown(isNew: false), "refused", [.leave]),
    ("waiting", .streamBegan, "joining", [.join, .report]),
    ("waiting", .heard, "waiting", []),
    ("waiting", .unwanted, "left", [.report]),
  ]

  @Test("goes by a table", arguments: table.indices)
  func transitions(row: Int) throws {
    let (from, event, to, orders) = Self.table[row]
    let machine = try Self.machine(from)
    #expect(machine.handle(event, at: Self.at(100)) == orders, "\(from), \(event)")
    #expect(machine.word == to, "\(from), \(event)")
  }

  @Test("a room is asked what it is before a join could make it, and is joined when it is there")
  func asking() {
    var machine = Self.machine([], isDescribed: false)
    #expect(machine.state == .asking)
    #expect(machine.handle(.found, at: Self.at(5)) == [.join, .report])
    machine = Self.machine([], isDescribed: false)
    #expect(machine.handle(.notFound(Self.gone), at: Self.at(5)) == [.report])
    #expect(machine.state == .refused(Self.gone))
  }

  @Test("a room that may be made is made, and opened")
  func making() {
    let machine = Held(RoomMachine(RoomRecord(account: 1, jid: "r@x")))
    machine.machine.mayBeMade = true
    _ = machine.handle(.streamBegan, at: Self.at(0))
    #expect(machine.handle(.wanted, at: Self.at(1)) == [.ask, .report])
    #expect(machine.handle(.notFound(Self.gone), at: Self.at(1)) == [.join, .report])
    #expect(machine.handle(.shown(isNew: true), at: Self.at(2)) == [.open, .report])
    // Once: a room that somebody destroys later is not made again.
    _ = machine.handle(.historyEnded, at: Self.at(3))
    _ = machine.handle(.streamBegan, at: Self.at(4))
    #expect(machine.state == .asking)
  }

  @Test("a room that was joined by an earlier process of the same stream enters me twice")
  func twice() {
    let machine = Held(RoomMachine(RoomRecord(account: 1, jid: "r@x")))
    machine.machine.isDescribed = true
    for event in [.wanted, .streamResumed, .shown(isNew: false), .historyEnded] as [RoomMachine.Event] {
      _ = machine.handle(event, at: Self.at(1))
    }
    #expect(machine.state == .joined)
    _ = machine.handle(.shown(isNew: false), at: Self.at(2))
    #expect(machine.state == .entering)
    _ = machine.handle(.historyEnded, at: Self.at(3))
    _ = machine.handle(.shown(isNew: false), at: Self.at(4))
    #expect(machine.state == .joined)
  }

  @Test("the end of an earlier process's presence, which waited on the stream, is not the end of the join that follows")
  func removedBeforeJoin() {
    let machine = Held(RoomMachine(RoomRecord(account: 1, jid: "r@x")))
    machine.machine.isDescribed = true
    for event in [.wanted, .streamResumed] as [RoomMachine.Event] { _ = machine.handle(event, at: Self.at(1)) }
    let end = RoomRecord.Refusal("disconnected")
    #expect(machine.handle(.removed(end, isPassing: true), at: Self.at(2)) == [])
    #expect(machine.handle(.shown(isNew: false), at: Self.at(2)) == [.report])
    #expect(machine.state == .entering)
    _ = machine.handle(.removed(end, isPassing: true), at: Self.at(3))
    #expect(machine.word == "waiting")
  }

  @Test("the end of a presence that was given up is not the end of the next one")
  func leftAndJoined() {
    let machine = Self.machine([.shown(isNew: false), .historyEnded, .unwanted, .wanted])
    let end = RoomRecord.Refusal("disconnected")
    #expect(machine.handle(.removed(end, isPassing: true), at: Self.at(9)) == [])
    #expect(machine.state == .joining)
    #expect(machine.handle(.removed(end, isPassing: true), at: Self.at(9)) == [.report])
  }

  @Test("nothing of a refused room is tried again, also after a restart")
  func refused() {
    var record = RoomRecord(account: 1, jid: "r@x")
    (record.isWanted, record.refusal) = (true, Self.refusal)
    let machine = Held(RoomMachine(record))
    #expect(machine.word == "refused")
    #expect(machine.handle(.streamBegan, at: Self.at(0)) == [])
    #expect(machine.deadline == nil)
  }

  @Test("tries come after pauses that grow to ten minutes, and begin anew with a stream")
  func pauses() {
    let machine = Self.machine([])
    var (now, pauses): (Instant, [Int64]) = (Self.at(10), [])
    for _ in 0..<12 {
      _ = machine.handle(.rejected(Self.refusal, isPassing: true), at: now)
      let due = machine.deadline ?? now
      pauses.append((due - now).milliseconds / 1_000)
      now = due
      #expect(machine.handle(.tick, at: now).contains(.join))
    }
    #expect(pauses == [2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600])
  }

  @Test("after a quarter of an hour without a word the room is asked, once, and not again while it answers")
  func silence() {
    let machine = Self.machine([.shown(isNew: false), .historyEnded])
    let silent = Self.at(3).advanced(by: RoomMachine.silence)
    #expect(machine.handle(.tick, at: Self.at(60)) == [])
    #expect(machine.handle(.tick, at: silent) == [.ping])
    #expect(machine.machine.isDoubted && machine.machine.isJoined)
    #expect(machine.handle(.heard, at: silent) == [])
    #expect(!machine.machine.isDoubted)
    // A word is as good as an answer.
    #expect(machine.handle(.tick, at: silent.advanced(by: .minutes(14))) == [])
  }

  @Test("a room that answers to no ping is asked after pauses that grow to a quarter of an hour, and never joined anew")
  func unheard() {
    let machine = Self.machine([.shown(isNew: false), .historyEnded])
    var (now, pauses, orders): (Instant, [Int64], [RoomMachine.Order]) = (Self.at(10), [], [])
    orders += machine.handle(.pinged(.silent), at: now)
    for _ in 0..<7 {
      orders += machine.handle(.pinged(.silent), at: now)
      let due = machine.deadline ?? now
      pauses.append((due - now).milliseconds / 60_000)
      now = due
      orders += machine.handle(.tick, at: now)
    }
    #expect(pauses == [1, 2, 4, 8, 15, 15, 15])
    #expect(!orders.contains(.join))
    #expect(machine.handle(.pinged(.inside), at: now) == [.report])
    #expect(machine.word == "joined")
  }

  @Test("a room that never shows me, or never says what was before, keeps nothing waiting for ever")
  func overdue() {
    var machine = Self.machine([])
    #expect(machine.handle(.tick, at: Self.at(100)) == [.report])
    #expect(machine.word == "waiting")
    machine = Self.machine([.shown(isNew: false)])
    _ = machine.handle(.tick, at: Self.at(100))
    #expect(machine.state == .joined)
  }
}
