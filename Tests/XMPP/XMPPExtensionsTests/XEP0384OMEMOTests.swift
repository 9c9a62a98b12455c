import Ratchet
import Testing
import XML

@testable import XMPPExtensions

@Suite("OMEMO's names and numbers")
struct XEP0384OMEMOTests {
  @Test("Nodes and items are those of the two versions")
  func nodes() {
    #expect(OMEMO.deviceNode(.legacy) == "eu.siacs.conversations.axolotl.devicelist")
    #expect(OMEMO.bundleNode(.legacy, of: 7) == "eu.siacs.conversations.axolotl.bundles:7")
    #expect(OMEMO.bundleItem(.legacy, of: 7) == "current")
    #expect(OMEMO.deviceNode(.omemo2) == "urn:xmpp:omemo:2:devices")
    #expect(OMEMO.bundleNode(.omemo2, of: 7) == "urn:xmpp:omemo:2:bundles")
    #expect(OMEMO.bundleItem(.omemo2, of: 7) == "7")
    #expect(OMEMO.options.access == .open && OMEMO.bundleOptions.mostItems == "max")
  }

  @Test("A device's number is 1 to 2^31 - 1, in digits")
  func numbers() {
    #expect(OMEMO.deviceID("1") == 1 && OMEMO.deviceID("2147483647") == 0x7FFF_FFFF)
    let wrong = ["", "0", "-1", "+1", " 1", "1 ", "0x1", "2147483648", "4294967297", "1.0", "١"]
    for text in wrong + [String(repeating: "1", count: 60_000)] { #expect(OMEMO.deviceID(text) == nil, "\(text)") }
    #expect(OMEMO.deviceID(nil) == nil)
    #expect(OMEMO.preKeyID("0") == 0 && OMEMO.preKeyID("2147483648") == nil)
  }

  @Test("Base64 is read with the line breaks of old clients, and up to its bound")
  func base64() throws {
    func read(_ text: String, most: Int = 4) throws -> [UInt8]? {
      OMEMO.bytes(of: try element("<key>\(text)</key>"), most: most)
    }
    #expect(try read("AQIDBA==") == [1, 2, 3, 4])
    #expect(try read("\n  AQ\r\n ID\tBA==\n") == [1, 2, 3, 4])
    #expect(try read("") == [])
    for wrong in ["AQIDBAU=", "AQIDBA", "AQIDBA=", "AQIDBB==", "AQ*DBA==", "AQIDBA==A", "AQID_A==", "===="] {
      #expect(try read(wrong) == nil, "\(wrong)")
    }
    #expect(OMEMO.bytes(of: nil, most: 4) == nil)
  }

  @Test("The version of an element is that of its namespace")
  func versions() throws {
    #expect(OMEMO.version(of: try element("<list xmlns='eu.siacs.conversations.axolotl'/>")) == .legacy)
    #expect(OMEMO.version(of: try element("<devices xmlns='urn:xmpp:omemo:2'/>")) == .omemo2)
    #expect(OMEMO.version(of: try element("<devices xmlns='urn:xmpp:omemo:1'/>")) == nil)
  }
}
