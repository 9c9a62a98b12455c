import Crypto
import Testing

@testable import Ratchet

@Suite("Payloads")
struct PayloadTests {
  private let random = SeededBytes(51)

  @Test("A legacy payload is opened with its secret, and with no other")
  func legacy() throws {
    for text in [[], Array("Hello".utf8), [UInt8](repeating: 1, count: 10_000)] as [[UInt8]] {
      let sealed = try LegacyPayload(sealing: text, random: random.bytes)
      let bytes = try #require(sealed.bytes)
      #expect(bytes.count == text.count && sealed.secret.count == 32 && sealed.iv.count == 12)
      #expect(LegacyPayload.open(bytes, secret: sealed.secret, iv: sealed.iv) == text)
      var wrong = sealed.secret
      wrong[31] ^= 1
      #expect(LegacyPayload.open(bytes, secret: wrong, iv: sealed.iv) == nil)
      #expect(LegacyPayload.open(bytes + [0], secret: sealed.secret, iv: sealed.iv) == nil)
    }
  }

  @Test("Old clients' payloads have an IV of 16 bytes, or the tag at their end")
  func oldLegacy() throws {
    let (key, iv) = (random.bytes(16), random.bytes(16))
    let sealed = try AESGCM.seal([1, 2, 3], key: key, nonce: iv)
    #expect(LegacyPayload.open(sealed.bytes, secret: key + sealed.tag, iv: iv) == [1, 2, 3])
    #expect(LegacyPayload.open(sealed.bytes + sealed.tag, secret: key, iv: iv) == [1, 2, 3])
    for count in [0, 15, 17, 31, 33, 48] {
      #expect(LegacyPayload.open(sealed.bytes, secret: random.bytes(count), iv: iv) == nil)
    }
    for count in [0, 11, 13, 15, 17] {
      #expect(LegacyPayload.open(sealed.bytes, secret: key + sealed.tag, iv: random.bytes(count)) == nil)
    }
    #expect(LegacyPayload.open([1], secret: key, iv: iv) == nil)
  }

  @Test("An empty legacy message has a secret and no payload")
  func transport() throws {
    let empty = try LegacyPayload(sealing: nil, random: random.bytes)
    #expect(empty.bytes == nil && empty.secret.count == 32 && empty.iv.count == 12)
  }

  @Test("An envelope is opened with its secret, and any change is seen")
  func envelope() throws {
    let text = Array("<envelope/>".utf8)
    let sealed = try EnvelopePayload(sealing: text, random: random.bytes)
    #expect(sealed.secret.count == 48 && sealed.bytes.count == 16)
    #expect(EnvelopePayload.open(sealed.bytes, secret: sealed.secret) == text)
    for index in sealed.bytes.indices {
      var wrong = sealed.bytes
      wrong[index] ^= 1
      #expect(EnvelopePayload.open(wrong, secret: sealed.secret) == nil)
    }
    for index in sealed.secret.indices {
      var wrong = sealed.secret
      wrong[index] ^= 1
      #expect(EnvelopePayload.open(sealed.bytes, secret: wrong) == nil)
    }
    #expect(EnvelopePayload.open(sealed.bytes, secret: EnvelopePayload.emptySecret) == nil)
    #expect(EnvelopePayload.open([], secret: sealed.secret) == nil)
  }

  @Test("The same random bytes give the same payload")
  func seeds() throws {
    let (one, other) = (SeededBytes(52), SeededBytes(52))
    #expect(
      try LegacyPayload(sealing: [1], random: one.bytes) == LegacyPayload(sealing: [1], random: other.bytes))
    #expect(
      try EnvelopePayload(sealing: [1], random: one.bytes) == EnvelopePayload(sealing: [1], random: other.bytes))
  }

  @Test("Random bytes that do not come are an error")
  func noRandom() {
    #expect(throws: CryptoError.self) { try LegacyPayload(sealing: [1], random: { _ in [] }) }
  }
}
