package import Crypto

/// A report of a transfer.
package enum TransferEvent: Equatable, Sendable {
  /// At most four a second. `total` is unknown until the server says it.
  case progress(done: UInt64, total: UInt64?)
  /// The end of a transfer that has moved all bytes.
  case done(TransferResult)
  /// The end of one that has not.
  case failed(TransferFailure)

  /// True if no event follows.
  package var isEnd: Bool {
    switch self {
    case .progress: false
    case .done, .failed: true
    }
  }
}

/// A transfer that has moved all bytes.
package struct TransferResult: Equatable, Sendable {
  /// The HTTP status, 200 to 299.
  package let status: Int
  /// The server's Content-Type, at most 255 bytes of ASCII without control characters; nil if it sent none.
  package let contentType: String?
  package let byteCount: UInt64
  /// Hashes that were asked for.
  package let hashes: [HashAlgorithm: [UInt8]]

  package init(status: Int, contentType: String? = nil, byteCount: UInt64, hashes: [HashAlgorithm: [UInt8]] = [:]) {
    self.status = status
    self.contentType = contentType
    self.byteCount = byteCount
    self.hashes = hashes
  }
}

/// A transfer that has failed. The file may hold a part of the bytes.
package struct TransferFailure: Error, Equatable, Sendable {
  package enum Cause: Equatable, Sendable {
    /// The address, or one that it led to, is private, or not of http or https, or plain http behind https.
    case notAllowed
    /// More bytes than the limit.
    case tooLarge
    /// The disk is full, or the quota used up.
    case noSpace
    /// The file cannot be read or written, or has another size than was said.
    case file
    /// A status other than the expected ones.
    case status(Int)
    /// The URL cannot be read.
    case url
    /// The name is not known, or cannot be resolved.
    case name
    /// Nothing listens there, or it cannot be reached; at the proxy, too.
    case connection
    /// No TLS 1.2 or later, or no certificate that is trusted for this host.
    case tls
    /// The connection was lost, or the body is shorter than its length.
    case cut
    /// Less than 1 KiB within the patience.
    case time
    /// More than 10 redirects.
    case redirects
    /// The server breaks HTTP, or sends headers without end.
    case http
    /// `confab-transfer` cannot be started, or has ended early.
    case program
  }

  package let cause: Cause
  /// The reason, for people: a sentence without its first capital and its full stop.
  package let reason: String

  package init(_ cause: Cause, _ reason: String) {
    self.cause = cause
    self.reason = reason
  }
}
