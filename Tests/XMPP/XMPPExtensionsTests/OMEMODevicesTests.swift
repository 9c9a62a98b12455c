import Bytes
import Ratchet
import Testing
import XML

@testable import XMPPExtensions

@Suite("Lists of OMEMO devices")
struct OMEMODevicesTests {
  private func list(_ devices: String, _ version: RatchetVersion = .omemo2) throws -> DeviceList? {
    let name = version == .legacy ? "list" : "devices"
    return DeviceList(try element("<\(name) xmlns='\(OMEMO.namespace(version))'>\(devices)</\(name)>"))
  }

  @Test("A list is read as it was written", arguments: RatchetVersion.allCases)
  func roundTrip(version: RatchetVersion) throws {
    let label = DeviceLabel("Kitchen & <co>", by: try OMEMOKeys.identity(), random: OMEMOKeys.random(3))
    let list = DeviceList(version, [.init(id: 5, label: version == .legacy ? nil : label), .init(id: 0x7FFF_FFFF)])
    #expect(DeviceList(try written { list.write(into: &$0) }) == list)
    let request = try element(list.publish(id: "p1"))
    let publish = try #require(request.child("pubsub", PubSub.namespace)?.child("publish", PubSub.namespace))
    #expect(publish.attribute("node") == OMEMO.deviceNode(version))
    #expect(publish.child("item", PubSub.namespace)?.attribute("id") == "current")
  }

  @Test("A list may be empty, and a device is in it once")
  func duplicates() throws {
    #expect(try list("")?.devices.isEmpty == true)
    #expect(try list("<device id='5'/><device id='6'/><device id='5'/>")?.devices.map(\.id) == [5, 6])
  }

  @Test("Entries that are no devices are passed over")
  func nonsense() throws {
    let text = "<device/><device id='0'/><device id='x'/><device id='\(String(repeating: "9", count: 60_000))'/>"
    #expect(try list(text + "<other id='7'/><device xmlns='urn:x' id='8'/><device id='9'/>")?.devices.map(\.id) == [9])
    #expect(DeviceList(try element("<list xmlns='urn:xmpp:omemo:2'/>")) == nil)
    #expect(DeviceList(try element("<devices xmlns='eu.siacs.conversations.axolotl'/>")) == nil)
    #expect(DeviceList(try element("<devices xmlns='urn:xmpp:omemo:1'/>")) == nil)
  }

  @Test("Of 9,999 devices 200 are read", arguments: RatchetVersion.allCases)
  func many(version: RatchetVersion) throws {
    let devices = (1...9_999).map { "<device id='\($0)'/>" }.joined()
    #expect(try list(devices, version)?.devices.map(\.id) == Array(1...200))
  }

  @Test("A label counts with its device's signature alone")
  func labels() throws {
    let (own, other) = (try OMEMOKeys.identity(), try OMEMOKeys.identity(9))
    let label = try #require(DeviceLabel("Phone", by: own, random: OMEMOKeys.random(4)))
    let code = Base64.encode(label.signature)
    let read = try list("<device id='1' label='Phone' labelsig='\(code)'/>")?.devices.first?.label
    #expect(read == label && read?.isSigned(by: own.key) == true && read?.isSigned(by: other.key) == false)
    let moved = try list("<device id='1' label='Laptop' labelsig='\(code)'/>")?.devices.first?.label
    #expect(moved?.isSigned(by: own.key) == false)
    for attributes in [
      "label='Phone'", "labelsig='\(code)'", "label='' labelsig='\(code)'", "label='Phone' labelsig='AQID'",
      "label='Phone' labelsig='\(code)A'", "label='\(String(repeating: "x", count: 213))' labelsig='\(code)'",
    ] {
      #expect(try list("<device id='1' \(attributes)/>")?.devices == [.init(id: 1)], "\(attributes)")
    }
    #expect(DeviceLabel("", by: own, random: OMEMOKeys.random(4)) == nil)
  }
}
