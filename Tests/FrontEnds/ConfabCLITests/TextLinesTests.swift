import ConfabClient
import LineProtocol
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

  @Test(
    "What an option means begins in one column, in no line wider than the terminal", arguments: LocalCommand.allCases)
  func options(command: LocalCommand) {
    let lines = HelpText.of(command).split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { $0.count <= TextLines.columns })
    for line in lines.drop(while: { $0 != "Options:" }).dropFirst() where !line.hasPrefix("  -") {
      #expect(line.prefix { $0 == " " }.count == 20, "\(line)")
    }
    let named = lines.filter { $0.hasPrefix("  --") }
    #expect(named.allSatisfy { $0.count <= 30 || $0.dropFirst(19).first == " " && $0.dropFirst(20).first != " " })
  }

  @Test("On a terminal the lines of a check end between words, from one column on")
  func check() {
    let check = Check(
      .dns, .wrong, "no address of example.test: it has none, as far as DNS knows", advice: "is it right?")
    let style = TextStyle(isTerminal: false, environment: [:])
    let lines = check.shown(style, columns: 60).split(separator: "\n").map(String.init)
    #expect(lines.count == 3 && lines.allSatisfy { $0.count <= 60 })
    #expect(lines[1].hasPrefix(String(repeating: " ", count: 24)) && lines[1].dropFirst(24).first != " ")
    #expect(check.shown(style).split(separator: "\n").count == 2)
  }
}
