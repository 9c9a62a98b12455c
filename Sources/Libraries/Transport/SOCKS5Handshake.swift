/// The exchange of a client and a SOCKS5 proxy before the proxy relays (RFC 1928; user name and
/// password by RFC 1929). Bytes in, bytes out.
///
/// The proxy resolves names, so no DNS query is sent.
package struct SOCKS5Handshake: Sendable {
  /// The next step after bytes of the proxy.
  package enum Step: Equatable, Sendable {
    /// Nothing: its answer is not whole yet.
    case wait
    case send([UInt8])
    /// The proxy relays from now on.
    case done
    /// It is over; what the proxy did, in words that go behind its name.
    case failed(String)

    fileprivate var isFailure: Bool { if case .failed = self { true } else { false } }
  }

  private enum State { case choosing, authenticating, requesting, over }

  /// A whole answer: its length, and what follows from it.
  private typealias Answer = (length: Int, step: Step)

  private let request: [UInt8]
  /// The message of RFC 1929; nil without credentials.
  private let credentials: [UInt8]?
  private var state = State.choosing
  /// The received part of an answer: less than 262 bytes.
  private var received: [UInt8] = []

  private static let version: UInt8 = 5
  private static let noAuthentication: UInt8 = 0
  private static let userPassword: UInt8 = 2
  private static let noneAcceptable: UInt8 = 0xff

  /// - Parameters:
  ///   - user: 1 to 255 bytes, as its password; nil: there is none.
  /// - Returns: nil for a name or credentials that do not fit into the protocol.
  package init?(to host: Host, port: UInt16, user: [UInt8]? = nil, password: [UInt8] = []) {
    guard let place = host.encoded else { return nil }
    request = [Self.version, 1, 0] + place + [UInt8(port >> 8), UInt8(port & 0xff)]
    guard let user else {
      credentials = nil
      return
    }
    guard let user = Self.counted(user), let password = Self.counted(password) else { return nil }
    credentials = [1] + user + password
  }

  private static func counted(_ bytes: [UInt8]) -> [UInt8]? {
    UInt8(exactly: bytes.count).flatMap { $0 > 0 ? [$0] + bytes : nil }
  }

  /// The first message: it offers the configured authentication method.
  package var greeting: [UInt8] { [Self.version, 1, credentials == nil ? Self.noAuthentication : Self.userPassword] }

  /// Takes bytes that came. After `done` and `failed` nothing is expected any more.
  package mutating func receive(_ bytes: [UInt8]) -> Step {
    received += bytes
    guard let answer = answer() else { return .wait }
    let isWhole = answer.length == received.count
    received = []
    if answer.step.isFailure { state = .over }
    guard !isWhole, !answer.step.isFailure else { return answer.step }
    state = .over
    // Extra bytes are an error, because they would be taken for the server's.
    return .failed("sent more than was asked for")
  }

  /// Reads what has come; nil while it is not whole.
  private mutating func answer() -> Answer? {
    switch state {
    case .choosing: received.count < 2 ? nil : (2, methodChosen(received[1]))
    case .authenticating: received.count < 2 ? nil : (2, authenticated(received[1]))
    case .requesting: reply()
    case .over: nil
    }
  }

  private mutating func methodChosen(_ method: UInt8) -> Step {
    guard received[0] == Self.version else { return .failed("does not speak SOCKS5") }
    switch (method, credentials) {
    case (Self.noAuthentication, nil):
      state = .requesting
      return .send(request)
    case (Self.userPassword, .some(let credentials)):
      state = .authenticating
      return .send(credentials)
    case (Self.noneAcceptable, nil): return .failed("wants a user name and a password")
    case (Self.noneAcceptable, .some): return .failed("accepts no user name and password")
    default: return .failed("chose a login method that was not offered")
    }
  }

  private mutating func authenticated(_ status: UInt8) -> Step {
    guard received[0] == 1 else { return .failed("broke the protocol of the user name and password") }
    guard status == 0 else { return .failed("says that the user name or the password is wrong") }
    state = .requesting
    return .send(request)
  }

  /// The address in the reply tells nothing. A refusal may stop short of it.
  private mutating func reply() -> Answer? {
    guard received.count >= 2 else { return nil }
    guard received[0] == Self.version else { return (1, .failed("broke the protocol in its reply")) }
    guard received[1] == 0 else { return (2, .failed(Self.words(received[1]))) }
    guard received.count >= 5 else { return nil }
    let addressLength: Int
    switch received[3] {
    case 1: addressLength = 4
    case 3: addressLength = 1 + Int(received[4])
    case 4: addressLength = 16
    default: return (4, .failed("broke the protocol in its reply"))
    }
    let length = 4 + addressLength + 2
    guard received.count >= length else { return nil }
    state = .over
    return (length, .done)
  }

  /// The replies of RFC 1928, section 6, and of Tor for onion services.
  private static func words(_ code: UInt8) -> String {
    switch code {
    case 1: "failed"
    case 2: "does not allow the connection"
    case 3: "cannot reach the network"
    case 4: "cannot reach the host"
    case 5: "was refused the connection"
    case 6: "reports that the connection's time to live expired"
    case 7: "does not support connecting"
    case 8: "does not support this type of address"
    case 0xf0: "cannot find the onion service"
    case 0xf1: "found a bad description of the onion service"
    case 0xf2, 0xf3, 0xf7: "cannot connect to the onion service"
    case 0xf4, 0xf5: "may not use the onion service"
    case 0xf6: "says that the onion address is wrong"
    default: "failed (\(code))"
    }
  }
}

extension SOCKS5Handshake {
  /// The host to which the proxy connects.
  package enum Host: Equatable, Sendable {
    case name(String)
    /// 4 or 16 bytes.
    case address([UInt8])

    /// The address type and the address; nil for what the protocol cannot carry.
    fileprivate var encoded: [UInt8]? {
      switch self {
      case .address(let bytes) where bytes.count == 4: [1] + bytes
      case .address(let bytes) where bytes.count == 16: [4] + bytes
      case .address: nil
      case .name(let name):
        UInt8(exactly: name.utf8.count).flatMap { length in
          length > 0 && name.utf8.allSatisfy { (0x21..<0x7f).contains($0) } ? [3, length] + Array(name.utf8) : nil
        }
      }
    }
  }
}
