import ConfabConfiguration
import Testing

@Suite("A section put into a configuration")
struct ConfigurationTextTests {
  private static let text = """
    ; mine
    [daemon]
    log-level = info

    # the first
    [account home]
    jid = old@example.org
    password = x

    ; about the next one
    [account work]
    jid = work@example.org

    """

  @Test("takes the place of the one of its name, and leaves everything else, remarks too")
  func replaced() {
    var text = ConfigurationText(Self.text)
    text.put("account home", ["jid = new@example.org"])
    #expect(text.text == Self.text.replacing("jid = old@example.org\npassword = x", with: "jid = new@example.org"))
    #expect(text.section("account home") == "[account home]\njid = new@example.org\n")
    #expect(text.section("daemon") == "[daemon]\nlog-level = info\n")
  }

  @Test("else goes to the end, behind an empty line")
  func added() {
    var text = ConfigurationText("[daemon]\nlog-level = info")
    #expect(!text.has("account home"))
    text.put("account home", ["jid = a@example.org"])
    #expect(text.text == "[daemon]\nlog-level = info\n\n[account home]\njid = a@example.org\n")
    #expect(text.has("account home") && !text.has("account hom") && text.section("account x") == nil)
    var empty = ConfigurationText("")
    empty.put("account home", [])
    #expect(empty.text == "[account home]\n")
  }

  @Test("is found as the reader finds it: with blanks around its header, and none in a remark")
  func found() {
    #expect(ConfigurationText("  [account home] \r\njid = x\r\n").has("account home") == false, "a CR is no blank")
    #expect(ConfigurationText("\t[account home]\t\njid = x\n").has("account home"))
    #expect(!ConfigurationText("; [account home]\n").has("account home"))
  }
}
