import Bytes
import Clocks
import Timelines
import State
import MessageLog
import Records
import TestSupport
import Testing

@testable import Search

@Suite("A search of the log")
struct SearchTests {
  private static let both = [SearchQuery.Account(1, "me1@example.org"), SearchQuery.Account(2, "me2@example.org")]

  private static func message(_ text: String, time: Int64, from peer: String = "bob@example.org/x") -> MessageRecord {
    var message = MessageRecord(
      account: 1, jid: String(peer.prefix { $0 != "/" }), peer: peer, time: time)
    message.text = text
    return message
  }

  /// Messages of several conversations, scripts, senders and times, as a log has them that was filled in all ways.
  private static func history(_ seed: UInt64, count: Int) -> ([MessageRecord], TextGenerator) {
    var generator = TextGenerator(seed: seed)
    let messages = (0..<count).map { index in
      let peer = ["bob@example.org/x", "carol@example.org", "bob@example.orga/x"][generator.next(below: 3)]
      var message = message(generator.text(limit: 25), time: Int64(1_000 * index), from: peer)
      message.account = generator.next(below: 4) == 0 ? 2 : 1
      message.author = generator.next(below: 3) == 0 ? .thisDevice : .person
      if generator.next(below: 3) == 0 { message.time = Int64(generator.next(below: count) / 8 * 8_000) }
      if generator.next(below: 5) == 0 { (message.archived, message.depth) = (true, UInt32(generator.next(below: 3))) }
      if generator.next(below: 6) == 0 { message.jid = "room@example.org" }
      message.stanzaID = "stanza-\(index)"
      return message
    }
    return (messages, generator)
  }

  @Test("finds what the oracle finds, with every filter, in its order and page by page", arguments: 1...12)
  func oracle(_ seed: UInt64) throws {
    var (messages, generator) = Self.history(seed, count: 300)
    let log = try SearchLog(messages, segmentSize: 8_000)
    for round in 0..<60 {
      let text = generator.part(of: messages[generator.next(below: messages.count)].text, limit: 3)
      var query = SearchQuery(
        text: generator.disguised(text), accounts: round % 3 == 0 ? [Self.both[0]] : Self.both,
        limit: 1 + generator.next(below: 40))
      if round % 4 == 1 { query.conversation = ["bob@example.org", "room@example.org"][round % 2] }
      if round % 5 == 1 { query.sender = ["bob@example.org", "me1@example.org"][round % 2] }
      if round % 6 == 1 { query.since = Timestamp(milliseconds: Int64(generator.next(below: 300_000))) }
      if round % 6 == 2 { query.until = Timestamp(milliseconds: Int64(generator.next(below: 300_000))) }
      let all = log.expected(query)
      var pages: [UInt64] = []
      var outcome = try #require(log.search(query))
      pages += outcome.hits.map(\.key.id)
      while outcome.hasMore {
        #expect(outcome.hits.count == query.limit)
        query.before = outcome.hits.last?.key
        outcome = try #require(log.search(query))
        #expect(!outcome.hits.isEmpty, "more was promised")
        pages += outcome.hits.map(\.key.id)
      }
      #expect(pages == all, "\(query)")
    }
  }

  @Test("a limit of 0 says whether there is anything")
  func nothingWanted() throws {
    let log = try SearchLog([Self.message("hello", time: 1)])
    #expect(log.search(SearchQuery(text: "ell", accounts: Self.both, limit: 0)) == SearchOutcome(hasMore: true))
    #expect(log.search(SearchQuery(text: "elx", accounts: Self.both, limit: 0)) == SearchOutcome())
  }

  @Test("the newest come from what was read first, wherever in the log they are")
  func stretchesRead() throws {
    // Six MiB, filled backwards.
    let filler = String(repeating: "x", count: 1_000)
    let messages = (0..<6_000).map { Self.message("word \(filler)", time: Int64(100_000_000 - $0)) }
    let log = try SearchLog(messages, batch: 500)
    #expect(log.scope.timeRanges.count >= 6)
    var queue = SearchQueue(storage: log.storage)
    queue.add(SearchID(1), SearchQuery(text: "WORD", accounts: Self.both, limit: 50), in: log.scope, for: 0)
    var found: SearchOutcome?
    while found == nil { found = queue.step()?.outcome }
    #expect(found?.hits.map(\.key.id) == (3..<53).map { UInt64($0) })
    #expect(queue.steps == 2, "one to find them, one to see that there is none better")
  }

  @Test("searches have a range each in turn, and one that is cancelled reads nothing more")
  func turns() throws {
    let filler = String(repeating: "x", count: 1_000)
    let log = try SearchLog((0..<4_000).map { Self.message(filler, time: Int64($0)) }, batch: 500)
    let timeRanges = log.scope.timeRanges.count
    let query = SearchQuery(text: "nothing", accounts: Self.both, limit: 1)
    var queue = SearchQueue(storage: log.storage)
    for number in 1...3 { queue.add(SearchID(UInt64(number)), query, in: log.scope, for: 0) }
    _ = queue.step()
    queue.cancel(SearchID(2))
    var ended: [UInt64] = []
    while !queue.isEmpty { if let found = queue.step() { ended.append(found.id.number) } }
    #expect(ended == [1, 3])
    #expect(queue.steps == 2 * timeRanges, "the one that was cancelled had no turn")
  }

