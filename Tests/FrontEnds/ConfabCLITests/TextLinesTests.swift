import Testing

@testable import ConfabCLI

@Suite("TextLines")
struct TextLinesTests {
  @Test("Lines fit the columns beside their indent, and a longer word stays whole")
  func wrapped() {
    let long = String(repeating: "x", count: 90)
    let lines = TextLines.wrapped(String(repeating: "word ", count: 40) + long, indent: 10)
    #expect(lines.dropLast().allSatisfy { $0.count <= 70 } && lines.last == long)
    #expect(TextLines.indented(["a", "b"], 2) == "a\n  b")
    #expect(TextLines.wrapped("").isEmpty)
  }
}
