/// Words for what is no text of a message; not cleaned.
extension MessageRow {
  /// A sentence that says who retracted it and why; nil: it is not retracted.
  ///
  /// - Parameter name: of the author, for people.
  package func retractionWords(_ name: String) -> String? {
    guard let retraction = details.retraction else { return nil }
    let reason = retraction.reason.isEmpty ? "." : ": \(retraction.reason)"
    if let moderator = moderator(retraction) { return "\(moderator) retracted a message of \(name)\(reason)" }
    let isOwn = retraction.by.isEmpty || retraction.by.prefix { $0 != "/" } == bareSender
    let who = isMine && isOwn ? "You" : isOwn ? name : retraction.by
    return "\(who) retracted this message\(reason)"
  }

  /// The nick of who retracted somebody else's message in a room (XEP-0425); nil: nobody else did.
  private func moderator(_ retraction: Retraction) -> String? {
    let room = conversation + "/"
    guard from.hasPrefix(room), retraction.by.hasPrefix(room), retraction.by != from else { return nil }
    return String(retraction.by.dropFirst(room.count))
  }

  /// Words in place of a spoiler.
  ///
  /// - Parameter opener: what opens it, for people; empty: nothing is said of that.
  package static func spoilerWords(_ hint: String, _ opener: String) -> String {
    "(spoiler" + (hint.isEmpty ? "" : ": \(hint)") + (opener.isEmpty ? "" : "; \(opener)") + ")"
  }

  /// The emoticons of the text as the characters that they stand for; those that are pictures stay codes.
  package var emoticons: [(range: Range<Int>, text: String)] {
    details.spans.compactMap { $0.emoticon == nil ? nil : ($0.range, $0.target) }
  }

  /// The text, cut where a hit of a search begins and ends.
  var hitPieces: [(text: String, isHit: Bool)] {
    let scalars = Array(text.unicodeScalars)
    var (pieces, start): ([(String, Bool)], Int) = ([], 0)
    func take(to end: Int, isHit: Bool) {
      pieces.append((String(String.UnicodeScalarView(scalars[start..<end])), isHit))
      start = end
    }
    for hit in hits where hit.lowerBound >= start && hit.upperBound <= scalars.count {
      take(to: hit.lowerBound, isHit: false)
      take(to: hit.upperBound, isHit: true)
    }
    take(to: scalars.count, isHit: false)
    return pieces
  }
}

extension MarkedSpan {
  /// The characters that an emoticon stands for; nil if that is a picture, or it is none.
  package var emoticon: String? {
    kind != .emoticon || target.isEmpty || target.hasPrefix("/") || target.utf8.count > 64 ? nil : target
  }
}

// MARK: - Failures

extension MessageRow {
  /// Why a message failed, and what to do.
  package func failureWords(namesCondition: Bool = false) -> String {
    let general = Self.failureWords(failure, namesCondition: namesCondition)
    guard hasUnsentFiles, let failure else { return general }
    let (condition, words) = Self.parts(failure)
    if condition == "expired" { return general }
    // The condition is about the upload then, and not about the receiver.
    return "Not sent: \(words.isEmpty ? condition : words)" + (words.hasSuffix(".") ? "" : ".")
  }

  /// - Parameters:
  ///   - reason: the condition (RFC 6120 §8.3.3), then the server's words.
  ///   - namesCondition: whether the condition is written before the server's words.
  package static func failureWords(_ reason: String?, namesCondition: Bool = false) -> String {
    guard let reason else { return "Not delivered. Send it again." }
    let (condition, words) = parts(reason)
    let quoted = namesCondition ? reason : words
    if let sentence = sentencesOfEncryption[condition] { return sentence + (namesCondition ? " (\(condition))" : "") }
    return (sentences[condition] ?? "Not delivered: \(condition). Send it again.")
      + (quoted.isEmpty ? "" : " (\(quoted))")
  }

  private static func parts(_ reason: String) -> (condition: String, words: String) {
    let condition = String(reason.prefix { $0 != ":" })
    return (condition, String(reason.dropFirst(condition.count + 1).drop { $0 == " " }))
  }

  /// Conditions of our own, whose words say no more.
  private static let sentencesOfEncryption: [String: String] = [
    "no-devices":
      "Not sent: the contact has no device that reads encrypted messages. Ask for one, or send it in plain text.",
    "untrusted": "Not sent: no device of the contact is trusted. Trust one, then send it again.",
    "keys-unavailable": "Not sent: the keys of the contact's devices could not be had in time. Send it again later.",
    "room-anonymous": "Not sent: the room hides who is in it, so that nothing can be encrypted there.",
    "too-many-devices":
      "Not sent: the contact has more devices than can be encrypted to. Ask to have dead ones removed.",
    "encryption-unavailable":
      "Not sent: your server has no place for the keys of encryption. Send it in plain text, or use another server.",
  ]

  private static let sentences: [String: String] = [
    "remote-server-not-found": "Not delivered: there is no such server. Check the address.",
    "remote-server-timeout": "Not delivered: the other server does not answer. Send it again later.",
    "item-not-found": "Not delivered: there is no such address. Check it.",
    "jid-malformed": "Not delivered: the address is wrong. Check it.",
    "gone": "Not delivered: the address has moved. Ask for the new one.",
    "service-unavailable": "Not delivered: the receiver is offline or takes no messages from you. Send it again later.",
    "recipient-unavailable": "Not delivered: the receiver is offline. Send it again later.",
    "forbidden": "Not delivered: the receiver does not allow it. Ask to be a contact first.",
    "not-allowed": "Not delivered: the receiver does not allow it.",
    "not-acceptable": "Not delivered: the receiver has blocked you, or you the receiver.",
    "subscription-required": "Not delivered: the receiver takes messages from contacts only. Ask to be one first.",
    "policy-violation": "Not delivered: a rule of the server forbids it. Make it shorter, or ask the operator.",
    "resource-constraint": "Not delivered: a server is overloaded. Send it again later.",
    "internal-server-error": "Not delivered: a server failed. Send it again later.",
    "expired": "Not sent: its time was over before it could leave. Send it again if it still matters.",
  ]
}
