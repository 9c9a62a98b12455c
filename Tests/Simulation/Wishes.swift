import JSON
import Records

/// What a front end wants of a message beside its being sent.
struct Wishes {
  private var hold: Int?
  private var expires: Int?
  private var wanted: DeliveryState?

  init(_ dice: inout Dice) {
    if dice.percent(15) { hold = dice.pick([1, 20, 300]) }
    if dice.percent(10) { expires = (hold ?? 0) + dice.pick([2, 30, 600]) }
    if dice.percent(15) { wanted = dice.pick([.sent, .delivered]) }
  }

  var options: String {
    (hold.map { " hold=\($0)s" } ?? "") + (expires.map { " expires=\($0)s" } ?? "")
      + (wanted.map { " wait=\($0.word) timeout=20s" } ?? "")
  }

  /// Who waits is answered when it is so, or when time is up; the log knows it before.
  func check(_ line: JSONValue, _ witness: LogWitness) {
    guard let wanted, let id = line["id"]?.integer.flatMap({ UInt64(exactly: $0) }) else { return }
    let isOver = witness.state(of: id) >= wanted
    witness.world.hold(line["ok"]?.bool != true || isOver, "\(line) was answered, and the log has less")
    witness.world.hold(line["error"]?.string != "failed" || isOver, "\(line) was answered, and it has not failed")
  }

  /// What is done with it later.
  func deed(_ dice: inout Dice) -> Deed? {
    guard hold != nil || dice.percent(15) else { return nil }
    return dice.percent(60) ? dice.pick([.cancel, .release]) : .wait
  }
}

/// What a front end does with a message that it has sent.
enum Deed: String, CaseIterable {
  case cancel, release, wait

  init?(tag: String) {
    guard let deed = Self.allCases.first(where: { tag.hasPrefix("\($0)-") }) else { return nil }
    self = deed
  }

  func request(_ id: UInt64) -> String {
    self == .wait ? "wait tag=wait-\(id) for=sent timeout=10s \(id)\n" : "\(self) tag=\(self)-\(id) \(id)\n"
  }

  /// `ok` means that it is so, durably.
  func check(_ line: JSONValue, _ witness: LogWitness) {
    guard line["ok"]?.bool == true, let id = line["id"]?.integer.flatMap({ UInt64(exactly: $0) }) else { return }
    let isSo =
      switch self {
      case .cancel: witness.state(of: id) == .cancelled
      case .release: witness.releases[id] != nil
      // It may have come back since, as undeliverable.
      case .wait:
        witness.states(of: id).contains { .sent...(.displayed) ~= $0 && $0.word == line["state"]?.string }
      }
    witness.world.hold(isSo, "\(self) was answered \(line), and the log says \(witness.state(of: id).word)")
  }
}
