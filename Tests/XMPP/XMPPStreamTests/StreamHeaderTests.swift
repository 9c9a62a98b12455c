import Testing
import XMPPStream

/// How the opening of a stream can be wrong.
@Suite struct StreamHeaderTests {
  typealias S = Snippet

  @Test(
    arguments: [
      ("<stream xmlns='jabber:client' id='x' version='1.0'>", "it did not open an XMPP stream"),
      ("<stream:features \(S.streams) xmlns='jabber:client' id='x' version='1.0'>", "it did not open an XMPP stream"),
      (
        "<stream:stream xmlns:stream='http://etherx.jabber.org/stream' xmlns='jabber:client' id='x' version='1.0'>",
        "it did not open an XMPP stream"
      ),
      ("<html>", "it did not open an XMPP stream"),
      (
        "<stream:stream \(S.streams) xmlns='jabber:server' id='x' version='1.0'>",
        "its stream is for jabber:server, not for clients"
      ),
      ("<stream:stream \(S.streams) xmlns='jabber:client' version='1.0'>", "its stream has no id"),
      ("<stream:stream \(S.streams) xmlns='jabber:client' id='' version='1.0'>", "its stream has no id"),
      ("<stream:stream \(S.streams) xmlns='jabber:client' id='x'>", "it does not speak XMPP 1.0"),
      ("<stream:stream \(S.streams) xmlns='jabber:client' id='x' version='0.9'>", "it does not speak XMPP 1.0"),
      ("<stream:stream \(S.streams) xmlns='jabber:client' id='x' version='1'>", "it does not speak XMPP 1.0"),
      ("<stream:stream \(S.streams) xmlns='jabber:client' id='x' version='1.0.0'>", "it does not speak XMPP 1.0"),
      ("<stream:stream \(S.streams) xmlns='jabber:client' id='x' version='+1.0'>", "it does not speak XMPP 1.0"),
      ("<stream:stream \(S.streams) xmlns='jabber:client' id='x' version='1.'>", "it does not speak XMPP 1.0"),
    ])
  func wrongHeaders(header: String, what: String) throws {
    let driver = try Conversation("C: \(S.plainHeader)\nS: \(header)").driverAfter()
    #expect(driver.failure == .protocolViolation(what))
  }

  /// A header from somebody else is no failure yet; features from somebody else are.
  @Test(arguments: ["other.example", "user@example.org", "example.org/x", "", "@"])
  func strangers(from: String) throws {
    let header = "<stream:stream \(S.streams) xmlns='jabber:client' id='x' version='1.0' from='\(from)'>"
    let refused = try Conversation("C: \(S.plainHeader)\nS: \(header)\(S.offersTLS)").driverAfter()
    #expect(refused.failure == .protocolViolation("it says that it is \(from), not example.org"))
    let explained = try Conversation(
      "C: \(S.plainHeader)\nS: \(header)\(S.streamError(S.condition("host-unknown")))"
    ).driverAfter()
    #expect(explained.failure?.sentence == "the server does not serve this domain (host-unknown)")
  }
}
