import Crypto
import Testing

@Suite struct SecretTests {
  @Test func secretsAreLentAndCompared() {
    let secret = SecretBytes(copying: [1, 2, 3])
    #expect(secret.withBytes { $0 } == [1, 2, 3])
    #expect(secret == SecretBytes(copying: [1, 2, 3]))
    #expect(secret != SecretBytes(copying: [1, 2, 4]))
    #expect(secret != SecretBytes(copying: []))
    #expect(SecretBytes(copying: []) == SecretBytes(copying: []))
  }

  @Test func descriptionsDoNotTell() {
    let secret = SecretBytes(copying: Array("hunter2".utf8))
    #expect("\(secret)" == "(7 secret bytes)")
    #expect(!String(reflecting: secret).contains("hunter2"))
  }

  @Test func wipingDoesNotTouchCopies() {
    var bytes: [UInt8] = [1, 2]
    let copy = bytes
    bytes.wipe()
    #expect(bytes.isEmpty)
    #expect(copy == [1, 2])
    bytes.wipe()
    #expect(bytes.isEmpty)
  }

  @Test func randomBytesDiffer() throws {
    #expect(try SystemRandom.bytes(0).isEmpty)
    let one = try SystemRandom.bytes(32)
    #expect(one.count == 32)
    #expect(try SystemRandom.bytes(32) != one)
    #expect(throws: CryptoError(.random, code: 0)) { try SystemRandom.bytes(-1) }
  }
}
