import JSON

/// Watches from where it stopped, whatever happened meanwhile: it must hear all, once, in order.
final class WatchingProgram: FrontEndProgram {
  /// Everything up to here has been heard.
  private(set) var heard: UInt64 = 0
  private var isNew = true
  /// What comes now is live, and may be a notice.
  private var isCaughtUp = false

  override func connected() {
    isCaughtUp = false
    if isNew, world.dice.percent(30) {
      connection?.write("watch since=now\n")
    } else {
      isNew = false
      connection?.write("watch since=\(heard)\n")
    }
  }

  override func hear(_ line: JSONValue) {
    if line["ok"] != nil { return begin(line) }
    guard let event = line["event"]?.string, let sequence = line["seq"]?.integer.flatMap({ UInt64(exactly: $0) }) else {
      return
    }
    world.hold(isCaughtUp || line["notice"] == nil, "\(name) gets a notice of what is told again: \(line)")
    if event == "caught-up" {
      isCaughtUp = true
      world.hold(sequence >= heard, "\(name) is caught up to \(sequence) and has heard \(heard)")
      frontEnds.witness.checkNothingMissed(after: heard, before: sequence + 1, name)
    } else {
      world.hold(sequence > heard, "\(name) hears of \(sequence) again, or behind \(heard)")
      frontEnds.witness.checkNothingMissed(after: heard, before: sequence, name)
    }
    heard = max(heard, sequence)
  }

  private func begin(_ line: JSONValue) {
    world.hold(line["ok"]?.bool == true, "watching is refused: \(line)")
    guard isNew, let start = line["seq"]?.integer.flatMap({ UInt64(exactly: $0) }) else { return }
    isNew = false
    heard = start
  }

  /// At the end everything durable has been heard.
  override var isContent: Bool { connection != nil && !isNew }

  func checkCompleteness() {
    frontEnds.witness.checkNothingMissed(after: heard, before: frontEnds.witness.durable + 1, name)
  }
}
