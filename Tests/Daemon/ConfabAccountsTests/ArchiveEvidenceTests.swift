import Testing
import XML
import XMPPCore
import XMPPExtensions

@testable import ConfabAccounts

/// `ArchiveEvidence` as a value: whether a message that the archive lacks is proven lost.
@Suite("messages that the archive lacks")
struct ArchiveEvidenceTests {
  private func preferences(_ byDefault: String) throws -> ArchivePreferences? {
    let parser = StreamParser()
    var items: [StreamItem] = []
    let xml = "<stream xmlns='jabber:client'><iq><prefs xmlns='urn:xmpp:mam:2' default='\(byDefault)'/></iq>"
    parser.feed(Array(xml.utf8), into: &items)
    guard case .stanza(let element) = items.last else { return nil }
    return ArchivePreferences(element)
  }

  @Test("prove nothing while the archive's preferences are unknown")
  func unknown() {
    let evidence = ArchiveEvidence(contacts: ["bob@example.org"])
    #expect(!evidence.absenceProvesLoss(to: "bob@example.org"))
  }

  @Test("prove something for each recipient to whom the archive has shown a message, and for no other")
  func shown() {
    var evidence = ArchiveEvidence(contacts: [])
    evidence.show("bob@example.org")
    #expect(evidence.absenceProvesLoss(to: "bob@example.org"))
    #expect(!evidence.absenceProvesLoss(to: "carol@example.org"))
  }

  @Test("prove what the preferences say, and nothing about strangers if the archive keeps only contacts")
  func preferred() throws {
    for (byDefault, ofContact, ofStranger) in [
      ("always", true, true), ("roster", true, false), ("never", false, false), ("often", false, false),
    ] {
      var evidence = ArchiveEvidence(contacts: ["bob@example.org"])
      evidence.receive(try preferences(byDefault))
      #expect(evidence.absenceProvesLoss(to: "bob@example.org") == ofContact, "\(byDefault)")
      #expect(evidence.absenceProvesLoss(to: "carol@example.org") == ofStranger, "\(byDefault)")
    }
  }

  @Test("cause one query for the preferences, and the recipients kept are bounded")
  func bounded() {
    var evidence = ArchiveEvidence(contacts: [])
    let asked = [evidence.requestPreferences(), evidence.requestPreferences()]
    #expect(asked == [true, false])
    for number in 0...ArchiveEvidence.mostShown { evidence.show("u\(number)@example.org") }
    #expect(!evidence.absenceProvesLoss(to: "u\(ArchiveEvidence.mostShown)@example.org"))
  }
}
