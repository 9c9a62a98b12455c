import Simulation
import Testing

@Suite("the simulator")
struct SimulationTests {
  @Test("the same seed does the same, byte for byte; another does something else")
  func digest() {
    let (one, again, other) = (Simulation(seed: 3).run(), Simulation(seed: 3).run(), Simulation(seed: 4).run())
    #expect(one.digest == again.digest)
    #expect(one.faults == again.faults)
    #expect(one.digest != other.digest)
  }

  /// A thousand seeds are run by `make test-long`.
  @Test("the promises hold, whatever goes wrong, and each habit and each fault of the field occurs")
  func promises() {
    // What rooms lose, forget and do to the user, and what is readable late, is in few worlds, which `make test-long` runs.
    var habits = Set(Behaviour.allCases).subtracting([
      .roomLoss, .roomForgot, .roomRepeat, .roomModeration, .roomDeaf, .roomExpulsion, .roomWhisper, .roomAnswer,
      .openedLate,
    ])
    var faults: Set = [Fault.serverChange, .reload, .deadPath, .signOff]
    // Somebody takes another's nick, and strangers meet a disk with little room, in few worlds: 49 and 92.
    for seed in Array(1...40) + [49, 92] as [UInt64] where !habits.isEmpty || !faults.isEmpty || seed <= 8 {
      let outcome = Simulation(seed: seed).run()
      #expect(outcome.broken == nil, "confab-simulate --seed \(seed) --trace")
      #expect(outcome.events >= 1_000)
      habits.subtract(outcome.seen.keys)
      faults.subtract(outcome.faults.keys)
    }
    #expect(habits.isEmpty && faults.isEmpty, "not seen: \(habits), \(faults)")
  }

  /// A watcher that was not told of what a read error hid, a text taken for forgotten after the clock was put back, a disk
  /// that works again while the log is being read anew, and a read position of what a full disk took back. Of encryption:
  /// a message that waits for keys on a new stream, a session that another one replaced, keys that were published before
  /// they were durable, a copy of a change, the second stanza of a message, and secrets that a change of the epoch left
  /// out.
  @Test(
    "worlds that broke a promise once keep it",
    arguments: [132, 408, 4091, 4479, 5191, 42, 207, 439, 471, 924, 950] as [UInt64])
  func mended(seed: UInt64) {
    #expect(Simulation(seed: seed).run().broken == nil, "confab-simulate --seed \(seed) --trace")
  }

  @Test(
    "a mistake made on purpose is found",
    arguments: [
      (Mistake.earlyCompletion, 1), (.ignoredFailure, 1), (.lyingSync, 1), (.doubleFold, 1), (.lostBareSignal, 1),
      (.encryptedAnew, 60), (.keptEpoch, 180),
    ] as [(Mistake, UInt64)])
  func mistakes(bug: Mistake, from first: UInt64) {
    let seed = (first..<first + 40).first { Simulation(seed: $0, bug: bug).run().broken != nil }
    #expect(seed != nil)
  }
}
