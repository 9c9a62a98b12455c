import LineProtocol
import Testing

@Suite("What the doctor found")
struct CheckTests {
  @Test("is one line of JSON, and read as it was written", arguments: Check.Kind.allCases, Check.Outcome.allCases)
  func lines(kind: Check.Kind, outcome: Check.Outcome) throws {
    for check in [
      Check(kind, outcome, "a\n\"text\" \u{1B}[1m\u{202E}", account: "home", advice: "do this", socket: "/s"),
      Check(kind, outcome, ""),
    ] {
      let line = check.line
      #expect(line.last == 0x0A && line.dropLast().allSatisfy { $0 >= 0x20 })
      #expect(Check(line: Array(line.dropLast())) == check)
    }
  }

  @Test(
    "is nothing else",
    arguments: [
      "", "usage: confabd", "{}", #"{"check":"moon","result":"ok","text":"x"}"#,
      #"{"check":"dns","result":"fine","text":"x"}"#, #"{"check":"dns","result":"ok"}"#, #"["check"]"#,
    ])
  func others(line: String) {
    #expect(Check(line: Array(line.utf8)) == nil)
  }
}
