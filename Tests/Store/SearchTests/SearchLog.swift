import Clocks
import Timelines
import State
import MessageLog
import Records
import TestSupport
import Testing

@testable import Search

/// A log of messages, and what a search of it must come to.
struct SearchLog {
  let storage = MemoryStorage()
  let state = State(gap: .hours(24))
  private(set) var messages: [(key: Entry.Key, message: MessageRecord)] = []
  private(set) var scope: SearchScope

  /// - Parameter segmentSize: small, for many segments.
  init(_ records: [MessageRecord], segmentSize: UInt64 = LogFormat.segmentSize, batch: Int = 7) throws {
    let (storage, state) = (storage, state)
    let uuid = try #require(LogUUID(random: Array(repeating: 7, count: 16)))
    var recovery = try Recovery(of: storage, log: uuid, mode: .readWrite)
    let log = try recovery.run { _ in }
    var writer = log.makeWriter(uuid: uuid, segmentSize: segmentSize)
    let accounts = (1...2).map { Record.account(.init(number: $0, name: "a\($0)", jid: "me\($0)@example.org")) }
    let all = accounts + records.map { Record.message($0) }
    for (index, record) in all.enumerated() {
      writer.append(kind: record.kind) { record.encode(into: &$0) }
      guard index % batch == 0 || index == all.count - 1 else { continue }
      while let next = writer.takeBatch() {
        try next.perform(on: storage)
        next.forEachRecord { state.apply($0) }
        writer.completed(next)
      }
    }
    for (index, message) in records.enumerated() {
      let key = Entry.Key(
        time: Timestamp(milliseconds: message.time), id: UInt64(index + 3), archiveOrder: message.archiveOrder)
      messages.append((key, message))
    }
    scope = SearchScope(index: writer.index, timeRanges: state.timeRanges.list)
  }

  /// What the queue finds in the log as it was written, or as a later start has it.
  func search(_ query: SearchQuery, in other: SearchScope? = nil) -> SearchOutcome? {
    var queue = SearchQueue(storage: storage)
    queue.add(SearchID(1), query, in: other ?? scope, for: 0)
    while !queue.isEmpty { if let found = queue.step() { return found.outcome } }
    return nil
  }

  /// What there is to be found, newest first.
  func expected(_ query: SearchQuery) -> [UInt64] {
    messages.filter { key, message in
      query.jid(of: message.account) != nil && (query.conversation.map { $0 == message.jid } ?? true)
        && (query.sender.map { $0 == (message.author.isMe ? query.jid(of: message.account) : bare(message.peer)) }
          ?? true)
        && (query.since.map { key.time >= $0 } ?? true) && (query.until.map { key.time < $0 } ?? true)
        && (query.before.map { key < $0 } ?? true) && SearchOracle.finds(query.text, in: message.text)
    }
    .sorted { $1.key < $0.key }.map(\.key.id)
  }

  private func bare(_ jid: String) -> String { String(jid.prefix { $0 != "/" }) }
}
