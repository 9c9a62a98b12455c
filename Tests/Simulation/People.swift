import Clocks

/// Those who write to the users of the server, and the users on their other devices.
struct People {
  private let world: World
  private let server: Server
  private let writers = Writers()

  private final class Writers { var numbers: [String: Int] = [:] }

  init(_ world: World, _ server: Server) { (self.world, self.server) = (world, server) }

  func begin() {
    // Messages from before the account.
    for _ in 0..<world.climate.habits.earlier { write() }
    if world.climate.hasDevice {
      for mailbox in server.mailboxes { mailbox.lostLink = { [unowned mailbox] in talkElsewhere(mailbox) } }
    }
    talk()
  }

  private func talk() {
    world.after(world.dice.pause(world.climate.talk)) {
      guard !world.isCalm else { return }
      if !server.isDown { for _ in 0..<(world.dice.percent(10) ? 8 : 1) { write() } }
      talk()
    }
  }

  /// The user writes on the other device while the link here is gone, or gets something there, and is answered.
  private func talkElsewhere(_ mailbox: Mailbox) {
    guard world.happens(700) else { return }
    let somebody = world.dice.pick(Self.everybody)
    let first = world.dice.pick([Parcel.Way.fromDevice, .toDevice])
    for (way, wait) in [(first, 100...800), (.toUser, 900...2_000)] {
      world.after(world.dice.interval(wait)) {
        if !world.isCalm, !server.isDown { write(to: mailbox, with: somebody, way) }
      }
    }
  }

  private static let everybody = ["bob@example.net", "carol@example.net", "stranger@example.com"]

  private func write() {
    let mailbox = world.dice.pick(server.mailboxes)
    // Enough waits for somebody who is away for long.
    guard mailbox.offline.count < 500 else { return }
    let somebody = world.dice.pick(Self.everybody)
    write(to: mailbox, with: somebody, way)
  }

  private func write(to mailbox: Mailbox, with somebody: String, _ way: Parcel.Way) {
    let isMine = way == .fromDevice || way == .note
    let (from, to) = (isMine ? mailbox.jid : somebody, way == .fromDevice ? somebody : mailbox.jid)
    let name = "\(from) \(to)"
    writers.numbers[name, default: 0] += 1
    var parcel = Parcel(from: from, to: to, number: writers.numbers[name] ?? 0, time: world.serverTime, way: way)
    parcel.stanzaID = world.climate.habits.stanzaID(of: parcel)
    parcel.asksForReceipt = world.dice.percent(40) && parcel.stanzaID == parcel.id && way != .note
    if parcel.stanzaID == nil { world.see(.noID) }
    if parcel.stanzaID.map({ $0 != parcel.id }) ?? false { world.see(.sharedID) }
    if way == .note { world.see(.note) }
    mailbox.turnIntoChange(&parcel, world.dice.below(100))
    if way == .toUser { parcel.namesResource = world.dice.percent(30) }
    if way == .fromDevice, parcel.change == nil, world.dice.percent(30) { parcel.originID = "o-\(parcel.id)" }
    if !isMine, parcel.change == nil { parcel.signals = mailbox.takePutOff(by: somebody) }
    mailbox.post(parcel)
    guard parcel.isConfirmed else { return }
    let isCorrection = parcel.change == .correction
    mailbox.confirm(isCorrection ? parcel.target : parcel.id, as: parcel.names, by: somebody, mayFail: !isCorrection)
  }

  private var way: Parcel.Way {
    guard world.climate.hasDevice else { return .toUser }
    let roll = world.dice.below(100)
    if roll >= 86, world.climate.habits.hasNotes { return .note }
    return roll < 60 ? .toUser : roll < 75 ? .toDevice : .fromDevice
  }
}
