import Bytes
import Crypto
import Testing

@Suite("Ciphers")
struct CipherTests {
  private func bytes(_ hex: String) throws -> [UInt8] { try #require(Hex.decode(hex)) }
  private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  @Test("HKDF gives what RFC 5869 has in appendix A.3")
  func hkdf() throws {
    let derived = try HKDF.derive(from: [UInt8](repeating: 0x0B, count: 22), info: "", count: 42)
    #expect(
      Hex.encode(derived)
        == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
    #expect(try HKDF.derive(from: [1], info: "x", count: 0).isEmpty)
    #expect(try HKDF.derive(from: [1], info: "x", count: HKDF.mostBytes).count == HKDF.mostBytes)
    #expect(throws: CryptoError.self) { try HKDF.derive(from: [1], info: "x", count: HKDF.mostBytes + 1) }
  }

  @Test("AES-GCM gives what NIST's test cases have, with both lengths of keys")
  func gcm() throws {
    let short = try AESGCM.seal(zeros(16), key: zeros(16), nonce: zeros(12))
    #expect(Hex.encode(short.bytes + short.tag) == "0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf")
    let long = try AESGCM.seal(zeros(16), key: zeros(32), nonce: zeros(12))
    #expect(Hex.encode(long.bytes + long.tag) == "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919")
    let empty = try AESGCM.seal([], key: zeros(16), nonce: zeros(12))
    #expect(empty.bytes.isEmpty && Hex.encode(empty.tag) == "58e2fccefa7e3061367f1d57a4e7455a")
  }

  @Test("AES-GCM opens nothing with another key, nonce, tag or context")
  func gcmRefusals() throws {
    let (key, nonce) = ([UInt8](1...32), [UInt8](1...12))
    let sealed = try AESGCM.seal([1, 2, 3], key: key, nonce: nonce, context: [9])
    func open(
      _ bytes: [UInt8]? = nil, tag: [UInt8]? = nil, key other: [UInt8]? = nil, nonce otherNonce: [UInt8]? = nil,
      context: [UInt8] = [9]
    ) throws -> [UInt8]? {
      try AESGCM.open(
        bytes ?? sealed.bytes, tag: tag ?? sealed.tag, key: other ?? key, nonce: otherNonce ?? nonce, context: context)
    }
    #expect(try open() == [1, 2, 3])
    #expect(try open([1, 2, 4]) == nil && open(tag: zeros(16)) == nil && open(tag: []) == nil)
    #expect(try open(key: zeros(32)) == nil && open(nonce: zeros(12)) == nil && open(context: []) == nil)
    #expect(throws: CryptoError.self) { try open(key: zeros(24)) }
    #expect(throws: CryptoError.self) { try open(nonce: zeros(11)) }
  }

  @Test("AES-CBC gives what NIST SP 800-38A has, and refuses wrong padding")
  func cbc() throws {
    let key = try bytes("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4")
    let iv = try bytes("000102030405060708090a0b0c0d0e0f")
    let sealed = try AESCBC.encrypt(try bytes("6bc1bee22e409f96e93d7e117393172a"), key: key, iv: iv)
    #expect(sealed.count == 32 && Hex.encode(sealed.prefix(16)) == "f58c4c04d6e5f1ba779eabfb5f7bfbd6")
    #expect(try AESCBC.decrypt(sealed, key: key, iv: iv) == (try bytes("6bc1bee22e409f96e93d7e117393172a")))
    #expect(try AESCBC.decrypt(Array(sealed.dropLast()), key: key, iv: iv) == nil)
    #expect(try AESCBC.decrypt(Array(sealed.prefix(16)), key: key, iv: iv) == nil)
    #expect(try AESCBC.decrypt([], key: key, iv: iv) == nil)
    #expect(throws: CryptoError.self) { try AESCBC.encrypt([1], key: zeros(16), iv: iv) }
  }

  @Test("A sealed box opens with its key in its context alone")
  func boxes() throws {
    let (key, nonce) = ([UInt8](1...32), [UInt8](1...12))
    let box = try SealedBox.seal([7, 8], key: key, context: [1], nonce: nonce)
    #expect(box.count == 2 + SealedBox.overhead)
    #expect(try SealedBox.open(box, key: key, context: [1]) == [7, 8])
    #expect(try SealedBox.open(box, key: zeros(32), context: [1]) == nil)
    #expect(try SealedBox.open(box, key: key, context: [2]) == nil)
    for count in 0..<box.count { #expect(try SealedBox.open(Array(box.prefix(count)), key: key, context: [1]) == nil) }
    for index in box.indices {
      var wrong = box
      wrong[index] ^= 1
      #expect(try SealedBox.open(wrong, key: key, context: [1]) == nil)
    }
    #expect(throws: CryptoError.self) { try SealedBox.seal([1], key: zeros(16), nonce: nonce) }
    #expect(throws: CryptoError.self) { try SealedBox.seal([1], key: key, nonce: []) }
  }
}
