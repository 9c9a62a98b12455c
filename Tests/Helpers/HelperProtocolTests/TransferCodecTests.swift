import Bytes
import Clocks
import Crypto
import Testing

@testable import HelperProtocol

@Suite("Requests and events of a transfer")
struct TransferCodecTests {
  static var request: TransferRequest {
    get throws {
      TransferRequest(
        .put(size: .max), url: "https://example.org/ä?b=c#d",
        headers: [try #require(TransferHeader(name: "Authorization", value: "Bearer x, y"))], privateAddresses: true,
        privateOrigins: ["https://a.example", "https://[::1]:444"], authorityFile: "/etc/ca.pem",
        authorityHosts: ["b.example"],
        proxy: SOCKSProxy(host: "127.0.0.1", port: 9050, user: [0, 255], password: [1]),
        nameServers: ["127.0.0.1:53"], hashes: HashAlgorithm.allCases, patience: .milliseconds(-1),
        key: FileKey(key: [UInt8](0..<32), nonce: [UInt8](0..<12)))
    }
  }

  static let events: [TransferEvent] =
    [
      .progress(done: 0, total: nil), .progress(done: .max, total: 0),
      .done(TransferResult(status: 200, contentType: "a/b", byteCount: 5, hashes: [.sha1: [UInt8](0..<20)])),
      .done(TransferResult(status: 204, byteCount: 0)), .failed(TransferFailure(.status(503), "busy")),
    ] + causes.map { .failed(TransferFailure($0, "why")) }

  private static let causes: [TransferFailure.Cause] = [
    .notAllowed, .tooLarge, .noSpace, .file, .url, .name, .connection, .tls, .cut, .time, .redirects, .http, .program,
  ]

  @Test("What is written reads the same")
  func roundTrip() throws {
    let request = try Self.request
    #expect(try TransferRequest(decoding: request.encoded) == request)
    let get = TransferRequest(.get(limit: 9), url: "http://example.org/")
    #expect(try TransferRequest(decoding: get.encoded) == get)
    for event in Self.events { #expect(try TransferEvent(decoding: event.encoded) == event) }
  }

  @Test("Bytes that are cut or changed are refused, or read as something, and never trap")
  func hostile() throws {
    for bytes in Self.events.map(\.encoded) + [try Self.request.encoded] {
      for index in bytes.indices {
        for byte in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
          var changed = bytes
          changed[index] = byte
          _ = try? TransferEvent(decoding: changed)
          _ = try? TransferRequest(decoding: changed)
        }
        _ = try? TransferEvent(decoding: Array(bytes[..<index]))
        _ = try? TransferRequest(decoding: Array(bytes[..<index]))
      }
    }
    #expect(throws: FieldError.self) { try TransferEvent(decoding: []) }
    #expect(throws: FieldError.self) { try TransferRequest(decoding: []) }
    #expect(throws: FieldError.self) { try TransferEvent(decoding: [0x7A, 0]) }
  }

  @Test("Words of a program that was taken over are one line, and bounded")
  func words() throws {
    let failure = TransferFailure(.http, "a\n\u{1B}[2J\u{202E}\u{2028}é" + String(repeating: "x", count: 10_000))
    guard case .failed(let read) = try TransferEvent(decoding: TransferEvent.failed(failure).encoded) else {
      throw FieldError.truncated
    }
    #expect(read.reason.hasPrefix("a??[2J??éxx"))
    #expect(read.reason.count == 500)
    for type in ["a\nb", "é", "", String(repeating: "a", count: 256)] {
      let result = TransferEvent.done(TransferResult(status: 200, contentType: type, byteCount: 1))
      #expect(try TransferEvent(decoding: result.encoded) == .done(TransferResult(status: 200, byteCount: 1)))
    }
    let short = TransferEvent.done(TransferResult(status: 200, byteCount: 1, hashes: [.sha256: [1, 2]]))
    #expect(throws: FieldError.self) { try TransferEvent(decoding: short.encoded) }
  }

  @Test("A header is one line with a token for its name")
  func headers() {
    #expect(TransferHeader(name: "X-A_1", value: "")?.value == "")
    #expect(TransferHeader(name: "Cookie", value: "ä b") != nil)
    for name in ["", "a b", "a:", "ä", "a\r\n", "a\0"] { #expect(TransferHeader(name: name, value: "x") == nil) }
    for value in ["a\r\nb", "a\nb", "a\0", " a", "a ", "a\u{7F}", "\t"] {
      #expect(TransferHeader(name: "a", value: value) == nil)
    }
  }

  @Test("Frames come out as they went in, however they are cut; a length over the limit is refused")
  func frames() throws {
    let messages = [[], [1], [UInt8](repeating: 7, count: 70_000)]
    let bytes = Array(messages.compactMap { Frame.encode($0) }.joined())
    for size in [1, 3, 5000, bytes.count] {
      var reader = FrameReader()
      var read: [[UInt8]] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        reader.receive(Array(bytes.dropFirst(start).prefix(size)))
        while let message = try reader.next() { read.append(message) }
      }
      #expect(read == messages)
    }
    var reader = FrameReader()
    reader.receive([0, 4, 0, 1])
    #expect(throws: FrameError.self) { try reader.next() }
    #expect(Frame.encode([UInt8](repeating: 0, count: Frame.limit + 1)) == nil)
  }
}
