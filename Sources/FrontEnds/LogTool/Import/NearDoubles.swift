import Clocks
import Records
import State
import Timelines

/// Finds the messages of another client's history that the log has under another time or without its ids: of the same
/// author and text, within a minute, since clocks of clients and archives differ. Each message of the log is that of one
/// message of the history, the oldest first (docs/decisions/0203-copies-by-time.md). Messages of this import are no
/// candidates. In memory are the messages of some minutes.
struct NearDoubles {
  /// The greatest difference between the times of two copies.
  static let margin = Interval.minutes(1)
  /// The greatest size of the texts in memory, in bytes (approximate).
  private static let mostBytes = 16 << 20
  /// Bytes of a minute without messages, about.
  private static let minuteBytes = 150
  /// Bytes of one text that is taken, about.
  private static let takenBytes = 100
  /// The greatest number of candidates with other ids that are skipped.
  private static let mostOthers = 64

  /// A minute of a conversation.
  private struct Minute: Hashable {
    let account: UInt32
    let jid: String
    let number: Int64
  }

  /// The words of somebody; in a room one's own are found by the nick as well.
  private struct Words: Hashable {
    let author: String
    let text: String
    /// The moment of imported ones, in milliseconds since 1970; nil: of all within the minute.
    var time: Int64?
  }

  private struct Candidate {
    let message: MessageRecord
    let id: UInt64
  }

  /// Candidates in order, of which those before `first` are taken.
  private struct Queue {
    var all: [Candidate] = []
    var first = 0
  }

  /// One text of one message: a corrected message is that of a line for each text.
  private struct Taken: Hashable {
    let id: UInt64
    let text: String
  }

  private let log: WritableLog
  private let last: UInt64
  private var minutes: [Minute: [Words: Queue]] = [:]
  /// True for conversations that were there before this import, by account and JID.
  private var isOld: [UInt32: [String: Bool]] = [:]
  private var taken: Set<Taken> = []
  private var bytes = 0
  /// The size at which minutes are dropped next: a history may have a million messages of one minute.
  private var limit = mostBytes

  /// - Parameter last: the number of the log's last record before this import.
  init(_ log: WritableLog, last: UInt64) { (self.log, self.last) = (log, last) }

  /// The message of the log that this one is, which is no other one's from then on.
  mutating func find(_ message: MessageRecord) -> UInt64? {
    guard wasHere(message) else { return nil }
    let number = Self.number(message.time)
    let around = (number - 1...number + 1).map { Minute(account: message.account, jid: message.jid, number: $0) }
    dropMinutes(but: around)
    for minute in around where minutes[minute] == nil { load(minute) }
    for author in Self.authors(message, isSought: true) {
      let exact = Words(author: author, text: message.text, time: message.time)
      let near = Words(author: author, text: message.text)
      // An imported message of the same moment is the one that this history has brought. Others of this history may be
      // imported, too: they are the last to be taken for its neighbour.
      let found =
        take(exact, of: message, in: [around[1]]) { _ in true }
        ?? take(near, of: message, in: around) { !$0.message.isHistory }
        ?? take(near, of: message, in: around) { _ in true }
      if let found { return found }
    }
    return nil
  }

  /// True if a message may be in a conversation that was there before. Called before the first message is added to it.
  private mutating func wasHere(_ message: MessageRecord) -> Bool {
    if let known = isOld[message.account]?[message.jid] { return known }
    let isThere = log.state.existingConversation(message.account, message.jid) != nil
    isOld[message.account, default: [:]][message.jid] = isThere
    return isThere
  }

  /// Notes that ids proved a message of the log to be one of the history.
  mutating func noteFound(_ id: UInt64, _ message: MessageRecord) { taken.insert(Taken(id: id, text: message.text)) }

