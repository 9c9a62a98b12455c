import Clocks
import Crypto
import HelperProtocol
import JSON
import TestSupport
import Testing

@Suite("Uploading a file")
struct UploadTests {
  let web: HostileWeb
  let mover: Mover

  init() throws {
    web = try HostileWeb()
    mover = Mover(web: web)
  }

  @Test("A file goes byte for byte, with its headers and hashes", arguments: [0, 1, 3_000_000])
  func whole(count: Int) throws {
    let body = HostileWeb.body(count)
    let headers = try ["Authorization", "Cookie", "Expires"].map { name in
      try #require(TransferHeader(name: name, value: "its value"))
    }
    for url in [web.plain("/taken"), web.secure("/taken?200")] {
      let outcome = try mover.put(url, body) {
        $0.headers = headers
        $0.hashes = [.sha256]
      }
      let hash = try Digest.hash(body, .sha256)
      #expect(outcome.result?.byteCount == UInt64(count))
      #expect(outcome.result?.hashes == [.sha256: hash])
      let request = try web.request()
      #expect(request["method"]?.string == "PUT")
      #expect(request["sha256"]?.string == hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
      for name in ["Authorization", "Cookie", "Expires"] { #expect(request.headers.contains("\(name): its value")) }
      #expect(request.headers.contains("Content-Length: \(count)"))
    }
  }

  @Test("Refusals say their status", arguments: [400, 403, 404, 410, 413, 500, 503])
  func refusals(status: Int) throws {
    #expect(try mover.put(web.plain("/status?\(status)"), [1, 2, 3]).cause == .status(status))
  }

  @Test("A refusal before the body says its status; a server that takes nothing and says that it has all is wrong")
  func early() throws {
    let body = [UInt8](repeating: 7, count: 20_000_000)
    let refused = try mover.put(web.plain("/early"), body).cause
    #expect(refused == .status(413) || refused == .cut)
    #expect(try mover.put(web.plain("/early-taken"), body).cause == .cut)
  }

  @Test("A redirect that keeps the method is followed without the slot's headers; others are refused")
  func redirects() throws {
    let header = try #require(TransferHeader(name: "Authorization", value: "secret"))
    let place = web.plain("/taken", host: "other.test").encoded
    let body = HostileWeb.body(70_000)
    for status in [307, 308] {
      let outcome = try mover.put(web.plain("/redirect?\(status),\(place)"), body) { $0.headers = [header] }
      #expect(outcome.result?.status == 201)
      #expect(try web.request().headers.contains("Authorization: secret"))
      let second = try web.request()
      #expect(second["body"]?.integer == 70_000)
      #expect(!second.headers.contains("Authorization: secret"))
    }
    for status in [301, 302, 303] {
      #expect(try mover.put(web.plain("/redirect?\(status),\(place)"), body).cause == .status(status))
    }
  }

  @Test("A file of another size than was said is not sent")
  func sizes() throws {
    for size in [99, 101] {
      #expect(try mover.put(web.plain("/taken"), HostileWeb.body(100), size: size).cause == .file)
    }
  }

  @Test("A server that does not read ends the upload in time")
  func slow() throws {
    let outcome = try mover.put(web.plain("/silent"), HostileWeb.body(100)) { $0.patience = .milliseconds(500) }
    #expect(outcome.cause == .time)
  }
}
