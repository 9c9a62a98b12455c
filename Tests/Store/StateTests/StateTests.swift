import Clocks
import State
import Timelines
import Records
import Testing

/// SplitMix64.
private struct Generator: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// A stream of records such as no daemon would write in its wildest hour: also about accounts and messages that are not.
private struct Stream {
  var random: Generator
  private var mine: [(id: UInt64, message: MessageRecord)] = []
  private(set) var records: [Record] = []

  init(seed: UInt64, count: Int) {
    random = Generator(state: seed)
    records.append(.account(.init(number: 1, name: "home", jid: "alice@example.org")))
    while records.count < count { add(make()) }
  }

  private mutating func add(_ record: Record) {
    records.append(record)
    if case .message(let message) = record, message.author.isMe { mine.append((UInt64(records.count), message)) }
  }

  private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  private mutating func make() -> Record {
    let account = UInt32([1, 1, 1, 2, 3][number(5)])
    let jid = "c\(number(4))@example.org"
    switch number(15) {
    case 0: return .account(.init(number: 2, name: ["work", "office"][number(2)], jid: "ann@work.example"))
    case 1: return .wish(.init(account: account, connected: number(2) == 0, show: "away", status: "s\(number(3))"))
    case 2, 3, 4, 5: return .message(message(account, jid))
    case 6, 7: return delivery()
    case 8:
      let known = mine.map(\.id).shuffled(using: &random).prefix(3)
      return number(2) == 0
        ? .transmission(.init(account: account, ids: Array(known)))
        : .suspicion(.init(account: account, id: known.first ?? 5))
    case 9:
      let time = Int64(number(100)) * 1_000_000
      return .read(.init(account: account, jid: jid, time: time, id: UInt64(number(records.count) + 1)))
    case 10: return number(2) == 0 ? .draft(.init(account: account, jid: jid, text: "d\(number(2))")) : contact(account)
    case 11:
      return .login(.init(account: account, mechanism: [nil, "SCRAM-SHA-1", "?"][number(3)], channelBinding: "x"))
    case 12: return .offer(offer(account))
    case 13:
      let name = CursorName("c\(number(3))", of: number(2) == 0 ? nil : 1)
      return .cursor(.init(name: name, position: number(3) == 0 ? nil : UInt64(number(99))))
    default:
      return number(2) == 0
        ? .rosterVersion(.init(account: account, version: "v\(number(9))"))
        : .refused(.init(account: account, from: jid, stanzaID: nil, size: 9, reason: "large"))
    }
  }

  private mutating func offer(_ account: UInt32) -> OfferRecord {
    var offer = OfferRecord(account: account)
    offer.mechanisms = ["SCRAM-SHA-\(number(3))"]
    offer.streamManagement = number(2) == 0
    return offer
  }

  private mutating func message(_ account: UInt32, _ jid: String) -> MessageRecord {
    var message = MessageRecord(
      account: account, jid: jid, peer: jid + "/x", time: Int64(number(100)) * 1_000_000)
    if number(2) == 0 { message.author = number(4) == 0 ? .otherDevice : .thisDevice }
    message.text = "text"
    message.stanzaID = number(5) == 0 ? nil : "i\(number(50))"
    message.key = message.author.isMe && number(2) == 0 ? "k\(number(50))" : nil
    message.transmitted = message.author.isMe && number(2) == 0
    return message
  }

  private mutating func delivery() -> Record {
    guard let (id, message) = mine.randomElement(using: &random) else { return .unknown(kind: 99) }
    let state = DeliveryState.allCases[number(5)]
    var delivery = DeliveryRecord(
      account: message.account, jid: message.jid, time: message.time, id: number(9) == 0 ? id + 1 : id, state: state,
      failure: state == .failed ? Failure(condition: "gone", text: "x") : nil, inDoubt: number(2) == 0)
    delivery.isOfOutbox = state == .sent && number(2) == 0
    if delivery.isOfOutbox { (delivery.jid, delivery.time) = ("", 0) }
    return .delivery(delivery)
  }

