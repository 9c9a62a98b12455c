import MessageLog
import Testing

@Suite struct IdentityTests {
  private static let here = InstanceFacts(inode: 7, birth: 1_700_000_000_123_456_789, machine: "abc")

  @Test func theFileComesBack() throws {
    let uuid = try #require(LogUUID(random: [UInt8](0..<16)))
    for facts in [
      Self.here, InstanceFacts(inode: .max, birth: nil, machine: nil), InstanceFacts(inode: 0, birth: -1, machine: nil),
    ] {
      let identity = LogIdentity(uuid: uuid, instance: facts)
      #expect(LogIdentity(decoding: identity.encoded) == identity)
    }
    let text = String(decoding: LogIdentity(uuid: uuid, instance: Self.here).encoded, as: UTF8.self)
    #expect(
      text == """
        confab-log 1
        uuid 00010203-0405-4607-8809-0a0b0c0d0e0f
        inode 7
        birth 1700000000123456789
        machine abc

        """)
  }

  @Test("a copy knows of what it is one, also where that was a copy, but not for ever")
  func ancestors() throws {
    func uuid(_ number: Int) throws -> LogUUID {
      try #require(LogUUID(random: [UInt8](repeating: UInt8(number), count: 16)))
    }
    var identity = LogIdentity(uuid: try uuid(0), instance: Self.here)
    for number in 1...100 {
      identity = identity.copied(as: try uuid(number), to: Self.here)
      #expect(try identity.uuid == uuid(number))
      #expect(try identity.ancestors.suffix(2) == (max(0, number - 2)..<number).map(uuid)[...])
      #expect(LogIdentity(decoding: identity.encoded) == identity)
    }
  }

  static let places: [(InstanceFacts, isSame: Bool)] = [
    (here, true),
    (InstanceFacts(inode: 8, birth: here.birth, machine: "abc"), false),
    (InstanceFacts(inode: 7, birth: 5, machine: "abc"), false),
    (InstanceFacts(inode: 7, birth: here.birth, machine: "abd"), false),
    (InstanceFacts(inode: 7, birth: nil, machine: nil), true),
    (InstanceFacts(inode: 8, birth: nil, machine: nil), false),
  ]

  @Test(arguments: places)
  func whatIsComparedIsInodeBirthTimeAndMachine(observed: InstanceFacts, isSame: Bool) throws {
    let uuid = try #require(LogUUID(random: [UInt8](0..<16)))
    let stored = LogIdentity(uuid: uuid, instance: Self.here).encoded
    let decision = LogIdentity.decide(stored: stored, observed: observed)
    #expect((decision == .same(uuid)) == isSame)
    if !isSame { #expect(decision != .new) }
  }

  @Test func withoutAnIdentityItIsNew() {
    #expect(LogIdentity.decide(stored: nil, observed: Self.here) == .new)
  }

  @Test(
    arguments: [
      "", "confab-log 2\nuuid 00010203-0405-4607-8809-0a0b0c0d0e0f\ninode 7\n", "confab-log 1\ninode 7\n",
      "confab-log 1\nuuid 00010203-0405-4607-8809-0a0b0c0d0e0f\n", "confab-log 1\nuuid nonsense\ninode 7\n",
      "confab-log 1\nuuid 00010203-0405-4607-8809-0a0b0c0d0e0f\ninode -7\n",
      "confab-log 1\nuuid 00010203-0405-4607-8809-0a0b0c0d0e0f\ninode 7\nbirth soon\n",
    ])
  func anUnreadableOneIsAnotherPlace(text: String) {
    guard case .moved = LogIdentity.decide(stored: Array(text.utf8), observed: Self.here) else {
      Issue.record("\(text) was accepted")
      return
    }
  }

  @Test func uuidsAreReadAndWritten() throws {
    let uuid = try #require(LogUUID("6F1C1C3E-8a55-4b43-9a0e-0123456789AB"))
    #expect(uuid.description == "6f1c1c3e-8a55-4b43-9a0e-0123456789ab")
    #expect(LogUUID("6f1c1c3e8a554b439a0e0123456789ab") == nil)
    #expect(LogUUID("6f1c1c3e-8a55-4b43-9a0e-0123456789ag") == nil)
    #expect(LogUUID("") == nil)
    #expect(LogUUID(random: [1]) == nil)
  }
}
