import Clocks
import JSON
import ConfabConfiguration
import Testing

@testable import ConfabEngine

/// Processes that are killed after one page of the archive, beside live traffic: each durable page is progress.
@Suite("catch-ups that are killed")
struct KilledCatchUpTests {
  private static let hole = 300
  private static let pageSize = 10

  private func caughtUp(_ harness: Harness) -> Int {
    harness.ask(harness.connect(77), "history limit=1000 bob@example.org")
      .count { $0["message"]?["text"]?.string?.hasPrefix("hole") == true }
  }

  @Test(
    "each process continues after the pages of the earlier ones, whether it resumes their stream or begins one",
    arguments: [true, false])
  func progress(resumes: Bool) throws {
    var harness = try ArchiveTests.harness(ArchiveTests.archive(10))
    harness.pass(.seconds(1))
    // An unacknowledged message is looked for in the archive.
    harness.send(harness.connect(), "send carol@example.org out\n")
    harness.pass(.seconds(1))
    for number in 0..<Self.hole {
      let time = harness.now.wall.advanced(by: .milliseconds(Int64(number) * 100 - 60_000))
      harness.server.archive?.add("hole \(number)", at: time.rfc3339)
    }
    harness.server.archive?.pageSize = Self.pageSize
    if resumes { harness.server.resumption = "max='600'" }
    var lives = 0
    while caughtUp(harness) < Self.hole, lives < 2 * Self.hole / Self.pageSize {
      lives += 1
      harness.server.archive?.patience = 1
      harness = try Harness(
        on: harness.storage, accounts: harness.configuration.accounts, server: harness.server, now: harness.now,
        seed: UInt64(lives) + 1)
      harness.pass(.seconds(1))
      harness.say(
        "<message type='chat' from='dan@example.org/x' to='alice@example.org' id='l\(lives)'><body>live</body></message>"
      )
      harness.pass(.seconds(1))
    }
    #expect(caughtUp(harness) == Self.hole)
    #expect(lives == Self.hole / Self.pageSize)
  }
}