  private mutating func take(
    _ words: Words, of message: MessageRecord, in around: [Minute], where isWanted: (Candidate) -> Bool
  ) -> UInt64? {
    var passed = 0
    for minute in around {
      guard var queue = minutes[minute]?[words] else { continue }
      while queue.first < queue.all.count, isTaken(queue.all[queue.first]) { queue.first += 1 }
      minutes[minute]?[words]?.first = queue.first
      for candidate in queue.all[queue.first...] {
        guard passed < Self.mostOthers else { return nil }
        passed += 1
        guard isWanted(candidate), !isTaken(candidate), message.mayBe(candidate.message) else { continue }
        taken.insert(Taken(id: candidate.id, text: message.text))
        return candidate.id
      }
    }
    return nil
  }

  private func isTaken(_ candidate: Candidate) -> Bool {
    taken.contains(Taken(id: candidate.id, text: candidate.message.text))
  }

  private mutating func load(_ minute: Minute) {
    minutes[minute] = [:]
    bytes += Self.minuteBytes
    guard let timeline = log.state.existingConversation(minute.account, minute.jid)?.timeline else { return }
    let span = Self.margin.milliseconds
    var row = timeline.firstRow(notBefore: Timestamp(milliseconds: minute.number * span))
    let end = Timestamp(milliseconds: (minute.number + 1) * span)
    while row < timeline.count, timeline[row].time < end {
      let entry = timeline[row]
      if entry.id <= last { for message in log.forms(of: entry) { add(message, entry.id, to: minute) } }
      row += 1
    }
  }

  private mutating func add(_ message: MessageRecord, _ id: UInt64, to minute: Minute) {
    bytes += 400 + message.text.utf8.count
    for author in Self.authors(message, isSought: false) {
      let candidate = Candidate(message: message, id: id)
      for time in message.isHistory ? [nil, message.time] : [nil] {
        let words = Words(author: author, text: message.text, time: time)
        minutes[minute, default: [:]][words, default: Queue()].all.append(candidate)
      }
    }
  }

  /// The names under which the words of an author are kept. Of one of mine in a room the nick may be unknown.
  private static func authors(_ message: MessageRecord, isSought: Bool) -> [String] {
    guard message.isOfRoom else { return [message.author.isMe ? "me" : ""] }
    let nick = String(message.peer.drop { $0 != "/" })
    let hasNick = message.peer.hasPrefix(message.jid + "/")
    return (message.author.isMe ? ["me"] : []) + (hasNick ? [nick] : [])
  }

  /// Drops minutes once they take too much, but for these.
  private mutating func dropMinutes(but kept: [Minute]) {
    guard bytes + taken.count * Self.takenBytes > limit else { return }
    minutes = minutes.filter { kept.contains($0.key) }
    let ids = Set(minutes.values.flatMap { $0.values.flatMap { $0.all.map(\.id) } })
    taken = taken.filter { ids.contains($0.id) }
    (bytes, limit) = (0, Self.mostBytes + taken.count * Self.takenBytes)
  }

  private static func number(_ time: Int64) -> Int64 {
    let span = margin.milliseconds
    return time >= 0 ? time / span : (time - span + 1) / span
  }
}

extension MessageRecord {
  /// True if neither times nor ids say that both are two messages.
  fileprivate func mayBe(_ other: MessageRecord) -> Bool {
    let distance = Timestamp(milliseconds: time) - Timestamp(milliseconds: other.time)
    guard distance.milliseconds.magnitude <= NearDoubles.margin.milliseconds.magnitude else { return false }
    if let archiveID, let id = other.archiveID { return archiveID == id }
    let (own, others) = ([stanzaID, originID].compactMap(\.self), [other.stanzaID, other.originID].compactMap(\.self))
    return own.isEmpty || others.isEmpty || own.contains { others.contains($0) }
  }
}

extension WritableLog {
  /// The greatest number of changes of one message that are compared.
  private static let mostForms = 256

  /// A message as it is, and with each other text that was there: a file may be older than a change.
  func forms(of entry: Entry) -> [MessageRecord] {
    var forms: [MessageRecord] = []
    var next = message(entry)
    for _ in 0..<Self.mostForms {
      guard let message = next else { break }
      if !forms.contains(where: { $0.text == message.text }) { forms.append(message) }
      next = message.details?.change.flatMap { self.message($0.previous) }
    }
    return forms
  }
}
