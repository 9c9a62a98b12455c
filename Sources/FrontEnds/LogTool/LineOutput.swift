/// Lines on their way out, in blocks of 64 KiB. Once the reader is gone, nothing more is written. One thread.
package final class LineOutput {
  private static let block = 64 << 10

  private let put: ([UInt8]) -> Bool
  private var pending: [UInt8] = []
  /// True until the reader closes the output.
  package private(set) var isOpen = true

  /// `put` writes all it is given, and is false if nobody reads any more.
  package init(_ put: @escaping ([UInt8]) -> Bool) { self.put = put }

  /// One line; what it says must be safe for a terminal.
  package func line(_ text: String) { write(text + "\n") }

  package func write(_ text: String) { write(bytes: Array(text.utf8)) }

  package func write(bytes: [UInt8]) {
    guard isOpen else { return }
    pending += bytes
    if pending.count >= Self.block { flush() }
  }

  /// Writes out what is pending.
  package func flush() {
    if isOpen, !pending.isEmpty { isOpen = put(pending) }
    pending.removeAll(keepingCapacity: true)
  }
}
