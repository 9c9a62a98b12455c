/// Words for the state of a message of mine.
enum MessageWords {
  /// The mark behind the time, with its part: `✓` sent, `✓✓` delivered, else the word as well.
  static func mark(_ message: MessageRow, _ flags: MessageFlags, _ symbols: Symbols) -> (
    text: String, part: ColourPart
  )? {
    guard message.isMine, let delivery = message.delivery else { return nil }
    switch delivery {
    case .queued where flags.countdown != nil || message.isHeld: return (symbols.waiting + " held", .held)
    case .queued: return (symbols.waiting + " queued", .queued)
    case .sent: return (symbols.sent, .sent)
    case .delivered: return (symbols.delivered, .delivered)
    case .displayed: return (symbols.delivered + " seen", .displayed)
    case .failed: return (symbols.failed + " failed", .failed)
    case .cancelled: return (symbols.failed + " cancelled", .muted)
    }
  }

  /// Sentences below the message: the countdown, why it failed and what to do, whether it may arrive twice.
  static func notes(_ message: MessageRow, _ flags: MessageFlags, takeBackKey: String) -> [(
    text: String, part: ColourPart
  )] {
    guard message.isMine else { return [] }
    var notes: [(String, ColourPart)] = []
    if let countdown = flags.countdown {
      notes.append(("Leaves in \(countdown.words); \(takeBackKey) takes it back.", .held))
    }
    if let progress = message.progress {
      notes.append((progress.words(of: message.details.attachments.count), .queued))
    }
    if message.delivery == .failed { notes.append((failure(message), .failed)) }
    if message.isInDoubt, message.isHeld {
      let id = message.id
      notes.append(("It may have arrived. /release \(id) sends it again, /cancel \(id) does not.", .doubt))
    } else if message.isInDoubt, message.delivery != .failed {
      notes.append(("May arrive twice: the connection broke while it was sent.", .doubt))
    }
    return notes
  }

  /// Why a message failed, and what to do.
  static func failure(_ message: MessageRow) -> String {
    guard message.hasUnsentFiles, let reason = message.failure else { return failure(message.failure) }
    let (condition, words) = parts(reason)
    if condition == "expired" { return failure(reason) }
    // The condition is about the upload then, and not about the receiver.
    return "Not sent: \(words.isEmpty ? condition : words)" + (words.hasSuffix(".") ? "" : ".")
  }

  /// - Parameter reason: the condition (RFC 6120 §8.3.3), then the server's words.
  static func failure(_ reason: String?) -> String {
    guard let reason else { return "Not delivered. Send it again." }
    let (condition, words) = parts(reason)
    let quoted = words.isEmpty ? "" : " (\(words))"
    return (sentences[condition] ?? "Not delivered: \(condition). Send it again.") + quoted
  }

  private static func parts(_ reason: String) -> (condition: String, words: String) {
    let condition = String(reason.prefix { $0 != ":" })
    return (condition, String(reason.dropFirst(condition.count + 1).drop { $0 == " " }))
  }

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
