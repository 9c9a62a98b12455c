import JSON

/// A layer between the engine and its links and front ends that makes mistakes on purpose, where one is asked for.
final class Rewriter {
  private let bug: Mistake?
  /// Messages by their ids, and how many links they went over.
  private var seen: [String: UInt64] = [:]
  /// Stanzas that came over a link since the acknowledgements are on.
  private var received: [UInt64: UInt32] = [:]

  /// Events that front ends were told.
  private var told = 0
  /// Pieces with results of an archive.
  private var results = 0
  /// Links on which disco has answered.
  private var described: Set<UInt64> = []
  /// The number of copies of notes so far.
  private var notes = 0

  init(_ bug: Mistake?) { self.bug = bug }

  /// How often a front end gets a line.
  func copies(toFrontEnd line: JSONValue) -> Int {
    guard bug == .skippedEvent || bug == .repeatedEvent, line["seq"] != nil, line["message"] != nil else { return 1 }
    told += 1
    return told % 50 == 0 ? (bug == .skippedEvent ? 0 : 2) : 1
  }

  /// What a front end asks for.
  func toDaemon(_ text: String) -> String {
    switch bug {
    case .unheardWait: Self.replaced(" wait=sent", "", Self.replaced(" wait=delivered", "", text))
    case .readTooFar where text.hasPrefix("read "): Self.withoutID(text)
    case .unheardRead where text.hasPrefix("read "):
      Self.replaced(
        "read tag=", "unread tag=",
        Self.replaced(" bob", " in=bob", Self.replaced(" carol", " in=carol", Self.withoutID(text))))
    default: text
    }
  }

  /// A request without the number of a message at its end.
  private static func withoutID(_ text: String) -> String {
    text.split(separator: " ").filter { $0.first?.isNumber == false }.joined(separator: " ") + "\n"
  }

  /// Displayed messages, each replaced by the next one in the archive.
  private static func laterDisplayed(_ text: String) -> String {
    guard let node = text.range(of: "<displayed xmlns='\(ServerNodes.displayed)'>"),
      let id = text[node.upperBound...].range(of: " id='a")
    else { return text }
    let digits = text[id.upperBound...].prefix { $0.isNumber }
    guard let number = Int(digits) else { return text }
    return text[..<id.upperBound] + "\(number + 1)" + laterDisplayed(String(text[digits.endIndex...]))
  }

  /// Some results of an archive have no text.
  private func withoutText(_ text: String) -> String {
    guard text.contains("<result ") else { return text }
    results += 1
    return results % 5 == 0 ? Self.replaced("body>", "nobody>", text) : text
  }

  /// What the archive has comes under other ids.
  private static func renamedResults(_ text: String) -> String {
    guard text.contains("<result ") else { return text }
    return replaced(" id='a", " id='b", replaced(" id='", " id='x", text))
  }

  /// A copy of what came to another device says that it was sent there.
  private static func swapped(_ text: String) -> String {
    replaced(
      "<received xmlns='urn:xmpp:carbons:2'", "<sent xmlns='urn:xmpp:carbons:2'",
      replaced("</forwarded></received>", "</forwarded></sent>", text))
  }

  /// A receipt is for the message behind the one that it is for.
  private static func misdirected(_ text: String) -> String {
    guard let start = text.range(of: "<received xmlns='urn:xmpp:receipts'") else { return text }
    guard let end = text[start.upperBound...].range(of: "'/>") else { return text }
    return text[..<end.lowerBound] + "99999" + text[end.lowerBound...]
  }

  /// A mistake: removes the archive ids from stanzas on a resumed stream, and from stanzas that come before disco has
  /// answered.
  private func unnamed(_ text: String, _ link: UInt64) -> String {
    if text.contains("http://jabber.org/protocol/disco#info") { described.insert(link) }
    return described.contains(link) ? text : Self.without("<stanza-id ", "/>", text)
  }

  /// A mistake: every other copy of a note comes from another device.
  private func strangeNotes(_ text: String) -> String {
    ["alice@example.org", "ann@work.example"].reduce(text) { text, user in
      text.split(separator: "/phone' to='\(user)' ", omittingEmptySubsequences: false).joinedPieces {
        notes += 1
        return notes % 2 == 0 ? "/phone' to='\(user)' " : "/tablet' to='\(user)' "
      }
    }
  }

  static func replaced(_ old: String, _ new: String, _ text: String) -> String {
    text.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }

  /// What the engine writes.
  func toServer(_ bytes: [UInt8], over link: UInt64) -> [UInt8] {
    switch bug {
    case .wrongReceipt: rewrite(bytes) { Self.misdirected($0) }
    case .newID: rewrite(bytes) { renamed($0, link) }
    case .lostOrder: rewrite(bytes) { Self.reversed($0) }
    case .encryptedAnew: rewrite(bytes) { encryptedAnew($0, link) }
    case .earlyAcknowledgement: rewrite(bytes) { acknowledgingAll($0, link) }
    default: bytes
    }
  }

