import Testing

@testable import Ratchet

@Suite("Conversations")
struct ConversationTests {
  @Test("A session that waits for its answer stays the one that is written by, whatever still comes by one before")
  func lateMessages() throws {
    for version in RatchetVersion.allCases {
      var (alice, bob) = (try RatchetDevice(version, seed: 31), try RatchetDevice(version, seed: 32))
      try alice.begin(with: bob)
      try bob.decrypt(try alice.encrypt([1]))
      try alice.decrypt(try bob.encrypt([2]))
      let late = [try bob.encrypt([3]), try bob.encrypt([4])]
      alice.session = try RatchetSession(
        with: try bob.bundle(preKey: 2), version, as: alice.identity, behind: alice.session, random: alice.random.bytes)
      for (secret, message) in zip([4, 3] as [UInt8], late.reversed()) {
        #expect(try alice.decrypt(message).secret == [secret])
        #expect(alice.session?.isUnanswered == true)
      }
      // The other side has lost all.
      bob.session = nil
      #expect(try bob.decrypt(try alice.encrypt([5])).secret == [5])
      #expect(try alice.decrypt(try bob.encrypt([6])).secret == [6])
      #expect(alice.session?.isUnanswered == false)
    }
  }

  @Test("Both sides read each other, in both versions", arguments: RatchetVersion.allCases)
  func bothWays(version: RatchetVersion) throws {
    var (alice, bob) = (try RatchetDevice(version, seed: 1), try RatchetDevice(version, seed: 2))
    try alice.begin(with: bob)
    let first = try alice.encrypt([1, 2, 3])
    #expect(first.keyExchange?.preKeyID == 1)
    let received = try bob.decrypt(first)
    #expect(received.secret == [1, 2, 3] && received.isNew && received.usedPreKey == 1)
    for round in 0..<20 as Range<UInt8> {
      let answer = try bob.encrypt([round])
      #expect(try alice.decrypt(answer).secret == [round])
      #expect(alice.session?.isUnanswered == false)
      let question = try alice.encrypt([round, round])
      #expect(question.keyExchange == nil)
      #expect(try bob.decrypt(question).secret == [round, round])
    }
    #expect(bob.session?.isWith(alice.identity.key) == true)
    #expect(bob.session?.peer == alice.identity.key)
  }

  @Test("Lost, late and reordered messages are read as far as they come", arguments: RatchetVersion.allCases, 1...20)
  func disorder(version: RatchetVersion, seed: UInt64) throws {
    let chance = SeededBytes(seed)
    var people = [try RatchetDevice(version, seed: seed), try RatchetDevice(version, seed: seed + 100)]
    try people[0].begin(with: people[1])
    let first = try people[0].encrypt([0])
    try people[1].decrypt(first)
    var onTheWay: [(to: Int, message: RatchetMessage, secret: [UInt8])] = []
    for _ in 0..<200 {
      if chance.number(below: 2) == 0 || onTheWay.isEmpty {
        let sender = chance.number(below: 2)
        let secret = chance.bytes(48)
        onTheWay.append((1 - sender, try people[sender].encrypt(secret), secret))
      } else {
        let next = onTheWay.remove(at: chance.number(below: min(onTheWay.count, 8)))
        if chance.number(below: 10) == 0 { continue }
        #expect(try people[next.to].decrypt(next.message).secret == next.secret)
        let before = people[next.to].session
        #expect(throws: RatchetError.duplicate) { try people[next.to].decrypt(next.message) }
        #expect(people[next.to].session == before)
      }
    }
  }

  @Test("2,000 missing messages are read when they come, in any order", arguments: RatchetVersion.allCases)
  func manySkipped(version: RatchetVersion) throws {
    var (alice, bob) = (try RatchetDevice(version, seed: 3), try RatchetDevice(version, seed: 4))
    try alice.begin(with: bob)
    var messages: [RatchetMessage] = []
    for number in 0...2_001 { messages.append(try alice.encrypt([UInt8(truncatingIfNeeded: number)])) }
    try bob.decrypt(messages[0])
    let jump = try bob.decrypt(messages[2_001])
    #expect(jump.skippedChange.added.count == 2_000 && bob.session?.skipped.count == 2_000)
    #expect((bob.session?.core.count ?? 0) < 1_000)
    for number in [1, 2_000, 1_000, 1_001, 999] {
      let late = try bob.decrypt(messages[number])
      #expect(late.secret == [UInt8(truncatingIfNeeded: number)])
      #expect(late.skippedChange.removed.map(\.counter) == [UInt32(number)] && late.skippedChange.added.isEmpty)
    }
    #expect(bob.session?.skipped.count == 1_995)
  }

