import ConfabCLI
import Testing

@Suite("QR codes")
struct QRCodeTests {
  @Test("a code is a square with a finder pattern in three corners")
  func finders() throws {
    let code = try #require(QRCode("xmpp:alice@example.org?omemo-sid-31415=c5a1f0de"))
    #expect((code.width - 17) % 4 == 0 && code.width > 20)
    let last = code.width - 7
    for (column, row) in [(0, 0), (last, 0), (0, last)] {
      for step in 0..<7 {
        #expect(code[column + step, row] && code[column + step, row + 6])
        #expect(code[column, row + step] && code[column + 6, row + step])
      }
      #expect(!code[column + 1, row + 1] && code[column + 3, row + 3])
    }
  }

  @Test("outside of it everything is light")
  func outside() throws {
    let code = try #require(QRCode("a"))
    #expect(!code[-1, 0] && !code[0, -1] && !code[code.width, 0] && !code[0, code.width])
  }

  @Test("the same text is the same code, another one another")
  func equal() {
    #expect(QRCode("a") == QRCode("a") && QRCode("a") != QRCode("b"))
  }

  @Test("an empty text, one with a zero and one that is too long have none")
  func none() {
    #expect(QRCode("") == nil && QRCode("a\0b") == nil && QRCode(String(repeating: "a", count: 3000)) == nil)
    #expect(QRCode(String(repeating: "a", count: 2900)) != nil)
  }
}
