extension [InputEvent] {
  /// These events, if they came in one burst with a paste before them: keys are its text as well, or nothing. A text that holds the
  /// end of a paste, which some terminals pass on (tmux 3.3), is no key by that.
  var pasted: [InputEvent] {
    var events: [InputEvent] = []
    for event in self {
      switch event {
      case .key(let key): events.append(text: key.pastedText)
      case .paste(let bytes): events.append(text: bytes)
      case .mouse: break
      case .focus, .reply: events.append(event)
      }
    }
    return events
  }

  /// One paste for a run of them.
  private mutating func append(text: [UInt8]) {
    guard !text.isEmpty else { return }
    if case .paste(let before)? = last { removeLast(); append(.paste(before + text)) } else { append(.paste(text)) }
  }
}

extension Key {
  /// The bytes that the key is within a paste; none if it is no letter.
  fileprivate var pastedText: [UInt8] {
    guard !modifiers.contains(.control) else { return [] }
    switch code {
    case .character(let letter): return Array(String(letter).utf8)
    case .enter: return [0x0D]
    case .tab: return [0x09]
    default: return []
    }
  }
}
