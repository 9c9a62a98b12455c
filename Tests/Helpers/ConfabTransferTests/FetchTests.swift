import Crypto
import HelperProtocol
import JSON
import Bytes
import TestSupport
import Testing

@Suite("Fetching a file")
struct FetchTests {
  let web: HostileWeb
  let mover: Mover

  init() throws {
    web = try HostileWeb.shared()
    mover = Mover(web: web)
  }

  @Test("A file comes byte for byte, over plain HTTP and TLS, with its hashes", arguments: [0, 1, 300_000])
  func whole(count: Int) throws {
    for url in [web.plain("/file?\(count)"), web.secure("/file?\(count)")] {
      let outcome = try mover.get(url) { $0.hashes = [.sha256, .sha512] }
      let body = HostileWeb.body(count)
      #expect(outcome.bytes == body)
      let hashes = try [HashAlgorithm.sha256: Digest.hash(body, .sha256), .sha512: Digest.hash(body, .sha512)]
      let expected = TransferResult(status: 200, contentType: "image/png", byteCount: UInt64(count), hashes: hashes)
      #expect(outcome.events.last == .done(expected))
    }
  }

  @Test("A body in chunks, or one that ends with its connection, is whole", arguments: ["/chunked", "/until-close"])
  func withoutLength(path: String) throws {
    let outcome = try mover.get(web.plain(path + "?5000"))
    #expect(outcome.bytes == HostileWeb.body(5000))
    #expect(outcome.result?.byteCount == 5000)
  }

  @Test("Bytes behind the length that the server says are not part of the file")
  func long() throws {
    let outcome = try mover.get(web.plain("/long?5000"))
    #expect(outcome.bytes == HostileWeb.body(5000))
    #expect(outcome.result?.byteCount == 5000)
  }

  @Test("Compressed bytes stay as they come, and fill neither disk nor memory")
  func compressed() throws {
    let outcome = try mover.get(web.plain("/compressed?10000000"))
    #expect(outcome.bytes.starts(with: [0x1F, 0x8B]))
    #expect(outcome.bytes.count < 20_000)
    #expect(outcome.result?.byteCount == UInt64(outcome.bytes.count))
  }

  @Test(
    "A redirect is followed by all its statuses, to another host and to TLS", arguments: [301, 302, 303, 307, 308])
  func redirects(status: Int) throws {
    for place in [web.plain("/file?700", host: "other.test"), web.secure("/file?700"), "/file?700", "file?700"] {
      let outcome = try mover.get(web.plain("/redirect?\(status),\(place.encoded)"))
      #expect(outcome.bytes == HostileWeb.body(700))
    }
  }

  @Test("A request has no cookie, credentials, referrer or coding; its headers go to the first host only")
  func headers() throws {
    let web = try HostileWeb()
    let mover = Mover(web: web)
    let header = try #require(TransferHeader(name: "X-Own", value: "secret"))
    let place = web.plain("/file?7", host: "other.test").encoded
    _ = try mover.get("http://alice:pass@example.test:\(web.http)/redirect?302,\(place)#part") {
      $0.headers = [header]
    }
    let first = try web.request()
    let second = try web.request()
    let host = "example.test:\(web.http)"
    let expected = ["Accept: */*", "Host: \(host)", "User-Agent: confab", "X-Own: secret"]
    #expect(first.headers.sorted() == expected)
    #expect(first["target"]?.string == "/redirect?302,\(place)")
    #expect(second.headers.sorted() == ["Accept: */*", "Host: other.test:\(web.http)", "User-Agent: confab"])
  }

  @Test("Progress is reported while bytes come, and its end is the file's size")
  func progress() throws {
    let outcome = try mover.get(web.plain("/file?3000000"), limit: 1 << 24)
    #expect(outcome.result?.byteCount == 3_000_000)
    for event in outcome.events.dropLast() {
      guard case .progress(let done, let total) = event else { return #expect(Bool(false), "\(event)") }
      #expect(done <= 3_000_000 && (total == nil || total == 3_000_000))
    }
  }

  @Test("A type that is too long is left out")
  func types() throws {
    #expect(try mover.get(web.plain("/typed?text/plain")).result?.contentType == "text/plain")
    let long = String(repeating: "a", count: 300)
    let outcome = try mover.get(web.plain("/typed?\(long)"))
    #expect(outcome.result?.byteCount == 10)
    #expect(outcome.result?.contentType == nil)
  }

  @Test("A proxy looks the name up, and gets its user name")
  func proxy() throws {
    let proxy = try PrivateProxy(
      in: web.folder, places: ["far.example:80": "127.0.0.1:\(web.http)"], user: "alice", password: "p")
    let outcome = try mover.get("http://far.example/file?90") {
      $0.proxy = SOCKSProxy(
        host: "127.0.0.1", port: proxy.port, user: Array("alice".utf8), password: Array("p".utf8))
    }
    #expect(outcome.bytes == HostileWeb.body(90))
    let asked = try proxy.asked()
    #expect(asked["type"]?.string == "name" && asked["host"]?.string == "far.example")
    #expect(asked["user"]?.string == "alice")
  }
}
