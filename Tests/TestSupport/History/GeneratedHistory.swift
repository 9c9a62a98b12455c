package import Records

/// A history as people make it, the same for the same seed: several hundred conversations of very different length, one
/// with half of all; bursts, nights and holidays; messages of mine with what became of them, from here and from other
/// devices; late arrivals; and before all of that an archive that was fetched backwards, as a new account does it.
package struct GeneratedHistory {
  package static let account = AccountRecord(number: 1, name: "alice", jid: "alice@example.test")
  /// Conversations that there are in the end, where there are messages enough.
  package static let people = 400
  /// The first so many are on the roster.
  private static let contacts = 20
  /// People who are talked to at the same time.
  private static let atOnce = 4
  /// 2016-01-01, when what is not out of the archive begins.
  private static let epoch: Int64 = 1_451_606_400_000

  private var random: SeededGenerator
  /// The number of the next record.
  package var sequence: UInt64
  /// Records to be handed out before anything else is made.
  private var waiting: [Record]
  private var archive: GeneratedArchive
  private var clock = Self.epoch
  private var untilNight = 0
  private var dialogues: [(person: Int, left: Int)] = []
  private let jids = (0..<Self.people).map { "friend\($0)@people.example" }
  private let texts = (0..<Self.people).map(GeneratedText.init(person:))

  /// - Parameters:
  ///   - messages: how many are wanted; a tenth of them comes out of the archive.
  ///   - first: the number of the first record.
  package init(messages: Int, seed: UInt64 = 1, first: UInt64 = 1) {
    random = SeededGenerator(seed: seed)
    sequence = first
    archive = GeneratedArchive(messages: messages / 10, before: Self.epoch)
    waiting = [.account(Self.account)]
    for person in 0..<Self.contacts {
      var contact = ContactRecord(account: 1, jid: jids[person])
      contact.name = "Friend \(person)"
      contact.subscription = "both"
      contact.groups = [person % 3 == 0 ? "Family" : "Friends"]
      waiting.append(.contact(contact))
    }
    waiting.reverse()
  }

  /// The next record; never ends.
  package mutating func next() -> Record {
    if waiting.isEmpty { makeMessage() }
    sequence += 1
    return waiting.removeLast()
  }

  private mutating func makeMessage() {
    if let place = archive.next() {
      let person = somebody()
      var message = self.message(of: person, at: place.time)
      if random.chance(450) { makeMine(&message, elsewhere: true) }
      (message.archived, message.depth, message.delayed) = (true, place.depth, true)
      message.archiveID = "\(place.time)-\(String(random.next() >> 32, radix: 36))"
      waiting = [.message(message)]
    } else {
      makeLiveMessage()
    }
  }

  private mutating func makeLiveMessage() {
    let person = goOn()
    var message = self.message(of: person, at: clock)
    let isMine = random.chance(450)
    let isFromHere = isMine && random.chance(500)
    if isMine { makeMine(&message, elsewhere: !isFromHere) }
    if !isFromHere {
      message.archiveID = String(random.next(), radix: 36)
      if random.chance(5) { (message.time, message.delayed) = (clock - Int64(random.below(172_800)) * 1000, true) }
    }
    waiting = [.message(message)]
    if isFromHere {
      var delivery = DeliveryRecord(account: 1, jid: message.jid, time: message.time, id: sequence, state: .sent)
      delivery.isOfOutbox = true
      waiting.append(.delivery(delivery))
      waiting.reverse()
    }
  }

  private mutating func message(of person: Int, at time: Int64) -> MessageRecord {
    let jid = jids[person]
    var message = MessageRecord(account: 1, jid: jid, peer: jid + "/phone", time: time)
    message.text = texts[person].next(&random)
    message.stanzaID = String(random.next(), radix: 36)
    return message
  }

  private func makeMine(_ message: inout MessageRecord, elsewhere: Bool) {
    message.author = elsewhere ? .otherDevice : .thisDevice
    message.transmitted = !elsewhere
    message.peer = elsewhere ? Self.account.jid + "/laptop" : message.jid
  }

  /// Time passes; whose dialogue goes on now.
  private mutating func goOn() -> Int {
    if untilNight == 0 {
      // A night, or some days away.
      clock += Int64(random.chance(160) ? 24 + random.below(72) : 6 + random.below(6)) * 3_600_000
      untilNight = 200 + random.below(2000)
      dialogues = []
    }
    untilNight -= 1
    clock += Int64(random.chance(30) ? random.below(600_000) : random.below(16_000))
    if dialogues.count < Self.atOnce { dialogues.append((somebody(), 1 + random.below(60))) }
    let index = random.below(dialogues.count)
    let person = dialogues[index].person
    dialogues[index].left -= 1
    if dialogues[index].left == 0 { dialogues.remove(at: index) }
    return person
  }

  /// Half of all is one person's; of the others the second has twice as much as the fourth.
  private mutating func somebody() -> Int {
    if random.chance(500) { return 0 }
    let octave = random.below(9)
    return min(Self.people - 1, (1 << octave) + random.below(1 << octave))
  }
}

/// The places of messages in an archive that is fetched from its newest page backwards.
private struct GeneratedArchive {
  private static let page = 100
  /// A page holds what came in so long.
  private static let span: Int64 = 3_600_000

  private let messages: Int
  private let end: Int64
  private var made = 0

  init(messages: Int, before end: Int64) { (self.messages, self.end) = (messages, end) }

  /// Whole seconds, as servers stamp; pages go back, and within one time goes on.
  mutating func next() -> (time: Int64, depth: UInt32)? {
    guard made < messages else { return nil }
    defer { made += 1 }
    let (page, place) = (made / Self.page, made % Self.page)
    let start = end - Int64(page + 1) * Self.span
    let time = start + Int64(place) * Self.span / Int64(Self.page)
    return (time / 1000 * 1000, UInt32(page))
  }
}
