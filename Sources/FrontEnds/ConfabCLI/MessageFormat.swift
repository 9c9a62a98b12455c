package import Clocks
package import JSON
package import LineProtocol

/// Message objects for people: who, when, what, and how far mine got. Everything from the network is cleaned here.
package struct MessageFormat {
  let style: CommandStyle
  let clock: LocalClock
  private let options: [CommandOption]

  /// - Parameter options: further columns of `confab history`: ids, seconds.
  package init(style: CommandStyle, clock: LocalClock, options: [CommandOption] = []) {
    (self.style, self.clock, self.options) = (style, clock, options)
  }

  /// `── 2026-11-20 09:10 ──`, over the first message of a section.
  package func sectionHeader(_ time: Timestamp) -> String {
    style.paint("── \(clock.stamp(time)) ──", .bold)
  }

  /// `·· 2026-11-21 ··`, where a section goes on the next day, or a page begins inside one.
  package func dayHeader(_ time: Timestamp) -> String {
    style.paint("·· \(clock.day(time)) ··", .dim)
  }

  /// `09:10 Bob: hello`, further lines of the text indented; with ids `8120 09:10 Bob: hello`.
  package func line(_ message: JSONValue) -> String {
    let time = Self.time(of: message).map(options.contains(.seconds) ? clock.second : clock.minute) ?? "--:--"
    let id = options.contains(.ids) ? "\(message["id"]?.integer ?? 0) " : ""
    let text = TerminalText.clean(shown(message), .kept(indent: id.count + time.count + 1))
    return style.paint(id + time, .dim) + " " + said(message, text) + mark(message)
  }

  /// The text; in place of a spoiler its hint, unless it is wanted, and of a message that cannot be read the words for it.
  private func shown(_ message: JSONValue) -> String {
    let text = message["text"]?.string ?? ""
    if let hint = message["spoiler"]?.string, !options.contains(.spoilers) {
      return hint.isEmpty ? "(spoiler)" : "(spoiler: \(hint))"
    }
    let others = ["subject", "retracted", "forwarded", "attachments"]
    guard text.isEmpty, !others.contains(where: { message[$0] != nil }) else { return text }
    return message["plain"]?.string ?? ""
  }

  /// `[Lunch]`; nothing if there is no subject.
  private func subject(_ message: JSONValue, limit: Int? = nil) -> String {
    guard let subject = message["subject"]?.string, !subject.isEmpty else { return "" }
    return style.paint("[\(TerminalText.clean(subject, limit: limit))]", .bold)
  }

  /// ` via home` if several accounts are configured.
  func account(_ object: JSONValue) -> String {
    object["account"]?.string.map { " via " + TerminalText.clean($0) } ?? ""
  }

  /// Formats a message on one line, line breaks in the text included.
  /// - Parameter limit: at most this many characters of the subject and of the text (`TerminalText.shortened`); nil:
  /// all.
  package func oneLine(_ message: JSONValue, limit: Int? = nil) -> String {
    let text = TerminalText.clean(shown(message), limit: limit)
    return said(message, text, limit: limit) + mark(message)
  }

  /// The sender and the text: `Bob: (reply to "lunch?") yes (edited) 👍`, `* Bob laughs`, `Bob: (retracted)`.
  private func said(_ message: JSONValue, _ text: String, limit: Int? = nil) -> String {
    let notes = MessageNotes(message, style, limit: limit)
    if message["me"]?.bool == true {
      return Self.joined(["*", author(message), String(text.dropFirst(4))] + notes.behind)
    }
    return Self.joined([author(message) + ":", subject(message, limit: limit)] + notes.before + [text] + notes.behind)
  }

  /// The parts that are not empty, with a space between two.
  private static func joined(_ parts: [String]) -> String { parts.filter { !$0.isEmpty }.joined(separator: " ") }

  /// `2026-11-20 09:10  bob@example.org  Bob: hello  id 8120`, on one line, with what was looked for painted.
  package func found(_ message: JSONValue) -> String {
    let time = Self.time(of: message).map(clock.stamp) ?? "?"
    let conversation = TerminalText.clean(message["conversation"]?.string ?? "?") + account(message)
    let text = Self.pieces(of: message).map { piece in
      let clean = TerminalText.clean(piece.text)
      return piece.isHit ? style.paint(clean, .red) : clean
    }
    let id = style.paint("id \(message["id"]?.integer ?? 0)", .dim)
    let said = Self.joined([author(message) + ":", subject(message), text.joined()])
    return [style.paint(time, .dim), conversation, said, id]
      .joined(separator: "  ")
  }

  /// The text of a message, cut where a hit of a search begins and ends.
  private static func pieces(of message: JSONValue) -> [(text: String, isHit: Bool)] {
    let scalars = Array((message["text"]?.string ?? "").unicodeScalars)
    var pieces: [(String, Bool)] = []
    var place = 0
    func take(to end: Int, isHit: Bool) {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[place..<end])
      pieces.append((String(view), isHit))
      place = end
    }
    for hit in message["hits"]?.array ?? [] {
      let bounds = (hit.array ?? []).compactMap { $0.integer.flatMap(Int.init(exactly:)) }
      guard bounds.count == 2, bounds[0] >= place, bounds[1] >= bounds[0], bounds[1] <= scalars.count else { continue }
      take(to: bounds[0], isHit: false)
      take(to: bounds[1], isHit: true)
    }
    take(to: scalars.count, isHit: false)
    return pieces
  }

  /// `me`, the contact's name in the roster, or the bare JID of who wrote, which stands behind a name that is like mine or
  /// like an address.
  func author(_ message: JSONValue) -> String {
    if message["mine"]?.bool == true { return style.paint("me", .cyan) }
    let from = message["from"]?.string ?? message["conversation"]?.string ?? "?"
    let jid = TerminalText.clean(String(from.prefix { $0 != "/" }))
    let doubt = message["nick_is"]?.string
    guard let name = message["nick"]?.string, doubt != "claimed" else { return style.paint(jid, .green) }
    return style.paint(TerminalText.clean(name), .green) + (doubt == nil ? "" : " <\(jid)>")
  }

  /// The state of a message of mine, with a space in front; nothing for others.
  func mark(_ message: JSONValue) -> String {
    guard message["mine"]?.bool == true else { return "" }
    let isHeld = message["held"]?.bool == true
    let doubt = message["in_doubt"]?.bool == true ? " (perhaps twice)" : ""
    guard let state = message["state"]?.string else { return doubt }
    return " " + Self.mark(state: state, failure: message["failure"], style) + doubt + (isHeld ? " (held)" : "")
  }

  /// `…` queued, `✓` sent, `✓✓` delivered, `✓✓ seen` displayed, `✗` failed and why.
  static func mark(state: String, failure: JSONValue?, _ style: CommandStyle) -> String {
    switch state {
    case "queued": return style.paint("…", .yellow)
    case "sent": return style.paint("✓", .dim)
    case "delivered": return style.paint("✓✓", .dim)
    case "displayed": return style.paint("✓✓ seen", .blue)
    case "cancelled": return style.paint("✗ cancelled", .dim)
    case "failed":
      let reason = [failure?["condition"]?.string, failure?["text"]?.string].compactMap { $0 }.filter { !$0.isEmpty }
      let words = reason.isEmpty ? "" : ": " + TerminalText.clean(reason.joined(separator: ", "))
      return style.paint("✗ failed" + words, .red)
    default: return TerminalText.clean(state)
    }
  }

  /// The `time` of a message or section member; nil if it is none.
  static func time(of object: JSONValue, _ member: String = "time") -> Timestamp? {
    object[member]?.string.flatMap { Timestamp(rfc3339: $0) }
  }
}
