import Syscalls

/// What is left to chance in a test, and how much of it there is: the environment decides, so that a run can be repeated
/// and made longer.
package struct Chance {
  /// CONFAB_SEED, or any number.
  package let seed: UInt64
  private var generator: SplitMix

  /// Prints the seed: a run with the same one draws the same.
  ///
  /// - Parameter purpose: which test draws.
  package init(_ purpose: String) {
    seed = ProcessEnvironment.current["CONFAB_SEED"].flatMap { UInt64($0) } ?? .random(in: 1...999_999)
    generator = SplitMix(seed: seed)
    print("\(purpose): CONFAB_SEED=\(seed)")
  }

  /// A number of the environment; `usual` where there is none.
  package static func count(_ name: String, usual: Int) -> Int {
    ProcessEnvironment.current[name].flatMap { Int($0) } ?? usual
  }

  /// A number of the range, each as likely as another.
  package mutating func draw(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }

  /// Lets a moment pass that chance decides, up to so many milliseconds.
  package mutating func pause(upTo milliseconds: Int) {
    _ = Readiness.wait(forReading: [], until: .milliseconds(Int64(draw(0...milliseconds))))
  }
}