  /// What the engine reads.
  func toEngine(_ bytes: [UInt8], over link: UInt64) -> [UInt8] {
    switch bug {
    case .lostResult: return rewrite(bytes) { withoutText($0) }
    case .otherArchiveID: return rewrite(bytes) { Self.renamedResults($0) }
    case .swappedCarbon: return rewrite(bytes) { Self.swapped($0) }
    case .forgedCarbon: return rewrite(bytes) { Self.replaced("flood.example/x' ", "example.org' ", $0) }
    case .lostRequest:
      return rewrite(bytes) { Self.without("<presence type='subscribe' from='\(Strangers.asker)", "/>", $0) }
    case .lostIDs: return rewrite(bytes) { unnamed($0, link) }
    case .twoNotes: return rewrite(bytes) { strangeNotes($0) }
    case .unmarkedCopy: return rewrite(bytes) { Self.without("<delay ", "/>", $0) }
    case .ignoredStamp:
      return rewrite(bytes) {
        Self.replaced("</sent><delay ", "</sent><x ", Self.replaced("</received><delay ", "</received><x ", $0))
      }
    case .lostNickname: return rewrite(bytes) { Self.replaced(" node='\(ServerNodes.nickname)'", " node='x'", $0) }
    case .otherAvatar: return rewrite(bytes) { Self.replaced("<info id='1", "<info id='2", $0) }
    case .lostMarker:
      return rewrite(bytes) { Self.replaced("<displayed xmlns='urn:xmpp:chat-markers", "<x xmlns='x", $0) }
    case .lostBareSignal?, .lostOldMarker?, .lostBounce?, .unknownOrigin?:
      return rewrite(bytes) { text in bug.map { Self.signals(text, $0) } ?? text }
    case .otherDisplayed: return rewrite(bytes) { Self.laterDisplayed($0) }
    case .lostDisplayed: return rewrite(bytes) { Self.replaced(" node='\(ServerNodes.displayed)'", " node='x'", $0) }
    case .earlyAcknowledgement:
      count(String(decoding: bytes, as: UTF8.self), link)
      return bytes
    default: return bytes
    }
  }

  /// Leaves a piece as it is that ends inside a character.
  private func rewrite(_ bytes: [UInt8], _ body: (String) -> String) -> [UInt8] {
    String(validating: bytes, as: UTF8.self).map { Array(body($0).utf8) } ?? bytes
  }

  /// Another id for what goes over a second link.
  private func renamed(_ text: String, _ link: UInt64) -> String {
    var text = text
    for id in Self.values(of: "<message ", "id=", in: text) {
      if let first = seen[id], first != link {
        text = text.split(separator: id, omittingEmptySubsequences: false).joined(separator: "x\(id.dropFirst())")
      }
      seen[id] = seen[id] ?? link
    }
    return text
  }

  /// Another ciphertext under the same keys for what goes over a second link.
  private func encryptedAnew(_ text: String, _ link: UInt64) -> String {
    var text = text
    for part in text.split(separator: "<payload>", omittingEmptySubsequences: false).dropFirst() {
      let payload = String(part.prefix { $0 != "<" })
      if let first = seen[payload], first != link {
        text = Self.replaced("<payload>\(payload)", "<payload>AAAA\(payload.dropFirst(4))", text)
      }
      seen[payload] = seen[payload] ?? link
    }
    return text
  }

  /// Messages written together, the last one first.
  private static func reversed(_ text: String) -> String {
    let parts = text.split(separator: "<message ", omittingEmptySubsequences: false)
    guard parts.count > 2 else { return text }
    let messages = parts.dropFirst().map { "<message " + $0 }
    // What follows the last message is no message.
    guard let end = messages.last?.range(of: "</message>") else { return text }
    let last = messages[messages.count - 1]
    let rest = last[end.upperBound...]
    return parts[0] + last[..<end.upperBound] + messages.dropLast().reversed().joined() + rest
  }

  private func count(_ text: String, _ link: UInt64) {
    if text.contains("<enabled") { received[link] = 0 }
    guard let before = received[link] else { return }
    let stanzas = ["<message ", "<presence ", "<iq "].reduce(0) { $0 + Self.count($1, in: text) }
    received[link] = before &+ UInt32(stanzas)
  }

  private func acknowledgingAll(_ text: String, _ link: UInt64) -> String {
    guard let all = received[link], let start = text.range(of: "<a "),
      let h = text[start.lowerBound...].range(of: "h=\"") ?? text[start.lowerBound...].range(of: "h='")
    else { return text }
    let digits = text[h.upperBound...].prefix { $0.isNumber }
    return text[..<h.upperBound] + String(all) + text[digits.endIndex...]
  }

  private static func without(_ start: String, _ end: String, _ text: String) -> String {
    guard let first = text.range(of: start), let last = text[first.upperBound...].range(of: end) else { return text }
    return without(start, end, text[..<first.lowerBound] + String(text[last.upperBound...]))
  }

  private static func count(_ word: String, in text: String) -> Int { text.ranges(of: word).count }

  static func values(of element: String, _ attribute: String, in text: String) -> [String] {
    text.split(separator: element, omittingEmptySubsequences: false).dropFirst().compactMap { part in
      guard let start = part.firstRange(of: " " + attribute) ?? part.firstRange(of: attribute) else { return nil }
      return String(part[start.upperBound...].dropFirst().prefix { $0 != "'" && $0 != "\"" })
    }
  }
}

extension StringProtocol {
  fileprivate func range(of word: String) -> Range<Index>? { firstRange(of: word) }
}

extension [Substring] {
  /// The pieces, joined by varying separators.
  fileprivate func joinedPieces(by separator: () -> String) -> String {
    dropFirst().reduce(String(first ?? "")) { $0 + separator() + $1 }
  }
}
