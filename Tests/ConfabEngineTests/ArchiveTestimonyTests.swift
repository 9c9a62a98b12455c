import Testing
import XML
import XMPPCore
import XMPPExtensions

@testable import ConfabEngine

/// What the silence of an archive proves, as a value.
@Suite("the silence of an archive")
struct ArchiveTestimonyTests {
  private func preferences(_ byDefault: String) throws -> ArchivePreferences? {
    let parser = StreamParser()
    var items: [StreamItem] = []
    let xml = "<stream xmlns='jabber:client'><iq><prefs xmlns='urn:xmpp:mam:2' default='\(byDefault)'/></iq>"
    parser.feed(Array(xml.utf8), into: &items)
    guard case .stanza(let element) = items.last else { return nil }
    return ArchivePreferences(element)
  }

  @Test("proves nothing as long as nothing is known of the archive")
  func unknown() {
    let testimony = ArchiveTestimony(contacts: ["bob@example.org"])
    #expect(!testimony.isProofBySilence(about: "bob@example.org"))
  }

  @Test("proves something about each recipient to whom the archive has shown a message, and about no other")
  func shown() {
    var testimony = ArchiveTestimony(contacts: [])
    testimony.show("bob@example.org")
    #expect(testimony.isProofBySilence(about: "bob@example.org"))
    #expect(!testimony.isProofBySilence(about: "carol@example.org"))
  }

  @Test("proves what the preferences say, and of an archive of contacts nothing about a stranger")
  func preferred() throws {
    for (byDefault, ofContact, ofStranger) in [
      ("always", true, true), ("roster", true, false), ("never", false, false), ("often", false, false),
    ] {
      var testimony = ArchiveTestimony(contacts: ["bob@example.org"])
      testimony.receive(try preferences(byDefault))
      #expect(testimony.isProofBySilence(about: "bob@example.org") == ofContact, "\(byDefault)")
      #expect(testimony.isProofBySilence(about: "carol@example.org") == ofStranger, "\(byDefault)")
    }
  }

  @Test("is asked about once, and remembers no more recipients than there can be")
  func bounded() {
    var testimony = ArchiveTestimony(contacts: [])
    let asked = [testimony.ask(), testimony.ask()]
    #expect(asked == [true, false])
    for number in 0...ArchiveTestimony.mostShown { testimony.show("u\(number)@example.org") }
    #expect(!testimony.isProofBySilence(about: "u\(ArchiveTestimony.mostShown)@example.org"))
  }
}
