package import Clocks
package import JSON

/// Messages for people: who, what, and how far mine got. Everything from the network is cleaned here.
package struct MessageFormat {
  package let style: TextStyle
  package let clock: LocalClock
  /// True if the text of a spoiler is shown instead of its hint.
  private let showsSpoilers: Bool
  /// True if the state of a queued message is written; usually it is sent in the next moment.
  package var saysQueued = true

  /// At most this many characters of another message's text.
  private static let preview = 40

  package init(style: TextStyle, clock: LocalClock, showsSpoilers: Bool = false) {
    (self.style, self.clock, self.showsSpoilers) = (style, clock, showsSpoilers)
  }

  /// `Bob: (reply to "lunch?") yes (edited) 👍`, `* Bob laughs`, `Bob retracted this message.`; line breaks of the text
  /// begin lines with so many spaces.
  package func lines(_ message: MessageRow, indent: Int) -> String {
    line(message, TerminalText.clean(text(of: message), .kept(indent: indent)))
  }

  /// Formats a message on one line.
  ///
  /// - Parameter limit: at most this many characters of the subject and of the text (`TerminalText.shortened`); nil:
  ///   all.
  package func oneLine(_ message: MessageRow, limit: Int? = nil) -> String {
    line(message, style.clean(text(of: message), limit: limit), limit)
  }

  /// `Bob: yes 9:55, edited`: with its time, in front of what became of it.
  ///
  /// - Parameter names: an author with one of them is left out.
  package func spoken(_ message: MessageRow, at time: String, besides names: [String] = []) -> String {
    let text = TerminalText.clean(text(of: message), .kept(indent: 0))
    return style.row([said(message, text, besides: names) + " " + time] + outcomes(of: message))
  }

  private func line(_ message: MessageRow, _ text: String, _ limit: Int? = nil) -> String {
    let parts = [said(message, text, limit: limit)] + outcomes(of: message)
    return style.isSpoken ? style.row(parts) : Self.joined(parts)
  }

  /// The parts that are not empty, with a space between two.
  private static func joined(_ parts: [String]) -> String { parts.filter { !$0.isEmpty }.joined(separator: " ") }

  /// `2026-11-20 09:10  bob@example.org  Bob: hello  id 8120`, with what was looked for painted.
  package func found(_ message: MessageRow) -> String {
    let text = message.hitPieces.map { piece in
      let clean = style.clean(piece.text)
      return piece.isHit ? style.paint(clean, .red) : clean
    }
    let account = message.account.isEmpty ? "" : " via " + style.clean(message.account)
    return style.row([
      style.paint(clock.stamp(message.time), .dim), style.clean(message.conversation) + account,
      Self.joined([author(of: message) + ":", subject(of: message), text.joined()]),
      style.isSpoken ? nil : style.paint("id \(message.id)", .dim),
    ])
  }

  /// The `time` of a message or section member; nil if it is none.
  package static func time(of object: JSONValue, _ member: String = "time") -> Timestamp? {
    object[member]?.string.flatMap { Timestamp(rfc3339: $0) }
  }
}

// MARK: - What was said

extension MessageFormat {
  /// The sender, the message that it answers, the text, the messages inside and the files.
  package func said(_ message: MessageRow, limit: Int? = nil) -> String {
    said(message, style.clean(text(of: message), limit: limit), limit: limit)
  }

  private func said(_ message: MessageRow, _ text: String, limit: Int? = nil, besides names: [String] = []) -> String {
    if let words = message.retractionWords(name(of: message)) { return style.clean(words) }
    if message.isEvent { return Self.joined(["*", text]) }
    let name = author(of: message)
    let behind = notes(
      inside(message.details.forwarded, beside: message.time, limit) + files(message.details.attachments, limit))
    if message.details.isAction { return Self.joined(["*", name, text, behind]) }
    let heading = names.contains(message.author) ? "" : name + ":"
    return Self.joined([heading, subject(of: message, limit: limit), reply(message, limit), text, behind])
  }

  private func notes(_ notes: [String]) -> String {
    notes.isEmpty ? "" : style.paint(notes.joined(separator: " "), .dim)
  }

  /// `me`, the contact's name in the roster, or the bare JID of who wrote, which is behind a name that is like mine or
  /// like an address ([decision 0096](docs/decisions/0096-strangers.md)).
  private func author(of message: MessageRow) -> String {
    if message.isMine { return style.paint("me", .cyan) }
    let name = style.paint(style.clean(name(of: message)), .green)
    return message.nameDoubt == .alike ? name + " <\(style.clean(String(message.bareSender)))>" : name
  }

  private func name(of message: MessageRow) -> String {
    if let nick = message.nick, message.nameDoubt != .claimed { return nick }
    return message.from.isEmpty ? message.conversation : String(message.bareSender)
  }

