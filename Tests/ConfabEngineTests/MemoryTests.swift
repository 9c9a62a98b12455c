import Clocks
import ConfabEngine
import Testing

@Suite("memory that is given back")
struct MemoryTests {
  @Test("ten seconds after a login, once, and then nothing more is done")
  func login() throws {
    let harness = try Harness()
    harness.pass(.milliseconds(9_999))
    #expect(harness.releases == 0)
    harness.pass(.milliseconds(1))
    #expect(harness.releases == 1)
    harness.pass(.hours(24))
    #expect(harness.releases == 1)
    harness.cut()
    harness.pass(.hours(1))
    #expect(harness.releases == 2)
    #expect(harness.engine.nextDeadline == nil)
  }
}
