import Simulation
import Testing

@Suite("the simulator")
struct SimulationTests {
  @Test("the promises hold, whatever goes wrong", arguments: 1...8 as ClosedRange<UInt64>)
  func promises(seed: UInt64) {
    let outcome = Simulation(seed: seed).run()
    #expect(outcome.broken == nil, "confab-simulate --seed \(seed) --trace")
    #expect(outcome.events >= 1_000)
  }

  @Test("the same seed does the same, byte for byte; another does something else")
  func digest() {
    let (one, again, other) = (Simulation(seed: 3).run(), Simulation(seed: 3).run(), Simulation(seed: 4).run())
    #expect(one.digest == again.digest)
    #expect(one.faults == again.faults)
    #expect(one.digest != other.digest)
  }

  @Test("each habit and each fault of the field occurs")
  func behaviours() {
    let outcomes = (1...40 as ClosedRange<UInt64>).map { Simulation(seed: $0).run() }
    #expect(outcomes.allSatisfy { $0.broken == nil })
    for behaviour in Behaviour.allCases {
      #expect(outcomes.contains { $0.seen[behaviour] != nil }, "\(behaviour.rawValue)")
    }
    for fault in [Fault.serverChange, .reload, .deadPath, .signOff] {
      #expect(outcomes.contains { $0.faults[fault] != nil }, "\(fault.rawValue)")
    }
  }

  @Test(
    "a mistake made on purpose is found",
    arguments: [Mistake.earlyCompletion, .ignoredFailure, .lyingSync, .doubleFold])
  func mistakes(bug: Mistake) {
    let seed = (1...40 as ClosedRange<UInt64>).first { Simulation(seed: $0, bug: bug).run().broken != nil }
    #expect(seed != nil)
  }
}
