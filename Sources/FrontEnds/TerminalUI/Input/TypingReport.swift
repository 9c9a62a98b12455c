import Clocks

/// The state that a contact was told of the conversation here (XEP-0085); none before something is typed or sent.
package struct TypingReport: Equatable, Sendable {
  enum State: String {
    case composing, paused, active, inactive, gone
  }

  /// The last one; nil: none yet.
  private var state: State?
  /// When `composing` was said last.
  private var composingAt: Instant?
  /// When `paused` is said, if nothing is typed until then.
  private(set) var pauseDue: Instant?

  /// While somebody types, the contact is told again after so long: the daemon reports a pause 30 s after the last time.
  private static let repetition = Interval.seconds(10)
  /// Nothing was typed for so long: that is a pause.
  private static let pause = Interval.seconds(10)

  /// The input changed; what is to be said, if anything.
  ///
  /// - Parameter isText: whether it holds a text, and no command.
  mutating func typed(isText: Bool, at now: Instant) -> State? {
    guard isText else {
      pauseDue = nil
      composingAt = nil
      return state == .composing || state == .paused ? say(.active) : nil
    }
    pauseDue = now.advanced(by: Self.pause)
    if state == .composing, let composingAt, now - composingAt < Self.repetition { return nil }
    composingAt = now
    return say(.composing)
  }

  /// Time passed.
  mutating func tick(at now: Instant) -> State? {
    guard let due = pauseDue, due <= now else { return nil }
    pauseDue = nil
    return say(.paused)
  }

  /// A message was sent: it ends what was said before.
  mutating func sent() { self = TypingReport(state: .active) }

  /// The conversation is left (`inactive`), or the UI (`gone`). A contact that got no report gets none now.
  mutating func leave(_ way: State) -> State? {
    pauseDue = nil
    return state == nil || state == way ? nil : say(way)
  }

  private mutating func say(_ state: State) -> State {
    self.state = state
    return state
  }

  package init() {}

  private init(state: State) { self.state = state }
}
