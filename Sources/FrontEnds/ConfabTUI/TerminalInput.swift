import Screen

/// Input from the terminal: decodes bytes into events, and updates the capabilities from the terminal's answers.
struct TerminalInput {
  private var decoder: InputDecoder
  private var inquiry: TerminalInquiry

  init(_ decoder: InputDecoder, _ inquiry: TerminalInquiry) {
    (self.decoder, self.inquiry) = (decoder, inquiry)
  }

  var capabilities: Capabilities { inquiry.capabilities }
  /// True while answers of the terminal are outstanding.
  var awaitsAnswers: Bool { inquiry.isOpen }
  /// After how many milliseconds without a byte `timeOut` is to be called; nil: there is nothing to decide.
  var timeoutMilliseconds: Int? { decoder.timeoutMilliseconds }

  /// The questions to ask; nil: none.
  mutating func begin() -> String? { inquiry.begin() }

  /// The terminal has another size, and perhaps its letters: what follows, and what is to be asked.
  mutating func takeCellSize(_ size: Capabilities.CellSize?) -> (steps: [TerminalInquiry.Step], question: String?) {
    inquiry.takeCellSize(size)
  }

  mutating func receive(_ bytes: [UInt8]) -> [InputEvent] {
    var events: [InputEvent] = []
    decoder.receive(bytes, into: &events)
    return events
  }

  mutating func timeOut() -> [InputEvent] {
    var events: [InputEvent] = []
    decoder.timeOut(into: &events)
    return events
  }

  /// Returns the steps that an event requires of the inquiry.
  mutating func steps(_ event: InputEvent) -> [TerminalInquiry.Step] {
    let steps: [TerminalInquiry.Step]
    switch event {
    case .reply(let reply): steps = inquiry.take(reply)
    case .focus: steps = inquiry.takeFocus()
    case .key, .paste, .mouse: steps = []
    }
    // The answers look like F3.
    if steps.contains(where: { if case .measure = $0 { true } else { false } }) { decoder.awaitsCursor = true }
    return steps
  }

  /// True if the bytes hold the answer that every terminal gives last (DA1).
  mutating func isLastAnswer(_ bytes: [UInt8]) -> Bool {
    receive(bytes).contains { if case .reply(.attributes) = $0 { true } else { false } }
  }
}
