import Clocks

/// People whom the users do not know, and who mean them no good: they write in floods from many addresses, give their
/// messages times that they do not have, ask to see the users' presence, and try to pass for somebody else. Friends write
/// beside them.
struct Strangers {
  private let world: World
  private let server: Server
  private let numbers = Numbers()

  private final class Numbers { var last = 0 }

  /// A friend who is not a contact yet, and asks for that.
  static let asker = "dave@friends.example"
  /// Domains of strangers.
  private static let floodDomain = "flood.example"
  private static let askingDomain = "asking.example"
  /// More requests than one domain may have waiting.
  private static let requests = 110

  init(_ world: World, _ server: Server) { (self.world, self.server) = (world, server) }

  func begin() {
    guard world.climate.habits.hasStrangers else { return }
    for mailbox in server.mailboxes { mailbox.cameOnline = { [unowned mailbox] in writeSoon(to: mailbox) } }
    act()
  }

  /// Whoever has just come may believe stamps.
  private func writeSoon(to mailbox: Mailbox) {
    guard world.dice.percent(30) else { return }
    world.after(world.dice.interval(100...60_000)) {
      guard !world.isCalm, !server.isDown else { return }
      writeStamped(to: mailbox)
    }
  }

  private func writeStamped(to mailbox: Mailbox) {
    world.see(.stamp)
    write(to: mailbox, stamped: world.dice.pick([.hours(24 * 2000), .hours(5), .minutes(10)]))
  }

  private func act() {
    world.after(world.dice.pause(.seconds(20))) {
      guard !world.isCalm else { return }
      if !server.isDown { strike(world.dice.pick(server.mailboxes)) }
      act()
    }
  }

  private func strike(_ mailbox: Mailbox) {
    guard mailbox.offline.count < 300 else { return }
    switch world.dice.below(10) {
    case 0..<3: writeStamped(to: mailbox)
    case 3..<6:
      world.see(.flood)
      for _ in 0..<20 { write(to: mailbox) }
    case 6..<8:
      world.see(.imitation)
      imitate(mailbox)
    default: ask(mailbox)
    }
    guard world.climate.archive != nil, world.shortUntil <= world.now.instant, world.dice.percent(30) else { return }
    world.see(.shortRoom)
    world.shortUntil = world.now.instant.advanced(by: world.dice.interval(10_000...600_000))
  }

  /// Writes from an address that never wrote before.
  ///
  /// - Parameter stamped: how long ago the message says that the server got it.
  private func write(to mailbox: Mailbox, stamped age: Interval? = nil) {
    numbers.last += 1
    var parcel = Parcel(
      from: "s\(numbers.last)@\(Self.floodDomain)", to: mailbox.jid, number: 1, time: world.serverTime)
    parcel.stanzaID = parcel.id
    parcel.claimedTime = age.map { world.serverTime.advanced(by: .milliseconds(-$0.milliseconds)) }
    mailbox.post(parcel)
  }

  /// Writes under the user's own local part, and sends what only the user's own server may: a carbon and a result of the
  /// archive, with a message of a friend's that the friend never wrote; and a receipt for a message that went elsewhere.
  private func imitate(_ mailbox: Mailbox) {
    numbers.last += 1
    let local = mailbox.jid.prefix { $0 != "@" }
    var parcel = Parcel(
      from: "\(local)@\(Self.floodDomain)", to: mailbox.jid, number: numbers.last, time: world.serverTime)
    parcel.stanzaID = parcel.id
    mailbox.post(parcel)
    guard let session = mailbox.session, session.isAvailable else { return }
    let forged =
      "<forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client' from='\(Server.contacts[0])/desk' "
      + "to='\(mailbox.jid)' type='chat' id='f\(numbers.last)'><body>\(Self.forgery) words</body></message></forwarded>"
    let from = "<message from='\(parcel.from)/x' to='\(mailbox.jid)' type='chat'>"
    session.send("\(from)<received xmlns='urn:xmpp:carbons:2'>\(forged)</received></message>")
    session.send("\(from)<result xmlns='urn:xmpp:mam:2' id='f\(numbers.last)'>\(forged)</result></message>")
    guard let mine = mailbox.parcels.last(where: \.isConfirmed) else { return }
    session.send("\(from)\(Signal(form: .receipt, message: mine.id, name: mine.id).xml)</message>")
  }

  /// The beginning of forged texts.
  static let forgery = "forged"

  /// Asks from more addresses of one domain than may wait; a friend of another domain asks behind them.
  private func ask(_ mailbox: Mailbox) {
    guard mailbox.askers.isEmpty else { return }
    world.see(.requests)
    mailbox.take(requestsOf: (1...Self.requests).map { "r\($0)@\(Self.askingDomain)" } + [Self.asker])
  }
}

extension Mailbox {
  /// People ask to see the user's presence: the server repeats that at each login (RFC 6121, 3.1.3).
  func take(requestsOf people: [String]) {
    askers += people
    if let session, session.isAvailable { session.sendRequests(of: people) }
  }

  /// A friend's request is here, however many strangers ask.
  func checkRequests() {
    guard askers.contains(Strangers.asker) else { return }
    let here = witness.askers(of: account)
    world.hold(here.contains(Strangers.asker), "the request of \(Strangers.asker) to \(jid) is here")
    let others = here.count - 1
    world.hold(others <= 100, "\(others) requests of one domain to \(jid) are here")
  }
}

extension ServerSession {
  func sendRequests(of people: [String]) {
    for jid in people { send("<presence type='subscribe' from='\(jid)' to='\(mailbox.jid)'/>") }
  }
}