  private mutating func contact(_ account: UInt32) -> Record {
    var contact = ContactRecord(account: account, jid: "c\(number(4))@example.org")
    contact.subscription = number(2) == 0 ? "both" : nil
    contact.request = number(2) == 0
    contact.groups = ["g"]
    return .contact(contact)
  }
}

@Suite("state: records applied")
struct StateTests {
  private func apply(_ records: ArraySlice<Record>, into state: State) {
    for index in records.indices {
      state.apply(records[index], sequence: UInt64(index) + 1, location: UInt64(index) << 8)
    }
  }

  /// What can be asked, beside what a checkpoint says.
  private func summary(_ state: State) -> [String] {
    let cursors = state.cursors.sorted { $0.key < $1.key }.map { "\($0)" }
    return cursors
      + state.accounts.all.flatMap { account in
        account.conversations.values.sorted { $0.jid < $1.jid }.map { conversation in
          "\(account.record.number) \(conversation.jid) \(conversation.unread) \(conversation.timeline.sections(limit: .max).count) "
            + "\(conversation.timeline.count) \(conversation.draft) \(String(describing: conversation.read))"
        } + [
          "\(account.outbox.entries) \(account.wish) \(account.contacts.rosterVersion ?? "-")",
          "\(String(describing: account.server.login))",
          "\(String(describing: account.server.lastOffer))",
          (0..<50).map {
            "\(account.key("k\($0)", of: nil).first ?? 0) \(account.messageIDs.newest(.stanzaID, MessageIDHash.of("i\($0)")) ?? 0)"
          }
          .joined(separator: ","),
        ]
      }
  }

  @Test(
    "a checkpoint at any record, and the rest applied to it, is all records applied",
    arguments: 1...6 as ClosedRange<UInt64>)
  func checkpoints(seed: UInt64) throws {
    let records = Stream(seed: seed, count: 160).records
    let whole = State(gap: .hours(1))
    apply(records[...], into: whole)
    let (body, expected) = (whole.checkpointBody, summary(whole))
    let prefix = State(gap: .hours(1))
    for place in records.indices {
      apply(records[place...place], into: prefix)
      let sequence = UInt64(place) + 1
      let restored = try State.restored(from: prefix.checkpointBody, sequence: sequence, gap: .hours(1))
      #expect(restored.sequence == sequence)
      apply(records[(place + 1)...], into: restored)
      #expect(restored.checkpointBody == body, "at \(sequence)")
      #expect(summary(restored) == expected, "at \(sequence)")
    }
  }

  @Test(
    "what is kept of a message until it is durable says the same as its record", arguments: 1...6 as ClosedRange<UInt64>
  )
  func keptOfMessages(seed: UInt64) {
    let (whole, kept) = (State(gap: .hours(1)), State(gap: .hours(1)))
    var count = 0
    for (index, record) in Stream(seed: seed, count: 400).records.enumerated() {
      var record = record
      if case .message(var message) = record {
        message.archived = index % 3 == 0
        message.delayed = index % 5 == 0
        message.depth = UInt32(index % 4)
        message.archiveID = index % 2 == 0 ? "a\(index)" : nil
        (message.owesReceipt, message.isMarkable) = (index % 7 == 0, index % 4 == 1)
        message.isCounted = !message.author.isMe
        record = .message(message)
      }
      let (sequence, location) = (UInt64(index) + 1, UInt64(index) << 8)
      whole.apply(record, sequence: sequence, location: location)
      if case .message(let message) = record, let fact = MessageSummary.of(message) {
        _ = kept.apply(fact, sequence: sequence, location: location)
        count += 1
      } else {
        kept.apply(record, sequence: sequence, location: location)
      }
    }
    #expect(count > 20)
    #expect(kept.checkpointBody == whole.checkpointBody)
    #expect(summary(kept) == summary(whole))
  }

