import Bytes

/// The engine's source of randomness: the system's generator in the daemon, a seeded one in a simulator.
package protocol RandomSource: AnyObject {
  /// `count` random bytes.
  func bytes(_ count: Int) -> [UInt8]
}

extension RandomSource {
  /// A random number below `bound` (at least 1), slightly biased for huge bounds: for jitter, not for keys.
  package func number(below bound: UInt64) -> UInt64 {
    bytes(8).reduce(0) { $0 << 8 | UInt64($1) } % max(bound, 1)
  }

  /// An unpredictable word of so many bytes.
  package func token(bytes count: Int) -> String { Base64.encodeURL(bytes(count)) }
}
