import Crypto
import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct XEP0115EntityCapabilitiesTests {
  static let features = [
    "http://jabber.org/protocol/muc", "http://jabber.org/protocol/caps", "http://jabber.org/protocol/disco#items",
    "http://jabber.org/protocol/disco#info",
  ]

  /// Section 5.2.
  static let simple = DiscoInfo(
    identities: [.init(category: "client", type: "pc", name: "Exodus 0.9.1")], features: features)

  /// Section 5.3.
  static func complex() throws -> DiscoInfo {
    try #require(try DiscoInfo(element(Self.psi)))
  }

  static let psi = """
    <iq type='result'><query xmlns='http://jabber.org/protocol/disco#info'>\
    <identity xml:lang='en' category='client' name='Psi 0.11' type='pc'/>\
    <identity xml:lang='el' category='client' name='Ψ 0.11' type='pc'/>\
    <feature var='http://jabber.org/protocol/caps'/><feature var='http://jabber.org/protocol/disco#info'/>\
    <feature var='http://jabber.org/protocol/disco#items'/><feature var='http://jabber.org/protocol/muc'/>\
    <x xmlns='jabber:x:data' type='result'><field var='FORM_TYPE' type='hidden'>\
    <value>urn:xmpp:dataforms:softwareinfo</value></field><field var='ip_version'><value>ipv6</value>\
    <value>ipv4</value></field><field var='software'><value>Psi</value></field><field var='os'><value>Mac</value>\
    </field><field var='os_version'><value>10.5.1</value></field><field var='software_version'><value>0.11</value>\
    </field></x></query></iq>
    """

  @Test func theExamplesOfTheDocument() throws {
    #expect(EntityCapabilities.verification(of: Self.simple, .sha1) == "QgayPKawpkPSDYmwT/WM94uAlu0=")
    #expect(try EntityCapabilities.verification(of: Self.complex(), .sha1) == "q07IKJEyjvHSyhy//CH0CxmKi8w=")
  }

  @Test func capabilitiesAreConfirmedByWhatTheyStandForOnly() throws {
    let caps = EntityCapabilities(node: "n", ver: "QgayPKawpkPSDYmwT/WM94uAlu0=")
    #expect(caps.isConfirmed(by: Self.simple))
    #expect(try !caps.isConfirmed(by: Self.complex()))
    #expect(!EntityCapabilities(node: "n", ver: caps.ver, hash: "sha-256").isConfirmed(by: Self.simple))
    #expect(!EntityCapabilities(node: "n", ver: caps.ver, hash: "md5").isConfirmed(by: Self.simple))
    let strong = try #require(EntityCapabilities.verification(of: Self.simple, .sha256))
    #expect(EntityCapabilities(node: "n", ver: strong, hash: "sha-256").isConfirmed(by: Self.simple))
  }

  @Test func whatIsIllFormedHasNoHash() throws {
    var info = Self.simple
    info.features.append(info.features[0])
    #expect(EntityCapabilities.verification(of: info, .sha1) == nil)
    info = Self.simple
    info.identities.append(info.identities[0])
    #expect(EntityCapabilities.verification(of: info, .sha1) == nil)
    info = try Self.complex()
    info.forms.append(info.forms[0])
    #expect(EntityCapabilities.verification(of: info, .sha1) == nil)
    info = try Self.complex()
    info.forms[0].fields[0].values.append("another")
    #expect(EntityCapabilities.verification(of: info, .sha1) == nil)
  }

  @Test func formsWithoutAHiddenTypeDoNotCount() throws {
    var info = try Self.complex()
    info.forms[0].fields[0].type = "text-single"
    var bare = try Self.complex()
    bare.forms = []
    #expect(EntityCapabilities.verification(of: info, .sha1) == EntityCapabilities.verification(of: bare, .sha1))
    #expect(EntityCapabilities.verification(of: info, .sha1) != nil)
  }

  /// Two features in one look like two: the known way to poison a cache.
  @Test func theSeparatorInsideANameIsIllFormed() {
    let joined = DiscoInfo(
      identities: Self.simple.identities, features: [Self.features.sorted().joined(separator: "<")])
    #expect(EntityCapabilities.verification(of: joined, .sha1) == nil)
    let named = DiscoInfo(identities: [.init(category: "client", type: "pc", name: "a<b")], features: [])
    #expect(EntityCapabilities.verification(of: named, .sha1) == nil)
  }

  @Test func oursAreAnnouncedAndConfirmed() throws {
    let bytes = Presence().serialized { EntityCapabilities.own(.test())?.write(into: &$0) }
    let caps = try #require(try EntityCapabilities(of: element(bytes)))
    #expect(caps.node == "https://confab.example" && caps.hash == "sha-1")
    let answer = try answer(
      "<iq id='1' type='get'><query xmlns='http://jabber.org/protocol/disco#info' node='\(caps.discoNode)'/></iq>")
    #expect(caps.isConfirmed(by: try #require(answer.flatMap { DiscoInfo($0) })))
  }

  @Test(arguments: [
    "", "<c xmlns='http://jabber.org/protocol/caps' node='n' ver='v'/>", "<c hash='sha-1' node='n' ver='v'/>",
  ])
  func othersHaveNone(_ xml: String) throws {
    #expect(try EntityCapabilities(of: element("<presence>\(xml)</presence>")) == nil)
  }
}