  @Test("what is cut short, longer or of another version is no checkpoint, and no byte of it traps")
  func damaged() throws {
    let state = State(gap: .hours(1))
    apply(Stream(seed: 9, count: 60).records[...], into: state)
    let body = state.checkpointBody
    for count in stride(from: 0, to: body.count - 1, by: 7) {
      #expect(throws: IndexDamage.self) {
        try State.restored(from: Array(body[..<count]), sequence: 1, gap: .hours(1))
      }
    }
    var random = Generator(state: 3)
    for _ in 0..<2000 {
      var other = body
      other[Int.random(in: 0..<body.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      _ = try? State.restored(from: other, sequence: 1, gap: .hours(1))
    }
  }

  @Test("a state that says a number only is about a message that waits in the outbox, or about none")
  func stateOfTheOutbox() throws {
    let state = State(gap: .hours(1))
    var message = MessageRecord(account: 1, jid: "b@c", peer: "b@c", time: 5)
    message.author = .thisDevice
    apply([.account(.init(number: 1, name: "a", jid: "a@c")), .message(message), .message(message)], into: state)
    let sent = { (id: UInt64) in Record.delivery(.init(account: 1, jid: "", time: 0, id: id, state: .sent)) }
    guard case .delivery(let conversation, let whole, _) = state.apply(sent(2), sequence: 4, location: 0) else {
      Issue.record("it is one")
      return
    }
    #expect(conversation.jid == "b@c" && whole.jid == "b@c" && whole.time == 5)
    #expect(conversation.timeline[0].flags.state == .sent && conversation.timeline[1].flags.state == .queued)
    #expect(state.accounts[1]?.outbox.entries.map(\.id) == [3])
    for id in [2, 7] as [UInt64] {
      if case .delivery = state.apply(sent(id), sequence: 5, location: 0) { Issue.record("\(id) does not wait") }
    }
  }

  @Test("messages that wait for keys go as they were written, though some were let go before and held again")
  func keptForKeys() throws {
    let state = State(gap: .hours(1))
    var message = MessageRecord(account: 1, jid: "b@c", peer: "b@c", time: 5)
    message.author = .thisDevice
    let held = { (id: UInt64) in
      var delivery = DeliveryRecord(account: 1, jid: "b@c", time: 5, id: id, state: .queued, isHeld: true)
      delivery.awaitsKeys = true
      return Record.delivery(delivery)
    }
    let release = Record.release(ReleaseRecord(account: 1, id: 2))
    apply(
      [
        .account(.init(number: 1, name: "a", jid: "a@c")), .message(message), held(2), .message(message), release,
        held(4), held(2),
      ], into: state)
    #expect(state.accounts[1]?.outbox.awaitingKeys.map(\.id) == [2, 4])
  }

  @Test("a message's state only goes on: what failed stays so, what is delivered does not fail")
  func states() throws {
    for (first, second, kept) in [
      (DeliveryState.failed, DeliveryState.sent, DeliveryState.failed), (.sent, .failed, .failed),
      (.sent, .queued, .sent),
      (.delivered, .failed, .delivered), (.displayed, .delivered, .displayed), (.sent, .displayed, .displayed),
      (.cancelled, .sent, .cancelled), (.queued, .cancelled, .cancelled),
    ] {
      let state = State(gap: .hours(1))
      var message = MessageRecord(account: 1, jid: "b@c", peer: "b@c", time: 5)
      message.author = .thisDevice
      apply([.account(.init(number: 1, name: "a", jid: "a@c")), .message(message)], into: state)
      for next in [first, second] {
        state.apply(.delivery(.init(account: 1, jid: "b@c", time: 5, id: 2, state: next)), sequence: 3, location: 0)
      }
      let flags = state.accounts[1]?.conversations["b@c"]?.timeline[0].flags
      #expect(flags?.rawValue == kept.rawValue.asState, "\(first) then \(second)")
    }
  }
}

extension UInt8 {
  /// The flags of a message of mine, the only one of its conversation, in this state.
  fileprivate var asState: UInt16 { UInt16(self) << 4 | 1 << 1 }
}
