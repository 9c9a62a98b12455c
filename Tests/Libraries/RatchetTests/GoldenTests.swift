import TestSupport
import Testing

@testable import Ratchet

/// Conversations with python-oldmemo 2.1.0 and python-twomemo 2.1.0, recorded (`PeerTests`): the peer's bytes, and what
/// ours were.
@Suite("Golden conversations")
struct GoldenTests {
  static let seeds: ClosedRange<UInt64> = 1...4

  static func path(_ version: RatchetVersion, _ seed: UInt64) -> String {
    Products.repository + "/Tests/Libraries/RatchetTests/Golden/\(version)-\(seed).txt"
  }

  @Test(
    "The same seed and the peer's same bytes give the bytes that the peer understood",
    arguments: RatchetVersion.allCases,
    seeds)
  func replay(version: RatchetVersion, seed: UInt64) throws {
    let peer = try RecordedPeer(Self.path(version, seed))
    var conversation = try PeerConversation(version, with: peer, seed: seed)
    try conversation.run(steps: 40)
    #expect(peer.isAtEnd)
  }
}

/// A peer that says what one said before, if it is asked the same.
final class RecordedPeer: RatchetPeer {
  private var lines: ArraySlice<Substring>

  init(_ path: String) throws {
    lines = try #require(TestFiles.text(path)).split(separator: "\n")[...]
  }

  var isAtEnd: Bool { lines.isEmpty }

  func ask(_ request: String) throws -> [Substring] {
    let (asked, answer) = (lines.popFirst(), lines.popFirst())
    #expect(asked == Substring(request))
    return try #require(answer).split(separator: " ")
  }
}
