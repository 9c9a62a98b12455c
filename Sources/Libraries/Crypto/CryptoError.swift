/// A failure inside the cryptographic library: out of memory, no entropy, an algorithm that the system's policy
/// forbids. Never caused by what a peer sent, except through `iterations` and lengths, which callers bound.
package struct CryptoError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The operation that failed.
  package enum Operation: String, Sendable {
    case hash = "hashing"
    case hmac = "computing an HMAC"
    case keyDerivation = "deriving a key from a password"
    case random = "drawing random bytes"
    case cipher = "running a cipher"
  }

  package let operation: Operation
  /// OpenSSL's packed error code (ERR_get_error), 0 if it gave none.
  package let code: UInt

  package init(_ operation: Operation, code: UInt) {
    self.operation = operation
    self.code = code
  }

  package var description: String {
    "OpenSSL failed while \(operation.rawValue) (error 0x\(String(code, radix: 16)))"
  }
}
