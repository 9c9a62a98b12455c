import Testing

@testable import Ratchet

@Suite("Stored sessions")
struct StoredSessionTests {
  /// A session with older states and skipped keys in both.
  private static func session(_ version: RatchetVersion, seed: UInt64 = 61) throws -> (RatchetDevice, RatchetDevice) {
    var (alice, bob) = (try RatchetDevice(version, seed: seed), try RatchetDevice(version, seed: seed + 1))
    for preKey in 1...3 as ClosedRange<UInt32> {
      try alice.begin(with: bob, preKey: preKey)
      try bob.decrypt(try alice.encrypt([0]))
      _ = try alice.encrypt([1])
      try bob.decrypt(try alice.encrypt([2]))
    }
    return (alice, bob)
  }

  @Test("A session is restored from its parts", arguments: RatchetVersion.allCases)
  func restored(version: RatchetVersion) throws {
    var (alice, bob) = try Self.session(version)
    let session = try #require(bob.session)
    #expect(session.skipped.count == 3 && session.layout.states.count == 3)
    let restored = try #require(RatchetSession(core: session.core, skipped: session.skipped))
    #expect(restored == session && restored.version == version && restored.peer == alice.identity.key)
    #expect(restored.baseKey == alice.session?.baseKey)
    bob.session = restored
    #expect(try bob.decrypt(try alice.encrypt([3])).secret == [3])
  }

  @Test("Skipped keys go into the library's record and come out again", arguments: RatchetVersion.allCases)
  func splitting(version: RatchetVersion) throws {
    let session = try #require(try Self.session(version).1.session)
    let record = session.record(with: session.skipped)
    #expect(RatchetSession(core: record) == nil)
    let (core, skipped) = try RatchetSession.split(record)
    #expect(core == session.core && Set(skipped) == Set(session.skipped))
    #expect(session.record(with: []) == session.core)
  }

  @Test("Skipped keys of another session are of no use, and do no harm")
  func foreign() throws {
    let session = try #require(try Self.session(.legacy).1.session)
    let other = try #require(try Self.session(.omemo2, seed: 71).1.session)
    #expect(session.record(with: other.skipped) == session.core)
    #expect(SkippedKey(id: session.skipped[0].id, key: []) == nil)
  }

  @Test("Damaged bytes are no session, or one that fails without harm", arguments: RatchetVersion.allCases)
  func damage(version: RatchetVersion) throws {
    var (alice, bob) = try Self.session(version)
    let (core, message) = (try #require(bob.session).core, try alice.encrypt([3]))
    #expect(RatchetSession(core: []) == nil)
    for count in 0..<core.count {
      // Older states may be missing, and nothing else.
      let states = RatchetSession(core: Array(core.prefix(count)))?.layout.states.count
      #expect(states ?? 1 < 3, "\(count) bytes")
    }
    for index in core.indices {
      var wrong = core
      wrong[index] ^= 0xFF
      guard let session = RatchetSession(core: wrong) else { continue }
      bob.session = session
      _ = try? bob.encrypt([1])
      bob.session = session
      _ = try? RatchetSession.decrypt(message, with: session, bob.keys, random: bob.random.bytes)
    }
  }
}