  @Test("users take turns, however many searches one of them has")
  func turnsOfUsers() throws {
    let filler = String(repeating: "x", count: 1_000)
    let log = try SearchLog((0..<4_000).map { Self.message(filler, time: Int64($0)) }, batch: 500)
    let query = SearchQuery(text: "nothing", accounts: Self.both, limit: 1)
    var queue = SearchQueue(storage: log.storage)
    for number in 1...8 { queue.add(SearchID(UInt64(number)), query, in: log.scope, for: 33) }
    queue.add(SearchID(100), query, in: log.scope, for: 1000)
    var ended: UInt64?
    while ended == nil { ended = queue.step()?.id.number }
    #expect(ended == 100 && queue.steps <= 2 * log.scope.timeRanges.count)
  }

  @Test("what is damaged is passed over, and what is around it found")
  func damage() throws {
    let log = try SearchLog((0..<200).map { Self.message("word \($0)", time: Int64($0)) })
    let query = SearchQuery(text: "word", accounts: Self.both, limit: 1_000)
    #expect(log.search(query)?.hits.count == 200)
    let segment = try #require(log.scope.index.segments.first)
    for offset in [700, 2_000, 2_007, 5_000] {
      log.storage.change { $0.segments[segment.id]?[offset] ^= 0xFF }
    }
    let hits = try #require(log.search(query)).hits
    #expect((190..<200).contains(hits.count))
    #expect(Set(hits.map(\.key.id)).count == hits.count, "none is found twice")
  }

  @Test("a disk that fails is told")
  func failure() throws {
    let log = try SearchLog([Self.message("word", time: 1)])
    log.storage.change { $0.readFailure = StorageError(.failed, "made to fail") }
    #expect(log.search(SearchQuery(text: "word", accounts: Self.both, limit: 5))?.failure != nil)
  }

  /// A log of three segments and more, each with some hundred messages that hold `word`.
  private static func several() throws -> (log: SearchLog, query: SearchQuery, all: [UInt64]) {
    let messages = (0..<400).map { message("word \($0) " + String(repeating: "x", count: 60), time: Int64($0)) }
    let log = try SearchLog(messages, segmentSize: 10_000)
    let query = SearchQuery(text: "word", accounts: both, limit: 500)
    let all = log.expected(query)
    try #require(log.storage.snapshot.segments.count > 2 && log.search(query)?.hits.map(\.key.id) == all)
    return (log, query, all)
  }

  /// All that is found, asked for page by page, each of which is full but for the last; and bytes that were passed over.
  private static func pages(_ log: SearchLog, _ query: SearchQuery) throws -> (ids: [UInt64], unreadable: Int) {
    var query = query
    query.limit = 7
    var (ids, unreadable): ([UInt64], Int) = ([], 0)
    while true {
      let page = try #require(log.search(query))
      try #require(page.failure == nil)
      ids += page.hits.map(\.key.id)
      unreadable = max(unreadable, page.unreadable)
      query.before = page.hits.last?.key
      guard page.hasMore else { return (ids, unreadable) }
      try #require(page.hits.count == query.limit)
    }
  }

  @Test("a segment that is gone is passed over and counted, before a restart and after it", arguments: [false, true])
  func goneSegment(isRestarted: Bool) throws {
    let (sound, query, all) = try Self.several()
    for segment in sound.scope.index.segments {
      let (log, _, _) = try Self.several()
      log.storage.change { $0.segments[segment.id] = nil }
      let numbers = segment.id.first..<(sound.scope.index.segments.first { $0.id > segment.id }?.id.first ?? .max)
      let left = all.filter { !numbers.contains($0) }
      try #require(left.count < all.count)
      var scope = log.scope
      if isRestarted { scope.index = try Recovery(of: log.storage, log: nil, mode: .readOnly).outline }
      let found = try #require(log.search(query, in: scope))
      #expect(found.failure == nil && found.hits.map(\.key.id) == left)
      // What messages are in, in sectors.
      #expect(found.unreadable % 4096 == 0 && abs(found.unreadable - Int(segment.end)) <= 4096)
      let rare = SearchQuery(text: "word 7 x", accounts: Self.both, limit: 5)
      #expect(log.search(rare, in: scope)?.hits.map(\.key.id) == left.filter { $0 == 10 })
      let pages = try Self.pages(log, query)
      #expect(pages.ids == left && pages.unreadable == found.unreadable)
    }
  }

