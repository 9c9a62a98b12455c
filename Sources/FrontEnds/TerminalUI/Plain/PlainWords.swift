import Clocks

/// The sentences of the plain mode; what came from the network is made harmless by whoever writes them.
struct PlainWords {
  let date: (Timestamp) -> CivilDate
  let words: DateWords
  /// True if a queued message of mine is announced; usually it is sent in the next moment.
  var saysQueued = false

  /// `Bob: how are you? 9:55`, and how far mine got.
  ///
  /// - Parameters:
  ///   - names: those of the conversation, if it was said in front: an author who has one of them is not said.
  ///   - now: then the day stands before the time, unless it is this one.
  func message(_ row: MessageRow, besides names: [String] = [], now: Timestamp? = nil) -> String {
    let edited = row.details.edited == nil ? "" : ", edited"
    let delivery = row.isMine && (saysQueued || row.delivery != .queued) ? row.delivery : nil
    let state = delivery.map { ", " + $0.rawValue } ?? ""
    let failure = row.delivery == .failed ? ". " + MessageWords.failure(row) : ""
    return "\(said(row, besides: names)) \(time(row, now))\(edited)\(state)\(reactions(row))\(failure)"
  }

  private func time(_ row: MessageRow, _ now: Timestamp?) -> String {
    let day = date(row.time)
    let isOther = now.map { date($0).dayNumber != day.dayNumber } ?? false
    return (now.flatMap { isOther ? words.day(day, today: date($0)) + " " : nil } ?? "") + words.time(day)
  }

  /// The author and the text, with what it answers, its files and what is inside.
  private func said(_ row: MessageRow, besides names: [String] = []) -> String {
    let text = MessageText(row, name: row.author, opener: "'confab history --spoilers' shows it").text
    if row.details.isAction || row.details.retraction != nil { return text }
    let answered = row.details.reply.map { "to \"\(Self.short($0.text))\"" }
    let inside = row.details.forwarded.flatMap { ForwardedText.all($0, beside: date(row.time), date, words) }
      .map { "\($0.heading): " + ([$0.text] + Self.words($0.files)).filter { !$0.isEmpty }.joined(separator: " ") }
    let files = Self.words(row.details.attachments)
    let author = names.contains(row.author) ? nil : row.author
    let heading = [author, answered].compactMap(\.self).joined(separator: ", ")
    let parts = ([text] + files + inside).filter { !$0.isEmpty }.joined(separator: " ")
    return heading.isEmpty ? parts : "\(heading): \(parts)"
  }

  private static func words(_ files: [ShownAttachment]) -> [String] { files.map { "[\($0.title): \($0.facts)]" } }

  /// The message as it stands since it was changed.
  func change(_ row: MessageRow, _ change: MessageChange) -> String {
    switch change {
    case .edit where row.details.edited == nil: "As it was before: " + message(row)
    case .edit: "Edited: " + message(row)
    case .retraction: said(row)
    case .failure: "\(MessageWords.failure(row)) It said: \(Self.short(row.preview))"
    case .reaction where row.details.reactions.isEmpty: "No reactions any more to \"\(Self.short(row.preview))\"."
    case .reaction: "To \"\(Self.short(row.preview))\"\(reactions(row))"
    }
  }

  private func reactions(_ row: MessageRow) -> String {
    let words = row.details.reactions.map { reaction in
      let count = reaction.people.count > 1 ? " \(reaction.people.count)" : ""
      return reaction.emoji + count + (reaction.isMine ? " with mine" : "")
    }
    return words.isEmpty ? "" : ", reactions: " + words.joined(separator: ", ")
  }

  static func short(_ text: String) -> String {
    let line = String(text.prefix(60).map { $0.isNewline ? " " : $0 })
    return text.count > 60 ? line + "…" : line
  }

  func account(_ row: AccountRow) -> String {
    "\(row.jid) is \(row.words)" + (row.reason.isEmpty ? "" : ": \(row.reason)")
  }
}
