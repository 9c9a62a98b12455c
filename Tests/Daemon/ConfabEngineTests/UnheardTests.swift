import Clocks
import JSON
import TestSupport
import Testing

@testable import ConfabEngine

/// Servers that resume a stream and do not hear what is sent on it: Prosody 0.12 takes it for the rest of the stanza in
/// which the last link was cut.
@Suite("resumed streams that are not heard")
struct UnheardTests {
  private static let error =
    "<stream:error><not-well-formed xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error></stream:stream>"

  /// Alice, whose message `one` a server that keeps streams has not had; the link was cut and the stream went on.
  private func resumed(isHeard: Bool) throws -> Harness {
    var server = ScriptedStream()
    server.resumption = "max='600'"
    server.acknowledges = true
    let harness = try Harness(server: server)
    harness.pass(.seconds(1))
    harness.server.acknowledges = false
    _ = harness.ask(harness.connect(), "send bob@example.org one")
    (harness.server.lost, harness.server.hearsResumed) = (1, isHeard)
    harness.clearTrace()
    harness.cut()
    harness.pass(.seconds(3))
    #expect(harness.toServer.components("<resume ").count == 2)
    #expect(harness.toServer.contains("one</body>"))
    return harness
  }

  private func message(_ harness: Harness) -> JSONValue? {
    harness.ask(harness.connect(6), "history bob@example.org").first?["message"]
  }

  private func words(_ harness: Harness) -> String { harness.told.joined(separator: "\n") }

  @Test("one that is silent is asked first the next time, before anything leaves; twice, and another stream begins")
  func silent() throws {
    let harness = try resumed(isHeard: false)
    harness.clearTrace()
    harness.pass(.seconds(31))
    #expect(harness.toServer.components("<resume ").count == 2)
    #expect(harness.toServer.contains("<r xmlns='urn:xmpp:sm:3'/>") && !harness.toServer.contains("<message"))
    harness.server.acknowledges = true
    harness.clearTrace()
    harness.pass(.seconds(15))
    #expect(!harness.toServer.contains("<resume "))
    #expect(harness.toServer.components("one</body>").count == 2)
    #expect(message(harness)?["state"]?.string == "sent")
    #expect(words(harness).components("ignores what is sent").count == 2)
  }

  @Test("one that answers the second time goes on, and what waited leaves")
  func slow() throws {
    let harness = try resumed(isHeard: false)
    harness.server.hearsResumed = true
    harness.server.acknowledges = true
    harness.clearTrace()
    harness.pass(.seconds(32))
    #expect(harness.toServer.components("<resume ").count == 2 && !harness.toServer.contains("xmpp-bind"))
    #expect(harness.toServer.components("one</body>").count == 2)
    #expect(message(harness)?["state"]?.string == "sent" && message(harness)?["in_doubt"] == nil)
    // It is trusted again.
    harness.server.acknowledges = false
    _ = harness.ask(harness.connect(), "send bob@example.org two")
    harness.server.lost = 1
    harness.clearTrace()
    harness.cut()
    harness.pass(.seconds(3))
    #expect(harness.toServer.contains("two</body>"))
  }

  @Test("what it complains of is no message's fault, and the next stream is another one")
  func complaint() throws {
    let harness = try resumed(isHeard: false)
    for _ in 0..<3 {
      harness.server.hearsResumed = true
      harness.clearTrace()
      harness.receive(Self.error)
      harness.pass(.seconds(10))
      #expect(!harness.toServer.contains("<resume "))
      #expect(message(harness)?["state"]?.string == "queued")
      (harness.server.lost, harness.server.hearsResumed) = (1, false)
      harness.cut()
      harness.pass(.seconds(3))
    }
  }
}
