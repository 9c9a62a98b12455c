import Clocks
import Crypto
import HelperProtocol
import JSON
import Syscalls
import TestSupport

/// Transfers by the real program, each with a file of its own.
struct Mover {
  let web: HostileWeb

  /// A transfer that has ended.
  struct Outcome {
    let events: [TransferEvent]
    let bytes: [UInt8]

    var result: TransferResult? { if case .done(let result) = events.last { result } else { nil } }
    var failure: TransferFailure? { if case .failed(let failure) = events.last { failure } else { nil } }
    var cause: TransferFailure.Cause? { failure?.cause }
  }

  /// A request to the web's hosts, but `secret.test` at a private address.
  func request(_ direction: TransferRequest.Direction = .get(limit: 1 << 20), _ url: String) throws -> TransferRequest {
    let origins = ["example.test", "other.test"].flatMap { [web.plain("", host: $0), web.secure("", host: $0)] }
    return TransferRequest(
      direction, url: url, privateOrigins: url.contains("//example.test:") ? origins + [url] : origins,
      authorityFile: try Certificates.authority(), authorityHosts: ["example.test"], nameServers: [web.nameServer])
  }

  func get(
    _ url: String, limit: UInt64 = 1 << 20, _ change: (inout TransferRequest) -> Void = { _ in }
  ) throws -> Outcome {
    var request = try request(.get(limit: limit), url)
    change(&request)
    return try run(request)
  }

  func put(
    _ url: String, _ bytes: [UInt8], size: Int? = nil, _ change: (inout TransferRequest) -> Void = { _ in }
  ) throws -> Outcome {
    var request = try request(.put(size: UInt64(size ?? bytes.count)), url)
    change(&request)
    return try run(request, content: bytes)
  }

  func run(_ request: TransferRequest, content: [UInt8] = []) throws -> Outcome {
    let file = try Files.inMemory(content)
    let process = try TransferProcess(request, file: file.raw, program: Self.program)
    let events = try Self.events(of: process)
    return Outcome(events: events, bytes: try Files.readAll(file.raw, limit: 1 << 28) ?? [])
  }

  static let program = Products.program("confab-transfer")

  /// All events up to the last one.
  static func events(of process: TransferProcess, within deadline: Deadline = .seconds(60)) throws -> [TransferEvent] {
    var events: [TransferEvent] = []
    while events.last?.isEnd != true {
      guard
        try Descriptors.wait(toRead: process.descriptor, milliseconds: deadline.remainingMilliseconds) == .readable
      else { throw TestFailure("no end of the transfer; so far: \(events)") }
      events += process.receive()
    }
    return events
  }
}

extension JSONValue {
  /// `Name: value` each, of a request that the web has had.
  var headers: [String] { self["headers"]?.members?.map { "\($0.name): \($0.value.string ?? "")" } ?? [] }
}

extension String {
  /// With codes for what is not a letter or digit, as in a query.
  var encoded: String {
    utf8.map { byte in
      let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
