import Clocks
import Glibc
import HelperProtocol
import JSON
import Bytes
import Syscalls
import TestSupport
import Testing

@Suite("Hostile web servers")
struct HostileWebTests {
  let web: HostileWeb
  let mover: Mover

  init() throws {
    web = try HostileWeb.shared()
    mover = Mover(web: web)
  }

  @Test(
    "Answers that are no file fail by what is wrong with them",
    arguments: [
      ("/short?5000", .cut), ("/nothing", .cut), ("/garbage", .http), ("/old", .http), ("/switch", .http),
      ("/bad-chunks", .cut), ("/two-lengths?50", .http), ("/bad-length?-1", .http),
      ("/bad-length?99999999999999999999", .http),
      ("/transfer-compressed?10000000", .http), ("/headers", .http), ("/header", .http), ("/continues", .http),
      ("/loop", .redirects), ("/status?404", .status(404)), ("/status?503", .status(503)),
      ("/status?204", .status(204)),
      ("/status?206", .status(206)), ("/status?304", .status(304)), ("/status?302", .status(302)),
    ] as [(String, TransferFailure.Cause)])
  func answers(path: String, cause: TransferFailure.Cause) throws {
    #expect(try mover.get(web.plain(path)).cause == cause)
  }

  @Test("A body over the limit ends the transfer, said or not", arguments: ["/file?1001", "/endless", "/chunked?5000"])
  func tooLarge(path: String) throws {
    let outcome = try mover.get(web.plain(path), limit: 1000)
    #expect(outcome.cause == .tooLarge)
    #expect(outcome.bytes.count <= 1000)
    #expect(try mover.get(web.plain("/file?1000"), limit: 1000).result?.byteCount == 1000)
  }

  @Test(
    "A server that moves less than 1 KiB in time ends the transfer", arguments: ["/drip", "/drip-headers", "/silent"])
  func slow(path: String) throws {
    for url in [web.plain(path), web.secure(path)] {
      let outcome = try mover.get(url) { $0.patience = .milliseconds(500) }
      #expect(outcome.cause == .time)
    }
  }

