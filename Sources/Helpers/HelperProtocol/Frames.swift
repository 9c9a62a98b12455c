/// Messages on a stream: each behind its length, four bytes with the most significant first.
package enum Frame {
  /// The most bytes of one, unless another limit is said.
  package static let limit = 1 << 18

  /// - Returns: nil for a message over the limit.
  package static func encode(_ message: [UInt8], limit: Int = limit) -> [UInt8]? {
    guard message.count <= limit else { return nil }
    return stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: message.count >> $0) } + message
  }
}

/// Takes messages out of the bytes of a stream.
package struct FrameReader: Sendable {
  private var pending: [UInt8] = []
  private let limit: Int

  package init(limit: Int = Frame.limit) { self.limit = limit }

  package mutating func receive(_ bytes: [UInt8]) { pending += bytes }

  /// The next whole message; nil if there is none yet.
  ///
  /// - Throws: for a length over the limit, behind which nothing can be read.
  package mutating func next() throws(FrameError) -> [UInt8]? {
    guard pending.count >= 4 else { return nil }
    let length = pending[..<4].reduce(0) { $0 << 8 | Int($1) }
    guard length <= limit else { throw FrameError() }
    guard pending.count >= 4 + length else { return nil }
    defer { pending.removeSubrange(..<(4 + length)) }
    return Array(pending[4..<4 + length])
  }
}

/// A message longer than any that is sent.
package struct FrameError: Error, Equatable {}
