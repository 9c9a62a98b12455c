import Clocks

/// The sentences of the plain mode; what came from the network is made harmless by whoever writes them.
struct PlainWords {
  let date: (Timestamp) -> CivilDate
  let words: DateWords

  /// `Bob: how are you? 9:55`, and how far mine got. The day stands in front where a section begins.
  func message(_ row: MessageRow, now: Timestamp? = nil) -> String {
    let heading = now.flatMap { row.opensSection ? words.day(date(row.time), today: date($0)) + ". " : nil } ?? ""
    let state = row.isMine ? row.delivery.map { ", " + $0.rawValue } ?? "" : ""
    let failure = row.failure.map { ": " + $0 } ?? ""
    let edited = row.details.edited == nil ? "" : ", edited"
    return "\(heading)\(said(row)) \(words.time(date(row.time)))\(edited)\(state)\(failure)\(reactions(row))"
  }

  /// The author and the text, with what it answers, its files and what is inside.
  private func said(_ row: MessageRow) -> String {
    let who = sender(row)
    let text = MessageText(row, name: who).text
    if row.details.isAction || row.details.retraction != nil { return text }
    let answered = row.details.reply.map { ", to \"\(short($0.text))\"" } ?? ""
    let inside = row.details.forwarded.flatMap { ForwardedText.all($0, beside: date(row.time), date, words) }
      .map { "\($0.heading): \($0.text)" }
    let files = row.details.attachments.map { "[\($0.title): \($0.facts)]" }
    return "\(who)\(answered): " + ([text] + files + inside).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The message as it stands since it was changed.
  func change(_ row: MessageRow, _ change: MessageChange) -> String {
    switch change {
    case .edit where row.details.edited == nil: "As it was before: " + message(row)
    case .edit: "Edited: " + message(row)
    case .retraction: said(row)
    case .failure: "\(MessageWords.failure(row)) It said: \(short(row.preview))"
    case .reaction where row.details.reactions.isEmpty: "No reactions any more to \"\(short(row.preview))\"."
    case .reaction: "To \"\(short(row.preview))\"\(reactions(row))"
    }
  }

  private func reactions(_ row: MessageRow) -> String {
    let words = row.details.reactions.map { reaction in
      let count = reaction.people.count > 1 ? " \(reaction.people.count)" : ""
      return reaction.emoji + count + (reaction.isMine ? " with mine" : "")
    }
    return words.isEmpty ? "" : ", reactions: " + words.joined(separator: ", ")
  }

  private func sender(_ row: MessageRow) -> String {
    row.author
  }

  private func short(_ text: String) -> String {
    let line = String(text.prefix(60).map { $0.isNewline ? " " : $0 })
    return text.count > 60 ? line + "…" : line
  }

  func answers(now: Timestamp) -> AnswerWords { AnswerWords(words: words, date: date, now: now) }

  func name(_ row: ConversationRow?, _ key: ConversationKey) -> String {
    AnswerWords.who(row?.name ?? "", key.jid)
  }

  func account(_ row: AccountRow) -> String {
    "\(row.jid) is \(row.words)" + (row.reason.isEmpty ? "" : ": \(row.reason)")
  }
}
