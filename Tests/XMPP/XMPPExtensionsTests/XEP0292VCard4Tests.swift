import Testing
import XML
import XMPPExtensions

@Suite struct XEP0292VCard4Tests {
  private func profile(_ content: String) throws -> Profile? {
    let iq = try element(
      "<iq type='result' id='1'><pubsub xmlns='http://jabber.org/protocol/pubsub'><items node='\(Profile.node)'><item>"
        + "<vcard xmlns='urn:ietf:params:xml:ns:vcard-4.0'>\(content)</vcard></item></items></pubsub></iq>")
    return PubSub.items(in: iq, of: Profile.node)?.first.flatMap { Profile(vCard4: $0) }
  }

  @Test func propertiesAreReadWithoutTheirParameters() throws {
    let profile = try #require(
      try profile(
        "<fn><text> Peter Saint-Andre </text></fn><n><surname>S</surname></n><nickname><text>stpeter</text></nickname>"
          + "<nickname><text>psa</text></nickname><bday><date>1966-08-06</date></bday>"
          + "<adr><parameters><type><text>work</text></type></parameters><ext/><street>1899 Wynkoop</street>"
          + "<locality>Denver</locality></adr><tel><parameters/><uri>tel:+1-303</uri></tel>"
          + "<impp><uri>xmpp:a@b</uri></impp><org><text>XSF</text></org><email><text>a@b</text></email>"
          + "<email><text>a@b</text></email><photo><uri>https://x</uri></photo>"))
    #expect(
      profile.values == [
        .fullName: ["Peter Saint-Andre"], .nickname: ["stpeter", "psa"], .birthday: ["1966-08-06"],
        .address: ["1899 Wynkoop, Denver"], .phone: ["+1-303"], .addressOfXMPP: ["a@b"], .organisation: ["XSF"],
        .email: ["a@b"],
      ])
  }

  @Test func valuesAreBounded() throws {
    let many = (0..<100).map { "<note><text>\($0)\(String(repeating: "x", count: 5_000))</text></note>" }.joined()
    let notes = try #require(try profile(many)?.values[.note])
    #expect(notes.count == Profile.mostValues)
    #expect(notes.allSatisfy { $0.unicodeScalars.count == Profile.longestValue })
  }

  @Test func anEmptyCardIsEmptyAndAnotherElementIsNone() throws {
    #expect(try profile("<fn><text> </text></fn>")?.isEmpty == true)
    let iq = try element(
      "<iq><pubsub xmlns='http://jabber.org/protocol/pubsub'><items node='n'><item><vcard/></item></items></pubsub></iq>"
    )
    let item = try #require(PubSub.items(in: iq, of: "n")?.first)
    #expect(Profile(vCard4: item) == nil)
  }
}