  @Test("A server that does not speak TLS, and one that does not answer, end the transfer")
  func handshakes() throws {
    let plain = try mover.get("https://example.test:\(web.http)/file?1")
    #expect(plain.cause == .tls)
    let listener = try Sockets.listening(at: try #require(InternetAddress.loopback(port: 0)))
    let port = try #require(try Sockets.localAddress(listener.raw)).port
    let silent = try mover.get("https://example.test:\(port)/") { $0.patience = .milliseconds(500) }
    #expect(silent.cause == .time)
    // A free port could be another test's by now.
    let closed = try mover.get("http://example.test:1/")
    #expect(closed.cause == .connection)
  }

  @Test(
    "Redirects to what may not be fetched end the transfer",
    arguments: [
      "file:///etc/passwd", "ftp://example.test/", "gopher://example.test/", "javascript:alert(1)",
      "0h://example.test:80/", "data:,x",
      "http://127.0.0.1:PORT/file?9", "http://[::1]:PORT/file?9", "http://[::ffff:127.0.0.1]:PORT/file?9",
      "http://2130706433:PORT/file?9", "http://0x7f.1:PORT/file?9", "http://0177.0.0.1:PORT/file?9",
      "http://localhost:PORT/file?9", "http://sub.localhost:PORT/file?9", "http://secret.test:PORT/file?9",
      "http://SECRET.test.:PORT/file?9", "http://mapped.test:PORT/file?9", "http://link.test/", "http://10.1.2.3/",
      "http://169.254.169.254/latest/meta-data", "//10.0.0.1/x",
      "http://0/", "http://[fe80::1]/", "http://[64:ff9b::a00:1]/",
    ])
  func redirects(place: String) throws {
    let target = place.replacing("PORT", with: "\(web.http)")
    let outcome = try mover.get(web.plain("/redirect?302,\(target.encoded)"))
    #expect(outcome.cause == .notAllowed)
    #expect(outcome.bytes.isEmpty)
  }

  @Test("The URL itself is judged like a redirect")
  func urls() throws {
    for url in ["file:///etc/passwd", "ftp://example.test/x", "http://secret.test:\(web.http)/file?9", "http://127.1/"]
    {
      expect(try mover.get(url).failure, .notAllowed, url)
    }
    for url in ["", "x", "http://", "http://a b/", "http://%/", "http://ex\u{0}ample/", "http://-_-:99999/"] {
      expect(try mover.get(url).failure, .url, url)
    }
    #expect(try mover.get("http://nobody.test/").cause == .name)
    #expect(try mover.get(web.plain("/file?9", host: "127.0.0.1")) { $0.privateAddresses = true }.bytes.count == 9)
  }

  @Test("Files are fetched from and put to addresses of IPv6, and an address with a zone is none")
  func literals() throws {
    let url = "http://[::1]:\(web.http6)/file?9"
    #expect(try mover.get(url) { $0.privateAddresses = true }.bytes == HostileWeb.body(9))
    #expect(try mover.put("http://[::1]:\(web.http6)/taken", [1, 2, 3]) { $0.privateAddresses = true }.result != nil)
    expect(try mover.get(url).failure, .notAllowed, url)
    for zone in ["%25lo", "%lo", "%251"] {
      let url = "http://[fe80::1\(zone)]:\(web.http6)/file?9"
      expect(try mover.get(url) { $0.privateAddresses = true }.failure, .url, url)
    }
  }

  @Test("A private address is allowed at one origin: at no other port, and not without TLS")
  func origins() throws {
    let origin = web.secure("")
    #expect(try mover.get(web.secure("/file?9")) { $0.privateOrigins = [origin] }.bytes.count == 9)
    let others =
      [web.plain("/file?9"), web.secure("/file?9").replacing("https:", with: "http:")]
      + [web.secure("/file?9", host: "other.test"), "https://example.test:1/"]
    for url in others { expect(try mover.get(url) { $0.privateOrigins = [origin] }.failure, .notAllowed, url) }
    let redirected = try mover.get(web.secure("/redirect?302,\("https://example.test:1/".encoded)")) {
      $0.privateOrigins = [origin]
    }
    #expect(redirected.cause == .notAllowed)
  }

  private func expect(_ failure: TransferFailure?, _ cause: TransferFailure.Cause, _ url: String) {
    #expect(failure?.cause == cause, "\(url): \(failure?.reason ?? "done")")
  }

  @Test("A name that has another address each time it is looked up leads to no private one")
  func turningName() throws {
    let web = try HostileWeb()
    let mover = Mover(web: web)
    for _ in 0..<4 {
      let outcome = try mover.get(web.plain("/file?9", host: "turning.test")) { $0.patience = .milliseconds(500) }
      #expect([.time, .connection, .notAllowed].contains(outcome.cause) && outcome.bytes.isEmpty)
    }
    #expect(try mover.get(web.plain("/file?9")).bytes.count == 9)
    #expect(try web.request()["headers"]?.text("Host").hasPrefix("example.test") == true)
  }

  @Test("TLS does not lead to plain HTTP")
  func downgrade() throws {
    let outcome = try mover.get(web.secure("/redirect?301,\(web.plain("/file?9").encoded)"))
    #expect(outcome.cause == .notAllowed)
  }

  @Test("The account's authorities are trusted at their hosts only, and then in place of the system's")
  func authorities() throws {
    #expect(try mover.get(web.secure("/file?9", host: "other.test")).cause == .tls)
    #expect(try mover.get(web.secure("/file?9")) { $0.authorityHosts = [] }.cause == .tls)
    #expect(try mover.get(web.secure("/file?9")) { $0.authorityHosts = ["EXAMPLE.test"] }.bytes.count == 9)
    #expect(try mover.get(web.secure("/file?9")) { $0.authorityFile = "/nonexistent" }.cause == .tls)
  }

  @Test(
    "Certificates that are not good end the transfer", arguments: [Certificates.Kind.wrongHost, .expired, .untrusted])
  func certificates(kind: Certificates.Kind) throws {
    let mover = Mover(web: try HostileWeb(certificate: kind))
    #expect(try mover.get(mover.web.secure("/file?9")).cause == .tls)
  }

  @Test("A proxy is not asked for private addresses, and its refusals end the transfer")
  func proxy() throws {
    let proxy = try PrivateProxy(in: web.folder, places: ["far.example:80": "127.0.0.1:\(web.http)"])
    let own = SOCKSProxy(host: "127.0.0.1", port: proxy.port)
    for url in ["http://127.0.0.1/", "http://[::1]/", "http://192.168.1.1/", "http://localhost/"] {
      #expect(try mover.get(url) { $0.proxy = own }.cause == .notAllowed)
    }
    #expect(try mover.get("http://other.example/") { $0.proxy = own }.cause == .connection)
    let place = web.plain("/file?9", host: "10.0.0.1").encoded
    #expect(try mover.get("http://far.example/redirect?302,\(place)") { $0.proxy = own }.cause == .notAllowed)
  }

  @Test("A full disk is said, and a descriptor that cannot be written")
  func disk() throws {
    let request = try mover.request(.get(limit: 1 << 20), web.plain("/file?5000"))
    for (path, cause) in [("/dev/full", TransferFailure.Cause.noSpace), ("/proc/self/status", .file)] {
      let file = unsafe open(path, path == "/dev/full" ? O_WRONLY : O_RDONLY)
      let process = try TransferProcess(request, file: file, program: Mover.program)
      close(file)
      guard case .failed(let failure) = try Mover.events(of: process).last else { throw TestFailure("no failure") }
      #expect(failure.cause == cause)
    }
  }
}
