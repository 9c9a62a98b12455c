import Clocks

/// The sentences of the plain mode; what came from the network is made harmless by whoever writes them.
struct PlainWords {
  let date: (Timestamp) -> CivilDate
  let words: DateWords

  /// `Bob: how are you? 9:55`, and how far mine got. The day stands in front where a section begins.
  func message(_ row: MessageRow, now: Timestamp? = nil) -> String {
    let heading = now.flatMap { row.opensSection ? words.day(date(row.time), today: date($0)) + ". " : nil } ?? ""
    let who = row.isMine ? "me" : row.nick ?? String(row.from.prefix { $0 != "/" })
    let state = row.isMine ? row.delivery.map { ", " + $0.rawValue } ?? "" : ""
    let failure = row.failure.map { ": " + $0 } ?? ""
    return "\(heading)\(who): \(row.text) \(words.time(date(row.time)))\(state)\(failure)"
  }

  func answers(now: Timestamp) -> AnswerWords { AnswerWords(words: words, date: date, now: now) }

  func name(_ row: ConversationRow?, _ key: ConversationKey) -> String {
    row.map { $0.name.isEmpty ? key.jid : "\($0.name), \(key.jid)" } ?? key.jid
  }

  func account(_ row: AccountRow) -> String {
    "\(row.jid) is \(row.words)" + (row.reason.isEmpty ? "" : ": \(row.reason)")
  }
}
