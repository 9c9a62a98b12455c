import JSON
import Testing

@testable import State

@Suite("idempotency keys of one hash")
struct CollidingKeyTests {
  /// Two keys with the same hash in the harness's log: the index keeps only 38 bits of a key's hash.
  private static let keys = ["key-457999", "key-1953439"]

  private func index(_ key: String) -> UInt64 {
    MessageIDEntry.key(.key, MessageIDHash.of(key: key, of: nil), seed: 0x0707_0707_0707_4707)
  }

  @Test("each key finds its own message, whichever came later")
  func both() throws {
    #expect(index(Self.keys[0]) == index(Self.keys[1]))
    let harness = try Harness()
    let client = harness.connect()
    func send(_ key: String) -> JSONValue? { harness.ask(client, "send key=\(key) bob@example.org \(key)").last }
    let first = Self.keys.map { send($0)?["id"]?.integer }
    #expect(Set(first).count == 2)
    for harness in [harness, try Harness(on: harness.storage, now: harness.now)] {
      let client = harness.connect(30)
      for (key, id) in zip(Self.keys, first) {
        let again = harness.ask(client, "send key=\(key) bob@example.org \(key)").last
        #expect(again?["id"]?.integer == id && again?["repeated"]?.bool == true, "\(key)")
      }
    }
  }
}
