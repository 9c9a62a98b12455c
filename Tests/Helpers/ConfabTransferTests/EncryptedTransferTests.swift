import Bytes
import Crypto
import HelperProtocol
import JSON
import TestSupport
import Testing

@Suite("Moving an encrypted file")
struct EncryptedTransferTests {
  private let web: HostileWeb
  private let mover: Mover
  private let key = FileKey(key: [UInt8](1...32), nonce: [UInt8](1...12))

  init() throws {
    web = try HostileWeb()
    mover = Mover(web: web)
  }

  private func put(_ bytes: [UInt8], _ key: FileKey? = nil, to path: String = "/kept") throws -> Mover.Outcome {
    try mover.put(web.secure(path), bytes) { ($0.key, $0.hashes) = (key ?? self.key, [.sha256]) }
  }

  private func get(_ path: String = "/kept", limit: UInt64 = 1 << 24, _ key: FileKey? = nil) throws -> Mover.Outcome {
    try mover.get(web.secure(path), limit: limit) { $0.key = key ?? self.key }
  }

  @Test(
    "What leaves is AES-256-GCM with the tag behind it, and comes back as it was",
    arguments: [1, 15, 16, 65_536, 65_530, 3_000_001])
  func whole(count: Int) throws {
    let body = HostileWeb.body(count)
    let sent = try put(body)
    #expect(sent.result?.hashes == [.sha256: try Digest.hash(body, .sha256)] && sent.result?.byteCount == UInt64(count))
    let request = try web.request()
    #expect(request.headers.contains("Content-Length: \(count + 16)"))
    let lying = try mover.get(web.secure("/kept"), limit: 1 << 24)
    let sealed = try AESGCM.seal(body, key: key.key, nonce: key.nonce)
    #expect(lying.bytes == sealed.bytes + sealed.tag)
    let fetched = try get()
    #expect(fetched.bytes == body && fetched.result?.byteCount == UInt64(count))
  }

  @Test("A key of 16 bytes and a nonce of 16 are read, as old clients have them")
  func lengths() throws {
    for key in [
      FileKey(key: [UInt8](1...32), nonce: [UInt8](1...16)), FileKey(key: [UInt8](1...16), nonce: [UInt8](1...12)),
    ] {
      _ = try put([1, 2, 3], key)
      #expect(try get("/kept", key).bytes == [1, 2, 3])
    }
  }

  @Test("Another key, another byte anywhere, or an end too soon is a failure")
  func wrong() throws {
    let body = HostileWeb.body(100_000)
    _ = try put(body)
    let other = FileKey(key: [UInt8](2...33), nonce: key.nonce)
    #expect(try get("/kept", other).cause == .file)
    for place in [0, 50_000, 99_999, 100_000, 100_015] { #expect(try get("/kept-damaged?\(place)").cause == .file) }
    for count in [0, 1, 15, 16, 50_000, 100_015] { #expect(try get("/kept-begun?\(count)").cause == .file) }
    #expect(try get("/file?5000").failure?.reason.contains("cannot be decrypted") == true)
  }

  @Test("The limit is that of the file, not of what it is encrypted to")
  func limit() throws {
    _ = try put(HostileWeb.body(1_000))
    #expect(try get(limit: 1_000).bytes.count == 1_000)
    #expect(try get(limit: 999).cause == .tooLarge)
  }

  @Test("A body that is sent once more behind a redirect is encrypted to the same bytes")
  func redirect() throws {
    let body = HostileWeb.body(300_000)
    let sealed = try AESGCM.seal(body, key: key.key, nonce: key.nonce)
    let hash = try Hex.encode(Digest.hash(sealed.bytes + sealed.tag, .sha256))
    let place = web.secure("/taken", host: "example.test").encoded
    #expect(try put(body, to: "/redirect?307,\(place)").result?.status == 201)
    for _ in 0..<2 { #expect(try web.request()["sha256"]?.string == hash) }
  }

  @Test("A file that became another one while it was sent is told from the one that was meant by its hash")
  func changed() throws {
    #expect(try mover.put(web.secure("/taken"), [1, 2, 3], size: 4) { $0.key = self.key }.cause == .file)
  }
}
