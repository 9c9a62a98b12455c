import Testing
import XML

@testable import XMPPExtensions

@Suite("Hats")
struct XEP0317HatsTests {
  private func hats(_ hats: String) throws -> [Hat] {
    Hat.all(in: try element("<presence>\(hats)</presence>"))
  }

  @Test("Each hat with a title is there once")
  func reading() throws {
    let hats = try hats(
      "<hats xmlns='urn:xmpp:hats:0'><hat uri='u:1' title='Host' hue='327.2'><badge xmlns='urn:b'/></hat>"
        + "<hat uri='u:1' title='Again'/><hat uri='' title='x'/><hat uri='u:2'/><hat uri='u:3' title=''/><hat/>"
        + "<hat uri='u:4' title='Guest'/></hats>")
    #expect(hats.map(\.uri) == ["u:1", "u:4"] && hats.map(\.title) == ["Host", "Guest"])
    #expect(try self.hats("") == [])
  }

  @Test("Of many hats 16 are read, of two lists none")
  func bounds() throws {
    let many = (0..<100).map { "<hat uri='\($0)' title='\(String(repeating: "x", count: 2_000))'/>" }.joined()
    let list = "<hats xmlns='urn:xmpp:hats:0'>\(many)</hats>"
    #expect(try hats(list).count == 16 && hats(list)[0].title.count == 1_000)
    #expect(try hats(list + list) == [])
    let long = String(repeating: "x", count: 1_025)
    #expect(try hats("<hats xmlns='urn:xmpp:hats:0'><hat uri='\(long)' title='x'/></hats>") == [])
  }
}
