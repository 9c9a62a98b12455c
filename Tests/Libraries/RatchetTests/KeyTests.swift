import Bytes
import Testing

@testable import Ratchet

@Suite("Keys")
struct KeyTests {
  private func bytes(_ hex: String) throws -> [UInt8] { try #require(Hex.decode(hex)) }

  @Test("A public key is that of RFC 7748, section 6.1")
  func vector() throws {
    let pair = try CurveKeyPair(
      privateKey: bytes("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"))
    #expect(
      pair.publicKey.bytes == (try bytes("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")))
    #expect(throws: RatchetError.badKey) { try CurveKeyPair(privateKey: [1, 2, 3]) }
  }

  @Test("The base points of the two curves are each other's (RFC 7748, section 4.1)")
  func basePoint() throws {
    let curve = try #require(CurveKey([9] + [UInt8](repeating: 0, count: 31)))
    let edwards = [0x58] + [UInt8](repeating: 0x66, count: 31)
    #expect(IdentityKey(curve).edwards == edwards)
    #expect(IdentityKey(edwards: edwards)?.curve == curve)
    var other = edwards
    other[31] |= 0x80
    let withSign = IdentityKey(edwards: other)
    #expect(withSign?.curve == curve && withSign?.edwards == other)
    #expect(withSign?.fingerprint == "09" + String(repeating: "0", count: 62))
  }

  @Test("Identities are the same in both forms, and their fingerprint is of the Curve25519 one")
  func forms() throws {
    let random = SeededBytes(41)
    for _ in 0..<50 {
      let key = try OwnIdentity(random: random.bytes).key
      #expect(key.edwards[31] < 0x80 && IdentityKey(edwards: key.edwards) == key)
      #expect(IdentityKey(key.curve.typed, .legacy) == key && IdentityKey(key.edwards, .omemo2) == key)
      #expect(key.fingerprint == Hex.encode(key.curve.bytes))
    }
  }

  /// The points of small order on the curve and its twist, canonical and not.
  static let smallOrders = [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "cdeb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b880",
    "4c9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f11d7",
    "d9ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  ]

  @Test("A point of small order is no key", arguments: smallOrders)
  func smallOrder(hex: String) throws {
    #expect(CurveKey(try bytes(hex)) == nil)
    #expect(CurveKey(typed: [5] + (try bytes(hex))) == nil)
  }

  @Test("A key has one spelling, of 32 bytes")
  func canonical() throws {
    let key = try OwnIdentity(random: SeededBytes(42).bytes).key.curve
    #expect(CurveKey(key.bytes) == key && CurveKey(typed: key.typed) == key)
    var high = key.bytes
    high[31] |= 0x80
    #expect(CurveKey(high) == nil)
    let aboveP = [0xF6] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]
    #expect(CurveKey(aboveP) == nil)
    for wrong in [[], Array(key.bytes.dropLast()), key.typed, key.bytes + [0]] { #expect(CurveKey(wrong) == nil) }
    for wrong in [[], key.bytes, [6] + key.bytes, key.typed + [0]] { #expect(CurveKey(typed: wrong) == nil) }
  }

  /// y = 1 and y = -1 have no u of their own; 2^255 - 18 is 1 once more.
  @Test(
    "An Ed25519 key without a converse is no identity",
    arguments: [
      "0100000000000000000000000000000000000000000000000000000000000000",
      "0100000000000000000000000000000000000000000000000000000000000080",
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "0000000000000000000000000000000000000000000000000000000000000000",
      "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
      "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    ])
  func withoutConverse(hex: String) throws {
    #expect(IdentityKey(edwards: try bytes(hex)) == nil)
    #expect(IdentityKey(edwards: []) == nil)
  }

  @Test("A signature is right for its bytes, its identity and both versions' ways to check it")
  func signatures() throws {
    let random = SeededBytes(43)
    let (one, other) = (try OwnIdentity(random: random.bytes), try OwnIdentity(random: random.bytes))
    let signature = try one.sign([1, 2, 3], random: random.bytes)
    for version in RatchetVersion.allCases {
      #expect(one.key.verifies(signature, of: [1, 2, 3], version))
      #expect(!one.key.verifies(signature, of: [1, 2], version))
      #expect(!other.key.verifies(signature, of: [1, 2, 3], version))
      #expect(!one.key.verifies(Array(signature.dropLast()), of: [1, 2, 3], version))
    }
    let signed = try SignedPreKey(id: 1, by: one, random: random.bytes)
    #expect(one.key.verifies(signed.legacySignature, of: signed.pair.publicKey.typed, .legacy))
    #expect(one.key.verifies(signed.omemo2Signature, of: signed.pair.publicKey.bytes, .omemo2))
  }
}
