import Clocks
import ConfabAccounts

/// What goes wrong, and when.
struct Weather {
  let world: World
  let server: Server
  let network: Network
  let disk: SimulatedDisk
  let daemon: Daemon
  let frontEnds: FrontEnds

  /// Until the world is calm.
  func begin() {
    world.after(world.dice.pause(world.climate.weather)) {
      guard !world.isCalm else { return }
      strike(world.climate.fault(&world.dice))
      begin()
    }
  }

  private func strike(_ fault: Fault) {
    world.note(fault)
    switch fault {
    case .kill: daemon.die(withMachine: false)
    case .powerFailure: daemon.die(withMachine: true)
    case .stop: daemon.stop()
    case .signOff: daemon.signOff()
    case .stall: daemon.stall(world.dice.interval(50...20_000))
    case .cut: network.cut()
    case .oneSidedCut: network.cutOneSide()
    case .silence: network.silence()
    case .delay: network.slowDown(world.dice.interval(1_000...60_000))
    case .networkDown: network.goDown(world.dice.interval(1_000...280_000))
    case .serverRestart: if !server.isDown { server.restart() }
    case .serverCrash: if !server.isDown { server.crash() }
    case .serverChange: if !server.isDown { server.change() }
    case .reload: daemon.reload()
    case .deadPath: network.die()
    case .fullDisk: disk.fill(world.dice.interval(100...60_000))
    case .slowDisk: disk.slowDown(world.dice.interval(1_000...60_000))
    case .checkpointLost: disk.loseCheckpoint()
    case .clockJump: jump()
    case .suspension: suspend()
    case .slowFrontEnd: frontEnds.slowDownOne(world.dice.interval(1_000...120_000))
    case .dyingFrontEnd: frontEnds.killOne()
    case .archiveExpiry: for mailbox in server.mailboxes { mailbox.forgetOldest() }
    case .streamError: server.endOneStream()
    case .failedStart, .writeError, .syncError, .readError, .failedRebuild, .failedIndex: break
    }
  }

  private func jump() {
    world.setClock(by: world.dice.interval(-7_200_000...7_200_000))
    if world.dice.percent(70) { daemon.deliver(.clockSet) }
  }

  /// The machine sleeps: nothing is heard, and all at once it is much later.
  private func suspend() {
    let length = world.dice.interval(10_000...3_600_000)
    daemon.stall(length)
    world.after(length) { daemon.deliver(.woke) }
  }
}
