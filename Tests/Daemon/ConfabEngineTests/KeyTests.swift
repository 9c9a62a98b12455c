import Clocks
import ConfabEngine
import JSON
import Testing

@Suite("the keys of an account's password")
struct KeyTests {
  private static let forgetting = "forgetKeys(account: \"home\")"

  @Test("are forgotten when the server refuses the password, and kept over cuts and conflicts")
  func forgotten() throws {
    let harness = try Harness(recordsActions: true)
    harness.cut()
    harness.pass(.seconds(2))
    #expect(harness.ask(harness.connect(), "status").first?["account"]?["state"]?.string == "online")
    #expect(!harness.actions.contains(Self.forgetting))
    harness.receive(Hostile.streamError("conflict"))
    harness.pass(.seconds(2))
    #expect(!harness.actions.contains(Self.forgetting))
    harness.server.deviation = LoginTests.wrong
    harness.cut()
    harness.pass(.seconds(5))
    #expect(harness.actions.filter { $0 == Self.forgetting }.count == 1)
  }

  @Test("may take longer than a server's answer, but not for ever")
  func patience() throws {
    let harness = try Harness()
    harness.derivesKeys = false
    harness.cut()
    harness.pass(.seconds(2))
    let link = try #require(harness.link)
    harness.pass(.seconds(85))
    #expect(harness.link == link)
    harness.pass(.seconds(10))
    #expect(harness.link != link)
  }

  @Test("come late, and the login goes on")
  func late() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.derivesKeys = false
    harness.cut()
    harness.pass(.seconds(62))
    harness.derive()
    #expect(harness.ask(client, "status").first?["account"]?["state"]?.string == "online")
  }
}