  @Test("Of too many skipped keys the oldest are given up, with those of forgotten chains")
  func giveUp() throws {
    var (alice, bob) = (try RatchetDevice(.legacy, seed: 5), try RatchetDevice(.legacy, seed: 6))
    try alice.begin(with: bob)
    try bob.decrypt(try alice.encrypt([0]))
    for _ in 0..<1_500 { _ = try alice.encrypt([1]) }
    try bob.decrypt(try alice.encrypt([2]))
    for _ in 0..<700 { _ = try alice.encrypt([3]) }
    let change = try bob.decrypt(try alice.encrypt([4])).skippedChange
    #expect(change.removed.map(\.counter) == Array(1...200) && change.added.count == 700)
    #expect(bob.session?.skipped.count == 2_000)
    for _ in 0..<5 {
      try alice.decrypt(try bob.encrypt([5]))
      try bob.decrypt(try alice.encrypt([6]))
    }
    #expect(bob.session?.skipped.isEmpty == true)
  }

  @Test("First messages that are repeated key exchanges use one pre-key", arguments: RatchetVersion.allCases)
  func repeatedExchange(version: RatchetVersion) throws {
    var (alice, bob) = (try RatchetDevice(version, seed: 7), try RatchetDevice(version, seed: 8))
    try alice.begin(with: bob)
    let messages = try (0..<5).map { _ in try alice.encrypt([9]) }
    #expect(Set(messages.map { $0.keyExchange?.baseKey }).count == 1)
    #expect(try bob.decrypt(messages[3]).usedPreKey == 1)
    for number in [0, 4, 1, 2] {
      let further = try bob.decrypt(messages[number])
      #expect(!further.isNew && further.usedPreKey == nil)
    }
    #expect(bob.preKeys.count == 4)
  }

  @Test("Two that begin at once read each other, and go on", arguments: RatchetVersion.allCases)
  func simultaneous(version: RatchetVersion) throws {
    var (alice, bob) = (try RatchetDevice(version, seed: 9), try RatchetDevice(version, seed: 10))
    try alice.begin(with: bob)
    try bob.begin(with: alice, preKey: 2)
    let (toBob, toAlice) = (try alice.encrypt([1]), try bob.encrypt([2]))
    #expect(try bob.decrypt(toBob).isNew)
    #expect(try alice.decrypt(toAlice).isNew)
    for _ in 0..<10 {
      let (one, other) = (try alice.encrypt([3]), try bob.encrypt([4]))
      #expect(try bob.decrypt(one).secret == [3])
      #expect(try alice.decrypt(other).secret == [4])
    }
  }

  @Test("A new session keeps the old one readable, with its skipped keys", arguments: RatchetVersion.allCases)
  func replaced(version: RatchetVersion) throws {
    var (alice, bob) = (try RatchetDevice(version, seed: 11), try RatchetDevice(version, seed: 12))
    try alice.begin(with: bob)
    try bob.decrypt(try alice.encrypt([0]))
    let (late, other) = (try alice.encrypt([1]), try alice.encrypt([2]))
    try bob.decrypt(other)
    let inOldSession = try alice.encrypt([3])
    try alice.begin(with: bob, preKey: 3)
    #expect(try bob.decrypt(try alice.encrypt([4])).usedPreKey == 3)
    #expect(try bob.decrypt(late).secret == [1])
    #expect(try bob.decrypt(inOldSession).secret == [3])
  }

  @Test("A message says how long the chain before its own was", arguments: RatchetVersion.allCases)
  func previousChains(version: RatchetVersion) throws {
    var (alice, bob) = (try RatchetDevice(version, seed: 17), try RatchetDevice(version, seed: 18))
    try alice.begin(with: bob)
    for count in [3, 1, 5] as [UInt32] {
      for _ in 0..<count { try bob.decrypt(try alice.encrypt([1])) }
      let answer = try bob.encrypt([2])
      try alice.decrypt(answer)
      #expect(try alice.encrypt([3]).previousCounter == count)
      try alice.decrypt(try bob.encrypt([2]))
      // The message that was not delivered began this chain.
      try bob.decrypt(try alice.encrypt([4]))
      try alice.decrypt(try bob.encrypt([5]))
    }
  }

  @Test("The same seed gives the same bytes", arguments: RatchetVersion.allCases)
  func seeds(version: RatchetVersion) throws {
    func run() throws -> [[UInt8]] {
      var (alice, bob) = (try RatchetDevice(version, seed: 13), try RatchetDevice(version, seed: 14))
      try alice.begin(with: bob)
      var bytes: [[UInt8]] = [bob.signedPreKey.signature(version)]
      for round in 0..<5 as Range<UInt8> {
        let question = try alice.encrypt([round])
        try bob.decrypt(question)
        let answer = try bob.encrypt([round])
        try alice.decrypt(answer)
        bytes += [question.bytes, answer.bytes]
      }
      return bytes + [try #require(alice.session).core, try #require(bob.session).core]
    }
    #expect(try run() == run())
  }
}
