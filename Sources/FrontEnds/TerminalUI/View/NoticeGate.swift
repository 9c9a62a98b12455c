package import Clocks

/// Gathers notices: the first goes out at once, those of the next seconds together.
package struct NoticeGate: Equatable, Sendable {
  /// One notice: a title and a text.
  package struct Notice: Equatable, Sendable {
    package var title: String
    package var text: String
    /// The message that it is about; nil: several.
    package var message: UInt64?
  }

  private var waiting: [Notice] = []
  private var quietUntil: Instant?

  package init() {}

  /// When what was gathered goes out; nil if nothing waits.
  package var due: Instant? { waiting.isEmpty ? nil : quietUntil }

  /// A message is worth a notice; what goes out now.
  package mutating func add(_ notice: Notice, pause: Interval, at now: Instant) -> Notice? {
    if let quietUntil, now < quietUntil {
      waiting.append(notice)
      return nil
    }
    quietUntil = now.advanced(by: pause)
    return notice
  }

  /// A message was retracted: it is worth no notice any more.
  mutating func forget(_ id: UInt64) { waiting.removeAll { $0.message == id } }

  /// Returns the gathered notices as one, if they are due.
  package mutating func release(pause: Interval, at now: Instant) -> Notice? {
    guard let due, now >= due else { return nil }
    defer { waiting = [] }
    quietUntil = now.advanced(by: pause)
    if waiting.count == 1 { return waiting[0] }
    let names = Set(waiting.map(\.title)).sorted()
    return Notice(title: "\(waiting.count) messages", text: names.joined(separator: ", "))
  }
}
