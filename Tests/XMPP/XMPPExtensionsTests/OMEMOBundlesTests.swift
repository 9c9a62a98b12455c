import Bytes
import Ratchet
import Testing
import XML

@testable import XMPPExtensions

@Suite("Bundles of OMEMO devices")
struct OMEMOBundlesTests {
  private func text(_ bundle: DeviceBundle) -> String {
    var writer = XMLWriter()
    bundle.write(into: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test("A bundle is read as it was written, and sessions begin with it", arguments: RatchetVersion.allCases)
  func roundTrip(version: RatchetVersion) throws {
    let bundle = try OMEMOKeys.bundle(version)
    let read = try #require(DeviceBundle(try element(text(bundle))))
    #expect(read == bundle && read.preKeys.map(\.id) == [1, 2, 3])
    let peer = try #require(read.peerBundle(preKey: 2))
    #expect(peer.preKeyID == 3 && read.peerBundle(preKey: 3) == nil && read.peerBundle(preKey: -1) == nil)
    let session = try RatchetSession(
      with: peer, version, as: try OMEMOKeys.identity(5), random: OMEMOKeys.random(6))
    #expect(session.isWith(bundle.identity))
  }

  @Test("A bundle is published where its version has it")
  func publishing() throws {
    func item(_ version: RatchetVersion) throws -> (node: String?, item: String?) {
      let request = try element(try OMEMOKeys.bundle(version).publish(for: 77, id: "p1"))
      let publish = request.child("pubsub", PubSub.namespace)?.child("publish", PubSub.namespace)
      return (publish?.attribute("node"), publish?.child("item", PubSub.namespace)?.attribute("id"))
    }
    #expect(try item(.legacy) == ("eu.siacs.conversations.axolotl.bundles:77", "current"))
    #expect(try item(.omemo2) == ("urn:xmpp:omemo:2:bundles", "77"))
  }

  @Test("A bundle without one of its parts is none", arguments: RatchetVersion.allCases)
  func missing(version: RatchetVersion) throws {
    let whole = text(try OMEMOKeys.bundle(version))
    let names =
      version == .legacy
      ? ["identityKey", "signedPreKeyPublic", "signedPreKeySignature", "prekeys"] : ["ik", "spk", "spks", "prekeys"]
    for name in names {
      let without = whole.replacing("<\(name) ", with: "<other ").replacing("<\(name)>", with: "<other>")
        .replacing("</\(name)>", with: "</other>")
      #expect(DeviceBundle(try element(without)) == nil, "\(name)")
    }
    #expect(DeviceBundle(try element(whole.replacing("bundle", with: "package"))) == nil)
  }

  @Test("A key that is no point to agree with makes a bundle none, a pre-key only that pre-key")
  func points() throws {
    let bundle = try OMEMOKeys.bundle(.omemo2)
    let whole = text(bundle)
    let zero = Base64.encode([UInt8](repeating: 0, count: 32))
    func with(_ key: [UInt8], _ replacement: String) throws -> DeviceBundle? {
      DeviceBundle(try element(whole.replacing(">\(Base64.encode(key))<", with: ">\(replacement)<")))
    }
    for wrong in [zero, "", "AQID", Base64.encode([5] + bundle.signedPreKey.key.bytes), "*"] {
      #expect(try with(bundle.signedPreKey.key.bytes, wrong) == nil, "\(wrong)")
      #expect(try with(bundle.identity.edwards, wrong) == nil, "\(wrong)")
      #expect(try with(bundle.preKeys[1].key.bytes, wrong)?.preKeys.map(\.id) == [1, 3], "\(wrong)")
    }
    #expect(try with(bundle.signature, zero) == nil)
  }

  @Test("Ids are bounded, each is there once, and at most 200 pre-keys are read")
  func ids() throws {
    let bundle = try OMEMOKeys.bundle(.omemo2)
    let whole = text(bundle)
    let long = String(repeating: "1", count: 60_000)
    #expect(DeviceBundle(try element(whole.replacing("id='9'", with: "id='\(long)'"))) == nil)
    #expect(DeviceBundle(try element(whole.replacing("id='2'", with: "id='1'")))?.preKeys.map(\.id) == [1, 3])
    let key = Base64.encode(bundle.preKeys[0].key.bytes)
    let many = (10...2_000).map { "<pk id='\($0)'>\(key)</pk>" }.joined()
    #expect(DeviceBundle(try element(whole.replacing("<prekeys>", with: "<prekeys>\(many)")))?.preKeys.count == 200)
  }

  @Test("Line breaks in a key do not matter")
  func lineBreaks() throws {
    let bundle = try OMEMOKeys.bundle(.legacy)
    let key = Base64.encode(bundle.identity.curve.typed)
    let broken = text(bundle).replacing(key, with: "\n\(key.prefix(20))\r\n\(key.dropFirst(20))\n")
    #expect(DeviceBundle(try element(broken)) == bundle)
  }
}
