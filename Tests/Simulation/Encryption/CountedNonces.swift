import ConfabAccounts

/// A mistake: nonces of 12 bytes are counted on from the number of the newest durable record, and not of chance. Behind a
/// kill or a write that never ended those numbers come again.
final class CountedNonces: RandomSource {
  private let random: any RandomSource
  private var last: UInt64

  /// - Parameter durable: the number of the newest durable record, where the daemon starts.
  init(_ random: any RandomSource, from durable: UInt64) { (self.random, last) = (random, durable) }

  func bytes(_ count: Int) -> [UInt8] {
    guard count == 12 else { return random.bytes(count) }
    last += 1
    return (0..<12).map { $0 < 8 ? UInt8(truncatingIfNeeded: last >> ($0 * 8)) : 0 }
  }
}
