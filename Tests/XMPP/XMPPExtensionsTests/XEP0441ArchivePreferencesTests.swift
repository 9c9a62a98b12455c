import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct XEP0441ArchivePreferencesTests {
  static func preferences(_ xml: String) throws -> ArchivePreferences? {
    ArchivePreferences(try element("<iq type='result'>\(xml)</iq>"))
  }

  private func lists(_ byDefault: String, always: String = "", never: String = "") throws -> ArchivePreferences {
    try #require(
      try Self.preferences(
        "<prefs xmlns='urn:xmpp:mam:2' default='\(byDefault)'><always>\(always)</always><never>\(never)</never></prefs>"
      ))
  }

  @Test func theyAreAskedFor() throws {
    let request = try element(ArchivePreferences.request(to: JID("juliet@capulet.lit"), id: "1"))
    #expect(request.attribute("type") == "get")
    #expect(request.attribute("to") == "juliet@capulet.lit")
    #expect(request.child("prefs", "urn:xmpp:mam:2") != nil)
  }

  @Test func theDefaultCounts() throws {
    let romeo = try JID("romeo@montague.lit")
    for isOnRoster in [true, false] {
      #expect(try lists("always").keepsMessages(with: romeo, isOnRoster: isOnRoster))
      #expect(try !lists("never").keepsMessages(with: romeo, isOnRoster: isOnRoster))
      #expect(try lists("roster").keepsMessages(with: romeo, isOnRoster: isOnRoster) == isOnRoster)
    }
  }

  @Test func theListsCountMore() throws {
    let romeo = try JID("romeo@montague.lit")
    for listed in ["romeo@montague.lit", "Romeo@Montague.LIT"] {
      #expect(try lists("never", always: "<jid>\(listed)</jid>").keepsMessages(with: romeo, isOnRoster: false))
    }
    for listed in ["romeo@montague.lit", "romeo@montague.lit/orchard", "montague.lit"] {
      let never = "<jid>x@y</jid><jid>\(listed)</jid>"
      #expect(try !lists("always", never: never).keepsMessages(with: romeo, isOnRoster: true))
    }
    // A preference for one resource does not cover the others.
    let orchard = "<jid>romeo@montague.lit/orchard</jid><jid>@</jid>"
    #expect(try !lists("never", always: orchard).keepsMessages(with: romeo, isOnRoster: true))
    #expect(try lists("always", never: "<jid>other@montague.lit</jid>").keepsMessages(with: romeo, isOnRoster: false))
  }

  @Test func whatIsNotUnderstoodSaysNothing() throws {
    for xml in ["", "<prefs xmlns='urn:xmpp:mam:2'/>", "<prefs xmlns='urn:xmpp:mam:2' default='often'/>"] {
      #expect(try Self.preferences(xml) == nil)
    }
  }
}
