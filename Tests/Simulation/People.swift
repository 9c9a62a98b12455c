import Clocks

/// Those who write to the users of the server.
struct People {
  private let world: World
  private let server: Server
  private let writers = Writers()

  private final class Writers { var numbers: [String: Int] = [:] }

  init(_ world: World, _ server: Server) { (self.world, self.server) = (world, server) }

  func begin() {
    world.after(world.dice.pause(world.climate.talk)) {
      guard !world.isCalm else { return }
      if !server.isDown { for _ in 0..<(world.dice.percent(10) ? 8 : 1) { write() } }
      begin()
    }
  }

  private func write() {
    let mailbox = world.dice.pick(server.mailboxes)
    // Enough waits for somebody who is away for long.
    guard mailbox.offline.count < 500 else { return }
    let from = world.dice.pick(["bob@example.net", "carol@example.net", "stranger@example.com"])
    let name = "\(mailbox.jid) \(from)"
    writers.numbers[name, default: 0] += 1
    mailbox.post(Parcel(from: from, to: mailbox.jid, number: writers.numbers[name] ?? 0, time: world.serverTime))
  }
}
