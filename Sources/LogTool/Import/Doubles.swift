import Clocks
import Conversations
import Facts
import Records

/// Tells which messages of a file are in the log already: the same sender and origin-id in a conversation or, where one of
/// the two has no such id, the same sender, time and text there. Beside what the facts keep, the messages of some moments
/// are in memory, and the ids of one batch.
struct Doubles {
  /// Where a message stands, to the millisecond.
  private struct Moment: Hashable {
    let account: UInt32
    let jid: String
    let time: Int64
  }

  /// Who said what: by whom (nil: me), and an origin-id or a text.
  private struct Saying: Hashable {
    let sender: String?
    let words: String

    init(_ message: MessageRecord, _ words: String) {
      (sender, self.words) = (message.mine ? nil : message.peer, words)
    }
  }

  /// What was said at one moment.
  private struct Texts {
    private var all: Set<Saying> = []
    /// Of messages that have no origin-id.
    private var unnamed: Set<Saying> = []
    /// What it takes in memory, about.
    private(set) var bytes = 0

    mutating func insert(_ message: MessageRecord) {
      bytes += 200 + message.text.utf8.count
      let saying = Saying(message, message.text)
      all.insert(saying)
      if message.effectiveOriginID == nil { unnamed.insert(saying) }
    }

    func contains(_ message: MessageRecord) -> Bool {
      (message.effectiveOriginID == nil ? all : unnamed).contains(Saying(message, message.text))
    }
  }

  /// Bytes of texts in memory, about, at which those are forgotten that the log has.
  private static let mostBytes = 8 << 20

  private let log: WritableLog
  /// What there is at some moments, in the log and on its way: files have many neighbours of one time, and each is read
  /// once.
  private var moments: [Moment: Texts] = [:]
  private var bytes = 0
  private var limit = mostBytes
  /// Of these not all is durable.
  private var waitingMoments: Set<Moment> = []
  /// The ids of messages that are not durable, so that the facts do not know them.
  private var waitingIDs: [String: Set<Saying>] = [:]

  init(_ log: WritableLog) { self.log = log }

  mutating func contains(_ message: MessageRecord) -> Bool {
    if let id = message.effectiveOriginID {
      if waitingIDs[message.jid]?.contains(Saying(message, id)) == true { return true }
      if isStored(message, id) { return true }
    }
    let moment = Self.moment(of: message)
    if moments[moment] == nil { look(at: moment) }
    return moments[moment]?.contains(message) == true
  }

  /// It is about to be appended, and was looked for.
  mutating func insert(_ message: MessageRecord) {
    let moment = Self.moment(of: message)
    note(message, at: moment)
    waitingMoments.insert(moment)
    if let id = message.effectiveOriginID { waitingIDs[message.jid, default: []].insert(Saying(message, id)) }
  }

  /// All that was appended is durable, and known to the facts.
  mutating func forgetWaiting() { (waitingIDs, waitingMoments) = ([:], []) }

  private mutating func note(_ message: MessageRecord, at moment: Moment) {
    let before = moments[moment]?.bytes ?? 0
    moments[moment, default: Texts()].insert(message)
    bytes += (moments[moment]?.bytes ?? 0) - before
  }

  /// What waits for the disk stays, however much it is.
  private mutating func makeRoom() {
    guard bytes > limit else { return }
    moments = moments.filter { waitingMoments.contains($0.key) }
    bytes = moments.values.reduce(0) { $0 + $1.bytes }
    limit = Self.mostBytes + bytes
  }

  private static func moment(of message: MessageRecord) -> Moment {
    Moment(account: message.account, jid: message.jid, time: message.time)
  }

  private func isStored(_ message: MessageRecord, _ id: String) -> Bool {
    guard let account = log.facts.accounts[message.account] else { return false }
    let mine = message.mine ? account.tokens.ids(.stanzaID, TokenHash.of(id)) : []
    return (mine + account.tokens.ids(.copy, TokenHash.of((message.peer, id)))).contains { candidate in
      guard let known = log.message(candidate), known.jid == message.jid, known.mine == message.mine else {
        return false
      }
      return known.effectiveOriginID == id && (known.mine || known.peer == message.peer)
    }
  }

  private mutating func look(at moment: Moment) {
    makeRoom()
    moments[moment] = Texts()
    guard let timeline = log.facts.existingConversation(moment.account, moment.jid)?.timeline else { return }
    let time = Timestamp(milliseconds: moment.time)
    var row = timeline.firstRow(notBefore: time)
    while row < timeline.count, timeline[row].time == time {
      if let message = log.message(at: timeline[row].location) { note(message, at: moment) }
      row += 1
    }
  }
}
