import Clocks
import HelperProtocol
import Reactor
import Syscalls
import Transport

/// One transfer: connects, requests, follows redirects.
final class TransferRun {
  let request: TransferRequest
  let body: TransferBody
  let socket: EventSocket
  private let client: HTTPClient
  private let loop: EventLoop
  private let resolver: LoopResolver
  private let authorities: Authorities
  var clock: StallClock
  /// Bytes of hops before, and of this one.
  private var movedBefore: UInt64 = 0
  var movedNow: UInt64 = 0
  var received: UInt64 = 0
  var total: UInt64?
  var head = ResponseHead()
  /// Why the present exchange was stopped.
  var failure: TransferFailure?

  private static let mostRedirects = 10

  init(
    _ request: TransferRequest, body: TransferBody, socket: EventSocket, client: HTTPClient, loop: EventLoop,
    resolver: LoopResolver, authorities: Authorities
  ) {
    self.request = request
    self.body = body
    self.socket = socket
    self.client = client
    self.loop = loop
    self.resolver = resolver
    self.authorities = authorities
    clock = StallClock(patience: request.patience, now: loop.now().instant)
  }

  /// Does all of it.
  func run() -> TransferEvent {
    do throws(TransferFailure) {
      return .done(try result())
    } catch {
      return .failed(error)
    }
  }

  private func result() throws(TransferFailure) -> TransferResult {
    try judgeSize()
    var destination = try Destination(request.url, from: nil, for: request)
    let first = destination.host
    for _ in 0...Self.mostRedirects {
      try exchange(with: destination, headers: destination.host == first ? request.headers : [])
      guard let next = try redirect(from: destination) else { return try finished() }
      destination = next
    }
    throw TransferFailure(.redirects, "the server redirects more than \(Self.mostRedirects) times")
  }

  /// The file that is sent must have the size that was said, before and after.
  private func judgeSize() throws(TransferFailure) {
    guard case .put(let size) = request.direction, try body.size() != size else { return }
    throw TransferFailure(.file, "the file has not \(size) bytes any more")
  }

  private func exchange(with destination: Destination, headers: [TransferHeader]) throws(TransferFailure) {
    let fd = try Dialling(loop: loop, resolver: resolver, owner: socket.fd).connect(
      to: destination, proxy: request.proxy, until: clock.deadline, patience: request.patience)
    (head, failure, received) = (ResponseHead(), nil, 0)
    movedBefore += movedNow
    movedNow = 0
    let end = client.run(
      HTTPRequest(
        method, destination.address, headers: headers.map { "\($0.name): \($0.value)" },
        authorities: authorities.trusted(at: destination.host)), on: fd, self)
    if let failure { throw failure }
    try judge(end, destination)
  }

  private var method: HTTPRequest.Method {
    switch request.direction {
    case .get: .get
    case .put(let size): .put(size + request.overhead)
    }
  }

  private func judge(_ end: HTTPEnd, _ destination: Destination) throws(TransferFailure) {
    switch end {
    case .finished: break
    case .stopped: throw TransferFailure(.cut, "the transfer was stopped")
    case .cut(let words): throw TransferFailure(.cut, "\(destination.host) cut the connection: \(words)")
    case .tls(let words): throw TransferFailure(.tls, "no secure connection to \(destination.host): \(words)")
    case .broken(let words): throw TransferFailure(.http, "\(destination.host) does not speak HTTP: \(words)")
    }
  }

  /// Returns the destination to which the response redirects; nil if it does not.
  private func redirect(from destination: Destination) throws(TransferFailure) -> Destination? {
    guard isRedirect(head.status), let location = head.location else { return nil }
    return try Destination(location, from: destination, for: request)
  }

  private func isRedirect(_ status: Int) -> Bool {
    switch request.direction {
    case .get: [301, 302, 303, 307, 308].contains(status)
    // Others make a GET of it.
    case .put: [307, 308].contains(status)
    }
  }

  private func finished() throws(TransferFailure) -> TransferResult {
    guard isSuccess(head.status) else {
      throw TransferFailure(.status(head.status), "the server answers with status \(head.status)")
    }
    let type = head.contentType.flatMap(TransferResult.cleanedType)
    guard case .put(let size) = request.direction else {
      try body.finish()
      return TransferResult(
        status: head.status, contentType: type, byteCount: received - request.overhead, hashes: try body.hashes())
    }
    let hashes = try body.hashes()
    try judgeSize()
    guard received == size + request.overhead else {
      throw TransferFailure(.cut, "the server answers before it has all bytes")
    }
    return TransferResult(status: head.status, contentType: type, byteCount: size, hashes: hashes)
  }

  func isSuccess(_ status: Int) -> Bool {
    switch request.direction {
    case .get: status == 200 || status == 203
    case .put: (200..<300).contains(status)
    }
  }

  var now: Instant { loop.now().instant }

  /// Bytes of all hops.
  var moved: UInt64 { movedBefore + movedNow }
}
