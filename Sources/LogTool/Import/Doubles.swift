import Clocks
import Conversations
import Facts
import Records

/// Tells which messages of a file are in the log already: the same sender and origin-id in a conversation, or the same
/// sender, time and text there. Beside what the facts keep, the messages of one moment and of one batch are in memory.
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

  private let log: WritableLog
  /// What is in the log at one moment; files have many neighbours of one time, and each is read once.
  private var moment: Moment?
  private var texts: Set<Saying> = []
  /// Of messages that are not durable, so that the facts do not know them.
  private var waitingTexts: [Moment: Set<Saying>] = [:]
  private var waitingIDs: [String: Set<Saying>] = [:]

  init(_ log: WritableLog) { self.log = log }

  mutating func contains(_ message: MessageRecord) -> Bool {
    if let id = message.effectiveOriginID {
      if waitingIDs[message.jid]?.contains(Saying(message, id)) == true { return true }
      if isStored(message, id) { return true }
    }
    let moment = Self.moment(of: message)
    if moment != self.moment { look(at: moment) }
    let saying = Saying(message, message.text)
    return texts.contains(saying) || waitingTexts[moment]?.contains(saying) == true
  }

  /// It has been appended.
  mutating func insert(_ message: MessageRecord) {
    waitingTexts[Self.moment(of: message), default: []].insert(Saying(message, message.text))
    if let id = message.effectiveOriginID { waitingIDs[message.jid, default: []].insert(Saying(message, id)) }
  }

  /// All that was appended is durable, and known to the facts.
  mutating func forgetWaiting() {
    (waitingTexts, waitingIDs) = ([:], [:])
    moment = nil
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
    (self.moment, texts) = (moment, [])
    guard let timeline = log.facts.existingConversation(moment.account, moment.jid)?.timeline else { return }
    let time = Timestamp(milliseconds: moment.time)
    var row = timeline.firstRow(notBefore: time)
    while row < timeline.count, timeline[row].time == time {
      if let message = log.message(at: timeline[row].location) { texts.insert(Saying(message, message.text)) }
      row += 1
    }
  }
}
