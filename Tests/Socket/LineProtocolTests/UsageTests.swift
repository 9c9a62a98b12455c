import LineProtocol
import Testing

@Suite("Usage")
struct UsageTests {
  @Test("A verb's usage names its options, arguments and text, in words and as a command")
  func usage() {
    let row = VerbTable[.read]
    #expect(Usage.words(row) == "read [all=yes|no] [JID] [ID]")
    #expect(Usage.commandLine(row) == "confab read [--all] [JID] [ID]")
    #expect(Usage.words(VerbTable[.wait]) == "wait for=sent|delivered|displayed [timeout=30s] ID")
    #expect(Usage.commandLine(VerbTable[.history]).contains("[--until-time=TIME]"))
  }
}
