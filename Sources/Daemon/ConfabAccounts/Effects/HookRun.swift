package import Clocks

/// Names one run of a hook's command; never used again after it ended.
package struct HookRunID: Hashable, Sendable {
  package let number: UInt64
  package init(_ number: UInt64) { self.number = number }
}

/// A run of a hook's command.
package struct HookRun: Sendable, Equatable {
  package let id: HookRunID
  /// A line for `/bin/sh -c`.
  package let command: String
  /// Its standard input: the event as a line.
  package let input: [UInt8]
  /// The run is killed after this time.
  package let timeout: Interval

  package init(id: HookRunID, command: String, input: [UInt8], timeout: Interval) {
    (self.id, self.command, self.input, self.timeout) = (id, command, input, timeout)
  }
}

/// The result of a run.
package enum HookOutcome: Sendable, Equatable {
  /// With the exit status 0.
  case done
  /// Otherwise: the reason in words, one line that is bounded and has no control characters.
  case failed(String)
}
