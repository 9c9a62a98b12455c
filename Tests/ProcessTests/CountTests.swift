import TestSupport
import Testing

/// Allocations and system calls do not depend on how busy the machine is: they are held to Tests/Support/thresholds.json.
@Suite("Counts per message")
struct CountTests {
  private static let confabd = Products.releaseFolder + "/confabd"

  @Test("stay within the thresholds", .enabled(if: TestFiles.exists(confabd)))
  func counts() throws {
    let measured = try MessageCounts.measure(program: Self.confabd)
    #expect(measured.values.count == MessageCounts.thresholds.count)
    for (name, value) in measured.values {
      let most = try #require(MessageCounts.thresholds[name], "\(name)")
      #expect(value <= most, "\(name)")
      #expect(value > 0, "\(name) was not counted")
    }
    // Inbound traffic alone causes at most 100 syncs a second; a new segment may cost a few more.
    #expect(Double(measured.syncs) <= 100 * measured.burstSeconds + 8)
    #expect(measured.syncs > 0)
  }
}
