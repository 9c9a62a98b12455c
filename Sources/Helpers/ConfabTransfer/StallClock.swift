import Clocks
import HelperProtocol

/// Ends a transfer of which less than 1 KiB has moved within its patience.
struct StallClock {
  private let patience: Interval
  private var mark: Instant
  private var marked: UInt64 = 0

  private static let least: UInt64 = 1024

  init(patience: Interval, now: Instant) {
    self.patience = patience
    mark = now
  }

  /// When the transfer ends unless more moves.
  var deadline: Instant { mark.advanced(by: patience) }

  /// Takes how many bytes have moved in all; says whether time is up.
  mutating func isOver(moved: UInt64, now: Instant) -> Bool {
    if moved >= marked + Self.least {
      marked = moved
      mark = now
    }
    return now >= deadline
  }

  var failure: TransferFailure {
    TransferFailure(.time, "the server moved less than 1 KiB in \(patience.milliseconds / 1000) seconds")
  }
}
