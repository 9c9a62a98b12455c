import Clocks

/// What happened in a run: a digest of all of it, byte for byte, and lines to read where somebody wants them.
package final class Trace {
  /// Of every event and action so far.
  package private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
  private let print: ((String) -> Void)?

  /// - Parameter print: gets each line; nil: nobody reads.
  package init(print: ((String) -> Void)? = nil) { self.print = print }

  /// Somebody reads.
  var isRead: Bool { print != nil }

  /// Something that counts: part of the digest. FNV-1a.
  func mix(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    digest = (digest ^ 0x100) &* 0x100_0000_01B3
  }

  func mix(_ number: UInt64) { digest = (digest ^ number) &* 0x100_0000_01B3 }

  /// A line for people.
  func line(_ now: Moment, _ text: @autoclosure () -> String) {
    guard let print else { return }
    let time = String(now.instant.milliseconds)
    let padded = String(repeating: " ", count: max(0, 9 - time.count)) + time
    print("\(padded) \(text())")
  }
}
