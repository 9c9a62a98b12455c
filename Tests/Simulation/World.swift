import Clocks
import ConfabConfiguration
/// What all parts of a run share: the clock, what is to come, chance, the trace, and whether a promise was broken.
final class World {
  private(set) var now = Moment(
    instant: Instant(milliseconds: 1_000), wall: Timestamp(milliseconds: 1_760_000_000_000))
  var dice: Dice
  let climate: Climate
  /// The rooms that there are; nil: none.
  let rooms: RoomClimate?
  /// How people encrypt; nil: nobody does.
  let encryption: EncryptionClimate?
  /// Chance in encryption, thrown apart.
  var secretDice: Dice
  let bug: Mistake?
  let rewriter: Rewriter
  let trace: Trace
  /// The first promise that was not kept, in words.
  private(set) var broken: String?
  /// What went wrong on purpose, and how often.
  private(set) var faults: [Fault: Int] = [:]
  /// How often each behaviour occurred.
  private(set) var seen: [Behaviour: Int] = [:]
  /// Nothing goes wrong any more: the run comes to its end.
  var isCalm = false
  private var agenda = Agenda()
  private var clockSet: Instant?
  /// Until when the daemon is stopped.
  var stalledUntil = Instant(milliseconds: 0)
  /// Until when the network is slow.
  var slowUntil = Instant(milliseconds: 0)
  /// Until when the disk has little room, and texts of strangers are left in the archive.
  var shortUntil = Instant(milliseconds: 0)
  /// True if the configuration names the server in another way than at first.
  var isReconfigured = false

  init(seed: UInt64, bug: Mistake?, trace: Trace) {
    var dice = Dice(seed: seed)
    // Thrown apart: worlds of servers without this fault stay what they were.
    var other = Dice(seed: ~seed)
    climate = Climate(
      &dice, readsOn: other.percent(25), habits: Habits(&other), readErrors: other.pick([0, 0, 10, 100]))
    (self.dice, self.bug, self.trace) = (dice, bug, trace)
    rooms = RoomClimate(seed: seed)
    encryption = EncryptionClimate(seed: seed)
    secretDice = Dice(seed: seed &* 31 &+ 0x0384)
    rewriter = Rewriter(bug)
  }

  /// A promise.
  func hold(_ isKept: Bool, _ promise: @autoclosure () -> String) {
    guard !isKept, broken == nil else { return }
    let words = promise()
    broken = words
    trace.line(now, "NOT KEPT: \(words)")
  }

  /// Says what goes wrong now.
  func note(_ fault: Fault, _ words: @autoclosure () -> String = "") {
    faults[fault, default: 0] += 1
    trace.line(now, "*** \(fault.rawValue) \(words())")
  }

  func see(_ behaviour: Behaviour) { seen[behaviour, default: 0] += 1 }

  /// True with this chance in a thousand, while the weather lasts.
  func happens(_ permille: Int) -> Bool { !isCalm && dice.permille(permille) }

  // MARK: - Time

  var nextHappening: Instant? { agenda.next }

  func after(_ interval: Interval, _ what: @escaping () -> Void) {
    agenda.add(at: now.instant.advanced(by: interval), what)
  }

  func at(_ instant: Instant, _ what: @escaping () -> Void) { agenda.add(at: max(instant, now.instant), what) }

  /// Does the next thing.
  func goOn() {
    guard let next = agenda.next else { return }
    move(to: next)
    agenda.take()?()
  }

  func move(to instant: Instant) {
    guard instant > now.instant else { return }
    now.wall = now.wall.advanced(by: instant - now.instant)
    now.instant = instant
  }

  /// The server's clock, which nobody sets.
  var serverTime: Timestamp { Timestamp(milliseconds: 1_760_000_000_000 + now.instant.milliseconds) }

  /// Somebody sets the clock on the wall.
  func setClock(by interval: Interval) {
    now.wall = now.wall.advanced(by: interval)
    clockSet = now.instant
  }

  /// Bytes that may still be written.
  var freeSpace: UInt64 { !isCalm && now.instant < shortUntil ? 1 << 20 : 1 << 40 }

  /// Until when the disk has trouble.
  var troubledUntil = Instant(milliseconds: 0)

  var isNetworkSlow: Bool { now.instant <= slowUntil.advanced(by: .minutes(1)) }

  /// The daemon's configuration just now.
  var configuration: Configuration { climate.configuration(isChanged: isReconfigured, encryption?.policy ?? .never) }

  /// True if the clock was set lately, or is wrong.
  var isClockDoubtful: Bool {
    clockWasSet(within: .minutes(10)) || abs((now.wall - serverTime).milliseconds) > 100_000
  }

  func clockWasSet(within interval: Interval) -> Bool { clockSet.map { now.instant - $0 <= interval } ?? false }

  /// The run is over: what was still to come holds on to all that there is.
  func end() { agenda = Agenda() }
}