  @Test("so is what a segment that was cut off has no more; what is before that is found", arguments: [false, true])
  func cutSegment(isRestarted: Bool) throws {
    let (log, query, all) = try Self.several()
    let segments = log.storage.snapshot.segments
    for segment in log.scope.index.segments {
      let bytes = try #require(segments[segment.id])
      for size in stride(from: 0, to: Int(segment.end) - 200, by: 531) {
        log.storage.change { $0.segments[segment.id] = Array(bytes.prefix(size)) }
        let whole = bytes.prefix(size).ranges(of: Array("word ".utf8)).count
        var scope = log.scope
        if isRestarted { scope.index = try Recovery(of: log.storage, log: nil, mode: .readOnly).outline }
        let found = try #require(log.search(query, in: scope))
        let numbers = segment.id.first..<(log.scope.index.segments.first { $0.id > segment.id }?.id.first ?? .max)
        let ids = found.hits.map(\.key.id)
        #expect(found.failure == nil && ids == all.filter(Set(ids).contains))
        #expect(all.filter { !numbers.contains($0) } == ids.filter { !numbers.contains($0) }, "of others nothing")
        // The one that it was cut in is not whole.
        #expect((whole - 1...whole).contains(ids.filter(numbers.contains).count), "\(size)")
        #expect(found.unreadable > 0 && abs(found.unreadable - (Int(segment.end) - size)) <= 2 * 4096, "\(size)")
      }
      log.storage.change { $0.segments[segment.id] = bytes }
    }
    #expect(log.search(query)?.unreadable == 0 && log.search(query)?.hits.map(\.key.id) == all)
  }

  @Test("what the disk cannot read is passed over and counted, and what is around it found")
  func unreadable() throws {
    let messages = (0..<400).map { Self.message("word \($0) " + String(repeating: "x", count: 60), time: Int64($0)) }
    let log = try SearchLog(messages, segmentSize: 20_000)
    let query = SearchQuery(text: "word", accounts: Self.both, limit: 500)
    let all = log.expected(query)
    #expect(log.search(query)?.hits.map(\.key.id) == all && log.search(query)?.unreadable == 0)
    for (segment, bytes) in log.storage.snapshot.segments {
      for sector in stride(from: 0, to: UInt64(bytes.count), by: 4096) {
        let unreadable = sector..<min(sector + 4096, UInt64(bytes.count))
        log.storage.change { $0.unreadable = [segment: unreadable] }
        let found = try #require(log.search(query))
        #expect(found.failure == nil && found.unreadable == 4096)
        let ids = found.hits.map(\.key.id)
        // A record of 90 bytes or so, one more on either side.
        #expect(all.count - ids.count <= unreadable.count / 80 + 2 && ids.count < all.count)
        #expect(ids == all.filter(Set(ids).contains) && found.hits.allSatisfy { $0.ranges == [0..<4] })
        let rare = log.search(SearchQuery(text: "word 7 x", accounts: Self.both, limit: 5))
        #expect(rare?.hits.map(\.key.id) == ids.filter { $0 == 10 })
      }
    }
  }

  @Test("a word that stands across two pieces in which a range is read", arguments: 0...3)
  func acrossPieces(_ shift: Int) throws {
    let piece = LogRangeReader.piece
    let before = try Self.held(padding: 100_000)
    let padding = 100_000 + 2 * piece - shift - before.offset % piece
    let (log, offset) = try Self.held(padding: padding)
    #expect((offset + shift) % piece == 0)
    let hits = log.search(SearchQuery(text: "zqj", accounts: Self.both, limit: 5))?.hits
    #expect(hits?.map(\.ranges) == [[padding..<padding + 3]])
  }

  /// A log with one rare word behind so many bytes in the second range that is read, and its offset in that.
  private static func held(padding: Int) throws -> (log: SearchLog, offset: Int) {
    let filler = String(repeating: "x", count: 1_000)
    var messages = (0..<1_500).map { message(filler, time: Int64($0)) }
    messages[50].text = String(repeating: "x", count: padding) + "zqj"
    let log = try SearchLog(messages, batch: 100)
    let (segment, logRange) = try (#require(log.scope.index.segments.first), #require(log.scope.timeRanges.first))
    let bytes = try #require(log.storage.snapshot.segments[segment.id])
    let place = try #require(FragmentSet([Array("zqj".utf8)])?.first(in: bytes, from: 0))
    return (log, place - Int(logRange.first))
  }

  @Test("a record that is larger than a range is read whole")
  func large() throws {
    let long = String(repeating: "y", count: 3 << 20) + "needle"
    let log = try SearchLog([
      Self.message("needle", time: 1), Self.message(long, time: 2), Self.message("needle", time: 3),
    ])
    let outcome = log.search(SearchQuery(text: "Needle", accounts: Self.both, limit: 5))
    #expect(outcome?.hits.map(\.key.id) == [5, 4, 3])
    #expect(outcome?.hits[1].ranges == [3 << 20..<(3 << 20) + 6])
  }
}
