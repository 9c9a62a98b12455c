import JSON
package import LineProtocol
package import Syscalls

/// Asks the daemon one thing at a time over a connection that it makes when it is needed.
package struct DaemonClient {
  /// Makes a connection; `isRepeat` after one was cut, when the daemon may be about to come back.
  package typealias Dial = (_ isRepeat: Bool) throws(TransportFailure) -> any LineTransport

  private let dial: Dial
  private var transport: (any LineTransport)?
  /// The UUID of the log, from the last greeting.
  package private(set) var log: String?
  /// Bytes of files that may wait to be uploaded, from the last greeting; nil: it does not say.
  private var spoolSize: UInt64?

  package init(dial: @escaping Dial) {
    self.dial = dial
  }

  /// Asks, hands on every line before the final one, and returns that. Descriptors go with the request.
  ///
  /// A `send` or `send-file` with a key is repeated once after a cut, since the key makes that safe.
  package mutating func ask(
    _ request: Request, passing descriptors: [PassedDescriptor] = [],
    _ each: (ReceivedLine) throws(TransportFailure) -> Void = { _ in }
  ) throws(TransportFailure) -> ReceivedLine {
    do {
      return try askOnce(request, descriptors, isRepeat: false, each)
    } catch {
      transport = nil
      let isRepeatable = [.send, .sendFile].contains(request.verb) && request.options[.key] != nil
      guard error.kind == .cut, isRepeatable else { throw error }
      do {
        return try askOnce(request, descriptors, isRepeat: true, each)
      } catch let second {
        throw TransportFailure(second.kind, second.reason, nothingSent: error.nothingSent && second.nothingSent)
      }
    }
  }

  /// Bytes of files that may wait to be uploaded, as the daemon greets; nil: it does not say.
  package mutating func askSpoolSize() throws(TransportFailure) -> UInt64? {
    _ = try connected(isRepeat: false)
    return spoolSize
  }

  /// The descriptor that came with the last final line.
  package func takeDescriptor() -> PassedDescriptor? { transport?.takeDescriptor() }

  /// Hands on the event lines that come after a `watch`, until the connection ends.
  package mutating func follow(
    _ each: (ReceivedLine) throws(TransportFailure) -> Void
  ) throws(TransportFailure) -> Never {
    while true { try each(try next(from: try connected(isRepeat: false))) }
  }
}

// MARK: - One connection

extension DaemonClient {
  private mutating func askOnce(
    _ request: Request, _ descriptors: [PassedDescriptor], isRepeat: Bool,
    _ each: (ReceivedLine) throws(TransportFailure) -> Void
  ) throws(TransportFailure) -> ReceivedLine {
    let transport = try connected(isRepeat: isRepeat)
    try transport.write(request.encoded(), passing: descriptors)
    while true {
      let line = try next(from: transport)
      switch line.kind {
      case .done, .refused: return line
      case .event, .data: try each(line)
      }
    }
  }

  private mutating func connected(isRepeat: Bool) throws(TransportFailure) -> any LineTransport {
    if let transport { return transport }
    let made = try dial(isRepeat)
    let greeting = try Self.greeting(of: made)
    let other = greeting["log"]?.string
    // A key is known to the log that stored it: in another one the text would be stored again, or for somebody else.
    if isRepeat, let log, other != log {
      throw TransportFailure(.cut, "the daemon has another log now: nothing was sent again", nothingSent: true)
    }
    log = other
    spoolSize = greeting["limits"]?["files"]?.integer.flatMap { UInt64(exactly: $0) }
    transport = made
    return made
  }

  private func next(from transport: any LineTransport) throws(TransportFailure) -> ReceivedLine {
    guard let bytes = try transport.readLine() else { throw TransportFailure(.cut, "the daemon closed the connection") }
    guard let line = ReceivedLine(bytes) else { throw TransportFailure(.notConfab, "the answer is no confabd's") }
    return line
  }

  /// Nothing has been asked yet, so whatever is wrong here, nothing was sent.
  private static func greeting(of transport: any LineTransport) throws(TransportFailure) -> JSONValue {
    let bytes: [UInt8]?
    do {
      bytes = try transport.readLine()
    } catch {
      throw TransportFailure(.cut, error.reason, nothingSent: true)
    }
    guard let bytes else { throw TransportFailure(.cut, "the daemon closed without a greeting", nothingSent: true) }
    guard let line = ReceivedLine(bytes) else {
      throw TransportFailure(.notConfab, "what answers there is no confabd", nothingSent: true)
    }
    if case .refused(let code, let reason) = line.kind {
      let kind: TransportFailure.Kind = code == ErrorCode.notAllowed.rawValue ? .notAllowed : .busy
      throw TransportFailure(kind, reason, nothingSent: true)
    }
    guard line.object["confab"]?.integer == 1 else {
      throw TransportFailure(.notConfab, "the daemon speaks another version of the protocol", nothingSent: true)
    }
    return line.object
  }
}
