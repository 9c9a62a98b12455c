import Clocks
import ConfabAccounts
import ConfabEngine
import JSON
import ConfabConfiguration
import Testing

@Suite("addresses that people type")
struct AddressTests {
  @Test("are prepared: whatever the case and width, they are one conversation")
  func prepared() throws {
    let harness = try Harness()
    let client = harness.connect()
    for address in ["\u{416}\u{423}\u{41A}@Example.ORG", "\u{436}\u{443}\u{43A}@example.org."] {
      #expect(harness.ask(client, "send \(address) hello").last?["ok"]?.bool == true)
    }
    #expect(harness.toServer.components("to='\u{436}\u{443}\u{43A}@example.org'").count == 3)
    harness.receive(
      "<message from='\u{436}\u{443}\u{43A}@example.org/x' type='chat' id='1'><body>hi</body></message>")
    #expect(harness.ask(client, "history \u{436}\u{443}\u{43A}@EXAMPLE.org").count == 4)
  }

  @Test("are refused in words that name the argument and the character")
  func refused() throws {
    let harness = try Harness()
    let client = harness.connect()
    let answer = harness.ask(client, "send \u{265A}\u{A0}@example.org hello").last
    #expect(answer?["error"]?.string == "bad-argument" && answer?["argument"]?.string == "to")
    #expect(answer?["reason"]?.string?.contains("U+00A0") == true)
  }

  @Test("that only a server would give are read as they are once they wrote to us")
  func known() throws {
    let harness = try Harness()
    let client = harness.connect()
    let odd = ["\u{265A}\u{640}@example.org", "\u{C9}ve@example.org", "a\u{FF22}@example.org", "\u{3164}@example.org"]
    for (number, address) in odd.enumerated() {
      harness.receive("<message from='\(address)/x' type='chat' id='\(number)'><body>hi</body></message>")
      harness.pass(.milliseconds(50))
      harness.clearTrace()
      #expect(harness.ask(client, "send \(address) hello").last?["ok"]?.bool == true)
      #expect(harness.toServer.contains("to='\(address)'"))
      #expect(harness.ask(client, "history \(address)").count == 3)
    }
    // Somebody else all the same.
    #expect(harness.ask(client, "history ab@example.org").count == 1)
  }

  @Test("of two accounts are not one and the same, however they are written")
  func twice() throws {
    var configuration = Configuration()
    configuration.accounts = [
      AccountSettings(name: "home", jid: "alice@m\u{FC}ller.example"),
      AccountSettings(name: "work", jid: "\u{FF21}lice@M\u{DC}LLER.example."),
    ]
    let error = #expect(throws: ConfigurationProblem.self) { try Engine.check(configuration) }
    #expect(
      error?.description
        == "[account work] jid: expected a JID that no other account has, found that of home")
    configuration.accounts[1].resource = "other"
    #expect(throws: Never.self) { try Engine.check(configuration) }
  }

  @Test("of accounts, and their resources, are checked before anything is taken from a configuration")
  func configuration() throws {
    var configuration = Configuration()
    for (jid, resource, sentence) in [
      ("\u{2163}\u{3000}@example.org", nil, "The local part of the address contains U+3000, which is not allowed."),
      ("example.org", nil, "The local part of the address is empty."),
      ("a@b/c", nil, "The resource of the address has a key of its own."),
      ("a@b", "x\u{202E}", "The resource of the address contains U+202E, which is not allowed."),
    ] as [(String, String?, String)] {
      configuration.accounts = [AccountSettings(name: "home", jid: jid)]
      configuration.accounts[0].resource = resource
      let error = #expect(throws: ConfigurationProblem.self) { try Engine.check(configuration) }
      #expect(error?.description == "[account home]: \(sentence)")
    }
    configuration.accounts = [AccountSettings(name: "home", jid: "Al\u{FF49}ce@B\u{DC}CHER.example")]
    try Engine.check(configuration)
  }
}
