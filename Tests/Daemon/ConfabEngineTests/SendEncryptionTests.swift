import JSON
import Testing

/// What the answer of `send` says about encryption.
@Suite("The answer of send about encryption")
struct SendEncryptionTests {
  private func answers(_ harness: Harness, _ request: String) -> String? {
    harness.ask(harness.connect(), request).last?["encrypt"]?.string
  }

  @Test("is what the request wants, else what holds for the conversation")
  func wanted() throws {
    let harness = try Harness()
    #expect(answers(harness, "send encrypt=yes bob@example.org hi") == "required")
    #expect(answers(harness, "send encrypt=no bob@example.org hi") == "none")
    for (policy, wanted) in [("always", "required"), ("never", "none"), ("auto", "open")] {
      _ = harness.ask(harness.connect(), "encrypt bob@example.org \(policy)")
      #expect(answers(harness, "send bob@example.org hi") == wanted)
    }
  }

  @Test("is the same when the message is sent once more under its key")
  func repeated() throws {
    let harness = try Harness()
    #expect(answers(harness, "send key=k encrypt=yes bob@example.org hi") == "required")
    let again = harness.ask(harness.connect(), "send key=k encrypt=yes bob@example.org hi").last
    #expect(again?["repeated"]?.bool == true && again?["encrypt"]?.string == "required")
  }

  @Test("is not there for other verbs")
  func others() throws {
    let harness = try Harness()
    let client = harness.connect()
    let id = harness.ask(client, "send bob@example.org hi").last?["id"]?.integer ?? 0
    #expect(harness.ask(client, "retract \(id)").last?["encrypt"] == nil)
  }
}
