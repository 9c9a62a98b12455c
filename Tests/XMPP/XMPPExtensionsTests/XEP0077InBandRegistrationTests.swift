import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite("Registering with rooms")
struct XEP0077InBandRegistrationTests {
  static let room = "hall@rooms.example.org"
  static let xmlns = "xmlns='jabber:iq:register'"

  private func registration(_ inside: String) throws -> Registration? {
    Registration(try element("<iq type='result'><query \(Self.xmlns)>\(inside)</query></iq>"))
  }

  private static func form(_ fields: String) -> String {
    "<x xmlns='jabber:x:data' type='form'><field var='FORM_TYPE' type='hidden'>"
      + "<value>http://jabber.org/protocol/muc#register</value></field>\(fields)</x>"
  }

  private func submitted(_ registration: Registration) throws -> Element? {
    let iq = try element(registration.submit(nick: "Al", to: JID(Self.room), id: "1"))
    #expect(iq.attribute("to") == Self.room && iq.attribute("type") == "set")
    return iq.child("query", Registration.namespace)?.child("x", Namespace.dataForms)
  }

  private static let nick = "<field var='muc#register_roomnick' type='text-single'><required/></field>"
  private static let answer = """
    <x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE' type='hidden'>\
    <value>http://jabber.org/protocol/muc#register</value></field>\
    <field var='muc#register_roomnick'><value>Al</value></field></x>
    """

  @Test("A room asks for a nick, and gets it")
  func registering() throws {
    let registration = try #require(try registration(Self.form(Self.nick)))
    #expect(!registration.isRegistered && registration.nick == nil && registration.openFields.isEmpty)
    #expect(try submitted(registration) == element(Self.answer))
  }

  @Test("A registered nick is shown, and changed without a form")
  func registered() throws {
    let registration = try #require(try registration("<registered/><username>Al</username>"))
    #expect(registration.isRegistered && registration.nick == "Al" && registration.form == nil)
    #expect(try submitted(registration) == element(Self.answer))
  }

  @Test("A room that wants to know more names the fields")
  func more() throws {
    let email =
      "<field var='muc#register_email'><required/></field><field var='x'/><field var='y'><required/><value>1</value></field>"
    #expect(try registration(Self.form(Self.nick + email))?.openFields == ["muc#register_email"])
  }

  @Test("ejabberd's form for a whole service has a field of its own for the nick")
  func ejabberd() throws {
    let registration = try #require(
      try registration("<x xmlns='jabber:x:data' type='form'><field var='nick' type='text-single'/></x>"))
    #expect(
      try submitted(registration)
        == element("<x xmlns='jabber:x:data' type='submit'><field var='nick'><value>Al</value></field></x>"))
  }

  @Test("It is asked for, and given up")
  func requests() throws {
    let request = try element(Registration.request(JID(Self.room), id: "1"))
    #expect(try request == element("<iq type='get' to='\(Self.room)' id='1'><query \(Self.xmlns)/></iq>"))
    let remove = try element(Registration.cancel(JID(Self.room), id: "1"))
    #expect(
      try remove == element("<iq type='set' to='\(Self.room)' id='1'><query \(Self.xmlns)><remove/></query></iq>"))
    #expect(try Registration(element("<iq type='result'/>")) == nil)
  }
}
