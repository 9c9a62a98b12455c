import Bytes
import Testing

@testable import Ratchet

@Suite("Messages of ratchets, as bytes")
struct RatchetMessageTests {
  private let key: CurveKey
  private let identity: OwnIdentity

  init() throws {
    let random = SeededBytes(31)
    key = try CurveKeyPair(random: random.bytes).publicKey
    identity = try OwnIdentity(random: random.bytes)
  }

  private func isRead(_ bytes: [UInt8], _ version: RatchetVersion, isKeyExchange: Bool = false) -> Bool {
    (try? RatchetMessage(bytes, isKeyExchange: isKeyExchange, version)) != nil
  }

  @Test("A message is read with all its parts", arguments: RatchetVersion.allCases)
  func parts(version: RatchetVersion) throws {
    let written = WrittenMessage(counter: 300, ratchetKey: key)
    let message = try RatchetMessage(written.bytes(version), isKeyExchange: false, version)
    #expect(message.counter == 300 && message.previousCounter == 0 && message.ratchetKey == key)
    #expect(message.ciphertext == written.ciphertext && message.keyExchange == nil)
    #expect(!isRead(written.bytes(version), version, isKeyExchange: true))
    #expect(!isRead(written.bytes(version), version == .legacy ? .omemo2 : .legacy))
  }

  @Test("A message that ends early, or goes on, is refused", arguments: RatchetVersion.allCases)
  func lengths(version: RatchetVersion) {
    let bytes = WrittenMessage(ratchetKey: key).bytes(version)
    for count in 0..<bytes.count { #expect(!isRead(Array(bytes.prefix(count)), version)) }
    #expect(!isRead(bytes + [0], version))
    #expect(!isRead([], version) && !isRead(bytes + [UInt8](repeating: 0, count: 60_000), version))
  }

  @Test("A ciphertext has whole blocks, at least one", arguments: RatchetVersion.allCases, [0, 1, 15, 17, 47])
  func blocks(version: RatchetVersion, count: Int) {
    var written = WrittenMessage(ratchetKey: key)
    written.ciphertext = [UInt8](repeating: 0, count: count)
    #expect(!isRead(written.bytes(version), version))
  }

  @Test("Fields that are unknown, twice, of another type or too large are refused")
  func fields() throws {
    func read(_ edit: (inout FieldWriter) -> Void) -> Bool {
      var inner = FieldWriter()
      edit(&inner)
      inner.bytes(3, key.bytes)
      inner.bytes(4, [UInt8](repeating: 0, count: 16))
      var writer = FieldWriter()
      writer.bytes(1, [UInt8](repeating: 0, count: 16))
      writer.bytes(2, inner.bytes)
      return isRead(writer.bytes, .omemo2)
    }
    func counters(_ writer: inout FieldWriter) {
      writer.uint(1, 0)
      writer.uint(2, 0)
    }
    #expect(read { counters(&$0) })
    #expect(!read { $0.uint(1, 0) })
    #expect(
      !read {
        counters(&$0); $0.uint(1, 0)
      })
    #expect(
      !read {
        counters(&$0); $0.uint(5, 0)
      })
    #expect(
      !read {
        counters(&$0); $0.bytes(3, key.bytes)
      })
    #expect(
      !read {
        $0.uint(1, 1 << 32); $0.uint(2, 0)
      })
    #expect(
      !read {
        $0.bytes(1, [0]); $0.uint(2, 0)
      })
    #expect(
      !read {
        $0.fixed64(1, 0); $0.uint(2, 0)
      })
  }

  @Test("A version byte of another version is refused", arguments: [0x22, 0x23, 0x32, 0x34, 0x43, 0x00] as [UInt8])
  func versions(byte: UInt8) {
    var bytes = WrittenMessage(ratchetKey: key).bytes(.legacy)
    bytes[0] = byte
    #expect(!isRead(bytes, .legacy))
  }

  /// A key exchange around a message.
  private func exchange(
    _ version: RatchetVersion, preKey: UInt64? = 1, signedPreKey: UInt64 = 2, base: [UInt8]? = nil
  ) -> [UInt8] {
    let inner = WrittenMessage(ratchetKey: key).bytes(version)
    let base = base ?? (version == .legacy ? key.typed : key.bytes)
    var writer = FieldWriter(appendingTo: version == .legacy ? [0x33] : [])
    if version == .legacy {
      if let preKey { writer.uint(1, preKey) }
      writer.bytes(2, base)
      writer.bytes(3, identity.key.bytes(version))
      writer.bytes(4, inner)
      writer.uint(6, signedPreKey)
    } else {
      if let preKey { writer.uint(1, preKey) }
      writer.uint(2, signedPreKey)
      writer.bytes(3, identity.key.bytes(version))
      writer.bytes(4, base)
      writer.bytes(5, inner)
    }
    return writer.bytes
  }

  @Test("A key exchange is read with its keys, and needs a pre-key", arguments: RatchetVersion.allCases)
  func exchanges(version: RatchetVersion) throws {
    let message = try RatchetMessage(exchange(version), isKeyExchange: true, version)
    #expect(message.keyExchange?.preKeyID == 1 && message.keyExchange?.signedPreKeyID == 2)
    #expect(message.keyExchange?.baseKey == key && message.keyExchange?.identity == identity.key)
    #expect(!isRead(exchange(version, preKey: nil), version, isKeyExchange: true))
    #expect(!isRead(exchange(version, preKey: 1 << 31), version, isKeyExchange: true))
    #expect(!isRead(exchange(version, signedPreKey: 1 << 33), version, isKeyExchange: true))
    #expect(!isRead(exchange(version), version))
    let small = [UInt8](repeating: 0, count: 32)
    #expect(
      !isRead(exchange(version, base: version == .legacy ? [5] + small : small), version, isKeyExchange: true))
  }
}
