import Ratchet
import Testing
import XML

@testable import XMPPExtensions

@Suite struct XEP0380ExplicitMessageEncryptionTests {
  private func scheme(_ children: String) throws -> String? {
    let message = try element("<message>\(children)</message>")
    return MessageParts(of: message).encryption(of: message)?.scheme
  }

  @Test("What is encrypted is known by its element, or by the name of its method")
  func schemes() throws {
    let keys = "<encrypted xmlns='urn:xmpp:omemo:2'><header/></encrypted>"
    #expect(try scheme("<encrypted xmlns='urn:xmpp:omemo:2'><payload/></encrypted>" + keys) == "omemo")
    #expect(try scheme(keys) == nil && scheme("<encrypted xmlns='urn:x'><payload/></encrypted>") == nil)
    func named(_ namespace: String) -> String { "<encryption xmlns='urn:xmpp:eme:0' namespace='\(namespace)'/>" }
    #expect(try scheme(named("urn:x") + "<y xmlns='urn:x'/>") == "urn:x" && scheme(named("urn:x")) == nil)
    #expect(try scheme(named("urn:xmpp:omemo:2") + "<body>x</body>") == "omemo")
    #expect(try scheme(named("urn:xmpp:omemo:2") + "<body>x</body>" + keys) == nil)
    #expect(try scheme(named(String(repeating: "x", count: 201)) + "<body>x</body>") == nil)
  }

  @Test("An encrypted message says so to clients that cannot read it", arguments: RatchetVersion.allCases)
  func written(version: RatchetVersion) throws {
    var writer = XMLWriter()
    MessageEncryption.writeOMEMO(version, into: &writer)
    let hint = try element(writer.bytes)
    #expect(hint.isNamed("encryption", "urn:xmpp:eme:0") && hint.attribute("name") == "OMEMO")
    #expect(hint.attribute("namespace") == "\(OMEMO.namespace(version))")
  }
}
