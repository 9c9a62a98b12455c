/// A request, on a connection that is there already.
struct HTTPRequest {
  enum Method: Equatable, Sendable {
    case get
    /// The body has exactly so many bytes.
    case put(UInt64)
  }

  /// The authorities that are trusted with certificates.
  enum Authorities: Equatable, Sendable {
    /// A directory with names by hashes.
    case directory(String)
    /// PEM.
    case bytes([UInt8])
  }

  let method: Method
  let address: WebAddress
  /// `Name: value` each.
  let headers: [String]
  let authorities: Authorities

  init(_ method: Method, _ address: WebAddress, headers: [String], authorities: Authorities) {
    self.method = method
    self.address = address
    self.headers = headers
    self.authorities = authorities
  }
}

/// The taker of a response. All is called inside `HTTPExchange.run`.
protocol HTTPHandler: AnyObject {
  /// The headers are whole; says whether the body is wanted.
  func begin(_ head: ResponseHead) -> Bool
  /// Takes bytes of the body; says whether it goes on.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool
  /// Gives bytes of the request's body from an offset on; nil if it cannot.
  func send(into buffer: UnsafeMutableRawBufferPointer, from offset: UInt64) -> Int?
  /// Called at least every quarter of a second, with the bytes that have gone and come so far, headers too; says whether
  /// it goes on.
  func tick(moved: UInt64) -> Bool
}

/// The end of an exchange.
enum HTTPEnd: Equatable, Sendable {
  /// The response is whole, or as far as it was wanted.
  case finished
  /// The handler did not go on.
  case stopped
  /// The connection was lost, or the body was short.
  case cut(String)
  case tls(String)
  /// The server broke the protocol.
  case broken(String)
}
