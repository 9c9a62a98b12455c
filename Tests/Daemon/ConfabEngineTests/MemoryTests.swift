import Clocks
import ConfabEngine
import Testing

@Suite("memory that is given back")
struct MemoryTests {
  /// A server that answers each request, so that links last.
  private static var server: ScriptedStream {
    var server = ScriptedStream()
    server.acknowledges = true
    return server
  }

  @Test("ten seconds after a login, once, and then nothing more is done")
  func login() throws {
    let harness = try Harness(server: Self.server)
    harness.pass(.milliseconds(9_999))
    #expect(harness.releases == 0)
    harness.pass(.milliseconds(1))
    #expect(harness.releases == 1)
    harness.pass(.hours(24))
    #expect(harness.releases == 1)
    harness.cut()
    harness.pass(.hours(1))
    #expect(harness.releases == 2)
    harness.pass(.hours(24))
    #expect(harness.releases == 2)
  }

  @Test("after a burst at once; what the next burst needs, too, stays until none has come for ten seconds")
  func burst() throws {
    let harness = try Harness(server: Self.server)
    harness.pass(.seconds(20))
    #expect(harness.releases == 1)
    for burst in 0..<3 {
      Self.receive(12_000, in: burst, harness)
      harness.pass(.seconds(9))
      #expect(harness.releases == 2 + burst)
    }
    harness.pass(.seconds(1))
    #expect(harness.releases == 5)
    harness.pass(.hours(1))
    #expect(harness.releases == 5)
  }

  @Test("what falls due in the middle of a burst is put off; single messages put nothing off")
  func inTheMiddle() throws {
    let harness = try Harness()
    for burst in 0..<5 {
      harness.pass(.seconds(8))
      Self.receive(200, in: burst, harness)
    }
    #expect(harness.releases == 0)
    for number in 0..<9 {
      harness.pass(.seconds(1))
      Self.receive(1, in: 5 + number, harness)
    }
    #expect(harness.releases == 0)
    harness.pass(.seconds(1))
    #expect(harness.releases == 1)
  }

  @Test("a burst is not over while its link waits for the disk, nor 50 ms later")
  func waiting() throws {
    let harness = try Harness()
    harness.pass(.seconds(20))
    harness.syncsAtOnce = false
    for part in 0..<3 {
      Self.deliver(12_000, in: part, text: String(repeating: "n", count: 100), harness)
      #expect(!harness.pausedLinks.isEmpty)
      harness.sync()
      harness.pass(.milliseconds(10))
      harness.sync()
      #expect(harness.pausedLinks.isEmpty && !harness.hasBatch && harness.releases == 1)
      harness.pass(.milliseconds(39))
    }
    #expect(harness.releases == 1)
    harness.pass(.milliseconds(11))
    #expect(harness.releases == 2)
    harness.pass(.seconds(11))
    #expect(harness.releases == 3)
  }

  @Test("a burst too small to be given back at once is given back after ten seconds")
  func small() throws {
    let harness = try Harness()
    harness.pass(.seconds(20))
    Self.receive(2_000, in: 0, harness)
    harness.pass(.seconds(9))
    #expect(harness.releases == 1)
    harness.pass(.seconds(1))
    #expect(harness.releases == 2)
  }

  private static func receive(_ count: Int, in burst: Int, _ harness: Harness) {
    deliver(count, in: burst, text: "n", harness)
    harness.pass(.milliseconds(50))
  }

  private static func deliver(_ count: Int, in burst: Int, text: String, _ harness: Harness) {
    for first in stride(from: 0, to: count, by: 500) {
      let numbers = first..<min(first + 500, count)
      let stanzas = numbers.map { number in
        "<message from='c\(number % 9)@example.org/x' id='m\(burst)-\(number)'><body>\(text)</body></message>"
      }
      harness.receive(stanzas.joined())
    }
  }
}
