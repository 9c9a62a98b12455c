import TestSupport
import Testing

@Suite("What the documents say of a running daemon")
struct AnnouncedFeatureTests {
  @Test("It announces what docs/XEPS.md says, and docs/confab.doap has the same extensions")
  func features() throws {
    let folder = try TemporaryFolder("announced")
    try folder.reportingLogs {
      let world = try World(try Prosody(in: folder), in: folder)
      let bob = try world.bob()
      try world.befriend(bob)
      try world.client.sendToBob("hello")
      let announced = try bob.features(of: bob.message().text("from"))
      let rows = (TestFiles.text(Products.repository + "/docs/XEPS.md") ?? "").split(separator: "\n")
        .filter { $0.hasPrefix("| [XEP-") }.map { $0.split(separator: "|", omittingEmptySubsequences: false) }
      let listed = rows.flatMap {
        $0[5].split(separator: "`").filter { $0.contains(":") || $0.contains("/") || $0.contains("+") }
      }
      #expect(Set(announced) == Set(listed.map(String.init)) && announced.count > 15)
      let project = TestFiles.text(Products.repository + "/docs/confab.doap") ?? ""
      let numbers = rows.compactMap { $0[1].split(separator: "]").first?.suffix(4) }
      #expect(project.matches(of: /xep-([0-9]{4})\.html/).map(\.output.1) == numbers)
    }
  }
}
