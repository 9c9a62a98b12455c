import ConfabClient

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
    guard message.isMine else {
      return message.details.seal.advice(reset: "/session-reset").map { [($0, .doubt)] } ?? []
    }
    var notes: [(String, ColourPart)] = []
    if let countdown = flags.countdown {
      notes.append(("Leaves in \(countdown.words); \(takeBackKey) takes it back.", .held))
    }
    if let progress = message.progress {
      notes.append((progress.words(of: message.details.attachments.count), .queued))
    }
    if message.delivery == .failed { notes.append((message.failureWords(), .failed)) }
    if message.isInDoubt, message.isHeld {
      let id = message.id
      notes.append(("It may have arrived. /release \(id) sends it again, /cancel \(id) does not.", .doubt))
    } else if message.isInDoubt, message.delivery != .failed {
      notes.append(("May arrive twice: the connection broke while it was sent.", .doubt))
    }
    if let words = message.details.seal.skippedWords {
      notes.append(("Encrypted, but \(words): /devices shows which.", .doubt))
    }
    if !flags.readers.isEmpty {
      notes.append(("Seen by \(flags.readers.joined(separator: ", ")).", .displayed))
    }
    return notes
  }
}