  /// The text, emoticons as what they are; in place of a spoiler its hint, unless it is wanted.
  private func text(of message: MessageRow) -> String {
    if let hint = message.details.spoiler, !showsSpoilers {
      return MessageRow.spoilerWords(hint, style.isSpoken ? "'confab history --spoilers' shows it" : "")
    }
    let text = ReplacedText(message.text, message.emoticons).text
    return message.details.isAction ? String(text.dropFirst(4)) : text
  }

  /// `[Lunch]`; empty if there is no subject.
  private func subject(of message: MessageRow, limit: Int? = nil) -> String {
    guard let subject = message.subject, !subject.isEmpty else { return "" }
    return style.paint("[\(style.clean(subject, limit: limit))]", .bold)
  }

  private func reply(_ message: MessageRow, _ limit: Int?) -> String {
    guard let reply = message.details.reply else { return "" }
    return notes(["(reply to \"\(style.clean(reply.text, limit: min(limit ?? Self.preview, Self.preview)))\")"])
  }

  /// `(forwarded from zoe@example.org, 09:30: news)`, messages inside that in the same way.
  ///
  /// - Parameter time: of the message that they are in; times of the same day are written without the day.
  private func inside(_ messages: [ShownForward], beside time: Timestamp, _ limit: Int?) -> [String] {
    messages.map { message in
      let author = message.from.isEmpty ? "an unknown author" : String(message.from.prefix { $0 != "/" })
      let own = message.time.map { ", " + (clock.day($0) == clock.day(time) ? clock.minute($0) : clock.stamp($0)) }
      let parts =
        [style.clean(message.text, limit: limit)] + files(message.attachments, limit)
        + inside(message.forwarded, beside: time, limit)
      return "(forwarded from \(style.clean(author))\(own ?? ""): \(Self.joined(parts)))"
    }
  }

  private func files(_ files: [ShownAttachment], _ limit: Int?) -> [String] {
    files.map { "[\(style.clean($0.title, limit: limit)): \(style.clean($0.facts, limit: limit))]" }
  }
}

// MARK: - What became of it

extension MessageFormat {
  private func outcomes(of message: MessageRow) -> [String] {
    guard message.details.retraction == nil else { return [] }
    let edited = message.details.edited == nil ? "" : style.isSpoken ? "edited" : style.paint("(edited)", .dim)
    return [edited, seal(of: message), reactions(to: message), mark(of: message)].filter { !$0.isEmpty }
  }

  /// `(not encrypted)`, or what to do about a message that cannot be read; empty if it is as it should be.
  private func seal(of message: MessageRow) -> String {
    let seal = message.details.seal
    let reset = style.isSpoken ? "/session-reset" : "'confab session-reset \(style.clean(message.conversation))'"
    let words = seal.mark ?? (message.isMine ? seal.skippedWords : nil) ?? seal.advice(reset: reset)
    guard let words else { return "" }
    return style.isSpoken ? words : style.paint("(\(words))", seal.isUnreadable ? .dim : .yellow)
  }

  /// `👍 2 🎂`, spoken `reactions: 👍 2 with mine, 🎂`; empty if there are none.
  package func reactions(to message: MessageRow) -> String {
    let reactions = message.details.reactions.map { reaction in
      style.clean(reaction.emoji) + (reaction.people.count > 1 ? " \(reaction.people.count)" : "")
        + (style.isSpoken && reaction.isMine ? " with mine" : "")
    }
    guard style.isSpoken, !reactions.isEmpty else { return reactions.joined(separator: " ") }
    return "reactions: " + reactions.joined(separator: ", ")
  }

  /// The state of a message of mine, whether it may arrive twice, and whether it is kept back.
  private func mark(of message: MessageRow) -> String {
    guard message.isMine else { return "" }
    let isUnsaid = message.delivery == .queued && !saysQueued && !message.isHeld
    let state =
      isUnsaid ? nil : message.delivery.map { mark($0, message.failureWords(namesCondition: !style.isSpoken)) }
    return Self.joined([
      state ?? "", message.isInDoubt ? "(perhaps twice)" : "", message.isHeld ? "(held)" : "",
    ])
  }

  /// `…` queued, `✓` sent, `✓✓` delivered, `✓✓ seen` displayed, `✗` failed and why; spoken in words.
  package func mark(_ delivery: MessageRow.Delivery, _ failure: String) -> String {
    if style.isSpoken { return delivery.rawValue + (delivery == .failed ? ". " + style.clean(failure) : "") }
    return switch delivery {
    case .queued: style.paint("…", .yellow)
    case .sent: style.paint("✓", .dim)
    case .delivered: style.paint("✓✓", .dim)
    case .displayed: style.paint("✓✓ seen", .blue)
    case .cancelled: style.paint("✗ cancelled", .dim)
    case .failed: style.paint("✗ " + style.clean(failure), .red)
    }
  }
}
